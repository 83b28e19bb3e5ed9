"""Seals the record of a game (T12): a hash that runs over its lines, signed with the table's key.

The lines of the record are chained by a hash. Behind every SEAL_LINES lines comes `~ seal FIRST-LAST CHAIN TAG`, and
behind the result `~ end FIRST-LAST CHAIN TAG`: the chain as it stands behind line LAST, and a tag over the words before
it that only the key can make, and only for this game's nonce. Seals are lines of the record, but no links of the chain.
"""

import hashlib

from micropython import const

SEAL_LINES = 32  # as many lines as a record can lose to a pair of scissors without a seal telling which
NONCE = "nonce"  # the header's key; its value is what tells this game from every other
CHAIN_BYTES = 16
TAG_BYTES = 16
LETTERS = "ACDEFHJKMNPRTVWXY23456789"  # none that looks like another, neither printed nor by hand
GROUPS = 3  # of four letters

_BLOCK = const(64)  # of SHA-256


class Signer:
    """HMAC-SHA256 (RFC 2104) with one key."""

    def __init__(self, key: bytes) -> None:
        """key: at most 64 bytes."""
        key = key + bytes(_BLOCK - len(key))
        self._inner = bytearray(key)
        self._outer = bytearray(key)
        for index in range(_BLOCK):  # a list of 64 numbers is much at the moment in which a game begins
            self._inner[index] ^= 0x36
            self._outer[index] ^= 0x5C

    def sign(self, message: bytes) -> bytes:
        """32 bytes that only the key can make."""
        inner = hashlib.sha256(self._inner)
        inner.update(message)
        outer = hashlib.sha256(self._outer)
        outer.update(inner.digest())
        return outer.digest()


def find_nonce(header) -> bytes:
    """The nonce of a game; empty if its header has none."""
    for key, value in header.keys:
        if key == NONCE:
            return value.encode()
    return b""


def link(chain: bytes, line: bytes) -> bytes:
    """The chain behind one more line, which comes without its end."""
    hash = hashlib.sha256(chain)
    hash.update(line)
    hash.update(b"\n")
    return hash.digest()[:CHAIN_BYTES]


def digest_words(chain: bytes) -> str:
    """The digest of a whole record that players write down: letters in groups of four."""
    bytes_of = hashlib.sha256(b"digest" + chain).digest()
    number = 0
    for index in range(8):
        number = number << 8 | bytes_of[index]
    groups = []
    for _ in range(GROUPS):
        group = ""
        for _ in range(4):
            group += LETTERS[number % len(LETTERS)]
            number //= len(LETTERS)
        groups.append(group)
    return " ".join(groups)


class Seal:
    """Follows a record line by line; `write` makes the seal that is due."""

    def __init__(self, key: bytes) -> None:
        """key: the table's (record.keys)."""
        self._key = key
        self.begin()

    def begin(self) -> None:
        """A new record, or the same one from its first line."""
        self._chain = bytes(CHAIN_BYTES)
        self._signer = Signer(self._key)
        self.count = 0  # lines so far, seals too
        self._first = 1  # the line that the next seal begins with

    def take(self, line: bytes) -> None:
        """One line of the record, without its end: what is written now, or lay on flash when the power came back."""
        self.count += 1
        if line.startswith(b"~ "):
            self._first = self.count + 1
            return
        self._chain = link(self._chain, line)
        if line.startswith(b"nonce: "):
            self._signer = Signer(Signer(self._key).sign(line))

    def is_due(self) -> bool:
        """Whether a seal belongs here."""
        return self.count - self._first + 1 >= SEAL_LINES

    def write(self, kind: str = "seal") -> str:
        """The seal over the lines since the last one; it is a line of the record, to be taken like any other."""
        said = "%s %d-%d %s" % (kind, self._first, self.count, self._chain.hex())
        return "~ %s %s" % (said, self._signer.sign(said.encode())[:TAG_BYTES].hex())

    def digest(self) -> str:
        """The whole record in a few letters."""
        return digest_words(self._chain)


class Sealed:
    """A journal whose record is sealed as it is written: it answers as Journal does, which does the rest."""

    def __init__(self, journal, key: bytes) -> None:
        self.journal = journal
        self.seal = Seal(key)
        self.digest = ""  # once the game has its result

    def open(self, header) -> bool:
        """Begin a new record with this header; True once it is durable."""
        self.digest = ""
        self.resume([line.encode() for line in header.lines()])
        return self.journal.open(header)

    def resume(self, lines) -> None:
        """The record goes on behind these lines: bytes, with or without their ends."""
        self.seal.begin()
        for line in lines:
            self.seal.take(line.rstrip(b"\n"))

    def go_on(self, name: str, page: int, spares: int) -> None:
        """Write behind what lies on flash, as record.journal says; `resume` has been told of it."""
        self.journal.go_on(name, page, spares)

    def prepare(self) -> bool:
        """Make a spare page, in a calm moment."""
        return self.journal.prepare()

    def witness(self, is_over: bool = False) -> bool:
        """Note how far the game has come, as record.journal does."""
        return self.is_durable() and self.journal.witness(0 if is_over else self.seal.count)

    def counts(self) -> str:
        """As record.journal has it."""
        return self.journal.counts()

    def put_away(self):
        """Make one text of the record: a generator."""
        return self.journal.put_away()

    def write(self, line: str) -> bool:
        """Append a line and, where it is due, a seal; True once both are durable."""
        return self.journal.write(self.take(line))

    def keep(self, line: str) -> None:
        """Append a line and, where it is due, a seal, which `flush` brings to flash."""
        self.journal.keep(self.take(line))

    def take(self, line: str) -> str:
        """A line of the record with the seal that is due behind it."""
        self.seal.take(line.encode())
        if line.startswith("result:"):
            self.digest = self.seal.digest()
            line += "\n" + self.add_seal("end")
        elif self.seal.is_due():
            line += "\n" + self.add_seal("seal")
        return line

    def close(self) -> bool:
        """Seal a record that has its result, but not its last seal: the power failed between the two."""
        return self.journal.write(self.add_seal("end"))

    def add_seal(self, kind: str) -> str:
        """A seal that is a line of the record from now on."""
        seal = self.seal.write(kind)
        self.seal.take(seal.encode())
        return seal

    def is_durable(self) -> bool:
        """Whether everything that was written is on flash."""
        return self.journal.is_durable()

    def flush(self) -> bool:
        """Try to write all lines that are not on flash yet."""
        return self.journal.flush()
