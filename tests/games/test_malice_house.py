"""House rules of Malice: any card on a side pile, smaller payoff piles, wild kings (M2, M9, M13)."""

from tests.games.malice_table import LEFT, deal
from tests.games.table_talk import Table, refuse

from cardtable.engine.hands import count_stock
from cardtable.engine.match import Match


def test_m9_any_card_on_a_side_pile():
    """M9, M10: side=any waives the rank; the hand (M9), the end of the turn (M11) and an ace first (M8) stay."""
    for top, card in (("9C2", "TH2"), ("9C2", "7H2"), ("2C2", "AS2"), ("3C2", "2S2")):
        table = deal(card, "9H2", options="side=any", centre="5 5 5 5", sides="1.1 " + top)
        table.talk("1 side %s 1 / = lies side1.1 %s" % (card, " ".join(sorted([top, card]))))
    table = deal("2S2", "9H2", options="side=any", centre="5 5 5 0", sides="1.1 3C2, 1.2 9C2")
    table.talk("1 side 9C2 1 ! M11 / 1 side KS 1 ! M7 / 1 side 9H2 1 ! M9 / 1 side 2S2 5 ! M9 / 1 side 2S2 1")
    deal("AS2 9S2", "9H2", options="side=any", centre="5 5 5 0").talk("1 side 9S2 1 ! M8")


def test_m2_payoff_piles_of_20_and_13():
    """M2: the rest of that deck is out of the game, and nobody knows which cards those are."""
    for size in ("26", "20", "13"):
        table = Table("malice malice payoff=" + size, 2, 0, 0)
        assert table.state.register[LEFT + 1] == table.state.register[LEFT + 2] == int(size)
        assert table.game.audit(table.state) == 0 and len(table.cards("payoff")) == 52
        assert table.game.status(table.state) == "---- 56: %s %s" % (size, size)
        table.talk("1 flip KS / 2 flip 2H")
        assert table.game.audit(table.state) == 0 and table.game.count_face_down(table.state, 1) == int(size) - 1


def test_m2_a_pile_whose_cards_are_all_known_takes_no_other():
    """M2, T1: equal cards go back into small piles as into large ones, and still belong to their pile."""
    table = Table("malice malice payoff=13", 2, 0, 0)
    table.talk("1 flip KS / 2 flip KH / 2 flip KS ! T2 / 1 flip KS / 2 flip QH")
    assert table.game.audit(table.state) == 0


def test_m13_a_wild_king_is_the_rank_that_the_place_needs():
    """M13: kings=wild, of hand, side pile and payoff pile; with kings=high a king follows a queen alone."""
    wild = deal("KS2 KD2 3S2 6S2", "9H2", options="kings=wild", centre="5 0 0 0", sides="1.1 9C2 KH2")
    wild.talk("1 centre KS 2 / 1 flip 9S / 1 centre KH2 2 / 1 centre 3S2 2 / 1 centre KS2 1 / 1 centre 6S2 1 ! M5")
    wild.talk("1 centre KD2 3 / 1 side 6S2 2 / = lies side1.1 9C2")
    high = deal("KS2 KD2", "9H2", centre="12 5 0 0", sides="1.1 KH2")
    high.talk("1 centre KS 2 ! M5 / 1 centre KS2 3 ! M5 / 1 centre KH2 2 ! M5 / 1 centre KD2 1")


def test_m14_with_wild_kings_a_pile_is_full_with_the_queen():
    """M14: a queen, or what stands for one, sends the pile into the stock; with kings=high it waits for the king."""
    for last in ("QS2", "KS2", "XB"):
        table = deal(last + " AS2", "9H2", options="kings=wild", centre="11 2 2 2")
        before = count_stock(table.state)
        table.talk("1 centre %s 1 / = lies centre1 / 1 end ! M8 / 1 centre AS2 1" % last)
        assert count_stock(table.state) == before + 12 and last in table.cards("stock")
    table = deal("QS2", "9H2", centre="11 2 2 2")
    table.talk("1 centre QS2 1")
    assert len(table.cards("centre1")) == 12


def test_m8_m9_m10_wild_kings_on_side_piles():
    """M13: as jokers: on any card, under any card, a two without four piles, and never forced (M8)."""
    for top, card in (("3C2", "KS2"), ("KC2", "2S2"), ("KC2", "7S2")):
        deal(card, "9H2", options="kings=wild", sides="1.1 " + top).talk("1 side %s 1" % card)
        deal(card, "9H2", sides="1.1 " + top).talk("1 side %s 1 ! M9" % card)
    deal("KS2", "9H2", options="kings=wild", centre="3 3 3 0").talk("1 end")


def test_m2_wild_kings_open_as_the_highest_card():
    """M2: the turned cards are compared as ever."""
    Table("malice malice kings=wild", 2, 0, 0).talk("1 flip AS / 2 flip KH / 1 draw 2S2 / = waits 1 deal, 2 deal")


def test_d45_a_match_counts_what_is_owed():
    """M15, D45: beside the games lost."""
    table = deal("9S2 9H2 9D2 9C2 8S2", "QH2 QD2 QC2 QS2 JS2", options="stake=300", left="26 20", stock="")
    table.talk("1 end / 2 end / = result winner 2 owes 1 1800")
    match = Match()
    match.add(table.session)
    assert (match.lost[1], match.marks[1], match.marks[2]) == (1, 1800, 0)
    assert match.write(2) == "1+1800 0"


def test_m2_payoff_piles_of_any_size():
    """M2: 5 to 26; the engine refuses 4 and 27."""
    for size in (5, 7, 25):
        table = Table("malice payoff=%d" % size, 2)
        assert table.game.audit(table.state) == 0 and table.state.register[LEFT + 2] == size
    assert "from 5 to 26" in refuse("malice payoff=4", 2) and "from 5 to 26" in refuse("malice payoff=27", 2)
    assert "payoff=026 does not go with seats=4" in refuse("malice payoff=026", 4), "a number, however it is written"
    assert not refuse("malice payoff=013", 4)


def test_m1_no_jokers():
    """M1: the second deck has 52 cards; a joker is in no pile, and is refused."""
    table = Table("malice jokers=none", 2)
    assert table.game.audit(table.state) == 0 and len(table.cards("stock")) == 52
    deal("AS2 9S2", "9H2", options="jokers=none").talk("1 centre XB2 1 ! T2 T1 M6 / 1 centre AS2 1")


def test_m13_a_wild_king_that_is_no_ace():
    """M13: kings=wild-not-ace: on any pile that stands, never on a free place; a joker begins one as ever."""
    table = deal("KS2 KD2 XB2", "9H2", options="kings=wild-not-ace", centre="5 0 0 0")
    table.talk("1 centre KS2 2 ! M5 / 1 centre KS2 1 / 1 centre XB2 2 / 1 centre KD2 2")


def test_m12_the_turn_ends_on_a_side_pile():
    """M12: turn_end=side: `end` is refused while a card of the hand fits on a side pile, and stands where none does."""
    sides = "1.1 2C2, 1.2 2D2, 1.3 2H2, 1.4 2S2"
    table = deal("9S2 4S2", "9H2", options="turn_end=side", centre="5 5 5 5")
    table.talk("1 end ! M12 / 1 side 9S2 1 / = waits 2 draw")
    deal("9S2 TS2", "9H2", options="turn_end=side", centre="5 5 5 5", sides=sides, stock="").talk("1 end")
    deal("9S2 TS2", "9H2", centre="5 5 5 5").talk("1 end")


def test_m13_the_preset_with_wild_kings_has_no_jokers():
    """M1, M12, M13: kings-wild sets three options; one that is said beside it goes first."""
    table = Table("malice kings-wild", 2)
    assert len(table.cards("stock")) == 52
    assert len(Table("malice kings-wild jokers=four", 2).cards("stock")) == 56
    table = Table("malice kings-wild", 4)
    assert table.game.audit(table.state) == 0
