"""The netlist of every board has each wire of its page, and each pin on one net."""

from collections import Counter

import pytest
from kinparse import parse_netlist

from host_tools.board.load import VIRTUAL, load, names
from host_tools.board.netlist import as_kicad, make_circuit
from host_tools.board.parts_list import count_parts
from host_tools.board.wires import find_wires

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
    assert pins == {f"GPIO{wire.pin}" for wire in find_wires(board) if wire.to != "nothing"} | {"3V3", "5V", "GND"}


@pytest.mark.parametrize("name", BUILT)
def test_the_parts_are_those_of_the_parts_list(name):
    board = load(name)
    counts = Counter(make_circuit(board).parts.values())
    listed = Counter()
    for part in count_parts(board):
        listed[part.what] += part.count
    for what, value in (("resistor 1 k", "1k"), ("resistor 47 Ohm", "47"), ("resistor 4.7 k", "4.7k"),
                        ("74HC165 shift register", "74HC165"), ("74HC125 bus buffer", "74HC125"),
                        ("WS2812B light", "WS2812B"), ("diode 1N4001", "1N4001")):
        assert counts[value] == listed[what], what
    assert counts["push button"] == 4 * board.SEATS
    assert counts["10k"] <= listed["resistor 10 k"] and counts["100nF"] == listed["capacitor 100 nF"] + board.SEATS


def test_a_readers_line_passes_the_gate_that_its_own_select_opens():
    """Pins as in the data sheet of the 74HC125."""
    nets = {net: set(nodes) for net, nodes in make_circuit(load("esp32s3_7seat")).nets.items()}
    assert {("RD6", "SS"), ("U21", "4")} <= nets["select_6"] and {("RD6", "MISO"), ("U21", "5")} <= nets["miso_6"]
    assert ("U21", "6") in nets["readers_miso"] and ("U21", "13") in nets["3V3"]
    assert {("U1", "GPIO42"), ("U10", "9")} == nets["chain_1"] and {("U10", "10"), ("U11", "9")} == nets["chain_2"]


@pytest.mark.filterwarnings("ignore")
def test_another_programs_reader_of_kicads_netlists_finds_the_same_parts_and_nets(tmp_path):
    """kinparse was written for KiCad's files and has seen none of ours. It takes its time, so one board will do."""
    circuit = make_circuit(load("esp32s3_4seat"))
    (tmp_path / "board.net").write_text(as_kicad(load("esp32s3_4seat")))
    found = parse_netlist(str(tmp_path / "board.net"))
    assert {part.ref: part.value for part in found.parts} == circuit.parts
    nets = {net.name: [(pin.ref, pin.num) for pin in net.pins] for net in found.nets}
    assert nets == circuit.nets


def test_the_file_is_balanced():
    text = as_kicad(load("esp32s3_4seat"))
    assert text.startswith("(export ") and text.count("(") == text.count(")")
    assert '(comp (ref "RD4") (value "MFRC522 reader board"))' in text
