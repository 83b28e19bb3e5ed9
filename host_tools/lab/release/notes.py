"""A release's notes, taken from the changelog."""

from __future__ import annotations

import re

_HEADING = re.compile(r"^## \[(.+?)\].*$", re.MULTILINE)


def take_notes(changelog: str, version: str) -> tuple[str, bool]:
    """(text for readers, whether this version has a section of its own with nothing unreleased above it)."""
    found = list(_HEADING.finditer(changelog))
    ends = [*(one.start() for one in found[1:]), len(changelog)]
    sections = {one[1]: changelog[one.end() : end].strip() for one, end in zip(found, ends, strict=True)}
    waiting = sections.get("Unreleased", "")
    if waiting or version not in sections:
        return f"# Cardtable {version}, and what is not released yet\n\n{waiting}\n", False
    return f"# Cardtable {version}\n\n{sections[version]}\n", True
