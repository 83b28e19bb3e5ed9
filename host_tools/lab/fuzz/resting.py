"""Cards that rest on readers for hours while wires and hands disturb them: each tap that comes by itself is counted.

The table's own `Readers`, the driver and the chip's model run; only looks that nothing disturbs are not run again: a
look whose chip stands as it did before one that is known, with no wrong byte and no miss due, ends as that one did.
So ten hours of seven readers take minutes. Their times are those of host_tools/lab/bench/reader_rig.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import cardtable.table.readers as table_readers
from cardtable.answers import PRESENT
from cardtable.engine.deck import STRANGER
from cardtable.table.readers import CAME, MOST_AWAY_MS, Readers
from cardtable.table.tags import Tags
from host_tools.base.errors import UnusableInput
from host_tools.lab.bench.reader_rig import BAUDRATE, Clock, Rig, run
from host_tools.virtual.chips.iso14443a import Bursts, Tag, chance
from host_tools.virtual.chips.wrong_bytes import WrongBytes

MOST_READERS = 7
_HOUR_US = 3_600_000_000
FAULT_US = 5_000  # what a silent reader costs of a sweep (main.py)
_RANKS = "6789TJQ"


@dataclass(frozen=True)
class Weather:
    """What disturbs the cards. wrong: probability that a byte goes wrong, by the clock from which on; misses: share of
    looks lost in bursts of `burst` looks, on average or (`is_fixed`) each; noise: share of frames on air that are lost
    or damaged in any way. from_s: when the wrong bytes begin. away_ms: what the table has learned of its hands, 0 for
    nothing."""

    wrong: dict[int, float] = field(default_factory=dict)
    misses: float = 0.0
    burst: float = 10.0
    is_fixed: bool = False
    noise: float = 0.0
    away_ms: int = 0
    from_s: float = 0.0


@dataclass
class Figures:
    """What came of it: taps that nobody made, tags that do not lie there, looks, those that failed, times
    at which a reader was given up, the bus's clock at the end and when it was last changed."""

    taps: int = 0
    strangers: int = 0
    looks: int = 0
    failed: int = 0
    wrong_bytes: int = 0
    faults: int = 0
    hours: float = 0.0
    clock_hz: int = BAUDRATE
    settled_s: float = 0.0
    first_tap_s: float = 0.0
    last_tap_s: float = 0.0

    def line(self) -> str:
        """All of it."""
        return (f"{self.taps} phantom taps and {self.strangers} wrong UIDs in {self.hours:g} h, {self.looks:,} looks,"
                f" {self.wrong_bytes:,} wrong bytes; {self.failed:,} looks failed, {self.faults:,} times a reader was"
                f" given up; clock {self.clock_hz // 1000} kHz")


class Swift:
    """A driver whose known looks are not run again; for Readers it is the driver."""

    def __init__(self, rig: Rig, number: int) -> None:
        self._rig = rig
        self._chip: Any = rig.chips[number]
        self._field = rig.fields[number]
        self._driver = rig.readers[number]
        self._known: dict = {}  # (state before, whether a tag is told, whether it misses): result, bytes, time
        self._stands: Any = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._driver, name)

    def warm(self) -> bool:
        """No: its field comes up within a look, so that each look is whole."""
        return False

    def _stand(self) -> Any:
        """All that a look depends on and leaves behind."""
        chip, driver = self._chip, self._driver
        chip._catch_up(self._rig.clock.now_us)
        if chip._jobs or chip._timer_runs:
            return None
        return (tuple(chip._registers), chip._flags, chip._command, chip._modem, bytes(chip._fifo), chip._start_send,
                chip._starting, driver._last, driver.fault, driver._is_on, self._rig.bus._baudrate)

    def start(self) -> bool:
        """The driver's."""
        self._stands = None
        return self._driver.start()

    async def poll(self, known: Any = None) -> int:
        """The driver's, or what it would have found."""
        wrong = self._rig.bus.wrong
        bursts = self._field.bursts
        key = (self._stands, known is not None, bursts is not None and bursts.will_miss)
        found = self._known.get(key) if self._stands is not None and self._field.noise is None else None
        if found and (wrong is None or wrong.left >= found[1]):
            if wrong is not None:
                wrong.left -= found[1]
            if bursts is not None:
                bursts.step()
            self._rig.clock.now_us += found[2]
            self._driver.polls += 1
            self._driver.reads += found[0] == PRESENT
            if found[0] == PRESENT:
                self._driver.uid[:] = found[3]
            return found[0]
        came = wrong.came if wrong is not None else 0
        left = wrong.left if wrong is not None else 0
        before, begun_us = self._stand(), self._rig.clock.now_us
        key = (before, *key[1:])
        result = await self._driver.poll(known)
        after = self._stand()
        self._stands = after
        if before is not None and after == before and (wrong is None or wrong.came == came) and not self._field.noise:
            size = left - wrong.left if wrong is not None else 0
            self._known[key] = result, size, self._rig.clock.now_us - begun_us, bytes(self._driver.uid)
        return result


@contextmanager
def on_clock(clock: Clock) -> Iterator[None]:
    """The table's readers live by this clock."""
    module: Any = table_readers
    kept = module.time
    module.time = clock
    try:
        yield
    finally:
        module.time = kept


def make(weather: Weather, count: int, seed: int) -> tuple[Rig, Readers, list[bytes]]:
    """Readers that have started on such a bus, with a tag of seven bytes on each; their UIDs, zero padded."""
    if not 1 <= count <= MOST_READERS:
        raise UnusableInput(f"a table has 1 to {MOST_READERS} readers, not {count}")
    rng = random.Random(seed)
    rig = Rig(count, seed=seed, start=False)
    if weather.wrong:
        rig.bus.wrong = WrongBytes({} if weather.from_s else weather.wrong, rng)
    uids = [bytes([4, 0xA2, 0x3B, 0x1C, 0x5D, number + 1, 0x80]) for number in range(count)]
    tags = Tags()
    tags.load([f"{uid.hex()} {rank}S\n" for uid, rank in zip(uids, _RANKS, strict=False)])
    readers = Readers([Swift(rig, number) for number in range(count)], tags, None, ((rig.bus, BAUDRATE),))
    for number, uid in enumerate(uids):
        rig.put(Tag(uid), number)
        if weather.misses:
            rig.fields[number].bursts = Bursts(weather.misses, weather.burst, rng, weather.is_fixed)
        if weather.noise:
            rig.fields[number].noise = chance(weather.noise, rng)
    if weather.away_ms:
        readers.calm_ms = weather.away_ms
        readers.away_ms = [weather.away_ms] * count
    return rig, readers, [uid + bytes(10 - len(uid)) for uid in uids]


def rest(weather: Weather, hours: float, count: int = MOST_READERS, seed: int = 1, polls: int = 0,
         say: Callable[[str], None] | None = None) -> Figures:
    """Let the cards lie for so many hours of table time, or until so many looks (`polls`) were made."""
    from cardtable.between import reader_care

    figures = Figures()
    rig, readers, uids = make(weather, count, seed)
    readers.say = say  # type: ignore[assignment]  # the firmware begins without one, and has no typing to say so
    cards = [readers.tags.find(uid) for uid in uids]
    came = [False] * count
    end_us = hours * _HOUR_US
    halvings, faulty = 0, 0
    with on_clock(rig.clock):
        reader_care.start(readers)
        halvings = readers.halvings
        while rig.clock.now_us < end_us and (not polls or figures.looks < polls):
            index = readers.take_turn()
            chip = readers.begin(index)
            if chip:
                readers.end(index, run(chip.poll(readers.expected(index))))
            else:
                rig.clock.now_us += FAULT_US
            figures.looks += 1
            figures.faults += (readers.faulty & ~faulty).bit_count()
            faulty = readers.faulty
            while readers.next():
                if readers.what == CAME:
                    place = readers.place - 1
                    now_s = rig.clock.now_us / 1_000_000
                    if readers.card == STRANGER or readers.card != cards[place]:
                        figures.strangers += 1
                    elif came[place]:
                        figures.taps += 1
                        figures.first_tap_s = figures.first_tap_s or now_s
                        figures.last_tap_s = now_s
                    came[place] = True
            if rig.bus.wrong and not rig.bus.wrong.by_clock and rig.clock.now_us >= weather.from_s * 1_000_000:
                rig.bus.wrong = WrongBytes(weather.wrong, rig.bus.wrong.rng, BAUDRATE >> readers.halvings)
            if readers.halvings != halvings:
                halvings = readers.halvings
                figures.settled_s = rig.clock.now_us / 1_000_000
    figures.hours = round(rig.clock.now_us / _HOUR_US, 4)
    figures.failed = sum(chip.silent for chip in readers.chips)
    figures.wrong_bytes = rig.bus.wrong.came if rig.bus.wrong else 0
    figures.clock_hz = BAUDRATE >> readers.halvings
    return figures


# --- the bars of a table ---

HANDS = Weather(misses=0.1, is_fixed=True)
WIRES = (Weather({0: 1e-3}), Weather({0: 1e-4}), Weather({0: 1e-5}))
CLIFF = {0: 1e-4, 750_000: 1e-2}  # one byte in a hundred at 1 MHz, one in ten thousand below
MIXED = Weather({0: 1e-3}, misses=0.1, noise=0.1)
CLIFF_S = 60.0
POWER_UPS = 50
POLLS = 100_000


def name(weather: Weather) -> str:
    """What disturbs, in words."""
    parts = [f"one byte in {round(1 / rate):,} wrong" for rate in weather.wrong.values()]
    if weather.misses:
        length = f"{weather.burst:g} looks" + ("" if weather.is_fixed else " on average")
        parts.append(f"{weather.misses:.0%} of looks missed in bursts of {length}")
    if weather.away_ms:
        parts.append("learned")
    if weather.noise:
        parts.append(f"{weather.noise:.0%} of frames damaged")
    return ", ".join(parts)


def settle(seed: int, from_s: float = 0.0) -> tuple[bool, Figures]:
    """One power-up on a bus with a cliff, for a minute after it comes: whether it stands at a clock that works."""
    figures = rest(Weather(CLIFF, from_s=from_s), (CLIFF_S + from_s) / 3600, seed=seed)
    return figures.clock_hz < 750_000 and not figures.taps, figures


def measure(hours: float, say: Callable[[str], None], power_ups: int = POWER_UPS, polls: int = POLLS) -> int:
    """Every bar, a line each; how many of them are missed. The hands whose bursts have ten looks on average are told
    and no bar: until the table has learned them, the first seconds may have a tap."""
    missed = 0
    for weather in (*WIRES, HANDS, Weather(misses=0.1, away_ms=MOST_AWAY_MS)):
        figures = rest(weather, hours)
        missed += bool(figures.taps or figures.strangers)
        say(f"{name(weather)}: {figures.line()}")
    figures = rest(Weather(misses=0.1), hours)
    say(f"{name(Weather(misses=0.1))}, no bar: {figures.line()}; the last tap at {figures.last_tap_s:.0f} s")
    for from_s, when in ((0.0, "at power-up"), (90.0, "in play")):
        settled = [settle(seed, from_s)[0] for seed in range(power_ups)]
        missed += not all(settled)
        say(f"a cliff at 1 MHz {when}: settled at a clock that works within {CLIFF_S:g} s in {sum(settled)} of"
            f" {power_ups}")
    figures = rest(MIXED, 1_000, polls=polls)
    missed += bool(figures.strangers)
    say(f"{name(MIXED)}: {figures.line()}")
    return missed
