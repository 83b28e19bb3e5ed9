"""Says why the better play of a moment was better, from few templates: each is a question about the position,
as its own seat saw it, that is either true or not. Where none is true nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.engine.deck import RANK, card_name
from cardtable.engine.event import NO_CARD, Event, find_verb
from cardtable.games import durak
from host_tools.judge.facts.durak import DurakTable
from host_tools.judge.sentences import Sentences
from host_tools.sight.seen import Seen

_ATTACK, _BEAT, _DONE, _TAKE = (find_verb(durak, name) for name in ("attack", "beat", "done", "take"))
HIGH = 9  # RANK of a jack: from there on a trump is a high one
Facts = dict[str, Any]


def beating(table: DurakTable, seen: Seen, target: int) -> list[int]:
    """The cards of the hand that beat the target."""
    return [card for card in seen.hand if table.fits(card, target)]


def keep_trump(table: DurakTable, seen: Seen, played: Event, better: Event) -> Facts | None:
    """To beat costs a high trump, nothing else beats it, and there is a stock to draw from."""
    if played.verb != _BEAT or better.verb != _TAKE or not table.stock:
        return None
    cards = beating(table, seen, played.target)
    is_dear = all(table.is_trump(card) and RANK[card] >= HIGH for card in cards)
    return {"card": played.target, "number": table.stock} if is_dear else None


def cheaper(table: DurakTable, seen: Seen, played: Event, better: Event) -> Facts | None:
    """The better card beats the same one and costs less."""
    if played.verb != _BEAT or better.verb != _BEAT or played.target != better.target:
        return None
    is_so = table.fits(better.card, better.target) and table.cost(better.card) < table.cost(played.card)
    return {"card": better.target, "other": better.card} if is_so else None


def spends_trump(table: DurakTable, seen: Seen, played: Event, better: Event) -> Facts | None:
    """What was played is a trump, and the better card is none."""
    if NO_CARD in (played.card, better.card) or not table.is_trump(played.card) or table.is_trump(better.card):
        return None
    return {"card": played.card}


def plain_beats(table: DurakTable, seen: Seen, played: Event, better: Event) -> Facts | None:
    """It was taken, and a card that is no trump beats it."""
    if played.verb != _TAKE or better.verb != _BEAT or table.is_trump(better.card):
        return None
    return {"card": better.target, "other": better.card} if table.fits(better.card, better.target) else None


def pair(table: DurakTable, seen: Seen, played: Event, better: Event) -> Facts | None:
    """The better lead is of a rank that the hand holds twice, the other is not: the second one can follow."""
    if played.verb != _ATTACK or better.verb != _ATTACK or table.attacks:
        return None
    ranks = [RANK[card] for card in seen.hand]
    is_so = ranks.count(RANK[better.card]) > 1 == ranks.count(RANK[played.card])
    return {"rank": RANK[better.card]} if is_so else None


def gift(table: DurakTable, seen: Seen, played: Event, better: Event) -> Facts | None:
    """The defender takes: what is thrown in goes into that hand."""
    if played.verb != _ATTACK or better.verb != _DONE or not table.is_taken:
        return None
    return {"card": played.card, "seat": table.defender}


def lower(table: DurakTable, seen: Seen, played: Event, better: Event) -> Facts | None:
    """Of two cards to attack with, none a trump, the better one is lower."""
    if played.verb != _ATTACK or better.verb != _ATTACK or table.is_trump(played.card) or table.is_trump(better.card):
        return None
    return {"card": played.card, "other": better.card} if table.cost(better.card) < table.cost(played.card) else None


# The first that is true is told.
REASONS: dict[str, Callable[[DurakTable, Seen, Event, Event], Facts | None]] = {
    "keep_trump": keep_trump, "spends_trump": spends_trump, "cheaper": cheaper, "plain_beats": plain_beats,
    "pair": pair, "gift": gift, "lower": lower,
}


def find_reason(seen: Seen, played: Event, better: tuple[Event, ...]) -> tuple[str, Facts] | None:
    """(key, facts) of the first template that is true; None: none is."""
    if seen.game is not durak or len(better) != 1:
        return None
    table = DurakTable(seen)
    for key, ask in REASONS.items():
        facts = ask(table, seen, played, better[0])
        if facts is not None:
            return key, facts
    return None


def say_reason(sentences: Sentences, words: Any, seen: Seen, played: Event, better: tuple[Event, ...]) -> str:
    """The reason as a sentence; empty where there is none."""
    found = find_reason(seen, played, better)
    if found is None:
        return ""
    key, facts = found
    told: Facts = {name: sentences.card(card_name(facts[name])) for name in ("card", "other") if name in facts}
    told.update({"rank": sentences.rank(facts["rank"])} if "rank" in facts else {})
    told.update({"seat": sentences.seat(facts["seat"])} if "seat" in facts else {})
    told.update({"stock": facts["number"]} if "number" in facts else {})
    return str(words.say(f"reason.{key}", **told))
