"""Storms over random games at the virtual table, and their results; `cardtable fuzz` starts them."""
