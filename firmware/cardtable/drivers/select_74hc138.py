"""Chip selects through a 74HC138: each output is used like a pin.

Each output stands where a pin would: low selects. The address is set while the decoder is off, so that no other output
has a glitch, and only when it is another one than last time: a frame then costs what it costs with a pin of its own.
"""


class Select:
    """The decoder: `address` are its pins A0, A1, A2, `enable` the pin at an inverted enable input, all outputs."""

    def __init__(self, address: list, enable) -> None:
        enable.value(1)
        self._address = address
        self._enable = enable.value
        self._stands_at = -1

    def output(self, number: int) -> "Output":
        """Y0 to Y7."""
        assert 0 <= number < 1 << len(self._address)
        return Output(self, number)

    def choose(self, number: int) -> None:
        """Pull that output low, and no other."""
        if number != self._stands_at:
            self._enable(1)
            rest = number
            for pin in self._address:
                pin.value(rest & 1)
                rest >>= 1
            self._stands_at = number
        self._enable(0)

    def release(self) -> None:
        """All outputs high."""
        self._enable(1)


class Output:
    """One output, to be used as a pin."""

    def __init__(self, select: Select, number: int) -> None:
        self._select = select
        self._number = number

    def value(self, level: int) -> None:
        """0 selects."""
        if level:
            self._select.release()
        else:
            self._select.choose(self._number)
