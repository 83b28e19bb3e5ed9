"""Tables that answer wrongly, or with names and texts that are meant for this computer (H2, H3, H6)."""

import os
import random
import subprocess
from types import SimpleNamespace

import pytest
from mpremote.transport import TransportError

from host_tools.cli import run
from host_tools.look.collect import put
from host_tools.maker.device import about, memory
from host_tools.maker.device import table as tables
from host_tools.maker.device.table import Table, TableError, split
from tests.conftest import ROOT

MANIFEST = "cardtable 0.1.0 virtual\n"


class Fake:
    """A table that has these games, and the same bytes for each."""

    def __init__(self, names, data=b"cardtable 1\n"):
        self.names, self.data, self.told, self.port = names, data, [], "x"

    def call(self, function, *arguments):
        self.told.append((function, *arguments))
        return [(name, 1) for name in self.names] if function == "list_games" else None

    def read(self, path):
        return self.data


@pytest.fixture
def pull(tmp_path, monkeypatch):
    """Pull from such a table: (table, what was said, the files of the folder)."""
    monkeypatch.setattr(about, "use_application", lambda table: None)
    folder = tmp_path / "deep" / "records"

    def do(names, **more):
        table, said = Fake(names, **more), []
        about.pull(table, folder, False, said.append)
        return table, said, sorted(path.name for path in folder.iterdir())

    yield do
    assert [path.name for path in tmp_path.iterdir()] == ["deep"], "something was written above the folder"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["records"]


@pytest.mark.parametrize("name", [
    "../x.rec", "/abc.rec", "..\\x.rec", "a/bc.rec", "0001/../../x.rec", "\x1b[2J.rec", "00\n1.rec", "00.rec", ".rec",
    "00001.rec", "٠٠٠١.rec", "0001.rec\n", "0001.rec\0", "0001.REC",
])  # fmt: skip
def test_h2_a_name_that_is_no_records_stays_on_the_table(name, pull):
    table, said, files = pull([name, "0002.rec"])
    assert files == ["0002.rec"]
    assert [words for words in table.told if words[0] == "mark_pulled"] == [("mark_pulled", "/games/0002.rec")]
    assert said[0] == f"{name} is no record's name, and stays"


@pytest.mark.parametrize("is_put", [False, True])
def test_t12_a_record_is_on_the_disk_before_its_table_is_told(is_put, tmp_path, monkeypatch):
    """The table may forget it then: a computer whose power failed a second later had an empty file."""
    table, folder = Fake(["0001.rec"]), tmp_path / "records"
    monkeypatch.setattr(about, "use_application", lambda table: None)
    real = os.fsync

    def fsync(number):
        table.told.append(("fsync", os.readlink(f"/proc/self/fd/{number}")))
        real(number)

    monkeypatch.setattr(os, "fsync", fsync)
    about.pull(table, tmp_path / "passing", False, str, (lambda path: put(path, folder, str)) if is_put else str)
    kept = next((folder if is_put else tmp_path / "passing").iterdir())
    assert table.told[-3:] == [("fsync", str(kept)), ("fsync", str(kept.parent)), ("mark_pulled", "/games/0001.rec")]


def test_h2_records_come_as_ever(pull):
    _, said, files = pull(["0001", "0001.rec", "0002.old", "0003.bad"])
    assert files == ["0001.rec"] and said[0] == "0001 is under way, and stays" and len(said) == 2


def test_h2_a_link_in_the_folder_is_not_followed(pull, tmp_path):
    """Neither one that leads to nothing, through which a file elsewhere would be made."""
    folder = tmp_path / "deep" / "records"
    folder.mkdir(parents=True)
    (folder / "0001.rec").symlink_to(tmp_path / "elsewhere")
    (folder / "0002.rec").mkdir()
    _, _, files = pull(["0001.rec", "0002.rec"])
    assert files == ["0001-2.rec", "0001.rec", "0002-2.rec", "0002.rec"]


# --- answers ----------------------------------------------------------------------------------------------------------

WRONG = ("", "7", "x()", "[", "(" * 5000, "None", "[7]", "['a', 1]", "[['a', 1, 2]]", "{}", "'" + "x" * 100_000 + "'",
         "\0",
         "[['\\x00', '1']]", "1e999", "-7", "[" * 100 + "]" * 100)  # fmt: skip


def answers(text, monkeypatch):
    """A table that says this to whatever it is asked."""
    table = Table("x")
    monkeypatch.setattr(table, "run", lambda code, on_text=None: text)
    return table


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
@pytest.mark.parametrize("ask", [
    lambda table: list(about.describe(table)), about.running_games, lambda table: table.read("/games/0001.rec"),
    memory.ask, lambda table: about.examine(table, False, print),
], ids=["describe", "games", "read", "memory", "examine"])  # fmt: skip
def test_h6_an_answer_that_is_none(ask, text, monkeypatch):
    """A TableError in one short sentence, or an answer that happened to be one; nothing else is raised."""
    table = answers(text, monkeypatch)
    try:
        ask(table)
    except (TableError, about.UnusableInput) as trouble:
        assert len(str(trouble)) < 200
    else:
        raise AssertionError(text)


def test_h6_random_answers(monkeypatch):
    rng = random.Random(6)
    for _ in range(400):
        text = "".join(rng.choice("[](){}'\",0123abc \\x") for _ in range(rng.randrange(40)))
        for name in tables._SHAPES:
            try:
                answer = answers(text, monkeypatch).call(name)
            except TableError:
                continue
            assert tables.has_shape(answer, tables._SHAPES[name])


def test_h4_a_table_that_does_not_stop_talking(monkeypatch):
    class Endless:
        def exec_raw(self, code, timeout, data_consumer):
            while True:
                data_consumer(b"x" * 1000)

    table = Table("x")
    table._transport = Endless()
    monkeypatch.setattr(tables, "_ANSWER_LIMIT", 100_000)
    with pytest.raises(TableError, match="more than 100000 bytes"):
        table.run("1")


def test_b2_a_flash_that_micropython_cannot_read_is_no_table_without_a_prompt():
    """MicroPython says so every three seconds, and starts nothing; mpremote prints what it heard."""
    class Spoilt:
        serial = SimpleNamespace(timeout=None)

        def enter_raw_repl(self, soft_reset=True, timeout_overall=10):
            print(b"MPY: soft reboot\r\nThe filesystem appears to be corrupted. If you had important data there,\r\n")
            raise TransportError("could not enter raw repl")

    table = Table("x")
    table._transport = Spoilt()
    with pytest.raises(TableError, match="cannot read what lies on the flash.*ERASE=1"):
        table.stop()


def test_h4_a_file_of_a_table_that_does_not_end(monkeypatch):
    table = answers("'" + "QUFB" * 200 + "'", monkeypatch)
    monkeypatch.setattr(tables, "_ANSWER_LIMIT", 100_000)
    with pytest.raises(TableError, match="more than 100000 bytes"):
        table.read("/games/0001.rec")


def test_h4_a_line_that_does_not_end_is_cut():
    lines, rest = split(b"a\r\n" + b"x" * 30_000)
    assert (lines[0], len(lines[1]), rest) == ("a", 30_000, b"")
    assert split(b"a\nb") == (["a"], b"b")


@pytest.mark.parametrize("words", [("logs",), ("info",), ("pull",)], ids=lambda words: words[0])
def test_h3_what_a_table_says_does_not_steer_the_terminal(words, monkeypatch, capsys, tmp_path):
    steers = "\x1b]52;c;QUFB\x07\x9b2J\r"
    monkeypatch.setattr(Table, "__enter__", lambda self: self)
    monkeypatch.setattr(Table, "__exit__", lambda self, *_: None)
    monkeypatch.setattr(Table, "stop", lambda self: None)
    monkeypatch.setattr(Table, "lines", lambda self, seconds: iter([steers]))
    monkeypatch.setattr(about, "describe", lambda table: iter([("games", steers)]))
    monkeypatch.setattr(about, "pull", lambda table, folder, wants_all, say: say(steers) or 0)
    assert run(["device", *words, "--port", "x"]) == 0
    out, err = capsys.readouterr()
    assert (out + err).replace("\n", "").isprintable() and "\\x1b]52;c;QUFB\\x07" in out


def test_h8_make_hands_a_port_on_unread():
    """No shell looks at it: what stands in backticks is a name."""
    told = subprocess.run(["make", "--no-print-directory", "deploy", "BOARD=virtual", "PORT=`echo x`$$(echo y)"],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 2 and told.stderr.startswith("`echo x`$(echo y): ")
    environment = {name: value for name, value in os.environ.items() if name not in ("PORT", "BOARD")}
    told = subprocess.run(["make", "--no-print-directory", "deploy"], cwd=ROOT, capture_output=True, text=True,
                          check=False, env=environment)
    assert told.returncode == 2 and told.stderr.startswith("cardtable: Missing option '--port' (env var: 'PORT')")
