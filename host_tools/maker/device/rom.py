"""The application into MicroPython's ROM partition, where it has one: mpremote's image and mpremote's way to write it.

It lies on flash already and has come up from there; that is what the loader goes back to.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from mpremote.commands import CommandError, do_romfs

from host_tools.maker.device import memory
from host_tools.maker.device.deploy import POINTER, ROM
from host_tools.maker.device.package import MANIFEST, Package, digest
from host_tools.maker.device.table import LOST, Table, TableError
from host_tools.base.errors import UnusableInput
from host_tools.virtual import image

_HASH = """import binascii, hashlib
print(binascii.hexlify(hashlib.sha256(memoryview(vfs.rom_ioctl(2, 0))[:%d]).digest()).decode())
"""


def make_image(package: Package) -> bytes:
    """The bytes of a ROM file system with the application and its manifest at its root."""
    return image.pack_rom({**package.files, MANIFEST: package.manifest})


def deploy(table: Table, package: Package, say: Callable[[str], object]) -> None:
    """Write the partition of a stopped table, compare it, and name it. UnusableInput, TableError."""
    room = memory.ask(table).rom
    whole = make_image(package)
    if not room:
        raise UnusableInput(f"{table.port}: this MicroPython has no ROM partition; the application runs from flash.")
    if len(whole) > room:
        raise UnusableInput(f"{table.port}: the ROM partition has {room // 1024} KB and the application needs"
                            f" {-(-len(whole) // 1024)} KB; it runs from flash.")
    words = table.call("read_text", "/" + POINTER).split()
    if words[:1] == [ROM]:
        raise TableError("the table runs from its ROM, which is not to be written then; try again.")
    say(f"Writing {len(whole) // 1024} KB to the ROM partition; at 115200 baud that takes half a minute.")
    with tempfile.TemporaryDirectory() as passing:
        file = Path(passing, "application.romfs")
        file.write_bytes(whole)
        state = SimpleNamespace(ensure_raw_repl=lambda: None, did_action=lambda: None, transport=table.transport)
        how = SimpleNamespace(command=["deploy"], path=str(file), partition=0, mpy=False)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                do_romfs(state, how)
        except (CommandError, *LOST, SystemExit) as wrong:
            raise TableError(f"the ROM partition was not written; the application runs from flash: {wrong}") from wrong
    if table.run(_HASH % len(whole)).strip() != digest(whole):
        raise TableError("the ROM partition is not what was sent; the application runs from flash.")
    table.replace("/" + POINTER, f"{ROM} new\n".encode())
    say("The ROM partition was compared; from now on the table runs from there.")
