"""Gives thoughts before a play: at most two true sentences about this position, the weightiest first.

Each comes from a template whose facts the seat knows: its view, and what it remembers of the cards that were laid. A
template is used only where its predicate holds; tests count again what it says.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.base.wording import Templates
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts.bailiff import BailiffTable
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.judge.facts.durak import DurakTable
from host_tools.judge.facts.malice import MaliceTable
from host_tools.judge.sentences import Sentences
from host_tools.minds.players.worlds import make_memory
from host_tools.sight.seen import Seen

MOST = 2
_FEW = 2  # cards of a hand that is nearly empty


def think(seen: Seen, lie: float, words: Sentences, say: Templates) -> list[str]:
    """The sentences; lie: in Cal's BS, how likely the last set is false, or -1."""
    if seen.game is durak:
        found = _durak(seen, words, say)
    elif seen.game is cals_bs:
        found = _cals_bs(seen, lie, words, say)
    elif seen.game is bailiff:
        found = _bailiff(seen, words, say)
    elif seen.game is malice:
        found = _malice(seen, words, say)
    else:
        found = []
    return found[:MOST]


def count_trumps_out(seen: Seen) -> int:
    """Durak: trumps that other hands and the stock can hold; -1 where the seat has lost count."""
    memory = make_memory(durak)
    memory.recall(seen)
    if memory.is_lost:
        return -1
    trump = DurakTable(seen).trump
    hidden = [card for card in range(durak.CARDS) if seen.view[card] == durak_facts.STOCK and card not in seen.hand]
    return sum(SUIT[card] == trump and memory.known.get(card, 1) != 0 for card in hidden)


def _durak(seen: Seen, words: Sentences, say: Templates) -> list[str]:
    table = DurakTable(seen)
    found = []
    if seen.seat == table.defender and table.unbeaten and not table.is_taken:
        found += _of_defence(seen, table, words, say)
    found += _nearly_out(table.held, seen, words, say)
    if not table.stock:
        found.append(say.say("durak.no.stock"))
    if table.trump < 4:
        out = count_trumps_out(seen)
        if out == 0:
            found.append(say.say("durak.trumps.none"))
        elif out > 0:
            found.append(say.count("durak.trumps" if table.stock else "durak.trumps.held", out))
    if table.stock:
        found.append(say.count("durak.stock", table.stock))
    return found


def _of_defence(seen: Seen, table: Any, words: Sentences, say: Templates) -> list[str]:
    """What beats the first card that is not beaten."""
    target = table.unbeaten[0]
    beats = [card for card in seen.hand if table.fits(card, target)]
    card = words.card(target)
    if not beats:
        return [say.say("durak.none", card=card)]
    if len(beats) == 1:
        key = "durak.only.trump" if table.is_trump(beats[0]) and table.stock else "durak.only"
        return [say.say(key, card=card, beat=words.card(beats[0]))]
    plain = [one for one in beats if not table.is_trump(one)]
    if not plain and not table.is_trump(target):
        return [say.say("durak.trumps.only", card=card)]
    return [say.say("durak.cheapest", card=card, beat=words.card(min(beats, key=table.cost)))]


def _nearly_out(held: list[int], seen: Seen, words: Sentences, say: Templates) -> list[str]:
    """A player with few cards left."""
    few = [seat for seat in range(1, seen.seats + 1) if seat != seen.seat and 0 < held[seat] <= _FEW]
    return [say.count("few", held[seat]).replace("{seat}", words.seat(seat)) for seat in few[:1]]


def _cals_bs(seen: Seen, lie: float, words: Sentences, say: Templates) -> list[str]:
    table = CalsBsTable(seen)
    found = []
    # Of all fours the table knows it, and for "higher" there are no odds (C12, C13).
    if table.last and table.last != seen.seat and 0 <= lie <= 1 and not (table.is_fours or table.is_higher):
        key = "cals.false" if lie >= 1 else "cals.true" if lie <= 0 else "cals.lie"
        found.append(say.say(key, seat=words.seat(table.last), number=round(100 * lie)))
    found += _nearly_out(table.held, seen, words, say)
    if table.last and table.claim < JOKER:
        own = sum(RANK[card] == table.claim for card in [*seen.hand, *table.staged])
        found.append(say.say("cals.hold", number=own, rank=words.rank(table.claim)) if own
                     else say.say("cals.hold.none", rank=words.rank(table.claim)))
    elif not table.last:
        cards = [*seen.hand, *table.staged]
        rank = max(table.ranks, key=lambda one: sum(RANK[card] == one for card in cards))
        number = sum(RANK[card] == rank for card in cards)
        if number:
            found.append(say.say("most", number=number, rank=words.rank(rank)))
    return found


def _bailiff(seen: Seen, words: Sentences, say: Templates) -> list[str]:
    table = BailiffTable(seen)
    found = _nearly_out(table.held, seen, words, say)
    cards = [*seen.hand, *table.begun]
    if cards:
        rank = max(range(JOKER + 1), key=lambda one: sum(RANK[card] == one for card in cards))
        number = sum(RANK[card] == rank for card in cards)
        if number > 1 and rank < JOKER:
            front = table.front
            raises = not front or rank > RANK[front[0]] and number >= len(front)  # B5
            found.append(say.say("bailiff.most" if raises else "most", number=number,
                                 rank=words.rank(rank)))
    found.append(say.count("bailiff.stock", table.stock) if table.stock else say.say("bailiff.no.stock"))
    return found


def _malice(seen: Seen, words: Sentences, say: Templates) -> list[str]:
    table = MaliceTable(seen)
    found = []
    own, theirs = table.turned(seen.seat), table.turned(table.next)
    if own >= 0:
        found.append(say.say("malice.own", card=words.card(own)))
    if theirs >= 0:
        found.append(say.say("malice.theirs", seat=words.seat(table.next), card=words.card(theirs)))
    return found
