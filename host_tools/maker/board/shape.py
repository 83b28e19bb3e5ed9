"""Checks that a board has its constants, with the keys and numbers that they need."""

from typing import Any

_Kind = type | tuple[type]  # a tuple: of any number of these
_PIN = ("a pin's number", int)
_NUMBER = ("a number", int)
_NAME = ("a name", str)
# Of each constant: its keys, and of what kind each is. A key with ? may be missing.
_Keys = dict[str, tuple[str, _Kind]]
_DICTS: dict[str, _Keys] = {
    "BUTTONS": {"spi": _NAME, "latch": _PIN, "chips": _NUMBER, "sentinel": _NUMBER},
    "LIGHTS": {"pin": _PIN, "count": _NUMBER},
    "SCREEN": {
        "chip": _NAME, "i2c": _NAME, "address": _NUMBER, "width": _NUMBER, "height": _NUMBER,
        "switch?": ("a dict", dict), "large?": _NUMBER,
    },
    "SELECT?": {"chip": _NAME, "address": ("pins", (int,)), "enable": _PIN},
    "BUZZER?": {"pin": _PIN},
    "WATCHDOG?": {"timeout_ms": _NUMBER},
}
_SPI: _Keys = {"id": _NUMBER, "sck": _PIN, "mosi": _PIN, "miso": _PIN, "baudrate": _NUMBER, "buffer?": _NAME}
_I2C: _Keys = {"id": _NUMBER, "scl": _PIN, "sda": _PIN, "freq": _NUMBER}
_READER: _Keys = {"chip": _NAME, "spi": _NAME, "select?": _PIN, "output?": _NUMBER, "gain?": _NUMBER}
_SWITCH: _Keys = {"chip": _NAME, "address": _NUMBER, "channels": ("channels", (int,))}
MOST_COMPUTING = 20
_CONSTANTS: dict[str, type] = {
    "NAME": str, "TITLE": str, "MODULE": str, "SEATS": int, "SPI": dict, "I2C": dict, "READERS": tuple,
    "READER_RESET": int,
}
_KNOWN = {*_CONSTANTS, *(name.rstrip("?") for name in _DICTS), "WIFI", "COMPUTING"}


def check_shape(board: Any) -> list[str]:
    """A sentence for each thing that is missing or of another kind; nothing else can be asked before this is empty."""
    found = _check_constants(board)
    for name, keys in _DICTS.items():
        plain = name.rstrip("?")
        value = getattr(board, plain, None)
        if value is None:
            if plain == name:
                found.append(f"{name} is missing")
            continue
        found += _check_keys(plain, value, keys)
    if getattr(board, "WIFI", True) is not True:
        found.append("WIFI is True, or is left out")
    computing = getattr(board, "COMPUTING", 1)
    if not (_is_a(computing, int) or _is_a(computing, float)) or not 0 < computing <= MOST_COMPUTING:
        found.append(f"COMPUTING says how many times as long the chip computes, up to {MOST_COMPUTING}, or is left out")
    if found:
        return found
    for name, wiring in board.SPI.items():
        found += _check_keys(f"SPI {name}", wiring, _SPI)
    for name, wiring in board.I2C.items():
        found += _check_keys(f"I2C {name}", wiring, _I2C)
    for seat, reader in enumerate(board.READERS, 1):
        found += _check_keys(f"the reader of seat {seat}", reader, _READER)
    if "switch" in board.SCREEN:
        found += _check_keys("the switch of SCREEN", board.SCREEN["switch"], _SWITCH)
    return found


def _check_constants(board: Any) -> list[str]:
    """Those that every board has are there, and there are no others: a misspelt name is a part that is left out."""
    found = []
    for name, kind in _CONSTANTS.items():
        if not hasattr(board, name):
            found.append(f"{name} is missing")
        elif not _is_a(getattr(board, name), kind):
            found.append(f"{name} is no {kind.__name__}")
    return found + [f"nobody reads {name}: a board has {', '.join(sorted(_KNOWN))}"
                    for name in vars(board) if name.isupper() and name[0] != "_" and name not in _KNOWN]


def _is_a(value: Any, kind: _Kind) -> bool:
    if isinstance(kind, tuple):
        return isinstance(value, tuple) and all(_is_a(one, kind[0]) for one in value)
    return isinstance(value, kind) and not isinstance(value, bool)


def _check_keys(where: str, value: Any, keys: _Keys) -> list[str]:
    if not isinstance(value, dict):
        return [f"{where} is no dict"]
    found = []
    known = {key.rstrip("?") for key in keys}
    for key, (what, kind) in keys.items():
        plain = key.rstrip("?")
        if plain not in value:
            if plain == key:
                found.append(f"{where} has no {key}")
        elif not _is_a(value[plain], kind):
            found.append(f"{where}: {plain} is {value[plain]!r}, not {what}")
    return found + [f"{where} has a {key}, which nobody reads" for key in value if key not in known]
