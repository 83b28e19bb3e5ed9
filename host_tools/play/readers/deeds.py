"""The acts of a page with readers. Called in the table's thread.

A seat's page reads for its own seat alone; the page for all reads for everybody and presses everybody's buttons; the
host sees who reads where, throws a reader out, and has decks registered. Spectators do nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host_tools.play.acts import Actor, NotAllowed
from host_tools.play.readers.enrolment import Enrolment
from host_tools.play.readers.readers import COMMON, Reader, read_uid
from host_tools.play.readers.shared import why_not
from host_tools.virtual.world import KEYS

Act = Callable[[Actor, dict[str, Any]], Any]
CANNOT = {
    "began": "this game began without a reader for all: start it anew",
    "face-down": "one reader for all cannot tell whose a face-down card is: this game needs a reader for each seat",
    "seats": "one reader for all serves two to four players",
}
TROUBLES = ("unreadable", "hidden")  # what a page tells of its reader: a tag it could not read; it is in the background


def own_seat(actor: Actor, message: dict[str, Any]) -> int:
    """The seat for which this page may read. NotAllowed."""
    if actor.role == "common" or actor.table.is_alone:
        return COMMON
    seat = actor.number(message, "seat", 1, 7)
    if seat not in actor.seats:
        raise NotAllowed("that is not your seat")
    return seat


def own_reader(actor: Actor, message: dict[str, Any]) -> Reader:
    """The reader that this page is. NotAllowed."""
    reader = actor.table.readers.find(own_seat(actor, message))
    if reader is None or reader.owner is not actor.page:
        raise NotAllowed("this page does not read cards here")
    return reader


def begin_reading(actor: Actor, message: dict[str, Any]) -> None:
    """This page is the reader of its seat, or ends to be; `trouble` says what is wrong with it."""
    seat, readers = own_seat(actor, message), actor.table.readers
    if not actor.flag(message, "on"):
        if readers.find(seat) is not None:
            own_reader(actor, message)
            readers.close(seat)
        return
    if seat == COMMON and not actor.table.has_common:
        raise NotAllowed("the host has not chosen one reader for all")
    if seat == COMMON and (why := actor.table.why_no_common()):
        raise NotAllowed(CANNOT[why])
    trouble, mine = actor.text(message, "trouble"), readers.find(seat)
    if trouble and (mine is None or mine.owner is not actor.page):
        return  # said before the page was loaded anew, or the line was lost: it may not read any more
    if mine is None or mine.owner is not actor.page:
        kind = "keys" if actor.text(message, "kind") == "keys" else "phone"
        mine = readers.admit(seat, kind, "", owner=actor.page, write=actor.write)
    mine.complain(trouble if trouble in TROUBLES else "")


def read(actor: Actor, message: dict[str, Any]) -> None:
    """A tag has come to this page's reader."""
    reader = own_reader(actor, message)
    uid = read_uid(actor.text(message, "uid"))
    reader.complain("")
    reader.came(uid, actor.text(message, "text"))


def touch(actor: Actor, message: dict[str, Any]) -> None:
    """On the page for all: the next tap is of that seat."""
    table = actor.table
    seat = actor.number(message, "seat", 1, 7)
    if not table.place_of(seat):
        raise NotAllowed("nobody sits there in this game")
    table.readers.touch(seat)


def press_for_all(actor: Actor, message: dict[str, Any]) -> None:
    """On the page for all: a button of any seat."""
    table = actor.table
    place, key = table.place_of(actor.number(message, "seat", 1, 7)), actor.text(message, "key")
    if not place:
        raise NotAllowed("nobody sits there in this game")
    if key not in KEYS:
        raise NotAllowed(f"a seat has the buttons {', '.join(KEYS)}")
    actor.ask(place, lambda: table.hands[place].press(key))


# --- for the host ---


def bar(actor: Actor, message: dict[str, Any]) -> None:
    """Nobody reads at that seat any more, or somebody may again; 0: the reader for all."""
    actor.table.readers.bar(actor.number(message, "seat", 0, 7), actor.flag(message, "on"))


def share(actor: Actor, message: dict[str, Any]) -> None:
    """One reader is for all from the next game on, or not."""
    actor.table.share(actor.flag(message, "on"))


def learn_readers(actor: Actor, message: dict[str, Any]) -> None:
    """The table asks anew where each USB reader stands."""
    if actor.table.usb is None:
        raise NotAllowed("the table looks for no USB reader: start it with --readers")
    actor.table.usb.forget()


def enrol(actor: Actor, message: dict[str, Any]) -> None:
    """The reader of that seat (0: the one for all) registers a deck of `size` cards."""
    table = actor.table
    seat = actor.number(message, "seat", 0, 7)
    if table.phase != "lobby":
        raise NotAllowed("decks are registered between two games")
    if table.readers.find(seat) is None:
        raise NotAllowed("nobody reads cards there")
    if table.readers.enrolment is not None:
        raise NotAllowed("a deck is being registered")
    table.readers.enrolment = Enrolment(table, seat, actor.number(message, "size", 1, 200))
    table.world.people.add(table.bugs.guard(table.readers.enrolment.begin(), "registering a deck"))


def running(actor: Actor) -> Enrolment:
    """The registration that goes on, where this page has a part in it. NotAllowed."""
    found: Enrolment | None = actor.table.readers.enrolment
    if found is None or actor.role == "seat" and found.seat not in actor.seats or \
            actor.role == "common" and found.seat != COMMON:
        raise NotAllowed("no deck is being registered here")
    return found


def take_back(actor: Actor, message: dict[str, Any]) -> None:
    """The last card was another one: it is asked for again."""
    running(actor).undo()


def end_enrolment(actor: Actor, message: dict[str, Any]) -> None:
    """Enough for now, or all are there."""
    running(actor).close()
    actor.table.readers.enrolment = None


def refuse(actor: Actor, message: dict[str, Any]) -> None:
    """Nobody here can move a real card."""
    raise NotAllowed("the cards are real: tap them on a reader")


def play(actor: Actor, message: dict[str, Any]) -> None:
    """What is said with buttons is said; a card is tapped by its player."""
    if message.get("card"):
        refuse(actor, message)
    Actor.play(actor, message)


def start(actor: Actor, message: dict[str, Any]) -> None:
    """A game of people: a virtual player holds no real card."""
    seats = message.get("seats")
    for one in seats if isinstance(seats, list) else []:
        if isinstance(one, dict) and str(one.get("who", "")).startswith("bot"):
            raise NotAllowed("a virtual player cannot hold real cards: let people sit there")
    game = actor.text(message, "game").partition(" ")[0]
    if actor.table.has_common and (why := why_not(game, len(seats) if isinstance(seats, list) else 0)):
        raise NotAllowed(CANNOT[why])
    Actor.start(actor, message)


def sit(actor: Actor, message: dict[str, Any]) -> None:
    """As start."""
    if actor.text(message, "who").startswith("bot"):
        raise NotAllowed("a virtual player cannot hold real cards: let people sit there")
    Actor.sit(actor, message)


def begin(actor: Actor, message: dict[str, Any]) -> None:
    """Nobody is awaited any longer; nobody stands in."""
    actor.table.seating.begins_without = True


_SEAT: dict[str, Act] = {
    "reader": begin_reading, "read": read, "take_back": take_back, "end_enrolment": end_enrolment, "tap": refuse,
    "lay": refuse, "lift": refuse, "play": play, "propose": refuse, "agree": refuse,
}
_HOST: dict[str, Act] = {
    "bar": bar, "share": share, "learn_readers": learn_readers, "enrol": enrol,
    "tag": refuse, "deal": refuse, "free": refuse, "start": start,
    "sit": sit, "begin": begin, "learn": refuse,
}
FOR_ROLE: dict[str, dict[str, Act]] = {
    "seat": _SEAT,
    "host": {**_SEAT, **_HOST},
    "common": {"reader": begin_reading, "read": read, "touch": touch, "press": press_for_all, "take_back": take_back,
               "end_enrolment": end_enrolment},
}
