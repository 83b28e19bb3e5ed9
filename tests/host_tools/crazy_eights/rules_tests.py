"""The rules of docs/rules/MODULE.md, each by its id, in the language of the record."""

from tests.games.table_talk import Table, refuse

DEAL = """
    1 draw 6S / 1 draw 9S / 1 draw 8H / 1 draw KD / 1 draw 2C
    2 draw 7S / 2 draw 6H / 2 draw 8D / 2 draw QD / 2 draw 3C
"""


def deal(line="crazy-eights"):
    """A game of two with its first card turned up; seat 1 is left of the dealer."""
    table = Table(line, 2)
    table.talk(DEAL + " / 2 turn TS")
    return table


def test_y1_two_to_seven_seats_with_five_cards_each():
    """Y1: one seat alone is refused when the game is set up; a seat draws no sixth card."""
    assert "Y1" in refuse("crazy-eights", 1)
    table = Table("crazy-eights", 2)
    table.talk("1 draw 6S / 1 lay 6S ! T3")
    table.talk("1 draw 9S / 1 draw 8H / 1 draw KD / 1 draw 2C / 1 draw 3C ! T3 / 2 draw 6S ! T2")


def test_y2_the_dealer_turns_up_the_first_card():
    """Y2: once, before anybody lays a card."""
    table = Table("crazy-eights", 2)
    table.talk(DEAL)
    table.talk("= waits 2 turn / 1 lay 9S ! Y2 / 1 turn TS ! Y2 / 2 turn 9S ! T2 / 2 turn TS / 2 turn 5S ! Y2")
    table.talk("= lies front TS / = waits 1 lay")


def test_y3_the_suit_or_the_rank_of_the_top_card():
    """Y3: in turn, clockwise."""
    table = deal()
    table.talk("2 lay 7S ! Y3 / 1 lay KD ! Y3 / 1 lay 7S ! T2 / 1 lay 6S / 2 lay QD ! Y3 / 2 lay 6H / = waits 1 lay")
    table.talk("= lies front 6H / = lies covered 6S TS")


def test_y4_an_eight_names_a_suit():
    """Y4: on any card; then the suit that was named follows, or another eight."""
    table = deal()
    table.talk("1 lay 8H ! Y4 / 1 eight 9S D ! Y4 / 1 eight 8H D / 2 lay 6H ! Y3 / 2 lay 3C ! Y3 / 2 lay QD")
    table = deal()
    table.talk("1 eight 8H C / 2 eight 8D S / 1 lay KD ! Y3 / 1 lay 9S")


def test_y5_one_card_may_be_taken():
    """Y5: then the seat lays or passes; the card is tapped before anything else happens."""
    table = deal()
    table.talk("1 pass ! Y5 / 1 draw 5S ! Y5 / 1 take / = waits 1 draw / 1 lay 6S ! Y5 / 2 draw 5S ! Y3 / 1 draw 5S")
    table.talk("= waits 1 pass / 1 take ! Y5 / 1 draw 4S ! Y5 / 1 pass / = waits 2 lay / 2 lay 7S")


def test_y5_t4_a_counted_card_is_in_the_hand_at_once():
    """Y5, T4: nothing is tapped, and the hand has a card more."""
    table = Table("crazy-eights deal=counted", 2)
    table.talk("2 turn TS / 1 take / = waits 1 pass / 1 draw 5S ! T4 / 1 pass / 2 lay 7S")
    assert table.game.status(table.state) == "7S 40: 6 4"


def test_y6_the_last_card_wins():
    """Y6: whoever has no cards."""
    table = deal()
    table.talk("1 lay 6S / 2 lay 6H / 1 eight 8H D / 2 lay QD / 1 lay KD / 2 eight 8D S / 1 lay 9S / 2 lay 7S")
    table.talk("1 take / 1 draw 2S / 1 lay 2S / 2 take / 2 draw 4H / 2 pass / 1 lay 2C / = result winner 1")


def test_y6_nobody_can_lay():
    """Y6: without a stock, when all have passed in a row, the fewest cards win."""
    table = deal("crazy-eights")
    table.talk("1 lay 6S")
    for card in range(table.game.CARDS):
        if table.state.where[card] == 1:
            table.game.put(table.state, card, 16)
    table.talk("2 take ! Y5 / 2 pass / = waits 1 pass / 1 pass / = result winner 1")
