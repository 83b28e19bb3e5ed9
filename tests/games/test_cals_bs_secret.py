"""Cal's BS, what nobody may see (C17, T11), what is turned up (C7, C9), taking back (T7), and what taps mean."""

from tests.games.cals_bs_table import deal, lay
from tests.games.table_talk import Table

from cardtable.engine.deck import RANKS, card_name, card_number
from cardtable.engine.event import MENU_KEY, OK_KEY, OWN_VERB, SHOWS_ALL, SHOWS_VERB, Event, find_verb, unpack
from cardtable.engine.record import write_event
from cardtable.engine.state import find_place


def public(table: Table, seats=(0, 1, 2, 3, 4)) -> list:
    """Everything that may leave the table for the public and for those seats."""
    game = table.game
    views = [bytes(game.view(table.state, seat)) for seat in seats if seat <= table.seats]
    lights = [game.fill_light(table.state, seat, table.event.at_ms) for seat in range(1, table.seats + 1)]
    chosen = []
    for verb in ("claim", "plus"):
        for seat in range(1, table.seats + 1):
            game.choices(table.state, seat, find_verb(game, verb), chosen)
            chosen.append(game.button(table.state, seat, OK_KEY))
    facts = [game.due_ms(table.state), game.press_first(table.state), game.is_calm(table.state)]
    return views + lights + chosen + facts + [game.status(table.state), bytes(table.waited()), table.result()]


def meant(table: Table, seat: int, name: str) -> str:
    """What a tap of that card means, in the words of a record."""
    packed = []
    table.game.meanings(table.state, seat, card_number(name), packed)
    assert len(packed) == 1
    return write_event(table.game, unpack(packed[0], seat, 0, Event())).split(" ", 2)[2]


def pressed(table: Table, seat: int) -> str:
    """The verbs that OK, NO and CALL say for that seat."""
    verbs = [table.game.button(table.state, seat, key) for key in range(MENU_KEY)]
    return " ".join([table.game.VERBS[verb - OWN_VERB][0] for verb in verbs])


def chosen(table: Table, seat: int, name: str) -> list:
    """What is offered for that verb."""
    out = []
    table.game.choices(table.state, seat, find_verb(table.game, name), out)
    return out


def turned_up(table: Table, line: str) -> str:
    """Play the line; which cards it turns up for all."""
    seat, name = line.split(" ")[:2]
    out = []
    event = Event(int(seat), find_verb(table.game, name))
    table.game.opens(table.state, event, out)
    table.talk(line)
    return " ".join([card_name(card) for card in out])


# Games that differ only in what lies face down: seat 4 sees the same in both.
SAME = (
    # other hands
    (("7S 7H 2S", "8S 8H 9S", "TS JS QS"), ("8S 7H JS", "7S TS 9S", "2S 8H QS"), ()),
    # staged cards
    (("7S 7H 2S", "8S 8H 9S", "TS JS QS"), ("8S 7H 2S", "7S 8H 9S", "TS JS QS"), ("1 lay 7S|8S", "2 lay 8S|7S")),
    # a true set and a false one, pile and passes
    (("7S 7H 2S", "8S 8H 9S", "TS JS QS"), ("8S 7H 2S", "7S 8H 9S", "TS JS QS"),
     ("1 lay 7S|8S", "1 claim 7", "2 lay 8S|7S", "2 claim 7", "3 pass", "2 ask", "1 pass", "4 pass", "2 lay 9S")),
    # who took an unopened pile holds other cards
    (("7S 2S 3S", "8S 8H 9S", "TS JS QS"), ("2S 7S 3S", "8S 8H 9S", "TS JS QS"),
     ("1 lay 7S|2S", "1 claim 3", "2 lay 9S", "2 claim 3", "3 doubt", "3 lay JS", "3 claim J")),
    # all fours of another rank, and a plus on them
    (("7S 7H 7D 7C 2S", "8S 8H 8D 8C 9S", "TS JS QS"), ("8S 8H 8D 8C 2S", "7S 7H 7D 7C 9S", "TS JS QS"),
     ("1 lay 7S|8S", "1 lay 7H|8H", "1 lay 7D|8D", "1 lay 7C|8C", "1 fours", "2 lay 8S|7S", "2 plus 1", "3 pass")),
)


def both(line: str) -> list:
    """A line of two games: `1 lay 7S|8S`."""
    words = line.split(" ")
    return [" ".join([word.split("|")[side] if "|" in word else word for word in words]) for side in (0, 1)]


def test_c17_games_that_differ_face_down_look_alike():
    """C17, T11: pile, last set, staged cards and hands show nowhere before a doubt or the end."""
    for preset in ("cals-bs", "cals-bs-plus"):
        for one_hands, other_hands, lines in SAME:
            one = deal(preset, one_hands[0], one_hands[1], one_hands[2], None)
            other = deal(preset, other_hands[0], other_hands[1], other_hands[2], None)
            assert public(one, (0, 4)) == public(other, (0, 4))
            for line in lines:
                told = [one.play(both(line)[0]), other.play(both(line)[1])]
                assert told[0] == told[1] == "", line
                assert public(one, (0, 4)) == public(other, (0, 4)), line


def test_c17_t4_whether_a_laid_card_was_tapped_before_shows_nowhere():
    """C17, T4: seat 1 has taken its own set back and lays one of those cards, or one that it has not tapped yet."""
    tables = []
    for laid in ("7S", "9H"):
        table = Table("cals-bs deal=counted", 3, 3, 1)
        lay(table, 1, "7S 8S", "claim 7")
        table.talk("2 doubt")
        lay(table, 2, "KS", "claim K")
        lay(table, 1, laid, "claim K")
        tables.append(table)
    assert public(tables[0], (0, 2, 3)) == public(tables[1], (0, 2, 3))


def test_c17_the_rank_of_fours_shows_only_by_a_doubt_of_a_plus():
    """C17, C13b: until somebody doubts, a plus on sevens and one on kings are the same; then they are not."""
    tables = []
    for four in ("7S 7H 7D 7C", "KS KH KD KC"):
        table = deal("cals-bs-plus", "7S 7H 7D 7C KS KH KD KC 2S", "8S 8H", None)
        lay(table, 1, four, "fours")
        lay(table, 2, "8S", "plus 1")
        tables.append(table)
    assert public(tables[0], (0, 2, 3)) == public(tables[1], (0, 2, 3))
    told = [turned_up(table, "3 doubt") for table in tables]
    assert told == ["8S", "8S"] and [table.waits() for table in tables] == ["2 lead", "3 lead"]


def test_c17_a_seat_sees_its_own_cards():
    """T11: its hand and what it has staged, not what it has laid."""
    one = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    two = deal("cals-bs", "7S 7H 3S", "8S 8H", None)
    view = one.game.view
    assert view(one.state, 1) != view(two.state, 1) and view(one.state, 2) == view(two.state, 2)
    assert view(one.state, 1) != view(one.state, 0)
    one.talk("1 lay 2S")
    assert view(one.state, 1)[card_number("2S")] == find_place(one.game, "staged1")
    assert view(one.state, 1)[card_number("7S")] == find_place(one.game, "hand1")
    assert view(one.state, 2)[card_number("2S")] == find_place(one.game, "stock")
    one.talk("1 claim 7")
    assert view(one.state, 1)[card_number("2S")] == find_place(one.game, "stock")


def test_c17_how_many_cards_lie_where_is_everybodys():
    """C4, C15: the number laid is what the table counts; hands, staged cards and the pile are counted too."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    views = []
    for line in ("1 lay 7S", "1 lay 2S", "1 claim 7", "2 lay 8S", "2 claim 7", "1 doubt"):
        views.append(table.game.view(table.state, 0))
        table.talk(line)
    assert len(set(views)) == 6
    other = deal("cals-bs", "7S 7H", "8S 8H", None)
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    assert table.game.view(table.state, 2) != table.game.view(other.state, 2)


def test_c17_the_pile_the_set_the_hands_and_what_is_staged_are_counted():
    """C15, C17: cards that were laid, those of the last set, and for each seat its hand and its staged cards."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H 3S", None)
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S 8H", "claim 7")
    table.talk("1 lay 2S")
    counts = list(table.game.view(table.state, 3)[table.game.CARDS :][:10])
    assert counts == [1, 2, 1, 1, 1, 0, 48, 0, 0, 0]


def test_c17_what_everybody_may_see_of_an_event():
    """C17, T11: a draw, a staged card and one that goes back are shown without the card; words in full."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    for name in ("draw", "lay", "unlay"):
        assert table.game.shows(table.state, find_verb(table.game, name)) == SHOWS_VERB
    for name in ("claim", "fours", "plus", "out", "pass", "doubt", "ask", "timeout"):
        assert table.game.shows(table.state, find_verb(table.game, name)) == SHOWS_ALL


def test_c7_a_doubt_turns_up_the_last_set_alone():
    """C7: feed and screen name the cards of the doubted set, not those under it."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H 9S", None)
    assert not turned_up(table, "1 lay 7S") and not turned_up(table, "1 claim 7") and not turned_up(table, "2 lay 8S")
    assert not turned_up(table, "2 lay 9S") and not turned_up(table, "2 claim 7") and not turned_up(table, "3 pass")
    assert turned_up(table, "1 doubt") == "8S 9S"
    table = deal("cals-bs", "2S 7S 3S", "8S 8H 9S", None)
    lay(table, 1, "2S", "claim 7")
    assert turned_up(table, "2 doubt") == "2S"


def test_c9_a_last_set_is_turned_up():
    """C9: true or false, of a claim, of all fours, of a plus."""
    table = deal("cals-bs", "7S 7H", "8S", None)
    lay(table, 1, "7S", "claim 7")
    table.talk("2 lay 8S")
    assert turned_up(table, "2 claim 7") == "8S"
    table = deal("cals-bs", "7S 7H", "8S", None)
    table.talk("1 lay 7S / 1 lay 7H")
    assert turned_up(table, "1 claim 7") == "7S 7H"
    table = deal("cals-bs", "7S 7H 7D 7C", "8S", None)
    table.talk("1 lay 7S / 1 lay 7H / 1 lay 7D / 1 lay 7C")
    assert turned_up(table, "1 fours") == "7S 7H 7D 7C"
    table = deal("cals-bs", "7S 7H 7D 7C 2S", "8S", None)
    lay(table, 1, "7S 7H 7D 7C", "fours")
    table.talk("2 lay 8S")
    assert turned_up(table, "2 plus 1") == "8S"


def test_t7_staging_bars_an_undo():
    """T7: a lay or unlay since the event makes undo refused, also the staging seat's own; a claim alone goes back."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    table.talk("1 lay 7S / 1 undo ! T7 / 1 claim 7 / 2 undo ! T7 / 1 undo / 2 agree / 3 agree / = lies staged1 7S")
    table.talk("= waits 1 lead / 1 claim 8 / 2 lay 8S / 1 undo ! T7 / 2 unlay 8S / 1 undo ! T7 / 2 undo ! T7")
    table.talk("2 pass / 2 undo / 1 agree / 3 agree / = waits 2 any, 3 any / 2 pass")


def test_t7_staging_cancels_an_undo_that_was_asked():
    """T7: any other accepted event does."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    table.talk("1 lay 7S / 1 claim 7 / 1 undo / 2 agree / 3 lay 9S / 3 agree ! T7 / = waits 2 any, 3 any")


def test_t7_a_doubt_that_has_opened_cards_is_not_taken_back():
    """T7: nor is anything before it."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    table.talk("1 lay 7S / 1 claim 7 / 2 doubt / 2 undo ! T7 / 1 undo ! T7")
    table.talk("1 lay 7H / 1 claim 7 / 2 pass / 1 undo ! T7 / 2 undo / 1 agree / 3 agree / = waits 2 any, 3 any")


def test_t7_an_ask_a_declaration_and_the_last_pass_go_back():
    """T7: with the ask its time goes; with the pass that gave the lead (C8) the set can be doubted again."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    table.talk("1 out / 1 undo / 2 agree / 3 agree / 1 out / 1 lay 7S / 1 claim 7 / 1 ask / 1 undo / 2 agree / 3 agree")
    table.talk("+9 0 timeout ! C10 / 2 pass / 3 pass / = waits 1 lead / 3 undo / 1 agree / 2 agree / 3 doubt")
    table.talk("= waits 1 lead")


def test_a_tap_means_one_thing():
    """Details, staging: a card of the seat's staged ones goes back, any other is laid; in the deal it is drawn."""
    table = Table("cals-bs", 3)
    assert meant(table, 1, "7S") == "draw 7S"
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    assert meant(table, 1, "7S") == "lay 7S" and meant(table, 1, "8S") == "lay 8S"
    table.talk("1 lay 7S")
    assert meant(table, 1, "7S") == "unlay 7S" and meant(table, 2, "7S") == "lay 7S"
    table.talk("1 claim 7")
    assert meant(table, 1, "7S") == "lay 7S"
    table = deal("cals-bs show=one", "7S 7H 2S", "8S 8H", None)
    lay(table, 1, "7S", "claim 7")
    assert meant(table, 2, "7S") == "lay 7S"
    table.talk("2 doubt")
    assert meant(table, 2, "7S") == "show 7S" and meant(table, 2, "8S") == "lay 8S"
    assert meant(table, 3, "7S") == "lay 7S"
    assert not table.game.offers_blindly(table.state)


def test_buttons():
    """OK claims, on all fours it is plus; NO passes; CALL doubts, for the last to lay it asks."""
    table = deal("cals-bs", "7S 7H 7D 7C 2S", "8S 8H", None)
    assert pressed(table, 1) == pressed(table, 2) == "claim pass doubt"
    table.talk("1 lay 2S / 1 claim 7")
    assert pressed(table, 1) == "claim pass ask" and pressed(table, 2) == "claim pass doubt"
    table.talk("2 doubt")
    assert pressed(table, 1) == "claim pass doubt"
    table = deal("cals-bs", "7S 7H 7D 7C 2S", "8S 8H", None)
    lay(table, 1, "7S 7H 7D 7C", "fours")
    assert pressed(table, 1) == "plus pass ask" and pressed(table, 2) == "plus pass doubt"
    table.talk("2 lay 8S / 2 plus 1")
    assert pressed(table, 1) == "plus pass doubt" and pressed(table, 2) == "plus pass ask"
    table.talk("1 doubt")
    assert pressed(table, 1) == "claim pass doubt"


def test_ranks_to_choose_from():
    """C4, C5: the leader has every rank of the deck; who follows has one, and so has who comes too late."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    assert chosen(table, 1, "claim") == list(range(13)) and chosen(table, 2, "claim") == [RANKS.find("A")]
    lay(table, 1, "2S", "claim 7")
    assert [chosen(table, seat, "claim") for seat in (1, 2, 3)] == [[RANKS.find("7")]] * 3
    table.talk("2 doubt")
    assert chosen(table, 2, "claim") == list(range(13)) and chosen(table, 3, "claim") == [RANKS.find("7")]
    table = deal("cals-bs-54", "7S 7H 2S", "8S 8H", None)
    assert [RANKS[rank] for rank in chosen(table, 1, "claim")] == list("23456789TA")


def test_numbers_to_choose_from():
    """C13: one in (a); in (b) all that can be, then the one that was said."""
    for game, last in (("cals-bs", 1), ("cals-bs-plus", 12), ("cals-bs-plus deck=five", 9), ("cals-bs-54", 1)):
        assert chosen(deal(game, "7S", "8S", None), 2, "plus") == list(range(1, last + 1))
    table = deal("cals-bs-plus", "7S 7H 7D 7C 2S", "8S 8H", None)
    lay(table, 1, "7S 7H 7D 7C", "fours")
    assert len(chosen(table, 3, "plus")) == 12
    lay(table, 2, "8S", "plus 5")
    assert chosen(table, 3, "plus") == [5]


def test_status_fits_the_screen_and_names_no_card():
    """C17: claim, number, who laid it, who has passed; hands where they fit in 21 characters."""
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    assert table.game.status(table.state) == "0: 3/2/49"
    table.talk("1 out / 1 lay 7S / 1 lay 2S / 1 claim 7 / 2 pass")
    assert table.game.status(table.state) == "1:2x7 !1 -2 1/2/49"
    table = Table("cals-bs", 7)
    for card in range(54):
        table.talk("%s draw %s" % (table.waits().split()[0], card_name(card)))
    assert table.game.status(table.state) == "0: 8/8/8/8/8/7/7"
    lay(table, 1, table.cards("hand1")[0], "claim T")
    table.talk("2 pass / 3 pass / 4 pass / 5 pass")
    assert table.game.status(table.state) == "1:1xT -2345"
    table.talk("6 pass / 7 pass")
    assert table.game.status(table.state) == "1: 7/8/8/8/8/7/7"


def test_calm_is_when_nobody_has_to_be_quick():
    """C5: in the deal and while a leader thinks, not while a set can be answered."""
    table = Table("cals-bs", 3)
    assert table.game.is_calm(table.state)
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    assert table.game.is_calm(table.state)
    lay(table, 1, "7S", "claim 7")
    assert not table.game.is_calm(table.state)
    table.talk("2 doubt")
    assert table.game.is_calm(table.state)


def test_t8_a_seat_whose_time_is_over_passes():
    """T8, C6: unless it leads, has laid last or has passed; in the deal nobody can draw for it."""
    table = Table("cals-bs", 3)
    assert [table.game.move_on(table.state, seat) for seat in (1, 2, 3)] == [0, 0, 0]
    table = deal("cals-bs", "7S 7H 2S", "8S 8H", None)
    assert [table.game.move_on(table.state, seat) for seat in (1, 2, 3)] == [0, 0, 0]
    lay(table, 1, "7S", "claim 7")
    table.talk("2 pass")
    assert [table.game.move_on(table.state, seat) for seat in (1, 2, 3)] == [0, 0, find_verb(table.game, "pass")]


def test_c5_what_a_seat_may_do():
    """C5, C7, C14: every card of the hand may be staged, neighbours in rank too; then what can be said of it."""
    table = deal("cals-bs show=one", "7S 8S 9S 2H", "8H 9H", None)
    table.talk("= moves 1 lay 7S, lay 8S, lay 9S, lay 2H, out / = moves 2 lay 8H, lay 9H / 1 lay 8S")
    ranks = ", ".join(["claim %s" % rank for rank in RANKS[:13]])
    table.talk("= moves 1 lay 7S, lay 9S, lay 2H, unlay 8S, out, " + ranks)
    table.talk("1 lay 9S / 1 claim 8 / = moves 1 lay 7S, lay 2H, ask / = moves 2 lay 8H, lay 9H, pass, doubt / 2 doubt")
    table.talk("= moves 1 lay 7S, lay 2H / = moves 2 lay 8H, lay 9H, show 8S, show 9S")
