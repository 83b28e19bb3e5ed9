"""Names every part of the table that does not work (T13), and says whether the game has to wait for it.

It names every fault. The game waits for what it needs: the readers and buttons of its places, the chain of buttons, the
flash. It can do without a screen: lights and feed say enough.
"""

from micropython import const

from cardtable.table.keypad import ALL_KEYS, BUTTONS, KEYS, button_at, key_of, place_of

_CHAIN = const(1)
_FLASH = const(2)
_LOST = const(4)

LOOKS = 4  # a question in so many goes over all buttons, which takes a while


def list_places(mask: int) -> str:
    """`2 5`; more than four do not fit beside the words with spaces between them."""
    places = [str(index + 1) for index in range(7) if mask >> index & 1]
    return (" " if len(places) < 5 else "").join(places)


class Faults:
    """`stops` tells whether the game waits; `names` lists what is wrong, in the words of the screen."""

    def __init__(self, parts, places: list) -> None:
        """parts: readers, buttons, journal, screen, words; places: those of the players."""
        self.stepping = 0  # a bit for each button that may be held, to go through a list
        self.readers = parts.readers
        self.buttons = parts.buttons
        self.journal = parts.journal
        self.screen = parts.screen
        self.words = parts.words
        self.stops = False
        self.names: list = []
        self._places = 0
        self._keys = 0
        for place in places:
            self._places |= 1 << (place - 1)
            self._keys |= ALL_KEYS << button_at(place, 0)
        self._silent = 0
        self._stuck = 0
        self._jammer = 0
        self._dark = 0
        self._other = 0
        self._looks = 0

    def look(self) -> bool:
        """Ask every part; True if anything has changed."""
        silent = self.readers.faulty
        dark = self.screen.silent()
        other = 0 if self.journal.is_durable() else _FLASH
        if self.readers.lost or self.buttons.lost:
            other |= _LOST
        stuck = self._stuck
        if not self.buttons.chain_ok:
            other |= _CHAIN
            stuck = 0  # a chain that is broken tells nothing
        elif self._looks % LOOKS == 0:
            stuck = self.buttons.stuck & ~self.stepping
        self._looks = (self._looks + 1) % LOOKS
        jammer = self.readers.jammer
        if (silent == self._silent and stuck == self._stuck and dark == self._dark and other == self._other
                and jammer == self._jammer):
            return False
        self._silent = silent
        self._stuck = stuck
        self._jammer = jammer
        self._dark = dark
        self._other = other
        self.stops = bool(silent & self._places or stuck & self._keys or other & (_CHAIN | _FLASH))
        self.name_all()
        return True

    def name_all(self) -> None:
        """A line for each kind of trouble, and one for each button."""
        self.names.clear()
        if self._jammer:
            self.names.append("%s %d" % (self.words.find("F.jammer"), self._jammer))
        if self._silent:
            self.names.append(self.words.find("F.reader") + " " + list_places(self._silent))
        if self._other & _CHAIN:
            self.names.append(self.words.find("F.chain"))
        for index in range(BUTTONS):
            if self._stuck >> index & 1:
                self.names.append("%s %d %s" % (self.words.find("F.stuck"), place_of(index), KEYS[key_of(index)]))
        if self._other & _FLASH:
            self.names.append(self.words.find("F.flash"))
        if self._dark:
            places = "" if self.screen.is_shared else " " + list_places(self._dark)
            self.names.append(self.words.find("F.screen") + places)
        if self._other & _LOST:
            self.names.append(self.words.find("F.lost"))

    def concern(self, place: int, is_free: bool = False) -> bool:
        """Whether the light of that place has to show a fault: of its own reader or button, of a part that all places
        need, or of the screen if the light says nothing else."""
        if is_free and (self._dark if self.screen.is_shared else self._dark >> (place - 1) & 1):
            return True
        mine = self._silent >> (place - 1) & 1 or self._stuck >> button_at(place, 0) & ALL_KEYS or self._jammer == place
        all_need = self._other & (_CHAIN | _FLASH) and self._places >> (place - 1) & 1
        return bool(mine or all_need)
