"""Hints for a person who plays: what to think of, and a play with its chance, from what the seat knows alone."""
