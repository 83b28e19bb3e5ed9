"""Computes a board's current from its data: milliamperes, typical and at most.

Sources: MFRC522 data sheet (TVDD 60, at most 100; logic 16.5, at most 19, and 2 for the light on its board), PN532 data
sheet (transmitter 60, at most 100; logic 25), Espressif's for the module with its radio off, WorldSemi's for the lights
(20 for a colour at full), usual modules' for the screens. The firmware has one reader's field on at a time.
"""

from dataclasses import dataclass
from typing import Any

from cardtable.table.lights import MAY, colour_of
from host_tools.virtual.chip_rows import find_chip
from host_tools.maker.board.modules import MODULES

_FIELD_MA = (60, 100)
_LIGHT_IDLE_MA = 1
_COLOUR_MA = 20
_BUZZER_MA = (2, 20)
_CHIP_MA = 1
RADIO_MA = 200  # more, at most, while the radio sends


@dataclass(frozen=True)
class Load:
    """One line of the budget; `volts` is the rail it hangs on."""

    what: str
    volts: str
    typical_ma: float
    most_ma: float


def budget(board: Any) -> list[Load]:
    """Everything that takes current."""
    module = MODULES[board.MODULE]
    readers = [find_chip("reader", reader["chip"]) for reader in board.READERS]
    logic, most_logic = sum(row.typical_ma for row in readers), sum(row.most_ma for row in readers)
    screens = len(board.SCREEN["switch"]["channels"]) if "switch" in board.SCREEN else 1
    screen = find_chip("screen", board.SCREEN["chip"])
    chips = count_logic(board) + ("switch" in board.SCREEN)
    lights = board.LIGHTS["count"]
    brightest = max(sum(colour_of(meaning)) for meaning in range(MAY + 1)) / 255 * _COLOUR_MA
    loads = [
        Load("module, radio off", "3.3 V", *module.supply_ma),
        Load(f"{len(board.READERS)} readers, logic", "3.3 V", logic, most_logic),
        Load("one reader's field", "3.3 V", *_FIELD_MA),
        Load(f"{screens} screen{'s' * (screens > 1)}", "3.3 V", screens * screen.typical_ma, screens * screen.most_ma),
        Load(f"{chips} logic chips, pull-ups", "3.3 V", chips * _CHIP_MA, chips * _CHIP_MA + 10),
        Load(f"{lights} lights", "5 V", lights * _LIGHT_IDLE_MA + brightest, lights * (_LIGHT_IDLE_MA + brightest)),
    ]
    if getattr(board, "BUZZER", None):
        loads.append(Load("buzzer", "5 V", *_BUZZER_MA))
    return loads


def count_logic(board: Any) -> int:
    """Chips of logic: shift registers, decoder, gates."""
    gates = sum("buffer" in board.SPI[reader["spi"]] for reader in board.READERS)
    return int(board.BUTTONS["chips"]) + bool(getattr(board, "SELECT", None)) + gates


def rail(loads: list[Load], volts: str) -> tuple[int, int]:
    """Typical and at most of one rail, in whole milliamperes."""
    mine = [load for load in loads if load.volts == volts]
    return round(sum(load.typical_ma for load in mine)), round(sum(load.most_ma for load in mine))


def needs_regulator(board: Any) -> bool:
    """Whether readers and screens take more 3.3 V than the module's own regulator has, while the radio sends."""
    most = rail(budget(board), "3.3 V")[1] + (RADIO_MA if getattr(board, "WIFI", False) else 0)
    return most > MODULES[board.MODULE].regulator_ma


def advice(board: Any) -> list[str]:
    """What follows, a sentence each."""
    module = MODULES[board.MODULE]
    loads = budget(board)
    typical, most = rail(loads, "3.3 V")
    _, most_5v = rail(loads, "5 V")
    if most <= module.regulator_ma:
        told = [f"The {module.devkit}'s own regulator gives the 3.3 V: at most {most} of its {module.regulator_ma} mA."]
    else:
        told = [
            f"3.3 V take up to {most} mA, more than the {module.devkit}'s own regulator gives without getting hot "
            f"({module.regulator_ma}): feed readers and screens from a 3.3 V regulator of their own, grounds joined."
        ]
    radio = "which the firmware leaves off, would add"
    if getattr(board, "WIFI", False):
        radio = "which is on between two games if the table has a network.txt, adds"
    told.append(f"From 5 V all takes {typical + rail(loads, '5 V')[0]} mA typically and {most + most_5v} at most; the "
                f"radio, {radio} up to {RADIO_MA}.")
    if getattr(board, "WIFI", False) and most <= module.regulator_ma < most + RADIO_MA:
        told.append(f"With Wi-Fi, 3.3 V take up to {most + RADIO_MA} mA: feed readers and screens from a 3.3 V "
                    "regulator of their own then, grounds joined.")
    others = (len(board.READERS) - 1) * _FIELD_MA[1]
    told.append(f"All fields on at once would take up to {others} mA more; the firmware never does that.")
    return told
