"""Before these tests run under MicroPython the firmware is compiled; this file knows nothing else."""

from tests.games.compile_firmware import compile_firmware

compile_firmware()
