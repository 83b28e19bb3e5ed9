"""People at the table: one card is one tap (T5), refusals (T6), two cards at once, choices, the end, wrong files."""

import pytest

from host_tools.virtual.chips.iso14443a import flicker
from host_tools.base.interpreters import find_micropython
from host_tools.judge.records.public_record import uncommitted
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.table import Table, load_script
from tests.conftest import ROOT
from tests.host_tools.at_table import AMBER, BLUE, GREEN, PURPLE, RED, SECOND, SETUP, AtTable

RECORDS = ROOT / "tests" / "records" / "durak"
TRANSFER = SETUP.replace("durak throw-in", "durak transfer first_transfer=yes")
BOTH = ["cpython", *([pytest.param("micropython", marks=pytest.mark.micropython)] if find_micropython() else [])]
# Under the other interpreter one in six for every change: what a file says is told by the same lines in both.
FILES_BOTH = ["cpython", *[pytest.param(*one.values, marks=[*one.marks, pytest.mark.sampled(6)]) for one in BOTH[1:]]]


def deal(table):
    """Two seats draw six cards each, and seat 2 turns the last one: clubs are trumps."""
    hands = ("6S 6H 6D 8S 8H 8D".split(), "7S 7H 7D 9S 9H 9C".split())
    for pair in zip(*hands, strict=True):
        for place, card in enumerate(pair, 1):
            yield from table.tap(place, card, [GREEN])
    yield from table.tap(2, "AC", [GREEN])


# --- one card is one tap ----------------------------------------------------------------------------------------------


def test_t5_a_card_that_rests_is_one_tap():
    """For a minute, green long gone."""
    table = AtTable()

    def evening():
        table.put(1, "6S")
        yield 60 * SECOND

    table.play(evening())
    assert table.events() == ["1 draw 6S"]


@pytest.mark.parametrize("present_us", [110_000, 200_000, 290_000])
def test_t5_a_card_that_flickers_is_one_tap(present_us):
    """In and out of the field, three times a second; for as long as a sweep it has to be there."""
    table = AtTable()

    def evening():
        table.tag("6S").contact = flicker(300_000, present_us)
        table.put(1, "6S")
        yield 30 * SECOND
        assert table.light(1) == BLUE

    table.play(evening())
    assert table.events() == ["1 draw 6S"]


def test_t6_a_refused_card_is_red_until_it_leaves_and_one_refusal():
    """Screen and feed name seat, rule and words; not the card."""
    table = AtTable()

    def evening():
        yield from table.tap(2, "AS")
        table.put(1, "AS")
        yield from table.until(lambda: table.light(1) == RED)
        yield 8 * SECOND
        assert table.light(1) == RED
        assert " ".join(table.screen()[4:7]).split() == "1 T2 That card is not in the stock".split()
        table.take(1, "AS")
        yield from table.until(lambda: table.light(1) == BLUE)

    table.play(evening(), watched=True)
    assert table.events() == ["2 draw AS", "1 draw AS ! T2"]
    assert uncommitted(table.says()[-1]).endswith(" 1 ! T2 That card is not in the stock")
    assert "AS" not in " ".join(table.says() + [row for _, rows in table.seen for row in rows])


# --- two cards at once ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ru"])
def test_two_cards_at_once_are_told_and_not_judged(language):
    """The one that stays is a tap of its own."""
    table = AtTable(language=language)
    words = {"en": "1 One card at a time", "ru": "1 По одной карте"}[language]

    def evening():
        table.put(1, "6S")
        table.put(1, "7S")
        yield from table.until(lambda: table.light(1) == RED and table.screen()[4] == words)
        yield 5 * SECOND
        assert table.light(1) == RED
        table.take(1, "6S")
        yield from table.until(lambda: table.light(1) == GREEN)
        yield from table.until(lambda: table.screen()[4] == "")

    table.play(evening())
    assert table.events() == ["1 draw 7S"]


def test_a_second_card_on_one_that_was_judged_is_noticed():
    """Within a second; it is judged once the first one is gone, and a refusal of the first one stays red."""
    table = AtTable()

    def evening():
        yield from table.tap(2, "6S")
        table.put(1, "6S")
        yield from table.until(lambda: table.light(1) == RED)
        table.put(1, "7S")
        yield from table.until(lambda: table.screen()[4] == "1 One card at a time", SECOND + 200_000)
        table.take(1, "7S")
        yield from table.until(lambda: table.screen()[4] == "")
        assert table.light(1) == RED
        table.put(1, "7S")
        yield from table.until(lambda: table.screen()[4] == "1 One card at a time", SECOND + 200_000)
        table.take(1, "6S")
        yield from table.until(lambda: table.light(1) == GREEN)

    table.play(evening())
    assert table.events() == ["2 draw 6S", "1 draw 6S ! T2", "1 draw 7S"]


# --- choices ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("runtime", BOTH)
def test_an_offer_is_taken_stepped_through_or_dropped(runtime):
    """Beat or transfer: the light blinks amber, the bottom line asks."""
    table = AtTable(TRANSFER, runtime=runtime)

    def evening():
        yield from deal(table)
        yield from table.tap(1, "6S", [GREEN])
        yield from table.tap(1, "6H", [GREEN])
        for keys, line in ((["NO"], "2 beats 6♠?"), (["MENU", "OK"], "2 beats 6♠?")):
            table.put(2, "9C")
            yield from table.until(lambda: table.light(2) == AMBER)
            yield from table.until(lambda: table.screen()[7] == line)  # noqa: B023 - until then it is this one
            table.take(2, "9C")
            yield SECOND
            assert table.screen()[7] == line
            for key in keys:
                yield from table.press(2, key)
            if keys == ["NO"]:
                yield 3 * SECOND  # a card that comes back earlier is no new tap
        yield from table.until(lambda: table.light(2) == GREEN)
        yield from table.until(lambda: table.screen()[7] == "")

    table.play(evening())
    assert table.events()[-3:] == ["1 attack 6S", "1 attack 6H", "2 beat 9C 6H"]


def test_menu_offers_what_has_become_possible_since_the_tap():
    """An attack card that was laid while the defender chose is a target too."""
    table = AtTable(TRANSFER)

    def evening():
        yield from deal(table)
        yield from table.tap(1, "6S", [GREEN])
        yield from table.tap(1, "6H", [GREEN])
        yield from table.tap(2, "9C", [AMBER])
        yield from table.tap(1, "6D", [GREEN])
        assert table.screen()[7] == "2 beats 6♠?"
        for line in ("2 beats 6♥?", "2 beats 6♦?"):
            yield from table.press(2, "MENU")
            yield from table.until(lambda: table.screen()[7] == line)  # noqa: B023 - until then it is this one
        yield from table.press(2, "OK")
        yield from table.until(lambda: table.light(2) == GREEN)

    table.play(evening())
    assert table.events()[-3:] == ["1 attack 6H", "1 attack 6D", "2 beat 9C 6D"]


def test_menu_that_is_held_repeats():
    """After 0.6 s, and then each 0.3 s."""
    table = AtTable()

    def evening():
        table.world.press(1, "MENU")
        for verb in ("trump", "lays", "beats", "done", "takes"):
            yield from table.until(lambda: table.screen()[7] == f"1 {verb}?", SECOND)  # noqa: B023 - this one
        table.world.release(1, "MENU")
        yield 5 * SECOND
        assert table.screen()[7] == "1 takes?"
        yield 26 * SECOND
        assert table.screen()[7] == "" and table.light(1) == BLUE

    table.play(evening())
    assert table.events() == []


def test_the_bottom_line_is_the_first_choosers():
    """Who chose first is asked first; a fault that stops the game takes the line meanwhile."""
    table = AtTable()

    def evening():
        yield from table.press(2, "MENU")
        yield SECOND
        yield from table.press(1, "MENU")
        yield from table.press(1, "MENU")
        yield SECOND
        assert table.screen()[7] == "2 trump?"
        table.world.readers[0].dead()
        yield from table.until(lambda: table.screen()[7] == "Silent reader 1")
        assert table.light(1) in (PURPLE, (0, 0, 0))
        table.world.readers[0].dead(None)
        yield from table.until(lambda: table.screen()[7] == "2 trump?")
        yield from table.press(2, "NO")
        yield from table.until(lambda: table.screen()[7] == "1 lays?")

    table.play(evening())


# --- the end, and the clock -------------------------------------------------------------------------------------------


def test_t7_a_finished_game_is_closed_ten_seconds_after_the_last_tap(tmp_path):
    """Then its result is written, and not before."""
    game, script = load_script(RECORDS / "scenario-53_draw.rec")
    table = Table(game, script, runtime="cpython")
    times = []
    table.on_line = lambda line: times.append((table.world.now_us, line))
    assert table.run(tmp_path).agrees
    at = [line for _, line in times].index("result: draw")
    last_us, closed_us = times[at - 1][0], times[at][0]
    assert 9.9 * SECOND < closed_us - last_us < 10.3 * SECOND  # a line comes 38 ms and more after its tap
    assert (tmp_path / "games" / "0001.rec").read_text().splitlines()[-2] == "result: draw"


@pytest.mark.parametrize("runtime", BOTH)
def test_the_tick_counter_may_wrap_around_in_the_middle_of_a_game(runtime):
    """After twelve days of an ESP32: taps, presses, holding and times go on."""
    game, script = load_script(RECORDS / "scenario-38_trump_blocks.rec")
    wrapped = Table(game, script, runtime=runtime, ticks_start_ms=(1 << 30) - 8000)
    assert wrapped.run().agrees
    plain = Table(game, load_script(RECORDS / "scenario-38_trump_blocks.rec")[1], runtime=runtime)
    assert plain.run().agrees
    assert [uncommitted(line) for line in wrapped.lines[1:]] == [uncommitted(line) for line in plain.lines[1:]]


# --- files that are missing or wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize("runtime", FILES_BOTH)
@pytest.mark.parametrize(
    ("setup", "deck", "sentence"),
    [
        (SETUP, b"", "deck.txt has no tag for 6S"),
        (SETUP, b"\xff\x00\x80", "deck.txt is no text"),
        (SETUP, b"6S 01020304\n", "deck.txt, line 1: 01020304 is no card"),
        (SETUP, "".join(deck_lines()[:50]), "deck.txt has no tag for KC"),
        (b"\xff\x00\x80", None, "setup.txt is no text"),
        ("cardtable 1\ngame: durak\n", None, "setup.txt, line 2: the header does not end with an empty line"),
        ("", None, "setup.txt: the file is empty"),
        ("cardtable 1\n" + "x: y\n" * 2000, None, "setup.txt: more than 8192 bytes"),
        (SETUP.replace("durak", "whist"), None, "no game whist on this table"),
        (SETUP.replace("throw-in", "dwarf"), None, "durak has no preset dwarf; it has: throw-in simple transfer"),
        (SETUP.replace("dealer: 2", "dealer: 3"), None, "setup.txt: it has no seat 3"),
        (SETUP.replace("game:", "profile: solo\nx:"), None, "profile: solo is none of: "),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_a_file_that_cannot_be_used_is_one_sentence_on_the_screen(setup, deck, sentence, runtime):
    """And in the feed; the table goes on running, and writes no record."""
    table = AtTable(setup, deck, runtime)

    def evening():
        yield 3 * SECOND
        shown = " ".join(" ".join(table.screen()).split())
        assert shown.startswith(f"set-up: {sentence}"[: len(shown)]) and len(shown) > len("set-up: ") + 10
        table.put(1, "6S")
        yield from table.press(1, "OK")
        yield SECOND
        assert table.light(1) == (0, 0, 0)

    table.play(evening())
    assert table.says()[0].startswith(f"set-up: {sentence}") and len(table.says()) == 3  # and how it was started
    assert not table.journal


def test_a_missing_deck_and_a_strange_language_are_no_end_either():
    """English, where nothing else can be read."""
    table = AtTable()
    table._files["deck.txt"] = None
    table._files["language.txt"] = b"\xff\xfe"

    def evening():
        yield from table.until(lambda: table.screen()[0] == "set-up: deck.txt is")

    table.play(evening())
    assert table.says()[0] == "set-up: deck.txt is missing"
