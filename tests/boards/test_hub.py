"""The hub: what it joins, that every net is one and keeps its distance; and what KiCad says of it where KiCad is."""

from collections import Counter
from types import SimpleNamespace

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.maker.board import power
from host_tools.maker.board.check import check
from host_tools.maker.board.load import load, names
from host_tools.maker.board.modules import MODULES
from host_tools.maker.board.netlist import make_circuit
from host_tools.maker.pcb import hub as hub_module
from host_tools.maker.pcb import write
from host_tools.maker.pcb.hub import PLANES, WIDE_NETS, Hub
from host_tools.maker.pcb.lanes import CLEARANCE, GRID, TRACK, VIA, WIDE, Lanes
from host_tools.maker.pcb.route import Tracks
from host_tools.maker.pcb.seat_board import C_0805, CABLE, GND, Footprint, Outline, Pad, Part
from tests.boards.test_pcb import compare_pads

ONE = "esp32s3_4seat"
READER = {"SS": "SS", "SCK": "SCK", "MOSI": "MOSI", "RST": "RST", "GND": GND, "3V3": "3.3V"}
LIGHT = {"DIN": "DIN", "DOUT": "DOUT", "4V3": "VDD"}


@pytest.mark.parametrize("name", names())
def test_hub_and_seat_boards_make_the_whole_table(name):
    """Each wire of each cable is on the net that the table's own circuit has for it; a reader's MISO is there behind
    its gate. What is not at a seat is on the hub, with the same nets; of resistors only those are left out that the
    seat boards have. Between 5 V and the module the hub has a diode."""
    board = load(name)
    circuit = make_circuit(board)
    nets = {(reference, pin): net for net, ends in circuit.nets.items() for reference, pin in ends}
    hub = Hub(board)
    parts = {part.reference: part for part in hub.place()}
    assert len(parts) == len(hub.parts)
    for seat in range(1, board.SEATS + 1):
        cable = parts[f"J{10 + seat}"]
        for number, wire in enumerate(CABLE, 1):
            want = nets.get((f"RD{seat}", READER.get(wire, ""))) or nets.get((f"LED{seat}", LIGHT.get(wire, ""))) \
                or nets.get((f"SW{seat}{wire}", "A")) or nets[f"U{20 + seat}", "4"] * (wire == "MISO")
            assert cable.nets.get(str(number), "") == want, (seat, wire)
    pulls = {reference for reference, value in circuit.parts.items() if value == "10k"
             and nets[reference, "1"] in {f"select_{seat}" for seat in range(1, board.SEATS + 1)}}
    for reference, value in circuit.parts.items():
        at_seat = reference.startswith(("RD", "SW", "LED")) or value == "74LVC1G125" or value in ("10uF", "100nF")
        if at_seat or reference in pulls or reference in ("U1", "U3", "J1", "C16", "D1") or value == "100uF":
            continue
        part = parts[reference]
        want = Counter("5V_MODULE" if (net, reference) == ("5V", "U4") else net
                       for (one, _), net in nets.items() if one == reference)
        assert set(part.nets.values()) == set(want), reference
    sockets = [parts[reference].nets for reference in hub_module.SOCKETS]
    assert {net for socket in sockets for net in socket.values()} == {
        "5V_MODULE" if net == "5V" else net for (one, _), net in nets.items() if one == "U1"}
    assert parts["F1"].nets == {"1": "5V_IN", "2": "5V"} and parts["J1"].nets == {"1": "5V_IN", "2": GND}
    assert parts["D1"].nets == {"1": "4V3", "2": "5V"} and parts["D2"].nets == {"1": "5V_MODULE", "2": "5V"}
    assert [ends for ends in circuit.nets["5V"] if ends[0] == "U1"] == [("U1", "5V")]  # D2 stands between


@pytest.mark.parametrize("name", names())
def test_readers_and_screens_have_a_regulator_wherever_the_modules_own_is_too_small(name):
    """docs/bring-up.md: on the S3 board with seven seats, and at a table that uses Wi-Fi."""
    board = load(name)
    is_needed = any("regulator of their own" in sentence for sentence in power.advice(board))
    assert is_needed is power.needs_regulator(board) is (name == "esp32s3_7seat" or hasattr(board, "WIFI"))
    parts = {part.reference: part for part in Hub(board).place()}
    outer = [parts[f"J{10 + seat}"].nets["2"] for seat in range(1, board.SEATS + 1)]
    outer += [part.nets["2"] for reference, part in parts.items() if reference.startswith("DS")]
    assert set(outer) == {"3V3_OUT" if is_needed else "3V3"} and CABLE[1] == "3V3"
    rails = {reference for reference, part in parts.items() if "3V3_OUT" in part.nets.values()}
    if is_needed:
        assert parts["U4"].nets == {"1": GND, "2": "3V3_OUT", "3": "5V_MODULE"}
        assert sum(reference[0] == "C" for reference in rails) == 1
        assert not rails & {"J2", "J3", *(reference for reference in parts if reference.startswith("U1"))}
    else:
        assert "U4" not in parts and not rails


def make_table(seats, *, has_screens, chips=0):
    """esp32s3_7seat with fewer seats: one screen, or one a seat; `chips`: 74HC165s."""
    whole = load("esp32s3_7seat")
    board = SimpleNamespace(**{name: getattr(whole, name) for name in dir(whole) if name.isupper()})
    board.SEATS, board.READERS, board.LIGHTS = seats, whole.READERS[:seats], {**whole.LIGHTS, "count": seats}
    board.BUTTONS = {**whole.BUTTONS, "chips": chips or -(-(seats + 1) // 2)}
    board.SCREEN = {name: said for name, said in whole.SCREEN.items() if name != "switch"}
    if has_screens:
        board.SCREEN["switch"] = {**whole.SCREEN["switch"], "channels": whole.SCREEN["switch"]["channels"][:seats]}
    assert check(board) == []
    return board


TABLES = {**{name: load(name) for name in names()}, **{
    f"{seats} seats, {('one screen', 'screens')[has_screens]}": make_table(seats, has_screens=has_screens)
    for seats in range(2, 8) for has_screens in (False, True)}}


@pytest.mark.parametrize("name", TABLES)
def test_no_part_lies_on_another_or_over_the_edge(name):
    hub = Hub(TABLES[name])
    boxes = []
    for part in hub.place():
        xs = [x + side * pad.width / 2 for pad, x, _, _ in part.places() for side in (-1, 1)]
        ys = [y + side * pad.height / 2 for pad, _, y, _ in part.places() for side in (-1, 1)]
        margin = 3.5 if "IDC" in part.footprint.name else 0.4  # its box is 4.3 mm wider than its pads on each side
        boxes.append((part.reference, min(xs) - margin, max(xs) + margin, min(ys) - margin, max(ys) + margin))
    for at, (one, left, right, top, low) in enumerate(boxes):
        assert left > 0.5 and top > 0.5 and right < hub.outline.width - 0.5 and low < hub.outline.height - 0.5, one
        for other, other_left, other_right, other_top, other_low in boxes[at + 1:]:
            assert right <= other_left or other_right <= left or low <= other_top or other_low <= top, (one, other)


@pytest.fixture(scope="module")
def design():
    return write.design_hub(load(ONE))[0]


def span(one, other, at):
    low, high = sorted((one[at], one[at + 2]))
    other_low, other_high = sorted((other[at], other[at + 2]))
    return max(0.0, other_low - high, low - other_high)


def test_tracks_keep_their_distance_and_power_is_wide(design):
    tracks = design.tracks
    lines = [(one, tracks.widths.get(number, TRACK)) for number, one in enumerate(tracks.segments)]
    lines = [(one, width) for one, width in lines if one[0] == one[2] or one[1] == one[3]]
    lines += [((x, y, x, y, layer, net), VIA) for x, y, net in tracks.vias for layer in (0, 1)]
    for at, (one, width) in enumerate(lines):
        for other, other_width in lines[at + 1:]:
            if one[4] == other[4] and one[5] != other[5]:
                gap = (span(one, other, 0) ** 2 + span(one, other, 1) ** 2) ** 0.5
                assert gap >= (width + other_width) / 2 + CLEARANCE - 1e-6, (one, other)
    lengths: Counter = Counter()
    for one, width in lines:
        if one[5] in WIDE_NETS:
            lengths[width] += abs(one[0] - one[2]) + abs(one[1] - one[3])
    assert lengths[WIDE] > 200 and lengths[TRACK] < 2, lengths
    for one, _ in lines:
        for x, y in design.outline.holes:  # a screw's washer lies on no track
            assert span(one, (x, y, x, y), 0) >= 3.5 or span(one, (x, y, x, y), 1) >= 3.5, one


def join_tracks(tracks, join):
    """Points of the same track; a branch may begin in the middle of one."""
    for x, y, to_x, to_y, layer, net in tracks.segments:
        count = round((abs(to_x - x) + abs(to_y - y)) / GRID) if x == to_x or y == to_y else 1
        for step in range(1, max(1, count) + 1):
            share = step / max(1, count)
            join((round(x + (to_x - x) * share, 4), round(y + (to_y - y) * share, 4), layer, net), (x, y, layer, net))
    for x, y, net in tracks.vias:
        join((x, y, 0, net), (x, y, 1, net))
        if net in PLANES:
            join((x, y, 0, net), net)


def test_every_net_is_one(design):
    """From pad to pad along tracks and vias; ground and 3.3 V by a hole of their own into their planes."""
    heads: dict = {}

    def head(node):
        while heads.setdefault(node, node) != node:
            node = heads[node]
        return node

    def join(one, other):
        heads[head(one)] = head(other)

    join_tracks(design.tracks, join)
    ends: dict[str, list] = {}
    for part in design.parts:
        for pad, x, y, net in part.places():
            if net:
                node = (part.reference, pad.number)
                for layer in (0, 1) if pad.drill else (0,):
                    join((x, y, layer, net), node)
                    join((round(round(x / GRID) * GRID, 4), round(round(y / GRID) * GRID, 4), layer, net), node)
                if pad.drill and net in PLANES:
                    join(node, net)
                ends.setdefault(net, []).append(node)
    assert len(ends) > 40
    for net, nodes in ends.items():
        assert len({head(node) for node in nodes}) == 1, net
        assert len(nodes) > 1, net
        assert net not in PLANES or head(nodes[0]) == head(net), net


def test_each_part_of_a_hub_can_be_ordered(design):
    rows = write.list_parts(design).splitlines()
    assert "J2 J3,2,PinSocket,Connector_PinSocket_2.54mm:PinSocket_1x22_P2.54mm_Vertical,Sullins,PPTC221LFBN-RC" in rows
    assert any(row.startswith("J11 J12 J13 J14,4,IDC-Header") for row in rows)
    assert all(part.maker and part.order for part in design.parts)
    assert sum(int(row.split('"')[-1].split(",")[1]) if '"' not in row else 1 for row in rows[1:]) == len(design.parts)


def test_a_net_that_pads_bar_is_named():
    """Three rows of pads around one of them."""
    ring = Footprint("x:ring", tuple(Pad(str(number), 1.27 * (number % 3), 1.27 * (number // 3), 1.2, 1.2, 0.6)
                                     for number in range(9)))
    parts = [Part("X1", "ring", ring, 10.16, 10.16, {"4": "A", **{str(number): f"N{number}" for number in range(9)
                                                                if number != 4}}),
             Part("C1", "100nF", C_0805, 20.32, 20.32, {"1": "A", "2": "A"})]
    with pytest.raises(UnusableInput, match="net A: a pad cannot be reached by a track"):
        Lanes(parts, Outline(40.64, 40.64, 3.2), (), ()).run()


def test_nets_in_each_others_way_are_drawn_again():
    """Three nets whose pads lie on a cross, without a way round: the edge is near."""
    dot = Footprint("x:dot", (Pad("1", 0, 0, 1.2, 1.2),))
    places = {"A": ((2.54, 6.35), (15.24, 6.35)), "B": ((8.89, 2.54), (8.89, 10.16)),
              "C": ((5.08, 2.54), (12.7, 10.16))}
    parts = [Part(f"{net}{end}", "dot", dot, x, y, {"1": net}) for net, ends in places.items()
             for end, (x, y) in enumerate(ends)]
    lanes = Lanes(parts, Outline(17.78, 12.7, 0.1, 0.1), (), ())
    tracks = lanes.run()
    assert {one[5] for one in tracks.segments} == set(places) and tracks.vias


def test_parts_on_each_other_on_a_screw_or_over_the_edge_are_named():
    outline = Outline(40, 40, 3.2)
    for places, why in (((20, 20, 21.8, 20), "C2 on C1"), ((20, 20, 7.5, 7.4), "C2 on the screw H1"),
                        ((20, 20, 38.2, 20), "C2 over the edge"), ((20, 20, 20, 22), "")):
        parts = [Part(f"C{at + 1}", "100nF", C_0805, *places[2 * at:2 * at + 2], {}) for at in (0, 1)]
        assert outline.find_collision(parts) == why


def test_a_table_for_which_the_hub_is_too_narrow_is_refused(monkeypatch):
    with pytest.raises(UnusableInput, match="esp32s3_7seat: its hub has no room: 6 logic chips, and 5 go"):
        Hub(make_table(2, has_screens=False, chips=6)).place()
    monkeypatch.setattr(hub_module, "_SWITCHED", 0.0)
    with pytest.raises(UnusableInput, match="esp32s3_7seat: its hub has no room: DS2 on J4"):
        Hub(make_table(4, has_screens=True)).place()


def test_each_module_has_the_distance_of_its_rows(monkeypatch):
    assert {module.devkit for module in MODULES.values()} == set(hub_module.ROWS_MM)
    monkeypatch.delitem(hub_module.ROWS_MM, "ESP32-S3-DevKitC-1")
    with pytest.raises(UnusableInput, match="two rows of pins of an ESP32-S3-DevKitC-1 are is not known"):
        Hub(load(ONE)).place()


def test_the_hub_is_that_of_the_board_that_was_given(monkeypatch):
    """Not of the one that its NAME says: people copy a board file. Nothing is routed, which takes its time."""
    monkeypatch.setattr(write, "Lanes", lambda *_: SimpleNamespace(run=Tracks))
    for pin, socket in ((14, "J2"), (47, "J3")):
        board = make_table(4, has_screens=False)
        board.BUZZER = {"pin": pin}
        hub, _ = write.design_hub.__wrapped__(board)
        assert hub.title == "Cardtable hub esp32s3_7seat"
        found = [part.reference for part in hub.parts if "buzzer_pin" in part.nets.values()]
        assert found[0] == socket


def test_a_table_without_gates_has_no_hub():
    spi: dict = {"bare": {}}
    board = SimpleNamespace(NAME="b", SPI=spi, READERS=({"chip": "mfrc522", "spi": "bare"},))
    with pytest.raises(UnusableInput, match="has no gates"):
        Hub(board)


# --- with KiCad ---


@pytest.mark.kicad
@pytest.mark.everything
@pytest.mark.parametrize("name", names())
def test_kicad_finds_nothing_wrong_with_the_hub_of_any_board(name, tmp_path, capsys):
    assert run(["board", "pcb", name, "--to", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "DRC of hub.kicad_pcb: 0 violations, 0 unconnected pads, 0 differences from the schematic" in said
    assert "ERC of hub.kicad_sch: 0 violations" in said
    gerbers = sorted(path.name for path in (tmp_path / "hub" / "gerber").iterdir())
    assert len([name for name in gerbers if name.endswith(".gbr")]) == 9 and "hub-PTH.drl" in gerbers
    for plane in ("hub-In1_Cu.gbr", "hub-In2_Cu.gbr"):
        assert "G36*" in (tmp_path / "hub" / "gerber" / plane).read_text()  # it is filled


@pytest.mark.kicad
@pytest.mark.everything
def test_every_pad_of_a_hub_is_where_kicads_own_library_has_it():
    for name in ("esp32s3_7seat", "esp32_devkit_7seat"):
        compare_pads(Hub(load(name)).place())
