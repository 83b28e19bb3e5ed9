"""A chain of 74HC165 shift registers with contacts on its inputs; knows neither its reader nor what they mean.

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
        self._contacts = [[] for _ in range(inputs)]  # (from when, level), in the order of time
        self._ties = {}
        self._register = [0] * inputs
        self._load = False
        self._broken_after = inputs
        self._broken_level = 1

    # What the chips' pins do.

    def latch(self, level: int, now_us: int) -> None:
        """PL: low loads the inputs as long as it is low, whatever the clock does; high holds and shifts."""
        if self._load or not level:
            self._take(now_us)
        self._load = not level

    def exchange(self, mosi: bytes, now_us: int) -> bytes:
        """Clock as many bits as `mosi` has, which goes nowhere; returns the output, the first bit uppermost."""
        miso = bytearray(len(mosi))
        for bit in range(8 * len(mosi)):
            if self._load:
                self._take(now_us)
            if self._register[0]:
                miso[bit // 8] |= 0x80 >> bit % 8
            if not self._load:
                self._shift()
        return bytes(miso)

    # What hands and solder do.

    def tie(self, index: int, level: int) -> None:
        """Wire an input to a level for good, as the sentinel bits are; a stuck button too."""
        self._ties[index] = level

    def untie(self, index: int) -> None:
        """Give the input back to its contact."""
        del self._ties[index]

    def press(self, index: int, now_us: int, bounce_us: tuple = ()) -> None:
        """Close a contact; at each time of `bounce_us` after that it changes again, an even number in all."""
        self._move(index, CLOSED, now_us, bounce_us)

    def release(self, index: int, now_us: int, bounce_us: tuple = ()) -> None:
        """Open a contact, bouncing as in `press`."""
        self._move(index, OPEN, now_us, bounce_us)

    def cut_after(self, bits: int, level: int = 1) -> None:
        """Break the wire behind so many inputs: what lies beyond reads as `level`; behind all: it is whole."""
        self._broken_after = bits
        self._broken_level = level

    def level(self, index: int, now_us: int) -> int:
        """What stands at an input."""
        if index in self._ties:
            return self._ties[index]
        level = OPEN
        for from_us, changed in self._contacts[index]:
            if from_us > now_us:
                break
            level = changed
        return level

    def _move(self, index: int, level: int, now_us: int, bounce_us: tuple) -> None:
        if len(bounce_us) % 2:
            raise ValueError("a contact that changes an odd number of times ends where it began")
        # What lies wholly in the past is one level; what was to come after now is overruled.
        moves = [(now_us - 1, self._contact(index, now_us)), (now_us, level)]
        for after_us in bounce_us:
            level = OPEN + CLOSED - level
            moves.append((now_us + after_us, level))
        self._contacts[index] = moves

    def _contact(self, index: int, now_us: int) -> int:
        """The contact itself, whatever it is wired to."""
        level = OPEN
        for from_us, changed in self._contacts[index]:
            if from_us < now_us:
                level = changed
        return level

    def _take(self, now_us: int) -> None:
        for index in range(self.inputs):
            self._register[index] = self.level(index, now_us)
        self._break()

    def _shift(self) -> None:
        del self._register[0]
        self._register.append(self.serial_in)
        self._break()

    def _break(self) -> None:
        """Beyond a cut nothing of the chips behind it arrives: the open input there reads one level."""
        for index in range(self._broken_after, self.inputs):
            self._register[index] = self._broken_level
