"""Directs a tournament: players, seating, rounds, results, standings, prizes. One log of events is all that it keeps."""
