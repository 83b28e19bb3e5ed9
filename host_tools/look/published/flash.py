"""The page that puts a table on a chip over Web Serial: its scripts, Espressif's loader, and each board's files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.languages import ENGLISH, list_languages
from host_tools.base.project import PAGE
from host_tools.base.wording import Templates, read_words
from host_tools.look.published import npm
from host_tools.look.published.pages import FOLDER, fill
from host_tools.look.published.python_side import squeeze
from host_tools.maker.board.load import VIRTUAL, load, names
from host_tools.maker.device.filesystem import FLASH_MB, OFFSET, make_filesystem
from host_tools.maker.device.flash import MICROPYTHON, Chip, find_chip, read_sums
from host_tools.maker.device.package import offer_package

LOADER = npm.Pinned(
    "esptool-js", "0.7.0", "9wHuW/s9t4Vs6HKcr3pra3gbRVWwaN0eabMWodWH4KEJHEYZxgmWwZ3s0F4xcWVCZOc/L98bGZ4uWoZvR8KBKA==",
    "Apache-2.0")
OWN = FOLDER / "page" / "flash"
# What the loader calls a chip, by esptool's name of it.
CALLED = {"esp32": "ESP32", "esp32s3": "ESP32-S3"}
SCRIPT_WORDS = "js."  # keys that begin so are the scripts' own


@dataclass(frozen=True)
class Kind:
    """A board of the page: its file, its title, its chip, and the megabytes of flash that its module is sold with."""

    name: str
    title: str
    chip: Chip
    sizes: tuple[int, ...]


def list_kinds() -> list[Kind]:
    """Each board that people build."""
    boards: list[Any] = [load(name) for name in names() if name != VIRTUAL]
    return [Kind(board.NAME, board.TITLE, find_chip(board), FLASH_MB[board.MODULE]) for board in boards]


def page_name(language: str) -> str:
    """The file of the page."""
    return "flash/index.html" if language == ENGLISH else f"flash/{language}.html"


def make_flash_pages() -> dict[str, bytes]:
    """The page in each language, and the scripts of this project."""
    found = {page_name(language): make_page(language).encode() for language in list_languages()}
    scripts = (*sorted(OWN.glob("*.*")), PAGE / "save.js")
    found.update({f"flash/{path.name}": foreign.read_bytes(path) for path in scripts})
    return found


def make_page(language: str) -> str:
    """The page: four steps, and what to type where a browser has no Web Serial."""
    said = read_words(FOLDER, "flash", language)
    words = Templates(said, language)
    script = {key.removeprefix(SCRIPT_WORDS): text for key, text in said.items() if key.startswith(SCRIPT_WORDS)}
    kinds = sorted(list_kinds(), key=lambda kind: (not kind.chip.has_psram, kind.chip.name != "esp32s3", kind.name))
    return fill("flash", language, words.say("page", title=words.say("title")), "../",
                lambda code: Path(page_name(code)).name, words, is_front=True,
                script=json.dumps(script, ensure_ascii=False), files_at=OFFSET,
                micropython=MICROPYTHON, sums=json.dumps(read_sums()), kinds=kinds, called=CALLED,
                loader=LOADER.version)


def make_images() -> dict[str, bytes]:
    """Each board's file system, packed, and `boards.json`: what to change in it for each size of flash, [where, byte].

    All sizes of a board differ in the few bytes in which littlefs says how large it is. UnusableInput.
    """
    found, sizes = {}, {}
    for kind in list_kinds():
        package = offer_package(kind.name)
        made = {size: make_filesystem(package, size) for size in kind.sizes}
        first = made[kind.sizes[0]]
        assert all(len(other) == len(first) for other in made.values())
        sizes[kind.name] = {size: [[at, byte] for at, byte in enumerate(other) if byte != first[at]]
                            for size, other in made.items()}
        found[f"flash/{kind.name}.bin"] = squeeze(first)
    found["flash/boards.json"] = json.dumps(sizes).encode()
    return found


def make_loader(work: Path) -> dict[str, bytes]:
    """Espressif's loader of the npm registry, and the licences of all that is in it. UnusableInput."""
    home = npm.fetch(LOADER, work)
    notices = foreign.read_text(FOLDER / "licences.txt").format(version=LOADER.version)
    return {"flash/esptool.js": foreign.read_bytes(home / "bundle.js"),
            "flash/licences.txt": f"{notices}\n{foreign.read_text(home / 'LICENSE')}".encode()}
