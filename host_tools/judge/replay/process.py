"""The MicroPython process that device.py runs in: starts, feeds, hears it."""

import os
import queue
import subprocess
import threading
from pathlib import Path

from host_tools.base.errors import UnusableInput
from host_tools.base.locks import held
from host_tools.base.project import BUILD, PACKAGES
from host_tools.virtual.image import BuildError, build

BUILT = BUILD / "replay"
# What 100 KB hold on a 32-bit chip: the smallest board has 111 936 bytes before the firmware is loaded.
HEAP = "100wK"
START_S = 60.0  # how long it may take to start, on however busy a machine


class Ended(Exception):
    """The process is no more; the text says how it ended."""


def build_firmware() -> Path:
    """The firmware as it lies on a device: compiling source would take the heap. Raises UnusableInput."""
    try:
        BUILT.mkdir(parents=True, exist_ok=True)
        with held(BUILT / "lock"):  # two replays at once must not write the same files
            return build("virtual", BUILT / "firmware")
    except BuildError as error:
        cause = " ".join(str(error).split())
        raise UnusableInput(f"The firmware cannot be built for MicroPython: {cause}") from error
    except OSError as error:
        cause = f"{error.filename}: the firmware cannot be built there: {error.strerror}."
        raise UnusableInput(cause) from error


class ReplayProcess:
    """Starts with the first record, and again after a crash."""

    def __init__(self, program: Path, silent_s: float):
        """program: MicroPython; silent_s: after so many seconds without a word the process is ended."""
        self._command = [str(program), "-X", f"heapsize={HEAP}", "-m", "host_tools.judge.replay.device"]
        self._path = ":".join([str(build_firmware()), str(PACKAGES), ".frozen"])
        self._silent_s = silent_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    def send(self, record: bytes) -> None:
        """Give it one record. What becomes of it is heard by `receive`."""
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(b"%d\n" % len(record) + record)
            self._process.stdin.flush()
        except OSError:
            pass  # it has died, and `receive` finds out how

    def receive(self, at_least_s: float = 0) -> str:
        """Its next line, which may take so long at least. Raises Ended, with what it printed at last, when there is
        none."""
        patience_s = max(self._silent_s, at_least_s)
        try:
            line = self._lines.get(timeout=patience_s)
        except queue.Empty:
            self.close()
            raise Ended(f"MicroPython said nothing for {patience_s:g} s") from None
        if line is None:
            raise Ended(f"MicroPython ended with exit code {self.close()}")
        return line

    def close(self) -> int:
        """End the process if there is one; its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        assert process.stdin is not None
        try:
            process.stdin.close()
        except OSError:
            pass
        try:
            return process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def _start(self) -> None:
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=BUILT,  # where there is no source: MicroPython looks there first
            env={**os.environ, "MICROPYPATH": self._path},
        )
        threading.Thread(target=_pass_on, args=(self._process.stdout, self._lines), daemon=True).start()
        printed = []
        try:
            while (line := self.receive(START_S)) != "ready":
                printed.append(line)
        except Ended as ended:
            last = f": {printed[-1]}" if printed else ""
            raise UnusableInput(f"The replay does not start under MicroPython: {ended}{last}") from ended


def _pass_on(output, lines: "queue.Queue[str | None]") -> None:
    with output:
        for line in output:
            lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
    lines.put(None)
