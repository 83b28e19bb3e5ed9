"""Bytes that go wrong on a wire: how often, by the clock that they are sent at."""

import random

_NEVER = 1 << 62


class WrongBytes:
    """One bit of some bytes is wrong. `by_clock` has (slowest clock in Hz: probability that a byte goes wrong); the
    fastest entry that a clock reaches counts, and below the first nothing goes wrong.

    The way to the next wrong byte is drawn, not each byte: `left` bytes are right before it comes.
    """

    def __init__(self, by_clock: dict[int, float], rng: random.Random, baudrate: int = 1_000_000) -> None:
        if any(not 0 <= rate < 1 for rate in by_clock.values()):
            raise ValueError(f"a probability lies from 0 up to, but without, 1: {by_clock}")
        self.by_clock = dict(by_clock)
        self.rng = rng
        self.left = _NEVER
        self.came = 0
        self.rate = -1.0
        self.set_clock(baudrate)

    def set_clock(self, baudrate: int) -> None:
        """From now on bytes are sent at so many bits a second."""
        reached = [clock for clock in self.by_clock if clock <= baudrate]
        rate = self.by_clock[max(reached)] if reached else 0.0
        if rate != self.rate:
            self.rate = rate
            self._draw()

    def _draw(self) -> None:
        # Geometric, by an exponential distance: the mean is 1 / rate.
        self.left = int(self.rng.expovariate(self.rate)) if self.rate else _NEVER

    def ruin(self, wire: bytes) -> bytes:
        """The bytes as they arrive."""
        if self.left >= len(wire):
            self.left -= len(wire)
            return wire
        arrived = bytearray(wire)
        at = 0
        while self.left < len(wire) - at:
            at += self.left
            arrived[at] ^= 1 << self.rng.randrange(8)
            self.came += 1
            at += 1
            self._draw()
        self.left -= len(wire) - at
        return bytes(arrived)
