"""Draws the tracks of a board of two layers on a grid: one net after the other, each pad to what is drawn of its net.

A track is TRACK wide, so that two on neighbouring lines of the grid keep CLEARANCE. Ground is no track: it is the plane
of the back, which the drilled pads meet; a pad of the front gets a via of its own. Dijkstra's way over (x, y, layer).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from host_tools.base.errors import UnusableInput
from host_tools.maker.pcb.seat_board import GND, HEIGHT, OUTLINE, WIDTH, Outline, Part

GRID = 0.5
TRACK = 0.3
CLEARANCE = 0.2
VIA, VIA_DRILL = 0.8, 0.4
EDGE = 1.0
FRONT, BACK = 0, 1
_VIA_COST, _BACK_COST = 12, 3  # the ground plane should stay whole
_NEAR = TRACK / 2 + CLEARANCE
_Cell = tuple[int, int, int]


@dataclass
class Tracks:
    """segments: (x, y, x, y, layer, net), `track` wide or as `widths` has it by their number; vias: (x, y, net), with
    their width and hole."""

    segments: list[tuple[float, float, float, float, int, str]] = field(default_factory=list)
    vias: list[tuple[float, float, str]] = field(default_factory=list)
    track: float = TRACK
    via: float = VIA
    drill: float = VIA_DRILL
    widths: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Area:
    """A rectangle of copper on the front that is one net's own: it carries a part's heat away."""

    net: str
    left: float
    top: float
    right: float
    low: float


@dataclass
class Design:
    """A board as it is drawn; `planes`: (net, KiCad's name of the layer that it fills); `areas`: what else a net fills
    on the front; `notes`: (words, x, y) printed on it."""

    name: str
    title: str
    parts: list[Part]
    tracks: Tracks
    outline: Outline = OUTLINE
    planes: tuple[tuple[str, str], ...] = ((GND, "B.Cu"),)
    areas: tuple[Area, ...] = ()
    notes: tuple[tuple[str, float, float], ...] = ()

    @property
    def layers(self) -> tuple[str, ...]:
        """The copper, from the front to the back."""
        inner = tuple(layer for _, layer in self.planes if layer.startswith("In"))
        return "F.Cu", *inner, "B.Cu"


class Router:
    """The grid of one board; `owners` has the net of each cell that copper of it needs, "" where none may go."""

    def __init__(self, parts: list[Part]) -> None:
        self.columns, self.rows = round(WIDTH / GRID), round(HEIGHT / GRID)
        self.owners: dict[_Cell, set[str]] = {}
        self.wide: dict[_Cell, set[str]] = {}  # the same for a via, which needs more room
        self.soldered: set[tuple[int, int]] = set()  # where a via would drink the solder of a pad
        self.tracks = Tracks()
        self.pads: dict[str, list[list[_Cell]]] = {}
        self.ends: dict[_Cell, tuple[float, float]] = {}
        for x, y in OUTLINE.holes:
            self._claim(x, y, OUTLINE.head_mm / 2, OUTLINE.head_mm / 2, (FRONT, BACK), "")
        for part in parts:
            for pad, x, y, net in part.places():
                layers = (FRONT, BACK) if pad.drill else (FRONT,)
                self._claim(x, y, pad.width / 2, pad.height / 2, layers, net or "-")
                if not pad.drill:
                    self._keep_vias_off(x, y, pad.width / 2, pad.height / 2)
                if net:
                    column, row = round(x / GRID), round(y / GRID)
                    cells = [(column, row, layer) for layer in layers]
                    self.pads.setdefault(net, []).append(cells)
                    for cell in cells:
                        self.ends[cell] = (x, y)

    def _keep_vias_off(self, x: float, y: float, half_width: float, half_height: float) -> None:
        reach_x, reach_y = half_width + VIA / 2 + CLEARANCE, half_height + VIA / 2 + CLEARANCE
        for column in range(int((x - reach_x) / GRID), int((x + reach_x) / GRID) + 2):
            for row in range(int((y - reach_y) / GRID), int((y + reach_y) / GRID) + 2):
                if abs(column * GRID - x) < reach_x and abs(row * GRID - y) < reach_y:
                    self.soldered.add((column, row))

    def _claim(self, x: float, y: float, half_width: float, half_height: float, layers: tuple[int, ...],
               net: str) -> None:
        """Copper (or a hole) of that net lies there: others keep away."""
        for room, extra in ((self.owners, _NEAR), (self.wide, VIA / 2 + CLEARANCE)):
            reach_x, reach_y = half_width + extra - 1e-6, half_height + extra - 1e-6
            for column in range(int((x - reach_x) / GRID), int((x + reach_x) / GRID) + 2):
                for row in range(int((y - reach_y) / GRID), int((y + reach_y) / GRID) + 2):
                    if abs(column * GRID - x) < reach_x and abs(row * GRID - y) < reach_y:
                        for layer in layers:
                            room.setdefault((column, row, layer), set()).add(net)

    def _is_free(self, cell: _Cell, net: str, room: dict[_Cell, set[str]]) -> bool:
        column, row, _ = cell
        inset = EDGE / GRID
        if not (inset <= column <= self.columns - inset and inset <= row <= self.rows - inset):
            return False
        return not room.get(cell, set()) - {net}

    def _may_drill(self, column: int, row: int, net: str) -> bool:
        return (column, row) not in self.soldered and all(
            self._is_free((column, row, layer), net, self.wide) for layer in (FRONT, BACK))

    def find_way(self, starts: list[_Cell], goals: set[_Cell], net: str) -> list[_Cell]:
        """The cheapest way from one of the starts to one of the goals; no goals: to where a via may be. [] if none."""
        costs = dict.fromkeys(starts, 0)
        came: dict[_Cell, _Cell] = {}
        queue = [(0, cell) for cell in starts]
        heapq.heapify(queue)
        while queue:
            cost, cell = heapq.heappop(queue)
            if cost > costs[cell]:
                continue
            column, row, layer = cell
            if cell in goals or not goals and cell not in starts and self._may_drill(column, row, net):
                way = [cell]
                while cell in came:
                    cell = came[cell]
                    way.append(cell)
                return way[::-1]
            nexts = [((column + dx, row + dy, layer), _BACK_COST if layer else 1)
                     for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            if goals and self._may_drill(column, row, net):
                nexts.append(((column, row, 1 - layer), _VIA_COST))
            for other, step in nexts:
                if cost + step < costs.get(other, 1 << 30) and (
                        other in goals or self._is_free(other, net, self.owners)):
                    costs[other] = cost + step
                    came[other] = cell
                    heapq.heappush(queue, (cost + step, other))
        return []

    def _draw(self, way: list[_Cell], net: str) -> None:
        points = [(column * GRID, row * GRID, layer) for column, row, layer in way]
        for end in (0, -1):  # from the grid to the middle of the pad, which covers it
            if way[end] in self.ends:
                x, y = self.ends[way[end]]
                if (x, y) != points[end][:2]:
                    self.tracks.segments.append((x, y, *points[end], net))
        begun = points[0]
        for at in range(1, len(points)):
            (x, y, layer), (next_x, next_y, next_layer) = points[at - 1], points[at]
            if layer != next_layer:
                self._drill(x, y, net)
            turns = at + 1 < len(points) and (
                points[at + 1][2] != layer or (points[at + 1][0] - next_x, points[at + 1][1] - next_y)
                != (next_x - x, next_y - y))
            if layer == next_layer and (turns or at + 1 == len(points)):
                self.tracks.segments.append((begun[0], begun[1], next_x, next_y, layer, net))
                begun = points[at]
            elif layer != next_layer:
                begun = points[at]
        for x, y, layer in points:
            self._claim(x, y, TRACK / 2, TRACK / 2, (layer,), net)

    def _drill(self, x: float, y: float, net: str) -> None:
        self.tracks.vias.append((x, y, net))
        self._claim(x, y, VIA / 2, VIA / 2, (FRONT, BACK), net)

    def ground(self, cells: list[_Cell]) -> None:
        """A pad of the front gets a via to the plane. UnusableInput if there is no room."""
        if len(cells) > 1:
            return
        way = self.find_way(cells, set(), GND)
        if not way:
            raise UnusableInput("a pad of the ground has no room for its via")
        self._draw(way, GND)
        self._drill(way[-1][0] * GRID, way[-1][1] * GRID, GND)

    def join(self, net: str) -> None:
        """All pads of a net. UnusableInput if one cannot be reached."""
        first, *rest = self.pads[net]
        reached = set(first)
        waiting = list(rest)
        while waiting:
            way = self.find_way(list(reached), {cell for pad in waiting for cell in pad}, net)
            if not way:
                raise UnusableInput(f"net {net}: a pad cannot be reached by a track")
            self._draw(way, net)
            found = next(pad for pad in waiting if way[-1] in pad)
            waiting.remove(found)
            reached |= set(way) | set(found)


def route(parts: list[Part]) -> Tracks:
    """Every net of the board: ground first, then the shortest nets."""
    router = Router(parts)
    for cells in router.pads[GND]:
        router.ground(cells)

    def length(net: str) -> float:
        columns = [pad[0][0] for pad in router.pads[net]]
        rows = [pad[0][1] for pad in router.pads[net]]
        return max(columns) - min(columns) + max(rows) - min(rows)

    for net in sorted((net for net in router.pads if net != GND), key=lambda net: (length(net), net)):
        router.join(net)
    return router.tracks
