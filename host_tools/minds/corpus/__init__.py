"""Writes realistic games of virtual players by the thousand, and counts what records have in common."""
