"""Real readers in the place of modelled ones: what sources may say, what a bad one costs, and a game with them."""

import asyncio
import contextlib
import json
import sys
import textwrap
import threading
from types import SimpleNamespace

import pytest

from cardtable.engine.deck import card_number
from cardtable.engine.match import copy
from cardtable.engine.record import Header
from host_tools.base.errors import UnusableInput
from host_tools.play.acts import FOR_ALL, FOR_HOST, Actor, NotAllowed
from host_tools.play.readers import deeds
from host_tools.play.readers.real import RealTable
from host_tools.play.readers.readers import BURST, CALM_S, COMMON, SILENT_S, Reader, Readers, read_uid
from host_tools.play.seating import read_seats
from host_tools.play.tags import uid_of_key
from host_tools.virtual.chips.ntag21x import Ntag, text_on
from tests.conftest import ROOT
from tests.host_tools.play.real_evening import Evening, uid_of, write_deck
from tests.host_tools.web.served import Page, Served, pass_time
from host_tools.base.ports import free_port
from tests.patience import wait_until

RUNS_ON = "cpython"  # host tools


class Bench:
    """As much of a table as readers need, and a clock that the test moves."""

    def __init__(self):
        self.posts, self.now_s = [], 0.0
        self.machine = SimpleNamespace(has_power=False)  # nothing is laid anywhere
        self.readers = Readers(self, lambda: self.now_s)

    def post(self, work):
        self.posts.append(work)

    def states(self):
        return {one["seat"]: one["state"] for one in self.readers.tell()}


def test_a_number_is_read_as_phones_and_readers_write_it_and_nothing_else_is():
    assert read_uid("04:a1:b2:c3") == read_uid("04A1B2C3") == bytes.fromhex("04a1b2c3")
    for text in ("", "04", "04:a1:b2", "zz" * 7, "04" * 8, "88a1b2c3", "04" * 11, "🂡" * 7):
        with pytest.raises(UnusableInput):
            read_uid(text)


def test_a_flood_of_a_thousand_tags_a_second_costs_its_own_reader_alone():
    bench = Bench()
    bad, good = (bench.readers.admit(seat, "usb", "") for seat in (1, 2))
    for number in range(1000):
        bench.now_s += 0.001
        bad.came(bytes([0x04, number >> 8, number & 255, 1, 2, 3, 4]))
    good.came(uid_of(1))
    assert bench.states() == {1: "floods", 2: "reads"} and good.taps == 1
    assert bad.taps <= BURST + 6 and bad.taps + bad.dropped == 1000 and len(bench.posts) < 30, "nor does the table work"
    bad.came(uid_of(2))
    assert bad.state == "floods", "until it has been quiet"
    bench.now_s += CALM_S
    bad.came(uid_of(2))
    assert bench.states() == {1: "reads", 2: "reads"}


def test_a_source_that_dies_says_so_at_its_seat_and_another_may_come():
    bench = Bench()
    bench.bugs = type("Bugs", (), {"note": lambda self, bug: "unexpected error 1"})()

    def dies(reader):
        raise ValueError("a cable")

    one = bench.readers.admit(1, "usb", "")
    bench.readers.admit(2, "usb", "")
    bench.readers.run(one, dies).join()
    assert bench.states() == {1: "lost", 2: "reads"} and one.why == "unexpected error 1"
    one.came(uid_of(1))
    assert one.taps == 0
    bench.readers.admit(1, "phone", "")
    with pytest.raises(UnusableInput, match="another reader reads for this seat"):
        bench.readers.admit(1, "usb", "")


def test_a_source_that_hangs_is_told_from_one_that_reads_nothing():
    bench = Bench()
    stop = threading.Event()
    hangs = bench.readers.admit(1, "usb", "", beats=True)
    bench.readers.admit(2, "phone", "")  # a phone says nothing while nobody taps
    thread = bench.readers.run(hangs, lambda reader: stop.wait())
    bench.now_s += SILENT_S + 1
    assert bench.states() == {1: "silent", 2: "reads"}
    hangs.beat()
    assert bench.states() == {1: "reads", 2: "reads"}
    stop.set()
    thread.join()
    assert bench.states()[1] == "lost"


def test_who_is_thrown_out_reads_nothing_and_comes_back_only_by_the_host():
    bench = Bench()
    thief = bench.readers.admit(1, "phone", "")
    bench.readers.bar(1, True)
    thief.came(uid_of(1))
    assert thief.taps == 0 and bench.states() == {1: "barred"}
    with pytest.raises(UnusableInput, match="the host lets nobody read at this seat"):
        bench.readers.admit(1, "phone", "")
    bench.readers.bar(1, False)
    bench.readers.admit(1, "phone", "")
    assert bench.states() == {1: "reads"}


def test_no_reader_brings_the_key_with_which_the_table_opens_its_own_list():
    """A phone that told its number, which follows from this program, was the arbiter, and ended the game."""
    bench = Bench()
    bench.machine.has_power, bench.KEY, bench.place_of = True, RealTable.KEY, lambda seat: seat
    bench.world = SimpleNamespace(people=set())
    readers = [bench.readers.admit(1, "phone", ""), bench.readers.admit(2, "usb", "", stays=True)]
    for uid, laid in ((uid_of_key(RealTable.KEY), 0), (uid_of(1), 2)):
        for reader in readers:
            reader.came(uid)
        for work in bench.posts:
            work()
        assert len(bench.world.people) == laid


def test_what_a_phone_says_of_a_tag_stands_on_its_model():
    tag = Ntag(uid_of(1))
    assert text_on(tag) == ""
    tag.hold_text("CT1 6S  EF3E")
    assert text_on(tag) == "CT1 6S  EF3E" and tag.memory[16:21] == b"\x01\x03\xa0\x0c\x34"
    with pytest.raises(ValueError):
        tag.hold_text("x" * 200)


class Real(Served):
    """A served table with real cards and a deck that was registered earlier."""

    def __init__(self, folder, seats="phone:Anna,phone:Boris", size=36, **wishes):
        port = free_port()
        flash = folder / f"real-{port}" / "flash"
        flash.mkdir(parents=True)
        if size:
            write_deck(flash, size)
        super().__init__(folder, port=port, real=True, seats=read_seats(seats, "en"), **wishes)

    async def sit(self, seat):
        """The page of a seat, 0: of the host, "common": of the reader for all."""
        seating = self.table.seating
        secret = seating.common if seat == "common" else seating.chairs[seat].secret if seat else seating.host
        return await Page(self.address, secret, f"abcdefgh{seat}").open()

    def count(self):
        """Lines of the record."""
        return sum(self.table.follower.answered)


def press(served, place, key):
    """A person presses a button, and has let go of it."""
    hands = served.table.hands[place]
    served.read(lambda: hands.ask(lambda: hands.press(key)))
    pass_time(served.table, lambda: not hands.acts and not hands.is_busy, "a button that is let go of")


def play_on(served, evening, tap, many=10_000):
    """Let the people play so many turns, or to the end; `tap(seat, card)` brings a card to a reader."""
    table = served.table
    for _ in range(many):
        now = served.read(evening.next)
        if now is None:
            assert served.read(lambda: table.session.is_over()), served.read(table.lines)
            return
        seat, deeds = now
        told = served.read(served.count)
        for kind, what in deeds:
            place = table.place_of(seat)
            if kind == "tap":
                # A card that has just been there must have been away for a while to be a tap (T5); a button that is
                # pressed before the card was read says something else.
                laid, late_us = table.readers.laid, table.now_us + 5_000_000
                served.read(lambda: tap(seat, what))  # noqa: B023
                pass_time(table, lambda: table.readers.laid > laid or table.now_us > late_us, "a tap")  # noqa: B023
            else:
                press(served, place, what)
        until_us = table.now_us + 5_000_000
        pass_time(table, lambda: served.count() != told or table.now_us > until_us, "an answer")  # noqa: B023


async def hear_all(page):
    """Everything that a page was told, as one text."""
    return json.dumps([json.loads(text) for text in page.raw])


def shown(page):
    """What a page was told of the game last: all but who it is, who reads and what nobody shows."""
    return {name: told for name, told in page.told.items() if name not in ("welcome", "readers", "ack", "feed")}


# What a page may do with readers, by who it is. The rest is refused before anything looks at it.
OWN = {"reader", "read", "take_back", "end_enrolment"}
MAY = {"public": set(), "join": set(), "common": OWN | {"touch", "press"}, "seat": OWN}
NO = {"public": "spectators do not play", "join": "spectators do not play", "common": "spectators do not play",
      "seat": "there is no such act"}


@pytest.mark.parametrize("role", MAY)
def test_what_a_page_may_not_do_with_readers_is_refused_by_its_name_alone(role):
    """The first barrier: no act of another role is even looked for, whatever it would say."""
    acts = {do for every in deeds.FOR_ROLE.values() for do in every} - set(FOR_HOST)
    asked, reached = acts - MAY[role] - (set(FOR_ALL) if role == "seat" else set()), []
    table = SimpleNamespace(acts_for=lambda role: {
        do: lambda actor, message, do=do: reached.append(do) for do in deeds.FOR_ROLE.get(role, {})})
    assert {"bar", "share", "enrol"} < asked
    for do in asked:
        with pytest.raises(NotAllowed, match=NO[role]):
            Actor(table, role, [1]).do({"do": do, "seat": 1, "on": True, "size": 36})
    assert not reached


def test_a_seat_reads_for_itself_alone_and_nobody_learns_a_number(tmp_path):
    """The attacks: another seat, a spectator, the code, a stolen link; what goes over every wire."""
    with Real(tmp_path, game="durak throw-in", speed=8.0) as served:
        table = served.table
        served.wait(lambda: table.cards is not None, "a game")

        async def visit():
            anna, boris, host = [await served.sit(seat) for seat in (1, 2, 0)]
            public = await Page(served.address, "", "spectator123").open()
            joined = await Page(served.address, table.seating.join, "joined1234567").open()
            common = await served.sit("common")
            thief = await Page(served.address, table.seating.chairs[1].secret, "thief12345678").open()
            assert (await anna.done("reader", seat=1, on=True))["ok"]
            uid = uid_of(card_number("6S")).hex().upper()
            for page, seat in ((anna, 2), (boris, 1), (host, 1), (public, 1), (joined, 1), (common, 1), (thief, 1)):
                for act in ({"do": "reader", "on": True}, {"do": "read", "uid": uid}):
                    answer = await page.done(seat=seat, **act)
                    assert not answer["ok"] and answer["why"], (page.name, act)
            for do in ("bar", "share", "enrol", "touch"):
                assert not (await anna.done(do, seat=1, on=True, size=36))["ok"], do
            for uid_text in ("", "04", "x" * 14, "04" * 100, uid + "00"):
                assert not (await anna.done("read", seat=1, uid=uid_text))["ok"], uid_text
            assert not (await anna.done("tap", seat=1, card="6S"))["ok"], "nobody moves a real card by a page"
            reading = table.readers.find(1)
            assert reading.taps == 0
            assert (await anna.done("read", seat=1, uid=uid))["ok"] and reading.taps == 1
            await host.until(lambda: host.told["readers"]["readers"][0]["taps"] == 1, "what the host sees")
            assert "taps" not in boris.told["readers"]["readers"][0] and "readers" not in public.told
            assert (await host.done("bar", seat=1, on=True))["ok"]
            assert not (await anna.done("read", seat=1, uid=uid))["ok"]
            assert not (await thief.done("reader", seat=1, on=True))["ok"] and reading.taps == 1
            assert (await host.done("bar", seat=1, on=False))["ok"]
            assert (await thief.done("reader", seat=1, on=True))["ok"]
            def has(state):
                return any(one["state"] == state for one in host.told["readers"]["readers"])

            await host.until(lambda: has("reads"), "who reads")
            await thief.close()
            await host.until(lambda: has("lost"), "a phone that is gone")
            await common.until(lambda: shown(common) == shown(public), "the page for all shows what a spectator sees")
            for page in (anna, boris, host, public, joined, common):
                text = await hear_all(page)
                assert "0433" not in text and uid not in text, page.name
                await page.close()

        served.run(visit())


def test_some_turns_with_real_cards_and_one_dead_reader(tmp_path):
    """Every tap through the whole firmware; the hand that a page shows is the one that the record knows."""
    with Real(tmp_path, game="durak throw-in", stands_still=True) as served:
        table = served.table
        pass_time(table, lambda: table.cards is not None, "a game")
        readers = served.read(lambda: {seat: table.readers.admit(seat, "usb", "") for seat in (1, 2)})
        evening = Evening(table)

        def tap(seat, card):
            readers[seat]._tokens = BURST
            readers[seat].came(uid_of(card))

        play_on(served, evening, tap, 13)
        events = served.record()
        assert len(events) == 13 and all(" draw " in f" {event} " or " turn " in f" {event} " for event in events)
        readers[1].lost()
        readers[1].came(uid_of(0))
        readers[2].came(bytes(range(7)))
        told = served.read(served.count)
        pass_time(table, lambda: served.count() > told, "a refusal")
        assert served.record()[-1].startswith("2 ") and "! T2" in served.record()[-1], "a stranger's tag"


def test_t5_a_card_that_its_reader_misses_for_a_second_is_no_new_tap(tmp_path):
    """A modelled reader misses none, and its table took 0.6 s for a card that was lifted."""
    with Real(tmp_path, game="durak throw-in", stands_still=True) as served:
        table = served.table
        pass_time(table, lambda: table.cards is not None, "a game")
        seat, [(_, card)] = served.read(Evening(table).next)
        reader = served.read(lambda: table.readers.admit(seat, "usb", "", stays=True))

        def lie(on, us):
            served.read(lambda: reader.came(uid_of(card)) if on else reader.went())
            pass_time(table, lambda end=table.now_us + us: table.now_us >= end, "a card that lies, or is away")
            return sum(table.follower.answered)

        assert [lie(True, 1_000_000), lie(False, 1_000_000), lie(True, 1_000_000)] == [1, 1, 1]
        assert [lie(False, 2_000_000), lie(True, 1_000_000)] == [1, 2], "who lifts it for longer taps again: refused"


@pytest.mark.everything
def test_a_whole_game_of_durak_replays_with_the_same_verdicts(tmp_path):
    from host_tools.cli import run

    with Real(tmp_path, game="durak throw-in", stands_still=True) as served:
        table = served.table
        pass_time(table, lambda: table.cards is not None, "a game")
        readers = served.read(lambda: {seat: table.readers.admit(seat, "usb", "") for seat in (1, 2)})

        def tap(seat, card):
            readers[seat]._tokens = BURST
            readers[seat].came(uid_of(card))

        play_on(served, Evening(table), tap)
        pass_time(table, lambda: table.known.kept, "a record that is kept")
        assert run(["replay", str(tmp_path / table.known.kept)]) == 0
        assert run(["verify", str(tmp_path / table.known.kept), "--key", str(table.flash / "key.bin")]) == 0


@pytest.mark.everything
def test_the_example_of_another_kind_of_reader_runs_as_it_stands(tmp_path, monkeypatch):
    """With a stand-in for a serial port."""
    page = (ROOT / "docs" / "play-protocol.md").read_text().partition("## Another kind of reader")[2]
    lines, taps = [b"04A1B2C3\n", b"\n", b"04330102030405\n"], []

    class Serial(contextlib.AbstractContextManager):
        def __init__(self, port):
            assert port == "/dev/ttyUSB0"

        def __exit__(self, *_):
            pass

        def readline(self):
            if lines:
                return lines.pop(0)
            raise OSError("unplugged")

    monkeypatch.setitem(sys.modules, "serial", SimpleNamespace(Serial=Serial))
    monkeypatch.setattr(Reader, "came", lambda self, uid: taps.append(uid.hex()))
    monkeypatch.chdir(tmp_path)
    said = {"__name__": "my_reader", "print": taps.append}
    code = textwrap.dedent("\n".join(line for line in page.splitlines() if line.startswith("    ") or not line))
    exec(compile(code, "docs/play-protocol.md", "exec"), said)

    async def evening():
        task = asyncio.create_task(said["play"]())
        await wait_until(lambda: len(taps) == 3 or task.done(), "the test", "two taps and an address")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(evening())
    assert {"04a1b2c3", "04330102030405"} < set(taps) and [one for one in taps if one.startswith("http")], taps


PEOPLE = ("Anna", "Boris", "Vera", "Gleb")
SHARED = (("durak throw-in", 3, 36), ("durak transfer", 4, 36), ("bailiff", 3, 36), ("malice payoff=5", 2, 108))


@pytest.mark.everything
@pytest.mark.parametrize(("game", "count", "size"), SHARED, ids=lambda one: str(one).replace(" ", "-"))
def test_one_reader_for_all_serves_a_whole_game(game, count, size, tmp_path):
    """Whose a card is the table knows from the hand that it lies in, or from whom it waits for; else a name is touched,
    once for a whole deal."""
    from host_tools.cli import run

    people = ",".join(f"phone:{name}" for name in PEOPLE[:count])
    with Real(tmp_path, people, size=size, stands_still=True, speed=8.0) as served:
        table = served.table
        pass_time(table, lambda: table.phase == "lobby", "the lobby")
        start_shared(served, game, count)
        common = served.run(served.sit("common"))
        reader = served.read(lambda: table.readers.admit(COMMON, "usb", "in the middle"))
        touched = []

        def tap(seat, card):
            whose = table.owner_of(uid_of(card)) or table.readers.touched
            if table.readers.touched != seat and (whose != seat or table.phase == "deal"):
                touched.append(table.phase)
                Actor(table, "common", []).do({"do": "touch", "seat": seat})
            reader._tokens = BURST
            reader.came(uid_of(card))

        play_on(served, Evening(table), tap)
        pass_time(table, lambda: table.known.kept, "a record that is kept")
        assert "play" not in touched or game.startswith("malice"), "the table knew whose each card was"
        text = (tmp_path / table.known.kept).read_text()
        assert "\nreader: common\n" in text
        assert "! T2" not in text, text
        assert run(["replay", str(tmp_path / table.known.kept)]) == 0
        assert run(["verify", str(tmp_path / table.known.kept), "--key", str(table.flash / "key.bin")]) == 0
        served.run(common.close())


def test_the_next_game_of_a_match_says_too_that_one_reader_is_for_all():
    header = Header()
    header.game, header.seats, header.places = ["durak", "throw-in"], ["Anna", "Boris"], [1, 2]
    header.keys = [("reader", "common"), ("standing", "1 0")]
    assert copy(header, 2, 0, 2).keys == [("reader", "common")], "what belongs to one game alone stays with it"


def start_shared(served, game, count):
    """The host chooses one reader for all, and begins."""
    table = served.table
    host = Actor(table, "host", [])
    seats = [{"name": name, "who": "phone"} for name in PEOPLE[:count]]

    def begin():
        host.do({"do": "share", "on": True})
        host.do({"do": "start", "game": game, "seats": seats, "dealer": count})

    served.read(begin)
    pass_time(table, lambda: table.cards is not None, "a game")


@pytest.mark.everything
def test_two_games_of_an_evening_with_one_reader_for_all(tmp_path):
    """The second begins as the first has ended: its record says so, too, and holds."""
    from host_tools.cli import run

    with Real(tmp_path, stands_still=True, speed=8.0) as served:
        table = served.table
        pass_time(table, lambda: table.phase == "lobby", "the lobby")
        start_shared(served, "durak throw-in", 2)
        common = served.run(served.sit("common"))
        reader = served.read(lambda: table.readers.admit(COMMON, "usb", "in the middle"))

        def tap(seat, card):
            if table.readers.touched != seat and table.owner_of(uid_of(card)) != seat:
                Actor(table, "common", []).do({"do": "touch", "seat": seat})
            reader._tokens = BURST
            reader.came(uid_of(card))

        kept = []
        for seed in (1, 2):
            play_on(served, Evening(table, seed), tap)
            pass_time(table, lambda: table.known.kept not in ("", *kept), "a record that is kept")
            kept.append(table.known.kept)
            path = tmp_path / table.known.kept
            assert "\nreader: common\n" in path.read_text()
            assert run(["replay", str(path)]) == 0
            assert run(["verify", str(path), "--key", str(table.flash / "key.bin")]) == 0
            if seed == 1:
                served.read(lambda: Actor(table, "host", []).do({"do": "next"}))
                pass_time(table, lambda: table.phase == "deal", "the next game")
        assert len(set(kept)) == 2 and "\nstanding:" in path.read_text(), "games of one match"
        served.run(common.close())


def test_one_reader_for_all_is_refused_where_a_card_cannot_tell_and_where_the_game_began_without(tmp_path):
    with Real(tmp_path, stands_still=True) as served:
        table = served.table
        pass_time(table, lambda: table.phase == "lobby", "the lobby")
        host, common = Actor(table, "host", []), Actor(table, "common", [])
        seats = [{"name": name, "who": "phone"} for name in (*PEOPLE, "Dora")]

        def ask(actor, **act):
            try:
                return served.read(lambda: actor.do(act)) or ""
            except NotAllowed as refusal:
                return str(refusal)

        assert "has not chosen" in ask(common, do="reader", on=True)
        ask(host, do="share", on=True)
        assert "face-down card" in ask(host, do="start", game="cals-bs", seats=seats[:3])
        assert "two to four" in ask(host, do="start", game="durak throw-in", seats=seats)
        ask(host, do="share", on=False)
        assert ask(host, do="start", game="cals-bs ne-veryu", seats=seats[:3]) == ""
        pass_time(table, lambda: table.header is not None and table.is_playing, "a game")
        ask(host, do="share", on=True)
        assert "face-down card" in ask(common, do="reader", on=True)
        assert served.read(table.why_no_common) == "face-down"
        assert ask(host, do="start", game="durak throw-in", seats=seats[:2], give_up=True) == ""
        pass_time(table, lambda: table.game is not None and table.game.NAME == "durak" and table.is_playing, "a game")
        assert ask(common, do="reader", on=True) == "", "this game says so"
        assert "no USB reader" in ask(host, do="learn_readers")


def test_one_reader_registers_a_deck_in_order_and_takes_back_the_last(tmp_path):
    """The table's own list, brought there by the host: order, a tag twice, undo, what is written on the tags."""
    with Real(tmp_path, size=0, stands_still=True) as served:
        table, written = served.table, {}
        pass_time(table, lambda: table.phase == "lobby", "the lobby")

        page = served.run(served.sit(0))

        def ask(do, **more):
            return served.run(page.done(do, **more))

        reader = served.read(lambda: table.readers.admit(1, "usb", "", write=written.__setitem__))
        assert ask("enrol", seat=1, size=36)["ok"]
        pass_time(table, lambda: table.readers.enrolment.is_open or table.readers.enrolment.failed, "the list")
        enrolment = table.readers.enrolment
        assert not enrolment.failed, served.read(table.lines)

        def lay(card, left, holds=""):
            reader._tokens, laid = BURST, table.readers.laid
            served.read(lambda: reader.came(uid_of(card), holds))
            pass_time(table, lambda: table.readers.laid > laid, f"card {card}")
            assert len(enrolment.missing()) == left

        order, begun_us = [card_number(name) for name in enrolment.cards], table.now_us
        for at, card in enumerate(order[:9]):
            lay(card, 35 - at)
        assert (table.now_us - begun_us) * 36 / 9 < 120_000_000, "a deck in two minutes, if nobody wastes time"
        lay(order[8], 27)  # its tag is a card already: refused
        assert ask("take_back")["ok"]
        pass_time(table, lambda: len(enrolment.missing()) == 28, "the card that was taken back")
        assert served.read(enrolment.tell)["next"][0] == enrolment.cards[8]
        pass_time(table, lambda end=table.now_us + 2_000_000: table.now_us > end, "a moment")
        for at, card in enumerate(order[8:10]):
            lay(card, 27 - at)
        assert enrolment.registered == {uid_of(card).hex().upper(): name
                                        for card, name in zip(order[:10], enrolment.cards[:10], strict=True)}
        assert len(written) == 10 and written[uid_of(order[0])].startswith("CT1 6S ")
        lay(order[10], 25, "the key of Anna's door")  # somebody's own: a card all the same, and left alone
        assert len(written) == 10 and text_on(table.readers.model(uid_of(order[10]))) == "the key of Anna's door"
        assert ask("end_enrolment")["ok"] and table.readers.enrolment is None
        served.run(page.close())


