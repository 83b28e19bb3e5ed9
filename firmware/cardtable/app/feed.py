"""The public feed: a line an event on the USB serial line, with nothing in it that is secret (T6, T11)."""

from cardtable.engine.event import NO_CARD, Event
from cardtable.engine.record import write_event, write_time


class Feed:
    """Lines like those of a record; a hidden card is `??`; of a refusal time, seat, rule and words."""

    def __init__(self, game, write) -> None:
        """write: takes one line of text."""
        self.game = game
        self.write = write

    def accepted(self, event: Event, shows: int) -> None:
        """An accepted event; shows: what the game says that everybody may see of it."""
        if shows == 0:
            return
        line = write_event(self.game, event)
        if shows == 1 and event.card != NO_CARD:
            words = line.split(" ")
            words[3] = "??"
            line = " ".join(words)
        self.write(line)

    def refused(self, event: Event, rule: str, words: str) -> None:
        """A refusal: never the card."""
        self.write("%s %d ! %s %s" % (write_time(event.at_ms), event.seat, rule, words))

    def say(self, text: str) -> None:
        """Anything else that is public: a fault, the result."""
        self.write(text)
