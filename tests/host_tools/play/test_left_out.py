"""Who came by the code and has no seat in the game that goes on; and errors that cost an act, and not the table."""

import json
from types import SimpleNamespace

import pytest

from host_tools.base.bugs import BugLog
from host_tools.judge.sentences import languages
from host_tools.play.acts import Actor, NotAllowed
from host_tools.play.browser.table import SteppedTable
from host_tools.play.readers.readers import NO_TEXT, Readers
from host_tools.play.seating import Seating
from host_tools.play.start import Wishes, prepare
from host_tools.play.web.desk import PUT_OFF
from host_tools.virtual.chips.ntag21x import text_on
from host_tools.virtual.fingers import uid_of
from tests.host_tools.published.drive import hasten


def play_to_the_end(folder):
    """A table at which two have played a game of two, while a fifth friend has a phone."""
    table = SteppedTable(folder / "table", seed=3, library=folder / "games")
    table.machine.ahead_s = lambda: 0.0
    prepare(table, Wishes(game="durak throw-in", seats=[("Ann", "bot:beginner"), ("Bob", "bot:beginner")]))
    table.start()
    for hands in table.hands.values():
        hands._choose = hasten(hands._choose)
    secret = table.seating.take(5, "Eva")
    while not table.known.is_closed:
        table.machine.live()
    return table, table.seating.of_secret(secret)


def test_who_has_no_seat_in_this_game_cannot_begin_the_next_and_stops_no_table(tmp_path):
    table, (role, seats) = play_to_the_end(tmp_path)
    said = []

    def press(role, seats):
        try:
            Actor(table, role, seats).do({"type": "act", "n": 1, "do": "next"})
        except NotAllowed as refusal:
            said.append(str(refusal))

    try:
        table.machine.post(lambda: press(role, seats))
        for _ in range(20):
            table.machine.live()
        assert (role, seats, said) == ("seat", [5], ["that is not your seat"]) and table.phase == "over"
        table.machine.post(lambda: press(role, [5, 2]))  # one phone for two seats, of which one plays
        phases = []
        while table.phase != "deal" and len(phases) < 5000:
            table.machine.live()
            phases.append(table.phase)
        assert table.phase == "deal" and "lobby" in phases and not table.bugs.count and len(said) == 1
    finally:
        table.close()


def test_only_who_plays_agrees_that_a_virtual_player_sits_down():
    seating = Seating()
    for seat, who in ((1, "here"), (2, "phone"), (5, "phone")):
        seating.sit(seat, who, "ABCDE"[seat - 1])
    seating.present = {1, 5}
    table = SimpleNamespace(seating=seating, acts_for=lambda role: {}, place_of=lambda seat: seat if seat < 3 else 0)
    Actor(table, "host", [1]).do({"do": "propose", "seat": 2})
    assert seating.chairs[2].stands_in


def test_a_text_for_which_the_modelled_tag_has_no_room_is_no_text():
    """A sticker with a long text in letters of three bytes: it is somebody else's, and the table leaves it alone."""
    readers = Readers(SimpleNamespace(post=lambda work: None), lambda: 0.0)
    assert text_on(readers.model(uid_of(1), "ส" * 60)) == NO_TEXT
    assert text_on(readers.model(uid_of(1), "6S")) == "6S"


def test_an_error_in_an_act_is_noted_and_ends_that_act_alone():
    bugs, done = BugLog(None), []

    def act():
        done.append((yield 1))
        raise KeyError(0)

    guarded = bugs.guard(act(), "an act")
    assert next(guarded) == 1
    with pytest.raises(StopIteration):
        guarded.send("heard")
    assert done == ["heard"] and bugs.count == 1


def tell_events(table):
    """The texts of the feed, without what the firmware says of itself; and the last number of a card that was dealt."""
    lines = table.known.feed.lines
    dealt = max((line.get("dealt", 0) for line in lines), default=0)
    return [line["text"] for line in lines if line["kind"] != "table"], dealt


def test_a_power_cut_tells_nothing_twice(tmp_path):
    """T9: the table reads its record again from the first line; who listens has heard it."""
    def play(cuts):
        table = SteppedTable(tmp_path / str(cuts), seed=3, library=tmp_path / f"games{cuts}")
        table.machine.ahead_s = lambda: 0.0
        prepare(table, Wishes(game="durak throw-in", seats=[("Ann", "bot:beginner"), ("Bob", "bot:beginner")]))
        table.start()
        for hands in table.hands.values():
            hands._choose = hasten(hands._choose)
        try:
            for count in (10, 20)[:cuts]:
                while len(tell_events(table)[0]) < count:
                    table.machine.live()
                table.machine.post(lambda: table.machine.power(False))
                for _ in range(20):
                    table.machine.live()
                table.machine.post(lambda: table.machine.power(True))
            while len(tell_events(table)[0]) < 30:
                table.machine.live()
            return tell_events(table)
        finally:
            table.close()

    events, dealt = play(2)
    assert dealt == 12 and sum("draws a card" in text for text in events[:13]) == 12
    assert len(set(events)) > 8 and not any(events[at:at + 4] == events[:4] for at in range(1, 26))


def test_sentences_with_which_a_page_is_sent_away_are_in_every_language():
    from host_tools.judge.sentences import Sentences

    for sentence in ("this link was opened too many times", "too many spectators", "too many messages",
                     "too many spectators from one address", PUT_OFF):
        assert len({Sentences(language=language).why(sentence) for language in languages()}) == len(languages())


def test_a_hint_for_a_position_of_before_is_not_said():
    """The process aside works on one after the other: the first answer may come while the second is thought over."""
    import asyncio

    from host_tools.play.web.thinking import Thinking

    class Connection:
        def __init__(self):
            self.told = []

        def reply(self, message):
            self.told.append(json.loads(message))

    async def run():
        ends = {"first": asyncio.Event(), "second": asyncio.Event()}

        async def ask(key, work, facts):
            await ends[facts].wait()
            return json.dumps({"play": facts})

        page, other = Connection(), Connection()
        thinking = Thinking(SimpleNamespace(), SimpleNamespace(ask=ask))
        tasks = [asyncio.create_task(thinking.think(one, thinking.note(one, {"type": "hint", "seat": 1}), (facts,)))
                 for one, facts in ((page, "first"), (other, "first"), (page, "second"))]
        for end in ends.values():
            end.set()
        await asyncio.gather(*tasks)
        assert [one["play"] for one in page.told] == ["second"] and [one["play"] for one in other.told] == ["first"]

    asyncio.run(run())
