"""What the screen says can be done: the prompt, the keys beside it, cards left to tap; MENU lists nothing in vain."""

from cardtable.engine.event import OWN_VERB
from cardtable.play.seats import menu_verbs
from cardtable.table.screen import Screen

from tests.app.fake_table import DEAL, MENU, NO, OK, Table
from tests.games.cals_bs_table import deal as deal_cals_bs
from tests.games.cals_bs_table import lay
from tests.games.table_talk import Table as Talk

RUNS_ON = "cpython"  # it plays three games, and what is told of each runs under MicroPython elsewhere


class Glass:
    """Remembers lines."""

    def __init__(self):
        self.lines = {}

    def line(self, row: int, text: str) -> None:
        self.lines[row] = text


def test_t3_each_seats_own_screen_says_how_many_cards_it_still_taps():
    """T3: in the deal; the seats are at places 3 and 5, and the others' screens say nothing."""
    table = Table()
    glasses = [Glass() for _ in range(5)]
    table.controller.display.screen = Screen(glasses)
    table.tap(3, "6S")
    own = [glass.lines[7] for glass in glasses]
    assert own == ["", "", "left to tap: 5", "", "left to tap: 6"]
    assert "tap each card you are dealt, 5-6 left" in " ".join((glasses[0].lines[1], glasses[0].lines[2]))
    for first, second in DEAL[1:]:
        table.tap(3, first)
        table.tap(5, second)
    assert glasses[2].lines[7] == "" and glasses[4].lines[7] == "left to tap: 1"
    table.tap(5, "7S")
    assert {glass.lines[7] for glass in glasses} == {""}, "refused or not, nothing is left of it"


def test_d43_the_bottom_line_names_call_while_cards_lie_there():
    """D43, D44: with cheating alone; a choice has the line first."""
    for options, told in (("", ""), (" cheating=1", "CALL: cheat, accuse")):
        table = Table("durak throw-in" + options)
        table.deal()
        assert table.row(7) == ""
        table.tap(3, "6S")
        assert table.row(7) == told
        table.press(3, MENU)
        assert table.row(7) == "1 undo?"
        table.press(3, NO)
        assert table.row(7) == told
        table.press(5, NO)
        table.press(3, OK)
        table.step()
        assert table.row(7) == "", "the bout is over"


def test_c10_c12_c14_the_bottom_line_names_menu_and_ask():
    """C12, C14: what the seat that leads has in MENU; C10: the last to lay asks by CALL, once."""
    table = deal_cals_bs("", "7S 7H 8C 8D 9S 9H 9D 9C KS KH", None, "7C KC")
    game, state = table.game, table.state
    assert game.more_keys(state) == game.KEYS_FOURS, "ten cards: too many to declare going out"
    lay(table, 1, "7S 7H", "claim 7")
    assert game.more_keys(state) == game.KEYS_ASK
    table.talk("1 ask")
    assert game.more_keys(state) == 0
    table.talk("2 pass / 3 pass")
    assert game.more_keys(state) == game.KEYS_OUT, "all fours need an empty pile"
    table.talk("1 out")
    assert game.more_keys(state) == 0
    table = deal_cals_bs("", "7S 7H", "7D", None)
    assert table.game.more_keys(table.state) == table.game.KEYS_FOURS_OR_OUT


def verbs_in_menu(session) -> list:
    """The game's own verbs that MENU lists."""
    game = session.game
    return [game.VERBS[verb - OWN_VERB][0] for verb in menu_verbs(session, False) if verb >= OWN_VERB]


def test_menu_lists_no_verb_that_the_options_forbid():
    """D13, D26, D30, D43; B7."""
    for options, verbs in (
        ("durak simple", "turn attack beat take"),
        ("durak simple cheating=1", "turn attack beat done take cheat catch"),
        ("durak throw-in", "turn attack beat done take"),
        ("durak transfer", "turn attack beat transfer done take"),
        ("durak transfer shown_trump=yes", "turn attack beat transfer show done take"),
        ("bailiff", "lay unlay take"),
        ("bailiff raise_and_extend=yes", "lay unlay take done"),
    ):
        assert verbs_in_menu(Talk(options, 3).session) == verbs.split(), options
