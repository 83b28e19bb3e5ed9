"""Says which table this is and why it cannot play. It needs hardly any memory, because memory may be the reason."""

import gc
import sys

from cardtable.rooms import load
from cardtable.table.running import Running


def learn_names() -> None:
    """Load what a notice needs, as long as there is room. The modules go again; their names stay in MicroPython's
    table of names, which doubles when it is full. That takes 9 KB at once on an ESP32: more than is left when a notice
    has to say that there is too little memory."""
    if not load("between", "prompt").may_open():
        load("between", "panel")


def announce(parts, boot: str) -> None:
    """Begin the feed: name, versions, why the table was started, and the game's header if there is one."""
    gc.collect()
    from cardtable.version import describe  # no sooner: there is least room before

    python = "MicroPython" if sys.implementation.name == "micropython" else "CPython"
    version = "%d.%d.%d" % tuple(sys.implementation.version[:3])
    parts.say("cardtable on %s, %s %s, %s" % (parts.name, python, version, describe()))
    parts.say("boot: " + boot)
    if parts.table.is_game:
        parts.table.judging.feed.begin()
        if parts.table.last_ms:
            parts.table.clock.go_on(parts.table.last_ms)  # T8: the start after a power cut counts for no seat


def decline(parts, boot: str) -> None:
    """Say that there is too little memory for the game."""
    parts.say("set-up: too little memory")
    parts.table = give_notice(parts, parts.words.find("memory"))
    announce(parts, boot)


def give_notice(parts, cause: str):
    """Show why nothing can be played. T11: a panel that keeps the prompt closed until the arbiter's key
    is tapped, if a game lies on flash that is not over; else a table at rest."""
    parts.screen.paragraph(0, 8, cause)
    if load("between", "prompt").may_open():
        return Running()
    panel = load("between", "panel").Panel(parts)
    panel.keeps_secrets = True
    return panel
