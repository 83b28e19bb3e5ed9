"""The netlist of every board has each wire of its page, and each pin on one net."""

import re
from collections import Counter

import pytest
from kinparse import parse_netlist

from host_tools.virtual.chip_rows import READERS, SCREENS, SWITCHES
from host_tools.maker.board.footprints import find_footprints, find_pads
from host_tools.maker.board.load import VIRTUAL, load, names
from host_tools.maker.board.netlist import as_kicad, make_circuit
from host_tools.maker.board.parts_list import count_parts
from host_tools.maker.board.wires import NOTHING, find_wires
from host_tools.base.errors import UnusableInput
from tests.boards.kicad import LIBRARY
from tests.boards.test_every_board import four, mixed

BUILT = [name for name in names() if name != VIRTUAL]


@pytest.mark.parametrize("name", BUILT)
def test_each_pin_is_on_one_net_and_each_net_leads_somewhere(name):
    circuit = make_circuit(load(name))
    uses = Counter(node for nodes in circuit.nets.values() for node in nodes)
    assert [node for node, count in uses.items() if count > 1] == []
    assert [net for net, nodes in circuit.nets.items() if len(nodes) < 2] == []
    assert {reference for nodes in circuit.nets.values() for reference, _ in nodes} == set(circuit.parts)


@pytest.mark.parametrize("name", BUILT)
def test_every_wire_of_the_page_is_a_net(name):
    """But for the buttons' mosi, which leads nowhere."""
    board = load(name)
    pins = {pin for nodes in make_circuit(board).nets.values() for reference, pin in nodes if reference == "U1"}
    assert pins == {f"GPIO{wire.pin}" for wire in find_wires(board) if wire.to != NOTHING} | {"3V3", "5V", "GND"}


@pytest.mark.parametrize("board", [*(load(name) for name in BUILT), mixed(), four(BUZZER=None)],
                         ids=[*BUILT, "mixed", "mute"])
def test_the_parts_are_those_of_the_parts_list(board):
    counts = Counter(make_circuit(board).parts.values())
    listed = Counter()
    for part in count_parts(board):
        listed[part.what] += part.count
    for what, value in (("resistor 1 k", "1k"), ("resistor 47 Ohm", "47"), ("resistor 2.2 k", "2.2k"),
                        ("74HC165 shift register", "74HC165"),
                        ("74LVC1G125 bus buffer, SOT-23-5, on an adapter", "74LVC1G125"),
                        ("WS2812B light", "WS2812B"), ("diode 1N4001", "1N4001"),
                        ("3.3 V regulator TLV1117LV33, 1 A, SOT-223, on an adapter", "TLV1117LV33")):
        assert counts[value] == listed[what], what
    assert counts["10uF"] == board.SEATS + listed["capacitor 10 uF"]
    assert counts["push button"] == 4 * board.SEATS
    assert counts["10k"] == listed["resistor 10 k"] and counts["100nF"] == listed["capacitor 100 nF"] + board.SEATS


@pytest.mark.parametrize(("what", "chips"), [("reader board", READERS), ("screen", SCREENS), ("board", SWITCHES)])
def test_each_chip_that_a_board_may_name_has_a_header_with_the_pins_of_its_kind(what, chips):
    """Also chips that no board of ours has."""
    pins = {"reader board": {"SS", "SCK", "MOSI", "MISO", "RST", "GND", "3.3V"}, "screen": {"GND", "VCC", "SCL", "SDA"},
            "board": {"VIN", "GND", "SDA", "SCL", "SC0", "SD7"}}[what]
    for name in chips:
        found = find_footprints("X1", f"{name.upper()} {what}")
        assert pins <= {pad for _, footprint in found for pad in footprint.pads}, name


def test_a_part_without_a_footprint_is_named():
    with pytest.raises(UnusableInput, match="SSD1327 screen: no footprint is known"):
        find_footprints("DS1", "SSD1327 screen")


def test_a_readers_line_passes_the_gate_that_its_own_select_opens():
    """H6: one gate a seat. Pins as in the data sheet of the 74LVC1G125."""
    nets = {net: set(nodes) for net, nodes in make_circuit(load("esp32s3_7seat")).nets.items()}
    assert {("RD6", "SS"), ("U26", "1")} <= nets["select_6"] and nets["miso_6"] == {("RD6", "MISO"), ("U26", "2")}
    assert ("U26", "4") in nets["readers_miso"] and ("U26", "5") in nets["3V3_OUT"] and ("U26", "3") in nets["GND"]
    assert {("U1", "GPIO42"), ("U10", "9")} == nets["chain_1"] and {("U10", "10"), ("U11", "9")} == nets["chain_2"]


def test_h5_a_buzzers_transistor_is_one_type_and_its_legs_are_that_types():
    """H5: of a 2N3904 collector and emitter change places. Philips' data sheet of the BC547: 1 C, 2 B, 3 E."""
    for name in BUILT:
        board = load(name)
        if getattr(board, "BUZZER", None):
            nets = make_circuit(board).nets
            assert [find_pads("Q1", "BC547", leg).__next__()[1] for leg in "CBE"] == [1, 2, 3]
            assert ("Q1", "E") in nets["GND"] and ("Q1", "C") in nets["buzzer"]
            assert not any("2N3904" in part.what for part in count_parts(board))


@pytest.mark.filterwarnings("ignore")
def test_another_programs_reader_of_kicads_netlists_finds_the_same_parts_and_nets(tmp_path):
    """kinparse was written for KiCad's files and has seen none of ours. It takes its time, so one board will do."""
    circuit = make_circuit(load("esp32s3_4seat"))
    (tmp_path / "board.net").write_text(as_kicad(load("esp32s3_4seat")))
    found = parse_netlist(str(tmp_path / "board.net"))
    parts = {part.ref: part.value for part in found.parts}
    assert parts.pop("U1A") == parts.pop("U1B") == circuit.parts["U1"]
    assert {"U1": circuit.parts["U1"], **parts} == circuit.parts
    nets = {net.name: {(pin.ref, pin.num) for pin in net.pins} for net in found.nets}
    assert nets["select_1"] == {("U1A", "4"), ("R4", "1"), ("RD1", "1"), ("U21", "1")}
    assert {("U1A", "1"), ("U1A", "2")} <= nets["3V3"]  # the S3's board leads 3.3 V out twice
    assert {("RD4", "8"), ("DS1", "2"), ("U4", "2")} <= nets["3V3_OUT"] and ("U4", "3") in nets["5V"]
    assert {name: len(nodes) for name, nodes in nets.items() if name not in ("3V3", "GND")} == {
        name: len(nodes) for name, nodes in circuit.nets.items() if name not in ("3V3", "GND")}


@pytest.mark.parametrize("name", BUILT)
def test_each_part_has_a_footprint_and_each_pin_a_pad_of_its_own(name):
    """Their names say how many pads they have: PinHeader_1x08, DIP-16."""
    circuit = make_circuit(load(name))
    places = [place for nodes in circuit.nets.values() for reference, pin in nodes
              for place in find_pads(reference, circuit.parts[reference], pin)]
    assert len(places) == len(set(places))
    for nodes in circuit.nets.values():
        for reference, pin in nodes:
            assert list(find_pads(reference, circuit.parts[reference], pin)), (reference, pin)
    footprints = dict(row for part in circuit.parts.items() for row in find_footprints(*part))
    assert {place for place, _ in places} == set(footprints)
    for place, pad in places:
        counted = re.search(r"_1x(\d+)_|DIP-(\d+)_|SOT-22?3-(\d)", footprints[place].name)
        most = int(counted[1] or counted[2] or counted[3]) if counted else 3 if "TO-92" in footprints[place].name else 2
        assert 1 <= pad <= most, (place, pad)


@pytest.mark.kicad
@pytest.mark.parametrize("name", BUILT)
def test_kicads_library_has_each_footprint_with_its_pads(name):
    circuit = make_circuit(load(name))
    places = [place for nodes in circuit.nets.values() for reference, pin in nodes
              for place in find_pads(reference, circuit.parts[reference], pin)]
    footprints = dict(row for part in circuit.parts.items() for row in find_footprints(*part))
    for place, footprint in footprints.items():
        library, _, own = footprint.name.partition(":")
        path = LIBRARY / f"{library}.pretty" / f"{own}.kicad_mod"
        assert path.exists(), footprint.name
        pads = set(re.findall(r'\(pad "(\w+)"', path.read_text()))
        assert {str(pad) for at, pad in places if at == place} <= pads, place


def test_the_file_is_balanced():
    text = as_kicad(load("esp32s3_4seat"))
    assert text.startswith("(export ") and text.count("(") == text.count(")")
    assert '(comp (ref "RD4") (value "MFRC522 reader board")' in text
    assert '(footprint "Connector_PinHeader_2.54mm:PinHeader_1x08_' in text
