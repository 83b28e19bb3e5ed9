"""The device in this Python as in_process.py has it, but in steps: it lives for a moment whenever it is called, and
between two steps nothing of it lies on the stack. So a page's worker, which has one thread and must never wait, can be
a table.

The firmware's program is the real one. The one thing in it that does not come back, `asyncio.run`, is waited for
instead: each function of main.py that calls it, or calls one that does, becomes a coroutine.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import contextlib
import errno
import functools
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.project import FIRMWARE
from host_tools.virtual.device import DeviceError
from host_tools.virtual.in_process import POWER_ON, Lines, PowerCut, Reset, Stopped, load_shims, patch
from host_tools.virtual.virtual_loop import VirtualLoop
from host_tools.virtual.world import World

_TICK_US = 10_000
_RUN = "_run_in_steps"
_FILES = ("stat", "listdir", "remove", "rename", "mkdir", "rmdir", "statvfs", "unlink", "replace")
_LINUX = {"ENOENT": 2, "EIO": 5, "EEXIST": 17, "ENODEV": 19, "ENOTDIR": 20, "EISDIR": 21, "EINVAL": 22, "ENOSPC": 28,
          "EROFS": 30, "ENOTEMPTY": 39}  # the numbers that MicroPython's firmware compares


class _Running:
    """What `asyncio.run` is here: whoever drives the program gets the coroutine, and gives its result back."""

    def __init__(self, main: Any) -> None:
        self.main = main

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield self.main)


class _Waiting(ast.NodeTransformer):
    """Turns calls of these functions into awaited ones, and `asyncio.run(x)` into what is waited for."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if node.name not in self.names:
            return node
        return ast.copy_location(ast.AsyncFunctionDef(**dict(ast.iter_fields(node))), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _is_run(node):
            node.func = ast.copy_location(ast.Name(_RUN, ast.Load()), node.func)
        elif not (isinstance(node.func, ast.Name) and node.func.id in self.names):
            return node
        return ast.copy_location(ast.Await(node), node)


def _is_run(node: ast.AST) -> bool:
    return (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "run"
            and isinstance(node.func.value, ast.Name) and node.func.value.id == "asyncio")


def compile_waiting(source: str, name: str) -> Any:
    """The program's code, which is a coroutine: it waits wherever the source calls `asyncio.run`."""
    tree = ast.parse(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names: set[str] = set()
    while True:
        found = {one.name for one in functions for node in ast.walk(one)
                 if _is_run(node) or isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                 and node.func.id in names}
        if found == names:
            break
        names = found
    tree = ast.fix_missing_locations(_Waiting(names).visit(tree))
    return compile(tree, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def speak_linux() -> None:
    """From now on the firmware's modules get the numbers of errors that MicroPython has: a browser's Python counts them
    otherwise. Nothing happens where they are the same."""
    numbers = {getattr(errno, name): number for name, number in _LINUX.items() if hasattr(errno, name)}
    if all(old == new for old, new in numbers.items()):
        return

    def told(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            try:
                return function(*args, **named)
            except OSError as wrong:
                asker = sys._getframe(1).f_globals.get("__name__", "")
                if asker.partition(".")[0] not in ("cardtable", "__main__", "loader"):
                    raise
                translated = OSError(*wrong.args)
                translated.args = (numbers.get(wrong.errno or 0, wrong.errno), *wrong.args[1:])
                raise translated from wrong

        return call

    builtins.open = told(builtins.open)
    for name in _FILES:
        setattr(os, name, told(getattr(os, name)))


class SteppedDevice:
    """A device of `world` whose flash is that folder. `live(until)` lets it live until that is true; the next `live`
    goes on there. `on_line` gets each line printed. DeviceError if its program falls."""

    def __init__(self, world: World, flash: Path, on_line: Callable[[str], None]) -> None:
        self.world = world
        self.boots = 0
        self._flash = flash
        self._code = compile_waiting(foreign.read_text(FIRMWARE / "main.py"), str(FIRMWARE / "main.py"))
        self._lines = Lines(on_line)
        self._program: Any = None  # the coroutine
        self._loop: VirtualLoop | None = None  # of the `asyncio.run` that it is in
        self._task: Any = None
        self.world.people.error_as = Stopped

    @property
    def is_on(self) -> bool:
        """Whether its program runs."""
        return self._program is not None

    def power_on(self, cause: int = POWER_ON) -> None:
        """Start the program; its time goes on from the World's, on the next tick."""
        shims = load_shims()
        shims.clock.power_up(-(-self.world.now_us // _TICK_US) * _TICK_US, 0)
        shims.clock.on_wait = shims.port.on_wait
        shims.console.begin(self.world.console_stalls)
        shims.port.attach(self.world, None, cause, self._lines.hand_on)
        self.world.power(True)
        self.boots += 1
        space: dict[str, Any] = {"__name__": "__main__", _RUN: _Running}
        self._program = eval(self._code, space)
        assert inspect.iscoroutine(self._program)

    def power_off(self) -> None:
        """Cut its power where it is."""
        if self._program is not None:
            self._drop()
            self.world.power(False)

    def live(self, until: Callable[[], object]) -> None:
        """Let it live until that is true, which is asked after each turn of its loop. DeviceError."""
        if self._program is None:
            self.power_on()
        patches = patch(load_shims(), self.world.board)
        outside = asyncio._get_running_loop()
        asyncio._set_running_loop(self._loop)
        try:
            with contextlib.chdir(self._flash), contextlib.redirect_stdout(self._lines):
                while not until():
                    self._turn()
        except Reset as reset:
            self._drop()
            self.world.device_down()
            self.power_on(reset.cause)
        except Stopped as stopped:  # an error of somebody at the table
            self.power_off()
            raise DeviceError("".join(traceback.format_exception(stopped.__cause__))) from stopped
        except PowerCut:
            self._drop()
        except Exception as wrong:
            self.power_off()
            raise DeviceError("".join(traceback.format_exception(wrong))) from wrong
        finally:
            asyncio._set_running_loop(outside)
            patches.undo()
            self._lines.hand_on()

    def _turn(self) -> None:
        """One turn of the loop, or of the program where it is in none."""
        if self._task is None:
            self._go_on(lambda: self._program.send(None))
        elif not self._task.done():
            self._loop._run_once()  # type: ignore[union-attr]
        else:
            task = self._task
            self._end_loop()
            error = task.exception()
            if error is not None:
                self._go_on(lambda: self._program.throw(error))
            else:
                self._go_on(lambda: self._program.send(task.result()))

    def _go_on(self, resume: Callable[[], Any]) -> None:
        """Let the program run until it is in an `asyncio.run` again; PowerCut at its end."""
        try:
            main = resume()
        except StopIteration:
            load_shims().port.step()
            raise PowerCut from None
        self._loop = VirtualLoop(load_shims().clock)
        asyncio._set_running_loop(self._loop)
        self._task = self._loop.create_task(main)

    def _end_loop(self) -> None:
        loop, self._loop, self._task = self._loop, None, None
        asyncio._set_running_loop(None)
        if loop is not None:
            loop.abandon()

    def _drop(self) -> None:
        """Forget the program where it stands: what it would still say reaches nothing."""
        load_shims().port.attach(None)
        outside = asyncio._get_running_loop()
        self._end_loop()
        program, self._program = self._program, None
        with contextlib.suppress(BaseException):
            program.close()
        asyncio._set_running_loop(outside)
