"""How the journal fills its pages, what it counts, and what it notes outside them; a file of its own, because
MicroPython reads a file whole."""

from cardtable.between import witness as witness_module
from cardtable.record import journal as journal_module
from cardtable.record.journal import WITNESS, Journal, is_game

from tests.app.fake_flash import Flash
from tests.app.test_journal import TEXT, begin, pieces_of

HEADER_BYTES = len(TEXT.encode())  # 59: with littlefs's own bytes it takes 160 of a page's 4000


def written(*lines):
    """The lengths of the pieces of a game with these lines, page by page."""
    flash = Flash()

    def play():
        journal = Journal()
        begin(journal)
        for line in lines:
            assert journal.write(line)

    flash.during(play)
    return pieces_of(flash)


def test_a_journal_without_a_game_owes_nothing():
    """It has no name, no page and no fault."""
    journal = Journal()
    assert journal.is_durable() and (journal.name, journal.spares, journal.late, journal.faults) == ("", 0, 0, 0)
    assert journal.counts() == "0 pages late, 0 faults"


def test_lines_share_a_piece_up_to_sixty_bytes():
    """A piece of its own for each would cost a fifth more of a page."""
    assert written(*["x" * 19] * 7) == [[HEADER_BYTES, 60, 60, 20]]
    assert written("x" * 20, "x" * 19, "x" * 19) == [[HEADER_BYTES, 41, 20]]


def test_a_page_is_filled_to_its_last_byte():
    """20 pieces of 192 bytes fit behind the header; so do 19, one of 128 and 64 more for what is added to it."""
    full = ["x" * 79] * 20
    assert written(*full) == [[HEADER_BYTES] + [80] * 20]
    assert written(*(full + ["x" * 79])) == [[HEADER_BYTES] + [80] * 20, [80]]
    shared = full[:19] + ["x" * 19, "x" * 7]
    assert written(*shared) == [[HEADER_BYTES] + [80] * 19 + [28]]
    assert written(*(shared + ["x"])) == [[HEADER_BYTES] + [80] * 19 + [28], [2]]


def test_each_page_that_nobody_had_prepared_is_late_but_the_first():
    """An event waited for the erase; a game's header waits for its page anyway."""
    flash = Flash()

    def play():
        journal = Journal()
        begin(journal)
        assert journal.late == 0
        for page in (1, 2):
            for _ in range(21):
                journal.write("x" * 79)
            assert journal.late == page and journal.counts() == "%d pages late, 0 faults" % page

    flash.during(play)


def test_t13_after_a_fault_the_flash_is_asked_once_how_far_it_came():
    """A look at the piece for each later line would be time that an event waits."""
    flash = Flash()
    asked = []

    def stat(name):
        asked.append(name)
        return Flash.stat(flash, name)

    def play():
        journal = Journal()
        begin(journal)
        flash.stat = stat
        flash.room = 3
        assert not journal.write("0.1 1 draw 6S") and not asked
        flash.room = 1000
        assert journal.flush() and len(asked) == 1
        assert journal.write("0.2 2 draw 7S") and len(asked) == 1
        assert journal.counts() == "0 pages late, 1 faults"
        again = Journal()
        again.go_on("games/0001", 0, 0)
        assert again.write("0.3 1 draw 8S") and len(asked) == 1

    flash.during(play)


def test_a_game_has_four_digits_and_perhaps_an_ending():
    """What else lies in the folder has no number that a new game would go by."""
    assert [name for name in ("0007", "0007.rec", "0007.old", "0007.bad") if not is_game(name)] == []
    others = ("", "007", "007.rec", "000x", "000x.rec", "0007x", "00071", "notes")
    assert [name for name in others if is_game(name)] == []


class Note:
    """The one file outside the games' folders; `is_full` makes a write fail."""

    def __init__(self):
        self.text = ""
        self.is_full = False

    def open(self, name, mode="r"):
        assert name == WITNESS
        if mode == "w":
            self.text = ""
        return self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def write(self, text):
        if self.is_full:
            raise OSError(28)
        self.text += text

    def read(self, size):
        return self.text[:size]


def test_t13_how_far_a_game_has_come_is_noted_outside_it():
    """Always as long; what notes it and what reads it mean the same; a note that fails is a fault, and no more."""
    note = Note()
    journal = Journal()
    journal.go_on("games/0007", 0, 0)
    for module in (journal_module, witness_module):
        module.open = note.open
    try:
        assert journal.witness(123) is True and note.text == "0007 000123\n"
        assert witness_module.read() == ("0007", 123)
        assert journal.witness(0) is True and note.text == "0007 000000\n"
        assert witness_module.read() == ("", 0)
        note.is_full = True
        assert journal.witness(124) is False and journal.counts() == "0 pages late, 1 faults"
    finally:
        for module in (journal_module, witness_module):
            del module.open
