"""`cardtable new record GAME`: a random game as a record, which replays, with refusals among its events."""

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import RIGHT, run
from host_tools.maker.new_record import make_record


@pytest.mark.parametrize("line", ["durak transfer hand=5", "cals-bs ne-veryu", "bailiff", "malice payoff=5"])
def test_what_it_writes_replays(line, tmp_path):
    """Every event stands, and every attempt is refused under the rule that its line names."""
    text = make_record(line, seats=2, seed=3, events=150)
    path = tmp_path / "new.rec"
    path.write_text(text, encoding="utf-8")
    assert " ! " in text and run(["replay", str(path), "--audit", "all"]) == RIGHT
    path.write_text(text.replace(" ! ", " ! Z", 1), encoding="utf-8")
    assert run(["replay", str(path)]) != RIGHT


def test_the_same_seed_writes_the_same():
    """So a record that somebody reports can be written again."""
    assert make_record("bailiff", seed=5) == make_record("bailiff", seed=5) != make_record("bailiff", seed=6)


@pytest.mark.parametrize(("line", "sentence"), [
    ("", "The game line is empty"), (" ", "The game line is empty"), ("whist", "no game whist"),
    ("durak hand=9", "hand=9"), ("malice malice jokers=two", "jokers=two"),
])
def test_no_such_game_is_one_sentence(line, sentence):
    with pytest.raises(UnusableInput, match=sentence):
        make_record(line)


def test_fewer_seats_than_none_are_one_sentence(capsys):
    assert run(["new", "record", "durak", "--seats", "-1"]) == 2
    assert "'--seats': -1 is not in the range" in capsys.readouterr().err
