"""The arbiter's key at the table (T10), and turns whose time is over (T8)."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import ABORT, LEAD, NO_CARD, OWN_VERB, PLACE, Event
from cardtable.engine.reading import read_event
from cardtable.engine.state import HAND, NOWHERE, OUTCOME, PAUSED
from cardtable.games import durak
from cardtable.play.display import GREEN_MS, RED_MS
from cardtable.play.judge_and_write import LATE_MS
from cardtable.table.lights import ACCEPTED, CHOOSING, REFUSED
from cardtable.table.readers import CAME, LEFT
from cardtable.table.tags import ARBITER_KEY

from tests.app.fake_table import CALL, MENU, NO, OK, Table, use_key


def table_with_key(game: str = "durak throw-in") -> Table:
    """A dealt game of two, at places 3 and 5."""
    table = Table(game)
    table.deal()
    return table


def press(table: Table, place: int, *keys: int) -> None:
    """Several presses."""
    for key in keys:
        table.press(place, key)


def test_t10_the_key_pauses_and_goes_on():
    """T10: a pause is recorded, taps are refused meanwhile, and the key goes on."""
    table = table_with_key()
    use_key(table, 5)
    assert table.light(5) == CHOOSING and table.row(7) == "2 pause?"
    press(table, 5, OK)
    assert table.journal()[-1] == "0 pause" and table.controller.session.state.register[PAUSED]
    assert table.light(5) == ACCEPTED
    table.tap(3, "6S")
    assert table.journal()[-1] == "1 attack 6S ! T10"
    use_key(table, 3)
    press(table, 3, OK)
    assert table.journal()[-1] == "0 resume"
    table.tap(3, "6S")
    assert table.journal()[-1] == "1 attack 6S"


def test_t5_the_key_rests_on_a_reader_as_a_card_does():
    """T5, T10: the seat knows what lies there until it has left."""
    table = table_with_key()
    table.parts.readers.posts.append((CAME, 5, ARBITER_KEY))
    table.step()
    assert table.controller.seats[1].card == ARBITER_KEY
    table.parts.readers.posts.append((LEFT, 5, ARBITER_KEY))
    table.step()
    assert table.controller.seats[1].card == NO_CARD


def test_t10_the_key_corrects_a_place():
    """T10: the card is tapped, then its place chosen among those where it could lie."""
    table = table_with_key()
    use_key(table, 3)
    press(table, 3, MENU, OK)
    assert table.row(7) == "1 place?"
    table.tap(3, "9S")
    assert table.journal()[-1] == "2 turn AC", "nothing yet"
    places = []
    while table.row(7) not in places:
        places.append(table.row(7))
        press(table, 3, MENU)
    assert "1 place discard?" in places and "1 place hand1?" in places and "1 place hand2?" not in places
    press(table, 3, *[MENU] * places.index("1 place hand1?"), OK)
    assert table.journal()[-1] == "0 place 9S hand1"
    assert table.controller.session.state.where[card_number("9S")] == HAND + 1


def test_t10_a_card_that_is_not_in_the_game_has_no_place():
    """T10, T2: refused, and said why."""
    table = table_with_key()
    use_key(table, 3)
    press(table, 3, MENU, OK)
    table.come(3, "6S2")
    assert table.journal()[-1] == "0 place 6S2 nowhere ! T2" and table.light(3) == REFUSED
    table.step(RED_MS)
    assert table.light(3) == REFUSED, "until it leaves"
    event = Event()
    assert read_event(durak, "3.5 0 place 6S2 nowhere ! T2", 9, event) == "T2", "the record can be read again (T9)"
    assert event.verb == PLACE and event.target == NOWHERE


def test_t13_a_key_that_was_laid_down_during_a_repair_opens_its_menu_after_it():
    """T10, T13: it was held as a card is, and tapped for ever."""
    table = table_with_key()
    table.parts.readers.faulty = 1 << 4
    table.step()
    table.parts.readers.posts.append((CAME, 3, ARBITER_KEY))
    table.step()
    assert table.controller.waits_for_repair() and table.row(7) != "1 pause?"
    table.parts.readers.faulty = 0
    table.step()
    assert table.row(7) == "1 pause?" and not table.controller.holds


def test_t10_the_arbiters_menu_is_seen_beside_other_choices():
    """Of seats the choice that began first has the line, however often another steps on."""
    table = table_with_key()
    press(table, 3, MENU)
    first = table.row(7)
    press(table, 5, MENU, MENU, MENU)
    assert table.row(7) == first
    press(table, 3, MENU)
    assert table.row(7)[:2] == "1 " and table.row(7) != first
    use_key(table, 5)
    assert table.row(7) == "2 pause?"
    press(table, 5, MENU, MENU)
    assert table.row(7) == "2 abort?"


def test_t10_held_menu_steps_through_the_arbiters_menu_alone():
    """Where that seat was choosing, too, its own choice went on unseen; OK then said something else."""
    table = table_with_key()
    press(table, 5, MENU)
    own = table.row(7)
    use_key(table, 5)
    press(table, 5, MENU)
    for held_ms in (600, 900, 1200):
        table.parts.buttons.held_ms = {4 * 4 + MENU: held_ms}
        table.step()
    table.parts.buttons.held_ms = {}
    assert table.row(7) == "2 place?"
    press(table, 5, NO)
    assert table.row(7) == own


def test_t10_what_the_table_says_is_not_told_where_the_key_was():
    """What the arbiter does is; who leads is told at that seat."""
    table = table_with_key()
    use_key(table, 5)
    press(table, 5, NO)
    told = table.controller.display.place_told
    events = Event(0, PLACE), Event(0, LEAD, NO_CARD, 1), Event(0, OWN_VERB), Event(1, PLACE)
    assert [told(event) for event in events] == [2, 1, 0, 1]


def test_t10_an_abort_needs_the_key_once_more():
    """T10: a wrong press does not end a game."""
    table = table_with_key()
    use_key(table, 3)
    press(table, 3, MENU, MENU, OK)
    assert table.row(7) == "1 abort?" and not table.controller.session.is_over()
    press(table, 3, OK)
    assert not table.controller.session.is_over() and not table.controller.arbiter.is_choosing()
    use_key(table, 3)
    press(table, 3, MENU, MENU, OK)
    use_key(table, 5)  # at another seat it is a new menu
    assert not table.controller.session.is_over() and table.row(7) == "2 pause?"
    press(table, 5, MENU, MENU, OK)
    use_key(table, 5)
    assert table.journal()[-1] == "0 abort" and table.controller.session.state.register[OUTCOME]


def test_t10_choosing_an_abort_says_nothing():
    """T10: what is chosen in the menu is answered with no event, the key with the abort."""
    table = table_with_key()
    use_key(table, 3)
    arbiter = table.controller.arbiter
    assert arbiter.choose_verb(ABORT, table.parts.time.now_ms) == 0 and arbiter.is_choosing()
    use_key(table, 3)
    assert table.journal()[-1] == "0 abort"


def test_t10_a_card_is_the_seats_own_where_an_abort_waits_for_the_key():
    """It was refused as that seat's `abort`. It ends the arbiter's choice, and so does one beside the menu."""
    table = table_with_key()
    use_key(table, 3)
    press(table, 3, MENU, MENU, OK)
    table.tap(3, "6S")
    assert table.journal()[-1] == "1 attack 6S" and table.row(7) == "" and not table.controller.session.is_over()
    use_key(table, 3)
    assert table.row(7) == "1 pause?"
    press(table, 5, MENU, MENU, MENU, OK)
    use_key(table, 5)
    table.tap(5, "7S")
    assert not table.controller.arbiter.is_choosing() and table.row(7) == "2 beats?", "the verb that waited takes it"
    table.tap(5, "6S")
    assert table.journal()[-1] == "2 beat 7S 6S"


def test_d43_d44_call_is_the_seats_own_while_its_buttons_are_the_arbiters():
    """T10: it was said as seat 0, or for the seat whose time was over (T8), and brought the table down."""
    table = table_with_key("durak throw-in cheating=1 clock=20")
    table.tap(3, "6S")
    press(table, 3, OK)
    table.step(20_100)
    use_key(table, 3)
    assert table.controller.turns.called == 2 and table.row(7) == "1 takes?"
    press(table, 3, CALL)
    assert table.controller.seats[0].is_choosing()
    table.tap(3, "6S")
    assert table.journal()[-1] == "1 catch 6S ! D44"
    use_key(table, 5)
    press(table, 5, CALL)
    table.step(LATE_MS)
    assert table.journal()[-1] == "2 cheat" and table.row(7) == "2 takes?", "a hidden press leaves the screen as it is"
    press(table, 5, MENU, MENU, OK)  # the arbiter wants a card's place
    shown = [table.row(number) for number in range(1, 8)]
    press(table, 5, CALL)
    table.step(LATE_MS)
    assert table.journal()[-1] == "2 cheat ! D43" and [table.row(number) for number in range(1, 8)] == shown


def test_t10_the_seats_own_buttons_come_back():
    """T10: NO leaves the menu; then the seat speaks for itself again."""
    table = table_with_key()
    table.tap(3, "6S")
    table.step(GREEN_MS)
    use_key(table, 5)
    press(table, 5, NO)
    assert not table.controller.arbiter.is_choosing()
    press(table, 5, NO)
    assert table.journal()[-1] == "2 take"


def test_t8_a_seat_whose_time_is_over_is_called():
    """T8: clock=20 seconds a turn; the screen names the seat, and the key says what it would have to."""
    table = table_with_key("durak throw-in clock=20")
    table.tap(3, "6S")
    table.press(3, OK)  # done: the defender alone is waited for
    table.step(19900)
    assert "time: seat 2" not in table.parts.said
    table.step(200)
    assert table.parts.said[-1] == "time: seat 2" and table.row(4) == "2 Time is over"
    table.step(60000)
    assert table.parts.said.count("time: seat 2") == 1 and table.journal()[-1] == "1 done", "nothing happens by itself"
    use_key(table, 3)
    assert table.row(7) == "1 takes?"
    press(table, 3, OK)
    assert table.journal()[-1] == "2 take"


def test_t8_a_seat_that_has_acted_after_all_is_not_spoken_for():
    """The arbiter's OK came a moment later, and was said as seat 0."""
    table = table_with_key("durak throw-in clock=20")
    table.tap(3, "6S")
    press(table, 3, OK)
    table.step(20_100)
    use_key(table, 3)
    table.tap(5, "7S")
    assert table.row(7) == "1 takes?" and table.journal()[-1] == "2 beat 7S 6S"
    press(table, 3, OK)
    assert table.journal()[-1] == "2 beat 7S 6S" and table.row(7) == "" and not table.controller.arbiter.is_choosing()


def test_t8_what_goes_beyond_the_turn_comes_from_the_bank():
    """T8: bank=30 seconds a game; a pause costs nobody anything (T10)."""
    table = table_with_key("durak throw-in clock=10 bank=30")
    table.tap(3, "6S")
    table.press(3, OK)
    table.step(30000)
    assert not table.controller.turns.called
    use_key(table, 3)
    press(table, 3, OK)
    table.step(100000)
    use_key(table, 3)
    press(table, 3, OK)
    table.step(9000)
    assert not table.controller.turns.called
    table.step(2000)
    assert table.controller.turns.called == 2 and table.parts.said[-1] == "time: seat 2"


def test_t8_a_seat_has_a_turn_time_of_its_own():
    """T8: own_clock=2:40 beside clock=20; alone it leaves the other seats all the time there is."""
    for clock, called in (("clock=20 ", 1), ("", 0)):
        table = table_with_key("durak throw-in %sown_clock=2:40" % clock)
        table.step(20100)
        assert table.controller.turns.called == called
        table.tap(3, "6S")
        table.press(3, OK)  # done: the defender alone is waited for
        table.step(39900)
        assert not table.controller.turns.called
        table.step(200)
        assert table.controller.turns.called == 2 and table.row(4) == "2 Time is over"


def test_t8_a_turn_begins_anew_when_another_has_acted():
    """T8: a turn is counted from where the table begins to wait for the seat."""
    table = table_with_key("durak throw-in clock=20")
    table.tap(3, "6S")
    table.step(15000)
    table.press(5, NO)  # takes; now the attacker may throw in
    table.step(15000)
    assert not table.controller.turns.called
    table.step(6000)
    assert table.controller.turns.called == 1


def test_t8_without_a_clock_nobody_is_called():
    """T8: default off."""
    table = table_with_key()
    table.tap(3, "6S")
    table.step(10_000_000)
    assert not table.controller.turns.called and not [line for line in table.parts.said if line.startswith("time")]


def test_t8_whoever_was_called_has_a_new_turn_after_an_event():
    """T8: an event that all can see begins new turns, that of the seat which was called too: it is called again."""
    table = table_with_key("durak throw-in clock=20")
    table.tap(3, "6S")
    table.press(3, OK)  # done: the defender alone is waited for
    table.step(20_100)
    assert table.controller.turns.called == 2
    table.controller.turns.next_turn()
    assert not table.controller.turns.called
    table.step(19_000)
    assert not table.controller.turns.called
    table.step(1_100)
    assert table.controller.turns.called == 2 and table.parts.said.count("time: seat 2") == 2
