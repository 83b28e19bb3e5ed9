"""Makes the Controller of a game, and tells people where one stands that goes on after a power failure (T9).

What set the game up, or played it again, has gone when the controller's modules come: never are both in memory.
"""

from micropython import const

from cardtable.engine.event import SHOWS_ALL, SHOWS_NOTHING, verb_name
from cardtable.engine.record import write_arguments
from cardtable.rooms import load

_RESERVE = const(3072)  # bytes in one piece for a controller: without them its code would fill what is free with crumbs


def take_up(parts, session, header, turns, resumed, told: tuple):
    """The Controller of a game that begins, or goes on, from what power_up.begin gives. told: a line for the record, or
    nothing; the Damage of a game that was given up, or None; what witness.count_lost gives."""
    note, damaged, lost = told
    reserve = bytearray(_RESERVE)
    make = load("play", "controller").Controller
    del reserve
    controller = make(session, header, parts, turns)
    if resumed:
        go_on(resumed, controller)
    else:
        controller.start()
    if note:
        parts.journal.write(note)
    if damaged:
        parts.say("damaged: %s: %s" % (damaged.name, damaged))  # T11: that game is given up, and has no secrets
        parts.screen.verdict("%s %s" % (parts.words.find("damaged"), damaged.name))
    elif lost[0]:
        load("between", "witness").tell_lost(parts, *lost)
    return controller


def go_on(resumed, controller) -> None:
    """Go on where the record ends, and tell people what happened last (T9)."""
    controller.go_on(resumed.at_ms, resumed.judged)
    game = controller.session.game
    display = controller.display
    words = display.words
    controller.judging.feed.say("resumed after: " + name_event(game, resumed.last, resumed.shows))
    text = display.tell_event(resumed.last, resumed.shows) or words.find("set_up")
    display.screen.event(text)
    display.screen.verdict("%s %s" % (words.find("resumed"), text))


def name_event(game, event, shows: int) -> str:
    """Who did what as the record has it, as far as the game shows it to all."""
    if shows == SHOWS_NOTHING:
        return "the set-up"
    arguments = write_arguments(game, event) if shows == SHOWS_ALL else []
    return " ".join([str(event.seat), verb_name(game, event.verb)] + arguments)
