"""Python for the browser: Pyodide of the npm registry at a pinned version, without the modules that a table never
loads, and with everything compiled for it.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import os
import subprocess
import zipfile
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.extras import need
from host_tools.base.files import write_file
from host_tools.look.published import npm

PACKAGE = npm.Pinned(
    "pyodide", "314.0.7", "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    "MPL-2.0")
# Rooms of the library that no table loads: tests would name one that it does.
LEFT_OUT = (
    "_pydatetime", "_pydecimal", "_pyio", "_pyrepl", "asyncio/windows_events",
    "asyncio/windows_utils", "asyncio/tools", "bdb", "cProfile", "compileall", "compression/zstd",
    "concurrent/interpreters", "configparser", "ctypes", "curses", "dbm", "distutils", "doctest", "ensurepip",
    "filecmp",  "ftplib", "http", "html/parser", "logging/config", "logging/handlers", "modulefinder",
    "netrc", "nturl2path", "optparse", "idlelib", "imaplib", "lib2to3", "mailbox", "mimetypes", "pdb",
    "pickletools", "plistlib", "poplib", "profile", "profiling", "pstats", "pyclbr", "pydoc", "pydoc_data",
    "smtplib", "socketserver", "sqlite3", "symtable", "sysconfig/__main__", "tkinter", "tomllib",
    "trace", "turtle", "turtledemo", "unittest", "venv", "wave", "webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp",
)
ENCODINGS = ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_8_sig")
COMPILE = Path(__file__).parent / "compile.mjs"
# Unpacks zst in a browser, which knows gzip alone. A fifth less comes so, and all wait for what comes.
UNPACKER = npm.Pinned(
    "fzstd", "0.1.1", "dkuVSOKKwh3eas5VkJy1AW1vFpet8TA/fGmVA5krThl8YcOVE/8ZIoEA1+U1vEn5ckxxhLirSdY837azmbaNHA==", "MIT")
# Of zst: smallest, and how far back it may refer. The unpacker moves all of that on at each block of 128 KiB: with 23,
# which saves 10 KB of 3.3 MB, that took up to a quarter of its time.
_LEVEL, _WINDOW_BITS = 19, 21


def fetch(folder: Path) -> Path:
    """The unpacked package in that folder, brought by npm if it is not there yet. UnusableInput."""
    return npm.fetch(PACKAGE, folder)


def is_left_out(name: str) -> bool:
    """Whether a module of the library is not needed."""
    stem = name.removesuffix(".py")
    if stem.startswith("encodings/"):
        return stem.removeprefix("encodings/") not in ENCODINGS
    return any(stem == one or stem.startswith(one + "/") for one in LEFT_OUT) or "/test" in name or not stem


def compile_all(home: Path, files: dict[str, bytes], folder: Path, where: str) -> dict[str, bytes]:
    """The same files with every module compiled for the Python of that package; where: as compile.mjs says.
    UnusableInput."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = folder / "source.zip", folder / "compiled.zip"
    zipped = zip_up(files)
    if (target.is_file() and source.is_file() and foreign.read_bytes(source) == zipped
            and target.stat().st_mtime > COMPILE.stat().st_mtime):
        with contextlib.suppress(zipfile.BadZipFile):  # a power cut has left it cut
            return unzip(target)
    target.unlink(missing_ok=True)
    source.write_bytes(zipped)
    run_node(COMPILE, home, source, target, where)
    return unzip(target)


def unzip(path: Path) -> dict[str, bytes]:
    """The files of a zip by their names. BadZipFile."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def run_node(script: Path, *words: object) -> None:
    """Run that script of this folder. UnusableInput."""
    said = subprocess.run(["node", str(script), *map(str, words)], capture_output=True, text=True,
                          env={**os.environ, "NODE_NO_WARNINGS": "1"})
    if said.returncode:
        raise UnusableInput(f"node could not run {script.name}: {foreign.shorten(said.stderr.strip(), 300)}")


def zip_up(files: dict[str, bytes]) -> bytes:
    """A zip of them, not compressed, for Python would unpack it slowly; the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def pack(files: dict[str, bytes]) -> bytes:
    """An archive that page/packed.js unpacks: names and sizes in a line of JSON, then the bytes; gzip around it."""
    return squeeze(join(files))


def join(files: dict[str, bytes]) -> bytes:
    """The same, not packed."""
    names = sorted(files)
    head = json.dumps([[name, len(files[name])] for name in names]).encode() + b"\n"
    return head + b"".join(files[name] for name in names)


def squeeze(content: bytes) -> bytes:
    """gzip without a date: the same bytes give the same bytes."""
    return gzip.compress(content, 9, mtime=0)


def press(content: bytes, work: Path) -> bytes:
    """The content as zst; what takes seconds is kept in `work` by its hash. UnusableInput without the package."""
    zstandard = need("zstandard", "a .zst")
    kept = work / f"{hashlib.sha256(content).hexdigest()}-{zstandard.__version__}-{_LEVEL}-{_WINDOW_BITS}.zst"
    if not kept.is_file() or unpress(foreign.read_bytes(kept)) != content:
        wanted = zstandard.ZstdCompressionParameters.from_level(_LEVEL, window_log=_WINDOW_BITS)
        work.mkdir(parents=True, exist_ok=True)
        write_file(kept, zstandard.ZstdCompressor(compression_params=wanted).compress(content))
    return foreign.read_bytes(kept)


def unpress(packed: bytes) -> bytes:
    """What was packed as zst; nothing where that is not whole. UnusableInput without the package."""
    zstandard = need("zstandard", "a .zst")
    with contextlib.suppress(zstandard.ZstdError):
        return bytes(zstandard.ZstdDecompressor().decompress(packed))
    return b""


def make_unpacker(work: Path) -> dict[str, bytes]:
    """The module that unpacks zst in the page, and its licence. UnusableInput."""
    home = npm.fetch(UNPACKER, work, ("esm/index.mjs", "LICENSE").__contains__)
    return {"play/fzstd.js": foreign.read_bytes(home / "esm" / "index.mjs"),
            "play/fzstd.txt": foreign.read_bytes(home / "LICENSE")}


def make_library(home: Path, work: Path) -> dict[str, bytes]:
    """The modules of Python's library that a table may load, compiled. UnusableInput."""
    with zipfile.ZipFile(home / "python_stdlib.zip") as archive:
        library = {name: archive.read(name) for name in archive.namelist()
                   if not name.endswith("/") and not is_left_out(name)}
    return compile_all(home, library, work, "in-place")


def make_python(home: Path, library: dict[str, bytes], halves: tuple[bytes, bytes], work: Path) -> dict[str, bytes]:
    """The files of the folder `python` of the site, with that part of the library and those halves of WebAssembly."""
    first, later = halves
    lock = json.loads(foreign.read_text(home / "pyodide-lock.json"))
    return {
        "pyodide.mjs": foreign.read_bytes(home / "pyodide.mjs"),
        "pyodide.asm.js.bin": press(foreign.read_bytes(home / "pyodide.asm.mjs"), work),
        "pyodide.asm.bin": press(first, work),
        "pyodide.later.bin": press(later, work),
        "library.bin": press(zip_up(library), work),
        "pyodide-lock.json": json.dumps({**lock, "packages": {}}).encode(),  # nothing more can be loaded
    }
