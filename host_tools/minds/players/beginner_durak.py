"""Plays Durak as a beginner: the lowest card that fits, and no trump as long as it can be helped."""

from __future__ import annotations

from cardtable.engine.deck import RANK
from cardtable.engine.event import find_verb
from cardtable.games import durak
from host_tools.minds.players.pace import HARD, NORMAL, TAP, Pace
from host_tools.judge.facts.durak import DurakTable
from host_tools.sight.seen import Player, Seen

_ATTACK, _BEAT, _TRANSFER, _SHOW, _DONE, _TAKE, _CHEAT, _CATCH = (
    find_verb(durak, name) for name in ("attack", "beat", "transfer", "show", "done", "take", "cheat", "catch")
)

_TEN = 8
_KING = 11
_TRUMP_COST = 20  # see DurakTable.cost
_CHEATS = 15  # of 100 times that it would have to take
_CATCHES = 35  # of 100 false cards that it could see


def card_of(move: int) -> int:
    """The card of a packed move."""
    return move >> 8 & 255


def play_durak(player: Player, seen: Seen) -> tuple[int, Pace] | None:
    """The move and how long to think; None: no move now."""
    table = DurakTable(seen)
    caught = catch(player, seen, table)
    if caught or not seen.is_waited_for:
        return caught
    if seen.seat == table.defender:
        return defend(player, seen, table)
    if not table.attacks:
        return open_bout(seen, table)
    return throw_in(seen, table)


def open_bout(seen: Seen, table: DurakTable) -> tuple[int, Pace]:
    """The cheapest card; of equal ones the rank of which it has more, to throw in the others."""
    ranks = [RANK[card] for card in seen.hand]

    def worth(move: int) -> tuple[int, int]:
        card = card_of(move)
        return table.cost(card), -ranks.count(RANK[card])

    return min(seen.named(_ATTACK), key=worth), NORMAL


def throw_in(seen: Seen, table: DurakTable) -> tuple[int, Pace] | None:
    """Cheap plain cards; dearer ones when the stock is gone, trumps only with the last two cards."""
    if table.stock:
        dearest = _TEN
    else:
        dearest = _TRUMP_COST + _KING if len(seen.hand) <= 2 else _TRUMP_COST - 1
    throws = [move for move in seen.named(_ATTACK) if table.cost(card_of(move)) <= dearest]
    if throws:
        return min(throws, key=lambda move: table.cost(card_of(move))), NORMAL
    done = seen.named(_DONE)
    if not done or (table.unbeaten and not table.is_taken and seen.waits[table.defender]):
        return None  # first it looks what the defender does
    return done[0], NORMAL


def defend(player: Player, seen: Seen, table: DurakTable) -> tuple[int, Pace] | None:
    """Shows a trump, transfers cheaply, beats cheaply; else takes."""
    shows = seen.named(_SHOW)
    if shows:
        return shows[0], NORMAL
    beats = seen.named(_BEAT)
    if any(not table.fits(card_of(move), move & 255) for move in beats):
        return cover_falsely(beats, table)
    plan = plan_beats(seen, table)
    beats_dearly = plan is None or is_too_dear([card for card, _ in plan], table)
    transfers = sorted(seen.named(_TRANSFER), key=lambda move: table.cost(card_of(move)))
    if transfers:
        price = table.cost(card_of(transfers[0]))
        if price < _TRUMP_COST or beats_dearly:
            return transfers[0], NORMAL
    if plan and not beats_dearly:
        card, target = plan[0]
        return find_beat(beats, card, target), TAP if len(plan) < len(table.attacks) else NORMAL
    cheat = seen.named(_CHEAT)
    if cheat and player.chance("cheat", table.attacks).below(100) < _CHEATS:
        return cheat[0], HARD
    take = seen.named(_TAKE)
    return (take[0], HARD) if take else None


def find_beat(beats: list[int], card: int, target: int) -> int:
    """The move that covers the target with the card."""
    return next(move for move in beats if card_of(move) == card and move & 255 == target)


def plan_beats(seen: Seen, table: DurakTable) -> list[tuple[int, int]] | None:
    """The cheapest card for each card to beat, the dearest first; None if they cannot all be beaten."""
    free = sorted(seen.hand, key=table.cost)
    plan = []
    for target in sorted(table.unbeaten, key=table.cost, reverse=True):
        card = next((card for card in free if table.fits(card, target)), None)
        if card is None:
            return None
        free.remove(card)
        plan.append((card, target))
    return plan


def is_too_dear(cards: list[int], table: DurakTable) -> bool:
    """Whether it rather takes: with cards in the stock it gives no high trump, and no two trumps at once."""
    trumps = [table.cost(card) - _TRUMP_COST for card in cards if table.is_trump(card)]
    if not table.stock or not trumps:
        return False
    is_early = table.stock > 2 * table.seats
    return is_early and (len(trumps) > 1 or max(trumps) > _TEN or len(table.beaten) == 0 and max(trumps) > _TEN - 2)


def cover_falsely(beats: list[int], table: DurakTable) -> tuple[int, Pace]:
    """It has pressed: the cheapest card goes over what it could not beat."""
    return min(beats, key=lambda move: (table.fits(card_of(move), move & 255), table.cost(card_of(move)))), HARD


def catch(player: Player, seen: Seen, table: DurakTable) -> tuple[int, Pace] | None:
    """Now and then it sees that a card on the table does not beat what lies under it."""
    if not table.is_cheating_allowed or table.is_partner(table.defender):
        return None
    for move in seen.named(_CATCH):
        card = card_of(move)
        target = next((attack for attack, cover in table.beaten.items() if cover == card), None)
        if target is not None and not table.fits(card, target):
            if player.chance("catch", card, target, table.stock).below(100) < _CATCHES:
                return move, NORMAL
    return None
