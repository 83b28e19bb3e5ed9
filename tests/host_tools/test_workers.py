"""Tasks over processes and clusters (host_tools/base/workers): in order, few at a time, and a mark to go on from."""

import json
import math
import os
import signal
import subprocess
import sys

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import Unreadable
from host_tools.base.workers import cluster as dask
from host_tools.base.workers import pool
from host_tools.base.workers.mark import Mark
from host_tools.club.tournament.refused import Unfit
from host_tools.judge.replay.core import FAILED, Outcome
from host_tools.judge.replay.many import Ended, Tally
from tests.conftest import ROOT
from tests.host_tools.dask_cluster import dask_cluster
from tests.patience import PATIENCE_S


def count_taken(taken, limit):
    """Tasks that tell how far they have been taken."""
    for number in range(limit):
        taken.append(number)
        yield number


def test_results_come_in_order_and_few_tasks_wait():
    taken = []
    results = pool.spread(math.sqrt, count_taken(taken, 300), jobs=2)
    assert next(results) == 0.0
    assert len(taken) <= pool.FEW + 2 * pool.AHEAD
    assert [round(result * result) for result in results] == list(range(1, 300))


def test_a_few_tasks_and_one_job_need_no_process():
    for tasks, jobs in ((pool.FEW - 1, 2), (40, 1)):
        assert set(pool.spread(lambda task: os.getpid(), range(tasks), jobs)) == {os.getpid()}


def test_a_process_that_ends_is_one_sentence():
    with pytest.raises(UnusableInput, match="has ended"):
        list(pool.spread(os._exit, [3] * 20, jobs=2))


WAITS = """
import os, signal
from host_tools.base.workers import pool
def say_and_wait(task):
    os.write(1, b"begun\\n")
    signal.pause()
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts behind it hears no Ctrl-C
    list(pool.spread(say_and_wait, range(20), jobs=2))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_caller_however_it_ends(number, tmp_path):
    """They were left over, for ever, and behind Ctrl-C the caller waited for what they had begun. Each has its end of
    this pipe, which is over when the last of them is."""
    script = tmp_path / "waits.py"
    script.write_text(WAITS)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)}) as caller:
        assert [caller.stdout.readline() for _ in range(2)] == [b"begun\n"] * 2
        caller.send_signal(number)
        try:
            assert caller.communicate(timeout=PATIENCE_S)[0] == b""
        finally:
            caller.kill()  # or the end of this block would wait for it


def test_what_work_raises_is_raised():
    with pytest.raises(ValueError):
        list(pool.spread(math.sqrt, [4, -1], jobs=1))


def read_nothing(task):
    raise Unreadable("some.rec", "there is none")


def refuse(task):
    raise Unfit("no.player", name="Anna")


@pytest.mark.parametrize("work", [read_nothing, refuse])
def test_a_refusal_comes_whole_out_of_another_process(work):
    """Of a class that is not made of its text alone: a process was said to have ended, by memory or a signal."""
    with pytest.raises(UnusableInput) as here:
        work(1)
    with pytest.raises(type(here.value)) as there:
        list(pool.spread(work, range(20), jobs=2))
    assert str(there.value) == str(here.value) and vars(there.value) == vars(here.value)


def test_every_core_is_counted():
    assert pool.count_cores() == len(os.sched_getaffinity(0))


# --- a cluster --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address():
    """A scheduler with two workers, all within this process."""
    with dask_cluster(2, threads=1) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_gives_the_same_in_the_same_order(address):
    taken = []
    results = pool.spread(math.sqrt, count_taken(taken, 40), cluster=address)
    assert next(results) == 0.0 and len(taken) <= 2 * pool.AHEAD
    assert [round(result * result) for result in results] == list(range(1, 40))


def test_a_cluster_raises_what_work_raises(address):
    with pytest.raises(ValueError):
        list(pool.spread(math.sqrt, [-1], cluster=address))


def test_a_cluster_with_another_engine_does_nothing(address, monkeypatch):
    monkeypatch.setattr(dask, "own_stamp", lambda: "another")
    with pytest.raises(UnusableInput, match="another version"):
        list(pool.spread(math.sqrt, [1], cluster=address))


def test_a_cluster_that_is_not_there_is_one_sentence(monkeypatch):
    monkeypatch.setattr(dask, "CONNECT_S", 0.5)
    with pytest.raises(UnusableInput, match="no Dask scheduler answers"):
        list(pool.spread(math.sqrt, [1], cluster="127.0.0.1:9"))


@pytest.mark.parametrize(
    "address", ["x", "tcp://", "http://127.0.0.1:1", "127.0.0.1", "tcp://127.0.0.1:x", "a" * 999, "\x1b[2J:1"]
)
def test_what_is_no_address_begins_no_client(address, monkeypatch):
    monkeypatch.setattr("distributed.Client", None)
    with pytest.raises(UnusableInput, match="is no address of a Dask scheduler"):
        list(dask.spread_over(math.sqrt, [1], address))


def test_without_dask_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(UnusableInput, match=r"pip install 'cardtable\[cluster\]'"):
        list(pool.spread(math.sqrt, [1], cluster="127.0.0.1:9"))


# --- the mark ---------------------------------------------------------------------------------------------------------


def run(path, names, until=10, of="work"):
    """A run that stops behind `until` names; which it did, and what it knew from before."""
    mark = Mark(path, of)
    done = list(mark.kept.get("done", []))
    mark.keep = lambda: {"done": done}
    new = []
    for name in names:
        if mark.passes(name):
            continue
        if len(done) == until:
            break
        done.append(name)
        new.append(name)
        mark.add(name)
    else:
        mark.check_passed()
        mark.remove()
        return new, done
    mark.write()
    return new, done


def test_a_run_goes_on_where_it_was_cut_off(tmp_path):
    path = tmp_path / "mark"
    assert run(path, "abcdef", 2) == (["a", "b"], ["a", "b"])
    assert run(path, "abcdef", 2) == ([], ["a", "b"]), "cut off again before anything was done"
    assert run(path, "abcdef", 5) == (["c", "d", "e"], list("abcde"))
    assert run(path, "abcdef") == (["f"], list("abcdef"))
    assert not path.exists() and not list(tmp_path.iterdir())


def test_a_mark_is_of_one_run(tmp_path):
    path = tmp_path / "mark"
    run(path, "abcdef", 3)
    for names, of in (("abxdef", "work"), ("ab", "work"), ("abcdef", "other work")):
        with pytest.raises(UnusableInput):
            run(path, names, of=of)
    said = json.loads(path.read_text())
    for wrong in ("", "[]", "{}", json.dumps({**said, "done": -1}), json.dumps({**said, "kept": 1})):
        path.write_text(wrong)
        with pytest.raises(UnusableInput):
            run(path, "abcdef")


def test_a_mark_is_small_however_long_the_run(tmp_path):
    mark = Mark(tmp_path / "mark", "work")
    for number in range(5000):
        mark.add(f"record {number}")
    mark.write()
    assert (tmp_path / "mark").stat().st_size < 300


def test_a_mark_with_long_names_is_read_again(tmp_path):
    """The hundred failures that it keeps may lie in a deep folder of Cyrillic names, or of names that are no text."""
    tally, mark = Tally(), Mark(tmp_path / "mark", "work")
    mark.keep = tally.as_json
    for number in range(100):
        path = f"Игры клуба/{'Осенний кубок ' * 9}{number}\udce9.rec"
        tally.add(Ended(path, Outcome(FAILED, 20, "expected acceptance, came a refusal under D7"), 3))
        mark.add(path)
    mark.write()
    kept = Tally.from_json(Mark(tmp_path / "mark", "work").kept)
    assert len(kept.failures) == 100 and kept.failures[99]["record"].endswith("99\\xe9.rec")
