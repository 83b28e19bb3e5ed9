"""The four buttons of each place: how they are numbered in the chain, what they are called, how long one is held."""

from micropython import const

KEYS = ("OK", "NO", "CALL", "MENU")  # by OK_KEY and so on
ALL_KEYS = const(15)  # a bit for each button of a place
BUTTONS = const(28)  # of seven places; what lies behind them in the chain belongs to no place
HOLD_MS = 600  # how long MENU is held before it repeats
REPEAT_MS = 300


def button_at(place: int, key: int) -> int:
    """The number in the chain of that button of that place, 1..7."""
    return 4 * (place - 1) + key


def place_of(index: int) -> int:
    """The place that the button of that number belongs to."""
    return index // 4 + 1


def key_of(index: int) -> int:
    """Which of the four it is."""
    return index % 4
