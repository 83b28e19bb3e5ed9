"""Storms over random games at the virtual table, and what came of them; `cardtable fuzz` is how it is called."""
