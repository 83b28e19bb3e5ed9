"""The profile of each player over many finished games: results, kind of player, bluffs and doubts, and mistakes.

A player is a name in the `seats:` line of records. Games that do not say who held what, or give two seats one name, are
left out, and counted. Plays that were taken back count as well: somebody meant them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.engine.event import find_verb
from cardtable.games import cals_bs
from host_tools.minds.analysis.decisions import check, walk
from host_tools.minds.analysis.judge import CLASSES
from host_tools.minds.analysis.likeness import Likeness
from host_tools.minds.analysis.served import FOLDER, make_figures
from host_tools.minds.intervals import FEW, interval, tell_share
from host_tools.base.errors import UnusableInput
from host_tools.sight.recorded import Recorded, read_record

BLUFFS, DOUBTS = (40, 60), (10, 30)  # C18: the source's rates, in percent
_SETS = (find_verb(cals_bs, "claim"), find_verb(cals_bs, "plus"))
_DOUBT = find_verb(cals_bs, "doubt")


@dataclass
class Profile:
    """One player in one game. `by_lot`: how many of its games it would lose by lot."""

    name: str
    game: Any
    games: int = 0
    lost: int = 0
    by_lot: float = 0.0
    claims: int = 0  # sets laid with `claim` or `plus`
    lies: int = 0
    heard: int = 0  # sets of others
    doubts: int = 0
    right: int = 0
    decisions: int = 0  # that were judged
    points: float = 0.0  # that they cost
    mistakes: dict[str, int] = field(default_factory=dict)  # by their class
    records: list[tuple[Path, int]] = field(default_factory=list)  # its games, and its seat in each

    def __post_init__(self) -> None:
        self.likeness = Likeness(self.game)

    def rate(self, hits: int, count: int) -> dict[str, Any]:
        """A share in percent with its 95 % interval."""
        share, low, high = interval(hits, count)
        return {"count": hits, "of": count, "percent": round(share, 1), "low": round(low, 1), "high": round(high, 1)}

    def figures(self) -> dict[str, Any]:
        """Everything, for programs and for `lines`."""
        alike = self.likeness
        told: dict[str, Any] = {
            "player": self.name, "game": self.game.NAME, "games": self.games,
            "lost": self.rate(self.lost, self.games), "lost_by_lot": round(100 * self.by_lot / self.games, 1),
            "kind": alike.kind(), "likeness": alike.words(), "decisions": alike.decisions,
            "alike": {name: round(100 * alike.alike[name] / alike.decisions) for name in alike.kinds}
            if alike.decisions else {},
        }  # fmt: skip
        if self.claims or self.heard:
            told["bluffs"] = self.rate(self.lies, self.claims)
            told["doubts"] = self.rate(self.doubts, self.heard)
            told["doubts_right"] = self.rate(self.right, self.doubts)
        if self.decisions:
            told["judged"] = self.decisions
            told["lost_each"] = round(self.points / self.decisions, 2)
            told["mistakes"] = {kind: self.mistakes.get(kind, 0) for _, kind in CLASSES}
        return told


def read_profiles(
    paths: Iterable[Path], tell: Callable[[], None] = lambda: None
) -> tuple[list[Profile], list[str]]:
    """The profiles by name and game, and why records were left out; tell() after each."""
    found: dict[tuple[str, str], Profile] = {}
    left_out: list[str] = []
    for path in paths:
        try:
            record = read_record(path)
            check(record)
            names = record.header.seats
            if record.begins:
                raise UnusableInput(f"{record.name}: it was played on from a finished game, and counts for nothing")
            if len(set(names)) < len(names):
                raise UnusableInput(f"{record.name}: two seats have one name: {', '.join(names)}")
        except UnusableInput as why:
            left_out.append(str(why))
        else:
            for name in names:
                found.setdefault((name, record.game.NAME), Profile(name, record.game))
            profiles = [found[name, record.game.NAME] for name in names]
            add_game(profiles, record)
            for seat, profile in enumerate(profiles, 1):
                profile.records.append((path, seat))
        tell()
    return [found[key] for key in sorted(found)], left_out


def add_game(profiles: list[Profile], record: Recorded) -> None:
    """One game; profiles: of each seat."""
    game = record.game
    state = record.course().session.state
    for step in walk(record):
        if step.seen is not None:
            profiles[step.seat - 1].likeness.add(step.seen, step.played, len(step.choices))
        state = step.state
    losers = game.losers(state)
    for seat, profile in enumerate(profiles, 1):
        profile.likeness.forget_game()
        profile.games += 1
        profile.lost += losers >> seat & 1
        profile.by_lot += bin(losers).count("1") / len(profiles)
    if game is cals_bs:
        add_words(profiles, record)


def add_words(profiles: list[Profile], record: Recorded) -> None:
    """Cal's BS: sets and doubts. Whether a set is true shows once it lies there."""
    course = record.course()
    state = course.session.state
    laid: Profile | None = None
    for line in record.walk(course):
        if laid is not None:
            laid.lies += not cals_bs.is_set_true(state)
            laid = None
        if line.verdict:
            continue
        if line.event.verb == _DOUBT:
            speaker = profiles[line.event.seat - 1]
            speaker.doubts += 1
            speaker.right += not cals_bs.is_set_true(state)
        elif line.event.verb in _SETS:
            laid = profiles[line.event.seat - 1]
            laid.claims += 1
            for profile in profiles:
                profile.heard += profile is not laid
    if laid is not None:
        laid.lies += not cals_bs.is_set_true(state)


def add_mistakes(profiles: list[Profile], guesses: int, tell: Callable[[int], None]) -> None:
    """What the analysis of each game says of these players. It is made once and kept beside the record; tell(games
    that are done), again and again."""
    seats: dict[Path, list[tuple[Profile, int]]] = {}
    for profile in profiles:
        for path, seat in profile.records:
            seats.setdefault(path, []).append((profile, seat))
    for done, (path, sat) in enumerate(seats.items()):
        told = make_figures(read_record(path), path.parent / FOLDER, guesses, lambda *_, done=done: tell(done))
        for profile, seat in sat:
            one = told["seats"][seat - 1]
            profile.decisions += one["decisions"]
            profile.points += one["lost_each"] * one["decisions"]
            for _, kind in CLASSES:
                profile.mistakes[kind] = profile.mistakes.get(kind, 0) + one[kind]


def as_lines(told: dict[str, Any]) -> list[str]:
    """The figures of one player in one game, to read."""
    is_few = told["games"] < FEW
    lines = [f"{told['player']}, {told['game']}: {count(told['games'], 'game')}, lost {share(told['lost'])}"]
    if not is_few:
        lines.append(f"  by pure luck it would be {told['lost_by_lot']} %")
    if told["decisions"]:
        ranked = sorted(told["alike"].items(), key=lambda row: (-row[1], row[0]))
        compared = ", ".join(f"{name} {percent} %" for name, percent in ranked)
        few = "too few games to say what kind of player this is"
        lines.append(f"  {told['likeness'] or (few if is_few else 'plays like none of the kinds that we know')}")
        lines.append(f"  same choice in {count(told['decisions'], 'decision')}: {compared}")
    if "bluffs" in told:
        lines += [
            f"  false sets: {rate(told['bluffs'])}{compare(told['bluffs'], BLUFFS)}",
            f"  doubts of others' sets: {rate(told['doubts'])}{compare(told['doubts'], DOUBTS)}",
            f"  doubts that were right: {rate(told['doubts_right'])}",
        ]
    if "judged" in told:
        kinds = ", ".join(f"{told['mistakes'][kind]} of {points} points and more" for points, kind in CLASSES)
        lines.append(f"  {told['lost_each']} points lost in each of {count(told['judged'], 'decision')}")
        lines.append(f"  mistakes: {kinds}")
    return lines


def count(number: int, what: str) -> str:
    """`12 games`, `1 game`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def share(rate: dict[str, Any]) -> str:
    """`25.0 % (8.9 to 53.2)`; of a few, `1 of 3`."""
    return tell_share(rate["count"], rate["of"])


def rate(told: dict[str, Any]) -> str:
    """`25.0 % (8.9 to 53.2) of 12`; of none there is no share."""
    if not told["of"]:
        return "none"
    return share(told) if told["of"] < FEW else f"{share(told)} of {told['of']}"


def compare(told: dict[str, Any], usual: tuple[int, int]) -> str:
    """Beside the rates of the source (C18): only an interval that lies outside says anything."""
    if not told["of"]:
        return ""
    low, high = usual
    how = "the source says"
    if told["low"] > high:
        how = "more than the source's"
    elif told["high"] < low:
        how = "less than the source's"
    return f"; {how} {low} to {high} %"
