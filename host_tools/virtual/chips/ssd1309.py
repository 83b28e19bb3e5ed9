"""An SSD1309 on an I2C bus with the usual 2.42 inch panel of 128 x 64 dots.

Written from what Solomon Systech's SSD1309 data sheet (rev. 1.1, July 2011) has otherwise than the SSD1306's, whose
model does the rest: no charge pump, because the module makes the panel's voltage, so 8Dh is no command; and a command
lock (FDh: 12h opens it, 16h closes it) that is open after a reset.
"""

from host_tools.virtual.chips.ssd1306 import Ssd1306

_UNLOCK = 0x12
_LOCK = 0x16


class Ssd1309(Ssd1306):
    """The chip with its module. It gets power when it is made, with what the RAM happens to hold."""

    # How many bytes follow a command that takes any: the command table, section 9.
    arguments = {key: count for key, count in Ssd1306.arguments.items() if key != 0x8D} | {0xFD: 1}

    def plug(self) -> None:
        """Power comes up: section 8.9, the reset values; the panel has its voltage."""
        super().plug()
        self._pump_wanted = True
        self._is_locked = False

    def _obey_long(self, command: int, given: list) -> None:
        """FDh: nothing but the lock itself is heard while it is closed."""
        if command == 0xFD:
            if given[0] not in (_UNLOCK, _LOCK):
                self.errors.append("FDh: no lock %02x" % given[0])
            self._is_locked = given[0] == _LOCK
        elif not self._is_locked:
            super()._obey_long(command, given)

    def _obey_address(self, value: int) -> bool:
        return self._is_locked or super()._obey_address(value)

    def _obey_switch(self, value: int) -> bool:
        return self._is_locked or super()._obey_switch(value)
