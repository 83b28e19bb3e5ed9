"""Commands as a person types them: once more if nothing happens."""

import subprocess
from pathlib import Path

PATIENCE_S = (30, 60, 120)  # seconds for each try of a command


def run_as_a_person(command, **how):
    """Type it again if it does nothing for long. A Ctrl-C that comes while the firmware starts up is lost, on a chip,
    too: there mpremote gives up after ten seconds, but on a pseudo terminal it waits for ever."""
    if Path(command[0]).name != "mpremote":
        return subprocess.run(command, timeout=max(PATIENCE_S), **how)
    for patience_s in PATIENCE_S:
        try:
            return subprocess.run(command, timeout=patience_s, **how)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError(f"{command} hangs each time")
