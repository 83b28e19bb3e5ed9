"""One seat's taps and buttons: what is said at once, what is offered, what the menu does (DESIGN: the way of a tap)."""

from cardtable.engine.deck import STRANGER, card_name, card_number
from cardtable.engine.event import (
    AGREE,
    CALL_KEY,
    DRAW,
    MENU_KEY,
    NO_CARD,
    NO_KEY,
    OK_KEY,
    PACKED,
    SEAT_BITS,
    Event,
    find_verb,
    pack,
    unpack,
    verb_name,
)
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, find_place
from cardtable.engine.verdict import T2_NO_SUCH_CARD
from cardtable.games import durak
from cardtable.play.seats import CHOICE_MS, Seat
from cardtable.table.keypad import HOLD_MS, REPEAT_MS

from host_tools.base.random_play import make_header

HANDS = ("6S 6H 7D 8D 9D TD", "7S 7H JC QC KC AC", "8S 8H JD QD KD AD")


class Table:
    """A session with three seats, and what each seat has said, in words."""

    def __init__(self, options: str = "transfer first_transfer=yes", trump: str = "9C"):
        self.session = Session(durak, make_header("durak " + options, 3, 3, 1))
        self.said = []
        self.now_ms = 1000
        self.seats = [None] + [Seat(number, self.session, self.ask) for number in (1, 2, 3)]
        for number in (1, 2, 3):
            for card in HANDS[number - 1].split():
                self.tap(number, card)
        self.tap(3, trump)
        self.said = []

    def ask(self, number: int, packed: int) -> int:
        return self.session.judge(unpack(packed, number, self.now_ms, Event()))

    def hear(self, said: int) -> None:
        """What a seat has answered, as the controller takes it."""
        if said:
            self.say(said >> SEAT_BITS, said & PACKED)

    def say(self, number: int, packed: int) -> int:
        event = unpack(packed, number, self.now_ms, Event())
        verdict = self.session.judge(event)
        words = [str(number), verb_name(durak, event.verb)]
        words += [card_name(card) for card in (event.card,) if card != NO_CARD]
        if event.verb == find_verb(durak, "beat"):
            words.append(card_name(event.target))
        self.said.append(" ".join(words) + (" !" if verdict else ""))
        if not verdict:
            self.session.enact(event)
        return verdict

    def tap(self, number: int, name: str) -> None:
        self.hear(self.seats[number].tap(card_number(name), 1000))
        self.seats[number].left()

    def press(self, number: int, *keys: int) -> None:
        for key in keys:
            self.hear(self.seats[number].press(key, self.now_ms))


def test_a_tap_with_one_meaning_is_that_verb_legal_or_not():
    """The attacker's tap attacks; another seat's tap is an attack too, and refused."""
    table = Table()
    table.tap(3, "8S")
    table.tap(1, "6S")
    assert table.said == ["3 attack 8S !", "1 attack 6S"]


def test_where_a_tap_can_mean_more_the_first_legal_meaning_is_offered():
    """A trump on either of two sixes: nothing is said before OK."""
    table = Table()
    table.tap(1, "6S")
    table.tap(1, "6H")
    table.said = []
    table.tap(2, "JC")
    assert table.said == [] and table.seats[2].is_choosing()
    assert table.seats[2].prompt()[0] == "beat"
    table.press(2, OK_KEY)
    assert table.said == ["2 beat JC 6S"]
    assert not table.seats[2].is_choosing()


def test_a_single_legal_meaning_needs_no_ok():
    """A seven beats the six and cannot transfer it; on another seven it transfers and cannot beat."""
    table = Table()
    table.tap(1, "6S")
    table.tap(2, "7S")
    assert table.said == ["1 attack 6S", "2 beat 7S 6S"] and not table.seats[2].is_choosing()
    table = Table()
    table.tap(1, "7D")
    table.tap(2, "7S")
    assert table.said == ["1 attack 7D", "2 transfer 7S"] and not table.seats[2].is_choosing()
    table = Table()
    table.tap(1, "6S")
    table.tap(1, "6H")
    table.tap(2, "7H")
    assert table.said[-1] == "2 beat 7H 6H" and not table.seats[2].is_choosing()


def test_d43_with_cheating_a_single_legal_meaning_is_only_offered():
    """D43: what is done at once would tell that nothing else fits."""
    table = Table("transfer first_transfer=yes cheating=1")
    table.tap(1, "6S")
    table.tap(2, "7S")
    assert table.said == ["1 attack 6S"] and table.seats[2].is_choosing()


def test_menu_steps_on_to_the_next_legal_meaning():
    """The seven of trumps beats the seven of diamonds, and can transfer it."""
    table = Table("transfer first_transfer=yes", "9H")
    table.tap(1, "7D")
    table.tap(2, "7H")
    assert table.seats[2].prompt()[0] == "beat"
    table.press(2, MENU_KEY)
    assert table.seats[2].prompt()[0] == "transfer"
    table.press(2, MENU_KEY)
    assert table.seats[2].prompt()[0] == "beat"


def test_no_drops_the_offer():
    """And nothing is said."""
    table = Table()
    table.tap(1, "6S")
    table.tap(1, "6H")
    table.said = []
    table.tap(2, "JC")
    table.press(2, NO_KEY)
    assert table.said == [] and not table.seats[2].is_choosing()


def test_where_nothing_is_legal_the_refusal_is_of_what_was_meant():
    """D7: a card of another rank was meant to beat. D28, D29, D27, D31: one of the attack's rank to transfer."""
    table = Table("transfer first_transfer=no")
    table.tap(1, "6S")
    table.tap(2, "7H")
    assert table.said == ["1 attack 6S", "2 beat 7H 6S !"]
    table = Table("transfer first_transfer=no")
    table.tap(1, "7D")
    table.tap(2, "7S")
    assert table.said == ["1 attack 7D", "2 transfer 7S !"]
    table = Table("transfer first_transfer=yes", "6D")
    table.tap(1, "7D")
    table.tap(2, "7S")
    assert table.said == ["1 attack 7D", "2 transfer 7S !"]
    table = Table("throw-in", "9C")
    table.tap(1, "7D")
    table.tap(2, "7S")
    assert table.said == ["1 attack 7D", "2 beat 7S 7D !"]


def test_two_targets_are_offered_one_after_the_other():
    """Which of two attack cards a trump beats is the defender's choice."""
    table = Table("throw-in", "9C")
    table.tap(1, "6S")
    table.tap(1, "6H")
    table.said = []
    table.tap(2, "JC")
    assert table.seats[2].prompt()[1] == "6S"
    table.press(2, MENU_KEY)
    assert table.seats[2].prompt()[1] == "6H"
    table.press(2, OK_KEY)
    assert table.said == ["2 beat JC 6H"]


def test_buttons_say_their_verbs():
    """OK done, NO take, CALL cheat; they are judged like taps."""
    table = Table("throw-in")
    table.tap(1, "6S")
    table.said = []
    table.press(2, NO_KEY)
    table.press(1, OK_KEY)
    table.press(2, CALL_KEY)
    assert table.said == ["2 take", "1 done", "2 cheat !"]


def test_t7_the_menu_says_every_verb_and_undo_first_after_a_play():
    """MENU steps; a verb without a card is said by OK. Who has nothing to take back finds undo last."""
    table = Table("throw-in")
    table.tap(1, "6S")
    seen = []
    table.press(1, MENU_KEY)
    while not seen or table.seats[1].prompt()[0] != seen[0]:
        seen.append(table.seats[1].prompt()[0])
        table.press(1, MENU_KEY)
    off = ("transfer", "show", "cheat", "catch", "redeal", "swap")  # D26, D30, D43, D49, D50: their options are off
    assert seen == ["undo"] + [verb[0] for verb in durak.VERBS if verb[0] not in off] + ["draw", "agree"]
    table.press(2, *[MENU_KEY] * len(seen))
    assert table.seats[2].prompt()[0] == "undo"
    table.press(1, NO_KEY)
    table.press(2, NO_KEY)
    table.said = []
    table.press(1, MENU_KEY, OK_KEY)
    assert table.said == ["1 undo"]
    table.press(2, OK_KEY)
    table.press(3, OK_KEY)
    assert table.said == ["1 undo", "2 agree", "3 agree"]


def test_a_chosen_verb_takes_the_next_tap():
    """So a player can insist on what is not offered, and have it refused."""
    table = Table("throw-in")
    table.press(2, MENU_KEY, OK_KEY)
    table.tap(2, "8S")
    assert table.said == ["2 turn 8S !"]


def test_a_chosen_verb_with_a_target_takes_two_taps():
    """Card, then target."""
    table = Table("throw-in")
    table.tap(1, "6S")
    table.said = []
    table.press(3, MENU_KEY, MENU_KEY, MENU_KEY, OK_KEY)
    table.tap(3, "8S")
    assert table.said == []
    table.tap(3, "6S")
    assert table.said == ["3 beat 8S 6S !"]


def test_d43_with_cheating_all_meanings_are_offered():
    """D43: what is offered depends on the tap alone, never on whether the card fits."""
    fits = Table("transfer cheating=2")
    fits.tap(1, "6S")
    fits.tap(2, "7S")
    does_not = Table("transfer cheating=2")
    does_not.tap(1, "6S")
    does_not.tap(2, "JC")
    for key in (MENU_KEY, MENU_KEY):
        assert fits.seats[2].prompt() == does_not.seats[2].prompt()
        fits.press(2, key)
        does_not.press(2, key)


def test_d44_call_accuses_the_next_card():
    """D44: with cheating, CALL of a seat that does not defend, then a tap of the card on the table."""
    table = Table("throw-in cheating=1")
    table.tap(1, "6S")
    table.tap(2, "7S")
    table.press(2, OK_KEY)
    table.said = []
    table.press(3, CALL_KEY)
    table.tap(3, "7S")
    assert table.said == ["3 catch 7S"]


def test_d43_call_is_no_part_of_a_choice():
    """It closes the menu and is said all the same."""
    table = Table("throw-in cheating=1")
    table.tap(1, "6S")
    table.said = []
    table.press(2, MENU_KEY, CALL_KEY)
    assert table.said == ["2 cheat"] and not table.seats[2].is_choosing()


def test_t2_a_tag_of_no_deck_is_refused_whatever_was_meant():
    """T2."""
    table = Table("throw-in")
    table.hear(table.seats[1].tap(STRANGER, 1000))
    table.tap(1, "6S2")
    assert table.said == ["1 draw QQ !", "1 draw 6S2 !"]
    assert DRAW == 1


def test_t2_t4_a_strange_tag_is_told_as_such_where_draws_are_counted():
    """It was refused as a draw, which nobody had meant."""
    session = Session(durak, make_header("durak throw-in deal=counted", 3, 3, 1))
    seat = Seat(1, session, None)
    for card in (STRANGER, card_number("6S2")):
        said = seat.tap(card, 1000)
        assert said >> SEAT_BITS == 1
        assert session.judge(unpack(said & PACKED, 1, 1000, Event())) == T2_NO_SUCH_CARD


def test_a_choice_that_nobody_makes_is_dropped():
    """After its named time."""
    table = Table("throw-in")
    table.press(1, MENU_KEY)
    table.seats[1].tick(1000 + CHOICE_MS - 1)
    assert table.seats[1].is_choosing()
    table.seats[1].tick(1000 + CHOICE_MS)
    assert not table.seats[1].is_choosing()


def test_ok_takes_what_was_shown_as_the_table_stands_now():
    """The attack was taken back meanwhile: refused, and nothing else is said instead."""
    table = Table()
    table.tap(1, "6S")
    table.tap(1, "6H")
    table.tap(2, "JC")
    table.press(2, MENU_KEY)
    table.press(1, MENU_KEY, OK_KEY)
    table.press(3, OK_KEY)
    table.said = []
    table.say(2, pack(AGREE))
    attack = find_place(table.session.game, "attack1")
    assert len([place for place in table.session.state.where if place >= attack]) == 1
    table.press(2, OK_KEY)
    assert table.said == ["2 agree", "2 beat JC 6H !"]


def test_menu_lists_the_meanings_of_the_card_anew():
    """What became possible is offered; when nothing is legal any more the offer is dropped."""
    table = Table("throw-in", "9C")
    table.tap(1, "6S")
    table.tap(1, "6H")
    table.tap(2, "JC")
    table.press(2, MENU_KEY)
    table.say(2, pack(find_verb(durak, "beat"), card_number("7H"), card_number("6H")))
    table.said = []
    table.press(2, MENU_KEY)
    assert table.seats[2].prompt()[0] == "beat" and table.seats[2].prompt()[1] == "6S"
    table.say(2, pack(find_verb(durak, "take")))
    table.press(2, MENU_KEY)
    assert not table.seats[2].is_choosing() and table.said == ["2 take"]


def test_t7_ok_is_agree_only_as_long_as_an_undo_can_be_agreed_to():
    """Ten seconds later it is what the game says, and `agree` is in the menu. To agree twice ends no turn."""
    table = Table("throw-in")
    table.tap(1, "6S")
    table.press(1, MENU_KEY, OK_KEY)
    table.said = []
    table.now_ms = 1000 + 9999
    table.press(2, OK_KEY)
    assert table.said == ["2 agree"]
    table.press(2, OK_KEY)  # it has agreed
    table.press(1, OK_KEY)  # who asks is asked nothing
    assert table.said == ["2 agree", "2 agree !", "1 done"] and not table.session.undo_seat
    table.tap(1, "6H")
    table.press(1, MENU_KEY, OK_KEY)
    table.said = []
    table.now_ms += 10000
    table.press(3, OK_KEY)
    assert table.said == ["3 done"]


def test_t7_a_second_ok_does_not_cancel_the_undo():
    """An attacker that had agreed said `done` with it, and the undo was over."""
    table = Table("throw-in")
    table.tap(1, "6S")
    table.tap(2, "7S")
    table.press(2, MENU_KEY, OK_KEY)
    table.said = []
    table.press(1, OK_KEY, OK_KEY)
    table.press(3, OK_KEY)
    assert table.said == ["1 agree", "1 agree !", "3 agree"]
    assert table.session.state.where[card_number("7S")] == HAND + 2


def test_a_verb_chosen_anew_forgets_the_card_of_the_last_one():
    """Menu, verb, card, and then the menu again: the first card is not the second verb's."""
    table = Table("throw-in cheating=1")
    table.tap(1, "6S")
    table.press(3, MENU_KEY, MENU_KEY, MENU_KEY, OK_KEY)
    table.tap(3, "8S")
    table.said = []
    table.press(3, MENU_KEY, MENU_KEY, OK_KEY)
    assert table.seats[3].prompt()[0] == "attack"
    table.tap(3, "8H")
    assert table.said == ["3 attack 8H !"]


def test_menu_repeats_while_it_is_held():
    """First after HOLD_MS, then each REPEAT_MS; letting go starts it again, and only choices repeat."""
    seat = Table("throw-in").seats[1]
    assert not seat.repeat(5000, 1000)
    seat.press(MENU_KEY, 1000)
    steps = [held for held in range(0, 2000, 10) if seat.repeat(held, 1000 + held)]
    assert steps == [HOLD_MS + REPEAT_MS * step for step in range(5)]
    assert seat.prompt()[0] == "draw", "turn, attack, beat, done, take: the others are off"
    seat.press(MENU_KEY, 4000)
    assert not seat.repeat(HOLD_MS - 1, 4600) and seat.repeat(HOLD_MS, 4600)
    seat.press(OK_KEY, 5000)
    assert not seat.repeat(HOLD_MS, 5000)


def test_t13_a_card_that_cannot_be_judged_yet_is_held():
    """Nothing is said of it; when it leaves it is forgotten."""
    table = Table("throw-in")
    table.seats[1].hold(card_number("6S"), 5000)
    assert table.said == [] and table.seats[1].is_held and table.seats[1].came_ms == 5000
    table.seats[1].left()
    assert not table.seats[1].is_held and table.seats[1].card == NO_CARD
    table.seats[1].hold(card_number("6S"), 5000)
    table.hear(table.seats[1].tap(table.seats[1].card, 6000))
    assert table.said == ["1 attack 6S"] and not table.seats[1].is_held
