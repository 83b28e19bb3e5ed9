"""Owns what a caller names on a command line, as click takes it: a path, a number. `foreign.PathName` and
`foreign.Number` are these; they stand apart because click comes with them, for which a page's table would wait.
"""

from __future__ import annotations

import math
import os
from typing import Any

import click

from host_tools.base.errors import shorten
from host_tools.base.ready import is_pipe


class PathName(click.Path):
    """A path that a caller names. An empty one, such as that of a shell's variable which is not set, is none: to
    click it would be the folder in which the caller stands. With `pipe_okay=False` a pipe is refused: a path that is
    written, or read past read_bytes, would wait at it for ever."""

    def __init__(self, *, pipe_okay: bool = True, **more: Any) -> None:
        super().__init__(**more)
        self.pipe_okay = pipe_okay

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click does."""
        if value in ("", b""):
            self.fail("the path is empty", param, ctx)
        path = super().convert(value, param, ctx)
        if not self.file_okay and os.path.exists(path) and not os.path.isdir(path):
            self.fail(f"{os.fsdecode(path)} is not a folder", param, ctx)  # click refuses regular files alone
        if not self.pipe_okay and is_pipe(os.fsdecode(path)):
            self.fail(f"{os.fsdecode(path)} is a pipe, not a file", param, ctx)
        return path


class Number(click.FloatRange):
    """A number that a caller names. No infinity, and no `nan`: to click it lies in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click does."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{shorten(str(value))} is not a finite number", param, ctx)
        return number
