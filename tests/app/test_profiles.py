"""House-rule profiles: one line of text under a name, written whole into the record's header."""

from cardtable.between import profiles
from cardtable.between.options import Options
from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.record import RecordError
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError

from host_tools.base.random_play import make_header

SEATS = {"teams-2x2": 4, "teams-3x3": 6}


def test_every_shipped_profile_can_be_set_up():
    """Each names a game of the catalogue and a mix that can be played."""
    rows = profiles.read_profiles(profiles.SHIPPED_FILE)
    assert len(rows) >= 5
    for name, line in rows:
        game = find_game(line.split()[0])
        assert Session(game, make_header(line, SEATS.get(name, min(3, game.SEAT_RANGE[1])))).result() == "", name


def test_the_best_known_ways_to_play_are_there():
    """Casual, strict, transfer with shown trump, teams of two, Japanese."""
    assert profiles.find_profile("casual") == "durak throw-in throw_order=free"
    assert profiles.find_profile("strict") == "durak throw-in"
    assert "shown_trump=yes" in profiles.find_profile("shown-trump")
    assert "teams=2x2" in profiles.find_profile("teams-2x2")
    assert "japanese" in profiles.find_profile("japanese")


def test_names_are_told_apart():
    """No profile is there twice."""
    names = [row[0] for row in profiles.read_profiles(profiles.SHIPPED_FILE)]
    assert len(names) == len(set(names))


def test_a_line_may_have_any_blanks_between_its_words():
    """The record's reader takes them; the lobby looks for one blank."""
    rows = profiles.take_rows(["House:  durak  simple\tdeck=24 \n"])
    assert rows == [["House", "durak simple deck=24"]] and "durak" not in profiles.list_games(rows)
    assert Options(rows[0][1], "en", 7).line() == "durak simple deck=24"


def test_a_set_up_may_name_a_profile():
    """The header then has both: the name, and the whole game line."""
    lines = ["cardtable 1\n", "profile: casual\n", "seats: Anna; Boris\n", "dealer: 1\n", "\n"]
    header, count = read_header(iter(lines), profiles.find_profile)
    assert header.game == ["durak", "throw-in", "throw_order=free"]
    assert "profile: casual" in header.lines()
    assert "game: durak throw-in throw_order=free" in header.lines()
    assert count == 5


def test_a_set_up_with_a_profile_counts_its_own_lines():
    """What is wrong is on the line on which a person finds it; a game that is said, too, is one."""
    start = ["cardtable 1\n", "profile: casual\n"]
    for lines, wrong in ((["seats: Anna; Boris\n", "seats: Anna; Boris\n"], 4), (["game: durak\n"], 3),
                         (["seats: Anna; Boris\n", "\n"], 4), (["seats: Anna; Boris\n"], 3)):
        try:
            read_header(iter(start + lines), profiles.find_profile)
        except RecordError as error:
            assert error.line == wrong, (lines, error.line, error.cause)
        else:
            raise AssertionError(lines)


def test_an_unknown_profile_names_those_there_are():
    """One sentence."""
    try:
        profiles.find_profile("nobody's")
    except SetupError as error:
        assert "nobody's" in str(error) and "casual" in str(error)
    else:
        raise AssertionError("a profile that nobody wrote was found")


def test_a_game_without_a_profile_is_offered_by_its_name():
    """A new game is playable at the table at once; those that a profile plays are offered by that alone."""
    rows = profiles.read_profiles(profiles.SHIPPED_FILE)
    assert "cals-bs" not in profiles.list_games(rows)
    fewer = [row for row in rows if row[1].split(" ")[0] != "cals-bs"]
    assert sorted(profiles.list_games(fewer)) == sorted(["cals-bs"] + profiles.list_games(rows))
