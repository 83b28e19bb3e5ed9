"""The command line as a whole: help everywhere, exit codes, errors of one sentence, and a command is a file."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cardtable import version

import host_tools.commands
from host_tools import cli
from host_tools.cli import INTERRUPTED, RIGHT, UNUSABLE, WRONG, run
from host_tools.base.errors import UnusableInput
from tests.conftest import ROOT

PROGRAM = Path(sys.prefix, "bin", "cardtable")
RECORDS = ROOT / "tests" / "records" / "durak"
NAMES = cli.cardtable.list_commands(click.Context(cli.cardtable))

TOY = '''
import click
from host_tools.base.errors import UnusableInput


@click.command(short_help="Ends as it is told.")
@click.argument("how", type=int)
def command(how):
    """Ends as it is told."""
    {body}
'''


@pytest.fixture
def drop(tmp_path, monkeypatch):
    """Makes a new sub-command out of one file: drop(name, body)."""
    monkeypatch.setattr(cli, "COMMANDS", {"commands": tmp_path})
    monkeypatch.setattr(host_tools.commands, "__path__", [str(tmp_path)])

    def write(name, body):
        (tmp_path / f"{name}.py").write_text(TOY.format(body=body))
        sys.modules.pop(f"host_tools.commands.{name}", None)

    yield write
    for file in tmp_path.glob("*.py"):
        sys.modules.pop(f"host_tools.commands.{file.stem}", None)


def test_the_version_is_told(capsys):
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"cardtable {version.FIRMWARE}: {version.describe()}\n"


def test_replay_is_a_command():
    assert "replay" in NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_everywhere(capsys, name, option):
    assert run([name, option]) == RIGHT
    assert capsys.readouterr().out.startswith(f"Usage: cardtable {name}")


def test_second_names_start_the_same_command():
    group = cli.cardtable
    assert isinstance(group, cli.Commands) and cli.BETTER
    for second, first in cli.BETTER.items():
        found = group.get_command(None, second)
        assert found is group.get_command(None, first) and f"also: {second}" in found.short_help


def test_help_lists_every_command(capsys):
    assert run(["--help"]) == RIGHT
    listed = capsys.readouterr().out.partition("Commands:\n")[2]
    assert [line.split()[0] for line in listed.splitlines()] == NAMES
    assert all(len(line.split()) > 1 for line in listed.splitlines())


def test_help_is_quick_because_commands_import_what_they_need_when_they_run():
    script = (
        "import sys; from host_tools import cli; cli.run(['--help']);"
        "slow = ('rich', 'cardtable', 'subprocess', 'asyncio', 'importlib.metadata', 'email', 'filelock');"
        "print([name for name in sys.modules if name.startswith(slow)])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    packages = ["cardtable", "cardtable.engine", "cardtable.games"]  # empty; told where compiled modules lie
    assert done.stdout.splitlines()[-1] in ("[]", str(packages))


def test_without_a_command_the_help_is_shown_and_nothing_was_right(capsys):
    assert run([]) == UNUSABLE
    assert "Commands:" in capsys.readouterr().err


def test_a_new_command_is_one_new_file(capsys, drop):
    drop("play_chess", "print('check', how); return how")
    assert run(["play-chess", "0"]) == RIGHT
    assert run(["play-chess", "1"]) == WRONG
    assert capsys.readouterr().out == "check 0\ncheck 1\n"
    assert run(["--help"]) == RIGHT
    assert "play-chess  Ends as it is told." in capsys.readouterr().out


def test_a_command_that_returns_nothing_was_right(drop):
    drop("quiet", "return None")
    assert run(["quiet", "0"]) == RIGHT


def test_unusable_input_is_one_sentence_and_exit_2(capsys, drop):
    drop("read", "raise UnusableInput(f'deck.txt:{how}: 7X is no card')")
    assert run(["read", "3"]) == UNUSABLE
    assert capsys.readouterr() == ("", "deck.txt:3: 7X is no card\n")
    assert issubclass(UnusableInput, Exception)


def test_an_interrupted_command_says_nothing(capsys, drop):
    drop("wait", "raise KeyboardInterrupt")
    assert run(["wait", "3"]) == INTERRUPTED
    assert capsys.readouterr().err.strip() == ""


def test_a_bug_is_not_hidden(drop):
    drop("broken", "return 1 // how")
    with pytest.raises(ZeroDivisionError):
        run(["broken", "0"])


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["chess"], "cardtable: No such command 'chess'."),
        (["replay"], "cardtable: Missing argument 'PATH...'."),
        (["replay", "--runtime", "pypy", "x"],
         "cardtable: Invalid value for '--runtime': 'pypy' is not one of 'cpython', 'micropython', 'both'."),
        (["replay", "--loud", "x"], "cardtable: No such option '--loud'."),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_sentence_and_exit_2(capsys, arguments, sentence):
    assert run(arguments) == UNUSABLE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [printed.err.strip()]
    assert printed.err.startswith(sentence)


# --- the installed program --------------------------------------------------------------------------------------------


def call(*arguments, **keywords):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, **keywords)


def test_installed_program_ends_with_the_code(tmp_path):
    assert call("replay", RECORDS / "throw-in-0003.rec").returncode == RIGHT
    wrong = tmp_path / "wrong.rec"
    wrong.write_text((RECORDS / "throw-in-0003.rec").read_text().replace("result: draw", "result: fool 1"))
    assert call("replay", wrong).returncode == WRONG
    assert call("replay", tmp_path).returncode == WRONG
    assert call("replay", tmp_path / "nothing").returncode == UNUSABLE


def test_installed_program_works_in_any_folder_and_any_locale(tmp_path):
    (tmp_path / "игра.rec").write_bytes((RECORDS / "throw-in-0003.rec").read_bytes())
    done = call("replay", ".", cwd=tmp_path, env={"LC_ALL": "C", "PATH": os.environ["PATH"], "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (RIGHT, "")
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_installed_program_ends_quietly_when_nobody_reads_on():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [PROGRAM, "replay", "-v", RECORDS], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (WRONG, "")


@pytest.mark.parametrize("words", [["--version"], ["replay", str(RECORDS / "throw-in-0001.rec")]])
def test_a_full_disk_is_a_sentence_and_no_verdict(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1].endswith("No space left on device")) == (UNUSABLE, True)
    assert "Traceback" not in done.stderr and done.stderr.count("\n") == 1


def test_a_disk_that_fills_up_names_the_file(tmp_path):
    record = RECORDS / "throw-in-0001.rec"
    for name in ("a.html", "a.zip", "a.sqlite"):
        call = ["view", "--html", name, record] if name == "a.html" else ["pack", name, record]
        done = subprocess.run(["sh", "-c", 'ulimit -f 2; exec "$@"', "sh", PROGRAM, *call], cwd=tmp_path,
                              capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr[: len(name)]) == (UNUSABLE, name) and done.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_a_closed_output_is_no_failure():
    done = subprocess.run(["sh", "-c", '"$0" --version >&-', PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (RIGHT, "")


def test_streams_that_the_caller_has_closed_lead_nowhere_and_keep_their_numbers():
    """`play` asked them whether they are a terminal, and ended in a traceback."""
    code = ("import os, sys; from host_tools.cli import open_streams; open_streams(); "
            "streams = sys.stdin, sys.stdout, sys.stderr; "
            "os._exit(int([one.fileno() for one in streams] == [0, 1, 2] and sys.stdin.read() == '') + 40)")
    done = subprocess.run(["sh", "-c", '"$0" -c "$1" <&- >&- 2>&-', sys.executable, code], cwd=ROOT, check=False)
    assert done.returncode == 41
