"""What is weak at a table, one sentence a line, and what each sentence does to the World.

`wires of 4 m`, `weak tag at seat 3`, `brown-out at minute 12`: SENTENCES has all that may stand in a file.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.lab.fuzz.storm import SECOND, Storm, Weather
from host_tools.virtual.chips.iso14443a import Bursts, Noise, chance
from host_tools.virtual.chips.wrong_bytes import WrongBytes

HERE = Path(__file__).with_name("scenarios")  # those that ship
MINUTE_US, HOUR_US = 60 * SECOND, 3600 * SECOND
REST_US = (SECOND // 5, 4 * SECOND)  # how long people leave a card lying after its light
LASTS_S = 10  # what passes, where the sentence does not say how long
LONGEST_S = 60
# Guesses, for no wire was measured: a bus of 1 m carries 2 MHz, one of 4 m 500 kHz; a weak tag is not heard once in
# ten frames; a hand that hovers hides a card in one look of ten, for ten looks on average (H8).
METRE_HZ = 2_000_000
WEAK, HOVERS, LOOKS = 0.1, 0.1, 10.0
MOST_LINES, MOST_METRES, MOST_RATE = 20, 20, 20
LIMIT = 10_000  # bytes of a file


@dataclass(frozen=True)
class Sentence:
    """One line. `begin(scene, words)` does it to the table; `words` are what stands in its gaps."""

    text: str
    begin: Callable[[Scene, dict[str, int]], None]
    words: dict[str, int]


class Scene(Storm):
    """The table of a scenario during one game, which begins after `begun_us` of table time. Its sentences take the
    place of the storm's chance: what stands is there from the start, what passes comes at its minute of each hour."""

    def __init__(self, world: Any, rng: random.Random, places: list[int], flash: Path, sentences: list[Sentence],
                 begun_us: int) -> None:
        super().__init__(world, rng, places, flash, ())
        self.begun_us = begun_us
        self.rest_us = REST_US
        self.told = ""  # by the table, of its readers
        self._place = 0  # of what begins now; 0 for any
        for sentence in sentences:
            sentence.begin(self, sentence.words)

    def blow(self) -> Weather:
        """Nothing comes by chance."""
        return
        yield 0

    def hear(self, line: str) -> None:
        """Keep what the table says of its readers."""
        if line.startswith("readers: "):
            self.told = line

    def pick(self) -> int:
        """The seat of the sentence, or any."""
        return self._place or super().pick()

    def fields(self, seat: int = 0) -> list[Any]:
        """The field of that seat's antenna, or of all."""
        return [self.world.readers[place - 1].field for place in ([seat] if seat else self.places)]

    def draw(self) -> random.Random:
        """Chance of its own for one fault."""
        return random.Random(self.rng.random())

    def pass_by(self, kind: str, words: dict[str, int]) -> None:
        """That kind of weather comes at its times."""
        self.count[kind] = 0
        self.world.people.add(self._come(kind, words))

    def _come(self, kind: str, words: dict[str, int]) -> Weather:
        """An actor of the world: the weather, as often as it is due."""
        period_us = words["every"] * MINUTE_US if "every" in words else HOUR_US
        first_us = words.get("minute", 0) * MINUTE_US
        seat = words.get("seat", 0)
        while not self.is_over:
            now_us = self.begun_us + self.world.now_us
            yield period_us - (now_us - first_us) % period_us
            if kind in ("flicker", "bleed"):
                late_us = self.world.now_us + MINUTE_US
                places = [seat] if seat else self.places
                while not any(map(self.lies, places)) and self.world.now_us < late_us:
                    yield SECOND // 20
                self._place = seat or next(filter(self.lies, places), 0)
            else:
                self._place = seat
            self.count[kind] += 1
            yield from getattr(self, kind)(words.get("lasts", LASTS_S) * SECOND)


# --- what stands all the time ---


def lay_wires(scene: Scene, words: dict[str, int]) -> None:
    """Longer wires carry slower clocks only, and I2C's lines rise more slowly."""
    board, metres = scene.world.board, words["metres"]
    for name in board.SPI:
        scene.world.bus(name).clean_hz = METRE_HZ // metres
    for name in board.I2C:
        scene.world.i2c(name).metres = float(metres)


def ruin_bytes(scene: Scene, words: dict[str, int]) -> None:
    """Bytes of the readers' bus go wrong, perhaps above some clock alone."""
    clock_hz = 1000 * words.get("khz", 0)
    for name in {entry["spi"] for entry in scene.world.board.READERS}:
        scene.world.bus(name).wrong = WrongBytes({clock_hz: 1 / words["count"]}, scene.draw())


def weaken(scene: Scene, words: dict[str, int]) -> None:
    """Cards are not always heard there."""
    for field in scene.fields(words["seat"]):
        field.noise = chance(WEAK, scene.draw(), (Noise.REPLY_LOST,))


def copy_chip(scene: Scene, words: dict[str, int]) -> None:
    """The reader's chip is a copy that gives the first register again where it should give the next (H9). Somebody
    takes another module when the table has told them to, and a minute later it is there."""
    place = words["seat"]
    chip = scene.world.readers[place - 1].chip
    chip.repeats_address = True

    def replace() -> Weather:
        while f"reader {place} repeats registers" not in scene.told:
            yield SECOND
        scene.stop(MINUTE_US)
        yield MINUTE_US
        chip.repeats_address = False

    scene.world.people.add(replace())


def hover(scene: Scene, words: dict[str, int]) -> None:
    """Looks miss in bursts."""
    for field in scene.fields():
        field.bursts = Bursts(HOVERS, LOOKS, scene.draw())


def bounce(scene: Scene, words: dict[str, int]) -> None:
    """Contacts bounce at each press."""
    scene.bounces = True


_GAPS = {
    "METRES": r"(?P<metres>[0-9]{1,3})",
    "COUNT": r"(?P<count>[0-9]{1,3}(?:,?[0-9]{3}){0,3})", "KHZ": r"(?P<khz>[0-9]{1,4})",
    "SEAT": r"(?P<seat>[0-9]{1,2})", "MINUTE": r"(?P<minute>[0-9]{1,3})", "EVERY": r"(?P<every>[0-9]{1,3})",
    "LASTS": r"(?P<lasts>[0-9]{1,4})",
}  # fmt: skip
_RANGES = {"metres": (1, MOST_METRES), "count": (MOST_RATE, 10**9), "khz": (1, 9999), "seat": (1, 7),
           "minute": (0, 59), "every": (1, 60), "lasts": (1, LONGEST_S)}  # fmt: skip
STANDING: dict[str, Callable[[Scene, dict[str, int]], None]] = {
    "wires of METRES m": lay_wires,
    "one byte in COUNT wrong": ruin_bytes,
    "one byte in COUNT wrong from KHZ kHz": ruin_bytes,
    "weak tag at seat SEAT": weaken,
    "copy that repeats registers at seat SEAT": copy_chip,
    "hovering hands": hover,
    "bouncing buttons": bounce,
}
# What passes: the storm's name for it. `at seat` may stand behind those of PLACED; behind all stands when.
PASSING = {
    "brown-out": "power_cut", "dark screen": "dark_screen", "open chain": "cut_chain", "full flash": "full_flash",
    "noise": "noise", "flickering card": "flicker", "card that a neighbour sees": "bleed",
    "dead reader": "dead_reader", "loose wire": "loose_wire", "stuck button": "stuck_button",
}  # fmt: skip
PLACED = tuple(PASSING)[4:]
WHEN = ("at minute MINUTE", "every EVERY minutes")


def _passing(kind: str) -> Callable[[Scene, dict[str, int]], None]:
    return lambda scene, words: scene.pass_by(kind, words)


def list_sentences() -> dict[str, Callable[[Scene, dict[str, int]], None]]:
    """Every sentence, with gaps in capitals."""
    found = dict(STANDING)
    for name, kind in PASSING.items():
        for where in ("", " at seat SEAT")[: 1 + (name in PLACED)]:
            for when in WHEN:
                for lasts in ("", " for LASTS s"):
                    found[f"{name}{where} {when}{lasts}"] = _passing(kind)
    return found


def _pattern(sentence: str) -> re.Pattern[str]:
    for name, gap in _GAPS.items():
        sentence = sentence.replace(name, gap)
    return re.compile(sentence)


SENTENCES = [(_pattern(text), begin) for text, begin in list_sentences().items()]


def read_sentence(line: str) -> Sentence:
    """One line. UnusableInput, without the file's name."""
    text = re.sub(r"^an? ", "", line)
    for pattern, begin in SENTENCES:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        words = {name: int(value.replace(",", "")) for name, value in found.groupdict().items() if value}
        for name, value in words.items():
            low, high = _RANGES[name]
            if not low <= value <= high:
                raise UnusableInput(f"`{foreign.shorten(text)}`: {value} is not from {low} to {high}")
        return Sentence(text, begin, words)
    known = ", ".join((*STANDING, *PASSING))
    raise UnusableInput(f"`{foreign.shorten(line)}` is no sentence of a scenario; there are {known}")


def read_scenario(path: Path) -> list[Sentence]:
    """The sentences of a file, one a line; `#` begins a comment. UnusableInput."""
    sentences = []
    for number, line in enumerate(foreign.read_text(path, LIMIT).split("\n"), 1):
        text = line.split("#")[0].strip()
        try:
            sentences += [read_sentence(text)] if text else []
        except UnusableInput as wrong:
            raise UnusableInput(f"{path}, line {number}: {wrong}") from wrong
    if not 1 <= len(sentences) <= MOST_LINES:
        raise UnusableInput(f"{path}: a scenario has 1 to {MOST_LINES} sentences, this has {len(sentences)}")
    return sentences


def most_seat(sentences: list[Sentence]) -> int:
    """The last seat that is named, or 0."""
    return max((sentence.words.get("seat", 0) for sentence in sentences), default=0)
