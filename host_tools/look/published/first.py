"""Sorts the site's files: those that a visitor's first games open go first, the others follow; likewise the functions
of Python's WebAssembly.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.look.published.python_side import pack, run_node, zip_up

HERE = Path(__file__).parent
FIRST = HERE / "first.mjs"
PAGE = HERE / "page"
SHARED = (PAGE / "packed.js", PAGE / "startup.js")
MADE = ("first.wasm", "later.wasm", "told.json")  # by first.mjs
SCRIPTS = (FIRST, *(HERE / f"{name}.mjs" for name in ("calls", "split", "module", "wasm")), *SHARED)
LIBRARY, PROGRAM = "/lib/python314.zip/", "/program/"  # where they lie in the browser's Python
TEXTS = ("host_tools/base/", "host_tools/judge/", "host_tools/play/", "host_tools/sight/", "firmware/")
LATER = "later.txt"  # in the program: the modules that follow
BESIDE = "library/"  # of what follows: modules of Python's library


@dataclass
class Sorted:
    """Files by their names: of Python's library and of the program what goes first, and what follows into the program's
    folder. lobby: by language, what the table says to a page that has just come. halves: of Python's WebAssembly, what
    goes first and what follows."""

    library: dict[str, bytes]
    program: dict[str, bytes]
    later: dict[str, bytes]
    lobby: dict[str, Any]
    halves: tuple[bytes, bytes]


def sort_out(home: Path, library: dict[str, bytes], program: dict[str, bytes], work: Path) -> Sorted:
    """Play the first games in the Python of that package. UnusableInput."""
    opened, lobby, halves = _play(home, library, program, work)
    rooms = {name.removeprefix(LIBRARY) for name in opened if name.startswith(LIBRARY)}
    known = {name.removeprefix(PROGRAM) for name in opened if name.startswith(PROGRAM)}

    def is_first(name: str) -> bool:
        if name.endswith(".pyc"):
            return _source_of(name) in known
        return name in known or not name.endswith(".py") and name.startswith(TEXTS)

    made = Sorted({}, {}, {}, lobby, halves)
    for name, content in library.items():
        if name in rooms:
            made.library[name] = content
        else:
            made.later[BESIDE + name] = content
    for name, content in program.items():
        if not is_first(name):
            made.later[name] = content
        elif name.endswith(".py") and _compiled_of(name) in program:
            made.program[name] = b""  # Python wants it beside what was compiled, and does not read it
            if content:
                made.later[name] = content
        else:
            made.program[name] = content
    made.program[LATER] = "\n".join(sorted(filter(None, map(_module_of, made.later)))).encode()
    return made


def _play(home: Path, library: dict[str, bytes], program: dict[str, bytes],
          work: Path) -> tuple[list[str], Any, tuple[bytes, bytes]]:
    """The files that the first games open, what the table says first, and the halves of Python's WebAssembly; played
    again only if something has changed."""
    work.mkdir(parents=True, exist_ok=True)
    parts = [home.name.encode(), zip_up(library), pack(program), *map(foreign.read_bytes, SCRIPTS)]
    of = work / "of"
    if not (of.is_file() and foreign.read_bytes(of) == _digest(parts, work)):
        (work / "library.zip").write_bytes(zip_up(library))
        (work / "program.bin").write_bytes(pack(program))
        for script in SHARED:
            shutil.copyfile(script, work / f"{script.stem}.mjs")
        run_node(FIRST, home, work)
        of.write_bytes(_digest(parts, work))
    first, later, told = (foreign.read_bytes(work / name) for name in MADE)
    said = json.loads(told)
    return said["files"], said["lobby"], (first, later)


def _digest(parts: list[bytes], work: Path) -> bytes:
    """Of what is played, and of what came of it: a power cut may have left a file cut."""
    whole = hashlib.sha256()
    for content in [*parts, *(foreign.read_bytes(work / name) for name in MADE if (work / name).is_file())]:
        whole.update(b"%d " % len(content) + content)
    return whole.digest()


def _source_of(compiled: str) -> str:
    """`a/__pycache__/b.cpython-314.pyc` is compiled from `a/b.py`."""
    folder, _, name = compiled.rpartition("__pycache__/")
    return f"{folder}{name.split('.')[0]}.py"


def _compiled_of(source: str) -> str:
    folder, slash, name = source.rpartition("/")
    return f"{folder}{slash}__pycache__/{name[:-3]}.cpython-314.pyc"


def _module_of(name: str) -> str:
    """The module that the file is; empty: it is none."""
    if name.startswith(BESIDE):
        stem = name.removeprefix(BESIDE).removesuffix(".pyc")
    elif name.endswith(".py"):
        stem = name.removeprefix("firmware/").removesuffix(".py")
    else:
        return ""
    return stem.removesuffix("/__init__").replace("/", ".")
