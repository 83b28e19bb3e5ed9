"""Shortens names of the firmware for a chip whose heap is tight.

MicroPython keeps every name once, in a table that takes its room in parts: the one behind 1,260 names costs an ESP32
9 KB.
Names that only one module knows are said by a few short ones, which all modules share: what begins with an underscore,
parameters, and its other functions, variables and attributes that no other file says. Its constants that no other file
says become private, so that the compiler forgets their names. Games, drivers and rooms keep every name by which another
module, the prompt or a record knows them, and classes keep theirs: the feed and drivers say them.
"""

from __future__ import annotations

import ast
import builtins
import io
import itertools
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

from host_tools.virtual.constants import Constants, fold, read_constants

Renames = dict[str, str]
_PRIVATE = re.compile(r"_[A-Za-z]\w*$")
_CONST = re.compile(r"^(\w+) = const\(", re.M)  # the compiler says its number, and forgets a private name
_AT_PROMPT = ("main", "health")  # a computer calls their functions by name, perhaps with names of parameters


class Source:
    """What one module says, as far as names go."""

    def __init__(self, path: Path, constants: Constants) -> None:
        self.path = path
        text = fold(path.read_text(encoding="utf-8"), constants)
        tree = ast.parse(text)
        nodes = list(ast.walk(tree))
        self.tokens = {token.string for token in tokenize.generate_tokens(io.StringIO(text).readline)
                       if token.type == tokenize.NAME}
        self.params = {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.constants = set(_CONST.findall(text))
        self.bound = {name for node in nodes for name in _binds(node)}
        self.fixed = {name for node in nodes for name in _fixes(node)} | _tops(tree)
        self.strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        self.own = self.bound - {name for node in nodes for name in _shares(node)}
        self.bases = {base.id for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases
                      if isinstance(base, ast.Name)}
        self.imports = {alias.name: str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)
                        for alias in node.names}

    def uses(self, name: str) -> bool:
        return name in self.tokens


def _binds(node: ast.AST) -> Iterator[str]:
    """Names that come into being at this node."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr


def _fixes(node: ast.AST) -> Iterator[str]:
    """Names that are more than a function's own."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword):
        yield str(node.arg)
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield from (alias.asname or alias.name).split(".")


def _shares(node: ast.AST) -> Iterator[str]:
    """Names that may be known elsewhere, or mean what is not this module's."""
    if isinstance(node, ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
        yield node.attr
    elif isinstance(node, ast.keyword):
        yield str(node.arg)
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield from (alias.asname or alias.name).split(".")


def _tops(tree: ast.Module) -> set[str]:
    """Names that a module or a class has for itself."""
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {name for body in bodies for statement in body if not isinstance(statement, inside)
            for node in ast.walk(statement) for name in _binds(node)}


def plan(firmware: Path) -> dict[Path, Renames]:
    """New names for each file of the firmware."""
    constants = read_constants(firmware)
    sources = [Source(path, constants) for path in sorted(firmware.rglob("*.py"))]
    found: dict[Path, Renames] = {source.path: {} for source in sources}
    private = _find_private(sources)
    for group in _join(sources, private):
        taken = set().union(*(source.tokens for source in group))
        names = sorted(private & taken)
        short = dict(zip(names, _free("_", taken), strict=False))
        for source in group:
            found[source.path].update({name: new for name, new in short.items() if source.uses(name)})
    params = _find_params(sources)
    for source in sources:
        if source.path.stem not in _AT_PROMPT:
            names = sorted(params & source.tokens)
            found[source.path].update(zip(names, _free("", source.tokens), strict=False))
    return found


def _free(prefix: str, taken: set[str]) -> Iterator[str]:
    """Short names that are not taken."""
    for length in itertools.count(1):
        for letters in itertools.product(ascii_lowercase, repeat=length):
            name = prefix + "".join(letters)
            if name not in taken and name not in _RESERVED:
                yield name


_RESERVED = {*dir(builtins), "as", "if", "in", "is", "or", "def", "del", "for", "and", "not", "try"}


def _find_private(sources: list[Source]) -> set[str]:
    """Names with an underscore that the firmware gives itself, and others of one module alone; no text says them."""
    found = {name for source in sources for name in source.bound if _PRIVATE.match(name)}
    found -= {name for source in sources for name in source.constants if _PRIVATE.match(name)}
    times = Counter(name for source in sources for name in source.tokens)
    found |= {name for source in sources if source.path.stem not in _AT_PROMPT for name in source.own
              if times[name] == 1 and name[0] != "_"}
    modules = {part for source in sources for part in source.path.with_suffix("").parts}
    return found - modules.union(*(source.strings for source in sources))


def _find_params(sources: list[Source]) -> set[str]:
    """Parameters whose name means nothing else anywhere in the firmware."""
    found = {name for source in sources for name in source.params if name[0] != "_"} - _RESERVED - {"self"}
    return found - set().union(*(source.fixed | source.strings for source in sources))


def _join(sources: list[Source], private: set[str]) -> list[list[Source]]:
    """The sources in groups that share private names: a class and those that it is derived from, a module and another
    one whose private names it uses."""
    by_module = {"cardtable." + ".".join(source.path.with_suffix("").parts[-2:]): source for source in sources}
    group = {source.path: {source.path} for source in sources}

    def join(one: Source, other: Source) -> None:
        both = group[one.path] | group[other.path]
        for path in both:
            group[path] = both

    for source in sources:
        for base in source.bases:
            other = by_module.get(source.imports.get(base, ""))
            if other is not None:
                join(source, other)
        for name in (private & source.tokens) - source.bound:
            for other in sources:
                if name in other.bound:
                    join(source, other)
    by_path = {source.path: source for source in sources}
    return [[by_path[path] for path in sorted(paths)] for paths in {frozenset(paths) for paths in group.values()}]


def rename(text: str, renames: Renames) -> str:
    """The source with these names; lines keep their numbers."""
    lines = text.splitlines(keepends=True)
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline)
              if token.type == tokenize.NAME and token.string in renames]
    for token in reversed(tokens):
        (row, begin), (_, end) = token.start, token.end
        lines[row - 1] = lines[row - 1][:begin] + renames[token.string] + lines[row - 1][end:]
    return "".join(lines)
