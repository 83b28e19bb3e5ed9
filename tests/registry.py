"""Whether PyPI answers: what installs packages in an empty environment needs it."""

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
