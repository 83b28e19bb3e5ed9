"""A package that is not installed is one sentence with the `pip install` that brings it, whatever command asks."""

import json
import subprocess
import sys

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.base.extras import list_extras, need, say_what_lacks
from tests.conftest import ROOT

RUNS_ON = "cpython"  # host tools
# In a process of its own, in which no extra can be imported.
SCRIPT = """
import contextlib, io, json, sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {modules!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Without())
from host_tools import cli
answers = []
for words in {calls!r}:
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        code = cli.run(words)
    answers.append([code, told.getvalue()])
print(json.dumps(answers))
"""
MODULES = (
    "sqlalchemy", "alembic", "psycopg", "aiomqtt", "amqtt", "cryptography", "zstandard", "distributed", "matplotlib",
    "prometheus_client", "openskill", "littlefs", "esptool", "mpflash", "chumicro_mqtt",
)


def calls(folder):
    """Commands, each with the extra that it asks for."""
    record = str(ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec")
    return [
        (["tournament", "new", "Cup", "--database", str(folder / "cup.sqlite")], "tournament"),
        (["broker", "certificate", "--home", str(folder / "broker")], "network"),
        (["bridge", "cup", "--folder", str(folder), "--once"], "network"),
        (["stats", record, "--html", str(folder / "stats.html")], "stats"),
        (["replay", record, "--cluster", "tcp://127.0.0.1:1"], "cluster"),
        (["pack", str(folder / "all.tar.zst"), record], "zst"),
    ]


def test_each_command_says_what_to_install(tmp_path):
    asked = calls(tmp_path)
    script = SCRIPT.format(modules=MODULES, calls=[words for words, _ in asked])
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for (words, extra), (code, told) in zip(asked, json.loads(done.stdout), strict=True):
        assert code == 2 and told.count("\n") == 1, (words, told)
        assert told.endswith(f"pip install 'cardtable[{extra}]'\n"), (words, told)


@pytest.mark.parametrize("module", MODULES)
def test_each_extra_is_known_by_its_module(module):
    extra = say_what_lacks(module).rpartition("[")[2].removesuffix("]'")
    assert extra in list_extras().values() and extra != "dev"


def test_a_module_that_no_extra_brings_is_another_trouble():
    assert say_what_lacks("no_such_module") == ""
    with pytest.raises(UnusableInput, match="a toy: No module named 'no_such_module'"):
        need("no_such_module", "a toy")
