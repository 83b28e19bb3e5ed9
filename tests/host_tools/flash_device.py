"""A virtual device whose files lie on a flash: MicroPython's own littlefs in an image, with times, wear and power
cuts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from littlefs import LittleFS
from littlefs.context import UserContext

from host_tools.virtual.device import SHIMS_KB, Device
from host_tools.virtual.world import World

BLOCK = 4096
BLOCKS = 512  # what an ESP32 with 4 MB has left for files
# What the model of the flash takes of the heap, and littlefs on it: 32-bit KB beside those of device.py.
FLASH_KB = 8
POWER_CUT = 255  # as in host_tools/virtual/shims/flash_start.py


class FlashDevice(Device):
    """As Device, but the folder is only what a new flash begins with; `flash` is the image, made if it is not there.

    `cut_at`: the operation of the flash (program or erase, from 1) after the next power-up in which the power goes;
    0: none. `cut_part` of 256 of that operation are done. `run` then comes back with False, and the device is off.
    """

    beside_kb = SHIMS_KB + FLASH_KB

    def __init__(self, world: World, folder: Path, flash: Path, image: Path, shims: Path, *, blocks: int = BLOCKS,
                 cut_at: int = 0, **more: Any) -> None:
        super().__init__(world, folder, image, shims, **more)
        self._command[-1] = "flash_start"
        self.flash = flash
        self.blocks = blocks
        self.cut_at = cut_at
        self.cut_part = 100
        self.was_cut = False

    def _environment(self) -> dict[str, str]:
        cut_at, self.cut_at = self.cut_at, 0
        return {"CARDTABLE_FLASH": str(self.flash.resolve()), "CARDTABLE_BLOCKS": str(self.blocks),
                "CARDTABLE_CUT_AT": str(cut_at), "CARDTABLE_CUT_PART": str(self.cut_part)}

    def _reset(self, cause: int) -> None:
        if cause != POWER_CUT:
            super()._reset(cause)
            return
        self._read_prints()
        self._hand_on_lines()
        self.was_cut = True
        self.power_off()

    def _take_in(self, ready: list[int]) -> bool:
        goes_on = super()._take_in(ready)
        return goes_on and self.is_on

    def copy_files(self, folder: Path) -> None:
        """Copy everything that lies on the flash into a folder, while the device is off."""
        context = UserContext(buffer=bytearray(self.flash.read_bytes()))
        system = LittleFS(context=context, block_size=BLOCK, block_count=self.blocks, mount=True)
        for place, _, names in system.walk("/"):
            target = folder / place.strip("/")
            target.mkdir(parents=True, exist_ok=True)
            for name in names:
                with system.open(f"{place.rstrip('/')}/{name}", "rb") as source:
                    (target / name).write_bytes(source.read())
