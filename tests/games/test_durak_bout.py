"""Durak, opening and throwing in: D12 to D19 and D22, and what docs/rules/durak.md says about them in Details."""

from tests.games.table_talk import deal, refuse


def test_d12_the_attacker_opens_against_the_next_seat():
    """D12: the attacker opens against the next seat. (durak:11, 178, 240)"""
    table = deal("throw-in", "6S 7S", "8S 9S", "TS JS", trump="9D", stock=0)
    table.talk("""
        = waits 1 open
        2 attack 8S ! D12
        3 attack TS ! D12
        2 beat 8S TS ! D12 D7
        1 attack 8S ! T2
        1 attack 9H ! T2
        1 attack 6S
        = waits 1 throw, 2 beat
        2 attack 9S ! D12
        3 beat TS 6S ! D20
        2 beat 8S 6S
    """)


def test_d12_one_or_more_cards_of_one_rank():
    """D12: with one or more cards of one rank, laid one after the other. (durak:11, 178)"""
    table = deal("throw-in first_bout=6", "6S 6H 6D 6C 7S", "8S 9S TS JS QS KS", stock=0, trump="9D")
    table.talk("1 attack 6S\n1 attack 7S ! D14\n1 attack 6H\n1 attack 6D\n1 attack 6C\n1 attack 7S ! D14")


def test_d12_at_most_as_many_as_the_defender_holds():
    """D12: at most as many as the defender holds. (durak:240)"""
    for game in ("throw-in", "simple lead=any", "transfer"):
        table = deal(game, "6S 6H 6D", "8S 9S", trump="9D", stock=0)
        table.talk("1 attack 6S\n1 attack 6H\n1 attack 6D ! D12 D17")


def test_d12_simple_lead_of_two():
    """D12: simple, lead=two: at most two, the default there. (durak:174, 208)"""
    for game in ("simple", "simple lead=two"):
        table = deal(game, "6S 6H 6D 7S", "8S 9S TS JS", trump="9D", stock=0)
        table.talk("""
            1 attack 6S
            = waits 1 throw, 2 beat
            1 attack 7S ! D12
            1 attack 6H
            = waits 2 beat
            1 attack 6D ! D12
        """)


def test_d12_simple_lead_of_any_number():
    """D12: simple, lead=any: cards of one rank, as many as the attacker likes. (durak:240, 242)"""
    table = deal("simple lead=any", "6S 6H 6D 6C 7S", "8S 9S TS JS QS", trump="9D", stock=0)
    table.talk("1 attack 6S\n1 attack 6H\n1 attack 6D\n1 attack 6C\n1 attack 7S ! D12\n= waits 1 throw, 2 beat")


def test_d12_the_attacker_has_to_open():
    """D12 (decided): done before anything is laid is refused; there is no declining to attack."""
    for game in ("throw-in", "throw-in throw_order=free", "simple", "throw-in cheating=1"):
        table = deal(game, "6S 7S", "8S 9S", "TS JS", trump="9D", stock=0)
        table.talk("1 done ! D12\n2 done ! D12\n3 done ! D12\n= waits 1 open")


def test_d13_simple_nothing_is_added_once_the_defender_has_acted():
    """D13: nothing may be added once the defender has acted. (durak:174, 242)"""
    table = deal("simple", "6S 6H 7S", "7H 8S 9S", trump="9D", stock=0)
    table.talk("1 attack 6S\n1 attack 6H\n2 beat 8S 6S\n1 attack 7S ! D13\n2 beat 7H 6H\n= waits 2 open")
    table = deal("simple lead=any", "6S 6H 6D 7S", "7H 8S 9S", trump="9D", stock=0)
    table.talk("1 attack 6S\n1 attack 6H\n2 beat 8S 6S\n1 attack 6D ! D13\n= waits 2 beat\n2 beat 7H 6H")


def test_d13_simple_the_defender_may_act_once_one_card_lies():
    """D12, D13 (decided): its first act closes the lead, taking too; only the attacker lays."""
    table = deal("simple", "6S 6H 7S", "7H 8S 9S", "6D TS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        3 attack 6D ! D13 D12
        2 take
        = waits 3 open
    """)


def test_d13_d16_simple_nobody_says_done():
    """D16 in simple (decided): the bout ends by itself when the last card is beaten, or on take; done is refused."""
    table = deal("simple", "6S 6H 7S", "7H 8S 9S", "6D TS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 attack 6H
        1 done ! D13
        2 done ! D13
        3 done ! D13
        2 beat 8S 6S
        1 done ! D13
        2 beat 7H 6H
        = waits 2 open
        = hand 2 9S
    """)


def test_d13_options_of_throwing_in_are_refused_in_simple():
    """D13: there is no throwing in that they could set. (durak:174)"""
    for option in ("throwers=all", "throw_order=free", "late_limit=hand", "first_bout=6"):
        assert "D13" in refuse("simple " + option)


def test_d14_ranks_of_attacking_and_beating_cards():
    """D14: cards whose rank is on the table, attacking or defending cards alike. (durak:29, 178, 254)"""
    table = deal("throw-in", "6S 6H 9H TH", "9S TS KS", trump="8D", stock=0)
    table.talk("""
        1 attack 6S
        1 attack 9H ! D14
        1 attack TH ! D14
        2 beat 9S 6S
        1 attack TH ! D14
        1 attack 9H
        2 beat TS 9H ! D7
        1 attack 6H
    """)


def test_d14_ranks_of_beaten_cards_stay_on_the_table():
    """D14: beaten or not, until the bout ends; then they are gone. (durak:254)"""
    table = deal("throw-in first_bout=6", "6S 6H 7H", "8S 8H AH KS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        2 beat 8S 6S
        1 attack 6H
        2 beat 8H 6H
        1 attack 7H ! D14
        1 done
        = waits 2 open
        2 attack AH
        1 take
    """)


def test_d15_all_may_throw_in():
    """D15: throwers=all: every seat but the defender."""
    table = deal("throw-in throw_order=free", "6S 7C", "8S 9S TS JS", "6H KS", "6D AS", "6C AH", trump="9D", stock=0)
    table.talk("1 attack 6S\n4 attack 6D\n3 attack 6H\n5 attack 6C\n2 attack 8S ! D12 D15")


def test_d15_only_the_attacker_throws_in():
    """D15: throwers=attacker. (durak:88)"""
    table = deal("throw-in throwers=attacker", "6S 6D", "8S 9S TS", "6H KS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        3 attack 6H ! D15
        3 done ! D15 D16
        1 attack 6D
        2 beat 9S 6S
        2 take
        = waits 3 open
    """)


def test_d15_neighbours_of_the_defender():
    """D15: throwers=neighbours: the seats either side of the defender."""
    table = deal(
        "throw-in throwers=neighbours throw_order=free",
        "6S 7S", "8S 9S TS JS", "6H KS", "6D KH", "6C KC", trump="9D", stock=0,
    )
    table.talk("1 attack 6S\n4 attack 6D ! D15\n5 attack 6C ! D15\n4 done ! D15 D16\n3 attack 6H")


def test_d15_neighbours_are_the_nearest_seats_still_in():
    """D15 (decided): a seat that is out is no neighbour."""
    table = deal(
        "throw-in throwers=neighbours throw_order=free",
        "6S 7S 9S", "TS TH JS JH", "6H", "6D KH", "6C KC 8S", trump="9D", stock=0, first=3,
    )
    table.talk("""
        3 attack 6H
        4 take
        5 done
        5 attack 8S
        1 beat 9S 8S
        5 done
        2 done
        = waits 1 open
        1 attack 6S
        5 attack 6C ! D15
        4 attack 6D
    """)


def test_d15_neighbours_are_fixed_when_the_seat_becomes_defender():
    """D15 (decided): a neighbour that runs out of cards in the bout leaves its place to nobody."""
    table = deal(
        "throw-in throwers=neighbours throw_order=free",
        "6S 7S", "8S 9S TS JS", "6H", "6D KH", "6C KC", trump="9D", stock=0,
    )
    table.talk("1 attack 6S\n3 attack 6H\n4 attack 6D ! D15\n5 attack 6C ! D15")


def test_d15_the_attacker_throws_in_though_no_neighbour():
    """D15 (decided): and always the attacker: here a team-mate sits between it and the defender."""
    table = deal(
        "throw-in throwers=neighbours teams=3x3 deck=52",
        "7D 9S 9H", "6S", "7S 8S", "6H KH QH", "7H 8H", "6D KC", trump="9C", stock=0, first=2,
    )
    table.talk("""
        2 attack 6S
        3 take
        4 done
        4 attack 6H
        5 take
        4 done
        6 done
        6 attack 6D
        1 beat 7D 6D
        6 done
        1 attack 9S
        = waits 1 throw, 4 beat
        1 attack 9H
        4 take
    """)


def test_d16_the_attacker_has_the_word_first():
    """D16: the attacker has the word first; after done it goes clockwise from behind the defender. (durak:31, 92-93)"""
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


def test_d16_the_word_comes_back_if_cards_were_laid():
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


def test_d16_laying_does_not_move_the_word():
    """D16 (decided): laying or being beaten does not move the word: after its card the thrower still has it."""
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


def test_d16_nobody_has_the_word_until_the_defender_lays():
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


def test_d16_a_hand_emptied_by_throwing_in_gives_the_word_to_the_attacker():
    """D16 (as the recorded games have it): to the attacker, or the first thrower after it with cards, not onwards."""
    table = deal("throw-in", "6S 7H", "8S 9S TS JS", "6H", "6D AS", trump="9D", stock=0)
    table.talk("1 attack 6S\n1 done\n3 attack 6H\n= waits 1 throw, 2 beat\n1 done\n= waits 2 beat, 4 throw")


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


def test_d16_d22_after_take_the_word_returns_to_the_attacker():
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
    """D16: throw_order=free: whoever is first; the same end; a second done is refused. (decided)"""
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
    table.talk("1 attack 6S\n2 beat 7S 6S\n1 done\n1 attack 6H\n2 beat 7H 6H\n1 done\n3 done\n= waits 2 open")


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
    table.talk("1 attack 6S\n2 take\n1 attack 6H\n1 attack 6D\n= waits 3 open\n= hand 2 6D 6H 6S 7S 8S 9S")


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
        table.talk("1 attack 6S\n1 attack 6H\n1 attack 6D\n1 attack 6C\n2 beat 7C 6C\n1 attack 7S\n1 attack 7H")
        table.talk("1 attack 7D ! D18")


def test_d18_late_limit_hand_counts_once_the_stock_is_gone():
    """D18: late_limit=hand: once the stock is gone, only D17 limits. (durak:256)"""
    for stock, rule in ((0, ""), ("AC", " ! D18")):
        table = deal("throw-in first_bout=6 late_limit=hand", MANY, DEFENCE, trump="9D", stock=stock)
        table.talk("1 attack 6S\n1 attack 6H\n1 attack 6D\n1 attack 6C\n2 beat 7C 6C\n1 attack 7S\n1 attack 7H")
        table.talk("1 attack 7D" + rule)
    table.talk("2 beat 8S 7S")
    table = deal("throw-in first_bout=6 late_limit=hand", MANY, "8S 7C 9S 9H JS JH TD", trump="9D", stock=0)
    table.talk("1 attack 6S\n1 attack 6H\n1 attack 6D\n1 attack 6C\n2 beat 7C 6C\n1 attack 7S\n1 attack 7H")
    table.talk("1 attack 7D\n1 attack KC ! D14\n= waits 2 beat")


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
    table.talk("1 attack 6S\n1 attack 6H\n1 attack 6D\n1 attack 6C\n2 beat 7C 6C\n1 attack 7S\n1 attack 7H")


def test_d19_only_the_first_bout():
    """D19 (decided): the first bout is the first one, however it ends."""
    for end in ("2 take\n1 done", "2 beat QS JS\n1 done"):
        table = deal("throw-in", "JS JC " + FIRST, "QS QC " + FIRST_DEFENCE + " 8C 8H", trump="9D", stock=0)
        table.talk("1 attack JS\n" + end)
        if "take" not in end:
            table.talk("2 attack QC\n1 take\n2 done\n2 attack 8C\n1 take\n2 attack 8H\n2 attack 8S\n2 done")
            continue
        table.talk("1 attack 6S\n1 attack 6H\n1 attack 6D\n1 attack 6C\n2 beat 7C 6C\n1 attack 7S\n1 attack 7H")


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
    table.talk("1 attack 6S\n2 take\n1 attack 6H ! D13 D12\n= waits 3 open\n= hand 2 6S 7S 9S")
