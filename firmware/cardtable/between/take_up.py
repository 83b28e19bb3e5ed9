"""Tells people where a game stands that goes on after a power failure (T9)."""

from cardtable.engine.event import SHOWS_ALL, SHOWS_NOTHING, verb_name
from cardtable.engine.record import write_arguments


def take_up(resumed, controller) -> None:
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
