"""What `cardtable replay` prints: a line a record, the verbose lines, the bar, the count, and the files it finds."""

import io
import os
import re
import shutil
import sys

import pytest

from host_tools.base import foreign
from host_tools.cli import RIGHT, UNUSABLE, WRONG, run
from host_tools.base.interpreters import find_micropython
from host_tools.base.workers import bar
from tests.conftest import ROOT

DURAK = ROOT / "tests" / "records" / "durak"
RECORD = DURAK / "throw-in-0003.rec"
HEADER = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"


def replay(capsys, *arguments):
    """Exit code, lines of standard output, lines of standard error."""
    code = run(["replay", *map(str, arguments)])
    printed = capsys.readouterr()
    return code, printed.out.splitlines(), printed.err.splitlines()


@pytest.fixture
def folder(tmp_path):
    """b.rec passes, a/c.rec fails, a/d.rec is no record; and files that are not looked at."""
    (tmp_path / "a").mkdir()
    shutil.copy(RECORD, tmp_path / "b.rec")
    (tmp_path / "a" / "c.rec").write_text(HEADER + "0.0 1 draw 6S ! T3\n")
    (tmp_path / "a" / "d.rec").write_text(HEADER + "0.0 1 drew 6S\n")
    (tmp_path / "a" / "notes.txt").write_text("no record\n")
    return tmp_path


def test_one_line_a_record_and_the_count_at_the_end(capsys):
    code, out, err = replay(capsys, DURAK)
    count = len(list(DURAK.glob("*.rec")))
    assert (code, err) == (RIGHT, [])
    assert out == [f"{path}: ok" for path in sorted(DURAK.glob("*.rec"))] + [f"{count} passed, 0 failed"]


@pytest.mark.parametrize("runtime", ["cpython", "micropython", "both"] if find_micropython() else ["cpython"])
def test_folders_are_searched_for_records_and_exit_2_wins(capsys, folder, runtime):
    code, out, err = replay(capsys, "--runtime", runtime, folder)
    assert code == UNUSABLE
    assert err == [f"{folder}/a/d.rec:6: drew is no verb of durak"]
    assert out == [
        f"{folder}/b.rec: ok",
        f"{folder}/a/c.rec:6: `0.0 1 draw 6S ! T3`: expected a refusal under T3, came acceptance",
        "    durak, 2 seats: - 35: 1 0",
        "    waits for deal; seat 1: deal; seat 2: deal",
        "    hand1: 6S",
        "1 unusable",
        "1 passed, 1 failed",
    ]


def test_a_failure_alone_is_exit_1(capsys, folder):
    assert replay(capsys, folder / "b.rec", folder / "a" / "c.rec")[0] == WRONG


def test_a_file_is_replayed_once_however_often_it_is_named(capsys, folder):
    _, out, _ = replay(capsys, folder / "b.rec", folder / "b.rec", folder / "a" / ".." / "b.rec")
    assert out[-1] == "1 passed, 0 failed"


def test_a_file_that_is_named_needs_no_ending(capsys, tmp_path):
    shutil.copy(RECORD, tmp_path / "journal.txt")
    assert replay(capsys, tmp_path / "journal.txt")[0] == RIGHT


def test_verbose_shows_each_line_with_its_verdict(capsys, tmp_path):
    path = tmp_path / "short.rec"
    path.write_text(HEADER + "; comment\n0.0 1 draw 6S\n0.5 2 draw 6S ! T2\n")
    code, out, _ = replay(capsys, "-v", path)
    assert code == RIGHT
    assert [" ".join(line.split()) for line in out[:2]] == [
        "7 0.0 1 draw 6S -> accepted (0)",
        "8 0.5 2 draw 6S ! T2 -> refused T2 (1043)",
    ]
    assert out[2:] == [f"{path}: ok", "1 passed, 0 failed"]


# --- what cannot be used ----------------------------------------------------------------------------------------------


def test_a_path_that_does_not_exist(capsys, tmp_path):
    code, out, err = replay(capsys, tmp_path / "none", RECORD)
    assert (code, err) == (UNUSABLE, [f"{tmp_path}/none: no such file or directory"])
    assert out[-2:] == ["1 unusable", "1 passed, 0 failed"]


def test_a_folder_without_records(capsys, tmp_path):
    code, out, err = replay(capsys, tmp_path)
    assert (code, err) == (UNUSABLE, [f"{tmp_path}: the folder holds no *.rec file"])
    assert out == ["1 unusable", "0 passed, 0 failed"]


def test_a_pipe_in_a_folder_is_not_waited_for(capsys, tmp_path):
    os.mkfifo(tmp_path / "pipe.rec")
    (tmp_path / "gone.rec").symlink_to(tmp_path / "nothing")
    code, _, err = replay(capsys, tmp_path)
    assert code == UNUSABLE
    assert err == [f"{tmp_path}/{name}.rec: is not a file that can be read" for name in ("gone", "pipe")]


def test_a_file_that_cannot_be_read(capsys, monkeypatch):
    def fail(path, mode, opener):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(foreign, "open", fail, raising=False)
    code, _, err = replay(capsys, RECORD)
    assert (code, err) == (UNUSABLE, [f"{RECORD}: permission denied"])


def test_a_micropython_that_is_not_there_is_one_sentence(capsys, monkeypatch):
    monkeypatch.setenv("MICROPYTHON", "/nowhere/micropython")
    code, out, err = replay(capsys, "--runtime", "both", RECORD)
    assert (code, out) == (UNUSABLE, [])
    assert err == ["MICROPYTHON=/nowhere/micropython is not a program that can be run."]
    monkeypatch.setattr("host_tools.judge.replay.run.find_micropython", lambda: None)
    code, _, err = replay(capsys, "--runtime", "micropython", RECORD)
    assert code == UNUSABLE
    assert len(err) == 1 and "MICROPYTHON=/path/to/micropython" in err[0]


def test_a_program_that_is_no_micropython_is_one_sentence(capsys, monkeypatch):
    monkeypatch.setenv("MICROPYTHON", "/bin/false")
    code, _, err = replay(capsys, "--runtime", "micropython", RECORD)
    assert code == UNUSABLE
    assert err == ["The replay does not start under MicroPython: MicroPython ended with exit code 1"]


def test_a_compiler_that_is_not_there_is_one_sentence(capsys, monkeypatch):
    monkeypatch.setenv("MPY_CROSS", "/nowhere/mpy-cross")
    if not find_micropython():
        monkeypatch.setenv("MICROPYTHON", "/bin/true")
    code, _, err = replay(capsys, "--runtime", "both", RECORD)
    assert code == UNUSABLE
    assert len(err) == 1 and "/nowhere/mpy-cross" in err[0]


# --- the terminal -----------------------------------------------------------------------------------------------------


def test_a_record_cannot_steer_the_terminal(capsys, tmp_path):
    path = tmp_path / "steer.rec"
    path.write_text(HEADER + "0.0 0 abort\nresult: \x1b[2J\u202e\n; end\n")
    _, out, err = replay(capsys, "-v", path)
    assert out[1].endswith(r"expected the result '\x1b[2J\u202e', came 'aborted'")
    path.write_text(HEADER.replace("dealer: 2", "dealer: \x1b[2J"))
    _, _, err = replay(capsys, path)
    assert err == [rf"{path}:4: dealer: \x1b[2J is no number from 1"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def bar_for(monkeypatch, stream, after_s, tmp_path):
    """What standard error shows while three records are replayed."""
    for name in "abc":
        shutil.copy(RECORD, tmp_path / f"{name}.rec")
    monkeypatch.setattr(bar, "BAR_AFTER_S", after_s)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", stream)
    assert run(["replay", str(tmp_path)]) == RIGHT
    return stream.getvalue()


def test_progress_bar_when_it_takes_long_on_a_terminal(monkeypatch, capsys, tmp_path):
    shown = bar_for(monkeypatch, Terminal(), -1, tmp_path)
    assert "replay" in shown and re.search(r"\d+%", shown)
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_no_progress_bar_when_it_is_quick(monkeypatch, tmp_path):
    assert bar_for(monkeypatch, Terminal(), 1000, tmp_path) == ""


def test_no_progress_bar_where_there_is_no_terminal(monkeypatch, tmp_path):
    assert bar_for(monkeypatch, io.StringIO(), -1, tmp_path) == ""
