"""The languages of the table: those in which its words are written, English first."""

import functools

from host_tools.base.project import FIRMWARE

ENGLISH = "en"
WORDS = FIRMWARE / "cardtable" / "words"


@functools.cache
def list_languages() -> list[str]:
    """`en`, then the others by name: one for each file words/table.LANGUAGE."""
    return sorted((path.suffix[1:] for path in WORDS.glob("table.*")), key=lambda name: (name != ENGLISH, name))
