"""An SSD1309 on an I2C bus with the usual 2.42 inch panel of 128 x 64 dots.

Written from Solomon Systech's SSD1309 data sheet (rev. 1.1), whose sections are named: where it does as an SSD1306
does, that model does it. It has no charge pump: the module makes the panel's voltage, so 8Dh is no command; and a lock
(FDh, section 10.1.24) that is open after a reset.
"""

from host_tools.chips.ssd1306 import Ssd1306

_UNLOCK = 0x12
_LOCK = 0x16


class Ssd1309(Ssd1306):
    """The chip with its module. It gets power when it is made, with what the RAM happens to hold."""

    # How many bytes follow a command that takes any: section 9, table 9-1.
    arguments = {key: count for key, count in Ssd1306.arguments.items() if key != 0x8D} | {0xFD: 1}

    def plug(self) -> None:
        """Power comes up: section 8.9, the reset values; the panel has its voltage."""
        super().plug()
        self._pump_wanted = True
        self._is_locked = False

    def _obey_long(self, command: int, given: list) -> None:
        """10.1.24: nothing but the lock itself is heard while it is closed."""
        if command == 0xFD:
            if given[0] not in (_UNLOCK, _LOCK):
                self.errors.append("10.1.24: no lock %02x" % given[0])
            self._is_locked = given[0] == _LOCK
        elif not self._is_locked:
            super()._obey_long(command, given)

    def _obey_address(self, value: int) -> bool:
        return self._is_locked or super()._obey_address(value)

    def _obey_switch(self, value: int) -> bool:
        return self._is_locked or super()._obey_switch(value)
