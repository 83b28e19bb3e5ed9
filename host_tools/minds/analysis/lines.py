"""Says an analysis to people, in one language, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from host_tools.minds.analysis.judge import CLASSES, WHOLE
from host_tools.minds.analysis.sentences import Told, percent
from host_tools.sight.recorded import clock

TENTH = WHOLE // 1000  # of a point of a hundred, in millionths


def as_text(told: dict[str, Any], words: Told) -> list[str]:
    """Lines to read."""
    lines = [f"{words.title(told)}. {words.sentences.result(told['result'])}", ""]
    rough = ".rough" if is_rough(told) else ""
    for seat in told["seats"]:
        kind = words.kind(seat)
        lines.append(words.say(("seat.kind" if kind else "seat") + rough, seat=seat["name"], number=seat["decisions"],
                               lost=f"{seat['lost_each']:.1f}", kind=kind))
        counted = [words.say("counted.part", kind=words.say(one), number=seat[one], points=of) for of, one in CLASSES]
        lines.append("  " + words.say("counted" + rough, parts=", ".join(counted),
                                      number=sum(seat[one] for _, one in CLASSES)))
        if not rough:  # luck and play are differences of chances
            parts = ", ".join(words.say("part", name=name, points=value)
                              for name, value in list_parts(told, seat, words))
            lines.append("  " + words.say("split", seat=seat["name"], parts=parts, points=points(seat["outcome"])))
    lines += [*tell_draw(told, words), *([words.say("mistakes.rough")] if rough else []), ""]
    found = [one for one in words.decisions(told["decisions"]) if is_told(one)]
    for one in found:
        name, opened = told["players"][one["seat"] - 1], one["with_open_cards"]
        key = "told.rough" if one["class"] and one.get("is_rough") else "told"
        said = words.say(key, seat=name, kind=words.say(one["class"] or "doubt"), sentence=sentence_of(one))
        lines.append(f"{one['line']:5} {clock(one['at_ms']):>8}  {said}")
        if one["class"] and not one.get("is_rough"):
            best, chance = (percent(words, opened[key]) for key in ("best_chance", "chance"))
            lines.append(f"{'':16}" + words.say("told.open", best=best, chance=chance))
    if not any(one["class"] for one in found):
        lines.append(words.say("mistakes.none" + rough))
    return [*lines, *tell_engine(told, words)] if "engine" in told else lines


def tell_engine(told: dict[str, Any], words: Told) -> list[str]:
    """How an engine's plays compare, what it would have played instead of a mistake, and what it did wrong."""
    second = told["engine"]
    lines = ["", words.say("engine", engine=second["name"], same=second["same"], compared=second["compared"],
                           decisions=second["decisions"])]
    if not is_rough(told):
        lines.append(words.say("engine.lost", own=f"{second['lost_each']:.1f}",
                               record=f"{second['record_lost_each']:.1f}"))
    for one in words.engine_plays(second["plays"]):
        if one["class"] and one["chance"] - one["played_chance"] >= CLASSES[-1][0]:
            best, chance = (percent(words, one[key], one["is_exact"]) for key in ("chance", "played_chance"))
            said = words.say("engine.rough" if one["is_rough"] else "engine.told", engine=second["name"],
                             seat=told["players"][one["seat"] - 1], move=one["move"], best=best, chance=chance)
            lines.append(f"{one['line']:5} {clock(one['at_ms']):>8}  {said}")
    return [*lines, *second["troubles"]]


def is_told(one: dict[str, Any]) -> bool:
    """Whether there is something to say about that decision: a mistake, or a doubt."""
    return bool(one["class"]) or "doubt" in one


def is_rough(told: dict[str, Any]) -> bool:
    """Whether nobody has checked chances at such a table."""
    return any(one.get("is_rough") for one in told["decisions"])


def sentence_of(one: dict[str, Any]) -> str:
    """What is said of it."""
    return ". ".join(filter(None, (one["sentence"], one.get("doubt", {}).get("sentence", ""))))


def list_parts(told: dict[str, Any], seat: dict[str, Any], words: Told) -> list[tuple[str, str]]:
    """(name, points) of where the seat's result came from; they add up to it."""
    names = {"fair": words.say("fair"), "deal": words.say("deal"), "draws": words.say("draws")}
    names.update({f"play {number}": words.say("play", seat=name) for number, name in enumerate(told["players"], 1)})
    if any(one["split"]["table"] for one in told["seats"]):
        names["table"] = words.say("others")
    fair, *parts = round_parts([seat["split"][key] for key in names], TENTH)
    return list(zip(names.values(), [f"{fair / 10:.1f}", *(f"{one / 10:+.1f}" for one in parts)], strict=True))


def round_parts(parts: Sequence[int], unit: int) -> list[int]:
    """Millionths in whole units, each off by less than one. They add up to the rounded sum, because each sum on the way
    is rounded, and no part."""
    sums = [0, *(round(one / unit) for one in accumulate(parts))]
    return [after - before for before, after in pairwise(sums)]


def tell_draw(told: dict[str, Any], words: Told) -> list[str]:
    """What a draw counts, if this game was one; else nothing."""
    outcomes = {seat["outcome"] for seat in told["seats"]}
    return [] if len(outcomes) > 1 else [words.say("draw", points=points(outcomes.pop()))]


def points(millionths: int) -> str:
    """Points of a hundred."""
    return f"{round(millionths / TENTH) / 10:.1f}"
