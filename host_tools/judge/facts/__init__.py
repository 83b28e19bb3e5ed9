"""What players, guesses, ends and analyses need of a game beside its public functions: one file a game, by name.

The only files of the host that may say a private name of a game: whoever changes a register or the layout of a view
looks here, and nowhere else.
"""
