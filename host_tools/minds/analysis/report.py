"""Writes an analysis as figures, text, or a page that needs nothing else; the same record gives the same bytes."""

from __future__ import annotations

import hashlib
import html
import json
from typing import Any

from cardtable.engine.event import Event, find_verb, pack, unpack, verb_name
from cardtable.engine.record import write_arguments
from cardtable.games import cals_bs
from host_tools.minds.analysis.judge import CLASSES, WHOLE, Analysis, Decision
from host_tools.minds.analysis.likeness import Likeness
from host_tools.minds.analysis.sentences import act, percent, tell_doubt, tell_mistake
from host_tools.judge.sentences import Sentences
from host_tools.sight.recorded import Recorded, clock
from host_tools.minds.players.beginner_cals_bs import Plan

_COLOURS = ("#b3261e", "#1f5fa8", "#2e7d32", "#8a5a00", "#6a3d9a", "#00838f", "#5d4037")
_WIDTH, _HEIGHT = 860, 240
_DOUBT, _LAY = find_verb(cals_bs, "doubt"), find_verb(cals_bs, "lay")


def figures(found: Analysis) -> dict[str, Any]:
    """Everything, for programs and for the two other forms."""
    record, game = found.record, found.record.game
    names = list(record.header.seats)
    return {
        "record": record.name.rsplit("/", 1)[-1],
        "sha256": hash_of(record),
        "game": " ".join(record.header.game),
        "players": names,
        "result": record.result,
        "aim": "to win" if game is cals_bs else "not to lose",
        "seats": [tell_seat(found, seat) for seat in range(1, found.seats + 1)],
        "decisions": [tell_decision(game, one) for one in found.decisions],
        "curve": [{"line": number, "millionths": chances} for number, chances in found.curve],
    }


def hash_of(record: Recorded) -> str:
    """By which an analysis knows its record."""
    return hashlib.sha256(record.content).hexdigest()


def tell_seat(found: Analysis, seat: int) -> dict[str, Any]:
    """One seat: its mistakes, where its result came from, and the kind of player that it played like."""
    own = [one for one in found.decisions if one.seat == seat]
    kinds = {kind: sum(one.kind == kind for one in own) for _, kind in CLASSES}
    lost = sum(one.loss for one in own if not one.is_later)
    likeness = Likeness(found.record.game)
    for one in own:
        likeness.add(one.seen, one.played, one.choices)
    return {
        "name": found.record.header.seats[seat - 1],
        "decisions": len(own),
        **kinds,
        "lost_each": round(lost / len(own), 2) if own else 0.0,
        "plays_like": likeness.kind(),
        "likeness": likeness.words(),
        "outcome": found.outcome[seat - 1],
        "split": found.split(seat),
    }


def tell_decision(game: Any, one: Decision) -> dict[str, Any]:
    """One decision."""
    told = {
        "line": one.number, "at_ms": one.seen.at_ms, "seat": one.seat, "played": act(game, one.played),
        "chance": round(one.chance, 1), "chance_half": round(one.chance_half, 1), "best": act(game, one.best),
        "best_chance": round(one.best_chance, 1), "best_half": round(one.best_half, 1),
        "best_as_recorded": as_recorded(game, one.best),
        "with_open_cards": {"chance": round(one.open_chance, 1), "best_chance": round(one.open_best, 1)},
        "is_exact": one.is_exact, "class": one.kind, "sentence": tell_mistake(game, one) if one.kind else "",
    }  # fmt: skip
    word = one.played.word if isinstance(one.played, Plan) else one.played
    if game is cals_bs and word >> 16 == _DOUBT:
        told["doubt"] = {"chance_of_lie": round(100 * one.lie, 1), "needed": round(100 * one.needed, 1),
                         "sentence": tell_doubt(one)}
    return told


def as_recorded(game: Any, move: Any) -> list[str]:
    """A move as a record writes it, without time and seat; a set of Cal's BS takes several."""
    packed = [move]
    if isinstance(move, Plan):
        packed = [pack(_LAY, card) for card in move.cards] + [move.word]
    events = [unpack(one, 1, 0, Event()) for one in packed]
    return [" ".join([verb_name(game, event.verb), *write_arguments(game, event)]) for event in events]


def as_json(told: dict[str, Any]) -> str:
    """One document."""
    return json.dumps(told, indent=1, sort_keys=True)


def as_text(told: dict[str, Any]) -> list[str]:
    """Lines to read."""
    lines = [f"{told['game']}: {', '.join(told['players'])}. {told['result']}", ""]
    for seat in told["seats"]:
        like = f"; {seat['likeness']}" if seat["likeness"] else ""
        kinds = ", ".join(f"{seat[kind]} of {points} points and more" for points, kind in CLASSES)
        lines.append(
            f"{seat['name']}: {seat['decisions']} decisions, {seat['lost_each']:.1f} points lost in each{like}"
        )
        lines.append(f"  mistakes: {kinds}")
        lines.append("  " + tell_split(told, seat))
    if tell_draw(told):
        lines.append(tell_draw(told).strip())
    lines.append("")
    for one in told["decisions"]:
        name = told["players"][one["seat"] - 1]
        if one["sentence"]:
            opened = one["with_open_cards"]
            lines.append(f"{one['line']:5} {clock(one['at_ms']):>8}  {name}, {one['class']}: {one['sentence']}.")
            lines.append(
                f"{'':16}with all cards open: {percent(opened['best_chance'])} and {percent(opened['chance'])}"
            )
        if "doubt" in one:
            lines.append(f"{one['line']:5} {clock(one['at_ms']):>8}  {name} doubted. {one['doubt']['sentence']}.")
    if not any(one["sentence"] for one in told["decisions"]):
        lines.append("Nobody made a mistake of five points or more.")
    return lines


def tell_split(told: dict[str, Any], seat: dict[str, Any]) -> str:
    """Where the result came from, in points that add up to it."""
    split = seat["split"]
    parts = [f"fair share {points(split['fair'])}", f"deal {points(split['deal'], True)}"]
    parts.append(f"draws {points(split['draws'], True)}")
    for number, name in enumerate(told["players"], 1):
        parts.append(f"{name}'s play {points(split[f'play {number}'], True)}")
    if split["table"]:
        parts.append(f"the table {points(split['table'], True)}")
    return f"{', '.join(parts)} = {points(seat['outcome'])}"


def tell_draw(told: dict[str, Any]) -> str:
    """What a draw counts, if this game was one; else nothing."""
    outcomes = {seat["outcome"] for seat in told["seats"]}
    if len(outcomes) > 1:
        return ""
    return f" Nobody lost this game: {points(outcomes.pop())} points for each."


def tell_likeness(told: dict[str, Any]) -> str:
    """`Vera collects trumps.`, for each player who plays like a known kind."""
    return " ".join(f"{seat['name']} {seat['likeness']}." for seat in told["seats"] if seat["likeness"])


def paragraph(text: str) -> str:
    """As HTML; of no text nothing."""
    return f"<p>{html.escape(text)}</p>" if text else ""


def points(millionths: int, is_signed: bool = False) -> str:
    """Points of a hundred."""
    return f"{100 * millionths / WHOLE:+.1f}" if is_signed else f"{100 * millionths / WHOLE:.1f}"


def as_page(told: dict[str, Any], view: str = "", table: str = "") -> str:
    """One HTML page with its picture in it. view: the address of the game's replay, to which lines then lead; table:
    that of the table where it was played."""
    names = [html.escape(name) for name in told["players"]]
    legend = "".join(f'<span class="legend"><i style="background:{_COLOURS[at]}"></i>{name}</span> '
                     for at, name in enumerate(names))
    words = Sentences(None, told["players"])
    title = html.escape(f"{words.title(told['game'])}: {', '.join(told['players'])}")
    ways = ((table, "← Back to the table"), (view, "Watch the game"))
    links = [f'<a href="{address}">{label}</a>' for address, label in ways if address]
    return "\n".join([
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<header><nav aria-label=\"Cardtable\">{' '.join(links)}</nav></header><main>" if links else "<main>",
        f"<h1>{title}</h1><p class=\"result\">{html.escape(words.result(told['result']))}</p>",
        f"<h2>The game</h2><p>The chance {told['aim']} after each event, with all cards open. {legend}</p>",
        draw_curve(told),
        "<h2>Luck and play</h2>",
        "<p>Each row adds up to the result exactly: 100 points for a game that was not lost, or won."
        f"{tell_draw(told)}</p>",
        table_of_split(told, names),
        paragraph(tell_likeness(told)),
        "<h2>Mistakes</h2><p>Judged by what the player could know. The last column shows the same two plays "
        "with all cards open: nobody could know that.</p>",
        table_of_mistakes(told, names, view, "try" if table else ""),
        "</main></body></html>", "",
    ])  # fmt: skip


# The colours of the table's own page (host_tools/play/web/page/style.css); on paper black on white.
_STYLE = (
    "body{font:16px/1.5 system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif;margin:0;color:#f4f1e6;"
    "background:#1d1009 radial-gradient(120% 60rem at 50% 0,#4a2f1d,#1d1009)}"
    "header{background:#140b06;padding:.6rem 1rem;position:sticky;top:0}"
    "nav{display:flex;gap:.5rem 1.5rem;flex-wrap:wrap}"
    "main{max-width:58rem;margin:1rem auto;padding:.5rem 1.25rem 2rem;background:#0f2419;border:1px solid #ffffff3d;"
    "border-radius:16px}a{color:#bfe3ff}nav a{padding:.3rem 0}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem;color:#f3cf6b}.result{font-weight:700}"
    "table{border-collapse:collapse;width:100%;font-size:.95rem}"
    "th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #ffffff33;vertical-align:top}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".blunder{color:#ff8a80;font-weight:600}.mistake{color:#ffc46b;font-weight:600}"
    ".legend{white-space:nowrap;margin-right:.8rem}.legend i{display:inline-block;width:.8em;height:.8em;"
    "border-radius:50%;margin-right:.35em}.scroll{overflow-x:auto}:focus-visible{outline:3px solid #fff}"
    "svg{width:100%;height:auto;background:#fbf8ee;border-radius:8px}"
    "@media(max-width:600px){main{margin:0;border-radius:0;border:0;padding:.5rem .8rem 2rem}}"
    "@media print{body,main{background:#fff;color:#000}header{display:none}h2,.mistake{color:#000}main{border:0}}"
)


def draw_curve(told: dict[str, Any]) -> str:
    """A line for each seat, from the deal to the end."""
    curve = told["curve"]
    step = _WIDTH / max(1, len(curve) - 1)
    lines = [f'<line x1="0" x2="{_WIDTH}" y1="{_HEIGHT / 2}" y2="{_HEIGHT / 2}" stroke="#bbb" stroke-dasharray="4 4"/>']
    for seat, name in enumerate(told["players"]):
        dots = " ".join(
            f"{at * step:.1f},{_HEIGHT - _HEIGHT * one['millionths'][seat] / WHOLE:.1f}" for at, one in enumerate(curve)
        )
        label = f"<title>{html.escape(name)}</title>"
        lines.append(
            f'<polyline fill="none" stroke="{_COLOURS[seat]}" stroke-width="2" points="{dots}">{label}</polyline>'
        )
    return f'<svg viewBox="0 -4 {_WIDTH} {_HEIGHT + 8}" role="img" aria-label="The chances">{"".join(lines)}</svg>'


def scrolled(label: str, rows: str) -> str:
    """A table that a narrow window moves sideways, by the keyboard, too."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>{rows}</table></div>'


def table_of_split(told: dict[str, Any], names: list[str]) -> str:
    """A row for each seat."""
    head = "".join(f"<th>{name}'s play</th>" for name in names)
    rows = []
    for seat in told["seats"]:
        split = seat["split"]
        played = "".join(f'<td class="n">{points(split[f"play {at}"], True)}</td>' for at in range(1, len(names) + 1))
        rows.append(
            f"<tr><td>{html.escape(seat['name'])}</td><td class='n'>{points(split['fair'])}</td>"
            f"<td class='n'>{points(split['deal'], True)}</td><td class='n'>{points(split['draws'], True)}</td>{played}"
            f"<td class='n'><b>{points(seat['outcome'])}</b></td></tr>"
        )
    top = f"<tr><th>Player</th><th>Fair share</th><th>Deal</th><th>Draws</th>{head}<th>Result</th></tr>"
    return scrolled("Luck and play", top + "".join(rows))


def table_of_mistakes(told: dict[str, Any], names: list[str], view: str = "", tries: str = "") -> str:
    """A row for each mistake, and for each doubt; its line leads into the replay at that address, and to where it can
    be tried again."""
    rows = []
    for one in told["decisions"]:
        said = one["sentence"] or one.get("doubt", {}).get("sentence", "")
        if said:
            opened = one["with_open_cards"]
            kind = one["class"] or "doubt"
            half = max(one["chance_half"], one["best_half"])
            sure = "exact" if one["is_exact"] else f"± {half:.0f}"
            line = str(one["line"])
            if view:
                line = f'<a href="{view}#line={line}&amp;as={one["seat"]}" aria-label="Watch line {line}">{line}</a>'
            if tries:
                line += f' <a href="{tries}?line={one["line"]}&amp;seat={one["seat"]}">Try it from here</a>'
            rows.append(
                f"<tr><td class='n'>{line}</td><td>{names[one['seat'] - 1]}</td><td class='{kind}'>{kind}</td>"
                f"<td>{html.escape(said)}.</td><td>{sure}</td>"
                f"<td class='n'>{percent(opened['best_chance'])} / {percent(opened['chance'])}</td></tr>"
            )
    if not rows:
        return "<p>Nobody made a mistake of five points or more.</p>"
    heads = ("Line", "Player", "Size", "What happened", "95 %", "With open cards")
    top = f"<tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"
    return scrolled("Mistakes", top + "".join(rows))
