"""The case of one seat for a printer: a shell with holes for keys and light and a frame for the reader, and its floor.

All in millimetres. Every face is upright or level, so a body is a set of cells between planes: its surface closes by
itself, and no library for solids is needed. Nobody has printed it yet.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

Box = tuple[float, float, float, float, float, float]  # x, y, z of one corner, then of the other
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Case:
    """Sizes in millimetres; the seat's player sits at y = 0."""

    wall: float = 2.0
    top: float = 1.6  # over the coil: every millimetre costs reach
    height: float = 24.0
    reader: tuple[float, float] = (60.0, 40.0)  # an RC522 board
    card: float = 66.0  # the slot's width: a card is 63
    key: float = 12.4  # the hole of a 12 mm key cap
    keys: int = 4
    key_pitch: float = 19.0
    light: float = 5.4  # the hole over a WS2812B
    rail: float = 1.2  # of the frame round the reader: how thick it is
    play: float = 0.5  # between a part and what holds it
    cable: tuple[float, float] = (14.0, 8.0)

    @property
    def width(self) -> float:
        return max(self.keys * self.key_pitch, self.card, self.reader[0] + 2 * self.play) + 2 * self.wall + 2

    @property
    def depth(self) -> float:
        return reader_at(self)[1] + self.reader[1] + 2 * self.play + self.rail + 1 + self.light + 4 + self.wall


def shell(case: Case) -> tuple[list[Box], list[Box]]:
    """(what is there, what is cut out of it) of the part that shows; it is printed upside down."""
    wall, width, depth = case.wall, case.width, case.depth
    solid: list[Box] = [(0, 0, 0, width, depth, case.height)]
    holes: list[Box] = [(wall, wall, 0, width - wall, depth - wall, case.height - case.top)]
    row = case.wall + 8
    first = width / 2 - case.key_pitch * (case.keys - 1) / 2
    for key in range(case.keys):
        x = first + key * case.key_pitch - case.key / 2
        holes.append((x, row, case.height - case.top, x + case.key, row + case.key, case.height))
    x, y = width / 2 - case.light / 2, depth - wall - 4 - case.light
    holes.append((x, y, case.height - case.top, x + case.light, y + case.light, case.height))
    slot_x, slot_z = width / 2 - case.cable[0] / 2, 0
    holes.append((slot_x, depth - wall, slot_z, slot_x + case.cable[0], depth, slot_z + case.cable[1]))
    return solid, holes


def frame(case: Case) -> list[Box]:
    """Four rails under the top, between which the reader is glued with its coil up."""
    x, y, _ = reader_at(case)
    wide, deep = case.reader[0] + 2 * case.play, case.reader[1] + 2 * case.play
    low, high, rail = case.height - case.top - 3, case.height - case.top, case.rail
    return [(x - rail, y - rail, low, x + wide + rail, y, high),
            (x - rail, y + deep, low, x + wide + rail, y + deep + rail, high),
            (x - rail, y, low, x, y + deep, high), (x + wide, y, low, x + wide + rail, y + deep, high)]


def reader_at(case: Case) -> Point:
    """The corner of the reader's room."""
    return (case.width - case.reader[0] - 2 * case.play) / 2, case.wall + 8 + case.key + 4, case.height - case.top


def floor(case: Case) -> tuple[list[Box], list[Box]]:
    """The plate that closes the shell from below, with a rim that fits into it."""
    wall, play = case.wall, case.play
    inner = wall + play
    solid = [(0.0, 0.0, 0.0, case.width, case.depth, wall),
             (inner, inner, wall, case.width - inner, case.depth - inner, wall + 3)]
    rim = inner + wall
    return solid, [(rim, rim, wall, case.width - rim, case.depth - rim, wall + 3)]


def bodies(case: Case) -> dict[str, list[tuple[Point, Point, Point]]]:
    """The triangles of each part, by the name of its file."""
    solid, holes = shell(case)
    return {"seat_shell": triangles(solid, holes, frame(case)), "seat_floor": triangles(*floor(case))}


def triangles(solid: list[Box], holes: list[Box], added: list[Box] | None = None) -> list[tuple[Point, Point, Point]]:
    """The closed surface of `solid` without `holes`, and with what is added after that."""
    added = added or []
    boxes = [*solid, *holes, *added]
    cuts = [sorted({value for box in boxes for value in (box[axis], box[axis + 3])}) for axis in range(3)]
    counts = [len(cut) - 1 for cut in cuts]

    def is_in(box: Box, cell: tuple[int, int, int]) -> bool:
        return all(
            box[axis] <= cuts[axis][cell[axis]] and cuts[axis][cell[axis] + 1] <= box[axis + 3] for axis in range(3)
        )

    cells = {
        (i, j, k) for i in range(counts[0]) for j in range(counts[1]) for k in range(counts[2])
        if any(is_in(box, (i, j, k)) for box in added)
        or any(is_in(box, (i, j, k)) for box in solid) and not any(is_in(box, (i, j, k)) for box in holes)
    }
    found: list[tuple[Point, Point, Point]] = []
    for cell in sorted(cells):
        for axis in range(3):
            for side in (0, 1):
                beside = tuple(at + (2 * side - 1) * (number == axis) for number, at in enumerate(cell))
                if beside not in cells:
                    found += face(cuts, cell, axis, side)
    return found


def face(cuts: list[list[float]], cell: tuple[int, ...], axis: int, side: int) -> Iterator[tuple[Point, Point, Point]]:
    """Two triangles of one side of a cell, anticlockwise from outside."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    corners = []
    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
        point = [0.0, 0.0, 0.0]
        point[axis] = cuts[axis][cell[axis] + side]
        point[second] = cuts[second][cell[second] + a]
        point[third] = cuts[third][cell[third] + b]
        corners.append((point[0], point[1], point[2]))
    if not side:
        corners.reverse()
    yield corners[0], corners[1], corners[2]
    yield corners[0], corners[2], corners[3]


def as_stl(body: list[tuple[Point, Point, Point]]) -> bytes:
    """A binary STL file.

    Its normals matter: Slic3r takes a file for text in which no byte of the first two triangles is above 127.
    """
    rows = [struct.pack("<12fH", *normal(triangle), *(value for point in triangle for value in point), 0)
            for triangle in body]
    return b"Cardtable seat unit, millimetres".ljust(80) + struct.pack("<I", len(rows)) + b"".join(rows)


def normal(triangle: tuple[Point, Point, Point]) -> Point:
    """The way out, of length 1: every face is upright or level."""
    one, two, three = triangle
    u, v = ([end[axis] - one[axis] for axis in range(3)] for end in (two, three))
    x, y, z = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = max(abs(x), abs(y), abs(z))
    return x / length, y / length, z / length


def draw(case: Case) -> str:
    """The top from above with its sizes, as SVG."""
    scale, edge = 5, 60
    width, depth = case.width * scale, case.depth * scale
    x, y, _ = reader_at(case)
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 2 * edge:g} {depth + 2 * edge:g}"'
            ' font-family="sans-serif" font-size="15">',
            '<rect width="100%" height="100%" fill="#fff"/>']

    def rectangle(box: tuple[float, float, float, float], style: str) -> None:
        left, top = edge + box[0] * scale, edge + depth - (box[1] + box[3]) * scale
        rows.append(f'<rect x="{left:g}" y="{top:g}" width="{box[2] * scale:g}" height="{box[3] * scale:g}" {style}/>')

    def write(at_x: float, at_y: float, text: str) -> None:
        place = f'x="{edge + at_x * scale:g}" y="{edge + depth - at_y * scale:g}"'
        rows.append(f'<text {place} text-anchor="middle">{text}</text>')

    rectangle((0, 0, case.width, case.depth), 'fill="#f3efe6" stroke="#333"')
    rectangle((x, y, *case.reader), 'fill="none" stroke="#06c" stroke-dasharray="6 4"')
    write(case.width / 2, y + case.reader[1] / 2, f"reader {case.reader[0]:g} x {case.reader[1]:g}, below the top")
    for hole in shell(case)[1][1:-1]:
        rectangle((hole[0], hole[1], hole[3] - hole[0], hole[4] - hole[1]), 'fill="#fff" stroke="#333"')
    write(case.width / 2, -8, f"{case.width:g} mm wide, {case.depth:g} deep, {case.height:g} high;"
          f" OK, NO, CALL, MENU {case.key:g} square")
    write(case.width / 2, case.depth + 3, f"light {case.light:g}; cable at the back")
    return "\n".join([*rows, "</svg>"]) + "\n"
