"""The mark of a long run: how far it has come, in a small file, so that the next run goes on from there."""

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import write_file

EVERY_S = 1.0  # how often it is written
SHAPE = {"done": int, "names": str, "kept": dict, "of": str}


class Mark:
    """Counts what is done, by name and in order. `keep()` gives what else the caller has to know again, as JSON may
    hold it; `kept` is what it gave in the run before."""

    def __init__(self, path: Path | None, of: str):
        """path: the file, or None for a run that leaves no mark; of: what the run does: another one cannot go on from
        its mark. UnusableInput for a file that is no mark of this run."""
        self.path = path
        self.done = 0
        self.keep: Callable[[], dict[str, Any]] = dict
        self.kept: dict[str, Any] = {}
        self._of = of
        self._names = hashlib.sha256()
        self._left = 0  # how many have to be passed by
        self._wanted = ""
        self._is_other = False  # the file is another run's, and stays as it is
        self._written_s = time.monotonic()
        if path is not None and path.exists():
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            said = foreign.parse_json(foreign.read_text(path), SHAPE)
            self._left, self._wanted, self.kept, of = said["done"], said["names"], said["kept"], said["of"]
        except foreign.Misshapen as wrong:
            raise UnusableInput(f"{path}: is no mark of a run") from wrong
        if of != self._of or self._left < 0:
            raise UnusableInput(f"{path}: is the mark of another run: {foreign.shorten(foreign.printable(of))}")

    def passes(self, name: str) -> bool:
        """Whether the next one, of that name, was done by an earlier run. UnusableInput if that run had others."""
        if self.done >= self._left:
            return False
        self._count(name)
        if self.done == self._left and self._names.hexdigest() != self._wanted:
            self._is_other = True
            raise UnusableInput(f"{self.path}: the first {self.done} names are not those of that run")
        return True

    def check_passed(self) -> None:
        """There is nothing more: UnusableInput if the earlier run had done more than there is now."""
        if self.done < self._left:
            raise UnusableInput(f"{self.path}: that run had done {self._left}, and here are {self.done}")

    def add(self, name: str) -> None:
        """One more is done."""
        self._count(name)
        if self.path is not None and time.monotonic() - self._written_s > EVERY_S:
            self.write()

    def _count(self, name: str) -> None:
        self._names.update(name.encode("utf-8", "surrogateescape") + b"\0")
        self.done += 1

    def write(self) -> None:
        """Write the file, at once and whole; not before this run is where the earlier one was."""
        if self.path is None or self.done < self._left or self._is_other:
            return
        said = {"of": self._of, "done": self.done, "names": self._names.hexdigest(), "kept": self.keep()}
        write_file(self.path, (json.dumps(said) + "\n").encode())
        self._written_s = time.monotonic()

    def remove(self) -> None:
        """The run has come to its end."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
