"""A chip's own start, before any program: mounts the flash, and formats a blank one.

As MicroPython's ports/esp32/modules/inisetup.py: a flash that cannot be mounted is formatted if its first block is
blank, else never. It stands still then, and says so again and again. MicroPython's own start switches Ctrl-C on for
that; here it stays off, as with the `_boot.py` of docs/security.md.
"""

import time

import vfs
from flash import BLOCK

CORRUPTED = "The filesystem appears to be corrupted. This table has to be mended by whoever can read its flash."
_PAUSE_S = 3


def is_blank(flash) -> bool:
    """Whether nothing was ever written into the first block."""
    head = bytearray(BLOCK)
    flash.readblocks(0, head)
    return head == b"\xff" * BLOCK


def open_system(flash) -> tuple:
    """(the file system of that flash, whether it was made now). It does not come back if there is a spoilt one."""
    try:
        return vfs.VfsLfs2(flash), False
    except OSError:
        pass
    while not is_blank(flash):
        print(CORRUPTED)
        time.sleep(_PAUSE_S)
    vfs.VfsLfs2.mkfs(flash)
    return vfs.VfsLfs2(flash), True
