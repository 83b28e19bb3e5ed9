"""A piezo disc and the transistor that drives it: how loud a square wave comes out.

A disc is a capacitor (Murata application manual P15E, "Piezoelectric sound components": 10 to 30 nF). The transistor
charges it and cannot discharge it: a resistor across it has to, or it is charged once and stands still. Below its
resonance near 4 kHz the same swing gives 12 dB less for each octave down. Levels are against that resonance.
"""

from math import exp, log2

_CAPACITY_F = 20e-9
_RESONANCE_HZ = 4_000
_DB_PER_OCTAVE = 12
HEARD_DB = -26  # an assumption: what is fainter is lost in the talk at a table
MUTE_DB = -120.0


class Piezo:
    """`resistor_ohm` lies across the disc; None: the maker left it out."""

    def __init__(self, resistor_ohm: float | None = 1_000.0) -> None:
        self.resistor_ohm = resistor_ohm

    def level_db(self, hertz: int, duty_u16: int) -> float:
        """How loud that wave is; MUTE_DB for silence."""
        if not hertz or not 0 < duty_u16 < 65535 or self.resistor_ohm is None:
            return MUTE_DB
        rest_s = (1 - duty_u16 / 65536) / hertz
        swing = 1 - exp(-rest_s / (self.resistor_ohm * _CAPACITY_F))
        octaves = max(0.0, log2(_RESONANCE_HZ / hertz))
        return max(MUTE_DB, 20 * log2(max(swing, 1e-9)) / log2(10) - _DB_PER_OCTAVE * octaves)
