"""Random games with their twins, in which everything is equal that one seat and the public may know.

Of half the games a twin is the game itself: all cards have been seen, or none of the hidden ones has been played yet.
To hold these side by side proves nothing, so they are left out.
"""

from tests.games.random_games import Refused, first_seed, start_game

from cardtable.engine.deck import RANK
from cardtable.engine.event import NO_CARD, OWN_VERB, SHOWS_ALL, Event, pack, unpack
from cardtable.engine.session import Session
from cardtable.engine.state import find_place

ENOUGH = 3  # events that name another card
TRIES = 60  # games in a row of which none will do


def telling_twins(game, wanted: int, begin: int = 0):
    """(play, seat, its history, for each card the one in its place in the twin) of so many games, in each of which
    some events name other cards than in the twin. Seeds from `begin` on; AssertionError if there are none."""
    seed = first_seed() + begin
    for _ in range(wanted):
        found, last = None, seed + TRIES
        while not found:
            assert seed < last, "too little is hidden in every game of " + game.NAME
            found = find_twin(game, seed)
            seed += 1
        yield found


def find_twin(game, seed: int):
    """The game of that seed and its twin; None if the two are too much alike."""
    play = start_game(game, seed, Refused(), True)
    if "deal=counted" in play.header.game:  # the table knows no card that is hidden
        return None
    seat = play.random.below(play.seats) + 1
    try:
        history = History(play, seat)
        parts = history.find_twin(play)
    except BaseException:
        print(play.title)
        raise
    return (play, seat, history, parts) if history.count_unlike(parts) >= ENOUGH else None


def is_shown(session, event) -> bool:
    """Whether everybody sees the card of this event."""
    return session.game.shows(session.state, event.verb) == SHOWS_ALL


class History:
    """The events of a random game up to one of them, and what one seat has seen by then."""

    def __init__(self, play, seat: int):
        """Plays the game to a random event."""
        session = play.session
        game = session.game
        own_hand = find_place(game, "hand%d" % seat)
        self.seen = bytearray(game.CARDS)
        self.packed = []
        self.seats = []
        self.times = []
        length = 1 + play.random.below(40) * (1 + play.random.below(10))
        while len(self.packed) < length and play.step():
            event = play.event
            self.packed.append(pack(event.verb, event.card, event.target))
            self.seats.append(event.seat)
            self.times.append(event.at_ms)
            if event.card != NO_CARD and (event.seat == seat or is_shown(session, event)):
                self.seen[event.card] = 1
            self.see_opened(session, event)
            card = session.state.where.find(own_hand)
            while card >= 0:
                self.seen[card] = 1
                card = session.state.where.find(own_hand, card + 1)

    def see_opened(self, session, event):
        """What the event has turned up for all (C7); `opens` is asked before it happens."""
        opened = []
        if event.verb >= OWN_VERB:
            session.game.opens(session.before, event, opened)
        for card in opened:
            self.seen[card] = 1

    def make_twin(self, state, random, keeps_ranks: bool) -> bytearray:
        """For each card the one that plays its part in the twin: what the seat has not seen is dealt again.

        Each card stays in the heap in which it lies in `state`, where the game begins: a game may have more than one.
        """
        twin = bytearray(range(len(self.seen)))
        heaps = {}
        for card in range(len(self.seen)):
            if state.where[card] and not self.seen[card]:
                heaps.setdefault((state.where[card], RANK[card] if keeps_ranks else 0), []).append(card)
        for heap in sorted(heaps):
            shuffled = heaps[heap][:]
            random.shuffle(shuffled)
            for index in range(len(shuffled)):
                twin[heaps[heap][index]] = shuffled[index]
        return twin

    def find_twin(self, play) -> bytearray:
        """A twin in which all of this could happen. What others did may tell something of their cards (in Malice, who
        ends a turn has no ace: M8), so not every deal will do; one that keeps the ranks has to."""
        for trial in range(10):
            other = Session(play.game, play.header)
            parts = self.make_twin(other.state, play.random, trial == 9)
            event = Event()
            index = 0
            while index < len(self.packed) and not other.play(self.event_of(index, parts, event)):
                index += 1
            if index == len(self.packed):
                return parts
        raise AssertionError("the twin's event %d is refused" % index)

    def count_unlike(self, parts: bytearray) -> int:
        """How many events name another card in the twin."""
        event, count = Event(), 0
        for packed in self.packed:
            unpack(packed, 0, 0, event)
            count += event.card != NO_CARD and parts[event.card] != event.card
        return count

    def event_of(self, index: int, parts: bytearray, event: Event) -> Event:
        """What happened, with the cards of the twin."""
        unpack(self.packed[index], self.seats[index], self.times[index], event)
        if event.card != NO_CARD:
            event.card = parts[event.card]
        return event
