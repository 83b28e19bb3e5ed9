"""Holds the journal that the firmware wrote against the record that was played; it runs no rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.engine.event import Event
from cardtable.engine.reading import read_header
from host_tools.base import foreign
from host_tools.virtual.hands import Line, Script, read_script


@dataclass
class Comparison:
    """What was compared, and the first difference as lines of text (none: they agree)."""

    accepted: int
    refused: int
    result: str
    difference: list[str]

    @property
    def agrees(self) -> bool:
        """Whether journal and record tell of the same game."""
        return not self.difference


def arguments(event: Event) -> tuple[int, int, int, int]:
    """What of an accepted event has to be the same; times are stretched as taps need."""
    return event.seat, event.verb, event.card, event.target


def is_same(wanted: Line, found: Line) -> bool:
    """Accepted: seat, verb and arguments. Refused: seat and card, under one of the rules that the record names."""
    if not wanted.rules or not found.rules:
        return not wanted.rules and not found.rules and arguments(wanted.event) == arguments(found.event)
    if wanted.event.seat != found.event.seat or wanted.event.card != found.event.card:
        return False
    return found.rules[0] in wanted.rules


def compare(game: Any, script: Script, journal: Path) -> Comparison:
    """Compare line by line up to the first difference. RecordError if the journal is none."""
    lines = iter(foreign.read_lines(journal))
    header, count = read_header(lines)
    found = read_script(game, header, enumerate(lines, count + 1))
    difference: list[str] = []
    for index in range(max(len(script.lines), len(found.lines))):
        wanted_text = script.lines[index].text if index < len(script.lines) else "nothing more"
        found_text = found.lines[index].text if index < len(found.lines) else "nothing more"
        if "nothing more" in (wanted_text, found_text) or not is_same(script.lines[index], found.lines[index]):
            number = script.lines[index].number if index < len(script.lines) else 0
            difference = [f"record line {number}: {wanted_text}", f"journal: {found_text}"]
            break
    if not difference and script.result and script.result != found.result:
        difference = [f"record: result {script.result}", f"journal: result {found.result or 'not written'}"]
    refused = sum(bool(line.rules) for line in found.lines)
    return Comparison(len(found.lines) - refused, refused, found.result, difference)
