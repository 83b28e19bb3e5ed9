"""Rewrites the asserts of all test files before several processes begin: each of them collects every file, so in a
fresh clone each would do it, at about eight seconds of a processor.
"""

import contextlib
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def list_files(config) -> list[Path]:
    """The test files of the folders that this run collects."""
    places = [Path(config.invocation_params.dir, arg.partition("::")[0]) for arg in config.args]
    return sorted({file for place in places if place.is_dir() for file in place.rglob("test_*.py")})


def rewrite_fresh(config, files) -> int:
    """Rewrite those that have never been, where pytest looks for it; how many. One that has changed since, or
    cannot be read, is left to the process that collects it."""
    count = 0
    for file in files:
        kept = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        if kept.exists():
            continue
        with contextlib.suppress(OSError, SyntaxError, ValueError):
            digest, code = rewrite._rewrite_test(file, config)
            kept.parent.mkdir(exist_ok=True)
            count += rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, digest, kept)
    return count


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    config = session.config
    has_workers = getattr(config.option, "tx", None) and not hasattr(config, "workerinput")
    if has_workers and rewrite.assertstate_key in config.stash:
        rewrite_fresh(config, list_files(config))
