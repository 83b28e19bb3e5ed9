"""The check of what reads and prints past the gate, tried on something that does."""

import pytest

from tests.conftest import ROOT
from tests.tidy import foreign

COMMAND = "host_tools/commands/new.py"


@pytest.mark.parametrize("call", [
    "open(path)", "path.open()", "io.open(path)", "os.open(path, 0)", "path.read_text()", "Path(path).read_bytes()",
    "sys.stdin.readline()", "print(line)", "click.echo(line)", "click.secho(line)", "console.out(line)",
    "console.print(line)", "sys.stdout.write(line)",
])  # fmt: skip
def test_h3_h4_a_call_past_the_gate(call):
    (found,) = foreign.check_foreign(COMMAND, f"\n{call}\n")
    assert found.line == 2 and "past the gate" in found.text


@pytest.mark.parametrize("call", ["foreign.read_text(path)", "foreign.say(line)", "path.write_text(x)", "f.write(x)"])
def test_what_goes_through_the_gate(call):
    assert foreign.check_foreign(COMMAND, call) == []


def test_other_rooms_and_what_micropython_runs_are_not_asked():
    inside = ("host_tools/virtual/shims/a.py", "host_tools/maker/device/on_table.py")
    for path in ("tests/a.py", "firmware/a.py", *inside, foreign.GATE):
        assert foreign.check_foreign(path, "print(open(path))") == []


def test_no_reason_stands_there_for_nothing():
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in foreign.OWN}
    assert foreign.find_idle(sources) == []
    assert all((ROOT / path).exists() for path in foreign.INSIDE)
