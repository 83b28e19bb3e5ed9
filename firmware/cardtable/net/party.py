"""The table's end of the network: what the main loop steps between two games, if network.txt is there.

A game begins with a reset, and nothing of this room is in memory during one. What it sends are records of finished
games, that the table is here and which of its readers weaken; what it takes are receipts, and orders, which the lobby
proposes.
"""

import time

from cardtable.between.files import tell
from cardtable.engine.record import SetupError
from cardtable.net import orders
from cardtable.net.link import Link
from cardtable.net.offers import Offers
from cardtable.net.settings import Settings, read_settings
from cardtable.net.topics import write_weak
from cardtable.table.running import LOBBY
from cardtable.table.words import Words

NEWS_LIMIT = 160  # characters of a line for the feed


def open_party(parts):
    """The Party of this table, or None: its file is wrong, and feed and screen say why."""
    from cardtable.between import weak  # here, so that it goes again

    try:
        return Party(parts, read_settings(), write_weak(weak.read(len(parts.readers.chips))))
    except SetupError as wrong:
        parts.say("network: %s" % wrong)
        parts.table.tell_network(tell(parts.words, wrong))
    return None


def printable(text: str) -> str:
    """What of a text may stand in a line of the feed."""
    return "".join([letter for letter in text[:NEWS_LIMIT] if " " <= letter < "\x7f" or letter >= "\xa0"])


class Party:
    """What goes on between the network and the panel that runs."""

    def __init__(self, parts, settings: Settings, weak: str) -> None:
        """parts: table, readers, language and say(text); weak: what the state says of readers."""
        self.parts = parts
        self.words = Words("net", parts.language)
        self.offers = Offers(settings.event, settings.table, on_news=self.say)
        self.link = Link(settings, self.offers, self.say, weak)
        self._shown = ""
        self._told = None  # the panel that was told so

    def say(self, text: str) -> None:
        """News for the feed: one line of it, whatever came over the network."""
        self.parts.say("network: " + printable(text))

    def step(self) -> None:
        """Go on a little: never while a game goes on."""
        table = self.parts.table
        if not table.rests():
            return
        self.link.step(time.ticks_ms())
        if self.offers.order and table.takes_order():
            self.propose(table)
        self.show(table)

    def propose(self, table) -> None:
        """The lobby opens again with what the director wants played, if it is not the order that it has proposed."""
        number, setup = self.offers.order
        self.offers.order = ()
        try:
            if orders.was_proposed(number):
                return
            orders.propose(number, setup, len(self.parts.readers.chips))
        except Exception as wrong:  # whatever was ordered, a table goes on
            self.say("order %s: %s" % (number, wrong))
            return
        self.say("order %s: OK plays it" % number)
        table.wants = LOBBY

    def show(self, table) -> None:
        """How the network stands, in a line of the lobby."""
        key = self.find_state()
        if key != self._shown or table is not self._told:
            self._shown = key
            self._told = table
            key, _, count = key.partition(" ")
            table.tell_network(self.words.find(key).replace("#", count))

    def find_state(self) -> str:
        """The key of the words, and a count."""
        if not self.link.is_up():
            return "N.broker" if self.link.has_wifi else "N.wifi"
        if self.offers.name:
            return "N.send %d" % self.offers.count()
        return "N.refused %d" % self.offers.refused if self.offers.refused else "N.sent"

    def leave(self, plays: bool) -> None:
        """Say goodbye before the chip is reset. plays: a game begins."""
        self.link.leave(plays)
