"""The power comes back: the unfinished game stands as it stood, and what was half done is brought to its end (T9)."""

from cardtable.between import leftovers, resume
from cardtable.engine.deck import card_number
from cardtable.engine.event import NO_CARD
from cardtable.engine.reading import read_header
from cardtable.engine.session import Session
from cardtable.games import durak
from cardtable.play.turns import Turns
from cardtable.record.journal import Journal

from tests.app.fake_flash import Flash

HEADER = ["cardtable 1\n", "game: durak throw-in\n", "seats: Anna; Boris\n", "dealer: 2\n", "first: 1\n", "\n"]
DEAL = ("6S", "7S"), ("6H", "7H"), ("6D", "7D"), ("8S", "9S"), ("8H", "9H"), ("8D", "9C")
LINES = ["0.%d%d %d draw %s" % (row, seat, seat, DEAL[row][seat - 1]) for row in range(6) for seat in (1, 2)]
LINES += ["1.0 2 turn AC", "2.0 1 attack 6S", "; a comment", "3.0 2 beat 6D 6S ! T2", "3.5 2 beat 7S 6S", "4.25 2 undo"]


def header(dealer="2", seats="Anna; Boris", options=""):
    """Of a game of two."""
    lines = [line.replace("Anna; Boris", seats).replace("dealer: 2", "dealer: " + dealer) for line in HEADER]
    lines[1] = lines[1].rstrip() + options + "\n"
    return read_header(iter(lines))[0]


def played(lines, flash, said=None):
    """A flash with a game in pieces."""

    def play():
        journal = Journal()
        journal.open(said or header())
        for line in lines:
            journal.write(line)
        journal.prepare()

    flash.during(play)
    return flash


def find(flash, wanted=None, chosen=None):
    """What stands on that flash."""
    return flash.during(leftovers.find, "games", wanted or header(), chosen)


def replayed(flash, resumed, turns=None):
    """A session that stands as the record on that flash says; the lines of the record."""
    session = turns.session if turns else Session(durak, resumed.header)
    return session, flash.during(lambda: [line.decode() for line in resume.replay(resumed, session, turns)])


def reference(lines):
    """A session that was told the same."""
    from cardtable.engine.event import Event
    from cardtable.engine.reading import read_event

    session = Session(durak, header())
    event = Event()
    for line in lines:
        if line[0] != ";" and not read_event(durak, line, 0, event):
            assert not session.play(event)
    return session


def test_t9_the_game_stands_as_it_stood_behind_every_line():
    """State, undo bookkeeping and time; a refusal and a comment change nothing but the time."""
    for count in range(0, len(LINES) + 1, 3):
        flash = played(LINES[:count], Flash())
        resumed, damaged = find(flash)
        session, lines = replayed(flash, resumed)
        wanted = reference(LINES[:count])
        assert damaged is None and lines == HEADER + [line + "\n" for line in LINES[:count]]
        for one, other in ((session.state, wanted.state), (session.before, wanted.before)):
            assert one.is_equal(other), count
        for name in ("last_seat", "last_draw", "undo_seat", "undo_ms", "agreed", "last_was_draw"):
            assert getattr(session, name) == getattr(wanted, name), (count, name)
    assert resumed.at_ms == 4250 and session.undo_seat == 2 and not resumed.is_over


def test_t9_the_time_goes_on_behind_a_repair():
    """The last thing that the record knows of; a line behind it is no step back."""
    flash = played(LINES + ["; waits 1 at 5000", "; waits 0 at 125500"], Flash())
    resumed, _ = find(flash)
    turns = Turns(Session(durak, resumed.header))
    replayed(flash, resumed, turns)
    assert resumed.at_ms == 125_500
    flash = played(LINES + ["; waits 1 at 500", "; waits 1", "; waits 1 at 5x00"], Flash())
    for name in [name for name in flash.files if flash.files[name]]:
        flash.files[name] = flash.files[name].replace(b"; a comment", b"; waits \xff")
    resumed, damaged = find(flash)
    again = Turns(Session(durak, resumed.header))
    flash.during(list, resume.replay(resumed, again.session, again))
    assert damaged is None and resumed.at_ms == 500


def test_t9_what_the_table_has_to_know_of_the_record():
    """The last event that all may see, each seat's last card, and where the journal goes on."""
    flash = played(LINES, Flash())
    resumed, _ = find(flash)
    replayed(flash, resumed)
    assert (resumed.last.seat, resumed.last.verb, resumed.shows) == (2, 2, 2)
    assert [resumed.judged[2 * seat] for seat in (1, 2)] == [card_number("6S"), card_number("7S")]
    assert [resumed.judged[2 * seat + 1] for seat in (1, 2)] == [NO_CARD, card_number("6S")]
    pages = [name for name in flash.files if name.count("/") == 2]
    assert resumed.page == 0 and resumed.spares == len(pages) - 1 == 1


def test_t9_a_line_without_its_end_was_not_there():
    """Torn within a line that needs several pieces, or a piece that is empty: taken away before the game goes on."""
    for tail, kept in (("4.0 1 att", False), ("", False), ("; " + 200 * "x", False), ("; " + 200 * "x" + "\n", True)):
        flash = played(LINES, Flash())
        pieces = sorted([name for name in flash.files if name.count("/") == 3], key=lambda name: int(name[13:]))
        at = int(pieces[-1][13:])
        while True:
            at += 1
            flash.files["games/0001/0/%d" % at] = tail[:120].encode()
            tail = tail[120:]
            if not tail:
                break
        resumed, damaged = find(flash)
        assert damaged is None and resumed.page == 0
        _, lines = replayed(flash, resumed)
        assert len(lines) == len(HEADER) + len(LINES) + kept
        assert ("games/0001/0/%d" % at in flash.files) == kept


def test_a_header_that_was_not_whole_was_no_game():
    """No card was tapped in it: it is removed."""
    flash = Flash({"games": None, "games/0001": None, "games/0001/0": None, "games/0001/0/0": b"cardtable 1\ngame: d"})
    assert find(flash) == (None, None) and flash.files == {"games": None}
    flash = Flash({"games": None, "games/0001": None})
    assert find(flash) == (None, None) and flash.files == {"games": None}


def test_t9_a_power_cut_while_such_a_header_is_removed_leaves_no_damage():
    """What is left of it is such a header again, or nothing: wherever the power fails, as often as it does."""
    files = {"games": None, "games/0001": None, "games/0001/0": None, "games/0001/1": None}
    files.update({"games/0001/0/%d" % number: b"seats: A" for number in range(11)})
    files["games/0001/1/0"] = b"; Boris"
    flash = Flash(files)
    remove = flash.remove
    removed = []

    def cut(name):
        if len(removed) % 2:
            removed.append("")
            raise KeyboardInterrupt
        removed.append(name)
        remove(name)

    flash.remove = cut
    while flash.files != {"games": None}:
        try:
            assert find(flash) == (None, None)
        except KeyboardInterrupt:
            assert "games/0001" in flash.files
    assert removed[:3:2] == ["games/0001/1/0", "games/0001/0/10"]


def test_a_game_does_not_go_on_where_half_a_line_cannot_be_taken_away():
    """Its next line would come behind the first piece of the record. The game stays as it is."""
    flash = played(LINES, Flash())
    last = max([name for name in flash.files if name.startswith("games/0001/0/")], key=lambda name: (len(name), name))
    flash.files[last] += b"5.0 1 att"
    kept = dict(flash.files)
    opened = flash.open

    def refuse(name, mode):
        if mode == "wb":
            raise OSError(5)
        return opened(name, mode)

    flash.open = refuse
    assert find(flash) == (None, None) and flash.files == kept


def test_a_finished_game_is_put_away():
    """Its text may be there already, or only half of it."""
    whole = "".join(HEADER) + "".join([line + "\n" for line in LINES])
    flash = played(LINES, Flash())
    flash.files["games/0001.rec"] = whole.encode()
    assert find(flash) == (None, None) and flash.files == {"games": None, "games/0001.rec": whole.encode()}
    flash = played(LINES + ["result: draw"], Flash())
    flash.files["games/0001.tmp"] = b"cardtable"
    resumed, _ = find(flash)
    assert "games/0001.tmp" not in flash.files
    replayed(flash, resumed)
    assert resumed.is_over and not resumed.is_sealed
    flash = played(LINES + ["result: draw\n~ end 1-20 a b"], Flash())
    resumed, _ = find(flash)
    replayed(flash, resumed)
    assert resumed.is_over and resumed.is_sealed


def test_another_set_up_is_another_game():
    """What was being played is put away as it stands; another dealer, as in a match, is no other set-up."""
    flash = played(LINES, Flash())
    assert find(flash, header(dealer="1"))[0].name == "games/0001"
    assert find(flash, header(seats="Anna; Vera")) == (None, None)
    assert sorted(flash.files) == ["games", "games/0001.rec"] and flash.files["games/0001.rec"].endswith(b"2 undo\n")


def test_t9_a_game_that_was_chosen_at_the_table_goes_on():
    """Whatever the set-up file says, if somebody has tapped a card of it."""
    other = header(seats="Anna; Vera")
    assert find(played(LINES, Flash()), other, header())[0].name == "games/0001"
    assert find(played([], Flash()), other, header()) == (None, None)
    assert find(played(LINES, Flash()), other, header(seats="Oleg; Vera")) == (None, None)


def test_t9_a_damaged_record_is_kept_and_named():
    """A piece that is gone, a header that is none, bytes that are no text: a folder that nothing touches any more."""
    for name, data in (("games/0001/0/1", None), ("games/0001/0/0", b"x: \xff\n\n"), ("games/0001/0/0", b"dealer\n\n")):
        flash = played(LINES, Flash())
        if data is None:
            del flash.files[name]
        else:
            flash.files[name] = data
        left = len(flash.files)
        found, damaged = find(flash)
        assert damaged.name == "games/0001.bad" and str(damaged), name
        assert found is None and len(flash.files) == left and "games/0001.bad/0/2" in flash.files
        assert find(flash) == (None, None) and len(flash.files) == left


def test_t9_a_record_that_cannot_have_been_played_is_damaged():
    """An event that the rules refuse, a line that is none."""
    for wrong in ("2.5 1 attack AS", "2.5 1 attack", "0.1 1 attack 6H", "\x00\x00"):
        flash = played(LINES[:14] + [wrong], Flash())
        resumed, _ = find(flash)
        try:
            replayed(flash, resumed)
        except resume.Damage as damage:
            assert str(damage).startswith("line 21: "), damage
            assert wrong != "2.5 1 attack AS" or str(damage) == "line 21: refused under T2", damage
        else:
            raise ValueError(wrong)


def test_t13_what_cannot_be_put_away_for_want_of_room_stays():
    """The next start tries again."""
    flash = played(LINES, Flash())
    flash.room = 10
    assert find(flash, header(seats="Anna; Vera")) == (None, None)
    assert "games/0001/0/0" in flash.files
    flash.room = 10_000
    find(flash, header(seats="Anna; Vera"))
    assert sorted(flash.files) == ["games", "games/0001.rec"]
