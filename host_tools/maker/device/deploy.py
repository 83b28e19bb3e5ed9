"""Brings an application onto a table so that whatever happens on the way the table starts, with the old one or the new.

A new application goes into the folder that is not in use, is hashed there by the table itself, and only then is named
in app.txt by one rename. firmware/loader.py reads that file, and goes back to the other folder if the new one does not
come up. Players' files are never touched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from host_tools.maker.device.package import BESIDE, MANIFEST, Package, digest, read_manifest
from host_tools.maker.device.table import Table, TableError
from host_tools.base.errors import UnusableInput

FOLDERS = ("a", "b")  # as in firmware/loader.py
POINTER = "app.txt"
ROM = "rom"
BOOT = "/boot.py"
_PROVEN = ("good", "last")
_SPARE = 16_384  # bytes that the players' files keep, whatever is deployed
_BLOCK = 4096
UP_S = 30.0  # how long a table may take to come up
_UP = "cardtable on "
_FELL = ("the application in ", "no application ")


@dataclass
class Installed:
    """What is on a table: the pointer's folder and word, and the first line and hashes of each whole application."""

    folder: str
    word: str
    whole: dict[str, tuple[str, dict[str, str]]]

    @property
    def kept(self) -> str:
        """The application that must stay until another one is proven; empty if there is none."""
        if self.folder in self.whole and self.word in _PROVEN:
            return self.folder
        others = [name for name in self.whole if name != self.folder]
        return others[0] if others else self.folder if self.folder in self.whole else ""


def look(table: Table) -> Installed:
    """Ask the table what it has."""
    words = table.call("read_text", "/" + POINTER).split()
    whole = {}
    for folder in (*FOLDERS, ROM):
        first, hashes = read_manifest(table.call("read_text", f"/{folder}/{MANIFEST}"))
        if first:
            whole[folder] = first, hashes
    if len(words) != 2:
        words = [next(iter(whole), ""), "last"]
    return Installed(words[0], words[1], whole)


def deploy(table: Table, package: Package, say: Callable[[str], object], on_bytes: Callable[[int], object],
           leaves_rom: bool = False) -> bool:
    """Bring the application into the spare folder and name it; False if it is there already. The table must be stopped.

    `on_bytes` is told how many more bytes of the package are on the table; `leaves_rom`: one that runs from the ROM
    partition counts as another one. TableError, UnusableInput.
    """
    installed = look(table)
    kept = installed.kept
    table.call("remove", f"/{POINTER}.new")
    if installed.folder == kept and not (leaves_rom and kept == ROM) and is_intact(table, kept, package):
        on_bytes(package.size)
        write_loader(table)
        return False
    folder = next(name for name in FOLDERS if name != kept)
    if installed.folder == folder and kept:
        # It has never come up, and makes room now.
        table.replace("/" + POINTER, f"{kept} last\n".encode())
    clear(table, folder)
    check_room(table, package)
    say(f"Writing {package.size // 1024} KB to /{folder}.")
    fill(table, folder, package, kept if kept in FOLDERS else "", installed.whole.get(kept, ("", {}))[1], on_bytes)
    verify(table, folder, package)
    write_loader(table)
    table.replace("/" + POINTER, f"{folder} new\n".encode())
    say(f"Verified {len(package.files)} files by their hashes.")
    return True


def clear(table: Table, folder: str) -> None:
    """Empty the spare folder; its manifest first, so that what is left never counts as an application."""
    table.call("remove", f"/{folder}/{MANIFEST}")
    table.call("remove", f"/{folder}")


def check_room(table: Table, package: Package) -> None:
    """A file takes whole blocks. UnusableInput if the players' files would be left without room."""
    needed = sum(-(-len(data) // _BLOCK) * _BLOCK for data in package.files.values()) + _SPARE
    free = table.call("count_free")
    if free < needed:
        raise UnusableInput(
            f"the flash has {free // 1024} KB free and the application needs {needed // 1024} KB:"
            " pull the records (cardtable device pull) and remove the oldest ones from games/."
        )


def fill(table: Table, folder: str, package: Package, old: str, old_hashes: dict[str, str],
         on_bytes: Callable[[int], object]) -> None:
    """Write every file; what the old application has too is copied on the table."""
    made: set[str] = set()
    for name, data in sorted(package.files.items()):
        parent = f"/{folder}/{name}".rpartition("/")[0]
        if parent not in made:
            table.call("make_folder", parent)
            made.add(parent)
        path = f"/{folder}/{name}"
        if old and old_hashes.get(name) == digest(data):
            table.call("copy", f"/{old}/{name}", path)
            if table.call("hash_file", path) == digest(data):  # the old one may have rotted
                on_bytes(len(data))
                continue
        table.write(path, data, on_bytes)


def verify(table: Table, folder: str, package: Package) -> None:
    """The table hashes what it has; the manifest, which makes the folder whole, is written after that."""
    for name, data in package.files.items():
        if table.call("hash_file", f"/{folder}/{name}") != digest(data):
            raise TableError(f"/{folder}/{name} is not what was sent; the table keeps what it had. Try again.")
    table.replace(f"/{folder}/{MANIFEST}", package.manifest)


def is_intact(table: Table, folder: str, package: Package) -> bool:
    """Whether that folder holds this very application, to the byte."""
    if not folder or table.call("read_text", f"/{folder}/{MANIFEST}").encode() != package.manifest:
        return False
    return all(table.call("hash_file", f"/{folder}/{name}") == digest(data) for name, data in package.files.items())


def write_loader(table: Table) -> None:
    """Put loader and starter there if they are others; either of an older version gets on with a new other one."""
    for name, source in BESIDE.items():
        if table.call("hash_file", "/" + name) != digest(source.read_bytes()):
            table.replace("/" + name, source.read_bytes())


def drop_boot(table: Table, say: Callable[[str], object]) -> None:
    """Remove the boot.py that MicroPython writes, which is all comments: Ctrl-C works while it runs, and an interrupt
    there opens the prompt during a game (T11). One with a program in it stays, and is told of."""
    lines = table.call("read_text", BOOT).splitlines()
    if any(line.strip() and not line.lstrip().startswith("#") for line in lines):
        say(f"{BOOT} holds a program. Ctrl-C works while it runs, and opens the prompt even during a game: remove it if"
            " you can do without.")
    elif lines:
        table.call("remove", BOOT)


def wait_until_up(table: Table) -> list[str]:
    """Reset the table and read what it prints until its application is up. TableError with its last lines if not."""
    table.reset()
    said = []
    for line in table.lines(UP_S):
        said.append(line)
        if line.startswith(_UP):
            return said
        if line.startswith(_FELL):
            raise TableError("the new application does not start, and the table goes back to the one it had:\n"
                             + "\n".join(said[-20:]))
    raise TableError("the table has not come up:\n" + "\n".join(said[-20:]))
