"""Every sub-command with every path, name and number that somebody can give it: a code, a sentence, bounded memory and
time (H4-H7).

The commands and their parameters are read from the command line itself: a new one has to get its row in CALLS.
One process, whose memory is limited, calls them all with one bad value after the other.
"""

import contextlib
import functools
import importlib
import io
import json
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import traceback

import click
import pytest

from host_tools import cli
from host_tools.base import foreign, on_host
from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import PathName
from tests.conftest import ROOT

MEMORY = 1 << 30  # bytes of address space: several times what any of this needs
PATIENCE_S = 240  # that only a hang reaches: none takes more than a second of its own
RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0003.rec"
SHORT = RECORD.with_name("scenario-38_trump_blocks.rec")
EVENING = ["--database", "{tmp}/evening.sqlite"]  # Anna and Boris sit at table-1
# A way to call each command without a bad value; {tmp} is a folder. What of it is bad in a call replaces the good one.
CALLS = {
    "analyse": [str(SHORT), "--guesses", "2"],
    "arena": ["--players", "random,beginner", "--games", "1", "--jobs", "1"],
    "backup": ["{tmp}/all.zip", "--keys", "{tmp}/season"],
    "bench": ["--quick"],
    "board case": ["--to", "{tmp}/case"],
    "board check": ["virtual"],
    "board docs": ["--to", "{tmp}/pages"],
    "board list": [],
    "board pcb": ["virtual", "--to", "{tmp}/pcb"],
    "board show": ["virtual"],
    "bridge": ["evening", "--folder", "{tmp}/games", "--home", "{tmp}/bridge", "--broker", "mqtt://127.0.0.1:9",
               "--once", "--seconds", "0"],
    "broker account": ["a", "--home", "{tmp}/broker"],
    "broker certificate": ["--home", "{tmp}/broker"],
    "broker start": ["--home", "{tmp}/broker", "--tls"],
    "cuts": [str(RECORD), "--step", "1000000"],
    "demo": ["--runtime", "cpython", "--plain"],
    "device bringup": ["--port", "{tmp}/none", "--board", "virtual", "--step", "doctor", "--only"],
    "device deploy": ["--port", "{tmp}/none", "--board", "virtual"],
    "device doctor": ["--port", "{tmp}/none"],
    "device flash": ["--port", "{tmp}/none", "--board", "virtual"],
    "device info": ["--port", "{tmp}/none"],
    "device logs": ["--port", "{tmp}/none"],
    "device package": ["--board", "virtual"],
    "device pull": ["--port", "{tmp}/none"],
    "device put": ["{tmp}/deck.txt", "--port", "{tmp}/none"],
    "enrol": ["{tmp}/deck.txt"],
    "fuzz": ["--hours", "0"],
    "games": ["{tmp}/games", "--list"],
    "generate": ["--game", "durak", "--count", "1", "--jobs", "1", "--to", "{tmp}/corpus"],
    # At a port of this process's own: another test may have a table at the usual one.
    "hall": ["1", "--games", "{tmp}/hall", "--port", str(20005 + os.getpid() % 1000 * 10)],
    "match": [str(SHORT)],
    "new game": ["durak"],
    "new record": ["durak", "--events", "20"],
    "pack": ["{tmp}/packed.zip", str(SHORT)],
    "perft": [str(SHORT), "--depth", "1"],
    "play": ["--runtime", "cpython", "--games", "{tmp}/games", "--no-browser"],
    "profile": [str(SHORT)],
    "puzzles make": [str(SHORT), "--jobs", "1", "--to", "{tmp}/puzzles.txt"],
    "replay": [str(RECORD)],
    "restore": ["{tmp}/evening.sqlite", "--keys", "{tmp}/new"],
    "rules": ["D19"],
    "season": ["{tmp}/season", "--csv", "{tmp}/season.csv", "--same", "Ann=Anna"],
    "show": [str(SHORT), "--at", "12", "--html", "{tmp}/sheet.html"],
    "site": ["{tmp}/site"],
    "stats": [str(SHORT)],
    "table": ["--runtime", "cpython", "--speed", "max", "--plain", "--record", str(SHORT)],
    "tournament add": ["Vera", "--club", "North", "--team", "Reds", "--from", "{tmp}/players.csv", *EVENING],
    "tournament attend": ["--trust", "{tmp}/none.pem", "--broker", "mqtts://127.0.0.1:9", *EVENING],
    "tournament simulate": ["--players", "2", "--jobs", "1", "--keep", "{tmp}/deck.txt"],
    "tournament backup": ["{tmp}/copy.sqlite", *EVENING],
    "tournament check": EVENING,
    "tournament correct": ["table-1", "Anna; Boris", "--reason", "misread", "--lost", "Boris", *EVENING],
    "tournament decide": ["--reason", "late", "--table", "table-1", *EVENING],
    "tournament export": ["--to", "{tmp}/exported", *EVENING],
    "tournament link": ["Olga", "--address", "http://127.0.0.1:8137", *EVENING],
    "tournament log": EVENING,
    "tournament new": ["Autumn cup", "--game", "durak simple", "--database", "{tmp}/new.sqlite"],
    "tournament orders": ["--to", "{tmp}/setups", *EVENING],
    "tournament paid": ["Anna", *EVENING],
    "tournament print": ["--to", "{tmp}/printed", "--address", "http://127.0.0.1:8137", *EVENING],
    "tournament prizes": EVENING,
    "tournament recompute": [str(RECORD)],
    "tournament rehearse": ["--to", "{tmp}/rehearsed", *EVENING],
    "tournament restore": ["{tmp}/copy.sqlite", "--database", "{tmp}/restored.sqlite"],
    "tournament result": ["table-1", "Anna; Boris", "--lost", "Boris", *EVENING],
    "tournament round": ["--close", "late", *EVENING],
    "tournament serve": ["--no-browser", *EVENING],
    "tournament standings": EVENING,
    "tournament table": ["table-1", "--watch", "http://127.0.0.1:8137", *EVENING],
    "tournament take": [str(RECORD), *EVENING],
    "tournament undo": ["99", "--reason", "late", *EVENING],
    "tournament withdraw": ["Anna", "--reason", "late", *EVENING],
    "twin": ["--seconds", "0", "--link", "{tmp}/tty", "--flash", "{tmp}/flash.bin"],
    "verify": [str(RECORD)],
    "view": [str(SHORT), "--html", "{tmp}/game.html"],
    "watch": ["{tmp}/feed.txt", "--no-browser"],
}
STARTS_MICROPYTHON = ("twin",)
PATCHED = ("host_tools.maker.device.flash", "host_tools.lab.cuts.run", "host_tools.maker.device.package",
           "host_tools.play.scripted.demo",
           "host_tools.play.web.run", "host_tools.play.web.door", "host_tools.look.screenshot",
           "host_tools.club.wire.broker", "host_tools.club.wire.attend", "host_tools.judge.situations",
           "host_tools.look.published.build", "host_tools.maker.pcb.write")
# What a command would do with most of these is right, and takes its time: only what nobody can write.
ONLY_UNWRITABLE = (
    ("bench", "file"), ("board docs", "folder"), ("board pcb", "folder"), ("device package", "folder"),
    ("device pull", "folder"),
    ("fuzz", "folder"), ("table", "keep"), ("table", "picture"),
    ("tournament simulate", "keep"),
    *((f"tournament {name}", "folder") for name in ("orders", "print", "export", "rehearse")),
)  # fmt: skip
# These read no file that is named; each call of the first looks through all tests.
NAMES_ALONE = ("rules", "board check", "board pcb", "board show", "table", "twin", "fuzz", "play", "hall")
NAMES = ("name too long", "escapes in its name", "no name", "nothing")
UNWRITABLE = ("folder", "pipe", "below a file", "name too long", "loop of links")
NO_NUMBERS = ("nan", "-nan", "inf", "-inf", "1e999", "-1", "-1e-300", "", "x", "0x1p3", "1,5", "\x1b[2J", "9" * 400)
ESCAPES = b"cardtable 1\ngame: durak simple\nnote: \x1b]52;c;QUFB\x07\x9b2J\nseats: A\x1b[2Jnna; B[/x]\xe2\x80\xae\n"


def leaves(group=cli.cardtable, above=""):
    """(name, command) of every command that has none below it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        if isinstance(one, click.Group):
            yield from leaves(one, f"{above}{name} ")
        else:
            yield above + name, one


def takes_text(kind):
    """Whether a parameter of this type takes a path or any text."""
    if isinstance(kind, click.Tuple):
        return any(map(takes_text, kind.types))
    assert not isinstance(kind, click.File) and (not isinstance(kind, click.Path) or isinstance(kind, PathName))
    return isinstance(kind, click.Path) or kind is click.STRING


LEAVES = dict(leaves())


NUMBER = "no number"


def make_endless(folder):
    """{} or the path of a device whose bytes have no end, and which a faulty writer can replace without harm: a node of
    the test's own; nodes of the system only where this user could not replace them."""
    own = folder / "endless"
    try:
        os.mknod(own, stat.S_IFCHR | 0o666, os.makedev(1, 5))
        own.open("rb").close()  # a folder may be mounted without devices
    except OSError:
        own.unlink(missing_ok=True)
        return {} if os.access("/dev", os.W_OK) else {"endless": "/dev/zero"}
    return {"endless": str(own)}


def make_inputs(folder):
    """{what it is: its path} of all that a path can lead to."""
    rng = random.Random(12)
    record = SHORT.read_bytes()
    files = {
        "binary": rng.randbytes(100_000),
        "empty": b"",
        "huge line": b"x" * 1_000_000,
        "huge comment": record + b";" * 2_000_000 + b"\n",
        "huge number of lines": b"cardtable 1\n" * 300_000,
        "too large": b"\n" * (16 * 1024 * 1024 + 1),
        "not UTF-8": record.replace(b"seats: ", b"seats: \xff\xfe"),
        "escapes": ESCAPES + b"dealer: 1\n\n",
        "half a line": record[:200],
        "other game": record.replace(b"durak", b"whist"),
        "result": record + b"result: " + b"\xd0\xb6" * 5000 + b"\n",
        "long rule": record.replace(b" ! ", b" ! " + b"D1 " * 100),
    }
    found = {}
    for name, content in files.items():
        found[name] = folder / f"{name}.rec"
        found[name].write_bytes(content)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder / "loop")
    from host_tools.club.tournament.rounds import seat_round
    from tests.host_tools.tournament.made import begin

    (folder / "players.csv").write_text("Gleb\n")
    (folder / "season").mkdir()
    (folder / "season" / "one.rec").write_bytes(record)
    evening = begin(folder / "evening.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    seat_round(evening, "arbiter")
    evening.close()
    return {
        **{name: str(path) for name, path in found.items()},
        "nothing": str(folder / "nothing" / "at all"),
        "folder": str(folder / "folder"),
        **make_endless(folder),
        "pipe": str(folder / "pipe"),
        "below a file": str(found["binary"] / "x"),
        "name too long": str(folder / ("x" * 300)),
        "loop of links": str(folder / "loop" / "x"),  # the loop itself would be replaced by the first that writes there
        "escapes in its name": str(folder / "\x1b[31mred\n\x9b\u202e\udcff"),
        "no name": "",
    }


def replaced(name, parameter, value, base):
    """The words of a good call, in which this parameter has that value."""
    words = list(base)
    if not isinstance(parameter, click.Option):
        # Arguments come first in CALLS, in their order; those that may be left out may be missing.
        at = [one for one in LEAVES[name].params if isinstance(one, click.Argument)].index(parameter)
        good = words[: at + 1] if not any(word.startswith("--") for word in words[: at + 1]) else words[:at]
        return [*name.split(), *good[:at], value, *words[len(good) :]]
    option = max(parameter.opts, key=len)
    if option in words:
        at = words.index(option)
        del words[at : at + 2]
    return [*name.split(), *words, option, *["3"] * (parameter.nargs - 1), value]


def calls_of(name, folder, inputs):
    """(what is bad, arguments) of every call: each parameter that takes text gets each input."""
    base = [word.format(tmp=folder) for word in CALLS[name]]
    for parameter in LEAVES[name].params:
        if isinstance(parameter.type, click.FloatRange):
            for value in NO_NUMBERS:
                yield f"{name}, {parameter.name}: {NUMBER}", replaced(name, parameter, value, base)
        if not takes_text(parameter.type):
            continue
        for what, value in inputs.items():
            is_club = name.startswith("tournament ")
            is_written = (name, parameter.name) in ONLY_UNWRITABLE or is_club and parameter.name == "database"
            if is_written and what not in UNWRITABLE:
                continue
            if parameter.type is click.STRING and (is_club or name in NAMES_ALONE) and what not in NAMES:
                continue
            yield f"{name}, {parameter.name}: {what}", replaced(name, parameter, value, base)


def no_tool(name="MicroPython", *_, **__):
    """In the place of esptool, mpflash, and what cuts a game."""
    raise UnusableInput(f"{getattr(name, 'NAME', name)} is not there")


class TooLong(BaseException):
    """No OSError: nothing on the way takes it for one."""


async def leave(*_):
    """In the place of a table that people, or virtual players, stay at."""
    return 0


def serve():
    """In a process of its own: call what standard input lists; say for each its code, output, or what broke."""
    jobs = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def end_it(*_):
        raise TooLong(f"more than {PATIENCE_S} s")

    signal.signal(signal.SIGALRM, end_it)
    on_host.prepare()
    chips, cuts, package, demo, tables, door, pictures, broker, attend, refusals, site, circuits = map(
        importlib.import_module, PATCHED)
    tables.stay = door.until_told = broker.serve = attend.serve = leave
    pictures.find_browser = no_tool
    site.fetch = no_tool  # it fetches Python for browsers
    chips.find_tool = no_tool  # nothing is fetched, and nothing written to a port
    demo.Table = no_tool  # a scene that is right is not played here
    cuts.Inside = no_tool  # a record that is right is not cut here
    circuits.design = no_tool  # none is drawn where its folder can be written to
    refusals.list_rows = list  # it plays for ten seconds, whatever is named beside it
    package.build_package = functools.cache(package.build_package)
    foreign.PATIENCE_S = 0.05
    answers = []
    devices = sys.argv[1:]
    for words in jobs:
        out, err = io.StringIO(), io.StringIO()
        sys.stdin = io.StringIO("")
        signal.alarm(PATIENCE_S)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = cli.run(words)
            answers.append([code, out.getvalue(), err.getvalue()])
        except BaseException:
            answers.append([-1, out.getvalue(), traceback.format_exc()[-1500:]])
        finally:
            signal.alarm(0)
        assert all(map(os.path.exists, devices)) and not any(map(os.path.isfile, devices)), f"replaced by {words}"
    print(json.dumps(answers))


def ask(jobs, folder, devices=()):
    """The answers of such a process, which works in that folder, and replaces none of these devices."""
    inside = folder / "inside"
    inside.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "tests.host_tools.test_paths", *devices], input=json.dumps(jobs),
                          cwd=inside, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert list(inside.iterdir()) == [], "a command wrote into the folder in which the caller stands"
    return json.loads(done.stdout.splitlines()[-1])


def faults(code, out, err):
    """What is wrong with an answer, as words."""
    if code not in (0, 1, 2):
        return f"exit code {code}: {err}"
    lines = err.splitlines()
    if code == 2 and (len(lines) != 1 or len(lines[0]) < 10):
        return f"not one sentence on standard error: {err[:300]!r}"
    if not (out + err).replace("\n", "").isprintable():
        return f"steers the terminal: {(out + err)[:300]!r}"
    if any(len(line) > 1000 for line in lines):
        return f"a sentence of {max(map(len, lines))} characters: {err[:200]!r}"
    return ""


def test_every_command_has_its_call():
    """A new command cannot be forgotten."""
    assert sorted(CALLS) == sorted(LEAVES)


def test_every_number_is_one_that_can_be_used():
    """Neither click's own float, nor its range: `nan` lies in each."""
    for name, command in LEAVES.items():
        for parameter in command.params:
            kind = parameter.type
            if isinstance(kind, (click.types.FloatParamType, click.FloatRange)):
                assert isinstance(kind, foreign.Number) and kind.min is not None, (name, parameter.name)


def must_be_unusable(what):
    """Whether such a call ends with 2, whatever the command is. Words to be found may be any."""
    if what.endswith("find: pipe"):
        return False
    if what.endswith(": no name"):
        return not what.startswith(("rules", "replay"))
    return what.endswith((": pipe", f": {NUMBER}"))


@pytest.mark.parametrize("names", [
    [name for name in CALLS if name not in STARTS_MICROPYTHON],
    pytest.param(STARTS_MICROPYTHON, marks=pytest.mark.micropython),
], ids=["here", "starts MicroPython"])  # fmt: skip
def test_h4_h5_h7_every_path_and_number_ends_in_a_code_and_a_sentence(names, tmp_path):
    inputs = make_inputs(tmp_path)
    wanted = [call for name in names for call in calls_of(name, tmp_path, inputs)]
    devices = [inputs["endless"]] if "endless" in inputs else []
    answers = ask([words for _, words in wanted], tmp_path, devices)
    found = []
    for (what, words), answer in zip(wanted, answers, strict=True):
        wrong = faults(*answer)
        if not wrong and must_be_unusable(what) and answer[0] != 2:
            wrong = f"{words[-1]!r} is taken: {answer}"
        found += [f"{what}: {wrong}"] if wrong else []
    assert found == []
    assert len(wanted) > 20 * len(names) / 2


def test_the_matrix_would_notice():
    assert faults(-1, "", "Traceback") and faults(2, "", "") and faults(2, "", "one line\nand another\n")
    assert faults(0, "\x1b[2J", "") and faults(2, "", "x" * 2000) and not faults(2, "", "deck.txt: not a file\n")


if __name__ == "__main__":
    serve()
