"""The refusals of a tournament: a key with its facts. The words are the `said...` of pages.LANGUAGE.txt."""

from __future__ import annotations

from pathlib import Path

from host_tools.base.wording import Refusal

FOLDER = Path(__file__).parent
WORDS = "pages"
SAID = "said."


class Unfit(Refusal):
    """An event that cannot happen in this state, or something typed that no tournament can use."""

    folder, name, prefix = FOLDER, WORDS, SAID
