"""Adds players to a tournament, all or none, and checks the reasons that people give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from host_tools.base.alike import as_seen
from host_tools.base.foreign import shorten
from host_tools.club.tournament.director import Director, Draft
from host_tools.club.tournament.plan import check_name, list_alike
from host_tools.club.tournament.refused import Unfit
from host_tools.club.tournament.room import file_name, to_name
from host_tools.club.tournament.state import NAMED, State

REASON_LENGTH = 200
ADDRESS_LENGTH = 200


def add_players(director: Director, who: str, players: Sequence[tuple[str, str, str]], has_paid: bool = True) -> int:
    """Add (name, club, team) of each; how many players are there now. UnusableInput if one cannot come."""
    drafts: list[Draft] = []
    for name, club, team in players:
        data = {"name": check_name(name, "name"), "club": club and check_name(club, "club"),
                "team": team and check_name(team, "team"), "has_paid": has_paid}
        drafts.append(("player added", data))

    def work(state: State) -> tuple[list[Draft], list[dict[str, Any]], int]:
        for key in ("club", "team"):  # one that is spelled with other capitals, or looks the same, is the same
            spelled = {alike: getattr(one, key) for one in state.players.values()
                       for alike in list_alike(getattr(one, key))}
            for _, data in drafts:
                ways = list_alike(data[key])
                data[key] = next((spelled[alike] for alike in ways if alike in spelled), data[key])
                spelled.update({alike: data[key] for alike in ways if alike not in spelled})
        known = {alike: name for name in state.players for alike in list_alike(name)}
        for _, data in drafts:
            for alike in list_alike(data["name"]):
                other = known.setdefault(alike, data["name"])
                if other != data["name"]:
                    raise Unfit("name.alike" if alike[0] == "heard" else "name.seen", name=repr(data["name"]),
                                other=repr(other))
        return drafts, [], len(state.present()) + len(drafts)

    return director.transact(who, work)[1]


def name_table(director: Director, who: str, name: str, key: str = "", watch: str = "") -> None:
    """Name a table. Of one that is there already, a key and an address that are not said stay.
    UnusableInput for a name that would be another table's on paper, as a file, or on the network, or looks like it."""
    name = check_name(name, "table")

    def work(state: State) -> tuple[list[Draft], list[dict[str, Any]], None]:
        for other in state.table_keys:
            if other != name and set(written_names(other)) & set(written_names(name)):
                raise Unfit("table.alike", name=repr(name), other=repr(other))
            if other != name and as_seen(other) == as_seen(name):
                raise Unfit("name.seen", name=repr(name), other=repr(other))
        said = {what: text for what, text in (("key", key), ("watch", watch)) if text}
        return [(NAMED, {"name": name, **said})], [], None

    director.transact(who, work)


def written_names(table: str) -> list[tuple[str, str]]:
    """What files and topics call a table; of letters that no topic has nothing is left there."""
    topic = to_name(table)
    return [("file", file_name(table).casefold()), *([("topic", topic)] if topic else [])]


def find_twins(tables: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of tables of which one would get what is the other's, in a log from before such names were refused."""
    found, known = [], dict[tuple[str, str], str]()
    for table in tables:
        other = next((known[one] for one in written_names(table) if one in known), None)
        found += [(other, table)] if other is not None else []
        known.update((one, table) for one in written_names(table))
    return found


def check_address(text: str, what: str) -> str:
    """An address of pages. UnusableInput."""
    if not (text.startswith(("http://", "https://")) and text.isprintable() and len(text) <= ADDRESS_LENGTH):
        raise Unfit("no.address", what=what, text=repr(shorten(text)))
    return text


def check_reason(reason: str) -> str:
    """The reason as the log keeps it. UnusableInput."""
    reason = " ".join(reason.split()) if reason.isprintable() else ""
    if not reason or len(reason) > REASON_LENGTH:
        raise Unfit("no.reason", text=repr(shorten(reason)), count=REASON_LENGTH) if reason else Unfit(
            "why", count=REASON_LENGTH)
    return reason
