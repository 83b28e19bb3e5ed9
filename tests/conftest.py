"""What every test finds: our rooms on the path, `micropython.const`, and the runner of shared test files."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Where one of these is set, pytest compares whole texts that differ, letter by letter: minutes for two of 100 KB, also
# where a test expects the difference. Worker processes inherit what is removed here.
for _name in ("CI", "BUILD_NUMBER"):
    os.environ.pop(_name, None)
# What a shell, a service, make or a hook of git says to its own programs, and every program of the tests would hear:
# width and colours of a terminal, options for pytest and make, a repository, a club's database, board and log.
FOREIGN = (
    "COLUMNS", "LINES", "FORCE_COLOR", "PY_COLORS", "PYTEST_ADDOPTS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "GIT_DIR",
    "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE", "CARDTABLE_DATABASE", "PORT", "BOARD", "IMAGE", "SITE_ADDRESS",
    "LOG_LEVEL",
)
for _name in FOREIGN:
    os.environ.pop(_name, None)
# A proxy leads to other machines: what tests ask of their own servers never goes there.
for _name in ("no_proxy", "NO_PROXY"):
    os.environ[_name] = ",".join(filter(None, [os.environ.get(_name), "127.0.0.1", "localhost", "::1"]))
# Where this is set, every process of the tests would compile every source again: the most of a short test's time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Hypothesis fails a test whose values take over a second to draw, or an example a fifth: on a busy machine they do.
settings.register_profile("by events", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("by events")
# What is collected stays to the end: to look through it again and again took two fifths of collecting, and a twentieth
# of what followed.
gc.disable()

ROOT = Path(__file__).resolve().parents[1]
for _room in (ROOT / "firmware", ROOT):
    if str(_room) not in sys.path:
        sys.path.insert(0, str(_room))

from host_tools.base import on_host  # noqa: E402 - only now on the path
from host_tools.base.workers.pool import count_cores  # noqa: E402
from tests.left_out import (  # noqa: E402, F401 - hooks of pytest
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)
from tests.micropython.shared import pytest_collect_file, pytest_pycollect_makemodule  # noqa: E402, F401

on_host.prepare()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)  # also without xdist, for a debugger and an editor
def pytest_xdist_auto_num_workers(config) -> int:
    """`make test` without JOBS: twice as many processes as processors that this one may use, for tests wait, for a
    browser, a line or a light; thrice in the rest set, where they wait for npm, pip, proxies and databases besides."""
    return (3 if config.getoption("chosen_set") == "rest" else 2) * count_cores()


pytest_plugins = (
    "tests.host_tools.play.virtual_pcsc",
    "tests.chosen",
    "tests.cost",
    "tests.host_tools.web.browser",
    "tests.host_tools.published.served_site",
    "tests.boards.kicad",
    "tests.host_tools.tournament.postgres",
    "tests.host_tools.wire.brokers",
    "tests.host_tools.web.proxies",
    "tests.registry",
    "tests.rewritten_once",
    "tests.told_at_once",
)
