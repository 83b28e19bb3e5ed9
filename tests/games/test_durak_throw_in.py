"""Durak, whose turn it is to throw in and how many cards a bout takes: D16 to D19, D22, and the page's Details."""

from tests.games.durak_table import deal


def test_d16_the_attacker_throws_in_first():
    """D16: the attacker throws in first; after done it goes clockwise from behind the defender. (durak:31, 92-93)"""
    table = deal("throw-in", "6S 7S", "8S 9S TS JS", "6H KS", "6D AS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        = waits 1 throw, 2 beat
        3 attack 6H ! D16
        4 done ! D16
        2 done ! D16
        1 done
        = waits 2 beat, 3 throw
        1 attack 7S ! D16
        1 done ! D16
        4 attack 6D ! D16
        3 done
        = waits 2 beat, 4 throw
        4 attack 6D
        = waits 2 beat, 4 throw
    """)


def test_d16_the_turn_comes_back_if_cards_were_laid():
    """D16: it comes back to the attacker if cards were laid since. (durak:256)"""
    table = deal("throw-in", "6S 7H 8C", "7S 9S TS JS", "7C KS", "KD AS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        2 beat 7S 6S
        1 done
        3 attack 7C
        3 done
        = waits 2 beat, 4 throw
        4 done
        = waits 1 throw, 2 beat
        1 attack 7H
    """)


def test_d16_a_bout_ends_when_every_thrower_has_said_done():
    """D16: since the last card was laid, beating cards too: so done must be said again. (durak:31)"""
    table = deal("throw-in", "6S 7H 8C", "7S 9S TS JS", "7C KS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 done
        3 done
        = waits 2 beat
        1 done ! D16
        2 beat 7S 6S
        = waits 1 throw
        1 done
        = waits 3 throw
        3 done
        = waits 2 open
    """)


def test_d16_laying_does_not_move_the_turn():
    """D16 (decided): laying or being beaten does not move the turn: after its card the thrower still has it."""
    table = deal("throw-in", "6S 7H", "7S 9S TS JS", "7C 9C KS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 done
        3 attack 7C ! D14
        2 beat 7S 6S
        = waits 3 throw
        3 attack 7C
        = waits 2 beat, 3 throw
        1 attack 7H ! D16
    """)


def test_d16_nobody_throws_in_until_the_defender_lays():
    """D16 (decided): all have said done and a card is unbeaten; then the attacker, or the first after it with cards."""
    table = deal("throw-in", "6S", "7S 9S TS JS", "", "7C KS", "7D AS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        = waits 2 beat, 4 throw
        4 done
        5 done
        = waits 2 beat
        4 attack 7C ! D16
        2 beat 7S 6S
        = waits 4 throw
    """)


def test_d16_a_hand_emptied_by_throwing_in_gives_the_turn_to_the_attacker():
    """D16 (as the recorded games have it): to the attacker, or the first thrower after it with cards, not onwards."""
    table = deal("throw-in", "6S 7H", "8S 9S TS JS", "6H", "6D AS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 1 done / 3 attack 6H / = waits 1 throw, 2 beat / 1 done / = waits 2 beat, 4 throw
    """)


def test_d16_an_attacker_without_cards_is_passed_over():
    """D16 (decided): a thrower with an empty hand counts as done; its done is refused."""
    table = deal("throw-in", "6S", "8S 9S TS JS", "6H KC", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        = waits 2 beat, 3 throw
        1 done ! D16
        2 beat 8S 6S
        = waits 3 throw
        3 done
        = waits 2 open
    """)


def test_d16_d22_after_take_the_turn_returns_to_the_attacker():
    """D16, D22 (decided): take clears every done; the bout ends when all have said it again."""
    table = deal("throw-in", "6S 7H", "8S 9S TS JS", "6H KC", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 done
        3 done
        2 take
        = waits 1 throw_more
        3 done ! D16
        1 done
        = waits 3 throw_more
        3 attack 6H
        = waits 3 throw_more
        3 done
        = waits 1 throw_more
        1 done
        = waits 3 open
        = hand 2 6H 6S 8S 9S JS TS
    """)


def test_d16_free_order():
    """D16: throw_order=free: any seat may be first; the same end; a second done is refused. (decided)"""
    table = deal("throw-in throw_order=free", "6S 7H", "7S 9S TS JS", "7C KS", "6D AS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        = waits 1 throw, 2 beat, 3 throw, 4 throw
        4 done
        4 done ! D16
        = waits 1 throw, 2 beat, 3 throw
        4 attack 6D
        4 done
        2 beat 7S 6S
        2 beat 9S 6D ! D7
        3 attack 7C
        2 take
        3 done
        1 done
        2 done ! D16
        4 done
        = waits 3 open
    """)


def test_d16_free_after_done_a_seat_may_still_lay():
    """D16 free (decided): while the bout is open."""
    table = deal("throw-in throw_order=free", "6S 6H 8H", "7S 7H TS JS", "7C KS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / 1 done / 1 attack 6H / 2 beat 7H 6H / 1 done / 3 done
        = waits 2 open
    """)


def test_d17_never_more_unbeaten_than_the_defender_has_cards():
    """D17: never more unbeaten attack cards than the defender has cards left. (durak:31, 186, 254)"""
    table = deal("throw-in", "6S 6H 6D 7H 7C", "7S 8S", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        2 beat 7S 6S
        1 attack 7H
        = waits 2 beat
        1 attack 7C ! D17
        1 attack 6H ! D17
        2 take
        = waits 1 open
    """)


def test_d17_holds_after_take():
    """D17: three cards, one laid, the defender takes: two may be added, no third. (durak:31)"""
    table = deal("throw-in", "6S 6H 6D 6C 8H", "7S 8S 9S", "TS TH", trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 2 take / 1 attack 6H / 1 attack 6D / = waits 3 open / = hand 2 6D 6H 6S 7S 8S 9S
    """)


MANY = "6S 6H 6D 6C 7S 7H 7D KC"
DEFENCE = "8S 7C 9S 9H JS JH TD QD KD QS"


def test_d18_never_more_than_six():
    """D18: never more than six attack cards in a bout. (durak:31, 187, 256)"""
    table = deal("throw-in first_bout=6", MANY, DEFENCE, trump="9D", stock="AC AH")
    table.talk("""
        1 attack 6S
        1 attack 6H
        1 attack 6D
        1 attack 6C
        2 beat 7C 6C
        1 attack 7S
        1 attack 7H
        = waits 2 beat
        1 attack 7D ! D18
        2 beat 8S 7S
        1 attack 7D ! D18
        2 take
        = waits 1 draw
    """)


def test_d18_late_limit_six_holds_without_stock():
    """D18: late_limit=six, the default: six, stock or not. (durak:187)"""
    for words in ("", " late_limit=six"):
        table = deal("throw-in first_bout=6" + words, MANY, DEFENCE, trump="9D", stock=0)
        table.talk("""
            1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S
            1 attack 7H
        """)
        table.talk("1 attack 7D ! D18")


def test_d18_late_limit_hand_counts_once_the_stock_is_gone():
    """D18: late_limit=hand: once the stock is gone, only D17 limits. (durak:256)"""
    for stock, rule in ((0, ""), ("AC", " ! D18")):
        table = deal("throw-in first_bout=6 late_limit=hand", MANY, DEFENCE, trump="9D", stock=stock)
        table.talk("""
            1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S
            1 attack 7H
        """)
        table.talk("1 attack 7D" + rule)
    table.talk("2 beat 8S 7S")
    table = deal("throw-in first_bout=6 late_limit=hand", MANY, "8S 7C 9S 9H JS JH TD", trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S / 1 attack 7H
    """)
    table.talk("1 attack 7D / 1 attack KC ! D14 / = waits 2 beat")


FIRST = "6S 6H 6D 6C 7S 7H"
FIRST_DEFENCE = "8S 7C 9H TD JD QD KD"


def test_d19_five_cards_in_the_first_bout():
    """D19: first_bout=5: five attack cards at most. (durak:15, 154, 188, 256)"""
    for words in ("", " first_bout=5", " late_limit=hand"):
        table = deal("throw-in" + words, FIRST, FIRST_DEFENCE, trump="9D", stock=0)
        table.talk("""
            1 attack 6S
            1 attack 6H
            1 attack 6D
            1 attack 6C
            2 beat 7C 6C
            1 attack 7S
            = waits 2 beat
            1 attack 7H ! D19
        """)


def test_d19_sixth_card_only_after_take():
    """D19: and a sixth if the defender takes. (durak:256)"""
    table = deal("throw-in", FIRST + " 7D", FIRST_DEFENCE, trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 attack 6H
        1 attack 6D
        1 attack 6C
        2 beat 7C 6C
        1 attack 7S
        1 attack 7H ! D19
        2 take
        = waits 1 throw_more
        1 attack 7H
        = waits 1 open
    """)


def test_d19_the_fifth_beaten_card_ends_the_first_bout():
    """D19, D23 (decided): so in the first bout the fifth beaten card ends it."""
    table = deal("throw-in", FIRST, "7C 7D 8D TD JD QD KD", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 attack 6H
        1 attack 6D
        1 attack 6C
        2 beat 7C 6C
        1 attack 7S
        2 beat 7D 6S
        2 beat TD 6H
        2 beat JD 6D
        2 beat QD 7S
        = waits 2 open
        = hand 1 7H
    """)


def test_d19_first_bout_six():
    """D19: first_bout=6: no special limit. (durak:156)"""
    table = deal("throw-in first_bout=6", FIRST, FIRST_DEFENCE, trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S / 1 attack 7H
    """)


def test_d19_only_the_first_bout():
    """D19 (decided): the first bout is the first one, however it ends."""
    for end in ("2 take\n1 done", "2 beat QS JS\n1 done"):
        table = deal("throw-in", "JS JC " + FIRST, "QS QC " + FIRST_DEFENCE + " 8C 8H", trump="9D", stock=0)
        table.talk("1 attack JS / " + end)
        if "take" not in end:
            table.talk("""
                2 attack QC / 1 take / 2 done / 2 attack 8C / 1 take / 2 attack 8H / 2 attack 8S
                2 done
            """)
            continue
        table.talk("""
            1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S
            1 attack 7H
        """)


def test_d22_attackers_may_throw_in_after_take():
    """D22: after take attackers may still throw in under D14-D19. (durak:31, 182, 254)"""
    table = deal("transfer", "6S 7H", "7S 9S TS JS", "6H 7C", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        2 beat 7S 6S
        2 take
        = waits 1 throw_more
        3 attack 6H ! D16
        1 attack 7H
        = waits 3 throw_more
        3 attack 7C
        2 beat 9S 7C ! D21
        = waits 3 throw_more
        3 attack 6H
    """)


def test_d22_simple_none_after_take():
    """D22: simple: not. (durak:174)"""
    table = deal("simple", "6S 6H", "7S 9S", "6D 7C", trump="9D", stock=0)
    table.talk("1 attack 6S / 2 take / 1 attack 6H ! D13 D12 / = waits 3 open / = hand 2 6S 7S 9S")
