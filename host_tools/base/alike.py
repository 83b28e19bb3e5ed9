"""Tells names apart as eyes do: letters of Latin, Cyrillic and Greek that look the same are one letter."""

from __future__ import annotations

from collections.abc import Iterable

# The pairs that print alike in upright letters; м, н, т, в and к of small letters are told from every Latin one.
_CYRILLIC = ("АВЕЅЗІЈКМНОРСТУХҮԌԚԜӀҺаеѕіјорсухүһԁԛԝӏ", "ABES3IJKMHOPCTYXYGQWIhaesijopcyxyhdqwl")
_GREEK = ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυϲϳ", "ABEZHIKMNOPTYXayiĸvopucj")
_LETTERS = str.maketrans(_CYRILLIC[0] + _GREEK[0] + "к", _CYRILLIC[1] + _GREEK[1] + "ĸ")


def as_seen(name: str) -> str:
    """What is the same of two names that no eye tells apart: letters of another alphabet, other forms of one letter
    (wide ones, accents in two signs), and blanks. A capital is no small letter."""
    import unicodedata  # a table that begins has no use for it

    parts = unicodedata.normalize("NFKD", " ".join(name.split())).translate(_LETTERS)
    return unicodedata.normalize("NFC", parts)


def find_alike(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two of the names that no eye tells apart, be they the same."""
    known: dict[str, str] = {}
    for name in names:
        seen = as_seen(name)
        if seen in known:
            return known[seen], name
        known[seen] = name
    return None
