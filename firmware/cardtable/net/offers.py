"""Decides what a table says when, without a network: it is told the time and what came. What it offers are finished
records, one at a time, each until a receipt names it by its own seal; so nothing depends on what the network loses.
"""

import json
import os
import time

from cardtable.between.archive import RECORD, list_names, mark_pulled
from cardtable.net.topics import FINAL, FIRST_S, HERE, MOST_S, OFFER_LIMIT, REFUSED, find_seal, is_name, write_topic
from cardtable.record.journal import FOLDER
from micropython import const

_SIZE = const(6)  # of what os.stat tells
_END = const(1024)  # bytes: in these a record's last seal lies


class Offers:
    """The records of this table that wait for their receipts, and the order that came."""

    def __init__(self, event: str, table: str, folder: str = FOLDER, on_news=print) -> None:
        """event: the tournament; table: this table's name; folder: where its finished games lie."""
        self.folder = folder
        self.on_news = on_news
        self.offer_topic = write_topic(event, "table", table, "offer")
        self.state_topic = write_topic(event, "table", table, "state")
        self.receipt_topic = write_topic(event, "table", table, "receipt")
        self.order_topic = write_topic(event, "table", table, "order")
        self.director_topic = write_topic(event, "director", "main", "state")
        self.order: tuple = ()  # (number, set-up) that came and was not proposed yet
        self.refused = 0  # records that the director does not take, since it was last seen to come
        self._left: list = []  # names that are not offered now: refused, without a seal, or too long
        self.hello()

    def hello(self) -> None:
        """The connection stands, perhaps after a loss: what waits is offered at once."""
        self.name = ""  # of the file that is offered
        self._seal = ""
        self._pause_s = FIRST_S
        self._at_ms = time.ticks_ms()
        self._is_stale = True  # the folder is to be looked at

    def count(self) -> int:
        """How many records wait for their receipts."""
        return len([name for name in list_names(self.folder) if name.endswith(RECORD) and name not in self._left])

    def take_next(self) -> None:
        """The oldest record that has its seal is offered next, if there is one."""
        self.name = ""
        for name in list_names(self.folder):
            if name.endswith(RECORD) and name not in self._left:
                self._seal = self.read_seal(name)
                if self._seal:
                    self.name = name
                    return
                self._left.append(name)

    def read_seal(self, name: str) -> str:
        """The seal of that record; empty for one that cannot be offered."""
        path = self.folder + "/" + name
        try:
            size = os.stat(path)[_SIZE]
            if size > OFFER_LIMIT:
                self.on_news("%s is too long to be sent: pull it" % name)
                return ""
            with open(path, "rb") as file:
                file.seek(max(0, size - _END))
                return find_seal(file.read(_END))
        except OSError:
            return ""

    def due(self, now_ms) -> str:
        """The path of the record that has to be offered now; empty if none has to."""
        if self._is_stale:
            self._is_stale = False
            self.take_next()
        if not self.name or time.ticks_diff(now_ms, self._at_ms) < 0:
            return ""
        self._at_ms = time.ticks_add(now_ms, 1000 * self._pause_s)
        self._pause_s = min(2 * self._pause_s, MOST_S)
        return self.folder + "/" + self.name

    def heard(self, topic: str, payload: bytes) -> None:
        """A message came. Nothing in it is believed but what is asked here."""
        if topic == self.order_topic:
            said = read_texts(payload)
            number = said.get("order", "")
            if not payload:  # taken back
                self.order = ()
            elif is_name(number) and said.get("setup"):
                self.order = number, said["setup"]
        elif topic == self.receipt_topic:
            said = read_texts(payload)
            if self.name and said.get("seal") == self._seal and said.get("status") in FINAL:
                self.settle(said["status"], said.get("reason", ""))
        elif topic == self.director_topic and read_texts(payload).get("state") == HERE:
            # It has come back: it may never have seen what was offered, and may take now what it refused.
            self.refused = 0
            self._left.clear()
            self.hello()

    def settle(self, status: str, reason: str) -> None:
        """The receipt of the record that is offered: the director has it, or does not take it."""
        self.on_news("%s: %s%s" % (self.name, status, ", " + reason if reason else ""))
        if status == REFUSED:
            self.refused += 1
            self._left.append(self.name)
        else:
            try:
                mark_pulled(self.folder + "/" + self.name)
            except OSError:  # it is offered again after the next start, and known then
                self._left.append(self.name)
        self.hello()


def read_texts(payload: bytes) -> dict:
    """The texts of a payload that is no record; nothing if it is none."""
    try:
        said = json.loads(payload)
    except ValueError:
        return {}
    if not isinstance(said, dict):
        return {}
    return {key: said[key] for key in said if isinstance(said[key], str)}
