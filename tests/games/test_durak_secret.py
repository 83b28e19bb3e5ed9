"""Durak, what nobody may see: D47, and D43 and D4 where they keep something secret; what the table offers for a tap."""

from tests.games.durak_table import deal
from tests.games.table_talk import Table

from cardtable.engine.deck import card_number
from cardtable.engine.event import DRAW, SHOWS_ALL, SHOWS_NOTHING, SHOWS_VERB, Event, find_verb, unpack
from cardtable.engine.record import write_event


def public(table: Table) -> list:
    """Everything that may leave the table: all views, status, whom it waits for."""
    views = [bytes(table.game.view(table.state, seat)) for seat in range(table.seats + 1)]
    return views + [table.game.status(table.state), table.waits()]


def meant(table: Table, seat: int, name: str) -> str:
    """What a tap of that card can mean, in order, in the words of a record."""
    packed = []
    table.game.meanings(table.state, seat, card_number(name), packed)
    lines = [write_event(table.game, unpack(move, seat, 0, Event())) for move in packed]
    return ", ".join([line.split(" ", 2)[2] for line in lines])


def test_d47_other_hands_stock_and_discard_look_alike():
    """D47: nobody may look through the discard or at other hands. (durak:47, 208, 244)"""
    one = deal("throw-in", "6S KH", "7S 8H", "TS JS", trump="9D", stock="AC AH AS")
    two = deal("throw-in", "6S KH", "TS JS", "7S AH", trump="9D", stock="AC 8H AS")
    assert one.game.view(one.state, 1) == two.game.view(two.state, 1)
    assert one.game.view(one.state, 0) == two.game.view(two.state, 0)
    assert one.game.view(one.state, 2) != two.game.view(two.state, 2)
    assert one.game.view(one.state, 0) != one.game.view(one.state, 1)


def test_d47_what_is_laid_is_seen():
    """D47: the table's cards, the turned trump and how many cards lie where are everybody's."""
    one = deal("throw-in", "6S KH", "7S 8H", "TS JS", trump="9D", stock="AC AH 9D")
    two = deal("throw-in", "6C KH", "7S 8H", "TS JS", trump="9D", stock="AC AH 9D")
    assert one.game.view(one.state, 0) == two.game.view(two.state, 0)
    one.talk("1 attack 6S")
    two.talk("1 attack 6C")
    assert one.game.view(one.state, 3) != two.game.view(two.state, 3)


def test_d47_counts_are_seen():
    """D47: how many cards a seat holds is everybody's, which they are is not."""
    one = deal("throw-in", "6S KH", "7S 8H", "TS JS", trump="9D", stock=0)
    two = deal("throw-in", "6S KH", "7S 8H TC", "TS JS", trump="9D", stock=0)
    assert one.game.view(one.state, 0) != two.game.view(two.state, 0)
    assert one.game.status(one.state) == "♦ 0: 2 2 2" and two.game.status(two.state) == "♦ 0: 2 3 2"


def test_d47_a_draw_is_shown_without_its_card():
    """D47, T11: what everybody may see of each event."""
    table = deal("throw-in", "6S KH", "7S 8H", trump="9D", stock=0)
    assert table.game.shows(table.state, DRAW) == SHOWS_VERB
    for verb in ("turn", "attack", "beat", "transfer", "show", "done", "take", "catch"):
        assert table.game.shows(table.state, find_verb(table.game, verb)) == SHOWS_ALL, verb


def test_d47_d4_the_dealers_last_card_is_secret_until_it_is_turned():
    """D4, D47: with the whole deck dealt nobody knows which of its cards the dealer will show."""
    one = Table("durak throw-in", 6, first=1)
    two = Table("durak throw-in", 6, first=1)
    deck = one.cards("stock")
    for index in range(36):
        one.talk("%d draw %s" % (index // 6 + 1, deck[index]))
    for index in list(range(31)) + [35, 32, 33, 34, 31]:
        two.talk("%d draw %s" % (index // 6 + 1, deck[index]))
    assert public(one)[:6] == public(two)[:6] and one.waits() == two.waits() == "6 turn"
    one.talk("6 turn %s / 6 turn %s ! D3" % (deck[35], deck[35]))
    two.talk("6 turn %s ! D4 / 6 turn %s" % (deck[35], deck[31]))


def test_d43_a_press_is_seen_by_nobody():
    """D43, T11 (decided): a press looks to everybody like nothing at all."""
    table = deal("transfer cheating=2 first_transfer=yes", "9S KH", "TS 8H", "JS QS", trump="9D", stock=0)
    table.talk("1 attack 9S")
    before = public(table)
    table.talk("2 cheat")
    assert public(table) == before
    table.talk("2 cheat ! D43")
    assert public(table) == before
    assert table.game.shows(table.state, find_verb(table.game, "cheat")) == SHOWS_NOTHING


def test_d43_a_card_laid_under_a_token_looks_like_any_other():
    """D43, T11 (decided): the same beat with and without a press, the same transfer too."""
    for line in ("2 beat TS 9S", "2 transfer 9H"):
        tables = []
        for press in ("", "2 cheat / "):
            table = deal("transfer cheating=2 first_transfer=yes", "9S KH", "TS 9H", "JS QS", trump="9D", stock=0)
            table.talk("1 attack 9S / " + press + line)
            tables.append(table)
        assert public(tables[0]) == public(tables[1]), line


def test_d43_token_counts_are_not_shown_in_the_game():
    """D43 at the table (decided): token counts are shown at the end only."""
    table = deal("throw-in cheating=1", "9S KH", "TS 8H", "JS QS", trump="9D", stock=0)
    table.talk("1 attack 9S / 2 beat TS 9S")
    before = public(table)
    table.talk("3 catch TS")
    assert public(table) == before


def test_d43_what_a_tap_offers_depends_on_the_tap_alone():
    """D43 at the table (decided): never on whether the card fits or a cheat token is pressed."""
    table = deal("transfer cheating=2 first_transfer=yes", "9S KH", "TS 7C", "JS QS", trump="9D", stock=0)
    table.talk("1 attack 9S")
    assert table.game.offers_blindly(table.state)
    assert meant(table, 2, "TS") == "beat TS 9S, transfer TS"
    assert meant(table, 2, "7C") == "beat 7C 9S, transfer 7C"
    table.talk("2 cheat")
    assert meant(table, 2, "7C") == "beat 7C 9S, transfer 7C"
    assert meant(table, 2, "QS") == "beat QS 9S, transfer QS"


def test_d43_without_cheating_the_table_may_look_at_the_card():
    """D43 at the table: only with cheating above 0."""
    table = deal("transfer first_transfer=yes", "9S KH", "TS 7C", "JS QS", trump="9D", stock=0)
    assert not table.game.offers_blindly(table.state)


def test_t3_a_tap_in_the_deal_means_a_draw_or_the_trump():
    """T3, D3: a draw; once all is dealt, the dealer's tap turns the trump."""
    table = Table("durak throw-in", 2, first=1)
    assert meant(table, 1, "6S") == "draw 6S" and meant(table, 2, "6S") == "draw 6S"
    for name in "7S 7H 8S 8H 9S 9H".split():
        table.talk("1 draw " + name)
    for name in "TS TH JS JH QS QH".split():
        table.talk("2 draw " + name)
    assert meant(table, 2, "6S") == "turn 6S" and meant(table, 1, "6S") == "draw 6S"
    table = Table("durak japanese-diamonds", 2, first=1)
    assert meant(table, 2, "6S") == "draw 6S"


def test_d26_two_meanings_of_one_tap():
    """D7, D26, D30: each unbeaten card is a target, then the transfer, then showing, legal or not."""
    table = deal("transfer first_transfer=yes shown_trump=yes", "9S 9H KH", "TS 9D 7C", "JS QS", trump="6D", stock=0)
    assert meant(table, 1, "KH") == "attack KH" and meant(table, 2, "TS") == "attack TS"
    table.talk("1 attack 9S / 1 attack 9H")
    assert meant(table, 2, "TS") == "beat TS 9S, beat TS 9H, transfer TS"
    assert meant(table, 2, "9D") == "beat 9D 9S, beat 9D 9H, transfer 9D, show 9D"
    assert meant(table, 3, "JS") == "attack JS"
    table.talk("2 beat TS 9S")
    assert meant(table, 2, "7C") == "beat 7C 9H, transfer 7C"
    table.talk("2 take")
    assert meant(table, 2, "7C") == "beat 7C 9H"


def test_d20_a_tap_when_everything_is_beaten():
    """D7: one meaning is left, so that the tap is refused and the reason said."""
    table = deal("throw-in", "9S KH", "TS 9D 7C", "JS QS", trump="6D", stock=0)
    table.talk("1 attack 9S / 2 beat TS 9S")
    assert meant(table, 2, "7C") == "beat 7C 9S"
    table.talk("2 beat 7C 9S ! D7")


def test_d24_a_tap_in_the_drawing_is_a_draw():
    """D24, T3: any seat that taps."""
    table = deal("throw-in", "6S KH", "7S 8H", trump="9D", stock="AC AH AS 9D")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 done")
    assert meant(table, 1, "AC") == "draw AC" and meant(table, 2, "8H") == "draw 8H"


def test_d16_d21_d43_what_the_buttons_say():
    """D16, D21, D43, D44: OK done, NO take, CALL cheat for the defender, and for the others accuse."""
    table = deal("throw-in cheating=1", "9S KH", "TS 8H", "JS QS", trump="9D", stock=0)
    table.talk("1 attack 9S")
    names = [[find_name(table, seat, key) for key in range(3)] for seat in (1, 2, 3)]
    assert names == [["done", "take", "catch"], ["done", "take", "cheat"], ["done", "take", "catch"]]
    table = deal("throw-in", "9S KH", "TS 8H", "JS QS", trump="9D", stock=0)
    assert find_name(table, 1, 2) == find_name(table, 2, 2) == "cheat"


def find_name(table: Table, seat: int, key: int) -> str:
    """The verb that the button says."""
    verb = table.game.button(table.state, seat, key)
    return [row[0] for row in table.game.VERBS][verb - find_verb(table.game, table.game.VERBS[0][0])]
