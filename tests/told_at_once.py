"""A test that fails is named when it fails: who watches a run of many minutes need not wait for its end, and of a run
that is cut off it is known.
"""

import pytest

MOST = 200  # letters of the reason


class Teller:
    """Of the process that prints."""

    def __init__(self, reporter) -> None:
        self.reporter = reporter

    @pytest.hookimpl(trylast=True)  # behind its letter
    def pytest_runtest_logreport(self, report):
        if not report.failed:
            return
        crash = getattr(report.longrepr, "reprcrash", None)
        lines = (crash.message if crash else str(report.longrepr or "")).strip().splitlines() or [""]
        self.reporter.ensure_newline()
        self.reporter.write_line(f"{report.when} of {report.nodeid}: {lines[0][:MOST]}", red=True)


def pytest_sessionstart(session):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(Teller(reporter))
