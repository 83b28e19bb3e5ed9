"""One running engine: lines to it and lines from it, bounded in length, number and time."""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import signal
import subprocess
import time
from pathlib import Path

from host_tools.base.errors import UnusableInput
from host_tools.base.ready import need_pipes, wait_ready

START_MS = 10_000  # for an engine's first word, and for its `ready` before a game
LINE = 4096  # bytes of an answer at most
INFOS = 1000  # lines of `info` before one answer at most
_BLOCK = 65_536
# Most languages keep lines back where they write into a pipe: to its author the engine has answered.
_HELD = ". Does it write each line at once? See docs/engine-protocol.md"
_MARK = "CARDTABLE_ENGINE"  # in the environment of an engine, and so of all that it starts


class Trouble(Exception):
    """The engine did not answer as it should: its text says how."""


class EngineProcess:
    """`ask` a started engine; `close` at the end. What it writes to standard error goes where ours goes.

    It has a session and a mark of its own: to end it ends the programs that it has started, too, such as that behind a
    script. On Linux the mark finds those that went into a session of their own; elsewhere they stay.
    """

    def __init__(self, command: str) -> None:
        """Start it. UnusableInput if that cannot be done or it does not answer as an engine."""
        need_pipes("a player that is a program of its own")
        self.command = command
        self.name = ""
        self._heard = b""
        self._mark = secrets.token_hex(8)
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("its command is empty")
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             env={**os.environ, _MARK: self._mark}, start_new_session=True)
        except (OSError, ValueError, IndexError) as wrong:
            reason = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
            raise UnusableInput(f"the engine {command or 'without a name'} does not start: {reason}") from wrong
        assert self._process.stdin is not None and self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        os.set_blocking(self._process.stdin.fileno(), False)
        try:
            word, _, name = self.ask(["cardtable 1"], START_MS).partition(" ")
        except Trouble as trouble:
            self.close()
            is_held = str(trouble).startswith("said nothing")
            raise UnusableInput(f"the engine {command} {trouble}{_HELD if is_held else ''}") from trouble
        if word != "engine" or not name.strip():
            self.close()
            raise UnusableInput(f"the engine {command} answers no `engine NAME`: see docs/engine-protocol.md")
        self.name = "-".join(name.split())[:20].replace(",", "-").replace(";", "-").replace(":", "-")

    def ask(self, lines: list[str], limit_ms: int) -> str:
        """Say these lines; its answer, which is its next line but for those of `info`. Trouble."""
        late_s = time.monotonic() + limit_ms / 1000
        self._say(("\n".join(lines) + "\n").encode(), late_s, limit_ms)
        for _ in range(INFOS + 1):
            line = self._hear(late_s, limit_ms)
            if not is_info(line):
                return line
        raise Trouble(f"said more than {INFOS} lines before its answer")

    def drop_infos(self) -> None:
        """Drop the lines of `info` that came since its last answer. Trouble for any other line: it would be taken for
        the answer to what is asked next."""
        out = self._process.stdout.fileno()  # type: ignore[union-attr]
        if wait_ready([out], [], 0)[0]:
            self._heard += os.read(out, _BLOCK)
        *lines, self._heard = self._heard.split(b"\n")
        begun = read_line(self._heard)  # not a whole line yet
        if not all(is_info(read_line(line)) for line in lines) or begun[:4] != "info"[: len(begun)]:
            raise Trouble("answers without being asked")

    def _say(self, text: bytes, late_s: float, limit_ms: int) -> None:
        end = self._process.stdin.fileno()  # type: ignore[union-attr]  # a pipe, as asked for
        while text:
            if not wait_ready([], [end], max(0.0, late_s - time.monotonic()))[1]:
                raise Trouble(f"took nothing for {limit_ms} ms")
            try:
                text = text[os.write(end, text[:_BLOCK]):]
            except BlockingIOError:
                continue
            except OSError as wrong:
                raise Trouble(self._tell_end()) from wrong

    def _hear(self, late_s: float, limit_ms: int) -> str:
        end = self._process.stdout.fileno()  # type: ignore[union-attr]
        while b"\n" not in self._heard[: LINE + 1]:
            if len(self._heard) > LINE:
                raise Trouble(f"said a line of more than {LINE} bytes")
            if not wait_ready([end], [], max(0.0, late_s - time.monotonic()))[0]:
                raise Trouble(f"said nothing for {limit_ms} ms")
            block = os.read(end, LINE)
            if not block:
                raise Trouble(self._tell_end())
            self._heard += block
        line, _, self._heard = self._heard.partition(b"\n")
        return read_line(line)

    def _tell_end(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"ended with exit code {self._process.wait(1)}"
        return "closed its output"

    def close(self) -> None:
        """End it: its input ends, and if that is not enough it is killed, with all that it has started."""
        for end in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                end.close()  # type: ignore[union-attr]
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
        with contextlib.suppress(OSError):  # none of them is left
            os.killpg(self._process.pid, signal.SIGKILL)
        end_marked(f"{_MARK}={self._mark}")
        self._process.wait()


def end_marked(mark: str) -> None:
    """Kill each process that was started with that in its environment, until a look at all of them finds no new one."""
    seen: set[int] = set()
    is_new = True
    while is_new:
        is_new = False
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):  # it is somebody else's, or has ended
                number = int(path.parent.name)
                if number not in seen and mark.encode() in path.read_bytes().split(b"\0"):
                    os.kill(number, signal.SIGKILL)
                    seen.add(number)
                    is_new = True


def read_line(line: bytes) -> str:
    """A line as it was meant: some programs begin their output with a byte order mark, or end lines as Windows does."""
    return line.decode("utf-8-sig", "replace").strip()


def is_info(line: str) -> bool:
    """Whether it is no answer; an empty line is none, either."""
    return line.split(" ", 1)[0] in ("", "info")
