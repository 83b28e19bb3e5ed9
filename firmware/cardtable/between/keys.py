"""The table's key, made once and kept on its flash, and a nonce for each game; neither is ever said on any wire."""

import os

from micropython import const

from cardtable.engine.record import SetupError
from cardtable.record.seal import NONCE, Signer

KEY_FILE = "key.bin"
KEY_BYTES = 32
_NEW = "key.new"
_ABSENT = const(2)  # ENOENT
NONCE_BYTES = 16


def read_key() -> bytes:
    """The key that seals this table's records; a table without one makes it. SetupError if it cannot be kept, or read.

    A key that is there is never replaced: a record would be sealed with two of them, and no copy would fit it.
    """
    try:
        with open(KEY_FILE, "rb") as file:
            key = file.read(KEY_BYTES + 1)
    except OSError as error:
        if error.args[0] == _ABSENT:
            return make_key()
        raise SetupError("%s cannot be read: error %d" % (KEY_FILE, error.args[0]))  # noqa: B904 - none in MicroPython
    if len(key) != KEY_BYTES:
        raise SetupError("%s has not %d bytes: bring the copy back" % (KEY_FILE, KEY_BYTES))
    return key


def has_key() -> bool:
    """Whether there is a key, valid or not."""
    return KEY_FILE in os.listdir()


def make_key() -> bytes:
    """The first key of this table: written beside its place, so that a power failure leaves no half of it there."""
    key = os.urandom(KEY_BYTES)
    try:
        with open(_NEW, "wb") as file:
            is_whole = file.write(key) == KEY_BYTES
        if is_whole:
            os.rename(_NEW, KEY_FILE)
            return key
    except OSError:
        pass
    raise SetupError(KEY_FILE + " cannot be written")


def give_nonce(header, key: bytes) -> None:
    """Make the game of this header (engine.record.Header) one of its own: it gets a new nonce in place of a copied one.

    The chip's random numbers may be poor while its radio is off, so they are mixed with the secret key.
    """
    header.keys = [said for said in header.keys if said[0] != NONCE]
    header.keys.append((NONCE, Signer(key).sign(os.urandom(KEY_BYTES))[:NONCE_BYTES].hex()))
