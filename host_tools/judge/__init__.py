"""What a record says and whether it is right: replay, seals, the rulebook, sentences."""
