"""Owns one tournament: its state, and the log from which the state follows."""

from __future__ import annotations

import contextlib
import datetime
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from host_tools.club.tournament.plan import Plan, check_plan
from host_tools.club.tournament.room import Room, look_round, note_room
from host_tools.club.tournament.standings import Row, standings
from host_tools.club.tournament.state import UNDONE, Event, State, Unfit, fold, reading
from host_tools.club.tournament.store import Store

Answer = TypeVar("Answer")
Draft = tuple[str, dict[str, Any]]  # kind and data of an event that is yet to get its number


class Director:
    """One tournament in its database. Several processes, and several threads of each, may have one open at once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.RLock()
        self._state = State()
        self._events: list[Event] = []

    def close(self) -> None:
        """Let go of the database."""
        self.store.close()

    # --- what is asked ---

    @property
    def state(self) -> State:
        """The state now, with what other processes wrote. Only look at it."""
        with self._lock:
            self._catch_up(self.store.read(self._state.last))
            return self._state

    @contextlib.contextmanager
    def looking(self) -> Iterator[State]:
        """The state now, which no other thread changes meanwhile."""
        with self._lock:
            yield self.state

    @property
    def plan(self) -> Plan:
        """What the tournament is. UnusableInput where there is none."""
        return self.state.the_plan()

    @property
    def events(self) -> list[Event]:
        """The whole log."""
        with self._lock:
            self._catch_up(self.store.read(self._state.last))
            return list(self._events)

    @property
    def room(self) -> Room:
        """What the network says of the tables now."""
        return look_round(self.store, now())

    def note_room(self, told: Mapping[str, Mapping[str, str]]) -> None:
        """Keep what the network says."""
        note_room(self.store, told, now())

    def standings(self) -> list[Row]:
        """The standings now."""
        with self.looking() as state:  # a result that comes meanwhile waits
            return standings(state.counted(), state.sat_out(), state.the_plan().counted_as)

    # --- what happens ---

    def tell_proof(self) -> str:
        """A sentence if records count here that nobody has sealed with a key; empty if each table has one."""
        with self.looking() as state:
            named, keys = list(state.table_keys), sum(map(bool, state.table_keys.values()))
        if keys and keys == len(named):
            return ""
        missing = f"{len(named) - keys} of {len(named)} tables have no key" if keys else "no table has a key"
        return (f"{missing}: any record that fits counts there, whoever made it, and its result is called unproved."
                " cardtable tournament table --port takes a table's key over its cable.")

    def act(self, who: str, kind: str, **data: Any) -> Event:
        """Append one event: durable when this returns. Unfit if it cannot happen."""
        return self.transact(who, lambda state: ([(kind, data)], [], None))[0][0]

    def transact(self, who: str, work: Callable[[State], tuple[list[Draft], list[dict[str, Any]], Answer]]
                 ) -> tuple[list[Event], Answer]:
        """Append what `work` makes of the newest state: events, records, and an answer. All of it, or nothing."""
        events: list[Event] = []
        with self._lock:
            try:
                with self.store.writing() as connection:
                    self._catch_up(self.store.read(self._state.last, connection))
                    drafts, records, answer = work(self._state)
                    at = now()
                    for kind, data in drafts:
                        event = Event(self._state.last + 1, at, who, kind, data)
                        self._take(event)
                        events.append(event)
                    self.store.append(connection, events, [{**record, "at": at} for record in records])
            except Unfit:
                if events:  # the first one that cannot happen has changed nothing
                    self._forget()
                raise
            except BaseException:
                self._forget()
                raise
            return events, answer

    def undo(self, who: str, number: int, reason: str) -> Event:
        """Take back that event; an undo can be undone, too. Unfit if later events depend on it."""
        with self._lock:
            event = next((event for event in self.events if event.number == number), None)
            if event is None:
                raise Unfit("no.event", number=number)
            if event.kind == "opened":
                raise Unfit("beginning")
            if event.kind != UNDONE and number in {one.data["event"] for one in standing_undos(self._events)}:
                raise Unfit("undone", number=number)
            return self.act(who, UNDONE, event=number, reason=reason)

    def _catch_up(self, events: list[Event]) -> None:
        with reading(self.store.name):
            for event in events:
                self._take(event)

    def _take(self, event: Event) -> None:
        """Into the state: the log's order is the fold's."""
        if event.kind == UNDONE:
            try:
                self._state = fold([*self._events, event])
            except Unfit as wrong:
                number = event.data["event"]
                raise Unfit("depends", number=number, why=wrong) from wrong
        else:
            self._state.apply(event)
        self._events.append(event)

    def _forget(self) -> None:
        """Something was not written: what is written counts."""
        self._state, self._events = State(), []


def standing_undos(events: list[Event]) -> Iterator[Event]:
    """The undos that were not undone."""
    undone: set[int] = set()
    for event in reversed(events):
        if event.kind == UNDONE and event.number not in undone:
            undone.add(event.data["event"])
            yield event


def now() -> str:
    """The time as the log writes it."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def open_director(name: str) -> Director:
    """The tournament in that database: a SQLite file's path, or a URL such as postgresql://... UnusableInput."""
    director = Director(Store(name))
    director.state.the_plan()
    return director


def new_director(name: str, plan: Plan, who: str = "arbiter") -> Director:
    """Begin a tournament in a database that has none. UnusableInput."""
    check_plan(plan)
    director = Director(Store(name, is_new=True))
    director.act(who, "opened", plan=plan.as_data())
    return director
