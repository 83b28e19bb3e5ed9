"""The table's own rules that the engine keeps: T1 to T4, T7, T10, T14 (docs/rules/table.md), on games of Durak."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import PLACE, Event, find_verb
from cardtable.engine.state import NOWHERE, find_place
from cardtable.engine.verdict import T2_NO_SUCH_CARD, T10_CANNOT_LIE_THERE
from tests.games.durak_table import deal
from tests.games.table_talk import Table


def table_of(*hands, game: str = "throw-in", stock=0, trump: str = "9D"):
    """A game without stock."""
    return deal(game, *hands, trump=trump, stock=stock)


def test_t1_a_card_is_in_one_place():
    """T1: no event can lose, double or move a card in any other way."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("""
        1 attack 6S / 1 attack 6S ! T1 T2 / = hand 1 6H / = lies attack1 6S / 2 beat 7S 6S
        2 beat 7S 6S ! T1 T2 D7
    """)
    table.talk("1 attack 7S ! T1 T2 / 2 take / 1 done / 3 done / = hand 2 6S 7S 8S / 1 attack 6S ! T1 T2 D12")


def test_t2_a_card_that_lies_elsewhere():
    """T2: a tap of a card that lies elsewhere, in another hand or the discard, is refused and changes nothing."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("""
        1 attack 7S ! T2 / 1 attack AC ! T2 / 1 attack 6S / 2 beat JS 6S ! T2 / 2 beat AC 6S ! T2
        = hand 2 7S 8S
    """)


def test_t2_a_tag_of_no_deck_of_this_game():
    """T2: a tag of no registered deck, or a card that this game's decks do not have."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    for name in ("QQ", "2S", "XB", "6S2", "XR2", "6S9"):
        table.talk("1 attack %s ! T2" % name)
    table.talk("1 attack 6S")
    for name in ("QQ", "2S", "XB", "6S2", "6S9"):
        table.talk("2 beat %s 6S ! T2 / 2 beat 7S %s ! T2" % (name, name))


def test_t2_a_number_behind_the_last_card():
    """T2: as card and as target; a caller need not know how many cards there are."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("1 attack 6S")
    beat = find_verb(table.game, "beat")
    for number in (table.game.CARDS, 200):
        assert table.session.judge(Event(2, beat, number, card_number("6S"), 90_000)) == T2_NO_SUCH_CARD
        assert table.session.judge(Event(2, beat, card_number("7S"), number, 90_000)) == T2_NO_SUCH_CARD
        place = Event(0, PLACE, number, find_place(table.game, "discard"), 90_000)
        assert table.session.judge(place) == T2_NO_SUCH_CARD


def test_t2_a_seat_that_is_not_in_the_game():
    """T2: a seat number that is not in the game; seat 0 plays no cards."""
    table = table_of("6S 6H", "7S 8S")
    table.talk("""
        3 attack 6S ! T2 / 7 done ! T2 / 0 attack 6S ! T2 / 3 undo ! T2 / 4 agree ! T2 / 0 draw 6S ! T2
        0 undo ! T2
    """)
    table.talk("1 attack 6S")


def dealt(seats: int, cards: int, game: str = "throw-in") -> Table:
    """A table at which each seat has drawn so many cards."""
    table = Table("durak " + game, seats, first=1)
    for _ in range(cards):
        for seat in range(1, seats + 1):
            table.talk("%d draw %s" % (seat, table.cards("stock")[0]))
    return table


def test_t3_nothing_else_before_all_is_dealt():
    """T3: nothing else is accepted before all is dealt; a hand takes no more than is due."""
    table = dealt(2, 5)
    table.talk("1 draw AC / 1 draw AD ! T3 / 1 attack AC ! T3 / 2 turn AD ! T3 / 1 done ! T3 / 2 take ! T3")
    table.talk("2 draw AD / 2 draw AH ! T3 / 2 turn AH / = waits 1 open")


def test_t3_undo_in_the_deal_is_that_seats_own_last_draw():
    """T3: in the deal undo means that seat's own last draw, and other seats' draws do not cancel it."""
    table = dealt(3, 2)
    table.talk("""
        1 draw AC
        2 draw AD
        1 undo
        2 agree
        3 draw AH
        3 agree
        = hand 1 6S 9S
        = hand 2 7S TS AD
        = hand 3 8S JS AH
        1 undo ! T7
        1 draw AS
        2 undo
        1 agree
        3 agree
        = hand 1 6S 9S AS
        = hand 2 7S TS
    """)


def test_t3_the_seats_own_draw_cancels_its_undo():
    """T3, T7: a seat that draws on does not want the card back."""
    table = dealt(2, 2)
    table.talk("1 draw AC / 1 undo / 1 draw AD / 2 agree ! T7 / = hand 1 6S 8S AC AD")


def test_t3_the_end_of_the_deal_cancels_an_undo():
    """T3, T7: in the deal; once the trump is turned, or the game begun without one, it is too late."""
    table = dealt(2, 6)
    table.talk("1 undo / 2 turn AD / 2 agree ! T7 / 1 undo ! T7")
    table = dealt(2, 5, "japanese-diamonds")
    table.talk("1 draw AC / 1 undo / 2 draw AD / 2 agree ! T7 / = waits 1 open / 1 attack AC")


def test_t3_the_draw_that_begins_the_game_may_be_taken_back():
    """T7: the last accepted event; the deal is open again, and that draw is gone."""
    table = dealt(2, 5, "japanese-diamonds")
    table.talk("""
        1 draw AC / 2 draw AD / = waits 1 open / 2 undo / 1 agree / = waits 2 deal / 2 undo ! T7
        1 undo / 2 agree
    """)
    table.talk("= waits 1 deal, 2 deal / 2 draw 7C / 1 draw 8C / = waits 1 open")


def test_t3_an_undone_turn_opens_the_deal_again():
    """T7, T3: the trump is taken back by its dealer; then each seat's own last draw can be."""
    table = dealt(2, 6)
    table.talk("""
        2 turn AD / 1 undo ! T7 / 2 undo / 1 agree / = waits 2 turn / 1 undo / 2 agree / = waits 1 deal
        1 draw AD
    """)
    table.talk("2 turn AC / = lies turned AC")


def test_t7_the_last_event_is_taken_back():
    """T7: undo is said by the seat whose event it was, and takes effect with the last agree of all others."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    saved = table.state.save()
    table.talk("1 attack 6S / 1 undo / 2 agree")
    assert table.state.save() != saved
    table.talk("3 agree")
    assert table.state.save() == saved
    table.talk("= waits 1 open / 1 attack 6H / 2 take")


def test_t7_only_by_the_seat_whose_event_it_was():
    """T7: another seat is refused; nobody agrees to nothing, twice, or to the own undo."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("""
        1 undo ! T7
        2 agree ! T7
        1 attack 6S
        2 undo ! T7
        3 undo ! T7
        2 agree ! T7
        1 undo
        1 agree ! T7
        2 agree
        2 agree ! T7
        3 agree
        1 undo ! T7
    """)


def test_t7_any_other_accepted_event_cancels_it():
    """T7: an accepted event cancels it, a refused one does not."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("""
        1 attack 6S / 1 undo / 2 beat 7S 6S / 2 agree ! T7 / 3 agree ! T7 / 2 undo / 1 attack AC ! T2
        1 agree / 3 agree
    """)
    table.talk("= hand 2 7S 8S / = lies attack1 6S")


def test_t7_ten_seconds():
    """T7: so does 10.000 s: an agree then is refused; 9.999 s is in time."""
    table = table_of("6S 6H", "7S 8S")
    table.talk("""
        1 attack 6S / 1 undo / +10 2 agree ! T7 / = lies attack1 6S / +0 1 undo / +9.999 2 agree
        = hand 1 6H 6S
    """)
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("1 attack 6S / 1 undo / +5 2 agree / +4.999 3 agree / = hand 1 6H 6S")
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("""
        1 attack 6S / 1 undo / +9 2 agree / +1 3 agree ! T7 / = lies attack1 6S / 1 undo / 2 agree
        3 agree
    """)


def test_t7_all_other_seats_still_in():
    """T7: a seat that is out need not agree, and cannot."""
    table = table_of("6S 6H", "7S 8S", "", "TS JS")
    table.talk("1 attack 6S / 1 undo / 3 agree ! T7 / 2 agree / 4 agree / = hand 1 6H 6S")


def test_t7_a_seat_that_went_out_by_the_event_itself():
    """T7: who was in before the event agrees; the one that asks may be out by it."""
    table = table_of("6S", "7S 8S", "TS JS")
    table.talk("1 attack 6S / 1 undo / 2 agree / 3 agree / = hand 1 6S / = waits 1 open")


def test_t7_where_nobody_else_was_in():
    """T7 in Durak (decided): the undo takes effect at once."""
    table = table_of("6S", "7S 8S")
    table.talk("1 attack 6S / 2 take / = result fool 2 / 2 undo / = result / = waits 2 beat / 1 agree ! T7")


def test_t7_it_reopens_a_game_that_the_event_had_ended():
    """T7, T14: the result is gone, and the game goes on."""
    table = table_of("6S", "7S 8S")
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / = result fool 2 / 1 attack 6S ! T14 / 1 undo ! T7 / 2 undo
        = result
    """)
    table.talk("= waits 2 beat / 2 take / = result fool 2")


def test_t7_a_draw_that_fills_up():
    """T7: draws after a bout are events like any; the deck's card goes back."""
    table = table_of("6S KH", "7S 8H", stock="AC AH AS 9D")
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / 1 done / 1 draw AC / 1 undo / 2 agree / = lies stock AC AH AS
        1 draw AH
    """)


def test_t7_the_arbiters_word_is_nobodys_to_take_back():
    """T7, T10: it cancels an undo, and leaves nothing to undo."""
    for word in ("0 pause", "0 place 8S discard"):
        table = table_of("6S 6H", "7S 8S")
        table.talk("1 attack 6S / 1 undo / " + word + " / 2 agree ! T7 / 1 undo ! T7")


def test_t10_only_the_arbiter():
    """T10: only the arbiter key may abort a game or correct a card's place, pause or go on."""
    table = table_of("6S 6H", "7S 8S")
    table.talk("""
        1 abort ! T10 / 2 pause ! T10 / 1 resume ! T10 / 2 place 6S hand2 ! T10 / 1 lead 2 ! T10 T4
        = hand 1 6H 6S
    """)


def test_t10_abort():
    """T10: the game has the result `aborted`."""
    table = table_of("6S 6H", "7S 8S")
    table.talk("""
        1 attack 6S / 0 abort / = result aborted / 2 take ! T14 / 0 abort ! T14 / 0 pause ! T14
        1 undo ! T7
    """)
    table = Table("durak throw-in", 2)
    table.talk("1 draw 6S / 0 abort / = result aborted / 2 draw 7S ! T14 / 1 undo ! T7 / = hand 1 6S")


def test_t10_pause_and_resume():
    """T10: in between nobody plays; the arbiter still may."""
    table = table_of("6S 6H", "7S 8S")
    table.talk("""
        0 resume ! T10
        1 attack 6S
        0 pause
        0 pause ! T10
        2 take ! T10
        2 beat 7S 6S ! T10
        0 lead 1 ! T10
        0 place 8S discard
        0 resume
        0 resume ! T10
        2 beat 7S 6S
    """)
    table = table_of("6S 6H", "7S 8S")
    table.talk("0 pause / 0 abort / = result aborted")
    assert table.play("1 attack 6S") == "T14"  # the end comes before the pause


def test_t10_a_cards_place_is_corrected():
    """T10: a card may be put where the game makes sense with it."""
    table = table_of("6S 6H", "7S 8S", "TS JS", stock="AC AH")
    table.talk("""
        0 place TS hand1
        = hand 1 6H 6S TS
        = hand 3 JS
        0 place AC hand3
        0 place AH discard
        = lies stock
        1 attack 6S
        0 place 6S hand1
        = waits 1 open
        0 place TS attack1
        0 place 8S cover1
        = hand 2 7S
        0 place QQ hand1 ! T2
        0 place 2S hand1 ! T2
        0 place 6S2 hand1 ! T2
    """)


def test_t10_a_card_cannot_lie_where_the_game_makes_no_sense():
    """T10, T1: two cards in one place of the table, a gap, a card over nothing, the hand of nobody."""
    table = table_of("6S 6H", "7S 8S")
    table.talk("""
        1 attack 6S
        0 place 6H attack1 ! T10
        0 place 6H attack3 ! T10
        0 place 7S cover2 ! T10
        0 place 7S hand3 ! T10
        = hand 1 6H
        = hand 2 7S 8S
        1 attack 6H
        0 place 6S discard ! T10
    """)


def test_t10_nothing_is_put_nowhere():
    """T10, T1: a card that is in the game stays in it."""
    for game in ("durak throw-in", "bailiff", "cals-bs", "malice"):
        table = Table(game, 3 if game == "cals-bs" else 2)
        card = card_number("KS")
        event = Event(0, PLACE, card, NOWHERE, 90_000)
        assert table.session.judge(event) == T10_CANNOT_LIE_THERE, game


def test_t7_nothing_has_happened_yet():
    """T7: an undo before the first event of a game that is dealt already; nobody's event is nobody's to take back."""
    table = Table("bailiff deal=counted", 2, first=1)
    assert table.play("1 undo") == table.play("2 undo") == "T7"
    table.talk("1 lay 6S")
    assert table.play("2 undo") == "T7.1"


def test_t10_the_turn_to_throw_in_needs_a_card():
    """T10, D16: not the last card of the seat whose turn it is: put another there first."""
    table = table_of("6S 6H", "7S 8S", "TS JS")
    table.talk("""
        1 attack 6S / 0 place 6H discard ! T10 / 0 place TS hand1 / 0 place 6H discard
        = waits 1 throw, 2 beat
    """)


def test_t10_a_corrected_draw_is_no_longer_its_seats_to_undo():
    """T10, T3: what the arbiter put elsewhere is not taken back into the stock."""
    table = dealt(2, 2)
    table.talk("1 draw AC / 0 place AC hand2 / 1 undo ! T7 / = hand 2 7S 9S AC")


def test_t10_who_is_due_to_draw_stays_due():
    """T10, D24: not a place that would leave a full hand or an empty stock to draw from."""
    table = table_of("6S KH", "7S 8H", stock="AC AH")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 done / = waits 1 draw / 0 place AC discard / 0 place AH discard ! T10")
    table.talk("1 draw AH")


def test_t10_place_in_the_whole_deck_dealt():
    """T10, D4: the card that the dealer shows has to be in its hand."""
    table = dealt(6, 6)
    table.talk("""
        6 turn AH ! D4 / 0 place AC hand5 / 0 place KC hand6 / 6 turn AC ! D4 / 0 place AC hand6
        0 place KC hand5
    """)
    table.talk("6 turn AC")


def test_t10_nobody_asked_who_leads():
    """T10, and T4: with deal=scanned the table knows every hand, so that nobody has to say who leads."""
    table = table_of("6S 6H", "7S 8S")
    table.talk("0 lead 1 ! T4 / 0 lead 9 ! T4")


def test_t14_a_game_that_has_its_result_refuses_every_event():
    """T14: T7 aside."""
    table = table_of("6S", "7S 8S", "")
    table.talk("1 attack 6S / 2 take / = result fool 2")
    for line in ("2 attack 7S", "1 draw AC", "2 take", "1 done", "3 turn AC", "2 cheat", "1 catch 6S", "2 transfer 7S"):
        table.talk(line + " ! T14")
    for line in ("0 pause", "0 resume", "0 place 6S discard", "0 abort", "0 lead 1"):
        table.talk(line + " ! T14")
    assert not table.moves(2) and not table.moves(1) and not table.waits()


def test_t9_a_session_that_is_told_the_same_stands_the_same():
    """T9: state is a fold over the events: told them again, every byte is the same, an undo half agreed to as well."""
    sessions = []
    for _ in range(2):
        table = table_of("6S 6H", "7S 8S", "TS JS")
        table.talk("1 attack 6S / 2 beat 8S 6S / 2 undo / 1 agree")
        sessions.append(table)
    one, two = sessions
    assert one.state.save() == two.state.save() and one.session.before.save() == two.session.before.save()
    for table in sessions:
        table.talk("3 agree / = hand 2 7S 8S")
