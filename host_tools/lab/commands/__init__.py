"""The sub-commands of `cardtable` that only a clone has."""
