"""Writes what was counted as lines, and as one HTML page with plots in it."""

from __future__ import annotations

import html
import io
import statistics
from typing import Any

from host_tools.minds.corpus.count import Counts
from host_tools.minds.intervals import interval, tell_share
from host_tools.base.extras import need


def place_words(place: int) -> str:
    """A seat by its distance from the dealer."""
    return "the dealer" if place == 0 else f"{place} left of the dealer"


def as_lines(name: str, counts: Counts) -> list[str]:
    """One game."""
    lengths, minutes = counts.lengths, counts.minutes
    lines = [
        f"{name}: " + ("1 game" if counts.games == 1 else f"{counts.games} games"),
        f"  events: median {statistics.median(lengths):.0f}, from {min(lengths)} to {max(lengths)}",
        f"  minutes: median {statistics.median(minutes):.1f}, from {min(minutes):.1f} to {max(minutes):.1f}",
        f"  draws: {tell_share(counts.draws, counts.games)}",
    ]
    for place in sorted(counts.sat):
        fair = counts.fair[place] / 10_000 / counts.sat[place]
        lines.append(
            f"  lost by {place_words(place)}: {tell_share(counts.lost[place], counts.sat[place])}; by lot {fair:.1f} %"
        )
    if name == "durak":
        lines.append(f"  first bout taken: {tell_share(counts.first_takes, counts.games)}")
        lines.append(f"  takes in a game: {counts.verbs['take'] / counts.games:.1f}")
    if counts.claims:
        lines.append(f"  false sets: {tell_share(counts.lies, counts.claims)} of {counts.claims} claims")
        lines.append(f"  doubts that were right: {tell_share(counts.right, counts.doubts)} of {counts.doubts}")
    refused = ", ".join(f"{rule} {number}" for rule, number in ranked(counts.refusals)[:12])
    lines.append(f"  refusals: {refused or 'none'}")
    return lines


def ranked(counter: Any) -> list[tuple[str, int]]:
    """The most frequent first; equal ones by name."""
    return sorted(counter.items(), key=lambda row: (-row[1], row[0]))


def as_page(found: dict[str, Counts], left_out: int) -> str:
    """The whole report. UnusableInput without matplotlib."""
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Games counted</title>',
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        "svg{max-width:100%;height:auto}pre{white-space:pre-wrap}</style></head><body><h1>Games counted</h1>",
        f"<p>{sum(counts.games for counts in found.values())} games; {left_out} records were left out.</p>",
    ]
    for name, counts in sorted(found.items()):
        parts.append(f"<h2>{html.escape(name)}</h2><pre>{html.escape(chr(10).join(as_lines(name, counts)))}</pre>")
        parts.append(plot(counts))
    return "\n".join([*parts, "</body></html>", ""])


def plot(counts: Counts) -> str:
    """Lengths, losses by seat, and refusals, as one SVG that is the same for the same counts."""
    matplotlib = need("matplotlib", "a plot")
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "cardtable"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.4), layout="constrained")
    lengths, seats, rules = figure.subplots(1, 3)
    lengths.hist(counts.lengths, bins=min(30, max(4, counts.games // 4)), color="#1f5fa8")
    lengths.set(title="Events in a game", xlabel="events", ylabel="games")
    places = sorted(counts.sat)
    rows = [interval(counts.lost[place], counts.sat[place]) for place in places]
    errors = [[mean - low for mean, low, _ in rows], [high - mean for mean, _, high in rows]]
    seats.errorbar(places, [mean for mean, _, _ in rows], yerr=errors, fmt="o", color="#b3261e", capsize=4)
    seats.plot(places, [counts.fair[place] / 10_000 / counts.sat[place] for place in places], "--", color="#888")
    seats.set(title="Lost, with 95 % intervals", xlabel="places left of the dealer", ylabel="%", xticks=places)
    top = ranked(counts.refusals)[:10]
    rules.barh([rule for rule, _ in top][::-1], [number for _, number in top][::-1], color="#8a5a00")
    rules.set(title="Refusals by rule")
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]
