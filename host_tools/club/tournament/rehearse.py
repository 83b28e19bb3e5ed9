"""Plays what a table was ordered to play, with virtual players and no table, and seals the record as a table does.

For rehearsals of an evening and for tests: such a record goes the same way as one of a table.
"""

from __future__ import annotations

import hashlib

from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.record import Header, write_event
from cardtable.record.seal import NONCE, Sealed
from host_tools.base.random_play import Random, RandomGame
from host_tools.minds.players import find_player
from host_tools.minds.players.match import Match
from host_tools.club.tournament.deal import make_deck
from host_tools.club.tournament.orders import Order
from host_tools.club.tournament.plan import Plan

PLAYER = "beginner"  # the quickest one that plays every game


class Paper:
    """A journal that keeps its text."""

    def __init__(self) -> None:
        self.text = ""

    def open(self, header: Header) -> bool:
        """Begin with the header."""
        self.text = "".join(line + "\n" for line in header.lines())
        return True

    def write(self, line: str) -> bool:
        """One more line, or two."""
        self.text += line + "\n"
        return True


def table_key(table: str) -> bytes:
    """The key of a table that is not there."""
    return hashlib.sha256(b"rehearsal " + table.encode()).digest()


def play_order(order: Order, seed: int, key: bytes | None = None, plan: Plan | None = None) -> bytes:
    """The sealed record of that game. key: the table's. plan: for a duplicate deal, which the table then plays."""
    header, number = begin(order, seed)
    game = find_game(header.game[0])
    match = Match(game, header, [find_player(PLAYER)] * len(header.seats), number)
    if plan is not None and plan.is_duplicate:
        match.deck = make_deck(plan, order.round, order.game)[::-1]
    match.play()
    return seal(order, header, match.record().split("\n")[len(header.lines()):-1], key)


def play_at_random(order: Order, seed: int) -> bytes:
    """The sealed record of that game, played by nobody: each move is drawn from all that are legal. It takes a tenth of
    the time of players who look at their cards, which counts when a thousand tables play."""
    header, number = begin(order, seed)
    game = find_game(header.game[0])
    played, lines = RandomGame(game, header, Random(number)), []
    while played.step():
        lines.append(write_event(game, played.event))
    if not played.session.is_over():
        return play_order(order, seed)  # it grew too long: players end it
    return seal(order, header, [*lines, "result: " + played.session.result()])


def begin(order: Order, seed: int) -> tuple[Header, int]:
    """The header of that game, and the number from which its chance follows."""
    header, _ = read_header(line + "\n" for line in order.setup.split("\n"))
    name = f"{seed} {order.table} {order.round} {order.game}".encode()
    header.keys.append((NONCE, hashlib.sha256(b"nonce " + name).hexdigest()[:32]))
    return header, int.from_bytes(hashlib.sha256(name).digest()[:4], "big")


def seal(order: Order, header: Header, lines: list[str], key: bytes | None = None) -> bytes:
    """The record of these lines, as the table writes it."""
    paper = Paper()
    sealed = Sealed(paper, key or table_key(order.table))
    sealed.open(header)
    for line in lines:
        sealed.write(line)
    return paper.text.encode()
