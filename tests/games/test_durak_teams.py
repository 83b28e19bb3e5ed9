"""Durak in teams: D34 to D38, and what docs/rules/durak.md says about them in Details."""

from tests.games.durak_table import deal
from tests.games.table_talk import refuse

PAIRS = "throw-in deck=52 teams=2x2"
TRIPLES = "throw-in deck=52 teams=3x3"
THREE_PAIRS = "throw-in deck=52 teams=2x2x2"
EACH = ("2S 3S 4S", "2H 3H 4H", "2C 3C 4C", "5S 6S 7S", "5H 6H 7H", "5C 6C 7C")


def pairs(game: str, *hands, trump: str = "9D", first: int = 1):
    """A table without stock."""
    return deal(game, *hands, trump=trump, first=first, stock=0)


def test_d34_teams_need_their_number_of_seats():
    """D34: 2x2 for 4 seats, 3x3 and 2x2x2 for 6. (durak:139, 228)"""
    for teams, fits in (("2x2", 4), ("3x3", 6), ("2x2x2", 6)):
        for seats in range(2, 7):
            assert ("D34" in refuse("durak throw-in teams=" + teams, seats)) == (seats != fits), (teams, seats)


def test_d34_nobody_attacks_a_partner():
    """D34: the defender is the next seat of another team that has cards. (durak:135-137, 168, 196, 228)"""
    for game, seats in ((PAIRS, 4), (TRIPLES, 6), (THREE_PAIRS, 6)):
        for first in range(1, seats + 1):
            table = pairs(game, *EACH[:seats], first=first)
            table.talk("%d attack %s" % (first, EACH[first - 1].split()[0]))
            assert "%d beat" % (first % seats + 1) in table.waits(), (game, first)


def test_d34_the_next_seat_is_out_and_the_one_behind_it_a_partner():
    """D34: the defender is the next seat of another team that has cards: seat 1 attacks seat 4. (durak:137)"""
    table = pairs(PAIRS, "3S 4S JS", "2S", "2C QS 4C", "5H 6S 2D", first=2)
    table.talk("""
        2 attack 2S
        3 beat QS 2S
        4 done
        3 attack 2C
        4 take
        3 done
        1 done
        1 attack 3S
        = waits 1 throw, 4 beat
    """)


def test_d34_nobody_throws_in_on_a_partner():
    """D34: nor throws in on one. (durak:137, 228)"""
    table = pairs(PAIRS + " throw_order=free", "2S 4S JS", "3H 3S 5D", "2C 3C 4C", "2H 6S 2D")
    table.talk("""
        1 attack 2S / 4 attack 2H ! D34 / 4 done ! D34 D16 D15 / 3 attack 2C / 1 done / 2 take / 3 done
        1 done / = waits 3 open
    """)


def test_d35_only_the_other_team_throws_in():
    """D35: in 2x2 and 3x3 only the other team throws in; the turn passes over the defender's. (durak:95)"""
    table = pairs(TRIPLES, "2S 4S JS", "3H 3S 5D", "3C 4C TC", "5S 6S 2D", "2C 6H 7H", "5C 6C 7C")
    table.talk("""
        1 attack 2S
        1 done
        = waits 2 beat, 3 throw
        4 done ! D34 D35 D16
        6 done ! D34 D35 D16
        3 done
        = waits 2 beat, 5 throw
        5 attack 2C
        5 done
        = waits 1 throw, 2 beat
    """)


def test_d35_in_three_pairs_two_teams_throw_in():
    """D34, D35: in 2x2x2 everybody but the defender and its partner opposite."""
    table = pairs(
        THREE_PAIRS + " throw_order=free",
        "2S 4S JS", "3H 3S 5D", "3C 4C TC", "5S 6S 2H", "2D 6H 7H", "2C 6C 7C",
    )
    table.talk("1 attack 2S / 5 attack 2D ! D34 / 6 attack 2C / 4 attack 2H / 3 done / 5 done ! D34 D16 D15")


def test_d36_a_transfer_goes_to_the_next_seat():
    """D36: a transfer goes to the next seat, clockwise always. (durak:82, 196)"""
    for game in (PAIRS, TRIPLES, THREE_PAIRS):
        hands = ("2S 4S JS", "2H 3S 5D", "3C 4C TC", "5S 6S 3D", "7D 6H 7H", "8C 6C 7C")[: 4 if game == PAIRS else 6]
        table = pairs(game + " transfer=yes first_transfer=yes", *hands)
        table.talk("1 attack 2S / 2 transfer 2H / = waits 2 throw, 3 beat")


def test_d36_the_next_seat_is_out():
    """D36: then to the next one of the opposing team. (durak:82, 196)"""
    table = pairs(PAIRS + " transfer=yes first_transfer=yes", "2S 4S JS 8S", "2H 3S 5D", "", "5S 6S 2D")
    table.talk("1 attack 2S / 2 transfer 2H / = waits 1 beat, 2 throw")
    table = pairs(
        TRIPLES + " transfer=yes first_transfer=yes", "2S 4S JS", "2H 3S 5D", "", "5S 6S 2D", "8D 6H 7H", "8C 6C 7C"
    )
    table.talk("1 attack 2S / 2 transfer 2H / = waits 2 throw, 5 beat")


def test_d36_in_three_pairs_not_to_the_own_team():
    """D36, 2x2x2 (decided): the next seat clockwise still in that is not of the transferring seat's team."""
    table = pairs(
        THREE_PAIRS + " transfer=yes first_transfer=yes",
        "2S 4S JS", "2H 3S 5D", "", "5S 6S 2D", "8D 6H 7H 9H", "8C 6C 7C",
    )
    table.talk("""
        1 attack 2S / 2 transfer 2H / = waits 2 throw, 4 beat / 4 transfer 2D / = waits 4 throw, 5 beat
    """)
    table = pairs(
        THREE_PAIRS + " transfer=yes first_transfer=yes", "2S 4S JS", "2H 3S 5D", "", "", "8D 6H 7H", "8C 6C 7C"
    )
    table.talk("1 attack 2S / 2 transfer 2H / = waits 2 throw, 6 beat")


def test_d37_a_team_mate_attacks_for_who_went_out():
    """D37: a defender who beats all and goes out hands the attack to the next team-mate with cards. (durak:196)"""
    table = pairs(PAIRS, "2S 4S JS", "3S", "3C 4C TC", "5S 6S 2D")
    table.talk("1 attack 2S / 2 beat 3S 2S / = waits 4 open / 4 attack 5S / = waits 1 beat, 4 throw")
    table = pairs(TRIPLES, "2S 4S JS", "3S", "3C 4C TC", "5S 6S 2D", "8D 6H 7H", "8C 6C 7C")
    table.talk("1 attack 2S / 2 beat 3S 2S / = waits 4 open")
    table = pairs(THREE_PAIRS, "2S 4S JS", "3S", "3C 4C TC", "5S 6S 2D", "8D 6H 7H", "8C 6C 7C")
    table.talk("1 attack 2S / 2 beat 3S 2S / = waits 5 open / 5 attack 6H / = waits 5 throw, 6 beat")


def test_d37_after_a_take_the_next_seat_of_any_team():
    """D21 in teams (decided): left of the defender, whatever its team."""
    table = pairs(PAIRS, "2S 4S JS", "3H 8H 9H", "3C 4C TC", "5S 6S 2D")
    table.talk("""
        1 attack 2S / 2 take / 1 done / 3 done / = waits 3 open / 3 attack 3C / = waits 3 throw, 4 beat
    """)


def test_d38_a_team_whose_members_are_all_out_has_won():
    """D38: the last team with cards loses, the members already out too. (durak:230)"""
    table = pairs(PAIRS, "2S", "3H 8H", "", "5S 6S")
    table.talk("1 attack 2S / 2 take / = result team 2+4 lost")
    table = pairs(PAIRS, "2S", "3H 8H", "", "")
    table.talk("1 attack 2S / 2 take / = result team 2+4 lost")
    table = pairs(TRIPLES, "2S 3S", "5S", "", "", "6H", "")
    table.talk("1 attack 2S / 2 beat 5S 2S / = result team 1+3+5 lost")


def test_d38_two_teams_of_three_play_on():
    """D38: with 2x2x2 one team may be out and the game goes on; only the last one loses. (durak:230)"""
    table = pairs(THREE_PAIRS, "2S", "3S 8H KH", "5C 6C", "", "5D", "")
    table.talk("""
        1 attack 2S / 2 beat 3S 2S / = waits 3 throw / 3 done / = waits 2 open / 2 attack KH / 3 take
        2 done / 5 done
    """)
    table.talk("= waits 5 open")
    table.talk("""
        5 attack 5D / = waits 2 throw, 3 beat / 3 take / 2 done / = waits 2 open / 2 attack 8H / 3 take
        = result team 3+6 lost
    """)


def test_d38_nobody_holding_cards_is_a_draw():
    """D38: nobody holding cards: a draw. (durak:230)"""
    table = pairs(PAIRS, "2S", "3S", "", "")
    table.talk("1 attack 2S / 2 beat 3S 2S / = result draw")


def test_d38_one_left_of_each_team_play_as_two():
    """D38: if there is one participant left of each pair, they play on as in throw-in. (durak:230)"""
    table = pairs(PAIRS, "2S 4S", "3S 8S", "", "")
    table.talk("""
        1 attack 2S / 2 beat 3S 2S / 1 done / = waits 2 open / 2 attack 8S / = waits 1 beat / 1 take
        = result team 1+3 lost
    """)


def test_d6_the_fool_of_a_team_defended_or_attacked_last():
    """D6 (decided): the losing team's seat that defended or attacked last in the last bout."""
    table = pairs(PAIRS + " epaulettes=yes", "6S", "3H 8H", "", "5S")
    table.talk("1 attack 6S / 2 take / = result team 2+4 lost epaulettes 1")
    assert table.game.next_dealer(table.state) == 2
    table = pairs(PAIRS, "6S", "7S", "", "5S")
    table.talk("1 attack 6S / 2 beat 7S 6S / = result team 2+4 lost")
    assert table.game.next_dealer(table.state) == 2  # it defended last, though its partner holds the cards
    table = pairs(PAIRS, "6S", "7S", "5S", "")
    table.talk("1 attack 6S / 2 beat 7S 6S / = result team 1+3 lost")
    assert table.game.next_dealer(table.state) == 1  # it attacked last
