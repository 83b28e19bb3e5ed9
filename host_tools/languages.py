"""The languages of the table: those in which its words are written, English first."""

from pathlib import Path

WORDS = Path(__file__).parents[1] / "firmware" / "cardtable" / "words"


def list_languages() -> list[str]:
    """`en`, then the others by name: one for each file words/table.LANGUAGE."""
    return sorted((path.suffix[1:] for path in WORDS.glob("table.*")), key=lambda name: (name != "en", name))
