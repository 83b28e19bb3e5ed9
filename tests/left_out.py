"""Tests that need what a machine may not have: they bear a mark, are left out where it is missing, and are counted.

A room that has such tests says so once: `need("browser", "opens a page in Chromium", has_browser, "tests that open a
browser", "Install Debian's chromium.")`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

_counts = pytest.StashKey[dict[str, int]]()
_there = pytest.StashKey[dict[str, bool]]()


@dataclass(frozen=True)
class Need:
    """What tests with this mark need: what it means, whether it is there, what is left out otherwise, the remedy.

    `by_day`: false where every test that needs it is kept for `make test-all`; a run by day then does not ask.
    """

    mark: str
    meaning: str
    is_there: Callable[[], bool]
    tests: str
    remedy: str
    by_day: bool = True


_needs: dict[str, Need] = {}


def need(*words, **more) -> None:
    """Name a Need; a conftest has to import the room that does."""
    _needs[words[0]] = Need(*words, **more)


def pytest_configure(config):
    for one in _needs.values():
        config.addinivalue_line("markers", f"{one.mark}: {one.meaning}; left out where that cannot be")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Asked once for all processes, which so collect the same tests: pip and KiCad's Python take a second each."""
    stash = node.config.stash
    if _there not in stash:
        asked = [one for one in _needs.values() if one.by_day or node.config.getoption("chosen_set", "all") != "day"]
        with ThreadPoolExecutor() as pool:
            answers = pool.map(lambda one: one.is_there(), asked)
            stash[_there] = {one.mark: answer for one, answer in zip(asked, answers, strict=True)}
    node.workerinput["there"] = stash[_there]


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    """Behind all others: what a run does not try is not asked for."""
    yield
    leave_out(config, items)


def leave_out(config, items):
    """Take away the tests whose need is not there, and count them."""
    told = getattr(config, "workerinput", {}).get("there", {})
    marked = {one.mark: [] for one in _needs.values()}
    for item in items:
        for mark in {mark.name for mark in item.iter_markers()} & marked.keys():
            marked[mark].append(item)
    for one in _needs.values():
        gone = set(marked[one.mark])
        if gone and not (told[one.mark] if one.mark in told else one.is_there()):
            chosen = [item for item in items if item in gone]
            items[:] = [item for item in items if item not in gone]
            config.stash.setdefault(_counts, {})[one.mark] = len(chosen)
            config.hook.pytest_deselected(items=chosen)


def pytest_sessionfinish(session):
    """A process that runs a part of the tests tells the one that sums them up: each has counted all of them."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_counts, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash.setdefault(_counts, {}).update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter, config):
    for mark, count in config.stash.get(_counts, {}).items():
        terminalreporter.write_line(f"{count} {_needs[mark].tests} were left out. {_needs[mark].remedy}")
