"""The modules that boards are built on: their pins and the uses of each.

From Espressif's data sheets of ESP32-WROOM-32 and ESP32-S3-WROOM-1 (pin definitions, strapping pins), the user guides
of ESP32-DevKitC V4 and ESP32-S3-DevKitC-1 (headers), and MicroPython's documentation of the port (hosts of buses).
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Strap:
    """A pin whose level at reset decides about starting: `needs` is the level it must have then."""

    needs: int
    why: str


@dataclass(frozen=True)
class Module:
    """One module on its development board."""

    title: str
    devkit: str
    pins: frozenset[int]
    input_only: frozenset[int]
    taken: dict[int, str]  # pin: what it serves, so that nothing else may use it
    straps: dict[int, Strap]
    spi_hosts: tuple[int, ...]
    i2c_hosts: tuple[int, ...]
    headers: tuple[tuple[str, ...], tuple[str, ...]]  # left and right from the antenna down; a number is a GPIO
    psram: str = ""  # which versions of the module to take; empty: it has none, so code in files is lean there
    supply_ma: tuple[int, int] = (0, 0)  # typical and most, the radio being off
    regulator_ma: int = 500  # what the board's own 3.3 V regulator gives from 5 V without getting hot


def _taken(**groups: object) -> dict[int, str]:
    return {pin: name.replace("_", " ") for name, pins in groups.items() for pin in pins}  # type: ignore[attr-defined]


MODULES = {
    "esp32-wroom-32": Module(
        title="ESP32-WROOM-32",
        devkit="ESP32-DevKitC V4",
        # The chip has no GPIO 20, 24 and 28 to 31, the module leads out no 37 and 38.
        pins=frozenset(range(40)) - {20, 24, 28, 29, 30, 31, 37, 38},
        input_only=frozenset({34, 35, 36, 39}),
        taken=_taken(the_flash=range(6, 12), the_console=(1, 3)),
        straps={
            0: Strap(1, "low at reset it starts the loader"),
            2: Strap(0, "high at reset it bars the loader"),
            5: Strap(1, "low at reset it changes the timing of SDIO"),
            12: Strap(0, "high at reset it sets the flash to 1.8 V, and the chip does not start"),
            15: Strap(1, "low at reset it silences the loader"),
        },
        spi_hosts=(1, 2),
        i2c_hosts=(0, 1),
        headers=(
            ("3V3", "EN", "36", "39", "34", "35", "32", "33", "25", "26", "27", "14", "12", "GND", "13", "9", "10",
             "11", "5V"),
            ("GND", "23", "22", "1", "3", "21", "GND", "19", "18", "5", "17", "16", "4", "0", "2", "15", "8", "7", "6"),
        ),
        supply_ma=(50, 100),
    ),
    "esp32-s3-wroom-1": Module(
        title="ESP32-S3-WROOM-1",
        devkit="ESP32-S3-DevKitC-1",
        # The chip has no GPIO 22 to 25, the module leads out no 33 and 34.
        pins=frozenset(range(49)) - {22, 23, 24, 25, 33, 34},
        input_only=frozenset(),
        taken=_taken(the_flash=range(26, 33), an_octal_PSRAM=(35, 36, 37), USB=(19, 20), the_console=(43, 44)),
        straps={
            0: Strap(1, "low at reset it starts the loader"),
            3: Strap(1, "at reset it chooses where the debugger is, if a fuse says so"),
            45: Strap(0, "high at reset it sets the flash to 1.8 V, and the chip does not start"),
            46: Strap(0, "high at reset it bars the loader"),
        },
        spi_hosts=(1, 2),
        i2c_hosts=(0, 1),
        headers=(
            ("3V3", "3V3", "EN", "4", "5", "6", "7", "15", "16", "17", "18", "8", "3", "46", "9", "10", "11", "12",
             "13", "14", "5V", "GND"),
            ("GND", "43", "44", "1", "2", "42", "41", "40", "39", "38", "37", "36", "35", "0", "45", "48", "47", "21",
             "20", "19", "GND", "GND"),
        ),
        psram="N8R2, N8R8 or N16R8: with PSRAM; `make flash` finds the image that fits",
        supply_ma=(60, 110),
    ),
}
# A WROVER-E on the same ESP32-DevKitC V4: its PSRAM takes two pins, which the board leads out all the same.
MODULES["esp32-wrover-e"] = replace(
    MODULES["esp32-wroom-32"], title="ESP32-WROVER-E", devkit="ESP32-DevKitC V4 with WROVER",
    taken={**MODULES["esp32-wroom-32"].taken, 16: "the PSRAM", 17: "the PSRAM"},
    psram="N4R8 or N8R8, with MicroPython's image ESP32_GENERIC-SPIRAM",
)
