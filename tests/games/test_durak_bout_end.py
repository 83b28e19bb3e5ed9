"""Durak, how a bout ends and hands are filled: D20, D21, D23 to D25, and docs/rules/durak.md's Details about them."""

from tests.games.durak_table import deal, draw_all


def test_d20_beaten_cards_go_to_the_discard():
    """D20: the defender beats all: the bout's cards go to the discard, and it attacks next. (durak:33, 166, 210)"""
    table = deal("throw-in", "6S 7H", "7S 8H 9S", "TS KS", trump="9D", stock="AC AH")
    gone = table.cards("discard")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7H / 2 beat 8H 7H / 3 done")
    assert [name for name in table.cards("discard") if name not in gone] == ["6S", "7S", "7H", "8H"]
    table.talk("1 draw AH / 1 draw AC / = waits 2 open / 1 attack AH ! D12 D20")


def test_d20_a_discarded_card_does_not_come_back():
    """D20, T2: nobody plays or draws from the discard. (durak:210)"""
    table = deal("throw-in", "6S 7H", "7S 8H 9S", "TS KS", trump="9D", stock="AC AH")
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / 1 done / 3 done / 1 draw 6S ! T2 / 1 draw AH / 1 draw AC
        2 attack 7S ! T2
    """)


def test_d20_the_next_attacker_is_out():
    """D20 (decided): the defender beat all with its last card: the next seat still in attacks."""
    table = deal("throw-in", "6S KH", "7S", "TS KS", trump="9D", stock=0)
    table.talk("1 attack 6S / 2 beat 7S 6S / = waits 3 open / 3 attack TS / = waits 1 beat")


def test_d21_taken_cards_go_to_the_hand():
    """D21: the table's cards go to the hand and the seat left of the defender attacks next. (durak:35, 166, 210)"""
    table = deal("throw-in", "6S 7H", "7S 8H 9S", "TS KS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        2 beat 7S 6S
        1 attack 7H
        2 take
        3 done
        = hand 2 6S 7S 7H 8H 9S
        = waits 3 open
    """)


def test_d21_also_when_able_to_beat():
    """D21: also when able to beat. (durak:210)"""
    table = deal("throw-in", "6S 7H", "7S 8S 9S", trump="9D", stock=0)
    table.talk("1 attack 6S / = moves 2 beat 7S 6S, beat 8S 6S, beat 9S 6S, take / 2 take")


def test_d21_at_any_time_of_the_bout_once():
    """D21 (decided): from the first attack card on, also when everything is beaten; not before, and once."""
    table = deal("throw-in", "6S 7H", "7S 8H 9S", "TS KS", trump="9D", stock=0)
    table.talk("""
        2 take ! D21 D12
        1 attack 6S
        1 take ! D21
        3 take ! D21
        2 beat 7S 6S
        1 done
        2 take
        2 take ! D21
        2 beat 8H 6S ! D21 D7
        = waits 1 throw_more
        1 done
        3 done
        = hand 2 6S 7S 8H 9S
    """)


def test_d21_nothing_is_beaten_after_take():
    """D21: a defender who takes has stopped beating. (durak:254)"""
    table = deal("throw-in", "6S 6H", "7S 8H 9S", "TS KS", trump="9D", stock=0)
    table.talk("1 attack 6S / 2 take / 1 attack 6H / 2 beat 8H 6H ! D21 / 2 beat 7S 6S ! D21")


def test_d21_the_seat_left_of_the_defender_is_out():
    """D21 (decided): the next seat clockwise still in attacks."""
    table = deal("throw-in", "6S KH QH", "7S 8S", "6H", "TS KS", trump="9D", stock=0)
    table.talk("1 attack 6S / 1 done / 3 attack 6H / 2 take / = waits 4 open")


def test_d23_limit_reached():
    """D23: the table ends a bout by itself where the limit is reached and everything is beaten. (decided)"""
    table = deal("throw-in first_bout=6", "6S 6H 6D 6C 7S 7H 7D", "7C 8S 8H TD JD QD KD AD", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 attack 6H
        1 attack 6D
        1 attack 6C
        2 beat 7C 6C
        1 attack 7S
        1 attack 7H
        2 beat TD 6S
        2 beat JD 6H
        2 beat QD 6D
        2 beat 8S 7S
        = waits 2 beat
        2 beat 8H 7H
        = waits 2 open
        = hand 1 7D
    """)


def test_d23_the_defender_has_no_cards_left():
    """D23: the defender out of cards, everything beaten. (decided)"""
    table = deal("throw-in", "6S 7H KH", "7S", "7C KS", trump="9D", stock=0)
    table.talk("1 attack 6S / 2 beat 7S 6S / = waits 3 open")


def test_d23_all_throwers_have_no_cards_left():
    """D23: all throwers out of cards, everything beaten, or take said. (decided)"""
    table = deal("throw-in", "6S", "7S 8S", trump="9D", stock=0)
    table.talk("1 attack 6S / 2 beat 7S 6S / = result fool 2")
    table = deal("throw-in throwers=attacker", "6S", "7S 8S", "6H 6C", trump="9D", stock=0)
    table.talk("1 attack 6S / 2 take / = waits 3 open")


def test_d23_take_and_no_room():
    """D23: take has been said and nothing could be added, under D17 or D18. (decided)"""
    table = deal("throw-in", "6S 6H 6D", "7S 8S", "6C KS", trump="9D", stock=0)
    table.talk("1 attack 6S / 1 attack 6H / 2 take / = waits 3 open")


def test_d23_while_a_card_is_unbeaten_it_never_ends():
    """D23 (decided): not for the limit, not for done, not for empty hands: only the defender ends it then."""
    table = deal("throw-in", "6S", "7S 8S", trump="9D", stock=0)
    table.talk("1 attack 6S / = waits 2 beat / 2 beat 8S 6S / = result fool 2")
    table = deal("throw-in", "6S 8H", "7S 8S", "KS", trump="9D", stock=0)
    table.talk("1 attack 6S / 1 done / 3 done / = waits 2 beat / 2 beat 8S 6S / = waits 1 throw")


def test_d23_never_because_nobody_holds_a_fitting_card():
    """D23: it never ends one because nobody holds a fitting card: that would tell hands. (decided)"""
    table = deal("throw-in", "6S KH", "7S 9S TS", "QC KC", trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / = waits 1 throw / = moves 1 done / 1 done / = waits 3 throw
        = moves 3 done
    """)
    table = deal("throw-in", "6S KH", "7H TS", "QC KC", trump="9D", stock=0)
    table.talk("1 attack 6S / 2 take / = waits 1 throw_more / = moves 1 done")


HANDS = ("6S 6H 7H KH KC KS", "7S 8H TS JS QS AS", "8C 9C TC JC QC AC", "9S 9H TH JH QH AH")


def test_d24_every_hand_is_filled_to_six():
    """D24: the attacker first, clockwise, the defender last. (durak:33, 166, 244)"""
    table = deal("throw-in deck=52", *HANDS, trump="9D")
    table.talk("""
        1 attack 6S
        1 attack 6H
        2 beat 7S 6S
        2 beat 8H 6H
        1 attack 7H
        1 done
        3 attack 8C
        2 take
        1 done
        3 done
        4 done
        = waits 1 draw
        2 draw 2S ! D24
        3 attack 9C ! D24 T3
        1 done ! D24 T3
        1 take ! D24 T3
        2 turn 9D ! D3 D24 T3
        1 draw AS ! T2
        1 draw 9D ! D3
        1 draw 2S
        1 draw 2H
        1 draw 2D
        = waits 3 draw
        1 draw 3S ! D24
        3 draw 3S
        = waits 3 open
        3 draw 3H ! D24
    """)


def test_d24_the_defender_draws_last():
    """D24: starting with who opened and ending with who fought back. (durak:33)"""
    table = deal("throw-in deck=52", *HANDS, trump="9D", first=1)
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7H / 2 beat 8H 7H / 1 done / 3 done / 4 done")
    assert draw_all(table) == "1:2 2:2"
    table.talk("= waits 2 open")


def test_d24_a_full_hand_draws_nothing():
    """D24: hands are filled to six: a seat that took has more and is passed over. (durak:33)"""
    table = deal("throw-in deck=52", *HANDS, trump="9D", first=1)
    table.talk("1 attack 7H / 2 beat 8H 7H / 1 done / 3 attack 8C / 2 take / 1 done / 3 done / 4 done")
    assert draw_all(table) == "1:1 3:1"
    table.talk("= waits 3 open")


def test_d24_defender_first():
    """D24: draw_order=defender-first: the defender, then the attacker, then clockwise. (durak:210; the rest decided)"""
    table = deal("throw-in deck=52 draw_order=defender-first", *HANDS, trump="9D", first=1)
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7H / 2 beat 8H 7H / 1 done / 3 done / 4 done")
    assert draw_all(table) == "2:2 1:2"
    table.talk("= waits 2 open")


def test_d24_clockwise_over_the_end_of_the_row():
    """D24: clockwise from the attacker, passing over the defender, all round the table."""
    for order, drawn in (("attacker-first", "3:1 1:1 2:1 4:1"), ("defender-first", "4:1 3:1 1:1 2:1")):
        table = deal(
            "throw-in deck=52 first_bout=6 draw_order=" + order,
            "7D KH QC JC TC 8C", "7H KS QS JS TS 8S", "7S 9H QH JH TH 8H", "9S AD KD QD JD TD", trump="9D", first=3,
        )
        table.talk("""
            3 attack 7S / 4 beat 9S 7S / 3 done / 1 attack 7D / 1 done / 2 attack 7H / 2 done / 3 done
            1 done
        """)
        table.talk("4 beat TD 7D / 4 beat JD 7H / 3 done / 1 done / 2 done")
        drawn = drawn.replace("4:1", "4:3")
        assert draw_all(table) == drawn, order


def test_d25_first_come_first_served():
    """D25: short_stock=in-order, the default. (decided; the other way: durak:158)"""
    for words in ("", " short_stock=in-order"):
        table = deal("throw-in" + words, "6S 6H KH", "7S 7H KS", trump="9D", stock="AC AH AD 9D")
        table.talk("1 attack 6S / 1 attack 6H / 2 beat 7S 6S / 2 beat 7H 6H / 1 done")
        assert draw_all(table) == "1:4"
        assert table.cards("hand1")[-2:] == ["AD", "AC"] and "9D" in table.cards("hand1")


def test_d25_a_short_stock_shared_out_one_card_each():
    """D25: short_stock=equal: one card each in turn, the turned card last. (durak:158)"""
    table = deal("throw-in short_stock=equal", "6S 6H KH", "7S 7H KS", trump="9D", stock="AC AH AD JD 9D")
    table.talk("""
        1 attack 6S
        1 attack 6H
        2 beat 7S 6S
        2 beat 7H 6H
        1 done
        = waits 1 draw
        1 draw AC
        = waits 2 draw
        1 draw AH ! D24 D25
        2 draw 9D ! D3
        2 draw AH
        = waits 1 draw
        1 draw AD
        = waits 2 draw
        2 draw JD
        = waits 1 draw
        1 draw 9D
        = waits 2 open
    """)


def test_d25_equal_passes_over_full_hands():
    """D25 (decided): in D24's order, passing over full hands."""
    table = deal(
        "throw-in short_stock=equal",
        "6S 6H KH", "7S 7H KS QS JS TS 9S", "7C 8C 9C TC JC QC", trump="9D", stock="AC AH AD 9D",
    )
    table.talk("""
        1 attack 6S / 1 attack 6H / 2 beat 7S 6S / 2 beat 7H 6H / 1 done / 3 attack 7C / 3 done / 1 done
        2 take
    """)
    table.talk("1 done / 3 done")
    assert draw_all(table) == "1:1 3:1 1:2"


def test_d25_equal_only_if_the_stock_is_short():
    """D25 (decided): a stock that fills all hands is drawn as ever, a seat filling up before the next."""
    table = deal("throw-in short_stock=equal deck=52", *HANDS, trump="9D", first=1)
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7H / 2 beat 8H 7H / 1 done / 3 done / 4 done")
    assert draw_all(table) == "1:2 2:2"


def test_d25_equal_with_exactly_enough():
    """D25: as many cards as are missing are enough: no sharing."""
    table = deal(
        "throw-in short_stock=equal",
        "6S 6H KH QH JH TH", "7S 7H KS QS JS TS", trump="9D", stock="AC AH AD 9D",
    )
    table.talk("1 attack 6S / 1 attack 6H / 2 beat 7S 6S / 2 beat 7H 6H / 1 done")
    assert draw_all(table) == "1:2 2:2"


def test_d24_a_seat_fills_up_before_the_next_and_nothing_else_is_accepted():
    """D24, T3 (decided): one seat after the other; no attack before the last due card is drawn."""
    table = deal("throw-in", "6S 6H KH QH JH TH", "7S 7H KS QS JS TS", trump="9D", stock="AC AH AD JD 9D")
    table.talk("""
        1 attack 6S
        1 draw AC ! D24
        2 beat 7S 6S
        1 done
        2 draw AC ! D24
        1 draw AC
        2 attack 7H ! D24 T3
        2 draw AH
        1 draw AD ! D24
        2 attack 7H
    """)
