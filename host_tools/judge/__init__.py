"""Reads a record and says whether it is right: replay, seals, the rulebook, sentences."""
