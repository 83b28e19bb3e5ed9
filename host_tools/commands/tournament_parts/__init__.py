"""The commands of `cardtable tournament`: each file has a list `COMMANDS`."""
