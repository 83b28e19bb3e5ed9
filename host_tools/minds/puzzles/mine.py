"""Finds puzzles in games: positions in which one act alone is right, and every other loses for sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from cardtable.engine.state import DEAL
from host_tools.base.random_play import Random
from host_tools.judge.position_line import write_position
from host_tools.minds.corpus.generate import list_kinds, write_game
from host_tools.minds.players import find_player
from host_tools.minds.puzzles.proof import Proof
from host_tools.minds.puzzles.proofs import find_proof
from host_tools.minds.puzzles.puzzle import Puzzle, write_answer
from host_tools.minds.puzzles.themes import name_theme
from host_tools.sight.recorded import Recorded
from host_tools.sight.seen import Heard, Seen, heard, look

SEEDS = 2  # of each kind of player that is asked
OF_A_GAME = 2  # puzzles, while there are others


@dataclass(frozen=True)
class Found:
    """A puzzle and where it was: line of the record, and whether the player of that game missed it."""

    puzzle: Puzzle
    line: int
    was_missed: bool


def mine(record: Recorded, stem: str) -> Iterator[Found]:
    """The puzzles of a finished game, in its order. stem: how their names begin."""
    proof = find_proof(record.game)
    if proof is None or not record.is_over or record.result == "aborted" or record.begins:
        return
    course = record.course()
    session, game = course.session, record.game
    if session.state.register[DEAL]:
        return  # its hands were counted and not tapped: nobody knows who held what
    seats = range(1, len(record.header.seats) + 1)
    logs: dict[int, list[Heard]] = {seat: [] for seat in seats}
    count = 0
    for line in record.walk(course):
        if line.verdict:
            continue
        event = line.event
        if proof.may_be(session.state, event.seat):
            found = look_at(record, course, line, tuple(logs[event.seat]), proof, f"{stem}-{count:02}")
            if found is not None:
                count += 1
                yield found
        for seat in seats:
            told = heard(game, session.state, event, seat)
            if told:
                logs[seat].append(told)


def look_at(record: Recorded, course: Any, line: Any, log: tuple[Heard, ...], proof: Proof, name: str) -> Found | None:
    """The puzzle before that event, if it is one."""
    game, event, session = record.game, line.event, course.session
    seen = look(session, event.seat, event.at_ms, (), log)
    moves = proof.choices(seen)
    played = proof.chosen(event.verb << 16 | event.card << 8 | event.target, moves) if moves else None
    if len(moves) < 2 or played is None:
        return None
    answer = proof.answer(session.state, event.seat, moves)
    if answer is None or len(moves) < proof.fewest_for(answer):
        return None
    theme = name_theme(game, session.state, event.seat, moves, answer)
    missed, asked = ask_players(seen, proof, moves, answer)
    position = write_position(session, record.header, event.at_ms)
    puzzle = Puzzle(name, theme, event.seat, write_answer(game, answer), missed, asked, position)
    return Found(puzzle, line.number, played != answer)


def make_player(kind: str, seen: Seen, seed: int) -> Any:
    """A player of that kind, on the seat that looks."""
    return find_player(kind)(seen.game, seen.seat, seen.seats, seed)


def ask_players(seen: Seen, proof: Proof, moves: list[int], answer: int) -> tuple[int, int]:
    """(how many of the virtual players play something else, how many were asked)."""
    missed = asked = 0
    for kind in list_kinds(seen.game):
        for seed in range(SEEDS):
            chosen = make_player(kind, seen, seed).choose(seen)
            missed += proof.chosen(chosen.packed if chosen else 0, moves) != answer
            asked += 1
    return missed, asked


def mine_generated(line: str, seed: int, number: int) -> list[Found]:
    """The puzzles of game `number` of that seed, as `cardtable generate` writes it."""
    _, text = write_game(line, seed, number)
    return list(mine(Recorded("generated", text.encode()), "-".join([*line.split(), str(seed), str(number)])))


def choose(found: list[Found], count: int, seed: int, confirm: Callable[[Puzzle], bool]) -> list[Puzzle]:
    """So many of them, the same every time: first those that their player missed, then those that a virtual player
    missed; no position twice, of each theme its share while there are others, and no more than two of a game. confirm:
    what a second solver says of one."""
    every = list({one.puzzle.position: one for one in found}.values())
    Random(seed).shuffle(every)
    every.sort(key=lambda one: (not one.was_missed, one.puzzle.missed == 0))
    share = max(1, count // max(1, len({one.puzzle.theme for one in every})))
    kept: list[Puzzle] = []
    late: list[Puzzle] = []
    themes: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for one in every:
        puzzle, game = one.puzzle, one.puzzle.name.rpartition("-")[0]
        if len(kept) == count or themes[puzzle.theme] >= share or games[game] >= OF_A_GAME:
            late.append(puzzle)
        elif confirm(puzzle):
            kept.append(puzzle)
            themes[puzzle.theme] += 1
            games[game] += 1
    for puzzle in late:
        if len(kept) < count and confirm(puzzle):
            kept.append(puzzle)
    Random(seed).shuffle(kept)
    return kept
