"""Starts MicroPython for on_device.py and gathers what it finds."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from cardtable.engine.record import LINE_LIMIT
from host_tools.base import foreign
from host_tools.lab.bench.built import compile_file
from host_tools.base.errors import UnusableInput
from host_tools.base.interpreters import WITHOUT_MICROPYTHON, MicroPythonMissing, find_micropython
from host_tools.base.project import BUILD, PACKAGES
from host_tools.judge.replay.core import PASSED, replay
from host_tools.virtual import image

BUILT = BUILD / "cuts"
HEAP = "48M"  # thousands of flashes, of which each shares what it can with the one before


@dataclass
class Found:
    """The findings on one record. `figures` as on_device.py names them; `said` the first things that were wrong."""

    path: Path
    figures: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """Whether nothing was lost, invented or broken."""
        return not (self.figures["lost"] or self.figures["invented"] or self.figures["broken"])


class Inside:
    """Runs jobs under MicroPython, each in a process of its own."""

    def __init__(self) -> None:
        """UnusableInput where MicroPython or the compiler is missing."""
        try:
            program = find_micropython()
            if program is None:
                raise UnusableInput(WITHOUT_MICROPYTHON)
            firmware = image.build("virtual", BUILT / "firmware")
            compile_file(image.SHIMS / "flash.py", BUILT / "shims" / "flash.mpy")
        except (MicroPythonMissing, image.BuildError) as missing:
            raise UnusableInput(str(missing)) from missing
        path = ":".join([str(firmware), str(BUILT / "shims"), str(PACKAGES), ".frozen"])
        self._environment = {**os.environ, "MICROPYPATH": path}
        self._command = [str(program), "-X", f"heapsize={HEAP}", "-m", "host_tools.lab.cuts.on_device"]

    def run(self, record: Path, options: dict[str, Any] | None) -> Any:
        """The answer to one job. RuntimeError with the last lines if there is none."""
        job = json.dumps([str(record.resolve()), options]) + "\n"
        done = subprocess.run(
            self._command, cwd=PACKAGES, env=self._environment, input=job, capture_output=True, text=True, check=False
        )
        for line in done.stdout.splitlines():
            if line.startswith("cuts "):
                return json.loads(line[5:])
        raise RuntimeError(f"{record}: " + "\n".join((done.stdout + done.stderr).splitlines()[-12:]))


def check(record: Path) -> None:
    """UnusableInput unless the engine passes this record: cutting needs a record that is right by itself."""
    content = foreign.read_bytes(record)
    outcome = replay(BytesIO(content), lambda *event: None)
    if outcome.kind != PASSED:
        raise UnusableInput(f"{record}:{outcome.line}: {outcome.cause}")
    if b"\r" in content or max(map(len, content.split(b"\n"))) > LINE_LIMIT:
        raise UnusableInput(f"{record}: a line is longer than {LINE_LIMIT} bytes or ends otherwise than the table's")


def cut(records: list[Path], options: dict[str, Any], workers: int = 2) -> list[Found]:
    """Cut each of these games; in the order of the records."""
    for record in records:
        check(record)
    inside = Inside()

    def one(record: Path) -> Found:
        figures = inside.run(record, options)
        return Found(record, figures, figures.pop("said"))

    with ThreadPoolExecutor(max_workers=workers) as pool:
        return list(pool.map(one, records))


def measure(record: Path) -> list[dict[str, Any]]:
    """The costs of each way to keep this record, a dictionary each."""
    check(record)
    return Inside().run(record, None)
