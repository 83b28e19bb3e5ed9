"""Tests that need what a machine may not have: they bear a mark, are left out where it is missing, and are counted.

A room that has such tests says so once: `need("browser", "opens a page in Chromium", has_browser, "tests that open a
browser", "Install Debian's chromium.")`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

_counts = pytest.StashKey[dict[str, int]]()


@dataclass(frozen=True)
class Need:
    """What tests with this mark need: what it means, whether it is there, what is left out otherwise, the remedy."""

    mark: str
    meaning: str
    is_there: Callable[[], bool]
    tests: str
    remedy: str


_needs: dict[str, Need] = {}


def need(*words) -> None:
    """Name a Need; a conftest has to import the room that does."""
    _needs[words[0]] = Need(*words)


def pytest_configure(config):
    for one in _needs.values():
        config.addinivalue_line("markers", f"{one.mark}: {one.meaning}; left out where that cannot be")


def pytest_collection_modifyitems(config, items):
    for one in _needs.values():
        chosen = [item for item in items if item.get_closest_marker(one.mark)]
        if chosen and not one.is_there():
            items[:] = [item for item in items if item not in set(chosen)]
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
