"""The controller among fake parts: what a tap or press does to journal, screen and feed, and what each light says."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import OWN_VERB, Event
from cardtable.engine.state import OUTCOME, OWN
from cardtable.play.controller import CLOSE_MS
from cardtable.play.display import GREEN_MS, RED_MS
from cardtable.table.faults import LOOKS
from cardtable.table.lights import ACCEPTED, CHOOSING, COUNTING, FAULT, FILLING, MAY, OFF, REFUSED, WAITED_FOR
from cardtable.table.readers import CLEARED, CROWDED, UNREAD

from tests.app.fake_table import MENU, NO, OK, Table

_OUT_AT = OWN + 24  # of Durak


def test_a_tap_goes_to_journal_light_screen_and_feed():
    """The way of a tap; afterwards the light says again whom the table waits for."""
    table = Table()
    assert table.light(3) == table.light(5) == WAITED_FOR and table.light(1) == OFF
    table.come(3, "6S")
    assert table.journal() == ["1 draw 6S"] and table.parts.said == ["0.01 1 draw ??"]
    assert table.light(3) == ACCEPTED and table.row(3) == "1 draws" and table.row(0) == "- 35: 1 0"
    table.step(GREEN_MS - 10)
    assert table.light(3) == ACCEPTED
    table.step(10)
    assert table.light(3) == WAITED_FOR


def test_posts_and_presses_of_places_without_a_seat_are_nothing():
    """No player sits there."""
    table = Table()
    for place in (1, 2, 4, 6, 7):
        table.tap(place, "6S")
        table.press(place, OK)
    assert table.journal() == [] and [table.light(place) for place in (1, 2, 4, 6, 7)] == [OFF] * 5
    assert table.parts.readers.unused == 0b1101011


def test_t6_a_refused_card_is_red_until_it_leaves_and_a_refused_press_for_a_while():
    """And green is not shown instead when the card is gone."""
    table = Table()
    table.tap(5, "6S")
    table.come(3, "6S")
    table.step(60_000)
    assert table.light(3) == REFUSED and table.row(4) == "1 T2 That card is not"
    table.leave(3, "6S")
    assert table.light(3) == WAITED_FOR
    table.press(3, OK)
    table.step(RED_MS - 10)
    assert table.light(3) == REFUSED
    table.step(10)
    assert table.light(3) == WAITED_FOR and table.row(4) == "1 T3 Finish the deal"


def test_the_words_of_a_refusal_stay_while_its_light_does():
    """Another seat's accepted event does not wipe them away; afterwards it does."""
    table = Table()
    table.tap(5, "6S")
    table.come(3, "6S")
    table.tap(5, "7S")
    assert table.row(4) == "1 T2 That card is not" and table.row(3) == "2 draws"
    table.leave(3, "6S")
    assert table.row(4) == "1 T2 That card is not"
    table.tap(5, "8S")
    assert table.row(4) == ""


def test_that_one_card_at_a_time_is_read_stays_while_several_lie_there():
    """Neither another seat's accepted event nor the seat's own wipes it away."""
    table = Table()
    table.parts.post(CROWDED, 5, "QQ")
    table.step()
    table.tap(3, "6S")
    table.tap(5, "6H")
    assert table.row(4) == "2 One card at a time" and table.row(3) == "2 draws"
    table.parts.post(CLEARED, 5, "QQ")
    table.step()
    assert table.row(4) == ""


def test_cards_that_are_turned_up_are_shown_after_a_refusal_of_the_table_itself():
    """It is told at no seat, so nobody is still reading it."""
    table = Table()
    display = table.controller.display
    display.light(Event(0, OWN_VERB), 8)
    display.opened.append(card_number("6S"))
    table.parts.time.during(display.show_verdict, Event(1, OWN_VERB, card_number("6S")), 0)
    assert table.row(4) == "6♠"


def test_t13_a_card_that_left_while_the_game_waited_is_not_judged():
    """And one that was judged before is not judged again."""
    table = Table()
    table.come(3, "6S")
    table.step(5000)
    table.parts.readers.faulty = 1 << 4
    table.step()
    assert table.light(5) == FAULT and table.row(7) == "Silent reader 5"
    table.tap(5, "7S")
    table.parts.readers.faulty = 0
    table.step()
    table.step()
    assert table.journal() == ["1 draw 6S"]


def test_t13_a_reader_that_nobody_needs_stops_nothing():
    """It is named, though."""
    table = Table()
    table.parts.readers.faulty = 1
    table.step()
    table.tap(3, "6S")
    assert table.journal() == ["1 draw 6S"] and table.row(7) == "Silent reader 1" and table.light(1) == FAULT


def test_two_cards_at_once_are_red_and_not_judged():
    """Until one of them is gone; a refusal of the one that stays is still red."""
    table = Table()
    table.tap(5, "6S")
    table.come(3, "6S")
    table.parts.post(CROWDED, 3, "QQ")
    table.step(20_000)
    assert table.light(3) == REFUSED and table.row(4) == "1 One card at a time"
    table.parts.post(CLEARED, 3, "QQ")
    table.step()
    assert table.light(3) == REFUSED and table.row(4) == ""
    table.leave(3, "6S")
    assert table.light(3) == WAITED_FOR


def test_a_crowd_belongs_to_its_seat():
    """One bit a seat: until only one card lies there again the light is red, at the others nothing has changed."""
    table = Table()
    table.parts.post(CROWDED, 3, "QQ")
    table.step()
    assert table.controller.display.crowded == 2
    table.parts.post(CROWDED, 5, "QQ")
    table.parts.post(CLEARED, 3, "QQ")
    table.step()
    assert table.controller.display.crowded == 4 and table.light(5) == REFUSED


def test_a_light_fills_or_counts_as_the_game_says():
    """A handicap that runs and cards that a play lacks: so many eighths, so many blinks, at the place of that seat."""
    display = Table().controller.display
    game, amounts = display.session.game, display.lights.amounts
    kept = game.fill_light, game.count_missing
    game.fill_light = lambda state, seat, now_ms: 3 if seat == 1 else 0
    game.count_missing = lambda state, seat: 2 if seat == 2 else 0
    try:
        assert display.quiet_light(3, 1, 0) == FILLING and amounts[2] == 3
        assert display.quiet_light(5, 2, 0) == COUNTING and amounts[4] == 2
    finally:
        game.fill_light, game.count_missing = kept


def test_who_chooses_blinks_and_has_the_bottom_line():
    """The one that began first; a choice that nobody makes is dropped."""
    table = Table()
    table.press(5, MENU)
    table.press(3, MENU)
    table.press(3, MENU)
    assert table.light(3) == table.light(5) == CHOOSING and table.row(7) == "2 trump?"
    table.press(5, NO)
    assert table.row(7) == "1 lays?" and table.light(5) == WAITED_FOR
    table.step(30_000)
    assert table.row(7) == "" and table.light(3) == WAITED_FOR


def test_menu_that_is_held_steps_on():
    """The app asks the buttons for as long as a seat chooses."""
    table = Table()
    table.press(3, MENU)
    table.parts.buttons.held_ms = {4 * 2 + MENU: 600}
    table.step()
    table.step()
    assert table.row(7) == "1 lays?"
    table.parts.buttons.held_ms = {4 * 2 + MENU: 900}
    table.step()
    assert table.row(7) == "1 beats?"


def test_t13_menu_that_is_held_is_stuck_only_once_its_list_has_come_round():
    """T13: as docs/table.md tells players to hold it; one that goes on is stuck, and so is any other button."""
    table = Table()
    table.press(3, MENU)
    menu = 4 * 2 + MENU
    round_ms = 600 + 300 * len(table.controller.seats[0].choices)
    assert round_ms > 2500
    shown = []
    for held_ms in range(0, round_ms, 50):
        table.parts.buttons.held_ms = {menu: held_ms}
        table.parts.buttons.stuck = (held_ms > 1900) << menu
        table.step()
        assert not table.controller.waits_for_repair(), held_ms
        if table.row(7) not in shown:
            shown.append(table.row(7))
    assert len(shown) == len(table.controller.seats[0].choices) and table.row(7) == shown[0], "once around"
    table.parts.buttons.held_ms = {menu: round_ms}
    for _ in range(LOOKS):
        table.step()
    assert table.controller.waits_for_repair() and table.row(7) == "Stuck button 3 MENU"
    table.parts.buttons.held_ms = {menu: 1000, 4 * 2 + OK: 2000}
    table.parts.buttons.stuck = 1 << 4 * 2 + OK
    for _ in range(LOOKS):
        table.step()
    assert table.controller.waits_for_repair() and table.row(7) == "Stuck button 3 OK"


def test_a_beat_names_its_target_which_lies_open():
    """Two attack cards, and a trump that beats both."""
    table = Table()
    table.deal()
    table.tap(3, "6S")
    table.tap(3, "6H")
    table.tap(5, "9C")
    assert table.row(7) == "2 beats 6♠?"
    table.press(5, MENU)
    table.press(5, OK)
    assert table.journal()[-1] == "2 beat 9C 6H" and table.row(3) == "2 beats 6♥ with 9♣"


def test_t7_an_undo_is_asked_and_forgotten_on_the_screen():
    """The others are waited for; ten seconds later the game is."""
    table = Table()
    table.deal()
    table.tap(3, "6S")
    table.step(GREEN_MS)
    table.press(3, MENU)
    table.press(3, OK)
    assert (table.row(1) + " " + table.row(2)).strip() == "1 asks to undo: OK agrees"
    assert table.light(5) == WAITED_FOR
    table.step(9_990)
    assert table.row(1) == "1 asks to undo: OK"
    table.step(10)
    assert table.row(1) == "2 Boris: beat, or NO"
    table.press(5, OK)
    assert table.journal()[-2:] == ["1 undo", "2 done ! D16"]


def test_t7_an_undo_of_what_has_ended_the_game_is_asked_on_the_screen():
    """The seat that has to agree is waited for; ten seconds later the result stands there again."""
    for agrees in (True, False):
        table = Table()
        table.deal()
        table.tap(3, "6S")
        register = table.controller.session.state.register
        register[OUTCOME] = 3  # nobody lost
        table.press(3, MENU)
        table.press(3, OK)
        table.step(GREEN_MS)
        assert table.row(1) == "1 asks to undo: OK" and table.light(5) == WAITED_FOR
        if agrees:
            table.press(5, OK)
            assert table.journal()[-1] == "2 agree" and not register[OUTCOME]
            assert table.row(1) == "1 Anna: attack: lay a"
        else:
            table.step(CLOSE_MS - GREEN_MS)
            assert table.row(1) == "A draw: nobody is the" and table.light(5) == OFF


def test_t6_a_refusal_that_is_repeated_is_written_once():
    """The light is red again each time; the count comes when it is over."""
    table = Table()
    for _ in range(5):
        table.press(3, OK)
        assert table.light(3) == REFUSED
    assert table.journal() == ["1 done ! T3"] and len(table.parts.said) == 1
    table.step(1500)
    assert table.parts.journal.lines[-1] == "; 4 more of: 1 done"
    table.press(3, OK)
    assert table.journal()[-1] == "1 done ! T3"


def test_t7_the_game_is_closed_some_time_after_the_last_tap():
    """T14: what is tapped before that is refused and recorded; after it nothing is judged, and lights go on."""
    table = Table()
    table.deal()
    table.controller.session.state.register[OUTCOME] = 3  # nobody lost
    table.parts.time.during(table.controller.display.show_table)
    table.step(5000)
    table.tap(3, "6S")
    assert table.journal()[-1] == "1 attack 6S ! T14" and table.row(1) == "A draw: nobody is the"
    table.come(3, "6H")
    table.step(CLOSE_MS - 20)
    assert table.parts.journal.lines[-1].endswith("! T14")
    table.step(20)
    assert table.parts.journal.lines[-1] == "result: draw" and table.row(7) == "Game saved"
    assert not table.controller.rests(), "its text is still being made"
    table.step()
    table.step()
    assert table.controller.rests()
    assert table.light(3) == REFUSED
    table.leave(3, "6H")
    assert table.light(3) == OFF
    table.tap(3, "6D")
    table.press(3, OK)
    assert table.parts.journal.lines[-1] == "result: draw" and table.parts.said[-1] == "result: draw"


def test_t9_a_game_that_is_over_when_the_power_comes_back_is_closed():
    """T14: nobody has to tap first."""
    table = Table()
    table.controller.session.state.register[OUTCOME] = 3  # nobody lost
    table.step(CLOSE_MS)
    assert table.parts.journal.lines[-1] == "result: draw"


def test_t11_a_record_has_secrets_from_its_first_event_to_its_result():
    """T11: so long nobody reads it at the table."""
    table = Table()
    assert not table.controller.has_secrets()
    table.tap(3, "6S")
    assert table.controller.has_secrets()
    table.controller.session.state.register[OUTCOME] = 3
    table.step(CLOSE_MS)
    assert not table.controller.has_secrets()


def test_d16_who_may_throw_in_breathes_and_who_has_to_beat_shines():
    """D16: the defender's light is steady; the attacker, who may add a card, has a dim one that no sound announces."""
    table = Table("durak throw-in throw_order=free")
    table.deal()
    table.tap(3, "6S")
    table.step(GREEN_MS)
    assert (table.light(3), table.light(5)) == (MAY, WAITED_FOR)
    table.press(5, NO)
    table.step(GREEN_MS)
    assert (table.light(3), table.light(5)) == (WAITED_FOR, OFF), "nobody else is waited for: the prompt is for him"


def test_t3_the_deal_says_how_many_cards_are_left():
    """T3: of each seat alike, or from fewest to most."""
    table = Table()
    assert (table.row(1), table.row(2)) == ("tap each card you are", "dealt, 6 left")
    table.tap(3, "6S")
    assert table.row(2) == "dealt, 5-6 left"
    table.tap(5, "7S")
    assert table.row(2) == "dealt, 5 left"


def test_d45_a_game_that_is_closed_shows_the_standing():
    """D45: what each seat has lost in this match; a draw is nobody's."""
    table = Table()
    table.controller.header.match_game = 2
    table.controller.header.keys.append(("standing", "1 0"))
    table.deal()
    table.controller.session.state.register[OUTCOME] = 3  # nobody lost
    assert not table.remembered
    table.step(CLOSE_MS)
    table.step(CLOSE_MS)
    assert [table.row(row) for row in (4, 5, 6)] == ["Proof: ACDE FHJK MNPR", "Fool: Anna 1", ""]
    assert table.remembered == ["draw"]
    table.controller.header.seats = ["Alexandra", "Konstantinovich", "Evgenia"]
    table.controller.header.keys[-1] = ("standing", "1 0 2+1")
    table.controller.display.close("AAAA")
    assert [table.row(row) for row in (5, 6)] == ["Fool: Alexandr 1,", "Evgenia 2+1"]
    table.controller.header.keys[-1] = ("standing", "10+1 10+1 10+1")
    table.controller.display.close("AAAA")
    assert table.row(5) == "Fool: 10+1 10+1 10+1"
    table.controller.header.keys[-1] = ("standing", "0 0 0")
    table.controller.display.close("AAAA")
    assert table.row(5) == "Fool: 0 0 0"


def test_d39_a_game_that_is_closed_shows_who_went_out_when():
    """D39: the first line, which nobody needs any more; a game in which nobody went out keeps it."""
    table = Table()
    table.deal()
    state = table.controller.session.state
    state.register[OUTCOME] = 3
    kept = table.row(0)
    table.controller.display.close("AAAA")
    assert table.row(0) == kept
    for seat in (2, 1):
        state.register[_OUT_AT + seat - 1] = 3 - seat
    table.controller.display.close("AAAA")
    assert table.row(0) == "Out: Boris, Anna"
    table.controller.header.seats = ["Alexandra", "Konstantinovich"]
    table.controller.display.close("AAAA")
    assert table.row(0) == "Out: 2 1"


def over() -> Table:
    """A game that has ended in a draw, and is not closed yet."""
    table = Table()
    table.deal()
    table.controller.session.state.register[OUTCOME] = 3
    table.parts.time.during(table.controller.display.show_table)
    return table


def test_the_proof_of_a_closed_game_stays_when_its_cards_are_gathered():
    """Several lie on a reader then: that is no refusal, and no light shows one."""
    table = over()
    table.parts.post(CROWDED, 5, "QQ")
    table.step(CLOSE_MS)
    assert table.row(4) == "Proof: ACDE FHJK MNPR"
    for what, place in ((CLEARED, 5), (CROWDED, 3), (CLEARED, 3), (UNREAD, 3)):
        table.parts.post(what, place, "QQ")
        table.step()
        assert table.row(4) == "Proof: ACDE FHJK MNPR" and table.light(place) == OFF


def test_a_game_that_is_closed_asks_no_seat_to_choose():
    """MENU, pressed before, still offered a verb; but OK leaves the game now."""
    table = over()
    table.press(3, MENU)
    assert table.light(3) == CHOOSING and table.row(7).endswith("?")
    table.step(CLOSE_MS)
    assert table.light(3) == OFF and table.row(7) == "Game saved"


def test_t8_a_fault_after_the_game_is_over_writes_nothing_behind_its_result():
    """Clocks stand then. The pieces of the record may have gone already, and the flash would have been blamed."""
    table = Table("durak throw-in clock=30")
    table.deal()
    table.controller.session.state.register[OUTCOME] = 3
    table.step(CLOSE_MS)
    assert table.parts.journal.lines[-1] == "result: draw"
    for is_whole in (False, True):
        table.parts.buttons.chain_ok = is_whole
        table.step()
    assert table.parts.journal.lines[-1] == "result: draw"
