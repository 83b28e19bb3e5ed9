"""Cal's BS, what audit says of states that cannot be (T1, T10), and what the arbiter can put right."""

from tests.games.cals_bs_table import deal, lay
from tests.games.table_talk import Table

from cardtable.engine.deck import card_number
from cardtable.engine.state import OWN, UNSEEN

# Where the module keeps what audit asks for.
LEADER, LAST, PASSED, ASKED = OWN + 16, OWN + 17, OWN + 20, OWN + 22


def start():
    """Seat 1 has laid a seven."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    lay(table, 1, "7S", "claim 7")
    return table


def wrong_place(name: str, place: int) -> int:
    """What audit says of a card there."""
    table = start()
    table.game.put(table.state, card_number(name), place)
    return table.game.audit(table.state)


def wrong_register(at: int, value: int) -> int:
    """What audit says of that number."""
    table = start()
    table.state.register[at] = value
    return table.game.audit(table.state)


def test_t1_audit_names_what_cannot_be():
    """A bit for each; 0 is sane."""
    assert not start().game.audit(start().state)
    assert [wrong_place("2S", place) for place in (5, 7, 12, 15, 16, 20, 24)] == [1] * 7
    assert wrong_place("2S", 0) == 2 and wrong_place("2S2", 9) == 2
    assert wrong_place("7S", 2) == 4 and wrong_register(LAST, 0) == 4
    assert wrong_register(LEADER, 0) == 8 and wrong_register(LEADER, 4) == 8 and wrong_register(LAST, 4) == 8
    assert wrong_register(PASSED, 1 << 1) == 8 and wrong_register(PASSED, 1 << 4) == 8
    assert wrong_place("2S", 1) & 16
    table = deal("cals-bs", "7S", "8S 8H", None)
    table.game.put(table.state, card_number("7S"), 2)
    assert table.game.audit(table.state) == 32
    table = deal("cals-bs", "7S", "8S 8H", None)
    table.state.register[ASKED] = 1
    assert table.game.audit(table.state) == 64
    table = Table("cals-bs deal=counted", 3)
    table.state.register[UNSEEN + 1] -= 1
    table.game.recount(table.state)
    assert table.game.audit(table.state) == 128


def test_t10_the_arbiter_corrects_a_place():
    """T10: hands, the pile, the last set and staged cards; not so that the game makes no sense."""
    table = start()
    table.talk("0 place 2S pile / = lies pile 2S / 0 place 8S set / 0 place 8S hand2 / 0 place 8S staged2")
    table.talk("= lies staged2 8S")
    table.talk("0 place 7S hand1 ! T10 / 0 place 8S hand4 ! T10 / 0 place 8S staged5 ! T10 / 0 place 8S stock ! T10")
    table.talk("0 place 7S2 hand1 ! T2 / 0 place 7H pile ! T10 / 2 claim 7 / = lies pile 2S 7S / = lies set 8S")


def test_t10_a_draw_is_put_right():
    """T10: in the deal a card goes to another hand or back; never more than is due."""
    table = Table("cals-bs", 3)
    table.talk("1 draw 7S / 0 place 7S hand2 / = hand 2 7S / 0 place 7S stock / 3 draw 7S / 0 place 8S pile ! T10")
    names = table.cards("stock")
    for name in names[:18]:
        table.talk("1 draw " + name)
    table.talk("0 place %s hand1 ! T10 / 1 undo / 2 agree / 3 agree / 0 place %s hand1" % (names[18], names[18]))


def test_t10_the_last_card_of_the_deal_may_be_the_arbiters():
    """T10: when all is dealt the leader has to lay, also where the arbiter dealt; a hand may be corrected later."""
    table = Table("cals-bs", 3)
    names = table.cards("stock")
    for index in range(53):
        table.talk("%d draw %s" % (index // 18 + 1, names[index]))
    table.talk("0 place XR hand3 / = waits 1 lead / 0 place XR stock / = waits 3 deal / 3 draw XR / = waits 1 lead")
    table.talk("0 place XR hand1 / 0 place %s hand3 / 1 lay %s" % (names[0], names[1]))


def test_t10_with_counted_hands():
    """T10, T4: a card that nobody has seen can be put into a hand that has unseen cards, and nowhere else."""
    table = Table("cals-bs deal=counted", 3)
    table.talk("0 place 7S hand1 / = hand 1 7S / 0 place 7S staged1 / 0 place 7S stock ! T10 / 0 place 8S pile ! T10")
    table.talk("0 place 8S staged1 ! T10 / 2 lay 7S ! T2 / 1 claim 7")


def test_t10_pause():
    """T10: while the game is paused nobody says anything, nor does the table."""
    table = start()
    table.talk("1 ask / 0 pause / 2 doubt ! T10 / +9 0 timeout ! T10 / 0 resume / 0 timeout / = waits 1 lead")


def test_t4_nobody_is_asked_who_leads():
    """T4: the deal decides (C3), so there is nothing to ask."""
    start().talk("0 lead 1 ! T4")
    Table("cals-bs deal=counted", 3).talk("0 lead 2 ! T4")
