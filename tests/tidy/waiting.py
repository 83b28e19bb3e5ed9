"""No test measures the wall clock: it waits for an event, through tests/patience.py, up to a bound that only a hang
reaches.

The check looks at calls by their names. What MicroPython sleeps in a virtual device (`sleep_ms`) is the device's time.
"""

import ast

from tests.tidy.findings import Finding, walk

ROOM = "tests/"
_CLOCKS = {"sleep", "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time",
           "process_time_ns", "thread_time"}
_LOOPS = {"sleep", "wait_for", "timeout", "timeout_at"}  # of asyncio
_BOUNDS = {"settimeout", "setdefaulttimeout", "wait_for_timeout", "set_default_timeout"}
_WORDS = {"timeout", "patience_s", "silence_s"}  # of a call that waits
_WAITS = {"wait", "join", "result", "communicate"}
_OFTEN, _NEVER = 0, 3600  # asyncio.sleep: lets others run; is never over

# (file, the call): why it may.
ALLOWED = {
    ("tests/patience.py", "time.monotonic"): "the one bound of all who wait",
    ("tests/patience.py", "time.sleep"): "between two looks",
    ("tests/patience.py", "asyncio.sleep"): "between two looks",
    ("tests/cost.py", "time.process_time"): "says what tests cost; nothing fails by it",
    ("tests/games/many_games.py", "time.process_time"): "says what a night of games cost; nothing fails by it",
    ("tests/host_tools/web/first_card.py", "time.monotonic"): "a bench that a person runs",
    ("tests/host_tools/published/first_card.py", "time.monotonic"): "a bench that a person runs",
    ("tests/host_tools/published/idle_table.py", "time.process_time"): "a bench that a person runs",
    ("tests/micropython/interpreter.py", "timeout=self._test_seconds"): "that of tests/patience.py, or handed in",
    **dict.fromkeys([("tests/host_tools/virtual/test_in_process.py", call)
                     for call in ("time.sleep", "time.time", "asyncio.sleep")], "the device's own, and whose they are"),
    ("tests/host_tools/wire/test_link.py", "timeout=SILENT_S"): "for a broker that says nothing to a forgery",
}  # fmt: skip


def check_waiting(path: str, source: str) -> list[Finding]:
    """Tests neither sleep nor read a clock, and how long they wait at most is tests/patience.py's to say."""
    if not path.startswith(ROOM):
        return []
    names = imported(source)
    found = [(node, call) for node in walk(source, ast.Call) for call in find_clocks(node, names)]
    return [Finding(path, node.lineno, f"{call}: wait for an event, with tests/patience.py")
            for node, call in found if (path, call) not in ALLOWED]


def imported(source: str) -> dict[str, str]:
    """What names of this file stand for functions of `time`: from time import sleep as nap."""
    return {name.asname or name.name: f"time.{name.name}" for node in walk(source, ast.ImportFrom)
            if node.module == "time" for name in node.names if name.name in _CLOCKS}


def find_clocks(node: ast.Call, names: dict[str, str]) -> list[str]:
    """What of this call reads a clock, or says for how long to wait."""
    said = ast.unparse(node.func)
    room, _, name = said.rpartition(".")
    found = [f"{word.arg}={ast.unparse(word.value)}" for word in node.keywords
             if word.arg in _WORDS and not is_patience(word.value)]
    if said in names or room == "time" and name in _CLOCKS:
        found.append(names.get(said, said))
    elif room == "asyncio" and name in _LOOPS and not is_endless(node, name):
        found.append(said)
    elif name in _BOUNDS and not all(map(is_patience, node.args)) or name in _WAITS and any(map(is_number, node.args)):
        found.append(f"{name}({', '.join(map(ast.unparse, node.args))})")
    return found


def is_endless(node: ast.Call, name: str) -> bool:
    """Whether that lets others run, waits for ever, or for as long as all wait."""
    if name == "sleep":
        return isinstance(node.args[0], ast.Constant) and node.args[0].value in (_OFTEN, _NEVER)
    return is_patience(node.args[-1])


def is_patience(value: ast.expr) -> bool:
    """Whether that is the bound of tests/patience.py, a multiple of it, or none."""
    if isinstance(value, ast.BinOp):
        return is_patience(value.left) or is_patience(value.right)
    if isinstance(value, ast.Constant):
        return value.value is None
    return ast.unparse(value).rpartition(".")[2] in ("PATIENCE_S", "PATIENCE_MS")


def is_number(value: ast.expr) -> bool:
    """Whether that is a number of seconds that stands there."""
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)
