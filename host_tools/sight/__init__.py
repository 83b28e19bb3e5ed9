"""Decides what one pair of eyes may see: of a live table, of a recording, of a public feed."""
