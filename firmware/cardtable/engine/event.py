"""One act at the table: a seat, a verb, its arguments and the time."""

from micropython import const

# The verbs of all games (RECORD: Verbs). A game's own are OWN_VERB + index in its VERBS.
DRAW = const(1)
UNDO = const(2)
AGREE = const(3)
ABORT = const(4)
PLACE = const(5)
PAUSE = const(6)
RESUME = const(7)
LEAD = const(8)
OWN_VERB = const(16)

# Name and kinds of arguments: C card, P place, S seat, N whole number, R rank, U suit.
VERBS = (
    ("", ""),
    ("draw", "C"),
    ("undo", ""),
    ("agree", ""),
    ("abort", ""),
    ("place", "CP"),
    ("pause", ""),
    ("resume", ""),
    ("lead", "S"),
)

NO_CARD = const(254)  # the card of an event that has none
SEAT_BITS = const(24)  # of what `said_by` makes: the seat stands above them, the packed event below
PACKED = const(0xFFFFFF)
PAIR = const("CC")  # the arguments of a verb that takes two cards: the second is the event's target

# The buttons of a place. A game's `button` says what the first three mean.
OK_KEY = const(0)
NO_KEY = const(1)
CALL_KEY = const(2)
MENU_KEY = const(3)

# What everybody may see of an event: the answers of a game's `shows`.
SHOWS_NOTHING = const(0)
SHOWS_VERB = const(1)  # all but its card
SHOWS_ALL = const(2)

# What an event does to the undo (T7): the answers of a game's `undoes`.
ENDS_UNDO = const(0)  # neither it nor what was before can be taken back
CAN_UNDO = const(1)
LEAVES_UNDO = const(2)  # what could be taken back before it still can


class Event:
    """One tap or press, as the engine judges it. Made once, and filled for each."""

    __slots__ = ("at_ms", "card", "seat", "target", "verb")

    def __init__(self, seat: int = 0, verb: int = 0, card: int = NO_CARD, target: int = 0, at_ms: int = 0) -> None:
        """seat 1..7, or 0 for table and arbiter; target: a second card, or a pile, number, rank, place or seat."""
        self.seat = seat
        self.verb = verb
        self.card = card
        self.target = target
        self.at_ms = at_ms  # since the start of the game, below 2^30


def pack(verb: int, card: int = NO_CARD, target: int = 0) -> int:
    """An event without its seat and time in one small int: what `moves` and `meanings` list."""
    return verb << 16 | card << 8 | target


def unpack(packed: int, seat: int, at_ms: int, event: Event) -> Event:
    """Fill `event` from what `pack` made."""
    event.seat = seat
    event.verb = packed >> 16
    event.card = packed >> 8 & 255
    event.target = packed & 255
    event.at_ms = at_ms
    return event


def said_by(seat: int, packed: int) -> int:
    """A packed event with the seat that says it, 0 for table and arbiter: one small int that is never 0."""
    return seat << SEAT_BITS | packed


def find_verb(game, name: str) -> int:
    """The number of a verb of this game or of all games; -1 if there is none of that name."""
    for verb in range(1, len(VERBS)):
        if VERBS[verb][0] == name:
            return verb
    for index in range(len(game.VERBS)):
        if game.VERBS[index][0] == name:
            return OWN_VERB + index
    return -1


def verb_name(game, verb: int) -> str:
    """The verb's word in the record."""
    return VERBS[verb][0] if verb < OWN_VERB else game.VERBS[verb - OWN_VERB][0]


def verb_arguments(game, verb: int) -> str:
    """The kinds of the verb's arguments, a letter each."""
    return VERBS[verb][1] if verb < OWN_VERB else game.VERBS[verb - OWN_VERB][1]
