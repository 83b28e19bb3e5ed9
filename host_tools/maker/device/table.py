"""One table at a serial port: mpremote's transport, our functions on the table, and what goes wrong in a sentence."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import os
import re
import stat
import struct
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

from host_tools.base import foreign
from host_tools.maker.device.package import digest
from host_tools.maker.device.ports import open_name
from host_tools.base.errors import UnusableInput

try:
    from termios import error as PortError
except ImportError:  # Windows has no terminals of that kind
    PortError = OSError  # type: ignore[misc,assignment]

# What a port raises whose cable is pulled: while it is opened or emptied, pyserial passes on what is no OSError.
LOST = (TransportError, OSError, PortError)
CHUNK = 768  # bytes that go at once: 1 KB in base 64
_READ_S = 2.0  # how long one byte may take
_ANSWER_S = 10.0  # how long a program on the table may compute before it says more
# How long the prompt may take, for each time that it is asked for: who has just got power is deaf at first.
_PROMPT_S = (1.0, 2.0, 3.0)
# How long a port may be somebody else's: desktops look at one that has just come, and a program that starts another
# holds it for a moment longer than it knows.
_OPEN_S = 4
# Of ports/esp32/modules/inisetup.py: with a first block that is neither blank nor a file system's it starts nothing.
SPOILT = "filesystem appears to be corrupted"
_IS_WATCHED = "import sys\nprint(getattr(sys.modules.get('main'), 'is_watched', False))"
# Asked of the table that was stopped, before its memory is emptied: how well its readers have read since power-up.
_HEALTH = """import sys
try:
    from cardtable.between.health import list_health
    print("\\n".join(list_health(sys.modules["main"].stopped.readers)))
except Exception:
    pass
"""
_HEALTHY = re.compile(r"readers?( [1-7])?: [ -~]{1,80}")
_HEALTH_LINES = 15  # two of each reader, and one of their bus
# What a function of on_table.py gives: a type; [shape], a list of such; a tuple, a row of just these. The answers of
# others are not looked at.
_ROW = (str, str, int, int)
_SHAPES = {
    "read_text": str, "hash_file": str, "read_part": str, "count_free": int, "list_games": [(str, int)],
    "describe": _ROW, "versions": (str, int, int), "list_names": [str], "name_errors": str,
}  # fmt: skip
_ANSWER_LIMIT = foreign.LIMIT  # bytes
_ON_TABLE = Path(__file__).with_name("on_table.py")


_NO_PROMPT = (TransportError, struct.error)  # the second where mpremote waits for two bytes and gets fewer


class TableError(Exception):
    """Something failed on the table or on the way to it; one sentence."""


def is_port(name: str) -> bool:
    """Whether a device of that name is there: no file or folder ever becomes one."""
    try:
        return stat.S_ISCHR(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


class Table:
    """The table at `port`. Use as a context manager; at its end the table's program restarts, unless left.

    `patience`, `read_s` and `answer_s` are seconds of the clock: for the prompt, each time that it is asked for; for
    one byte; and for the next byte of an answer. A test on a busy machine takes longer ones.
    """

    patience = _PROMPT_S
    read_s = _READ_S
    answer_s = _ANSWER_S

    def __init__(self, port: str) -> None:
        self.port = port
        self._transport: SerialTransport | None = None
        self.is_left = False
        self.health: list[str] = []  # of its readers, as it was stopped
        self._begun = b""  # of a line that has not come whole

    def __enter__(self) -> Table:
        if not self.port:
            raise UnusableInput("which table? Say PORT=/dev/ttyUSB0 to make, or --port /dev/ttyUSB0.")
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                self._transport = SerialTransport(
                    open_name(self.port), wait=_OPEN_S if is_port(self.port) else 0, timeout=self.read_s)
        except LOST as wrong:
            if self.port.startswith("/dev/") and not os.path.exists(self.port):
                raise UnusableInput(f"there is no {self.port}: is the table's cable in?") from wrong
            if os.path.exists(self.port) and not os.access(self.port, os.R_OK | os.W_OK):  # mpremote tells of no cause
                raise UnusableInput(f"{self.port} is there, and you may not use it: on Linux your user has to be in the"
                                    " group dialout (Arch: uucp). Type `sudo usermod -a -G dialout $USER`, then log out"
                                    " and in again.") from wrong
            raise UnusableInput(f"{self.port}: {wrong}; is the table there, and nobody else at its port?") from wrong
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        transport = self._transport
        assert transport is not None
        self._transport = None
        with contextlib.suppress(*LOST):
            if transport.in_raw_repl and not self.is_left:
                transport.exit_raw_repl()
                transport.serial.write(b"\x04")  # a soft reset: main.py runs again
        with contextlib.suppress(*LOST):
            transport.close()

    @property
    def transport(self) -> SerialTransport:
        assert self._transport is not None, "only inside of `with`"
        return self._transport

    # --- the prompt ---

    def stop(self) -> None:
        """Stop the table's program and get to the prompt. UnusableInput if there is none to be had, TableError if that
        is because MicroPython cannot read its flash."""
        tries, was_reset, heard = list(self.patience), False, io.StringIO()
        self._begun = b""
        while tries:
            patience_s = tries.pop(0)
            with contextlib.redirect_stdout(heard), _in_words():  # mpremote prints what came in the prompt's place
                try:
                    self._ask_for_prompt(patience_s)
                    if not was_reset and self.transport.exec(_IS_WATCHED).strip() == b"True":
                        # Only a reset of the chip ends a watchdog, and nothing feeds it at the prompt.
                        self.reset()
                        tries, was_reset = list(self.patience), True
                        continue
                    told = self.transport.exec(_HEALTH).decode("utf-8", "replace").splitlines()
                    self.health = [line for line in told[:_HEALTH_LINES] if _HEALTHY.fullmatch(line)] or self.health
                    self.transport.enter_raw_repl(timeout_overall=patience_s)
                except _NO_PROMPT:
                    continue
            self.run(_ON_TABLE.read_text(encoding="utf-8"))
            return
        if SPOILT in heard.getvalue():
            raise TableError(
                f"{self.port}: MicroPython cannot read what lies on the flash: it is another program's, or was written"
                " for another size or layout of flash. `make flash ... ERASE=1` (`cardtable device flash --erase`)"
                " empties the flash first; records and files of a table that lie there are lost then."
            )
        raise UnusableInput(
            f"{self.port} gives no prompt. If a game is running, end it or use the arbiter's key: nobody gets to the"
            " records during a game. If none is, this may be no table, or another program has its port."
        )

    def _ask_for_prompt(self, patience_s: float) -> None:
        """mpremote looks at its clock between two bytes: a byte may take no longer than the prompt."""
        serial = self.transport.serial
        serial.timeout = min(self.read_s, patience_s)
        try:
            self.transport.enter_raw_repl(soft_reset=False, timeout_overall=patience_s)
        finally:
            serial.timeout = self.read_s

    def run(self, code: str, on_text: Callable[[bytes], object] | None = None) -> str:
        """Run some lines on the table; what they print. TableError with the last line of a traceback."""
        said = bytearray()

        def hear(byte: bytes) -> None:
            said.extend(byte)
            if len(said) > _ANSWER_LIMIT:
                raise TableError(f"the table's answer has more than {_ANSWER_LIMIT} bytes.")
            if on_text is not None:
                on_text(byte)

        with _in_words():
            self._execute(code, self.answer_s, hear)
        return bytes(said).replace(b"\x04", b"").decode("utf-8", "replace")

    def follow(self, code: str, on_line: Callable[[str], object], silence_s: float) -> None:
        """Run something that takes its time; `on_line` gets each line that it prints."""
        rest = b""

        def hear(byte: bytes) -> None:
            nonlocal rest
            lines, rest = split(rest + byte.replace(b"\x04", b""))
            for line in lines:
                on_line(line)

        with _in_words():
            self._execute(code, silence_s, hear)

    def _execute(self, code: str, silence_s: float, hear: Callable[[bytes], object]) -> None:
        _, wrong = self.transport.exec_raw(code, timeout=silence_s, data_consumer=hear)
        if wrong:
            raise TransportExecError(b"", wrong.decode("utf-8", "replace"))

    def call(self, function: str, *arguments: object) -> Any:
        """Call a function of on_table.py; what it gives. TableError if that is nothing which it can give."""
        text = self.run(f"print(repr({function}({', '.join(map(repr, arguments))})))").strip()
        shape = _SHAPES.get(function)
        if shape is None:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of escapes that Python does not know
                answer = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            answer = None
        if not has_shape(answer, shape):
            raise TableError(f"the table answers {foreign.shorten(text)!r} to {function}: is it a table, and alone?")
        return answer

    def reset(self) -> None:
        """Press the table's reset button, so to speak."""
        with contextlib.suppress(*LOST):
            self.transport.exec_raw_no_follow("import machine\nmachine.reset()")
        self.transport.in_raw_repl = False

    def lines(self, seconds: float | None = None) -> Iterator[str]:
        """The lines that the table prints, as they come; for so many seconds, or until nobody wants more. A line
        that has only begun by then is the first of the next call."""
        begun_s = time.monotonic()
        serial = self.transport.serial
        serial.timeout = 0.2
        try:
            while seconds is None or time.monotonic() - begun_s < seconds:
                with _in_words():
                    self._begun += serial.read(max(1, serial.in_waiting))
                lines, self._begun = split(self._begun)
                yield from lines
        finally:
            serial.timeout = self.read_s

    # --- files ---

    def write(self, path: str, data: bytes, on_bytes: Callable[[int], object] = lambda count: None) -> None:
        """Write a file; `on_bytes` is told how many more bytes have gone."""
        self.call("begin", path)
        for start in range(0, len(data), CHUNK):
            part = data[start:start + CHUNK]
            self.call("add", base64.b64encode(part).decode())
            on_bytes(len(part))
        self.call("end")

    def read(self, path: str, on_bytes: Callable[[int], object] = lambda count: None) -> bytes:
        """The bytes of a file, compared with the table's own hash of it."""
        data = b""
        while part := self.call("read_part", path, len(data), CHUNK):
            try:
                data += base64.b64decode(part)
            except ValueError as wrong:
                raise TableError(f"{path} does not come as base 64: {wrong}") from wrong
            if len(data) > _ANSWER_LIMIT:
                raise TableError(f"{path} has more than {_ANSWER_LIMIT} bytes, and no file of a table has.")
            on_bytes(len(data))
        if self.call("hash_file", path) != digest(data):
            raise TableError(f"{path} came over the wire otherwise than it lies on the table; try again.")
        return data

    def replace(self, path: str, data: bytes) -> None:
        """Put a file there in one step: whatever happens, the old one or the new one is there, whole."""
        self.write(path + ".new", data)
        if self.call("hash_file", path + ".new") != digest(data):
            raise TableError(f"{path}.new is not what was sent.")
        self.call("os.rename", path + ".new", path)


def split(said: bytes) -> tuple[list[str], bytes]:
    """The whole lines of what a table said, and the rest; a line that does not end is cut."""
    *lines, rest = said.split(b"\n")
    if len(rest) > foreign.LINE_LIMIT:
        lines.append(rest)
        rest = b""
    return [line.decode("utf-8", "replace").rstrip("\r") for line in lines], rest


def has_shape(answer: Any, shape: Any) -> bool:
    """Whether an answer is as _SHAPES says."""
    if isinstance(shape, type):
        return type(answer) is shape
    if not isinstance(answer, (list, tuple)):
        return False
    if isinstance(shape, list):
        return all(has_shape(one, shape[0]) for one in answer)
    return len(answer) == len(shape) and all(map(has_shape, answer, shape))


@contextlib.contextmanager
def _in_words() -> Iterator[None]:
    """What mpremote and the serial port raise, as a TableError; a wrong program on the table stays a TransportError."""
    try:
        yield
    except TransportExecError as wrong:
        last = wrong.error_output.strip().splitlines()[-1:]
        raise TableError(f"the table says: {' '.join(last)}") from wrong
    except _NO_PROMPT as wrong:
        raise TableError(f"the table does not answer as a prompt does: {wrong}") from wrong
    except UnicodeDecodeError as wrong:
        raise TableError(f"the table's error is no text: {wrong.reason}") from wrong
    except (OSError, PortError) as wrong:
        raise TableError(f"the connection is lost: {wrong}") from wrong
