"""The director's end of the network: it answers an offer after the record is stored durably, and hands out orders.

It keeps nothing that counts: whatever is lost here comes again, because a table offers its record until the receipt has
come. So it may be stopped at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from host_tools.club.tournament.room import ALIVE_S, DIRECTOR
from host_tools.club.wire import topics
from host_tools.club.wire.topics import GONE, HERE, Message, Topic, read_topic

ORDERS_S = 2.0  # how often the director is asked for new set-ups
MEET_S = 5.0  # for a director that the broker remembers to say that it is there
_AGAIN_S = 1.0  # how often it says so: the other one may say so, too
ROOM_LIMIT = 20_000  # names that are kept; a federation has 10,000 tables
SHOWN = ("state", "bridge", "order", "waits", "weak")  # what a page shows of a state
SHOWN_CHARS = 80  # of each: seven readers that weaken take 73
_ALONE = 3  # records that fail one by one, after all at once could not be stored, until the database counts as gone


class Receipt(Protocol):
    """What the director says of a record (host_tools/club/tournament/intake.py)."""

    @property
    def status(self) -> str: ...

    @property
    def reason(self) -> str: ...


class Desk:
    """Stands between a director and the network.

    take: stores all these (record, source) durably and gives a receipt for each; if it raises, the offers stay without
    an answer. list_orders: {table: (number, set-up)}, empty texts for a table without an order: a director before this
    one may have left one at the broker. on_room: told {`table club-north-2`: what it says} of all who
    have said something new, and now and then of the director alone. tournament: its name and when it began, which tell
    it from another one that is `event` on the network, too; on_rival: told the name of one that was there first.
    """

    def __init__(self, event: str, take: Callable[[list[tuple[bytes, str]]], Sequence[Receipt]],
                 list_orders: Callable[[], dict[str, tuple[str, str]]] = dict,
                 on_news: Callable[[str], object] = lambda text: None,
                 on_room: Callable[[dict[str, dict[str, str]]], object] = lambda told: None,
                 tournament: tuple[str, str] = ("", ""),
                 on_rival: Callable[[str], object] = lambda name: None) -> None:
        self.event = event
        self.store = take
        self.list_orders = list_orders
        self.on_news = on_news
        self.on_room = on_room
        self.tournament = tournament
        self.on_rival = on_rival
        self.subscriptions = [
            str(Topic(event, "table", "+", "offer")), str(Topic(event, "table", "+", "state")),
            str(Topic(event, "bridge", "+", "state")), str(Topic(event, "director", "main", "state")),
        ]
        self.will = topics.state_of(event, "director", "main", GONE)
        self.present: dict[str, str] = {}  # `table club-north-2`: here, playing or gone
        self.answered = 0
        self.unanswered = 0  # offers that were too many or too large, or that could not be stored
        self.trouble = ""  # why there are no orders: the database is away
        self._is_up = False
        self._yields = self._doubts = False  # to another tournament of that name, which is there, or may be
        self._doubts_s = 0.0  # until when it may be; 0: that is to be reckoned
        self._said_s = -_AGAIN_S  # when that other one was answered last
        self._room: dict[str, dict[str, str]] = {}  # what was heard and not told yet
        self._alive_s = 0.0  # when the room has to be told again that somebody listens
        self._ordered: dict[str, tuple[str, str]] = {}  # what is retained at the broker
        self._minute: tuple[int, dict[str, int]] = (0, {})
        self._now_s = 0.0

    def hello(self) -> list[Message]:
        """The connection stands: every table offers again what has no receipt. Orders are told again, too, because a
        broker may have lost them."""
        self._ordered.clear()
        self._is_up, self._doubts, self._alive_s = True, False, 0.0
        return [self.here()]

    def here(self) -> Message:
        """That this tournament's director is here."""
        name, begun = self.tournament
        more = {"tournament": name, "begun": begun} if name else {}
        return topics.state_of(self.event, "director", "main", HERE, **more)

    def lost(self) -> None:
        """The connection has ended."""
        self._is_up, self._alive_s = False, 0.0

    def due(self, now_s: float) -> tuple[list[Message], float]:
        """Orders that are new or have changed, and when to ask again."""
        self._now_s = now_s
        self._doubts_s = self._doubts_s or now_s + MEET_S
        self._doubts = self._doubts and now_s < self._doubts_s
        self.tell_room()
        if self._yields or self._doubts:
            return [], ORDERS_S
        try:
            orders = self.list_orders()
        except Exception as trouble:  # noqa: BLE001 - a database that is away comes back
            self.trouble = f"no orders: {trouble}"
            self.on_news(self.trouble)
            return [], ORDERS_S
        self.trouble = ""
        messages = [topics.order(self.event, table, *said) for table, said in sorted(orders.items())
                    if self._ordered.get(table) != said]
        messages += [topics.order(self.event, table, "", "") for table in sorted(self._ordered) if table not in orders]
        self._ordered = dict(orders)
        return messages, ORDERS_S

    def heard(self, messages: list[Message]) -> list[Message]:
        """What came; the receipts, each only after its record is stored."""
        offers: list[tuple[str, str, bytes]] = []
        answers: list[Message] = []
        for message in messages:
            topic = read_topic(message.topic)
            if topic is None or topic.event != self.event:
                continue
            if topic.what == "offer" and topic.role == "table":
                seal = topics.find_seal(message.payload) if len(message.payload) <= topics.OFFER_LIMIT else ""
                if seal and self.spend_offer(topic.name) <= topics.OFFERS_A_MINUTE:
                    offers.append((topic.name, seal, message.payload))
                else:
                    self.unanswered += 1
            elif topic.role == "director":
                answers = self.meet(topics.read(message.payload) or {}, message.retain) or answers
            elif topic.what == "state":
                self.see(f"{topic.role} {topic.name}", topics.read(message.payload) or {})
        if self._yields or self._doubts:
            self.unanswered += len(offers)
            return answers
        return answers + (self.answer(offers) if offers else [])

    def meet(self, said: dict[str, str], is_retained: bool) -> list[Message]:
        """A director of that name says how it is: this one, another of the same tournament, or one of another
        tournament, of which the later one yields: each would refuse the other's games, and order its tables about."""
        state, other = said.get("state"), (said.get("tournament", ""), said.get("begun", ""))
        if state == GONE:
            # Its last will spoke for all directors of that name. A retained one is older than this connection, and
            # `hello` has answered it.
            return [] if is_retained or self._yields else [self.here()]
        if state != HERE or other == self.tournament or "" in (other[0], self.tournament[0]) or self._yields:
            return []
        if is_retained:  # it was there before this connection, if it is there: then it answers
            self._doubts, self._doubts_s = True, 0.0
        elif self._doubts:
            self._yields = True
            self.on_rival(other[0])
        elif self._now_s >= self._said_s + _AGAIN_S:
            self._said_s = self._now_s
            self._ordered.clear()  # it may have sent its own
            return [self.here()]
        return []

    def see(self, who: str, said: dict[str, str]) -> None:
        """A state: for people who look at the room."""
        if who in self.present or len(self.present) < ROOM_LIMIT:
            self.present[who] = said.get("state", GONE)
            self._room[who] = {key: said[key][:SHOWN_CHARS] for key in SHOWN if key in said}

    def tell_room(self) -> None:
        """Hand on what was heard. What cannot be kept now comes again with the next look."""
        if not self._room and self._now_s < self._alive_s:
            return
        try:
            self.on_room({**self._room, DIRECTOR: {"state": HERE if self._is_up else GONE}})
        except Exception:  # noqa: BLE001 - a database that is away comes back; the orders say so
            return
        self._room, self._alive_s = {}, self._now_s + ALIVE_S

    def answer(self, offers: list[tuple[str, str, bytes]]) -> list[Message]:
        """The receipts for records of (table, seal, record); none for what could not be stored: it comes again."""
        try:
            receipts = self.store([(record, f"mqtt:{table}") for table, _, record in offers])
        except Exception as trouble:  # noqa: BLE001 - a database that is away comes back
            if len(offers) == 1:
                self.unanswered += 1
                self.on_news(f"{offers[0][0]}: not stored: {trouble}")
                return []
            return self.answer_alone(offers)
        answers = []
        for (table, seal, _), receipt in zip(offers, receipts, strict=True):
            self.answered += 1
            if receipt.status != topics.KNOWN:
                self.on_news(f"{table}: {receipt.status}" + (f", {receipt.reason}" if receipt.reason else ""))
            answers.append(topics.receipt(self.event, table, seal, receipt.status, receipt.reason))
        return answers

    def answer_alone(self, offers: list[tuple[str, str, bytes]]) -> list[Message]:
        """One after the other, so that a record on which the director stumbles stops no other."""
        answers: list[Message] = []
        failed = 0
        for at, offer in enumerate(offers):
            said = self.answer([offer])
            failed = 0 if said else failed + 1
            answers += said
            if failed == _ALONE:
                self.unanswered += len(offers) - at - 1
                break
        return answers

    def spend_offer(self, table: str) -> int:
        """One more offer of the table; how many they are in this minute."""
        minute = int(self._now_s // 60)
        if self._minute[0] != minute:
            self._minute = (minute, {})
        counts = self._minute[1]
        counts[table] = counts.get(table, 0) + 1
        return counts[table]


def name_orders(orders: Sequence[Any], tables: Iterable[str] = ()) -> dict[str, tuple[str, str]]:
    """{table: (number, set-up)} of the director's orders; empty texts for the other `tables`. A changed set-up has
    another number; of two tables whose names would be one in a topic neither gets an order."""
    found: dict[str, tuple[str, str]] = {}
    twice = set()
    for order in orders:
        table = topics.to_name(order.table)
        if table in found:
            twice.add(table)
        found[table] = (topics.number_of(order.round, order.game, order.setup), order.setup)
    none = dict.fromkeys(map(topics.to_name, tables), ("", ""))
    return {table: said for table, said in (none | found).items() if table and table not in twice}
