"""A table that people play at: the real firmware on virtual chips, with hands, a dealer and virtual players around it."""
