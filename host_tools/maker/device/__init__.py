"""Talks to a table over its serial port, with mpremote's own transport: what it is, its records, a new application."""
