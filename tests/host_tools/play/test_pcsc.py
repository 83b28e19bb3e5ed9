"""Readers of PC/SC, against the real pcscd with virtual readers."""

import os
import statistics

import pytest

from cardtable.drivers import ntag
from cardtable.engine.deck import card_number
from host_tools.cli import run
from host_tools.play.readers.pcsc import HELD
from host_tools.virtual.chips.ntag21x import Ntag
from host_tools.virtual.fingers import AMBER, GREEN, RED
from tests.host_tools.play.many_taps import tap_all
from tests.host_tools.play.real_evening import Evening, uid_of
from tests.host_tools.play.test_readers import Real, press
from tests.host_tools.play.virtual_pcsc import Card, Daemon, names
from tests.host_tools.web.served import pass_time
from tests.patience import hear, wait_for

RUNS_ON = "cpython"  # host tools
pytestmark = [pytest.mark.pcsc, pytest.mark.everything]
TAPS = int(os.environ.get("CARDTABLE_TAPS", "320"))  # ten thousand take ten minutes, most of which the daemon sleeps
PEOPLE = "phone:Anna,phone:Boris,phone:Vera,phone:Gleb"
FOREIGN = b"\x03\x0f\xd1\x01\x0bT\x02enabcdefgh\xfe"


def test_every_tap_is_told_once_with_its_own_number(tmp_path):
    """Sixteen slots; numbers of 4, 7 and 10 bytes; every third tag is laid as the one before is taken away."""
    assert tap_all(tmp_path, TAPS) == {"right": TAPS // 16 * 16, "wrong": 0, "twice": 0, "lost": 0}


class Seats:
    """The readers of a RealTable behind a daemon: `ports[seat]` once each has been learned."""

    def __init__(self, served, entries):
        self.table, self.served = served.table, served
        self.free = names(entries)
        self.ports = {}
        self.wait(lambda: len(self.table.usb.here) == len(self.free), "all readers")

    def wait(self, is_so, what):
        wait_for(lambda: self.served.read(is_so), "the test", what)

    def learn(self, seats):
        """Tap one reader after the other, the last one first."""
        table = self.table
        for seat, name in zip(seats, reversed(list(self.free)), strict=False):
            assert self.served.read(lambda: table.usb.asks) == seat
            card = Card(self.free[name], uid_of(0))
            self.wait(lambda: table.readers.find(seat), f"the reader of seat {seat}")  # noqa: B023
            card.take()
            self.ports[seat] = self.free[name]

    def lay(self, seat, uid, memory=None):
        """A tag lies on the reader of that seat, and the table has heard its number."""
        reader = self.table.readers.find(seat)
        self.wait(lambda: not reader.lies, "an empty reader")
        taps = reader.taps
        card = Card(self.ports[seat], uid, memory)
        self.wait(lambda: reader.taps > taps, f"a tap at seat {seat}")
        return card

    def take(self, seat, card):
        """It is taken away, and the table's modelled reader is empty too."""
        table, laid = self.table, self.table.readers.laid
        card.take()
        self.wait(lambda: not table.readers.find(seat).lies, "a tag that is gone")
        pass_time(table, lambda: table.readers.laid > laid or not any(one.field.tags for one in table.world.readers),
                  "an empty reader")


def test_four_readers_play_a_whole_game_and_the_daemon_starts_anew_meanwhile(tmp_path):
    with Daemon(tmp_path, 2) as daemon, \
            Real(tmp_path, PEOPLE, game="durak throw-in", readers=True, stands_still=True, speed=8.0) as served:
        table = served.table
        seats = Seats(served, 2)
        pass_time(table, lambda: table.cards is not None, "a game")
        seats.learn((1, 2, 3, 4))
        evening = Evening(table)
        for turn in range(10_000):
            now = served.read(evening.next)
            if now is None:
                assert served.read(lambda: table.session.is_over()), served.read(table.lines)
                break
            if turn == 12:  # two readers are unplugged, and come back to their seats
                for entries, left in ((1, 2), (2, 4)):
                    daemon.stop()
                    seats.wait(lambda: not table.usb.here, "readers that are gone")
                    daemon.start(entries)
                    seats.wait(lambda: len(readers_of(table)) == left, "readers that are back")  # noqa: B023
            seat, deeds = now
            told = served.read(served.count)
            for kind, what in deeds:
                place = table.place_of(seat)
                if kind == "tap":
                    card = seats.lay(seat, uid_of(what))
                    until_us = table.now_us + 1_000_000
                    pass_time(table, lambda: served.count() != told or table.now_us > until_us, "an answer")  # noqa: B023
                    seats.take(seat, card)
                else:
                    press(served, place, what)
            until_us = table.now_us + 5_000_000
            pass_time(table, lambda: served.count() != told or table.now_us > until_us, "an answer")  # noqa: B023
        pass_time(table, lambda: table.known.kept, "a record that is kept")
        assert run(["replay", str(tmp_path / table.known.kept)]) == 0
        assert run(["verify", str(tmp_path / table.known.kept), "--key", str(table.flash / "key.bin")]) == 0


def readers_of(table):
    return [one for one in table.readers.all if not one.is_over]


def test_a_deck_is_written_and_read_by_pcsc(tmp_path):
    """A new tag, one in the old form, somebody else's, and one without memory: all are cards, two are written."""
    with Daemon(tmp_path, 1), Real(tmp_path, size=0, readers=True, stands_still=True) as served:
        table = served.table
        seats = Seats(served, 1)
        pass_time(table, lambda: table.phase == "lobby", "the lobby")
        seats.learn((1,))
        page = served.run(served.sit(0))
        assert served.run(page.done("enrol", seat=1, size=36))["ok"]
        pass_time(table, lambda: table.readers.enrolment.is_open, "the list")
        order = [card_number(name) for name in table.readers.enrolment.cards[:4]]
        held = [bytearray(bytes(Ntag(uid_of(card)).memory[16:])) for card in order[:3]] + [None]
        held[1][:12] = ntag.make_id(uid_of(order[1]), b"7S")
        held[2][:len(FOREIGN)] = FOREIGN
        for at, card in enumerate(order):
            tag = seats.lay(1, uid_of(card), held[at])
            pass_time(table, lambda: len(table.readers.enrolment.missing()) == 35 - at, "a card")  # noqa: B023
            pass_time(table, lambda end=table.now_us + 800_000: table.now_us > end, "a moment")
            if at < 2:
                text = ntag.make_message(uid_of(card), (b"6S", b"7S")[at])
                wait_for(lambda: text in bytes(held[at][:HELD]), "the test", "what is written")  # noqa: B023
            seats.take(1, tag)
        assert held[2][:len(FOREIGN)] == FOREIGN
        assert held[0][:5] == b"\x01\x03\xa0\x0c\x34", "where its lock bits are stays in front"
        served.run(page.close())


def test_how_long_a_tap_takes_to_its_light(tmp_path, capsys):
    """What it finds stands in docs/benchmarks.md, by the table's time, which is real here."""
    with Daemon(tmp_path, 1), Real(tmp_path, size=36, game="durak throw-in", readers=True) as served:
        table = served.table
        seats = Seats(served, 1)
        served.wait(lambda: table.cards is not None, "a game")
        seats.learn((1, 2))
        found = {"to the number": [], "to the light": [], "of it the table": []}
        evening = Evening(table)
        for _ in range(12):
            seat, ((_, what),) = served.read(evening.next)
            reader, place = table.readers.find(seat), table.place_of(seat)
            seats.wait(lambda: not reader.lies, "an empty reader")  # noqa: B023
            wait_for(lambda: table.light(place) not in (GREEN, RED, AMBER), "the test", "a dark light")  # noqa: B023
            begun_us, card = table.now_us, Card(seats.ports[seat], uid_of(what))
            hear(card.asked, "the test", "a number that is asked for")
            number_us = table.now_us
            wait_for(lambda: table.light(place) in (GREEN, RED, AMBER), "the test", "a light")  # noqa: B023
            light_us = table.now_us
            card.take()
            found["to the number"].append(number_us - begun_us)
            found["to the light"].append(light_us - begun_us)
            found["of it the table"].append(light_us - number_us)
        with capsys.disabled():
            for what, all_us in found.items():
                middle, most = statistics.median(all_us) / 1000, max(all_us) / 1000
                print(f"\n{what}: {middle:.0f} ms, at most {most:.0f}", end="")
        assert len(served.record()) >= 12
