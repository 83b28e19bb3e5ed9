"""The ground of all wings: errors, foreign input, where files lie, compiling, workers."""
