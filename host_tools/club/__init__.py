"""What a club needs: tournaments, and tables on its network."""
