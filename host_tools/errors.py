"""What a command says when its input cannot be used."""


class UnusableInput(Exception):
    """The text is one sentence that names file, line and cause where it can; `cardtable` ends with 2."""
