"""What the table says and keeps of its own hardware when it measures it: parts that are good, tight or too slow."""

import asyncio
from types import SimpleNamespace

import cardtable.between.learn as learn_module
import pytest
from cardtable.answers import EMPTY, GARBLED, PRESENT
from cardtable.between import learned, weak
from cardtable.between.learn import LINES, LOW_GAIN, WATCH_LOOKS, Learner
from cardtable.table.readers import GARBLED_TO_TELL, MOST_GARBLED

RUNS_ON = "cpython"  # files in a folder of the test's own, and time that stands still


class Chip:
    """A reader: how many of its settings read back wrong, of how many looks how many read, by gain; what a look says
    where it does not read; for how many looks in a row, once, behind the first hundred."""

    gain = 6

    def __init__(self, bus=None, wrong=lambda hz: 0, reads=lambda gain: 100, run=0, answer=GARBLED):
        self.uid = bytearray(10)
        self.bus, self.wrong, self.reads, self.run, self.answer = bus, wrong, reads, run, answer
        self.looks = 0

    def start(self):
        return True

    def read_back(self, frames):
        return self.wrong(self.bus.hz)

    async def poll(self, known):
        self.looks += 1
        if 0 < self.looks - 110 <= self.run:
            return self.answer
        return PRESENT if self.looks % 100 < self.reads(self.gain) else EMPTY


class Glass:
    """A screen that takes lines at most at that clock."""

    answers = True

    def __init__(self, screen, most_khz):
        self.screen, self.most_khz = screen, most_khz

    def remind(self, row):
        pass

    def refresh(self):
        self.answers = self.screen.khz <= self.most_khz
        return False

    def power_up(self):
        self.refresh()


class Doctor:
    """What is said, by its key."""

    works = 0b11
    silent = 0

    def __init__(self, chips, buses=(), own_khz=400, most_khz=400):
        self.told, self.reported = [], []
        self.readers = SimpleNamespace(chips=chips, buses=buses, halvings=0)
        self.screen = SimpleNamespace(khz=own_khz, freq=1000 * own_khz)
        self.screen.glasses = [Glass(self.screen, most_khz) for _ in range(2)]

        def set_clock(freq, is_lost):
            assert not is_lost
            self.screen.khz = freq // 1000

        self.screen.set_clock = set_clock

    def feed_watchdog(self):
        pass

    def find(self, key, values=()):
        return " ".join([key, *map(str, values)])

    def tell(self, key, values=()):
        self.told.append(self.find(key, values))

    def report(self, key, values=(), place=0):
        self.reported.append(self.find(key, values))


class Bus:
    hz = 1_000_000

    def init(self, baudrate):
        self.hz = baudrate


@pytest.fixture(autouse=True)
def still(tmp_path, monkeypatch):
    """Nothing waits, each look takes 50 ms, and files lie in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    now = iter(range(0, 10**9, 50))
    clock = SimpleNamespace(ticks_ms=lambda: next(now), ticks_diff=lambda end, begin: end - begin)
    monkeypatch.setattr(learn_module, "time", clock)

    async def sleep_ms(ms):
        pass

    monkeypatch.setattr(learn_module, "asyncio", SimpleNamespace(sleep_ms=sleep_ms))


@pytest.mark.parametrize(("own_khz", "most_khz", "told", "reported"), [
    (400, 400, ["learn_lines 400 0 48", "learn_lines 100 0 48", "learn_rises 300"], []),
    (400, 100, ["learn_lines 400 48 48", "learn_lines 100 0 48"], ["learn_rises_slowly 300 1000 100"]),
    (400, 50, ["learn_lines 400 48 48", "learn_lines 100 48 48"], ["learn_rises_late 1000"]),
    (100, 100, ["learn_lines 100 0 48", "learn_rises 1000"], []),
    (100, 50, ["learn_lines 100 48 48"], ["learn_rises_late 1000"]),
])
def test_h4_lines_that_are_lost_by_clock_tell_how_fast_the_wires_rise(own_khz, most_khz, told, reported):
    """H4: UM10204 allows 300 ns above 100 kHz, and 1,000 up to that. The slower clock is kept where it helps."""
    assert 2 * LINES == 48
    doctor = Doctor([], own_khz=own_khz, most_khz=most_khz)
    learner = Learner(doctor, "2026-03-01")
    learner.measure_screens()
    assert (doctor.told, doctor.reported) == (told, reported)
    helps = own_khz == 400 and most_khz == 100
    assert learner.found.freq == 100_000 * helps
    assert doctor.screen.khz == (100 if helps else own_khz) and doctor.screen.glasses[0].answers is (most_khz > 50)
    learner.conclude()
    assert learned.read(0).freq == 100_000 * helps
    assert [line[2:-1] for line in open("learned.txt") if line[0] == ";"] == told + reported


@pytest.mark.parametrize(("most_hz", "said"), [(4_000_000, "learn_spare 2000 0"), (1_000_000, "learn_tight 2000 208")])
def test_a_good_bus_says_what_there_is_to_spare(most_hz, said):
    """Its clock stays as the board file has it, however much faster it could go."""
    bus = Bus()
    chips = [Chip(bus, lambda hz: int(hz > most_hz)) for _ in range(2)]
    doctor = Doctor(chips, ((bus, 1_000_000),))
    learner = Learner(doctor, "2026-03-01")
    learner.measure_bus()
    assert doctor.told[-1] == said and doctor.reported == [] and bus.hz == 1_000_000 and learner.found.halvings == 0


@pytest.mark.parametrize(("good_hz", "kept_khz", "wrong"), [(500_000, 500, 0), (0, 125, 208)])
def test_a_bad_bus_says_what_it_does_at_the_clock_that_it_keeps(good_hz, kept_khz, wrong):
    """Where no clock is good the slowest one stays, with the wrong bytes that it makes."""
    bus = Bus()
    doctor = Doctor([Chip(bus, lambda hz: int(hz > good_hz)) for _ in range(2)], ((bus, 1_000_000),))
    learner = Learner(doctor, "2026-03-01")
    learner.measure_bus()
    assert doctor.reported == [f"learn_slow 208 1000 {kept_khz} {wrong}"] and bus.hz == 1000 * kept_khz


@pytest.mark.parametrize(("needs", "said"), [(4, f"learn_reader_spare 1 {LOW_GAIN} 100"),
                                             (5, f"learn_reader_tight 1 {LOW_GAIN} 60")])
def test_a_good_reader_says_what_gain_there_is_to_spare(needs, said):
    doctor = Doctor([Chip(reads=lambda gain: 100 if gain >= needs else 60), Chip(reads=lambda gain: 0)])
    learner = Learner(doctor, "2026-03-01")
    asyncio.run(learner.measure_reader(0))
    assert doctor.told == ["card_seen 1 100", said] and doctor.reported == [] and doctor.readers.chips[0].gain == 6


@pytest.mark.parametrize(("run", "answer", "kept"), [
    (0, GARBLED, GARBLED_TO_TELL), (4, GARBLED, GARBLED_TO_TELL), (9, GARBLED, 18), (30, GARBLED, MOST_GARBLED),
    (6, EMPTY, GARBLED_TO_TELL),
])
def test_a_card_is_called_unreadable_after_twice_as_many_looks_as_a_good_one_ever_was(run, answer, kept):
    assert run < WATCH_LOOKS
    chips = [Chip(run=run, answer=answer), Chip(reads=lambda gain: 0)]
    learner = Learner(Doctor(chips), "2026-03-01")
    asyncio.run(learner.measure_reader(0))
    learner.conclude()
    assert learned.read(2).garbled == kept


def test_a_reader_that_reads_badly_teaches_no_patience():
    chips = [Chip(run=30, reads=lambda gain: 80), Chip(reads=lambda gain: 0)]
    doctor = Doctor(chips)
    learner = Learner(doctor, "2026-03-01")
    asyncio.run(learner.measure_reader(0))
    learner.conclude()
    assert learned.read(2).garbled == GARBLED_TO_TELL and doctor.reported == ["reader_weak 1 80"]


def test_a_reader_without_a_card_today_keeps_what_was_learned_of_it():
    """Its gain, its reads, and the patience that it may need; once it is measured again that goes, too."""
    chips = [Chip(run=9), Chip(reads=lambda gain: 100 if gain == 7 else 60)]
    doctor = Doctor(chips)
    first = Learner(doctor, "2026-03-01")
    for index in (0, 1):
        asyncio.run(first.measure_reader(index))
    first.conclude()
    assert learned.read(2).gains == [6, 7] and learned.read(2).garbled == 18
    chips[0].looks = 1000
    weak.write([(1, 100, 80, "2026-03-01"), (2, 100, 70, "2026-03-01")])
    second = Learner(doctor, "2026-04-01")
    asyncio.run(second.measure_reader(1))
    second.conclude()
    assert weak.read(2) == [(1, 100, 80, "2026-03-01")]
    kept = learned.read(2)
    assert (kept.gains, kept.reads, kept.garbled, kept.date) == ([6, 7], [100, 100], 18, "2026-04-01")
    third = Learner(doctor, "2026-05-01")
    for index in (0, 1):
        asyncio.run(third.measure_reader(index))
    third.conclude()
    assert learned.read(2).garbled == GARBLED_TO_TELL and weak.read(2) == []
