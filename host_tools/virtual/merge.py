"""Makes one module of those of the lean code that come and go together.

Each module costs an ESP32 some 130 bytes of heap, and each name that one imports from another ten. Names of the same
spelling in two of them become different ones. What other modules import, they import from the whole.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Any

# Flat names (flat.py), each behind those that it imports; a whole begins with the letter of the room with which it is
# forgotten.
GROUPS = {
    "t_table": ("e_deck", "e_event", "e_state", "e_record", "t_running", "t_tags", "t_words", "t_keypad", "t_lights",
                "t_readers", "t_screen", "t_sounds", "d_buttons", "d_buzzer", "d_lights"),
    "e_game": ("e_hands", "e_meant", "e_verdict", "e_session", "p_turns"),
    "r_record": ("r_journal", "r_seal"),
    "p_play": ("t_faults", "p_clock", "p_seats", "p_arbiter", "p_feed", "p_repeats", "p_judge_and_write", "p_display",
               "p_controller"),
}
_HOME = {part: whole for whole, parts in GROUPS.items() for part in parts}

Names = dict[str, str]


def merge(texts: Mapping[str, str]) -> dict[str, str]:
    """The modules by their flat names, without names for their private constants; wholes stand in the place of what
    became a part of one. SyntaxError, and ValueError where that would change what a name means."""
    trees = {name: ast.parse(text) for name, text in texts.items()}
    for tree in trees.values():
        _Folder(tree).visit(tree)
    said = set(itertools.chain(*(_find_names(tree) for tree in trees.values())))
    renamed: dict[str, Names] = {}
    wholes: dict[str, ast.Module] = {}
    for whole, parts in GROUPS.items():
        there = [(name, trees[name]) for name in parts if name in trees]
        if there:
            wholes[whole] = _join(there, said, renamed)
    found = {name: tree for name, tree in trees.items() if name not in _HOME} | wholes
    for name, tree in found.items():
        _Importer(renamed, name).visit(tree)
    return {name: ast.unparse(ast.fix_missing_locations(tree)) + "\n" for name, tree in found.items()}


def _join(parts: list[tuple[str, ast.Module]], said: set[str], renamed: dict[str, Names]) -> ast.Module:
    """One tree of the parts; `renamed` is told what each one's names became."""
    body: list[ast.stmt] = []
    taken: dict[str, str] = {}  # what stands for a name of the whole: the import that makes it, or its part
    for name, tree in parts:
        group = _HOME[name]
        inside = {alias.asname or alias.name: renamed[str(node.module)].get(alias.name, alias.name)
                  for node in tree.body if isinstance(node, ast.ImportFrom) and _HOME.get(str(node.module)) == group
                  for alias in node.names}
        names = dict(inside)
        for bound, origin in _list_bound(tree, name):
            if bound in inside:
                continue
            if taken.setdefault(bound, origin) != origin:
                names[bound] = next(_find_free(set(taken) | _find_names(tree) | set(names.values()), said))
                taken[names[bound]] = origin
        names = {old: new for old, new in names.items() if old != new}
        _check(tree, names, name)
        renamed[name] = {old: new for old, new in names.items() if old not in inside}
        _Renamer(names).visit(tree)
        for statement in tree.body:
            is_inside = isinstance(statement, ast.ImportFrom) and _HOME.get(str(statement.module)) == group
            if not is_inside and not _says_nothing(statement):
                body.append(statement)
    return ast.Module(_drop_twice(body), [])


def _drop_twice(body: list[ast.stmt]) -> list[ast.stmt]:
    """No import stands there twice."""
    seen: set[str] = set()
    found = []
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            kept = [alias for alias in statement.names if f"{_say_origin(statement, alias)}" not in seen]
            seen |= {_say_origin(statement, alias) for alias in kept}
            if not kept:
                continue
            statement.names = kept
        found.append(statement)
    return found


def _say_origin(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    return ast.unparse(ast.ImportFrom(node.module, [alias], 0) if isinstance(node, ast.ImportFrom)
                       else ast.Import([alias]))


def _list_bound(tree: ast.Module, name: str) -> Iterator[tuple[str, str]]:
    """The names that a module has for itself, and where each comes from."""
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for alias in statement.names:
                yield (alias.asname or alias.name).split(".")[0], _say_origin(statement, alias)
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name, name
        else:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id, name


def _find_names(tree: ast.AST) -> set[str]:
    """Every name that stands there, whatever it means."""
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("id", "arg", "attr", "name", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                found.add(value)
    return found


def _find_free(taken: set[str], said: set[str]) -> Iterator[str]:
    """Short names that the whole has not: first those that MicroPython keeps anyway, because a module says them."""
    short = ["_" + "".join(letters) for length in (1, 2)
             for letters in itertools.product(ascii_lowercase, repeat=length)]
    yield from (name for name in sorted(short, key=lambda name: name not in said) if name not in taken)


def _check(tree: ast.Module, names: Names, name: str) -> None:
    """A name that becomes another one is no parameter and no local variable: those are said by others, or hide it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.arg in names:
            raise ValueError(f"{name}: {node.arg} is a parameter, and a name of the module")
        if isinstance(node, ast.ClassDef):
            inside = {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
            used = {one.id for statement in node.body if not isinstance(statement, ast.FunctionDef)
                    for one in ast.walk(statement) if isinstance(one, ast.Name)}
            if inside & used & set(names):
                raise ValueError(f"{name}: {inside & used & set(names)} of class {node.name} is a name of the module")


def _says_nothing(statement: ast.stmt) -> bool:
    """A docstring, or `pass`."""
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))


class _Folder(ast.NodeTransformer):
    """Says a module's own constants by their numbers: to MicroPython's compiler their names mean nothing before they
    are defined, and mean them everywhere behind that."""

    def __init__(self, tree: ast.Module) -> None:
        self._known: dict[str, Any] = {}
        for statement in list(tree.body):
            value = statement.value if isinstance(statement, ast.Assign) else None
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "const":
                assert isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
                name = statement.targets[0].id
                self._known[name] = eval(compile(ast.Expression(value.args[0]), "const", "eval"), {}, dict(self._known))
                if name[0] == "_":
                    tree.body.remove(statement)
                else:
                    statement.value = ast.copy_location(ast.Constant(self._known[name]), value)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._known:
            return ast.copy_location(ast.Constant(self._known[node.id]), node)
        return node


class _Renamer(ast.NodeTransformer):
    """Gives a module's own names other ones."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._depth = 0

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self._names.get(name, name) for name in node.names]
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            bound = alias.asname or alias.name
            alias.asname = self._names.get(bound, alias.asname)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        for alias in node.names:
            bound = alias.asname or alias.name
            alias.asname = self._names.get(bound, alias.asname)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return self._visit_named(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return self._visit_named(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return self._visit_named(node)

    def _visit_named(self, node):
        if not self._depth:
            node.name = self._names.get(node.name, node.name)
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node


class _Importer(ast.NodeTransformer):
    """Asks a whole for what its parts had."""

    def __init__(self, renamed: dict[str, Names], name: str) -> None:
        self._renamed = renamed
        self._name = name

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        part = str(node.module)
        if part in _HOME:
            node.module = _HOME[part]
            for alias in node.names:
                now = self._renamed[part].get(alias.name, alias.name)
                if now != alias.name:
                    alias.name, alias.asname = now, alias.asname or alias.name
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            if alias.name in _HOME:
                raise ValueError(f"{self._name}: {alias.name} is imported as a whole, and is a part")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        """`__import__("p_turns").Turns`."""
        self.generic_visit(node)
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "__import__":
            part = call.args[0].value if isinstance(call.args[0], ast.Constant) else ""
            if part in _HOME:
                call.args[0] = ast.Constant(_HOME[part])
                node.attr = self._renamed[part].get(node.attr, node.attr)
        return node
