"""Makes the table's sounds from its lights alone, so that a sound reveals nothing that the lights hide."""

from cardtable.table.lights import ACCEPTED, CHOOSING, COUNTING, FAULT, FILLING, MAY, OFF, REFUSED, WAITED_FOR

# Hertz and milliseconds in turn; 0 is a rest. They differ in rhythm and pitch, the more urgent ones are longer. A piezo
# disc is loud from 1 to 4 kHz and nearly mute below (host_tools/virtual/chips/piezo.py).
TURN = (2000, 50)
YES = (3000, 70)
NO = (1300, 120, 0, 60, 1300, 120)
BROKEN = (1000, 250, 0, 100, 1000, 250, 0, 100, 1000, 250)
# Of several at once the last of these is heard, and none gives way to one before it.
_TUNES = ((), TURN, YES, NO, BROKEN)
_RANKS = {ACCEPTED: 2, REFUSED: 3, FAULT: 4}


class Sounds:
    """Plays a tune when a light begins to say something. Call `follow` often; it never waits."""

    def __init__(self, buzzer, count: int) -> None:
        """buzzer: a driver with tone(hertz); count: of the lights."""
        self.buzzer = buzzer
        self._meant = bytearray(count)
        self._waited = bytearray(count)  # whether the place was waited for when its light last said so
        self._rank = 0
        self._tune: tuple = ()
        self._at = 0
        self._until_ms = 0

    def follow(self, means: bytearray, now_ms: int) -> None:
        """Play for the lights as they are at that time."""
        if not self._rank and means == self._meant:
            return
        rank = 0
        for place in range(len(means)):
            meaning = means[place]
            if meaning != self._meant[place]:
                self._meant[place] = meaning
                rank = max(rank, _RANKS.get(meaning, 0))
            # A verdict covers for a moment whether the table waits for the place.
            if meaning in (WAITED_FOR, FILLING, COUNTING):
                if not self._waited[place]:
                    rank = max(rank, 1)
                self._waited[place] = 1
            elif meaning in (OFF, CHOOSING, MAY):
                self._waited[place] = 0
        if rank and rank >= self._rank:
            self._rank = rank
            self._tune = _TUNES[rank]
            self._at = 0
            self._until_ms = now_ms
        if self._rank and not 0 < self._until_ms - now_ms < 999:  # a panel's ticks turn round
            self.go_on(now_ms)

    def go_on(self, now_ms: int) -> None:
        """Play the next tone of the tune, or end it."""
        if self._at == len(self._tune):
            self._rank = 0
            self.buzzer.tone(0)
            return
        self.buzzer.tone(self._tune[self._at])
        self._until_ms = now_ms + self._tune[self._at + 1]
        self._at += 2
