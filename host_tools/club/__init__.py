"""For a club: tournaments, and tables on its network."""
