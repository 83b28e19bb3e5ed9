"""What people read of every event, verb, result and option, in every language that is there."""

import ast
import re
import string

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_number
from cardtable.engine.event import NO_CARD, OWN_VERB, VERBS, Event, find_verb, verb_arguments, verb_name
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.session import Session
from cardtable.between.options import plural
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats
from cardtable.engine.state import find_place, place_name
from cardtable.table.words import Words, card_text
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from host_tools.judge.sentences import Sentences, languages
from host_tools.base.wording import parse
from host_tools.judge.sentences.language import read_language
from host_tools.judge.sentences.sentences import _find_gaps
from tests.conftest import ROOT
from tests.games.durak_table import deal
from tests.host_tools.toy import toy

GAMES = [find_game(file.stem.replace("_", "-"))
         for file in sorted((ROOT / "firmware/cardtable/games").glob("[a-z]*.py"))]
NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dasha", "Egor", "Zoya")
RECORDS = sorted((ROOT / "tests/records").glob("*/*.rec"))
FIELDS = {"seat", "card", "target", "count", "number", "cause", "name", "rule", "words", "move", "beat", "rest", "rank",
          *"0123456"}  # numbers: of a reason, in order
DURAK = find_game("durak")


def said(game, language, line):
    """The sentence of a record's line without its time."""
    event = Event()
    read_event(game, "0.0 " + line, 1, event)
    return Sentences(game, NAMES, language).event(event.seat, event.verb, event.card, event.target)


def verbs_of(game):
    return [*range(1, len(VERBS)), *range(OWN_VERB, OWN_VERB + len(game.VERBS))]


def arguments(game, verb):
    """A card and a target that the verb can have."""
    kinds = verb_arguments(game, verb)
    target = {"C": card_number("TC"), "R": 10, "U": 3, "N": 3, "P": find_place(game, "hand2"), "S": 2}
    last = target[kinds[-1]] if kinds and (len(kinds) > 1 or kinds != "C") else 0
    return card_number("QC") if kinds[:1] == "C" else NO_CARD, last


def test_there_are_the_languages_of_the_firmware():
    assert sorted(languages()) == sorted(list_languages()) and {"en", "ru"} <= set(languages())
    with pytest.raises(UnusableInput, match="there is no language fi; there is: "):
        Sentences(DURAK, NAMES, "fi")


@pytest.mark.parametrize("language", languages())
def test_languages_have_the_same_keys_and_fill_in_the_same_things(language):
    english = read_language("en")
    words = read_language(language)
    own = {key for key in words if key.startswith("card.") or key.endswith("#few")}
    assert set(words) - own == {key for key in english if not key.startswith("card.")}
    for key, template in words.items():
        fields = {field for _, field, _, _ in string.Formatter().parse(template) if field}
        assert fields <= FIELDS, key
        if key in english and "#" not in key:
            assert fields == {field for _, field, _, _ in string.Formatter().parse(english[key]) if field}, key


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_every_verb_of_every_game_has_its_sentence_its_move_and_its_key(game, language):
    sentences = Sentences(game, NAMES, language)
    words = read_language(language)
    for verb in verbs_of(game):
        group = game.NAME if verb >= OWN_VERB else "table"
        for kind in ("event", "move", "key"):
            assert f"{kind}.{group}.{verb_name(game, verb)}" in words, (kind, verb_name(game, verb))
        card, target = arguments(game, verb)
        text = sentences.event(2, verb, card, target)
        assert text.endswith((".", "?")) and "{" not in text and "  " not in text
        if card != NO_CARD:
            shown = card_text(Words("table", language), card)
            assert shown in text and shown in sentences.move(verb, card, target)
            assert sentences.card(NO_CARD) in sentences.event(2, verb, NO_CARD, target)
        assert len(sentences.key(verb)) <= 14


@pytest.mark.parametrize("game, line, english, russian", [
    ("durak", "2 beat QC TC", "Boris beats 10♣ with Q♣.", "Boris бьёт 10♣ картой Д♣."),
    ("durak", "3 take", "Vera takes.", "Vera берёт."),
    ("durak", "1 done", "Anna is done.", "Anna говорит «хватит»."),
    ("durak", "4 draw 6S", "Gleb draws 6♠.", "Gleb добирает 6♠."),
    ("durak", "0 place 6S hand1", "The arbiter moves 6♠: Anna's hand.", "Судья перекладывает 6♠: рука: Anna."),
    ("durak", "0 lead 2", "Boris begins.", "Начинает Boris."),
    ("cals-bs", "1 claim Q", "Anna claims queens.", "Anna объявляет: дамы."),
    ("cals-bs", "1 doubt", "Anna doubts.", "Anna не верит."),
    ("cals-bs", "2 plus 3", "Boris says plus 3.", "Boris говорит «плюс 3»."),
    ("malice", "1 centre 7S2 3", "Anna lays 7♠ on centre pile 3.", "Anna кладёт 7♠ в центр, стопка 3."),
    ("malice", "2 side XR2 1", "Boris lays ★r on side pile 1.", "Boris кладёт ★к на боковую стопку 1."),
    ("bailiff", "6 lay AH", "Egor lays A♥.", "Egor кладёт Т♥."),
])
def test_what_a_line_says(game, line, english, russian):
    assert said(find_game(game), "en", line) == english
    assert said(find_game(game), "ru", line) == russian


@pytest.mark.parametrize("status, english, russian", [
    ("3:3x4 -2 22/16/13", "Vera: 3 fours", "Vera: 3 четвёрки"),
    ("1:1xT", "Anna: 1 ten", "Anna: 1 десятка"),
    ("2:5xQ 9/8/7", "Boris: 5 queens", "Boris: 5 дам"),
    ("3:4x?", "Vera: 4 cards, all fours", "Vera: 4 карты, каре"),
    ("1:1x+2", "Anna: 1 card, plus 2", "Anna: 1 карта, плюс 2"),
    ("12: 14/13/13", "", ""),
])
def test_what_was_said_of_a_set(status, english, russian):
    assert [Sentences(None, NAMES, language).claim(status) for language in ("en", "ru")] == [english, russian]


def test_buttons_speak_in_the_players_own_voice():
    game = find_game("cals-bs")
    captions = [Sentences(game, NAMES, "ru").key(find_verb(game, verb)) for verb in ("claim", "pass", "doubt")]
    assert captions == ["объявить", "пас", "не верю"]


def test_a_hidden_card_is_a_card():
    assert Sentences(DURAK, NAMES).event(1, find_verb(DURAK, "draw")) == "Anna draws a card."
    assert Sentences(DURAK, NAMES, "ru").event(1, find_verb(DURAK, "draw")) == "Anna добирает карту."
    assert [Sentences().card(name) for name in ("TS", "QD", "XR", "XB2", "??", "QQ", "5H2")] == [
        "10♠", "Q♦", "★r", "★b", "a card", "a card of no deck", "5♥"]
    assert [Sentences(language="ru").card(name) for name in ("TS", "JD", "QD", "KC", "AH")] == [
        "10♠", "В♦", "Д♦", "К♣", "Т♥"]


def test_a_move_is_what_a_button_says():
    cals_bs = find_game("cals-bs")
    sentences = Sentences(DURAK, NAMES)
    assert sentences.move(find_verb(DURAK, "beat"), card_number("QC"), card_number("TC")) == "Beat 10♣ with Q♣"
    assert sentences.move(find_verb(DURAK, "done")) == "Done"
    assert Sentences(cals_bs, NAMES).move(find_verb(cals_bs, "claim"), NO_CARD, 10) == "Claim queens"
    assert Sentences(cals_bs, NAMES).key(find_verb(cals_bs, "doubt")) == "doubt"


def play(path):
    """(session, event, rules) before each line of a record."""
    with path.open(encoding="utf-8") as lines:
        header, number = read_header(lines)
        session = Session(find_game(header.game[0]), header)
        for line in lines:
            if line[0] in "~;" or line.startswith("result:"):
                continue
            event = Event()
            rules = read_event(session.game, line, number, event)
            yield session, event, rules
            if not rules:
                session.play(event)


def test_d14_leading_and_throwing_in_are_told_apart_by_the_state():
    told = []
    for session, event, rules in play(ROOT / "tests/records/durak/throw-in-0005.rec"):
        if not rules and verb_name(session.game, event.verb) == "attack":
            told.append(Sentences(DURAK, NAMES).event(event.seat, event.verb, event.card, 0, session.state))
    assert told[:4] == ["Vera attacks with 7♦.", "Dasha throws in 7♥.", "Dasha throws in 8♣.", "Dasha throws in Q♦."]


def test_d13_in_simple_a_second_card_is_added_and_nobody_throws_in():
    table = deal("simple lead=any", "7S 7H 8H KC", "9H QS TD 6C", trump="AS", stock="2")
    table.talk("1 attack 7S")
    for language, told, button in (("en", "Anna adds 7♥.", "Add 7♥"), ("ru", "Anna кладёт ещё 7♥.", "Положить ещё 7♥")):
        words, verb, card = Sentences(DURAK, NAMES, language), find_verb(DURAK, "attack"), card_number("7H")
        assert words.event(1, verb, card, 0, table.session.state) == told
        assert words.move(verb, card, 0, table.session.state, 1) == button


def test_c4_how_many_cards_were_laid_is_told():
    told = {}
    for language in languages():
        for session, event, rules in play(ROOT / "tests/records/cals-bs/game-0000.rec"):
            if not rules and verb_name(session.game, event.verb) == "claim":
                sentences = Sentences(session.game, NAMES, language)
                told.setdefault(language, []).append(
                    sentences.event(event.seat, event.verb, NO_CARD, event.target, session.state))
    assert any(" lays one card, claiming " in text for text in told["en"])
    assert all(" lays " in text and " claiming " in text for text in told["en"])
    assert all(" кладёт " in text for text in told["ru"])


def test_t6_a_refusal_says_who_why_and_which_rule():
    words = "Not your turn to throw in"
    assert Sentences(DURAK, NAMES).refusal(2, "D16", words) == "Boris may not: Not your turn to throw in (D16)."
    assert Sentences(DURAK, NAMES).refusal(0, "T10", words + ".") == "The arbiter may not: " + words + " (T10)."
    assert Sentences(DURAK, NAMES).refusal(7, "T2", "") == "Zoya may not (T2)."
    assert Sentences(DURAK, NAMES[:2]).refusal(7, "T2", "") == "Seat 7 may not (T2)."


@pytest.mark.parametrize("line, sentence", [
    ("0.153 1 draw ?? ~ 9d32c1625fa8b2c6", "Anna draws a card."),
    ("31.2 1 attack 6S", "Anna attacks with 6♠."),
    ("0.8 2 ! D7.1 No unbeaten card there ~ 1f53496db7ddac33", ""),
    ("0.8 2 ! D7 Nothing beats a joker ~ 1f53496db7ddac33", "Boris may not: Nothing beats a joker (D7)."),
    ("0.8 2 ! T2 ~ 1f53496db7ddac33", "Boris may not (T2)."),
    ("opened: TS QD", "Face up: 10♠ Q♦."),
    ("result: draw", "A draw: nobody loses."),
    ("digest: KHRT 7M4N WX29", ""),
    ("game: durak throw-in", ""),
    ("", ""),
])
def test_t6_t11_the_public_feed_is_told_in_sentences_without_its_hashes(line, sentence):
    assert Sentences(DURAK, NAMES).public(line) == sentence


@pytest.mark.parametrize("text, english, russian", [
    ("fool 4", "Gleb is the fool.", "В дураках Gleb."),
    ("fool 2 epaulettes 1", "Boris is the fool. One epaulette.", "В дураках Boris. 1 погон."),
    ("team 2+4+6 lost", "Boris, Gleb and Egor lose.", "В дураках Boris, Gleb и Egor."),
    ("team 1+4 lost epaulettes 3", "Anna and Gleb lose. 3 epaulettes.", "В дураках Anna и Gleb. 3 погона."),
    ("draw", "A draw: nobody loses.", "Ничья: проигравших нет."),
    ("loser 1", "Anna loses.", "Проигрывает Anna."),
    ("winner 3 holds 1:24 2:7", "Vera wins. Cards left: Anna 24, Boris 7.",
     "Побеждает Vera. Остались карты: Anna 24, Boris 7."),
    ("winner 1", "Anna wins.", "Побеждает Anna."),
    ("winner 1 owes 2 225", "Anna wins. Boris owes 225.", "Побеждает Anna. Долг: Boris, 225."),
    ("aborted", "The game ended without a result.", "Игра прекращена без результата."),
    ("nobody knows", "nobody knows", "nobody knows"),
])
def test_what_a_result_says(text, english, russian):
    assert Sentences(DURAK, NAMES).result(text) == english
    assert Sentences(DURAK, NAMES, "ru").result(text) == russian


@pytest.mark.parametrize("language", languages())
def test_every_result_of_the_recorded_games_has_its_sentence(language):
    sentences = Sentences(None, NAMES, language)
    results = {line[8:].strip() for path in RECORDS for line in path.read_text(encoding="utf-8").splitlines()
               if line.startswith("result: ")}
    assert len(results) > 20
    for result in results:
        assert sentences.result(result) not in (result, ""), result


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_every_event_of_a_recorded_game_can_be_told(game, language):
    folder = ROOT / "tests/records" / game.NAME
    for path in sorted(folder.glob("*.rec"))[:2]:
        for session, event, rules in play(path):
            sentences = Sentences(game, NAMES, language)
            text = sentences.event(event.seat, event.verb, event.card, event.target, session.state)
            assert "{" not in text and text[-1] in ".?"
            nobody = ("The ", "Time ", "Судья ", "Игра ", "Время ")
            assert rules or text.startswith(nobody if event.seat == 0 else NAMES[event.seat - 1])


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_every_place_of_every_game_has_a_name(game, language):
    for place in range(1, 64):
        name = place_name(game, place)
        if name != "nowhere":
            text = Sentences(game, NAMES, language).place(name)
            assert "{" not in text and (text != name or name in ("stock", "discard", "pile")), name
    assert Sentences(DURAK, NAMES).place("hand1") == "Anna's hand"
    assert Sentences(DURAK, NAMES).place("turned") == "trump"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_every_option_and_preset_is_asked_and_answered_in_words(game, language):
    sentences = Sentences(game, NAMES, language)
    words = read_language(language)
    rows = [("preset", " ".join(name for name, _ in game.PRESETS))]
    rows += [(name, values) for name, _, values, *_ in game.OPTIONS + TABLE_OPTIONS]
    for name, values in rows:
        assert sentences.question(game, name).endswith("?"), name
        keys = {word[: len(key)] for word in words for key in (f"say.{game.NAME}.{name}", f"say.{name}")
                if word == key or word.startswith((key + ".", key + "#"))}
        assert len(keys) == 1, name
        key = keys.pop()
        if isinstance(values, str):
            assert all(f"{key}.{value}" in words for value in values.split()), name
            continue
        numbers = ["2:1.5"] if is_for_seats(values) else [str(number) for number in (values[0] or 2, 21, values[1])]
        for value in ["0", *numbers]:
            answer = sentences.option(game, name, value)
            assert "{" not in answer and answer != value and (value in "01" or value[-2:] in answer), (name, value)
    for path in RECORDS:
        if path.parent.name == game.NAME:
            line = path.read_text(encoding="utf-8").splitlines()[1]
            assert sentences.title(line.partition(": ")[2]) == sentences.title(line.split()[1:])
    for preset, _ in game.PRESETS:
        assert f"title.{game.NAME}" in words and sentences.title([game.NAME, preset])


def test_what_options_say():
    sentences = Sentences(DURAK, NAMES)
    assert sentences.question(DURAK, "throwers") == "Who may throw in?"
    assert sentences.option(DURAK, "throwers", "neighbours") == "the defender's neighbours"
    assert sentences.option(DURAK, "cheating", "2") == "2 times: 2 cheat tokens"
    assert sentences.option(find_game("cals-bs"), "handicap", "2:1.5") == "Boris, 1.5 s"
    assert sentences.option(DURAK, "clock", "90") == "90 seconds"
    assert Sentences(DURAK, NAMES, "ru").option(DURAK, "cheating", "3") == "3 жетона"
    assert sentences.title("durak throw-in throwers=attacker") == "Durak, throw-in (podkidnoy)"
    assert sentences.title("cals-bs") == "Cal's BS (a Cheat)"
    assert sentences.title("malice malice stake=1") == "Malice (Spite and Malice)"


def test_a_game_without_words_is_told_in_those_of_its_record():
    sentences = Sentences(toy, NAMES)
    verb = OWN_VERB
    assert verb_arguments(toy, verb) == "R"
    assert sentences.event(1, verb, NO_CARD, 10) == f"Anna: {verb_name(toy, verb)} queens."
    assert sentences.title("toy") == "toy" and sentences.key(verb) == verb_name(toy, verb)
    assert sentences.question(toy, "some_option") == "some option" and sentences.option(toy, "some_option", "x") == "x"


def test_names_may_be_anything():
    sentences = Sentences(DURAK, ["{card}", "\x1b[31mRed\u202e", "Ёж №1 🃏"])
    take = find_verb(DURAK, "take")
    assert sentences.event(1, take) == "{card} takes."
    assert sentences.event(2, take) == "\ufffd[31mRed\ufffd takes."
    assert sentences.result("fool 3") == "Ёж №1 🃏 is the fool."


def test_slavic_plurals():
    assert [plural(True, number) for number in (1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 111)] == [
        "one", "few", "few", "many", "many", "many", "many", "one", "few", "many", "many"]
    assert [plural(False, number) for number in (0, 1, 2, 21)] == ["many", "one", "many", "many"]


@pytest.mark.parametrize("text, cause", [("a = 1\na = 2", "line 2: twice"), ("nothing", "line 1: no KEY = TEMPLATE")])
def test_a_line_that_is_no_template_is_named(text, cause):
    with pytest.raises(ValueError, match=cause):
        parse(text)


def reasons():
    """Every sentence with which an act or a set-up is refused, as the code has it, filled in with numbers."""
    sources = {
        "host_tools/play/acts.py": "NotAllowed", "host_tools/play/web/choices.py": "NotAllowed",
        "host_tools/play/web/server.py": "NotAllowed", "host_tools/play/seating.py": "UnusableInput",
        "host_tools/minds/players/__init__.py": "UnusableInput", "firmware/cardtable/engine/setup.py": "SetupError",
        "firmware/cardtable/engine/record.py": "RecordError", "firmware/cardtable/catalogue.py": "SetupError",
        "firmware/cardtable/between/setup_files.py": "SetupError", "firmware/cardtable/between/keys.py": "SetupError",
        "firmware/cardtable/between/archive.py": "SetupError", "firmware/cardtable/between/profiles.py": "SetupError",
    }
    for name, error in sources.items():
        tree = ast.parse((ROOT / name).read_text())
        texts = {node.targets[0].id: node.value for node in ast.walk(tree)
                 if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == error:
                for text in written(node.args[-1], texts):
                    yield name, text


def written(node, texts):
    """What an expression says: its literals, with 1 for all that is filled in; nothing where it only hands on."""
    if isinstance(node, ast.Constant):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return ["".join(part.value if isinstance(part, ast.Constant) else "1" for part in node.values)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return [re.sub(r"%[sdr]", "1", text) for text in written(node.left, texts)]
    if isinstance(node, ast.Name) and node.id in texts:
        return written(texts[node.id], texts)
    if isinstance(node, ast.BoolOp):
        return [text for value in node.values for text in written(value, texts)]
    if isinstance(node, ast.IfExp):
        return [text for value in (node.body, node.orelse) for text in written(value, texts)]
    return []


READ_FROM_FILES = ("an event is", "a record begins", "the file is", "a line of more", "the header does not end")


def test_every_reason_of_a_refused_act_or_set_up_is_said_in_each_language():
    """The page of a Russian table shows no English sentence; what only a file's lines can break is not shown there."""
    said = 0
    for name, text in reasons():
        if name.endswith("record.py") and (text.startswith(READ_FROM_FILES) or not text.startswith(HEADER_SAYS)):
            continue
        if name.endswith("seating.py") and text.startswith(COMMAND_LINE_SAYS):
            continue
        said += 1
        assert Sentences().why(text) == text, (name, text)
        russian = Sentences(language="ru").why(text)
        assert russian != text and re.search("[а-я]", russian), (name, text)
    assert said > 50


HEADER_SAYS = ("the header takes", "the header has", "places:", "seats:", "1:")
COMMAND_LINE_SAYS = ("a table has 2", "two seats have", "1. A comma ends a seat")


def test_a_reason_says_what_was_filled_in():
    russian = Sentences(language="ru").why("durak is for 2 to 6 seats, not 7 (D2)")
    assert russian == "игра durak рассчитана на 2–6 мест, а не на 7 (D2)"
    assert Sentences(language="ru").why("the moon is full") == "the moon is full"


def test_a_reason_takes_its_gaps_as_a_pattern_would_and_no_longer():
    """The first gap as long as can be, and empty ones. A line in which the parts stand thousands of times is told at
    once: a pattern would take hours."""
    for parts in (["a ", " b ", " c"], ["", "=", "=", ""], ["x"], ["ab", "ba"], ["", "", "."], ["a", "", ""]):
        pattern = re.compile("(.*)".join(map(re.escape, parts)), re.DOTALL)
        for text in ("a 1 b 2 c", "a  b  c", "a  b c", "a 1 b 2 b 3 c", "a 1 b\n2 b c c", "==", "=", "1=2=3=4", "x",
                     "xx", "aba", "abba", "ab\nba", "..", ".", "", "a"):
            found = pattern.fullmatch(text)
            assert _find_gaps(parts, text) == (list(found.groups()) if found else None), (parts, text)
    words = Sentences(language="ru")
    for text in ("=" * 10_000, "x" + " does not go with ; it needs " * 10_000, " does not go with " * 5_000):
        assert words.why(text)


NOTICES = {
    "lost: game 0003, 1 lines": ("The flash has lost the last line of game 0003.",
                                 "Память потеряла последнюю строку игры 0003."),
    "lost: game 0003, 22 lines": ("The flash has lost the last 22 lines of game 0003.",
                                  "Память потеряла последние 22 строки игры 0003."),
    "lost: game 0003, all of it": ("The flash has lost all of game 0003.", "Память потеряла игру 0003 целиком."),
    "damaged: games/0003.damaged: line 7: no event": (
        "The record of a game is damaged. The table kept it as games/0003.damaged.",
        "Запись игры повреждена. Стол сохранил её под именем games/0003.damaged."),
    "set-up: deck.txt has no tag for 6H": ("The set-up cannot be played: deck.txt has no tag for 6H.",
                                           "С этой настройкой играть нельзя: deck.txt: нет метки для карты 6H."),
    "bug: KeyError": ("The table's program has an error. It starts again, and the game goes on.",
                      "В программе стола ошибка. Стол перезапускается, игра продолжится."),
    "boot: watchdog": ("The table hung, and was started again.", "Стол завис и запущен снова."),
    "time: seat 2": ("Time is over: Boris.", "Время вышло: Boris."),
    "readers: reader 3 repeats registers: take another module": (
        "Reader 3 is faulty: put another one in its place.", "Считыватель 3 неисправен: замените его."),
    "screen: lines are lost, its bus is at 100 kHz now": (
        "The screen loses lines, so the table writes to it more slowly now.",
        "Экран теряет строки, и стол теперь пишет на него медленнее."),
    "feed: lines are lost": ("Lines of the table's feed are missing here.",
                             "Часть сообщений стола сюда не дошла."),
    "readers: 40 of 400 looks failed, now at 500 kHz": (
        "The readers miss too much, so the table reads them more slowly now.",
        "Считыватели часто ошибаются, и стол теперь читает их медленнее."),
}  # fmt: skip
# Events, and what the glass shows.
NO_NOTICES = ("cardtable on ", "boot: ", "resumed after: ", "fault: ", "opened: ", "network: ")


@pytest.mark.parametrize("line", NOTICES)
def test_what_the_firmware_says_about_itself_is_a_sentence_in_each_language(line):
    for language, sentence in zip(("en", "ru"), NOTICES[line], strict=True):
        assert Sentences(DURAK, NAMES, language).notice(line) == sentence


def test_other_lines_of_the_feed_are_no_notice():
    for line in ("boot: power", "0.8 2 ! D7 Nothing", "1.0 2 take", "fault: Reader 2", "", "lost", "set-up: ", "a: b"):
        assert Sentences(DURAK, NAMES).notice(line) == ""


def test_every_kind_of_line_that_the_firmware_says_is_told_or_known():
    """A new one has to be told: on a Russian table nobody reads English."""
    kinds = set()
    for path in [*(ROOT / "firmware" / "cardtable").rglob("*.py"), ROOT / "firmware" / "main.py"]:
        if path.name not in ("doctor.py", "panel.py"):
            kinds |= set(re.findall(r'\.say\("([a-z -]+: |cardtable on )', path.read_text()))
    told = {line.partition(": ")[0] + ": " for line in NOTICES}
    assert kinds - told == set(NO_NOTICES) - told and len(kinds) > 8
