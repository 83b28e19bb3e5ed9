"""House rules of Cal's BS: answers clockwise, a doubter turns up one card (C5, C7)."""

from cardtable.engine.event import DRAW, Event, find_verb
from tests.games.cals_bs_table import deal, lay


def start(options: str, first: int = 1):
    """Four seats; the fourth has what the others have not."""
    return deal("cals-bs " + options, "7S 7H XB 2S 3S", "8S 8H XR 4S 5S", "9S 9H TS JS QS", None, first=first)


def test_c5_clockwise_each_answers_in_turn():
    """C5: lay, pass or doubt, and only when it is the seat's turn; cards may be tapped at any time."""
    table = start("turns=clockwise")
    lay(table, 1, "7S", "claim 7")
    table.talk("= waits 2 answer / 3 lay 9S / 3 pass ! C5 / 3 doubt ! C5 / 3 claim 7 ! C5 / 2 pass / = waits 3 answer")
    table.talk("2 pass ! C6 / 1 pass ! C5 / 1 claim 7 ! C8 / 3 claim 7 / = waits 4 answer")
    table.talk("1 doubt ! C5 / 4 pass / 1 doubt / = hand 3 7S 9H 9S JS QS TS")


def test_c8_clockwise_all_pass_and_the_last_leads_again():
    """C8: as ever."""
    table = start("turns=clockwise")
    lay(table, 1, "7S", "claim 7")
    table.talk("2 pass / 3 pass / 4 pass / = waits 1 lead")


def test_c14_clockwise_who_may_not_doubt_may_pass():
    """C14: the declarer alone doubts a follower's set."""
    table = start("turns=clockwise")
    table.talk("1 out")
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S", "claim 7")
    table.talk("3 doubt ! C14 / 3 pass / 4 pass / 1 doubt / = waits 1 lead")


def test_c7_one_card_decides():
    """C7: the doubter turns up a card of its choice; a true one saves a false set."""
    for shown, taker, leader in (("7S", 3, 1), ("2S", 1, 3)):
        table = start("show=one")
        lay(table, 1, "7S 2S", "claim 7")
        table.talk("3 doubt / = waits 3 show / 3 show %s / = waits %d lead" % (shown, leader))
        assert {"7S", "2S"} <= set(table.cards("hand%d" % taker))


def test_c7_until_the_card_is_shown_nothing_else_is_said():
    """C7: nobody lays, passes, asks or doubts; only a card of the set, and only by the doubter."""
    table = start("show=one")
    lay(table, 1, "7S 2S", "claim 7")
    table.talk("2 show 7S ! C7 / 3 doubt / 2 doubt ! C7 / 2 pass ! C7 / 1 ask ! C7 / 3 pass ! C7 / 3 show 9S ! C7")
    table.talk("1 show 7S ! C7 / 2 lay 8S / 2 claim 7 ! C7 / 3 show 7S / = waits 1 lead")


def test_c7_a_doubt_ends_the_ask():
    """C7, C10: while a card is to be shown no time runs; the seat that asked has its answer."""
    table = start("show=one")
    lay(table, 1, "7S 2S", "claim 7")
    table.talk("1 ask / 2 doubt / +10 0 timeout ! C10 / = waits 2 show / 2 show 2S / = waits 2 lead")


def test_c11_no_light_fills_while_a_card_is_to_be_shown():
    """C11, C7: nobody can doubt then, so no handicap is told; a moment before, one was."""
    table = start("show=one handicap=2:4")
    lay(table, 1, "7S 2S", "claim 7")
    assert table.game.fill_light(table.state, 2, table.event.at_ms + 1000) == 3
    table.talk("3 doubt")
    assert table.game.fill_light(table.state, 2, table.event.at_ms) == 0


def test_c7_only_that_card_is_opened():
    """C7, C17: the others of the set stay face down; the doubt itself opens nothing."""
    table = start("show=one")
    lay(table, 1, "7S 2S", "claim 7")
    opened = []
    game, doubt = table.game, find_verb(table.game, "doubt")
    game.opens(table.state, Event(3, doubt), opened)
    assert opened == []
    table.talk("3 doubt")
    before = game.view(table.state, 3)
    show = Event(3, find_verb(game, "show"), table.state.where.find(3))
    game.opens(table.state, show, opened)
    assert opened == [show.card] and game.view(table.state, 3) == before
    assert game.shows(table.state, show.verb) == 2 and not game.undoes(table.state, show.verb)
    assert game.undoes(table.state, DRAW)


def test_c7_the_verb_is_there_with_the_option_alone():
    """C7: MENU lists no card to show where the whole set is opened."""
    for options, has in (("show=one", True), ("", False)):
        table = start(options)
        assert table.game.has_verb(table.state, find_verb(table.game, "show")) == has
    lay(table, 1, "7S 2S", "claim 7")
    table.talk("3 show 7S ! C7 / 3 doubt / = waits 3 lead")


def test_c9_the_last_set_is_checked_whole():
    """C9: going out is no doubt."""
    table = deal("cals-bs show=one", "7S 2S", "8S 8H", "9S 9H", None)
    lay(table, 1, "7S 2S", "claim 7")
    table.talk("= waits 2 lead / = result")
