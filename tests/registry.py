"""Whether registries answer: PyPI, for what installs packages in an empty environment, and npm."""

import functools
import subprocess
import sys

from tests.left_out import need


@functools.cache
def has_registry():
    """Whether pip finds a package that is not here."""
    asked = [sys.executable, "-m", "pip", "index", "versions", "uv", "--disable-pip-version-check"]
    return subprocess.run(asked, capture_output=True).returncode == 0


need("registry", "installs packages from PyPI", has_registry, "tests that install packages",
     "They need PyPI, or the index that pip is set to.", by_day=False)


@functools.cache
def has_npm_build():
    """Whether Node is here, and npm's build of MicroPython, or npm to fetch it."""
    from host_tools.lab.bench.micropython import find_webassembly

    return not isinstance(find_webassembly(may_install=True), str)


need("npm_build", "runs npm's build of MicroPython, whose objects have 32 bits", has_npm_build,
     "tests of the heap on 32 bits", "They need Node, npm and its registry.", by_day=False)
