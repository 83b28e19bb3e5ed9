"""Eight branches of an I2C bus behind a TCA9548A: each is used like a bus.

"Datasheet" is Texas Instruments' SCPS207. A branch has the calls of the bus that the drivers use. Chips with the same
address sit on different branches; one is open at a time.
"""

from micropython import const

_UNKNOWN = const(-1)


class Switch:
    """The chip at `address` of `i2c`."""

    def __init__(self, i2c, address: int) -> None:
        self._i2c = i2c
        self._address = address
        self._open = _UNKNOWN
        self._control = bytearray(1)

    def branch(self, channel: int) -> "Branch":
        """The bus behind channel 0 to 7."""
        assert 0 <= channel < 8
        return Branch(self, channel)

    def write(self, channel: int, address: int, message: "bytes | bytearray") -> None:
        """Send to a chip on a branch. OSError where one of the two does not answer."""
        try:
            if channel != self._open:
                self._open = _UNKNOWN
                self._control[0] = 1 << channel  # datasheet 8.6.2: a bit for each channel
                self._i2c.writeto(self._address, self._control)
                self._open = channel
            self._i2c.writeto(address, message)
        except OSError:
            # A switch that was without power for a moment has no channel selected (datasheet 8.3.2): tell it again.
            self._open = _UNKNOWN
            raise


class Branch:
    """One branch, to be used as an I2C bus."""

    def __init__(self, switch: Switch, channel: int) -> None:
        self._switch = switch
        self._channel = channel

    def writeto(self, address: int, message: "bytes | bytearray") -> None:
        """Send to a chip on this branch. OSError if it does not answer."""
        self._switch.write(self._channel, address, message)
