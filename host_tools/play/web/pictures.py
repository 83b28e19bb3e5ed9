"""The pictures of cards as a browser gets them: as an address that holds the picture, or as a file, compressed."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Iterable

from host_tools.base import foreign
from host_tools.base.project import PAGE

CARDS = PAGE / "cards"
COURT = "JQK"  # cards with a person: each has five times the bytes of all others together


def list_plain() -> list[str]:
    """The names of all pictures but the courts'."""
    return sorted(path.stem for path in CARDS.glob("*.svg") if path.stem[0] not in COURT)


def read_pictures(names: Iterable[str]) -> dict[str, str]:
    """Cards as addresses that hold the picture itself."""
    return {name: "data:image/svg+xml," + foreign.read_text(CARDS / f"{name}.svg").replace("%", "%25").replace(
        "#", "%23") for name in sorted(names)}


@functools.cache
def read_picture(name: str) -> tuple[bytes, bytes]:
    """(the picture of that card, the same compressed with gzip). KeyError: no card has that name."""
    path = CARDS / f"{name}.svg"
    if path not in CARDS.glob("*.svg"):
        raise KeyError(name)
    plain = foreign.read_bytes(path)
    return plain, gzip.compress(plain, 9, mtime=0)
