"""The registered tags: which is which card, key or player, read from files of lines that people can read."""

from micropython import const

from cardtable.engine.deck import STRANGER, card_name, card_number

_ROW = 11  # ten bytes of UID, zero padded, and the card
DECK_LIMIT = 120  # tags

# Tags that are no cards: numbers that no card has.
ARBITER_KEY = const(200)
PLAYER = const(201)  # and on: the tokens of players, in the order of their lines
SETUP = const(233)  # and on: tags that choose a profile
_NAMED_LIMIT = const(16)  # players, and as many profiles


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
        number = 0
        for line in lines:
            number += 1
            words = line.split(";")[0].split()
            if not words:
                continue
            if len(words) != 2:
                raise TagError("line %d: a deck file has `UID CARD` lines" % number)
            self.add(words[0], words[1], number)

    def load_others(self, lines) -> None:
        """Take tags that are no cards from lines `UID arbiter`, `UID player NAME`, `UID setup PROFILE`. TagError about
        the first wrong line, when all others were taken: the arbiter's key may be needed to mend it."""
        number = 0
        first: TagError | None = None
        for line in lines:
            number += 1
            words = line.split(";")[0].split()
            try:
                if words != []:
                    self.add_other(words, number)
            except TagError as wrong:
                first = first or wrong
        if first:
            raise first

    def add_other(self, words: list, number: int) -> None:
        """Register a tag that is no card by the words of its line."""
        kind = words[1] if len(words) > 1 else ""
        name = " ".join(words[2:])
        names: list = []
        if kind == "arbiter" and not name:
            code = ARBITER_KEY
        elif kind in ("player", "setup") and name:
            names = self.players if kind == "player" else self.setups
            if len(names) >= _NAMED_LIMIT:
                raise TagError("line %d: more than %d tags of this kind" % (number, _NAMED_LIMIT))
            code = (PLAYER if kind == "player" else SETUP) + len(names)
        else:
            raise TagError("line %d: it takes `UID arbiter`, `UID player NAME` or `UID setup PROFILE`" % number)
        self.append(words[0], code, number)
        names.append(name)

    def add(self, uid: str, name: str, number: int) -> None:
        """Register one card's tag."""
        card = card_number(name)
        if card < 0 or card == STRANGER:
            raise TagError("line %d: %s is no card" % (number, name))
        if self.has(card):
            raise TagError("line %d: the deck has two tags for %s" % (number, card_name(card)))
        self.append(uid, card, number)

    def append(self, uid: str, code: int, number: int) -> None:
        """Register one tag: a card's number, or what else it can be."""
        try:
            row = bytes([int(uid[at : at + 2], 16) for at in range(0, len(uid), 2)])
        except ValueError:
            row = b""
        if len(row) not in (4, 7, 10) or len(uid) != 2 * len(row):
            raise TagError("line %d: %s is no UID of 4, 7 or 10 bytes" % (number, uid))
        row += bytes(10 - len(row))
        if self.find(row) != STRANGER:
            raise TagError("line %d: %s is registered twice" % (number, uid))
        if len(self) >= DECK_LIMIT + 2 * _NAMED_LIMIT:
            raise TagError("line %d: more than %d tags" % (number, DECK_LIMIT))
        self._rows.extend(row + bytes([code]))

    def forget_cards(self) -> None:
        """Another deck comes; keys and tokens stay."""
        kept = bytearray()
        for at in range(0, len(self._rows), _ROW):
            if self._rows[at + 10] >= ARBITER_KEY:
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
