"""Plants blunders and best plays of Durak for two where it is known what each play is worth, whatever guesses say.

Known is what perfect play brings while at most one card of the stock is hidden (last_cards.py). Of several deals a play
is a blunder if on average it costs 20 points and one other is the best in every deal; that one is the best play. So the
answer hangs on no weight of the deals.
"""

from __future__ import annotations

from dataclasses import replace

from host_tools.base.random_play import Random
from host_tools.lab.bench.reliability import BLUNDER, LONGEST, Planted, Task, pick, play_game
from host_tools.minds.analysis.decisions import Step
from host_tools.minds.analysis.judge import END_NODES, GUESSES, judge
from host_tools.minds.analysis.last_cards import list_best, weigh
from host_tools.minds.players.exact import OpenEnd, is_end
from host_tools.minds.players.worlds import make_memory, make_worlds

SOLVED, GUESSED = "open ends", "open ends, guessed"
TURNED, HIDDEN = "the turned card alone is left", "one hidden card is left"
PLACES = (SOLVED, GUESSED, TURNED, HIDDEN)
_ALL = 1_000_000  # decisions of a game


def find_answers(step: Step) -> tuple[str, dict[int, list[float]]]:
    """Where the decision lies, and what each choice brings in each deal, in points; nothing where that is not known."""
    seen = step.seen
    assert seen is not None
    worlds = make_worlds(seen, make_memory(seen.game))
    deals, found = weigh(worlds, step.seat, list(step.choices), 4 * LONGEST)
    if not deals:
        return "", {}
    place = HIDDEN if len(deals) > 1 else SOLVED if is_end(deals[0].state) else TURNED
    return place, {move: [50.0 + 50 * value for value in row] for move, row in found.items()}


def find_extremes(found: dict[int, list[float]], draw: Random) -> list[tuple[int, float]]:
    """A best play, one of them by lot, and the worst if it is surely a blunder, each with what it costs on average."""
    best = list_best(found)
    if not best:
        return []  # it hangs on the hidden card which play is the best
    move = best[draw.below(len(best))]
    worst = min(found, key=lambda one: sum(found[one]))
    loss = (sum(found[move]) - sum(found[worst])) / len(found[move])
    return [(move, 0.0), *([(worst, loss)] if loss >= BLUNDER else [])]


def plant_exact(task: Task) -> list[tuple[str, Planted]]:
    """What the analysis says of such plays in the last decisions of a game, each with the place; of open ends also what
    it would say if it solved none."""
    record = play_game(task)
    if record is None:
        return []
    found: list[tuple[str, Planted]] = []
    draw, left = Random(task.seed), task.decisions
    for step, before in pick(record, task.seed, _ALL)[0]:
        place, answers = find_answers(step) if left else ("", {})
        left -= place != ""
        for number, (move, loss) in enumerate(find_extremes(answers, draw) if place else []):
            for where in (SOLVED, GUESSED) if place == SOLVED else (place,):
                end = OpenEnd(0 if where == GUESSED else END_NODES)
                one = judge(replace(step, played=move), before, make_memory(record.game), GUESSES, end)
                found.append((where, Planted(number > 0, loss, one.loss, one.kind)))
    return found
