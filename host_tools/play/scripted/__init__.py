"""Evenings that a script plays: the demonstration, a record at the virtual table."""
