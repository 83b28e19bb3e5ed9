"""Draws the tracks of a board of four layers: signals on the outer two, ground and 3.3 V as whole planes between them.

A grid of 0.635 mm, a quarter of a header's pitch: a track of 0.25 mm and a via of 0.6 mm fill one cell each and keep
0.2 mm from what lies in the next one. A net takes the cheapest way; where only others are in its way it goes through
them, and they are drawn again, at a price for each cell that rises with every quarrel (negotiated congestion).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from host_tools.base.errors import UnusableInput
from host_tools.maker.pcb.route import BACK, FRONT, Area, Tracks
from host_tools.maker.pcb.seat_board import Outline, Part

GRID = 0.635
TRACK, VIA, VIA_DRILL = 0.25, 0.6, 0.3
CLEARANCE = 0.2
EDGE = 1.27
WIDE = 0.8
_BLOCKED = -1
_STEP, _ALONG, _VIA_COST = 2, 1, 14  # against and along the layer's direction: x on the front, y on the back
_QUARREL = 30
_ROOM = 6  # what a cell costs beside a wide track, or where a wide one would be narrow
_RISE = 4  # how much dearer a cell gets with each quarrel
_FAR = 1 << 60  # what no way costs
_MOST_ROUNDS = 4000  # a hub needs some eighty


def _walk_back(cell: int, came: dict[int, int]) -> list[int]:
    """The way that ends there, from its start."""
    way = [cell]
    while cell in came:
        cell = came[cell]
        way.append(cell)
    return way[::-1]


class Lanes:
    """The grid; a cell is (layer * rows + row) * columns + column."""

    def __init__(self, parts: Iterable[Part], outline: Outline, planes: tuple[str, ...], wide: tuple[str, ...],
                 areas: tuple[Area, ...] = ()) -> None:
        """planes: nets that fill a layer between the outer two; wide: nets whose tracks are WIDE where there is
        room, which others leave if they can; areas: where only their net may go on the front."""
        self.outline = outline
        self.planes = planes
        self.wide = wide
        self.columns, self.rows = int(outline.width / GRID) + 1, int(outline.height / GRID) + 1
        self.size = self.columns * self.rows
        self.static = [0] * (2 * self.size)  # the net whose pads alone may be met there, or _BLOCKED
        self.no_via = bytearray(self.size)
        self.owner = [0] * (2 * self.size)  # the net that is drawn there
        self.via_of = [0] * self.size
        self.price = [0] * (2 * self.size)
        self.names: list[str] = [""]
        self.numbers: dict[str, int] = {"": 0}
        self.pads: dict[int, list[list[int]]] = {}
        self.middles: dict[tuple[int, int], tuple[float, float]] = {}  # of (net, cell) the middle of its pad
        self.ways: dict[int, list[list[int]]] = {}
        self.robbed: set[int] = set()  # nets that the one drawn last went through
        self._close_edges()
        self.wide_nets = {self._number(name) for name in wide}
        for x, y in outline.holes:
            self._claim(x, y, outline.head_mm / 2, outline.head_mm / 2, (FRONT, BACK), _BLOCKED)
        for area in areas:
            self._claim((area.left + area.right) / 2, (area.top + area.low) / 2, (area.right - area.left) / 2,
                        (area.low - area.top) / 2, (FRONT,), self._number(area.net))
        for part in parts:
            for pad, x, y, name in part.places():
                net = self._number(name) if name else _BLOCKED
                layers = (FRONT, BACK) if pad.drill else (FRONT,)
                self._claim(x, y, pad.width / 2, pad.height / 2, layers, net)
                if name:
                    cells = [self._cell(round(x / GRID), round(y / GRID), layer) for layer in layers]
                    self.pads.setdefault(net, []).append(cells)
                    for cell in cells:
                        self.middles[net, cell] = (x, y)

    def _number(self, name: str) -> int:
        if name not in self.numbers:
            self.numbers[name] = len(self.names)
            self.names.append(name)
        return self.numbers[name]

    def _cell(self, column: int, row: int, layer: int) -> int:
        return (layer * self.rows + row) * self.columns + column

    def _close_edges(self) -> None:
        for column in range(self.columns):
            for row in range(self.rows):
                x, y = column * GRID, row * GRID
                if not (EDGE <= x <= self.outline.width - EDGE and EDGE <= y <= self.outline.height - EDGE):
                    for layer in (FRONT, BACK):
                        self.static[self._cell(column, row, layer)] = _BLOCKED
                    self.no_via[row * self.columns + column] = 1

    def _claim(self, x: float, y: float, half_width: float, half_height: float, layers: tuple[int, ...], net: int
               ) -> None:
        """Copper of that net, or a hole: tracks of others keep away, and every via does."""
        for extra, is_via in ((TRACK / 2 + CLEARANCE, False), (VIA / 2 + CLEARANCE, True)):
            reach_x, reach_y = half_width + extra - 1e-6, half_height + extra - 1e-6
            for column in range(int((x - reach_x) / GRID), int((x + reach_x) / GRID) + 2):
                for row in range(int((y - reach_y) / GRID), int((y + reach_y) / GRID) + 2):
                    if not (0 <= column < self.columns and 0 <= row < self.rows):
                        continue
                    if abs(column * GRID - x) >= reach_x or abs(row * GRID - y) >= reach_y:
                        continue
                    if is_via:
                        self.no_via[row * self.columns + column] = 1
                        continue
                    for layer in layers:
                        cell = self._cell(column, row, layer)
                        was = self.static[cell]
                        self.static[cell] = net if was in (0, net) else _BLOCKED

    def _may_drill(self, cell: int, net: int) -> bool:
        flat = cell % self.size
        if self.no_via[flat]:
            return False
        via_of, own = self.via_of, (0, net)
        return (via_of[flat - 1] in own and via_of[flat + 1] in own and via_of[flat - self.columns] in own
                and via_of[flat + self.columns] in own)

    def _around(self, cell: int) -> list[int]:
        """The eight cells beside it on its layer; it lies off the edge."""
        above, below = cell - self.columns, cell + self.columns
        return [above - 1, above, above + 1, cell - 1, cell + 1, below - 1, below, below + 1]

    def _has_room(self, cell: int, net: int) -> bool:
        """Whether a wide track may lie there."""
        static, owner = self.static, self.owner
        for near in self._around(cell):
            if static[near] and static[near] != net or owner[near] and owner[near] != net:
                return False
        return True

    def _cost(self, cell: int, net: int) -> int:
        """What it costs to lie there, beside the step; -1: it may not."""
        if self.static[cell] not in (0, net):
            return -1
        owner = self.owner[cell]
        cost = self.price[cell] + (_QUARREL if owner not in (0, net) else 0)
        return cost + _ROOM if net in self.wide_nets and not self._has_room(cell, net) else cost

    def find_way(self, starts: Iterable[int], goals: set[int], net: int, drills: bool = False) -> list[int]:
        """The cheapest way from one of the starts to one of the goals; `drills`: to where a via may be. [] if none.

        It looks at millions of cells, so that what `_cost` says of one stands here once more, without a call. The queue
        holds cost * both layers + cell: the cheapest first, of equals the first cell.
        """
        size, columns, both = self.size, self.columns, 2 * self.size
        static, owner, price, is_wide = self.static, self.owner, self.price, net in self.wide_nets
        costs, is_goal, came = [_FAR] * both, bytearray(both), dict[int, int]()
        for cell in goals:
            is_goal[cell] = 1
        queue = list(dict.fromkeys(starts))
        for cell in queue:
            costs[cell] = 0
        heapq.heapify(queue)
        while queue:
            cost, cell = divmod(heapq.heappop(queue), both)
            if cost > costs[cell]:
                continue
            if is_goal[cell] or drills and cost and self._may_drill(cell, net) and self._cost_of_via(cell, net) >= 0:
                return _walk_back(cell, came)
            is_back = cell >= size
            flat_step, upright_step = (_STEP, _ALONG) if is_back else (_ALONG, _STEP)
            for other, step in ((cell - 1, flat_step), (cell + 1, flat_step), (cell - columns, upright_step),
                                (cell + columns, upright_step)):
                total = cost + step
                if not is_goal[other]:
                    if static[other] and static[other] != net:
                        continue
                    total += price[other]
                    if owner[other] and owner[other] != net:
                        total += _QUARREL
                if is_wide and total < costs[other] and not is_goal[other] and not self._has_room(other, net):
                    total += _ROOM
                if total < costs[other]:
                    costs[other] = total
                    came[other] = cell
                    heapq.heappush(queue, total * both + other)
            other = cell - size if is_back else cell + size
            if not drills and cost + _VIA_COST < costs[other] and self._may_drill(cell, net):
                more = self._cost(other, net)
                if more >= 0 and cost + _VIA_COST + more < costs[other]:
                    costs[other] = cost + _VIA_COST + more
                    came[other] = cell
                    heapq.heappush(queue, costs[other] * both + other)
        return []

    def _cost_of_via(self, cell: int, net: int) -> int:
        other = cell - self.size if cell >= self.size else cell + self.size
        cost = self._cost(other, net)
        return cost if cost < _QUARREL else -1

    def draw(self, net: int) -> None:
        """Draw a net again, through others if it has to. UnusableInput if pads or holes alone bar it."""
        self.wipe(net)
        ways = self.ways.setdefault(net, [])
        if self.names[net] in self.planes:
            for pad in self.pads[net]:
                if len(pad) == 1:
                    way = self.find_way(pad, set(), net, drills=True)
                    if not way:
                        raise UnusableInput(f"net {self.names[net]}: a pad has no room for its via")
                    ways.append(way)
                    self._take(net, way)
                    self._drill(net, way[-1])
            return
        first, *waiting = self.pads[net]
        reached = set(first)
        while waiting:
            way = self.find_way(reached, {cell for pad in waiting for cell in pad}, net)
            if not way:
                raise UnusableInput(f"net {self.names[net]}: a pad cannot be reached by a track")
            ways.append(way)
            self._take(net, way)
            if self.names[net] in self.wide:
                for cell in way:
                    for near in self._around(cell):
                        self.price[near] += _ROOM
            for one, other in zip(way, way[1:], strict=False):
                if abs(one - other) == self.size:
                    self.via_of[one % self.size] = net
            found = next(pad for pad in waiting if way[-1] in pad)
            waiting.remove(found)
            reached |= set(way) | set(found)

    def _drill(self, net: int, cell: int) -> None:
        self.via_of[cell % self.size] = net
        self._take(net, [cell % self.size, cell % self.size + self.size])

    def _take(self, net: int, cells: Iterable[int]) -> None:
        for cell in cells:
            owner = self.owner[cell]
            if owner not in (0, net):
                self.robbed.add(owner)
                self.price[cell] += _RISE
            self.owner[cell] = net

    def wipe(self, net: int) -> None:
        """Take all of a net away."""
        for way in self.ways.pop(net, []):
            for cell in way:
                for layer_cell in (cell % self.size, cell % self.size + self.size):
                    if self.owner[layer_cell] == net:
                        self.owner[layer_cell] = 0
                if self.via_of[cell % self.size] == net:
                    self.via_of[cell % self.size] = 0

    def run(self) -> Tracks:
        """Every net: planes first, then the shortest. UnusableInput if they cannot all be had."""
        def length(net: int) -> int:
            flats = [pad[0] % self.size for pad in self.pads[net]]
            columns, rows = [flat % self.columns for flat in flats], [flat // self.columns for flat in flats]
            return max(columns) - min(columns) + max(rows) - min(rows)

        order = sorted(self.pads, key=lambda net: (self.names[net] not in self.planes, self.names[net] not in self.wide,
                                                   length(net), self.names[net]))
        waiting = list(order)
        rounds = 0
        while waiting:
            rounds += 1
            if rounds > _MOST_ROUNDS:
                raise UnusableInput(f"net {self.names[waiting[0]]}: no way without crossing another")
            net = waiting.pop(0)
            self.robbed = set()
            self.draw(net)
            for robbed in sorted(self.robbed):
                self.wipe(robbed)
                if robbed not in waiting:
                    waiting.append(robbed)
        return self._as_tracks()

    def _as_tracks(self) -> Tracks:
        tracks = Tracks(track=TRACK, via=VIA, drill=VIA_DRILL)
        for net, ways in self.ways.items():
            name = self.names[net]
            for way in ways:
                self._trace(tracks, way, net, name)
        for flat, net in enumerate(self.via_of):
            if net:
                tracks.vias.append((round(flat % self.columns * GRID, 4), round(flat // self.columns * GRID, 4),
                                    self.names[net]))
        return tracks

    def _trace(self, tracks: Tracks, way: list[int], net: int, name: str) -> None:
        points = [self._point(cell) for cell in way]
        for end in (0, -1):
            middle = self.middles.get((net, way[end]))
            if middle and middle != points[end][:2]:
                tracks.segments.append((*middle, *points[end], name))
        has_room = [net in self.wide_nets and self._has_room(cell, net) for cell in way]
        steps = [(points[at][2] == points[at - 1][2], way[at] - way[at - 1], has_room[at] and has_room[at - 1])
                 for at in range(1, len(way))]
        begun = 0
        for at, (is_along, _, is_wide) in enumerate(steps, 1):
            if not is_along:
                begun = at
            elif at == len(steps) or steps[at] != steps[at - 1]:
                if is_wide:
                    tracks.widths[len(tracks.segments)] = WIDE
                tracks.segments.append((*points[begun][:2], *points[at], name))
                begun = at

    def _point(self, cell: int) -> tuple[float, float, int]:
        flat = cell % self.size
        return round(flat % self.columns * GRID, 4), round(flat // self.columns * GRID, 4), int(cell >= self.size)
