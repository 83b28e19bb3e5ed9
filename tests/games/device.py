"""Imported first by every test of this folder: under MicroPython the firmware comes compiled, as on a device."""

import sys

ROOT = __file__.rsplit("/", 3)[0]
IS_SMALL = sys.implementation.name == "micropython"

if IS_SMALL and sys.path[0] != ROOT + "/build/mpy":
    sys.path.insert(0, ROOT + "/build/mpy")
