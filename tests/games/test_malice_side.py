"""Malice, M9-M13: side piles, and how a turn ends."""

from tests.games.malice_table import deal


def test_m9_on_an_empty_pile_any_card():
    """M9: four piles a seat, named 1 to 4."""
    for pile in "1234":
        table = deal("5S2", "QH2")
        table.talk("1 side 5S2 0 ! M9 / 1 side 5S2 5 ! M9 / 1 side 5S2 %s / = lies side1.%s 5S2" % (pile, pile))


def test_m9_the_same_rank_or_one_lower():
    """M9: suits ignored; nothing higher, nothing two lower, no king on an ace."""
    for top, card, rule in (
        ("9C2", "9S2", ""), ("9C2", "8H2", ""), ("9C2", "TH2", "M9"), ("9C2", "7H2", "M9"), ("KC2", "QH2", ""),
        ("QC2", "KH2", "M9"), ("AC2", "KS2", "M9"), ("KC2", "AS2", "M9"), ("JC2", "TS2", ""), ("TC2", "JS2", "M9"),
        ("4C2", "3S2", ""),
    ):  # fmt: skip
        table = deal(card, "2H2", centre="3 3 3 3", sides="1.2 " + top)
        table.talk("1 side %s 2" % card + (" ! " + rule if rule else ""))


def test_m9_only_from_the_own_hand():
    """M9, M11: not from the stock, the other hand, the centre or the other seat's piles."""
    table = deal("9S2", "8H2", centre="2 0 0 0", sides="1.1 9C2, 2.1 8D2 9D2")
    two = table.cards("centre1")[-1]
    table.talk("1 side 8H2 1 ! M9 / 1 side 8C2 1 ! M9 / 1 side 8D2 1 ! M9 / 1 side 9D2 1 ! M9 / 1 side %s 2 ! M9" % two)
    table.talk("1 side 9S 1 ! M9")


def test_m9_onto_the_own_piles_alone():
    """M9: the same number means each seat's own pile."""
    table = deal("8S2", "8H2 7H2", sides="1.1 9C2, 2.1 9D2")
    table.talk("""
        1 side 8S2 1
        = lies side1.1 8S2 9C2
        2 draw KH2 / 2 draw KC2 / 2 draw TH2
        2 side 8H2 1
        = lies side2.1 8H2 9D2
    """)


def test_m10_ace_on_two_and_two_on_three_need_four_piles():
    """M10: only while four centre piles stand."""
    for top, card in (("2C2", "AS2"), ("3C2", "2S2")):
        four = deal(card, "9H2", centre="5 5 5 5", sides="1.1 " + top)
        four.talk("1 side %s 1" % card)
        three = deal(card, "9H2", centre="5 5 5 0", sides="1.1 " + top)
        three.talk("1 side %s 1 ! M10 M8" % card)
    three.talk("1 side 2S2 1 ! M10 / 1 side 2S2 2")


def test_m10_restricts_nothing_else():
    """M9, M10: two on two, ace on ace and three on four need no centre pile."""
    table = deal("2S2 3S2", "9H2", sides="1.1 2C2, 1.2 4C2")
    table.talk("1 side 2S2 1 / 1 undo / 2 agree / 1 side 3S2 2")
    table = deal("AS2", "9H2", centre="5 5 5 5", sides="1.1 AC2")
    table.talk("1 side AS2 1")


def test_m10_is_judged_when_the_card_is_laid():
    """M10, M14: a pile that has gone into the stock stands no longer."""
    table = deal("KC2 2S2", "9H2", centre="12 5 5 5", sides="1.1 3C2")
    table.talk("1 centre KC2 1 / 1 side 2S2 1 ! M10 / 1 side 2S2 2")


def test_m13_a_joker_goes_on_any_side_pile_and_anything_on_it():
    """M13, M10: a king, and a two without four piles; a joker on a three too."""
    for card in ("KS2", "2S2", "7S2", "XR"):
        table = deal(card, "9H2", sides="1.1 3C2 XB")
        table.talk("1 side %s 1" % card)
    for top in ("3C2", "AC2", "KC2"):
        table = deal("XB", "9H2", centre="3 3 3 3", sides="1.1 " + top)
        table.talk("1 side XB 1")


def test_m11_a_card_laid_aside_ends_the_turn():
    """M11: whatever else could have been laid; the other seat draws."""
    table = deal("9S2 8S2", "QH2")
    table.talk("1 side 9S2 1 / = waits 2 draw / 1 side 8S2 1 ! M12 / 1 end ! M12")


def test_m11_nothing_moves_from_side_pile_to_side_pile():
    """M11: neither a top nor a covered card, nor into an empty pile."""
    table = deal("9S2", "QH2", sides="1.1 9C2 8C2, 1.2 9D2")
    table.talk("1 side 8C2 2 ! M11 / 1 side 9C2 2 ! M11 / 1 side 9D2 3 ! M11 / 1 side 8C2 1 ! M11")


def test_m12_a_turn_may_end_without_a_card():
    """M12: and after cards to the centre; nothing else ends it."""
    table = deal("AS2 9S2", "QH2", centre="1 0 0 0")
    table.talk("1 centre AS2 2 / = waits 1 play / 1 end / = waits 2 draw")
    table = deal("9S2", "QH2")
    table.talk("1 end / = waits 2 draw")


def test_m12_out_of_turn_everything_is_refused():
    """M12: what was due to the seat would come in its own turn."""
    table = deal("9S2", "AH2 8H2", turned="KS 2S", centre="1 0 0 0", sides="2.1 2H2")
    table.talk("""
        = moves 2
        2 centre 2S 1 ! M12 / 2 centre AH2 2 ! M12 / 2 centre 2H2 1 ! M12 / 2 side 8H2 1 ! M12
        2 end ! M12 / 2 draw 3S2 ! M12 / 2 flip 3S ! M12
    """)


def test_m12_a_hand_with_no_cards_ends_by_its_word():
    """M12: the turn does not end by itself."""
    table = deal("AS2", "QH2", stock="")
    table.talk("1 centre AS2 1 / = hand 1 / = waits 1 play / = moves 1 end / 1 end")


def test_m9_a_pile_keeps_its_order():
    """M9, M6: it has no limit, and its cards leave it from above, each in its turn."""
    table = deal("KS2", "QH2", centre="1 7 1 0", sides="1.3 TS2 TH2 9C2 9H2 8S2 XB 4S2 4H2 3S2 3H2 2D2 2S2")
    table.talk("""
        1 centre 2D2 1 ! M6 / 1 centre 2S2 1 / 1 centre 2D2 3
        1 centre 3S2 1 ! M6 / 1 centre 3H2 1 / 1 centre 3S2 3 / 1 centre 4H2 3 / 1 centre 4S2 1
        1 centre XB 1 / 1 centre 9H2 2 ! M6 / 1 centre 8S2 2 / 1 centre 9C2 2 ! M6 / 1 centre 9H2 2
        1 centre TH2 2 ! M6
        = lies side1.3 TS2 TH2 9C2
        1 side KS2 3 ! M9
    """)
