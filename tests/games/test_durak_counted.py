"""Durak with deal=counted: nobody taps deal and draws, and the table counts (T4)."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import LEAD, NO_KEY, OK_KEY, find_verb
from cardtable.engine.hands import count_hand, count_stock
from cardtable.engine.state import UNSEEN, find_place
from tests.games.durak_table import deal
from tests.games.table_talk import Table


def counted(game: str = "throw-in", seats: int = 2, first: int = 1, turned: str = "6C") -> Table:
    """All is dealt, and the trump turned."""
    table = Table("durak " + game + " deal=counted", seats, first=first)
    if turned:
        table.talk("%d turn %s" % (seats, turned))
    return table


def check_hands(table: Table, *counts):
    """How many cards each seat holds, and at last the stock without the turned card."""
    found = [count_hand(table.state, seat) for seat in range(1, table.seats + 1)] + [count_stock(table.state)]
    assert found == list(counts), found


def test_t4_the_deal_is_implied_and_the_trump_is_tapped():
    """T4, D3: six cards each without a tap; the dealer's tap turns the trump."""
    table = counted(seats=3, turned="")
    check_hands(table, 6, 6, 6, 18)
    table.talk("""
        = waits 3 turn
        1 draw 6S ! T4
        1 turn 9D ! D3
        1 attack 6S ! D3
        3 turn 9D
        = lies turned 9D
        = waits 1 open
        1 draw 6S ! T4 / 3 turn 8D ! D3
    """)
    check_hands(table, 6, 6, 6, 17)


def test_t4_a_tap_in_the_deal_means_the_trump():
    """T4, D3: no tap can mean a draw, so it is the trump that is meant, and only the dealer's."""
    table = counted(turned="")
    for seat in (1, 2):
        meant = []
        table.game.meanings(table.state, seat, 7, meant)
        assert [row >> 16 for row in meant] == [16]
    table.talk("1 turn 9D ! D3")


def test_t4_a_card_becomes_known_when_it_is_first_tapped():
    """T4: it is then from the hand of the seat that tapped it."""
    table = counted()
    table.talk("""
        = hand 1
        1 attack 8S
        = lies attack1 8S
        2 beat 9S 8S
        1 attack 8H / 2 take
        1 done
        = hand 2 8S 9S 8H
    """)
    check_hands(table, 6, 8, 21)
    assert table.state.register[UNSEEN + 2] == 5


def test_t4_a_refused_tap_makes_nothing_known():
    """T6, T4: a refusal changes nothing, so the card may still be in any hand."""
    counted().talk("""
        1 attack 8S
        2 beat 7S 8S ! D7
        2 attack 7S ! D12
        2 take / 1 attack 8H / 1 done
        1 attack 7S
    """)


def test_t4_a_known_card_is_held_to_its_place():
    """T4, T1: what has been tapped is in one hand, on the table or in the discard, like any other card."""
    counted(seats=3).talk("""
        1 attack 8S / 2 take / 1 done / 3 done
        3 attack 8S ! T2
        3 attack 9S / 1 beat 8S 9S ! T2
        1 beat TS 9S / 3 done / 2 done
        1 attack TS ! T2 / 1 attack 6C ! T2
        = lies discard 9S TS
    """)


def test_t4_a_hand_without_unknown_cards():
    """T4: a card that nobody has seen is only from a hand that still has an unknown one."""
    table = counted("throw-in", 2)
    table.talk("0 place 8S hand1 / 0 place 8H hand1 / 0 place 8D hand1 / 0 place 9S hand1 / 0 place 9H hand1")
    check_hands(table, 6, 6, 23)
    table.talk("""
        0 place 9D hand1
        1 attack 7S ! T2
        1 attack 8S
        2 beat JS 8S
    """)
    check_hands(table, 5, 5, 23)


def test_t4_draws_are_implied():
    """T4, D24: hands are filled when it is due, and nobody is waited for."""
    table = counted(seats=3)
    table.talk("1 attack 8S / 2 beat 9S 8S / 1 attack 9D / 2 beat TD 9D")
    table.talk("1 done / 3 attack TC / 2 beat JC TC")
    check_hands(table, 4, 3, 5, 17)
    table.talk("3 done / 1 done / = waits 2 open")
    check_hands(table, 6, 6, 6, 11)


def short_stock(game: str, left: int) -> Table:
    """Three seats, and so many cards left beside the turned one."""
    table = counted(game, 3)
    names = table.cards("stock")
    for name in [name for name in names if name[0] not in "89"][: count_stock(table.state) - left]:
        table.talk("0 place %s discard" % name)
    check_hands(table, 6, 6, 6, left)
    return table


def test_t4_d24_d25_a_short_stock_in_order():
    """D24, D25: first come first served; the turned card is drawn last of all, and everybody knows who has it (D3)."""
    table = short_stock("throw-in", 1)
    table.talk("1 attack 8S / 2 beat 9S 8S / 1 attack 8H / 2 beat 9H 8H / 1 attack 8D / 2 beat 9D 8D / 1 done / 3 done")
    check_hands(table, 5, 3, 6, 0)
    table.talk("= hand 1 6C / = lies turned / = waits 2 open / 1 attack 6C ! D12")


def test_t4_d25_a_short_stock_shared_out():
    """D25: one card each in turn."""
    table = short_stock("throw-in short_stock=equal", 2)
    table.talk("1 attack 8S / 2 beat 9S 8S / 1 attack 8H / 2 beat 9H 8H / 1 attack 8D / 2 beat 9D 8D / 1 done / 3 done")
    check_hands(table, 5, 4, 6, 0)
    table.talk("= hand 1 6C")


def test_t4_d4_the_whole_deck_is_dealt():
    """D4: the dealer shows a card of the own hand; which one was dealt last is the players' to know."""
    table = Table("durak throw-in deal=counted", 6, first=1)
    check_hands(table, 6, 6, 6, 6, 6, 6, 0)
    table.talk("5 turn AC ! D3 / 6 turn AC / = hand 6 AC / = lies turned / = waits 1 open / 1 attack AC ! T2")
    check_hands(table, 6, 6, 6, 6, 6, 6, 0)


def test_t4_d5_who_leads_is_asked():
    """T4, D5: nobody's hand is known, so the players say who has the lowest trump."""
    table = counted(seats=3, first=0)
    table.talk("""
        = screen lead
        = waits 1 lead, 2 lead, 3 lead
        = moves 1
        1 attack 6S ! D5 / 1 done ! D5 / 1 turn 6S ! D3 / 2 draw 6S ! T4
        2 lead 2 ! T10 / 0 lead 4 ! T4
        0 lead 2
        = waits 2 open
        0 lead 3 ! T4
        2 attack 6S
    """)


def test_t4_d5_ok_says_that_one_leads():
    """T4: while it is asked who leads, OK is the answer of the seat that does; it is done (D16) again after."""
    table = counted(first=0)
    assert table.game.button(table.state, 1, OK_KEY) == LEAD != table.game.button(table.state, 1, NO_KEY)
    table.talk("0 lead 1")
    assert table.game.button(table.state, 1, OK_KEY) == find_verb(table.game, "done")


def test_t4_d5_not_asked():
    """T4, D6, D5: not before the trump is turned, not where the header says it, and not where hands are scanned."""
    counted(turned="", first=0).talk("0 lead 1 ! T4 / 2 turn 6C / 0 lead 1 / = waits 1 open")
    counted().talk("0 lead 1 ! T4 / = waits 1 open")
    deal("throw-in", "6S 6H", "7S 8H", stock=0).talk("0 lead 2 ! T4")


def test_t4_d11_without_a_trump_to_turn():
    """D11, T4: the game begins at once, or with the question who leads."""
    Table("durak japanese-diamonds deal=counted", 2, first=1).talk("= waits 1 open / 2 turn 6D ! D11 / 1 attack 6S")
    table = Table("durak japanese-diamonds deal=counted", 2)
    table.talk("= screen lead / 2 turn 6D ! D11 / 1 attack 6S ! D5 / 0 lead 2 / 2 attack 6S")


def test_t4_t7_an_undo_makes_a_card_unknown_again():
    """T7, T4: back is every byte: the tap of the undone event has shown nothing."""
    counted().talk("1 attack 8S / 1 undo / 2 agree / = hand 1 / = lies attack1 / 1 attack 9S / 2 beat TS 9S")
    counted(first=0).talk("0 lead 1 / 1 undo ! T7 / 2 undo ! T7")


def test_t4_t10_the_arbiter_puts_an_unknown_card():
    """T10, T4: into a hand it was one of its unknown cards; from nowhere else than the stock can it come otherwise."""
    table = counted("throw-in", 6, turned="")
    table.talk("6 turn AC / 0 place 8S hand2")
    check_hands(table, 6, 6, 6, 6, 6, 6, 0)
    table.talk("0 place 8H discard ! T10 / 0 place 8S hand3 / 0 place 8H stock / 3 attack 8S ! D12")
    check_hands(table, 6, 5, 7, 6, 6, 6, 0)


def test_t4_d42_unknown_cards_go_round():
    """D42, T4: the numbers go round with the hands."""
    table = counted("throw-in round=yes", 3)
    table.talk("1 attack 8S / 2 take / 1 done / 3 done / = hand 3 8S / = hand 2")
    check_hands(table, 6, 6, 7, 16)
    assert bytes(table.state.register[UNSEEN + 1 : UNSEEN + 4]) == b"\x06\x06\x06"
    table.talk("= waits 3 hands_then_open / 3 attack 8S")
    check_hands(table, 6, 6, 6, 16)


def test_t4_d44_a_caught_card_goes_back_known():
    """D44, T4: it has been tapped, so it is known."""
    table = counted("throw-in cheating=1")
    table.talk("1 attack 8S / 2 cheat / 2 beat 7H 8S / 1 catch 7H / = hand 2 7H / = lies cover1")
    check_hands(table, 5, 6, 23)


def test_t4_d26_d30_transferred_and_shown():
    """D26, D30, T4: what is laid or shown was in the hand."""
    table = counted("transfer shown_trump=yes first_transfer=yes", 3, turned="6S")
    table.talk("1 attack 8H / 2 transfer 8D / = lies attack2 8D / 3 show 8S / = hand 3 8S / 1 take / 3 done / 2 done")
    check_hands(table, 7, 6, 6, 16)
    table.talk("= hand 3 8S / 2 attack 8S ! T2")


def test_t4_d42_who_is_out_hands_nothing_on():
    """D42, T4: unknown cards pass over a seat without cards, and none is lost there."""
    table = Table("durak throw-in round=yes deal=counted", 3)
    for name in table.cards("stock")[5:]:
        table.session.put(table.state, card_number(name), find_place(table.game, "discard"))
    for seat, unseen in ((1, 3), (2, 0), (3, 2)):
        table.state.register[UNSEEN + seat] = unseen
    table.game.recount(table.state)
    table.game.pass_hands_on(table.state)
    assert [count_hand(table.state, seat) for seat in (1, 2, 3)] == [2, 0, 3]


def test_t4_d39_the_end():
    """D39, T4: a hand of no cards, known or not, is out once the stock is gone."""
    table = counted("throw-in", 2)
    for name in [name for name in table.cards("stock") if name[0] not in "89TJ"] + ["6C"]:
        table.talk("0 place %s discard" % name)
    check_hands(table, 6, 6, 4)
    table.talk("""
        1 attack 8S / 2 beat 9S 8S / 1 attack 8H / 2 beat 9H 8H / 1 attack 8D / 2 beat 9D 8D / 1 done
        = waits 2 open
    """)
    check_hands(table, 6, 4, 0)
    table.talk("2 attack TS / 1 beat JS TS / 2 attack TH / 1 beat JH TH / 2 attack TD / 1 beat JD TD / 2 attack JC")
    table.talk("= result / 1 take / = result fool 1")
