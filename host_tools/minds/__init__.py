"""Who plays and thinks: virtual players, what they weigh, how strong they are, where a game was lost."""
