"""Plays Malice as a beginner: the payoff card first, then what brings it nearer; nothing that helps the other."""

from __future__ import annotations

from cardtable.engine.event import find_verb, pack
from cardtable.games import malice
from host_tools.minds.players.pace import NORMAL, TAP, Pace
from host_tools.judge.facts.malice import MaliceTable
from host_tools.sight.seen import Player, Seen

_CENTRE, _SIDE, _END = (find_verb(malice, name) for name in ("centre", "side", "end"))
_ACE = 1
_NEAR = 2  # so many ranks below the other's payoff card a pile is dangerous


def card_of(move: int) -> int:
    """The card of a packed move."""
    return move >> 8 & 255


def play_malice(player: Player, seen: Seen) -> tuple[int, Pace] | None:
    """The move and how long to think; None: no move now."""
    if not seen.is_waited_for:
        return None
    table = MaliceTable(seen)
    centre = seen.named(_CENTRE)
    payoff = [move for move in centre if card_of(move) == table.turned(seen.seat)]
    if payoff:
        return payoff[0], NORMAL
    step = find_step(seen, table, centre)
    if step:
        return step, TAP
    harmless = [move for move in centre if is_harmless(move, table)]
    if harmless:
        return min(harmless, key=lambda move: (table.is_hand_card(card_of(move)), move)), TAP
    sides = seen.named(_SIDE)
    plain = [move for move in sides if table.height(card_of(move))]
    if plain:
        return min(plain, key=lambda move: side_cost(move, table)), NORMAL
    # Its side piles are blocked. Two ends in a row without a card are the end of the game (M16): it lays what it can.
    for moves in (centre, sides, seen.named(_END)):
        if moves:
            return moves[0], NORMAL
    return None


def find_step(seen: Seen, table: MaliceTable, centre: list[int]) -> int:
    """The first card of the shortest way to the payoff card on some centre pile; 0 if there is none."""
    goal = table.height(table.turned(seen.seat))
    ways = [find_way(seen, table, pile, goal) for pile in range(1, 5)]
    for way, pile in sorted((way, pile) for pile, way in enumerate(ways, 1) if way):
        step = pack(_CENTRE, way[0], pile)
        if step in centre:
            return step
    return 0


def find_way(seen: Seen, table: MaliceTable, pile: int, goal: int) -> list[int]:
    """The cards that build this pile up to just below the goal, jokers last of all; empty if there are none."""
    hand = list(seen.hand)
    sides = [table.side(seen.seat, side) for side in range(1, 5)]
    way: list[int] = []
    for height in range(table.heights[pile - 1] + 1, goal):
        tops = [side[0] for side in sides if side]
        fitting = [card for card in tops + hand if table.height(card) == height]
        jokers = [card for card in tops + hand if not table.height(card)]
        if not fitting + jokers:
            return []
        card = (fitting + jokers)[0]
        way.append(card)
        if card in hand:
            hand.remove(card)
        else:
            sides = [side[1:] if side and side[0] == card else side for side in sides]
    return way


def is_harmless(move: int, table: MaliceTable) -> bool:
    """Whether it is no joker, and does not bring a pile near the other's payoff card. An ace has to go (M8)."""
    height = table.height(card_of(move))
    other = table.turned(table.next)
    if height == _ACE or not height:
        return height == _ACE
    gap = table.height(other) - height if other >= 0 else 0
    return not 0 < gap <= _NEAR


def side_cost(move: int, table: MaliceTable) -> tuple[int, int]:
    """Down on a pile that it has, else on the same rank, else a high card on a free place."""
    pile = table.side(table.seen.seat, move & 255)
    height = table.height(card_of(move))
    if not pile:
        return 2, -height
    return (0 if table.height(pile[0]) == height + 1 else 1 if table.height(pile[0]) == height else 3), -height
