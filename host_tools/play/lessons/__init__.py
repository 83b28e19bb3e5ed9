"""First games: a stacked deck, opponents that follow a script, one idea a step. A lesson is a file of data here."""
