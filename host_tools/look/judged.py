"""Tells the analysis of a game to the page that shows it again: the chances along the game, who lost and what decided
it, each mistake with its cards, luck and play.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardtable.engine.record import RecordError
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import ENGLISH
from host_tools.look.lesson import find_losers, tell_moment
from host_tools.look.mistakes import read_mistakes
from host_tools.minds.analysis.judge import WHOLE
from host_tools.minds.analysis.lines import is_rough, list_parts, points, tell_draw
from host_tools.minds.analysis.report import hash_of
from host_tools.minds.analysis.sentences import Told, percent
from host_tools.sight.recorded import Recorded


def read_analysis(path: Path, record: Recorded) -> dict[str, Any]:
    """What `cardtable analyse --json` has written of this record. UnusableInput."""
    told: dict[str, Any] = foreign.read_json(path, dict)
    if told.get("sha256") != hash_of(record):
        raise UnusableInput(f"{path}: is not the analysis of {record.name}")
    try:
        read_mistakes(record, told)
        tell_judged(record, told, ENGLISH)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecordError) as wrong:
        raise UnusableInput(f"{path}: is no analysis, as `cardtable analyse --json` writes it") from wrong
    return told


def tell_judged(record: Recorded, figures: dict[str, Any], language: str) -> dict[str, Any] | None:
    """What `view.html` needs of these figures, for a reader who sees all hands; None where they hold mistakes alone.

    `lines`: sentences, who lost and what decided it first; `open`: [line, chance of each seat], all cards open; `own`:
    of each seat [line, chance, whether it is a mistake] of what it played, by what it knew; chances in percent. Where
    they are rough, `own` has None in their place, `open` and the rows of `split` are empty.
    `mistakes`: each with its words and cards; `doubts`: [line, sentence] of each doubt of Cal's BS;
    `split`: `heads` and `rows`, where each result came from.
    """
    if not figures.get("curve"):
        return None
    words, rough = Told(record, language), is_rough(figures)
    decisions, seats = figures["decisions"], range(1, len(figures["players"]) + 1)
    own = {seat: [[one["line"], None if rough else one["chance"], bool(one["class"])] for one in decisions
                  if one["seat"] == seat] for seat in seats}
    open_cards = [[one["line"], *(round(100 * chance / WHOLE, 1) for chance in one["millionths"])]
                  for one in figures["curve"] if not rough]
    mistakes = tell_mistakes(record, figures, words, language)
    doubts = [[one["line"], words.say("told", seat=figures["players"][one["seat"] - 1], kind=words.say("doubt"),
                                      sentence=words.doubt(one["doubt"], rough))]
              for one in decisions if "doubt" in one]
    parts = {seat["name"]: list_parts(figures, seat, words) for seat in figures["seats"]}
    rows = [[seat["name"], *(value for _, value in parts[seat["name"]]), points(seat["outcome"])]
            for seat in figures["seats"] if not rough]
    heads = [words.say("player"), *(name for name, _ in parts[figures["players"][0]]), words.say("result")]
    kinds = [words.say("likeness", seat=one["name"], kind=words.kind(one)) for one in figures["seats"]
             if words.kind(one)]
    aim = "" if rough else words.say("own.win" if figures["aim"] == "to win" else "own")
    says = {key: words.say(key) for key in ("luck", "luck.why", "judged", "open.line", "chance.rough")}
    says.update({"mistakes": words.say("mistakes.head.rough" if rough else "mistakes"),
                 "mistakes.none": words.say("mistakes.none.rough" if rough else "mistakes.none")})
    return {"lines": tell_first(record, figures, words, language), "aim": aim, "open": open_cards, "own": own,
            "mistakes": mistakes, "doubts": doubts, "split": {"heads": heads, "rows": rows}, "kinds": kinds,
            "says": says}


def tell_first(record: Recorded, figures: dict[str, Any], words: Told, language: str) -> list[str]:
    """Who lost, and the play of theirs that cost most, if one surely cost something."""
    lost = find_losers(record)
    worst = max((one for one in figures["decisions"] if one["class"] and one["seat"] in lost),
                key=lambda one: one["best_chance"] - one["chance"], default=None)
    found = read_mistakes(record, {"decisions": [worst] if worst else []})
    moment = tell_moment(record, next(iter(found.items()), None), language, "lesson.other")
    said = [words.sentences.result(figures["result"]), *tell_draw(figures, words)]
    if len(lost) == 1:
        said.append(" ".join(filter(None, (moment["sentence"], moment["reason"]))) if moment else
                    words.say("mistakes.none.rough" if is_rough(figures) else "dealt"))
    return [*said, *([words.say("mistakes.rough")] if is_rough(figures) else [])]


def tell_mistakes(record: Recorded, figures: dict[str, Any], words: Told, language: str) -> list[dict[str, Any]]:
    """Each mistake in order: its words, the cards of both plays, and the piles that its seat saw."""
    told = []
    decided = {one["line"]: one for one in figures["decisions"]}
    for found in sorted(read_mistakes(record, figures).items()):
        moment, one = tell_moment(record, found, language, "lesson.also"), decided[found[0]]
        assert moment is not None
        chances = [percent(words, one["with_open_cards"][key]) for key in ("best_chance", "chance")]
        told.append({**moment, "name": figures["players"][one["seat"] - 1], "size": words.say(moment["kind"]),
                     "sure": words.say("exact") if one["is_exact"] else
                     words.say("unsolved") if one.get("is_unsolved") else "",
                     "open": "" if one.get("is_rough") else words.say("told.open", best=chances[0], chance=chances[1])})
    return told
