"""Virtual players: how they play and think, how strong they are, where a game was lost."""
