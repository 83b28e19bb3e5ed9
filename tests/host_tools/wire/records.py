"""Sealed records of short games, and a director in memory: for tests of the network alone."""

import hashlib
from types import SimpleNamespace

from cardtable.engine.event import ABORT, Event
from cardtable.engine.reading import read_key
from cardtable.engine.record import write_event
from cardtable.games import durak
from cardtable.record.seal import Sealed
from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.judge.records.verify import INTACT, verify
from host_tools.club.wire import topics
from host_tools.club.tournament.rehearse import Paper

KEY = bytes(range(32))


def make_record(table="club-north-2", number=1, seed=1, events=6, **keys):
    """The sealed record of a game that the arbiter ended early."""
    header = make_header("durak throw-in", 2)
    nonce = hashlib.sha256(f"{table} {number} {seed}".encode()).hexdigest()[:32]
    for key, value in {"table": table, "match_game": number, **keys, "nonce": nonce}.items():
        read_key(header, f"{key}: {value}", 0)
    paper = Paper()
    sealed = Sealed(paper, KEY)
    sealed.open(header)
    game = RandomGame(durak, header, Random(seed))
    for left in range(events, -1, -1):
        assert game.choose()
        if not left:
            game.event = Event(0, ABORT, at_ms=game.event.at_ms)
        assert not game.session.play(game.event)
        sealed.write(write_event(durak, game.event))
    sealed.write("result: " + game.session.result())
    return paper.text.encode()


class Director:
    """Keeps records as the real one does: a set of (table, game, seal). What is in `kept` is durable."""

    def __init__(self):
        self.kept = {}
        self.disputed = []
        self.is_down = False
        self.asked = 0
        self.orders = {}

    def take(self, records):
        if self.is_down:
            raise OSError("the database is away")
        return [self.take_one(record) for record, _ in records]

    def take_one(self, record):
        self.asked += 1
        finding = verify(record)
        if finding.kind != INTACT:
            return SimpleNamespace(status=topics.REFUSED, reason="no intact record")
        keys = dict(line.split(": ", 1) for line in record.decode().split("\n\n")[0].split("\n")[1:])
        key = (keys["table"], int(keys["match_game"]))
        if self.kept.get(key) == record or record in self.disputed:
            return SimpleNamespace(status=topics.KNOWN, reason="")
        if key in self.kept:
            self.disputed.append(record)
            return SimpleNamespace(status=topics.DISPUTED, reason="another record of this game has come")
        self.kept[key] = record
        return SimpleNamespace(status=topics.COUNTED, reason="")
