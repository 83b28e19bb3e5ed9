"""Random games of random mixes of what a game's set-up may say, for the property tests.

How many games a test plays is its own number, unless the environment says CARDTABLE_GAMES=5000; CARDTABLE_SEED=7 begins
with another seed than 1. A failing game prints its seed, its `game:` line and how far it went: the same seed plays the
same game again, under CPython and MicroPython alike.
"""

import gc
import os
import sys

from cardtable.engine.record import write_time
from cardtable.engine.setup import TABLE_OPTIONS, SetupError, set_up
from host_tools.base.random_play import Random, RandomGame, make_header

IS_SMALL = sys.implementation.name == "micropython"
GAMES_FOLDER = __file__.rsplit("/", 3)[0] + "/firmware/cardtable/games"
UNASKED = 10  # of 100 events: accusations, and whatever else a seat may do that nobody waits for


def catalogue():
    """The modules of all games on the device, found by their files; under MicroPython one at a time has to fit.

    There a module is emptied when the next is asked for: who asks still has it in hand, and had both in the heap.
    """
    for name in sorted(os.listdir(GAMES_FOLDER)):
        if not name.endswith(".py") or name[0] == "_":
            continue
        name = name[:-3]
        full = "cardtable.games." + name
        package = __import__(full).games
        yield sys.modules[full]
        if IS_SMALL:
            module = sys.modules.pop(full)
            delattr(package, name)
            for own in dir(module):
                if not own.startswith("__"):
                    delattr(module, own)
            gc.collect()


def count_games(usual: int, small: int) -> int:
    """How many games of each module a test plays; `small` under MicroPython."""
    return int(os.getenv("CARDTABLE_GAMES") or (small if IS_SMALL else usual))


def first_seed() -> int:
    """The seed of the first game."""
    return int(os.getenv("CARDTABLE_SEED") or 1)


def choose_value(values, random: Random) -> str:
    """Any value of an option; of a range one of its lowest four; for one seat any of the ends of the range."""
    if isinstance(values, tuple) and len(values) == 3:
        return "%d:%s" % (random.below(7) + 1, write_time(values[random.below(2)]))
    if isinstance(values, tuple):
        low, high = values
        return str(low + random.below(min(high - low, 3) + 1))
    values = values.split(" ")
    return values[random.below(len(values))]


class Refused:
    """How many mixes were impossible, and how many games of those that were possible came to no end."""

    def __init__(self):
        self.mixes = 0
        self.games = 0
        self.unfinished = 0


class Play(RandomGame):
    """A random game to which tests can give attributes of their own; the compiled one takes none."""


def start_game(game, seed: int, counts: Refused, is_first_said: bool = False) -> RandomGame:
    """The random game of that seed: any number of seats, any preset, and about half of the options that go with them.

    `is_first_said`: the header says who begins, so that no hand decides it.
    """
    random = Random(seed)
    seats = game.SEAT_RANGE[0] + random.below(game.SEAT_RANGE[1] - game.SEAT_RANGE[0] + 1)
    dealer = random.below(seats) + 1
    first = random.below(seats) + 1 if is_first_said or not random.below(4) else 0
    mix = game.NAME + " " + game.PRESETS[random.below(len(game.PRESETS))][0]
    options = list(game.OPTIONS) + list(TABLE_OPTIONS)
    random.shuffle(options)
    share = 2 + random.below(4)
    for option in options:
        name, values = option[0], option[2]
        if not random.below(share):
            continue
        wider = mix + " " + name + "=" + choose_value(values, random)
        try:
            set_up(game, make_header(wider, seats, dealer, first))
            mix = wider
        except SetupError:
            counts.mixes += 1
    play = Play(game, make_header(mix, seats, dealer, first), random)
    play.unasked = UNASKED
    play.title = "seed %d: %s, %d seats, dealer %d, first %d" % (seed, mix, seats, dealer, first)
    return play


def play_games(check, usual: int, small: int) -> Refused:
    """Play games of every module to the end, and `check(play)` in each state, that of the end included."""
    counts = Refused()
    for game in catalogue():
        for seed in range(first_seed(), first_seed() + count_games(usual, small)):
            play = start_game(game, seed, counts)
            try:
                check(play)
                while play.step():
                    check(play)
            except BaseException:
                print("%s, after %d events" % (play.title, play.events))
                raise
            counts.games += 1
            counts.unfinished += not play.session.is_over()
    return counts
