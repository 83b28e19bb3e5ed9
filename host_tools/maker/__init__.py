"""For those who build: boards, tables at a cable, decks, new games."""
