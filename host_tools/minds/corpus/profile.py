"""The profile of each player over many finished games: results, kind of player, bluffs and doubts, and mistakes.

A player is a name in the `seats:` line of records. Games that do not say who held what, or give two seats one name, are
left out, and counted. Plays that were taken back count as well: somebody meant them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import find_verb
from cardtable.games import cals_bs
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.minds.analysis.chances import is_checked
from host_tools.minds.analysis.decisions import check, walk
from host_tools.minds.analysis.judge import CLASSES
from host_tools.minds.analysis.likeness import Likeness
from host_tools.minds.analysis.served import FOLDER, make_figures
from host_tools.minds.corpus.wording import Wording
from host_tools.minds.intervals import FEW, interval
from host_tools.base.errors import UnusableInput
from host_tools.base.workers.pool import spread
from host_tools.sight.recorded import Recorded, read_record

BLUFFS, DOUBTS = (40, 60), (10, 30)  # C18: the source's rates, in percent
_SETS = (find_verb(cals_bs, "claim"), find_verb(cals_bs, "plus"))
_DOUBT = find_verb(cals_bs, "doubt")


@dataclass
class Profile:
    """One player in one game. `by_lot`: how many of its games it would lose by lot."""

    name: str
    game: str  # its name: a profile goes from process to process, and a module cannot
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
    rough: int = 0  # games that were not judged, for chances are rough at such a table
    mistakes: dict[str, int] = field(default_factory=dict)  # by their class
    records: list[tuple[Path, int]] = field(default_factory=list)  # its games, and its seat in each

    def __post_init__(self) -> None:
        self.likeness = Likeness(find_game(self.game))

    def add(self, other: Profile) -> None:
        """The same player's other games."""
        for one in fields(self):
            if one.name not in ("name", "game", "mistakes"):
                setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        self.likeness.add_up(other.likeness)

    def rate(self, hits: int, count: int) -> dict[str, Any]:
        """A share in percent with its 95 % interval."""
        share, low, high = interval(hits, count)
        return {"count": hits, "of": count, "percent": round(share, 1), "low": round(low, 1), "high": round(high, 1)}

    def figures(self) -> dict[str, Any]:
        """Everything, for programs and for `lines`."""
        alike = self.likeness
        told: dict[str, Any] = {
            "player": self.name, "game": self.game, "games": self.games,
            "lost": self.rate(self.lost, self.games), "lost_by_lot": round(100 * self.by_lot / self.games, 1),
            "kind": alike.kind(), "likeness": alike.words(), "decisions": alike.decisions,
            "alike": {name: round(100 * alike.alike[name] / alike.decisions) for name in alike.kinds}
            if alike.decisions else {},
        }  # fmt: skip
        if self.claims or self.heard:
            told["bluffs"] = self.rate(self.lies, self.claims)
            told["doubts"] = self.rate(self.doubts, self.heard)
            told["doubts_right"] = self.rate(self.right, self.doubts)
        if self.rough:
            told["rough"] = self.rough
        if self.decisions:
            told["judged"] = self.decisions
            told["lost_each"] = round(self.points / self.decisions, 2)
            told["mistakes"] = {kind: self.mistakes.get(kind, 0) for _, kind in CLASSES}
        return told


def read_profiles(
    paths: Iterable[Path], tell: Callable[[int], None] = lambda done: None, jobs: int = 1
) -> tuple[list[Profile], list[str]]:
    """The profiles by name and game, and why records were left out; tell(records that are read), again and again.
    jobs: processes, 0 for one on each core."""
    found: dict[tuple[str, str], Profile] = {}
    left_out: list[str] = []
    for done, read in enumerate(spread(read_game, paths, jobs), 1):
        if isinstance(read, str):
            left_out.append(read)
        else:
            for profile in read:
                key = profile.name, profile.game
                if key in found:
                    found[key].add(profile)
                else:
                    found[key] = profile
        tell(done)
    return [found[key] for key in sorted(found)], left_out


def read_game(path: Path) -> list[Profile] | str:
    """The profiles of one record, of each seat, or why it is left out."""
    try:
        record = read_record(path)
        check(record)
        names = record.header.seats
        if record.begins:
            raise UnusableInput(f"{record.name}: it was played on from a finished game, and counts for nothing")
        if len(set(names)) < len(names):
            raise UnusableInput(f"{record.name}: two seats have one name: {', '.join(names)}")
    except UnusableInput as why:
        return str(why)
    profiles = [Profile(name, record.game.NAME) for name in names]
    add_game(profiles, record)
    for seat, profile in enumerate(profiles, 1):
        profile.records.append((path, seat))
    return profiles


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
    """Cal's BS: sets and doubts. Whether a set is true shows once it lies there; a last set that was false does not
    (C9): the hand has it again."""
    course = record.course()
    state = course.session.state
    laid = 0  # the seat whose set it was
    for line in record.walk(course):
        if laid:
            profiles[laid - 1].lies += is_false(state, laid)
            laid = 0
        if line.verdict:
            continue
        if line.event.verb == _DOUBT:
            speaker = profiles[line.event.seat - 1]
            speaker.doubts += 1
            speaker.right += not cals_bs.is_set_true(state)
        elif line.event.verb in _SETS:
            laid = line.event.seat
            for seat, profile in enumerate(profiles, 1):
                profile.claims += seat == laid
                profile.heard += seat != laid
    if laid:
        profiles[laid - 1].lies += is_false(state, laid)


def is_false(state: Any, seat: int) -> bool:
    """Whether the set that this seat has just laid is false. C22: one with which it went out is gone, and true."""
    if cals_bs_facts.SET in state.where:
        return not cals_bs.is_set_true(state)
    return cals_bs.is_in(state, seat)


def add_mistakes(profiles: list[Profile], guesses: int, tell: Callable[[int], None]) -> None:
    """What the analysis of each game says of these players. It is made once and kept beside the record; tell(games
    that are done), again and again. Games of a table whose chances are rough are only counted: sums of such chances
    would look like figures."""
    seats: dict[Path, list[tuple[Profile, int]]] = {}
    for profile in profiles:
        for path, seat in profile.records:
            seats.setdefault(path, []).append((profile, seat))
    for done, (path, sat) in enumerate(seats.items()):
        record = read_record(path)
        if not is_checked(record.game, len(record.header.seats), record.course().session.state.register):
            for profile, _ in sat:
                profile.rough += 1
            continue
        told = make_figures(record, path.parent / FOLDER, guesses, lambda *_, done=done: tell(done))
        for profile, seat in sat:
            one = told["seats"][seat - 1]
            profile.decisions += one["decisions"]
            profile.points += one["lost_each"] * one["decisions"]
            for _, kind in CLASSES:
                profile.mistakes[kind] = profile.mistakes.get(kind, 0) + one[kind]


def as_lines(told: dict[str, Any], words: Wording) -> list[str]:
    """The figures of one player in one game, to read."""
    is_few = told["games"] < FEW
    lost, of = told["lost"]["count"], told["lost"]["of"]
    lines = [words.say("player", name=told["player"], game=words.sentences.title(told["game"]),
                       games=words.count("games", told["games"]), share=words.share(lost, of))]
    if not is_few:
        lines.append(words.say("lot", percent=told["lost_by_lot"]))
    if told["decisions"]:
        kind = told["kind"] if told["likeness"] else ""
        lines.append(words.kind(kind) if kind else words.say("kind.few" if is_few else "kind.none"))
        ranked = sorted(told["alike"].items(), key=lambda row: (-row[1], row[0]))
        alike = [words.say("alike.one", kind=words.kind(name), percent=percent) for name, percent in ranked]
        lines.append(words.say("alike", decisions=words.count("decisions", told["decisions"]), list=", ".join(alike)))
    if "bluffs" in told:
        for name, usual in (("bluffs", BLUFFS), ("doubts", DOUBTS)):
            rate = told[name]
            lines.append(words.say(name, rate=words.rate(rate["count"], rate["of"]), beside=words.beside(rate, usual)))
        rate = told["doubts_right"]
        lines.append(words.say("right", rate=words.rate(rate["count"], rate["of"])))
    if "judged" in told:
        counted = [words.say("mistakes.one", number=told["mistakes"][kind], points=points) for points, kind in CLASSES]
        lines.append(words.say("cost", decisions=words.count("decisions", told["judged"]), points=told["lost_each"]))
        lines.append(words.say("mistakes", list=", ".join(counted)))
    if "rough" in told:
        lines.append(words.say("rough", games=words.count("games", told["rough"])))
    return [lines[0], *("  " + line for line in lines[1:])]
