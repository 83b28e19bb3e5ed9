"""Checks what a finished game leaves behind (T12): the seals of its record, and the public feed that goes with it."""
