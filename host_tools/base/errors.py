"""The error for an input that a command cannot use, with the sentence that it prints; how that quotes foreign text."""

import copyreg
from typing import Any


class UnusableInput(Exception):
    """The text is one sentence that names file, line and cause where it can; `cardtable` ends with 2."""

    def __reduce__(self) -> tuple[Any, ...]:
        """It comes whole out of another process, also where its class is made of other things than its text: else the
        process that raised it seemed to have ended."""
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


def shorten(text: str, longest: int = 40) -> str:
    """Foreign text as a sentence may quote it."""
    return text if len(text) <= longest else text[:longest] + "..."
