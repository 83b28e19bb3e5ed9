"""A match survives a power cut right after a result (D45): the next header is on flash before anyone asks for it."""

from cardtable.between import chosen, next_game, setup_files
from cardtable.games import durak

from host_tools.base.random_play import Random, RandomGame, make_header

RUNS_ON = "cpython"  # it writes real files, in a folder of its own


def test_d45_a_game_with_its_result_is_counted_before_the_next_one_is_asked_for(tmp_path, monkeypatch):
    """D45: and a cut within the write leaves the file that was there."""
    monkeypatch.chdir(tmp_path)
    header = make_header("durak throw-in", 2)
    games = [RandomGame(durak, header, Random(seed)) for seed in range(50)]
    game = next(game for game in games if game.play() and game.session.result() == "fool 2")
    game.header = header
    next_game.remember_next(game)
    kept = setup_files.read_last(7)
    assert dict(kept.keys)["standing"] == "0 1" and (kept.dealer, kept.match_game) == (2, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["last.txt"]

    def fail(name, text):
        raise OSError(28)

    monkeypatch.setattr(chosen, "write_header", fail)
    game.header = kept
    next_game.remember_next(game)
    assert dict(setup_files.read_last(7).keys)["standing"] == "0 1"
