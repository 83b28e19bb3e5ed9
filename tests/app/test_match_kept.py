"""A match survives a power cut right after a result (D45): the next header is on flash before anyone asks for it."""

from types import SimpleNamespace

from cardtable.between import chosen, leftovers, next_game, resume, setup_files
from cardtable.engine.record import write_event
from cardtable.engine.session import Session
from cardtable.games import durak
from cardtable.record.journal import FOLDER, Journal
from cardtable.record.seal import Sealed

from host_tools.base.random_play import Random, RandomGame, make_header

RUNS_ON = "cpython"  # it writes real files, in a folder of its own


def lose_as_second():
    """A random game of two that seat 2 lost; the lines of its events."""
    header = make_header("durak throw-in", 2)
    for seed in range(50):
        game, lines = RandomGame(durak, header, Random(seed)), []
        while game.step():
            lines.append(write_event(durak, game.event))
        if game.session.result() == "fool 2":
            return game, lines
    raise AssertionError("seat 2 lost none of 50 games")


def test_d45_a_game_with_its_result_is_counted_before_the_next_one_is_asked_for(tmp_path, monkeypatch):
    """D45: and a cut within the write leaves the file that was there."""
    monkeypatch.chdir(tmp_path)
    game, _ = lose_as_second()
    next_game.remember_next(game.session, game.header)
    kept = setup_files.read_last(7)
    assert dict(kept.keys)["standing"] == "0 1" and (kept.dealer, kept.match_game) == (2, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["last.txt"]

    def tear(name, header):
        (tmp_path / name).write_text("cardtable 1\ngame: du")
        raise OSError(28)

    monkeypatch.setattr(chosen, "write_header", tear)
    next_game.remember_next(game.session, kept)
    assert dict(setup_files.read_last(7).keys)["standing"] == "0 1"


def test_d45_a_cut_between_the_result_and_the_next_header_loses_no_game_of_the_match(tmp_path, monkeypatch):
    """The game is brought to its end when the power comes back, and counted then."""
    monkeypatch.chdir(tmp_path)
    game, lines = lose_as_second()
    record = Sealed(Journal(), b"key")
    record.open(game.header)
    for line in [*lines, "result: fool 2"]:
        assert record.write(line)
    resumed, damaged = leftovers.find(FOLDER, game.header, None)
    assert resumed and damaged is None and not (tmp_path / chosen.LAST_FILE).exists()
    parts = SimpleNamespace(journal=Sealed(Journal(), b"key"))
    assert resume.go_on(parts, Session(durak, resumed.header), None, resumed) is None and resumed.is_over
    kept = setup_files.read_last(7)
    assert dict(kept.keys)["standing"] == "0 1" and (kept.dealer, kept.match_game) == (2, 2)
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["0001.rec"]


def test_t9_a_finished_game_whose_end_is_damaged_is_set_aside(tmp_path, monkeypatch):
    """It was found again and again, and the table never came up."""
    monkeypatch.chdir(tmp_path)
    game, lines = lose_as_second()
    record = Sealed(Journal(), b"key")
    record.open(game.header)
    for line in [*lines, "result: fool 2", "rot"]:
        assert record.write(line)
    resumed, _ = leftovers.find(FOLDER, game.header, None)
    parts = SimpleNamespace(journal=Sealed(Journal(), b"key"))
    spoilt = resume.go_on(parts, Session(durak, resumed.header), None, resumed)
    assert resumed.is_over and spoilt.name == FOLDER + "/0001.bad"
    assert leftovers.find(FOLDER, game.header, None) == (None, None)


def test_what_was_chosen_begins_once_and_is_proposed_from_then_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    header = make_header("durak throw-in", 2)
    assert not chosen.is_chosen()
    chosen.choose(header)
    assert chosen.is_chosen() and [path.name for path in tmp_path.iterdir()] == ["next.txt"]
    for _ in range(2):  # the second time there is nothing to take
        chosen.take_next()
        assert not chosen.is_chosen() and [path.name for path in tmp_path.iterdir()] == ["last.txt"]
    assert setup_files.read_last(7).lines() == header.lines()


def test_a_table_that_is_to_ask_again_keeps_the_proposal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    header = make_header("durak throw-in", 2)
    chosen.ask_next(header)
    assert chosen.is_chosen() and (tmp_path / "next.txt").read_text() == ""
    chosen.take_next()
    assert not chosen.is_chosen() and setup_files.read_last(7).lines() == header.lines()
