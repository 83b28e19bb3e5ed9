"""Malice for three and four: who begins, whose turn is next, who has won and what each owes (M1, M2, M12, M15, M16)."""

from cardtable.engine.state import OWN
from cardtable.table.words import Words, result_text
from tests.games.table_talk import Table

LEFT = OWN + 8  # + seat: what the game stores of the payoff piles


def dealt(seats: int, turned: str, options: str = "") -> Table:
    """The payoff cards are turned up, and every seat has five cards."""
    table = Table("malice malice " + options, seats)
    for seat, card in enumerate(turned.split(), 1):
        table.talk("%d flip %s" % (seat, card))
    for seat in range(1, seats + 1):
        for name in [name for name in table.cards("stock") if name[0] in "KQJT9"][:5]:
            table.talk("%d draw %s" % (seat, name))
    return table


def shrink(table: Table, left: str):
    """Let each payoff pile have so many cards, as after a long game; the others lie in the stock."""
    for seat, count in enumerate(left.split(), 1):
        while table.state.register[LEFT + seat] > int(count):
            name = table.cards("payoff")[-1]
            table.talk("0 place %s payoff%d / 0 place %s stock" % (name, seat, name))


def test_m2_the_first_deck_is_shared_equally():
    """M2: 26, 17 or 13 cards a seat; with three one card is out of the game, face down."""
    for seats, size in ((2, 26), (3, 17), (4, 13)):
        table = Table("malice", seats)
        assert table.game.status(table.state) == "---- 56: " + " ".join([str(size)] * seats)
        assert table.game.audit(table.state) == 0


def test_m2_those_who_share_the_highest_turn_again():
    """M2: the others' cards stay; then the highest of all that lie begins."""
    table = Table("malice", 3)
    table.talk("1 flip 7S / 2 flip 7H / 2 flip 8H ! M2 / 3 flip 5S / = waits 1 opening, 2 opening / = lies payoff2 7H")
    table.talk("3 flip 6S ! M2 / 1 flip 7H ! T2 / 1 flip 4S / 2 flip 3H / = waits 1 deal, 2 deal, 3 deal")
    table = dealt(4, "5S 5H 9S TS")
    assert table.waits() == "4 play"


def test_m12_turns_go_clockwise():
    """M12, M9, M6: each seat in turn, with side piles of its own; a hand is drawn up by its own seat alone."""
    table = dealt(3, "2S 3S 9S")
    mine = table.cards("hand3")[0]
    table.talk("1 side %s 1 ! M12 / 3 side %s 2 / = lies side3.2 %s / = waits 1 play" % (mine, mine, mine))
    table.talk("1 side %s 1 ! M9 / 1 draw %s ! M4 / 1 end / 2 end / = waits 3 draw" % (mine, table.cards("hand2")[0]))
    assert table.game.audit(table.state) == 0


def test_m15_each_loser_owes_for_its_own_cards():
    """M15: every other seat has lost, and owes for each card left."""
    table = dealt(4, "AS 3S 4S KS", "stake=10")
    shrink(table, "1 7 3 5")
    table.talk("4 end / 1 centre AS 1 / = result winner 1 owes 2 70 owes 3 30 owes 4 50")
    assert table.game.losers(table.state) == 0b11100
    assert [table.game.marks(table.state, seat) for seat in range(1, 5)] == [0, 70, 30, 50]
    told = result_text(Words("malice", "en"), ["Anna", "Boris", "Vera", "Gleb"], table.session.result())
    assert told == "Anna has won; Boris pays 70; Vera pays 30; Gleb pays 50"


def test_m16_all_seats_in_turn_end_without_a_card():
    """M16: an end of each seat, not of two; the fewest payoff cards win, and two with the fewest make a draw."""
    ends = (("9 5 7", "winner 2 owes 1 12 owes 3 6"), ("5 5 7", "draw"), ("6 7 5", "winner 3 owes 1 3 owes 2 6"))
    for left, result in ends:
        table = dealt(3, "2S 3S 9S", "stake=3")
        shrink(table, left)
        table.talk("3 end / 1 end / = result / 2 end / = result " + result)
    table = dealt(3, "2S 3S 9S")
    card = table.cards("hand1")[0]
    table.talk("3 end / 1 side %s 1 / 2 end / = waits 3 play / 3 end / 1 draw 8S2 / 1 end / = result" % card)


def test_t4_three_counted_hands():
    """T4, M3: with deal=counted all hands are there once the first turn is decided."""
    table = Table("malice malice deal=counted", 3)
    table.talk("1 flip 2S / 2 flip 3S / 3 flip 9S / = waits 3 play")
    table.talk("3 side KD2 1 / = lies side3.1 KD2 / = waits 1 play")
    assert table.game.audit(table.state) == 0


def test_t10_no_card_goes_to_a_seat_that_does_not_play():
    """T10, T1: places of seats that are not in the game."""
    table = dealt(3, "2S 3S 9S")
    card = table.cards("hand1")[0]
    table.talk("0 place %s side4.1 ! T10 / 0 place %s hand4 ! T10 / 0 place 5S payoff4 ! T10 / 0 place 5S turned4 ! T10"
               % (card, card))
    table.talk("0 place %s side3.4 / 0 place 5S payoff3" % card)
