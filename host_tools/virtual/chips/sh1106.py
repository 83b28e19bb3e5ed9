"""An SH1106 on an I2C bus with the usual 128 x 64 panel.

Written from Sino Wealth's SH1106 data sheet V2.3, whose commands have numbers: where it does as an SSD1306 does, that
model does it. It differs in its RAM of 132 columns, of which the panel shows the middle 128, in addressing by pages
only, in when the segments are re-mapped, and in its pump.
"""

from host_tools.virtual.chips.ssd1306 import Ssd1306

COLUMNS = 132
_HIDDEN = 2  # columns of the RAM on either side of the panel
_LAST = COLUMNS - 1


class Sh1106(Ssd1306):
    """The chip with its module. It gets power when it is made, with what the RAM happens to hold."""

    columns = COLUMNS
    # How many bytes follow a command that takes any: 5, 8, 10, 15 to 19.
    arguments = {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
    high_bits = 0x0F

    def plug(self) -> None:
        """Power comes up: the reset values of the commands; 10, the pump is on after a reset."""
        super().plug()
        self.contrast = 0x80
        self._pump_wanted = True

    def _column_at(self, x: int) -> int:
        """6: the map of the segments counts when the RAM is shown. Segment 129 is on the left of the panel."""
        segment = COLUMNS - 1 - _HIDDEN - x
        return _LAST - segment if self.segment_remap else segment

    def _store(self, value: int) -> None:
        """The column address counts up and stays at the last one."""
        if self._column > _LAST:
            self.errors.append("2: column %d" % self._column)
            return
        self._ram[self._page * COLUMNS + self._column] = value
        self._column = min(self._column + 1, _LAST)

    def _obey_switch(self, value: int) -> bool:
        """3: the pump's voltage; 14: read-modify-write; 2Eh and 2Fh are no commands here."""
        if 0x30 <= value < 0x34 or value in (0xE0, 0xEE):
            return True
        return value not in (0x2E, 0x2F) and super()._obey_switch(value)

    def _obey_long(self, command: int, given: list) -> None:
        if command == 0xAD:
            # 10: the pump is switched while the display is off.
            if self.display_on:
                self.errors.append("10: the pump switched while the display is on")
            if given[0] & 0xFE != 0x8A:
                self.errors.append("10: no pump mode %02x" % given[0])
            self._pump_wanted = bool(given[0] & 0x01)
        else:
            super()._obey_long(command, given)
