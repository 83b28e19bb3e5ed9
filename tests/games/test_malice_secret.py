"""Malice, M17: what is face down is in nothing that leaves the table; what a tap, a button and a hint mean."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import DRAW, MENU_KEY, SHOWS_ALL, SHOWS_VERB, unpack
from tests.games.malice_table import deal, draw_all
from tests.games.table_talk import Table

FLIP, CENTRE, SIDE, END = 16, 17, 18, 19


def meant(table: Table, seat: int, name: str) -> str:
    """What a tap of that card can mean, in order: `centre1 centre2 side1`."""
    found = []
    table.game.meanings(table.state, seat, card_number(name), found)
    assert [packed >> 8 & 255 for packed in found] == [card_number(name)] * len(found)
    names = {DRAW: "draw", FLIP: "flip", CENTRE: "centre", SIDE: "side"}
    return " ".join([names[packed >> 16] + (str(packed & 255) if packed & 255 else "") for packed in found])


CENTRES = "centre1 centre2 centre3 centre4"
SIDES = "side1 side2 side3 side4"


def test_m17_a_draw_is_shown_without_its_card():
    """M17: whatever else is done lies open."""
    table = deal("9S2", "QH2")
    assert table.game.shows(table.state, DRAW) == SHOWS_VERB
    assert [table.game.shows(table.state, verb) for verb in (FLIP, CENTRE, SIDE, END)] == [SHOWS_ALL] * 4


def test_m17_hands_stock_and_unturned_payoff_cards_look_alike():
    """M17: to the public and to the other seat; the seat itself sees its own hand."""
    tables = [deal(hand, "QH2") for hand in ("9S2 AH2", "7S2 XB")]
    views = [[table.game.view(table.state, seat) for seat in range(3)] for table in tables]
    assert views[0][0] == views[1][0] and views[0][2] == views[1][2]
    assert views[0][1] != views[1][1]
    for table in tables:
        table.talk("1 flip 9C ! M7")
    assert tables[0].game.status(tables[0].state) == tables[1].game.status(tables[1].state)


def test_m17_hands_and_stock_are_counted():
    """M1, M17: how many cards each hand and the stock have."""
    table = deal("9S2 8S2 7S2", "8H2")
    in_stock = int(table.game.status(table.state).split(":")[0].split()[-1])
    for seat in range(3):
        assert list(table.game.view(table.state, seat)[table.game.CARDS :][:5]) == [3, 1, 0, 0, in_stock]


def test_m17_what_all_have_seen_is_in_the_view():
    """M2, M17: a card that went back into a payoff pile is known to be there."""
    views = []
    for flips in ("1 flip 7S / 2 flip 7H", "1 flip 7C / 2 flip 7H", "1 flip 7S / 2 flip 7H"):
        table = Table("malice", 2)
        table.talk(flips)
        views.append(table.game.view(table.state, 0))
    assert views[0] == views[2] != views[1]


def test_m17_whom_the_table_waits_for_tells_no_ace():
    """M8, M17: the same with an ace in the hand and without."""
    for hand in ("9S2 AH2", "9S2 7H2"):
        table = deal(hand, "QH2")
        table.talk("= waits 1 play")
        assert table.game.hint(table.state) == 0


def test_m17_hints_speak_of_face_up_cards():
    """M8, M17: a two on the payoff pile or on top of an own side pile; none for the hand, none for a covered one."""
    for turned, sides, hint in (
        ("2S AS", "", 1), ("KS AS", "1.1 9C2 2C2", 1), ("KS AS", "1.1 2C2 9C2", 0), ("KS AS", "2.1 2C2", 0),
        ("KS 2S", "", 0), ("KS AS", "1.4 2C2", 1),
    ):  # fmt: skip
        table = deal("2H2 9S2", "2D2", turned=turned, centre="3 1 0 0", sides=sides)
        assert table.game.hint(table.state) == hint, (turned, sides)


def test_m8_no_hint_where_no_two_can_go():
    """M8: no pile with an ace on top, no turn to play in, or the one card is spent."""
    table = deal("9S2", "QH2", turned="2S AS", centre="2 0 0 0")
    assert table.game.hint(table.state) == 0
    table = deal("9S2 2H2", "QH2", turned="KS AS", centre="1 1 0 0", sides="1.1 2C2", options="centre_cards=one")
    assert table.game.hint(table.state) == 1
    table.talk("1 centre 2H2 1")
    assert table.game.hint(table.state) == 0
    table.talk("1 side 9S2 2 / = waits 2 draw")
    assert table.game.hint(table.state) == 0
    assert Table("malice", 2).game.hint(Table("malice", 2).state) == 0


def test_m13_a_hint_takes_a_joker_for_an_ace():
    """M13: it lies there as one."""
    table = deal("XB", "QH2", turned="2S AS")
    table.talk("1 centre XB 3")
    assert table.game.hint(table.state) == table.game.HINT_TWO_ON_ACE


def test_a_tap_of_a_card_of_the_hand_means_eight_places():
    """M6, M9: the centre first where the card follows there, else the side piles."""
    table = deal("4S2 9S2 XB", "QH2", centre="3 0 0 3")
    assert meant(table, 1, "4S2") == CENTRES + " " + SIDES
    assert meant(table, 1, "XB") == CENTRES + " " + SIDES
    assert meant(table, 1, "9S2") == SIDES + " " + CENTRES
    for centre in ("3 0 0 0", "0 0 0 3"):
        assert meant(deal("4S2", "QH2", centre=centre), 1, "4S2") == CENTRES + " " + SIDES


def test_a_tap_of_a_payoff_card_or_a_side_top_means_the_centre():
    """M6, M7, M11: it goes nowhere else."""
    table = deal("9S2", "QH2", sides="1.1 8C2, 2.1 8H2")
    for name in ("KS", "8C2", "8H2", "QS"):
        assert meant(table, 1, name) == CENTRES


def test_a_tap_of_what_is_face_down_means_a_flip_or_a_draw():
    """M2, M7, T3: what it is can be known from where it lies; the other seat's hand looks like the stock (M17)."""
    table = Table("malice", 2)
    assert meant(table, 1, "KS") == meant(table, 2, "3C") == "flip"
    assert meant(table, 1, "XB") == "draw"
    table = deal("9S2", "QH2")
    assert meant(table, 1, "QH2") == meant(table, 1, "3C2") == "draw"
    table.talk("0 place 4S payoff1")
    assert meant(table, 1, "4S") == meant(table, 1, "3C") == "flip"


def test_m8_a_forced_ace_is_explained_when_a_side_pile_is_refused():
    """M8, M17: the tap of a card that can go nowhere says so; the tap of the ace offers the centre."""
    table = deal("9S2 AH2", "QH2", centre="3 3 0 0")
    assert first_legal(table, "9S2") == "M8"
    assert first_legal(table, "AH2") == "centre3"
    table.talk("1 centre AH2 3")
    assert first_legal(table, "9S2") == "side1"


def first_legal(table: Table, name: str) -> str:
    """What the seats' interface offers first for a tap of seat 1; else the rule under which the tap is refused."""
    found = []
    table.game.meanings(table.state, 1, card_number(name), found)
    for packed in found:
        unpack(packed, 1, 0, table.event)
        if not table.session.judge(table.event):
            return {CENTRE: "centre", SIDE: "side"}[packed >> 16] + str(packed & 255)
    unpack(found[0], 1, 0, table.event)
    return "M%d" % (table.session.judge(table.event) >> 3)


def test_m12_ok_ends_the_turn_and_the_other_keys_say_nothing():
    """M12: one press."""
    table = deal("9S2", "QH2")
    assert [table.game.button(table.state, 1, key) for key in range(MENU_KEY)] == [END, 0, 0]
    assert not table.game.offers_blindly(table.state)


def test_t8_a_seat_whose_time_is_over_ends_its_turn():
    """T8, M12: unless a draw or a flip is due; whether an ace is in the hand changes nothing (M17)."""
    for hand in ("9S2 8S2", "AH2 8S2"):
        table = deal(hand, "QH2", centre="12 0 0 0")
        game = table.game
        assert game.move_on(table.state, 1) == END and game.move_on(table.state, 2) == 0
        table.talk("1 centre KS 1")
        assert game.move_on(table.state, 1) == 0
        table.talk("1 flip 9C")
        assert game.move_on(table.state, 1) == END
    assert game.move_on(Table("malice", 2).state, 1) == 0


def test_t8_m12_m17_where_a_turn_ends_on_a_side_pile_nobody_is_told_whether_a_card_fits():
    """The table named `end`, which M12 refused. With an empty hand, or one it does not know (T4), it stands."""
    sides = "1.1 2C2, 1.2 2D2, 1.3 2H2, 1.4 2S2"
    for options, hand, verb in (("", "9S2", END), ("turn_end=side", "9S2", 0), ("turn_end=side", "", END)):
        table = deal(hand, "QH2", options=options, centre="5 5 5 5", sides=sides, stock="")
        assert table.game.move_on(table.state, 1) == verb
    table = Table("malice kings-wild deal=counted", 2)
    table.talk("1 flip KS / 2 flip QS")
    assert table.game.move_on(table.state, 1) == END
    table.talk("1 end")


def test_m5_m9_a_verb_of_the_menu_offers_the_four_piles():
    """M5, M9: whatever lies there."""
    table = deal("9S2", "QH2")
    for verb in (CENTRE, SIDE):
        offered = []
        table.game.choices(table.state, 1, verb, offered)
        assert offered == [1, 2, 3, 4]


def test_m1_the_status_line():
    """Centre tops, the stock, both payoff piles, in the 21 characters of the screen."""
    table = deal("9S2", "QH2", centre="1 0 12 10", left="26 7")
    text = table.game.status(table.state)
    assert text == "A-QT %d: 26 7" % len(table.cards("stock")) and len(text) <= 21
    assert table.game.status(Table("malice", 2).state) == "---- 56: 26 26"


def test_m12_what_the_table_waits_for():
    """M2-M4, M7: turn, deal, draw, turn the next, play; after the end nothing."""
    table = deal("9S2", "QH2", left="2 5", centre="12 3 0 0")
    table.talk("= screen play / 1 centre KS 1 / = screen flip / 1 flip 4S / 1 side 9S2 1 / = screen draw")
    draw_all(table)
    table.talk("= screen play / 2 side QH2 1")
    draw_all(table)
    table.talk("1 centre 4S 2 / = screen over / = waits")
