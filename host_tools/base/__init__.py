"""What every wing stands on: errors, foreign input, where files lie, compiling, workers."""
