"""Cal's BS, laying and passing: C4 to C6 and C8, and what docs/rules/cals_bs.md says about them in Details."""

from tests.games.cals_bs_table import deal, lay, pass_all


def start(game: str = "cals-bs", first: int = 1):
    """Three seats; the third has what the others have not."""
    return deal(game, "7S 7H 7D 7C XB XR 8D 8C 2S 3S", "8S 8H 9S TS JS QS KS AS 2H", None, first=first)


def test_c4_the_leader_lays_one_to_six_cards():
    """C4: no card and seven cards are refused, one and six are right; the number is what was laid."""
    table = start()
    table.talk("1 claim 7 ! C4")
    lay(table, 1, "7S 7H 7D 7C 8D 8C 2S", "claim 7 ! C4")
    table.talk("1 unlay 2S / 1 claim 7 / = lies set 7S 7H 7D 7C 8D 8C")
    assert table.game.status(table.state).startswith("1:6x7")
    table = start()
    lay(table, 1, "2S", "claim A")
    table.talk("= lies set 2S / = lies staged1 / = waits 2 any, 3 any / = screen answer")


def test_c4_only_the_leader_begins():
    """C4, C3: nobody else claims on the empty pile, and nobody passes or doubts there."""
    table = start()
    table.talk("2 lay 8S / 2 claim 8 ! C4 / 2 pass ! C5 / 2 doubt ! C7 / 1 doubt ! C7 / = waits 1 lead")


def test_c4_a_leader_must_lay():
    """Details, C4 leader passes: on an empty pile, and after all passed (C8); the last to lay may not pass either."""
    table = start()
    table.talk("1 pass ! C4")
    lay(table, 1, "7S", "claim 7")
    table.talk("1 pass ! C5")
    pass_all(table)
    table.talk("1 pass ! C4")


def test_c4_a_rank_of_the_deck():
    """Details, C4 rank: X is no rank; with deck=five J, Q, K are none, and any other may be claimed."""
    table = start()
    table.talk("1 lay 7S / 1 claim X ! C4")
    for rank in "23456789TJQKA":
        assert not table.game.judge_claim(table.state, 1, "23456789TJQKA".index(rank))
    table = deal("cals-bs-54", "7S 7H", "8S", None)
    table.talk("1 lay 7S / 1 claim X ! C4 / 1 claim J ! C16 / 1 claim Q ! C16 / 1 claim K ! C16 / 1 claim A")


def test_c16_up_to_nine_cards():
    """C16: nine cards in a set, of leader and follower; ten are too many."""
    table = deal("cals-bs-54", "7S 7H 7D 7C 7S2 XB XR XB2 XR2 8S 8H 9S", "2S 2H 2D 2C 2S2 3S 3H 3D 3C 3S2 4S", None)
    lay(table, 1, "7S 7H 7D 7C 7S2 XB XR XB2 XR2 8S", "claim 7 ! C4")
    table.talk("1 unlay 8S / 1 claim 7")
    lay(table, 2, "2S 2H 2D 2C 2S2 3S 3H 3D 3C 3S2", "claim 7 ! C5")
    table.talk("2 unlay 2S / 2 claim 7")
    assert len(table.cards("set")) == 9 == len(table.cards("pile"))


def test_c4_any_cards_under_any_claim():
    """C4: what was laid need not be what is claimed; nobody is told."""
    table = start()
    lay(table, 1, "2S 3S 8D", "claim K")
    lay(table, 2, "9S", "claim K")
    table.talk("= lies pile 2S 3S 8D / = lies set 9S")


def test_c4_staging_is_free():
    """Details, staging: after the deal, any seat, any number, also the last to lay and one that passed; no press moves
    staged cards but the seat's own claim, plus, fours and unlay."""
    table = start()
    for name in "8S 8H 9S TS JS QS KS AS 2H".split():
        table.talk("2 lay " + name)
    table.talk("3 lay 9H / 1 lay 7S / 1 claim 7 / 1 lay 8D / 2 pass / 2 unlay 8S / 2 lay 8S")
    table.talk("3 doubt / = waits 1 lead / = lies staged1 8D / = lies staged3 9H")
    assert len(table.cards("staged2")) == 9
    table.talk("1 unlay 8D / = hand 1 2S 3S 7C 7D 7H 8C 8D XB XR / 1 unlay 8D ! T2 / 3 unlay 8D ! T2 / 3 lay 8D ! T2")


def test_c4_a_refused_press_leaves_the_cards_staged():
    """Details, staging: the limits are checked at the press."""
    table = start()
    table.talk("2 lay 8S / 1 lay 7S / 2 claim 8 ! C4 / = lies staged2 8S / 1 claim 7 / 2 claim 8 ! C5")
    table.talk("= lies staged2 8S")
    table.talk("2 claim 7 / = lies set 8S")


def test_t2_a_card_that_lies_elsewhere():
    """T2: of another hand, of another seat's staged cards, of the pile, of the last set, staged already."""
    table = start()
    table.talk("1 lay 8S ! T2 / 2 lay 8S / 1 lay 8S ! T2 / 1 unlay 8S ! T2 / 2 lay 8S ! T2")
    table.talk("1 lay 7S / 1 claim 7 / 1 lay 7S ! T2 / 2 lay 7S ! T2 / 2 claim 7 / 1 lay 7S ! T2 / 1 lay 8S ! T2")


def test_c5_any_other_seat_in_any_order():
    """C5: lay, pass or doubt, and the last set changes with each lay."""
    table = deal("cals-bs", "7S 7H", "8S 8H", "9S 9H", None)
    lay(table, 1, "7S", "claim 7")
    lay(table, 4, "TS", "claim 7")
    lay(table, 2, "8S", "claim 7")
    table.talk("= lies set 8S / = lies pile 7S TS / 3 pass / 1 doubt / = waits 1 lead / = hand 2 7S 8H 8S TS")


def test_c5_the_same_rank():
    """C5: a follower claims what was claimed."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S", "claim 8 ! C5")
    table.talk("2 claim X ! C5 / 2 claim 7")


def test_c5_every_rank_can_be_followed():
    """C4, C5: from the lowest to the ace."""
    for rank in "23456789TJQKA":
        table = start()
        table.talk("1 lay 7S / 1 claim %s / 2 lay 8S / 2 claim %s" % (rank, rank))


def test_t6_the_words_of_a_refusal_name_public_facts():
    """T6, C4, C5, C16: how many cards a set may have, and the rank that was claimed."""
    table = start()
    lay(table, 1, "7S 7H 7D 7C 8D 8C 2S", "claim 7 ! C4")
    assert why(table, 4 * 8 + 3) == "6"
    table.talk("1 unlay 2S / 1 claim 7 / 2 lay 8S / 2 claim 8 ! C5")
    assert why(table, 5 * 8) == "7" and why(table, 5 * 8 + 2) == "6" and why(table, 4 * 8) == why(table, 8 * 8) == ""
    table = deal("cals-bs-54", "7S 7H", "8S", None)
    assert why(table, 4 * 8 + 3) == why(table, 5 * 8 + 2) == "9"


def why(table, verdict: int) -> str:
    """What stands for # in the words of that refusal."""
    return table.game.fact(table.state, table.event, verdict)


def test_c5_one_to_six_cards():
    """C5: a follower too."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    table.talk("2 claim 7 ! C5")
    lay(table, 2, "8S 8H 9S TS JS QS KS", "claim 7 ! C5")
    table.talk("2 unlay KS / 2 claim 7")


def test_c5_a_press_that_lost_the_race_is_judged_as_the_table_stands():
    """Details, C5 race: a doubt is against the set on top; a second doubt, or a set that came too late, is refused."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    table.talk("2 lay 8S / 2 claim 7 / 3 doubt / = hand 2 2H 7S 8H 8S 9S AS JS KS QS TS / 1 doubt ! C7")
    table.talk("2 claim 7 ! C4")


def test_c6_a_pass_holds_until_the_next_set():
    """C6: no set, no doubt, no second pass; after the next set of any seat all three are free again."""
    table = deal("cals-bs", "7S 7H", "8S 8H", "9S 9H", None)
    lay(table, 1, "7S", "claim 7")
    table.talk("2 pass / = waits 3 any, 4 any / 2 lay 8S / 2 claim 7 ! C6 / 2 doubt ! C6 / 2 pass ! C6")
    lay(table, 3, "9S", "claim 7")
    table.talk("= waits 1 any, 2 any, 4 any / 2 doubt / = waits 2 lead")


def test_c8_not_on_the_own_set():
    """C8: neither more of the same nor anything else, until all others have passed."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    lay(table, 1, "7H", "claim 7 ! C8")
    table.talk("1 claim 8 ! C8 / 2 pass / 1 claim 7 ! C8 / 3 pass / 1 claim 8 / = lies pile 7S / = lies set 7H")


def test_c8_all_passed_the_last_to_lay_leads_with_any_rank():
    """Details, C8: leader at once, also a follower; the pile stays, and there is no set to doubt any more."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S", "claim 7")
    table.talk("1 pass / 3 pass / = waits 2 lead / = lies pile 7S 8S / = lies set / 1 doubt ! C7")
    table.talk("3 doubt ! C7 / 1 pass ! C5")
    table.talk("1 lay 7H / 1 claim 7 ! C4 / 2 fours ! C12 / 2 plus 1 ! C13 / 2 ask ! C10")
    lay(table, 2, "9S", "claim K")
    table.talk("3 doubt / = hand 2 2H 7S 8H 8S 9S AS JS KS QS TS / = waits 3 lead")


def test_c8_the_leader_may_lay_in_turn_with_others():
    """C8, bs:46: on a set of another seat the leader lays again."""
    table = start()
    lay(table, 1, "7S 7H 7D", "claim 7")
    lay(table, 2, "8S", "claim 7")
    lay(table, 1, "7C XB XR", "claim 7")
    table.talk("2 doubt / = waits 1 lead")


def test_c5_ties_go_clockwise_from_the_last_to_lay():
    """C5 (decided): who wins a tie of presses; before the first set, from the left of the leader."""
    table = deal("cals-bs", "7S 7H", "8S 8H", "9S 9H", None)
    assert table.game.press_first(table.state) == 2
    lay(table, 1, "7S", "claim 7")
    assert table.game.press_first(table.state) == 2
    lay(table, 4, "TS", "claim 7")
    assert table.game.press_first(table.state) == 1
    table.talk("1 doubt")
    assert table.game.press_first(table.state) == 2
