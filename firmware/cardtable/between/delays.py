"""Who has to wait (C11): kept by the player's name in delays.txt, so it follows the player's token to whatever seat."""

from cardtable.between.files import append_line, is_there, read_lines, rewrite

DELAYS_FILE = "delays.txt"  # `NAME: OPTION=SECONDS`, a line each


def read_delays() -> dict:
    """[option, seconds] by name. SetupError."""
    return read_lines(DELAYS_FILE, take_delays) if is_there(DELAYS_FILE) else {}


def take_delays(lines) -> dict:
    """The lines that are such; others are passed over."""
    found = {}
    for line in lines:
        name, _, said = line.partition(":")
        option, equals, seconds = said.strip().partition("=")
        if equals and line[0] != ";":
            found[name.strip()] = [option, seconds]
    return found


def keep_delay(name: str, option: str, seconds: str) -> None:
    """That player waits for so long from now on; "0": for none. OSError."""
    rewrite(DELAYS_FILE, lambda lines: [line for line in lines if line.partition(":")[0].strip() != name])
    if seconds != "0":
        append_line(DELAYS_FILE, "%s: %s=%s" % (name, option, seconds))
