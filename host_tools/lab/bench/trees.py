"""Processor seconds of one recorded game at the virtual table, in several trees of the project, taken in turns.

`python -m host_tools.lab.bench.trees TREE... [--record FILE] [--turns N]`: the trees are folders with this project, as
`git worktree add` makes them, the one to compare with first. A crowded machine slows all alike, so the ratio holds. All
run the engine's source: a fresh tree has none that is compiled, and the other would win by that alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.fast.sources import PURE
from host_tools.base.project import ROOT

RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
TURNS = 5
# What is asked: the runtime of host_tools/virtual/table.py, and whether the hands are as fast as the table is.
WAYS = (("micropython", False), ("cpython", False), ("cpython", True))
# Runs in a tree, with its own firmware and host; it may be older than this file. The first game builds what is missing.
_PROGRAM = """
import json, resource, sys
from pathlib import Path
sys.path[:0] = [str(Path.cwd()), str(Path.cwd() / "firmware")]
try:
    from host_tools.base import on_host
except ImportError:  # before there were wings
    from host_tools import on_host
on_host.prepare()
from host_tools.virtual.table import Table, load_script

def used_s():
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, whose))

game, script = load_script(Path(sys.argv[1]))
table = Table(game, script, runtime=sys.argv[2], is_quick=sys.argv[3] == "True")
begun_s = used_s()
assert not table.run().difference
print(json.dumps([used_s() - begun_s, table.world.now_us / 1e6]))
"""


def measure(tree: Path, record: Path, runtime: str, is_quick: bool) -> tuple[float, float]:
    """Processor seconds of one game in that tree, device and host together, and the table's own seconds."""
    command = [sys.executable, "-P", "-c", _PROGRAM, str(record.resolve()), runtime, str(is_quick)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False,
                          env={**os.environ, PURE: "1"})
    if done.returncode:
        raise SystemExit(f"{tree}: {done.stderr.strip()}")
    used_s, table_s = json.loads(done.stdout)
    return used_s, table_s


def compare(trees: list[Path], record: Path, turns: int) -> list[str]:
    """A row of a table for each way and tree: the quickest of so many turns, and how many times the first tree's."""
    rows = ["| device | hands | tree | processor s | table's s | ratio |", "| --- | --- | --- | ---: | ---: | ---: |"]
    for runtime, is_quick in WAYS:
        for tree in trees:
            measure(tree, record, runtime, is_quick)
        taken = [[measure(tree, record, runtime, is_quick) for tree in trees] for _ in range(turns)]
        best = [min(turn[index] for turn in taken) for index in range(len(trees))]
        for tree, (used_s, table_s) in zip(trees, best, strict=True):
            hands = "as the feed allows" if is_quick else "as the lights allow"
            rows.append(f"| {runtime} | {hands} | {tree.name} | {used_s:.2f} | {table_s:.1f} | "
                        f"{used_s / best[0][0]:.2f} |")
    return rows


def main(words: list[str] | None = None) -> None:
    """Show the rows."""
    parser = argparse.ArgumentParser(prog="python -m host_tools.lab.bench.trees")
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--record", type=Path, default=RECORD, metavar="FILE")
    parser.add_argument("--turns", type=int, default=TURNS, metavar="N")
    asked = parser.parse_args(words)
    for tree in asked.trees:
        if not (tree / "host_tools").is_dir():
            parser.error(f"{tree} has no host_tools: it is no tree of this project")
    if asked.turns < 1:
        parser.error("--turns: at least one")
    for row in compare([tree.resolve() for tree in asked.trees], asked.record, asked.turns):
        foreign.say(row)


if __name__ == "__main__":
    main()
