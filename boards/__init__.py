"""Boards as plain data, a file each: buses, pins, readers, buttons, lights, screens; they import nothing."""
