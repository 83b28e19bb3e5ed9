"""Powers the virtual device up as a board with a flash chip and a serial console: littlefs, boot.py, main.py, then
the REPL. It stands for ports/esp32/main.c and shared/runtime/pyexec.c.

Started with `micropython -i -m serial_start` by host_tools/virtual/serial_board.py, which is the other end of console
and pipe. What an interrupt from the console is to a UART comes with the answer to an operation here.
"""

import asyncio.core
import gc
import os
import sys

import console
import machine  # noqa: F401 - the modules of the chip are found in sys.modules, whatever the path is later
import neopixel  # noqa: F401
import port
import select  # noqa: F401
import time  # noqa: F401
import vfs
import virtual_clock
from first_start import open_system
from flash import Flash, Image
from rom import add as add_rom

import micropython
from micropython import const

_KEYBOARD = const(8)  # operation of the pipe, beside those of port.py; other: whether the interrupt is on
_IS_OFF = const(0)
_IS_ON = const(1)
_NOBODY = const(2)  # no program, and no prompt yet: what is typed now would be lost
_POWER_CUT = const(255)  # a cause of a reset that no chip knows: the supply has gone, in the midst of a write

# What ports/esp32/modules/inisetup.py writes onto a flash that it has formatted. Ctrl-C works while it runs.
_BOOT = "# This file is executed on every boot (including wake-boot from deepsleep)\n#import esp\n#esp.osdebug(None)\n"


def cut_power() -> None:
    port.reset(_POWER_CUT)


def pass_time(us: int) -> None:
    """The chip stands still while its flash works. Timers are called after the file system's call, as on a chip: here a
    Ctrl-C may come out of one."""
    virtual_clock.now_us += us


def open_flash() -> Flash:
    """The flash chip of this board; the power goes within one of its operations if the host wants it."""
    found = Flash(Image(os.getenv("CARDTABLE_FLASH"), int(os.getenv("CARDTABLE_BLOCKS"))))
    found.cut_at = int(os.getenv("CARDTABLE_CUT_AT"))
    found.cut_part = 128
    found.on_cut = cut_power
    found.on_time = pass_time
    sys.modules["flash"].chip = found  # for programs that count what is written
    return found


def tell_keyboard(how: int) -> None:
    port._post(_KEYBOARD, 0, how, 0)
    port._take_byte()


class Micropython:
    """`micropython` with the console's interrupt, which is the host's here and no signal's, and with the heap that the
    host wants a chip to have (py/modmicropython.c, py/gc.c)."""

    def mem_info(self) -> None:
        heap = os.getenv("CARDTABLE_CHIP_HEAP")
        if heap:
            print("GC: total: %s, used: 1234, free: 1234, max new split: %s" % tuple(heap.split()))
        else:
            real_mem_info()

    def kbd_intr(self, character: int) -> None:
        tell_keyboard(_IS_OFF if character < 0 else _IS_ON)


real_mem_info = micropython.mem_info
_interrupt = bytearray(1)


def _take(into, size: int) -> None:
    """`port._take`, with a byte before each answer: 1 is a Ctrl-C."""
    port._flush()
    port._answered_us = virtual_clock.now_us
    if port._from_host.readinto(_interrupt, 1) != 1 or port._from_host.readinto(into, size) != size:
        raise SystemExit("the host of this virtual board is gone")
    if _interrupt[0]:
        raise KeyboardInterrupt


def mount(flash: Flash) -> None:
    """As the ESP32's own start, with no prompt where it cannot be mounted."""
    tell_keyboard(_IS_OFF)
    system, is_new = open_system(flash)
    vfs.umount("/")
    vfs.mount(system, "/")
    os.chdir("/")
    if is_new:
        with open("boot.py", "w") as file:
            file.write(_BOOT)
    sys.path[:] = ["", ".frozen", "/lib"]


def run_file(name: str) -> None:
    """As the ESP32's own start: in the REPL's names; an error is printed, a SystemExit is a soft reset."""
    try:
        with open(name) as file:
            source = file.read()
    except OSError:
        return
    tell_keyboard(_IS_ON)
    try:
        exec(compile(source, name, "exec"), __import__("__main__").__dict__)
    except (Exception, KeyboardInterrupt) as error:
        sys.print_exception(error)
    finally:
        tell_keyboard(_NOBODY)


def start() -> None:
    """boot.py, then main.py unless the host says that the raw REPL was reset."""
    port._take = _take
    console.begin(os.getenv("CARDTABLE_CONSOLE") == "stalls")
    console.time_prints()
    asyncio.core.ticks = virtual_clock.asyncio_ticks
    asyncio.core.ticks_add = virtual_clock.asyncio_ticks_add
    asyncio.core.ticks_diff = virtual_clock.asyncio_ticks_diff
    module = Micropython()
    for name in dir(micropython):
        if name not in ("kbd_intr", "mem_info") and name[0] != "_":
            setattr(module, name, getattr(micropython, name))
    sys.modules["micropython"] = module
    rom = os.getenv("CARDTABLE_ROM")
    system = add_rom(rom, int(os.getenv("CARDTABLE_ROM_SIZE"))) if rom else None
    mount(open_flash())
    if system:
        vfs.mount(system, "/rom")
        sys.path[1:1] = ["/rom", "/rom/lib"]
    gc.collect()
    run_file("boot.py")
    if os.getenv("CARDTABLE_RUN_MAIN") == "1":
        run_file("main.py")


start()
