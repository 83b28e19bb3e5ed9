"""Lets CPython import the firmware by the one module that it lacks, compiled where `make setup` has compiled it."""

import importlib.util
import sys

from host_tools.base.fast.sources import is_compiled, use_compiled
from host_tools.base.project import SHIMS


def prepare() -> None:
    """After this `import cardtable.engine` works. Other shims stay off the path: they would hide `time`."""
    if "micropython" in sys.modules:
        return
    spec = importlib.util.spec_from_file_location("micropython", SHIMS / "micropython.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["micropython"] = module
    use_compiled()


if __name__ == "__main__":  # how a wheel is tried where it was built
    prepare()
    sys.exit(0 if is_compiled() else "the source of the engine runs, and nothing compiled")
