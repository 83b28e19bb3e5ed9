"""Bailiff, what the table shows, asks and takes for possible: status, lights, buttons, views, the arbiter's word."""

from cardtable.engine.event import DRAW, MENU_KEY, OWN_VERB, SHOWS_ALL, SHOWS_VERB
from cardtable.engine.hands import count_stock
from cardtable.engine.session import Session
from cardtable.engine.state import find_place, place_name
from cardtable.games import bailiff
from host_tools.base.random_play import Random, RandomGame, make_header
from tests.games.bailiff_table import deal
from tests.games.table_talk import Table

LAY, UNLAY, TAKE, DONE = [OWN_VERB + index for index in range(4)]
COLUMNS = 21  # of the screen


def status(table):
    return table.game.status(table.state)


def test_t11_every_seat_sees_how_many_cards_each_hand_has():
    """T11: the stock and the hand of each seat are counted, the last seat's too."""
    table = deal("", "6S 9S 9H TS", "6D 8S", "JS QS KS", stock="KH KC")
    for seat in range(4):
        assert list(table.game.view(table.state, seat)[table.game.CARDS :][:5]) == [2, 4, 2, 3, 0]


def test_b7_there_is_no_done_before_a_raise():
    """B7: who leads is told to lead, who answers to answer; with `raise_and_extend` before a raise just so."""
    for options in ("", "raise_and_extend=yes"):
        table = deal(options, "6S 9S", "7S 8S", stock=0)
        assert table.play("1 done") == "B7", options
        table.talk("1 lay 6S")
        assert table.play("2 done") == "B7.3", options


def test_t10_a_stock_that_is_dealt_out_lends_no_card():
    """T10, T4: with counted hands every card of six seats is in a hand; none can be put away as if from the stock."""
    table = Table("bailiff deal=counted", 6)
    assert table.play("0 place 6S discard") == "T10.3"


def test_numbers_are_those_of_the_engine():
    """The numbers that the compiler can fold are those of the engine."""
    table = Table("bailiff", 6)
    assert [find_place(table.game, "hand%d" % seat) for seat in range(1, 7)] == list(range(9, 15))
    assert find_place(table.game, "stock") == 1 and find_place(table.game, "hand7") == -1
    assert place_name(table.game, 0) == place_name(table.game, 200) == "nowhere"
    state = Session(bailiff, make_header("bailiff raise_and_extend=yes move_limit=7", 2)).state
    assert state.register[8] == 1 and state.register[10] == 7


def test_status_is_the_front_the_stack_the_stock_and_the_hands():
    """T11: one line from public facts."""
    table = deal("", "6S 9S 9H TS", "6D 8S", stock="KS KH")
    assert status(table) == "- 2: 4 2"
    table.talk("1 lay 6S / 2 lay 6D")
    assert status(table) == "6x2/2 2: 3 1"
    table.talk("1 lay 9S")
    assert status(table) == "6x2/3 2: 2 1"
    table.talk("1 lay 9H")
    assert status(table) == "9x2/4 2: 1 1"
    table.talk("2 take / 1 draw KS / 1 draw KH")
    assert status(table) == "-: 3 5"


def test_status_fits_the_screen():
    """T6: 21 columns, however the cards lie."""
    for seats in range(2, 7):
        for seed in range(3):
            play = RandomGame(bailiff, make_header("bailiff", seats), Random(seed))
            while play.events < 400 and play.step():
                text = bailiff.status(play.session.state)
                assert len(text) <= COLUMNS, text


def test_b11_the_stock_never_grows():
    """B11, T4: what was drawn, tapped or counted, stays drawn."""
    for deal_option in ("scanned", "counted"):
        for seed in range(4):
            play = RandomGame(bailiff, make_header("bailiff deal=" + deal_option, 2 + seed), Random(seed))
            stock = 36
            while play.events < 300 and play.step():
                left = count_stock(play.session.state)
                assert 0 <= left <= stock, play.events
                stock = left


def test_b5_how_many_cards_a_begun_raise_still_lacks():
    """B5: for the light of its seat alone."""
    table = deal("", "6S 9S", "6D 7S", "6C TH JS", "TS TD QS", stock=0)
    table.talk("1 lay 6S / 2 lay 6D / 3 lay 6C")
    for line, missing in (("", 0), ("4 lay TS", 2), ("4 lay TD", 1), ("4 unlay TS", 2), ("4 unlay TD", 0)):
        table.talk(line)
        assert [table.game.count_missing(table.state, seat) for seat in range(1, 5)] == [0, 0, 0, missing]


def meaning(table, seat, card):
    """What a tap means: the one packed event."""
    out = []
    table.game.meanings(table.state, seat, card, out)
    assert len(out) == 1 and out[0] & 255 == 0 and out[0] >> 8 & 255 == card
    return out[0] >> 16


def test_a_tap_means_one_thing():
    """T3, B5: a draw while cards are due; a card of the own begun raise goes back; any other is laid."""
    table = Table("bailiff", 2)
    assert meaning(table, 1, 4) == DRAW
    table = deal("", "6S 9S JS AS", "6H 8S", stock="KS")
    table.talk("1 lay 6S / 2 lay 6H / 1 lay 9S")
    nine, jack = 7, 9  # of spades
    assert meaning(table, 1, nine) == UNLAY and meaning(table, 2, nine) == LAY and meaning(table, 1, jack) == LAY
    table.talk("1 unlay 9S / 1 lay AS / = screen draw")
    assert meaning(table, 1, 11) == DRAW and meaning(table, 2, 11) == DRAW
    assert not table.game.offers_blindly(table.state)


def test_b7_b10_buttons():
    """B7, B10: OK says done, NO takes, CALL says nothing."""
    table = deal("", "6S 9S", "6D 7S", stock=0)
    assert [table.game.button(table.state, 1, key) for key in range(MENU_KEY)] == [DONE, TAKE, 0]


def test_t8_the_table_goes_on_for_a_seat():
    """T8: by take, or by done after a complete raise; nobody can lead or draw for a seat."""
    table = deal("raise_and_extend=yes", "6S 9S", "7S 7D 7H", stock="KS")
    assert table.game.move_on(table.state, 1) == 0 and table.game.move_on(table.state, 2) == 0
    table.talk("1 lay 6S")
    assert table.game.move_on(table.state, 1) == 0 and table.game.move_on(table.state, 2) == TAKE
    table.talk("2 lay 7S")
    assert table.game.move_on(table.state, 2) == DONE
    table.talk("2 done / 1 take")
    assert table.waits() == "2 draw" and table.game.move_on(table.state, 2) == 0


def test_t11_a_draw_is_shown_without_its_card():
    """T11: everything else lies open on the table."""
    table = Table("bailiff", 2)
    assert table.game.shows(table.state, DRAW) == SHOWS_VERB
    for verb in (LAY, UNLAY, TAKE, DONE):
        assert table.game.shows(table.state, verb) == SHOWS_ALL


def test_t11_a_view_holds_the_own_hand_and_the_table():
    """T11: stock, discard and other hands are all alike; a card that is exchanged there shows nowhere."""
    table = deal("", "6S 9S JS", "6H 8S", stock="KS KH")
    seen = [table.game.view(table.state, seat) for seat in range(3)]
    nine, king = 7, 11
    table.state.where[nine], table.state.where[king] = table.state.where[king], table.state.where[nine]
    again = [table.game.view(table.state, seat) for seat in range(3)]
    assert again[0] == seen[0] and again[1] != seen[1] and again[2] == seen[2]
    played = table.state.where.find(2)
    table.state.where[played], table.state.where[nine] = 1, 2
    assert table.game.view(table.state, 0) == seen[0]
    table.talk("1 lay 6S")
    assert table.game.view(table.state, 0) != seen[0]


def test_t10_the_arbiter_corrects_what_makes_sense():
    """T10: a card may lie where the game could go on with it."""
    table = deal("", "6S 9S 9H JS", "6H 8S", "7S 7H", stock=0)
    table.talk("""
        0 place 6S covered ! T10
        0 place 6S raise ! T10
        0 place 6S hand4 ! T10
        0 place 6S hand3
        0 place 6S hand1
        1 lay 6S / 2 lay 6H
        0 place 9S front ! T10
        3 lay 7S
        0 place 7H raise ! T10
        0 place 9S raise ! T10
        0 place 6S discard ! T10
        0 place 7S covered
        0 place 7S discard
        0 place 6H discard
    """)


def test_t10_somebody_has_to_go_on():
    """T10: the seat on turn has a card to lead, the seat that draws is due, and two are in."""
    table = deal("", "6S", "6H 8S", stock="KS KH")
    table.talk("0 place 6S discard ! T10 / 0 place 8S hand1 / 0 place 6S discard / 1 lay 8S / 2 take / = waits 1 draw")
    table.talk("0 place 8S front ! T10 / 0 place KS discard / 0 place KH discard ! T10")
    table = deal("", "6S 7S", "6H", "8S", stock=0)
    table.talk("1 lay 7S / 0 place 6H discard ! T10 / = waits 2 answer")
    table = deal("", "6S 7S", "6H", stock=0)
    table.talk("0 place 6H discard ! T10 / 0 place 6S discard / 0 place 7S discard ! T10")


def test_audit_names_what_cannot_be():
    """T10: each of its numbers."""
    table = deal("", "6S 9S JS", "6H 8S 7S", stock=0)
    assert table.game.audit(table.state) == 0
    six, seven, nine = 4, 5, 7  # of spades
    for changes, wrong in (
        ({six: 7}, 1), ({six: 8}, 1), ({six: 11}, 1), ({six: 16}, 1),
        ({six: 3}, 2), ({six: 4, nine: 4}, 2),
        ({six: 5}, 4), ({six: 4, nine: 5}, 4), ({seven: 4, six: 5}, 4),
    ):
        tried = Session(table.game, make_header("bailiff", 2)).state
        tried.copy(table.state)
        for card in sorted(changes):
            tried.where[card] = changes[card]
        assert table.game.audit(tried) & wrong, (changes, table.game.audit(tried))


def test_moves_of_who_is_not_on_turn():
    """B4: nothing."""
    table = deal("", "6S 9S JS", "6H 8S 7S", stock=0)
    table.talk("= moves 2 / = moves 1 lay 6S, lay 9S, lay JS / 1 lay 6S")
    table.talk("= moves 1 / = moves 2 lay 6H, lay 7S, lay 8S, take")
