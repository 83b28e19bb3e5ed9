"""One file a sub-command of `cardtable`: NAME.py holds `command`, a click command (docs/command-line.md)."""
