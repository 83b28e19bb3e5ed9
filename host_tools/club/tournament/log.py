"""Tells the log in sentences: who did what, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from host_tools.base.foreign import shorten
from host_tools.club.tournament.results import read_outcome
from host_tools.club.tournament.state import UNDONE, Event, find_undone, tell_key


def tell_log(events: Sequence[Event]) -> Iterator[str]:
    """A line for each event, in their order."""
    undone = find_undone(events)
    for event in events:
        mark = "  (undone)" if event.number in undone else ""
        yield f"{event.number:>5}  {event.at}  {event.who:<12} {tell(event)}{mark}"


def tell(event: Event) -> str:
    """One event in words."""
    data, kind = event.data, event.kind
    key = data.get("key")
    where = tell_key((key[0], key[1], key[2])) if key else "no game of the plan"
    outcome = read_outcome(data["outcome"]).tell() if data.get("outcome") else ""
    told = {
        "opened": lambda: f"began {data['plan']['name']}: {data['plan']['game']}, {data['plan']['format']}",
        "player added": lambda: f"added {data['name']}" + (f", club {data['club']}" if data["club"] else "")
        + (f", team {data['team']}" if data["team"] else ""),
        "player left": lambda: f"withdrew {data['name']}: {data['reason']}",
        "player back": lambda: f"brought {data['name']} back",
        "no show": lambda: f"{data['name']} did not come",
        "table named": lambda: f"named {data['name']}" + (", with its key" if data["key"] else ""),
        "seated": lambda: f"seated {len(data['groups'])} tables",
        "closed": lambda: f"closed round {data['round']}: {data['reason']}",
        "result": lambda: f"{where}: {outcome} ({data['source']}, sealed {data['seal'] or 'nothing'})",
        "aborted": lambda: f"{where} was aborted ({data['source']})",
        "disputed": lambda: f"{where} waits for the arbiter: {shorten(data['reason'], 200)} ({data['source']})",
        "decided": lambda: f"dispute {data['dispute']} {'counts' if data['takes'] else 'is set aside'}: "
        + data["reason"],
        "corrected": lambda: f"corrected {where} to {outcome}: {data['reason']}",
        "link made": lambda: f"made a link for a {data['role']}, {data['name']}",
        UNDONE: lambda: f"undid event {data['event']}: {data['reason']}",
    }
    return told[kind]()
