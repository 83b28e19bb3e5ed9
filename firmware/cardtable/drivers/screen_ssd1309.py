"""Text on an SSD1309 over I2C: the 2.42 inch screen that a whole table reads.

"Data sheet" is Solomon Systech's SSD1309, rev. 1.1 of July 2011; its section 9 lists the commands. It takes what an
SSD1306 takes but for two things: its module makes the panel's voltage, so there is no pump (8Dh) to switch; and it has
a command lock (FDh: 12h opens it, 16h closes it), which disturbed bytes may have closed. Section numbers below are
those of the SSD1306's data sheet, rev. 1.1, where both chips have the command. The lock's values, and the clock,
charging and level that suit the panel, are those of the panel maker's start-up code (Univision, 2.42 inch, 128 x 64),
as public drivers repeat it.
"""

from micropython import const

from cardtable.drivers.screen_ssd1306 import Screen as Ssd1306

_COMMANDS = const(0x00)
_CONTRAST = const(0x8F)

# 10.1.20: no operation, for up to six bytes that a command still waits for. FDh: unlocked. 10.1.12: off until the
# RAM is written.
_QUIET = bytes((_COMMANDS, 0xE3, 0xE3, 0xE3, 0xE3, 0xE3, 0xE3, 0xFD, 0x12, 0xAE))


def _setup(height: int) -> bytes:
    """Every register the picture hangs on; a display that is on shows no change."""
    return bytes((
        _COMMANDS,
        0xFD, 0x12,                                 # FDh, Set Command Lock: unlocked
        0x2E,                                       # 10.2.3: no scrolling
        0x20, 0x02,                                 # 10.1.3: page addressing
        0xA8, height - 1, 0xD3, 0, 0x40,            # 10.1.11, 10.1.15, 10.1.6: all rows, from the top
        0xA1, 0xC8,                                 # 10.1.8, 10.1.14: upright, the connector at the top
        0xDA, 0x12,                                 # 10.1.18: how the panel is wired
        0xD5, 0xA0, 0xD9, 0x82, 0xDB, 0x34,         # 10.1.16, 10.1.17, 10.1.19: clock, charging, level
        0x81, _CONTRAST, 0xA4, 0xA6,                # 10.1.7, 10.1.9, 10.1.10: what is 1 in RAM shines
    ))


class Screen(Ssd1306):
    """Rows of text, with the calls of the SSD1306's driver."""

    def __init__(self, i2c, address: int, width: int, height: int) -> None:
        super().__init__(i2c, address, width, height)
        self._quiet = _QUIET
        self._setup = _setup(height)
