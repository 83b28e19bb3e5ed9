"""What the parts of a board do under a game: screens of their own, screens and readers without power, sounds."""

import random
from types import SimpleNamespace

import pytest

from cardtable.drivers import font6x8
from cardtable.table.sounds import NO, TURN, YES
from host_tools.maker.board.load import load
from host_tools.virtual.chips.iso14443a import Noise, Tag, chance, every
from host_tools.virtual.chips.mfrc522_registers import RF_CFG
from host_tools.virtual.chips.piezo import HEARD_DB
from host_tools.virtual.glass import read_text
from tests.host_tools.at_table import AMBER, GREEN, PURPLE, RED, SECOND, AtTable

OWN_SCREENS = load("esp32s3_7seat")
SEATS = (1, 2)  # of the usual set-up


def glasses(table):
    """What each screen shows."""
    return [read_text(screen, font6x8) for screen in table.world.screens]


def bottoms(table):
    """The bottom line of each."""
    return [rows[7] for rows in glasses(table)]


def faults(table):
    return [line for line in table.says() if line.startswith("fault")]


def calm(table, wish, us):
    """Wait for something that takes long to look at, five times a second."""
    late_us = table.world.now_us + us
    while not wish():
        assert table.world.now_us < late_us, glasses(table)
        yield 200_000


def drawn(table):
    """Wait until every screen shows the same public lines."""
    yield from calm(table, lambda: len({tuple(rows[:7]) for rows in glasses(table)}) == 1, 5 * SECOND)


# --- a screen for each seat ---


def test_t11_a_screen_of_ones_own_shows_ones_own_choice_and_nothing_else():
    """Two seats choose at once: each reads its own line, a free seat none; all else is the same on every screen."""
    table = AtTable(board=OWN_SCREENS)

    def evening():
        yield from table.tap(1, "6S")
        yield from table.press(1, "MENU")
        yield from table.press(2, "MENU")
        yield from table.press(2, "MENU")
        yield from calm(table, lambda: bottoms(table)[:2] == ["1 undo?", "2 lays?"], SECOND)
        yield from drawn(table)
        assert bottoms(table)[2:] == [""] * 5
        yield from table.until(lambda: table.light(1) == AMBER or table.light(2) == AMBER, SECOND)
        yield from table.press(1, "NO")
        yield from calm(table, lambda: bottoms(table)[:2] == ["left to tap: 5", "2 lays?"], SECOND)

    table.play(evening())
    assert faults(table) == []


def test_t13_a_screen_of_ones_own_that_falls_silent():
    """Named with its place on the feed, on the other screens and by its light; the game goes on."""
    table = AtTable(board=OWN_SCREENS)

    def evening():
        yield from table.tap(1, "6S")
        table.world.screens[2].unplug()
        yield from table.until(lambda: "fault: Silent screen 3" in faults(table), 10 * SECOND)
        yield from table.until(lambda: table.light(3) == PURPLE)
        yield from table.until(lambda: glasses(table)[0][7] == "Silent screen 3")
        yield from table.tap(2, "7S", [GREEN])
        table.world.screens[2].plug()
        yield from table.until(lambda: faults(table)[-1:] == ["fault: over"], 10 * SECOND)
        yield from drawn(table)
        assert "7S" not in "".join(glasses(table)[2]), "a drawn card stays hidden"

    table.play(evening())
    assert table.events() == ["1 draw 6S", "2 draw 7S"]
    assert faults(table) == ["fault: Silent screen 3", "fault: over"]


# --- one screen for all ---


def test_t13_the_screen_that_falls_silent_stops_nothing():
    """The feed names it, and lights that have nothing else to say; verdicts are seen as before."""
    table = AtTable()

    def evening():
        yield from table.tap(1, "6S")
        table.world.screen.unplug()
        yield from table.until(lambda: faults(table) == ["fault: Silent screen"], 10 * SECOND)
        yield from table.until(lambda: table.light(5) == PURPLE)
        yield from table.tap(2, "7S", [GREEN])
        yield from table.tap(2, "6S", [RED])
        table.world.screen.plug()
        yield from table.until(lambda: faults(table)[-1:] == ["fault: over"])
        yield from table.until(lambda: any(table.screen()))

    table.play(evening())
    assert table.events() == ["1 draw 6S", "2 draw 7S", "2 draw 6S ! T2"]


def test_a_silent_screen_is_tried_about_once_a_second():
    """Each try costs time on the bus, and ESP-IDF's log a line. Counted on the wire, from the fault to the plug."""
    for name in ("virtual", "esp32_devkit_7seat"):
        table = AtTable(board=load(name))
        tries = []
        written = table.world.i2c_write
        table.world.i2c_write = lambda *write, written=written, tries=tries: tries.append(write[0]) or written(*write)

        def evening(table=table, tries=tries):
            yield from table.tap(1, "6S")
            table.world.screen.unplug()
            yield from table.until(lambda: faults(table) == ["fault: Silent screen"], 10 * SECOND)
            tries.clear()
            yield 20 * SECOND
            assert 10 <= len(tries) <= 30, len(tries)

        table.play(evening())


def test_a_screen_that_lost_its_power_for_a_moment_shows_everything_again():
    """Nobody writes to it meanwhile: it answers as before, and would stay dark."""
    for board in (load("virtual"), load("esp32_devkit_7seat"), OWN_SCREENS):
        table = AtTable(board=board)

        def evening(table=table):
            yield from table.tap(1, "6S")
            yield SECOND
            before = glasses(table)
            for screen in table.world.screens:
                screen.unplug()
                screen.plug()
            assert not any("".join(rows) for rows in glasses(table))
            yield from calm(table, lambda: glasses(table) == before, 30 * SECOND)

        table.play(evening())
        assert all(screen.errors == [] for screen in table.world.screens)


# --- readers ---


def test_t13_a_reader_after_a_brown_out_is_set_up_anew():
    """It answers, but has forgotten everything: a card that is laid on it is judged, and once."""
    for board in (load("virtual"), load("esp32_devkit_7seat")):
        table = AtTable(board=board)

        def evening(table=table):
            yield from table.tap(1, "6S")
            for pause_us in (0, 1_000, 300_000):
                table.world.readers[1].chip.power(False, table.world.now_us)
                yield pause_us
                table.world.readers[1].chip.power(True, table.world.now_us)
            yield from table.tap(2, "7S", [GREEN])

        table.play(evening())
        assert table.events() == ["1 draw 6S", "2 draw 7S"]


def test_t13_f2_a_reader_whose_gate_was_left_out_is_named_at_power_up():
    """It drives the data line, so nobody else is heard: it is the one that is."""
    table = AtTable()
    table.world.readers[2].holds_miso = 0

    def evening():
        yield from table.until(lambda: table.screen()[7] == "Jammed by reader 3")
        yield from table.until(lambda: table.light(3) == PURPLE)
        yield from table.until(lambda: "Silent reader" in table.screen()[7])
        table.world.readers[2].holds_miso = None
        yield from table.until(lambda: faults(table)[-1:] == ["fault: over"])
        yield from table.tap(1, "6S")

    table.play(evening())
    assert faults(table)[:2] == ["fault: Jammed by reader 3", "fault: Silent reader 124567"]


def test_f1_one_reader_of_seven_is_wired_and_nobody_is_blamed():
    """Everybody's first bring-up; with the pin's pull-up, with none at all, and with a resistor."""
    for has_resistor, pin_pulls in ((False, True), (False, False), (True, False)):
        table = AtTable()
        bus = table.world.bus("readers")
        bus.has_resistor, bus.pin_pulls = has_resistor, pin_pulls
        for reader in table.world.readers[1:]:
            reader.unplug()

        def evening(table=table):
            yield from table.until(lambda: "Silent reader" in table.screen()[7])
            for reader in table.world.readers[1:]:
                reader.plug()
            yield from table.until(lambda: faults(table)[-1:] == ["fault: over"], 10 * SECOND)
            yield from table.tap(1, "6S")

        table.play(evening())
        assert faults(table)[0] == "fault: Silent reader 234567"
        assert not any("Jammed" in line for line in faults(table))


def test_f4_a_bus_that_is_too_long_for_its_clock_gets_a_slower_one():
    table = AtTable()
    table.world.bus("readers").clean_hz = 300_000

    def evening():
        for card in ("6S", "7S", "8S"):
            yield from table.tap(1, card, [GREEN])

    table.play(evening())
    assert table.world.bus("readers").baudrate == 250_000 and faults(table) == []
    assert table.events() == ["1 draw 6S", "1 draw 7S", "1 draw 8S"]


@pytest.mark.parametrize("runtime", ["cpython", pytest.param("micropython", marks=pytest.mark.micropython)])
def test_h4_screens_behind_too_long_a_cable_get_a_slower_clock(runtime):
    """H4: at 400 kHz 3 m rise in 560 ns, 300 are allowed; at 100 kHz it is 1,000. The game goes on meanwhile."""
    table = AtTable(runtime=runtime)
    bus = table.world.i2c("screen")
    bus.metres = 3.0
    assert bus.find_loss() > 0.008

    def evening():
        for place, card in ((1, "6S"), (2, "7S"), (1, "8S"), (2, "9S"), (1, "TS"), (2, "JS")):
            yield from table.tap(place, card, [GREEN])

    table.play(evening())
    assert bus.freq == 100_000 and bus.find_loss() == 0
    assert table.says().count("screen: lines are lost, its bus is at 100 kHz now") == 1
    assert len(table.events()) == 6 and not any("screen" in line for line in faults(table))


def test_h4_a_table_that_has_learned_its_cable_loses_no_line_from_power_up_on():
    """H4: its screen has the slower clock before anything is sent to it."""
    table = AtTable()
    table._files["learned.txt"] = "date 2026-03-01\nscreen 100000\n"
    bus = table.world.i2c("screen")
    bus.metres = 3.0
    lost = []
    loses = bus.loses
    bus.loses = lambda size: lost.append(loses(size)) or lost[-1]

    def evening():
        yield from table.tap(1, "6S", [GREEN])

    table.play(evening())
    assert bus.freq == 100_000 and len(lost) > 20 and not any(lost)
    assert not any("lines are lost" in line for line in table.says())


def test_h4_a_metre_of_cable_needs_no_slower_clock():
    bus = AtTable().world.i2c("screen")
    for metres, freq, loses in ((1.0, 400_000, False), (2.0, 400_000, True), (4.0, 100_000, False)):
        bus.metres, bus.freq = metres, freq
        assert (bus.find_loss() > 0) is loses, metres
    bus.metres, bus.freq, bus.ohms = 1.0, 400_000, 4700
    assert bus.find_loss() > 0, "4.7 k are too weak"


def test_f5_a_card_at_the_edge_of_the_field_is_one_tap():
    """Nearly half of its answers are lost, and with them five looks in a row now and then; nobody touches it."""
    table = AtTable()

    def evening():
        table.world.readers[0].field.noise = chance(0.45, random.Random(5), (Noise.REPLY_LOST,))
        table.put(1, "6S")
        yield from table.until(lambda: table.light(1) == GREEN)
        yield 30 * SECOND
        table.take(1, "6S")
        yield from table.tap(2, "7S", [GREEN])

    table.play(evening())
    assert table.events() == ["1 draw 6S", "2 draw 7S"]


def test_f8_f13_readers_that_are_copies_play():
    """One with a version of its own, and one that takes no Transceive over another."""
    table = AtTable()
    table.world.readers[0].chip._version = 0x80
    table.world.readers[1].chip.ignores_running = True

    def evening():
        for place, card in ((1, "6S"), (2, "7S"), (1, "8S"), (2, "9S")):
            yield from table.tap(place, card, [GREEN])

    table.play(evening())
    assert table.events() == ["1 draw 6S", "2 draw 7S", "1 draw 8S", "2 draw 9S"] and faults(table) == []


def test_f6_cards_that_couple_are_told_of_and_lifted():
    """Two stacked cards, or a tag too weak: the reader hears rubbish, and the player reads what to do."""
    table = AtTable()

    def evening():
        yield from table.tap(1, "6S")
        yield from table.until(lambda: table.light(2) != GREEN)
        field = table.world.readers[1].field
        field.noise = every(1, Noise.BIT_FLIPPED)
        table.put(2, "7S")
        yield from table.until(lambda: table.light(2) == RED, SECOND + 200_000)
        yield from table.until(lambda: "Lift the card" in " ".join(table.screen()))
        field.noise = None
        yield from table.until(lambda: table.light(2) == GREEN)
        table.take(2, "7S")

    table.play(evening())
    assert table.events() == ["1 draw 6S", "2 draw 7S"]


def test_f12_a_reader_whose_spi_hangs_is_reset_and_the_game_goes_on():
    table = AtTable()

    def evening():
        yield from table.tap(1, "6S")
        table.world.readers[1].chip.hang()
        yield from table.until(lambda: faults(table)[-1:] == ["fault: Silent reader 2"])
        yield from table.until(lambda: faults(table)[-1:] == ["fault: over"], 15 * SECOND)
        yield from table.tap(2, "7S", [GREEN])

    table.play(evening())
    assert table.events() == ["1 draw 6S", "2 draw 7S"]


def test_a_tag_that_two_neighbours_read_is_played_once():
    table = AtTable()

    def evening():
        table.put(1, "6S")
        yield from table.until(lambda: table.light(1) == GREEN)
        table.put(2, "6S")
        yield 2 * SECOND
        assert table.light(2) != RED
        table.take(1, "6S")
        table.take(2, "6S")
        yield SECOND

    table.play(evening())
    assert table.events() == ["1 draw 6S"]


# --- sounds ---


def test_t11_what_is_heard_begins_with_a_light():
    """Yes, no and turn are heard when their lights come on, and a secret press is as silent as it is dark (D43)."""
    table = AtTable("cardtable 1\ngame: durak throw-in cheating=1\nseats: Anna; Boris\ndealer: 2\nfirst: 1\n\n")
    heard = []

    def listen():
        """Somebody who writes down what the buzzer does, a hundred times a second."""
        while True:
            hertz = table.world.buzzer[0] if table.world.buzzer[1] else 0
            if not heard or heard[-1][1] != hertz:
                heard.append((table.world.now_us, hertz))
            yield 10_000

    def tones(since_us):
        return [hertz for at_us, hertz in heard if at_us >= since_us and hertz]

    def evening():
        table.world.people.add(listen())
        yield 2 * SECOND
        begun_us = table.world.now_us
        yield from table.tap(1, "6S", [GREEN])
        yield SECOND
        assert tones(begun_us)[0] == YES[0] and set(tones(begun_us)) <= {YES[0], TURN[0]}
        begun_us = table.world.now_us
        yield from table.tap(2, "6S", [RED])
        yield SECOND
        assert tones(begun_us)[:2] == [NO[0], NO[0]]
        begun_us = table.world.now_us
        table.put(2, "XR")
        table.world.put(1, Tag(b"\x04\x01\x02\x03\x04\x05\x06"))
        yield from table.until(lambda: table.light(1) == table.light(2) == RED)
        assert len(tones(begun_us)) <= 4
        yield SECOND

    table.play(evening())
    assert heard[0][1] == 0 and heard[-1][1] == 0
    assert table.world.heard and min(table.world.heard.values()) >= HEARD_DB, table.world.heard


def test_f3_a_mute_buzzer_takes_nothing_from_the_game():
    """Nobody hears a tone, and every light comes: no sound says what no light says."""
    table = AtTable()
    table.world.piezo.resistor_ohm = None

    def evening():
        yield from table.tap(1, "6S", [GREEN])
        yield from table.tap(2, "6S", [RED])
        yield from table.tap(2, "7S", [GREEN])

    table.play(evening())
    assert [event.split("!")[0].strip() for event in table.events()] == ["1 draw 6S", "2 draw 6S", "2 draw 7S"]
    assert table.world.heard and max(table.world.heard.values()) < HEARD_DB, table.world.heard


# --- chips of different kinds ---


def two_kinds():
    """The board of seven with PN532 on places 2, 4 and 6, and MFRC522 elsewhere."""
    board = load("esp32_devkit_7seat")
    constants = {name: value for name, value in vars(board).items() if name.isupper()}
    constants["READERS"] = tuple(
        {**reader, "chip": "mfrc522" if seat % 2 else "pn532"} for seat, reader in enumerate(board.READERS, 1)
    )
    constants["SPI"] = {**board.SPI, "readers": {**board.SPI["readers"], "baudrate": 500_000}}
    return SimpleNamespace(**constants)


def test_f9_f10_a_short_uid_is_read_by_chips_of_both_kinds():
    """A tag of four bytes that is in no deck: refused like any other, by a PN532 that is as slow as boards are."""
    table = AtTable(board=two_kinds())
    assert table.world.readers[1].chip.is_hasty
    short = Tag(b"\x11\x22\x33\x44")

    def evening():
        for place in (1, 2):
            table.world.put(place, short)
            yield from table.until(lambda place=place: table.light(place) == RED)
            table.world.take(place, short)
            yield from table.until(lambda place=place: table.light(place) != RED)
        yield from table.tap(2, "7S", [GREEN])

    table.play(evening())
    assert [event for event in table.events() if "QQ" not in event] == ["2 draw 7S"]


def test_readers_of_two_kinds_share_a_bus():
    """Which chip a reader has is board data; tags are read on both."""
    table = AtTable(board=two_kinds())

    def evening():
        for card in ("6S", "7S", "8S"):
            yield from table.tap(1, card, [GREEN])
        for card in ("9S", "TS", "JS"):
            yield from table.tap(2, card, [GREEN])
        yield from table.until(lambda: table.light(2) != GREEN)
        table.put(2, "QS")
        table.put(2, "KS")
        yield from table.until(lambda: "One card at a time" in " ".join(table.screen()))
        table.take(2, "QS")
        yield from table.until(lambda: table.light(2) == GREEN)
        table.take(2, "KS")
        yield SECOND
        table.world.readers[1].dead("floating")
        yield from table.until(lambda: "fault: Silent reader 2" in faults(table))
        table.world.readers[1].dead(None)
        yield from table.until(lambda: faults(table)[-1:] == ["fault: over"])
        yield from table.tap(2, "AS", [GREEN])

    table.play(evening())
    drawn_cards = [event.split()[-1] for event in table.events() if event.split()[1] == "draw"]
    assert drawn_cards == ["6S", "7S", "8S", "9S", "TS", "JS", "KS", "AS"]
    assert table.world.contentions == 0 and [reader.chip.errors for reader in table.world.readers[1::2]] == [[]] * 3


def test_the_gain_of_a_reader_is_board_data():
    """It is what the chip holds: RFCfgReg (MFRC522 data sheet 9.3.3.6); a board that says nothing gets 38 dB."""
    board = load("esp32_devkit_4seat")
    constants = {name: value for name, value in vars(board).items() if name.isupper()}
    constants["READERS"] = ({**board.READERS[0], "gain": 4}, *board.READERS[1:])
    table = AtTable(board=SimpleNamespace(**constants))
    gains = []

    def evening():
        yield from table.tap(1, "6S")
        for place in (1, 2):
            chip = table.world.readers[place - 1].chip
            gains.append(chip._registers[RF_CFG] >> 4)

    table.play(evening())
    assert gains == [4, 6]
