"""Tools that run on a computer beside the table: replay, the virtual table, its chips; none runs on the device."""
