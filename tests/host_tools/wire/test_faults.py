"""Faults in every order, in a network of this test's own: whatever is lost, doubled, late or killed, each result counts
once (T12).

The couriers and the desk are the real ones; the broker, the network and the clock are here. A schedule is a list of
numbers, each a step; at its end everything works again, and then everything must have arrived.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.club.wire import topics
from host_tools.club.wire.courier import Courier
from host_tools.club.wire.desk import Desk
from host_tools.club.wire.outbox import Outbox
from tests.host_tools.wire.records import Director, make_record

TABLES = ("a", "b", "c")
RECORDS = {(table, number): make_record(table, number) for table in TABLES for number in (1, 2, 3)}
FORGED = make_record("a", 2, seed=9)  # another record of a game that has one: somebody has the table's key
EVENT = "evening"


class Network:
    """Tables, a broker and a director. Each may be away; messages lie in `wire` until a step takes one out."""

    def __init__(self):
        self.now_s = 0.0
        self.director = Director()
        self.outboxes = {table: Outbox(":memory:") for table in TABLES}
        self.couriers = {}
        self.desk = None
        self.wire = []  # (receiver, message)
        self.retained = {}
        self.has_broker = True
        self.left = sorted(RECORDS)
        for table in TABLES:
            self.start_table(table)
        self.start_director()

    def parties(self):
        return {**self.couriers, **({"director": self.desk} if self.desk else {})}

    def publish(self, messages):
        """The broker gives each message to everybody who asked for it."""
        for message in messages if self.has_broker else ():
            if message.retain:
                self.retained[message.topic] = message
            for name, party in self.parties().items():
                if fits(party, message):
                    self.wire.append((name, message._replace(retain=False)))

    def connect(self, name):
        """A party has a new connection."""
        if self.has_broker and name in self.parties():
            party = self.parties()[name]
            self.wire += [(name, message) for message in self.retained.values() if fits(party, message)]
            self.publish(party.hello())

    # --- steps ---

    def start_table(self, table):
        self.couriers[table] = Courier(self.outboxes[table], EVENT, table, "table")
        self.connect(table)

    def start_director(self):
        self.desk = Desk(EVENT, self.director.take)
        self.connect("director")

    def kill_director(self):
        if self.desk:
            will, self.desk = self.desk.will, None
            self.publish([will])

    def kill_table(self, table):
        """A power cut: what the outbox has is durable, all else is forgotten."""
        self.wire = [(name, message) for name, message in self.wire if name != table]
        self.start_table(table)

    def stop_broker(self):
        self.has_broker = False
        self.wire.clear()
        self.retained.clear()

    def start_broker(self):
        if not self.has_broker:
            self.has_broker = True
            for name in list(self.parties()):
                self.connect(name)

    def speak(self):
        """Everybody says what is due."""
        for party in list(self.parties().values()):
            self.publish(party.due(self.now_s)[0])

    def play(self, pick):
        """A table finishes a game."""
        if self.left:
            table, number = self.left.pop(pick % len(self.left))
            self.outboxes[table].add(RECORDS[table, number], table)

    def deliver(self, pick, keeps=False, dies=False):
        """One message arrives, not always the first; it may come again later. dies: its receiver is killed after it has
        looked at it, before its answer is out."""
        if self.wire:
            at = pick % len(self.wire)
            name, message = self.wire[at] if keeps else self.wire.pop(at)
            party = self.parties().get(name)
            answers = party.heard([message]) if party else []
            if not dies:
                self.publish(answers)
            elif name == "director":
                self.kill_director()
            else:
                self.kill_table(name)

    def step(self, number):
        kind, pick = number % 20, number // 20
        table = TABLES[pick % len(TABLES)]
        if kind == 0:
            self.kill_director()
        elif kind in (1, 2):
            if self.desk is None:
                self.start_director()
        elif kind == 3:
            self.kill_table(table)
        elif kind == 4:
            self.stop_broker()
        elif kind in (5, 6):
            self.start_broker()
        elif kind == 7:
            self.director.is_down = not self.director.is_down
        elif kind == 8 and self.wire:
            self.wire.pop(pick % len(self.wire))  # lost
        elif kind == 9:
            self.deliver(pick, keeps=True)  # doubled
        elif kind == 10:
            self.deliver(pick, dies=True)
        elif kind in (11, 12):
            self.play(pick)
        elif kind in (13, 14):
            self.now_s += 1 << pick % 8
            self.speak()
        else:
            self.deliver(pick)

    def settle(self):
        """Everything works again, for as long as something happens: a bounded number of rounds."""
        self.director.is_down = False
        self.start_broker()
        if self.desk is None:
            self.start_director()
        while self.left:
            self.play(0)
        for _ in range(12):
            self.now_s += topics.RETRY_S[1]
            self.speak()
            while self.wire:
                self.deliver(0)

    def check(self):
        assert self.director.kept == RECORDS
        for table, outbox in self.outboxes.items():
            assert not outbox.waiting(1), table
            assert sum(outbox.counts().values()) == 3


def fits(party, message):
    """Whether the party has asked for such a message."""
    levels = message.topic.split("/")
    return any(all(want in ("+", level) for want, level in zip(wanted.split("/"), levels, strict=True))
               for wanted in party.subscriptions)


@given(st.lists(st.integers(0, 20 * 256 - 1), max_size=80))
@settings(max_examples=120, deadline=None)
def test_t12_no_result_is_lost_or_counted_twice_whatever_happens(schedule):
    network = Network()
    for number in schedule:
        network.step(number)
    network.settle()
    network.check()
    assert not network.director.disputed


def test_t12_long_schedules():
    """The same, with many more steps than hypothesis makes."""
    for seed in range(25):
        network, draw = Network(), random.Random(seed)
        for _ in range(300):
            network.step(draw.randrange(20 * 256))
        network.settle()
        network.check()


@given(st.lists(st.integers(0, 20 * 256 - 1), max_size=40))
@settings(max_examples=30, deadline=None)
def test_t12_another_record_of_the_same_game_never_takes_its_place(schedule):
    network = Network()
    network.outboxes["a"].add(RECORDS["a", 2], "a")
    network.settle()
    network.outboxes["a"].add(FORGED, "a")
    for number in schedule:
        network.step(number)
    network.settle()
    assert network.director.kept == RECORDS and network.director.disputed == [FORGED]
    assert network.outboxes["a"].counts().get(topics.DISPUTED, 0) + network.outboxes["a"].counts().get("known", 0) >= 1


def test_a_receipt_ends_only_the_record_that_it_names():
    outbox = Outbox(":memory:")
    outbox.add(RECORDS["a", 1], "a")
    courier = Courier(outbox, EVENT, "a", "table")
    seal = topics.find_seal(RECORDS["a", 1])
    for wrong in (topics.receipt(EVENT, "a", topics.find_seal(RECORDS["b", 1]), topics.COUNTED),
                  topics.receipt(EVENT, "b", seal, topics.COUNTED), topics.receipt("other", "a", seal, topics.COUNTED),
                  topics.receipt(EVENT, "a", seal, "perhaps")):
        courier.heard([wrong])
        assert outbox.waiting(1)
    courier.heard([topics.receipt(EVENT, "a", seal, topics.COUNTED)])
    assert not outbox.waiting(1)


def test_a_record_is_offered_once_on_a_new_connection_and_again_when_the_director_comes_back():
    network = Network()
    network.outboxes["a"].add(RECORDS["a", 1], "a")
    courier, here = network.couriers["a"], network.desk.hello()[0]
    courier.hello()
    assert len(courier.due(0.0)[0]) == 1
    courier.heard([here])  # retained: it was there before the connection
    assert courier.sees_director and not courier.due(1.0)[0]
    courier.heard([here._replace(retain=False)])
    assert len(courier.due(2.0)[0]) == 1
    network.outboxes["a"].settle("a", topics.find_seal(RECORDS["a", 1]), topics.REFUSED, "no such round")
    assert not courier.due(3.0)[0]
    courier.heard([here])
    assert len(courier.due(4.0)[0]) == 1, "what was refused may be taken now"


@pytest.mark.parametrize("is_refused_first", [False, True])
def test_a_damaged_copy_that_came_first_keeps_no_good_one_out(is_refused_first):
    """They have the same last line. The receipt of the damaged one may come behind the good one, or before it."""
    good = RECORDS["a", 1]
    damaged = good.replace(b"durak", b"durac", 1)
    seal = topics.find_seal(good)
    assert topics.find_seal(damaged) == seal and Director().take_one(damaged).status == topics.REFUSED
    outbox = Outbox(":memory:")
    assert outbox.add(damaged, "a", "damaged.rec")
    if is_refused_first:
        assert outbox.settle("a", seal, topics.REFUSED, "no intact record")
    assert outbox.add(good, "a", "good.rec") and [record.data for record in outbox.waiting(9)] == [good]
    assert not outbox.add(damaged, "a") and not outbox.add(good, "a")
    if not is_refused_first:  # the damaged one was on its way
        assert outbox.settle("a", seal, topics.REFUSED, "no intact record")
    assert outbox.settle("a", seal, topics.COUNTED, "") and outbox.counts() == {topics.COUNTED: 1}
    assert not outbox.add(damaged, "a") and not outbox.settle("a", seal, topics.REFUSED, "no intact record")


def test_a_director_answers_only_what_it_has_stored():
    director = Director()
    desk = Desk(EVENT, director.take)
    offer = topics.offer(EVENT, "a", RECORDS["a", 1])
    director.is_down = True
    assert desk.heard([offer]) == [] and desk.unanswered == 1
    director.is_down = False
    (answer,) = desk.heard([offer])
    assert topics.read_receipt(answer.payload)[:2] == (topics.find_seal(RECORDS["a", 1]), topics.COUNTED)
    (answer,) = desk.heard([offer])
    assert topics.read_receipt(answer.payload)[1] == topics.KNOWN


def test_a_record_on_which_the_director_stumbles_stops_no_other():
    director = Director()

    def take(records):
        if any(record == RECORDS["b", 1] for record, _ in records):
            raise ValueError("a fault")
        return director.take(records)

    desk = Desk(EVENT, take)
    answers = desk.heard([topics.offer(EVENT, table, RECORDS[table, 1]) for table in TABLES])
    assert len(answers) == 2 and sorted(director.kept) == [("a", 1), ("c", 1)]


def test_what_is_too_large_or_too_often_gets_no_receipt():
    director = Director()
    desk = Desk(EVENT, director.take)
    outbox = Outbox(":memory:")
    huge = RECORDS["a", 1] + b"; x\n" * topics.OFFER_LIMIT
    assert outbox.add(huge, "a") and not outbox.waiting(1) and outbox.counts() == {topics.REFUSED: 1}
    assert desk.heard([topics.offer(EVENT, "a", huge)]) == []
    offer = topics.offer(EVENT, "a", RECORDS["a", 1])
    desk.due(0.0)
    assert len(desk.heard([offer] * (topics.OFFERS_A_MINUTE + 7))) == topics.OFFERS_A_MINUTE
    assert len(desk.heard([topics.offer(EVENT, "b", RECORDS["b", 1])])) == 1
    desk.due(61.0)
    assert len(desk.heard([offer])) == 1


def test_the_last_will_of_one_director_does_not_speak_for_another():
    """Two directors of one tournament share a topic: a table that comes later would take both for gone."""
    director = Director()
    desk, other = (Desk(EVENT, director.take, lambda: director.orders) for _ in range(2))
    assert any(desk.will.topic == topic for topic in desk.subscriptions)
    assert desk.heard([other.will]) == []  # it was retained, before this desk has said that it is here
    assert desk.heard([other.will._replace(retain=False)]) == desk.hello() and desk.heard(other.hello()) == []
    assert desk.present == {}


def test_orders_are_retained_told_again_after_a_loss_and_taken_back():
    director = Director()
    desk = Desk(EVENT, director.take, lambda: director.orders)
    outbox = Outbox(":memory:")
    courier = Courier(outbox, EVENT, "bridge")
    director.orders = {"a": ("r1-g1", "cardtable 1\n")}
    first, _ = desk.due(0.0)
    assert [message.retain for message in first] == [True] and desk.due(2.0)[0] == []
    courier.heard(first)
    assert outbox.orders(EVENT) == {"a": ("r1-g1", "cardtable 1\n")}
    desk.hello()
    assert desk.due(4.0)[0] == first
    director.orders = {}
    courier.heard(desk.due(6.0)[0])
    assert outbox.orders(EVENT) == {}


def test_an_outbox_keeps_what_it_has_over_a_restart(tmp_path):
    box = Outbox(tmp_path / "outbox.sqlite")
    assert box.add(RECORDS["a", 1], "a", "a.rec") and not box.add(RECORDS["a", 1], "a", "b.rec")
    assert box.add(RECORDS["a", 2], "a") and not box.add(RECORDS["a", 3][:-1], "a")
    box.settle("a", topics.find_seal(RECORDS["a", 1]), topics.COUNTED, "")
    box.close()
    box = Outbox(tmp_path / "outbox.sqlite")
    assert [record.data for record in box.waiting(9)] == [RECORDS["a", 2]]
    assert not box.add(RECORDS["a", 1], "a")
    assert box.settle("a", topics.find_seal(RECORDS["a", 2]), topics.REFUSED, "no such round")
    assert [told[2:] for told in box.told()] == [("refused", "no such round")] and box.offer_again() == 1
    assert [record.data for record in box.waiting(9)] == [RECORDS["a", 2]]
