"""Tests in real time may be run again, and the summary says which were, and why.

A browser and a pseudo terminal run in real time, and a machine with much else to do lets them miss a moment. What fails
each time is a fault; what failed once is written down, because a fault that comes seldom looks the same.
"""

import pytest

RERUNS = 2
MOST_LINES = 40  # of what failed: its end
# Boards behind a pseudo terminal.
_SERIAL = ("/device/", "/test_serial_board.py", "/test_pages.py", "/test_security.py")
_failures: list[tuple[str, str]] = []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("browser") or any(part in item.nodeid for part in _SERIAL):
            item.add_marker(pytest.mark.flaky(reruns=RERUNS))


def pytest_runtest_logreport(report):
    if report.outcome == "rerun":
        lines = report.longreprtext.splitlines()[-MOST_LINES:]
        if lines:
            _failures.append((report.nodeid, "\n".join(lines)))


def pytest_terminal_summary(terminalreporter):
    for nodeid, text in _failures:
        terminalreporter.section(f"run again: {nodeid}")
        terminalreporter.write_line(text)
