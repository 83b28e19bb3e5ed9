"""Directs a tournament: players, seating, rounds, results, standings, prizes. It keeps one log of events."""
