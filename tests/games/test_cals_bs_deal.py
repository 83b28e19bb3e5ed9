"""Cal's BS, cards and deal: C1 to C3, C16, with deal=counted too (T4), and what docs/rules/cals_bs.md says of them."""

from tests.games.cals_bs_table import deal, lay
from tests.games.table_talk import Table, refuse

from cardtable.engine.deck import JOKER, RANK, card_name, card_number
from cardtable.engine.hands import count_hand
from cardtable.engine.state import OPTION, OWN, read_wide


def draw_all(table: Table):
    """Seats draw in turn whatever lies on top, each to its due number."""
    while table.cards("stock"):
        for seat in range(1, table.seats + 1):
            if "%d deal" % seat in table.waits().split(", "):
                table.talk("%d draw %s" % (seat, table.cards("stock")[0]))


def hands(table: Table) -> str:
    """How many cards each seat has."""
    return " ".join([str(count_hand(table.state, seat)) for seat in range(1, table.seats + 1)])


def test_options_and_own_registers_are_where_the_engine_has_them():
    """The numbers that the module repeats for the compiler: options from OPTION, the handicap among its own."""
    table = Table("cals-bs deck=five ask_seconds=7 handicap=2:1.5 handicap=3:4", 3)
    register = table.state.register
    assert register[OPTION] == 1 and register[OPTION + 2] == 7
    at = table.game.OPTIONS[2][2][2]
    assert at >= OWN and [read_wide(register, at + 2 * seat) for seat in (1, 2, 3)] == [0, 1500, 4000]


def test_c1_two_to_seven_seats():
    """C1: 3 to 7 seats, or two."""
    assert "2 to 7 seats" in refuse("cals-bs", 1) and "C1" in refuse("cals-bs", 8)
    for seats in range(2, 8):
        assert not refuse("cals-bs", seats)


def test_c1_52_cards_and_two_jokers():
    """C1: the default deck; no card of a second deck is in the game."""
    names = Table("cals-bs", 3).cards("stock")
    assert names == [card_name(card) for card in range(54)]
    assert Table("cals-bs deck=standard", 3).cards("stock") == names
    Table("cals-bs", 3).talk("1 draw XB2 ! T2 / 1 draw 7S2 ! T2 / 1 draw QQ ! T2")


def test_c16_five_of_each_rank_and_four_jokers():
    """C16: A to T of one deck, the spades of a second, four jokers, no pictures."""
    for game in ("cals-bs-54", "cals-bs deck=five", "cals-bs-plus deck=five"):
        names = Table("cals-bs " + game, 3).cards("stock")
        assert len(names) == 54 and [name for name in names if name[0] == "X"] == ["XB", "XR", "XB2", "XR2"]
        for rank in "23456789TA":
            assert [name[1:] for name in names if name[0] == rank] == ["S", "H", "D", "C", "S2"]
    Table("cals-bs deck=five", 3).talk("1 draw KS ! T2 / 1 draw JS2 ! T2 / 1 draw 7H2 ! T2 / 1 draw 7S2")


def test_c2_uneven_deal_begins_left_of_the_dealer():
    """Details, C2 uneven deal: the first (54 mod seats) seats from the dealer's left hold one more."""
    dealt = []
    for seats, dealer in ((3, 3), (4, 2), (5, 5), (6, 1), (7, 3)):
        table = Table("cals-bs", seats, dealer)
        draw_all(table)
        dealt.append(hands(table))
    assert dealt == ["18 18 18", "13 13 14 14", "11 11 11 11 10", "9 9 9 9 9 9", "8 7 7 8 8 8 8"]


def test_c2_t3_each_seat_until_its_due_number_and_nothing_else_before():
    """C2, T3: in any order, each exactly its number; no set, no staging, nothing said before all is dealt."""
    table = Table("cals-bs", 4, 2)
    for card in range(13):
        table.talk("1 draw " + card_name(card))
    table.talk("1 draw XB ! T3 / 2 draw 2S ! T2 / 3 lay 7S ! T3 / 1 lay 2S ! T3 / 1 unlay 2S ! T3 / 3 claim 7 ! T3")
    table.talk("3 fours ! T3 / 3 plus 1 ! T3 / 3 out ! T3 / 1 pass ! T3 / 1 doubt ! T3 / 3 ask ! T3 / 0 timeout ! C10")
    assert table.waits() == "2 deal, 3 deal, 4 deal"
    table.talk("= screen deal")
    draw_all(table)
    table.talk("= waits 3 lead / 4 draw 2S ! C2 / 1 draw XB ! C2")


def test_t3_undo_in_the_deal():
    """T3, T7: in the deal that seat's own last draw goes back; the draw that ends the deal can be taken back too."""
    table = Table("cals-bs", 3)
    table.talk("1 draw 7S / 2 draw 8S / 1 undo / 2 agree / 3 agree / = hand 1 / = hand 2 8S")
    draw_all(table)
    table.talk("3 undo / 1 agree / 2 agree / = waits 3 deal")
    draw_all(table)
    table.talk("= waits 1 lead")


def test_c2_the_deal_goes_clockwise_from_game_to_game():
    """C2, C3: the next dealer, and that nothing but the deal says who leads; C15: who counts as lost in a match."""
    table = deal("cals-bs", "7S", "8S 8H", None, "9S", dealer=4)
    assert table.game.next_dealer(table.state) == 1 and table.game.next_first(table.state) == 0
    assert table.game.losers(table.state) == 0
    lay(table, 1, "7S", "claim 7")
    assert table.game.losers(table.state) == 0b11100 and table.game.marks(table.state, 2) == 0
    table = deal("cals-bs", "7S", "8S 8H", None, dealer=2)
    assert table.game.next_dealer(table.state) == 3


def test_c3_the_seat_left_of_the_dealer_leads():
    """C3; a header that names who begins is heard."""
    deal("cals-bs", "7S 7H", "8S 8H", None, first=0, dealer=1).talk("= waits 2 lead / 3 claim 7 ! C4")
    deal("cals-bs", "7S 7H", "8S 8H", None, first=0, dealer=3).talk("= waits 1 lead")
    deal("cals-bs", "7S 7H", "8S 8H", None, first=3, dealer=3).talk("= waits 3 lead")


def test_set_ups_that_cannot_be():
    """C10, C11, C16 and the limits in table.md: an unknown value is an error of the set-up."""
    for words in ("deck=24", "deck=54", "ask_seconds=0", "ask_seconds=61", "handicap=1", "handicap=4:1",
                  "handicap=1:4.001", "handicap=1:-1", "handicap=1:1 handicap=1:2", "handicap=0:1", "plus=higher"):
        assert refuse("cals-bs " + words, 3), words
    for words in ("ask_seconds=1", "ask_seconds=60", "handicap=1:0 handicap=2:4.0 handicap=3:.5",
                  "cals-bs-54 deck=standard"):
        assert not refuse("cals-bs " + words, 3), words
    assert "cals-bs-plus" in refuse("cals-bs cals-bs-80", 3)


def test_t4_a_counted_deal_is_done_at_once():
    """T4: every seat holds its number, nobody taps the deal."""
    table = Table("cals-bs deal=counted", 4, 2)
    assert hands(table) == "13 13 14 14"
    table.talk("= waits 3 lead / 3 draw 7S ! T4 / 3 undo ! T7")


def test_t4_a_card_becomes_known_when_it_is_first_tapped():
    """T4: it is from the hand of the seat that taps it, and held to T1 from then on."""
    table = Table("cals-bs deal=counted", 3)
    table.talk("1 lay 7S / = lies staged1 7S / 2 lay 7S ! T2 / 2 unlay 7S ! T2 / 1 unlay 7S / = hand 1 7S")
    table.talk("2 lay 7S ! T2")
    assert hands(table) == "18 18 18"
    table.talk("1 lay 7S / 1 claim 7 / 1 lay 7S ! T2 / 2 doubt / = hand 2 7S / = waits 1 lead / 1 lay 7S ! T2")
    assert hands(table) == "17 19 18"


def test_t4_all_fours_are_checked_on_the_tapped_cards():
    """T4, C12: with hands that are only counted."""
    table = Table("cals-bs deal=counted", 3)
    lay(table, 1, "7S 7H 7D", "fours ! C12")
    lay(table, 1, "7C", "fours")
    table.talk("= lies set 7S 7H 7D 7C / 2 lay 7S ! T2")


def test_t4_no_more_cards_than_a_hand_has():
    """T4: when a seat has tapped as many cards as it was dealt, nothing else can be from its hand."""
    table = Table("cals-bs deal=counted", 7)
    names = table.cards("stock")
    for name in names[:8]:
        table.talk("1 lay " + name)
    table.talk("1 lay %s ! T2 / 2 lay %s" % (names[8], names[8]))


def test_t4_c9_going_out_with_counted_hands():
    """T4, C9, C15: a hand is empty when as many cards are laid as it had; false and true."""
    table = Table("cals-bs deal=counted", 7)
    names = [name for name in table.cards("stock") if name[0] not in "7X"]
    lay(table, 1, " ".join(names[:6]), "claim 2")
    pass_all_others(table, 1)
    table.talk("1 out")
    lay(table, 1, "7S 7H", "claim 7")
    assert table.result() == "winner 1 holds 2:8 3:8 4:8 5:8 6:7 7:7"
    table = Table("cals-bs deal=counted", 7)
    lay(table, 1, " ".join(names[:6]), "claim 2")
    pass_all_others(table, 1)
    lay(table, 1, "7S 8H", "claim 7")
    table.talk("= waits 2 lead / 0 abort / = result aborted")
    assert hands(table) == "8 8 8 8 8 7 7"


def pass_all_others(table: Table, leader: int):
    """All others pass, so that the leader leads again (C8)."""
    for seat in range(1, table.seats + 1):
        if seat != leader:
            table.talk("%d pass" % seat)


def test_ranks_and_jokers_of_the_second_deck():
    """C16: the fifth card of a rank is of that rank, the other jokers are jokers."""
    assert RANK[card_number("7S2")] == RANK[card_number("7H")] and RANK[card_number("XR2")] == JOKER
    table = deal("cals-bs-54", "7S 7S2 XB2 2S 2H", "8S 8H", None)
    lay(table, 1, "7S 7S2 XB2", "claim 7")
    table.talk("2 doubt / = waits 1 lead / = hand 2 7S 7S2 8S 8H XB2")
