"""The table's key, made once and kept on its flash, and a nonce for each game; neither is ever said on any wire."""

import os

from cardtable.app.seal import NONCE, Signer
from cardtable.engine.record import SetupError

KEY_FILE = "key.bin"
KEY_BYTES = 32
NONCE_BYTES = 16


def read_key() -> bytes:
    """The key that seals this table's records; a table without one makes it. SetupError if it cannot be kept."""
    try:
        with open(KEY_FILE, "rb") as file:
            key = file.read(KEY_BYTES + 1)
    except OSError:
        key = b""
    if len(key) == KEY_BYTES:
        return key
    # None yet, or the power failed while it was written: no record can have been sealed with it.
    key = os.urandom(KEY_BYTES)
    try:
        with open(KEY_FILE, "wb") as file:
            if file.write(key) == KEY_BYTES:
                return key
    except OSError:
        pass
    raise SetupError(KEY_FILE + " cannot be written")


def give_nonce(header, key: bytes) -> None:
    """Make the game of this header (engine.record.Header) one of its own, whatever nonce its set-up was copied with.

    The chip's chance may be a poor one while its radio is off, so it goes through the key, which nobody has.
    """
    header.keys = [said for said in header.keys if said[0] != NONCE]
    header.keys.append((NONCE, Signer(key).sign(os.urandom(KEY_BYTES))[:NONCE_BYTES].hex()))


def find_nonce(header) -> bytes:
    """The nonce of a game; empty if its header has none."""
    for key, value in header.keys:
        if key == NONCE:
            return value.encode()
    return b""
