"""Boards as plain data, one file each: buses, pins, readers, buttons, lights, screens; they import nothing."""
