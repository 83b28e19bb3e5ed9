"""Durak, which card beats which: D7 to D11, and what docs/rules/durak.md says about them in Details."""

from tests.games.durak_table import deal


def beat(game: str, card: str, target: str, trump: str) -> str:
    """An empty text if the card beats the target, else the rule under which it does not."""
    table = deal(game, target, card, trump=trump, stock=0)
    table.talk("1 attack " + target)
    return table.play("2 beat %s %s" % (card, target)).split(".")[0]


def check(game: str, trump: str, beats: str, refused: str, rule: str):
    """`beats` and `refused` are pairs CARD>TARGET; the refused ones come under that rule."""
    for pair in beats.split():
        came = beat(game, *pair.split(">"), trump)
        assert not came, "%s, trump %s: %s is refused under %s" % (game, trump, pair, came)
    for pair in refused.split():
        came = beat(game, *pair.split(">"), trump)
        assert came == rule, "%s, trump %s: %s gives %s" % (game, trump, pair, came or "no refusal")


def test_d7_a_higher_card_of_the_suit_or_any_trump():
    """D7: beaten by a higher card of its suit, or by any trump if it is not a trump. (durak:25, 166)"""
    for game in ("throw-in", "simple", "transfer"):
        check(game, "9D", "7S>6S AS>KS TH>9H 6D>AS 6D>6C AD>7C", "6S>7S KS>AS 7H>6S AC>6S 6C>6S", "D7")


def test_d7_a_trump_only_by_a_higher_trump():
    """D7: a trump only by a higher trump. (durak:25, 166)"""
    check("throw-in", "9D", "7D>6D AD>KD", "6D>7D KD>AD AS>6D AH>6D", "D7")


def test_d7_small_cards_of_the_larger_deck():
    """D7 with deck=52: a two is the lowest. (durak:53)"""
    check("throw-in deck=52", "9D", "3S>2S 2D>AS 6C>5C", "2S>3S 5S>6S 2D>3D AS>2D", "D7")


def test_d7_only_an_unbeaten_attack_card_is_a_target():
    """D7: not a card that is beaten, a beating card, one in a hand, or one that lies nowhere near."""
    table = deal("throw-in", "6S 6H AS", "7S 8S 9S 7H", trump="9D", stock=0)
    table.talk("""
        1 attack 6S
        1 attack 6H
        2 beat 7S 6S
        2 beat 8S 6S ! D7
        2 beat 8S 7S ! D7
        2 beat 8S AS ! D7
        2 beat 8S 9S ! D7
        2 beat 8S 6C ! D7
        2 beat 8S XB ! T2
        2 beat 8S QQ ! T2
        2 beat AS 6H ! T2
        2 beat 7S 6H ! T2
        1 beat AS 6H ! D20
        2 beat 7H 6H
    """)


def test_d8_a_joker_is_among_what_the_defender_may_lay():
    """D8: both jokers are listed, beside the suit's higher cards and the trumps."""
    table = deal("throw-in deck=54", "6S 7S", "XB XR 8S 8H 9D", trump="TD", stock=0)
    table.talk("1 attack 6S / = moves 2 take, beat XB 6S, beat XR 6S, beat 8S 6S, beat 9D 6S")


def test_d8_jokers_any():
    """D8: a joker beats every card, trumps too; nothing beats a joker. (durak:55-58; the last decided)"""
    for game in ("throw-in deck=54", "throw-in deck=54 jokers=any"):
        check(game, "9D", "XB>AS XB>AH XB>AD XR>AC XR>2S XR>AD", "XR>XB XB>XR AD>XB AS>XB AH>XR 2D>XR", "D8")


def test_d8_jokers_by_colour():
    """D8: jokers=colour: the black one beats spades and clubs, the red one hearts and diamonds. (durak:55-58)"""
    game = "throw-in deck=54 jokers=colour"
    for trump in ("9D", "9S"):
        check(game, trump, "XB>AS XB>AC XR>AH XR>AD", "XB>AH XB>2D XR>AS XR>2C XR>XB XB>XR AS>XB AD>XR", "D8")


def test_d8_jokers_are_one_rank_for_throwing_in():
    """D8: for throwing in, opening and transferring, jokers are one rank. (decided)"""
    table = deal("throw-in deck=54", "XB 2S XR", "AS KS QS", trump="9D", stock=0)
    table.talk("""
        1 attack XB
        1 attack 2S ! D14
        1 attack XR
        = waits 1 throw, 2 beat
    """)
    deal("simple deck=54", "XB XR", "AS KS", trump="9D", stock=0).talk("1 attack XR / 1 attack XB")
    table = deal("transfer deck=54 first_transfer=yes", "XB AS", "XR KS", "2S 3S 4S 5S", trump="9D", stock=0)
    table.talk("1 attack XB / 2 transfer KS ! D26 / 2 transfer XR / = waits 2 throw, 3 beat")


def test_d8_a_joker_is_no_trump():
    """D8 (decided): a joker on the table does not bar a transfer (D29), and cannot be shown (D30)."""
    table = deal("transfer deck=54 first_transfer=yes", "XB AS", "XR KS", "2S 3S 4S", trump="9D", stock=0)
    table.talk("1 attack XB / 2 transfer XR")
    table = deal("transfer deck=54 first_transfer=yes shown_trump=yes", "XB AS", "XR KS", "2S 3S", trump="9D", stock=0)
    table.talk("1 attack XB / 2 show XR ! D30")


def test_d9_a_joker_turned_up_means_no_trump():
    """D9: if the card turned up is a joker, there is no trump in this game. (durak:60)"""
    for trump in ("XB", "XR"):
        check("throw-in deck=54", trump, "7D>6D AS>KS", "AD>6S AS>6D 6D>7D AC>2H", "D7")
        table = deal("throw-in deck=54", "6S", "7S", trump=trump, stock=0)
        assert table.game.status(table.state).startswith("-")
    check("throw-in deck=54", "XB", "XR>AS", "", "D8")


def test_d10_japanese_spades_only_a_spade_beats_a_spade():
    """D10: a spade is beaten only by a higher spade. (durak:118)"""
    check("japanese-spades", "9D", "8S>7S 6D>AH 7H>6H AD>QC", "6D>6S AD>7S AH>6S", "D10")
    check("japanese-spades", "9D", "7D>6D", "6S>7S AS>6H KS>QS", "D7")


def test_d10_spades_turned_up_mean_no_trump():
    """D10: if trump comes out as spades there is no trump. (durak:118)"""
    check("japanese-spades", "9S", "7S>6S QH>AH", "AS>6H 6S>AC AD>6C", "D7")
    check("japanese-spades", "9S", "", "AD>6S", "D10")
    table = deal("japanese-spades", "6S", "7S", trump="9S", stock=0)
    assert table.game.status(table.state).startswith("-")


def test_d10_the_queen_is_the_highest_card_of_every_suit():
    """D10: 6 7 8 9 T J K A Q, trumps too. (durak:120)"""
    check("japanese-spades", "9D", "QS>AS QH>KH QD>AD KH>JH AC>KC KS>TS JC>TC", "AS>QS KH>QH AD>QD JH>KH KC>AC", "D7")


def test_d10_order_of_the_larger_decks():
    """D10 (decided): with 52 or 54 cards 2 3 4 5 6 7 8 9 T J K A Q."""
    check("japanese-spades deck=52", "9D", "3S>2S KH>JH QH>AH 6C>5C 2D>QC", "2S>3S AH>QH JH>KH", "D7")


def test_d11_japanese_diamonds():
    """D11: trump is always diamonds; a spade is beaten only by a spade; usual order. (durak:224)"""
    check("japanese-diamonds", "", "7S>6S 6D>AH 6D>AC 7D>6D AH>QH KS>QS", "6S>7S QH>AH AS>6H AC>6D QS>KS", "D7")
    check("japanese-diamonds", "", "", "6D>6S AD>6S AH>6S", "D11")


def test_d8_goes_before_d10_and_d11():
    """D8 against D10, D11 (decided): a joker that may beat a spade does."""
    check("japanese-spades deck=54", "9D", "XB>QS XR>QS", "", "")
    check("japanese-diamonds deck=54", "", "XB>AS XR>AS", "", "")
    check("japanese-spades deck=54 jokers=colour", "9D", "XB>QS", "XR>QS", "D8")
    check("japanese-diamonds deck=54 jokers=colour", "", "XB>AS", "XR>AS", "D8")
