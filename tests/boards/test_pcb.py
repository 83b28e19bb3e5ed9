"""The seat board: parts, tracks and files by rule; and what KiCad says of it where KiCad is."""

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.maker.board.load import load
from host_tools.maker.board.netlist import make_circuit
from host_tools.maker.pcb import kicad, kicad_file, write
from host_tools.maker.pcb.picture import draw
from host_tools.maker.pcb.pins import symbols_of_seat
from host_tools.maker.pcb.route import CLEARANCE, TRACK, VIA, Design, route
from host_tools.maker.pcb.seat_board import (
    CABLE, CORNER, DOT, GND, HEIGHT, MARKS, OUTLINE, WIDTH, make_parts, require_kind,
)
from host_tools.virtual.chip_rows import READERS
from tests.boards.kicad import LIBRARY
from tests.boards.test_schematic import keep_schematic


@pytest.fixture(scope="module")
def parts():
    return write.design().parts


@pytest.fixture(scope="module")
def tracks():
    return write.design().tracks


@pytest.fixture
def no_kicad(monkeypatch):
    monkeypatch.setattr(kicad, "is_there", lambda: False)


def test_each_net_has_two_ends_and_the_wiring_is_that_of_the_table(parts):
    """The gate, its select line and the button's ground as in the netlist of a whole table."""
    nets: dict[str, set] = {}
    for part in parts:
        for number, net in part.nets.items():
            nets.setdefault(net, set()).add((part.reference, number))
    assert all(len(ends) >= 2 for ends in nets.values()), nets
    assert set(CABLE) == set(nets) - {"MISO_READER"}
    whole = make_circuit(load("esp32s3_4seat")).nets
    gate = {pin: next(net for net, ends in whole.items() if ("U21", pin) in ends) for pin in "12345"}
    assert gate == {"1": "select_1", "2": "miso_1", "3": GND, "4": "readers_miso", "5": "3V3_OUT"}
    unit = next(part for part in parts if part.reference == "U1")
    assert unit.nets == {"1": "SS", "2": "MISO_READER", "3": GND, "4": "MISO", "5": "3V3"}
    header = next(part for part in parts if part.reference == "J2")
    names = {"SS": "SS", "SCK": "SCK", "MOSI": "MOSI", "MISO": "MISO_READER", "RST": "RST", "GND": GND, "3.3V": "3V3"}
    for number, name in enumerate(READERS["mfrc522"].headers[0], 1):
        assert header.nets.get(str(number)) == names.get(name), name
    # In the cable clock and MISO have ground beside them.
    assert {CABLE[2], CABLE[4], CABLE[7]} == {GND} and (CABLE[3], CABLE[6]) == ("SCK", "MISO")


def distance(one, other) -> float:
    """Between two tracks of the grid, which run along x or y, from middle to middle."""
    def span(segment, at):
        return min(segment[at], segment[at + 2]), max(segment[at], segment[at + 2])

    gaps = []
    for at in (0, 1):
        (low, high), (other_low, other_high) = span(one, at), span(other, at)
        gaps.append(max(0.0, other_low - high, low - other_high))
    return (gaps[0] ** 2 + gaps[1] ** 2) ** 0.5


def test_tracks_of_two_nets_keep_their_distance_and_all_stay_on_the_board(tracks):
    """Half a track more than DRC asks is not needed; what is drawn within a pad is looked at by KiCad."""
    straight = [one for one in tracks.segments if one[0] == one[2] or one[1] == one[3]]
    for number, one in enumerate(straight):
        assert 0.5 < min(one[0], one[2]) and max(one[0], one[2]) < WIDTH - 0.5
        assert 0.5 < min(one[1], one[3]) and max(one[1], one[3]) < HEIGHT - 0.5
        for other in straight[number + 1:]:
            if one[4] == other[4] and one[5] != other[5]:
                assert distance(one, other) >= TRACK + CLEARANCE - 1e-6, (one, other)
    for x, y, net in tracks.vias:
        assert min(x, y, WIDTH - x, HEIGHT - y) > 1
        for other_x, other_y, other_net in tracks.vias:
            if net != other_net:
                assert ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5 >= VIA + CLEARANCE - 1e-6
        assert all(((x - hole_x) ** 2 + (y - hole_y) ** 2) ** 0.5 > 2 for hole_x, hole_y in OUTLINE.holes)


def test_no_via_lies_in_a_pad_that_is_soldered(parts, tracks):
    for part in parts:
        for pad, at_x, at_y, _ in part.places():
            for x, y, _ in tracks.vias:
                assert pad.drill or abs(x - at_x) > pad.width / 2 + VIA / 2 or abs(y - at_y) > pad.height / 2 + VIA / 2


@pytest.mark.everything
def test_the_tracks_are_the_same_each_time(parts, tracks):
    assert route(make_parts()) == tracks


def test_the_command_writes_all_that_needs_no_kicad(tmp_path, capsys, no_kicad):
    for name in ("one", "two"):
        assert run(["board", "pcb", "esp32s3_4seat", "--to", str(tmp_path / name)]) == 0
    assert "plotted by KiCad 9 or newer, which is not here" in capsys.readouterr().out
    found = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    files = sorted(str(path.relative_to(tmp_path / "one")) for path in found)
    kept = ["cardtable.kicad_sym", "seat_board.kicad_pro", "seat_board.kicad_sch", "sym-lib-table", "written.sha256"]
    whole = [f"table/{name.replace('seat_board', 'table')}" for name in kept]
    kept += ["bom.csv", "places.csv", "seat_board.kicad_pcb", "seat_board.svg"]
    hub = [f"hub/{name.replace('seat_board', 'hub')}" for name in kept]
    assert files == sorted([*kept, *hub, *whole])
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    text = (tmp_path / "one" / "seat_board.kicad_pcb").read_text()
    assert text.count("(") == text.count(")") and len(set(re.findall(r"tstamp (\S+)\)", text))) == text.count("tstamp")


def test_what_was_plotted_of_an_earlier_board_goes_away_and_what_is_not_ours_stays(tmp_path, no_kicad):
    line = ["board", "pcb", "esp32s3_4seat", "--to", str(tmp_path)]
    old = [tmp_path / "gerber" / "seat_board-F_Cu.gbr", tmp_path / "hub" / "gerber" / "hub-PTH.drl",
           tmp_path / "hub" / "drc.json", tmp_path / "table" / "erc.json"]
    for path in [*old, tmp_path / "gerber" / "order.zip"]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("old")
    assert run(line) == 0
    assert not any(path.exists() for path in old) and (tmp_path / "gerber" / "order.zip").exists()
    assert not (tmp_path / "table" / "gerber").exists()


@pytest.mark.parametrize("name", ["seat_board.kicad_pcb", "hub/hub.kicad_pcb", "table/table.kicad_sch"])
def test_a_board_that_somebody_changed_is_not_written_over(name, tmp_path, capsys, no_kicad):
    line = ["board", "pcb", "esp32s3_4seat", "--to", str(tmp_path)]
    assert run(line) == 0
    (tmp_path / "bom.csv").write_text("notes of a buyer")  # written anew as ever
    assert run(line) == 0 and "notes" not in (tmp_path / "bom.csv").read_text()
    changed = (tmp_path / name).read_text() + "moved"
    (tmp_path / name).write_text(changed)
    capsys.readouterr()
    assert run(line) == 2
    assert f"{tmp_path / name} is not as `board pcb` wrote it: somebody has changed it" in capsys.readouterr().err
    assert (tmp_path / name).read_text() == changed
    (tmp_path / name).unlink()
    assert run(line) == 0


def test_what_must_not_be_turned_round_is_marked_on_board_and_picture():
    """Every part with a first pad that matters: chips, connectors, diodes, a light, an electrolytic; on parts of two
    equal ends nothing."""
    for one in (write.design(), write.design_hub(load("esp32s3_4seat"))[0]):
        marked = {part.reference for part in one.parts if part.footprint.mark}
        assert marked == {part.reference for part in one.parts if part.reference[:2] in ("BZ", "DS", "C5")
                          and part.footprint.name.startswith(("Conn", "Capacitor_THT")) or part.reference[0] in "JUQ"
                          or part.reference[0] == "D"}
        board = kicad_file.as_board(one, {})
        dots, lines = board.count("(fp_circle (center -"), board.count("(fp_line ")
        kinds = [part.footprint.mark[0] for part in one.parts if part.footprint.mark]
        assert dots == kinds.count(DOT) > 2 and lines == sum(len(MARKS[kind]) for kind in kinds)
        silk = draw(one).count('fill="#f1f5f9"/>') + draw(one).count('stroke="#f1f5f9"')
        assert silk == dots + lines
    light = next(part.footprint for part in write.design().parts if part.reference == "D1")
    kind, x, y = light.mark
    assert kind == CORNER and min(light.pads, key=lambda pad: abs(pad.x - x) + abs(pad.y - y)).number == "3"
    assert 'antenna' in board and '>antenna<' in draw(one)


def test_each_part_has_its_courtyard_and_no_screw_lies_on_part_or_track(parts, tracks):
    assert OUTLINE.find_collision(parts) == ""
    board = kicad_file.as_board(write.design(), {})
    assert board.count('"F.CrtYd") (width') == len(parts) + len(OUTLINE.holes)
    for x, y in OUTLINE.holes:
        for from_x, from_y, to_x, to_y, *_ in tracks.segments:
            near_x, near_y = sorted((from_x, x, to_x))[1], sorted((from_y, y, to_y))[1]
            assert (near_x - x) ** 2 + (near_y - y) ** 2 >= 3.5 ** 2


def test_each_part_can_be_ordered_and_placed(parts):
    rows = list(csv.DictReader(io.StringIO(write.list_parts(write.design()))))
    assert sum(int(row["count"]) for row in rows) == sum(not part.reference.startswith("TP") for part in parts)
    assert all(row["manufacturer"] and row["manufacturer part number"] for row in rows)
    places = list(csv.DictReader(io.StringIO(write.list_places(write.design()))))
    assert {row["Ref"] for row in places} == {"U1", "C1", "C2", "C3", "C4", "R1", "D1"}
    assert all(0 < float(row["PosX"]) < WIDTH and 0 < float(row["PosY"]) < HEIGHT for row in places)


def test_the_picture_shows_every_pad_on_both_sides(parts, tracks):
    picture = draw(replace(write.design(), title="Seat <board>"))
    drilled = sum(bool(pad.drill) for part in parts for pad in part.footprint.pads)
    assert picture.count('fill="#d9b45b"') == sum(len(part.footprint.pads) for part in parts) + drilled
    assert "Seat &lt;board&gt;" in picture and ">J2<" in picture and ">SW4 MENU<" in picture


def test_a_table_that_the_seat_board_does_not_fit_is_refused(tmp_path, capsys):
    spi: dict = {"readers": {"buffer": "74lvc1g125"}, "bare": {}}
    for chip, bus, why in (("pn532", "readers", "header of an RC522"), ("mfrc522", "bare", "has no gates")):
        board = SimpleNamespace(NAME="b", SPI=spi, READERS=({"chip": chip, "spi": bus},))
        with pytest.raises(UnusableInput, match=why):
            require_kind(board)
    assert run(["board", "pcb", "nothing", "--to", str(tmp_path)]) == 2
    (tmp_path / "file").write_text("")
    assert run(["board", "pcb", "virtual", "--to", str(tmp_path / "file" / "below")]) == 2


# --- with KiCad ---


@pytest.mark.kicad
@pytest.mark.everything
def test_kicad_finds_nothing_wrong_and_plots_every_layer(tmp_path, capsys):
    assert run(["board", "pcb", "esp32s3_7seat", "--to", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "DRC of seat_board.kicad_pcb: 0 violations, 0 unconnected pads, 0 differences from the schematic" in said
    assert "ERC of seat_board.kicad_sch: 0 violations" in said and "ERC of table.kicad_sch: 0 violations" in said
    gerbers = sorted(path.name for path in (tmp_path / "gerber").iterdir())
    assert len([name for name in gerbers if name.endswith(".gbr")]) == 7 and "seat_board-PTH.drl" in gerbers
    drill = (tmp_path / "gerber" / "seat_board-NPTH.drl").read_text()
    assert drill.count("\nX") == len(OUTLINE.holes)
    assert "G36*" in (tmp_path / "gerber" / "seat_board-B_Cu.gbr").read_text()  # the ground is filled


@pytest.mark.kicad
@pytest.mark.everything
def test_kicad_names_a_track_that_is_missing_one_that_is_too_near_and_a_pad_on_another_net(tmp_path, parts):
    """The check can fail: a track taken away, a via put beside a pad of another net, a pad that the schematic joins
    elsewhere."""
    broken = route(parts)
    del broken.segments[next(at for at, one in enumerate(broken.segments) if one[5] == "MISO")]
    unit = next(part for part in parts if part.reference == "J1")
    broken.vias.append((unit.x + 1.27, unit.y, "MENU"))
    board = tmp_path / "board.kicad_pcb"
    board.write_text(kicad_file.as_board(Design("board", "broken", parts, broken), {}))
    symbols = [replace(one, pins=tuple(replace(pin, net="RST") if one.reference == "SW1" and pin.net == "OK" else pin
                                       for pin in one.pins)) for one in symbols_of_seat(parts)]
    keep_schematic(tmp_path, "board", symbols)
    found = " ".join(kicad.check_board(board, tmp_path / "drc.json", lambda line: None))
    assert "unconnected_items" in found and "clearance" in found and "net_conflict" in found


@pytest.mark.kicad
@pytest.mark.everything
def test_places_gerbers_and_holes_are_measured_from_the_same_corner(tmp_path, capsys):
    """Of both boards, as KiCad lists the places itself."""
    assert run(["board", "pcb", "esp32s3_4seat", "--to", str(tmp_path)]) == 0
    for name, folder in (("seat_board", tmp_path), ("hub", tmp_path / "hub")):
        subprocess.run([kicad.COMMAND, "pcb", "export", "pos", "--format", "csv", "--units", "mm", "--side", "front",
                        "--use-drill-file-origin", "--smd-only", "--output", str(tmp_path / "pos.csv"),
                        str(folder / f"{name}.kicad_pcb")], capture_output=True, check=True)
        theirs, ours = ([(row["Ref"], float(row["PosX"]), float(row["PosY"]), float(row["Rot"])) for row in
                         csv.DictReader(io.StringIO(path.read_text()))]
                        for path in (tmp_path / "pos.csv", folder / "places.csv"))
        assert sorted(theirs) == sorted(ours) and len(ours) > 5
        edge = (folder / "gerber" / f"{name}-Edge_Cuts.gbr").read_text()
        corners = {(int(x) / 1e6, int(y) / 1e6) for x, y in re.findall(r"X(-?\d+)Y(-?\d+)D0", edge)}
        assert min(corners) == (0, 0) and min(y for _, y in corners) == 0
        subprocess.run(["sha256sum", "--check", "written.sha256"], cwd=folder, check=True)  # of the one with its ground
        assert "\nX4.0Y4.0\n" in (folder / "gerber" / f"{name}-NPTH.drl").read_text()


def find_courtyard(text):
    """Left, top, right and low end of what KiCad's library draws as a footprint's courtyard."""
    ends = []
    for shape in re.findall(r'\(fp_\w+\s(?:(?!\(fp_|\(pad).)*?\(layer "F\.CrtYd"\)', text, re.DOTALL):
        found = re.findall(r"\((?:start|end|center|xy) ([-.\d]+) ([-.\d]+)\)", shape)
        points = [(float(x), float(y)) for x, y in found]
        if shape.startswith("(fp_circle"):
            (x, y), (to_x, to_y) = points
            reach = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
            points = [(x - reach, y - reach), (x + reach, y + reach)]
        ends += points
    xs, ys = [x for x, _ in ends], [y for _, y in ends]
    return tuple(round(end, 2) for end in (min(xs), min(ys), max(xs), max(ys)))


def compare_pads(parts):
    """Each pad of these parts lies where KiCad's own library has it, with its shape and hole; so does the courtyard."""
    for part in parts:
        library, _, name = part.footprint.name.partition(":")
        path = LIBRARY / f"{library}.pretty" / f"{name}.kicad_mod"
        assert path.exists(), path
        theirs = set()
        text = path.read_text()
        for number, shape, x, y, width, height, drill in re.findall(
                r'\(pad "?(\w+)"? \w+ (\w+)\s+\(at ([-.\d]+) ([-.\d]+)[^)]*\)\s+\(size ([.\d]+) ([.\d]+)\)'
                r'(?:\s+\(drill ([.\d]+)\))?', text):
            theirs.add((number, shape.removeprefix("round"), float(x), float(y),
                        float(width), float(height), float(drill or 0)))
        ours = {(pad.number, pad.shape, round(pad.x, 4), round(pad.y, 4), pad.width, pad.height, pad.drill)
                for pad in part.footprint.pads}
        assert ours == theirs, part.reference
        left, top, right, low = find_courtyard(text)
        assert all(abs(end - want) <= 0.011 for end, want in zip(part.footprint.courtyard, (left, top, right, low),
                                                                strict=True)), (part.footprint, left, top, right, low)


@pytest.mark.kicad
@pytest.mark.everything
def test_every_pad_is_where_kicads_own_library_has_it(parts):
    compare_pads(parts)


def test_a_kicad_that_fails_is_named_and_an_old_one_does_not_count(tmp_path, monkeypatch):
    old = tmp_path / "kicad-cli"
    old.write_text("#!/bin/sh\necho 6.0.11\n")
    old.chmod(0o755)
    monkeypatch.setattr(kicad, "PYTHON", shutil.which("true"))
    for command, is_new in ((str(old), False), (shutil.which("false"), False), ("no-such-kicad", False)):
        monkeypatch.setattr(kicad, "COMMAND", command)
        assert kicad.is_there.__wrapped__() is is_new
    old.write_text("#!/bin/sh\necho 9.0.8\n")
    monkeypatch.setattr(kicad, "COMMAND", str(old))
    assert kicad.is_there.__wrapped__()
    monkeypatch.setattr(kicad, "COMMAND", shutil.which("false"))
    with pytest.raises(UnusableInput, match="KiCad did not take it: it said nothing"):
        kicad.plot(tmp_path / "board.kicad_pcb", tmp_path / "gerber", ("F.Cu", "B.Cu"))
