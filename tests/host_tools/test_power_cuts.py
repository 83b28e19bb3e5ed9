"""The whole firmware on a real littlefs loses its power in the midst of a game, and goes on (T9)."""

import tempfile
from pathlib import Path

import pytest

from boards import virtual
from cardtable.drivers import font6x8
from cardtable.engine.deck import card_number
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.base.interpreters import find_machine_code
from host_tools.virtual import image
from tests.host_tools.flash_device import FlashDevice
from host_tools.virtual.glass import read_text
from host_tools.virtual.fingers import deck_lines, uid_of
from host_tools.virtual.pull import pull_records
from host_tools.virtual.table import BUILD
from host_tools.virtual.world import World
from tests.host_tools.at_table import BLUE, GREEN, RED, SECOND, SETTLE_US, SETUP

CARDS = ((1, "6S"), (2, "7S"), (1, "6H"), (2, "7H"), (1, "6D"), (2, "7D"), (1, "8S"), (2, "9S"))
BLOCKS = 128  # of the flash: the room of a game, and little more


class Evening:
    """A table whose power fails, people who tap cards, and what they saw."""

    def __init__(self, folder, setup=SETUP):
        (folder / "files").mkdir()
        for name, text in (("setup.txt", setup), ("deck.txt", "".join(deck_lines()))):
            (folder / "files" / name).write_text(text)
        self.folder = folder
        self.world = World(virtual)
        self.lines = []
        self.tags = {card: Tag(uid_of(card_number(card))) for _, card in CARDS}
        self.green = 0  # cards that got their green light
        self.lying = None  # (place, card) on a reader
        self.turn = 0
        self.device = FlashDevice(
            self.world, folder / "files", folder / "flash.bin", image.build_rom(virtual.NAME, BUILD / virtual.NAME),
            image.build_shims(BUILD / "busy-shims", find_machine_code()), blocks=BLOCKS, on_line=self.lines.append,
        )

    def light(self, place):
        """The colour of a place's light."""
        return tuple(self.world.lights.colour(place - 1))

    def screen(self):
        """The eight rows."""
        return read_text(self.world.screen, font6x8)

    def says(self, text):
        """Whether the glass says so, wherever its lines break."""
        return text in " ".join(" ".join(self.screen()).split())

    def tap(self, place, card):
        """Lay a card down, wait for the light, take it away."""
        self.lay(place, card)
        yield lambda: self.light(place) in (GREEN, RED)
        assert self.light(place) == GREEN, (card, self.screen())
        self.green += 1
        yield from self.lift()

    def lay(self, place, card):
        """A card lies on a reader from now on."""
        self.lying = place, card
        self.world.put(place, self.tags[card])

    def lift(self):
        """And not any more."""
        place, card = self.lying
        self.lying = None
        self.world.take(place, self.tags[card])
        yield SETTLE_US

    def deal(self, cards):
        """Everybody taps."""
        yield lambda: self.light(1) == BLUE
        for place, card in cards:
            yield from self.tap(place, card)

    def come_back(self):
        """Switched on again: a card that rests on its reader is read, and is no tap."""
        yield lambda: any(line.startswith("boot: power") for line in self.lines)
        yield 2 * SECOND

    def go_on(self, count):
        """Behind so many cards that are in the record."""
        if self.lying:
            yield from self.lift()
        for place, card in CARDS[count:]:
            yield from self.tap(place, card)

    def play(self, actor, limit_us=60 * SECOND):
        """Run the device until the actor has done, or the power has gone."""
        ended = []
        self.turn += 1

        def whole(turn):
            for wish in actor:
                yield wish
                if self.turn != turn:
                    return  # the power has gone meanwhile, and people do something else
            ended.append(True)

        self.world.people.add(whole(self.turn))
        late_us = self.world.now_us + limit_us
        self.device.run(until=lambda: ended or self.world.now_us > late_us)
        return bool(ended)

    def events(self):
        """The accepted events on flash, without their times; the device is off."""
        assert not self.device.is_on
        with tempfile.TemporaryDirectory(dir=self.folder) as pulled:
            self.device.copy_files(Path(pulled))
            (record,) = pull_records(Path(pulled))
            lines = record.read_text().split("\n\n", 1)[1].splitlines()
        return [line.partition(" ")[2] for line in lines if line[0] not in "~;" and "!" not in line]


def draws(taps):
    """As the record has them."""
    return [f"{place} draw {card}" for place, card in taps]


@pytest.mark.micropython
@pytest.mark.parametrize("cut_at", [26, 28, 32])
def test_t9_the_power_fails_within_a_write_and_at_its_end(cut_at, tmp_path):
    """No green light was wrong; the screen names the last event; a card that was not judged is asked for again."""
    for part in (100, 256):
        folder = tmp_path / str(part)
        folder.mkdir()
        evening = Evening(folder)
        evening.device.cut_at, evening.device.cut_part = cut_at, part
        assert not evening.play(evening.deal(CARDS)) and evening.device.was_cut
        place, _ = evening.lying or (0, "")  # nobody taps while a page is prepared
        durable = evening.events()
        assert durable in (draws(CARDS[: evening.green]), draws(CARDS[: evening.green + 1])) and evening.green
        is_asked = bool(place) and len(durable) == evening.green
        assert is_asked or not place or part == 256  # half a write is none
        evening.lines.clear()
        assert evening.play(evening.come_back())
        last = durable[-1].rpartition(" ")[0]
        assert f"resumed after: {last}" in evening.lines
        assert evening.says(f"{place} Tap that card again") == is_asked
        assert (RED in (evening.light(1), evening.light(2))) == is_asked
        assert evening.says(f"Power is back. Last: {last}") != is_asked
        assert evening.play(evening.go_on(len(durable)))
        evening.device.power_off()
        assert evening.events() == draws(CARDS)


@pytest.mark.micropython
def test_t8_t13_a_repair_before_a_power_cut_counts_for_no_seat(tmp_path):
    """A reader was dead for 70 s of a deal for which each seat has 60; the record tells the table so."""
    evening = Evening(tmp_path, SETUP.replace("throw-in", "throw-in clock=60"))
    assert evening.play(evening.deal(CARDS[:2]))

    def repair():
        evening.world.readers[0].dead()
        yield 70 * SECOND
        evening.world.readers[0].dead(None)
        yield 2 * SECOND
        yield from evening.tap(*CARDS[2])

    assert evening.play(repair(), 90 * SECOND)
    evening.device.power_off()
    evening.lines.clear()
    assert evening.play(evening.come_back()) and evening.play(iter([40 * SECOND]))
    assert not [line for line in evening.lines if line.startswith("time: ")]
    assert evening.play(iter([20 * SECOND]))
    assert [line for line in evening.lines if line.startswith("time: ")]
