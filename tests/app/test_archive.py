"""Finished games: one text each, kept until somebody has pulled it, and room for the next one."""

from cardtable.between import archive, pieces, prompt
from cardtable.engine.setup import SetupError
from cardtable.record.journal import Journal

from tests.app.fake_flash import Flash
from tests.app.test_journal import TEXT, begin

LINES = ["%d.5 1 attack 6S" % number for number in range(90)]
WHOLE = TEXT + "".join([line + "\n" for line in LINES])


def played(flash):
    """A game on that flash, in pieces on several pages; its folder."""
    journal = Journal()
    begin(journal)
    for line in LINES:
        journal.write(line)
    journal.prepare()
    assert "games/0001/2" in flash.files
    return journal.name


def do(steps):
    """All of a generator."""
    for _ in steps:
        pass


def test_a_finished_game_is_one_text():
    """And nothing is left of its pieces."""
    flash = Flash()

    def play():
        do(archive.put_away(played(flash)))

    flash.during(play)
    assert flash.files == {"games": None, "games/0001.rec": WHOLE.encode()}


def test_t9_wherever_the_power_fails_to_do_it_again_does_the_rest():
    """After every step; half a text is written again from its beginning."""
    steps = 0
    is_done = False
    while not is_done:
        flash = Flash()

        def play(flash=flash, steps=steps):
            name = played(flash)
            walk = archive.put_away(name)
            is_done = [next(walk, "done") for _ in range(steps)][-1:] == ["done"]
            if not archive.exists(name + archive.RECORD):
                assert b"".join(list(pieces.read_lines(name))).decode() == WHOLE
            if not is_done:
                do(archive.put_away(name))
            return is_done

        is_done = flash.during(play)
        assert flash.files == {"games": None, "games/0001.rec": WHOLE.encode()}, steps
        steps += 1
    assert steps == 9  # three for the text, one for each of four pages, one that is the last


def test_t13_no_room_to_put_it_away():
    """The pieces stay, and it can be tried again."""
    flash = Flash()

    def play():
        name = played(flash)
        flash.room = 20
        try:
            do(archive.put_away(name))
            raise ValueError("it had room")
        except OSError:
            pass
        assert b"".join(list(pieces.read_lines(name))).decode() == WHOLE
        flash.room = 10_000
        do(archive.put_away(name))

    flash.during(play)
    assert flash.files == {"games": None, "games/0001.rec": WHOLE.encode()}


def test_t11_a_game_is_unfinished_from_its_first_event_to_its_result():
    """Of these alone the record holds what nobody may read yet."""
    flash = Flash()
    told = []

    def play():
        told.append(prompt.has_unfinished())  # not even the folder is there
        journal = Journal()
        begin(journal)
        told.append(prompt.has_unfinished())  # a header: nobody has tapped anything
        journal.write("0.5 1 attack 6S")
        told.append(prompt.has_unfinished())
        journal.write("result: aborted\n~ end 90 0 0")
        told.append(prompt.has_unfinished())
        do(archive.put_away(journal.name))
        told.append(prompt.has_unfinished())
        begin(journal)
        journal.write("0.5 1 attack 6S")
        told.append(prompt.has_unfinished())  # behind one that is over

    flash.during(play)
    assert told == [False, False, True, False, False, True]


def test_t11_what_is_half_put_away_or_cannot_be_read():
    """One whose text is whole is judged by nobody any more; a record with a gap may be anybody's."""
    flash = Flash()

    def play():
        name = played(flash)
        walk = archive.put_away(name)
        while not archive.exists(name + archive.RECORD):
            assert prompt.has_unfinished()
            next(walk)
        assert not prompt.has_unfinished() and archive.exists(name)
        flash.remove(name + archive.RECORD)
        flash.remove(name + "/0/0")
        assert prompt.has_unfinished()

    flash.during(play)


def test_what_was_pulled_goes_first_and_the_oldest_of_it():
    """And only as much as has to."""
    size = 8 * 1024
    files = {"games": None}
    for number in (3, 1, 2, 4):
        files["games/%04d%s" % (number, ".rec" if number == 2 else ".old")] = bytes(size)
    flash = Flash(files)
    flash.room = archive.ROOM_BYTES - 12 * 1024

    flash.during(archive.make_room)
    assert sorted(flash.files) == ["games", "games/0002.rec", "games/0004.old"]
    flash.during(archive.make_room)
    assert sorted(flash.files) == ["games", "games/0002.rec", "games/0004.old"]


def test_a_flash_that_is_fuller_than_full_has_no_room():
    """littlefs counts some blocks twice: then it tells of more free blocks than there are."""
    flash = Flash({"games": None, "games/0001.old": bytes(8 * 1024)})
    flash.room = -2 * 4096
    assert flash.during(archive.count_free, "games") == 0
    flash.room = 5 * 4096
    assert flash.during(archive.count_free, "games") == 5 * 4096


def test_what_nobody_has_pulled_is_never_removed():
    """The new game does not begin, and it is said why."""
    flash = Flash({"games": None, "games/0001.rec": b"x", "games/0002.old": b"y", "games/0003.rec": b"z"})
    flash.room = archive.ROOM_BYTES - 10_000

    def refused():
        try:
            archive.make_room()
        except SetupError as cause:
            return str(cause)

    assert flash.during(refused) == "no room for a new game: 2 records have to be pulled"
    assert sorted(flash.files) == ["games", "games/0001.rec", "games/0003.rec"]
    flash.during(archive.mark_pulled, "games/0001.rec")
    flash.room = archive.ROOM_BYTES - 4096
    assert "games/0001.old" in flash.files and flash.during(refused).startswith("no room for a new game: 1 record")
    assert sorted(flash.files) == ["games", "games/0003.rec"]


def test_an_empty_flash_has_room():
    """Not even the folder is there."""
    flash = Flash()
    flash.during(archive.make_room)
    assert flash.files == {}
