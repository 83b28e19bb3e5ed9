"""The profile of each player over many finished games: results, kind of player, bluffs and doubts, and mistakes.

A player is a name in the `seats:` line of records. Games that do not say who held what are left out, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.engine.event import verb_name
from cardtable.games import cals_bs
from host_tools.analysis.decisions import check, walk
from host_tools.analysis.judge import CLASSES, Analysis, analyse
from host_tools.analysis.likeness import Likeness, merge
from host_tools.corpus.count import interval, is_bluff
from host_tools.errors import UnusableInput
from host_tools.look.recorded import Recorded, read_record

BLUFFS, DOUBTS = (40, 60), (10, 30)  # C18: the source's rates, in percent


@dataclass
class Profile:
    """One player in one game. `by_lot`: how many of its games it would lose by lot."""

    name: str
    game: Any
    games: int = 0
    lost: int = 0
    by_lot: float = 0.0
    likeness: list[Likeness] = field(default_factory=list)
    claims: int = 0
    lies: int = 0
    heard: int = 0  # claims of others
    doubts: int = 0
    right: int = 0
    decisions: int = 0  # that were judged
    points: float = 0.0  # that they cost
    mistakes: dict[str, int] = field(default_factory=dict)  # by their class

    def rate(self, hits: int, count: int) -> dict[str, Any]:
        """A share in percent with its 95 % interval."""
        share, low, high = interval(hits, count)
        return {"of": count, "percent": round(share, 1), "low": round(low, 1), "high": round(high, 1)}

    def figures(self) -> dict[str, Any]:
        """Everything, for programs and for `lines`."""
        alike = merge(self.likeness)
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
    paths: Iterable[Path], guesses: int = 0, tell: Callable[[], None] = lambda: None
) -> tuple[list[Profile], list[str]]:
    """The profiles by name and game, and why records were left out. With `guesses`, each game is analysed as well."""
    found: dict[tuple[str, str], Profile] = {}
    left_out: list[str] = []
    for path in paths:
        try:
            record = read_record(path)
            check(record)
        except UnusableInput as why:
            left_out.append(str(why))
        else:
            profiles = [
                found.setdefault((name, record.game.NAME), Profile(name, record.game)) for name in record.header.seats
            ]
            add_game(profiles, record)
            if guesses:
                add_mistakes(profiles, analyse(record, guesses))
        tell()
    return [found[key] for key in sorted(found)], left_out


def add_game(profiles: list[Profile], record: Recorded) -> None:
    """One game; profiles: of each seat."""
    game = record.game
    likeness = [Likeness(game) for _ in profiles]
    state = record.table().session.state
    for step in walk(record):
        if step.seen is not None:
            likeness[step.seat - 1].add(step.seen, step.played, len(step.choices))
        state = step.state
    losers = game.losers(state)
    for seat, profile in enumerate(profiles, 1):
        profile.games += 1
        profile.lost += losers >> seat & 1
        profile.by_lot += bin(losers).count("1") / len(profiles)
        profile.likeness.append(likeness[seat - 1])
    if game is cals_bs:
        add_words(profiles, record)


def add_words(profiles: list[Profile], record: Recorded) -> None:
    """Cal's BS: claims and doubts, each before it happens."""
    table = record.table()
    state = table.session.state
    for line in record.walk(table):
        name = verb_name(record.game, line.event.verb)
        if line.verdict or name not in ("claim", "doubt"):
            continue
        speaker = profiles[line.event.seat - 1]
        if name == "doubt":
            speaker.doubts += 1
            speaker.right += not cals_bs.is_set_true(state)
            continue
        speaker.claims += 1
        speaker.lies += is_bluff(state, line.event)
        for profile in profiles:
            profile.heard += profile is not speaker


def add_mistakes(profiles: list[Profile], found: Analysis) -> None:
    """What the analysis of one game says of each seat."""
    for one in found.decisions:
        profile = profiles[one.seat - 1]
        profile.decisions += 1
        profile.points += one.loss
        if one.kind:
            profile.mistakes[one.kind] = profile.mistakes.get(one.kind, 0) + 1


def as_lines(told: dict[str, Any]) -> list[str]:
    """The figures of one player in one game, to read."""
    games = count_games(told["games"])
    lost = f"lost {share(told['lost'])}; by lot {told['lost_by_lot']} %"
    lines = [f"{told['player']}, {told['game']}: {games}, {lost}"]
    if told["decisions"]:
        ranked = sorted(told["alike"].items(), key=lambda row: (-row[1], row[0]))
        compared = ", ".join(f"{name} {percent} %" for name, percent in ranked)
        likeness = told["likeness"] or "like no kind that we know"
        lines.append(f"  {likeness}; of {told['decisions']} decisions as the kinds would: {compared}")
    if "bluffs" in told:
        bluffs, doubts = told["bluffs"], told["doubts"]
        lines.append(f"  bluffs: {share(bluffs)} of {bluffs['of']} sets{compare(bluffs, BLUFFS)}")
        lines.append(f"  doubts: {share(doubts)} of {doubts['of']} sets of others{compare(doubts, DOUBTS)}")
        right = told["doubts_right"]
        lines.append(f"  doubts that were right: {share(right)} of {right['of']}")
    if "judged" in told:
        kinds = ", ".join(f"{told['mistakes'][kind]} of {points} points and more" for points, kind in CLASSES)
        lines.append(f"  {told['lost_each']} points lost in each of {told['judged']} decisions; mistakes: {kinds}")
    return lines


def count_games(games: int) -> str:
    """`12 games`."""
    return "1 game" if games == 1 else f"{games} games"


def share(rate: dict[str, Any]) -> str:
    """`25.0 % (8.9 to 53.2)`."""
    return f"{rate['percent']} % ({rate['low']} to {rate['high']})"


def compare(rate: dict[str, Any], usual: tuple[int, int]) -> str:
    """Beside the rates of the source (C18): only an interval that lies outside says anything."""
    low, high = usual
    how = ", more than" if rate["low"] > high else ", less than" if rate["high"] < low else "; usual are"
    return f"{how} {low} to {high} %"
