"""One MicroPython process that runs the tests of one file on request."""

import linecache
import os
import queue
import re
import subprocess
import tempfile
import threading
from pathlib import Path

from host_tools.virtual import image
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
RUNNER = Path(__file__).with_name("run_module.py")
# What 100 KB of heap hold on a 32-bit chip (the smallest board has 111 936 bytes before any firmware is in), 10 for the
# tests themselves, which no board holds, and 10 that an old address on the stack keeps by chance, in one clone and not
# in another. What the firmware may take is watched by tests/host_tools/test_small_heap.py.
HEAP = "120wK"
TEST_SECONDS = PATIENCE_S
MARK = "\x1e"

_TRACEBACK_LINE = re.compile(r'  File "(?P<file>[^"]+)", line (?P<line>\d+)')


class Failed(Exception):
    """The test did not pass; the text is what MicroPython printed, or how it ended."""


class CannotImport(Exception):
    """The test file itself cannot be imported under MicroPython; the text is the traceback."""


class Interpreter:
    """Starts with the first test; after a crash or an endless loop the next test gets a new process."""

    def __init__(self, micropython: Path, test_file: Path, test_seconds: float = TEST_SECONDS):
        """`micropython` is the program, `test_file` the module whose tests it runs."""
        # Names of files are in the heap, so they go through a name of the clone that is as long wherever it lies.
        self._short = tempfile.TemporaryDirectory(prefix="ct-")
        self._root = Path(self._short.name, "r")
        self._root.symlink_to(ROOT)
        self._command = [
            str(micropython), "-X", f"heapsize={HEAP}",
            self._shorten(RUNNER), self._shorten(test_file.parent), test_file.stem, MARK,
        ]
        self._test_seconds = test_seconds
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    def run(self, test: str) -> str:
        """Run one test and return what it printed; raises Failed, or CannotImport for the whole file."""
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(test + "\n")
        self._process.stdin.flush()
        word, printed = self._answer()
        if word == "passed":
            return printed
        raise Failed(printed if word == "failed" else f"{printed}{self._stop(word)} in {test}.")

    def close(self) -> None:
        """End the process if there is one."""
        if self._process is not None:
            self._stop("closed")
        self._short.cleanup()

    def _shorten(self, path: Path) -> str:
        """A file of the clone by the name that is as long everywhere."""
        return str(self._root / path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)

    def _start(self) -> None:
        # Compiled, as on the device: the source of a game does not fit into its heap while it is being compiled.
        firmware = image.build("virtual", ROOT / "build" / "tests", with_players=True)
        path = ":".join([self._shorten(firmware), str(self._root), ".frozen"])
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8", errors="replace",
            cwd=ROOT, env={**os.environ, "MICROPYPATH": path},
        )
        threading.Thread(target=_pass_on, args=(self._process.stdout, self._lines), daemon=True).start()
        word, printed = self._answer()
        if word != "ready":
            raise CannotImport(f"{printed}{self._stop(word)} while it imported the file.")

    def _answer(self) -> tuple[str, str]:
        """The next answer and what was printed before it; `ended` or `silent` where none comes."""
        printed = ""
        while True:
            try:
                line = self._lines.get(timeout=self._test_seconds)
            except queue.Empty:
                return "silent", with_source(printed)
            if line is None:
                return "ended", with_source(printed)
            if line.startswith(MARK):
                # The answer begins on a line of its own, so one line end before it is not the test's.
                return line[1:].strip(), with_source(printed[:-1])
            printed += line

    def _stop(self, word: str) -> str:
        """End the process and say how it went."""
        process, self._process = self._process, None
        assert process is not None and process.stdin is not None
        if word == "silent":
            process.kill()
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            code = process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        if word == "silent":
            return f"MicroPython said nothing for {self._test_seconds:g} s"
        return f"MicroPython ended with exit code {code}"


def _pass_on(output, lines: "queue.Queue[str | None]") -> None:
    with output:
        for line in output:
            lines.put(line)
    lines.put(None)


def with_source(printed: str) -> str:
    """MicroPython's tracebacks name file and line only: put the source line under each, as CPython does."""
    shown = []
    for line in printed.splitlines(keepends=True):
        shown.append(line)
        match = _TRACEBACK_LINE.match(line)
        source = match and linecache.getline(match["file"], int(match["line"])).strip()
        if source:
            shown.append(f"    {source}\n")
    return "".join(shown)
