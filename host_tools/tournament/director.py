"""Owns one tournament: its state, and the log from which the state follows."""

from __future__ import annotations


class Director:
    """One tournament in its database. Several processes may have one open at once."""


def open_director(url: str) -> Director:
    """The tournament in that database: a SQLite file's path, or a URL such as postgresql://... UnusableInput."""
    raise NotImplementedError
