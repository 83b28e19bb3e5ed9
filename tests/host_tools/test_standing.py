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
        header, session, result, _ = standing.play(path.read_bytes())
        match = Match()
        if result:
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
    path, other, copy = RECORDS / "durak" / "throw-in-0001.rec", tmp_path / "again.rec", tmp_path / "copy.rec"
    other.write_text(path.read_text().replace("150.750 2 ", "150.760 2 "))  # another evening, and the same cards
    copy.write_text(path.read_text() + "; a copy\n")
    assert run(["match", str(path), str(other), str(copy), str(path)]) == 0
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
        "1": whole, "2": whole, "3": whole[:900], "4": unsealed(head) + b"\nfrom: 1.rec 20 1 lie\n\n" + unsealed(rest),
        "5": unsealed(head) + "\n\n; said\u2028loudly\n".encode() + unsealed(rest),
        "6": whole[: whole.index(b"Anna") + 2],
    }.items():
        (folder / f"{name}.rec").write_bytes(record)
    assert run(["match", str(folder), str(folder / "1.rec")]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("2 games\n") and said.err.count("\n") == 1 and f"{folder / '6.rec'}: " in said.err
    (folder / "6.rec").unlink()
    assert run(["match", str(folder)]) == 0


def unsealed(part):
    """A part of a record without nonce and seals."""
    return b"\n".join(line for line in part.split(b"\n") if not line.startswith((b"~ ", b"nonce: ")))


def test_a_game_counts_once_with_its_result_and_as_the_table_wrote_it(tmp_path, capsys):
    """T7: cut off before its result it could still be reopened; a copy that is cut off behind it is the same game. What
    was changed, or what the engine does not come to, counts for nobody and is told."""
    director = begin(tmp_path / "cup.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    seat_round(director, "arbiter")
    whole = play_order(orders(director)[0], 1, plan=director.plan)
    director.close()
    lines = whole.split(b"\n")[:-1]

    def told(*records):
        folder = tmp_path / "told"
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for number, record in enumerate(records):
            (folder / f"{number}.rec").write_bytes(record)
        code = run(["match", str(folder)])
        said = capsys.readouterr()
        return code, said.out.partition("\n")[0], said.err.strip().replace(f"{folder}/", "")

    cut, open_ended = b"\n".join(lines[:-1]) + b"\n", b"\n".join(lines[:-2]) + b"\n"
    assert lines[-2].startswith(b"result: ")
    assert told(cut, open_ended, whole, whole.replace(b"\n", b"\r\n")) == (0, "1 game", "")
    assert told(open_ended) == (0, "0 games", "")
    exchanged = whole.replace(b"Anna", b"Vera").replace(b"Boris", b"Anna").replace(b"Vera", b"Boris")
    code, said, note = told(exchanged, whole)
    assert (code, said) == (1, "1 game") and note.startswith("0.rec: changed in lines 1-")
    other = unsealed(whole).replace(lines[-2], b"result: fool 9")
    code, said, note = told(other, whole)
    assert (code, said) == (1, "1 game") and "the game had no such result" in note
    code, said, note = told(unsealed(whole) + b"result: draw\n", whole)
    assert (code, said) == (1, "1 game") and "something stands behind the result" in note
    refused = unsealed((RECORDS / "durak" / "throw-in-0001.rec").read_bytes()).replace(b" ! D3 T3", b" ! D1", 1)
    code, said, note = told(refused, whole)
    assert (code, said) == (1, "1 game") and "the engine judges otherwise" in note


def test_an_empty_folder_is_said(tmp_path, capsys):
    assert run(["match", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path}: the folder holds no *.rec file\n"
