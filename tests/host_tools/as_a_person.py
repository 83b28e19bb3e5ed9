"""Commands as a person types them: once more if nothing happens."""

import subprocess
from pathlib import Path

from tests.patience import PATIENCE_S, wait_for

NO_PROMPT = "gives no prompt"
TRIES = (8, 4, 2, 1)  # each for longer: so many parts of what a test waits at most


def run_as_a_person(command, **how):
    """Type it again if it does nothing for long, or says that there is no prompt. A Ctrl-C that comes while the
    firmware starts up is lost, on a chip, too: there mpremote gives up after ten seconds, but on a pseudo terminal it
    waits for ever; our own commands wait six seconds, of which a busy machine may give a board none."""
    is_mpremote = Path(command[0]).name == "mpremote"
    for part in TRIES:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, **how, timeout=PATIENCE_S / (part if is_mpremote else 1))
        except subprocess.TimeoutExpired:
            continue
        if NO_PROMPT not in done.stderr:
            return done
    raise AssertionError(f"{command} hangs each time, or finds no prompt")


def wait_for_table(board, us):
    """Let so much of the virtual board's own time pass."""
    until_us = board.call(lambda: board.world.now_us) + us
    wait_for(lambda: board.call(lambda: board.world.now_us) >= until_us, "the test", f"{us} us at the virtual board")


LOOKS = 100  # at a reader: after so many the table knows what lay there when the power came


def wait_until_it_looks(board, seat=1):
    """Let the firmware look at a seat's reader so often that a card which is laid there now is a tap (T9). Not a time:
    on a busy machine the board's clock runs on while its firmware waits for a processor.
    """

    def count():
        return board.call(lambda: board.world.readers[seat - 1].field.frames)

    until = count() + LOOKS
    wait_for(lambda: count() >= until, "the test", f"the table's looks at reader {seat}")


def ask_in_vain(board, command, us=1_000_000):
    """Run it against a board whose console takes nothing: what it types reaches the device and lies there for so much
    of the board's time, and the command still waits."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as asks:
        try:
            wait_for(lambda: board.call(board._count_untaken), "the device", f"what {command} types")
            wait_for_table(board, us)
            assert asks.poll() is None, asks.communicate()[0]
            assert board.call(board._count_untaken)
        finally:
            asks.kill()
