"""Decides when a sender of records says which message. It has no network and no clock: it is told times and answers.

A record is offered until its receipt has come, and a receipt names the record by its own seal. So it does not matter
what the network loses, doubles or brings late, or who of the two forgets that they have talked.
"""

from __future__ import annotations

from collections.abc import Callable

from host_tools.club.wire import topics
from host_tools.club.wire.outbox import Outbox
from host_tools.club.wire.topics import GONE, HERE, Message, Topic, read_topic


class Courier:
    """One sender: a bridge, which speaks for many tables, or one table (`role` table, and its own name)."""

    def __init__(self, outbox: Outbox, event: str, name: str, role: str = "bridge",
                 on_news: Callable[[str], object] = lambda text: None) -> None:
        self.outbox = outbox
        self.event = event
        self.name = name
        self.role = role
        self.on_news = on_news
        own = name if role == "table" else "+"
        self.subscriptions = [
            str(Topic(event, "table", own, "receipt")), str(Topic(event, "table", own, "order")),
            str(Topic(event, "director", "main", "state")),
        ]
        self.sees_director = False  # it has said that it is here, or has answered, on this connection
        self.will = topics.state_of(event, role, name, GONE)
        self._again: dict[int, tuple[float, float]] = {}  # number of a record: offered again at, and after so long

    def hello(self) -> list[Message]:
        """The connection stands, perhaps after a loss: all that waits is offered at once."""
        self.sees_director = False
        self._again.clear()
        return [topics.state_of(self.event, self.role, self.name, HERE)]

    def lost(self) -> None:
        """The connection has ended, and with it what is known of the director."""
        self.sees_director = False

    def due(self, now_s: float) -> tuple[list[Message], float]:
        """What has to be said now, and how many seconds nothing more will be due if nothing happens."""
        waiting = self.outbox.waiting(topics.WINDOW, self.name if self.role == "table" else "")
        numbers = {record.number for record in waiting}
        self._again = {number: again for number, again in self._again.items() if number in numbers}
        messages, rest_s = [], topics.RETRY_S[1]
        for record in waiting:
            at_s, pause_s = self._again.get(record.number, (now_s, topics.RETRY_S[0]))
            if at_s <= now_s:
                messages.append(topics.offer(self.event, record.table, record.data))
                at_s = now_s + pause_s
                self._again[record.number] = (at_s, min(2 * pause_s, topics.RETRY_S[1]))
            rest_s = min(rest_s, at_s - now_s)
        return messages, rest_s

    def heard(self, messages: list[Message]) -> list[Message]:
        """What came; the answers to it, of which a courier has none."""
        with self.outbox.at_once():
            self.take(messages)
        return []

    def take(self, messages: list[Message]) -> None:
        """Receipts, orders, and whether the director is here."""
        for message in messages:
            topic = read_topic(message.topic)
            if topic is None or topic.event != self.event or len(message.payload) > topics.SMALL_LIMIT:
                continue
            if topic.role == "director" and (topics.read(message.payload) or {}).get("state") == HERE:
                # It may take now what it refused. If it has come back, it may never have seen what was offered; a
                # retained state is older than this connection, and so than every offer on it.
                self.sees_director = True
                if not message.retain:
                    self._again.clear()
                self.outbox.offer_again()
            elif topic.what == "receipt":
                self.take_receipt(topic.name, message.payload)
            elif topic.what == "order":
                self.take_order(topic.name, message.payload)

    def take_receipt(self, table: str, payload: bytes) -> None:
        """The director has a record, or will never count it."""
        said = topics.read_receipt(payload)
        if said is None:
            return
        seal, status, reason = said
        if self.outbox.settle(table, seal, status, reason):
            self.on_news(f"{table}: {status}" + (f", {reason}" if reason else ""))

    def take_order(self, table: str, payload: bytes) -> None:
        """The director says what the table shall play next. It is only kept here: the table's people confirm it."""
        said = topics.read_order(payload)
        if said is not None and self.outbox.orders(self.event).get(table, ("", "")) != said:
            self.outbox.keep_order(self.event, table, *said)
            self.on_news(f"{table}: order {said[0]}" if said[0] else f"{table}: the order is taken back")
