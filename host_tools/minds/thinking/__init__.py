"""The tools of thinking players: exact ends of Durak, and games played on to their end.

The modules of this room are compiled like the engine (host_tools/base/fast/), so they keep to the same plain Python.
"""
