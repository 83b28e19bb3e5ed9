"""Positions with one best act: mined from games, proved by a solver, kept as lines of text."""
