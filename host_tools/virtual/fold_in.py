"""Folds functions that are called at one place into that place, in the lean code.

A function costs an ESP32 some 50 bytes of heap beside what it does, and a call takes its time. What is folded in does
the same in the same order: parameters become variables of the caller, and what it returned is where the call stood. A
function stays where plain statements cannot say that, or where something else may ask for it.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
Block = list[ast.stmt]
Maker = Callable[[ast.expr | None], Block]  # what stands for `return VALUE`

# A generator, too, reads its variables later.
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp, ast.Yield,
              ast.YieldFrom, ast.Global, ast.Nonlocal, ast.Delete)
_LOOPS = (ast.For, ast.While)
_NOTHING = ast.Constant(None)


class Stays(Exception):
    """The function cannot be folded in there."""


class Place(NamedTuple):
    """Where a call stands: the class, if any, and the function around it; the block with its statement; the call, or
    the `await` of it."""

    home: ast.AST
    caller: Function
    block: Block
    statement: ast.stmt
    call: ast.Call
    value: ast.expr


def fold_in(texts: Mapping[str, str], foreign: Collection[str]) -> dict[str, str]:
    """The modules, with what is called once in its place; foreign: names that others may ask for. SyntaxError."""
    trees = {module: ast.parse(text) for module, text in texts.items()}
    known = _Known(trees, foreign)
    for module, tree in trees.items():
        callers = [_Caller(home, function) for home, function in _list_functions(tree)]
        calls = _count_calls(tree, callers)
        moving = {name for node in ast.walk(tree) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
        for home in _list_homes(tree):
            for function in [one for one in home.body if isinstance(one, Function)]:
                if function.name.startswith("__") or function.decorator_list:
                    continue
                try:
                    if isinstance(home, ast.ClassDef):
                        place = _find_in_class(function, home, callers, known)
                    elif calls[function.name] == 1:
                        place = _find_in_module(function, module, callers, known)
                    else:
                        continue
                    _fold(function, place, moving)
                except Stays:
                    continue
                home.body.remove(function)
                callers = [one if one.function is not place.caller else _Caller(one.home, one.function)
                           for one in callers if one.function is not function]
    return {module: ast.unparse(ast.fix_missing_locations(tree)) + "\n" for module, tree in trees.items()}


# --- where it is called ---


class _Known:
    """What all modules together say; it is true enough while functions are folded, for then nothing is said more."""

    def __init__(self, trees: Mapping[str, ast.Module], foreign: Collection[str]) -> None:
        self.texts = set(foreign)  # by which somebody may ask for a function
        self.imports: set[tuple[str, str]] = set()
        self.attributes: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()
        self.bases: set[str] = set()
        for tree in trees.values():
            for home in _list_homes(tree):
                self.texts.update(node.attr for one in home.body if not isinstance(one, Function | ast.ClassDef)
                                  for node in ast.walk(one) if isinstance(node, ast.Attribute))
            for node in ast.walk(tree):
                if isinstance(node, ast.Attribute):
                    self.attributes[node.attr] += 1
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    self.texts.add(node.value)
                elif isinstance(node, ast.ImportFrom):
                    self.imports.update((str(node.module), alias.name) for alias in node.names)
                elif isinstance(node, Function):
                    self.functions[node.name] += 1
                elif isinstance(node, ast.ClassDef):
                    self.bases.update(base.id for base in node.bases if isinstance(base, ast.Name))


class _Caller:
    """A function or method: where it stands, its variables, and which names and attributes it says."""

    def __init__(self, home: ast.AST, function: Function) -> None:
        self.home = home
        self.function = function
        self.locals = _list_locals(function)
        nodes = list(ast.walk(function))
        self.names = Counter(node.id for node in nodes if isinstance(node, ast.Name))
        self.attributes = [node for node in nodes if isinstance(node, ast.Attribute)]


def _list_homes(tree: ast.Module) -> list[ast.Module | ast.ClassDef]:
    return [tree, *(one for one in tree.body if isinstance(one, ast.ClassDef))]


def _count_calls(tree: ast.Module, callers: list[_Caller]) -> Counter[str]:
    """How often each name is read where no variable of a function has it."""
    found = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    for one in callers:
        found.subtract({name: count for name, count in one.names.items() if name in one.locals})
    return found


def _find_in_module(function: Function, module: str, callers: list[_Caller], known: _Known) -> Place:
    """The only call of a function of a module, in another one, where no other module may ask for it."""
    name = function.name
    if name in known.texts or (module, name) in known.imports or name[0] != "_" and known.attributes[name]:
        raise Stays
    places = [Place(one.home, one.function, *found) for one in callers if one.names[name] and name not in one.locals
              for found in _find_calls(one.function, lambda func: isinstance(func, ast.Name) and func.id == name)]
    if len(places) != 1:
        raise Stays
    return places[0]


def _find_in_class(function: Function, home: ast.ClassDef, callers: list[_Caller], known: _Known) -> Place:
    """The only call of a method, of `self` in another one of its class, where no other object may have it. A private
    name means something else in another class that is no kin."""
    name = function.name
    said = [(one, node) for one in callers for node in one.attributes if node.attr == name]
    inside = [(one, node) for one, node in said if one.home is home]
    if len(inside) != 1 or name in known.texts or not _is_method(function) or not _is_self(inside[0][1].value):
        raise Stays
    if name[0] != "_":
        is_alone = known.attributes[name] == known.functions[name] == 1
    else:
        is_alone = not home.bases and home.name not in known.bases and all(_is_self(node.value) for _, node in said)
    if not is_alone or sum(getattr(one, "name", "") == name for one in home.body) != 1:
        raise Stays
    caller, asking = inside[0]
    places = [Place(home, caller.function, *found)
              for found in _find_calls(caller.function, lambda func: func is asking)]
    if len(places) != 1 or not _is_method(caller.function):
        raise Stays
    return places[0]


def _is_method(function: Function) -> bool:
    return bool(function.args.args) and function.args.args[0].arg == "self"


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _list_functions(tree: ast.Module) -> Iterator[tuple[ast.AST, Function]]:
    """The functions of a module and the methods of its classes, each with where it stands."""
    for home in _list_homes(tree):
        yield from ((home, one) for one in home.body if isinstance(one, Function))


def _find_calls(caller: Function, is_meant: Callable[[ast.expr], bool]) -> Iterator[
        tuple[Block, ast.stmt, ast.Call, ast.expr]]:
    """The calls in a function, each with its block and its statement; in functions within it none is looked for."""
    for block in _list_blocks(caller):
        for statement in block:
            parents = {child: node for node in _walk_own(statement) for child in ast.iter_child_nodes(node)}
            for node in _walk_own(statement):
                if isinstance(node, ast.Call) and is_meant(node.func):
                    parent = parents.get(node)
                    yield block, statement, node, parent if isinstance(parent, ast.Await) else node


def _list_blocks(node: ast.AST) -> Iterator[Block]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
            for statement in block:
                if not isinstance(statement, _OWN_SCOPE):
                    yield from _list_blocks(statement)
    for handler in getattr(node, "handlers", ()):
        yield from _list_blocks(handler)


def _walk_own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without those of the statements within it."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield node
        if node is not statement and isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            continue
        todo += [child for child in ast.iter_child_nodes(node)
                 if not isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case))]


# --- what stands there then ---


def _fold(function: Function, place: Place, moving: Collection[str]) -> None:
    """Put the body in the place of the call; moving: names that a function may give to another thing meanwhile. Stays:
    nothing has changed."""
    if place.caller is function or any(isinstance(node, _OWN_SCOPE) for one in function.body for node in ast.walk(one)):
        raise Stays
    value = place.value if isinstance(function, ast.AsyncFunctionDef) else place.call
    if isinstance(function, ast.AsyncFunctionDef) and value is place.call:
        raise Stays  # it makes a coroutine
    block, statement = place.block, place.statement
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    body = [one for one in body if not isinstance(one, ast.Pass)]
    bound, body = _bind(function, body, place, moving)
    at = block.index(statement)
    if not bound and len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
        if value is not place.call:
            raise Stays
        _Putter(value, body[0].value).visit(statement)
        return
    if isinstance(statement, ast.Expr) and statement.value is value:
        new = bound + _convert(body, _drop)
    elif isinstance(statement, ast.Return) and statement.value is value:
        new = bound + body + ([] if _is_ended(body) else [ast.Return(_NOTHING)])
    elif isinstance(statement, ast.Assign) and statement.value is value and len(statement.targets) == 1 and isinstance(
            statement.targets[0], ast.Name):
        new = bound + _convert(body, lambda said: [ast.Assign(copy.deepcopy(statement.targets), said or _NOTHING)])
    elif _is_first(statement, value, moving):
        said_in = set(_list_said(place.caller)) | set(_list_said(ast.Module(body, [])))
        held = next(name for name in _make_names() if name not in said_in)
        new = bound + _convert(body, lambda said: [ast.Assign([ast.Name(held, ast.Store())], said or _NOTHING)])
        _Putter(value, ast.Name(held, ast.Load())).visit(statement)
        new.append(statement)
    else:
        raise Stays
    block[at:at + 1] = new or [ast.Pass()]


def _drop(said: ast.expr | None) -> Block:
    """For `return VALUE` that no one asked for."""
    return [] if said is None or isinstance(said, ast.Name | ast.Constant) else [ast.Expr(said)]


def _bind(function: Function, body: Block, place: Place, moving: Collection[str]) -> tuple[Block, Block]:
    """What gives the parameters their values, and the body in the caller's names. Stays."""
    arguments = function.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise Stays
    params = [one.arg for one in arguments.args]
    given: dict[str, ast.expr] = dict(zip(params[::-1], arguments.defaults[::-1], strict=False))
    if not all(isinstance(one, ast.Constant) for one in given.values()):
        raise Stays
    passed = list(place.call.args)
    if isinstance(place.home, ast.ClassDef) and isinstance(place.call.func, ast.Attribute):
        passed.insert(0, place.call.func.value)
    if any(isinstance(one, ast.Starred) for one in passed) or any(one.arg is None for one in place.call.keywords):
        raise Stays
    order = dict(zip(params, passed, strict=False)) | {str(one.arg): one.value for one in place.call.keywords}
    given |= order
    if set(given) != set(params) or len(passed) > len(params):
        raise Stays
    whole = ast.Module(copy.deepcopy(body), [])
    stored = {node.id for node in ast.walk(whole) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    stored |= {node.name for node in ast.walk(whole) if isinstance(node, ast.ExceptHandler) and node.name}
    own = stored | set(params)
    theirs = _list_locals(place.caller)
    if (set(_list_said(whole)) - own) & theirs:
        raise Stays  # a name of the module there is a variable here
    said_here = set(_list_said(place.caller))
    if _list_imported(whole) & said_here:
        raise Stays  # a name of the module here is imported there
    taken = said_here | set(_list_said(whole)) - own
    names: dict[str, ast.expr] = {}
    first: Block = []
    said = Counter(node.id for node in ast.walk(whole) if isinstance(node, ast.Name))
    for param in [*order, *(one for one in params if one not in order)]:
        value = given[param]
        is_plain = isinstance(value, ast.Constant) or (
            isinstance(value, ast.Name) and value.id in theirs and value.id not in moving)
        if is_plain and param not in stored:
            names[param] = value
        elif not said[param] and isinstance(value, ast.Name | ast.Constant):
            continue
        else:
            names[param] = ast.Name(_choose(param, taken), ast.Load())
            first.append(ast.Assign([_as_target(names[param])], copy.deepcopy(value)))
    for name in sorted(stored - set(params)):
        names[name] = ast.Name(_choose(name, taken), ast.Load())
    _Namer(names).visit(whole)
    return first, whole.body


def _choose(name: str, taken: set[str]) -> str:
    """That name if it is free in the caller, else a new one; it is taken then."""
    new = next(one for one in (name, *(f"{name}{number}" for number in range(2, 99))) if one not in taken)
    taken.add(new)
    return new


def _as_target(name: ast.expr) -> ast.expr:
    assert isinstance(name, ast.Name)
    return ast.Name(name.id, ast.Store())


def _make_names() -> Iterator[str]:
    yield from (f"_{number}" for number in range(99))


def _convert(block: Block, make: Maker) -> Block:
    """The block with `make` for each `return`, behind which nothing else runs; falling off its end returns None."""
    new: Block = []
    for at, statement in enumerate(block):
        rest = block[at + 1:]
        if isinstance(statement, ast.Return):
            return new + make(statement.value)
        if not any(isinstance(node, ast.Return) for node in ast.walk(statement)):
            new.append(statement)
            continue
        if isinstance(statement, ast.If):
            if _is_ended(statement.body):
                inside, other = _convert(statement.body, make), _convert(statement.orelse + rest, make)
            elif _is_ended(statement.orelse):
                inside, other = _convert(statement.body + rest, make), _convert(statement.orelse, make)
            else:
                raise Stays
            return new + _make_if(statement.test, inside, other)
        if isinstance(statement, _LOOPS) and not statement.orelse and not any(
                isinstance(node, ast.Break) for node in ast.walk(statement)):
            statement.body = _leave_loop(statement.body, make)
            statement.orelse = _convert(rest, make)
            return [*new, statement]
        raise Stays
    return new + make(None)


def _make_if(test: ast.expr, inside: Block, other: Block) -> Block:
    if inside:
        return [ast.If(test, inside, other)]
    if other:
        return [ast.If(ast.UnaryOp(ast.Not(), test), other, [])]
    return [ast.Expr(test)]


def _leave_loop(block: Block, make: Maker) -> Block:
    """The block of a loop with `make` and a `break` for each `return`."""
    new: Block = []
    for statement in block:
        if isinstance(statement, ast.Return):
            return [*new, *make(statement.value), ast.Break()]
        if any(isinstance(node, ast.Return) for node in ast.walk(statement)):
            if not isinstance(statement, ast.If):
                raise Stays
            statement.body = _leave_loop(statement.body, make)
            statement.orelse = _leave_loop(statement.orelse, make)
        new.append(statement)
    return new


def _is_ended(block: Block) -> bool:
    """Whether the block never goes on behind its end."""
    if not block:
        return False
    last = block[-1]
    return isinstance(last, ast.Return | ast.Raise) or (
        isinstance(last, ast.If) and _is_ended(last.body) and _is_ended(last.orelse))


def _is_first(statement: ast.stmt, value: ast.expr, moving: Collection[str]) -> bool:
    """Whether that is worked out first of all in the statement, once and always."""
    if isinstance(statement, ast.If):
        return _leads(statement.test, value, moving)
    if isinstance(statement, ast.For):
        return _leads(statement.iter, value, moving)
    if isinstance(statement, ast.Expr | ast.Return | ast.Assign) and statement.value is not None:
        return _leads(statement.value, value, moving)
    return False


def _leads(node: ast.expr, value: ast.expr, moving: Collection[str]) -> bool:
    """The same for an expression; before it only numbers may be read, and names that stay what they are."""
    if node is value:
        return True
    for part in _list_first(node):
        if _leads(part, value, moving):
            return True
        if not isinstance(part, ast.Name | ast.Constant) or isinstance(part, ast.Name) and part.id in moving:
            return False
    return False


def _list_first(node: ast.expr) -> list[ast.expr]:
    """The parts of an expression that are always worked out, in their order, before anything else is done."""
    match node:
        case ast.UnaryOp(operand=only) | ast.IfExp(test=only) | ast.Attribute(value=only) | ast.Await(value=only):
            return [only]
        case ast.BinOp(left=one, right=two) | ast.Subscript(value=one, slice=two):
            return [one, two]
        case ast.BoolOp(values=[one, *_]):
            return [one]
        case ast.Compare(left=one, comparators=[two, *_]):
            return [one, two]
        case ast.Call(func=ast.Name(), args=several) | ast.Tuple(elts=several) | ast.List(elts=several):
            return several
        case ast.Call(func=func):
            return [func]
    return []


def _list_locals(function: Function) -> set[str]:
    """The parameters and variables of a function."""
    found = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)} | _list_imported(function)
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, Function) and node is not function:
            found.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found.update(node.names)
    return found


def _list_imported(tree: ast.AST) -> set[str]:
    """Each name that an import makes there."""
    return {(alias.asname or alias.name).split(".")[0] for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}


def _list_said(tree: ast.AST) -> Iterator[str]:
    """Each name that stands there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name


class _Putter(ast.NodeTransformer):
    """Puts an expression in the place of another one."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self._old:
            return self._new
        found: ast.AST = self.generic_visit(node)
        return found


class _Namer(ast.NodeTransformer):
    """Says the variables of a function by what they are in its caller."""

    def __init__(self, names: Mapping[str, ast.expr]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        new = self._names.get(node.id)
        if new is None:
            return node
        if isinstance(node.ctx, ast.Load):
            return copy.deepcopy(new)
        return ast.Name(new.id, node.ctx) if isinstance(new, ast.Name) else node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        new = self._names.get(node.name or "")
        node.name = new.id if isinstance(new, ast.Name) else node.name
        return node
