"""No test of a page looks once where the page may not have drawn yet: it waits for what an act shows.

A page draws what happened in its next frame, and hears of what a table says even later. So no `assert` or `=` that
looks at a page stands straight behind an act; a wait does: `until`, `wait_for`, `page.wait_for_selector`, `resize`.
"""

import ast
from collections.abc import Iterator

from tests.tidy.findings import Finding, walk

ROOM = "tests/"
RESIZES = "tests/host_tools/web/browser.py"  # `resize` waits for the layout
_ACTS = {"click", "dblclick", "tap", "press", "fill", "check", "uncheck", "select_option", "down", "up", "push", "cut",
         "fast_forward", "hover", "drag"}
_LOOKS = {"evaluate", "evaluate_all", "inner_text", "all_inner_texts", "text_content", "all_text_contents",
          "is_visible", "is_hidden", "is_enabled", "is_disabled", "is_checked", "get_attribute", "input_value",
          "bounding_box", "names_in_tree", "find_covered"}
_COUNTS = "count"  # of a locator: has no argument
_FINDS = {"locator", "nth", "filter", "all", "get_by_text", "get_by_role", "sorted", "len", "set", "strip", "split"}


def check_looking(path: str, source: str) -> list[Finding]:
    """Only `resize` gives a page another size, and nothing looks at a page straight behind an act."""
    if not path.startswith(ROOM) or "mark.browser" not in source and "set_viewport_size" not in source:
        return []
    found = []
    if path != RESIZES:
        found += [Finding(path, node.lineno, "set_viewport_size: `resize` waits for the layout")
                  for node in walk(source, ast.Call) if name_of(node) == "set_viewport_size"]
    for function in walk(source, ast.FunctionDef):
        for act, look in find_early(function.body):
            found.append(Finding(path, look.lineno, f"a look straight behind {name_of(act)}(): wait for what it shows"))
    return found


def find_early(body: list[ast.stmt]) -> Iterator[tuple[ast.Call, ast.stmt]]:
    """(act, look): each assert or assignment that looks at a page behind an act, with no wait between them."""
    act = None
    for statement in body:
        inner = [part for name in ("body", "orelse", "finalbody") for part in getattr(statement, name, [])]
        if inner:
            yield from find_early(inner)
            act = None
            continue
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        if isinstance(statement, (ast.Assert, ast.Assign)) and any(map(is_look, calls)):
            if act is not None:
                yield act, statement
        elif isinstance(statement, ast.Expr) and calls and name_of(calls[0]) in _ACTS:
            act = calls[0]
        elif not all(is_look(call) or name_of(call) in _FINDS for call in calls):
            act = None


def name_of(call: ast.Call) -> str:
    """What is called: the last part of its name."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def is_look(call: ast.Call) -> bool:
    """Whether that looks at a page once, as it is now."""
    return name_of(call) in _LOOKS or name_of(call) == _COUNTS and not call.args
