"""The four buttons of each place: how they are numbered in the chain, what they are called, how long one is held."""

from micropython import const

from cardtable.engine.event import MENU_KEY

KEYS = ("OK", "NO", "CALL", "MENU")  # by OK_KEY and so on
ALL_KEYS = const(15)  # a bit for each button of a place
BUTTONS = const(28)  # of seven places; what lies behind them in the chain belongs to no place
HOLD_MS = 600  # how long MENU is held before it repeats
REPEAT_MS = 300


def place_of(index: int) -> int:
    """The place that the button of that number belongs to, 1..7."""
    return index // 4 + 1


def key_of(index: int) -> int:
    """Which of the four it is."""
    return index % 4


def button_at(place: int, key: int) -> int:
    """The number of that button in the chain."""
    return 4 * (place - 1) + key


def keys_of(mask: int, place: int) -> int:
    """The bits of the four buttons of that place in a mask of all."""
    return mask >> button_at(place, 0) & ALL_KEYS


def menu_at(place: int) -> int:
    """The number of the MENU button of that place."""
    return button_at(place, MENU_KEY)


def name_button(index: int) -> tuple:
    """(`CALL`, its place), for words."""
    return KEYS[key_of(index)], place_of(index)
