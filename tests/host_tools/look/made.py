"""Records for the tests of looking: random games of every kind, twins that differ in what is hidden, and a game under a
table's seals.
"""

from cardtable.between.keys import give_nonce
from cardtable.record.seal import Sealed
from cardtable.engine.event import Event
from cardtable.engine.reading import read_header
from cardtable.engine.record import write_event
from host_tools.sight.recorded import Recorded
from host_tools.judge.records import public_record
from tests.conftest import ROOT
from tests.games.random_games import catalogue, count_games, first_seed
from tests.games.test_every_game import Refused, start_game
from tests.games.twins import telling_twins
from host_tools.club.tournament.rehearse import Paper

RECORDS = sorted((ROOT / "tests" / "records").glob("*/*.rec"))
SPADES = ROOT / "tests" / "records" / "durak" / "variant-japanese-spades.rec"
CHEATING = SPADES.with_name("variant-cheating.rec")
KEY = bytes(range(32))


def joined(lines):
    """Lines as a file."""
    return ("\n".join(lines) + "\n").encode()


def running(path, count=10_000):
    """The record of a game that is not over: without its result, and cut after so many lines."""
    lines = path.read_text().splitlines()
    return [line for line in lines[:count] if not line.startswith("result:")]


def random_records(count):
    """Random games of random mixes, played to their end or until nobody can play."""
    for game in catalogue():
        for seed in range(first_seed(), first_seed() + count_games(count, 0)):
            play = start_game(game, seed, Refused())
            lines = play.header.lines()
            while play.step():
                lines.append(write_event(game, play.event))
            if play.session.is_over():
                lines.append("result: " + play.session.result())
            yield Recorded(play.title, joined(lines))


def twins(game, wanted):
    """(seat, two records of a running game in which everything is equal that the seat and the public may know), so
    many times; the records are never the same."""
    event = Event()
    for play, seat, history, parts in telling_twins(game, wanted):
        found = []
        for cards in (bytearray(range(play.game.CARDS)), parts):
            lines = play.header.lines()
            for index in range(len(history.packed)):
                lines.append(write_event(game, history.event_of(index, cards, event)))
            found.append(Recorded("twin", joined(lines)))
        yield seat, found


def sealed(path, key=KEY):
    """(the record as a table with that key would have written it, its digest)."""
    lines = path.read_text().splitlines()
    header, length = read_header(line + "\n" for line in lines)
    give_nonce(header, key)
    paper = Paper()
    journal = Sealed(paper, key)
    journal.open(header)
    for line in lines[length:]:
        if line[:1] not in ";~":
            journal.write(line)
    return paper.text.encode(), journal.digest


def feed_of(content, digest=""):
    """[(line of the record, line of the feed)] with the header before it, as of line 0."""
    header, said = public_record.make_feed(content, digest)
    return [(0, line) for line in header] + said
