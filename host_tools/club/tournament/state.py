"""Owns the state of a tournament as a fold over its events: nothing else is kept, so nothing can disagree with it.

Each kind of event has a function here. It looks first and changes afterwards: an event that cannot happen raises Unfit
and leaves every part of the state as it was. An undo is an event, too: the fold then leaves out the one that it names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.club.tournament.plan import KNOCK_OUT, Plan, read_plan
from host_tools.club.tournament.refused import Unfit
from host_tools.club.tournament.results import Outcome, read_outcome
from host_tools.club.tournament.standings import Counted

Key = tuple[int, str, int]  # round, table, game

HAND = "by hand"
UNDONE = "undone"
NAMED = "table named"
NAMED_TABLES = 6  # in a sentence
ROLES = ("arbiter", "scorekeeper")


@dataclass(frozen=True)
class Event:
    """A line of the log. `at`: UTC; `who` did it; `data` can be written as JSON."""

    number: int
    at: str
    who: str
    kind: str
    data: dict[str, Any]


@dataclass
class Entrant:
    """One player. `left`: why the player plays no more, or nothing."""

    name: str
    club: str = ""
    team: str = ""
    since: int = 1  # the first round that could seat the player
    left: str = ""
    has_paid: bool = True


@dataclass
class Round:
    """Who sits where. `groups`: the players of each table by seat; `missing`: who was seated and did not come."""

    number: int
    groups: dict[str, tuple[str, ...]]
    byes: tuple[str, ...]
    games: int
    gave_up: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    closed: str = ""  # the reason why games that were not played do not count
    begun: str = ""  # when it was seated
    absent: frozenset[str] = frozenset()  # who had left by then


@dataclass
class Result:
    """A game that counts."""

    key: Key
    seal: str
    outcome: Outcome
    source: str
    event: int
    following: dict[str, str]
    reason: str = ""  # of a correction
    at: str = ""  # when it was counted
    is_proved: bool = False  # its record is sealed with the key of its table


@dataclass
class Dispute:
    """A record, or a slip, that waits for the arbiter."""

    number: int  # of its event
    key: Key | None
    seal: str
    reason: str
    outcome: Outcome | None
    source: str
    following: dict[str, str]
    is_proved: bool = False  # as of a result


class State:
    """Everything that the log says. Read what you like; change it by `apply` alone."""

    def __init__(self) -> None:
        self.plan: Plan | None = None
        self.begun = ""  # when; with the plan's name it tells the tournament from every other one
        self.players: dict[str, Entrant] = {}
        self.table_keys: dict[str, str] = {}  # tables that were named, each with its key as hexadecimal digits, or ""
        self.asked_keys: dict[str, str] = {}  # those that intake asked for when the event was written
        self.gone: set[str] = set()  # those of them that are used no more
        self.watched: dict[str, str] = {}  # the address of the spectators' page of a table
        self.rounds: list[Round] = []
        self.results: dict[Key, Result] = {}
        self.disputes: dict[int, Dispute] = {}
        self.seals: dict[str, str] = {}  # every record and slip that was taken in, and what became of it
        self.texts: set[str] = set()  # those of them whose record lies in the database
        self.links: dict[str, tuple[str, str]] = {}  # digest of a sign-in link's secret: role, name
        self.rulings: list[dict[str, Any]] = []  # what people decided: with the records, all that standings depend on
        self.last = 0  # number of the last event

    # --- what is asked ---

    def the_plan(self) -> Plan:
        """The plan. Unfit where there is none yet."""
        if self.plan is None:
            raise Unfit("no.tournament")
        return self.plan

    def tables(self) -> list[str]:
        """The tables that were named, and can be used."""
        return [name for name in self.table_keys if name not in self.gone]

    @property
    def round(self) -> Round | None:
        """The last round that was seated."""
        return self.rounds[-1] if self.rounds else None

    def present(self) -> list[Entrant]:
        """The players that have not left, in the order in which they came."""
        return [entrant for entrant in self.players.values() if not entrant.left]

    def missing_keys(self, found: Round) -> list[Key]:
        """The games of a round that have no result yet."""
        keys = ((found.number, table, game) for table in found.groups for game in range(1, found.games + 1))
        return [key for key in keys if key not in self.results]

    def results_of(self, found: Round, table: str) -> list[Result]:
        """What the games of a table came to in that round, in their order."""
        keys = ((found.number, table, game) for game in range(1, found.games + 1))
        return [self.results[key] for key in keys if key in self.results]

    def is_complete(self, found: Round) -> bool:
        """Whether everything that can count of that round does."""
        return bool(found.closed) or not self.missing_keys(found)

    def counted(self) -> Iterator[Counted]:
        """The set of results."""
        for (number, table, game), result in self.results.items():
            yield Counted(number, table, game, result.seal, result.outcome)

    def sat_out(self) -> Iterator[tuple[int, str, int]]:
        """Who sat out which round, and how many games that were."""
        for one in self.rounds:
            yield from ((one.number, name, one.games) for name in one.byes)

    def is_proved(self, table: str, source: str) -> bool:
        """Whether intake asked a record that came now for the key that the table has: not for one that an undo has
        brought or taken since."""
        key = self.table_keys.get(table)
        return source != HAND and bool(key) and self.asked_keys.get(table) == key

    def find_player(self, name: str) -> Entrant:
        """Unfit if nobody has that name."""
        entrant = self.players.get(name)
        if entrant is None:
            raise Unfit("no.player", name=repr(name))
        return entrant

    def find_group(self, key: Key) -> tuple[str, ...]:
        """Who plays that game. Unfit if nobody does."""
        number, table, game = key
        if not 1 <= number <= len(self.rounds):
            raise Unfit("no.such.round", number=number)
        one = self.rounds[number - 1]
        if table not in one.groups:
            raise Unfit("no.table", number=number, table=repr(table))
        if not 1 <= game <= one.games:
            raise Unfit("games", number=number, games=one.games, game=game)
        return one.groups[table]

    # --- what happens ---

    def apply(self, event: Event) -> None:
        """Let it happen. Unfit."""
        if event.kind != "opened":
            self.the_plan()
        KINDS[event.kind](self, event, **event.data)
        self.last = event.number


def where_is(key: Key) -> Unfit:
    """`game 1 at table-3 in round 2`, as a fact of a refusal."""
    return Unfit("where", round=key[0], table=key[1], game=key[2])


def tell_key(key: Key) -> str:
    """The same in English, as the log keeps it."""
    return str(where_is(key))


def lacks(state: State, one: Round) -> Unfit:
    """What a round that is not over still lacks, and at which tables: the first few of them."""
    owed = state.missing_keys(one)
    tables = list(dict.fromkeys(table for _, table, _ in owed))
    told = ", ".join(tables[:NAMED_TABLES]) + (", ..." if len(tables) > NAMED_TABLES else "")
    return Unfit("lacks.one" if len(owed) == 1 else "lacks", number=one.number, games=len(owed), tables=told)


def fold(events: Sequence[Event]) -> State:
    """The state after these events. Unfit if one cannot happen, which only an undo can bring about."""
    left_out = find_undone(events)
    about_keys = [event for event in events if event.kind in (UNDONE, NAMED)]
    state = State()
    for event in events:
        if event.kind == UNDONE or event.number in left_out:
            state.last = event.number
            if event.kind in (UNDONE, NAMED):
                state.asked_keys = list_keys([one for one in about_keys if one.number <= event.number])
        else:
            state.apply(event)
    return state


def list_keys(events: Sequence[Event]) -> dict[str, str]:
    """The key of each table after these events."""
    left_out, keys = find_undone(events), dict[str, str]()
    for event in events:
        if event.kind == NAMED and event.number not in left_out:
            note_key(keys, event.data["name"], event.data.get("key"))
    return keys


def note_key(keys: dict[str, str], name: str, key: str | None) -> None:
    """A table was named: the key that was not said then stays, so an undo of the event that said it takes it away."""
    if key is None:
        keys.setdefault(name, "")
    else:
        keys[name] = key


@contextlib.contextmanager
def reading(what: str) -> Iterator[None]:
    """Around events that come from a database: one that this program did not write is a sentence. UnusableInput."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as wrong:
        raise UnusableInput(f"{what}: its log is damaged, or a newer cardtable has written it") from wrong


def find_undone(events: Iterable[Event]) -> set[int]:
    """The numbers of the events that an undo, which was not itself undone, has taken away."""
    found: set[int] = set()
    for event in sorted(events, key=lambda event: -event.number):
        if event.kind == UNDONE and event.number not in found:
            found.add(event.data["event"])
    return found


# --- one function a kind of event ---


def _opened(state: State, event: Event, plan: dict[str, Any]) -> None:
    if state.plan is not None:
        raise Unfit("tournament.there", name=state.plan.name)
    state.plan, state.begun = read_plan(plan), event.at


def _player_added(state: State, event: Event, name: str, club: str, team: str, has_paid: bool) -> None:
    if name in state.players and not state.players[name].left:
        raise Unfit("name.there", name=repr(name))
    if name in state.players:
        raise Unfit("name.left", name=repr(name))
    if state.the_plan().format == KNOCK_OUT and state.rounds:
        raise Unfit("began")
    state.players[name] = Entrant(name, club, team, len(state.rounds) + 1, has_paid=has_paid)


def _player_left(state: State, event: Event, name: str, reason: str, refund: bool) -> None:
    entrant = state.find_player(name)
    if entrant.left:
        raise Unfit("has.left", name=repr(name))
    if refund and any(name in group for one in state.rounds for group in one.groups.values()):
        raise Unfit("fee.stays", name=repr(name))
    entrant.left = reason
    entrant.has_paid = entrant.has_paid and not refund
    if refund:
        state.rulings.append({"kind": "refund", "player": name})


def _player_paid(state: State, event: Event, name: str) -> None:
    entrant = state.find_player(name)
    if entrant.has_paid:
        raise Unfit("has.paid", name=repr(name))
    entrant.has_paid = True


def _player_back(state: State, event: Event, name: str) -> None:
    entrant = state.find_player(name)
    if not entrant.left:
        raise Unfit("not.left", name=repr(name))
    entrant.left = ""


def _no_show(state: State, event: Event, name: str) -> None:
    """Somebody who was seated did not come: the table plays without, as long as it has not played yet."""
    one = state.round
    state.find_player(name)
    table = next((table for table, group in one.groups.items() if name in group), None) if one else None
    if one is None or table is None:
        raise Unfit("sits.nowhere", name=repr(name))
    if any((one.number, table, game) in state.results for game in range(1, one.games + 1)):
        raise Unfit("has.played", table=table, name=repr(name))
    rest = tuple(other for other in one.groups[table] if other != name)
    one.missing.append(name)
    if len(rest) >= state.the_plan().low:
        one.groups[table] = rest
    else:
        del one.groups[table]
        one.byes += rest


def _table_named(state: State, event: Event, name: str, key: str | None = None, watch: str | None = None) -> None:
    if name in state.gone and name not in state.table_keys and not key and not watch:
        state.gone.discard(name)  # one of the tables with numbers is back: to name it would end the use of all others
        return
    note_key(state.table_keys, name, key)
    note_key(state.asked_keys, name, key)
    state.watched[name] = state.watched.get(name, "") if watch is None else watch
    state.gone.discard(name)


def _table_gone(state: State, event: Event, name: str) -> None:
    """The table gets no players from now on. Its results stay, and its key is still asked for."""
    is_known = name in state.table_keys or any(name in one.groups for one in state.rounds)
    if name in state.gone or not is_known:
        raise Unfit("no.such.table", table=repr(name))
    state.gone.add(name)


def _seated(state: State, event: Event, groups: list[list[Any]], byes: list[str], games: int,
            gave_up: list[str]) -> None:
    one = state.round
    if one is not None and not state.is_complete(one):
        raise lacks(state, one)
    names = [name for _, group in groups for name in group] + byes
    for name in names:
        if state.find_player(name).left:
            raise Unfit("has.left", name=repr(name))
    if len(set(names)) < len(names):
        raise Unfit("two.tables")
    seated = {table: tuple(group) for table, group in groups}
    state.rounds.append(Round(len(state.rounds) + 1, seated, tuple(byes), games, gave_up, begun=event.at,
                              absent=frozenset(name for name, entrant in state.players.items() if entrant.left)))


def _closed(state: State, event: Event, round: int, reason: str) -> None:
    one = state.round
    if one is None or one.number != round:
        raise Unfit("not.this.round", number=round)
    if state.is_complete(one):
        raise Unfit("complete", number=round)
    one.closed = reason


def _result(state: State, event: Event, key: list[Any], seal: str, outcome: dict[str, Any], source: str,
            following: dict[str, str]) -> None:
    """A game that counts: the first word on it, or the record behind a slip that says the same."""
    at: Key = (key[0], key[1], key[2])
    group, found = state.find_group(at), read_outcome(outcome)
    had = state.results.get(at)
    if set(found.players) != set(group):
        raise Unfit("played.by", table=at[1], round=at[0], group=", ".join(group))
    if had is not None and not (had.seal in ("", seal) and had.outcome.agrees(found)):
        raise Unfit("has.result", where=where_is(at))
    state.results[at] = Result(at, seal, found, source, event.number, following, at=event.at,
                               is_proved=state.is_proved(at[1], source))
    if seal:
        state.seals[seal] = tell_key(at)
    if seal and source != HAND:
        state.texts.add(seal)
    if source == HAND:
        state.rulings.append({"kind": "result", "key": list(at), "outcome": outcome, "seal": seal})


def _aborted(state: State, event: Event, key: list[Any], seal: str, source: str) -> None:
    state.find_group((key[0], key[1], key[2]))
    state.seals[seal] = f"an aborted game at {key[1]} in round {key[0]}"
    state.texts.add(seal)


def _disputed(state: State, event: Event, key: list[Any] | None, seal: str, reason: str, outcome: dict[str, Any] | None,
              source: str, following: dict[str, str]) -> None:
    at = (key[0], key[1], key[2]) if key else None
    state.disputes[event.number] = Dispute(event.number, at, seal, reason, read_outcome(outcome) if outcome else None,
                                           source, following, at is not None and state.is_proved(at[1], source))
    if seal:
        state.seals[seal] = f"dispute {event.number}"
    if seal and source != HAND:
        state.texts.add(seal)


def _decided(state: State, event: Event, dispute: int, takes: bool, reason: str, round: int, table: str,
             game: int, moved: bool = False) -> None:
    """The arbiter's word on a dispute: it counts as that game, or not at all. moved: as the game that is named here,
    though the record says another one."""
    one = state.disputes.get(dispute)
    if one is None:
        raise Unfit("no.dispute", number=dispute)
    if takes:
        at = (round, table, game) if moved else one.key or (round, table, game)
        if one.outcome is None:
            raise Unfit("cannot.count", why=Unfit("was.aborted"))
        group = state.find_group(at)
        if set(one.outcome.players) != set(group):
            raise Unfit("cannot.count", why=Unfit("played.by", table=at[1], round=at[0], group=", ".join(group)))
        said = one.key or at  # the seats of one group are not another's, and the key of one table proves nothing there
        state.results[at] = Result(at, one.seal, one.outcome, one.source, event.number,
                                   one.following if said[:2] == at[:2] else {}, reason, event.at,
                                   one.is_proved and said[1] == at[1])
        state.rulings.append({"kind": "taken", "key": list(at), "seal": one.seal, "outcome": one.outcome.as_data()})
    else:
        state.rulings.append({"kind": "set aside", "seal": one.seal})
    if one.seal:
        state.seals[one.seal] = tell_key(at) if takes else "a record set aside"
    del state.disputes[dispute]


def _corrected(state: State, event: Event, key: list[Any], outcome: dict[str, Any], reason: str) -> None:
    at: Key = (key[0], key[1], key[2])
    group, found = state.find_group(at), read_outcome(outcome)
    had = state.results.get(at)
    if had is None:
        raise Unfit("no.result", where=where_is(at))
    if set(found.players) != set(group):
        raise Unfit("played.by", table=at[1], round=at[0], group=", ".join(group))
    state.results[at] = Result(at, had.seal, found, had.source, event.number, had.following, reason,
                               event.at, had.is_proved)
    state.rulings.append({"kind": "corrected", "key": list(at), "outcome": outcome, "reason": reason})


def _link_made(state: State, event: Event, role: str, name: str, digest: str) -> None:
    if role not in ROLES:
        raise Unfit("no.role", role=repr(role))
    state.links[digest] = (role, name)


KINDS: dict[str, Callable[..., None]] = {
    "opened": _opened, "player added": _player_added, "player left": _player_left, "player back": _player_back,
    "player paid": _player_paid, "table gone": _table_gone,
    "no show": _no_show, NAMED: _table_named, "seated": _seated, "closed": _closed, "result": _result,
    "aborted": _aborted, "disputed": _disputed, "decided": _decided, "corrected": _corrected, "link made": _link_made,
}  # fmt: skip
