"""The world at the pins: who is selected, who drives the data line, what hands do, and what power takes away."""

import random
from types import SimpleNamespace

import boards.esp32_devkit_4seat
import boards.esp32_devkit_7seat
import boards.esp32s3_7seat
import boards.virtual
import pytest

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.chips.piezo import HEARD_DB, MUTE_DB, Piezo
from host_tools.virtual import parts as real_parts
from host_tools.virtual.chip_rows import UnknownChip
from host_tools.virtual.world import KEYS, WiringError, World, button
from tests.host_tools.virtual.conftest import TOY_BOARD, ToyParts

OUT = 3
VERSION = bytes((0x80 | 0x37 << 1, 0))  # MFRC522 data sheet 8.1.2.1: read VersionReg (9.3.4.8)


def drive(world, pin, level, now_us):
    world.pin_mode(pin, OUT, -1, now_us)
    world.pin_write(pin, level, now_us)


@pytest.fixture
def table():
    """The virtual board with real chips, a millisecond and a half after its power came."""
    world = World(boards.virtual)
    for reader in boards.virtual.READERS:
        world.pin_write(reader["select"], 1, 0)
        world.pin_mode(reader["select"], OUT, -1, 0)
    world.step(1_500)
    return world


def read_version(table, seat):
    select = boards.virtual.READERS[seat - 1]["select"]
    table.pin_write(select, 0, table.now_us + 1)
    miso = table.spi(18, VERSION, table.now_us + 31)
    table.pin_write(select, 1, table.now_us + 1)
    return miso[1]


def test_each_reader_of_the_virtual_board_is_selected_by_its_own_pin(table):
    for seat in range(1, 8):
        assert read_version(table, seat) == 0x92
        assert [reader.frames for reader in table.readers] == [1] * seat + [0] * (7 - seat)
    assert [reader.bytes for reader in table.readers] == [2] * 7 and table.contentions == 0


def test_two_selected_readers_fight_for_the_data_line_and_the_low_level_wins(world, parts):
    drive(world, 4, 0, 1)
    world.readers[1].chip.exchange = lambda mosi, now_us: b"\x0f\xf0"
    drive(world, 5, 0, 2)
    assert world.spi(18, b"\x00\x00", 40) == b"\x0f\xf0" and world.contentions == 1
    world.readers[1].chip.exchange = lambda mosi, now_us: b"\xff\xff"
    assert world.spi(18, b"\x00\x00", 80) == b"\xff\xff" and world.contentions == 1


def test_a_clone_that_holds_the_data_line_spoils_the_others_and_not_itself(table):
    table.readers[2].holds_miso = 0
    assert [read_version(table, seat) for seat in range(1, 8)] == [0, 0, 0x92, 0, 0, 0, 0]
    assert table.contentions == 6
    table.readers[2].holds_miso = None
    assert read_version(table, 1) == 0x92


@pytest.mark.parametrize("level, version", [("low", 0x00), ("high", 0xFF), (None, 0x92)])
def test_a_dead_reader_answers_with_the_level_of_its_line(table, level, version):
    table.readers[4].dead("low")
    table.readers[4].dead(level)
    assert read_version(table, 5) == version and read_version(table, 4) == 0x92


def test_a_loose_wire_spoils_some_bytes_and_the_seed_says_which():
    def versions(seed):
        world = World(boards.virtual, seed)
        world.readers[0].cut_wire(0.2)
        drive(world, 4, 1, 0)
        world.step(1_500)
        return [read_version(world, 1) for _ in range(100)]

    assert versions(1) == versions(1) != versions(2)
    assert 20 < sum(version != 0x92 for version in versions(3)) < 90


def test_the_reset_line_reaches_every_reader(table):
    drive(table, boards.virtual.READER_RESET, 0, 2_000)
    assert [read_version(table, seat) for seat in (1, 7)] == [0, 0]
    table.pin_write(boards.virtual.READER_RESET, 1, 3_000)
    table.step(5_000)
    assert [read_version(table, seat) for seat in (1, 7)] == [0x92, 0x92]


def test_buttons_come_in_the_order_of_the_board_with_the_sentinel_last(table):
    def scan():
        drive(table, 32, 0, table.now_us + 1)
        table.pin_write(32, 1, table.now_us + 1)
        return int.from_bytes(table.spi(14, bytes(4), table.now_us + 60), "big")

    idle = 0xFFFFFFFA  # all open, pulled up, and 1010 at the end
    assert scan() == idle
    for seat in range(1, 8):
        for key in KEYS:
            table.press(seat, key)
            table.step(table.now_us + 50_000)
            assert scan() == idle & ~(1 << 31 - button(seat, key))
            table.release(seat, key)
            table.step(table.now_us + 50_000)
    assert scan() == idle and [button(1, "OK"), button(7, "MENU")] == [0, 27]


def test_tags_are_put_and_taken_at_a_seat(table):
    tag = Tag(bytes(range(7)))
    table.put(3, tag)
    assert table.readers[2].field.tags == [tag]
    table.take(3, tag)
    assert table.readers[2].field.tags == []


def test_power_takes_what_chips_know_and_leaves_what_lies_on_the_table(table):
    tag = Tag(bytes(range(7)))
    table.put(1, tag)
    table.strip_write(33, bytes([9] * 21), 2_000)
    assert table.lights.colour(6) == (9, 9, 9) and table.i2c_write(22, 0x3C, b"\x00\xae", 2_100)
    table.power(False)
    assert not table.powered and table.lights.colour(6) == (0, 0, 0)
    assert not table.i2c_write(22, 0x3C, b"\x00\xae", 2_200) and table.i2c_read(22, 0x3C, 1, 2_300) is None
    table.power(True)
    table.power(True)
    assert table.readers[0].field.tags == [tag] and table.i2c_write(22, 0x3C, b"\x00\xae", 2_400)
    # The pins of the device have let go: its own start drives them again.
    drive(table, 4, 1, 2_500)
    table.step(5_000)
    assert read_version(table, 1) == 0x92


def test_what_people_do_until_an_operation_has_happened_before_it(world, parts):
    world.people.at(100, lambda: world.press(1, "OK"))
    world.people.at(101, lambda: world.release(1, "OK"))
    world.spi(18, b"a", 99)
    world.spi(14, b"b", 100)
    world.spi(14, b"c", 150)
    assert [(entry[0], entry[2]) for entry in parts.log] == [
        (100, "press"), (100, "spi"), (101, "release"), (150, "spi")]
    assert world.now_us == 150


def test_people_see_lights_and_screen_as_soon_as_they_change(world):
    seen = []

    def watcher(name):
        yield lambda: any(entry[1] == name for entry in world.lights.log)
        seen.append((name, world.now_us))

    for name in ("lights", "screen"):
        world.people.add(watcher(name))
    world.strip_write(33, b"123456", 10)
    world.i2c_write(22, 0x3C, b"x", 20)
    assert seen == [("lights", 10), ("screen", 20)] and world.people.done


def test_wiring_is_the_boards(world):
    world.spi_open(18, 23, 19, 0, 1)
    for pins in ((18, 23, 34, 0), (17, 23, 19, 0), (18, 23, 19, 1)):
        with pytest.raises(WiringError):
            world.spi_open(*pins, 1)
    world.i2c_open(22, 21, 1)
    with pytest.raises(WiringError):
        world.i2c_open(21, 22, 1)


def test_a_board_without_lights_screen_and_buttons_is_a_board():
    bare = SimpleNamespace(NAME="bare", SEATS=1, SPI={"readers": TOY_BOARD.SPI["readers"]},
                           READERS=TOY_BOARD.READERS[:1])
    world = World(bare, chips=ToyParts())
    assert (world.buttons, world.lights, world.screen) == (None, None, None)
    world.strip_write(33, b"123", 1)
    world.pwm(2, 440, 100, 2)
    world.power(False)
    world.power(True)
    assert world.buzzer == (0, 0)


def test_a_chip_without_a_model_is_named():
    with pytest.raises(UnknownChip, match="reader 'pn533'"):
        real_parts.reader("pn533", random.Random(1))
    with pytest.raises(UnknownChip, match="screen 'paper'"):
        real_parts.screen({"chip": "paper", "address": 1})


# --- decoders, buffers and switches ---


def seven_seats():
    """The board with a decoder, its device just powered up."""
    world = World(boards.esp32_devkit_7seat)
    for pin in (*world.board.SELECT["address"], world.board.SELECT["enable"]):
        world.pin_write(pin, int(pin == world.board.SELECT["enable"]), 0)
        world.pin_mode(pin, OUT, -1, 0)
    world.step(1_500)
    return world


def read_decoded(world, output):
    """VersionReg of the reader at that output."""
    for bit, pin in enumerate(world.board.SELECT["address"]):
        world.pin_write(pin, output >> bit & 1, world.now_us + 1)
    world.pin_write(world.board.SELECT["enable"], 0, world.now_us + 1)
    miso = world.spi(18, VERSION, world.now_us + 30)
    world.pin_write(world.board.SELECT["enable"], 1, world.now_us + 1)
    return miso[1]


def test_each_reader_behind_the_decoder_is_selected_by_its_output():
    world = seven_seats()
    assert [read_decoded(world, output) for output in range(8)] == [0x92] * 7 + [0x00], "0x92 ends in 0"
    assert [reader.frames for reader in world.readers] == [1] * 7 and world.contentions == 0


def test_f2_readers_that_hold_the_line_low_are_not_heard_behind_gates_and_jam_it_without():
    world = seven_seats()
    assert [reader.holds_miso for reader in world.readers] == [None] * 7
    assert [read_decoded(world, output) for output in range(7)] == [0x92] * 7 and world.contentions == 0
    board = SimpleNamespace(**{name: value for name, value in vars(boards.virtual).items() if name.isupper()})
    board.SPI = {name: {key: bus[key] for key in bus if key != "buffer"} for name, bus in board.SPI.items()}
    world = World(board)
    assert [reader.holds_miso for reader in world.readers] == [0] * 7
    for reader in board.READERS:
        drive(world, reader["select"], 1, 0)
    world.step(1_500)
    assert [read_version(world, seat) for seat in range(1, 8)] == [0] * 7


def test_f1_a_line_that_nobody_drives_keeps_its_last_bit_unless_something_pulls_it_up(table):
    readers = table.bus("readers")
    idle = []
    for readers.has_resistor, readers.pin_pulls, pull in ((False, True, -1), (False, True, 2), (False, False, 2),
                                                          (True, False, -1)):
        table.pin_mode(19, 1, pull, table.now_us)
        for last in (b"\x0e", b"\x0f"):
            readers._last = last
            idle.append(table.spi(18, b"\xff", table.now_us + 1))
    assert idle == [b"\x00", b"\xff", b"\xff", b"\xff", b"\x00", b"\xff", b"\xff", b"\xff"]


def test_f1_a_reader_that_was_not_wired_yet_leaves_the_line_open(table):
    table.readers[0].unplug()
    table.bus("readers")._last = b"\x01"
    assert read_version(table, 1) == 0xFF and read_version(table, 2) == 0x92
    table.readers[0].plug()
    assert read_version(table, 1) == 0x92


def test_a_reader_that_is_unplugged_twice_works_again_once_it_is_plugged_in(table):
    table.readers[0].unplug()
    table.readers[0].unplug()
    table.readers[0].plug()
    table.readers[0].plug()
    assert read_version(table, 1) == 0x92 and table.readers[0].write_frame is not None


def test_a_long_cable_to_the_screens_loses_what_is_read_too(table):
    screens, scl = table.i2c("screen"), boards.virtual.I2C["screen"]["scl"]
    assert all(table.i2c_read(scl, 0x3C, 100, 3_000 + turn) for turn in range(50))
    screens.metres = 40
    assert any(table.i2c_read(scl, 0x3C, 100, 4_000 + turn) is None for turn in range(50))


def test_f4_a_clock_that_the_wires_do_not_carry_ruins_bytes(table):
    readers = table.bus("readers")
    table.spi_open(18, 23, 19, 0, table.now_us, 1_000_000)
    readers.clean_hz = 1_000_000
    assert {read_version(table, 1) for _ in range(100)} == {0x92}
    readers.clean_hz = 250_000
    assert len({read_version(table, 1) for _ in range(100)}) > 3
    table.spi_open(18, 23, 19, 0, table.now_us, 250_000)
    assert {read_version(table, 1) for _ in range(100)} == {0x92}


def test_a_clock_that_no_chip_of_the_bus_takes_ruins_bytes(table):
    """MFRC522 8.1: 10 MHz at most."""
    for baudrate, is_clean in ((10_000_000, True), (26_000_000, False)):
        table.spi_open(18, 23, 19, 0, table.now_us, baudrate)
        assert ({read_version(table, 1) for _ in range(100)} == {0x92}) == is_clean


def test_chips_learn_how_long_a_byte_takes(table):
    table.spi_open(18, 23, 19, 0, table.now_us, 2_000_000)
    assert {reader.chip.byte_us for reader in table.readers} == {4.0}


def test_what_is_opened_on_other_pins_is_told_and_reaches_nothing(table):
    """Where somebody types: on a chip such a bus is no error, and nobody answers on it."""
    told = []
    table.on_miswired = told.append
    table.spi_open(18, 1, 19, 0, table.now_us)
    table.i2c_open(22, 5, table.now_us)
    assert read_version(table, 1) == 0 and not table.i2c_write(22, 0x3C, b"\x00\xaf", table.now_us)
    select = boards.virtual.READERS[0]["select"]
    table.frame(select, 18, b"\x02\x00", table.now_us + 1, table.now_us + 30, table.now_us + 31)
    assert len(told) == 2 and "mosi 1" in told[0] and "sda 5" in told[1] and table.readers[0].bytes == 0
    table.spi_open(18, 23, 19, 0, table.now_us)
    table.i2c_open(22, 21, table.now_us)
    assert read_version(table, 1) == 0x92 and table.i2c_write(22, 0x3C, b"\x00\xaf", table.now_us)
    assert len(told) == 2


def test_f3_a_piezo_without_a_resistor_is_mute_and_deep_tones_are_lost():
    piezo = Piezo()
    assert piezo.level_db(4_000, 16_384) > -1 and piezo.level_db(1_000, 16_384) >= HEARD_DB
    assert piezo.level_db(330, 16_384) < HEARD_DB - 10 and piezo.level_db(220, 16_384) < HEARD_DB - 20
    assert piezo.level_db(2_000, 0) == piezo.level_db(0, 16_384) == MUTE_DB
    assert Piezo(None).level_db(4_000, 16_384) == MUTE_DB


def test_each_screen_behind_the_switch_hears_its_channel_alone():
    board = boards.esp32s3_7seat
    world = World(board)
    scl, address = board.I2C["screen"]["scl"], board.SCREEN["address"]
    assert len(world.screens) == 7 and world.screen is world.screens[0]
    assert not world.i2c_write(scl, address, b"\x00\xaf", 1), "no channel is connected at first"
    for seat, channel in enumerate(board.SCREEN["switch"]["channels"]):
        assert world.i2c_write(scl, 0x70, bytes([1 << channel]), 2)
        assert world.i2c_write(scl, address, bytes([0, 0x81, seat]), 3)
    assert [screen.contrast for screen in world.screens] == list(range(7))
    assert world.i2c_read(scl, 0x70, 1, 4) == b"\x40"
    world.power(False)
    assert not world.i2c_write(scl, 0x70, b"\x01", 5)
    world.power(True)
    assert not world.i2c_write(scl, address, b"\x00\xaf", 6) and world.i2c_write(scl, 0x70, b"\x01", 7)


def test_inputs_of_the_chain_that_nobody_uses_are_open():
    """Three chips for four seats: 16 buttons, four spare inputs, the sentinel."""
    world = World(boards.esp32_devkit_4seat)
    levels = [world.buttons.level(index, 0) for index in range(world.buttons.inputs)]
    assert levels == [1] * 20 + [1, 0, 1, 0]


# --- whole frames -----------------------------------------------------------------------------------------------------

FAULTS = {
    "none": lambda world: None,
    "an unplugged reader": lambda world: world.readers[1].unplug(),
    "one that was unplugged": lambda world: (world.readers[1].unplug(), world.readers[1].plug()),
    "a dead line": lambda world: world.readers[1].dead("floating"),
    "a loose wire": lambda world: world.readers[1].cut_wire(0.1),
    "a line that is held": lambda world: setattr(world.readers[0], "holds_miso", 1),
    "wires that carry less": lambda world: setattr(world.bus("readers"), "clean_hz", 100_000),
    "a stuck register": lambda world: world.readers[1].chip.stick(r.BIT_FRAMING, 3),
    "a chip that hangs": lambda world: world.readers[1].chip.hang(),
    "a chip without power": lambda world: world.readers[1].chip.power(False, 0),
    "another reader selected": lambda world: world.pin_write(world.board.READERS[0]["select"], 0, 0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_whole_frame_does_what_its_three_parts_do(fault):
    """Every register of the chip afterwards, what it answers, the line and the field, after 400 frames by chance."""
    worlds = [World(boards.virtual, seed=5), World(boards.virtual, seed=5)]
    pin, sck = boards.virtual.READERS[1]["select"], boards.virtual.SPI["readers"]["sck"]
    for world in worlds:
        world.spi_open(sck, *world.bus("readers").pins, 0, 0)
        world.put(2, Tag(b"\x04\x11\x22\x33\x44\x55\x66"))
        for reader in boards.virtual.READERS:
            world.pin_mode(reader["select"], 3, -1, 0)
            world.pin_write(reader["select"], 1, 0)
        FAULTS[fault](world)
    chance, now_us = random.Random(fault), 2_000
    registers = (r.COMMAND, r.COM_IRQ, r.FIFO_DATA, r.FIFO_LEVEL, r.BIT_FRAMING, r.TX_CONTROL, r.WATER_LEVEL)
    for turn in range(400):
        address = chance.choice(registers) if turn % 4 else chance.randrange(64)
        mosi = bytes((address << 1 | (chance.random() < 0.05) << 7,)) + chance.randbytes(chance.choice((0, 1, 1, 1, 9)))
        now_us += chance.choice((40, 40, 300, 6_000))
        worlds[0].frame(pin, sck, mosi, now_us - 30, now_us, now_us + 1)
        worlds[1].pin_write(pin, 0, now_us - 30)
        worlds[1].spi(sck, mosi, now_us)
        worlds[1].pin_write(pin, 1, now_us + 1)
        told = []
        for world in worlds:
            line = world.spi(sck, b"\xff", now_us + 2)  # nobody is selected, as a rule: what the line keeps
            world.pin_write(pin, 0, now_us + 3)
            answer = world.spi(sck, bytes(0x80 | register << 1 for register in range(64)) + b"\0", now_us + 20)
            world.pin_write(pin, 1, now_us + 21)
            reader = world.readers[1]
            told.append((line, answer, reader.frames, reader.bytes, reader.selected, reader.field.frames,
                         world.contentions, world.now_us, world.people.now_us))
        assert told[0] == told[1], turn


def test_what_people_do_within_a_frame_happens_at_its_time():
    worlds = [World(boards.virtual), World(boards.virtual)]
    pin, sck = boards.virtual.READERS[0]["select"], boards.virtual.SPI["readers"]["sck"]
    acts = []
    for world in worlds:
        world.pin_mode(pin, 3, -1, 0)
        world.pin_write(pin, 1, 0)
        world.people.at(150, lambda world=world: acts.append((world.now_us, world.readers[0].selected)))
    worlds[0].frame(pin, sck, b"\x02\x00", 100, 200, 201)
    worlds[1].pin_write(pin, 0, 100)
    worlds[1].spi(sck, b"\x02\x00", 200)
    worlds[1].pin_write(pin, 1, 201)
    assert acts == [(150, True)] * 2
