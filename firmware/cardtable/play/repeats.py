"""Tells a refusal that a seat only repeats from a new one (T6).

The same refused event of the same seat, with nothing accepted in between and no pause of QUIET_MS, is one refusal: it
is recorded once, and how often it came again is a comment in the record.
"""

from cardtable.engine.event import Event, unpack, verb_name
from cardtable.engine.record import write_arguments

QUIET_MS = 1500


class Repeats:
    """For each seat its last refused event, as engine.event packs it, and how often it came again."""

    def __init__(self, game) -> None:
        """game: for the names of verbs."""
        self.game = game
        self._packed = [0] * 8  # 0: none
        self._at_ms = [0] * 8
        self._count = [0] * 8

    def take_repeat(self, event, packed: int) -> bool:
        """Count this refusal if it is the seat's last one again; False if it is a new one."""
        seat = event.seat
        if self._packed[seat] != packed or event.at_ms - self._at_ms[seat] >= QUIET_MS:
            return False
        self._at_ms[seat] = event.at_ms
        self._count[seat] += 1
        return True

    def begin(self, event, packed: int) -> str:
        """Begin with a new refusal; the comment on the seat's last one, or an empty text."""
        comment = self.end(event.seat)
        self._packed[event.seat] = packed
        self._at_ms[event.seat] = event.at_ms
        return comment

    def end(self, seat: int) -> str:
        """End the seat's repetition; the comment on it, or an empty text."""
        count = self._count[seat]
        packed = self._packed[seat]
        self._count[seat] = 0
        self._packed[seat] = 0
        if not count:
            return ""
        event = unpack(packed, seat, 0, Event())
        words = ["; %d more of: %d" % (count, seat), verb_name(self.game, event.verb)]
        return " ".join(words + write_arguments(self.game, event))

    def end_quiet(self, now_ms: int) -> str:
        """End a repetition that is over; its comment, or an empty text."""
        for seat in range(8):
            if self._count[seat] and now_ms - self._at_ms[seat] >= QUIET_MS:
                return self.end(seat)
        return ""

    def end_all(self) -> list:
        """End all repetitions, because an event was accepted; the comments, if any."""
        comments = []
        for seat in range(8):
            comment = self.end(seat)
            if comment:
                comments.append(comment)
        return comments
