"""The compiled engine (host_tools/base/fast): it judges as its source does, and is used only where it fits that source.

Where the engine is compiled every other test has that one, so this file asks the source; else both are the source.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from cardtable.catalogue import find_game
from cardtable.engine.event import DRAW, Event
from cardtable.engine.session import Session

from host_tools.base.fast import behind, build, declare, infer, sources
from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.minds.environments.table import Table
from tests.conftest import ROOT
from tests.cost import COSTS
from tests.patience import PATIENCE_S

# Random games of every kind: what each seat may do, every state, every result, as one number.
PLAY = """
import hashlib, sys
sys.path[:0] = ["firmware", "."]
from host_tools.base import on_host
on_host.prepare()
from host_tools.base.fast.sources import is_compiled
from tests.games.random_games import Refused, catalogue, start_game
seen = hashlib.sha256()
for game in catalogue():
    for seed in range(1, 9):
        play = start_game(game, seed, Refused())
        for _ in range(250):
            state = play.session.state
            for seat in range(1, play.seats + 1):
                packed = []
                game.moves(state, seat, play.event.at_ms, packed)
                seen.update(repr(packed).encode())
            seen.update(state.save() + str(game.audit(state)).encode() + game.status(state).encode())
            if not play.step():
                break
        seen.update(play.session.result().encode())
print(is_compiled(), seen.hexdigest())
"""
SUITES = ("tests/engine", "tests/games/test_durak_bout.py", "tests/games/test_durak_counted.py",
          "tests/games/test_durak_cheat.py", "tests/games/test_bailiff_turn.py", "tests/host_tools/test_replay_core.py")
ALONE = ("-p", "no:tests.cost")  # a run within a run leaves alone what the outer one keeps
SMALL = "cardtable.engine.verdict"


def run(*command: str, **environment: str) -> subprocess.CompletedProcess:
    """A Python of its own in the project's folder, which hears nothing of this run but what is said here."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARDTABLE_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env={**kept, **environment}, capture_output=True, text=True,
        timeout=2 * PATIENCE_S,
    )


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """A folder for what is compiled, and a copy of one small module to compile."""
    source = tmp_path / "verdict.py"
    shutil.copy(sources.list_sources()[SMALL], source)
    for module in (build, sources):
        monkeypatch.setattr(module, "COMPILED", tmp_path / "fast")
        monkeypatch.setattr(module, "list_sources", lambda: {SMALL: source})
    monkeypatch.delenv(sources.PURE, raising=False)
    return source


def can_compile() -> bool:
    """Whether this machine has what it takes. A compiler that is there may still refuse to run."""
    try:
        command, cython = build.find_compiler(), build.find_cython()
    except build.CannotCompile:
        return False
    return bool(cython) and not (command and subprocess.run([command[0], "--version"], capture_output=True).returncode)


def test_the_source_and_what_is_compiled_see_the_same_games():
    """There is one rule code: every move offered, every state and every result is the same."""
    default, pure = run("-c", PLAY), run("-c", PLAY, CARDTABLE_PURE="1")
    assert pure.stdout.split()[0] == "False", pure.stderr
    assert default.stdout.split()[0] == str(sources.find_compiled() is not None), default.stderr
    assert default.stdout.split()[1] == pure.stdout.split()[1]


def test_the_source_passes_its_tests_too():
    ended = run("-m", "pytest", "-q", "-x", "-n", "0", "-m", "not micropython", *ALONE, *SUITES, CARDTABLE_PURE="1")
    assert ended.returncode == 0, ended.stdout


def test_a_run_within_a_run_leaves_the_costs_of_tests_alone():
    """What its tests cost stood in the place of what the same tests cost in the run that it is a part of."""
    before = COSTS.read_bytes() if COSTS.exists() else b""
    ended = run("-m", "pytest", "-q", "-n", "0", *ALONE, "-m", "not micropython", "tests/engine/test_hands.py")
    assert ended.returncode == 0, ended.stdout
    assert (COSTS.read_bytes() if COSTS.exists() else b"") == before


def test_what_was_compiled_from_another_source_is_never_used(workshop, capsys):
    """One byte more, and the stamp is another one; what is compiled is used again once it fits again."""
    build.main()
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and (sources.find_compiled() is not None) == can_compile() == ("is compiled" in said)
    text = workshop.read_text()
    workshop.write_text(text + "\n")
    assert sources.find_compiled() is None
    workshop.write_text(text)
    assert (sources.find_compiled() is not None) == can_compile()


def test_no_subclass_has_a_method_in_the_place_of_one_that_is_called_directly():
    """The compiled engine would call the other one."""
    sealed = declare.Declarer(sources.list_sources()).sealed
    assert {("Steps", "act"), ("Steps", "legal")} < sealed
    paths = [*ROOT.glob("host_tools/**/*.py"), *ROOT.glob("tests/**/*.py")]
    is_one = re.compile(r"^class \w+\(Steps\)", re.MULTILINE).search
    found = [path for path in paths if is_one(path.read_text(encoding="utf-8"))]
    assert found == [Path(sys.modules[Table.__module__].__file__)] and {kind for kind, _ in sealed} == {"Steps"}
    assert not [name for name in vars(Table) if ("Steps", name) in sealed]


def test_a_method_that_no_subclass_replaces_is_called_as_c():
    """Else Python looks for another one at each call, in the dict of each game of a batch."""
    folded = declare.Declarer(sources.list_sources(), sources.list_facts()).fold("host_tools.minds.environments.steps")
    assert "if Steps.act(self, self.packed[number]):" in folded and "Steps.observe_into(one, one.agent, " in folded
    assert "self.tell(event)" in folded  # not a method
    assert "number_found(found, acts, self.numbering, self.played.chance_verbs)" in folded
    assert "over.append(index)" in folded
    assert "append_number(self.done, number)" in folded and "append_eight(self.said, " in folded
    assert "has_number(self.acts_now, number)" in folded and "count_marked_in(" in folded
    assert "        fetch_ahead(games, index, " in folded
    ast.parse(folded)


def test_lists_of_acts_are_rows_of_numbers_that_keep_their_room():
    """No object of Python is made for an act; nothing else is cleared in what is compiled of steps and random games."""
    declarer = declare.Declarer(sources.list_sources(), sources.list_facts())
    for name, emptied in (("minds.environments.steps", 4), ("base.random_play", 1)):
        folded = declarer.fold(f"host_tools.{name}")
        assert folded.count("empty_numbers(") == emptied
        assert not re.findall(r"(?<!_kept)(?<!_secret)\.clear\(\)", folded)
    assert "numbers_in(self.options)[:count_numbers(self.options)]:" in folded
    assert "take_number(options, (number >> 11) % count_numbers(options))" in folded
    declared = declarer.declare("host_tools.base.random_play")
    assert "cdef public bytearray options" in declared
    assert "known=cython.longlong, packed=cython.longlong, verb=cython.longlong, verbs=bytearray" in declared
    folded = declarer.fold("cardtable.games.cals_bs")
    assert "for number in numbers_in(numbers)[:count_numbers(numbers)]:" in folded and "(out, rank)" in folded
    assert "for card in bytes_in(_OWN_CARDS)[:count]:" in declarer.fold("cardtable.games.durak")


def test_a_row_of_numbers_grows_as_a_list_does():
    """Compiled or not: thousands of acts of a function in the place of a game's own, and each is drawn."""
    other = SimpleNamespace(**vars(find_game("durak")))
    other.moves = lambda state, seat, now_ms, out: out.extend([(20 << 16) + number for number in range(5000)])
    play = RandomGame(other, make_header("durak throw-in", 2), Random(1))
    play.chance = bytearray(32)
    found = set()
    for _ in range(200):
        assert play.choose()
        found.add(play.event.verb << 16 | play.event.card << 8 | play.event.target)
    assert len(found) > 150 and min(found) >= 20 << 16 and 4800 < max(found) - (20 << 16) < 5000


def test_a_function_of_python_that_lists_no_number_is_an_error():
    other = SimpleNamespace(**vars(find_game("durak")))
    other.moves = lambda state, seat, now_ms, out: out.append("attack")
    play = RandomGame(other, make_header("durak throw-in", 2), Random(1))
    play.chance = bytearray(32)
    with pytest.raises(TypeError):
        play.choose()


@pytest.mark.everything  # three compilations
def test_the_same_bytes_come_of_any_folder(workshop, monkeypatch, tmp_path):
    """A wheel is checked against another one that was built elsewhere."""
    if not can_compile():
        return  # as the other tests here: without a compiler there is nothing to compare
    made = []
    for name in ("here", "far/away"):
        monkeypatch.setattr(build, "COMPILED", tmp_path / name / "fast")
        builder = build.Builder(tmp_path / name / "made")
        builder.compile(SMALL)
        made.append(builder.unpack(SMALL))
    assert made[0] == made[1] and str(tmp_path).encode() not in made[0]
    builder = build.Builder(tmp_path / "again")
    builder.compiler = []  # on Windows setuptools knows the way to a compiler
    builder.compile(SMALL)
    assert b"PyInit_verdict" in builder.unpack(SMALL)


def test_a_wheel_that_cannot_be_compiled_is_an_error(workshop, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert build.main(["--to", str(tmp_path / "wheel")]) == 1
    assert capsys.readouterr().err == "There is no compiled wheel: there is no C compiler (Debian: gcc).\n"
    assert not (tmp_path / "wheel").exists()


def test_pure_turns_it_off(workshop, monkeypatch):
    folder = sources.COMPILED / sources.make_stamp()
    folder.mkdir(parents=True)
    assert sources.find_compiled() is None, "a build that was cut short"
    (folder / sources.DONE).write_text(folder.name)
    assert sources.find_compiled() == folder
    monkeypatch.setenv("CARDTABLE_PURE", "1")
    assert sources.find_compiled() is None and not sources.use_compiled()


def test_a_process_that_runs_the_source_knows_when_a_build_of_it_has_ended(workshop, monkeypatch):
    folder = sources.COMPILED / sources.make_stamp()
    folder.mkdir(parents=True)
    monkeypatch.setattr(sources, "_lacked", [])
    assert not sources.is_built_since()  # it has not asked for anything compiled
    assert not sources.use_compiled() and not sources.is_built_since()
    (folder / sources.DONE).write_text("anot")
    assert not sources.is_built_since()
    (folder / sources.DONE).write_text(folder.name)
    assert sources.is_built_since()
    workshop.write_text(workshop.read_text() + "\n")  # of other sources: it keeps those that it has
    assert not sources.use_compiled() and not sources.is_built_since()
    monkeypatch.setenv(sources.PURE, "1")
    assert not sources.use_compiled() and sources._lacked == []


def test_without_a_compiler_one_line_says_so(workshop, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert build.main() == 0
    assert capsys.readouterr().out == (
        "The engine is not compiled, and slower for that: there is no C compiler (Debian: gcc).\n"
    )


# A machine without a compiler: nothing is on its path, and nothing was compiled on it before.
BARE = """
import sys
from pathlib import Path
from host_tools.base.fast import build, sources
build.COMPILED = sources.COMPILED = Path(sys.argv[1]) / "fast"
build.main()
from host_tools import cli
code = cli.run(["replay", "--audit", "all", "tests/records/bailiff"])
print(sources.is_compiled(), code)
"""


def test_a_machine_without_a_compiler_says_one_line_and_runs_the_source(tmp_path):
    ended = run("-c", BARE, str(tmp_path), PATH=str(tmp_path), CC="")
    said = ended.stdout.splitlines()
    assert said[0].startswith("The engine is not compiled, and slower for that: ") and ended.stderr == ""
    assert said[-2].endswith(" passed, 0 failed") and said[-1] == "False 0"
    assert not (tmp_path / "fast").exists() or not any((tmp_path / "fast").glob("**/complete"))


def test_a_compiler_that_fails_leaves_the_source_in_use(workshop, monkeypatch, capsys):
    def fails() -> list[str]:
        return [sys.executable, "-c", "raise SystemExit('error: it cannot')"]

    monkeypatch.setattr(build, "find_compiler", fails)
    assert build.main() == 0
    said = capsys.readouterr().out
    assert said.startswith("The engine is not compiled, and slower for that: ") and said.count("\n") == 1
    assert sources.find_compiled() is None
    assert not any(path.name not in (build.KEPT,) for path in sources.COMPILED.glob("*"))


FUNCTION = """
def find(state, _SEVEN, flag: bool):
    place = _HAND + 1
    other = _HAND if flag else -1
    word = _WORD
    shadow = _SEVEN
    _NINE = "nine"
    hidden = _NINE
"""


def test_names_of_constants_are_numbers_unless_something_else_hides_them():
    [function] = ast.parse(FUNCTION).body
    scope = infer.Scope(function, set(), {}, {}, {"_HAND", "_SEVEN", "_NINE"})
    assert set(scope.locals) == {"place", "other"}


def test_a_function_in_place_of_a_games_own_is_the_one_that_is_asked():
    """Compiled, a game's functions are called as C; another one in their place, or an error, is not lost."""
    durak = find_game("durak")
    asked = []
    other = SimpleNamespace(**vars(durak))
    other.judge = lambda state, event: asked.append(event) or 7
    other.enact = lambda state, event: asked.append(1 // 0)
    other.moves = lambda state, seat, now_ms, out: out.append(asked.append((seat, now_ms)) or DRAW << 16)
    session = Session(other, make_header("durak throw-in", 2))
    assert session.judge(Event(1, DRAW, 12)) == 7 and len(asked) == 1
    with pytest.raises(ZeroDivisionError):
        session.enact(Event(1, DRAW, 12))
    play = RandomGame(other, make_header("durak throw-in", 2), Random(1))
    play.chance[:] = bytes(32)
    assert play.choose() and asked[-1] == (play.event.seat, play.event.at_ms)


def test_tidying_up_leaves_another_build_alone(workshop):
    """Two builds may run beside each other: only what is old goes."""
    kept = sources.COMPILED / build.KEPT
    for name in ("making", "old"):
        (sources.COMPILED / name / "made").mkdir(parents=True)
    kept.mkdir()
    for name in ("theirs.so", "old.so"):
        (kept / name).touch()
    for path in (sources.COMPILED / "old", kept / "old.so"):
        long_ago_s = path.stat().st_mtime - 2 * build.OLD_S
        os.utime(path, (long_ago_s, long_ago_s))
    away = workshop.parent / "away"
    away.mkdir()
    build.tidy("mine", {"my"}, away)
    assert {path.name for path in sources.COMPILED.iterdir()} == {build.KEPT, "making"}
    assert [path.name for path in kept.iterdir()] == ["theirs.so"]
    assert sorted(path.name for path in away.iterdir()) == ["old", "old.so"]


def test_tidying_up_leaves_what_a_process_uses(workshop):
    """It got what it imported later from sources that had changed meanwhile."""
    (sources.COMPILED / build.KEPT).mkdir(parents=True)
    away, folder = workshop.parent / "away", sources.COMPILED / "used"
    for made in (away, folder):
        made.mkdir()
    (folder / sources.DONE).touch()
    os.utime(folder, (0, 0))
    sources.hold(folder)
    build.tidy("mine", set(), away)
    assert folder.is_dir()
    os.close(sources._held.pop(folder))
    build.tidy("mine", set(), away)
    assert not folder.exists()


def test_what_is_not_whole_or_of_another_cython_is_made_anew(workshop, monkeypatch):
    """Half a folder was left alone for ever, and so were modules of the Cython before."""
    def compile_one(builder, name):
        made.append(name)
        builder.keep(name, b"a module")

    made, version = [], ["3.0"]
    monkeypatch.setattr(build.Builder, "compile", compile_one)
    monkeypatch.setattr(build, "find_compiler", lambda: ["cc", "-O1", "-I."])
    monkeypatch.setattr(build, "find_cython", lambda: version[0])
    folder = sources.COMPILED / sources.make_stamp()
    module = build.place_in(folder, SMALL)
    (folder / "half").mkdir(parents=True)
    assert (build.build(), sources.find_compiled(), module.exists()) == (1, folder, True)
    module.unlink()
    assert (build.build(), module.exists(), len(made)) == (0, True, 1)
    version[0] = "3.1"
    assert (build.build(), build.build(), len(made)) == (1, 0, 2) and sources.find_compiled() == folder
    build.lay_out_for_wheel(workshop.parent / "wheel")
    assert sorted(path.name for path in (workshop.parent / "wheel").rglob("*") if path.is_file()) == sorted(
        [sources.DONE, module.name])

    def refuse():
        raise build.CannotCompile("Cython is not installed")

    monkeypatch.setattr(build, "find_cython", refuse)
    assert build.build() == 0
    assert {path.name for path in sources.COMPILED.iterdir()} == {build.KEPT, folder.name}


@pytest.mark.parametrize("left", [b"", b"a mod"])
def test_a_module_that_a_power_cut_left_cut_is_not_used_and_is_made_again(workshop, monkeypatch, left):
    """Its name said that it was there: it was laid out again and again, and failed to load in every process."""
    made = []
    monkeypatch.setattr(build.Builder, "compile", lambda builder, name: made.append(builder.keep(name, b"a module")))
    monkeypatch.setattr(build, "find_compiler", lambda: ["cc", "-O1", "-I."])
    monkeypatch.setattr(build, "find_cython", lambda: "3.0")
    folder = sources.COMPILED / sources.make_stamp()
    assert (build.build(), sources.find_compiled()) == (1, folder)
    build.place_in(folder, SMALL).write_bytes(left)
    assert sources.find_compiled() is None, "a process runs the source"
    assert (build.build(), sources.find_compiled(), len(made)) == (0, folder, 1)
    build.place_in(folder, SMALL).write_bytes(left)
    (kept,) = (sources.COMPILED / build.KEPT).glob("*.z")
    kept.write_bytes(kept.read_bytes()[:len(left)])
    assert (build.build(), sources.find_compiled(), len(made)) == (1, folder, 2)
    assert build.place_in(folder, SMALL).read_bytes() == b"a module"


@pytest.mark.parametrize("said", ["{}\n", "{}\n8", "{}\nx none", "{}\n8 none", "{}8 none"])
def test_a_list_of_modules_that_is_cut_is_no_list(workshop, said):
    folder = sources.COMPILED / sources.make_stamp()
    folder.mkdir(parents=True)
    (folder / sources.DONE).write_text(said.format(folder.name))
    assert sources.find_compiled() is None


def test_no_number_is_a_c_long_which_has_32_bits_on_windows():
    """Half of all seeds were too large for one."""
    declarer = declare.Declarer(sources.list_sources(), sources.list_facts())
    rows = Path(build.__file__).with_name("rows.pxd").read_text()
    for text in (rows, *map(declarer.declare, declarer.modules)):
        assert not re.findall(r"(?<!long )\blong\b(?! long)|\bcython\.long\b", text)
    assert "long long state" in declarer.declare("host_tools.base.random_play")


@pytest.mark.parametrize("compiler", ["gcc -pthread", "env gcc -pthread", "cc"])
def test_the_compiler_is_named_once_however_many_words_it_has(compiler, monkeypatch):
    said = {"CC": compiler, "LDSHARED": compiler + " -shared -Wl,-O1"}
    monkeypatch.setattr(build.sysconfig, "get_config_var", lambda name: said.get(name))
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    monkeypatch.delenv("CC", raising=False)
    assert build.find_compiler()[:-6] == [*compiler.split(), "-shared", "-Wl,-O1", "-fPIC"]
    monkeypatch.setenv("CC", "ccache clang")
    assert build.find_compiler()[:-6] == ["ccache", "clang", "-shared", "-Wl,-O1", "-fPIC"]


@pytest.fixture
def started(workshop, monkeypatch):
    """What was started behind a table."""
    found = []
    monkeypatch.setattr(behind, "COMPILED", build.COMPILED)
    monkeypatch.setattr(behind, "IS_CLONE", True)
    monkeypatch.setattr(behind, "subprocess", SimpleNamespace(
        DEVNULL=subprocess.DEVNULL, Popen=lambda command, **how: found.append((command, how))))
    return found


def test_make_run_compiles_behind_the_table(started, monkeypatch):
    nice, built = [], []
    monkeypatch.setattr(build, "find_compiler", lambda: ["cc"])
    monkeypatch.setattr(behind.os, "nice", nice.append)
    monkeypatch.setattr(build, "main", lambda: built.append(True) or 0)
    assert behind.main() == 0
    log = build.COMPILED / behind.LOG
    log.write_text("one that goes on")
    assert behind.main() == 0 and log.read_text() == "one that goes on"  # it was written over from its beginning
    (command, how), *_ = started
    assert command[-1] == behind.NOW and how["start_new_session"] and not built
    assert behind.main([behind.NOW]) == 0 and nice == [behind.NICE] and built
    assert how["stdout"].mode == "a" and log.read_text() == ""
    monkeypatch.setattr(behind, "find_compiled", lambda: build.COMPILED)
    assert behind.main() == 0 and len(started) == 2  # it is done: nothing more


def test_nothing_is_compiled_behind_a_table_where_it_cannot_be(started, monkeypatch):
    monkeypatch.setenv(sources.PURE, "1")
    assert behind.main() == 0
    monkeypatch.delenv(sources.PURE)

    def refuse():
        raise build.CannotCompile("there is no C compiler")

    monkeypatch.setattr(build, "find_compiler", refuse)
    assert behind.main() == 0 and not started


def test_cython_comes_at_the_version_that_is_pinned(workshop):
    assert behind.list_needs() == [f"cython=={build.metadata.version('cython')}"]
