"""Every verdict, prompt and verb has words in every language, short enough for the screen, and none is left over."""

import ast
from pathlib import Path

from cardtable.engine import event, verdict
from cardtable.play.display import ROOM
from cardtable.table.screen import Screen
from cardtable.table.words import Words, event_text, list_languages
from tests.games.random_games import catalogue

RUNS_ON = "cpython"  # reads the sources' syntax trees

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware" / "cardtable"
COLUMNS = 21  # of the screen
VERB_LENGTH = 10
CARD_NAMES = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"] + ["XB", "XR"]


def read_words(name, language):
    """The words of a game or of the table, by key; every line is one, and none comes twice."""
    lines = (FIRMWARE / "words" / f"{name}.{language}").read_text(encoding="utf-8").splitlines()
    words = dict(line.split("=", 1) for line in lines)
    assert len(words) == len(lines), "a key comes twice"
    assert all(text == text.strip() and text for text in words.values())
    return words


def read_constants(path):
    """Names and values of the module's `const(...)`, as the source has them: private ones too."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("const("):
            try:
                found[node.targets[0].id] = eval(ast.unparse(node.value.args[0]), {})
            except NameError:
                pass  # made of other constants, so no verdict
    return found


def is_verdict(name, letter):
    """Whether a constant is called like a verdict: D16_NOT_YOUR_TURN."""
    rule = name.lstrip("_").split("_")[0]
    return rule[:1] == letter and rule[1:].isdigit()


def game_keys(game, path):
    """All keys that the words of this game must have."""
    constants = read_constants(path)
    keys = [verdict.words_key(game, value) for name, value in constants.items() if is_verdict(name, game.LETTER)]
    assert len(keys) == len(set(keys)), "two verdicts of the same number"
    keys += [f"P{value}" for name, value in constants.items() if name.startswith("WAIT_")]
    keys += [f"H{value}" for name, value in constants.items() if name.startswith("HINT_")]
    keys += [f"K{value}" for name, value in constants.items() if name.startswith("KEYS_")]
    keys += ["standing"] if game.NAME == "durak" else []  # D45: what is counted has a name there
    return set(keys) | {"V." + row[0] for row in game.VERBS} | result_keys(path)


def result_keys(path):
    """The keys of the words with which a result is said: those in the texts of `describe_result`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    [function] = [node for node in tree.body if getattr(node, "name", "") == "describe_result"]
    texts = [node.value for node in ast.walk(function) if isinstance(getattr(node, "value", None), str)]
    words = {word for text in texts if text != ast.get_docstring(function, clean=False) for word in text.split()}
    return {"R." + word for word in words if word.isalpha()} - {"R.lost", "R.holds", "R.order"}  # head, status, close


def table_keys():
    """All keys of what every game shares."""
    constants = read_constants(FIRMWARE / "engine" / "verdict.py")
    keys = {verdict.words_key(None, value) for name, value in constants.items() if is_verdict(name, "T")}
    return keys | {"V." + row[0] for row in event.VERBS[1:]} | {"R.aborted"}


def app_keys(words):
    """The keys among `words` that the app itself, or main.py, asks for by their text."""
    rooms = ("play", "table", "record", "between")
    files = [path for room in rooms for path in sorted((FIRMWARE / room).glob("*.py"))] + [FIRMWARE.parent / "main.py"]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    return {key for key in words if f'"{key}"' in source}


def all_words():
    """(game's file, language, its words, the keys it must have)."""
    for game in catalogue():
        path = FIRMWARE / "games" / (game.NAME.replace("-", "_") + ".py")
        for language in list_languages():
            yield path.stem, language, read_words(path.stem, language), game_keys(game, path)


def test_t6_every_verdict_prompt_and_verb_of_a_game_has_words():
    """T6: the display says a refusal in words, English and Russian; no words stay behind when a rule goes."""
    for name, language, words, keys in all_words():
        assert keys == set(words), f"{name}.{language}: {sorted(keys ^ set(words))}"


def test_t6_every_verdict_and_verb_of_the_table_has_words():
    """T6, and what the app asks for by name."""
    for language in list_languages():
        words = read_words("table", language)
        keys = table_keys()
        assert keys <= set(words), f"table.{language} lacks {sorted(keys - set(words))}"
        assert set(words) - keys == app_keys(words) - keys, f"table.{language}: nobody asks for them"
        assert set(words) == set(read_words("table", "en"))


class Glass:
    """Keeps what a screen is told."""

    def __init__(self):
        self.lines = {}

    def line(self, row: int, text: str) -> None:
        self.lines[row] = text


def fits(text, show) -> bool:
    """Whether `show`, a method of Screen, brings all of the text onto the glass, and breaks no word."""
    glass = Glass()
    getattr(Screen([glass]), show)(text)
    return " ".join(" ".join(glass.lines.values()).split()) == " ".join(text.split())


def longest_events(game, words):
    """The line of each verb of the game and of the table, with the longest cards, numbers and names."""
    for verb in [*range(1, len(event.VERBS)), *range(event.OWN_VERB, event.OWN_VERB + len(game.VERBS))]:
        kinds = event.verb_arguments(game, verb)
        if kinds != "CP":  # the arbiter's; places are named in the record's words
            number = {"S": 1, "U": 3}.get(kinds[-1:], 12)
            card = 8 if "C" in kinds else event.NO_CARD
            event_ = event.Event(2 if verb >= event.OWN_VERB or verb < event.ABORT else 0, verb, card, number)
            yield event_text(words, game, ["Alexandr"], event_, 2)


def test_t6_words_fit_the_screen():
    """Three lines for a refusal, two for a prompt behind a seat's name; no word is broken and nothing cut."""
    everything = [(name, language, words) for name, language, words, _ in all_words()]
    everything += [("table", language, read_words("table", language)) for language in list_languages()]
    for name, language, words in everything:
        for key, text in words.items():
            where = f"{name}.{language} {key}: {text}"
            assert max(len(word) for word in text.split()) <= COLUMNS, where
            if key.startswith("P") and key[1:].isdigit():
                text = text.replace("#", "6")
                assert fits(("2 Alexandr: " if len(text) <= ROOM else "2: ") + text, "waits"), where
                assert fits(words[key].replace("#", "11-18"), "waits"), where
            elif key.startswith("K") and key[1:].isdigit():
                assert len(text) <= COLUMNS, where
            elif key.startswith("V."):
                assert len(text.partition("|")[0]) <= VERB_LENGTH, where
            elif key.startswith("R."):
                assert fits(text.replace("#", "Alexandr, Alexandr, Bo").replace("@", "9999"), "waits"), where
            elif key == "cards":
                assert [len(card) for card in text.split(" ")] == [1] * 8 + [2] + [1] * 4 + [2, 2], where
            elif key[:2] in ("L.", "E."):
                assert len(text) <= COLUMNS, where  # a line of its own, between games
            elif "." in key and not key[1].isdigit():
                assert len(text) <= COLUMNS - 2, where
            else:
                assert fits("2 D16 " + text.replace("#", "10"), "verdict"), where


def test_t6_events_fit_the_screen():
    """One line for what a seat has done, its cards included."""
    for game in catalogue():
        for language in list_languages():
            for line in longest_events(game, Words(game.NAME, language)):
                assert len(line) <= COLUMNS, f"{game.NAME}.{language}: {line}"


def test_t6_words_never_name_a_card():
    """T6: screen and feed show seat, rule and words of a refusal, never the card."""
    for name, language, words, _ in all_words():
        for key, text in words.items():
            assert not set(text.replace(":", " ").split()) & set(CARD_NAMES), f"{name}.{language} {key}"


def test_words_use_letters_that_the_screen_has():
    """The font has ASCII, Russian letters and a few signs."""
    known = {chr(code) for code in range(32, 127)} | set("ёЁ№«»—…♠♥♦♣●○▶✓✗★")
    known |= {chr(code) for code in range(ord("А"), ord("я") + 1)}
    for name, language, words, _ in all_words():
        assert not set("".join(words.values())) - known, f"{name}.{language}"


def test_words_are_found_by_their_key():
    """The app finds them with a seek of its own: D7 is not D7.1, and the table's come behind the game's."""
    for game in catalogue():
        for language in list_languages():
            found = Words(game.NAME, language)
            table = read_words("table", language)
            own = read_words(game.NAME.replace("-", "_"), language)
            for key in list(own) + list(table):
                assert found.find(key) == own.get(key, table.get(key))
