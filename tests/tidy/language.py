"""What MicroPython lacks or silently does otherwise, and what the engine does without: floats and output."""

import ast

from tests.tidy.findings import Finding, walk

_RUNS_ON_DEVICE = ("firmware/", "boards/", "host_tools/virtual/shims/")
_JUDGES = ("firmware/cardtable/engine/", "firmware/cardtable/games/")

_MISSING_METHODS = frozenset(
    "as_integer_ratio bit_count bit_length capitalize casefold expandtabs format_map is_integer isalnum"
    " isascii isdecimal isidentifier isnumeric isprintable istitle ljust maketrans removeprefix removesuffix"
    " rjust swapcase title translate zfill".split()
)
_MISSING_NAMES = frozenset(
    "BlockingIOError BrokenPipeError ChildProcessError ConnectionAbortedError ConnectionError"
    " ConnectionRefusedError ConnectionResetError EnvironmentError FileExistsError FileNotFoundError"
    " FloatingPointError IOError InterruptedError IsADirectoryError ModuleNotFoundError NotADirectoryError"
    " PermissionError ProcessLookupError RecursionError ReferenceError TabError TimeoutError"
    " UnboundLocalError UnicodeDecodeError UnicodeEncodeError Warning aiter anext ascii breakpoint format"
    " vars".split()
)
_MISSING_ATTRIBUTES = frozenset(["__annotations__", "__doc__", "__qualname__", "__wrapped__"])
_NO_KEYWORDS = frozenset("sum zip from_bytes to_bytes".split())
# Both run, and give another order than CPython.
_UNORDERED = frozenset("items keys values popitem fromkeys".split())
_ORDERING = frozenset("sorted len min max sum".split())


def check_language(path: str, source: str) -> list[Finding]:
    """Every construct that MicroPython refuses, many of them only when the line is reached."""
    if not path.startswith(_RUNS_ON_DEVICE):
        return []
    return [
        Finding(path, getattr(node, "lineno", 1), text)
        for node in walk(source, ast.AST)
        for text in [_lack_of_syntax(node) or _lack_of_name(node) or _lack_of_call(node)]
        if text
    ]


def check_judges(path: str, source: str) -> list[Finding]:
    """The engine and the games: no floats, no input or output, no order that MicroPython has otherwise."""
    if not path.startswith(_JUDGES):
        return []
    put_in_order = {
        node.args[0]
        for node in walk(source, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in _ORDERING and node.args
    }
    found = []
    for node in walk(source, ast.expr, ast.stmt):
        text = _float(node) or _output(node) or ("" if node in put_in_order else _chance_order(node))
        if text:
            found.append(Finding(path, node.lineno, text))
    return found


def _lack_of_syntax(node: ast.AST) -> str:
    if isinstance(node, ast.Match):
        return "MicroPython has no match"
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and node.args.posonlyargs:
        return f"MicroPython has no positional-only arguments: {ast.unparse(node.args)}"
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and any(map(_is_spread, node.elts)):
        return f"MicroPython has no star in a display: {ast.unparse(node)}"
    if isinstance(node, ast.Dict) and None in node.keys:
        return f"MicroPython has no double star in a display: {ast.unparse(node)}"
    if any(loop.is_async for loop in getattr(node, "generators", [])):
        return f"MicroPython has no asynchronous comprehension: {ast.unparse(node)}"
    if isinstance(node, ast.ClassDef) and node.keywords:
        return f"MicroPython has no metaclass and no keywords of a class: {node.name}"
    if isinstance(node, ast.TryStar):
        return "MicroPython has no except*"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.step:
        return f"MicroPython has no step in most slices: {ast.unparse(node)}"
    return ""


def _is_spread(element: ast.expr) -> bool:
    # In `first, *rest = cards` the star stores, and that MicroPython has.
    return isinstance(element, ast.Starred) and isinstance(element.ctx, ast.Load)


def _lack_of_name(node: ast.AST) -> str:
    if isinstance(node, ast.Name) and node.id in _MISSING_NAMES and isinstance(node.ctx, ast.Load):
        return f"MicroPython has no {node.id}"
    if isinstance(node, ast.Attribute) and node.attr in _MISSING_ATTRIBUTES:
        return f"MicroPython has no {node.attr}"
    return ""


def _lack_of_call(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Attribute) and name in _MISSING_METHODS:
        return f"MicroPython has no .{name}()"
    if name in _NO_KEYWORDS and node.keywords:
        return f"MicroPython's {name} takes no keyword arguments"
    if name == "print" and any(keyword.arg == "flush" for keyword in node.keywords):
        return "MicroPython's print has no flush"
    if name in ("isinstance", "issubclass") and isinstance(node.args[-1], ast.BinOp):
        return f"MicroPython has no union of types: {ast.unparse(node)}"
    return ""


def _float(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)):
        return f"no floats here: {ast.unparse(node)}"
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div):
        return f"true division gives a float: {ast.unparse(node)}"
    if _called_name(node) in ("float", "complex"):
        return f"no floats here: {ast.unparse(node)}"
    return ""


def _output(node: ast.AST) -> str:
    if _called_name(node) in ("print", "input", "open"):
        return f"no input or output here: {ast.unparse(node)}"
    return ""


def _chance_order(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _UNORDERED:
        return f"the order of a dict differs under MicroPython: {ast.unparse(node)}"
    for walked in [getattr(node, "iter", None)] + [loop.iter for loop in getattr(node, "generators", [])]:
        if isinstance(walked, (ast.Set, ast.Dict, ast.SetComp)):
            return f"the order of a set differs under MicroPython: {ast.unparse(walked)}"
    return ""


def _called_name(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""
