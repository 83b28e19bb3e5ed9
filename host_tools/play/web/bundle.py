"""Packs the page of a table for slow networks: its modules as one file, those that are seldom needed as another, its
styles as a third, compressed, each under the hash of what is in it, so that a browser that has it never asks again.

For each language there is such a file of modules, with its words alone, and a small one for a page that changes to it
later. The pictures of cards lie in it, too, but for those of the courts, which have thirty times the bytes.

The modules stay as they are on disk: no step of building, and what is edited is served at once, but for words, which
are read once. One that is packed becomes a function that gives what it exports; its comments stay here.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from host_tools.base import foreign
from host_tools.base.languages import list_languages
from host_tools.base.project import PAGE
from host_tools.play.web.page_words import list_made, read_module
from host_tools.play.web.pictures import list_plain, read_pictures

START = "main.js"
_STYLE = re.compile(r'<link rel="stylesheet" href="([\w-]+\.css)">\n')
_ICON = "cards/back.svg"
SCRIPT = f'<script type="module" src="{START}"></script>'
_IMPORT = re.compile(r'^import (?:(?P<names>\{[^}]*\}|\* as \w+) from )?"\./(?P<file>[\w-]+)\.js";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("\./([\w-]+)\.js"\)')  # a module that is loaded once it is needed
# A part that a lost line cut off: many browsers never ask for a module again that they once did not get, until the page
# is loaded again (HTML's standard told them so until the summer of 2026; Chromium 156 asks again). Another address is
# another module to them; whether one came is known before any of it has run.
FETCH = """const FAILED = {};
const fetchPart = (name) => import(`./${name}${FAILED[name] || ""}`).catch((wrong) => {
FAILED[name] = `?${Date.now()}`;
throw wrong;
});
"""
_EXPORT = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)
# Behind code a remark is one only without quotation marks: then no string can hold it.
_REMARKS = {".js": re.compile(r"""^\s*(?:/\*\*.*?\*/|//[^\n]*)\s*$| +// [^\n"'`]*$""", re.DOTALL | re.MULTILINE),
            ".css": re.compile(r"/\*.*?\*/", re.DOTALL)}


@dataclass(frozen=True)
class Part:
    """One packed file: its name with its hash in it, its text and that text compressed."""

    name: str
    text: bytes
    packed: bytes


def read_bundle() -> tuple[dict[str, Part], dict[str, Part]]:
    """The page by its language, which names its parts, and the parts by name, as the files lie on disk now."""
    files = (*PAGE.glob("*.js"), *PAGE.glob("*.css"), PAGE / "index.html")
    stamp = max(path.stat().st_mtime_ns for path in files)
    return _pack(stamp)


@functools.lru_cache(maxsize=2)
def _pack(stamp: int) -> tuple[dict[str, Part], dict[str, Part]]:
    """The same; stamp: when any of the files was changed last."""
    page = foreign.read_text(PAGE / "index.html")
    styles = make_part("".join(
        without_remarks(foreign.read_text(PAGE / name), ".css") for name in _STYLE.findall(page)), ".css")
    page = _STYLE.sub("", page).replace(_ICON, html.escape(read_pictures(["back"])["back"]))
    packed = {language: pack_modules(language) for language in list_languages()}
    words = {language: make_part(_pack_words(first, language), ".js") for language, (first, _) in packed.items()}
    pages, parts = {}, [styles, *words.values()]
    for language, (first, later) in packed.items():
        rest = make_part(later.replace('fetchPart("LATER")', "Promise.resolve()"), ".js")
        away = ", ".join(f'"{other}": () => fetchPart("{part.name}")' for other, part in words.items()
                         if other != language)
        start = make_part(first.replace('"LATER"', f'"{rest.name}"').replace("{AWAY}", f"{{{away}}}"), ".js")
        pages[language] = make_part(page.replace(
            SCRIPT, f'<link rel="stylesheet" href="parts/{styles.name}">\n'
            f'<script type="module" src="parts/{start.name}"></script>'), ".html")
        parts += [start, rest]
    return pages, {part.name: part for part in parts}


def make_part(text: str, suffix: str) -> Part:
    """A packed file of that text."""
    data = text.encode()
    return Part(hashlib.sha256(data).hexdigest()[:16] + suffix, data, gzip.compress(data, 9, mtime=0))


def without_remarks(text: str, suffix: str) -> str:
    """A file without its comments and the blanks before its lines."""
    text = _REMARKS[suffix].sub("", text)
    return re.sub(r"^\s+", "", text, flags=re.MULTILINE)


def pack_modules(language: str, read: Callable[[str, str], str] = read_module) -> tuple[str, str]:
    """(the modules that the page's first one reaches, with that language's words; those that are loaded once they are
    needed, with all words), each as one module: every part of it after those that it imports. LATER stands for the
    second one's name in the first, {AWAY} for what brings the other languages' words. Without a language the first has
    all words. read: gives a module's text, as `read_module` does."""
    packed: dict[str, str] = {}
    wanted: list[str] = []

    def pack(name: str, only: str) -> None:
        if name in packed:
            return
        text = without_remarks(read(f"{name}.js", only), ".js")
        packed[name] = ""
        for found in _IMPORT.finditer(text):
            pack(found["file"], only)
        del packed[name]  # its place is behind those that it imports
        wanted.extend(_LATER.findall(text))
        text = _LATER.sub(r'fetchPart("LATER").then(() => PACKED.\1)', text)
        names = [found[2] for found in _EXPORT.finditer(text)]
        text = _EXPORT.sub(r"\1 \2", _IMPORT.sub(_take, text))
        packed[name] = f"PACKED.{name} = (() => {{\n{text}return {{{', '.join(names)}}};\n}})();\n"

    pack(START.removesuffix(".js"), language)
    if language:
        packed["words"] += f'PACKED.words.lendWords("{language}", {{AWAY}});\n'
    first = list(packed)
    # gzip looks back 32 KB for what is alike: all words stand together, before the module that starts the page, and the
    # pictures behind all modules, for forty of them between two modules hide the one from the other.
    words = [name for name in first if f"{name}.js" in list_made()]
    ordered = [*(name for name in first[:-1] if name not in words), *words, first[-1]]
    pictures = f"PACKED.cards.usePictures({json.dumps(read_pictures(list_plain()))});\n"
    while wanted:
        pack(wanted.pop(), "")
    later = [text for name, text in packed.items() if name not in first]
    return ("const PACKED = globalThis.PACKED = {};\n" + FETCH + "".join(packed[name] for name in ordered) + pictures,
            "const {PACKED} = globalThis;\n" + "".join(later))


def _pack_words(first: str, language: str) -> str:
    """That language's words of these modules, for a page that speaks another one."""
    names = [name for name in list_made() if f"\nPACKED.{name.removesuffix('.js')} = " in first]
    return "const {addWords} = globalThis.PACKED.words;\n" + "".join(
        _IMPORT.sub("", read_module(name, language)).lstrip() for name in names)


def _take(found: re.Match[str]) -> str:
    """An import, as names taken from a module that is packed already."""
    if found["names"] is None:
        return ""
    if found["names"].startswith("*"):
        return f"const {found['names'].removeprefix('* as ')} = PACKED.{found['file']};"
    return f"const {found['names'].replace(' as ', ': ')} = PACKED.{found['file']};"
