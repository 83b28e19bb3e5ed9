"""Says which extra of this package brings what is not installed: one sentence, with the `pip install` to type."""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any

from host_tools.base.errors import UnusableInput

PACKAGE = "cardtable"
_BY_EXTRA = re.compile(r"([\w.-]+).*;.*\bextra\s*==\s*['\"]([\w-]+)['\"]")
_OTHER_NAMES = {"smartcard": "pyscard"}  # a module whose distribution is called otherwise
# Of CPython, where the system is like Unix.
_OF_UNIX = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
_FOR_PEOPLE = "dev"  # it brings all the others, and is no answer to somebody who plays


@functools.cache
def list_extras() -> dict[str, str]:
    """The extra that brings each distribution, by its name with `_` for `-`."""
    from importlib import metadata  # a fifth of what `--help` takes

    try:
        required = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return {}
    found = (_BY_EXTRA.match(line) for line in required)
    return {one[1].lower().replace("-", "_"): one[2] for one in found if one and one[2] != _FOR_PEOPLE}


def say_what_lacks(module: str, what: str = "this") -> str:
    """The sentence for a module that is not there; empty if no extra brings it, and something else is wrong."""
    top = module.split(".")[0]
    if top in _OF_UNIX:
        return f"{what} works on Linux and macOS; Windows runs it inside WSL"
    top = _OTHER_NAMES.get(top, top)
    extra = next((extra for name, extra in list_extras().items() if name == top or name.startswith(f"{top}_")), "")
    return f"{what} needs a package that is not installed: pip install '{PACKAGE}[{extra}]'" if extra else ""


def need(module: str, what: str) -> Any:
    """The module, imported. UnusableInput where it is not installed; what: who needs it, as a sentence begins."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise UnusableInput(say_what_lacks(missing.name or module, what) or f"{what}: {missing}") from missing
