"""Text on an SH1106 over I2C.

"Data sheet" is Sino Wealth's SH1106 V2.3. It takes what an SSD1306 takes but for three things: its RAM has 132 columns,
of which the usual panels show the middle 128; it knows page addressing only; and its pump is another one.
"""

from micropython import const

from cardtable.drivers.screen_ssd1306 import Screen as Ssd1306

_FIRST_COLUMN = const(2)
_COMMANDS = const(0x00)
_CONTRAST = const(0x8F)


# 22, no operation: a reset can come between a command's two bytes. 11: off until the RAM is written. 10: the pump is
# switched while the display is off; after a reset it is on.
_QUIET = bytes((_COMMANDS, 0xE3, 0xAE, 0xAD, 0x8B))


def _setup(height: int) -> bytes:
    """Every register the picture hangs on; a display that is on shows no change."""
    return bytes((
        _COMMANDS,
        0xEE,                                       # 21: no read-modify-write
        0xA8, height - 1, 0xD3, 0, 0x40,            # 8, 15, 4: all rows, from the top
        0xA1, 0xC8,                                 # 6, 13: upright, the connector at the top
        0xDA, 0x12 if height == 64 else 0x02,       # 18: how the two usual panels are wired
        0xD5, 0x50, 0xD9, 0x22, 0xDB, 0x35,         # 16, 17, 19: clock, charging and level of the reset
        0x81, _CONTRAST, 0xA4, 0xA6,                # 5, 7, 9: what is 1 in RAM shines
        0x32,                                       # 3: pump at 8 V
    ))


class Screen(Ssd1306):
    """Rows of text, with the calls of the SSD1306's driver."""

    def __init__(self, i2c, address: int, width: int, height: int) -> None:
        super().__init__(i2c, address, width, height)
        self._quiet = _QUIET
        self._setup = _setup(height)
        self._message[3] = _FIRST_COLUMN  # commands 1 and 2: the column that the row begins at
