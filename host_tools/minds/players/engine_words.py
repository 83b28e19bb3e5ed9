"""Writes the lines that a program which plays is told, and reads its answer (docs/engine-protocol.md)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD, Event, unpack
from cardtable.engine.record import verb_arguments, write_event
from cardtable.engine.state import HAND, STOCK, place_name
from host_tools.sight.seen import NO_VERB, Heard, Seen

MOST_AFTER_MS = 60_000  # the longest that an engine can say it thinks


def tell_game(line: str, seat: int, seats: int, seed: int) -> str:
    """The line that begins a game; line: the record's `game:` line. seed: the deal's own. What is told is drawn from
    it: who has the deal's knows every card (T11)."""
    own = int.from_bytes(sha256(f"dice {seed} {seat}".encode()).digest()[:4], "big")
    return f"game {line}; seat {seat}; seats {seats}; seed {own}"


def tell_heard(game: Any, said: Heard) -> str:
    """One event as the seat heard it: `see 2 draw ?`, `see 3 refused D14`."""
    if said.verb == NO_VERB:
        return f"see {said.seat} refused {said.rule}"
    event = Event(said.seat, said.verb, said.card, said.target, said.at_ms)
    words = write_event(game, event).split(" ")[1:]
    if said.card == NO_CARD and verb_arguments(game, said.verb)[:1] == "C":
        words[2] = "?"
    opened = "".join(f" {card_name(card)}" for card in said.opened)
    return "see " + " ".join(words) + (f"; opened{opened}" if opened else "")


def tell_position(seen: Seen) -> list[str]:
    """What the seat sees now: its hand, open cards by their places, whom the table waits for, the bytes of its view."""
    game = seen.game
    lying: dict[str, list[str]] = {}
    for card, place in enumerate(seen.view[: game.CARDS]):
        if place > STOCK and place != HAND + seen.seat:
            lying.setdefault(place_name(game, place), []).append(card_name(card))
    waits = {number: name.removeprefix("WAIT_").lower() for name, number in vars(game).items()
             if name.startswith("WAIT_") and isinstance(number, int)}
    waited = [f"{seat} {waits.get(wait, wait)}" for seat, wait in enumerate(seen.waits) if seat and wait]
    return [
        " ".join(["hand", *map(card_name, seen.hand)]),
        "lies " + ", ".join(" ".join([place, *cards]) for place, cards in lying.items()),
        "waits " + ", ".join(waited),
        "view " + seen.view.hex(),
    ]


def tell_moves(seen: Seen) -> list[str]:
    """Each move of the seat in words, `attack 7S`, in the order of seen.moves."""
    event = Event()
    told = []
    for packed in seen.moves:
        unpack(packed, seen.seat, seen.at_ms, event)
        told.append(write_event(seen.game, event).split(" ", 2)[2])
    return told


def read_answer(line: str, moves: list[str]) -> tuple[int, int]:
    """`play attack 7S`, `play 3`, with `after MS` behind it, or `wait`: (number of the move or -1, ms or -1).
    ValueError says what is wrong with it."""
    words = line.split()
    if words == ["wait"]:
        return -1, -1
    if not words or words[0] != "play":
        raise ValueError("it answers neither play nor wait")
    after_ms = -1
    if len(words) > 3 and words[-2] == "after":
        after_ms = int(words[-1]) if words[-1].isascii() and words[-1].isdecimal() and len(words[-1]) < 6 else -1
        if not 0 <= after_ms <= MOST_AFTER_MS:
            raise ValueError(f"after takes 0 to {MOST_AFTER_MS} ms")
        words = words[:-2]
    said = " ".join(words[1:])
    if said in moves:
        return moves.index(said), after_ms
    if said.isascii() and said.isdecimal() and len(said) < 6 and 1 <= int(said) <= len(moves):
        return int(said) - 1, after_ms
    raise ValueError("it plays what it may not")
