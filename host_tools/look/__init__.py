"""Shows games to people: one line of a record to an arbiter, a whole game in a page, a folder of games."""
