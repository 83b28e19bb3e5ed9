"""`cardtable replay` with many records: packs, jobs, a cluster, going on, the summary; and `cardtable pack`."""

import itertools
import json
import multiprocessing
import shutil
import sqlite3
import tarfile
import tracemalloc
from concurrent.futures import ProcessPoolExecutor

import pytest

from host_tools.cli import INTERRUPTED, RIGHT, UNUSABLE, WRONG, run
from host_tools.judge.replay import many, report
from host_tools.judge.replay.sources import PACKS, Found
from host_tools.base.workers import pool
from host_tools.base.workers.mark import Mark
from tests.conftest import ROOT
from tests.host_tools.dask_cluster import dask_cluster
from tests.patience import PATIENCE_S

DURAK = ROOT / "tests" / "records" / "durak"
RECORD = (DURAK / "throw-in-0003.rec").read_bytes()[:1200].rpartition(b"\n")[0] + b"\n"
HEADER = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"


@pytest.fixture
def folder(tmp_path):
    """Four records: the second fails, the fourth is none."""
    folder = tmp_path / "evening"
    (folder / "late").mkdir(parents=True)
    shutil.copy(DURAK / "throw-in-0003.rec", folder / "1.rec")
    (folder / "2.rec").write_text(HEADER + "0.0 1 draw 6S ! T3\n")
    shutil.copy(DURAK / "throw-in-0001.rec", folder / "3.rec")
    (folder / "late" / "4.rec").write_text(HEADER + "0.0 1 drew 6S\n")
    return folder


def replay(capsys, *arguments):
    """Exit code, standard output, standard error."""
    code = run(["replay", *map(str, arguments)])
    return code, *capsys.readouterr()


@pytest.mark.parametrize("kind", PACKS)
def test_a_pack_is_replayed_as_its_files_are(capsys, monkeypatch, folder, kind):
    monkeypatch.chdir(folder.parent)
    pack = folder.parent / f"all{kind}"
    assert run(["pack", str(pack), "evening"]) == RIGHT
    assert capsys.readouterr().out == f"{pack}: 4 records\n"
    code, out, err = replay(capsys, "evening")
    assert code == UNUSABLE and "2 passed, 1 failed" in out
    assert err == "evening/late/4.rec:6: drew is no verb of durak\n"
    packed = replay(capsys, pack)
    assert packed == (code, out.replace("evening/", f"{pack}:evening/"), err.replace("evening/", f"{pack}:evening/"))


def test_a_pack_can_be_made_of_packs(capsys, folder, tmp_path):
    assert run(["pack", str(tmp_path / "a.zip"), str(folder)]) == RIGHT
    assert run(["pack", str(tmp_path / "b.sqlite"), str(tmp_path / "a.zip"), str(DURAK)]) == RIGHT
    assert replay(capsys, "-q", tmp_path / "b.sqlite")[0] == UNUSABLE


def test_a_pack_that_cannot_be_made_leaves_nothing(capsys, folder, tmp_path):
    (tmp_path / "there.zip").touch()
    for target, sources, cause in (
        ("there.zip", [folder], "is there already"), ("all.rar", [folder], "it ends with none of .tar"),
        ("all.zip", [tmp_path / "none"], "no such file"), ("all.sqlite", [tmp_path / "x.zip"] * 2, "no such file"),
    ):
        assert run(["pack", str(tmp_path / target), *map(str, sources)]) == UNUSABLE
        assert cause in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening", "there.zip"]


def test_a_broken_pack_is_one_sentence(capsys, folder, tmp_path):
    assert run(["pack", str(tmp_path / "whole.tar.gz"), str(folder)]) == RIGHT
    whole = (tmp_path / "whole.tar.gz").read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    for name in ("none.tar", "none.zip", "none.sqlite", "none.tar.zst"):
        (tmp_path / name).write_bytes(b"no such thing" * 100)
    sqlite3.connect(tmp_path / "empty.sqlite").close()
    base = sqlite3.connect(tmp_path / "other.db")
    base.execute("create table games (name, record)")
    base.close()
    capsys.readouterr()
    for name in ("cut.tar.gz", "none.tar", "none.zip", "none.sqlite", "none.tar.zst", "empty.sqlite", "other.db"):
        code, out, err = replay(capsys, "-q", tmp_path / name)
        assert (code, err.count("\n")) == (UNUSABLE, 1) and f"{tmp_path / name}: " in err, (name, err)
        assert "1 unusable" in out


def test_a_pack_without_records_is_one_sentence(capsys, tmp_path):
    (tmp_path / "notes.txt").write_text("no record\n")
    with tarfile.open(tmp_path / "all.tar", "w") as archive:
        archive.add(tmp_path / "notes.txt", "notes.txt")
    assert replay(capsys, tmp_path / "all.tar")[::2] == (UNUSABLE, f"{tmp_path / 'all.tar'}: holds no record\n")


def test_zst_without_its_package_is_one_sentence(capsys, folder, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    assert run(["pack", str(tmp_path / "all.tar.zst"), str(folder)]) == UNUSABLE
    assert "pip install 'cardtable[zst]'" in capsys.readouterr().err


# --- jobs and clusters ------------------------------------------------------------------------------------------------


@pytest.fixture
def small_chunks(monkeypatch):
    """So that few records are many tasks, and processes do them."""
    monkeypatch.setattr(many, "SOON_S", 0)
    monkeypatch.setattr(many, "CHUNK", 2)
    monkeypatch.setattr(pool, "FEW", 2)


def test_all_cores_say_what_one_says_in_the_same_order(capsys, folder, small_chunks):
    one = replay(capsys, "--jobs", 1, folder, DURAK)
    assert one[0] == UNUSABLE and len(one[1].splitlines()) > 40
    assert replay(capsys, "--jobs", 2, folder, DURAK) == one


def test_a_short_run_starts_no_process(capsys, folder, small_chunks, monkeypatch):
    def start(work, tasks, jobs):
        started.append(jobs)
        return map(work, tasks)

    started: list[int] = []
    monkeypatch.setattr(pool, "_spread", start)
    long = replay(capsys, "--jobs", 3, folder, DURAK)
    assert started == [3]
    monkeypatch.setattr(many, "SOON_S", 600)
    assert replay(capsys, "--jobs", 3, folder, DURAK) == long and started == [3]


def test_a_cluster_says_what_one_core_says(capsys, folder, small_chunks):
    one = replay(capsys, "--jobs", 1, folder)
    with dask_cluster(1, threads=2) as cluster:
        assert replay(capsys, "--cluster", cluster.scheduler_address, folder) == one


def test_what_only_cpython_can_do_is_said(capsys, folder, tmp_path):
    for wish in (("--jobs", "2"), ("--resume", str(tmp_path / "mark")), ("--cluster", "127.0.0.1:9")):
        code, _, err = replay(capsys, "-v", *wish, folder)
        assert (code, err) == (UNUSABLE, "--jobs, --cluster and --resume are for CPython, without -v\n")


def replay_so_many(count):
    """The peak of memory in bytes while so many records are replayed, and the events of each."""
    tracemalloc.start()
    found = (Found(f"{number}.rec", "", RECORD + b"; %d\n" % number) for number in range(count))
    ended = sum(one.events for one in many.replay_many(found, "moved", Mark(None, ""), jobs=1))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, ended / count


def weigh(chunk, *counts):
    """`replay_so_many` for each count, behind one that is not weighed."""
    many.CHUNK = chunk
    replay_so_many(counts[0])
    return [replay_so_many(count) for count in counts]


def test_memory_does_not_grow_with_the_records():
    """In a process of its own: what is traced is what all its threads hold, and an earlier test may have left one."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), pool.begin_here) as apart:
        few, many_more = apart.submit(weigh, 8, 30, 300).result(PATIENCE_S)
    assert few[1] == many_more[1] > 10
    assert many_more[0] < 2 * few[0], (few, many_more)


# --- a long run -------------------------------------------------------------------------------------------------------


def test_a_run_that_was_cut_off_goes_on(capsys, folder, tmp_path, monkeypatch):
    whole = replay(capsys, folder)
    mark = tmp_path / "mark"
    show = report.show_outcome
    counter = itertools.count()

    def show_two(*arguments):
        if next(counter) == 2:
            raise KeyboardInterrupt
        show(*arguments)

    monkeypatch.setattr(report, "show_outcome", show_two)
    code, out, err = replay(capsys, "--resume", mark, folder)
    assert code == INTERRUPTED and mark.exists() and not err.strip()
    said = json.loads(mark.read_text())
    said["kept"]["seconds"] += 1000  # a long run
    mark.write_text(json.dumps(said))
    monkeypatch.setattr(report, "show_outcome", show)
    assert replay(capsys, "--resume", mark, "--audit", "all", folder)[0] == UNUSABLE, "another run's mark"
    assert replay(capsys, "--resume", mark, DURAK)[0] == UNUSABLE, "other records"
    rest = replay(capsys, "--resume", mark, "--json", tmp_path / "summary", folder)
    assert (rest[0], out + rest[1], rest[2]) == whole
    assert not mark.exists()
    assert 1000 <= json.loads((tmp_path / "summary").read_text())["seconds"] < 1100, "of both runs together"


def test_the_summary_is_json(capsys, folder, tmp_path):
    summary = tmp_path / "summary.json"
    code, out, _ = replay(capsys, "-q", "--json", summary, folder)
    assert code == UNUSABLE and "ok" not in out
    said = json.loads(summary.read_text())
    assert (said["passed"], said["failed"], said["unusable"]) == (2, 1, 1)
    assert said["events"] == sum(many.replay_record((folder / f"{n}.rec").read_bytes(), "all")[1] for n in (1, 2, 3))
    assert [(row["record"], row["line"]) for row in said["failures"]] == [
        (f"{folder}/2.rec", 6), (f"{folder}/late/4.rec", 6)]
    assert said["seconds"] >= 0


def test_the_audit_is_chosen(capsys, folder):
    for audit in ("all", "moved", "none"):
        assert replay(capsys, "--audit", audit, folder / "2.rec")[0] == WRONG
        assert replay(capsys, "--audit", audit, DURAK)[0] == RIGHT
