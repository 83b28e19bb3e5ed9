"""The deck file: `UID CARD` lines that people can read, and errors that name line and cause (T2)."""

from cardtable.between.tag_lines import TAG_LIMIT
from cardtable.engine.deck import STRANGER, card_name, card_number
from cardtable.table.tags import ARBITER_KEY, PLAYER, SETUP, TagError, Tags


def load(*lines: str) -> Tags:
    """A deck from these lines."""
    tags = Tags()
    tags.load([line + "\n" for line in lines])
    return tags


def cause(*lines: str) -> str:
    """Why these lines are no deck file."""
    try:
        load(*lines)
    except TagError as error:
        return str(error)
    return ""


def padded(uid: str) -> bytes:
    """A UID as the readers give it."""
    row = bytes([int(uid[at : at + 2], 16) for at in range(0, len(uid), 2)])
    return row + bytes(10 - len(row))


def test_t2_a_registered_tag_is_its_card():
    """UIDs of 4, 7 and 10 bytes."""
    tags = load("01020304 6S", "04A1B2C3D4E580 QH", "; comment", "", "0102030405060708090A XB2 ; the joker")
    assert len(tags) == 3
    assert tags.find(padded("01020304")) == card_number("6S")
    assert tags.find(padded("04A1B2C3D4E580")) == card_number("QH")
    assert tags.find(padded("0102030405060708090A")) == card_number("XB2")


def test_t2_any_other_tag_is_a_stranger():
    """Also one whose UID is part of another's row."""
    tags = load("01020304 6S", "04A1B2C3D4E580 QH")
    assert tags.find(padded("01020305")) == STRANGER
    assert tags.find(padded("A1B2C3D4")) == STRANGER
    assert tags.find(bytes(10)) == STRANGER


def test_the_whole_of_two_decks_fits():
    """108 tags, each found."""
    lines = ["04%02X5566778899 %s" % (card, card_name(card)) for card in range(108)]
    tags = load(*lines)
    assert len(tags) == 108
    for card in range(108):
        assert tags.find(padded("04%02X5566778899" % card)) == card


def test_bad_lines_are_named():
    """One sentence each, with the line."""
    assert cause("01020304 6S", "6S") == "line 2: a deck file has `UID CARD` lines"
    assert cause("01020304 1S") == "line 1: 1S is no card"
    assert cause("0102030 6S") == "line 1: 0102030 is no UID of 4, 7 or 10 bytes"
    assert cause("0102030G 6S") == "line 1: 0102030G is no UID of 4, 7 or 10 bytes"
    assert cause("010203040506 6S") == "line 1: 010203040506 is no UID of 4, 7 or 10 bytes"
    assert cause("01020304 6S", "01020304 7S") == "line 2: 01020304 is registered twice"
    assert cause("01020304 6S", "01020305 6S") == "line 2: the deck has two tags for 6S"


def test_there_is_a_limit_which_is_named():
    """Two decks, as many players and profiles as there may be and a dozen keys are within it."""
    tags = Tags()
    tags.load(["04%02X5566778899 %s\n" % (card, card_name(card)) for card in range(108)])
    lines = ["05%02X5566778899 player Anna %d\n" % (number, number) for number in range(16)]
    lines += ["06%02X5566778899 setup club%d\n" % (number, number) for number in range(16)]
    lines += ["07%02X5566778899 arbiter\n" % number for number in range(12)]
    tags.load_others(lines)
    assert len(tags) == TAG_LIMIT == 152
    try:
        tags.load_others(["0800556677889A arbiter\n"])
    except TagError as wrong:
        assert str(wrong) == "line 1: more than 152 tags"
    else:
        raise AssertionError("one more was taken")
    assert len(tags) == TAG_LIMIT


def test_t10_tags_that_are_no_cards():
    """Arbiter keys, players' tokens and set-up tags, from a file of their own."""
    tags = Tags()
    tags.load(["04A1B2C3D4E580 6S"])
    lines = ["; ours", "04A1B2C3D4E581 arbiter", "04A1B2C3D4E582 player Anna B", "", "04A1B2C3D4E583 setup club"]
    tags.load_others(lines)
    found = [tags.find(bytes([4, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, last, 0, 0, 0])) for last in range(0x80, 0x84)]
    assert found == [card_number("6S"), ARBITER_KEY, PLAYER, SETUP]
    assert (tags.players, tags.setups) == (["Anna B"], ["club"])


def test_t10_a_line_that_is_no_tag_is_one_sentence():
    """Whatever is wrong, with its line."""
    for line, cause in (
        ("04A1B2C3D4E581", "it takes"), ("04A1B2C3D4E581 boss", "it takes"), ("04A1B2C3D4E581 player", "it takes"),
        ("04A1B2C3D4E581 arbiter Anna", "it takes"), ("04A1 arbiter", "no UID"),
    ):
        try:
            Tags().load_others([line])
        except TagError as wrong:
            assert str(wrong).startswith("line 1: ") and cause in str(wrong), str(wrong)
        else:
            raise AssertionError(line)


def test_another_deck_takes_the_cards_away_and_another_file_of_tokens_all_others():
    tags = Tags()
    tags.load(["04A1B2C3D4E580 6S\n", "04A1B2C3D4E581 7S\n"])
    tags.load_others(["04A1B2C3D4E582 arbiter\n", "04A1B2C3D4E583 player Vera\n", "04A1B2C3D4E584 setup transfer\n"])
    six, seven = card_number("6S"), card_number("7S")
    tags.forget_cards()
    assert len(tags) == 3 and not tags.has(six) and tags.has(ARBITER_KEY)
    assert tags.has(PLAYER) and tags.players == ["Vera"] and tags.setups == ["transfer"]
    tags.load(["04A1B2C3D4E581 7S\n"])
    tags.forget_others()
    assert len(tags) == 1 and not tags.has(ARBITER_KEY) and tags.players == tags.setups == []
    assert tags.uid_of(seven) == b"\x04\xa1\xb2\xc3\xd4\xe5\x81\0\0\0"
