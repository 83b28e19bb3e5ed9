"""Names the theme of a puzzle. Each theme is a question about the position that is either true or not."""

from __future__ import annotations

from typing import Any

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.engine.event import find_verb
from cardtable.engine.state import State
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.judge.facts import durak as durak_facts

_OTHERS = {malice: "last", bailiff: "out", cals_bs: "doubt"}
_ATTACK, _BEAT, _TRANSFER, _DONE, _TAKE = (
    find_verb(durak, name) for name in ("attack", "beat", "transfer", "done", "take")
)


def is_trump(state: State, card: int) -> bool:
    """Whether the card is a trump or a joker."""
    return RANK[card] == JOKER or SUIT[card] == state.register[durak_facts.TRUMP]


def name_theme(game: Any, state: State, seat: int, moves: list[int], answer: int) -> str:
    """One word; look.LANGUAGE.txt says it under puzzle.theme."""
    if game is not durak:
        return _OTHERS[game]
    if state.register[durak_facts.LEFT]:
        return "stock"
    verb, card = answer >> 16, answer >> 8 & 255
    others = [move >> 8 & 255 for move in moves if move != answer and move >> 8 & 255 < durak.CARDS]
    if any(RANK[one] == JOKER for one in others) and (card >= durak.CARDS or RANK[card] != JOKER):
        return "joker"
    named = {_TAKE: "take", _TRANSFER: "transfer", _DONE: "stop"}.get(verb)
    if named:
        return named
    if verb == _ATTACK and state.register[durak_facts.ATTACKS]:
        return "add"
    plain = [one for one in others if not is_trump(state, one)]
    if is_trump(state, card) and plain:
        return "spend"
    if verb == _ATTACK:
        return "trumps" if has_trumps(state, seat) else "lead"
    return "cheap"


def has_trumps(state: State, seat: int) -> bool:
    """Whether another hand holds a trump."""
    return any(8 < place < 16 and place != 8 + seat and is_trump(state, card)
               for card, place in enumerate(state.where[: durak.CARDS]))
