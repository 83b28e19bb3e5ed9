"""The error for an input that a command cannot use, with the sentence that it prints."""


class UnusableInput(Exception):
    """The text is one sentence that names file, line and cause where it can; `cardtable` ends with 2."""
