"""Writes one page of HTML about one line of a record: it prints on one sheet of paper and needs no network."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from host_tools.base.files import write_file
from host_tools.look.answer import state_lines
from host_tools.look.picture import draw
from host_tools.look.wording import Wording

STYLE = """
@page { size: A4; margin: 12mm; }
body { font: 11pt/1.35 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; color: #15181d;
  background: #fff; max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 15pt; margin: 0; }
h2 { font-size: 11pt; margin: 5mm 0 1mm; color: #4a505c; }
p, ul, table { margin: 0 0 1mm; }
.facts { color: #4a505c; font-size: 10pt; }
.tried { font-size: 13pt; margin-top: 5mm; font-weight: 650; }
.verdict { font-size: 13pt; border-left: 5px solid #1c7a3f; padding-left: 3mm; }
.verdict.no { border-color: #b3001b; }
.rule { margin: 2mm 0; font-size: 10pt; }
.source { color: #4a505c; font-size: 9pt; }
svg { width: 100%; height: auto; max-height: 100mm; }
table { border-collapse: collapse; font-size: 10pt; }
td { padding: .4mm 3mm .4mm 0; vertical-align: top; }
td:first-child, td:nth-child(2) { color: #4a505c; text-align: right; white-space: nowrap; }
tr.here td { font-weight: 700; color: #15181d; border-top: 1px solid #15181d; border-bottom: 1px solid #15181d; }
ul.allowed { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 1mm 5mm; }
footer { margin-top: 5mm; border-top: 1px solid #c9ccd3; padding-top: 1mm; font-size: 9pt; color: #4a505c; }
@media screen and (max-width: 700px) { body { margin: 2mm auto; } .picture { overflow-x: auto; }
  svg { max-height: none; min-width: 640px; } }
@media print { body { margin: 0; padding: 0; } h2, .tried { break-after: avoid; } }
"""


def make_sheet(found: dict[str, Any]) -> str:
    """The page of an answer (host_tools/look/answer.py)."""
    words = Wording(found["language"])
    facts = [f"{words.say('players')}: {', '.join(found['players'])}"]
    facts += [f"{words.say(key)}: {found[key]}" for key in ("table", "date", "result") if found[key]]
    verdict = "verdict no" if found["is_refused"] else "verdict"
    parts = [
        f"<h1>{escape(found['title'])}. {escape(found['headline'])}</h1>",
        f'<p class="facts">{escape(". ".join(facts))}</p>',
        f'<p class="tried">{escape(found["tried"])}</p>',
        f'<p class="{verdict}">{escape(found["verdict"])}</p>',
        *map(show_rule, found["rules"]),
        *show_allowed(found),
        f"<h2>{escape(words.say('before'))} ({escape(found['reader'])})</h2>",
        f"<p>{escape('. '.join(state_lines(found['state'], words)))}</p>",
        f'<div class="picture" role="region" tabindex="0" aria-label="{escape(words.say("before"))}">'
        f"{draw(found)}</div>",
        f"<h2>{escape(words.say('around'))}</h2><table>",
        *(show_line(one, found["line"]) for one in found["around"]), "</table>",
        f"<footer><p>{escape(words.say('seal'))}: {escape(found['sealed'])} {escape(found['trouble'])}</p>"
        f"<p>{escape(words.say('file'))}: {escape(found['file'])}</p></footer>",
    ]
    head = (f'<!doctype html>\n<html lang="{found["language"]}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<title>{escape(found['title'])}. {escape(found['headline'])}</title>\n<style>{STYLE}</style>\n"
            "</head>\n<body>\n<main>\n")
    return head + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"


def show_rule(rule: dict[str, Any]) -> str:
    """A rule with its sources, and the line that says so if it is in English only."""
    note = f"{escape(rule['note'])}<br>" if rule["note"] else ""
    sources = "".join(f'<br><span class="source">{escape(source)}</span>' for source in rule["sources"])
    said = f'<span lang="{rule["language"]}">{escape(rule["text"])}{sources}</span>'
    return f'<p class="rule">{note}<b>{escape(rule["rule"])}</b> {said}</p>'


def show_allowed(found: dict[str, Any]) -> list[str]:
    """What would have stood."""
    if not found["allowed"] and not found["allowed_words"]:
        return []
    moves = "".join(f"<li>{escape(move)}</li>" for move in found["allowed"])
    body = f'<ul class="allowed">{moves}</ul>' if moves else f"<p>{escape(found['allowed_words'])}</p>"
    return [f"<h2>{escape(found['allowed_title'])}</h2>{body}"]


def show_line(one: dict[str, Any], here: int) -> str:
    """One of the lines around."""
    mark = ' class="here"' if one["line"] == here else ""
    return f"<tr{mark}><td>{one['line']}</td><td>{one['at']}</td><td>{escape(one['text'])}</td></tr>"


def write_sheet(path: Path, found: dict[str, Any]) -> None:
    """Write the page; a file of that name is replaced at once, never half."""
    write_file(path, make_sheet(found).encode())
