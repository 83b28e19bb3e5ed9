"""What a table does between two games, in four trades; a device forgets all of it while a game goes on.

The lobby, where players choose: lobby, walk, options, house_rules, profiles, delays, chosen, next_game, panel, notice.
The start of a game, and its end: power_up, what_runs, setup_files, files, keys, resume, leftovers, pieces, archive,
witness, take_up, bugs, prompt.
The doctor, who examines a new table: call_doctor, doctor, health, learn, learned, weak, reader_care, wiring.
The decks: decks, tag_lines, enrol.
"""
