"""Commands that take long say what they do, and what came of it, in the language that was asked for."""

import re

import pytest
from rich.progress import Progress

from host_tools import cli

ARENA = ["arena", "--players", "beginner,random", "--games", "5", "--jobs", "1"]
GENERATE = ["generate", "--game", "durak", "--count", "2", "--jobs", "1"]
PUZZLES = ["puzzles", "make", "--generate", "durak simple", "--games", "8", "--seed", "34", "--jobs", "1"]


def told(monkeypatch, capsys, words):
    """What the progress bar of that command says, and what is printed."""
    bars = []
    monkeypatch.setattr(Progress, "add_task", lambda self, text, **_: bars.append(text) or 0)
    monkeypatch.setattr(Progress, "update", lambda self, task, **_: None)
    assert cli.run(words) == 0
    return bars, capsys.readouterr().out


@pytest.mark.parametrize(("language", "bar", "lines"), [
    ("en", "Playing", ["durak, 2 seats: 5 deals, 10 games", "player", "beginner is ahead of random by "]),
    ("ru", "Игра", ["durak, мест: 2, раздач: 5, игр: 10", "игрок", "beginner впереди random на "]),
])
def test_the_arena(language, bar, lines, monkeypatch, capsys):
    bars, out = told(monkeypatch, capsys, [*ARENA, "--language", language])
    assert bars == [bar] and [line for line in lines if line not in out] == []
    assert (re.search("[а-яё]", out) is None) == (language == "en")
    assert len({len(line.rstrip()) for line in out.splitlines()[1:4]}) == 1, "columns stand under each other"


@pytest.mark.parametrize(("language", "bar", "line"), [
    ("en", "Playing", "In {}: 2 games\n"), ("ru", "Игра", "В папке {}: 2 игры\n")])
def test_games_that_are_generated(language, bar, line, tmp_path, monkeypatch, capsys):
    words = [*GENERATE, "--to", str(tmp_path), "--language", language]
    assert told(monkeypatch, capsys, words) == ([bar], line.format(tmp_path))


@pytest.mark.parametrize(("words", "bar", "line"), [
    ([*PUZZLES, "--language", "en"], "Looking", r"In {}: \d+ puzzles?\n"),
    ([*PUZZLES, "--language", "ru"], "Поиск", r"В файле {}: \d+ задач[аи]?\n"),
    (["puzzles", "--language", "ru", *PUZZLES[1:]], "Поиск", r"В файле {}: \d+ задач[аи]?\n"),
])
def test_puzzles_that_are_made(words, bar, line, tmp_path, monkeypatch, capsys):
    """Whether the language stands before `make` or behind it."""
    path = tmp_path / "puzzles.txt"
    bars, out = told(monkeypatch, capsys, [*words, "--to", str(path)])
    assert bars == [bar] and re.fullmatch(line.format(re.escape(str(path))), out)
