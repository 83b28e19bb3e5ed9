"""Cal's BS, all fours and plus: C12, C13, and what docs/rules/cals_bs.md says about them in Details."""

from tests.games.cals_bs_table import deal, lay, pass_all

FOUR = "7S 7H 7D 7C"


def start(game: str = "cals-bs", more: str = "8S 8H 8D 8C 9S XB"):
    """Four seats; the fourth has what the others have not."""
    return deal(game, FOUR + " " + more, "2S 2H 3S AH XR 9C", "TS TH JH AS 4S 5S", None)


def with_fours(game: str = "cals-bs"):
    """Seat 1 has laid all fours of sevens."""
    table = start(game)
    lay(table, 1, FOUR, "fours")
    return table


def test_c12_whole_sets_of_four():
    """C12: nothing, three, a joker among them, a fifth card, two halves: refused; the cards stay staged."""
    table = start()
    table.talk("1 fours ! C12 / 1 lay 7S / 1 lay 7H / 1 lay 7D / 1 fours ! C12 / 1 lay XB / 1 fours ! C12 / 1 unlay XB")
    table.talk("1 lay 8S / 1 fours ! C12 / 1 lay 7C / 1 fours ! C12 / = lies staged1 7S 7H 7D 7C 8S")
    table.talk("1 unlay 8S / 1 fours")
    table.talk("= lies set 7S 7H 7D 7C / = waits 2 any, 3 any, 4 any / = screen plus")
    assert table.game.status(table.state).startswith("1:4x?")


def test_c12_the_refusal_does_not_tell_which_card():
    """C12: a joker, an odd card and a missing one are the same words."""
    keys = []
    for names in ("7S 7H 7D XB", "7S 7H 7D 8S", "7S 7H 7D", "7S 7H 7D 7C 9S", "XB"):
        table = start()
        for name in names.split():
            table.talk("1 lay " + name)
        keys.append(table.play("1 fours"))
    assert keys == ["C12.2"] * 5


def test_c12_several_sets_at_once():
    """Details, C12 several sets, C4 number of cards: any number of whole sets, more than six cards."""
    table = start()
    lay(table, 1, FOUR + " 8S 8H 8D", "fours ! C12")
    table.talk("1 lay 8C / 1 fours / = lies set 7S 7H 7D 7C 8S 8H 8D 8C")
    table = start("cals-bs", "8S 8H 8D 8C 9S 9H 9D")
    lay(table, 1, FOUR + " 8S 8H 8D 8C", "fours")


def test_c12_only_by_the_leader_and_only_on_an_empty_pile():
    """C12, Details C8: not by others, not on a set, not by who leads again on the pile."""
    table = deal("cals-bs", FOUR + " 9S 9H", "8S 8H 8D 8C 2S", "TS TH", None)
    lay(table, 2, "8S 8H 8D 8C", "fours ! C12")
    lay(table, 1, "9S", "claim 9")
    table.talk("2 fours ! C12")
    pass_all(table)
    lay(table, 1, FOUR, "fours ! C12")
    lay(table, 4, "KS", "claim 9 ! C4")


def test_c12_the_first_card_of_the_deck_counts_too():
    """C12: the two of spades alone is no set, and it alone makes a pile that is not empty."""
    table = deal("cals-bs", FOUR + " 2S 9S", "8S 8H", None)
    lay(table, 1, "2S", "fours ! C12")
    table.talk("1 claim 2")
    pass_all(table)
    table.talk("= lies pile 2S")
    lay(table, 1, FOUR, "fours ! C12")


def test_c12_the_pile_that_was_taken_is_empty():
    """C12: after a doubt the leader may lay all fours again."""
    table = start()
    lay(table, 1, "9S", "claim 9")
    table.talk("2 doubt")
    lay(table, 1, FOUR, "fours")


def test_c12_all_fours_are_not_doubted():
    """Details, C12 doubting: refused to all others; they pass, and the leader leads again."""
    table = with_fours()
    table.talk("2 doubt ! C12 / 4 doubt ! C12 / 1 doubt ! C5 / 2 pass / 2 doubt ! C6 / 3 pass / 4 pass")
    table.talk("= waits 1 lead")
    lay(table, 1, "9S", "claim 9")
    table.talk("2 doubt / = waits 1 lead / = hand 2 2H 2S 3S 7C 7D 7H 7S 9C 9S AH XR")


def test_c12_who_laid_fours_may_ask():
    """C10: all fours are a set like any other that is waiting for passes."""
    with_fours().talk("1 ask / +5 0 timeout / = waits 1 lead")


def test_c16_all_fours_are_five_of_a_kind():
    """C16: four of the five are not enough."""
    table = deal("cals-bs-54", FOUR + " 7S2 8S 8H", "2S", None)
    lay(table, 1, FOUR, "fours ! C12")
    table.talk("1 lay 7S2 / 1 fours / = lies set 7S 7H 7D 7C 7S2")
    assert "5 of a kind" in "%s of a kind" % table.game.fact(table.state, table.event, 12 * 8 + 2)


def test_c13_who_may_say_plus():
    """Details, C13: not who has to lead, not on a lead that was not all fours, not who laid them, not who passed."""
    table = start()
    table.talk("1 lay 9S / 1 plus 1 ! C13 / 2 lay 2S / 2 plus 1 ! C13 / 1 claim 9 / 2 plus 1 ! C13 / 3 plus 1 ! C13")
    table = with_fours()
    table.talk("1 lay 9S / 1 plus 1 ! C8 / 2 pass / 2 lay XR / 2 plus 1 ! C6 / 3 lay TS / 3 plus 1")


def test_c13_nobody_claims_on_fours():
    """Details, C13: claim is refused until the lead changes or is laid again."""
    for game in ("cals-bs", "cals-bs-plus"):
        table = with_fours(game)
        table.talk("2 lay 2S / 2 claim 7 ! C13 / 2 claim 8 ! C13 / 2 plus 1 / 3 lay TS / 3 claim 8 ! C13")
        table.talk("3 claim X ! C13")
        pass_all(table)
        table.talk("= waits 2 lead / 2 lay 2H / 2 claim 2 / 3 plus 1 ! C13 / 3 claim 2")


def test_c13a_plus_one_is_one_card_that_claims_to_be_a_joker():
    """C13a, Details chains: exactly one card, exactly 1; a doubt opens it; only a joker is true."""
    table = with_fours()
    table.talk("2 lay 2S / 2 lay XR / 2 plus 1 ! C13 / 2 unlay XR / 2 unlay 2S / 2 plus 1 ! C13 / 2 lay XR")
    table.talk("2 plus 2 ! C13")
    table.talk("2 plus 0 ! C13 / 2 plus 300 ! C13 / 2 plus 1 / = lies set XR / = lies pile 7S 7H 7D 7C")
    table.talk("= screen answer")
    assert table.game.status(table.state).startswith("2:1x+1")
    table.talk("3 doubt / = waits 2 lead / = hand 3 4S 5S 7C 7D 7H 7S AS JH TH TS XR")
    table = with_fours()
    lay(table, 2, "2S", "plus 1")
    table.talk("4 doubt / = waits 4 lead / = hand 2 2H 2S 3S 7C 7D 7H 7S 9C AH XR")


def test_c13a_even_the_rank_of_the_fours_is_no_joker():
    """C13a: an eight after sevens is as false as any other card."""
    table = deal("cals-bs", FOUR + " 9S", "8S 2S", None)
    lay(table, 1, FOUR, "fours")
    lay(table, 2, "8S", "plus 1")
    table.talk("3 doubt / = waits 3 lead")


def test_c13a_plus_on_plus():
    """Details, C13 chains (a): again and again, also by the seat that laid the fours, not on the own plus."""
    table = with_fours()
    lay(table, 2, "2S", "plus 1")
    table.talk("2 lay 2H / 2 plus 1 ! C8 / 1 lay XB / 1 plus 1 / 2 plus 1 / 3 pass / 4 pass / 1 doubt / = waits 1 lead")


def test_c13b_plus_claims_the_rank_above_the_fours():
    """C13b: one to six cards of the rank N above, jokers too."""
    table = with_fours("cals-bs-plus")
    lay(table, 4, "9D 9H", "plus 2")
    table.talk("2 doubt / = waits 4 lead")
    table = with_fours("cals-bs-plus")
    lay(table, 2, "9C XR", "plus 2")
    table.talk("3 doubt / = waits 2 lead")
    table = with_fours("cals-bs-plus")
    lay(table, 2, "9C XR", "plus 1")
    table.talk("3 doubt / = waits 3 lead / = hand 2 2H 2S 3S 7C 7D 7H 7S 9C AH XR")


def test_c13b_one_to_six_cards():
    """Details, C13 chains (b)."""
    table = with_fours("cals-bs-plus")
    table.talk("2 plus 1 ! C5")
    lay(table, 4, "9D 9H TD TC JS JD JC", "plus 1 ! C5")
    table.talk("4 unlay JC / 4 plus 1")


def doubted(game: str, fours: str, names: str, number: int) -> str:
    """Who leads after seat 2 says plus on fours and 3 doubts: 2 if it was true."""
    table = deal(game, fours + " 4S 4H", names + " 6S 6H", None)
    lay(table, 1, fours, "fours")
    lay(table, 2, names, "plus %d" % number)
    table.talk("3 doubt")
    return table.waits()


def test_c13b_ranks_are_a_circle():
    """C13b (decided): after K comes A, after A comes 2."""
    four = "%sS %sH %sD %sC"
    for rank, above, number in (("K", "A", 1), ("A", "2", 1), ("K", "2", 2), ("2", "A", 12), ("7", "5", 11)):
        fours = four.replace("%s", rank)
        assert doubted("cals-bs-plus", fours, above + "S", number) == "2 lead", (rank, above, number)
        wrong = number % 12 + 1
        assert doubted("cals-bs-plus", fours, above + "S", wrong) == "3 lead", (rank, above, wrong)


def test_c13b_in_the_deck_of_fives():
    """Details, C13 in cals-bs-54: the ranks are A 2 to T in a circle, N up to 9; the preset itself plays (a)."""
    five = "%sS %sH %sD %sC %sS2"
    game = "cals-bs-plus deck=five"
    for rank, above, number in (("T", "A", 1), ("A", "2", 1), ("A", "T", 9), ("T", "9", 9), ("8", "3", 5)):
        assert doubted(game, five.replace("%s", rank), above + "S", number) == "2 lead", (rank, above, number)
        assert doubted(game, five.replace("%s", rank), above + "S", number % 9 + 1) == "3 lead"
    table = deal(game, five.replace("%s", "T") + " 2S 2H", "3S 4S", None)
    lay(table, 1, five.replace("%s", "T"), "fours")
    table.talk("2 lay 3S / 2 plus 10 ! C13 / 2 plus 0 ! C13 / 2 plus 9")
    table = deal("cals-bs-54", five.replace("%s", "7") + " 2S 2H", "3S 4S", None)
    lay(table, 1, five.replace("%s", "7"), "fours")
    table.talk("2 lay 3S / 2 plus 2 ! C13 / 2 plus 1 / 3 doubt / = waits 3 lead")


def test_c13b_others_follow_with_the_same_number():
    """Details, C13 chains (b): the first plus sets the number, until the lead changes."""
    table = start("cals-bs-plus", "8S 8H 8D 8C 9S 9H XB")
    lay(table, 1, FOUR, "fours")
    table.talk("2 lay 3S / 2 plus 13 ! C13 / 2 plus 0 ! C13 / 2 plus 2 / 3 lay TS / 3 plus 3 ! C13")
    assert table.game.fact(table.state, table.event, 13 * 8 + 3) == "2"
    table.talk("3 plus 2 / 1 lay 9S / 1 lay XB / 1 plus 2 / 4 doubt / = waits 1 lead")
    table.talk("1 lay 8S / 1 lay 8H / 1 lay 8D / 1 lay 8C / 1 fours / 2 lay 2S / 2 plus 12 / 4 doubt / = waits 4 lead")


def test_c13b_no_plus_on_several_fours():
    """C13b (decided): with several sets at once nobody could say above which; in (a) it does not matter."""
    for game, line in (("cals-bs-plus", "2 plus 1 ! C13"), ("cals-bs", "2 plus 1")):
        table = start(game)
        lay(table, 1, FOUR + " 8S 8H 8D 8C", "fours")
        table.talk("2 lay 2S / " + line)


def test_c13_plus_wakes_who_had_passed():
    """C6: a plus is the next set."""
    table = with_fours()
    table.talk("2 pass / 3 pass / 4 lay KS / 4 plus 1 / 2 doubt / = waits 2 lead")
