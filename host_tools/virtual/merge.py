"""Makes one module of those of the lean code that come and go together.

Each module costs an ESP32 some 130 bytes of heap, and each name that one imports from another ten. Names of the same
spelling in two of them become different ones. What other modules import, they import from the whole.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from string import ascii_lowercase
from typing import Any

from host_tools.virtual.flat import OUTSIDE, name_module

# Flat names (flat.py), each behind those that it imports; a whole begins with the letter of the room with which it is
# forgotten.
GROUPS = {
    "t_table": ("e_deck", "e_event", "e_state", "e_record", "t_running", "t_tags", "t_words", "t_keypad", "t_lights",
                "t_readers", "t_screen", "t_sounds", "d_buttons", "d_buzzer", "d_lights"),
    "e_game": ("e_hands", "e_meant", "e_plain", "e_verdict", "e_session", "p_turns"),
    "r_record": ("r_journal", "r_seal"),
    "p_play": ("t_faults", "p_clock", "p_seats", "p_arbiter", "p_feed", "p_repeats", "p_judge_and_write", "p_display",
               "p_controller"),
}
_SETUP, _END = "_setup", "_end_setup"  # by its end the table knows a module that is no game
SELDOM = ("setup", "losers", "marks", "next_dealer", "next_first")
_OUTSIDE = {name_module(name.replace("/", ".")) for name in OUTSIDE}
_HOME = {part: whole for whole, parts in GROUPS.items() for part in parts}

Names = dict[str, str]


def merge(texts: Mapping[str, str], seldom: Collection[str] = ()) -> dict[str, str]:
    """The modules by their flat names, without names for their private constants; wholes stand in the place of what
    became a part of one. SyntaxError, and ValueError where that would change what a name means.

    seldom: the functions of a game that are asked for as it begins and as it ends: `game.losers` is looked for in a
    module of its own, `g_durak_end_setup`."""
    trees = {name: ast.parse(text) for name, text in texts.items()}
    for tree in trees.values():
        _fold_constants(tree)
    _fold_numbers(trees)
    imports = {name: _list_imports(tree) for name, tree in trees.items()}
    for name in _HOME:
        if name in trees:
            _lend(name, trees, imports)
    for name, tree in list(trees.items()):
        if name.startswith("g_") and not name.endswith(_SETUP):
            trees[name + _END] = _take_out(name, trees, set(seldom))
        else:
            _Asker(set(seldom)).visit(tree)
    said = set(itertools.chain(*(list_names(tree) for tree in trees.values())))
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


def _list_imports(tree: ast.Module) -> list[ast.ImportFrom]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


def _lend(name: str, trees: dict[str, ast.Module], imports: dict[str, list[ast.ImportFrom]]) -> None:
    """Give each function of a part that only modules import which are in memory for a moment to each of them;
    `imports` of each tree stays true."""
    tree = trees[name]
    for function in [one for one in tree.body if isinstance(one, ast.FunctionDef)]:
        said = function.name
        asking = {key: [node for node in nodes if node.module == name and said in [alias.name for alias in node.names]]
                  for key, nodes in imports.items()}
        asking = {key: nodes for key, nodes in asking.items() if nodes}
        if not asking or any(
                not is_brief(key) or nodes[0] not in trees[key].body or _count_bound(trees[key])[said] != 1
                for key, nodes in asking.items()):
            continue
        if any(said in _find_loaded(one) for one in tree.body if one is not function):
            continue
        needs = _find_loaded(function) & {bound for bound, _ in _list_bound(tree, name)}
        if any(needs & set(_count_bound(trees[key])) for key in asking):
            continue
        for key, nodes in asking.items():
            nodes[0].names = [alias for alias in nodes[0].names if alias.name != said]
            at = trees[key].body.index(nodes[0]) + 1
            trees[key].body[at:at] = [
                *([ast.ImportFrom(name, [ast.alias(need) for need in sorted(needs)], 0)] if needs else []),
                copy.deepcopy(function)]
            _Emptied().visit(trees[key])
            imports[key] = _list_imports(trees[key])
        tree.body.remove(function)
        imports[name] = _list_imports(tree)


def is_brief(name: str) -> bool:
    """Whether a game forgets that module."""
    return name.startswith(("b_", "n_")) or name in ("e_reading", "e_setup", "e_match", "catalogue")


def _take_out(name: str, trees: dict[str, ast.Module], seldom: set[str]) -> ast.Module:
    """The functions of a game that are seldom asked for, and what only they call, as a module of their own."""
    tree = trees[name]
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    said = set().union(*(_find_said(other) for key, other in trees.items() if key != name))
    moved = {one for one in functions if one in seldom or one not in said}
    while True:
        others = set().union(*(_find_loaded(one) for one in tree.body if getattr(one, "name", "") not in moved))
        if not moved & others:
            break
        moved -= others
    used = set().union(*(_find_loaded(functions[one]) for one in moved)) | seldom & set(functions) - moved
    body: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom):
            asked = [alias for alias in statement.names if (alias.asname or alias.name) in used | seldom]
            if asked:
                body.append(ast.ImportFrom(statement.module, asked, 0))
            kept = others | said - seldom
            statement.names = [alias for alias in statement.names
                               if alias not in asked or (alias.asname or alias.name) in kept]
            used -= {alias.asname or alias.name for alias in asked}
    own = sorted(used & {bound for bound, _ in _list_bound(tree, name)} - moved)
    if own:
        body.append(ast.ImportFrom(name, [ast.alias(one) for one in own], 0))
    body += [functions[one] for one in sorted(moved)]
    tree.body = [one for one in tree.body if getattr(one, "name", "") not in moved]
    _Emptied().visit(tree)
    return ast.Module(body, [])


def _find_loaded(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _find_said(tree: ast.AST) -> set[str]:
    """What a module may ask another one for: attributes, and names that it imports."""
    return {name for node in ast.walk(tree) for name in (
        [node.attr] if isinstance(node, ast.Attribute) else
        [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else [])}


class _Asker(ast.NodeTransformer):
    """Asks the module of its own for what is seldom asked of a game."""

    def __init__(self, seldom: set[str]) -> None:
        self._seldom = seldom

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "game" and node.attr in self._seldom:
            node.value = ast.parse(f"__import__(game.__name__ + {_END!r})", mode="eval").body
        return node


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
                names[bound] = next(_find_free(set(taken) | list_names(tree) | set(names.values()), said))
                taken[names[bound]] = origin
        names = {old: new for old, new in names.items() if old != new}
        _check(tree, names, name)
        _Reacher({str(alias.asname): renamed[alias.name] for node in tree.body if isinstance(node, ast.Import)
                  for alias in node.names if _HOME.get(alias.name) == group}).visit(tree)
        renamed[name] = {old: new for old, new in names.items() if old not in inside}
        _Renamer(names).visit(tree)
        for statement in tree.body:
            is_inside = isinstance(statement, ast.ImportFrom) and _HOME.get(str(statement.module)) == group or (
                isinstance(statement, ast.Import) and _HOME.get(statement.names[0].name) == group)
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
            inside = {id(node) for each in ast.walk(statement) if isinstance(each, ast.comprehension)
                      for node in ast.walk(each.target)}
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inside:
                    yield node.id, name


def list_names(tree: ast.AST) -> set[str]:
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
    """A name that becomes another one is nothing else: a parameter is said by others, and what an `except` caught, a
    `nonlocal` or a function within one keep their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.arg in names:
            raise ValueError(f"{name}: {node.arg} is a parameter, and a name of the module")
        if isinstance(node, ast.ExceptHandler) and node.name in names:
            raise ValueError(f"{name}: {node.name} is what an `except` caught, and a name of the module")
        if isinstance(node, ast.Nonlocal) and not names.keys().isdisjoint(node.names):
            raise ValueError(f"{name}: {' '.join(node.names)} is nonlocal, and a name of the module")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for one in ast.walk(node):
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and one is not node:
                    if one.name in names:
                        raise ValueError(f"{name}: {one.name} within {node.name} is a name of the module")
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


def _fold_constants(tree: ast.Module) -> None:
    """Say a module's own constants by their numbers: to MicroPython's compiler their names mean nothing before they
    are defined, and mean them everywhere behind that."""
    known: dict[str, Any] = {}
    for statement in list(tree.body):
        value = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "const":
            assert isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
            name = statement.targets[0].id
            known[name] = eval(compile(ast.Expression(value.args[0]), "const", "eval"), {}, dict(known))
            if name[0] == "_":
                tree.body.remove(statement)
            else:
                statement.value = ast.copy_location(ast.Constant(known[name]), value)
    _Folder(known).visit(tree)


def _fold_numbers(trees: dict[str, ast.Module]) -> None:
    """Say by its number what a module sets to one, once and for all: a name costs 20 bytes. It goes where nobody may
    ask for it in another way."""
    asked = {node.attr for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    asked |= {node.value for tree in trees.values() for node in ast.walk(tree)
              if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    numbers = {name: _list_numbers(tree) for name, tree in trees.items()}
    for name, tree in trees.items():
        known, bound = dict(numbers[name]), _count_bound(tree)
        for node in _list_imports(tree):
            theirs = numbers.get(str(node.module), {})
            for alias in list(node.names):
                if alias.name in theirs and not alias.asname and bound[alias.name] == 1:
                    known[alias.name] = theirs[alias.name]
                    node.names.remove(alias)
        _Folder(known).visit(tree)
        _Emptied().visit(tree)
    kept = {(str(node.module), alias.name) for tree in trees.values() for node in _list_imports(tree)
            for alias in node.names}
    for name, tree in trees.items():
        # A part is never asked for as a module, and what begins with an underscore nobody else says.
        gone = {number for number in numbers[name] if (name, number) not in kept and name not in _OUTSIDE
                and (name in _HOME or number[0] == "_" or number not in asked)}
        tree.body = [one for one in tree.body if not (
            isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and one.targets[0].id in gone)]


def _list_numbers(tree: ast.Module) -> dict[str, int]:
    """The names that a module binds once, to a whole number."""
    found: dict[str, int] = {}
    bound = _count_bound(tree)
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and bound[target.id] == 1:
                try:
                    value = eval(compile(ast.Expression(statement.value), "number", "eval"), {"__builtins__": {}}, {})
                except Exception:  # it says a name, or calls something
                    continue
                if type(value) is int:
                    found[target.id] = value
    return found


def _count_bound(tree: ast.Module) -> Counter[str]:
    """How often something in the module gets each name, or is said to be the module's."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found[node.id] += 1
        elif isinstance(node, ast.arg):
            found[node.arg] += 1
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found.update(set(node.names))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] += 1
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found[node.name] += 1
    return found


class _Emptied(ast.NodeTransformer):
    """Takes out an import of nothing."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        return node if node.names else ast.copy_location(ast.Pass(), node)


class _Reacher(ast.NodeTransformer):
    """Says what a module asks another part of its whole for: `plain.undoes`."""

    def __init__(self, parts: dict[str, Names]) -> None:
        self._parts = parts

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id in self._parts:
            return ast.copy_location(ast.Name(self._parts[node.value.id].get(node.attr, node.attr), ast.Load()), node)
        self.generic_visit(node)
        return node


class _Folder(ast.NodeTransformer):
    """Says names by their numbers."""

    def __init__(self, known: dict[str, Any]) -> None:
        self._known = known

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
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "__import__":
            part = call.args[0].value if isinstance(call.args[0], ast.Constant) else ""
            if part in _HOME:
                call.args[0] = ast.Constant(_HOME[part])
                node.attr = self._renamed[part].get(node.attr, node.attr)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        if isinstance(node.func, ast.Name) and node.func.id == "__import__" and isinstance(node.args[0], ast.Constant):
            if node.args[0].value in _HOME:
                raise ValueError(f"{self._name}: {node.args[0].value} is loaded as a whole, and is a part")
        self.generic_visit(node)
        return node
