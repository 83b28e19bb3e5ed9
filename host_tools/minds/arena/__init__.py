"""Lets virtual players play against each other, and counts: who is stronger, and how sure that is."""
