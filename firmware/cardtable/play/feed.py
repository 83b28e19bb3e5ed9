"""The public feed: a line an event on the USB serial line, with nothing in it that is secret (T6, T11).

It commits to each line that it hides: behind ` ~ ` stands a hash of the record's line that only the game's nonce can
make. The nonce comes with the result, and then anyone who kept the feed can check the record against it.
"""

from micropython import const

from cardtable.engine.event import NO_CARD, SHOWS_NOTHING, SHOWS_VERB, Event
from cardtable.engine.record import write_event, write_time
from cardtable.record.seal import NONCE, Signer, find_nonce

COMMITMENT = " ~ "
_COMMITTED = const(8)  # bytes


class Feed:
    """Lines like those of a record; a hidden card is `??`; of a refusal time, seat, rule and words."""

    def __init__(self, game, header, write) -> None:
        """header: of the game; a feed without a nonce in it commits to nothing. write: takes one line of text."""
        self.game = game
        self.header = header
        self.write = write
        self.nonce = find_nonce(header)
        self._signer = Signer(self.nonce)

    def begin(self) -> None:
        """Write the record's header, without the nonce, which would open the commitments."""
        for line in self.header.lines():
            if not line.startswith(NONCE + ":"):
                self.write(line)

    def commit(self, line: str) -> str:
        """A commitment to a line of the record, which reveals nothing before the nonce is told.

        It always has the same length, and no two lines of a record are equal, so nothing hidden shows in it.
        """
        if not self.nonce:
            return ""
        return COMMITMENT + self._signer.sign(line.encode())[:_COMMITTED].hex()

    def accepted(self, event: Event, shows: int) -> None:
        """Write an accepted event; shows: the game's answer on how much of it everybody may see."""
        if shows == SHOWS_NOTHING:
            return
        line = write_event(self.game, event, "", shows)
        if shows == SHOWS_VERB and event.card != NO_CARD:
            line += self.commit(write_event(self.game, event))
        self.write(line)

    def refused(self, event: Event, rule: str, words: str) -> None:
        """Write a refusal, without its card."""
        said = "%s %d ! %s %s" % (write_time(event.at_ms), event.seat, rule, words)
        self.write(said + self.commit(write_event(self.game, event, rule)))

    def end(self, result: str, digest: str) -> None:
        """Write the result and the nonce: the game has no secrets any more."""
        self.write("result: " + result)
        if self.nonce:
            self.write("digest: " + digest)
            self.write("%s: %s" % (NONCE, self.nonce.decode()))

    def say(self, text: str) -> None:
        """Write anything else that is public: a fault, a card that was turned up."""
        self.write(text)
