"""A table that people play at: the firmware on virtual chips, with hands and virtual players around it."""
