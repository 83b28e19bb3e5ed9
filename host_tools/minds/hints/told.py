"""A hint in words, for who plays: what to think of, then the play with its chance. Made aside: nothing here may run in
a server's loop, and its facts cross from one process to another.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import NO_CARD, Event, unpack, verb_name
from cardtable.games import cals_bs, malice
from host_tools.base.wording import Templates, read_words
from host_tools.judge.facts.bailiff import BailiffTable
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.judge.facts.durak import DurakTable
from host_tools.judge.facts.malice import MaliceTable
from host_tools.judge.sentences import Sentences
from host_tools.minds.analysis.sentences import percent
from host_tools.minds.hints.advice import Advice, advise
from host_tools.minds.hints.thoughts import think
from host_tools.minds.players.beginner_cals_bs import Plan
from host_tools.sight.seen import Seen
from host_tools.sight.viewer import KEYS, tell_move

FOLDER = Path(__file__).parent
_TABLES: dict[str, Any] = {
    "durak": DurakTable, "bailiff": BailiffTable, "malice": MaliceTable, "cals-bs": CalsBsTable}


def pack_seen(seen: Seen) -> tuple[Any, ...]:
    """The facts of a Seen without its module, for another process."""
    return (seen.game.NAME, seen.seat, seen.seats, seen.view, seen.hand, seen.at_ms, seen.moves, seen.waits, seen.log)


def unpack_seen(facts: tuple[Any, ...]) -> Seen:
    """The Seen of those facts."""
    return Seen(find_game(facts[0]), *facts[1:])


def hint_text(facts: tuple[Any, ...], names: Sequence[str], language: str) -> str:
    """The hint as JSON: `think`, sentences; `play`, a sentence; `move`, the act as a page sends it, or None."""
    return json.dumps(tell_hint(unpack_seen(facts), names, language), ensure_ascii=False)


def tell_hint(seen: Seen, names: Sequence[str], language: str) -> dict[str, Any]:
    """The same as data."""
    words, say = Sentences(seen.game, names, language), Templates(read_words(FOLDER, "hints", language), language)
    advice = advise(seen)
    if advice is None:
        return {"think": [say.say("nothing")], "play": say.say("nothing"), "move": None, "keys": []}
    thoughts = think(seen, advice.lie, words, say)
    return {"think": thoughts or [say.say("think.nothing")], "play": _play(seen, advice, words, say),
            "move": _as_move(seen, advice.packed, words), "keys": _keys(seen, advice.packed)}


def _as_move(seen: Seen, packed: int | None, words: Sentences) -> dict[str, Any] | None:
    """As the list of what can be done has it, by which a page finds it there."""
    if packed is None:
        return None
    return tell_move(words, seen.game, _state_of(seen), unpack(packed, seen.seat, 0, Event()))


def _keys(seen: Seen, packed: int | None) -> list[str]:
    """The button that says the act, where a card does not."""
    if packed is None or packed >> 8 & 255 != NO_CARD:
        return []
    state = _state_of(seen)
    return [key for at, key in enumerate(KEYS) if seen.game.button(state, seen.seat, at) == packed >> 16]


def _play(seen: Seen, advice: Advice, words: Sentences, say: Templates) -> str:
    """The play, and how it compares with the next best."""
    best = _name(seen, advice.plan if advice.plan is not None else advice.packed, words, say)
    if advice.is_only:
        return say.say("only", move=best)
    if advice.chance < 0:
        return say.say("bare", move=best)
    other = _name(seen, advice.other, words, say)
    if advice.is_exact:
        kind = "win" if advice.chance > 99 else "draw" if advice.chance > 49 else "lost"
        return say.say(f"exact.{kind}" + (".one" if advice.is_clear else ""), move=best, other=other)
    chance, other_chance = (percent(say, one) for one in (advice.chance, advice.other_chance))
    kind = "win" if seen.game is cals_bs else "two" if seen.game is malice or seen.seats == 2 else "out"
    key = "better" if advice.is_clear else "alike" if advice.chance >= advice.other_chance else "alike.less"
    told = say.say(key, move=best, chance=chance, other=other, other_chance=other_chance)
    return f"{told} {say.say('aim.' + kind)}"


def _name(seen: Seen, move: Any, words: Sentences, say: Templates) -> str:
    """A play as something to do."""
    if move is None:
        return say.say("wait")
    if isinstance(move, Plan):
        return _name_of_set(seen, move, words, say)
    if move not in seen.moves:
        return say.say("wait")
    event = unpack(move, seen.seat, 0, Event())
    state = _state_of(seen)
    return words.move(event.verb, event.card, event.target, state, seen.seat)


def _name_of_set(seen: Seen, plan: Plan, words: Sentences, say: Templates) -> str:
    """Cal's BS: what to lay, and what to say of it."""
    event = unpack(plan.word, seen.seat, 0, Event())
    if not plan.cards:
        return words.move(event.verb, NO_CARD, event.target, None, seen.seat)
    laid = " ".join(words.card(card) for card in plan.cards)
    name = verb_name(seen.game, event.verb)
    if name == "claim":
        return say.say("set", cards=laid, rank=words.rank(event.target))
    return say.say("set." + name, cards=laid, number=event.target)


def _state_of(seen: Seen) -> Any:
    """What the seat sees, as a state of the game, so that a lead is told from a card that is thrown in."""
    kind = _TABLES.get(seen.game.NAME)
    return kind(seen).state if kind else None
