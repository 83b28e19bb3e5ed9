"""The doctor of the deployed firmware on a virtual board finds what each test breaks, and names it."""

import contextlib
import copy
import random
import re
import types

import pytest
from click.testing import CliRunner

from boards import virtual
from host_tools.virtual.chips.iso14443a import Bursts, Noise, chance
from host_tools.virtual.chips.wrong_bytes import WrongBytes
from host_tools.cli import cardtable
from host_tools.maker.device.table import Table
from host_tools.virtual.maker import Maker
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World

pytestmark = pytest.mark.micropython

SPEED = 10.0  # times real time, which is as fast as one processor runs it


@pytest.fixture(scope="module")
def board(tmp_path_factory, deployed, shims):
    """One board for all tests of this file: each mends what it has broken."""
    flash = tmp_path_factory.mktemp("board") / "flash.bin"
    flash.write_bytes(deployed.read_bytes())
    with SerialBoard(World(virtual), flash, shims, speed=SPEED) as board:
        board.wait_for("cardtable on virtual")
        yield board


@pytest.fixture(scope="module")
def maker(board):
    maker = Maker(board.world)
    board.on_line = maker.hear
    board.call(lambda: board.world.people.add(maker.play()))
    return maker


@contextlib.contextmanager
def broken(board, break_it, mend):
    """Something of the World is broken inside."""
    board.call(break_it)
    try:
        yield
    finally:
        board.call(mend)


def examine(board, *options):
    """(exit code, findings, everything that was said) of `cardtable device doctor`."""
    done = CliRunner().invoke(cardtable, ["device", "doctor", "--port", board.port, *options], standalone_mode=False)
    assert done.exception is None, done.exception
    lines = [line for line in done.output.splitlines() if not line.startswith("readers: reader ")]  # from the start
    assert lines[0] == "The doctor examines the table.", done.output
    end = [number for number, line in enumerate(lines) if line.startswith("The doctor found")]
    assert end, done.output
    return done.return_value, [line[2:] for line in lines[:end[0]] if line.startswith("! ")], lines


def test_a_healthy_table_has_nothing_wrong(board, maker):
    code, findings, lines = examine(board)
    assert (code, findings) == (0, [])
    assert lines[-1] == "The doctor found nothing wrong."
    assert "Bugs written down so far: 0 (bug.txt has the last one)." in lines
    assert "Since the power came: 0 bad looks at the buttons, 0 taps or presses lost." in lines
    assert "Reader 7: version 0x92, gain 6 reads back." in lines
    assert "Reader 7 sees the card, in 100 of 100 looks." in lines
    assert sum(line.startswith("? Press ") for line in lines) == 28
    assert sum(line.startswith("? Is the light ") for line in lines) == 7


@contextlib.contextmanager
def at_prompt(board):
    """The table, stopped."""
    with Table(board.port) as table:
        table.stop()
        yield table


def subjects(findings):
    """The findings without what is to be checked."""
    return [finding.partition(":")[0] for finding in findings]


def test_f3_f6_what_is_broken_at_once_is_named_each_by_itself(board, maker):
    """A dead reader, a stuck button, a loose wire; F3: without the resistor across the piezo; F6: reads of 100 with a
    card lying there."""
    world = board.world
    field = world.readers[4].field

    def break_them():
        world.readers[2].dead()
        world.press(2, "CALL")
        maker.broken.add((5, "NO"))
        world.piezo.resistor_ohm = None
        field.noise = chance(0.05, random.Random(1), (Noise.REPLY_LOST, Noise.BIT_FLIPPED))

    def mend_them():
        world.readers[2].dead(None)
        world.release(2, "CALL")
        maker.broken.clear()
        world.piezo.resistor_ohm = 1_000.0
        field.noise = None

    with broken(board, break_them, mend_them):
        code, findings, lines = examine(board)
    assert code == 1
    assert subjects(findings)[:4] == [
        "Reader 3 does not answer",
        "Button CALL of seat 2 is closed all the time",
        "Button NO of seat 5 was not felt",
        "The buzzer is mute",
    ]
    assert len(findings) == 5 and re.match(r"Reader 5 read the card in [4-9]\d of 100 looks", findings[4])
    assert "Reader 6 sees the card, in 100 of 100 looks." in lines
    assert "the select wire on pin 15" in findings[0]
    assert "? Hold any card on the reader of seat 3." not in lines
    # All of it once more at the end, where whoever has pressed buttons looks.
    assert [line[2:] for line in lines[-len(findings):]] == findings


@pytest.mark.parametrize("level", ["high", "floating"])
def test_a_reader_without_a_data_line_is_dead_at_either_level(board, level):
    reader = board.world.readers[6]
    with broken(board, lambda: reader.dead(level), lambda: reader.dead(None)):
        _, findings, _ = examine(board, "--quick")
    assert subjects(findings) == ["Reader 7 does not answer"]


def test_a_clone_that_holds_the_data_line_is_named_and_the_others_are_not(board):
    reader = board.world.readers[3]
    with broken(board, lambda: setattr(reader, "holds_miso", 0), lambda: setattr(reader, "holds_miso", None)):
        code, findings, _ = examine(board, "--quick")
    assert code == 1 and len(findings) == 1
    assert findings[0].startswith("Reader 4 holds MISO while it is not selected, so no other reader is heard")


def test_two_that_hold_the_data_line_are_told_of_without_names(board):
    def hold(level):
        for reader in board.world.readers[:2]:
            reader.holds_miso = level

    with broken(board, lambda: hold(0), lambda: hold(None)):
        _, findings, _ = examine(board, "--quick")
    assert subjects(findings) == ["MISO is held low while no reader is selected"]


def test_f1_a_line_that_nothing_pulls_up_is_told_from_one_that_is_held(board):
    """F1: the readers work all the same, and are examined."""
    readers = board.world.bus("readers")
    with broken(board, lambda: setattr(readers, "pin_pulls", False), lambda: setattr(readers, "pin_pulls", True)):
        code, findings, lines = examine(board, "--quick")
    assert code == 1 and subjects(findings) == ["Nothing pulls MISO up while no reader is selected"]
    assert "Reader 7: version 0x92, gain 6 reads back." in lines


def test_f4_a_bus_that_is_too_long_for_its_clock_is_named(board):
    readers = board.world.bus("readers")
    with broken(board, lambda: setattr(readers, "clean_hz", 300_000), lambda: setattr(readers, "clean_hz", None)):
        code, findings, lines = examine(board, "--quick")
    assert code == 1
    assert subjects(findings) == ["The readers' bus works only at a clock 4 times slower"]
    assert "Reader 7: version 0x92, gain 6 reads back." in lines


def test_f8_f13_copies_are_named(board):
    """F8: a version that nobody knows is information. F13: a copy that answers one register a frame is of no use."""
    chips = [reader.chip for reader in board.world.readers]

    def break_them():
        chips[2].repeats_address = True
        chips[3]._version = 0x80

    def mend_them():
        chips[2].repeats_address = False
        chips[3]._version = 0x92

    with broken(board, break_them, mend_them):
        code, findings, lines = examine(board, "--quick")
    assert code == 1 and subjects(findings) == ["Reader 3 is a copy that answers one register at a time"]
    assert "Reader 4: version 0x80, gain 6 reads back." in lines
    assert any(line.startswith("Reader 4 is a copy with a version of its own") for line in lines)


def test_a_chain_without_supply_is_one_finding(board):
    chain = board.world.buttons
    with broken(board, lambda: setattr(chain, "exchange", lambda mosi, now_us: bytes(len(mosi))),
                lambda: delattr(chain, "exchange")):
        _, findings, _ = examine(board, "--quick")
    assert subjects(findings) == ["The buttons are silent"]


def test_a_screen_that_does_not_answer_is_named(board):
    with broken(board, board.world.screen.unplug, board.world.screen.plug):
        _, findings, _ = examine(board, "--quick")
    assert subjects(findings) == ["Screen 1 does not answer"]


def test_a_full_flash_and_a_damaged_file_are_named(board):
    words = "/a/cardtable/words/durak.en"
    with at_prompt(board) as table:
        whole = table.read(words)
    try:
        with at_prompt(board) as table:
            room = "os.statvfs('/')[3] * 4 - 200"  # KB; so many fewer are no room for a game
            table.run(f"with open('/big', 'wb') as file:\n for _ in range({room}): file.write(bytes(1024))")
            table.write(words, b"T1=rotten\n")
        _, findings, _ = examine(board, "--quick")
    finally:
        with at_prompt(board) as table:
            table.call("remove", "/big")
            table.write(words, whole)
    assert findings[0].startswith("The flash is nearly full: ") and "cardtable device pull" in findings[0]
    assert findings[1] == "The file cardtable/words/durak.en is damaged: deploy the application again."
    assert len(findings) == 2


def test_swapped_selects_a_dark_light_and_a_dark_screen_are_named(tmp_path, deployed, shims):
    """Wired otherwise than the board file says: the card on seat 2 is seen by reader 3, and the other way round."""
    wired = types.SimpleNamespace(**{name: getattr(virtual, name) for name in dir(virtual) if name.isupper()})
    readers = copy.deepcopy(list(virtual.READERS))
    readers[1]["select"], readers[2]["select"] = readers[2]["select"], readers[1]["select"]
    wired.READERS = tuple(readers)
    (tmp_path / "flash.bin").write_bytes(deployed.read_bytes())
    world = World(wired)
    maker = Maker(world)
    maker.has_dark_screen = True
    world.lights.kill(5)
    world.people.add(maker.play())
    with SerialBoard(world, tmp_path / "flash.bin", shims, speed=SPEED) as board:
        board.on_line = maker.hear
        board.wait_for("cardtable on virtual")
        _, findings, _ = examine(board)
    assert subjects(findings) == [
        "The light of seat 6 does not shine",
        "The light of seat 7 does not shine either",
        "Screen 1 takes what it is sent and does not show it",
        "The card on seat 2 is seen by the reader of seat 3",
    ]
    assert "swap their select wires (pin 5 and pin 15)" in findings[-1]


def test_menu_of_seat_1_at_power_up_calls_the_doctor_and_then_the_table_starts(tmp_path, deployed, shims):
    """It is held until the doctor speaks: to read the program from the flash takes seconds. Nobody answers, so the
    questions end, and the table goes on."""
    (tmp_path / "flash.bin").write_bytes(deployed.read_bytes())
    world = World(virtual)
    world.press(1, "MENU")
    world.people.at(10_000_000, lambda: world.release(1, "MENU"))
    with SerialBoard(world, tmp_path / "flash.bin", shims, speed=SPEED) as board:
        at = board.wait_for("The doctor examines the table.")
        at = board.wait_for("Nobody answers, so the questions are left out.", at)
        at = board.wait_for("The doctor found ", at)
        board.wait_for("cardtable on virtual", at)




# --- a table that measures itself ---


def learned(board):
    """learned.txt as it lies on the table."""
    with at_prompt(board) as table:
        text = table.call("read_text", "/learned.txt")
        table.run("import os\nos.remove('/learned.txt')")
    return text.splitlines()


def test_a_table_learns_five_weaknesses_and_no_other(board, maker):
    """A bus with a cliff at 1 MHz, a reader that wants a higher gain, a coil that sees its neighbour's card; H8: a
    card that is missed in bursts counts again later, on every reader; H4: screens at the end of 2.5 m, whose wires rise
    in 466 ns."""
    world = board.world
    bus, weak, near = world.bus("readers"), world.readers[2].chip, world.readers[5].field
    missed = world.readers[1].field
    put, take = world.put, world.take

    def put_near(seat, tag):
        put(seat, tag)
        if seat == 5:
            near.put(tag, world.now_us)

    def take_near(seat, tag):
        take(seat, tag)
        if seat == 5:
            near.take(tag, world.now_us)

    def plant():
        bus.wrong = WrongBytes({750_000: 0.01}, random.Random(1))
        weak.loses_at = lambda gain: 0.0 if gain == 7 else 0.2
        missed.bursts = Bursts(0.15, 12, random.Random(3), is_fixed=True)
        world.put, world.take = put_near, take_near
        world.i2c("screen").metres = 2.5

    def mend():
        bus.wrong = weak.loses_at = missed.bursts = None
        world.i2c("screen").metres = 0.0
        world.put, world.take = put, take

    with broken(board, plant, mend):
        code, findings, lines = examine(board, "--learn")
    assert code == 1 and len(findings) == 5, findings
    assert re.match(r"The readers' bus makes (\d+) wrong bytes in 10,000 at 1000 kHz: it runs at 500 kHz", findings[0])
    assert re.match(r"The wires of the screens' bus rise in 300 to 1000 ns: it runs at 100 kHz", findings[1])
    misses, gains = sorted(findings[2:4])
    assert re.match(r"Reader 2 misses its card for [5-9]\d\d ms at a time", misses), findings
    assert re.match(r"Reader 3 read the card in \d\d of 100 looks at gain 6, in 100 at gain 7: it keeps", gains)
    assert re.match(r"The card on seat 5 is read by reader 6, too, in 1\d of 16 looks", findings[4])
    assert "Reader 4 sees the card, in 100 of 100 looks." in lines and "? Press OK of seat 1." not in lines
    assert "The readers' bus at 500 kHz: 0 wrong bytes in 10,000." in lines
    kept = learned(board)
    assert re.match(r"date \d{4}-\d\d-\d\d$", kept[0]) and kept[1] == "halvings 1"
    assert 4000 <= int(kept[2].removeprefix("away_ms ")) <= 8000
    assert kept[3] == "screen 100000" and kept[4] == "reader 1 gain 6 reads 100"
    assert kept[6] == "reader 3 gain 7 reads 100" and len([line for line in kept if line[0] != ";"]) == 11
    words = [line[2:] for line in kept if line[0] == ";"]
    assert set(findings) < set(words) and "Reader 4 at gain 4: 100 of 100 looks. There is room to spare." in words
    assert "The screens' bus at 100 kHz: 0 of 24 lines lost." in words


@pytest.mark.everything  # the four above are found together; alone they are the same lines
def test_a_table_learns_how_long_hands_hover(board, maker):
    """H8, of a table where nothing else is wrong."""
    field = board.world.readers[1].field

    def plant():
        field.bursts = Bursts(0.15, 12, random.Random(3), is_fixed=True)

    def mend():
        field.bursts = None

    with broken(board, plant, mend):
        code, findings, lines = examine(board, "--learn")
    assert code == 1 and len(findings) == 1
    assert re.match(r"Reader 2 misses its card for [5-9]\d\d ms at a time", findings[0]), findings
    assert 4000 <= int(learned(board)[2].split()[1]) <= 8000


@pytest.mark.everything  # most of what the first of these learns is that the rest is as it should be
def test_a_good_table_learns_nothing_new(board, maker):
    code, findings, lines = examine(board, "--learn")
    kept = learned(board)
    assert (code, findings) == (0, []) and kept[1:4] == ["halvings 0", "away_ms 1500", "reader 1 gain 6 reads 100"]
    assert "; The readers' bus at 2000 kHz: 0 wrong bytes in 10,000. There is room to spare." in kept
    assert "; Its wires rise in 300 ns or less, as they should." in kept


@pytest.mark.everything  # the five above are told apart in one look; here is what a plain look makes of them
def test_h4_screens_that_answer_at_a_slower_clock_alone_are_not_silent(board):
    """H4: nor does a table that has not learned it call a good screen broken; where no clock helps it is."""
    i2c = board.world.i2c("screen")
    for metres, told in ((5.0, ["The screens' bus works only at 100 kHz"]), (60.0, ["Screen 1 does not answer"])):
        def plant(metres=metres):
            i2c.metres = metres

        def mend():
            i2c.metres = 0.0

        with broken(board, plant, mend):
            assert subjects(examine(board, "--quick")[1]) == told


def test_learning_and_quick_exclude_each_other(board):
    told = CliRunner().invoke(cardtable, ["device", "doctor", "--port", board.port, "--quick", "--learn"],
                              standalone_mode=False)
    assert "--quick asks for none" in str(told.exception)
