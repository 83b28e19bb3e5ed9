"""Tells the log in sentences: who did what, and when. The words are the `log...` of pages.LANGUAGE.txt."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from host_tools.base.foreign import shorten
from host_tools.club.tournament.results import read_outcome
from host_tools.club.tournament.state import Event, find_undone
from host_tools.club.tournament.wording import Wording

_REASON = 200  # letters of one


def tell_log(events: Sequence[Event], words: Wording) -> Iterator[str]:
    """A line for each event, in their order."""
    undone = find_undone(events)
    for event in events:
        mark = f"  {words.say('log.undone.mark')}" if event.number in undone else ""
        who = words.say("who", name=words.who(event.who))
        yield f"{event.number:>5}  {tell_time(event.at)}  {who:<12} {tell(event, words)}{mark}"


def tell_time(at: str) -> str:
    """The time of a log by the clock of this computer, as the people in the hall read it."""
    return datetime.datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")


def tell(event: Event, words: Wording) -> str:
    """One event in words."""
    data, kind = event.data, event.kind.replace(" ", ".")
    key = (data["round"], data["table"], data["game"]) if data.get("moved") else data.get("key")
    facts = {
        **data,
        "where": words.where((key[0], key[1], key[2])) if key else words.say("game.none"),
        "outcome": words.outcome(read_outcome(data["outcome"])) if data.get("outcome") else "",
        "reason": words.retell(shorten(data.get("reason", ""), _REASON)),
        "seal": data.get("seal") or words.say("nothing"),
        "tables": len(data.get("groups", ())),
        "source": words.source(data.get("source", "")),
    }
    if kind == "player.added":
        facts["club"] = words.say("log.club", club=data["club"]) if data["club"] else ""
        facts["team"] = words.say("log.team", team=data["team"]) if data["team"] else ""
    elif kind == "seated":
        kind += ".one" * (facts["tables"] == 1)
    elif kind == "opened":
        facts |= data["plan"] | {"format": words.say(f"format.{data['plan']['format'].replace(' ', '.')}")}
    elif kind == "decided":
        kind += ".moved" if data.get("moved") else ".counts" if data["takes"] else ".aside"
    elif kind == "table.named":
        kind += ".key" if key else ""
    elif kind == "link.made":
        kind += f".{data['role']}"
        facts["name"] = words.who(data["name"])
    return words.say(f"log.{kind}", **facts)
