"""Bailiff, who is out and who has lost: B12 and B13, and what docs/rules/bailiff.md says in Details."""

from tests.games.bailiff_table import deal, draw_all
from tests.games.table_talk import Table, refuse


def test_b12_the_last_seat_with_cards_loses():
    """B12 going out in mid-stack: as soon as one seat alone has cards it has lost, without playing on."""
    table = deal("", "6S", "7S 8S", stock=0)
    table.talk("1 lay 6S / = result loser 2 / = waits / 2 lay 7S ! T14 / 2 take ! T14")
    assert table.game.losers(table.state) == 4 and table.game.marks(table.state, 2) == 0
    table = deal("", "6S 9S", "7S", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / = result loser 1")
    table = deal("", "6S 9S", "AS", stock=0)
    table.talk("1 lay 6S / 2 lay AS / = result loser 1")


def test_b12_nobody_has_lost_before():
    """B12: while the game goes on there is no loser."""
    table = deal("", "6S 9S", "7S 8S", stock=0)
    table.talk("1 lay 6S / = result")
    assert table.game.losers(table.state) == 0 and not table.session.is_over()


def test_b12_there_is_no_draw():
    """B12: the last two cannot go out together."""
    table = deal("", "6S", "7S", stock=0)
    table.talk("1 lay 6S / = result loser 2")


def test_b12_going_out_in_mid_stack():
    """B12 going out in mid-stack: the front stays, and the next seat with cards must answer it."""
    table = deal("", "6S 9S", "7S", "8S 8H", "9H 9D", stock=0)
    table.talk("""
        1 lay 6S / 2 lay 7S
        = waits 3 answer
        = lies front 7S
        3 lay 8S / 4 lay 9H / 1 lay 9S
        = waits 3 answer
        3 take
        = waits 4 lead
        2 take ! B4
    """)


def test_b12_the_turn_passes_over_who_is_out():
    """B12: with the stock gone a seat without cards is out."""
    table = deal("", "6S 9S", "", "8S 8H", "", "9H 9D", stock=0)
    table.talk("1 lay 6S / 3 lay 8S / 5 take / = waits 1 lead / 1 lay 9S / = waits 3 answer / 3 take / = waits 5 lead")


def test_b12_if_it_was_to_lead_the_next_seat_leads():
    """B12, B9: it makes no difference who went out with an ace."""
    table = deal("", "AS", "", "8S 8H", "9H 9D", stock=0)
    table.talk("1 lay AS / = waits 3 lead / 3 lay 8S / = waits 4 answer / 4 take / = waits 3 lead")


def test_b12_a_raise_that_is_begun_keeps_its_seat_in():
    """B12: out when the turn is complete, not before: the hand is empty, and the cards may still come back."""
    table = deal("", "6S 9S", "6H 7S", "8S 8H", stock=0)
    table.talk("""
        1 lay 6S / 2 lay 6H
        3 lay 8S / 3 lay 8H
        = waits 1 answer
        1 take / 2 lay 7S
        = result loser 1
    """)
    table = deal("", "6S 9S", "6H 7S", "8S", stock=0)
    table.talk("1 lay 6S / 2 lay 6H / 3 lay 8S / = waits 3 raise / = result")
    assert table.game.is_in(table.state, 3)
    table.talk("3 undo / 1 agree / = waits 3 raise / 2 agree / = waits 3 answer / 3 lay 8S / = moves 3 take, unlay 8S")
    table.talk("3 take / = hand 3 6S 6H 8S / = waits 1 lead")


def test_b12_an_empty_hand_while_the_stock_lasts():
    """B12 empty hand while the stock lasts: it stays in, and can only take."""
    table = deal("", "6S 9S", "7S", "8S", stock="6D 7D 8D 9D TD JD QD KD")
    table.talk("""
        1 lay 6S / 2 lay 7S / 3 lay 8S / 1 lay 9S
        = waits 2 take
        = moves 2 take
        2 take
        = hand 2 6S 7S 8S 9S
        = waits 3 draw
    """)
    assert draw_all(table) == "3:6 1:2"
    table.talk("= waits 3 lead")


def test_b12_who_is_out_after_the_stock_was_drawn():
    """B12 going out in mid-stack: after the draws emptied the stock, seats without cards are out."""
    table = deal("", "6S 9S", "7S", "8S TS AS", stock="6D 7D")
    table.talk("1 lay 6S / 2 lay 7S / 3 lay AS / = waits 3 draw / 3 draw 6D / 3 draw 7D / = waits 3 lead")
    table.talk("3 lay 6D / = waits 1 answer / 1 take / = waits 3 lead")
    table = deal("", "6S", "7S", "8S TS AS", stock="6D 7D")
    table.talk("1 lay 6S / 2 lay 7S / 3 lay AS / 3 draw 6D / 3 draw 7D / = result loser 3")


def test_b13_the_limit_is_a_number():
    """B13: 1..255."""
    for text in ("0", "256", "off"):
        assert refuse("bailiff move_limit=" + text) == (
            "move_limit=%s: it takes a whole number from 1 to 255 (B13)" % text
        )
    assert not refuse("bailiff move_limit=1") and not refuse("bailiff move_limit=255")


def test_b13_usually_there_is_no_limit():
    """B13: default off: two seats can go on for as long as they like."""
    for limit in ("", "move_limit=255"):
        table = deal(limit, "6S 7S JS", "8S 9S TS", stock=0, first=2)
        for _ in range(42):
            table.talk("2 lay 8S / 1 lay JS / 2 take / 1 lay 6S / 2 lay JS / 1 take")
        table.talk("2 lay 8S / 1 lay JS / = result / 2 take / = result %s" % ("loser 2" if limit else ""))


def test_b13_the_game_ends_against_the_larger_hand():
    """B13: after N turns without a discard."""
    table = deal("move_limit=3", "6S 9S TS JS", "7S 8S", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / = result / 1 lay 9S / = result loser 1 / = waits / 2 take ! T14")
    table = deal("move_limit=3", "6S 9S TS", "7S 8S QS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 1 lay 9S / = result loser 2")


def test_b13_counted_are_completed_turns():
    """B13 when it counts: a lead, a raise however many cards it has, an extension, a take."""
    table = deal("move_limit=5", "6S 9S 9H 9D TS", "6H 7S 8S 8H", stock=0)
    table.talk("""
        1 lay 6S
        2 lay 6H
        1 lay 9S / 1 unlay 9S / 1 lay 9D / 1 lay 9H
        2 take
        = result
        1 lay TS
        = result loser 2
    """)
    table = deal("move_limit=3 raise_and_extend=yes", "6S 9S 9H", "7S 7D 8S 8H TS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 2 lay 7D / = result / 1 lay 9S / 1 lay 9H / = result loser 2")
    table = deal("move_limit=3 raise_and_extend=yes", "6S 9S 9H", "7S 7D 8S 8H TS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / = waits 2 more / 2 done / 1 lay 9S / = waits 1 more / 1 done / = result loser 2")


def test_b13_aces_reset():
    """B13: turns without a discard."""
    table = deal("move_limit=3", "6S 9S 9H TS JS", "AS 7S 8S 8H TH", stock=0)
    table.talk("1 lay 6S / 2 lay AS / 2 lay 7S / 1 lay 9S / = result / 2 lay TH / = result loser 1")


def test_b13_only_while_two_are_in():
    """B13 when it counts: from the moment the third seat went out; the turn with which it did is not counted."""
    table = deal("move_limit=2", "6S 9S 9H TS JS", "7S", "8S 8H TH", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 3 lay 8S / = result / 1 lay 9S / = result loser 1")
    table = deal("move_limit=2", "6S 9S 9H", "7S 7H", "8S 8H TH QS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 3 lay 8S / 1 lay 9S / 2 take / 3 lay 8H / 1 take / = result / = waits 2 lead")


def test_b13_stock_or_not():
    """B13 when it counts: with two seats from the first lead on, aces left or not, stock or not."""
    table = deal("move_limit=3", "6S 7S 8S 9S TS JS", "6H 7H 8H 9H TH JH")
    table.talk("1 lay 6S / 2 lay 7H / 1 take / = result loser 1 / = waits")


def test_b13_before_any_draw():
    """B13 when it counts: the game ends at once, and the take of that turn counts."""
    table = deal("move_limit=2", "6S 7S 8S 9S TS JS", "6H 7H", stock="KS KH KD")
    table.talk("1 lay 6S / 2 take / = result loser 1 / 1 draw KS ! T14")
    table = Table("bailiff deal=counted move_limit=2", 2)
    table.talk("1 lay 6S / 2 take / = result loser 2")
    assert table.game.status(table.state) == "- 24: 5 7"


def test_b13_the_stack_counts_for_nobody():
    """B13 when it counts: hands alone are compared."""
    table = deal("move_limit=4", "6S 7S 8S", "6H 7H 8H 9H", stock=0)
    table.talk("1 lay 6S / 2 lay 7H / 1 lay 8S / 2 lay 9H / = result loser 2")


def test_b13_going_out_comes_first():
    """B13 when it counts: B12 goes first."""
    table = deal("move_limit=3", "6S 7S 8S", "7H", stock=0)
    table.talk("1 lay 6S / 2 lay 7H / = result loser 1")
    table = deal("move_limit=2", "6S", "7H", "8S 9S", stock=0)
    table.talk("1 lay 6S / 2 lay 7H / = result loser 3")
    table = deal("move_limit=1", "6S 7S", "7H", stock=0)
    table.talk("1 lay 6S / = result loser 2")  # equal hands, and nobody has taken


def test_b13_equal_hands():
    """B13 when it counts: against the one that took last; if neither did, against the seat whose turn it would be."""
    table = deal("move_limit=2", "6S 7S", "7H 8H", stock=0)
    table.talk("1 lay 6S / 2 lay 7H / = result loser 1")  # neither ever took
    table = deal("move_limit=4", "6S 8S TS", "QS", stock=0)
    table.talk("1 lay 6S / 2 take / 1 lay 8S / 2 lay QS / = result loser 2")
    table = deal("move_limit=7", "6S 8S TS QS", "7S 9S JS", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / 1 take / 2 lay 9S / 1 lay TS / 2 take / 1 lay 8S / = result loser 2")


def test_b13_who_of_the_two_took_last():
    """B13 when it counts: of the two, also where another seat took after them and is out."""
    table = deal("move_limit=1", "6S 6H 9S", "7S 7H", "8S 8H", stock=0)
    table.talk("1 lay 6S / 2 take / 3 lay 8S / 1 take / 2 lay 6S / 3 take / 0 place 6S discard / 0 place 8H discard")
    table.talk("1 lay 6H / = hand 1 8S 9S / = hand 2 7H 7S / = result loser 1")


def test_t14_after_the_end_nothing_can_be_played():
    """T14: no move is left, for the seat that has cards neither."""
    deal("", "6S", "7S 8S", stock=0).talk("1 lay 6S / = result loser 2 / = moves 1 / = moves 2")
