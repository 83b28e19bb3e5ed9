"""Shows what a bench has found: a table in the terminal, plain lines, Markdown, JSON, the page of the docs; it measures
nothing."""

import dataclasses
import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from host_tools.lab.bench.results import Module, Results, Row, sum_of
from host_tools.base.errors import UnusableInput

COLUMNS = ("row", "value", "median", "unit", "per calibration", "aim")
TEXTS = ("row", "module", "unit", "aim")  # columns that are no numbers
MODULE_COLUMNS = ("module", ".mpy", "file, 64 bits", "file, 32 bits", "ROM, 64 bits", "ROM, 32 bits")
MODULE_FIGURES = ("size", "heap", "heap_32", "rom", "rom_32")
PLAIN_WIDTH = 160
BEGIN = "<!-- what cardtable bench has found -->"
END = "<!-- end of what it has found -->"


def number(value: float | None) -> str:
    """Three digits that matter, thousands apart; whole where the value is."""
    if value is None:
        return ""
    if value == int(value) or abs(value) >= 999.5:  # which .3g would say as 1e+03
        return f"{value:,.0f}"
    return f"{value:.3g}"


def aim(row: Row) -> str:
    """The aim, and a word if it was missed."""
    if row.at_least is None and row.at_most is None:
        return ""
    text = f"at least {number(row.at_least)}" if row.at_least is not None else f"at most {number(row.at_most)}"
    return text + (": missed" if row.is_missed else "")


def cells(row: Row) -> tuple[str, ...]:
    """One line of the table."""
    median = number(row.median)
    return row.name, number(row.value), median, row.unit, number(row.per_calibration), aim(row)


def module_cells(module: Module) -> tuple[str, ...]:
    """One line of the table of modules."""
    return module.name, *(number(getattr(module, name)) for name in MODULE_FIGURES)


def tables(results: Results) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Title, columns and lines of each table: one a room, then the modules."""
    for room, rows in groupby(results.rows, key=lambda row: row.room):
        yield room, COLUMNS, [cells(row) for row in rows]
    if results.modules:
        lines = [module_cells(module) for module in results.modules]
        total = ("in all", *(number(sum_of(results.modules, name)) for name in MODULE_FIGURES))
        yield "modules of the firmware, bytes", MODULE_COLUMNS, [*lines, total]


def show(console: Console, results: Results) -> None:
    """On a terminal tables in colour; elsewhere the same, plain and as wide as they need."""
    for name, value in results.about.items():
        console.print(f"{name}: {value}", highlight=False, soft_wrap=True)
    for title, columns, lines in tables(results):
        table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False)
        for column in columns:
            table.add_column(column, justify="left" if column in TEXTS else "right", overflow="fold")
        for line in lines:
            table.add_row(*line, style="red" if line[-1].endswith("missed") else None)
        console.print()
        console.print(title, style="bold", highlight=False)
        console.print(table)
    console.print()
    for note in (*results.profile, *results.notes):
        console.print(note, highlight=False, markup=False, soft_wrap=True)


def make_console() -> Console:
    """The terminal; where there is none, wide enough that no line is broken."""
    console = Console()
    return console if console.is_terminal else Console(width=PLAIN_WIDTH)


def markdown(results: Results) -> str:
    """Everything as Markdown."""
    text = [", ".join(f"{name} {value}" for name, value in results.about.items()) + ".", ""]
    for title, columns, lines in tables(results):
        text += [f"### {title[0].upper()}{title[1:]}", "", markdown_line(columns)]
        text.append(markdown_line(tuple("---" if column in TEXTS else "---:" for column in columns)))
        text += [markdown_line(line) for line in lines] + [""]
    if results.profile:
        text += ["### Where the time goes under CPython", "", *("    " + line for line in results.profile), ""]
    return "\n".join(text + [f"{note}\n" for note in results.notes])


def markdown_line(texts: tuple[str, ...]) -> str:
    """One line of a table."""
    return "| " + " | ".join(texts) + " |"


def update_page(page: Path, results: Results) -> None:
    """Put the tables into the page between its two marks. UnusableInput if it has not both."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise UnusableInput(f"{page}: the marks between which the tables belong are missing")
    page.write_text(f"{before}{BEGIN}\n{markdown(results)}\n{END}{after}", encoding="utf-8")


def write_json(file: Path, results: Results) -> None:
    """All figures with their full digits. UnusableInput if the file cannot be written."""
    rows = [dataclasses.asdict(row) | {"is_missed": row.is_missed} for row in results.rows]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(dataclasses.asdict(results) | {"rows": rows}, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UnusableInput(f"{file}: {error.strerror}") from error
