"""Durak, opening and throwing in: D12 to D15, and what docs/rules/durak.md says about them in Details."""

from tests.games.durak_table import deal
from tests.games.table_talk import refuse


def test_d12_the_attacker_opens_against_the_next_seat():
    """D12: the attacker opens against the next seat. (durak:11, 178, 244)"""
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
    table.talk("""
        1 attack 6S / 1 attack 7S ! D14 / 1 attack 6H / 1 attack 6D / 1 attack 6C / 1 attack 7S ! D14
    """)


def test_d12_at_most_as_many_as_the_defender_holds():
    """D12: at most as many as the defender holds. (durak:244)"""
    for game in ("throw-in", "simple lead=any", "transfer"):
        table = deal(game, "6S 6H 6D", "8S 9S", trump="9D", stock=0)
        table.talk("1 attack 6S / 1 attack 6H / 1 attack 6D ! D12 D17")


def test_d12_simple_lead_of_two():
    """D12: simple, lead=two: at most two, the default there. (durak:174, 208)"""
    for game in ("simple", "simple lead=two"):
        table = deal(game, "6S 6H 6D 7S", "8S 9S TS JS", trump="9D", stock=0)
        table.talk("""
            1 attack 6S
            = waits 1 add, 2 beat
            1 attack 7S ! D12
            1 attack 6H
            = waits 2 beat
            1 attack 6D ! D12
        """)


def test_d12_simple_what_the_attacker_may_lay():
    """D12: what a player is offered: one more of that rank, not a third unless lead=any."""
    for game, third in (("simple", ""), ("simple lead=any", "attack 6C, attack 6D")):
        table = deal(game, "6S 6H 6D 6C 7S", "8S 9S TS JS QS", trump="9D", stock=0)
        table.talk("= moves 1 attack 6C, attack 6D, attack 6H, attack 6S, attack 7S / 1 attack 6S")
        table.talk("= moves 1 attack 6C, attack 6D, attack 6H / 1 attack 6H / = moves 1 " + third)


def test_d12_simple_lead_of_any_number():
    """D12: simple, lead=any: cards of one rank, as many as the attacker likes. (durak:244)"""
    table = deal("simple lead=any", "6S 6H 6D 6C 7S", "8S 9S TS JS QS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 1 attack 7S ! D12
        = waits 1 add, 2 beat
    """)


def test_d12_the_attacker_has_to_open():
    """D12 (decided): done before anything is laid is refused; there is no declining to attack."""
    for game in ("throw-in", "throw-in throw_order=free", "simple", "throw-in cheating=1"):
        table = deal(game, "6S 7S", "8S 9S", "TS JS", trump="9D", stock=0)
        table.talk("1 done ! D12 / 2 done ! D12 / 3 done ! D12 / = waits 1 open")


def test_d13_simple_nothing_is_added_once_the_defender_has_acted():
    """D13: nothing may be added once the defender has acted. (durak:174, 244)"""
    table = deal("simple", "6S 6H 7S", "7H 8S 9S", trump="9D", stock=0)
    table.talk("1 attack 6S / 1 attack 6H / 2 beat 8S 6S / 1 attack 7S ! D13 / 2 beat 7H 6H / = waits 2 open")
    table = deal("simple lead=any", "6S 6H 6D 7S", "7H 8S 9S", trump="9D", stock=0)
    table.talk("1 attack 6S / 1 attack 6H / 2 beat 8S 6S / 1 attack 6D ! D13 / = waits 2 beat / 2 beat 7H 6H")


def test_d13_simple_the_defender_may_act_once_one_card_lies():
    """D12, D13 (decided): its first act closes the lead, taking too; only the attacker lays."""
    table = deal("simple", "6S 6H 7S", "7H 8S 9S", "6D TS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        3 attack 6D ! D13 D12
        2 take
        = waits 3 open
    """)


def test_d13_each_bout_of_simple_has_its_own_lead():
    """D13: the defender's act closes the lead of this bout, not of the next."""
    for end in ("2 take / = waits 1 open", "2 beat 8S 6S / 2 beat 7H 6H / = waits 2 open"):
        table = deal("simple", "6S 6H 7S 7C KH", "7H 8S 9S 9H KS", trump="9D", stock=0)
        table.talk("1 attack 6S / 1 attack 6H / " + end)
        if "1 open" in end:
            table.talk("1 attack 7S / = waits 1 add, 2 beat / 1 attack 7C / = waits 2 beat")
        else:
            table.talk("2 attack 9S / = waits 1 beat, 2 add / 2 attack 9H / = waits 1 beat")


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
        assert "D13" in refuse("durak simple " + option)


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
    table.talk("1 attack 6S / 4 attack 6D / 3 attack 6H / 5 attack 6C / 2 attack 8S ! D12 D15")


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
    table.talk("1 attack 6S / 4 attack 6D ! D15 / 5 attack 6C ! D15 / 4 done ! D15 D16 / 3 attack 6H")


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


def test_d15_neighbours_with_several_seats_out():
    """D15 (decided), D34: the nearest still in on either side, however many between are out; no partner of theirs."""
    table = deal(
        "throw-in throwers=neighbours throw_order=free teams=3x3 deck=52",
        "6S 7S", "", "6H 9H", "", "QC", "8S 9S TS JS", trump="9D", stock=0, first=5,
    )
    table.talk("5 attack QC / 6 take / = waits 1 throw_more / 1 done / = waits 1 open")
    table.talk("1 attack 6S / = waits 1 throw, 3 throw, 6 beat / 3 attack 6H / 1 done / 6 beat 8S 6S")


def test_d15_neighbours_are_fixed_when_the_seat_becomes_defender():
    """D15 (decided): a neighbour that runs out of cards in the bout leaves its place to nobody."""
    table = deal(
        "throw-in throwers=neighbours throw_order=free",
        "6S 7S", "8S 9S TS JS", "6H", "6D KH", "6C KC", trump="9D", stock=0,
    )
    table.talk("1 attack 6S / 3 attack 6H / 4 attack 6D ! D15 / 5 attack 6C ! D15")


def test_d15_the_attacker_throws_in_though_no_neighbour():
    """D15 (decided): and always the attacker: here a team-mate sits between it and the defender."""
    table = deal(
        "throw-in throwers=neighbours teams=3x3 deck=52",
        "7D 9S 9H", "6S", "7S 8S", "6H KH QH JH", "7H 8H", "6D KC", trump="9C", stock=0, first=2,
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
        = waits 4 beat, 5 throw
        5 done
        = waits 3 throw, 4 beat
    """)
