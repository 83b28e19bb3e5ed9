"""Two tournaments with one name on the network: each would order the other's tables about, and refuse their games."""

import asyncio
import contextlib
import dataclasses

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import UNUSABLE, run
from host_tools.club.tournament import recompute
from host_tools.club.tournament.intake import COUNTED, REFUSED, offer, orders
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.wire import attend, topics
from host_tools.club.wire.desk import MEET_S, Desk
from host_tools.club.wire.link import Address
from host_tools.club.wire.topics import GONE, HERE
from tests.host_tools.tournament.made import NAMES, begin, played
from tests.host_tools.wire.brokers import KINDS
from tests.host_tools.wire.records import Director, make_record
from tests.patience import wait_until

EVENT = "tournament"
SPRING, AUTUMN = ("Кубок весны", "2026-03-01T18:00:00Z"), ("Кубок осени", "2026-10-01T18:00:00Z")
OFFER = topics.offer(EVENT, "a", make_record("a", 1))


class Side:
    """A tournament's desk, its director, and the rivals that it has told of."""

    def __init__(self, tournament):
        self.rivals, self.director = [], Director()
        self.director.orders = {"a": ("r1-g1", "cardtable 1\n")}
        self.desk = Desk(EVENT, self.director.take, lambda: self.director.orders, tournament=tournament,
                         on_rival=self.rivals.append)

    def connect(self, now_s, *retained):
        """A new connection, at a broker that remembers these; what it says first, and what is due then."""
        here = self.desk.hello()
        answers = self.desk.heard([message._replace(retain=True) for message in retained])
        return here, answers + self.desk.due(now_s)[0]

    def hear(self, *messages):
        return self.desk.heard([message._replace(retain=False) for message in messages])


def test_the_later_one_yields_and_touches_no_table():
    """Both of a club's tournaments in Cyrillic letters are `tournament`."""
    spring, autumn = Side(SPRING), Side(AUTUMN)
    here, due = spring.connect(0.0)
    assert [message.topic.rpartition("/")[2] for message in due] == ["order"]
    spring.desk.due(60.0)
    there, due = autumn.connect(100.0, *here)
    assert due == [] and autumn.hear(*there, OFFER) == [] and not autumn.director.kept
    answer = spring.hear(*there, OFFER)
    assert answer[0] == here[0] and topics.read_receipt(answer[1].payload)[1] == topics.COUNTED
    assert autumn.hear(*answer[:1]) == [] and autumn.rivals == [SPRING[0]] and spring.rivals == []
    assert autumn.desk.due(200.0)[0] == [] and autumn.hear(OFFER) == [] and not autumn.director.kept
    assert spring.hear(autumn.desk.will) == here, "its farewell spoke for both"
    assert spring.desk.due(62.0)[0] == [topics.order(EVENT, "a", "r1-g1", "cardtable 1\n")], "told again"


def test_one_that_the_broker_alone_remembers_is_not_waited_for_long():
    """A broker that was killed with a director says for ever that it is here."""
    spring, autumn = Side(SPRING), Side(AUTUMN)
    assert autumn.connect(0.0, *spring.desk.hello())[1] == []
    assert autumn.desk.due(MEET_S - 1)[0] == [] and autumn.hear(OFFER) == []
    assert len(autumn.desk.due(MEET_S)[0]) == 1 and len(autumn.hear(OFFER)) == 1 and autumn.rivals == []


def test_directors_of_one_tournament_and_those_of_an_older_cardtable_stand_beside_each_other():
    for said in ({"tournament": SPRING[0], "begun": SPRING[1]}, {}):
        spring = Side(SPRING)
        other = topics.state_of(EVENT, "director", "main", HERE, **said)
        assert len(spring.connect(0.0, other)[1]) == 1
        assert spring.hear(other, OFFER) and spring.rivals == []
        assert spring.hear(topics.state_of(EVENT, "director", "main", GONE)) == [spring.desk.here()]


def test_a_tournament_of_the_same_name_that_began_another_day_is_another_one():
    spring, again = Side(SPRING), Side((SPRING[0], AUTUMN[1]))
    assert again.connect(0.0, *spring.desk.hello())[1] == []
    assert again.hear(spring.desk.here()) == [] and again.rivals == [SPRING[0]]


def test_a_game_of_an_earlier_tournament_of_that_name_is_refused(tmp_path, monkeypatch):
    """A club calls each evening alike, and the same three sit at its one table: last week's game counted today."""
    last, today = (begin_at(monkeypatch, tmp_path, day) for day in ("2026-10-01", "2026-10-08"))
    record, order = played(orders(last)[0]), orders(today)[0]
    receipt = offer(today, record, "mqtt:table-1")
    assert receipt.status == REFUSED and not today.state.results and today.store.list_seals() == []
    assert receipt.reason == "It is a game of another tournament of that name, which began 2026-10-01T18:00:00Z."
    assert offer(last, record, "mqtt:table-1").status == COUNTED, "its own director takes it, now or later"
    assert offer(today, played(order), "mqtt:table-1").status == COUNTED
    today.undo("arbiter", today.state.last, "a test")
    older = dataclasses.replace(order, setup=order.setup.replace("begun: 2026-10-08T18:00:00Z\n", ""))
    assert offer(today, played(older, 2), "mqtt:table-1").status == COUNTED, "an older cardtable ordered it"
    with pytest.raises(UnusableInput, match="a game of Evening, begun 2026-10-01.*are of Evening, begun 2026-10-08"):
        recompute.recompute([("a.rec", played(order)), ("b.rec", record)])
    for director in (last, today):
        director.close()


def begin_at(monkeypatch, tmp_path, day):
    """That day's tournament, with its round seated."""
    monkeypatch.setattr("host_tools.club.tournament.director.now", lambda: f"{day}T18:00:00Z")
    found = begin(tmp_path / f"{day}.sqlite", NAMES[:3], name="Evening", low=3, best=3, high=3)
    seat_round(found, "arbiter")
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_tournament_ends_with_a_sentence_or_takes_another_name(tmp_path, kind):
    spring, autumn = (begin(tmp_path / f"{name}.sqlite", name=name) for name in (SPRING[0], AUTUMN[0]))
    for director in (spring, autumn):
        seat_round(director, "arbiter")

    async def evening():
        broker, said, more = kind(tmp_path / "broker"), [], []
        await broker.start()
        address = Address(port=broker.port)
        first = asyncio.create_task(attend.serve(spring, address, said.append))
        await wait_until(lambda: any("connected" in line for line in said), "the test", "the first director")
        with pytest.raises(UnusableInput, match="tournament is the name of .*, Кубок весны: .* --as tournament-2"):
            await attend.serve(autumn, address, more.append)
        second = asyncio.create_task(attend.serve(autumn, address, more.append, event="autumn"))
        await wait_until(lambda: "Кубок осени is autumn on the network. Ctrl-C ends it; tables then wait." in more
                         and more[-1].startswith("connected"), "the test", "the second director")
        assert not first.done()
        for task in (first, second):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await broker.kill()

    asyncio.run(evening())
    spring.close()
    autumn.close()


def test_a_name_that_no_topic_has_is_a_sentence(tmp_path, capsys):
    begin(tmp_path / "a.sqlite").close()
    assert run(["tournament", "attend", "--as", "Autumn cup", "--database", str(tmp_path / "a.sqlite")]) == UNUSABLE
    assert "--as has a to z, 0 to 9, - and _, at most 40 of them: autumn-cup?" in capsys.readouterr().err
    for said, usual in (("Кубок осени", "tournament"), ("Autumn cup", "autumn-cup")):
        assert run(["bridge", said, "--usb"]) == UNUSABLE
        assert f"TOURNAMENT has a to z, 0 to 9, - and _, at most 40 of them: {usual}?" in capsys.readouterr().err
