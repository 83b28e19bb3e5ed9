"""Durak, what a set-up may say, and the deal: D1 to D6, D46, and the page's Details about them."""

from tests.games.durak_table import deal
from tests.games.table_talk import Table, refuse

from cardtable.engine.setup import read_option
from cardtable.engine.state import MATCH_GAME

EVEN = ("7S 7H 8S 8H 9S 9H", "TS TH JS JH QS QH")  # two hands without a six or a trump in diamonds or clubs
WHOLE = (
    "6S 7S 8S 9S TS JS", "QS KS AS 6H 7H 8H", "9H TH JH QH KH AH",
    "6D 7D 8D 9D TD JD", "QD KD AD 6C 7C 8C", "9C TC JC QC KC AC",
)


def test_d1_decks_of_36_52_and_54_cards():
    """D1: 6 to A by default, 2 to A, or 52 and two jokers. (durak:5, 53, 160, 202)"""
    assert len(Table("durak throw-in", 2).cards("stock")) == 36
    assert len(Table("durak throw-in deck=36", 2).cards("stock")) == 36
    assert len(Table("durak throw-in deck=52", 2).cards("stock")) == 52
    whole = Table("durak throw-in deck=54", 2).cards("stock")
    assert len(whole) == 54 and whole[-2:] == ["XB", "XR"] and "2S" in whole
    Table("durak throw-in", 2).talk("""
        1 draw 5S ! T2
        1 draw XB ! T2
        1 draw 6S2 ! T2
        1 draw QQ ! T2
        1 draw 6S
    """)
    Table("durak throw-in deck=52", 2).talk("""
        1 draw XR ! T2
        1 draw 2S
    """)


def test_d2_two_to_six_seats():
    """D2: 2 to 6 seats. (durak:160, 204)"""
    for seats in (1, 7):
        assert "D2" in refuse("durak throw-in", seats), seats
    for seats in range(2, 7):
        assert not refuse("durak throw-in", seats), seats


def test_d2_six_seats_deal_the_whole_deck_of_36():
    """D2: 36 cards and 6 seats: the whole deck is dealt. (durak:160, 204)"""
    table = deal("throw-in", *WHOLE)
    assert not table.cards("stock") and not table.cards("turned")
    assert [len(table.cards("hand%d" % seat)) for seat in range(1, 7)] == [6] * 6


def test_d3_six_cards_each_then_the_trump_is_turned():
    """D3: six each; the next card is turned up; its suit is trump. (durak:5, 43, 49, 160)"""
    table = Table("durak throw-in", 2, first=1)
    table.talk("= waits 1 deal, 2 deal")
    for index in range(6):
        for seat in (1, 2):
            table.talk("%d draw %s" % (seat, EVEN[seat - 1].split()[index]))
            if (seat, index) == (1, 5):
                table.talk("""
                    = waits 2 deal
                    1 draw KS ! T3 D3
                    2 turn 9D ! T3 D3
                    1 attack 7S ! T3 D3
                """)
    table.talk("""
        = waits 2 turn
        1 attack 7S ! D3 T3
        1 turn 9D ! D3
        2 turn 7S ! T2
        2 turn TS ! T2
        2 turn 9D
        2 turn 9C ! D3
        = lies turned 9D
        = waits 1 open
        1 attack 7S
        2 beat 6C 7S ! T2
        2 beat 9D 7S ! T2
        2 take
    """)


def test_d3_seats_tap_in_any_order_each_exactly_six():
    """D3, T3 (decided): in the deal seats tap in any order; a seventh is refused T3; turn waits for all."""
    table = Table("durak throw-in", 3)
    for name in EVEN[1].split():
        table.talk("3 draw " + name)
    table.talk("3 draw KS ! T3 / 3 turn KS ! T3")
    for name in EVEN[0].split():
        table.talk("1 draw " + name)
    for name in "6S 6H 6D 6C 7C 8C".split():
        table.talk("3 turn KS ! T3 / 2 draw " + name)
    table.talk("3 turn KS")


def test_d3_the_turned_card_is_drawn_last():
    """D3: it lies under the stock and is drawn last; drawing it early is refused D3. (durak:43, 49)"""
    table = deal("throw-in", "6S", "7S", trump="9D", stock="9H 9D")
    table.talk("""
        1 attack 6S
        2 beat 7S 6S
        = waits 1 draw
        1 draw 9D ! D3
        1 draw 9H
        1 draw 9D
        = result fool 1
    """)


def test_d3_a_two_may_be_turned():
    """D1, D3: of the larger decks any card; as the last of the stock it is drawn like any."""
    table = deal("throw-in deck=52", "6S", "7S KH", trump="2S", stock="2S")
    table.talk("1 attack 6S / 2 beat 7S 6S / = waits 1 draw / 1 draw 2S / = waits 2 open")


def test_d4_the_dealers_last_card_sets_trump_and_stays_in_hand():
    """D4: the whole deck dealt, the dealer's last card is shown and stays in the hand. (durak:204)"""
    table = Table("durak throw-in", 6, dealer=6, first=1)
    for seat in range(1, 7):
        for name in WHOLE[seat - 1].split():
            table.talk("%d draw %s" % (seat, name))
    table.talk("""
        = waits 6 turn
        6 turn KC ! D4
        6 turn JS ! D4 T2
        5 turn AC ! D3
        6 turn AC
        = hand 6 9C TC JC QC KC AC
        1 attack 6S
        2 beat QS 6S
        1 done
    """)
    assert table.game.status(table.state).startswith("♣")


def test_d4_the_card_is_the_one_the_dealer_drew_sixth():
    """D4 (decided): the card of its own sixth draw, also where another seat taps last."""
    table = Table("durak throw-in", 6, dealer=2, first=1)
    for seat in (2, 1, 3, 4, 5, 6):
        for name in WHOLE[seat - 1].split():
            table.talk("%d draw %s" % (seat, name))
    table.talk("2 turn 7H ! D4 / 2 turn 8H / = waits 1 open")


def test_d5_the_lowest_trump_attacks_first():
    """D5: first game: the holder of the lowest trump; the turned card is in no hand. (durak:9, 164, 208)"""
    table = deal("throw-in", "8D 6S 6H 6C 9S 9H", "7D TS TH JS JH AS", trump="6D", first=0)
    table.talk("= waits 2 open")
    table = deal("throw-in", "7D 6S 6H 6C 9S 9H", "8D TS TH JS JH AS", trump="6D", first=0)
    table.talk("= waits 1 open / 2 attack TS ! D12")


def test_d5_nobody_holds_a_trump_the_lowest_card_decides():
    """D5: if nobody holds a trump, the holder of the lowest card. (durak:208)"""
    table = deal("throw-in", "7S 8S 9S TS JS QS", "6H TH JH QH KH AH", trump="9D", first=0)
    table.talk("= waits 2 open")


def test_d5_a_tie_goes_to_the_first_seat_left_of_the_dealer():
    """D5 (tie decided): the seats left of the dealer are asked first, the dealer last."""
    hands = ("6S TS JS QS KS AS", "6H TH JH QH KH AH", "6C 7S 7H 8S 8H 9S")
    for dealer, first in ((1, 2), (2, 3), (3, 1)):
        table = deal("throw-in", *hands, trump="9D", first=0, dealer=dealer)
        assert table.waits() == "%d open" % first, dealer


def test_d5_with_the_whole_deck_dealt_the_dealers_shown_card_counts():
    """D5 (decided): only cards in hands count, so with D4 the dealer's shown card does."""
    hands = list(WHOLE)
    hands[4], hands[5] = "QD KD AD 9C 7C 8C", "TC JC QC KC AC 6C"
    deal("throw-in", *hands, first=0).talk("= waits 6 open")


def test_d5_jokers_are_no_trumps_and_rank_above_all():
    """D5 (decided): a joker counts as the highest card."""
    table = deal("throw-in deck=54", "XB XR AS AH KS KH", "QS AD KD JS JH TH", trump="9C", first=0)
    table.talk("= waits 2 open")
    table = deal("throw-in deck=54", "XB XR AS KS QS 2H", "AH AD KD JS JH TH", trump="9C", first=0)
    table.talk("= waits 1 open")


def test_d5_rank_order_is_that_of_the_game():
    """D5, D10 (decided): where the queen is highest, a king is lower; no trump: the lowest card decides."""
    hands = ("QS QH QD QC AS AH", "KS KH KD KC AD AC")
    deal("japanese-spades", *hands, trump="6S", first=0).talk("= waits 2 open")
    deal("throw-in", *hands, trump="6S", first=0).talk("= waits 1 open")


def test_d5_no_trump_at_all_the_lowest_card_decides():
    """D5, D9 (decided): a joker turned up, the lowest card of any suit attacks."""
    table = deal("throw-in deck=54", "AS AH KS KH QS 3D", "2H AD KD JS JH TH", trump="XR", first=0)
    table.talk("= waits 2 open")


def test_d6_a_later_game_begins_with_whom_the_header_names():
    """D6: later games of a match: the rules name who starts, the header says it (`first:`). (durak:164, 244)"""
    for words in ("next_lead=left-of-fool", "next_lead=winner", "next_lead=lowest-trump", ""):
        table = deal("throw-in " + words, *EVEN, trump="9D", first=2)
        table.talk("= waits 2 open")
    assert "first" in refuse("durak throw-in", 2, first=3)
    sentence = refuse("durak throw-in next_lead=fool", 2)
    assert "next_lead" in sentence and "D6" in sentence


def test_d6_the_dealer_is_a_seat_of_the_game():
    """D6: the dealer is the fool; here it is whom the header names, and only that seat turns. (durak:204)"""
    assert "dealer" in refuse("durak throw-in", 2, dealer=3)
    table = Table("durak throw-in", 3, dealer=2)
    for seat in (1, 2, 3):
        for name in WHOLE[seat - 1].split():
            table.talk("%d draw %s" % (seat, name))
    table.talk("3 turn 6D ! D3 / = waits 2 turn / 2 turn 6D")


def test_d11_nothing_is_turned():
    """D11 (decided): the first attack follows the last draw of the deal; any turn is refused D11. (durak:224)"""
    table = Table("durak japanese-diamonds", 2, first=1)
    for index in range(6):
        for seat in (1, 2):
            table.talk("2 turn 9D ! D11 T3 D3 / %d draw %s" % (seat, EVEN[seat - 1].split()[index]))
    table.talk("""
        = waits 1 open
        2 turn 9D ! D11
        1 attack 7S
    """)
    assert not table.cards("turned") and table.game.status(table.state).startswith("♦ 24")


def test_d11_with_the_whole_deck_dealt():
    """D11, D4: six seats, nothing to show, the game begins with the last draw."""
    deal("japanese-diamonds", *WHOLE).talk("6 turn AC ! D11 / = waits 1 open")


def test_d46_national_varieties_are_only_named():
    """D46: their names are reserved; setting one up says that its rules are not yet known. (durak:122-129)"""
    for name in "czech chinese french polish armenian american".split():
        sentence = refuse("durak " + name)
        assert "not yet known" in sentence and "D46" in sentence and name in sentence
    assert "not yet known" not in refuse("durak martian") and "martian" in refuse("durak martian")


DEFAULTS = (
    "deck=36 next_lead=left-of-fool jokers=any lead=two throwers=all throw_order=strict late_limit=six first_bout=5 "
    "draw_order=attacker-first short_stock=in-order transfer=no first_transfer=no trump_blocks_transfer=yes "
    "shown_trump=no late_transfer=no epaulettes=no round=no teams=no draws=yes cheating=0 hand=6 start=usual"
)


def check_options(table: Table, options: str):
    """Each of them has that value."""
    for option in options.split():
        name, value = option.split("=")
        assert read_option(table.game, table.state, name) == value, option


def test_d1_default_values():
    """Details: what each option is where nobody says anything."""
    check_options(Table("durak throw-in", 2), DEFAULTS)
    check_options(Table("durak", 2), DEFAULTS + " preset=throw-in seats=2")
    assert len(Table("durak", 2).game.OPTIONS) == len(DEFAULTS.split())


def test_d26_presets_set_nothing_but_their_own_rule():
    """Details: `transfer` is `throw-in` plus transfer=yes; no other preset sets anything."""
    for preset in ("throw-in", "simple", "japanese-spades", "japanese-diamonds"):
        check_options(Table("durak " + preset, 2), DEFAULTS + " preset=" + preset)
    check_options(Table("durak transfer", 2), DEFAULTS.replace("transfer=no first", "transfer=yes first"))


def test_d30_showing_lifts_d29_unless_it_is_said():
    """D29, D30: trump_blocks_transfer is `no` by default with shown_trump=yes. (durak:74-76)"""
    check_options(Table("durak transfer shown_trump=yes", 2), "trump_blocks_transfer=no")
    check_options(Table("durak transfer shown_trump=yes trump_blocks_transfer=yes", 2), "trump_blocks_transfer=yes")
    check_options(Table("durak transfer trump_blocks_transfer=no", 2), "shown_trump=no")


IMPOSSIBLE = (
    ("throw-in jokers=any", 2, "D8 jokers deck=54"),
    ("throw-in deck=52 jokers=colour", 2, "D8 jokers deck=54"),
    ("throw-in lead=two", 2, "D12 lead simple"),
    ("transfer lead=any", 2, "D12 lead simple"),
    ("simple throwers=attacker", 2, "D13 throwers simple"),
    ("simple throw_order=strict", 2, "D13 throw_order simple"),
    ("simple late_limit=six", 2, "D13 late_limit simple"),
    ("simple first_bout=5", 2, "D13 first_bout simple"),
    ("throw-in first_transfer=yes", 2, "D26 first_transfer transfer=no"),
    ("throw-in trump_blocks_transfer=no", 2, "D26 trump_blocks_transfer transfer=no"),
    ("simple shown_trump=yes", 2, "D26 shown_trump transfer=no"),
    ("transfer transfer=no late_transfer=yes", 2, "D26 late_transfer transfer=no"),
    ("simple transfer=yes late_transfer=yes", 2, "D31 late_transfer=yes simple"),
    ("throw-in teams=2x2", 3, "D34 teams=2x2 seats=3"),
    ("throw-in teams=2x2", 6, "D34 teams=2x2 seats=6"),
    ("throw-in teams=3x3", 4, "D34 teams=3x3 seats=4"),
    ("throw-in teams=2x2x2", 5, "D34 teams=2x2x2 seats=5"),
    ("throw-in teams=2x2 round=yes", 4, "D42 round=yes teams=2x2"),
    ("throw-in deck=32", 2, "D1 deck=32 36"),
    ("throw-in cheating=10", 2, "D43 cheating=10 9"),
    ("throw-in cheating=-1", 2, "D43 cheating=-1"),
    ("throw-in colour=red", 2, "colour"),
    ("throw-in epaulettes", 2, "epaulettes"),
    ("throw-in round=no round=no", 2, "round twice"),
)


def test_d1_impossible_mixes_are_refused_with_both_names_and_the_rule():
    """Details: refused at set-up, with a sentence that names both options and the rule."""
    for game, seats, words in IMPOSSIBLE:
        sentence = refuse("durak " + game, seats)
        assert sentence, "accepted: " + game
        for word in words.split():
            assert word in sentence, "%s: %s is not in: %s" % (game, word, sentence)


def test_d1_mixes_that_go_together():
    """Details: what only looks impossible."""
    for game, seats in (
        ("simple transfer=yes late_transfer=no first_transfer=yes", 3),
        ("simple lead=any deck=54 jokers=colour cheating=9", 6),
        ("japanese-spades transfer=yes late_transfer=yes teams=3x3 round=no", 6),
        ("transfer throwers=attacker teams=2x2x2", 6),
        ("throw-in teams=no round=yes", 4),
    ):
        assert not refuse("durak " + game, seats), game


def test_d28_the_header_says_which_game_of_the_match_it_is():
    """Details: match_game is 1 by default, 2 if `first:` is given. D28 reads it."""
    assert Table("durak transfer", 2).state.register[MATCH_GAME] == 1
    assert Table("durak transfer", 2, first=1).state.register[MATCH_GAME] == 2
