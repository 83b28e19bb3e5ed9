"""Decides what runs on the table: when the power comes, and when a game or a panel is over."""

import machine
from cardtable.engine.record import SetupError
from cardtable.rooms import load
from cardtable.table.running import ENROL, LOBBY, NEXT, PLAY

# The answers of machine.reset_cause(): the same names on every port, with different numbers.
CAUSES = (("WDT_RESET", "watchdog"), ("HARD_RESET", "reset"), ("SOFT_RESET", "soft reset"), ("PWRON_RESET", "power"))
RUNS = b"runs"  # in the chip's RTC memory, which a reset leaves as it is
HALTED = {"watchdog": "the table hung", "crash": "the interpreter crashed"}


def find_cause() -> str:
    """Why the table was started. From now on a mark says that it runs; each reset of its own takes that out before."""
    cause = machine.reset_cause()
    memory = machine.RTC().memory
    ran = memory() == RUNS
    memory(RUNS)
    if ran and cause == machine.HARD_RESET:
        return "crash"  # an ESP32 gives a crash of the interpreter the cause of a reset by the program
    for name, words in CAUSES:
        if cause == getattr(machine, name, -1):
            return words
    return "cause %d" % cause


def begin(parts, boot: str):
    """Start the panel that is due; or, for a game that begins or goes on, what take_up.take_up makes its Controller of.
    """
    parts.is_networked = load("between", "setup_files").is_networked()
    begun, parts.table = set_up(parts, boot)
    return begun


def set_up(parts, boot: str) -> tuple:
    """(what power_up.begin has found of the game on flash, or None; what runs else): the lobby, if it is to be asked
    what to play; or what between/notice.py gives: the cause is shown, not raised."""
    try:
        load("between", "setup_files").read_others(parts.tags)  # the arbiter's key may be needed even if all else fails
        if boot in HALTED:
            load("between", "bugs").write_down(boot, None, HALTED[boot])
        load("between", "bugs").check_loop(boot, parts.words)
        begun = load("between", "power_up").begin(parts, len(parts.readers.chips))
        return begun, parts.table if begun else open_lobby(parts)
    except SetupError as wrong:
        parts.say("set-up: %s" % wrong)
        if load("between", "chosen").is_chosen():  # chosen at the table, where it can be chosen otherwise
            lobby = open_lobby(parts)
            lobby.refuse(load("between", "files").tell(parts.words, wrong))
            return None, lobby
        cause = load("between", "files").tell(parts.words, wrong)
        return None, load("between", "notice").give_notice(parts, "set-up: " + cause)


def open_lobby(parts):
    """The panel that asks what to play; it proposes the game that was played last, or the next one of its match."""
    load("between", "chosen").take_next()
    header = load("between", "setup_files").read_last(len(parts.readers.chips))
    keeps_secrets = not load("between", "prompt").may_open()
    lobby = load("between", "lobby").Lobby(parts, header)
    lobby.keeps_secrets = keeps_secrets
    return lobby


def go_on(parts) -> None:
    """Go on after a game or panel that is over, as its `wants` says. A game begins with a reset, so that no game has to
    live in the heap that another one has left in pieces."""
    table = parts.table
    if table.wants == ENROL:
        parts.table = load("between", "enrol").Enrol(parts, table.chooser)
        parts.table.keeps_secrets = table.keeps_secrets
        parts.table.is_opened = table.is_opened
        parts.table.lying = table.lying
        return
    if table.wants == LOBBY:
        parts.table = open_lobby(parts)
        parts.table.lying = table.lying
        return
    try:
        if table.wants == NEXT:
            load("between", "next_game").plan_next(table)
        else:
            table.plan()
    except OSError:
        parts.screen.bottom(parts.words.find("F.flash"))
        table.wants = ""
        return
    if parts.net:
        parts.net.leave(table.wants == PLAY)
    parts.write_lines()
    machine.RTC().memory(b"")  # no crash
    machine.reset()
