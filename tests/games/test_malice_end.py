"""Malice, M15 and M16: the end, stakes, and the game that leads nowhere."""

from cardtable.engine.match import Match, next_header
from tests.games.malice_table import LEFT, deal, draw_all


def end(table, seat: int):
    """The seat draws what is due and ends its turn."""
    draw_all(table)
    table.talk("%d end" % seat)


def test_m15_the_first_to_empty_the_payoff_pile_wins():
    """M15: when its last card lies on the centre; no flip is due any more."""
    table = deal("9S2", "QH2", turned="KS QS", left="2 5", centre="12 3 0 0")
    table.talk("1 centre KS 1 / = result / = waits 1 flip / 1 flip 4S / 1 centre 4S 2 / = result winner 1 / = waits")


def test_m15_the_last_card_may_be_known():
    """M15, M2: equal cards that went back are cards of the pile."""
    table = deal("9S2", "QH2", turned="4S 3S", left="2 5", centre="3 0 0 0")
    table.talk("0 place 5S payoff1 / 0 place 6S payoff1 ! T10")
    table.talk("1 centre 4S 1 / 1 flip 6S ! T2 / 1 flip 5S / 1 centre 5S 1 / = result winner 1")


def test_m15_with_a_stake_the_loser_owes_for_every_card_left():
    """M15: the turned card counts as left."""
    table = deal("9S2", "QH2", options="stake=10", left="1 7", centre="12 0 0 0")
    table.talk("1 centre KS 1 / = result winner 1 owes 2 70")
    table = deal("9S2", "QH2", options="stake=10000", turned="QS KS", left="26 1", centre="12 0 0 0")
    draw_all(table)
    table.talk("2 centre KS 1 / = result winner 2 owes 1 260000")


def test_m15_undo_reopens_the_game():
    """T7, M15: the last card goes back."""
    table = deal("9S2", "QH2", left="1 7", centre="12 0 0 0")
    table.talk("1 centre KS 1 / 1 undo / 2 agree / = result / = lies turned1 KS / 1 centre KS 1 / = result winner 1")
    assert table.state.register[LEFT + 1] == 0


def test_m16_two_ends_without_stock_and_without_a_card():
    """M16: the one with fewer payoff cards wins, and is owed the difference."""
    table = deal("9S2", "QH2", options="stake=3", left="9 5", stock="")
    table.talk("1 end / = result / 2 end / = result winner 2 owes 1 12")


def test_m16_equal_is_a_draw():
    """M16: decided: nobody owes."""
    table = deal("9S2", "QH2", options="stake=3", left="5 5", stock="")
    table.talk("1 end / 2 end / = result draw")


def test_m16_without_a_stake_nothing_is_owed():
    """M16: only who has won."""
    table = deal("9S2", "QH2", left="4 5", stock="")
    table.talk("1 end / 2 end / = result winner 1")


def test_m16_a_laid_card_begins_the_count_anew():
    """M16: to the centre in a turn that then ends, or aside."""
    for play in ("1 centre AS2 1 / 1 end", "1 side 9S2 1"):
        table = deal("AS2 9S2", "QH2", left="4 5", stock="", centre="5 5 5 5" if "side" in play else "5 0 0 0")
        table.talk("0 place AS2 side2.1 / 0 place AS2 hand1")
        table.talk(play.replace("AS2 1", "AS2 2"))
        table.talk("2 end / = result / 1 end / = result winner 1")


def test_m16_the_stock_must_be_gone_at_both_ends():
    """M16: the first end, with a card in the stock, does not count; the second one, which drew it, is the first."""
    table = deal("9S2", "QH2 QD2 QC2 JC2", left="4 5", stock="3S2")
    table.talk("1 end / 2 draw 3S2 / 2 end / = result / 1 end / = result winner 1")


def test_m16_who_drew_the_last_card_and_laid_none_counts():
    """M16: the stock is gone at the end of that turn."""
    table = deal("9S2 9H2 9D2 9C2", "QH2 QD2 QC2", left="4 5", stock="3S2 4S2")
    table.talk("0 place 5S2 hand1")
    end(table, 1)
    table.talk("= result / 2 draw 3S2 / 2 draw 4S2 / 2 end / = result / 1 end / = result winner 1")


def test_m16_two_ends_in_which_nothing_happened_stock_or_not():
    """M16: nothing was laid and nothing drawn: both refusing at the very start is a draw."""
    table = deal("9S2 9H2 9D2 9C2 8S2", "QH2 QD2 QC2 QS2 JS2")
    table.talk("1 end / = result / 2 end / = result draw")


def test_m16_a_drawn_card_begins_that_count_anew():
    """M16: as long as there is a stock, who draws changes the position."""
    table = deal("9S2 9H2 9D2 9C2 8S2", "QH2 QD2 QC2 QS2", left="4 5")
    table.talk("1 end / 2 draw 3S2 / 2 end / = result / 1 end / = result / 2 end / = result winner 1")


def test_m16_full_hands_and_fewer_payoff_cards():
    """M16: the second case pays the difference as well."""
    table = deal("9S2 9H2 9D2 9C2 8S2", "QH2 QD2 QC2 QS2 JS2", options="stake=2", left="26 20")
    table.talk("1 end / 2 end / = result winner 2 owes 1 12")


def test_m15_a_match_counts_the_loser():
    """M15, M2: who lost is counted; who begins the next game only its cards can tell."""
    table = deal("9S2", "QH2", left="1 7", centre="12 0 0 0")
    table.talk("1 centre KS 1")
    match = Match()
    match.add(table.session)
    assert match.games == 1 and list(match.lost[1:3]) == [0, 1] and list(match.marks) == [0] * 8
    table = deal("9S2", "QH2", left="5 5", stock="")
    table.talk("1 end / 2 end")
    match.add(table.session)
    assert match.games == 2 and list(match.lost[1:3]) == [0, 1]


def test_m2_the_next_game_names_nobody_who_begins():
    """M2: no `first:` in its header."""
    from host_tools.base.random_play import make_header

    header = make_header("malice malice", 2)
    table = deal("9S2", "QH2", left="1 7", centre="12 0 0 0")
    table.talk("1 centre KS 1")
    following = next_header(table.session, header)
    assert following.first == 0 and following.dealer == 2 and following.match_game == 2
