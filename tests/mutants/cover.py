"""Runs tests in forked processes, and knows which tests reach which lines: collected once, kept by digest.

A test runs in a fork of the process that has imported everything, so no test sees what another has left, and a fork
costs milliseconds. The map is kept for each test file: it is collected again when the file has changed, and for all of
them when anything else has that tests read.
"""

import hashlib
import json
import os
import resource
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

# What a test may take before it counts as endless: so many seconds of processor time, and so many times what it took
# when its lines were collected. One that waits for what never comes uses no processor; only a hang reaches its bound.
LEAST_S = 1
TIMES = 20
HANGS_S = 300
MORE_MEMORY = 1 << 30  # bytes
PASSED, FAILED, BROKEN = 0, 1, 2


def digest(paths: Iterable[Path]) -> str:
    """Of the contents of files, in the order of their names."""
    whole = hashlib.sha256(sys.version.encode())
    for path in sorted(paths):
        whole.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


class Runner:
    """Runs items of one pytest session; a plugin of it, which hears how each went."""

    def __init__(self, room: Path):
        self.room = room
        self.has_failed = False

    def pytest_runtest_logreport(self, report):
        self.has_failed |= report.failed

    def run(self, item, bound_s: float) -> bool:
        """Run one test; whether it passed. Past its bound the kernel ends this process."""
        self.has_failed = False
        signal.setitimer(signal.ITIMER_PROF, bound_s)
        signal.alarm(HANGS_S)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        return not self.has_failed

    def fork(self, work: Callable[[Path], int]) -> int:
        """Let `work(file)` run in a process of its own, which ends with what it returns; its process id."""
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            return pid
        ended = BROKEN
        try:
            ended = work(self._settle())
        except BaseException:
            import traceback

            self.notes(os.getpid()).write_text(traceback.format_exc(), encoding="utf-8")
        finally:
            os._exit(ended)

    def notes(self, pid: int) -> Path:
        """What the process of that id writes, for the one that waits for it."""
        return self.room / f"{pid}.json"

    def wait(self) -> tuple[int, int, str]:
        """Wait for any process that was forked: its id, how it ended (negative: by that signal), what it wrote."""
        pid, status = os.wait()
        notes = self.notes(pid)
        text = notes.read_text(encoding="utf-8") if notes.exists() else ""
        notes.unlink(missing_ok=True)
        shutil.rmtree(self.room / str(pid), ignore_errors=True)
        return pid, os.waitstatus_to_exitcode(status), text

    def _settle(self) -> Path:
        """In the new process: nothing on the screen, folders of its own, no endless memory."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        own = self.room / str(os.getpid())
        own.mkdir()
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(own)
        pages = int(Path("/proc/self/statm").read_text().split()[0]) if os.path.exists("/proc/self/statm") else 0
        if pages:
            limit = pages * resource.getpagesize() + MORE_MEMORY
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        return self.notes(os.getpid())


def processor_s() -> float:
    """Of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def trace(runner: Runner, item, places: dict[str, str]) -> Callable[[Path], int]:
    """What a fork does to find the lines that one test reaches, in files `places` (where they lie: their names)."""

    def work(notes: Path) -> int:
        reached: dict[str, set[int]] = {}

        def in_line(frame, event, arg):
            if event == "line":
                reached[frame.f_code.co_filename].add(frame.f_lineno)
            return in_line

        def in_call(frame, event, arg):
            place = frame.f_code.co_filename
            if place not in places:
                return None
            reached.setdefault(place, set())
            return in_line

        begun = processor_s()
        threading.settrace(in_call)
        sys.settrace(in_call)
        passed = runner.run(item, HANGS_S)
        sys.settrace(None)
        lines = {places[place]: sorted(numbers) for place, numbers in reached.items()}
        notes.write_text(json.dumps({"cost": round(processor_s() - begun, 4), "lines": lines}), encoding="utf-8")
        return PASSED if passed else FAILED

    return work


class Map:
    """Which tests reach a line, the quickest first."""

    def __init__(self, kept: Path, everything: str):
        """`kept`: the file of it; `everything`: the digest of all that tests read but test files."""
        self.kept = kept
        self.everything = everything
        self.files: dict[str, dict] = {}
        self.tests: dict[str, dict] = {}
        if kept.exists():
            whole = json.loads(kept.read_text(encoding="utf-8"))
            self.files = whole["files"] if whole["everything"] == everything else {}

    def collect(self, runner: Runner, items: list, places: dict[str, str], jobs: int, tell: Callable) -> list[str]:
        """Run what is not known yet; the names of the tests that fail as the source is."""
        digests = {item.path: digest([item.path]) for item in items}
        known = {
            name: test
            for file in self.files.values() if file["digest"] in digests.values()
            for name, test in file["tests"].items()
        }
        missing = [item for item in items if item.nodeid not in known]
        failed: list[str] = []
        if missing:
            tell(f"Collecting the lines that {len(missing)} tests reach ...")
            waiting = {}
            for item in missing + [None] * jobs:
                if item is not None:
                    waiting[runner.fork(trace(runner, item, places))] = item.nodeid
                if len(waiting) >= jobs or item is None and waiting:
                    pid, ended, text = runner.wait()
                    name = waiting.pop(pid)
                    if ended != PASSED:
                        failed.append(f"{name} ({text or ended})" if ended != FAILED else name)
                    else:
                        known[name] = json.loads(text)
        self.tests = {item.nodeid: known[item.nodeid] for item in items if item.nodeid in known}
        if missing and not failed:
            failed = self._check_together(runner, items)
        if missing and not failed:
            self._keep(items, digests)
        return failed

    def _check_together(self, runner: Runner, items: list) -> list[str]:
        """The tests that fail only after others: what they are told of a mutant could be wrong."""
        ordered = sorted(items, key=lambda item: self.tests[item.nodeid]["cost"])

        def work(notes: Path) -> int:
            failed = [item.nodeid for item in ordered if not runner.run(item, HANGS_S)]
            notes.write_text(json.dumps(failed), encoding="utf-8")
            return FAILED if failed else PASSED

        runner.fork(work)
        _, ended, text = runner.wait()
        return [] if ended == PASSED else [name + " (after others)" for name in json.loads(text or '["a test"]')]

    def _keep(self, items: list, digests: dict) -> None:
        self.files = {}
        for item in items:
            file = self.files.setdefault(item.nodeid.split("::")[0], {"digest": digests[item.path], "tests": {}})
            file["tests"][item.nodeid] = self.tests[item.nodeid]
        self.kept.write_text(json.dumps({"everything": self.everything, "files": self.files}), encoding="utf-8")

    def turn_round(self, path: str) -> dict[int, list[str]]:
        """The tests that reach each line of a file, the quickest first."""
        lines: dict[int, list[str]] = {}
        for name in sorted(self.tests, key=self.cost):
            for line in self.tests[name]["lines"].get(path, ()):
                lines.setdefault(line, []).append(name)
        return lines

    def cost(self, name: str) -> float:
        """The processor seconds of a test while its lines were collected."""
        return self.tests[name]["cost"]
