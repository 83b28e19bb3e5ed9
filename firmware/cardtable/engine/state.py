"""The flat state of one game: a byte a card that says where it lies, and a row of registers."""

from micropython import const

# The places that every game shares. A game's own are 2..7, and from 16 on.
NOWHERE = const(0)  # of a card that is not in this game
STOCK = const(1)  # face down, in an order that no one knows; with deal=counted also every card not tapped yet (T4)
HAND = const(8)  # + seat

# The registers that every game shares. A game's own begin at OWN.
SEATS = const(0)  # how many seats play, 2..7
DEALER = const(1)
FIRST = const(2)  # the seat that the header says begins, or 0
MATCH_GAME = const(3)  # which game of its match this is, from 1
OUTCOME = const(4)  # 0 while the game goes on, else the game's kind of outcome
PRESET = const(5)  # index in the game's PRESETS
PAUSED = const(6)  # the arbiter has paused the game (T10)
DEAL = const(7)  # 1: deal=counted (T4)
OPTION = const(8)  # two bytes an option, little-endian, in the order of the game's OPTIONS
UNSEEN = const(52)  # + seat: how many cards of that hand have not been tapped yet; only with deal=counted
CLOCK = const(60)  # seconds a turn, two bytes; 0: no clock (T8)
BANK = const(62)  # seconds a game, two bytes (T8)
CLOCKS = const(64)  # + 2 * seat: its seconds a turn, two bytes; 0: as CLOCK says (T8). Of seat 0: hints (T15)
OWN = const(80)


class State:
    """where[card] = place, register[name] = value 0..255; both are made once and only ever written in place."""

    __slots__ = ("register", "where")

    def __init__(self, cards: int, registers: int) -> None:
        """Room for `cards` cards and `registers` registers (OWN and above)."""
        self.where = bytearray(cards)
        self.register = bytearray(registers)

    def copy(self, other: "State") -> None:
        """Become equal to `other`, a state of the same game, without allocating."""
        self.where[:] = other.where
        self.register[:] = other.register

    def is_equal(self, other: "State") -> bool:
        """Whether every byte is the same."""
        return self.where == other.where and self.register == other.register

    def save(self) -> bytes:
        """All bytes in one row, to be given to `load` of a state of the same game."""
        return bytes(self.where) + bytes(self.register)

    def load(self, saved: bytes) -> None:
        """Become what `save` gave. ValueError if the length is not that of this game."""
        cards = len(self.where)
        if len(saved) != cards + len(self.register):
            raise ValueError("%d bytes are no state of this game" % len(saved))
        self.where[:] = saved[:cards]
        self.register[:] = saved[cards:]


def place_name(game, place: int) -> str:
    """`hand2`, `stock`: a place as the arbiter writes it (T10), by the game's PLACES; `nowhere` if it has no name."""
    for name, base, count in game.PLACES:
        if base <= place < base + count:
            return name if count == 1 else name + str(place - base + 1)
    return "nowhere"


def find_place(game, name: str) -> int:
    """The place of that name; -1 if there is none."""
    for _, base, count in game.PLACES:
        for place in range(base, base + count):
            if place_name(game, place) == name:
                return place
    return -1


def move_all(where: bytearray, place: int, target: int) -> None:
    """Every card of one place goes to another."""
    card = where.find(place)
    while card >= 0:
        where[card] = target
        card = where.find(place, card + 1)


def read_wide(register: bytearray, at: int) -> int:
    """A number of two bytes, little-endian."""
    return register[at] | register[at + 1] << 8


def write_wide(register: bytearray, at: int, value: int) -> None:
    """Write a number 0..65535 in two bytes, little-endian."""
    register[at] = value & 255
    register[at + 1] = value >> 8


def read_long(register: bytearray, at: int) -> int:
    """A number of four bytes, little-endian: a time in ms."""
    return register[at] | register[at + 1] << 8 | register[at + 2] << 16 | register[at + 3] << 24


def write_long(register: bytearray, at: int, value: int) -> None:
    """Write a number 0..2^30 - 1 in four bytes, little-endian."""
    register[at] = value & 255
    register[at + 1] = value >> 8 & 255
    register[at + 2] = value >> 16 & 255
    register[at + 3] = value >> 24


def are_counts_right(state: State, first: int, recount) -> bool:
    """Whether the counts that a game keeps in its registers from `first` on are what the places say."""
    register = state.register
    kept = bytes(register[first:])
    recount(state)
    is_right = bytes(register[first:]) == kept
    register[first:] = kept
    return is_right
