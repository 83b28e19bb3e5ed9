"""The first evening at a new table, through the whole firmware: key, deck, game, and the next game (T10)."""

import pytest

from cardtable.between.enrol import deck_cards
from cardtable.engine.deck import STRANGER, card_name
from host_tools.virtual.fingers import uid_of
from tests.host_tools.at_table import GREEN, SECOND, SETUP, AtTable, fail_when_told, record_name

BOTH = ["cpython", pytest.param("micropython", marks=pytest.mark.micropython)]
HANDS = ("6S 7S 8S 9S TS JS", "6H 7H 8H 9H TH JH")


def bare(**files) -> AtTable:
    """A table whose flash has these files alone."""
    table = AtTable(setup=None)
    table._files = {"language.txt": "en\n", **files}
    return table


def lay(table, place, card):
    """A tap that no light answers."""
    table.put(place, card)
    yield SECOND // 2
    table.take(place, card)
    yield SECOND


def choose(table, place, *keys):
    """Presses, one after the other."""
    for key in keys:
        yield from table.press(place, key)
        yield 100_000


@pytest.mark.parametrize("runtime", BOTH)
def test_a_new_table_registers_a_key_and_a_deck_and_plays(runtime):
    """No file, no host: tags and buttons alone."""
    table = bare()
    table._runtime = runtime

    def evening():
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        yield from lay(table, 1, "QQ")  # the first tag of all
        yield from table.until(lambda: table.screen()[0].startswith("No key yet"))
        yield 3 * SECOND  # a tag that comes back earlier is no new tap
        yield from table.tap(1, "QQ")
        assert "new deck of 36" in table.screen()[7]
        yield from choose(table, 1, "OK")
        registered = []
        while "All there" not in table.screen()[7]:
            asked = [word.split(":") for row in table.screen()[1:5] for word in row.split()]
            asked = [(place, record_name(card)) for place, card in asked]
            for place, card in asked:
                table.put(int(place), card)
                registered.append(card)
            left = 36 - len(registered)
            yield from table.until(lambda: table.screen()[0].endswith(f": {left}"))  # noqa: B023
            for place, card in asked:
                table.take(int(place), card)
            yield SECOND
        assert sorted(registered) == sorted(card_name(card) for card in deck_cards(36))
        yield from choose(table, 3, "OK")
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        yield from choose(table, 2, "OK")
        yield from table.until(lambda: "game: durak throw-in throw_order=free deal=counted" in table.says())
        yield from table.tap(1, "6S")

    table.play(evening())
    assert table.events()[:1] == ["1 turn 6S"]
    assert "seats: Seat 1; Seat 2" in table.says()


def play_to_the_end(table):
    """Abort with the key: the shortest game there is."""
    yield from lay(table, 1, "QQ")
    yield from choose(table, 1, "MENU", "MENU", "OK")
    yield SECOND
    yield from table.tap(1, "QQ", until=(GREEN,))
    yield from table.until(lambda: "result: aborted" in table.says(), 20 * SECOND)


def key_file() -> str:
    """The tag QQ is the arbiter's key."""
    return uid_of(STRANGER).hex().upper() + " arbiter\n"


def test_after_a_game_ok_asks_for_the_next_one():
    """T10: an aborted game is dealt again by the same dealer; the lobby proposes it, and OK plays it."""
    table = AtTable(SETUP)
    table._files["tags.txt"] = key_file()

    def evening():
        yield from play_to_the_end(table)
        yield from choose(table, 1, "OK")
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        assert table.screen()[4].startswith("dealer 2 Boris")
        yield from choose(table, 1, "OK")
        yield from table.until(lambda: "match_game: 1" in table.says())
        yield from table.tap(2, "6S")

    table.play(evening())
    assert table.events()[0] == "2 draw 6S"


def test_t5_a_card_that_was_left_lying_in_the_lobby_is_no_tap_of_the_game():
    """It was drawn as the game began, though nobody had dealt yet."""
    table = AtTable(SETUP)
    table._files["tags.txt"] = key_file()

    def evening():
        yield from play_to_the_end(table)
        yield from choose(table, 1, "OK")
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        table.put(2, "6S")
        yield SECOND
        yield from choose(table, 1, "OK")
        yield from table.until(lambda: "Lift what lies at" in table.screen()[5])
        table.take(2, "6S")
        yield SECOND // 2
        yield from choose(table, 1, "OK")
        yield from table.until(lambda: "match_game: 1" in table.says())
        yield 3 * SECOND
        yield from table.tap(1, "7S")

    table.play(evening())
    assert table.events() == ["1 draw 7S"]


def test_t9_a_game_chosen_at_the_table_goes_on_though_the_set_up_file_says_another(monkeypatch):
    """The power fails in the second game of an evening, which has other rules than the first."""
    table = AtTable(SETUP)
    table._files["tags.txt"] = key_file()
    fails = fail_when_told(monkeypatch)

    def evening():
        yield from play_to_the_end(table)
        yield from choose(table, 1, "OK")
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        yield from choose(table, 1, "MENU", "MENU", "MENU", "OK", "OK", "OK", "OK")
        yield from table.until(lambda: table.says().count("boot: reset") == 2)
        assert read_game(table) != "game: durak throw-in"
        yield from table.tap(1, "6S")
        at = len(table.says())
        fails.append(True)
        yield from table.until(lambda: table.says()[at:].count("boot: power") == 1)
        yield from table.until(lambda: any("Power is back" in row for row in table.screen()))
        yield 2 * SECOND  # what lies there when the power comes is no tap
        yield from table.tap(2, "7S")

    table.play(evening())
    assert table.events() == ["1 draw 6S", "2 draw 7S"]
    assert "game: durak throw-in\n" in (table._files["setup.txt"])


def read_game(table) -> str:
    """What the feed said last that is played."""
    return [line for line in table.says() if line.startswith("game: ")][-1]


def test_a_game_that_cannot_be_played_is_one_sentence_in_the_lobby():
    """A deck without the cards, and the lobby is there again."""
    table = bare(**{"deck.txt": "04A1B2C3D4E580 6S\n", "tags.txt": key_file()})

    def evening():
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        yield from choose(table, 4, "OK")
        yield from table.until(lambda: table.screen()[5].startswith("deck.txt has no tag"))
        yield from choose(table, 4, "MENU")
        assert table.screen()[0] == "What do you play?"

    table.play(evening())
    assert not table.journal


@pytest.mark.micropython
def test_house_rules_are_chosen_on_the_smallest_heap():
    """Transfer, 52 cards, 2x2, in Russian, and kept: the whole firmware, as the smallest chip has it."""
    table = bare(**{"language.txt": "ru\n", "tags.txt": key_file(), "deck.txt": "04A1B2C3D4E580 6S\n"})
    table._runtime = "micropython"

    def evening():
        yield from table.until(lambda: "играть" in table.screen()[7])
        yield from choose(table, 2, "MENU", "MENU", "OK", "MENU", "MENU", "OK", "MENU", "OK", "MENU", "OK")
        while "командами" not in table.screen()[0]:
            yield from choose(table, 2, "OK")
        yield from choose(table, 2, "MENU", "OK", "CALL", "MENU", "OK")
        yield from table.until(lambda: table.screen()[2] == "Правила 1")
        yield from choose(table, 2, "OK", "OK")
        yield from table.until(lambda: table.says().count("boot: reset") == 1)
        yield from table.until(lambda: table.screen()[5].startswith("deck.txt has no tag"))
        kept.append((table.flash / "profiles.txt").read_text(encoding="utf-8"))

    kept = []
    table.play(evening())
    assert kept == ["Правила 1: durak transfer deck=52 teams=2x2\n"]
