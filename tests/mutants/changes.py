"""The small faults that a mutation run puts into a source: one change of one expression or statement of a function.

What stands outside functions (constants, tables of options) is not changed, and neither are texts, `assert`, defaults
and annotations.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}
KINDS = ("compare", "and-or", "not", "constant", "true-false", "arithmetic", "return", "deleted", "branch")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Mutant:
    """One change. `path` as the project names it; `function` with its class; the lines are those of the statement."""

    path: str
    function: str
    number: int  # among the changes of its file, from 0, in the order of `find_sites`
    kind: str
    line: int
    last_line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.before} -> {self.after}"


@dataclass
class Site:
    """A change of a tree that is held in hand: `put` makes it, `undo` takes it back."""

    holder: ast.AST
    field: str
    index: int | None
    new: object
    kind: str
    statement: ast.stmt
    function: ast.AST
    name: str

    def _set(self, value: object) -> object:
        target = getattr(self.holder, self.field)
        if self.index is None:
            setattr(self.holder, self.field, value)
            return target
        old, target[self.index] = target[self.index], value
        return old

    def put(self) -> None:
        self._old = self._set(self.new)

    def undo(self) -> None:
        self._set(self._old)


class Source:
    """A file, its tree and all its changes. `path` as the project names it, `place` where it lies."""

    def __init__(self, path: str, place: str, text: str):
        self.path = path
        self.place = place
        self._tree = ast.parse(text)
        self._sites = list(find_sites(self._tree))

    def mutants(self) -> list[Mutant]:
        """Every change, from the first line to the last."""
        mutants = []
        for number, site in enumerate(self._sites):
            statement = site.statement
            before = tell(statement)
            site.put()
            after = "pass" if site.kind == "deleted" else tell(statement)
            site.undo()
            body = getattr(statement, "body", None)
            last = max(statement.lineno, body[0].lineno - 1) if body else statement.end_lineno
            mutants.append(Mutant(self.path, site.name, number, site.kind, statement.lineno, last, before, after))
        return mutants

    def compile(self, number: int) -> CodeType:
        """The whole file with one change."""
        self._sites[number].put()
        code = compile(ast.fix_missing_locations(self._tree), self.place, "exec")
        self._sites[number].undo()
        return code

    def compile_function(self, number: int) -> CodeType:
        """Only the function, or the class, that one change is in, and the function in it."""
        site = self._sites[number]
        site.put()
        around = [node for node in self._tree.body if node.lineno <= site.function.lineno <= node.end_lineno]
        code = compile(ast.fix_missing_locations(ast.Module(around, [])), self.place, "exec")
        site.undo()
        return find_code(code, site.name)

    def lines_of(self, mutant: Mutant) -> range:
        """The lines of the function that a change is in."""
        function = self._sites[mutant.number].function
        return range(function.lineno, function.end_lineno + 1)


def tell(statement: ast.stmt) -> str:
    """A statement on one line; of one with a body only its head."""
    if isinstance(statement, (ast.If, ast.While)):
        word = "if" if isinstance(statement, ast.If) else "while"
        return f"{word} {ast.unparse(statement.test)}"
    if isinstance(statement, ast.For):
        return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
    if isinstance(statement, ast.With):
        return "with " + ", ".join(map(ast.unparse, statement.items))
    return ast.unparse(statement).replace("\n", " ")


def find_code(module: CodeType, function: str) -> CodeType:
    """The code of one function in compiled source, by its qualified name."""
    waiting = [module]
    while waiting:
        code = waiting.pop()
        if code.co_qualname == function:
            return code
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
    raise LookupError(f"{function} is not in {module.co_filename}")


def find_sites(tree: ast.Module) -> Iterator[Site]:
    """All places where something can be changed, in the order of the source."""
    yield from _in_body(tree.body, "")


def _in_body(body: list[ast.stmt], prefix: str) -> Iterator[Site]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _in_body(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, _FUNCTIONS):
            for change in _of_block(node, "body"):
                yield Site(*change, function=node, name=prefix + node.name)


def _of_block(holder: ast.AST, field: str) -> Iterator[tuple]:
    statements = getattr(holder, field)
    for index, statement in enumerate(statements):
        if isinstance(statement, ast.Assert) or _is_text(statement):
            continue
        for child_field, value in ast.iter_fields(statement):
            if child_field in ("body", "orelse", "finalbody") and isinstance(value, list):
                yield from _of_block(statement, child_field)
            elif child_field == "handlers":
                for handler in value:
                    yield from _of_block(handler, "body")
            elif child_field not in ("annotation", "decorator_list", "args", "returns"):
                yield from _of_expression(statement, child_field, value, statement)
        yield from _of_statement(holder, field, index, statement)


def _of_statement(holder: ast.AST, field: str, index: int, statement: ast.stmt) -> Iterator[tuple]:
    if isinstance(statement, ast.If):
        yield statement, "test", None, ast.Constant(False), "branch", statement
    elif isinstance(statement, ast.Return):
        value = statement.value
        if value is not None and not (isinstance(value, ast.Constant) and not value.value):
            yield statement, "value", None, None, "return", statement
        elif not (isinstance(holder, _FUNCTIONS) and index == len(getattr(holder, field)) - 1):
            yield holder, field, index, ast.Pass(), "deleted", statement
    elif isinstance(statement, ast.AugAssign):
        if type(statement.op) in ARITHMETIC:
            yield statement, "op", None, ARITHMETIC[type(statement.op)](), "arithmetic", statement
        yield holder, field, index, ast.Pass(), "deleted", statement
    elif isinstance(statement, (ast.Expr, ast.Assign, ast.Delete, ast.Raise, ast.Continue, ast.Break)):
        yield holder, field, index, ast.Pass(), "deleted", statement


def _of_expression(holder: ast.AST, field: str, value: object, statement: ast.stmt) -> Iterator[tuple]:
    """Changes of one field of a node and of all that lies in it."""
    if isinstance(value, list):
        for index, part in enumerate(value):
            if isinstance(part, ast.AST):
                yield from _of_node(holder, field, index, part, statement)
    elif isinstance(value, ast.AST):
        yield from _of_node(holder, field, None, value, statement)


def _of_node(holder: ast.AST, field: str, index: int | None, node: ast.AST, statement: ast.stmt) -> Iterator[tuple]:
    if isinstance(node, ast.JoinedStr):
        return
    for child_field, value in ast.iter_fields(node):
        yield from _of_expression(node, child_field, value, statement)
    for new, kind in _replacements(node):
        yield holder, field, index, new, kind, statement


def _replacements(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        if type(node.ops[0]) in COMPARE:
            yield ast.Compare(node.left, [COMPARE[type(node.ops[0])]()], node.comparators), "compare"
    elif isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            swapped = node.ops[:at] + [COMPARE[type(op)]()] + node.ops[at + 1 :]
            yield ast.Compare(node.left, swapped, node.comparators), "compare"
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values), "and-or"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand, "not"
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_text_of(node.left):
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right), "arithmetic"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value), "true-false"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1), "constant"
        yield ast.Constant(node.value - 1), "constant"


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_text_of(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))
