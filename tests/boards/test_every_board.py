"""Every board is right, its page is the one that is written from it, and each kind of wrong board is told why."""

import copy
import importlib
import re
import xml.dom.minidom
from collections import Counter
from types import SimpleNamespace

import pytest

from host_tools.maker.board import docs, page, parts_list, power, supply
from host_tools.maker.board.check import check
from host_tools.base.errors import UnusableInput
from host_tools.maker.board.load import VIRTUAL, load, names
from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.netlist import REGULATOR, make_circuit
from host_tools.maker.board.wires import find_wires
from host_tools.cli import RIGHT, UNUSABLE, WRONG, run
from tests.conftest import ROOT

BUILT = [name for name in names() if name != VIRTUAL]


def changed(name, **constants):
    """A copy of a board with other constants; those that are None are missing."""
    board = SimpleNamespace(**{key: copy.deepcopy(value) for key, value in vars(load(name)).items() if key.isupper()})
    for key, value in constants.items():
        if value is None:
            delattr(board, key)
        else:
            setattr(board, key, value)
    return board


def four(**constants):
    return changed("esp32_devkit_4seat", **constants)


def s3(**constants):
    return changed("esp32s3_7seat", **constants)


def with_(wiring, **keys):
    """A dict with other values; those that are None are missing."""
    return {key: value for key, value in {**wiring, **keys}.items() if value is not None}


def bus(board, name, **keys):
    """The SPI buses of a board, one of them changed."""
    return {**board.SPI, name: with_(board.SPI[name], **keys)}


def readers(board, **keys):
    """The readers of a board, seat 2's changed."""
    return (board.READERS[0], with_(board.READERS[1], **keys), *board.READERS[2:])


# --- right boards -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_every_board_is_right(name):
    board = load(name)
    assert board.NAME == name and check(board) == []


def test_a_board_that_says_the_name_of_another_is_refused(monkeypatch):
    """A copied file: its pages and its hub would be those of the board that it is called after."""
    monkeypatch.setattr(importlib.import_module("boards.esp32s3_7seat"), "NAME", "esp32s3_4seat")
    with pytest.raises(UnusableInput, match="boards/esp32s3_7seat.py says NAME = 'esp32s3_4seat': it has to be "):
        load("esp32s3_7seat")
    for line in (["check", "esp32s3_7seat"], ["show", "esp32s3_7seat"], ["docs"], ["list"]):
        assert run(["board", *line]) == UNUSABLE


@pytest.mark.parametrize(("text", "told"), [
    ('NAME = "spoilt"\nSEATS = = 4\n', "line 2: invalid syntax"),
    ('NAME = "spoilt"\n\nLIGHTS = {"count": seats}\n', "line 3: name 'seats' is not defined"),
    ('import machine\n', "line 1: No module named 'machine'"),
    ('NAME = "spoilt"\nPIN = int("x")\n', "line 2: invalid literal"),
])
def test_a_board_file_that_python_cannot_read_is_one_sentence_with_its_line(text, told, monkeypatch, tmp_path, capsys):
    """A maker's own file: no command tells it as a bug of ours."""
    (tmp_path / "spoilt.py").write_text(text)
    monkeypatch.setattr("host_tools.maker.board.load.names", lambda: ["spoilt"])
    monkeypatch.setattr("boards.__path__", [str(tmp_path)])
    for line in (["check", "spoilt"], ["list"]):
        assert run(["board", *line]) == UNUSABLE
        said = "".join(capsys.readouterr())
        assert said.startswith(f"boards/spoilt.py, {told}") and said.count("\n") == 1


def mixed():
    """Readers 1 and 3 at a decoder, readers 2 and 4 at pins of their own; no buzzer, whose pin the decoder takes."""
    lines = ({"output": 0}, {"select": 16}, {"output": 2}, {"select": 25})
    return four(READERS=tuple({"chip": "mfrc522", "spi": "readers", **line} for line in lines),
                SELECT={"chip": "74hc138", "address": (17, 4), "enable": 26}, BUZZER=None)


def test_a_reader_may_have_a_gain_and_another_chip():
    assert check(four(READERS=readers(FOUR, gain=4))) == check(four(READERS=readers(FOUR, chip="pn532"))) == []


def test_the_boards_that_can_be_built():
    assert BUILT == ["esp32_devkit_4seat", "esp32_devkit_7seat", "esp32_wrover_7seat", "esp32s3_4seat", "esp32s3_7seat"]


def test_the_devkit_boards_need_just_the_carefree_pins():
    """Fifteen pins of a WROOM-32 can drive and are no strap; the input comes from a pin that cannot."""
    module = MODULES["esp32-wroom-32"]
    carefree = module.pins - module.input_only - set(module.taken) - set(module.straps)
    assert len(carefree) == 15
    for name in ("esp32_devkit_4seat", "esp32_devkit_7seat"):
        assert {wire.pin for wire in find_wires(load(name))} == carefree | {34}


def test_a_wrover_keeps_its_psram_and_its_straps_rest_where_they_must():
    """Pins 16 and 17 are the PSRAM's; 5 has to be high at a reset, 2 low."""
    board = load("esp32_wrover_7seat")
    wires = {wire.pin: wire for wire in find_wires(board)}
    assert not {16, 17} & set(wires) and (wires[5].rests_at, wires[2].rests_at) == (1, 0)
    wrong = changed("esp32_wrover_7seat", BUZZER={"pin": 16})
    assert "pin 16 (buzzer): it belongs to the PSRAM" in check(wrong)


def test_every_header_shows_every_pin_that_a_board_may_use():
    for module in MODULES.values():
        shown = {int(pin) for header in module.headers for pin in header if pin.isdigit()}
        assert shown == module.pins - {pin for pin in module.taken if pin not in shown}
        assert len(module.headers[0]) == len(module.headers[1])


# --- wrong boards: (board, sentence) ----------------------------------------------------------------------------------

FOUR, S3 = four(), s3()
WRONG_PINS = [
    (four(BUZZER={"pin": 6}), "pin 6 (buzzer): it belongs to the flash"),
    (four(BUZZER={"pin": 1}), "pin 1 (buzzer): it belongs to the console"),
    (four(BUZZER={"pin": 35}), "pin 35 (buzzer): it is an input only and cannot drive"),
    (four(BUZZER={"pin": 24}), "pin 24 (buzzer): ESP32-WROOM-32 has no such pin"),
    (four(BUZZER={"pin": 40}), "pin 40 (buzzer): ESP32-WROOM-32 has no such pin"),
    (four(BUZZER={"pin": 0}), "pin 0 (buzzer): a strap: low at reset it starts the loader"),
    (four(BUZZER={"pin": 5}), "pin 5 (buzzer): a strap: low at reset it changes the timing of SDIO"),
    (four(READERS=readers(FOUR, select=2)), "pin 2 (select of seat 2): a strap: high at reset it bars the loader"),
    (four(READER_RESET=15), "pin 15 (readers reset): a strap: low at reset it silences the loader"),
    (four(SPI=bus(FOUR, "buttons", miso=12)),
     "pin 12 (buttons miso): a strap: high at reset it sets the flash to 1.8 V, and the chip does not start"),
    (four(LIGHTS={"pin": 27, "count": 4}), "pin 27 has 2 uses: readers reset, lights"),
    (four(READERS=readers(FOUR, select=16)), "pin 16 has 2 uses: select of seat 1, select of seat 2"),
    (s3(BUZZER={"pin": 28}), "pin 28 (buzzer): it belongs to the flash"),
    (s3(BUZZER={"pin": 36}), "pin 36 (buzzer): it belongs to an octal PSRAM"),
    (s3(BUZZER={"pin": 19}), "pin 19 (buzzer): it belongs to USB"),
    (s3(BUZZER={"pin": 43}), "pin 43 (buzzer): it belongs to the console"),
    (s3(BUZZER={"pin": 22}), "pin 22 (buzzer): ESP32-S3-WROOM-1 has no such pin"),
    (s3(READER_RESET=45),
     "pin 45 (readers reset): a strap: high at reset it sets the flash to 1.8 V, and the chip does not start"),
    (s3(READER_RESET=46), "pin 46 (readers reset): a strap: high at reset it bars the loader"),
]
WRONG_PARTS = [
    (four(SPI=bus(FOUR, "readers", id=3)), "SPI readers: there is no host 3, only 1, 2"),
    (four(SPI=bus(FOUR, "readers", id=1)), "SPI: 2 buses want host 1"),
    (four(I2C={"screen": with_(FOUR.I2C["screen"], id=2)}), "I2C screen: there is no host 2, only 0, 1"),
    (four(I2C={"screen": with_(FOUR.I2C["screen"], freq=1_000_000)}),
     "I2C screen: 1000000 Hz, and its chips take up to 400000"),
    (four(SEATS=5), "5 seats have 4 readers"),
    (four(SEATS=8), "SEATS is 8: a table has 2 to 7"),
    (four(LIGHTS={"pin": 33, "count": 3}), "4 seats have 3 lights"),
    (four(READERS=readers(FOUR, chip="rc663")), "the reader of seat 2: the firmware has no driver for a 'rc663'"),
    (four(READERS=readers(FOUR, spi="other")), "the reader of seat 2: there is no SPI bus other"),
    (four(SPI=bus(FOUR, "readers", baudrate=20_000_000)),
     "the reader of seat 1: a mfrc522 takes up to 10000000 bits a second"),
    (four(SPI=bus(FOUR, "readers", buffer=None)),
     "SPI readers: 4 readers share its miso without gates, and RC522 boards hold it low while they are not selected: "
     'add "buffer": "74lvc1g125"'),
    (four(SPI=bus(FOUR, "readers", buffer="74hc999")),
     "SPI readers: gates of a '74hc999' are not known, only of a 74lvc1g125"),
    (four(SPI=bus(FOUR, "readers", baudrate=5_000_000)),
     "SPI readers: 5000000 bits a second on a bus that passes 4 seats: 1000000 at most"),
    (four(SPI=bus(FOUR, "readers", miso=35)),
     "SPI readers: pin 35 has no pull-up of its own, and miso needs one where nobody drives it"),
    (four(SPI=bus(FOUR, "readers", baudrate=0)), "SPI readers: 0 bits a second are none"),
    (four(SPI=bus(FOUR, "buttons", baudrate=-5)), "SPI buttons: -5 bits a second are none"),
    (four(SPI=bus(FOUR, "buttons", baudrate=80_000_000)), "SPI buttons: a 74HC165 takes up to 10000000 bits a second"),
    (four(READERS=readers(FOUR, gain=8)), "the reader of seat 2: a mfrc522 has gains 0 to 7, not 8"),
    (four(READERS=readers(FOUR, chip="pn532", gain=4)), "the reader of seat 2: a pn532 sets its gain by itself"),
    (four(READERS=readers(FOUR, select=None)),
     "the reader of seat 2 has to be selected by a pin or by an output, one of them"),
    (four(READERS=readers(FOUR, select=None, output=0)),
     "the reader of seat 2: there is no SELECT of which it could have an output"),
    (changed("esp32_devkit_7seat", READERS=readers(load("esp32_devkit_7seat"), output=0)), "2 readers have output 0"),
    (changed("esp32_devkit_7seat", SELECT={"chip": "74hc138", "address": (16, 17), "enable": 26}),
     "the reader of seat 5: 2 address pins do not reach output 4"),
    (changed("esp32_devkit_7seat", SELECT={"chip": "74hc999", "address": (16, 17, 25), "enable": 26}),
     "SELECT: the firmware has no driver for a '74hc999'"),
    (four(BUTTONS=with_(FOUR.BUTTONS, spi="readers")),
     "BUTTONS: a 74HC165 drives its data line all the time, so its bus can have no readers"),
    (four(BUTTONS=with_(FOUR.BUTTONS, spi="other")), "BUTTONS: there is no SPI bus other"),
    (four(BUTTONS=with_(FOUR.BUTTONS, chips=2)), "BUTTONS: 2 chips have 16 inputs, 4 seats need 20"),
    (four(BUTTONS=with_(FOUR.BUTTONS, sentinel=0b1111)), "BUTTONS: the sentinel 1111 is what a broken chain gives"),
    (four(BUTTONS=with_(FOUR.BUTTONS, sentinel=0)), "BUTTONS: the sentinel 0000 is what a broken chain gives"),
    (four(SCREEN=with_(FOUR.SCREEN, chip="paper")), "SCREEN: the firmware has no driver for a 'paper'"),
    (four(SCREEN=with_(FOUR.SCREEN, i2c="other")), "SCREEN: there is no I2C bus other"),
    (four(SCREEN=with_(FOUR.SCREEN, address=0x40)), "SCREEN: a ssd1306 has an address from 0x3c to 0x3d, not 0x40"),
    (four(SCREEN=with_(FOUR.SCREEN, height=32)),
     "SCREEN: 128 x 32 dots: eight lines of 21 letters need 128 x 64"),
    (s3(SCREEN=with_(S3.SCREEN, switch=with_(S3.SCREEN["switch"], channels=(0, 1, 2, 3, 4, 5)))),
     "SCREEN: 7 seats have 6 channels of the switch"),
    (s3(SCREEN=with_(S3.SCREEN, switch=with_(S3.SCREEN["switch"], channels=(0, 1, 2, 3, 4, 5, 5)))),
     "SCREEN: two screens are on one channel of the switch: (0, 1, 2, 3, 4, 5, 5)"),
    (s3(SCREEN=with_(S3.SCREEN, switch=with_(S3.SCREEN["switch"], channels=(1, 2, 3, 4, 5, 6, 8)))),
     "SCREEN: a switch has channels 0 to 7, not (1, 2, 3, 4, 5, 6, 8)"),
    (s3(SCREEN=with_(S3.SCREEN, switch=with_(S3.SCREEN["switch"], address=0x3C))),
     "SCREEN: a tca9548a has an address from 0x70 to 0x77, not 0x3c"),
    (four(WATCHDOG={"timeout_ms": 50}), "WATCHDOG: 50 ms, and only 2000 to 60000 make sense"),
    (four(MODULE="esp8266"),
     "MODULE 'esp8266' is not known: it is one of esp32-wroom-32, esp32-s3-wroom-1, esp32-wrover-e"),
]
WRONG_SHAPES = [
    (four(LIGHTS=None), "LIGHTS is missing"),
    (four(NAME=None), "NAME is missing"),
    (four(SEATS="four"), "SEATS is no int"),
    (four(LIGHTS={"pin": "33", "count": 4}), "LIGHTS: pin is '33', not a pin's number"),
    (four(LIGHTS={"count": 4}), "LIGHTS has no pin"),
    (four(LIGHTS=33), "LIGHTS is no dict"),
    (four(LIGHTS={"pin": 33, "count": 4, "colour": 3}), "LIGHTS has a colour, which nobody reads"),
    (four(BUZZER=None, BUZER={"pin": 4}),
     "nobody reads BUZER: a board has BUTTONS, BUZZER, COMPUTING, I2C, LIGHTS, MODULE, NAME, READERS, "
     "READER_RESET, SCREEN, SEATS, SELECT, SPI, TITLE, WATCHDOG, WIFI"),
    (four(SPI=bus(FOUR, "readers", sck=None)), "SPI readers has no sck"),
    (four(READERS=readers(FOUR, chip=None)), "the reader of seat 2 has no chip"),
    (s3(SCREEN=with_(S3.SCREEN, switch={"chip": "tca9548a"})), "the switch of SCREEN has no address"),
    (s3(SCREEN=with_(S3.SCREEN, switch=with_(S3.SCREEN["switch"], channels=(0, 1, 2, 3, 4, 5, True)))),
     "the switch of SCREEN: channels is (0, 1, 2, 3, 4, 5, True), not channels"),
    (changed("esp32_devkit_7seat", SELECT={"chip": "74hc138", "address": ([16], 17, 25), "enable": 26}),
     "SELECT: address is ([16], 17, 25), not pins"),
    (four(READER_RESET=True), "READER_RESET is no int"),
    *((four(COMPUTING=factor), "COMPUTING says how many times as long the chip computes, up to 20, or is left out")
      for factor in (0, -1.5, 21, float("nan"), "1.5", True)),
]


@pytest.mark.parametrize(("board", "sentence"), WRONG_PINS + WRONG_PARTS + WRONG_SHAPES)
def test_a_wrong_board_is_told_what_and_why(board, sentence):
    assert sentence in check(board)


def test_a_board_may_say_how_slowly_its_chip_computes():
    assert all(check(four(COMPUTING=factor)) == [] for factor in (0.5, 1, 1.5, 20))


@pytest.mark.parametrize(("board", "sentence"), WRONG_PINS)
def test_a_wrong_pin_is_all_that_is_told(board, sentence):
    assert [found for found in check(board) if re.match(r"pin \d+ ", found)] == [sentence]


def test_a_strap_may_serve_what_rests_at_the_level_it_needs():
    """The virtual board selects readers with 5 and 15, which are pulled up, and its buzzer is pulled down on 2."""
    straps = {wire.pin: wire.rests_at for wire in find_wires(load(VIRTUAL)) if wire.pin in (2, 5, 15)}
    assert straps == {2: 0, 5: 1, 15: 1}


# --- pages ------------------------------------------------------------------------------------------------------------


def test_the_pages_and_pictures_are_what_is_written_from_the_boards():
    """`cardtable board docs` writes them, and there are no others."""
    written = docs.all_files([load(name) for name in BUILT])
    assert {path.name for path in (ROOT / docs.PAGES).iterdir()} == set(written)
    for file, text in written.items():
        assert (ROOT / docs.PAGES / file).read_text(encoding="utf-8") == text, file


@pytest.mark.parametrize("name", BUILT)
def test_the_picture_shows_every_pin_and_part(name):
    """Well-formed, and it fetches nothing."""
    board = load(name)
    picture = docs.files(board)[f"{name}.svg"]
    xml.dom.minidom.parseString(picture)
    assert not re.search(r"href|url\(|@import", picture)
    words = re.findall(r">([^<]+)</text>", picture)
    for wire in find_wires(board):
        assert str(wire.pin) in words and f"{wire.pin} {wire.signal}" in words, wire
    for seat in range(1, board.SEATS + 1):
        assert f"seat {seat}" in words


@pytest.mark.parametrize("name", BUILT)
def test_the_page_names_every_wire_part_and_milliampere(name):
    board = load(name)
    text = page.as_text(board)
    for wire in find_wires(board):
        assert re.search(rf"GPIO {wire.pin} .*{re.escape(wire.signal)} ", text), wire
    for chip in {reader["chip"] for reader in board.READERS}:
        assert chip.upper().removeprefix("MF") in text
    typical, most = power.rail(power.budget(board), "3.3 V")
    assert 100 < typical < most and f"{typical}" in text and f"{most}" in text


def count_ends(cell, kinds):
    """How many pins a cell of the table of wires names, and how many resistors: `every reader: SCK, 10 k to 3.3 V`."""
    ends = resistors = 0
    for one in cell.replace("other side", "B").split(", "):
        part, _, pins = one.rpartition(": ")
        resistors += re.match(r"[\d.]+ (k|Ohm) to ", one) is not None
        if part:
            is_all = part.rpartition(" to ")[2].removeprefix("every ")
            ends += len(pins.split()) * (kinds[is_all] if "every " in part else 1)
    return ends, resistors


@pytest.mark.parametrize("board", [*(load(name) for name in BUILT), mixed()], ids=[*BUILT, "mixed"])
def test_the_wires_of_the_page_are_all_those_of_the_netlist(board):
    """Each pin of each part, the supply's too, stands there once."""
    circuit = make_circuit(board)
    names = [re.sub(r"\d.*", "", name) for name in circuit.parts]
    kinds = {"reader": names.count("RD"), "light": names.count("LED"), "screen": names.count("DS"),
             "button": names.count("SW"), **Counter(circuit.parts.values())}
    ends = resistors = 0
    for pin, _, _, to in page.wiring(board)[1]:
        start, _ = count_ends(pin, kinds)
        others, small = count_ends(to, kinds)
        ends += start + others + (pin.startswith("GPIO") and to != "nothing")
        resistors += small * (start if " each" in to else 1)
    whole = [end for nodes in circuit.nets.values() for end in nodes if not re.fullmatch(r"[RC]\d+", end[0])]
    assert (ends, resistors) == (len(whole), names.count("R"))


@pytest.mark.parametrize("name", BUILT)
def test_the_picture_feeds_readers_and_screens_from_the_rail_that_the_netlist_has(name):
    board = load(name)
    nets = make_circuit(board).nets
    has_rail = "3V3_OUT" in nets
    assert has_rail == power.needs_regulator(board)
    words = re.findall(r">([^<]+)</text>", docs.files(board)[f"{name}.svg"])
    assert (f"regulator {REGULATOR}" in words, "3.3 V of the regulator" in words) == (has_rail, has_rail)
    fed = {part for part, _ in nets.get("3V3_OUT", ())}
    rails = {kind: rail for part, _, rail in supply.list_parts(board)
             for kind in ("reader", "screen", "74HC") if kind in part}
    assert (rails["reader"] != rails["74HC"]) == ("RD1" in fed) and (rails["screen"] != rails["74HC"]) == ("DS1" in fed)


def test_an_address_that_a_decoder_does_not_need_lies_at_ground():
    """Left open it would select another reader, or none."""
    board = four(SELECT={"chip": "74hc138", "address": (16, 17), "enable": 25},
                 READERS=tuple({"chip": "mfrc522", "spi": "readers", "output": seat} for seat in range(4)))
    assert check(board) == []
    assert re.search(r"74HC138: /E2 A2 E3 .* ground, ground, 3\.3 V", page.as_text(board))


def test_readers_partly_at_a_decoder_have_a_page_a_picture_and_a_netlist():
    """`check` allows it, and the firmware drives it. No two of their lines share a lane of the picture."""
    board = mixed()
    assert check(board) == [] and "74HC138 and pins" in page.index([board])
    picture = docs.files(board)["esp32_devkit_4seat.svg"]
    xml.dom.minidom.parseString(picture)
    words = re.findall(r">([^<]+)</text>", picture)
    assert {"Y0", "Y2", "16", "25", "A0", "/E1"} <= set(words)
    nets = make_circuit(board).nets
    assert ("U2", "15") in nets["select_1"] and ("U2", "13") in nets["select_3"]
    assert ("U1", "GPIO16") in nets["select_2"] and ("U1", "GPIO25") in nets["select_4"]


def test_power_is_what_is_known_of_seven_readers():
    """One field on takes 0.18 A of 3.3 V with seven readers."""
    loads = power.budget(load("esp32_devkit_7seat"))
    readers_ma = sum(one.typical_ma for one in loads if "reader" in one.what)
    assert round(readers_ma) in range(174, 181)


@pytest.mark.parametrize("name", BUILT)
def test_power_and_parts_count_the_same_chips_of_logic(name):
    """A gate a reader, each a chip of its own."""
    board = load(name)
    circuit = make_circuit(board)
    chips = sum(value.startswith("74") for value in circuit.parts.values()) + ("U3" in circuit.parts)
    load_of_chips = next(one for one in power.budget(board) if "logic chip" in one.what)
    assert load_of_chips.what.startswith(f"{chips} ") and load_of_chips.typical_ma == chips


@pytest.mark.parametrize("name", BUILT)
def test_f1_f3_f4_f11_the_page_has_the_parts_without_which_a_table_does_not_work(name):
    board = load(name)
    text = page.as_text(board)
    for wire in ("47 Ohm to every reader: SCK", "47 Ohm to every reader: MOSI", "every 74LVC1G125: Y, 10 k to 3.3 V",
                 "1 k to BC547: base", "piezo disc: A, 1 k to 5 V", "330 Ohm to light 1: DIN"):
        assert wire in text, wire
    counts = {part.what: part.count for part in parts_list.count_parts(board)}
    tenths = [count for what, count in counts.items() if what == "capacitor 100 nF"]
    logic = board.BUTTONS["chips"] + counts["74LVC1G125 bus buffer, SOT-23-5, on an adapter"]
    logic += counts.get("74HC138 decoder", 0)
    assert tenths == [logic] and counts["resistor 1 k"] == 2 and counts["capacitor 100 uF, 10 V"] == 1
    assert counts["NTAG213 tag, 25 mm or larger"] >= 60
    assert "gate: /OE = SS" in docs.files(board)[f"{name}.svg"]
    pulled = [part for part in parts_list.count_parts(board) if part.why == "MISO of the readers up"]
    assert len(pulled) == 1 and pulled[0].what == "resistor 10 k"


# --- the command ------------------------------------------------------------------------------------------------------


def test_cardtable_board(capsys, tmp_path):
    assert run(["board", "check"]) == RIGHT
    assert capsys.readouterr().out.splitlines()[0] == "esp32_devkit_4seat: right, 4 seats on 16 pins"
    assert run(["board", "check", "esp32s3_7seat"]) == RIGHT
    assert run(["board", "show", "esp32s3_7seat"]) == RIGHT
    assert "GPIO 47" in capsys.readouterr().out
    assert run(["board", "docs", "--to", str(tmp_path)]) == RIGHT
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["README.md", "seat_unit.svg", *(f"{name}.{kind}" for name in BUILT for kind in ("md", "net", "svg"))])
    capsys.readouterr()
    assert run(["board", "check", "round"]) == UNUSABLE
    assert capsys.readouterr().err.startswith("there is no board round in boards/: there are esp32_devkit_4seat, ")


def test_cardtable_board_of_a_wrong_board(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(load("esp32s3_7seat"), "BUZZER", {"pin": 19})
    for line in (["board", "check"], ["board", "show", "esp32s3_7seat"], ["board", "docs", "--to", str(tmp_path)],
                 ["board", "pcb", "esp32s3_7seat", "--to", str(tmp_path)]):
        assert run(line) == WRONG
        assert "esp32s3_7seat: pin 19 (buzzer): it belongs to USB" in capsys.readouterr().out
    monkeypatch.delattr(load("esp32s3_7seat"), "LIGHTS")
    assert run(["board", "pcb", "esp32s3_7seat", "--to", str(tmp_path)]) == WRONG
    assert capsys.readouterr().out == "esp32s3_7seat: LIGHTS is missing\n" and list(tmp_path.iterdir()) == []
