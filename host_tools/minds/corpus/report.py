"""Writes what was counted as lines, and as one HTML page with plots in it."""

from __future__ import annotations

import io
import statistics
from pathlib import Path
from typing import Any

from host_tools.base import templates
from host_tools.base.extras import need
from host_tools.minds.corpus.count import Counts
from host_tools.minds.corpus.wording import Wording
from host_tools.minds.intervals import interval

TEMPLATES = Path(__file__).parent / "templates"
MOST_RULES = 12  # that are told with their words


def as_lines(name: str, counts: Counts, words: Wording) -> list[str]:
    """One game."""
    lengths, minutes = counts.lengths, counts.minutes
    lines = [
        words.say("events", median=f"{statistics.median(lengths):.0f}", least=min(lengths), most=max(lengths)),
        words.say("minutes", median=f"{statistics.median(minutes):.1f}", least=f"{min(minutes):.1f}",
                  most=f"{max(minutes):.1f}"),
        words.say("draws", share=words.share(counts.draws, counts.games)),
    ]
    for place in sorted(counts.sat):
        share, fair = words.share(counts.lost[place], counts.sat[place]), f"{by_lot(counts, place):.1f}"
        lines.append(words.say("lost.left" if place else "lost.dealer", place=place, fair=fair, share=share))
    if name == "durak":
        lines.append(words.say("first", share=words.share(counts.first_takes, counts.games)))
        lines.append(words.say("takes", number=f"{counts.verbs['take'] / counts.games:.1f}"))
    if counts.claims:
        lines.append(words.say("sets", rate=words.rate(counts.lies, counts.claims)))
        lines.append(words.say("right", rate=words.rate(counts.right, counts.doubts)))
    lines.append(words.say("refusals" if counts.refusals else "refusals.none"))
    for rule, number in ranked(counts.refusals)[:MOST_RULES]:
        lines.append("  " + words.say("refusal", number=number, rule=rule, words=words_of(counts, rule)))
    title = words.sentences.title(name)
    return [words.say("game", game=title, games=words.count("games", counts.games)), *("  " + line for line in lines)]


def words_of(counts: Counts, rule: str) -> str:
    """What was said most often to those who broke the rule."""
    return min((-number, words) for (of, words), number in counts.said.items() if of == rule)[1]


def by_lot(counts: Counts, place: int) -> float:
    """How often that seat would lose by lot, in percent."""
    return counts.fair[place] / 10_000 / counts.sat[place]


def ranked(counter: Any) -> list[tuple[str, int]]:
    """The most frequent first; equal ones by name."""
    return sorted(counter.items(), key=lambda row: (-row[1], row[0]))


def as_page(found: dict[str, Counts], left_out: int, words: Wording) -> str:
    """The whole report. UnusableInput without matplotlib."""
    games = [(as_lines(name, counts, words), plot(counts, words)) for name, counts in sorted(found.items())]
    return templates.fill(
        templates.read_templates(TEMPLATES), "report", words, games=games, left=words.left_out(left_out),
        count=words.count("games", sum(counts.games for counts in found.values())))


def plot(counts: Counts, words: Wording) -> str:
    """Lengths, losses by seat, and refusals, as one SVG that is the same for the same counts."""
    matplotlib = need("matplotlib", "a plot")
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "cardtable"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.4), layout="constrained")
    lengths, seats, rules = figure.subplots(1, 3)
    lengths.hist(counts.lengths, bins=min(30, max(4, counts.games // 4)), color="#1f5fa8")
    lengths.set(title=words.say("plot.events"), xlabel=words.say("plot.events.x"), ylabel=words.say("plot.events.y"))
    places = sorted(counts.sat)
    rows = [interval(counts.lost[place], counts.sat[place]) for place in places]
    errors = [[mean - low for mean, low, _ in rows], [high - mean for mean, _, high in rows]]
    seats.errorbar(places, [mean for mean, _, _ in rows], yerr=errors, fmt="o", color="#b3261e", capsize=4)
    seats.plot(places, [by_lot(counts, place) for place in places], "--", color="#888")
    seats.set(title=words.say("plot.lost"), xlabel=words.say("plot.lost.x"), ylabel="%", xticks=places)
    top = ranked(counts.refusals)[:10]
    rules.barh([rule for rule, _ in top][::-1], [number for _, number in top][::-1], color="#8a5a00")
    rules.set(title=words.say("plot.refusals"))
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]
