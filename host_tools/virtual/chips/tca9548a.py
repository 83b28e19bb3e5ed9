"""An I2C switch TCA9548A: one control byte opens its eight channels.

Written from Texas Instruments' data sheet SCPS207: one control register, a bit for each of eight channels (8.6.2), zero
after power-up (8.3.2). What is sent to another address passes to every channel whose bit is set.
"""

CHANNELS = 8


class Tca9548a:
    """The switch; `channels[number]` maps addresses to chips with `write` and `read`."""

    def __init__(self, address: int = 0x70) -> None:
        self.address = address
        self.channels: list[dict[int, object]] = [{} for _ in range(CHANNELS)]
        self.plug()

    def plug(self) -> None:
        """Power comes up."""
        self.powered = True
        self._control = 0

    def unplug(self) -> None:
        """Power is gone: nothing acknowledges, and no channel is connected."""
        self.powered = False
        self._control = 0

    def write(self, data: bytes, now_us: int = 0) -> bool:
        """8.6.2: of several bytes the last one stays; True where the chip acknowledged."""
        if not self.powered:
            return False
        if data:
            self._control = data[-1]
        return True

    def read(self, size: int, now_us: int = 0) -> "bytes | None":
        """The control register; None without power."""
        return bytes([self._control]) * size if self.powered else None

    def at(self, address: int) -> list:
        """The chips of that address on the channels that are connected."""
        open_ones = [chips for number, chips in enumerate(self.channels) if self._control >> number & 1]
        return [chips[address] for chips in open_ones if address in chips]
