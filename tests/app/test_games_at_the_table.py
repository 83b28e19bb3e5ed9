"""Games other than Durak among fake parts: when the table speaks (C10), when a turn of the clock begins (T8), and what
else depends on the game."""

from cardtable.between.resume import Resumed, play_line
from cardtable.engine.deck import STRANGER
from cardtable.engine.event import PACKED, Event, verb_name

from tests.app.fake_table import CALL, OK, Table, use_key


def test_c10_t10_the_table_does_not_speak_while_the_game_is_paused():
    """Its `timeout` was refused, and that was told and written; it comes when the game goes on."""
    table = Table("cals-bs deal=counted", "Anna; Boris; Vera")
    table.tap(3, "7S")
    table.press(3, OK)
    table.press(3, OK)
    table.press(3, CALL)
    assert table.journal()[-1] == "1 ask"
    use_key(table, 5)
    table.press(5, OK)
    table.step(5000)
    table.step(5000)
    assert table.journal()[-1] == "0 pause"
    use_key(table, 5)
    table.press(5, OK)
    assert table.journal()[-2:] == ["0 resume", "0 timeout"]


def test_c7_call_doubts_while_the_seats_buttons_are_the_arbiters():
    """T10: a doubt is always one press, and the doubter's own."""
    table = Table("cals-bs deal=counted", "Anna; Boris; Vera")
    table.tap(3, "7S")
    table.press(3, OK)
    table.press(3, OK)
    use_key(table, 6)
    table.press(6, CALL)
    assert table.journal()[-1] == "3 doubt" and table.row(4) == "7♠"


def test_t8_b5_a_card_that_is_only_prepared_stops_no_clock():
    """A seat that lays a card of a raise and takes it back, again and again, is called; so it is after a power cut."""
    table = Table("bailiff deal=counted clock=20", "Anna; Boris; Vera")
    for place, card in ((3, "6S"), (5, "6H")):
        table.tap(place, card)
    for _ in range(2):
        table.step(9_000)
        table.tap(6, "9S")
    assert table.journal()[-2:] == ["3 lay 9S", "3 unlay 9S"] and not table.controller.turns.called
    table.step(2_100)
    table.tap(6, "9S")
    again = Table("bailiff deal=counted clock=20", "Anna; Boris; Vera").controller
    resumed = Resumed("games/0007", again.header)
    for line in table.parts.journal.lines[1:]:
        play_line(resumed, again.session, line, 1, Event(), again.turns)
    assert table.controller.turns.called == again.turns.called == 3
    table.tap(6, "9H")
    assert table.journal()[-1] == "3 lay 9H" and not table.controller.turns.called


def test_t8_b9_who_laid_an_ace_has_a_new_turn_to_lead():
    """It is a whole play, though the table waits for the same seat."""
    table = Table("bailiff deal=counted clock=20", "Anna; Boris; Vera")
    table.tap(3, "6S")
    table.step(15_000)
    table.tap(5, "AS")
    table.step(15_000)
    assert not table.controller.turns.called
    table.step(5_100)
    assert table.controller.turns.called == 2


def test_t2_t4_a_strange_card_where_draws_are_counted():
    """It is judged as a verb that takes one card and nothing else."""
    seat = Table("malice deal=counted").controller.seats[0]
    assert verb_name(seat.session.game, (seat.tap(STRANGER, 0) & PACKED) >> 16) == "flip"
