"""Every command does its main work from what a wheel installs, in an empty folder, far from the clone."""

import json
import os
import subprocess
import sys

import pytest

from tests.host_tools import test_paths
from tests.test_package import install

# What a command says where the rest of its work is out of reach here: a table on a cable, a key, an evening's results.
SAYS = {
    **{name: "is the table there" for name in test_paths.CALLS if name.startswith("device ")
       and name != "device package"},
    "bridge": "games: no such folder",
    "device flash": "mpflash is not there",
    "games": "games: No such file or directory",
    "new game": "needs tests/host_tools/crazy_eights of a clone",
    "puzzles make": "no puzzle in these games",
    "restore": "it is no backup",
    "season": "no sealed record",
    "site": "needs docs/pictures of a clone",
    "tournament attend": "none.pem: No such file or directory",
    "tournament correct": "has no result yet",
    "tournament paid": "has paid already",
    "tournament recompute": "no sealed record",
    "tournament round": "round 1 is complete",
    "tournament undo": "there is no event 99",
    "twin": "a virtual table is at",
    "verify": "no sealed record",
    "watch": "feed.txt: no table there",
}
# For developers alone: host_tools/lab/ is in no wheel.
ABSENT = ("bench", "cuts", "fuzz")
# What plays, thinks or builds for seconds; test_package.py plays a record every time.
DEAR = ("analyse", "arena", "board case", "demo", "generate", "perft", "profile", "stats",
        "tournament rehearse", "tournament simulate", "twin")
# In a process of its own, where the clone is not to be found; PATCHED as in test_paths.
SCRIPT = """
import sys
sys.path[:0] = [{folder!r}]
import contextlib, importlib, io, json, traceback
from host_tools import cli
from host_tools.base import on_host, project
on_host.prepare()
assert not project.IS_CLONE and project.__file__.startswith({folder!r})

async def leave(*_):
    return 0

for module, name in {served!r}:
    setattr(importlib.import_module(module), name, leave)
answers = {{}}
for name, words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = cli.run(words)
        except BaseException:
            code = -1
            err.write(traceback.format_exc()[-1500:])
    answers[name] = [code, out.getvalue()[-300:], err.getvalue()]
sys.__stdout__.write(json.dumps(answers))
"""
SERVED = (("host_tools.play.web.run", "stay"), ("host_tools.play.web.door", "until_told"),
          ("host_tools.club.wire.broker", "serve"))


def words_of(name, folder):
    """The words of that command's good call, without files that only a clone has."""
    record = "cardtable_project/tests/records/durak/throw-in-0001.rec"
    words = [word.format(tmp=folder) for word in test_paths.CALLS[name]]
    there = str(folder.parent / "wheel" / record)
    return [*name.split(), *(there if word.endswith(".rec") else word for word in words)]


@pytest.fixture(scope="module")
def answers(request, tmp_path_factory):
    """{command: [exit code, end of its output, its errors]} of the good call of each command that is tried."""
    place = tmp_path_factory.mktemp("installed")
    (place / "wheel").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        install(patch, place / "wheel")
    folder = place / "somewhere"
    folder.mkdir()
    test_paths.make_inputs(folder)
    tried = {item.callspec.params["name"] for item in request.session.items if item.path == request.path}
    if "tournament restore" in tried:
        tried.add("tournament backup")  # which writes what is restored
    jobs = [(name, words_of(name, folder)) for name in test_paths.CALLS if name in tried]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARDTABLE_", "PYTHON"))}
    script = SCRIPT.format(folder=str(place / "wheel"), served=SERVED)
    done = subprocess.run([sys.executable, "-c", script], input=json.dumps(jobs), cwd=folder, text=True,
                          env={**kept, "XDG_CACHE_HOME": str(place / "cache")}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.everything) if name in DEAR else name for name in test_paths.CALLS
])
def test_a_command_works_without_the_clone(name, answers):
    code, out, err = answers[name]
    if name in ABSENT:
        assert code == 2 and err == f"cardtable: No such command '{name}'.\n"
        return
    if name in SAYS:
        assert code in (0, 2) and len(err.splitlines()) == 1 and SAYS[name] in err, f"{code} {err}"
    else:
        assert code in (0, 1) and not err, f"{code} {out} {err}"
