"""Which tests are for every change, and which for `make test-all`: decided by two marks and a hash.

`@pytest.mark.everything` keeps a test, a class or (`pytestmark`) a file for `make test-all`.
`@pytest.mark.sampled(5)` lets one in five of a test's parameters run for every change, those whose names have the
lowest checksums, and at least one: so the same ones on every machine, and each test once. A test that is named on the
command line (`file.py::test`), or has failed last time (`--lf`), always runs.

Where runs under load follow each other, each takes its share (`--share=3/10`) of the tests that differ in parameters
alone, and of those of a file that only run programs to their end: all of them have run after the last one, every other
test in each run.
"""

import zlib
from collections import defaultdict

import pytest

from tests.load import RUNS, find_need

SETS = ("day", "all", "rest", "load")
_counts = pytest.StashKey[int]()


def pytest_addoption(parser):
    parser.addoption(
        "--set", choices=SETS, default="day", dest="chosen_set",
        help="day: what every change runs; all: every test; rest: what `day` leaves out; load: what of "
        "`day` a busy machine could fail",
    )
    parser.addoption(
        "--share", default="1/1", metavar="N/ALL", dest="chosen_share",
        help="with --set=load, of tests that differ in parameters alone: those of run N of so many",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "everything: runs in make test-all alone")
    config.addinivalue_line("markers", "sampled(n): of its parameters one in n runs for every change, at least one")


def checksum(name: str) -> int:
    """The same number for a name on every machine and in every process."""
    return zlib.crc32(name.encode())


def pick(names: list[str], one_in: int) -> set[str]:
    """One in `one_in` of the names, rounded up: those with the lowest checksums."""
    return set(sorted(names, key=checksum)[: -(-len(names) // one_in)])


def find_day(items) -> set[str]:
    """The nodeids of the tests that every change runs."""
    families = defaultdict(list)
    chosen = set()
    for item in items:
        if item.get_closest_marker("everything"):
            continue
        mark = item.get_closest_marker("sampled")
        if mark is None:
            chosen.add(item.nodeid)
        else:
            families[item.nodeid.partition("[")[0], mark.args[0]].append(item.nodeid)
    for (_, one_in), names in families.items():
        chosen |= pick(names, one_in)
    return chosen


def take_share(busy: dict[str, int], share: str) -> set[str]:
    """The names for run 3 of 10, "3/10", by what they need of the machine (tests/load.py): every tenth of those that
    differ in parameters alone, or only run programs and stand in one file, and of each such family at least one.
    """
    number, runs = map(int, share.split("/"))
    families = defaultdict(list)
    for name in sorted(busy, key=checksum):
        families[name.partition("::" if busy[name] == RUNS else "[")[0]].append(name)
    return {name for family in families.values() for at, name in enumerate(family)
            if at % min(runs, len(family)) == number % min(runs, len(family))}


def is_named(config) -> bool:
    """Whether somebody asks for certain tests, which then all run."""
    return any("::" in arg for arg in config.invocation_params.args) or config.getoption("lf", False)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    wanted = config.getoption("chosen_set")
    if wanted == "all" or (wanted == "day" and is_named(config)):
        return
    day = find_day(items)
    if wanted == "load":
        busy = {item.nodeid: need for item in items if item.nodeid in day and (need := find_need(item))}
        day = take_share(busy, config.getoption("chosen_share"))
    left = [item for item in items if (item.nodeid in day) == (wanted == "rest")]
    if left:
        gone = {item.nodeid for item in left}
        items[:] = [item for item in items if item.nodeid not in gone]
        config.stash[_counts] = len(left)
        config.hook.pytest_deselected(items=left)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["beyond_the_day"] = session.config.stash.get(_counts, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    count = getattr(node, "workeroutput", {}).get("beyond_the_day", 0)
    node.config.stash[_counts] = max(count, node.config.stash.get(_counts, 0))


def pytest_terminal_summary(terminalreporter, config):
    count = config.stash.get(_counts, 0)
    if count and config.getoption("chosen_set") == "day":
        terminalreporter.write_line(f"{count} tests of further combinations were left out: make test-all runs them.")
