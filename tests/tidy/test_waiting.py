"""No test measures the wall clock: the check, tried on tests that do."""

import pytest
from hypothesis import HealthCheck, settings

from tests.tidy import waiting
from tests.tidy.findings import read

FILE = "tests/host_tools/test_x.py"


@pytest.mark.parametrize("source", [
    "import time\ntime.sleep(0.1)", "import time\nlate = time.monotonic() + 5", "import time\ntime.time_ns()",
    "from time import perf_counter\nperf_counter()", "from time import sleep as nap\nnap(1)",
    "import time\nassert time.process_time() < 3", "probe.settimeout(2)", "socket.setdefaulttimeout(1)",
    "page.wait_for_timeout(400)", "page.set_default_timeout(10_000)", "page.wait_for_selector('a', timeout=3000)",
    "subprocess.run(['a'], timeout=60)", "subprocess.run(['a'], timeout=LONG_S)",
    "thread.join(10)", "done.wait(5.0)", "process.communicate(3)", "future.result(30)", "queue.get(timeout=0.5)",
    "async def f():\n    await asyncio.sleep(0.05)", "async def f():\n    await asyncio.wait_for(g(), 2)",
    "async def f():\n    async with asyncio.timeout(3):\n        pass", "device.run(silence_s=1)",
])  # fmt: skip
def test_a_test_that_goes_by_the_clock(source):
    (found,) = waiting.check_waiting(FILE, source)
    assert found.text.endswith("wait for an event, with tests/patience.py")


@pytest.mark.parametrize("source", [
    "wait_for(lambda: done, 'a', 'b')", "subprocess.run(['a'], timeout=PATIENCE_S)", "thread.join(patience.PATIENCE_S)",
    "future.result(2 * PATIENCE_S)", "', '.join('ab')", "done.wait()", "page.set_default_timeout(PATIENCE_MS)",
    "async def f():\n    await asyncio.sleep(0)", "async def f():\n    await asyncio.wait_for(g(), PATIENCE_S)",
    "device('import time\\ntime.sleep(1)')", "clock.time.ticks_ms()", "now_s = table.time()", "get(timeout=None)",
])  # fmt: skip
def test_a_test_that_waits_for_events(source):
    assert waiting.check_waiting(FILE, source) == []


def test_what_hypothesis_draws_may_take_its_time():
    """Its own clocks are off, in every test that does not say otherwise."""
    assert settings.default.deadline is None and HealthCheck.too_slow in settings.default.suppress_health_check


def test_only_tests_are_asked():
    assert waiting.check_waiting("host_tools/x.py", "import time\ntime.sleep(1)") == []


def test_what_is_allowed_is_there(monkeypatch):
    """An entry that nobody needs any more goes away."""
    allowed = dict(waiting.ALLOWED)
    monkeypatch.setattr(waiting, "ALLOWED", {})
    for path, call in allowed:
        assert any(finding.text.startswith(call) for finding in waiting.check_waiting(path, read(path))), (path, call)
