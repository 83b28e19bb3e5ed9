"""What the lobby asks has words in every language: the same keys, short enough for the glass, none left over."""

import ast
from pathlib import Path

from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats
from cardtable.table.words import list_languages

from tests.games.random_games import catalogue
from tests.games.test_words import fits, read_words

RUNS_ON = "cpython"  # reads the sources' syntax trees

BETWEEN = Path(__file__).resolve().parents[2] / "firmware" / "cardtable" / "between"
LETTERS = {chr(code) for code in range(32, 127)} | {chr(code) for code in range(0x410, 0x450)} | set("ёЁ№«»—…")
ROWS = {"ask": 3, "say": 2, "title": 2}


def name_of(game):
    return "ask_" + game.NAME.replace("-", "_")


def fits_rows(text, rows):
    """Whether it fits so many lines of the glass, no word broken and nothing cut."""
    lines, line = 1, 0
    for word in text.split(" "):
        line = line + 1 + len(word) if line else len(word)
        if line > 21:
            lines, line = lines + 1, len(word)
    return lines <= rows and max(len(word) for word in text.split(" ")) <= 21


def test_every_question_and_every_answer_has_words():
    """A game's options and presets, in each language; only numbers have plurals."""
    for game in catalogue():
        for language in list_languages():
            words = {**read_words("ask_table", language), **read_words(name_of(game), language)}
            assert "title" in words and all(f"say.preset.{preset}" in words for preset, _ in game.PRESETS)
            for name, _, values, *_ in game.OPTIONS + TABLE_OPTIONS:
                assert words.get("ask." + name, "").endswith("?"), (name_of(game), language, "ask." + name)
                if isinstance(values, str):
                    assert all(f"say.{name}.{value}" in words for value in values.split()), (name, language)
                elif not is_for_seats(values):
                    assert f"say.{name}#many" in words and f"say.{name}.0" in words, (name, language)


def test_t15_what_stands_behind_the_question_of_hints_answers_it():
    """A fragment that goes on from another answer says nothing alone."""
    for language, yes in (("en", "yes, "), ("ru", "да, ")):
        words = read_words("ask_table", language)
        assert all(words[f"say.hints.{value}"].startswith(yes) for value in ("yes", "alone", "all"))


def test_languages_ask_the_same():
    for name in ["ask_table", *(name_of(game) for game in catalogue())]:
        english = set(read_words(name, "en"))
        for language in list_languages():
            keys = {key for key in read_words(name, language) if not key.endswith("#few")}
            assert keys == english, (name, sorted(keys ^ english))


def test_the_lobbys_own_words_are_asked_for_by_name():
    """None is left over: `L.` and the questions of the walk, by the texts in the sources."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in BETWEEN.glob("*.py")]
    texts = {node.value for tree in trees for node in ast.walk(tree) if isinstance(getattr(node, "value", None), str)}
    options = {"ask." + row[0] for row in TABLE_OPTIONS} | {"ask.preset", "ask.seats", "ask.dealer"}  # two: the host's
    for key in read_words("ask_table", "en"):
        if key[:2] == "L." or key[:4] == "ask." and key not in options:
            assert key in texts or key[2:] in texts, key


def test_they_fit_the_glass_in_letters_that_it_has():
    """Three lines a question, two an answer, one for whatever stands alone."""
    for name in ["ask_table", *(name_of(game) for game in catalogue())]:
        for language in list_languages():
            for key, text in read_words(name, language).items():
                text = text.replace("{number}", "1800").replace("{seat}", "Alexandr").replace("#", "Alexandra 12")
                kind = key.partition(".")[0]
                where = f"{name}.{language} {key}: {text}"
                assert set(text) <= LETTERS, where
                if kind in ROWS:
                    assert fits_rows("▶" * (kind == "say") + text, ROWS[kind]), where
                elif key in ("L.start", "L.who", "L.sit", "L.dealer", "L.enough", "L.keys"):
                    assert len(text) <= 21, where
                elif key not in ("L.letters", "L.not"):
                    assert fits_rows("▶" + text, 2), where


def test_an_exclusion_fits_two_lines():
    """`Not "yes": two teams of two`: the longest pairs that NEEDS has."""
    for game in catalogue():
        for language in list_languages():
            words = {**read_words("ask_table", language), **read_words(name_of(game), language)}
            for options, needed, allowed, _ in game.NEEDS:
                for option in options.split():
                    name, equals, value = option.partition("=")
                    if equals and needed != "seats":
                        for key, reason in words.items():
                            if key.startswith(f"say.{needed}.") and key.rpartition(".")[2] not in allowed.split():
                                said = words["L.not"].replace("#", words[f"say.{name}.{value}"]).replace("@", reason)
                                assert fits(said, "waits"), said
