"""What is said of one player: a wait (C11), a turn time (T8).

It is kept by the name of the player's token in delays.txt, so it follows the token to whatever seat.
"""

from cardtable.between.files import append_line, is_there, read_lines, rewrite

DELAYS_FILE = "delays.txt"  # `NAME: OPTION=SECONDS ...`, a line each


def read_delays() -> dict:
    """By name: seconds by option. SetupError."""
    return read_lines(DELAYS_FILE, take_delays) if is_there(DELAYS_FILE) else {}


def take_delays(lines) -> dict:
    """The lines that are such; others are passed over."""
    found: dict = {}
    for line in lines:
        name, _, said = line.partition(":")
        for word in said.split():
            option, equals, seconds = word.partition("=")
            if equals and line[0] != ";":
                found.setdefault(name.strip(), {})[option] = seconds
    return found


def keep_delays(name: str, own: dict) -> None:
    """From now on that is said of the player: seconds by option; nothing if it is empty. OSError."""
    rewrite(DELAYS_FILE, lambda lines: [line for line in lines if line.partition(":")[0].strip() != name])
    if own:
        append_line(DELAYS_FILE, name + ": " + " ".join([option + "=" + own[option] for option in sorted(own)]))
