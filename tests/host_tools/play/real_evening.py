"""People with real cards, for tests: a deck of tags, and what they would do next at a table."""

from cardtable.between.enrol import deck_cards
from cardtable.engine.deck import card_name
from cardtable.engine.event import AGREE, NO_CARD, Event, pack, unpack, verb_arguments
from host_tools.minds.players import find_player
from host_tools.sight.seen import look


def uid_of(card):
    """The number of a real card's tag."""
    return bytes([0x04, 0x33, card, 0xA1, 0xB2, 0xC3, 0x80])


def write_deck(table, size=36):
    """A deck that was registered earlier, on a flash that no table uses yet."""
    lines = [f"; {size} cards"] + [f"{uid_of(card).hex().upper()} {card_name(card)}" for card in deck_cards(size)]
    (table / "deck.txt").write_text("\n".join(lines) + "\n")


class Evening:
    """What the people at a RealTable do next: `next()` gives (seat, [deeds]); a deed is ("tap", card) or ("press",
    key)."""

    def __init__(self, table, seed=1):
        self.table, self.seed = table, seed
        self.stock = []
        self.players = {}

    def draw(self, seat, verb):
        """The next card of the shuffled stock that may come there."""
        table = self.table
        return table.cards.next_card(seat, verb, table.now_ms)

    def next(self):
        """None while nobody has anything to do."""
        table = self.table
        session, game = table.session, table.game
        if session is None or table.cards is None or session.is_over():
            return None
        for seat in range(1, len(table.header.seats) + 1):
            verb = game.CHANCE.get(table.waits[seat], 0)
            card = self.draw(seat, verb) if verb else None
            if card is not None:
                return seat, [("tap", card)]
        lead = table.lead_seat()
        if lead:
            return lead, [("press", "OK")]
        for seat in range(1, len(table.header.seats) + 1):
            packed = self.choose(seat)
            if packed is not None:
                return seat, self.deeds(unpack(packed, seat, table.now_ms, Event()))
        return None

    def choose(self, seat):
        """What a virtual player would do in that seat, at once."""
        table = self.table
        if not table.session.judge(Event(seat, AGREE, NO_CARD, 0, table.now_ms)):
            return pack(AGREE)
        if not table.waits[seat]:
            return None
        if seat not in self.players:
            self.players[seat] = find_player("beginner")(table.game, seat, len(table.header.seats), self.seed + seat)
            self.players[seat].line = " ".join(table.header.game)
        seen = look(table.session, seat, table.now_ms, table.cards.hand(seat), tuple(table.follower.logs[seat]))
        choice = self.players[seat].choose(seen)
        return choice.packed if choice else None

    def deeds(self, event):
        """Taps and presses that say it."""
        table, fingers = self.table, self.table.fingers
        if verb_arguments(table.game, event.verb)[:1] != "C":
            return [("press", key) for key in fingers.keys_for(event)]
        options, wanted = [], pack(event.verb, event.card, event.target)
        table.game.meanings(table.session.state, event.seat, event.card, options)
        offered = [packed for packed in options if fingers.can_offer(event.seat, packed)]
        deeds = [("tap", event.card)]
        if len(offered) > 1:
            deeds += [("press", "MENU")] * offered.index(wanted) + [("press", "OK")]
        return deeds
