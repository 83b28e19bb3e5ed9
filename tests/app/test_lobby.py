"""The next game is chosen at the table (T10): with buttons and tags alone."""

from cardtable.between.lobby import Lobby
from cardtable.between.profiles import list_all_games
from cardtable.between.walk import Page
from cardtable.engine.deck import STRANGER
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.table.lights import CHOOSING, OFF, REFUSED, WAITED_FOR
from cardtable.table.readers import CLEARED, CROWDED
from cardtable.table.running import ENROL, PLAY
from cardtable.table.tags import ARBITER_KEY, PLAYER, SETUP

from tests.app.fake_room import MENU, NO, OK, Files, Room


def make_header(game: str, seats: str, dealer: int) -> Header:
    """The header of the last game."""
    header = Header()
    for line in ("game: " + game, "seats: " + seats, "dealer: %d" % dealer):
        read_key(header, line, 0)
    close_header(header, 0)
    return header


def lobby(header=None) -> Room:
    """The lobby after a game with this header."""
    return Room(lambda parts: Lobby(parts, header))


def test_ok_plays_the_last_game_again():
    """The sensible default at power-up: one press."""
    header = make_header("durak transfer", "Anna; Boris; Vera", 2)
    room = lobby(header)
    assert room.row(0) == "Durak, transfer" and room.row(3) == "seats 1 2 3 . . . ."
    assert [room.light(place) for place in (1, 3, 4)] == [WAITED_FOR, WAITED_FOR, OFF]
    room.press(2, OK)
    assert room.panel.wants == PLAY and room.panel.make_header() is header


def test_t5_no_game_begins_while_a_card_lies_on_a_reader():
    """It would be a tap of the game that begins: a card drawn, a token refused."""
    room = lobby(make_header("durak transfer", "Anna; Boris; Vera", 2))
    for place in (3, 1):
        room.lay(place, PLAYER)
    room.press(2, OK)
    assert not room.panel.wants and room.row(5) + room.row(6) == "Lift what lies at" + "place 1 3"
    assert room.parts.lights.means[1] == REFUSED
    room.lift(3, PLAYER)
    room.press(2, OK)
    assert not room.panel.wants and room.row(6) == "place 1"
    room.lift(1, PLAYER)
    room.press(2, OK)
    assert room.panel.wants == PLAY


def test_t5_no_game_begins_while_two_cards_lie_crowded_on_a_reader():
    """No card of them came, and the one that stays would be a tap of the game that begins."""
    room = lobby(make_header("durak transfer", "Anna; Boris; Vera", 2))
    room.crowd(7, CROWDED)
    room.press(2, OK)
    assert not room.panel.wants and room.row(5) + room.row(6) == "Lift what lies at" + "place 7"
    room.crowd(7, CLEARED)
    room.lay(7, PLAYER)
    room.crowd(7, CROWDED)
    room.crowd(7, CLEARED)
    room.press(2, OK)
    assert not room.panel.wants
    room.lift(7, PLAYER)
    room.press(2, OK)
    assert room.panel.wants == PLAY


def test_without_a_last_game_the_quick_start_is_offered():
    """A new table: OK plays at once. The table counts, so nobody taps the cards that are dealt."""
    room = lobby()
    assert room.row(0) == "Durak, throw-in" and room.row(5) == "the quickest throws"
    room.press(1, OK)
    header = room.panel.make_header()
    assert header.lines()[1:] == ["profile: quick", "game: durak throw-in throw_order=free deal=counted",
                                  "seats: Seat 1; Seat 2", "dealer: 1", "places: 1 2", ""]


def test_game_seats_and_dealer_are_chosen_with_one_seats_buttons():
    """MENU steps, OK goes on, NO goes back: the same game, with others at the table."""
    room = lobby()
    room.press(4, MENU)
    assert room.light(4) == CHOOSING and room.row(0) == "What do you play?" and room.row(7) == "MENU:next OK NO:back"
    assert room.row(3) == " " * 18 + "1/%d" % (len(list_all_games()) + 2)
    room.press(4, NO, MENU, OK)
    assert room.row(0) == "Durak, throw-in" and room.row(7) == "Who plays? MENU, OK"
    room.press(4, MENU, MENU, OK, MENU, MENU)
    assert room.row(3) == "seats 1 2 3 4 . . ." and room.row(4) == "dealer 3"
    room.press(4, OK)
    assert room.panel.wants == PLAY
    assert room.panel.make_header().lines()[3:6] == [
        "seats: Seat 1; Seat 2; Seat 3; Seat 4", "dealer: 3", "places: 1 2 3 4"]


def test_held_menu_steps_backwards():
    """The press was a step forwards, the first repeat makes up for it; each one after that is a step back."""
    room = lobby()
    room.press(1, MENU, OK)
    room.press(1, MENU)
    assert room.row(3) == "seats 1 2 3 . . . ."
    for held_ms, seats in ((599, 3), (600, 6), (900, 5), (1200, 4)):
        room.parts.buttons.held_ms = {MENU: held_ms}
        room.run(room.panel.step)
        assert len(room.panel.seated()) == seats


def test_any_place_may_sit_down():
    """OK of another place sits down or gets up; too few or too many cannot go on."""
    room = lobby()
    room.press(1, MENU, OK)
    room.press(6, OK)
    room.press(1, OK)
    assert room.row(7) == "Who deals? MENU, OK" and room.row(3) == "seats 1 2 . . . 6 ."
    room.press(1, NO)
    room.press(6, OK)
    room.press(2, OK)
    room.press(1, OK)
    assert room.row(7) == "Who plays? MENU, OK", "one alone cannot play"
    room.press(7, OK)
    room.press(1, OK, MENU, OK)
    assert room.panel.make_header().lines()[3:6] == ["seats: Seat 1; Seat 7", "dealer: 2", "places: 1 7"]


def test_a_token_sits_down_with_its_players_name():
    """Tap to sit: the name appears in the record; tapped elsewhere it moves, tapped again it gets up."""
    room = lobby()
    room.tap(5, PLAYER)
    assert room.row(3) == "seats 1 2 . . 5 . ."
    room.tap(2, PLAYER)
    assert room.row(3) == "seats 1 2 . . . . ."
    room.press(1, OK)
    assert "seats: Seat 1; Vera" in room.panel.make_header().lines()
    room.panel.wants = ""
    room.tap(2, PLAYER)
    room.press(1, OK)
    assert room.panel.wants == "" and room.row(7) == "Who plays? MENU, OK"
    room.press(1, MENU)
    assert room.row(3) == "seats 1 2 . . . . .", "whose OK it was chooses"
    room.press(1, OK, OK)
    assert room.panel.wants == PLAY


def test_who_gets_up_while_it_is_asked_who_deals_is_missed():
    room = Room(lambda parts: Lobby(parts, None), tags=("04000000000001 arbiter", "04000000000002 player Vera",
                                                        "04000000000003 player Gleb"))
    room.tap(1, PLAYER)
    room.tap(2, PLAYER + 1)
    room.press(1, MENU, OK, OK)
    assert room.row(7) == "Who deals? MENU, OK"
    room.tap(1, PLAYER)
    assert room.row(7) == "Who plays? MENU, OK"
    room.tap(2, PLAYER + 1)
    room.press(1, MENU, OK, OK)
    assert room.panel.wants == PLAY
    assert room.panel.make_header().lines()[3:5] == ["seats: Seat 1; Seat 2", "dealer: 2"]


def test_a_set_up_tag_chooses_its_game():
    """One tap; a profile that is not there is said so."""
    room = lobby()
    room.tap(3, SETUP)
    assert room.row(0) == "Durak, transfer" and room.row(7) == "OK: play  MENU: other"
    room.press(2, MENU)
    room.tap(3, SETUP)
    assert room.row(7) == "OK: play  MENU: other" and room.light(2) == WAITED_FOR, "nobody chooses"
    room.parts.tags.setups[0] = "nobodys"
    room.tap(3, SETUP)
    assert room.row(0) == "Durak, transfer" and room.row(5).startswith("profile: nobodys")


def test_a_card_chooses_its_deck():
    """Several decks: lay any card of the one to be played with; a strange tag chooses nothing."""
    room = lobby()
    room.files.texts = {"deck.txt": "0400000000000A 6S\n", "deck2.txt": "; 36 cards\n0400000000000B 7S\n"}
    room.tap(3, STRANGER, 12)
    assert room.row(2) == ""
    room.tap(3, STRANGER, 11)
    assert room.row(2) == "deck 2"
    room.press(1, OK)
    assert "deck: 2" in room.panel.make_header().lines()


def test_a_card_of_the_last_games_deck_chooses_it_too():
    """Its tags were read as the power came, to see whether that game can go on."""
    def open_lobby(parts):
        parts.tags.load(["0400000000000B 7S"])
        return Lobby(parts, None)

    room = Room(open_lobby)
    room.files.texts = {"deck2.txt": "0400000000000B 7S\n"}
    room.tap(3, room.parts.tags.find(bytes([4, 0, 0, 0, 0, 0, 11, 0, 0, 0])), 11)
    assert room.row(2) == "deck 2"


def test_d45_a_match_goes_on_with_whatever_deck():
    """A card that was still lying there as the lobby opened ended it, and so did one of the very deck that it had."""
    header = make_header("durak throw-in", "Anna; Boris", 2)
    for line in ("deck: 2", "match_game: 3", "standing: 1 1"):
        read_key(header, line, 0)
    room = lobby(header)
    room.files.texts = {"deck.txt": "0400000000000A 6S\n", "deck2.txt": "; 36 cards\n0400000000000B 7S\n"}
    for uid, deck in ((11, 2), (10, 1)):
        room.tap(4, STRANGER, uid)
        lines = room.panel.make_header().lines()
        assert {"match_game: 3", "standing: 1 1", "deck: %d" % deck} <= set(lines) and len(lines) == 8
        assert "Fool: Anna 1, Boris 1" in [room.row(row) for row in range(8)]


def test_the_deck_of_the_last_game_stays_until_other_rules_are_chosen():
    """What is played with it may need other cards; a card that was tapped says that it does not."""
    def decks_after(*deeds):
        header = make_header("durak throw-in", "Seat 1; Seat 2; Seat 3", 1)
        read_key(header, "deck: 2", 0)
        room = lobby(header)
        room.files.texts = {"deck2.txt": "0400000000000B 7S\n"}
        assert room.row(2) == "deck 2"
        for deed, place, what in deeds:
            deed(room, place, what)
        room.press(1, OK)
        return [line for line in room.panel.make_header().lines() if line.startswith("deck:")]

    def tap(room, place, what):
        room.tap(place, what, 11)

    def press(room, place, keys):
        room.press(place, *keys)

    another_dealer = (press, 1, (MENU, OK, OK, MENU))
    assert decks_after() == decks_after(another_dealer) == ["deck: 2"]
    assert decks_after((tap, 3, SETUP)) == []
    assert decks_after((tap, 3, STRANGER), (tap, 3, SETUP)) == ["deck: 2"]


def test_t10_the_arbiters_key_opens_enrolment():
    """T10: and on a table without a key any tag does, to become the key."""
    room = lobby()
    room.tap(3, STRANGER)
    assert room.panel.wants == ""
    room.tap(3, ARBITER_KEY)
    assert room.panel.wants == ENROL
    bare = Room(lambda parts: Lobby(parts, None), tags=())
    bare.tap(3, STRANGER)
    assert bare.panel.wants == ENROL


def test_d45_the_standing_of_a_match_is_shown_until_others_sit_down():
    """D45: by name; OK goes on with it, and a change of players begins another match."""
    header = Header()
    for line in ("game: durak throw-in", "seats: Anna; Boris", "dealer: 2", "match_game: 3", "standing: 2 0+1"):
        read_key(header, line, 0)
    close_header(header, 0)
    room = lobby(header)
    assert [room.row(row) for row in (5, 6)] == ["Fool: Anna 2, Boris", "0+1"]
    room.press(1, OK)
    assert "standing: 2 0+1" in room.panel.make_header().lines()
    room.panel.wants = ""
    room.tap(5, PLAYER)
    assert "Lost" not in room.row(5) and "standing" not in " ".join(room.panel.make_header().lines())


def test_c11_t8_seconds_of_a_seat_that_is_not_there_stop_no_lobby():
    """A profile for more players, or anything that came over a network."""
    for game in ("durak own_clock=9:30", "durak own_clock=30", "durak own_clock=x:30", "cals-bs handicap=7:1.5"):
        room = lobby(make_header(game, "Anna; Boris; Vera", 2))
        assert room.panel is not None and not room.panel.wants, game
    room = lobby(make_header("durak own_clock=3:30 own_clock=4:60", "Anna; Boris; Vera", 2))
    assert room.panel.delays == {"Vera": {"own_clock": "30"}}


def test_t13_a_profile_without_a_game_is_none():
    """A line that somebody began by hand: what comes after it is proposed."""
    files = Files()
    files.texts["profiles.txt"] = "House 1:\nHouse 2: durak transfer\n"
    room = Room(lambda parts: Lobby(parts, None), files)
    room.press(1, OK)
    assert room.panel.wants == PLAY and "profile: House 2" in room.panel.make_header().lines()


def test_c11_a_players_own_seconds_stand_in_place_of_those_of_the_rules():
    """C11: a profile may give some to a seat; the name that sits there has others."""
    files = Files()
    files.texts = {"profiles.txt": "club: cals-bs handicap=1:1.0 handicap=2:3.0\n",
                   "delays.txt": "Vera: handicap=2.5\n"}
    room = Room(lambda parts: Lobby(parts, None), files)
    room.tap(2, PLAYER)
    assert room.run(room.panel.make_header).game[1:] == ["handicap=1:1.0", "handicap=2:2.5"]


def test_menu_does_nothing_while_a_tag_is_asked_for():
    """The page has no answers to step through."""
    page = Page("Tag?", [], None)
    page.step(1)
    assert page.index == 0 and page.answer() == ""
