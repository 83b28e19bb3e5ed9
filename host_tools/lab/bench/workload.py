"""The work of the engine that is measured, the same under both interpreters.

`now()` is handed in and gives microseconds: of the processor's time where the interpreter can tell it, else of a clock.
"""

from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.session import Session
from host_tools.base.random_play import Random, RandomGame, make_header

REFUSED_TURNS = 20  # a refusal changes nothing, so it can be asked for again and again


class Recorded:
    """One record, parsed: its game, its header, its events, and which of them are refused."""

    def __init__(self, game, header):
        self.game = game
        self.header = header
        self.events = []
        self.is_refused = bytearray()


def read_recorded(path: str) -> Recorded:
    """Read one record. ValueError where a verdict is not what the record says: only what is right is measured."""
    with open(path, encoding="utf-8") as lines:
        return read_lines(lines, path)


def read_lines(lines, name: str) -> Recorded:
    """The same of a record's lines, which are not read again; it is told by that name."""
    header, number = read_header(lines)
    recorded = Recorded(find_game(header.game[0]), header)
    session = Session(recorded.game, header)
    at_ms = 0
    for line in lines:
        number += 1
        if line[0] in ";~" or line.startswith("result:"):
            continue
        event = Event(at_ms=at_ms)
        rules = read_event(recorded.game, line.strip(), number, event)
        at_ms = event.at_ms
        if (session.play(event) != 0) != bool(rules):
            raise ValueError("%s:%d: judged otherwise than the record says" % (name, number))
        recorded.events.append(event)
        recorded.is_refused.append(1 if rules else 0)
    return recorded


def event_lines(path: str) -> list:
    """The lines of a record that are events."""
    with open(path, encoding="utf-8") as lines:
        _, number = read_header(lines)
        return [line.strip() for line in lines if line[0] not in ";~" and not line.startswith("result:")]


def accepted(recorded: Recorded) -> list:
    """The events that are accepted; played alone they are so too, because a refusal changes nothing."""
    return [event for event, refused in zip(recorded.events, recorded.is_refused) if not refused]  # noqa: B905


def time_replay(recorded: Recorded, events: list, now) -> int:
    """Microseconds that setting the game up and playing the events takes."""
    begun = now()
    play = Session(recorded.game, recorded.header).play
    for event in events:
        play(event)
    return now() - begun


def time_refusals(recorded: Recorded, now) -> int:
    """Microseconds for every refused event of the record, REFUSED_TURNS times each."""
    spent = 0
    session = Session(recorded.game, recorded.header)
    play = session.play
    for index in range(len(recorded.events)):
        event = recorded.events[index]
        if not recorded.is_refused[index]:
            play(event)
            continue
        begun = now()
        for _ in range(REFUSED_TURNS):
            play(event)
        spent += now() - begun
    return spent


def time_parsing(game, lines: list, now) -> int:
    """Microseconds that reading the lines as events takes."""
    event = Event()
    begun = now()
    for line in lines:
        event.at_ms = 0
        read_event(game, line, 1, event)
    return now() - begun


class Played:
    """How much was played at random: whole games, decisions drawn from all moves, and all events (deals too)."""

    def __init__(self):
        self.games = 0
        self.decisions = 0
        self.events = 0
        self.us = 0


def play_random(mix: str, seats: int, games: int, now) -> Played:
    """Play games at random; `mix` is what the `game:` line says. ValueError if one comes to no end."""
    played = Played()
    game = find_game(mix.split()[0])
    header = make_header(mix, seats)
    for seed in range(1, games + 1):
        begun = now()
        one = RandomGame(game, header, Random(seed))
        result = one.play()
        played.us += now() - begun
        if not result:
            raise ValueError("%s, %d seats, seed %d: no end" % (mix, seats, seed))
        played.games += 1
        played.decisions += one.decisions
        played.events += one.events
    return played
