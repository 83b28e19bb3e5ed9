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


def trace(runner: Runner, items: list, places: dict[str, str]) -> Callable[[Path], int]:
    """What a fork does to find the lines that each test of a file reaches, in files `places` (where they lie: names).

    Its notes: of each test the processor seconds and the lines, or nothing if it failed.
    """

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

        found = {}
        for item in items:
            reached.clear()
            begun = processor_s()
            threading.settrace(in_call)
            sys.settrace(in_call)
            passed = runner.run(item, HANGS_S)
            sys.settrace(None)
            lines = {places[place]: sorted(numbers) for place, numbers in reached.items()}
            found[item.nodeid] = {"cost": round(processor_s() - begun, 4), "lines": lines} if passed else None
            notes.write_text(json.dumps(found), encoding="utf-8")
        return PASSED

    return work


class Map:
    """Which tests reach a line, the quickest first."""

    def __init__(self, kept: Path, everything: str):
        """`kept`: the file of it; `everything`: the digest of all that tests read but test files."""
        self.kept = kept
        self.everything = everything
        self.files: dict[str, dict] = {}
        self.tests: dict[str, dict] = {}
        try:
            whole = json.loads(kept.read_text(encoding="utf-8"))
            self.files = whole["files"] if whole["everything"] == everything else {}
        except (OSError, ValueError, KeyError, TypeError):  # none is kept, or its writing was cut off
            self.files = {}

    def collect(self, runner: Runner, items: list, places: dict[str, str], jobs: int, tell: Callable) -> list[str]:
        """Run what is not known yet of the lines in `places`; the names of the tests that fail as the source is."""
        names, digests = set(places.values()), {item.path: digest([item.path]) for item in items}
        by_file: dict[str, list] = {}
        for item in items:
            by_file.setdefault(item.nodeid.split("::")[0], []).append(item)
        missing = {
            file: those for file, those in by_file.items()
            if not self._knows(file, digests[those[0].path], names, {item.nodeid for item in those})
        }
        failed: list[str] = []
        if missing:
            tell(f"Collecting the lines that {sum(map(len, missing.values()))} tests reach ...")
            waiting = {}
            for file in [*missing, *[None] * jobs]:
                if file is not None:
                    waiting[runner.fork(trace(runner, missing[file], places))] = file
                if len(waiting) >= jobs or file is None and waiting:
                    pid, ended, text = runner.wait()
                    file = waiting.pop(pid)
                    failed += self._note(file, missing[file], digests, names, ended, text)
        self.tests = {item.nodeid: self.files[file]["tests"][item.nodeid] for file, those in by_file.items()
                      for item in those if not failed}
        if missing and not failed:
            failed = self._check_together(runner, [item for item in items if self.tests[item.nodeid]["lines"]])
        if missing and not failed:
            self.kept.write_text(json.dumps({"everything": self.everything, "files": self.files}), encoding="utf-8")
        return failed

    def _knows(self, file: str, digested: str, names: set[str], tests: set[str]) -> bool:
        """Whether the lines in files `names` that these tests reach are known, and the test file is still the same."""
        known = self.files.get(file)
        if not known or known["digest"] != digested:
            return False
        return names <= set(known["of"]) and tests <= set(known["tests"])

    def _note(self, file: str, items: list, digests: dict, names: set[str], ended: int, text: str) -> list[str]:
        """Keep what was found of a test file; the tests that failed, or had not ended."""
        try:
            found = json.loads(text or "{}")
        except ValueError:  # no list but a traceback
            return [f"{file} ({text})"]
        digested, before = digests[items[0].path], self.files.get(file)
        if before and before["digest"] == digested:  # of other files
            names = names | set(before["of"])
            for name, test in found.items():
                if test and name in before["tests"]:
                    test["lines"] = before["tests"][name]["lines"] | test["lines"]
        self.files[file] = {"digest": digested, "of": sorted(names), "tests": found}
        failed = [item.nodeid for item in items if found.get(item.nodeid, True) is None]
        left = [item.nodeid for item in items if item.nodeid not in found]
        return failed + ([f"{left[0]} ({ended})"] if left else [])

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
