"""Compiles the engine, the games and the random player from the source of the device, and finds what is compiled."""
