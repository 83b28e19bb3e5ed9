"""Decides what runs on the table: when the power comes, and when a game or a panel is over."""

import gc
import sys

import machine
from cardtable.between import prompt
from cardtable.engine.record import SetupError
from cardtable.rooms import forget, load
from cardtable.table.running import ENROL, LOBBY, NEXT, Running
from cardtable.version import describe

# What machine.reset_cause() says: the same names on every port, with different numbers.
CAUSES = (("WDT_RESET", "watchdog"), ("HARD_RESET", "reset"), ("SOFT_RESET", "soft reset"), ("PWRON_RESET", "power"))


def find_cause() -> str:
    """Why the table was started."""
    cause = machine.reset_cause()
    for name, words in CAUSES:
        if cause == getattr(machine, name, -1):
            return words
    return "cause %d" % cause


def begin(parts, boot: str) -> None:
    """What the power came for runs from now on, and the feed says so."""
    import board  # a host has several in one process

    parts.table = set_up(parts, boot)
    gc.collect()
    python = "MicroPython" if sys.implementation.name == "micropython" else "CPython"
    version = "%d.%d.%d" % tuple(sys.implementation.version[:3])
    parts.say("cardtable on %s, %s %s, %s" % (board.NAME, python, version, describe()))
    parts.say("boot: " + boot)
    if parts.table.is_game:
        parts.table.judging.feed.begin()


def set_up(parts, boot: str):
    """The Controller of the game on flash, which has begun or goes on (T9); the lobby, if it is to be asked what to
    play; or what `give_notice` gives: the cause is shown, not raised."""
    try:
        load("between", "setup_files").read_others(parts.tags)  # the arbiter's key may be needed whatever else is wrong
        if boot == "watchdog":
            load("between", "bugs").write_down(boot, None, "the table hung")
        load("between", "bugs").check_loop(boot, parts.words)
        return load("between", "power_up").begin(parts, len(parts.readers.chips)) or open_lobby(parts)
    except MemoryError:
        forget("between")
        forget("games")
        parts.say("set-up: too little memory")
        return give_notice(parts, parts.words.find("memory"))
    except SetupError as wrong:
        parts.say("set-up: %s" % wrong)
        if load("between", "setup_files").is_chosen():  # chosen at the table, where it can be chosen otherwise
            lobby = open_lobby(parts)
            lobby.refuse(load("between", "files").tell(parts.words, wrong))
            return lobby
        return give_notice(parts, "set-up: %s" % load("between", "files").tell(parts.words, wrong))


def give_notice(parts, cause: str):
    """Nothing can be played, and the screen says why. T11: a panel that keeps the prompt closed until the arbiter's key
    is tapped, if a game lies on flash that is not over; else a table at rest."""
    parts.screen.paragraph(0, 8, cause)
    if prompt.may_open():
        return Running()
    panel = load("between", "panel").Panel(parts)
    panel.keeps_secrets = True
    return panel


def open_lobby(parts):
    """The panel that asks what to play; it proposes the game that was played last, or the next one of its match."""
    files = load("between", "setup_files")
    files.take_next()
    header = files.read_last(len(parts.readers.chips))
    del files
    keeps_secrets = not prompt.may_open()
    forget("between")
    lobby = load("between", "lobby").Lobby(parts, header)
    lobby.keeps_secrets = keeps_secrets
    return lobby


def go_on(parts) -> None:
    """What comes after the game or the panel that is over, as its `wants` says. A game begins with a chip that was
    started anew: none has to live in what another one left of the heap."""
    table = parts.table
    if table.wants == ENROL:
        parts.table = load("between", "enrol").Enrol(parts, table.chooser)
        parts.table.keeps_secrets = table.keeps_secrets
        parts.table.is_opened = table.is_opened
        return
    if table.wants == LOBBY:
        parts.table = open_lobby(parts)
        return
    try:
        if table.wants == NEXT:
            load("between", "power_up").plan_next(table)
        else:
            table.plan()
    except OSError:
        parts.screen.bottom(parts.words.find("F.flash"))
        table.wants = ""
        return
    machine.reset()
