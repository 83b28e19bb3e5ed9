"""Decks are registered at the table (T10): with buttons and tags alone."""

from cardtable.between import decks
from cardtable.between.enrol import Enrol, deck_cards
from cardtable.engine.deck import STRANGER, card_name
from cardtable.table.lights import ACCEPTED, REFUSED, WAITED_FOR
from cardtable.table.running import LOBBY
from cardtable.table.tags import ARBITER_KEY, PLAYER, SETUP

from tests.app.fake_room import CALL, MENU, NO, OK, Files, Room


def enrolment(files=None, presses=()) -> Room:
    """The key was tapped at place 1, and something was chosen."""
    room = Room(lambda parts: Enrol(parts, 1), files)
    room.press(1, *presses)
    return room


def test_t10_the_first_tag_of_a_new_table_becomes_its_key():
    """T10: durable, and in force at once."""
    room = Room(lambda parts: Enrol(parts, 1), tags=())
    assert room.row(0).startswith("No key yet: tap a")
    room.tap(2, STRANGER, 7)
    assert room.files.texts["tags.txt"] == "04000000000007 arbiter\n" and room.parts.tags.find_code(ARBITER_KEY)
    assert room.row(7) == "new deck of 36"


def test_t10_what_means_something_already_becomes_no_key():
    """T10: a player's token, a set-up tag, a card of some deck: red, and nothing is written."""
    files = Files()
    files.texts = {"tags.txt": "04000000000002 player Vera\n04000000000003 setup transfer\n",
                   "deck2.txt": "04000000000008 7S\n"}
    kept = dict(files.texts)
    room = Room(lambda parts: Enrol(parts, 1), files, kept["tags.txt"].splitlines())
    for card, uid, said in ((PLAYER, 2, "Known already:"), (SETUP, 3, "Known already:"),
                            (STRANGER, 8, "A card of deck 2")):
        room.tap(2, card, uid)
        assert room.row(5).strip() == said and room.parts.lights.means[1] == REFUSED
        assert files.texts == kept and not room.parts.tags.find_code(ARBITER_KEY)
    room.tap(2, STRANGER, 9)
    assert files.texts["tags.txt"] == kept["tags.txt"] + "04000000000009 arbiter\n"
    assert room.parts.tags.find_code(ARBITER_KEY)


def test_t10_a_key_that_the_flash_does_not_take_is_none():
    def fill(name: str, mode: str = "r"):
        raise OSError(28)

    room = Room(lambda parts: Enrol(parts, 1), tags=())
    read, room.files.open = room.files.open, fill
    room.tap(2, STRANGER, 7)
    assert room.row(4) == "The memory is full" and not room.parts.tags.find_code(ARBITER_KEY)
    room.files.open = read
    room.tap(2, STRANGER, 7)
    assert room.files.texts["tags.txt"] == "04000000000007 arbiter\n" and room.parts.tags.find_code(ARBITER_KEY)


def test_each_place_asks_for_a_card_and_all_work_at_once():
    """36 cards, place by place in turn: each tag is what its place asked for, on flash before the green light."""
    room = enrolment(presses=(OK,))
    assert room.row(0) == "cards to come: 36" and room.row(1).rstrip() == "1:6♠  2:7♠  3:8♠"
    tapped = []
    while room.panel.count_missing():
        for place in (3, 1, 2, 4, 5, 6, 7):
            card = room.panel.asked[place]
            if card != 255:
                tapped.append(card)
                room.tap(place, STRANGER, 100 + len(tapped))
                line = "0400000000%04X %s\n" % (100 + len(tapped), card_name(card))
                assert room.files.texts["deck.txt"].endswith(line)
    assert sorted(tapped) == sorted(deck_cards(36)) and room.row(7) == "All there. OK"
    room.press(5, OK)
    assert room.panel.wants == LOBBY


def test_a_registered_tag_is_to_say_which_card_it_is():
    """And where it takes no such thing that is said; nothing else changes."""
    room = enrolment(presses=(OK,))
    room.tap(2, STRANGER, 50)
    room.tap(2, STRANGER, 50)
    assert room.parts.on_tags == [(2, "7S", room.panel.wrote)]
    kept = room.files.texts["deck.txt"]
    room.tap(1, STRANGER, 51)
    room.run(room.panel.wrote, 1, "6S", True)
    assert room.row(5) == ""
    room.run(room.panel.wrote, 1, "6S", False)
    assert room.row(5) == "Not written: 6♠" and room.files.texts["deck.txt"] == kept + "04000000000033 6S\n"


def test_a_tag_that_is_known_already_is_refused():
    """A card of this deck, or the key: red, said, and asked for again."""
    room = enrolment(presses=(OK,))
    room.tap(1, STRANGER, 50)
    kept = room.files.texts["deck.txt"]
    room.tap(2, STRANGER, 50)
    assert room.row(5) == "Known already: 6♠" and room.light(2) == WAITED_FOR
    room.tap(2, ARBITER_KEY, 1)
    assert room.files.texts["deck.txt"] == kept and card_name(room.panel.asked[2]) == "7S"


def test_no_takes_the_last_card_of_its_place_back():
    """And the place asks for it again."""
    room = enrolment(presses=(OK,))
    room.tap(1, STRANGER, 50)
    room.tap(2, STRANGER, 51)
    room.press(1, NO)
    assert room.files.texts["deck.txt"] == "; 36 cards\n04000000000033 7S\n"
    assert card_name(room.panel.asked[1]) == "6S" and room.panel.count_missing() == 35
    room.press(1, NO)
    assert room.panel.count_missing() == 35, "nothing more to take back"
    room.tap(1, STRANGER, 50)
    assert room.panel.count_missing() == 34


def test_enrolment_goes_on_later():
    """CALL leaves; the deck is in the list, and only what is missing is asked for."""
    room = enrolment(presses=(MENU, MENU, OK))
    for uid in range(10):
        room.tap(1, STRANGER, 100 + uid)
    room.press(1, CALL)
    assert room.panel.wants == LOBBY
    kept = room.files.texts["deck.txt"]
    again = enrolment(room.files, presses=[MENU] * 6)
    assert again.row(7) == "go on with deck 1"
    again.press(1, OK)
    assert again.row(0) == "cards to come: 44"
    asked = card_name(again.panel.asked[1])
    assert asked not in kept
    again.tap(1, STRANGER, 200)
    assert again.files.texts["deck.txt"] == kept + "040000000000C8 %s\n" % asked


def test_a_deck_is_checked_card_by_card():
    """What is missing at the end of an evening is named."""
    files = Files()
    files.texts["deck.txt"] = "; 36 cards\n0400000000000A 6S\n0400000000000B 7H\n"
    room = enrolment(files, presses=[MENU] * 5 + [OK])
    assert room.row(1) == "6♠ 7♥"
    room.tap(3, STRANGER, 11)
    assert room.row(0) == "cards to come: 1" and room.row(1) == "6♠"
    assert room.parts.on_tags == [(3, "7H", room.panel.renewed)], "a tag in the old form says it as a message now"
    room.run(room.panel.renewed, 3, "7H", False)
    assert room.row(5) == "", "and one that cannot is a card all the same"
    room.tap(3, STRANGER, 99)
    assert room.row(1) == "6♠"
    room.tap(4, STRANGER, 10)
    assert room.row(7) == "All there. OK"


def ask(room: Room, place: int, uid: int, says: str) -> None:
    """A tag that nobody knows is tapped; main.py asks it which card it is."""
    room.tap(place, STRANGER, uid)
    assert room.parts.on_tags == [(place, "", room.panel.heard)]
    room.parts.on_tags.clear()
    room.run(room.panel.heard, place, says)
    room.run(room.panel.step)


def test_the_deck_of_another_table_is_registered_as_its_tags_say():
    """In any order, at any place; the screen names what is missing of the smallest deck that has all these cards."""
    room = enrolment(presses=[MENU] * 4)
    assert room.row(7) == "by its tags: deck 1"
    room.press(1, OK)
    assert room.row(0) == "cards to come: 36" and room.light(5) == WAITED_FOR
    ask(room, 5, 50, "AC")
    assert room.files.texts["deck.txt"] == "; as its tags say\n04000000000032 AC\n"
    assert room.row(0) == "cards to come: 35" and room.parts.lights.means[4] == ACCEPTED
    room.tap(2, STRANGER, 50)
    assert room.row(0) == "cards to come: 35", "it is known by now, and not asked"
    ask(room, 5, 51, "2H")
    assert room.row(0) == "cards to come: 50"
    ask(room, 1, 52, "XB")
    assert room.row(0) == "cards to come: 51" and room.row(1).startswith("2♠ 3♠")
    names = [card_name(card) for card in room.panel.cards]
    for index in range(len(names)):
        ask(room, 1 + index % 7, 100 + index, names[index])
    assert room.row(7) == "All there. OK"
    room.press(3, OK)
    assert room.panel.wants == LOBBY


def test_a_tag_that_says_no_card_or_one_that_is_there_is_no_card_of_the_deck():
    """Red, and said why; the key is not even asked."""
    files = Files()
    files.texts["deck.txt"] = "04000000000063 6S\n"
    room = enrolment(files, presses=[MENU] * 4 + [OK])
    ask(room, 1, 50, "6S")
    kept = files.texts["deck2.txt"]
    ask(room, 2, 51, "6S")
    assert room.row(5) == "Known already: 6♠" and room.parts.lights.means[1] == REFUSED
    for says in ("", "QQ", "6S3", "hi"):
        ask(room, 2, 51, says)
        assert room.row(5) == "Tag holds no card"
    room.tap(2, ARBITER_KEY, 1)
    assert room.row(5) == "" and room.parts.lights.means[1] == REFUSED
    room.tap(2, STRANGER, 99)
    assert room.row(5) == "A card of deck 1" and not room.parts.on_tags
    assert files.texts["deck2.txt"] == kept


def test_no_takes_back_what_a_tag_said():
    """Its sticker is on another card now: it is left out, and asked for when the deck is gone on with."""
    room = enrolment(presses=[MENU] * 4 + [OK])
    ask(room, 1, 50, "6S")
    room.press(1, NO)
    assert room.files.texts["deck.txt"] == "; as its tags say\n" and room.row(0) == "cards to come: 36"
    room.press(1, NO)
    assert room.row(0) == "cards to come: 36" and room.parts.lights.means[0] == REFUSED
    ask(room, 2, 51, "7S")
    room.press(1, CALL)
    again = enrolment(room.files, presses=[MENU] * 6 + [OK])
    assert again.row(0) == "cards to come: 35" and again.row(1).startswith("1:6♠  2:8♠")


def test_a_deck_that_is_checked_takes_in_the_cards_that_it_lacks():
    """One that was left over when the deck was registered as its tags say."""
    files = Files()
    files.texts["deck.txt"] = "; 36 cards\n0400000000000A 6S\n"
    room = enrolment(files, presses=[MENU] * 5 + [OK])
    ask(room, 3, 50, "6S")
    assert room.row(5) == "Known already: 6♠" and room.row(1) == "6♠"
    ask(room, 3, 50, "7S")
    assert files.texts["deck.txt"].endswith("04000000000032 7S\n") and room.row(1) == "6♠"
    room.tap(3, STRANGER, 10)
    assert room.row(7) == "All there. OK"


def test_a_full_flash_is_said_and_nothing_is_registered():
    """What cannot be written has no green light."""
    def fill(name: str, mode: str = "r"):
        raise OSError(28)

    for presses in ([OK], [MENU] * 4 + [OK]):
        room = enrolment(presses=presses)
        room.files.open = fill
        if len(presses) == 1:
            room.tap(1, STRANGER, 50)
        else:
            ask(room, 1, 50, "6S")
        room.run(room.panel.step)
        assert room.row(4) == "The memory is full" and len(room.panel.tags) == 0
        assert room.parts.lights.means[0] == REFUSED


def test_a_tag_of_another_deck_is_found():
    """A tag's status: of this deck, of another one, of none."""
    files = Files()
    files.texts = {"deck.txt": "0400000000000A 6S\n", "deck3.txt": "; 36 cards\n04000C 7H\n0400000000000B 7S\n"}
    find = files.during
    assert find(decks.list_decks) == [1, 3] and find(decks.free_number) == 2
    uid = bytes([4, 0, 0, 0, 0, 0, 11, 0, 0, 0])
    assert find(decks.find_owner, uid, 1) == 3 and find(decks.find_owner, uid, 3) == 0
    files.texts["deck3.txt"] = "0400000000000b\t7S\n"  # by hand
    assert find(decks.find_owner, uid, 1) == 3
    assert decks.uid_text(bytes([4, 0, 0, 1, 0, 0, 0, 0, 0, 0])) == "04000001"
    assert decks.uid_text(bytes(9) + b"\x01") == "00" * 9 + "01"


def test_decks_have_their_cards():
    """36, 52, 54 and 108 cards; the payoff deck and the second one of Malice."""
    assert [len(deck_cards(size)) for size in (36, 52, 54, 108)] == [36, 52, 54, 108]
    assert card_name(deck_cards(36)[0]) == "6S" and card_name(deck_cards(54)[-1]) == "XR"
    assert card_name(deck_cards(108)[-1]) == "XR2" and len(set(deck_cards(108))) == 108


def test_the_arbiter_reads_which_readers_weaken():
    files = Files()
    files.texts["weak.txt"] = "5 100 83 2026-03-01\n"
    room = enrolment(files)
    assert [room.row(row) for row in range(1, 4)] == ["Reader 5 weakens: it", "read 100 of 100, now", "83."]
    room.press(1, MENU, OK)
    assert "weakens" not in room.row(1)


def test_d45_the_arbiter_ends_a_match():
    """D45: the first thing that the key offers in a match; then the same game is proposed as the first of another."""
    files = Files()
    files.texts["last.txt"] = ("cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\nmatch_game: 3\n"
                               "standing: 2 0\nfirst: 1\n\n")
    room = enrolment(files)
    assert room.row(7) == "end match, games: 2"
    room.press(1, OK)
    assert room.panel.wants == LOBBY
    assert files.texts["last.txt"] == "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"
    assert enrolment(files).row(7) == "new deck of 36"
