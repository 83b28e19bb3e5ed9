"""Work for strangers: one piece at a time in a process that yields, a short queue, the same question once."""

import asyncio
import contextlib
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import aiohttp
import pytest

from host_tools.look import outside
from host_tools.minds.analysis import served
from host_tools.base.errors import UnusableInput
from host_tools.look.library import Library
from host_tools.sight.recorded import Recorded
from host_tools.look.site import make_site
from host_tools.play.web.serve import opened
from host_tools.base.workers import aside, progress
from host_tools.base.workers.aside import QUEUE, Aside, Busy
from tests.conftest import ROOT
from tests.patience import PATIENCE_S, wait_for, wait_until

RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"


class Workshop:
    """Work that waits until it may end; it knows how much is done at once."""

    def __init__(self):
        self.may_end = threading.Event()
        self.done, self.now, self.most = [], 0, 0

    def work(self, what):
        self.now += 1
        self.most = max(self.most, self.now)
        assert self.may_end.wait(PATIENCE_S), "the work was never allowed to end"
        self.now -= 1
        self.done.append(what)
        return f"answer {what}"


def make_pool():
    return ThreadPoolExecutor(1)


def test_forty_who_ask_the_same_are_answered_by_one_piece_of_work():
    shop = Workshop()

    async def run():
        work = Aside(make_pool)
        asks = [asyncio.create_task(work.ask("key", shop.work, 1)) for _ in range(40)]
        await asyncio.sleep(0)
        assert work.waiting == 1
        shop.may_end.set()
        assert set(await asyncio.gather(*asks)) == {"answer 1"} and await work.ask("key", shop.work, 2) == "answer 1"
        work.close()

    asyncio.run(run())
    assert shop.done == [1]


def test_behind_ten_questions_everybody_is_told_when_to_come_again():
    shop = Workshop()

    async def run():
        work = Aside(make_pool)
        asks = [asyncio.create_task(work.ask(str(number), shop.work, number)) for number in range(QUEUE)]
        await asyncio.sleep(0)
        with pytest.raises(Busy) as busy:
            await work.ask("one more", shop.work, "x")
        assert busy.value.retry_s == 100
        known = asyncio.create_task(work.ask("3", shop.work, "x"))  # nothing more to do for that
        shop.may_end.set()
        assert await asyncio.gather(*asks, known) == [f"answer {number}" for number in [*range(QUEUE), 3]]
        assert await work.ask("one more", shop.work, "x") == "answer x"
        work.close()

    asyncio.run(run())
    assert shop.most == 1


def test_a_question_says_how_far_it_is_and_how_many_come_first():
    shop, begun = Workshop(), threading.Event()

    def work_on(what):
        begun.set()
        while what == "a" and not shop.may_end.is_set():  # work of another test that ends late says 0 of 0
            progress.tell(7, 28)
        return shop.work(what)

    async def run():
        work = Aside(make_pool)
        asks = [asyncio.create_task(work.ask(name, work_on, name)) for name in "ab"]
        await wait_until(begun.is_set, "the test", "the work's beginning")
        await wait_until(lambda: work.progress("a") == {"before": 0, "done": 7, "of": 28}, "the test", "its steps")
        assert work.progress("b") == {"before": 1, "done": 0, "of": 0} and work.progress("c") == {}
        shop.may_end.set()
        await asyncio.gather(*asks)
        assert work.progress("a") == work.progress("b") == {} and progress.HERE == [0, 0]
        work.close()

    asyncio.run(run())


def test_who_leaves_stops_nobody_elses_answer():
    shop = Workshop()

    async def run():
        work = Aside(make_pool)
        first, second = (asyncio.create_task(work.ask("key", shop.work, 1)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        shop.may_end.set()
        assert await second == "answer 1"
        work.close()

    asyncio.run(run())


def test_what_cannot_be_worked_out_is_a_sentence_and_is_not_kept():
    def fail():
        raise UnusableInput("a sentence")

    async def run():
        work = Aside(make_pool)
        for _ in range(2):
            with pytest.raises(UnusableInput, match="^a sentence$"):
                await work.ask("key", fail)
        assert work.done == 2 and work.waiting == 0
        work.close()

    asyncio.run(run())


def test_answers_are_kept_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(aside, "KEPT", 100)

    async def run():
        work = Aside(make_pool)
        for number in range(20):
            await work.ask(str(number), lambda: "x" * 30)
        assert list(work._kept) == ["17", "18", "19"]
        work.close()

    asyncio.run(run())


def tell_process():
    return f"{os.getpid()} {os.nice(0)} {signal.getsignal(signal.SIGINT) == signal.SIG_IGN}"


def run_for_ever():
    while True:
        pass


def wait_for_file(path):
    wait_for(Path(path).exists, "the work", "a file")
    return str(os.getpid())


def run_and_take_errors():
    with contextlib.suppress(Exception):  # as a replay does, which then says that the engine broke
        run_for_ever()
    return "done"


def begin_and_run_for_ever(path):
    progress.tell(2, 5)
    Path(path).touch()
    run_for_ever()


def eat():
    return str(len(bytearray(8 << 30)))


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_process_is_niced_bounded_and_started_again(tmp_path):
    """Processor time, memory, a kill: each is one sentence, and the next question is answered."""
    async def run():
        work = Aside()
        assert work._pool is None  # started when first needed
        pid, nice, is_deaf = (await work.ask("a", tell_process)).split()
        assert int(pid) != os.getpid() and int(nice) == min(19, os.nice(0) + aside.NICE) and is_deaf == "True"
        with pytest.raises(UnusableInput, match="MB of memory"):
            await work.ask("b", eat)
        with pytest.raises(UnusableInput, match="the process that worked this out has ended"):
            await work.ask("c", die)
        assert (await work.ask("d", tell_process)).split()[0] != pid
        asked = asyncio.create_task(work.ask("e", begin_and_run_for_ever, str(tmp_path / "begun")))
        await wait_until((tmp_path / "begun").exists, "the test", "the work's beginning")
        assert work.progress("e") == {"before": 0, "done": 2, "of": 5}  # from one process to the other
        work.close()  # in the middle of it
        with pytest.raises(UnusableInput, match="has ended"):
            await asked

    asyncio.run(run())


def test_a_process_that_ends_while_it_has_nothing_to_do_costs_no_question():
    """The next one was told that its work had ended the process."""
    async def run():
        work = Aside()
        pid = (await work.ask("a", tell_process)).split()[0]
        os.kill(int(pid), signal.SIGKILL)
        await wait_until(lambda: work._pool._broken, "the test", "the pool's word of it")
        assert (await work.ask("b", tell_process)).split()[0] != pid
        work.close()

    asyncio.run(run())


def test_work_that_is_not_yet_begun_ends_at_once_too():
    """The process began, worked for up to ten minutes, and its server waited for it."""
    async def run():
        work = Aside()
        asked = asyncio.create_task(work.ask("a", run_for_ever))
        await wait_until(lambda: work._pool is not None, "the test", "a process")
        [process] = work._pool._processes.values()
        work.close()
        with pytest.raises((UnusableInput, asyncio.CancelledError)):
            await asyncio.wait_for(asked, PATIENCE_S)
        await wait_until(lambda: not process.is_alive(), "the test", "the process's end")

    asyncio.run(run())


def test_once_the_engine_is_compiled_another_process_takes_over_between_two_questions(monkeypatch, tmp_path):
    """A process keeps its modules; what it works on, and what waits for it, it still does."""
    built = []
    monkeypatch.setattr(aside, "is_built_since", lambda: bool(built))

    async def run():
        work = Aside()
        old = (await work.ask("a", tell_process)).split()[0]
        asked = asyncio.create_task(work.ask("b", wait_for_file, str(tmp_path / "go")))
        await wait_until(lambda: work._asked, "the test", "a question")
        built.append(True)
        waiting = asyncio.create_task(work.ask("c", tell_process))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        assert await asked == old and (await waiting).split()[0] == old
        new = (await work.ask("d", tell_process)).split()[0]
        assert new != old and (await work.ask("e", tell_process)).split()[0] == new  # once
        work.close()

    asyncio.run(run())


def test_work_has_its_processor_time(monkeypatch):
    """The limit itself, in this process: the timer of the kernel counts what is computed, not what is waited."""
    monkeypatch.setattr(aside, "WORK_S", 0.05)
    had = signal.signal(signal.SIGPROF, aside._stop)
    try:
        for work in (run_for_ever, run_and_take_errors):
            assert aside.do(work, ()) == ("", "this takes more than 0.05 s of processor time")
    finally:
        signal.signal(signal.SIGPROF, had)


def test_work_that_does_not_hear_of_its_end_is_told_again(monkeypatch):
    """What is raised in a destructor is lost, and so was the limit."""
    def go_on():
        with contextlib.suppress(aside.TooLong):
            run_for_ever()
        run_for_ever()

    monkeypatch.setattr(aside, "WORK_S", 0.05)
    monkeypatch.setattr(aside, "AGAIN_S", 0.05)
    had = signal.signal(signal.SIGPROF, aside._stop)
    try:
        assert aside.do(go_on, ()) == ("", "this takes more than 0.05 s of processor time")
    finally:
        signal.signal(signal.SIGPROF, had)


# --- pages ---


def told(record):
    return {"sha256": served.hash_of(record), "decisions": [], "seats": [], "players": [], "curve": []}


@pytest.fixture
def shop(monkeypatch):
    """Analyses that wait; frames and pages are not made."""
    shop = Workshop()
    monkeypatch.setattr(aside, "make_process", make_pool)
    monkeypatch.setattr(served, "analyse", lambda record, *_: shop.work(record.name) and record)
    monkeypatch.setattr(served, "figures", told)
    monkeypatch.setattr(outside, "make_frames", lambda record, language, readers, found: {"of": found["sha256"]})
    return shop


def test_k1_visitors_who_want_analyses_keep_nobody_from_the_list(shop, tmp_path):
    """Forty ask for twelve games: ten wait, the others are told when to come; the list is read all the while."""
    for number in range(12):
        (tmp_path / f"{number:02}.rec").write_bytes(RECORD.read_bytes() + b"; %d\n" % number)

    async def look(session, address):
        async with session.get(f"{address}/games.json") as answer:
            return len((await answer.json())["games"])

    async def whole():
        async with opened(make_site(Library(tmp_path))) as address, aiohttp.ClientSession() as session:
            async def ask(number):
                async with session.get(f"{address}/game/{number % 12:02}.rec/game.json?analyse=yes") as answer:
                    return answer.status, answer.headers.get("Retry-After"), await answer.text()

            asks = [asyncio.create_task(ask(number)) for number in range(40)]
            # Twelve games and ten places: six of the forty want the two games that have none.
            await wait_until(lambda: sum(one.done() for one in asks) >= 6, "the test", "six refusals")
            assert await look(session, address) == 12
            shop.may_end.set()
            return await asyncio.gather(*asks)

    answers = asyncio.run(whole())
    assert sorted({status for status, _, _ in answers}) == [200, 503]
    assert {tuple(facts) for status, *facts in answers if status == 503} == {
        ("100", "too much is being worked out just now: ask again in a moment\n")}
    assert len(shop.done) == 10 and shop.most == 1
    assert len(list((tmp_path / "analyses").iterdir())) == 10


def test_an_analysis_is_kept_beside_its_record_by_its_digest(shop, tmp_path):
    shop.may_end.set()
    content, folder = RECORD.read_bytes(), tmp_path / "analyses"

    def make(name):
        return served.make_figures(Recorded(name, content), folder)

    figures = make("a.rec")
    assert make("b.rec") == figures and shop.done == ["a.rec"]
    (kept,) = folder.iterdir()
    assert kept.stem == served.hash_of(Recorded("x", content))
    other = kept.read_bytes().replace(kept.stem.encode(), b"0" * 64)
    older = kept.read_bytes().replace(b'"method": %d' % served.METHOD, b'"method": 1')
    for spoilt in (b"{", b"[]", b'{"sha256": "other"}', b"\xff", other, older):
        kept.write_bytes(spoilt)
        assert make("c.rec") == figures
    assert shop.done == ["a.rec"] + ["c.rec"] * 6
    folder.rename(tmp_path / "gone")
    folder.write_text("no folder")
    assert make("d.rec") == figures  # cannot be kept, and is made
