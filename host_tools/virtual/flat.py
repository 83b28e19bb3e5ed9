"""Lays the modules of the lean code beside each other, without folders.

MicroPython keeps for each module that it has ever loaded the name, the name with its folders and the path of its file,
and for each folder a module. In one folder, `between/wiring.py` as `b_wiring`, that takes 6 KB less of an ESP32's heap.
What a computer or the loader asks for by its old name finds a module there that hands on what the new one has.
"""

from __future__ import annotations

import ast
from pathlib import Path

from host_tools.virtual.constants import Constants

PACKAGE = "cardtable"
ROOMS = ("between", "drivers", "engine", "games", "net", "play", "record", "table")  # no two with one first letter
_ROOMS_MODULE = f"{PACKAGE}.rooms"
LAYOUT: Constants = {f"{PACKAGE}.layout": {"IS_FLAT": 1}}  # its constants in flat code
# Asked for by their old names: loader.py, device/on_table.py, device/table.py.
OUTSIDE = ("version", "between/archive", "between/health", "between/prompt")
Edit = tuple[int, int, int, str]  # line, from which of its bytes to which, what stands there then


def name_module(name: str) -> str:
    """`b_wiring` for `between.wiring`, `b_` for `between`, `main` for `main`; behind `cardtable.` or not."""
    name = name.removeprefix(f"{PACKAGE}.")
    room, dot, last = name.partition(".")
    return f"{room[0]}_{last}" if room in ROOMS else name


def lay_out(wanted: dict[Path, Path]) -> dict[Path, Path]:
    """The files of an image and their sources, by their names in a flat one."""
    found = {}
    for name, source in wanted.items():
        if name.suffix != ".mpy" or name.parts[0] != PACKAGE:
            found[name] = source
        elif name.stem != "__init__":  # a folder has no module here
            found[Path(name_module(".".join(name.with_suffix("").parts)) + name.suffix)] = source
            if name.with_suffix("").relative_to(PACKAGE).as_posix() in OUTSIDE:
                found[name] = source
    return found


def hand_on(name: Path) -> str | None:
    """The text of a module of a flat image under its old name; None: it is none."""
    if name.parts[0] != PACKAGE:
        return None
    return f"from {name_module('.'.join(name.with_suffix('').parts))} import *\n"


def add_layout(constants: Constants) -> Constants:
    """The constants of the firmware, as flat code has them."""
    return {**constants, **LAYOUT}


def flatten(text: str) -> str:
    """The source with each module of ours under its flat name. SyntaxError, and ValueError where a name is not known
    before the code runs."""
    tree = ast.parse(text)
    lines = [line.encode() for line in text.split("\n")]
    theirs = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == _ROOMS_MODULE
              for alias in node.names}
    edits: list[Edit] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] == PACKAGE:
            edits.append(_edit_import(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in theirs:
            if node.func.id == "load":
                edits += _edit_load(node)
            elif node.func.id == "forget":
                edits += [_edit_name(argument) for argument in node.args]
    for number, begin, end, said in sorted(edits, reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:begin] + said.encode() + line[end:]
    return b"\n".join(lines).decode()


def _edit_import(node: ast.ImportFrom) -> Edit:
    """`from cardtable.rooms import forget, load`: nobody loads by the name of a room any more."""
    if node.module == _ROOMS_MODULE:
        kept = ", ".join(alias.name for alias in node.names if alias.name != "load")
        said = f"from {name_module(_ROOMS_MODULE)} import {kept}" if kept else "pass"
        return (node.lineno, node.col_offset, node.end_col_offset or 0, said)
    if str(node.module).removeprefix(f"{PACKAGE}.") in ROOMS:
        names = [(name_module(f"{node.module}.{alias.name}"), alias.name) for alias in node.names]
        said = ", ".join(f"{flat} as {name}" for flat, name in names)
        return (node.lineno, node.col_offset, node.end_col_offset or 0, f"import {said}")
    begin = node.col_offset + len("from ")
    return (node.lineno, begin, begin + len(str(node.module)), name_module(str(node.module)))


def _edit_load(call: ast.Call) -> list[Edit]:
    """`load("between", "wiring")` becomes `__import__("b_wiring")`; a name that is made has its room before it."""
    room, name = call.args
    if not isinstance(room, ast.Constant) or room.value not in ROOMS or room.lineno != name.lineno:
        raise ValueError(f"line {call.lineno}: load() of a room that is not named here")
    begin, end = f'"{name_module(str(room.value))}" + ', name.col_offset
    if isinstance(name, ast.Constant):
        begin, end = repr(name_module(str(room.value) + "." + str(name.value))), name.end_col_offset or 0
    return [(room.lineno, room.col_offset, end, begin),
            (call.lineno, call.func.col_offset, call.func.end_col_offset or 0, "__import__")]


def _edit_name(argument: ast.expr) -> Edit:
    """The name of what is to be forgotten, or its beginning."""
    first = argument
    while isinstance(first, ast.BinOp):
        first = first.left
    if not isinstance(first, ast.Constant):
        raise ValueError(f"line {argument.lineno}: forget() of a room that is not named here")
    return (first.lineno, first.col_offset, first.end_col_offset or 0, repr(name_module(str(first.value))))
