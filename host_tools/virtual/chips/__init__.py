"""Models of the chips of a table, written from their datasheets."""
