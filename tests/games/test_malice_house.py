"""House rules of Malice: any card on a side pile, smaller payoff piles (M2, M9)."""

from tests.games.malice_table import LEFT, deal
from tests.games.table_talk import Table

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


def test_d45_a_match_counts_what_is_owed():
    """M15, D45: beside the games lost."""
    table = deal("9S2 9H2 9D2 9C2 8S2", "QH2 QD2 QC2 QS2 JS2", options="stake=300", left="26 20", stock="")
    table.talk("1 end / 2 end / = result winner 2 owes 1 1800")
    match = Match()
    match.add(table.session)
    assert (match.lost[1], match.marks[1], match.marks[2]) == (1, 1800, 0)
    assert match.write(2) == "1+1800 0"
