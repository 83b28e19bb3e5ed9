"""The journal on a flash that fails: a line is durable or it is kept; none is lost, none is there twice (T9, T13)."""

from cardtable.between import pieces
from cardtable.engine.reading import read_header
from cardtable.record.journal import SPARES, WHOLE, Journal, cost_of

from tests.app.fake_flash import Flash

HEADER = ["cardtable 1\n", "game: durak\n", "seats: Anna; Борис\n", "dealer: 2\n", "\n"]
TEXT = "".join(HEADER)


def begin(journal):
    """Open a record with the header above."""
    return journal.open(read_header(iter(HEADER))[0])


def text_of(name="games/0001"):
    """The whole lines of a game's record."""
    return b"".join(list(pieces.read_lines(name))).decode()


def pieces_of(flash):
    """How long each piece is, page by page."""
    pages = {}
    for name in flash.files:
        words = name.split("/")
        if len(words) == 4:
            pages.setdefault(int(words[2]), {})[int(words[3])] = len(flash.files[name])
    return [[pages[page][piece] for piece in sorted(pages[page])] for page in sorted(pages)]


def test_the_journal_is_a_record_and_each_line_is_closed():
    """Header, empty line, events; after each line the file is closed, which is what makes it durable."""
    flash = Flash()

    def play():
        journal = Journal()
        assert begin(journal) and journal.is_durable() and flash.closed == 1
        assert journal.write("0.1 1 draw 6S") and flash.closed == 2
        assert journal.write("0.2 2 draw 7S ! T3") and flash.closed == 3
        assert text_of() == TEXT + "0.1 1 draw 6S\n0.2 2 draw 7S ! T3\n"

    flash.during(play)


def test_each_game_has_the_next_number():
    """Beside whatever else lies there; behind the last number comes the first one that is free."""
    for there, wanted in (
        (["games"], "games/0001"),
        (["games", "games/0041.rec", "games/0040.old", "games/abcd.rec", "games/notes.txt"], "games/0042"),
        (["games", "games/0041.bad", "games/0043"], "games/0044"),
        (["games", "games/9998.rec"], "games/9999"),
        (["games", "games/9999.rec"], "games/0001"),
        (["games", "games/9999.rec", "games/0001.rec"], "games/0002"),
    ):
        flash = Flash({name: b"" if "." in name else None for name in there})
        journal = Journal()
        flash.during(begin, journal)
        assert journal.name == wanted and flash.files[wanted] is None
        assert [flash.files.get(name, 0) for name in there] == [b"" if "." in name else None for name in there]


def test_pieces_are_short_and_no_line_is_torn():
    """What littlefs keeps beside its own data is at most 128 bytes; lines share a piece as long as that is worth it."""
    flash = Flash()

    def play():
        journal = Journal()
        begin(journal)
        for index in range(120):
            assert journal.write("%d.5 1 attack 6S" % index)
        lines = text_of().splitlines()
        assert len(lines) == 125 and lines[-1] == "119.5 1 attack 6S"

    flash.during(play)
    pages = pieces_of(flash)
    assert len(pages) == 4 and max([max(page) for page in pages]) <= WHOLE
    assert min([len(page) for page in pages[:-1]]) >= 10
    for name in flash.files:
        assert flash.files[name] is None or flash.files[name][-1:] == b"\n", name


def test_what_is_written_at_once_is_one_piece_or_several():
    """A line and its seal come together; a header that is too long for a piece is cut anywhere."""
    flash = Flash()

    def play():
        journal = Journal()
        begin(journal)
        journal.write("0.1 1 draw 6S\n~ " + 90 * "a")
        journal.write("; " + 200 * "b")
        assert text_of() == TEXT + "0.1 1 draw 6S\n~ " + 90 * "a" + "\n; " + 200 * "b" + "\n"

    flash.during(play)
    assert pieces_of(flash) == [[len(TEXT.encode()), 107, WHOLE, 203 - WHOLE]]


def test_what_littlefs_writes_beside_a_piece_is_counted():
    """Littlefs's tags of 36 bytes, in units of 32; a page's pieces, the newest as long as it is, stay in its block."""
    assert [cost_of(size) for size in (0, 28, 29, 60, 61, 92)] == [64, 64, 96, 96, 128, 128]
    for length in (20, 61, 100, WHOLE - 1):
        flash = Flash()

        def play(length=length):
            journal = Journal()
            begin(journal)
            for _ in range(80):
                journal.write("x" * length)

        flash.during(play)
        for page in pieces_of(flash):
            assert 96 + sum([64 + cost_of(size) for size in page]) <= 4096, (length, page)
        assert len(pieces_of(flash)) > 1


def test_pages_are_prepared_and_used_up():
    """A page that is ready is taken; one that is not has to be made while an event waits, which is counted."""
    flash = Flash()

    def play():
        journal = Journal()
        assert not journal.prepare()  # there is no game
        begin(journal)
        made = flash.made
        assert [journal.prepare() for _ in range(SPARES + 2)] == [True] * SPARES + [False] * 2
        assert flash.made == made + SPARES and journal.spares == SPARES
        while journal.spares:
            journal.write("0.1 1 draw 6S")
        assert flash.made == made + SPARES and journal.late == 0
        while not journal.late:
            journal.write("0.1 1 draw 6S")
        assert flash.made == made + SPARES + 1 and journal.prepare()

    flash.during(play)


def test_t13_a_page_that_cannot_be_prepared_is_counted_and_stops_nothing():
    """There is room left in the page that is in use."""
    flash = Flash()

    def play():
        journal = Journal()
        begin(journal)
        flash.room = 0
        assert not journal.prepare() and journal.faults == 1 and journal.is_durable()
        flash.room = 1000
        assert journal.write("0.1 1 draw 6S") and journal.prepare()

    flash.during(play)


def test_t13_wherever_the_flash_is_full_nothing_is_lost_and_nothing_is_twice():
    """A write may leave any part of its bytes behind: the rest follows once there is room."""
    lines = ["0.1 1 draw 6S", "0.2 2 draw 7S", "; " + 140 * "x", "0.3 1 draw 8S\n~ " + 90 * "y"]
    whole = TEXT + "\n".join(lines) + "\n"
    for room in range(len(whole.encode())):
        flash = Flash({"games": None})
        flash.room = room

        def play(flash=flash):
            journal = Journal()
            results = [begin(journal)] + [journal.write(line) for line in lines]
            assert False in results and not journal.is_durable() and journal.faults == results.count(False)
            assert not journal.flush()
            flash.room = 7
            assert journal.flush() == journal.is_durable()
            flash.room = 1000
            assert journal.flush() and journal.is_durable()
            assert text_of() == whole, flash.files

        flash.during(play)


def test_t13_no_folder_and_no_room_for_one():
    """Even then lines are kept, and the record is whole in the end."""
    flash = Flash()
    flash.room = 0

    def play():
        journal = Journal()
        assert not begin(journal) and not journal.write("0.1 1 draw 6S")
        flash.room = 1000
        assert journal.flush() and text_of() == TEXT + "0.1 1 draw 6S\n"

    flash.during(play)


def test_t9_a_journal_goes_on_behind_what_is_there():
    """On the next page: the last one was perhaps cut in the midst of a write."""
    flash = Flash()

    def play():
        journal = Journal()
        begin(journal)
        journal.prepare()
        journal.write("0.1 1 draw 6S")
        used, pages = pieces.trim(journal.name)
        assert (used, pages) == (0, 2)
        other = Journal()
        other.go_on(journal.name, used, pages - 1 - used)
        made = flash.made
        assert other.is_durable() and other.write("0.2 2 draw 7S") and flash.made == made
        assert text_of() == TEXT + "0.1 1 draw 6S\n0.2 2 draw 7S\n"

    flash.during(play)
    assert len(pieces_of(flash)) == 2


def test_t13_a_page_that_cannot_be_made_behind_a_power_cut_costs_no_line():
    """What lies on the old page is not taken for a part of the line that is owed."""
    flash = Flash()

    def play():
        journal = Journal()
        longer = HEADER[:4] + ["nonce: 0123456789abcdef0123456789abcdef\n", "\n"]  # its first piece has 98 bytes
        journal.open(read_header(iter(longer))[0])
        for number in range(4):
            journal.write("%d.5 1 draw 6S" % number)
        page, pages = pieces.trim("games/0001")
        again = Journal()
        again.go_on("games/0001", page, 0)
        assert pages == page + 1, "no spare is left"
        flash.room = 0
        assert not again.write("9.5 1 attack 6S")
        flash.room = 10**6
        assert again.flush() and again.write("10.5 2 beat 7S 6S")
        assert text_of()[-len("3.5 1 draw 6S\n9.5 1 attack 6S\n10.5 2 beat 7S 6S\n"):] == (
            "3.5 1 draw 6S\n9.5 1 attack 6S\n10.5 2 beat 7S 6S\n")

    flash.during(play)
