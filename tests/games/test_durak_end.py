"""Durak, how a game ends, epaulettes, the round game, a match: D39 to D42, D45, and the page's Details about them."""

from tests.games.durak_table import deal, draw_all
from tests.games.table_talk import refuse

from cardtable.engine.state import MATCH_GAME


def late(game: str, *hands, trump: str = "9D", first: int = 1, stock=0):
    """A table without stock."""
    return deal(game, *hands, trump=trump, first=first, stock=stock)


def test_d39_the_last_seat_with_cards_is_the_fool():
    """D39: a hand without cards is out; the last seat with cards is the fool. (durak:7, 162, 246)"""
    table = late("throw-in", "6S", "7S", "TS JS")
    table.talk("1 attack 6S / 2 beat 7S 6S / = result fool 3 / = waits")
    table = late("throw-in", "6S 8S", "7H")
    table.talk("""
        1 attack 6S / = result / 2 take / = result / = waits 1 open / 1 attack 8S / 2 take
        = result fool 2
    """)


def test_d39_with_stock_left_nobody_is_out():
    """D39: an empty hand fills up again while there is stock. (durak:210)"""
    table = late("throw-in", "6S", "7S", stock="AC AH")
    table.talk("1 attack 6S / 2 beat 7S 6S / = result / 1 draw AC / 1 draw AH / = result fool 1")


def test_d39_the_end_is_decided_when_the_bout_is_over():
    """D39 (decided): the last defender still has to beat or take; an attacker without cards keeps its role."""
    table = late("throw-in", "6S", "7S 8H")
    table.talk("1 attack 6S / = result / = waits 2 beat / 2 beat 7S 6S / = result fool 2")
    table = late("throw-in", "6S", "7S", "6H KS")
    table.talk("1 attack 6S / 2 beat 7S 6S / = result fool 3")


def test_d39_out_is_at_once_for_who_comes_next():
    """D39 (decided): the moment its hand is empty a seat is passed over for a transfer."""
    table = late("transfer first_transfer=yes throw_order=free", "6S 7S", "6H 8S", "6C", "KS QS TS JS")
    table.talk("1 attack 6S / 3 attack 6C / 2 transfer 6H / = waits 1 throw, 2 throw, 4 beat")


def test_d40_a_draw():
    """D40: attacker and defender run out in the same bout and nobody else has cards. (durak:248)"""
    late("throw-in", "6S", "7S").talk("1 attack 6S / 2 beat 7S 6S / = result draw")
    late("simple", "6S 6H", "7S 7H", "", first=1).talk("""
        1 attack 6S / 1 attack 6H / 2 beat 7S 6S / 2 beat 7H 6H / = result draw
    """)


def test_d40_whenever_a_bout_ends_and_nobody_has_cards():
    """D40 (decided): throwers who ran out in the same bout too."""
    table = late("throw-in", "6S", "7S 8H", "7H")
    table.talk("1 attack 6S / 2 beat 7S 6S / 3 attack 7H / 2 beat 8H 7H / = result draw")


LACE = "throw-in epaulettes=yes"


def test_d41_the_result_names_the_sixes():
    """D41: everything in the attack that the fool takes last is sixes. (durak:1, 143-145)"""
    table = late(LACE, "6S 6H", "7S 8H")
    table.talk("1 attack 6S / 1 attack 6H / 2 take / = result fool 2 epaulettes 2")
    late(LACE, "6S", "7H 8H").talk("1 attack 6S / 2 take / = result fool 2 epaulettes 1")


def test_d41_only_if_all_attack_cards_are_sixes():
    """D41 (decided): beaten ones and those thrown in after take too; beating cards do not count."""
    late(LACE, "7S 7H", "8S 8H").talk("1 attack 7S / 1 attack 7H / 2 take / = result fool 2")
    table = late(LACE, "6S 7H", "7S 8D KH")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7H / 2 take / = result fool 2")
    table = late(LACE, "6S 6H", "7S 8D KH")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 6H / 2 take / = result fool 2 epaulettes 2")
    table = late(LACE, "6S 6H", "7S 8D KH")
    table.talk("1 attack 6S / 2 take / 1 attack 6H / = result fool 2 epaulettes 2")


def test_d41_only_a_take():
    """D41 (decided): only if the game ended by the fool's take, not by a fool who attacked or beat."""
    table = late(LACE, "6S", "7S 8H")
    table.talk("1 attack 6S / 2 beat 7S 6S / = result fool 2")
    table = late(LACE, "6S 6H KH", "7S 7H")
    table.talk("1 attack 6S / 1 attack 6H / 2 beat 7S 6S / 2 beat 7H 6H / = result fool 1")


def test_d41_sixes_of_an_earlier_bout_do_not_count():
    """D41: the last move. (durak:143)"""
    table = late(LACE, "6S 8S", "7H KH")
    table.talk("1 attack 6S / 2 take / 1 done / 1 attack 8S / 2 take / = result fool 2")


def test_d41_without_the_option_nothing_is_named():
    """D41: epaulettes=no, the default."""
    late("throw-in", "6S", "7H 8H").talk("1 attack 6S / 2 take / = result fool 2")


def test_d41_with_twos_in_the_deck_still_sixes():
    """D41: with deck=52 sixes, not twos."""
    late(LACE + " deck=52", "2S", "7H 8H").talk("1 attack 2S / 2 take / = result fool 2")
    late(LACE + " deck=52", "6S", "7H 8H").talk("1 attack 6S / 2 take / = result fool 2 epaulettes 1")


def test_d41_transferred_sixes():
    """D41: all attack cards, from any seat."""
    table = late("transfer first_transfer=yes epaulettes=yes", "6S", "6H", "7H 8H")
    table.talk("1 attack 6S / 2 transfer 6H / 3 take / = result fool 3 epaulettes 2")


def test_d42_hands_move_one_seat_clockwise():
    """D42: after every bout all hands move one seat clockwise; roles stay with the seats. (durak:131)"""
    table = late("throw-in round=yes", "6S KH", "7S 8H", "TS JS")
    table.talk("""
        1 attack 6S
        2 beat 7S 6S
        1 done
        3 done
        = hand 1 TS JS
        = hand 2 KH
        = hand 3 8H
        = waits 2 hands_then_open
        2 attack KH
        3 take
        = result
        = hand 3 TS JS
        = hand 1 8H KH
        = waits 1 hands_then_open
    """)


def test_d42_after_the_last_draw():
    """D42: after the drawing; who draws, draws for the hand it then gives away. (decided)"""
    table = deal(
        "throw-in round=yes", "6S KS QS JS TS 9S", "7S KH QH JH TH 9H", "8C 9C TC JC QC KC", trump="9D", first=1
    )
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / 1 done / 3 done / 1 draw AS / = hand 1 9S AS JS KS QS TS
        2 draw AH
    """)
    table.talk("""
        = hand 2 9S AS JS KS QS TS
        = hand 3 9H AH JH KH QH TH
        = hand 1 8C 9C TC JC QC KC
        = waits 2 hands_then_open
    """)


def test_d42_seats_that_are_out_are_passed_over():
    """D42 (decided): the seats with cards each pass their hand to the next such seat."""
    table = late("throw-in round=yes", "6S KH", "7S", "TS JS", "QC KC")
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / = hand 1 QC KC / = hand 2 / = hand 3 KH / = hand 4 JS TS
        = waits 3 hands_then_open
    """)


def test_d42_not_at_the_games_end():
    """D42 (decided): the fool keeps its cards."""
    table = late("throw-in round=yes", "6S", "7S 8H")
    table.talk("1 attack 6S / 2 take / = result fool 2 / = hand 2 6S 7S 8H")


def test_d42_not_with_teams():
    """D42: not with teams. (decided)"""
    assert "D42" in refuse("durak throw-in teams=2x2 round=yes", 4)


def test_d42_without_the_option_hands_stay():
    """D42: round=no, the default."""
    table = late("throw-in", "6S KH", "7S 8H", "TS JS")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 done / 3 done / = hand 1 KH / = hand 2 8H / = hand 3 TS JS")


def test_d45_a_result_names_what_a_match_counts():
    """D45: a match counts fools and epaulettes per seat: each result names the seat, and how many."""
    for seats in (2, 3, 4):
        hands = ["6S"] + ["7H 8H"] + [""] * (seats - 2)
        table = late(LACE, *hands)
        table.talk("1 attack 6S / 2 take / = result fool 2 epaulettes 1")
        assert table.state.register[MATCH_GAME] == 2


def test_d24_d39_the_last_cards_of_the_stock():
    """D24, D39: the turned card goes to the seat that is due; from then on an empty hand is out. (durak:49)"""
    table = late("throw-in", "6S KH", "7S 8H", "TS JS", stock="9D")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 done / 3 done / = waits 1 draw")
    assert draw_all(table) == "1:1"
    table.talk("= hand 1 9D KH / = waits 2 open / 2 attack 8H / 3 take / 1 done / = waits 1 open")


def test_d6_d39_the_order_of_going_out():
    """D6, D39: next_lead=winner: who was out first, by the events and not by the order of drawing."""
    table = late("throw-in next_lead=winner", "6S 6D", "7S 7H 8S", "6H")
    table.talk("1 attack 6S / 1 done / 3 attack 6H / 1 attack 6D / 2 take / = result fool 2")
    assert table.game.next_first(table.state) == 3
    table = late("throw-in next_lead=winner", "6S", "7S 7H 8S", "6H 6D")
    table.talk("1 attack 6S / 3 attack 6H / 3 attack 6D / 2 take / = result fool 2")
    assert table.game.next_first(table.state) == 1
    table = late("throw-in next_lead=winner", "6S", "7S", "TS JS")
    table.talk("1 attack 6S / 2 beat 7S 6S / = result fool 3")
    assert table.game.next_first(table.state) == 1


def test_d6_d39_one_event_makes_several_out():
    """D39: of seats that one event makes out the attacker comes first, then clockwise, the defender last."""
    table = late("throw-in next_lead=winner", "6S", "7S", "TS JS", stock="AC", first=1)
    table.talk("1 attack 6S / 2 beat 7S 6S / = waits 1 draw / 1 draw AC / = waits 3 open")
    assert table.game.first_out(table.state) == 2
    table = late("throw-in next_lead=winner", "TS JS 8S 8H 8C", "6S", "7S", stock="AC", first=2)
    table.talk("2 attack 6S / 3 beat 7S 6S / 2 draw AC / = waits 1 open")
    assert table.game.first_out(table.state) == 3


def test_d39_who_gets_cards_back_is_in_again():
    """D39, D21: a defender who laid the last card and takes is the last to go out, not the first."""
    table = late("throw-in next_lead=winner", "6S 7H 8C", "7S", "9S TS")
    table.talk("1 attack 6S / 2 beat 7S 6S / = waits 3 open")
    assert table.game.first_out(table.state) == 2
    table = late("throw-in next_lead=winner cheating=1", "6S 7H 8C", "7S", "9S TS")
    table.talk("1 attack 6S / 2 beat 7S 6S")
    assert table.game.first_out(table.state) == 2
    table.talk("2 take")
    assert table.game.first_out(table.state) == 0
