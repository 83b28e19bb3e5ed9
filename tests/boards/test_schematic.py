"""The schematics of the seat board and of whole tables: every net by its name; what KiCad's ERC says, where it is."""

import re
import subprocess
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from host_tools.maker.board.load import load, names
from host_tools.maker.pcb import kicad, schematic
from host_tools.maker.pcb.pins import symbols_of_seat, symbols_of_table
from host_tools.maker.pcb.write import design, schematic_files

TABLES = names()


def keep_schematic(folder, name, symbols):
    """Write the project NAME of these parts; the path of its schematic."""
    for file, text in schematic_files(name, name, symbols):
        (folder / file).write_text(text)
    return folder / f"{name}.kicad_sch"


def seat():
    return symbols_of_seat(design().parts)


def check(folder, symbols):
    """What ERC says of these parts."""
    return kicad.check_schematic(keep_schematic(folder, "one", symbols), folder / "erc.json", lambda line: None)


@pytest.mark.parametrize("name", ["seat board", *TABLES])
def test_each_pin_has_a_label_a_cross_or_is_left_for_the_check(name):
    symbols = seat() if name == "seat board" else symbols_of_table(load(name))
    text = schematic.draw(symbols, name)
    assert text == schematic.draw(symbols, name) and text.count("(") == text.count(")")
    flags = len(re.findall(r'\(reference "#FLG', text))
    labels = Counter(re.findall(r'global_label "([^"]+)"', text))
    assert labels.total() == flags + sum(bool(pin.net) for one in symbols for pin in one.pins)
    assert all(count > 1 for count in labels.values()), labels
    assert text.count("(no_connect") == sum(not pin.net for one in symbols for pin in one.pins)
    stamps = re.findall(r"uuid (\S+)\)", text)
    assert len(set(stamps)) == len(stamps)
    places = re.findall(r"global_label \S+ \(shape passive\) \(at (\S+) (\S+)", text)
    assert len(set(places)) == len(places), "two labels in one place"


def test_what_drives_and_what_listens_is_told_by_the_chip():
    kinds = {(one.reference, pin.name): pin.kind for one in symbols_of_table(load("esp32s3_4seat")) for pin in one.pins}
    assert kinds["U21", "Y"] == "tri_state" and kinds["U21", "A"] == kinds["U10", "/PL"] == "input"
    assert kinds["U10", "Q7"] == kinds["RD1", "MISO"] == "output" and kinds["U1", "3V3"] == "power_out"
    whole = {(one.reference, pin.name): pin.kind for one in symbols_of_table(load("esp32_devkit_7seat"))
             for pin in one.pins}
    assert whole["U1", "GPIO34"] == "input" and whole["U1", "GPIO32"] == "bidirectional"


# --- with KiCad ---


@pytest.mark.kicad
@pytest.mark.everything
@pytest.mark.parametrize("name", ["seat board", *TABLES])
def test_erc_finds_nothing_and_reads_the_nets_that_were_drawn(name, tmp_path):
    symbols = seat() if name == "seat board" else symbols_of_table(load(name))
    assert check(tmp_path, symbols) == []
    netlist = tmp_path / "one.net"
    subprocess.run([kicad.COMMAND, "sch", "export", "netlist", "--output", str(netlist),
                    str(tmp_path / "one.kicad_sch")], capture_output=True, check=True)
    read = {}
    for row in netlist.read_text().split("(net ")[1:]:
        read[re.search(r'\(name "([^"]+)"', row)[1]] = set(re.findall(r'\(ref "([^"]+)"\)\s+\(pin "([^"]+)"', row))
    assert all(len(ends) == 1 for net, ends in read.items() if net.startswith("unconnected-"))
    read = {net: ends for net, ends in read.items() if not net.startswith("unconnected-")}
    drawn = {}
    for one in symbols:
        for pin in one.pins:
            if pin.net:
                drawn.setdefault(pin.net, set()).add((one.reference, pin.number))
    assert read == drawn


@pytest.mark.kicad
@pytest.mark.everything
def test_erc_names_an_open_input_a_net_without_a_second_end_and_readers_without_gates(tmp_path):
    """The check can fail."""
    broken = [replace(one, pins=tuple(
        replace(pin, net={"SS": "", "MISO": "ALONE"}.get(pin.net, pin.net)) if one.reference == "U1" else pin
        for pin in one.pins)) for one in seat()]
    found = " ".join(check(tmp_path, broken))
    assert "pin_not_connected" in found and "global_label_dangling" in found
    whole = load("esp32s3_4seat")
    board = SimpleNamespace(**{name: getattr(whole, name) for name in dir(whole) if name.isupper()})
    board.SPI = {bus: {name: pin for name, pin in row.items() if name != "buffer"} for bus, row in whole.SPI.items()}
    assert "pin_to_pin" in " ".join(check(tmp_path, symbols_of_table(board)))
