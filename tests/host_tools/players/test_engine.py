"""Other people's programs as players: what they are told, what they may answer, and what happens if they do worse."""

import shlex
import subprocess
import sys
import textwrap
from collections import Counter

import pytest

from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools import cli
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import make_header
from host_tools.minds.players import engine, engine_process, find_player, list_players
from host_tools.minds.players.engine_process import EngineProcess
from host_tools.minds.players.engine_words import read_answer, tell_game
from host_tools.minds.players.match import Match
from host_tools.play.seating import read_seats
from tests.conftest import ROOT

FIRST = shlex.join([sys.executable, f"{ROOT}/docs/engines/first_move.py"])
LAST = shlex.join(["sh", f"{ROOT}/docs/engines/last_move.sh"])
GAMES = ((durak, "durak throw-in", 2), (durak, "durak transfer cheating=3", 3), (durak, "durak deal=counted", 2),
         (cals_bs, "cals-bs-54", 3), (bailiff, "bailiff", 2), (malice, "malice", 2))


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """On a busy machine an engine may need longer than an act at a table; and none is left for the next test."""
    monkeypatch.setattr(engine, "LIMIT_MS", 60_000)
    for module in (engine, engine_process):
        monkeypatch.setattr(module, "START_MS", 60_000)
    yield
    engine.close_all()
    engine.commands.clear()
    engine.troubles.clear()


def write_engine(tmp_path, go, start='print("engine bad", flush=True)'):
    """The command of an engine that answers `go` with these lines of Python."""
    path = tmp_path / "engine.py"
    body = textwrap.indent(textwrap.dedent(go), "        ")
    path.write_text(
        "import os, sys, time\nheard = open(os.path.join(os.path.dirname(__file__), 'heard.txt'), 'a')\n"
        "for line in sys.stdin:\n    heard.write(line); heard.flush()\n    word = line.split(' ')[0].strip()\n"
        f"    if word == 'cardtable':\n        {start}\n"
        "    if word == 'game':\n        print('ready', flush=True)\n"
        f"    if word == 'go':\n{body}\n")
    return shlex.join([sys.executable, str(path)])


def play(game, line, seats, names, events=400, seed=7):
    match = Match(game, make_header(line, seats, 1), [find_player(name) for name in names], seed, events)
    match.play()
    return match


@pytest.mark.parametrize("game, line, seats", GAMES, ids=[line for _, line, _ in GAMES])
def test_the_two_engines_of_the_docs_play_every_game(game, line, seats):
    names = [engine.register(FIRST), engine.register(LAST), "beginner"][:seats]
    assert names[:2] == ["engine:first-move", "engine:last-move"]
    match = play(game, line, seats, names)
    assert match.events > 20 and not engine.troubles
    assert play(game, line, seats, names).lines == match.lines  # the same engines play the same game again


def test_it_hears_the_public_and_its_own_seat_alone(tmp_path):
    """T11: what the engine was told, with all hidden cards dealt elsewhere, is the same to the byte."""
    command = write_engine(tmp_path, 'print("play 1", flush=True)')
    name = engine.register(command)
    match = play(durak, "durak throw-in", 2, [name, "random"], events=40)
    assert not engine.troubles
    told = (tmp_path / "heard.txt").read_text().splitlines()
    assert told[0] == told[1] == "cardtable 1" and told[2].startswith("game durak throw-in; seat 1; seats 2; seed ")
    own = {line.split()[3] for line in match.lines if " 1 draw " in line}
    others = {line.split()[3] for line in match.lines if " 2 draw " in line}
    laid = {card for line in match.lines for card in line.split()[3:]
            if line.split()[1:3] not in (["1", "draw"], ["2", "draw"])}
    words = {word.strip(";,") for line in told for word in line.split() if not line.startswith("view")}
    assert own <= words | laid and not (others - laid - own) & words
    assert "see 2 draw ?" in told


def test_t11_the_seed_that_an_engine_is_told_deals_no_cards():
    """The deal's own would say where every card lies."""
    told = {int(tell_game("durak", seat, 2, seed).split()[-1]) for seat in (1, 2) for seed in range(200)}
    assert len(told) == 400 and max(told) < 2**32 and not told & set(range(1000))
    assert tell_game("durak", 1, 2, 7) == tell_game("durak", 1, 2, 7)


def test_an_event_is_told_once_and_a_game_again_after_a_restart(tmp_path):
    command = write_engine(tmp_path, """
        turn = sum(text.startswith("go ") for text in open(heard.name))
        sys.exit(3) if turn == 3 else print("play 1", flush=True)
    """)
    match = play(durak, "durak throw-in", 2, [engine.register(command), "random"], events=60)
    assert engine.troubles == Counter({"engine:bad ended with exit code 3": 1})
    told = (tmp_path / "heard.txt").read_text().split("game durak")
    assert len(told) == 3  # the first start registers it
    last = [line for line in told[-1].splitlines() if line.startswith("see ")]
    heard = [line for line in match.lines if line[:1].isdigit()]
    assert 0 < len(heard) - len(last) < 12  # what came behind its last question


@pytest.mark.parametrize("go, said", [
    ('print("play nonsense", flush=True)', "loses its act: it plays what it may not"),
    ('print("play 0", flush=True)', "loses its act: it plays what it may not"),
    ('print("resign", flush=True)', "loses its act: it answers neither play nor wait"),
    ('print("play 1 after -5", flush=True)', "loses its act: after takes 0 to 60000 ms"),
    ('print("wait", flush=True)', "waits while the table waits for it"),
    ("pass", "said nothing for 60 ms"),
    ("sys.exit(0)", "ended with exit code 0"),
    ('print("x" * 5000, flush=True)', "said a line of more than 4096 bytes"),
    ("while True: print('info x', flush=True)", "said more than 1000 lines before its answer"),
    (r'sys.stdout.buffer.write(b"\xff\x00\n"); sys.stdout.flush()', "loses its act: it answers neither play nor wait"),
])
def test_who_does_wrong_loses_the_act_and_the_game_goes_on(tmp_path, monkeypatch, go, said):
    if go == "pass":
        monkeypatch.setattr(engine, "LIMIT_MS", 60)
    match = play(durak, "durak throw-in deck=24", 2, [engine.register(write_engine(tmp_path, go)), "random"], events=60)
    assert match.events > 20
    assert engine.troubles == Counter({f"engine:bad {said}": engine.MOST_TROUBLES})


@pytest.mark.parametrize("command, said", [
    ("", "does not start"), ("'", "does not start"), ("no-such-program", "does not start"), ("true", "exit code 0"),
    ("cat", "answers no `engine NAME`"),
])
def test_what_is_no_engine_is_said_at_once(command, said):
    with pytest.raises(UnusableInput, match=said):
        engine.register(command)


def test_an_engine_that_reads_nothing_stops_nobody(tmp_path):
    """Its input fills up; the bound is that of the question."""
    path = tmp_path / "deaf.py"
    path.write_text("import time\nprint('engine deaf', flush=True)\ntime.sleep(3600)\n")
    process = EngineProcess(shlex.join([sys.executable, str(path)]))
    with pytest.raises(Exception, match="took nothing for 60 ms"):
        process.ask(["x" * 1_000_000], 60)
    process.close()


def test_answers():
    assert read_answer("play attack 7S", ["done", "attack 7S"]) == (1, -1)
    assert read_answer("play 2 after 300", ["done", "attack 7S"]) == (1, 300)
    assert read_answer("wait", []) == (-1, -1)


def test_no_browser_names_a_command():
    """Only those that were started with the program are players; a list of players for the page has none."""
    with pytest.raises(UnusableInput, match="no engine rm was started"):
        find_player("engine:rm")
    name = engine.register(FIRST)
    assert find_player(name).plays(durak) and "engine" not in list_players(durak)
    assert read_seats(f"Anna,engine:{FIRST}", "en") == [("Anna", "here"), ("first-move", "bot:engine:first-move")]


def test_the_arena_says_what_an_engine_did(tmp_path):
    """A score for it, its troubles on standard error, and exit code 0."""
    bad = write_engine(tmp_path, "sys.exit(4)")
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.cli", "arena", "--players", "random", "--engine", bad, "--games", "2",
         "--jobs", "1"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "engine:bad" in done.stdout
    assert done.stderr == "engine:bad ended with exit code 4 (20 times)\n"


@pytest.mark.everything
def test_an_engine_in_another_language_plays_a_hundred_games(capsys):
    """The shell's: 50 deals, each in both seatings, without a sentence about it."""
    assert cli.run(["arena", "--players", "beginner", "--engine", LAST, "--games", "50", "--jobs", "1"]) == 0
    said = capsys.readouterr()
    assert "50 deals, 100 games" in said.out and "engine:last-move" in said.out and not said.err
