"""The game's clock: whole milliseconds since its start, unbroken when the chip's tick counter wraps around."""

import time


class Clock:
    """now() has to be asked at least once in every 2^29 ms (six days), which the sweep does."""

    def __init__(self, start_ms: int = 0) -> None:
        self.go_on(start_ms)

    def go_on(self, start_ms: int) -> None:
        """Begin at `start_ms`: 0, or where a game goes on after a power cut (T9)."""
        self._game_ms = start_ms
        self._ticks = time.ticks_ms()

    def now(self) -> int:
        """Milliseconds since the start of the game."""
        ticks = time.ticks_ms()
        self._game_ms += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._game_ms

    def wait(self, until_ms: int) -> None:
        """Wait for the exact start of that millisecond; return at once if it is past.

        It looks at the clock for more than a ms, so a timer's work at the end ends the wait at one moment, whenever
        the wait began."""
        rest_ms = until_ms - self.now()
        if rest_ms > 2:
            time.sleep_ms(rest_ms - 2)
        while self.now() < until_ms:
            pass

    def at(self, ticks: int) -> int:
        """The game's time of a tick stamp of the chip, taken since the last `now` or shortly before."""
        return max(0, self._game_ms + time.ticks_diff(ticks, self._ticks))
