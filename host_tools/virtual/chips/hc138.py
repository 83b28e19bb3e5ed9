"""A 74HC138 decoder: its three inputs select one of eight outputs.

Written from the 74HC138 data sheet (Nexperia, function table): while it is enabled the output whose number stands at
A2, A1, A0 is low, and all others are high. Of its three enable inputs two are wired to their active levels.
"""

OUTPUTS = 8


class Hc138:
    """`listeners[output]` are called with (level, now_us) when that output changes. Inputs begin low, disabled."""

    def __init__(self) -> None:
        self.listeners: list[list] = [[] for _ in range(OUTPUTS)]
        self._address = 0
        self._enabled = False
        self._low = -1

    def address_pin(self, bit: int):
        """What is called with (level, now_us) when address input A`bit` changes."""
        def level_changes(level: int, now_us: int) -> None:
            self._address = self._address & ~(1 << bit) | level << bit
            self._decode(now_us)

        return level_changes

    def enable_pin(self, level: int, now_us: int) -> None:
        """One of the two inverted enable inputs: low enables."""
        self._enabled = not level
        self._decode(now_us)

    def _decode(self, now_us: int) -> None:
        low = self._address if self._enabled else -1
        if low == self._low:
            return
        before, self._low = self._low, low
        for output, level in ((before, 1), (low, 0)):
            if output >= 0:
                for listener in self.listeners[output]:
                    listener(level, now_us)
