"""Says an analysis to people, in one language: as lines of text, and as a page that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import Any

from host_tools.minds.analysis.judge import CLASSES, WHOLE
from host_tools.minds.analysis.sentences import Told, percent
from host_tools.sight.recorded import clock

_COLOURS = ("#b3261e", "#1f5fa8", "#2e7d32", "#8a5a00", "#6a3d9a", "#00838f", "#5d4037")
_WIDTH, _HEIGHT = 860, 240


def as_text(told: dict[str, Any], words: Told) -> list[str]:
    """Lines to read."""
    lines = [f"{words.title(told)}. {words.sentences.result(told['result'])}", ""]
    for seat in told["seats"]:
        kind = words.kind(seat)
        lines.append(words.say("seat.kind" if kind else "seat", seat=seat["name"], number=seat["decisions"],
                               lost=f"{seat['lost_each']:.1f}", kind=kind))
        counted = [words.say("counted.part", kind=words.say(one), number=seat[one], points=of) for of, one in CLASSES]
        lines.append("  " + words.say("counted", parts=", ".join(counted)))
        parts = ", ".join(words.say("part", name=name, points=value) for name, value in list_parts(told, seat, words))
        lines.append("  " + words.say("split", seat=seat["name"], parts=parts, points=points(seat["outcome"])))
    lines += [*tell_draw(told, words), *([words.say("mistakes.rough")] if is_rough(told) else []), ""]
    found = [one for one in words.decisions(told["decisions"]) if is_told(one)]
    for one in found:
        name, opened = told["players"][one["seat"] - 1], one["with_open_cards"]
        said = words.say("told", seat=name, kind=words.say(one["class"] or "doubt"), sentence=sentence_of(one))
        lines.append(f"{one['line']:5} {clock(one['at_ms']):>8}  {said}")
        if one["class"] and not one.get("is_rough"):
            best, chance = (percent(words, opened[key]) for key in ("best_chance", "chance"))
            lines.append(f"{'':16}" + words.say("told.open", best=best, chance=chance))
    if not any(one["class"] for one in found):
        lines.append(words.say("mistakes.none"))
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
    split = seat["split"]
    parts = [(words.say("fair"), points(split["fair"]))]
    parts += [(words.say(key), points(split[key], True)) for key in ("deal", "draws")]
    parts += [(words.say("play", seat=name), points(split[f"play {number}"], True))
              for number, name in enumerate(told["players"], 1)]
    if any(one["split"]["table"] for one in told["seats"]):
        parts.append((words.say("others"), points(split["table"], True)))
    return parts


def tell_draw(told: dict[str, Any], words: Told) -> list[str]:
    """What a draw counts, if this game was one; else nothing."""
    outcomes = {seat["outcome"] for seat in told["seats"]}
    return [] if len(outcomes) > 1 else [words.say("draw", points=points(outcomes.pop()))]


def points(millionths: int, is_signed: bool = False) -> str:
    """Points of a hundred."""
    return f"{100 * millionths / WHOLE:+.1f}" if is_signed else f"{100 * millionths / WHOLE:.1f}"


def as_page(told: dict[str, Any], words: Told, view: str = "", table: str = "") -> str:
    """One HTML page with its picture in it. view: the address of the game's replay, to which lines then lead; table:
    that of the table where it was played."""
    legend = "".join(f'<span class="legend"><i style="background:{_COLOURS[at]}"></i>{escape(name)}</span> '
                     for at, name in enumerate(told["players"]))
    title, aim = escape(words.title(told)), "game.why.win" if told["aim"] == "to win" else "game.why"
    ways = ((table, f"← {words.say('table')}"), (view, words.say("watch")))
    links = [f'<a href="{address}">{escape(label)}</a>' for address, label in ways if address]
    kinds = [words.say("likeness", seat=one["name"], kind=words.kind(one)) for one in told["seats"] if words.kind(one)]
    luck = " ".join([words.say("luck.why"), *tell_draw(told, words)])
    return "\n".join([
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<header><nav aria-label=\"Cardtable\">{' '.join(links)}</nav></header><main>" if links else "<main>",
        f"<h1>{title}</h1><p class=\"result\">{escape(words.sentences.result(told['result']))}</p>",
        f"<h2>{escape(words.say('game'))}</h2><p>{escape(words.say(aim))} {legend}</p>",
        draw_curve(told, escape(words.say("curve"))),
        f"<h2>{escape(words.say('luck'))}</h2><p>{escape(luck)}</p>",
        table_of_split(told, words),
        f"<p>{escape(' '.join(kinds))}</p>" if kinds else "",
        f"<h2>{escape(words.say('mistakes'))}</h2><p>{escape(words.say('mistakes.why'))}"
        f"{' ' + escape(words.say('mistakes.rough')) if is_rough(told) else ''}</p>",
        table_of_mistakes(told, words, view, "try" if table else ""),
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
    "@media(max-width:600px){main{margin:0;border-radius:0;border:0;padding:.5rem .8rem 2rem}table,tbody{display:block}"
    "tr{display:flex;flex-wrap:wrap;gap:.1rem .8rem;padding:.6rem 0;border-bottom:1px solid #ffffff33}"
    "tr:has(th){display:none}td,td.n{border:0;padding:0;text-align:left}"
    "td.name{font-weight:700}td.said,.split .name{flex:1 0 100%}"
    "td.n::before,.sure::before{content:attr(data-head) ' ';color:#c3d2c6}"
    ".split td.n{flex:1 0 44%;display:flex;justify-content:space-between}}"
    "@media print{body,main{background:#fff;color:#000}header{display:none}h2,.mistake{color:#000}main{border:0}}"
)


def draw_curve(told: dict[str, Any], label: str) -> str:
    """A line for each seat, from the deal to the end."""
    curve = told["curve"]
    step = _WIDTH / max(1, len(curve) - 1)
    lines = [f'<line x1="0" x2="{_WIDTH}" y1="{_HEIGHT / 2}" y2="{_HEIGHT / 2}" stroke="#bbb" stroke-dasharray="4 4"/>']
    for seat, name in enumerate(told["players"]):
        dots = " ".join(
            f"{at * step:.1f},{_HEIGHT - _HEIGHT * one['millionths'][seat] / WHOLE:.1f}" for at, one in enumerate(curve)
        )
        lines.append(f'<polyline fill="none" stroke="{_COLOURS[seat]}" stroke-width="2" points="{dots}">'
                     f"<title>{escape(name)}</title></polyline>")
    return f'<svg viewBox="0 -4 {_WIDTH} {_HEIGHT + 8}" role="img" aria-label="{label}">{"".join(lines)}</svg>'


def make_table(label: str, kind: str, heads: list[str], rows: list[list[tuple[str, str]]]) -> str:
    """A table of cells (class, HTML), the first of a row its heading; what is too wide moves sideways, by the keyboard,
    too. On a phone each row is a block, in which every cell says its head."""
    top = f"<tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>"
    lines = ("".join(f'<td class="{style}" data-head="{escape(head)}">{cell}</td>'
                     for head, (style, cell) in zip(heads, row, strict=True)) for row in rows)
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}"><table class="{kind}">{top}'
            f"{''.join(f'<tr>{line}</tr>' for line in lines)}</table></div>")


def table_of_split(told: dict[str, Any], words: Told) -> str:
    """A row for each seat."""
    parts = {seat["name"]: list_parts(told, seat, words) for seat in told["seats"]}
    rows = [[("name", escape(seat["name"])), *(("n", value) for _, value in parts[seat["name"]]),
             ("n", f"<b>{points(seat['outcome'])}</b>")] for seat in told["seats"]]
    heads = [name for name, _ in parts[told["seats"][0]["name"]]]
    return make_table(words.say("luck"), "split", [words.say("player"), *heads, words.say("result")], rows)


def table_of_mistakes(told: dict[str, Any], words: Told, view: str = "", tries: str = "") -> str:
    """A row for each mistake, and for each doubt; its line leads into the replay at that address, and to where it can
    be tried again."""
    rows = []
    for one in words.decisions(told["decisions"]):
        if not is_told(one):
            continue
        opened, kind = one["with_open_cards"], one["class"] or "doubt"
        half = max(one["chance_half"], one["best_half"])
        rough = bool(one.get("is_rough"))
        sure = words.say("chance.rough" if rough else "exact") if rough or one["is_exact"] else f"± {half:.0f}"
        open_chances = [percent(words, opened[key], False, rough) for key in ("best_chance", "chance")]
        line = str(one["line"])
        if view:
            label = escape(words.say("watch.line", line=line))
            line = f'<a href="{view}#line={line}&amp;as={one["seat"]}" aria-label="{label}">{line}</a>'
        if tries:
            where = f"{tries}?line={one['line']}&amp;seat={one['seat']}&amp;language={words.language}"
            line += f' <a href="{where}">{escape(words.say("try"))}</a>'
        rows.append([
            ("n", line), ("name", escape(told["players"][one["seat"] - 1])), (kind, escape(words.say(kind))),
            ("said", f"{escape(sentence_of(one))}."), ("sure", escape(sure)), ("n", escape(" / ".join(open_chances))),
        ])
    if not rows:
        return f"<p>{escape(words.say('mistakes.none'))}</p>"
    heads = [words.say(key) for key in ("line", "player", "size", "happened", "sure", "open")]
    return make_table(words.say("mistakes"), "mistakes", heads, rows)
