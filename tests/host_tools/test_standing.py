"""`cardtable match`: the standing of a match from its records (D45)."""

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.match import Match, list_out
from host_tools.judge import standing
from host_tools.cli import run
from tests.conftest import ROOT

RECORDS = ROOT / "tests" / "records"


@pytest.mark.parametrize("folder", ["durak", "bailiff", "cals-bs", "malice"])
def test_d45_players_are_counted_as_the_table_counts_seats(folder):
    """D45: games lost and epaulettes of each record; what was not finished counts for nobody."""
    for path in sorted((RECORDS / folder).glob("*.rec"))[:12]:
        header, session = standing.play(path)
        match = Match()
        match.add(session)
        players, count = standing.add_up([path])
        assert count == match.games
        for seat, name in enumerate(header.seats, 1):
            if count:
                player = players[name]
                assert (player.lost, sum(player.marks.values())) == (match.lost[seat], match.marks[seat])
                assert player.out_first == (list_out(session)[:1] == [seat])
    assert find_game(folder)


def test_d45_a_match_is_told_in_lines(capsys):
    """Who has lost least comes first."""
    path = RECORDS / "durak" / "throw-in-0001.rec"
    assert run(["match", str(path), str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 games" and lines[-1].split() == ["Gleb", "played", "2", "lost", "2", "out", "first", "0"]


def test_a_file_that_is_no_record_is_one_sentence(tmp_path, capsys):
    file = tmp_path / "no.rec"
    file.write_text("hello\n")
    assert run(["match", str(file)]) == 2
    assert "a record begins with the line" in capsys.readouterr().err
