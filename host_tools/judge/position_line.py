"""A position as one line of text, which can be pasted and read again: docs/perft.md tells its parts.

    durak throw-in; 3 seats, dealer 3, first 1; hand1 6S 7S, attack1 9C; phase 1, attacker 1, defender 2; 12.5 s

Parts stand between semicolons: the `game:` line; the header; cards that do not lie where a set-up puts them; registers
that differ from what set-up and cards tell; the time. The registers' names are those of the game's source.
"""

from __future__ import annotations

import ast
import functools
import re
from types import ModuleType

from cardtable.catalogue import find_game
from cardtable.engine import state as shared
from cardtable.engine.deck import card_name, card_number
from cardtable.engine.reading import read_time
from cardtable.engine.record import Header, RecordError, SetupError, write_time
from cardtable.engine.session import Session
from cardtable.engine.state import DEALER, FIRST, MATCH_GAME, OWN, SEATS, State, find_place, place_name

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.project import ROOT
from host_tools.base.random_play import make_header
from host_tools.judge.perft import count_events

MOST_SEATS = 7
LONGEST = 200  # characters of a sentence that may quote the line
_OFFSET = re.compile(r"^(?:_?OWN \+ )(\d+)(?: \+ (\d+))?$")
_SHARED = {"outcome": shared.OUTCOME, "paused": shared.PAUSED, "unseen": shared.UNSEEN, "clock": shared.CLOCK}


@functools.cache
def registers(name: str, size: int) -> dict[str, tuple[int, int]]:
    """{name: (first register, one behind its last)} of a game with `size` registers: what its source calls `_ATTACKER`
    is `attacker`."""
    source = ROOT / "firmware" / "cardtable" / "games" / f"{name.replace('-', '_')}.py"
    starts = dict(_SHARED)
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and node.value.args:
            found = _OFFSET.match(ast.unparse(node.value.args[0]))
            if found and isinstance(node.targets[0], ast.Name):
                starts[node.targets[0].id.strip("_").lower()] = OWN + int(found[1]) + int(found[2] or 0)
    ends = sorted({*starts.values(), OWN, size})
    return {key: (at, ends[ends.index(at) + 1]) for key, at in starts.items()}


def fresh(session: Session, where: bytearray) -> State:
    """What set-up and cards alone tell of a position of this game: the counts follow from where the cards lie."""
    state = State(session.game.CARDS, session.game.REGISTERS)
    state.copy(session.state)
    state.where[:] = where
    session.game.recount(state)
    return state


def write_position(session: Session, header: Header, at_ms: int) -> str:
    """The line of the session's state; header: the one that it was set up with; at_ms: the time of its last event."""
    game, state = session.game, session.state
    bare = Session(game, header)
    cards: dict[str, list[str]] = {}
    for card, place in enumerate(state.where):
        if place != bare.state.where[card]:
            cards.setdefault(place_name(game, place), []).append(card_name(card))
    told = fresh(bare, state.where)
    values = []
    for name, (first, end) in registers(game.NAME, game.REGISTERS).items():
        kept = bytes(state.register[first:end])
        if kept != bytes(told.register[first:end]):
            values.append(f"{name} {kept[0] if end - first == 1 else kept.hex()}")
            told.register[first:end] = kept
    if not told.is_equal(state):
        raise UnusableInput("This position holds what its line cannot say.")
    head = f"{state.register[SEATS]} seats, dealer {state.register[DEALER]}"
    head += f", first {state.register[FIRST]}" if state.register[FIRST] else ""
    head += f", game {state.register[MATCH_GAME]}" if state.register[MATCH_GAME] > 1 else ""
    lying = ", ".join(" ".join([place, *names]) for place, names in cards.items())
    return "; ".join([" ".join(header.game), head, lying, ", ".join(values), f"{write_time(at_ms)} s"])


def read_position(line: str) -> tuple[Session, int]:
    """The session in that position, and its time in ms. UnusableInput: the line is none, or no such state can be."""
    try:
        said, head, lying, values, when = [part.strip() for part in line.split(";")]
        numbers = dict(word.split() if not word.endswith("seats") else word.split()[::-1] for word in head.split(", "))
        seats = foreign.read_number(numbers["seats"])
        if not 0 < seats <= MOST_SEATS:  # a header of so many names would take for ever
            raise ValueError(f"a table has 1 to {MOST_SEATS} seats")
        header = make_header(said, seats, foreign.read_number(numbers["dealer"]),
                             foreign.read_number(numbers.get("first", "0")))
        header.match_game = foreign.read_number(numbers.get("game", str(header.match_game)))
        session = Session(find_game(header.game[0]), header)
        game, where = session.game, bytearray(session.state.where)
        lies: set[int] = set()
        for part in filter(None, lying.split(", ")):
            place, *names = part.split()
            for name in names:
                card = _card(game, name)
                if card in lies:
                    raise ValueError(f"{name} lies in two places")
                lies.add(card)
                where[card] = _place(game, place)
        state = fresh(session, where)
        known = registers(game.NAME, game.REGISTERS)
        for part in filter(None, values.split(", ")):
            name, value = part.split()
            first, end = known[name]
            kept = bytes([foreign.read_number(value)]) if end - first == 1 else _bytes(value, end - first)
            state.register[first:end] = kept
        at_ms = read_time(when.removesuffix(" s"))
        if at_ms < 0:
            raise ValueError(f"{when} is no time")
    except KeyError as wrong:
        name = foreign.shorten(str(wrong.args[0]))
        raise UnusableInput(f"This is no position: {name} is missing or unknown.") from wrong
    except (ValueError, RecordError, SetupError) as wrong:
        raise UnusableInput(f"This is no position: {foreign.shorten(str(wrong), LONGEST)}.") from wrong
    session.state.copy(state)
    try:
        if game.audit(state):
            raise UnusableInput("This position cannot be: " + _say_audit(game, state) + ".")
        count_events(game, state, at_ms)
    except (IndexError, ValueError) as wrong:  # such as the turn of seat 35, or counts above 255
        raise UnusableInput("This position cannot be: one of its values names no seat, card or count of it.") from wrong
    return session, at_ms


def _card(game: ModuleType, name: str) -> int:
    card = card_number(name)
    if not 0 <= card < game.CARDS:
        raise ValueError(f"{name} is no card of it")
    return card


def _place(game: ModuleType, name: str) -> int:
    place = find_place(game, name)
    if place < 0:
        raise ValueError(f"{name} is no place of it")
    return place


def _bytes(text: str, length: int) -> bytes:
    value = bytes.fromhex(text)
    if len(value) != length:
        raise ValueError(f"{text} has not {length} bytes")
    return value


def _say_audit(game: ModuleType, state: State) -> str:
    wrong = game.audit(state)
    return ", ".join(words for bit, words in enumerate(game.AUDIT) if wrong >> bit & 1)
