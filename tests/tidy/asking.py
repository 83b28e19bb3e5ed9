"""The asking/acting law: a function whose name asks a question leaves everything as it was."""

import ast
from collections.abc import Iterator

from tests.tidy.findings import Finding, walk

_ASKS = ("is_", "has_", "may_", "can_", "judge_", "count_", "find_")
_LAWFUL = ("firmware/", "host_tools/")
_CHANGES = frozenset("add append clear discard extend insert pop popitem popleft remove setdefault sort update".split())


def check_asking(path: str, source: str) -> list[Finding]:
    """No store into anything that was there before the question: an argument, `self`, or a variable outside."""
    if not path.startswith(_LAWFUL):
        return []
    return [
        Finding(path, line, f"{function.name} asks, and changes {what}")
        for function in walk(source, ast.FunctionDef, ast.AsyncFunctionDef)
        if function.name.startswith(_ASKS)
        for line, what in _changes(function)
    ]


def _changes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[int, str]]:
    """Line and text of each such store."""
    nodes = list(ast.walk(function))
    outside = {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    made = _made_here(nodes) - {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)) and node.id in outside:
            yield node.lineno, node.id
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            if _root(node) not in made:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            if _root(node.func) not in made:
                yield node.lineno, ast.unparse(node.func)


def _made_here(nodes: list[ast.AST]) -> set[str]:
    """The variables that hold something new: what is only another name for a part of something old is not."""
    made, borrowed = set(), set()
    for node in nodes:
        for target, value in _bindings(node):
            names = {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
            (borrowed if _is_part(value) else made).update(names)
    return made - borrowed


def _is_part(value: ast.expr | None) -> bool:
    """Whether a value may be a part of something that was there before."""
    if isinstance(value, ast.IfExp):
        return _is_part(value.body) or _is_part(value.orelse)
    if isinstance(value, (ast.BoolOp, ast.Tuple)):
        return any(map(_is_part, value.values if isinstance(value, ast.BoolOp) else value.elts))
    return isinstance(value, (ast.Name, ast.Attribute, ast.Subscript))


def _bindings(node: ast.AST) -> list[tuple[ast.expr, ast.expr | None]]:
    """What a statement gives names to, each with its value."""
    if isinstance(node, ast.Assign):
        return [(target, node.value) for target in node.targets if isinstance(target, (ast.Name, ast.Tuple))]
    if isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and isinstance(node.target, ast.Name):
        return [(node.target, node.value)]
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return [(node.target, node.iter)]
    if isinstance(node, ast.withitem) and node.optional_vars is not None:
        return [(node.optional_vars, node.context_expr)]
    return []


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes and subscripts begins with; empty if it begins with a call or a display."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
