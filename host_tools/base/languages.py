"""The languages of the table: those in which its words are written, English first."""

from host_tools.base.project import FIRMWARE

WORDS = FIRMWARE / "cardtable" / "words"


def list_languages() -> list[str]:
    """`en`, then the others by name: one for each file words/table.LANGUAGE."""
    return sorted((path.suffix[1:] for path in WORDS.glob("table.*")), key=lambda name: (name != "en", name))
