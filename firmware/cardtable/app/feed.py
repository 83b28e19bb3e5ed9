"""The public feed: a line an event on the USB serial line, with nothing in it that is secret (T6, T11)."""

from cardtable.engine.event import NO_CARD, Event
from cardtable.engine.record import write_event, write_time
from cardtable.engine.verdict import rule_id


class Feed:
    """Lines like those of a record; a hidden card is `??`; of a refusal only time, seat and rule."""

    def __init__(self, game, write):
        """write: takes one line of text."""
        self.game = game
        self.write = write

    def accepted(self, event: Event, shows: int):
        """An accepted event; shows: what the game says that everybody may see of it."""
        if shows == 0:
            return
        line = write_event(self.game, event)
        if shows == 1 and event.card != NO_CARD:
            words = line.split(" ")
            words[3] = "??"
            line = " ".join(words)
        self.write(line)

    def refused(self, event: Event, verdict: int, shows: int):
        """A refusal: time, seat and rule, never the card."""
        if shows:
            self.write("%s %d ! %s" % (write_time(event.at_ms), event.seat, rule_id(self.game, verdict)))

    def say(self, text: str):
        """Anything else that is public: a fault, the result."""
        self.write(text)
