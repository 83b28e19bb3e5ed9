"""Durak: a press of cheat leaves no trace, in the undo neither (D43, T7): a game with and without it, side by side."""

from cardtable.catalogue import find_game
from cardtable.engine.event import AGREE, NO_CARD, OWN_VERB, UNDO, Event, find_verb, verb_arguments
from cardtable.engine.session import Session
from host_tools.base.random_play import Random, RandomGame, make_header
from tests.games.durak_table import deal
from tests.games.random_games import count_games

DURAK = find_game("durak")
CHEAT = find_verb(DURAK, "cheat")
VERBS = [UNDO, AGREE] + [OWN_VERB + index for index in range(len(DURAK.VERBS))]
MIXES = ("throw-in cheating=2", "transfer cheating=3 shown_trump=yes late_transfer=yes", "simple cheating=1")


class Pair:
    """A random game with all its presses, and the same one without any."""

    def __init__(self, mix: str, seed: int):
        """Both begin with the same header."""
        random = Random(seed)
        header = make_header("durak " + mix, 3 + random.below(2), first=1)
        self.play = RandomGame(DURAK, header, random)
        self.play.unasked = 15
        self.session = self.play.session
        self.other = Session(DURAK, header)
        self.pressed = 0  # a bit for each seat that has ever pressed
        self.undone = 0  # how many events were taken back with a press behind them
        self.is_press_last = False

    def run(self):
        """Play to the end, or to the first card that only a cheat token covers: then the games differ by right."""
        while self.step():
            self.check()

    def step(self) -> bool:
        """One event, and now and then an undo."""
        play = self.play
        if not play.random.below(4):
            self.take_back()
        if self.session.is_over() or not play.choose():
            return False
        event = play.event
        self.is_press_last = event.verb == CHEAT
        if self.is_press_last:
            self.pressed |= 1 << event.seat
        elif self.other.judge(event):
            assert self.pressed >> event.seat & 1, "a seat that never pressed is judged otherwise"
            return False
        return self.say(event)

    def say(self, event) -> bool:
        """In both games, but a press in one alone."""
        assert not self.session.play(event)
        assert event.verb == CHEAT or not self.other.play(event)
        return True

    def take_back(self):
        """The seat whose event was the last one says undo, the defender presses once more, and all others agree."""
        event = Event(at_ms=self.play.event.at_ms, verb=UNDO)
        count = self.play.seats + 1
        asking = [seat for seat in range(1, count) if not self.session.judge(Event(seat, UNDO, at_ms=event.at_ms))]
        if not asking:
            return
        event.seat = asking[0]
        self.say(event)
        self.check()
        pressing = [seat for seat in range(1, count) if not self.session.judge(Event(seat, CHEAT))]
        if pressing:
            self.pressed |= 1 << pressing[0]
            self.say(Event(pressing[0], CHEAT, at_ms=event.at_ms))
            self.check()
        event.verb = AGREE
        for event.seat in range(1, count):
            if not self.session.judge(event):
                self.say(event)
                self.check()
        self.undone += self.is_press_last or len(pressing)
        self.is_press_last = False

    def check(self):
        """What everybody sees, and what the seats that never pressed are answered to whatever they can say."""
        session, other = self.session, self.other
        for seat in range(self.play.seats + 1):
            assert DURAK.view(session.state, seat) == DURAK.view(other.state, seat)
            if not seat or self.pressed >> seat & 1:
                continue
            for event in events_of(session.state, seat, self.play.event.at_ms):
                assert session.judge(event) == other.judge(event), (event.seat, event.verb, event.card)


def events_of(state, seat: int, at_ms: int):
    """Whatever the seat can say, pairs of cards with one target alone."""
    event = Event(seat, at_ms=at_ms, target=max(state.where.find(16), 0))
    for event.verb in VERBS:
        with_card = verb_arguments(DURAK, event.verb)[:1] == "C"
        for card in range(0, DURAK.CARDS, 7) if with_card else (NO_CARD,):
            event.card = card
            yield event


def test_d43_t7_a_press_leaves_no_trace_in_the_undo():
    """D43, T7, T11: what others see, and may say and are answered, is the same with a press and without."""
    undone = 0
    for mix in MIXES:
        for seed in range(count_games(6, 2)):
            pair = Pair(mix, seed + 1)
            pair.run()
            undone += pair.undone
    assert undone, "no press stood before an undo"


def test_d43_t7_the_event_before_a_press_may_be_taken_back():
    """T7, D43: by the seat whose event it was, and the press with it; the cheat token is back."""
    table = deal("throw-in cheating=1", "6S 6H", "7S 8C", "TS TH", stock=0)
    table.talk("1 attack 6S / 2 cheat / 2 undo ! T7 / 3 undo ! T7 / 1 undo / 2 agree / 3 agree / = waits 1 open")
    table.talk("2 cheat ! D43 / 1 attack 6H / 2 cheat / 2 beat 8C 6H")


def test_d43_t7_a_press_does_not_cancel_an_undo():
    """T7, D43: any other accepted event does, but nobody may see that this one happened."""
    table = deal("throw-in cheating=1", "6S 6H", "7S 8C", "TS TH", stock=0)
    table.talk("1 attack 6S / 1 undo / 2 cheat / 2 agree / 3 agree / = waits 1 open / = hand 1 6S 6H")


def test_d43_t7_the_card_that_a_token_covers():
    """T7, D43: it is taken back like any other card, and the cheat token stays pressed for the next one."""
    table = deal("throw-in cheating=1", "6S 6H", "7S 8C", "TS TH", stock=0)
    table.talk("1 attack 6S / 2 cheat / 2 beat 8C 6S / 2 undo / 1 agree / 3 agree / = hand 2 7S 8C / 2 cheat ! D43")
    table.talk("2 beat 8C 6S / 1 catch 8C / 2 beat 8C 6S ! D7")
