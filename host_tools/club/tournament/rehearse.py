"""Plays what a table was ordered to play, with virtual players and no table, and seals the record as a table does.

For rehearsals of an evening and for tests: such a record goes the same way as one of a table.
"""

from __future__ import annotations

import hashlib

from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.record import Header
from cardtable.record.seal import NONCE, Sealed
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


def play_order(order: Order, seed: int, key: bytes | None = None, plan: Plan | None = None,
               player: str = PLAYER) -> bytes:
    """The sealed record of that game. key: the table's. plan: for a duplicate deal, which the table then plays."""
    header, _ = read_header(line + "\n" for line in order.setup.split("\n"))
    name = f"{seed} {order.table} {order.round} {order.game}".encode()
    number = int.from_bytes(hashlib.sha256(name).digest()[:4], "big")
    header.keys.append((NONCE, hashlib.sha256(b"nonce " + name).hexdigest()[:32]))
    game = find_game(header.game[0])
    match = Match(game, header, [find_player(player)] * len(header.seats), number)
    if plan is not None and plan.is_duplicate:
        match.deck = make_deck(plan, order.round, order.game)[::-1]
    match.play()
    paper = Paper()
    sealed = Sealed(paper, key or table_key(order.table))
    sealed.open(header)
    lines = match.record().split("\n")
    for line in lines[len(header.lines()) : -1]:
        sealed.write(line)
    return paper.text.encode()
