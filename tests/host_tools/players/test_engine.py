"""Other people's programs as players: what they are told, what they may answer, and what happens if they do worse."""

import os
import shlex
import signal
import subprocess
import sys
import textwrap
from collections import Counter, deque

import pytest

from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools import cli
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import make_header
from host_tools.minds.players import engine, engine_process, find_player, list_players
from host_tools.minds.players.engine_process import EngineProcess
from host_tools.minds.players.engine_words import read_answer, tell_game
from host_tools.minds.players.match import Match
from host_tools.play import terminal
from host_tools.play.seating import check_who, read_seats
from tests.conftest import ROOT
from tests.patience import wait_for

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


def test_a_log_that_forgets_its_oldest_lines_is_told_to_its_end(tmp_path):
    """As a live table's does, of a long game."""
    name = engine.register(write_engine(tmp_path, 'print("play 1", flush=True)'))
    match = Match(durak, make_header("durak", 2, 1), [find_player(name), find_player("random")], 7, 90)
    match.logs[1] = deque(maxlen=30)
    match.play()
    told = [line.split()[1:3] for line in (tmp_path / "heard.txt").read_text().splitlines() if line.startswith("see ")]
    heard = [line.split()[1:3] for line in match.lines if line[:1].isdigit()]
    assert told == heard[: len(told)] and len(heard) - len(told) < 12


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
    (r'print("play 1\nplay 1", flush=True)', "answers without being asked"),
    (r'sys.stdout.buffer.write(b"\xff\x00\n"); sys.stdout.flush()', "loses its act: it answers neither play nor wait"),
])
def test_who_does_wrong_loses_the_act_and_the_game_goes_on(tmp_path, monkeypatch, go, said):
    if go == "pass":
        monkeypatch.setattr(engine, "LIMIT_MS", 60)
    match = play(durak, "durak throw-in deck=24", 2, [engine.register(write_engine(tmp_path, go)), "random"], events=60)
    assert match.events > 20
    assert engine.troubles == Counter({f"engine:bad {said}": engine.MOST_TROUBLES})


BACK_AND_FORTH = """
    legal = [text for text in open(heard.name) if text.startswith("legal ")][-1]
    moves = legal.strip().removeprefix("legal ").split("; ")
    print("play", max(moves, key=lambda move: (move.startswith("unlay"), move.startswith("lay"))), flush=True)
"""


def test_who_lays_a_card_and_takes_it_back_for_ever_loses_its_acts(tmp_path, monkeypatch):
    """It would draw each game of Cal's BS and Bailiff: a game that is too long counts so."""
    monkeypatch.setattr(engine, "MOST_ALONE", 20)
    match = play(cals_bs, "cals-bs", 2, [engine.register(write_engine(tmp_path, BACK_AND_FORTH)), "beginner"])
    sentence = "engine:bad acts 20 times in a row, and nothing else happens"
    assert engine.troubles == Counter({sentence: engine.MOST_TROUBLES})
    assert any(line.split()[1:3] == ["2", "claim"] for line in match.lines if line[:1].isdigit())  # the game went on


@pytest.mark.parametrize("game, line", [(bailiff, "bailiff move_limit=20"), (cals_bs, "cals-bs")])
def test_the_engine_of_the_docs_takes_back_nothing(game, line):
    match = play(game, line, 2, [engine.register(FIRST), "beginner"], events=1000)
    assert match.session.is_over() and not engine.troubles
    assert not [line for line in match.lines if line.split()[1:3] == ["1", "unlay"]]


def test_a_byte_order_mark_line_ends_of_windows_and_empty_lines_are_read(tmp_path):
    start = r'sys.stdout.buffer.write(b"\xef\xbb\xbfengine bad\r\n"); sys.stdout.flush()'
    name = engine.register(write_engine(tmp_path, r'sys.stdout.write("play 1\r\n\r\n"); sys.stdout.flush()', start))
    assert name == "engine:bad" and play(durak, "durak", 2, [name, "random"], events=30).events == 30
    assert not engine.troubles


def test_who_cannot_be_started_again_is_said_so(tmp_path):
    start = 'sys.exit(5) if open(heard.name).read().count("cardtable") > 1 else print("engine bad", flush=True)'
    command = write_engine(tmp_path, "pass", start)
    play(durak, "durak", 2, [engine.register(command), "random"], events=60)
    sentence = f"engine:bad could not be started again: the engine {command} ended with exit code 5"
    assert engine.troubles == Counter({sentence: engine.MOST_TROUBLES})


def write_script(tmp_path, before=""):
    """The command of a script that starts an engine, which holds a pipe and hangs at the end of its input; the pipe."""
    pipe = tmp_path / "held"
    os.mkfifo(pipe)
    start = f'held = open({str(pipe)!r}, "w"); print("engine bad", flush=True)'
    command = write_engine(tmp_path, "pass", start)
    with (tmp_path / "engine.py").open("a") as file:
        file.write("while True:\n    time.sleep(3600)\n")
    script = tmp_path / "engine.sh"
    script.write_text(f"{before}{command}\nexit 0\n")
    return shlex.join(["sh", str(script)]), os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)


def wait_for_end(held):
    """A pipe that somebody holds says nothing; then it has no other end any more."""
    wait_for(lambda: is_let_go(held), "the test", "the end of the engine behind the script")
    os.close(held)


def is_let_go(held):
    try:
        return os.read(held, 1) == b""
    except BlockingIOError:
        return False


@pytest.mark.parametrize("before", ["", "setsid "])
def test_an_engine_behind_a_script_ends_with_it(tmp_path, before):
    """One that hangs would take a processor from all that play behind it; also in a session of its own."""
    command, held = write_script(tmp_path, before)
    process = EngineProcess(command)
    assert not is_let_go(held)
    process.close()
    wait_for_end(held)


def test_a_process_that_is_told_to_end_ends_its_engines(tmp_path):
    """As those of a pool are at Ctrl-C, which reaches no engine."""
    command, held = write_script(tmp_path)
    code = ("from host_tools.base import on_host; on_host.prepare()\n"
            "import sys; from host_tools.minds.players import engine\n"
            "engine._running['x', 1] = engine.EngineProcess(sys.argv[1]); engine.end_with_process()\n"
            "print('up', flush=True); sys.stdin.read()\n")
    path = os.pathsep.join([str(ROOT), str(ROOT / "firmware")])
    worker = subprocess.Popen([sys.executable, "-c", code, command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, env={**os.environ, "PYTHONPATH": path})
    assert worker.stdout.readline() == "up\n" and not is_let_go(held)
    worker.send_signal(signal.SIGTERM)
    wait_for_end(held)
    assert worker.wait() == 128 + signal.SIGTERM
    worker.communicate()


@pytest.mark.parametrize("command, said", [
    ("", "does not start: its command is empty"), ("'", "does not start"), ("no-such-program", "does not start"),
    ("true", "exit code 0"), ("cat", "answers no `engine NAME`"),
])
def test_what_is_no_engine_is_said_at_once(command, said):
    with pytest.raises(UnusableInput, match=said):
        engine.register(command)


def test_an_engine_whose_lines_are_kept_back_is_told_why(tmp_path, monkeypatch):
    """Its author sees an answer, at a terminal."""
    path = tmp_path / "held.py"
    path.write_text("import sys\nsys.stdin.read()\nprint('engine held')\n")
    monkeypatch.setattr("host_tools.minds.players.engine_process.START_MS", 300)
    with pytest.raises(UnusableInput, match="said nothing for 300 ms. Does it write each line at once"):
        engine.register(shlex.join([sys.executable, str(path)]))


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
    with pytest.raises(UnusableInput, match="no engine without a name was started"):
        check_who("bot:engine")  # it sat down, and its first act ended the table


def test_a_comma_in_the_quotes_of_a_command_ends_no_seat(tmp_path):
    """The rest of the command sat down as a person of that name."""
    path = write_engine(tmp_path, "print('play 1')")
    for said in ("'--weights=1,2'", '"--weights=1,2"', "--weights=1\\,2"):
        people = [name for name, _ in read_seats(f"O'Brien,engine:{path} {said},D'Arcy", "en")]
        assert people == ["O'Brien", "bad", "D'Arcy"], said
        assert engine.commands["bad"] == f"{path} {said}"
        engine.commands.clear()
    for said, cause in (("--weights=1,2", "A comma ends a seat"), ("'--weights=1,2", "No closing quotation")):
        with pytest.raises(UnusableInput, match=f"does not start: .*{cause}"):
            read_seats(f"Anna,engine:{tmp_path}/none {said}", "en")


def test_the_arena_says_what_an_engine_did(tmp_path):
    """A score for it, its troubles on standard error, and exit code 0."""
    bad = write_engine(tmp_path, "sys.exit(4)")
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.cli", "arena", "--players", "random", "--engine", bad, "--games", "2",
         "--jobs", "1"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "engine:bad" in done.stdout
    assert done.stderr == "engine:bad ended with exit code 4 (20 times)\n"


def test_a_table_says_at_its_end_what_an_engine_did(tmp_path, monkeypatch, capsys):
    """A random player had its seat, and who sat there did not know."""
    monkeypatch.setattr(terminal, "run", lambda _: engine.troubles.update(["engine:first-move sleeps"]) or 0)
    assert cli.run(["play", "--text", "--seats", f"Anna,engine:{FIRST}", "--games", str(tmp_path)]) == 0
    assert capsys.readouterr().err == "engine:first-move sleeps (once)\n"


def test_results_of_one_program_are_not_those_of_another_of_its_name(tmp_path, capsys):
    asked = ["arena", "--players", "random", "--games", "1", "--jobs", "1", "--resume", str(tmp_path / "kept")]
    assert cli.run([*asked, "--engine", FIRST]) == 0 == cli.run([*asked, "--engine", FIRST])
    engine.commands.clear()  # as in another process: the name is free
    assert cli.run([*asked, "--engine", f"{FIRST} another"]) == 2
    assert "keeps the results of another arena" in capsys.readouterr().err


@pytest.mark.everything
def test_an_engine_in_another_language_plays_a_hundred_games(capsys):
    """The shell's: 50 deals, each in both seatings, without a sentence about it."""
    assert cli.run(["arena", "--players", "beginner", "--engine", LAST, "--games", "50", "--jobs", "1"]) == 0
    said = capsys.readouterr()
    assert "50 deals, 100 games" in said.out and "engine:last-move" in said.out and not said.err
