"""The rest of the family of Cal's BS: Cheat and Ne veryu, which ranks may follow, who answers, what belief does."""

from tests.games.cals_bs_table import deal, lay
from tests.games.table_talk import Table, refuse


def cheat(options: str = "", preset: str = "cheat"):
    """Three seats; the third has what the others have not."""
    return deal(f"{preset} {options}", "AS AH 2S 2H 3S 9S", "2C 2D 3H KS 9H 9D", None)


def veryu(options: str = ""):
    """Three seats of 36 cards."""
    return deal(f"ne-veryu {options}", "6S 6H 7S 8S", "6C 7C 9C 9D", None)


def test_c1_two_may_play():
    """C1, C2: two seats share the deck; one is refused, and so are eight."""
    assert "C1" in refuse("cals-bs cheat", 1)
    table = deal("cheat", "AS 2S", None)
    assert len(table.cards("hand1")) + len(table.cards("hand2")) == 52


def test_c16_decks_without_jokers():
    """C16: 52 and 36 cards; no rank below six is claimed in the smaller one."""
    assert len(Table("cals-bs deck=52", 4).cards("stock")) == 52
    table = Table("cals-bs deck=36", 4)
    assert len(table.cards("stock")) == 36 and "5S" not in table.cards("stock") and "XB" not in table.cards("stock")
    table = veryu()
    lay(table, 1, "6S", "claim 5 ! C16")


def test_c19_ranks_rise_from_the_ace():
    """C19: aces, twos, threes, from seat to seat; after a doubt the next rank is due all the same."""
    table = cheat()
    lay(table, 1, "AS", "claim K ! C19 / 1 claim 2 ! C19 / 1 claim A")
    lay(table, 2, "2C", "claim A ! C19 / 2 claim 3 ! C19 / 2 claim 2")
    table.talk("1 doubt / = waits 3 lead")
    lay(table, 3, "3C", "claim 2 ! C19 / 3 claim 3")


def test_c19_after_the_king_comes_the_ace():
    """C19: ranks go round, with 36 cards from the ace to the six."""
    table = deal("deck=36 ranks=rising extras=no", "AS 6S", "6H 7H", None)
    lay(table, 1, "AS", "claim A")
    lay(table, 2, "6H", "claim 7 ! C19 / 2 claim 6")


def test_c19_one_rank_beside():
    """C19: a leader claims any rank, the others one up or one down; around: or the same."""
    for preset, same in (("cheat-up-down", "claim 2 ! C19"), ("cheat ranks=around", "claim 2")):
        table = cheat(preset=preset)
        lay(table, 1, "2S", "claim 2")
        lay(table, 2, "3H", "claim 4 ! C19 / 2 claim K ! C19")
        table.talk("2 " + same)
        if "!" in same:
            table.talk("2 claim 3")
        lay(table, 3, "4C", "claim 9 ! C19 / 3 claim " + ("2" if "!" in same else "A"))


def test_c5_in_a_round_all_lay_and_anybody_doubts():
    """C5, C10: nobody passes or asks; the next seat lays, the others may doubt; then the seat after the layer leads."""
    table = cheat()
    lay(table, 1, "9S", "claim A")
    table.talk("= waits 2 lay, 3 doubt / 2 pass ! C5 / 3 pass ! C5 / 1 ask ! C10 / 1 doubt ! C5 / 3 lay 4C")
    table.talk("3 claim 2 ! C5 / 3 doubt / = waits 2 lead")
    assert "9S" in table.cards("hand1")
    lay(table, 2, "2C", "claim 2")
    table.talk("3 unlay 4C / 1 doubt / = waits 3 lead")
    assert "2C" in table.cards("hand1")


def test_c5_only_the_next_answers():
    """C5: it lays on, doubts or believes; the others wait."""
    table = veryu()
    lay(table, 1, "6S", "claim 6")
    table.talk("= waits 2 believe / 3 doubt ! C5 / 3 believe ! C5 / 1 believe ! C5 / 2 pass ! C5")
    lay(table, 2, "7C", "claim 6")
    table.talk("= waits 3 believe / 1 doubt ! C5 / 3 doubt / = waits 3 lead")
    assert {"6S", "7C"} <= set(table.cards("hand2"))


def test_c20_belief_opens_the_set():
    """C20: a true set takes the pile out of the game and the believer leads; a false one goes to the believer."""
    table = veryu()
    table.talk("2 believe ! C20")
    lay(table, 1, "6S 6H", "claim 6")
    table.talk("2 believe / = lies discard 6H 6S / = waits 2 lead")
    lay(table, 2, "9C", "claim 7")
    table.talk("3 believe / = waits 2 lead")
    assert "9C" in table.cards("hand3")


def test_c20_where_nobody_believes():
    """C20: it is refused where it is not chosen, and goes with turns=next alone."""
    table = cheat()
    lay(table, 1, "AS", "claim A")
    table.talk("2 believe ! C20")
    assert "belief=opens" in refuse("cals-bs belief=opens", 3)


def test_c21_the_pile_goes_when_all_pass():
    """C21: out of the game, and the last to lay leads again; without it the pile stays (C8)."""
    for options, lies in (("all_pass=discard", "= lies discard 2S"), ("", "= lies pile 2S")):
        table = deal(options, "2S 3S", "4S 5S", None)
        lay(table, 1, "2S", "claim 2")
        table.talk(f"2 pass / 3 pass / {lies} / = waits 1 lead")
    assert "all_pass=discard" in refuse("cals-bs cheat all_pass=discard", 3)


def test_c22_play_goes_on_for_places():
    """C22: the first out takes the first place, the seat at its left leads; the last one with cards has lost."""
    table = deal("deck=52 places=yes", "2S", "4S", None)
    lay(table, 1, "2S", "claim 2")
    table.talk("= waits 2 lead / 1 pass ! C22 / 1 doubt ! C22")
    lay(table, 2, "4S", "claim 4")
    table.talk("= result loser 3 order 1 2")
    assert table.game.losers(table.state) == 1 << 3
    assert [table.game.went_out(table.state, seat) for seat in (1, 2, 3)] == [1, 2, 0]


def test_c22_a_false_last_set_wins_no_place():
    """C22, C9: it is turned up, and the seat takes the pile. T10: who gets a card is in again."""
    table = deal("deck=52 places=yes", "2S", "4S 5S", None)
    lay(table, 1, "2S", "claim 3")
    table.talk("= waits 2 lead / = hand 1 2S")
    table = deal("deck=52 places=yes", "2S", "4S 5S", None)
    lay(table, 1, "2S", "claim 2")
    table.talk("0 place 2S hand1")
    lay(table, 2, "4S", "claim 2")
    table.talk("1 lay 2S / 1 claim 2 / = waits 2 lead")


def test_c23_no_extras():
    """C23: all fours, plus and going out are refused; the ranks of C19 go with extras=no alone."""
    table = cheat()
    for name in ("AS", "AH"):
        table.talk("1 lay " + name)
    table.talk("1 fours ! C23 / 1 out ! C23 / 1 plus 1 ! C23")
    assert "extras" in refuse("cals-bs ranks=rising", 3)


def test_c7_with_show_one_belief_still_opens_all():
    """C20: one card for a doubt, the whole set for belief."""
    table = veryu("show=one")
    lay(table, 1, "6S 7S", "claim 6")
    table.talk("2 believe / = waits 1 lead")
    assert {"6S", "7S"} <= set(table.cards("hand2"))
