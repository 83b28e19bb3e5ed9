"""A table that lives in steps: the real firmware, with nothing on the stack between two of them."""

import errno
import functools
import json
import os
import re
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

from cardtable.between.keys import KEY_FILE
from host_tools.base.errors import UnusableInput
from host_tools.base.project import PAGE
from host_tools.base.workers import progress
from host_tools.look import outside
from host_tools.look.learned import EXAMPLE
from host_tools.look.published.worker import Games, Worker
from host_tools.minds.analysis import served
from host_tools.minds.hints import advice as advices
from host_tools.play.browser import table as stepped
from host_tools.play.hints import see_for
from host_tools.play import machine as machine_module
from host_tools.play.library import list_names
from host_tools.play.start import Wishes, prepare
from host_tools.play.watch import BLINK_US, STEADY_US
from host_tools.sight.seen import read_seen
from host_tools.virtual.device import DeviceError
from host_tools.virtual.in_process import InProcessDevice
from host_tools.virtual.stepped import SteppedDevice, compile_waiting, speak_linux
from host_tools.virtual.table import Table, load_script
from tests.conftest import ROOT
from tests.host_tools.published import drive
from tests.patience import wait_for

DEMO = ROOT / "tests" / "records" / "durak" / "demo.rec"
MOST = 300_000


class Stepped:
    """As InProcessDevice: `run(until)`, but a turn at a time."""

    def __init__(self, world, flash, *, on_line, ticks_start_ms=0, computing=None):
        self.device, self.turns = SteppedDevice(world, flash, on_line), 0

    def run(self, until):
        while not until():
            looks = iter((False, True))
            self.device.live(functools.partial(next, looks))
            self.turns += 1
            assert self.turns < MOST
        self.device.power_off()


def test_a_record_played_in_steps_is_the_one_played_at_once(monkeypatch, tmp_path):
    """Every event comes at the same time as on a device that runs through."""
    made = {}
    monkeypatch.setattr(os, "urandom", lambda size: bytes(size))
    for kind in (InProcessDevice, Stepped):
        monkeypatch.setattr("host_tools.virtual.table.InProcessDevice", kind)
        folder = tmp_path / kind.__name__
        folder.mkdir()
        table = Table(*load_script(DEMO), seed=3, runtime="cpython")
        assert table.run(folder).agrees
        made[kind] = table.lines
    assert made[Stepped] == made[InProcessDevice] and len(made[Stepped]) > 20


def test_what_calls_asyncio_run_waits_and_nothing_else_changes():
    source = "import asyncio\ndef inner(x):\n    return asyncio.run(x) + 1\ndef outer(x):\n    return inner(x)\n" \
             "def other():\n    return 5\nfound = outer(4) + other()\n"
    space = {"_run_in_steps": lambda x: Ready(x)}
    program = eval(compile_waiting(source, "x"), space)
    with pytest.raises(StopIteration):
        program.send(None)
    assert space["found"] == 10


class Ready:
    """Something that is waited for, and is there."""

    def __init__(self, value):
        self.value = value

    def __await__(self):
        return self.value
        yield


def test_an_error_of_the_firmware_is_told_and_the_table_starts_again(tmp_path, monkeypatch):
    table = stepped.SteppedTable(tmp_path)
    table.start()
    try:
        monkeypatch.setattr(SteppedDevice, "live", lambda self, until: raise_it())
        table.machine.live()
        assert table.known.notice == "the firmware stopped, and was started again" and table.machine.has_power
        monkeypatch.undo()
        wait_for(lambda: table.machine.live() is not None and table.phase in ("stopped", "lobby"), "the test",
                 "the table's start")
    finally:
        table.close()


def test_a_calm_table_is_called_less_often_and_an_act_ends_that(tmp_path):
    table = stepped.SteppedTable(tmp_path)
    table.start()
    machine = table.machine
    try:
        wait_for(lambda: machine.live() is not None and table.phase == "lobby", "the test", "the table's start")
        machine.ahead_s = lambda: 0.05
        machine.stir()
        assert machine.live() == 0.05
        machine._stirred_us -= stepped.CALM_US + 1
        assert machine.live() == 0.05 + stepped.DOZE_S
        table.hands[1].acts.append(lambda: None)  # hands are about to do something
        assert machine.live() == 0.05
        table.hands[1].acts.clear()
        machine.post(lambda: None)
        assert machine.live() == 0.05
    finally:
        table.close()


def test_a_table_whose_light_blinks_for_somebody_stands_still_in_the_end_and_the_light_shines(tmp_path):
    table = stepped.SteppedTable(tmp_path, seed=1)  # Ann defends first
    machine, shown = table.machine, []
    real, machine.ahead_s = machine.ahead_s, lambda: 0.0
    note = table.watch._note
    table.watch._note = lambda seen: (shown.append(seen), note(seen))  # all of it, however much a call lives
    prepare(table, Wishes(game="durak throw-in", seats=[("Ann", "here"), ("Bob", "bot:beginner")]))
    table.start()

    def rests():
        machine.live()
        return machine._rests()

    try:
        wait_for(rests, "the test", "a table that stands still")
        assert table.is_playing and real() == stepped.FOREVER
        blinking = shown[-10:]
        assert len(set(blinking)) == 2 and blinking[0][1:] == blinking[1][1:]  # it blinked all the time
        assert sum(shown[-1][0]) == max(sum(one[0]) for one in blinking)
    finally:
        table.close()


class Clock:
    """This computer's, as long as only the test moves it."""

    now_s = 100.0

    def monotonic(self):
        return self.now_s


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(machine_module, "time", clock)
    monkeypatch.setattr(stepped.SteppedMachine, "clock", clock)
    return clock


def live_until_it_rests(table, clock, most_s=60.0):
    """Call it as a page's worker does."""
    end_s = clock.now_s + most_s
    while clock.now_s < end_s:
        wait_s = table.machine.live()
        if wait_s == stepped.FOREVER:
            return
        clock.now_s += wait_s
    raise AssertionError(f"{table.phase}: it does not rest")


def test_a_table_at_which_nothing_is_new_stands_still_soon(tmp_path, clock):
    """In the lobby, and where a game waits for somebody: with lights that shine steadily, and with one that blinks."""
    for number, (game, longest_us) in enumerate(((None, STEADY_US), ("durak throw-in", BLINK_US))):
        table = stepped.SteppedTable(tmp_path / str(number), seed=1)  # Ann defends first
        if game:
            prepare(table, Wishes(game=game, seats=[("Ann", "here"), ("Bob", "bot:beginner")]))
        table.start()
        try:
            live_until_it_rests(table, clock)
            assert table.phase == ("play" if game else "lobby")
            assert table.now_us - table.machine._stirred_us < longest_us + 1_500_000  # it rests while the light shines
        finally:
            table.close()


def test_a_table_that_wakes_makes_up_for_some_time(tmp_path, clock):
    """So a tap after a rest is judged as soon as any other."""
    table = stepped.SteppedTable(tmp_path)
    table.start()
    try:
        live_until_it_rests(table, clock)
        clock.now_s += 1000
        begun_us = table.now_us
        table.machine.post(lambda: None)
        while table.machine.live() == 0.0:
            pass
        lived_us = table.now_us - begun_us
        assert 1e6 * stepped.DOZE_S < lived_us < 1e6 * (stepped.DOZE_S + 2 * machine_module.BURST_S)
    finally:
        table.close()


def test_a_table_does_not_stand_still_soon_while_its_own_time_runs(tmp_path, clock):
    """Hands that move or hold a button down, an undo that is open, a finished game that can be taken back."""
    table = stepped.SteppedTable(tmp_path, seed=1)
    prepare(table, Wishes(game="durak throw-in", seats=[("Ann", "here"), ("Bob", "bot:beginner")]))
    table.start()
    try:
        live_until_it_rests(table, clock)
        machine, hands, course = table.machine, table.hands[1], table.follower.course
        kept, session = course.session, SimpleNamespace(undo_seat=0, is_over=lambda: False)
        course.session = session  # a compiled one takes no other method
        is_calm = functools.partial(machine._is_calm, machine_module.REST_US - 1)
        assert is_calm()
        for owner, name, busy, still in ((hands, "is_busy", True, False), (hands, "held", {"MENU"}, set()),
                                         (session, "undo_seat", 1, 0),
                                         (session, "is_over", lambda: True, lambda: False)):
            setattr(owner, name, busy)
            assert not is_calm(), name
            setattr(owner, name, still)
            assert is_calm()
        session.is_over, table.known.is_closed = (lambda: True), True
        assert is_calm()
        session.is_over, session.undo_seat = (lambda: False), 1
        assert machine._is_calm(machine_module.REST_US)  # in the end it does
        course.session = kept
    finally:
        table.close()


def test_a_rest_leaves_no_trace_in_the_record(tmp_path, clock, monkeypatch):
    """The same press at the same moment of the table's time gives the same record, whether the table stood still."""
    monkeypatch.setattr(os, "urandom", lambda size: bytes(size))
    rested = press_once(tmp_path / "rested", clock)
    assert press_once(tmp_path / "awake", clock, *rested[:2]) == rested


def press_once(folder, clock, setup=b"", press_us=0):
    """Press NO where the table rests, or at `press_us` of a table that does not; the set-up, when that was, and the
    record 3 s later."""
    table = stepped.SteppedTable(folder, seed=1)
    prepare(table, Wishes(game="durak throw-in", seats=[("Ann", "here"), ("Bob", "bot:beginner")]))
    setup = setup or (table.flash / "next.txt").read_bytes()
    (table.flash / "next.txt").write_bytes(setup)  # the second at which it was written, too
    if press_us:
        table.machine._rests = lambda: table.now_us >= press_us
    table.start()
    try:
        live_until_it_rests(table, clock)
        pressed_us, before = table.now_us, record_of(table)
        table.machine._rests = lambda: table.now_us >= pressed_us + 3_000_000
        table.machine.post(lambda: table.hands[1].ask(lambda: table.hands[1].press("NO")))
        live_until_it_rests(table, clock)
        assert record_of(table).count(b"\n") > before.count(b"\n")
        return setup, pressed_us, record_of(table)
    finally:
        table.close()


def record_of(table):
    """What lies on its flash of the game."""
    return b"".join(path.read_bytes() for path in sorted((table.flash / "games" / "0001").rglob("*")) if path.is_file())


def raise_it():
    raise DeviceError("it fell")


def test_numbers_of_errors_are_those_that_the_firmware_compares(monkeypatch):
    """A browser's Python counts a missing file as 44; the host's modules still see their own."""
    monkeypatch.setattr(errno, "ENOENT", 44)
    monkeypatch.setattr("builtins.open", lambda *args: missing())
    monkeypatch.setattr("os.stat", lambda *args: missing())
    for name in ("listdir", "remove", "rename", "mkdir", "rmdir", "statvfs", "unlink", "replace"):
        monkeypatch.setattr(os, name, getattr(os, name))
    speak_linux()
    told = {}
    for asker in ("cardtable.between.keys", "host_tools.play.library"):
        space = {"__name__": asker, "os": os}
        exec("try:\n    os.stat('x')\nexcept OSError as error:\n    number = error.args[0]", space)
        told[asker] = space["number"]
    assert list(told.values()) == [2, 44]


def missing():
    raise OSError(44, "No such file")


def test_a_page_plays_and_looks_at_its_game(tmp_path):
    """What worker.js does, from hello to the lesson's address."""
    heard = []
    worker = Worker(str(tmp_path), "ru", 5, heard.append, lambda: None)
    counter = worker.counter
    counter.table.machine.ahead_s = lambda: 0.0
    try:
        counter.open()
        counter.hear(json.dumps({"type": "hello", "client": "abcdefgh", "secret": ""}))
        welcome = json.loads(heard[0])
        assert (welcome["role"], welcome["seats"], welcome["language"]) == ("host", [1], "ru")
        counter.hear('{"type": "code"}')
        assert json.loads(heard[-1])["why"].startswith("этот стол есть только в вашем браузере")
        seats = [{"name": name, "who": "bot:beginner"} for name in ("Ann", "Bob")]
        start = {"type": "act", "n": 1, "do": "start", "game": "durak simple", "dealer": 2, "seats": seats}
        counter.hear(json.dumps(start))
        wait_for(lambda: counter.live() is not None and counter.table.is_playing, "the page", "a game")
        assert any('"ack"' in message for message in heard)
        name = worker.take_in("demo.rec", DEMO.read_bytes())
        assert counter.table.known.records == list_names(tmp_path / "games") == [name]
    finally:
        counter.close()
    games = Games(str(tmp_path))
    assert json.loads(games.answer("records?language=en&me=Ann"))["status"] == 200
    frames = json.loads(games.answer(f"game.json?kept={name}&language=en"))
    assert '"cards/' in frames["text"] and "/page/" not in frames["text"]
    assert json.loads(games.answer("records/none.rec"))["status"] == 404
    assert json.loads(games.answer("records/../table/seating.json"))["status"] == 404
    assert (tmp_path / "table" / "flash" / KEY_FILE).is_file()
    assert games.take_in("../away one.rec", DEMO.read_bytes()) == "awayone.rec"
    with pytest.raises(UnusableInput):
        games.take_in("bad.rec", b"no record")


def test_a_table_in_a_page_knows_every_question_that_the_page_asks(tmp_path):
    asked = {kind for path in PAGE.glob("*.js") for kind in re.findall(r'\bask\("(\w+)"', path.read_text("utf-8"))}
    counter = Worker(str(tmp_path), "en", 5, lambda text: None, lambda: None).counter
    counter.close()
    assert {"hint", "rule"} < asked <= {"speak", "join", *counter.desk.questions, *counter.desk.at_table}


def test_t15_a_page_gets_a_hint_that_its_second_worker_thinks_over(tmp_path, monkeypatch):
    """Its question ended the table's page: "there is no message of that type"."""
    monkeypatch.setattr(advices, "CHOOSING", 2)
    monkeypatch.setattr(advices, "MEASURING", 2)
    heard = []
    counter = Worker(str(tmp_path), "en", 5, lambda text: heard.append(json.loads(text)), lambda: None).counter
    counter.table.machine.ahead_s = lambda: 0.0

    def last(kind):
        return next((one for one in reversed(heard) if one["type"] == kind), {})

    def live(is_so):
        wait_for(lambda: counter.live() is not None and is_so(), "the page", lambda: f"it; it was told {heard[-3:]}")

    try:
        counter.open()
        counter.hear(json.dumps({"type": "hello", "client": "abcdefgh", "secret": ""}))
        seats = [{"name": "Ann", "who": "here"}, {"name": "Bob", "who": "bot:beginner"}]
        counter.hear(json.dumps({"type": "act", "n": 1, "do": "start", "game": "cals-bs", "dealer": 2, "seats": seats}))
        live(lambda: any(one["moves"] for one in last("can").get("seats", ())))
        counter.hear('{"type": "hint", "seat": 2}')
        live(lambda: last("hint").get("why") == "that is not your seat")
        counter.hear('{"type": "hint", "seat": 1}')
        live(lambda: last("think"))
        begun, facts = last("think")["begun"], last("think")["facts"]
        assert begun == last("hint") and begun["ask"] and facts["names"] == ["Ann", "Bob"]
        seen = read_seen(facts["seen"])
        assert seen == replace(see_for(counter.table, 1), at_ms=seen.at_ms) and len(seen.log) > 1
    finally:
        counter.close()
    asked = urlencode({**facts, "names": json.dumps(facts["names"])})
    answer = json.loads(Games(str(tmp_path)).answer(f"hint?{asked}"))
    hint = json.loads(answer["text"])
    assert answer["status"] == 200 and hint["think"] and hint["move"] in last("can")["seats"][0]["moves"]


def test_an_analysis_tells_the_page_how_far_it_is(tmp_path, monkeypatch):
    """The page cannot ask: the worker that would answer is the one that thinks."""
    heard = []
    games = Games(str(tmp_path), lambda done, of: heard.append((done, of)))
    monkeypatch.setattr(served, "analyse", lambda record, guesses, tell: [tell(step, 2) for step in range(3)])
    monkeypatch.setattr(served, "figures", lambda found: {"decisions": found})
    monkeypatch.setattr(outside, "make_frames", lambda record, language, readers, analysis: {"found": analysis})
    monkeypatch.setattr(outside, "cards_in", lambda frames: [])
    games.bring("game.rec", EXAMPLE.read_bytes())
    answer = json.loads(games.answer("game.json?language=en&analyse=yes"))
    assert json.loads(answer["text"])["found"] == {"decisions": [None] * 3}
    assert heard == [(0, 2), (1, 2), (2, 2)]
    progress.tell(0, 0)  # other work tells what it told before
    assert len(heard) == 3


@pytest.mark.everything
def test_a_seed_and_a_chance_give_the_same_record():
    assert drive.play_all([0]) == drive.play_all([0])
