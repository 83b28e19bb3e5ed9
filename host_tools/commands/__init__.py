"""One file a sub-command of `cardtable`: NAME.py holds `command`, as host_tools/cli.py says."""
