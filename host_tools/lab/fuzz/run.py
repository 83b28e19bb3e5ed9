"""Plays game after game in the storm, counts plays, tries and failures, and makes a record of each failure."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from boards import virtual
from cardtable.catalogue import find_game
from cardtable.engine.setup import SetupError, set_up
from host_tools.base.errors import UnusableInput
from host_tools.lab.fuzz.forger import find_undetected
from host_tools.lab.fuzz.player import Player, Wrong
from host_tools.lab.fuzz.scenario import Scene, Sentence, most_seat
from host_tools.lab.fuzz.storm import KINDS, SECOND, Storm
from host_tools.base.project import FIRMWARE
from host_tools.base.random_play import make_header
from host_tools.judge.records import public_record, verify
from host_tools.virtual.computing import Computing
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.in_process import InProcessDevice
from host_tools.virtual.pull import pull_records
from host_tools.virtual.table import header_text
from host_tools.virtual.world import World

GAMES = FIRMWARE / "cardtable" / "games"
ACTS = 60  # of people, in one game
LONGEST_US = 3600 * SECOND
WRAP_MS = 1 << 30  # where the chip's tick counter wraps
COUNTED = 40  # of 100 games: no cards are tapped before they are played (T4)
CHEATED = 30  # of 100 games of those that have it


@dataclass
class Played:
    """One game of a seed: its `game:` line, and what came of it."""

    seed: int
    game: str
    seats: int
    acts: int = 0
    events: int = 0
    refused: int = 0
    wrong: str = ""  # the failure, as a sentence
    kind: str = ""  # and of what kind that is
    record: bytes = b""
    weather: Counter = field(default_factory=Counter)
    seconds: float = 0.0
    table_us: int = 0  # of the table's own time
    answers_us: list[int] = field(default_factory=list)  # from a card to the light that judges it


def list_games() -> list[str]:
    """The names of all games there are."""
    return [path.stem.replace("_", "-") for path in sorted(GAMES.glob("[a-z]*.py"))]


def choose_game(rng: random.Random, names: list[str], least: int = 0) -> tuple[Any, str, int]:
    """A game for at least so many seats, a `game:` line for it, and how many there are. UnusableInput."""
    fitting = [name for name in names if find_game(name).SEAT_RANGE[1] >= least]
    if not fitting:
        raise UnusableInput(f"no game that may be played has {least} seats: {', '.join(names)}")
    game = find_game(rng.choice(fitting))
    fewest = max(game.SEAT_RANGE[0], least)
    seats = rng.randint(fewest, max(fewest, min(game.SEAT_RANGE[1], 4)))
    words = [game.NAME, rng.choice(game.PRESETS)[0]]
    if rng.randrange(100) < COUNTED:
        words.append("deal=counted")
    if rng.randrange(100) < CHEATED and "cheating" in [row[0] for row in game.OPTIONS]:
        words.append("cheating=2")
    line = " ".join(words)
    try:
        set_up(game, make_header(line, seats, first=1))
    except SetupError:
        line = " ".join(words[:2])
        if len(words) > 2:
            seats = fewest
    return game, line, seats


def small_board(places: int) -> Any:
    """The virtual board with no more readers than there are seats: an empty one takes as long to look at as any."""
    board = SimpleNamespace(**{name: value for name, value in vars(virtual).items() if name.isupper()})
    board.READERS = board.READERS[:places]
    return board


def play(seed: int, kinds: tuple[str, ...] = KINDS, acts: int = ACTS, names: list[str] | None = None,
         scenario: list[Sentence] | None = None, begun_us: int = 0, least: int = 0) -> Played:
    """Play the game of that seed in a storm of these kinds; or, in its place, in a scenario in which so much time has
    passed. least: seats, however few the scenario names."""
    rng = random.Random(seed)
    least = max(least, most_seat(scenario)) if scenario is not None else 0
    game, line, seats = choose_game(rng, names or list_games(), least)
    header = make_header(line, seats, first=1)
    played = Played(seed, line, seats)
    begun_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
        flash = Path(folder)
        (flash / "deck.txt").write_text("".join(deck_lines()))
        (flash / "setup.txt").write_text(header_text(header))
        world = World(small_board(seats), seed)
        chance = random.Random(rng.random())
        storm = Storm(world, chance, header.places, flash, kinds) if scenario is None else \
            Scene(world, chance, header.places, flash, scenario, begun_us)
        player = Player(world, game, header, storm, flash, rng.randrange(1 << 30), acts)
        world.people.add(player.play())
        world.people.add(storm.blow())
        feed: list[str] = []

        def hear(line: str) -> None:
            feed.append(line)
            storm.hear(line)

        wrap_ms = WRAP_MS - rng.randrange(1000, 60_000)
        device = InProcessDevice(world, flash, on_line=hear, ticks_start_ms=wrap_ms,
                                 computing=None if scenario is None else Computing.of(world.board))
        try:
            while device.run(lambda: player.is_done or storm.is_cut or world.now_us > LONGEST_US) and storm.is_cut:
                storm.is_cut = False
                player.start_over()
            if player.fault is not None:
                raise player.fault
            if not player.is_done:
                raise Wrong("lost event", "the game stands still")
            check_files(flash, feed, player)
        except Wrong as fault:
            played.kind, played.wrong = fault.kind, str(fault)
        except Exception as bug:
            played.kind, played.wrong = "bug", f"bug: {type(bug).__name__} {bug}"
        played.record = b"".join(player.texts)
    played.acts, played.events, played.refused = player.acts, player.lines, player.refused
    played.weather = Counter(storm.count)
    played.table_us, played.answers_us = world.now_us, player.hands.answers_us
    played.seconds = time.perf_counter() - begun_s
    return played


def check_files(flash: Path, feed: list[str], player: Player) -> None:
    """Check that the flash holds one sealed record afterwards, and that the feed fits it (T12). Wrong."""
    record = pull_records(flash)[-1].read_bytes()
    finding = verify.verify(record, (flash / "key.bin").read_bytes())
    if finding.kind != (verify.INTACT if player.result else verify.CUT) or finding.notes:
        raise Wrong("wrong seal", f"the record is {finding.kind}: {finding.changed} {finding.notes}")
    forged = find_undetected(record, (flash / "key.bin").read_bytes(), random.Random(player.begins + len(record)))
    if forged:
        raise Wrong("wrong seal", f"a forged record passes: {forged}")
    if b"".join(player.texts) != record[: len(b"".join(player.texts))]:
        raise Wrong("lost event", "a line that was on flash has changed")
    try:
        found = public_record.compare(record, "".join(line + "\n" for line in feed).encode(), finding.digest)
    except UnusableInput as wrong:
        raise Wrong("wrong verdict", str(wrong)) from wrong
    cuts = player.storm.count.get("power_cut", 0)  # each can take a line that was not said yet
    is_short = found.left > 0 or found.lost > cuts or found.kind != public_record.FITS and not found.lost
    if found.kind == public_record.DIFFERS or finding.digest and is_short:
        raise Wrong("wrong feed", "; ".join(found.notes))


def shorten(played: Played, again: Any = play) -> tuple[Played, tuple[str, ...]]:
    """The same failure without every kind of weather that it does not need; its record ends where it was noticed."""
    kinds = tuple(kind for kind in KINDS if played.weather[kind])
    best = played
    for kind in kinds:
        without = tuple(other for other in kinds if other != kind)
        trial = again(played.seed, without, played.acts)
        if trial.kind == played.kind and len(trial.record) <= len(best.record):
            best, kinds = trial, without
    return best, kinds


def write_record(folder: Path, played: Played, kinds: tuple[str, ...], name: str = "fuzz") -> Path:
    """The record of a failure, with what it takes as comments; its path. Games of two names may have one seed."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{played.seed}.rec"
    begin = played.record.find(b"\n\n") + 2
    told = f"; seed {played.seed}, {played.acts} acts, in: {' '.join(kinds) or 'fine weather'}\n; {played.wrong}\n"
    path.write_bytes(played.record[:begin] + told.encode() + played.record[begin:])
    return path


@dataclass
class Report:
    """The totals of many games."""

    first_seed: int
    games: Counter = field(default_factory=Counter)
    weather: Counter = field(default_factory=Counter)
    wrong: Counter = field(default_factory=Counter)
    acts: int = 0
    events: int = 0
    refused: int = 0
    seconds: float = 0.0
    failures: list[Path] = field(default_factory=list)

    def add(self, played: Played) -> None:
        """One more game."""
        self.games[played.game.split()[0]] += 1
        self.weather.update(played.weather)
        self.acts += played.acts
        self.events += played.events
        self.refused += played.refused
        self.seconds += played.seconds
        if played.wrong:
            self.wrong[played.kind] += 1

    def lines(self) -> list[str]:
        """The figures, as they are printed and kept."""
        count = sum(self.games.values())
        games = ", ".join(f"{name} {number}" for name, number in sorted(self.games.items()))
        weather = ", ".join(f"{name} {number}" for name, number in sorted(self.weather.items()) if number)
        return [
            f"seeds {self.first_seed}-{self.first_seed + count - 1}: {count} games ({games}) in {self.seconds:.0f} s",
            f"{self.acts} acts of people, {self.events} events in the records, {self.refused} of them refused",
            f"{sum(self.weather.values())} faults tried: {weather or 'none'}",
            f"lost events {self.wrong['lost event']}, wrong verdicts {self.wrong['wrong verdict']}, "
            f"phantom events {self.wrong['phantom event']}, "
            f"other failures {sum(self.wrong.values()) - sum(self.wrong[kind] for kind in JUDGED)}",
        ]


JUDGED = ("lost event", "wrong verdict", "phantom event")


def fuzz(seed: int, hours: float, games: int | None, names: list[str] | None, folder: Path, say: Any) -> Report:
    """Play seed after seed for so many hours, or so many games; each failure is shortened and kept in `folder`."""
    report = Report(seed)
    end_s = time.monotonic() + 3600 * hours
    while (games is None or sum(report.games.values()) < games) and time.monotonic() < end_s:
        played = play(seed + sum(report.games.values()), names=names)
        report.add(played)
        if played.wrong:
            short, kinds = shorten(played, lambda seed, kinds, acts: play(seed, kinds, acts, names))
            report.failures.append(write_record(folder, short, kinds))
            say(f"seed {played.seed}, {played.game}: {played.wrong}: {report.failures[-1]}")
    return report
