"""Lets short texts go with the modules that say them, in the lean code.

MicroPython takes a text of up to ten letters for a name, and keeps it for ever, in the table that share_names.py keeps
small. As a part of a constant tuple it is an object like others: it goes with its module, when a game forgets that.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Any

from host_tools.virtual.merge import is_brief, list_names

_LONGEST = 10  # MICROPY_ALLOC_PARSE_INTERN_STRING_LEN
_BY_NAME = ("__import__", "getattr", "hasattr", "setattr")  # they make a name of the text


def loosen(texts: Mapping[str, str], foreign: Collection[str]) -> dict[str, str]:
    """The modules, with each short text that only brief modules say in a tuple; foreign: what MicroPython knows as a
    name anyway. SyntaxError."""
    trees = {module: ast.parse(text) for module, text in texts.items()}
    lasting = set(foreign)
    for module, tree in trees.items():
        lasting.update(list_names(tree))
        if not is_brief(module):
            lasting.update(node.value for node in ast.walk(tree)
                           if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {module: ast.unparse(ast.fix_missing_locations(_Loosener(lasting).visit(tree))) + "\n"
            if is_brief(module) else texts[module] for module, tree in trees.items()}


class _Loosener(ast.NodeTransformer):
    def __init__(self, lasting: Collection[str]) -> None:
        self._lasting = lasting

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return node if isinstance(node.value, ast.Constant) else self._go_on(node)  # a docstring

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node  # its parts are one text

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        return node if all(isinstance(one, ast.Constant) for one in node.elts) else self._go_on(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return node if isinstance(node.func, ast.Name) and node.func.id in _BY_NAME else self._go_on(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str) or len(node.value) > _LONGEST or node.value in self._lasting:
            return node
        return ast.Subscript(ast.Tuple([node], ast.Load()), ast.Constant(0), ast.Load())

    def _go_on(self, node: Any) -> Any:
        self.generic_visit(node)
        return node
