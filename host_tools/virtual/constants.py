"""Says imported constants by their numbers in what is compiled for a device.

MicroPython's compiler knows a `NAME = const(...)` only in its own file; each file that imports it would pay for the
name in heap and look it up whenever it is used. The constant stays where it is defined, and lines keep their numbers.
"""

import ast
from functools import lru_cache
from pathlib import Path
from threading import Lock

Constants = dict[str, dict[str, object]]  # of each module: its public constants
_PARSING = Lock()  # CPython 3.11 counts the depth of a tree for all threads together; two at once raise SystemError


def read_constants(firmware: Path) -> Constants:
    """The public constants of every module under that folder."""
    found: Constants = {}
    for path in sorted(firmware.rglob("*.py")):
        public = _read_public(path.read_text(encoding="utf-8"))
        if public:
            found[".".join(path.relative_to(firmware).with_suffix("").parts)] = public
    return found


@lru_cache(maxsize=512)  # each table that starts asks for all of them
def _read_public(text: str) -> dict[str, object]:
    """The public constants of one module. Nobody may change what it gives."""
    known: dict[str, object] = {}
    for line in text.splitlines():
        name, is_const, _ = line.partition(" = const(")
        if is_const and name.isidentifier():
            try:
                call = ast.parse(line).body[0].value  # type: ignore[attr-defined]
                known[name] = eval(compile(ast.Expression(call.args[0]), "const", "eval"), {}, dict(known))
            except (SyntaxError, NameError):
                continue  # the compiler will say what is wrong
    return {name: value for name, value in known.items() if name[0] != "_"}


def fold(text: str, constants: Constants) -> str:
    """The source with a number for each constant that it imports. SyntaxError."""
    with _PARSING:
        tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module in constants]
    known: dict[str, object] = {}
    for node in imports:
        theirs = constants[str(node.module)]
        known |= {alias.name: theirs[alias.name] for alias in node.names if alias.name in theirs and not alias.asname}
    for own in names_of_its_own(tree, imports):
        known.pop(own, None)
    lines = [line.encode() for line in text.split("\n")]
    edits = [edit for node in imports for edit in shorten(node, known, lines)]
    for name in ast.walk(tree):
        if isinstance(name, ast.Name) and name.id in known:
            edits.append((name.lineno, name.col_offset, name.end_col_offset or 0, repr(known[name.id])))
    for number, begin, end, said in sorted(edits, reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:begin] + said.encode() + line[end:]
    return b"\n".join(lines).decode()


def names_of_its_own(tree: ast.Module, imports: list[ast.ImportFrom]) -> set[str]:
    """Names that mean something else somewhere in the file, or stand where no number can."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.JoinedStr):
            found |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        elif isinstance(node, ast.ImportFrom | ast.Import) and node not in imports:
            found |= {alias.asname or alias.name for alias in node.names}
    names = [(alias.name, node.module) for node in imports for alias in node.names]
    return found | {name for name, home in names if any(name == other and home != its for other, its in names)}


def shorten(node: ast.ImportFrom, known: dict[str, object], lines: list[bytes]) -> list[tuple[int, int, int, str]]:
    """The edits that leave of an import what is no constant."""
    kept = [alias for alias in node.names if alias.name not in known or alias.asname]
    if len(kept) == len(node.names):
        return []
    names = ", ".join(alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in kept)
    said = f"from {node.module} import {names}" if kept else "pass"
    first, last, end = node.lineno, node.end_lineno or node.lineno, node.end_col_offset or 0
    if last == first:
        return [(first, node.col_offset, end, said)]
    rest = [(number, 0, len(lines[number - 1]), "") for number in range(first + 1, last)]
    return [(first, node.col_offset, len(lines[first - 1]), said), *rest, (last, 0, end, "")]
