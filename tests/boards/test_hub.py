"""The hub: what it joins, that every net is one and keeps its distance; and what KiCad says of it where KiCad is."""

from collections import Counter
from types import SimpleNamespace

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.maker.board.load import load, names
from host_tools.maker.board.netlist import make_circuit
from host_tools.maker.pcb import hub as hub_module
from host_tools.maker.pcb import write
from host_tools.maker.pcb.hub import PLANES, WIDE_NETS, Hub
from host_tools.maker.pcb.lanes import CLEARANCE, GRID, TRACK, VIA, WIDE, Lanes
from host_tools.maker.pcb.seat_board import C_0805, CABLE, GND, Footprint, Outline, Pad, Part
from tests.boards.test_pcb import compare_pads

ONE = "esp32s3_4seat"
READER = {"SS": "SS", "SCK": "SCK", "MOSI": "MOSI", "RST": "RST", "GND": GND, "3V3": "3.3V"}
LIGHT = {"DIN": "DIN", "DOUT": "DOUT", "4V3": "VDD"}


@pytest.mark.parametrize("name", names())
def test_hub_and_seat_boards_make_the_whole_table(name):
    """Each wire of each cable is on the net that the table's own circuit has for it; a reader's MISO is there behind
    its gate. What is not at a seat is on the hub, with the same nets; of resistors only those are left out that the
    seat boards have."""
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
        want = Counter(net for (one, _), net in nets.items() if one == reference)
        assert set(part.nets.values()) == set(want), reference
    sockets = [parts[reference].nets for reference in hub_module.SOCKETS]
    assert {net for socket in sockets for net in socket.values()} == {
        net for (one, _), net in nets.items() if one == "U1"}
    assert parts["F1"].nets == {"1": "5V_IN", "2": "5V"} and parts["J1"].nets == {"1": "5V_IN", "2": GND}
    assert parts["D1"].nets == {"1": "4V3", "2": "5V"}


@pytest.mark.parametrize("name", names())
def test_no_part_lies_on_another_or_over_the_edge(name):
    hub = Hub(load(name))
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
    return write.design_hub(ONE)[0]


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
    lanes = Lanes(parts, Outline(17.78, 12.7, 0.1), (), ())
    tracks = lanes.run()
    assert {one[5] for one in tracks.segments} == set(places) and tracks.vias


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
