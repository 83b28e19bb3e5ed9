"""Random games as a table with a key would have them: record, public feed and digest; seals that are made again."""

from cardtable.between.keys import give_nonce
from cardtable.engine.event import ABORT, Event
from cardtable.engine.record import write_event
from cardtable.engine.verdict import rule_id
from cardtable.games import durak
from cardtable.play.feed import Feed
from cardtable.record.seal import Sealed, find_nonce
from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.club.tournament.rehearse import Paper

KEY = bytes(range(32))


class Game:
    """A random game of Durak with refusals, as a table with that key would have it: record, public feed, digest.

    After `limit` events the arbiter ends it.
    """

    def __init__(self, seed, key=KEY, seats=3, limit=110):
        chance = Random(seed)
        header = make_header("durak throw-in", seats)
        give_nonce(header, key)
        self.nonce = find_nonce(header)
        paper = Paper()
        self.sealed = Sealed(paper, key)
        self.sealed.open(header)
        lines = []
        feed = Feed(durak, header, lines.append)
        feed.begin()
        game = RandomGame(durak, header, chance)
        while not game.session.is_over() and game.choose():
            if chance.below(4) == 0:
                self.refuse(game, feed, chance.below(36))
            limit -= 1
            if not limit:
                game.event = Event(0, ABORT, at_ms=game.event.at_ms)
            shows = durak.shows(game.session.state, game.event.verb)
            assert not game.session.play(game.event)
            self.sealed.write(write_event(durak, game.event))
            feed.accepted(game.event, shows)
        self.sealed.write("result: " + game.session.result())
        feed.end(game.session.result(), self.sealed.digest)
        self.digest = self.sealed.digest
        self.record = paper.text.encode()
        self.lines = self.record.split(b"\n")[:-1]
        self.public = ("\n".join(lines) + "\n").encode()

    def refuse(self, game, feed, card):
        """Somebody taps a card that may not come here, as the table would record it."""
        event = game.event
        kept = event.card
        event.card = card + 16
        verdict = game.session.judge(event)
        if verdict:
            rule = rule_id(durak, verdict)
            self.sealed.write(write_event(durak, event, rule))
            feed.refused(event, rule, "some words")
        event.card = kept


GAME = Game(1)
OTHER = Game(2)
SEALS = [number for number, line in enumerate(GAME.lines, 1) if line.startswith(b"~")]


def joined(lines):
    """Lines as a file."""
    return b"".join(line + b"\n" for line in lines)


def segments(game):
    """The record's lines in pieces, each with the seal that ends it."""
    found, begin = [], 0
    for number, line in enumerate(game.lines, 1):
        if line.startswith(b"~"):
            found.append(game.lines[begin:number])
            begin = number
    return found


def reseal(lines, key):
    """What a forger does with lines whose seals fit no more: make chain and seals again, with that key."""
    paper = Paper()
    sealed = Sealed(paper, key)
    sealed.resume([])
    for line in lines:
        if not line.startswith(b"~"):
            sealed.write(line.decode())
    return paper.text.encode(), sealed.digest
