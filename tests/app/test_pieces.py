"""A record in pieces that a power cut has torn: what is taken away, what is read for that, and what is not touched."""

from cardtable.between import archive, pieces
from cardtable.between.pieces import Damage

from tests.app.fake_flash import Flash

GAME = "games/0001"


class Watched(Flash):
    """A flash that tells which files are read; `spoilt` cannot be."""

    def __init__(self, *pages):
        """pages: the pieces of each."""
        files = {"games": None, GAME: None}
        for page in range(len(pages)):
            files["%s/%d" % (GAME, page)] = None
            for piece in range(len(pages[page])):
                files["%s/%d/%d" % (GAME, page, piece)] = pages[page][piece]
        Flash.__init__(self, files)
        self.read = []
        self.spoilt = ""

    def open(self, name, mode):
        if mode == "rb":
            self.read.append(name[len(GAME) + 1 :])
            if name == self.spoilt:
                raise OSError(5, "Input/output error")
        return Flash.open(self, name, mode)

    def pages(self):
        """What lies there now."""
        found = []
        for name in sorted(self.files):
            words = name.split("/")
            if len(words) == 3:
                found.append([])
            elif len(words) == 4:
                found[-1].append(self.files[name])
        return found


def trimmed(*pages):
    """(what trim says, the pages afterwards, what was read, files that were written)."""
    flash = Watched(*pages)
    told = flash.during(pieces.trim, GAME)
    return told, flash.pages(), flash.read, flash.closed


def test_t9_what_is_whole_is_left_alone_and_only_the_last_page_is_read():
    """A long game would take seconds more to come back, and each write is one that can fail."""
    assert trimmed([b"a\n", b"b\n"], [b"c\n", b"d\n"]) == ((1, 2), [[b"a\n", b"b\n"], [b"c\n", b"d\n"]],
                                                          ["1/0", "1/1"], 0)


def test_t9_a_line_without_its_end_is_taken_away():
    """It may begin in a piece with whole lines, in one of its own, on the page before."""
    assert trimmed([b"a\n", b"b\ncd"])[:2] == ((0, 1), [[b"a\n", b"b\n"]])
    assert trimmed([b"a\n", b"cd"])[:2] == ((0, 1), [[b"a\n"]])
    assert trimmed([b"a\nb", b"c", b"d"])[:2] == ((0, 1), [[b"a\n"]])
    assert trimmed([b"a\nb"], [b"c", b"d"]) == ((1, 2), [[b"a\n"], []], ["1/0", "1/1", "0/0"], 1)
    assert trimmed([b"a\n", b""])[:2] == ((0, 1), [[b"a\n"]])
    assert trimmed([b"lo", b"ng\nto", b"rn"])[:2] == ((0, 1), [[b"lo", b"ng\n"]])


def test_t9_pages_that_were_ready_are_empty_and_stay():
    """The last one that was written is found before them; of a game that has none it is -1."""
    assert trimmed([b"a\nb"], [], [])[:2] == ((0, 3), [[b"a\n"], [], []])
    assert trimmed([])[:2] == ((-1, 1), [[]])
    assert trimmed()[:2] == ((-1, 0), [])


def test_the_lines_of_a_record_come_one_by_one_with_their_ends():
    """However many lie in a piece, or pieces in a line; what has no end is none."""
    flash = Watched([b"a\n\nbc\nd", b"e"], [b"f\ng\nh"])
    assert flash.during(lambda: list(pieces.read_lines(GAME))) == [b"a\n", b"\n", b"bc\n", b"def\n", b"g\n"]


def test_t9_pieces_go_from_the_end():
    """Where the power fails in between, a beginning of the record is left, and no gap."""
    flash = Watched([b"a\n", b"b\n"], [b"c\n"])
    flash.files[GAME + "/0/10"] = b"late\n"  # behind 2 to 9, which are gone already
    walk = pieces.remove(GAME)
    flash.during(next, walk)
    assert flash.pages() == [[b"a\n", b"b\n", b"late\n"]]
    flash.remove = lambda name: gone.append(name[len(GAME) + 1 :]) or Flash.remove(flash, name)
    gone = []
    flash.during(list, walk)
    assert gone == ["0/10", "0/1", "0/0"] and flash.files == {"games": None}


def test_t13_a_gap_is_damage_that_names_what_is_missing():
    """Nothing behind it can be the next line."""
    for name in ("0/1", "0"):
        flash = Watched([b"a\n", b"b\n", b"c\n"], [b"d\n"])
        for other in sorted(flash.files, reverse=True):
            if other == GAME + "/" + name or other.startswith(GAME + "/" + name + "/"):
                del flash.files[other]
        try:
            flash.during(pieces.trim if name == "0" else lambda game: list(pieces.read_lines(game)), GAME)
        except Damage as damage:
            assert str(damage) == "games/0001/" + name + " is missing"
        else:
            raise AssertionError("it was read")


def test_t13_a_piece_that_cannot_be_read_is_damage_that_names_the_game():
    """With the flash's own number for it."""
    flash = Watched([b"a\n", b"b\n"])
    flash.spoilt = GAME + "/0/1"
    for ask in (pieces.trim, lambda name: list(pieces.read_lines(name))):
        try:
            flash.during(ask, GAME)
        except Damage as damage:
            assert str(damage) == "games/0001 cannot be read: error 5"
        else:
            raise AssertionError("it was read")


def test_t13_a_game_begins_in_as_much_room_as_it_may_need():
    """Then nothing that was pulled has to go, and nobody is told to pull anything."""
    for free, left in ((0, 1), (-1, 0)):
        flash = Flash({"games": None, "games/0001.old": b"x", "games/0002.rec": b"y"})
        flash.room = archive.ROOM_BYTES + free
        flash.during(archive.make_room)
        assert len([name for name in flash.files if name.endswith(".old")]) == left, free
    flash = Flash({"games": None})
    flash.room = archive.ROOM_BYTES
    flash.during(archive.make_room)
