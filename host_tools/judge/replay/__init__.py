"""Judges recorded games again: the replay itself, its process under MicroPython, and what it prints."""
