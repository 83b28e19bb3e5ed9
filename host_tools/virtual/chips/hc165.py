"""A chain of 74HC165 shift registers with contacts on its inputs.

Written from the 74HC165 data sheet (Nexperia, "Functional description" with its function table). Times are
absolute microseconds, handed in. Bit 0 is the one that comes out first: input D7 of the chip whose output Q7
is the chain's.
"""

CLOSED = 0
OPEN = 1


class Hc165Chain:
    """An input for each bit; a pull-up holds it high until a contact or a wire pulls it low.

    Chips are clocked at the rising edge with the clock enable low, and the output is sampled at that edge
    before it moves (SPI mode 0), so that the first bit read is what was loaded into bit 0.
    """

    def __init__(self, inputs: int) -> None:
        """`inputs` is a multiple of 8: eight to a chip."""
        if inputs <= 0 or inputs % 8:
            raise ValueError("a 74HC165 has eight inputs")
        self.inputs = inputs
        self.serial_in = 0  # DS of the last chip, tied to ground
        self._moves: dict[int, list[tuple[int, int]]] = {}  # of each contact: (from when, level), in the order of time
        self._ties: dict[int, int] = {}
        self._register = 0  # bit 0 of the chain is the highest
        self._load = False
        self._broken_after = inputs
        self._broken_level = 1
        # What stood at the inputs when they were last looked at, and when the next contact moves.
        self._levels = 0
        self._same_until_us = 0

    # What the chips' pins do.

    def latch_pin(self, level: int, now_us: int) -> None:
        """PL: low loads the inputs as long as it is low, whatever the clock does; high holds and shifts."""
        if self._load or not level:
            self._take(now_us)
        self._load = not level

    def exchange(self, mosi: bytes, now_us: int) -> bytes:
        """Clock as many bits as `mosi` has, which goes nowhere; returns the output, first bit uppermost."""
        count = 8 * len(mosi)
        if self._load:
            self._take(now_us)
            first = self._register >> self.inputs - 1
            return (b"\xff" if first else b"\x00") * len(mosi)
        following = self.serial_in if self._broken_after == self.inputs else self._broken_level
        shifted = self._register << count | ((1 << count) - 1) * following
        self._register = shifted & (1 << self.inputs) - 1
        return (shifted >> self.inputs).to_bytes(len(mosi), "big")

    # What hands and solder do.

    def tie(self, index: int, level: int) -> None:
        """Wire an input to a level for good, as the sentinel bits are; a stuck button too."""
        self._ties[index] = level
        self._same_until_us = 0

    def tie_last(self, count: int, levels: int) -> None:
        """Wire the last `count` inputs to the bits of `levels`, the highest first."""
        for bit in range(count):
            self.tie(self.inputs - 1 - bit, levels >> bit & 1)

    def untie(self, index: int) -> None:
        """Give the input back to its contact."""
        del self._ties[index]
        self._same_until_us = 0

    def press(self, index: int, now_us: int, bounce_us: tuple = ()) -> None:
        """Close a contact; at each time of `bounce_us` after that it changes again, an even number in all."""
        self._move(index, CLOSED, now_us, bounce_us)

    def release(self, index: int, now_us: int, bounce_us: tuple = ()) -> None:
        """Open a contact, bouncing as in `press`."""
        self._move(index, OPEN, now_us, bounce_us)

    def cut_after(self, bits: int, level: int = 1) -> None:
        """Break the wire behind so many inputs: the rest reads as `level`; behind all, it is whole."""
        self._broken_after = bits
        self._broken_level = level
        self._register = self._arriving(self._register)

    def level(self, index: int, now_us: int) -> int:
        """What stands at an input."""
        if index in self._ties:
            return self._ties[index]
        level = OPEN
        for from_us, changed in self._moves.get(index, ()):
            if from_us > now_us:
                break
            level = changed
        return level

    def _move(self, index: int, level: int, now_us: int, bounce_us: tuple) -> None:
        if len(bounce_us) % 2:
            raise ValueError("a contact that changes an odd number of times ends where it began")
        # What this contact was still to do afterwards is overruled.
        moves = [move for move in self._moves.get(index, ()) if move[0] < now_us]
        moves.append((now_us, level))
        for after_us in bounce_us:
            level = OPEN + CLOSED - level
            moves.append((now_us + after_us, level))
        self._moves[index] = moves
        self._same_until_us = 0

    def _take(self, now_us: int) -> None:
        if now_us >= self._same_until_us:
            self._look(now_us)
        self._register = self._arriving(self._levels)

    def _look(self, now_us: int) -> None:
        """What stands at the inputs now; what is over is forgotten."""
        levels = 0
        self._same_until_us = 1 << 62
        for index in range(self.inputs):
            level = self.level(index, now_us)
            levels = levels << 1 | level
            coming = [move for move in self._moves.get(index, ()) if move[0] > now_us]
            if coming:
                self._same_until_us = min(self._same_until_us, coming[0][0])
            if index in self._moves and index not in self._ties:
                self._moves[index] = [(now_us, level)] + coming
        self._levels = levels

    def _arriving(self, levels: int) -> int:
        """Of a register's bits what passes a cut: beyond it the open input reads one level."""
        beyond = (1 << self.inputs - self._broken_after) - 1
        return levels & ~beyond | beyond * self._broken_level
