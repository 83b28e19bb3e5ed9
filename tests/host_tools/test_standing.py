"""`cardtable match`: the standing of a match from its records (D45)."""

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.match import Match, list_out
from host_tools.judge import standing
from host_tools.cli import run
from host_tools.club.tournament.intake import orders
from host_tools.club.tournament.rehearse import play_order
from host_tools.club.tournament.rounds import seat_round
from tests.conftest import ROOT
from tests.host_tools.tournament.made import begin

RECORDS = ROOT / "tests" / "records"


@pytest.mark.parametrize("folder", ["durak", "bailiff", "cals-bs", "malice"])
def test_d45_players_are_counted_as_the_table_counts_seats(folder):
    """D45: games lost and epaulettes of each record; what was not finished counts for nobody."""
    for path in sorted((RECORDS / folder).glob("*.rec"))[:12]:
        header, session = standing.play(path.read_bytes())
        match = Match()
        match.add(session)
        players, count, _ = standing.add_up([path])
        assert count == match.games
        for seat, name in enumerate(header.seats, 1):
            if count:
                player = players[name]
                assert (player.lost, sum(player.marks.values())) == (match.lost[seat], match.marks[seat])
                assert player.out_first == (list_out(session)[:1] == [seat])
    assert find_game(folder)


def test_d45_a_match_is_told_in_lines(tmp_path, capsys):
    """Who has lost least comes first."""
    path, other = RECORDS / "durak" / "throw-in-0001.rec", tmp_path / "again.rec"
    other.write_text(path.read_text() + "; another evening, and the same cards\n")
    assert run(["match", str(path), str(other), str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 games" and lines[-1].split() == ["Gleb", "played", "2", "lost", "2", "out", "first", "0"]


def test_a_file_that_is_no_record_is_one_sentence(tmp_path, capsys):
    file = tmp_path / "no.rec"
    file.write_text("hello\n")
    assert run(["match", str(file)]) == 2
    assert "a record begins with the line" in capsys.readouterr().err


def test_what_counts_for_nobody_stops_no_match(tmp_path, capsys):
    """A power cut in a line, a comment of another world, a game that was played on, a copy: the rest counts."""
    director = begin(tmp_path / "cup.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    seat_round(director, "arbiter")
    whole = play_order(orders(director)[0], 1, plan=director.plan)
    director.close()
    head, _, rest = whole.partition(b"\n\n")
    folder = tmp_path / "match"
    folder.mkdir()
    for name, record in {
        "1": whole, "2": whole, "3": whole[:900], "4": head + "\nfrom: 1.rec 20 1 lie\n\n".encode() + rest,
        "5": head + "\n\n; said\u2028loudly\n".encode() + rest, "6": whole[: whole.index(b"Anna") + 2],
    }.items():
        (folder / f"{name}.rec").write_bytes(record)
    assert run(["match", str(folder), str(folder / "1.rec")]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("2 games\n") and said.err.count("\n") == 1 and f"{folder / '6.rec'}: " in said.err
    (folder / "6.rec").unlink()
    assert run(["match", str(folder)]) == 0


def test_an_empty_folder_is_said(tmp_path, capsys):
    assert run(["match", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path}: the folder holds no *.rec file\n"
