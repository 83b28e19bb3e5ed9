"""Powers the virtual device up on a flash of its own: littlefs in a file of the host, which takes its time and loses
power; then as start.py does.

It stands for ports/esp32/modules/_boot.py. A new flash gets the files of the folder that the device was started in.
"""

import os

import port
import vfs
import virtual_clock
from first_start import open_system
from flash import Flash, Image

from micropython import const

MOUNT = "/flash"
_POWER_CUT = const(255)  # a cause of a reset that no chip knows: the supply has gone, in the midst of an operation


def cut_power() -> None:
    port.reset(_POWER_CUT)


def pass_time(us: int) -> None:
    """The chip stands still while its flash works, as the ESP32 does."""
    virtual_clock.now_us += us
    if virtual_clock.now_us >= virtual_clock.due_us:
        virtual_clock.catch_up()


def copy(name: str, to: str) -> None:
    with open(name, "rb") as source, open(to, "wb") as target:
        data = source.read(512)
        while data:
            target.write(data)
            data = source.read(512)


def mount() -> None:
    """Be on that flash."""
    flash = Flash(Image(os.getenv("CARDTABLE_FLASH"), int(os.getenv("CARDTABLE_BLOCKS"))))
    system, is_new = open_system(flash)
    names = [row[0] for row in os.ilistdir(".") if row[1] == 0x8000] if is_new else []
    vfs.mount(system, MOUNT)
    for name in names:
        copy(name, MOUNT + "/" + name)
    os.chdir(MOUNT)
    flash.operations = 0
    flash.cut_at = int(os.getenv("CARDTABLE_CUT_AT"))
    flash.cut_part = int(os.getenv("CARDTABLE_CUT_PART"))
    flash.on_cut = cut_power
    flash.on_time = pass_time


mount()

import start  # noqa: E402, F401 - it runs main.py
