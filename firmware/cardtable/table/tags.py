"""The registered tags: which is which card, key or player. What reads them from lines that people can read is in
between/tag_lines.py, and in memory only meanwhile."""

from micropython import const

from cardtable.engine.deck import STRANGER
from cardtable.rooms import forget, load

_ROW = 11  # ten bytes of UID, zero padded, and the card

# Tags that are no cards: numbers that no card has.
ARBITER_KEY = const(200)
PLAYER = const(201)  # and on: the tokens of players, in the order of their lines
SETUP = const(233)  # and on: tags that choose a profile


class TagError(ValueError):
    """A deck file that cannot be used; one sentence with the line."""


class Tags:
    """One bytearray of rows; looking a tag up allocates nothing."""

    def __init__(self) -> None:
        self._rows = bytearray()
        self.players: list = []
        self.setups: list = []
        self.knows_others = False  # every registered tag that is no card was read: any other is a stranger

    def __len__(self) -> int:
        return len(self._rows) // _ROW

    def load(self, lines) -> None:
        """Take the deck from lines `04A1B2C3D4E580 6S`; empty lines and `;` comments are passed over. TagError."""
        load("between", "tag_lines").take_deck(self, lines)
        forget("between.tag_lines")

    def load_others(self, lines) -> None:
        """Take tags that are no cards from lines `UID arbiter`, `UID player NAME`, `UID setup PROFILE`. TagError about
        the first wrong line, when all others were taken: the arbiter's key may be needed to mend it."""
        load("between", "tag_lines").take_others(self, lines)
        forget("between.tag_lines")

    def append(self, uid: bytes, code: int) -> None:
        """Register the tag of a UID of ten bytes, zero padded: a card's number, or what else it can be."""
        self._rows.extend(uid + bytes([code]))

    def forget_cards(self) -> None:
        """Another deck comes; keys and tokens stay."""
        self._keep(False)

    def forget_others(self) -> None:
        """Keys and tokens are read anew; cards stay."""
        self._keep(True)
        self.players.clear()
        self.setups.clear()

    def _keep(self, cards: bool) -> None:
        """Forget either the cards or all others."""
        kept = bytearray()
        for at in range(0, len(self._rows), _ROW):
            if (self._rows[at + 10] < ARBITER_KEY) == cards:
                kept.extend(self._rows[at : at + _ROW])
        self._rows = kept

    def has(self, card: int) -> bool:
        """Whether some tag is that card."""
        return self.find_code(card) > 0

    def find_code(self, code: int) -> int:
        """Where in the rows the tag of that card or kind ends; 0 if there is none."""
        for at in range(10, len(self._rows), _ROW):
            if self._rows[at] == code:
                return at
        return 0

    def uid_of(self, card: int) -> bytes:
        """The UID of that card's tag, ten bytes, zero padded; the card must have one."""
        at = self.find_code(card)
        return bytes(self._rows[at - 10 : at])

    def find(self, uid) -> int:
        """The card of a UID of ten bytes, zero padded; STRANGER if the tag is not registered (T2)."""
        rows = self._rows
        at = rows.find(uid)
        while at >= 0:
            if at % _ROW == 0:
                return rows[at + 10]
            at = rows.find(uid, at + 1)
        return STRANGER
