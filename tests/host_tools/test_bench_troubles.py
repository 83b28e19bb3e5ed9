"""A bench that cannot measure says so in one sentence, keeps what it has measured, and tells no figure of something
else."""

import asyncio
import contextlib
import subprocess
from types import SimpleNamespace

import pytest

from host_tools import cli
from host_tools.base.errors import UnusableInput
from host_tools.lab.bench import built, hall, micropython, network, page, records, run, viewers
from host_tools.lab.bench.results import Results, Row


@contextlib.asynccontextmanager
async def giving(thing):
    yield thing


def test_a_job_that_fails_or_does_not_end_is_named(monkeypatch):
    with pytest.raises(UnusableInput, match="^sh, replay: no memory$"):
        micropython.run_job(["sh", "-c", "echo no memory; exit 3"], ("replay", "a.rec"))

    def wait(command, timeout, **more):
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(micropython.subprocess, "run", wait)
    with pytest.raises(UnusableInput, match="^node, kept: no answer within 120 s$"):
        micropython.run_job(["/usr/bin/node"], {"steps": []})


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "micropython"}'])
def test_a_build_of_npm_that_is_half_there_is_fetched_again(monkeypatch, tmp_path, text):
    there = tmp_path / "node_modules" / micropython.PACKAGE
    there.mkdir(parents=True)
    (there / "package.json").write_text(text)
    monkeypatch.setattr(micropython.shutil, "which", lambda name: name)
    monkeypatch.setattr(micropython, "NPM", tmp_path)
    assert micropython.find_webassembly(may_install=False) == "a quick bench fetches nothing"
    (there / "package.json").write_text('{"version": "%s"}' % micropython.VERSION)
    assert isinstance(micropython.find_webassembly(may_install=False), micropython.Webassembly)


def test_what_was_measured_stays_where_the_last_rooms_cannot_be(monkeypatch):
    """A port that is taken costs its room, and not the three minutes before it."""
    def measure_page():
        raise OSError(98, "Address already in use")

    def measure_viewers():
        raise UnusableInput("3 of 1000 viewers came")

    unix = SimpleNamespace(version=str, kept=lambda *words: [0])
    monkeypatch.setattr(run, "micropython", SimpleNamespace(
        Unix=lambda program: unix, find_webassembly=lambda may_install: "no node", measure=lambda *words: None,
        measure_flash=lambda modules: [Row("firmware on flash", "words", 1, "bytes")]))
    monkeypatch.setattr(run.firmware, "measure", lambda *words: None)
    monkeypatch.setattr(page, "measure", measure_page)
    monkeypatch.setattr(viewers, "measure", measure_viewers)
    results = Results()
    run.measure_device(results, None, False, lambda what: None)
    assert [row.name for row in results.rows] == ["words"]
    assert results.notes[1:] == ["page: not measured ([Errno 98] Address already in use).",
                                 "viewers: not measured (3 of 1000 viewers came)."]


def test_what_runs_inside_is_never_seen_half_written(monkeypatch, tmp_path):
    """Two benches, or tests in several processes, share a folder: a module that one reads the other makes again. And
    the probe stays among the shims: while they were looked over it was gone, and a copy made meanwhile lacked it."""
    def compile_it(command, **more):
        assert not target.exists() or target.read_bytes() == b"old"
        made = command[command.index("-o") + 1]
        made.write_bytes(b"new")
        return SimpleNamespace(returncode=int("bad" in str(command[-1])), stdout="", stderr="line 1\n")

    target = tmp_path / "inside" / "worst.mpy"
    target.parent.mkdir()
    target.write_bytes(b"old")
    monkeypatch.setattr(built.subprocess, "run", compile_it)
    with pytest.raises(built.image.BuildError, match="bad.py does not compile:\nline 1"):
        built.compile_file(built.ROOT / "bad.py", target)
    assert target.read_bytes() == b"old"
    assert built.compile_file(built.ROOT / "worst.py", target).read_bytes() == b"new"
    seen = []
    monkeypatch.setattr(built.image, "_make", lambda wanted, out, **more: seen.append(sorted(map(str, wanted))) or out)
    built.build_probed_shims()
    assert "probe.mpy" in seen[0] and "machine.mpy" in seen[0]


def test_a_page_that_never_sees_a_light_has_no_figure(monkeypatch, tmp_path):
    """Not a median of 0 ms, which reaches every aim."""
    table = SimpleNamespace(world=SimpleNamespace(lights=SimpleNamespace(write=None)), hands=())
    session = SimpleNamespace(ws_connect=lambda address: giving(None))
    monkeypatch.setattr(page, "opened", lambda wishes, say: giving((table, None, "http://here")))
    monkeypatch.setattr(page, "begin", lambda table: asyncio.sleep(0))
    monkeypatch.setattr(page, "aiohttp", SimpleNamespace(ClientSession=lambda: giving(session)))
    monkeypatch.setattr(page, "Visitor", lambda socket: SimpleNamespace(hello=lambda secret: asyncio.sleep(0)))
    monkeypatch.setattr(page, "PLAY_S", 0.0)
    with pytest.raises(UnusableInput, match="no light of the table came"):
        asyncio.run(page.time_lights(tmp_path))


def test_tables_that_fall_behind_miss_their_aim(monkeypatch):
    """On one core they take no more than all of it, however far they are behind."""
    async def lights(folder):
        return [7.0]

    async def cost(folder, count, seconds, plays):
        return 70.0, 0.73 if plays else 1.0

    monkeypatch.setattr(page, "time_lights", lights)
    monkeypatch.setattr(page, "cost_of", cost)
    assert [row.name for row in asyncio.run(page.measure_all()) if row.is_missed] == [
        "a table that waits", "10 tables that play on one core: game time that passes in a second"]


def test_where_a_device_cannot_be_counted_a_table_has_no_figure(monkeypatch, tmp_path):
    """Half of it would be told as the whole."""
    monkeypatch.setattr(page, "Path", lambda name: tmp_path / "none")
    with pytest.raises(UnusableInput, match="stands in /proc"):
        page.measure()


@pytest.mark.parametrize("words", [(), ("fresh",), ("fresh", "x"), ("kinds", "5"), ("1000", "many"), ("nothing",)])
def test_the_bench_of_records_says_what_it_takes(monkeypatch, capsys, words):
    monkeypatch.setattr(records.sys, "argv", ["records", *words])
    with pytest.raises(SystemExit, match="2"):
        records.main()
    assert "python -m host_tools.lab.bench.records kinds" in capsys.readouterr().err


def test_each_column_of_the_bench_of_records_has_its_name(monkeypatch, capsys):
    monkeypatch.setattr(records, "measure_factor", lambda *how: ["| durak | 1.00 | 2.00 |"])
    monkeypatch.setattr(records, "measure_fresh", lambda seed: ["| durak | 1.00 | 2.00 |"])
    for words in (("factor",), ("fresh", "3")):
        monkeypatch.setattr(records.sys, "argv", ["records", *words])
        records.main()
        head, rule, row = capsys.readouterr().out.splitlines()
        assert head == "| game | first round | later ones |" and head.count("|") == rule.count("|") == row.count("|")


def test_viewers_who_never_come_are_no_figure():
    """What one of them costs would be divided by all."""
    hub = SimpleNamespace(connections=[SimpleNamespace(is_known=True), SimpleNamespace(is_known=False)])
    ended = []
    clients = SimpleNamespace(exitcode=1, kill=lambda: ended.append(True))
    with pytest.raises(UnusableInput, match="^1 of 1000 viewers came"):
        asyncio.run(viewers.seat(hub, 1000, clients))
    assert ended
    asyncio.run(viewers.seat(hub, 1, clients))


def test_a_hall_that_does_not_come_up_is_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(hall, "sys", SimpleNamespace(executable="true"))
    with pytest.raises(UnusableInput, match="0 of 8 tables came up at port 19137"), hall.hall(tmp_path, 8, hall.PORT):
        pass


def test_each_process_of_postgresql_is_counted_once(monkeypatch, tmp_path):
    """The one that starts the others has them as children."""
    for process, below, ticks in ((10, "11 12", (300, 100, 50, 50)), (11, "", (200, 0, 0, 0)), (12, "", (0, 100, 0, 0)),
                                  (13, "", (999, 0, 0, 0))):
        own = tmp_path / str(process)
        (own / "task" / str(process)).mkdir(parents=True)
        (own / "comm").write_text("postgres\n" if process != 13 else "python3\n")
        (own / "stat").write_text(f"{process} (a name) S {' '.join(map(str, range(10)))} {' '.join(map(str, ticks))} 0")
        (own / "task" / str(process) / "children").write_text(below)
    real = network.Path
    monkeypatch.setattr(network, "Path", lambda name: real(name.replace("/proc", str(tmp_path), 1)))
    monkeypatch.setattr(network.os, "sysconf", lambda name: 100)
    bench = SimpleNamespace(processes={}, spent_s=dict.fromkeys(network.PARTS_OF_S, 0.0))
    assert network.Bench.count_spent(bench) == {"broker": 0.0, "directors": 0.0, "PostgreSQL": 8.0}
    assert network.read_spent_s(10) == 8.0


@pytest.mark.parametrize("words", [("--taps", "--heap"), ("--hall", "2", "--quick"), ("--heap", "--markdown")])
def test_what_takes_the_place_of_the_bench_takes_none_of_its_options(words, capsys):
    assert cli.run(["bench", *words]) == cli.UNUSABLE
    assert "take the place of the bench" in capsys.readouterr().err
