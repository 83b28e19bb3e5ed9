"""Shortens names of the firmware for a chip whose heap is tight.

MicroPython keeps every name once, in a table that takes its room in parts (share_names.py).
Names that only one module knows are said by a few short ones, which all modules share: what begins with an underscore,
parameters, and its other functions, variables and attributes that no other file says. Its constants that no other file
says become private, so that the compiler forgets their names. Names that several modules say become short ones, the
same in all. A name stays where the prompt, a text, a board or MicroPython's own modules may say it, and errors keep
theirs: the feed says them.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import functools
import hashlib
import io
import itertools
import json
import os
import re
import struct
import sys
import time
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

from host_tools.base.project import BOARDS, SHIMS
from host_tools.virtual.constants import Constants, fold, read_constants
from host_tools.virtual.flat import OUTSIDE, PACKAGE

Renames = dict[str, str]
_PRIVATE = re.compile(r"_[A-Za-z]\w*$")
_CONST = re.compile(r"^(\w+) = const\(", re.M)  # the compiler says its number, and forgets a private name
_AT_PROMPT = ("main", "health")  # a computer calls their functions by name, perhaps with names of parameters

_NOT_IN_IMAGE = ("loader", "starter")  # they call what they know by name
# What a computer says at the prompt of a stopped table (device/table.py, about.py), and attributes of MicroPython's.
_FOREIGN = {"main", "doctor", "stopped", "readers", "list_health", "is_watched", "threshold", "mem_alloc", "mem_free",
            "kbd_intr", "sleep_ms", "ticks_ms", "ticks_us", "ticks_diff", "ticks_add", "timeout", "branch", "callback",
            "context", "full", "group", "hash", "items", "lock", "package", "post", "put", "recv_into", "send", "throw",
            "release", "waiting", "length"}
_ABOVE = ("firmware", "cardtable")  # folders above each module
WORD = re.compile(r"[A-Za-z_]\w*")


class Source:
    """What one module says, as far as names go."""

    def __init__(self, path: Path, firmware: Path, text: str, constants: Constants) -> None:
        self.path = path
        # Of its module's name; where the firmware lies changes no name.
        self.parts = {*_ABOVE, *path.relative_to(firmware).with_suffix("").parts}
        text = fold(text, constants)
        tree = ast.parse(text)
        nodes = list(ast.walk(tree))
        self.tokens = {token.string for token in tokenize.generate_tokens(io.StringIO(text).readline)
                       if token.type == tokenize.NAME}
        self.params = {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.constants = set(_CONST.findall(text))
        self.bound = {name for node in nodes for name in _binds(node)}
        self.tops = _tops(tree)
        self.fixed = {name for node in nodes for name in _fixes(node)} | self.tops
        self.is_foreign = path.parent.name == "net"  # its names meet those of a client that is not ours
        self.keywords = {str(node.arg) for node in nodes if isinstance(node, ast.keyword)}
        self.errors = {node.name for node in nodes if isinstance(node, ast.ClassDef) and _is_error(node)}
        variables = {name for statement in tree.body if isinstance(statement, ast.Assign | ast.AnnAssign)
                     for node in ast.walk(statement) for name in _binds(node)}
        self.known = {name for node in nodes for name in _knows(node)} | variables - self.constants
        idle = {node.value for node in nodes if isinstance(node, ast.Expr)}  # docstrings name nothing when it runs
        self.strings = {node.value for node in nodes
                        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in idle}
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


def _knows(node: ast.AST) -> Iterator[str]:
    """Names of what is defined here for others: functions, classes, variables, attributes of `self`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.ClassDef) and not _is_error(node):
        yield node.name
    elif (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
          and node.value.id == "self"):
        yield node.attr


def _is_error(node: ast.ClassDef) -> bool:
    """Whether the feed may say the class's name."""
    return node.name.endswith("Error") or any(
        isinstance(base, ast.Name) and hasattr(builtins, base.id) for base in node.bases)


def _tops(tree: ast.Module) -> set[str]:
    """Names that a module or a class has for itself."""
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {name for body in bodies for statement in body if not isinstance(statement, inside)
            for node in ast.walk(statement) for name in _binds(node)}


def plan(firmware: Path) -> dict[Path, Renames]:
    """New names for each file of the firmware. Nobody may change what it gives."""
    return _plan(firmware, tuple((path, path.read_text(encoding="utf-8")) for path in sorted(firmware.rglob("*.py"))))


@functools.lru_cache(maxsize=4)  # it takes a second, and each lean image asks
def _plan(firmware: Path, texts: tuple[tuple[Path, str], ...]) -> dict[Path, Renames]:
    constants = read_constants(firmware)
    sources = [Source(path, firmware, text, constants) for path, text in texts]
    found: dict[Path, Renames] = {source.path: {} for source in sources}
    private = _find_private(sources)
    for group in _join(sources, private):
        taken = set().union(*(source.tokens for source in group))
        names = sorted(private & taken)
        short = dict(zip(names, _free("_", taken), strict=False))
        for source in group:
            found[source.path].update({name: new for name, new in short.items() if source.uses(name)})
    public = sorted(_find_public(sources) - private)
    every = set().union(*(source.tokens for source in sources), _say_words(sources))
    short = dict(zip(public, (name.upper() for name in _free("", {name.lower() for name in every if name.isupper()})),
                     strict=False))
    for source in sources:
        if source.path.stem not in _NOT_IN_IMAGE:
            found[source.path].update({name: new for name, new in short.items() if source.uses(name)})
    params = _find_params(sources) - set(public)
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
    own = set().union(*(source.own for source in sources
                        if source.path.stem not in _AT_PROMPT + _NOT_IN_IMAGE and not source.is_foreign))
    found |= {name for name in own - read_foreign() if times[name] == 1 and name[0] != "_"}
    return found.difference(*(source.parts for source in sources), *(source.strings for source in sources))


def _find_params(sources: list[Source]) -> set[str]:
    """Parameters whose name means nothing else anywhere in the firmware."""
    found = {name for source in sources for name in source.params if name[0] != "_"} - _RESERVED - {"self"}
    return found - set().union(*(source.fixed | source.strings for source in sources))


def _find_public(sources: list[Source]) -> set[str]:
    """Names of functions, variables and attributes that several modules say, and nobody else."""
    found = set().union(*(source.known for source in sources))
    for source in sources:
        found -= source.keywords | source.errors | source.parts
        if source.path.stem in _NOT_IN_IMAGE or source.is_foreign:
            found -= source.tokens
        if "/".join(source.path.with_suffix("").parts[-2:]).removeprefix(f"{PACKAGE}/") in OUTSIDE:
            found -= source.tops
    said = set().union(*(source.strings for source in sources))
    return {name for name in found - said - read_foreign() if len(name) > 2 and name[0] != "_"}


def _say_words(sources: list[Source]) -> set[str]:
    """The words of all texts in the firmware."""
    return {word for source in sources for text in source.strings for word in WORD.findall(text)}


@functools.cache
def read_foreign() -> set[str]:
    """Names that a board or a module of MicroPython's may give: the shims have of these what the firmware uses."""
    kinds = (str, bytes, bytearray, dict, list, set, int, object, builtins, io.BytesIO, io.StringIO, os, sys, hashlib,
             asyncio, time, json, struct)
    found = _FOREIGN.union(*(dir(kind) for kind in kinds))
    for folder in (SHIMS, BOARDS):
        for path in folder.glob("*.py"):
            found |= {token.string for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
                      if token.type == tokenize.NAME}
    return found


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
