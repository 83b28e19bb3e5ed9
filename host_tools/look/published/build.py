"""Puts the site together: a folder of files that any server can give out."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.locks import held
from host_tools.base.project import BUILD, PAGE, ROOT, find_in_clone
from host_tools.look.published.first import sort_out
from host_tools.look.published.flash import make_flash_pages, make_images, make_loader
from host_tools.look.published.pages import META, make_pages
from host_tools.look.published.program import list_program
from host_tools.look.published.python_side import (
    compile_all, fetch, join, make_library, make_python, make_unpacker, pack, press
)
from host_tools.play.web.bundle import SCRIPT, make_part, pack_modules, without_remarks
from host_tools.play.web.page_words import list_made, make_module

OWN = Path(__file__).parent / "page"
AT_ROOT = ("pages.css", "pages.js", "language.js", "bring.js", "sw.js")  # the others belong to the table's page
TABLE_PAGES = ("index.html", "view.html")  # of the table's own
LEARN_PAGES = ("puzzles", "drills", "mine")  # of one skeleton, learn.html, each filled by NAME.js
# Somebody who reads the first page meanwhile waits less for a table.
COME_FIRST = ("play/fzstd", "play/python/", "play/program")
WORK = BUILD / "site-work"
MARK = "site.json"  # in a folder that this program has made: its files and their SHA-256
_NAMED = re.compile(r'"(?:\./)?(?:play/)?([\w-]+\.js)"')  # a script, in a page or in another script
_DOOR = re.compile(r"(\[a page without a server\]\()[^)]*\)")
_HASH = re.compile(r"[0-9a-f]{64}")
_ADDRESS = re.compile(r"https?://[\w.:/~%-]+", re.ASCII)
MANIFEST = {
    "name": "Cardtable", "short_name": "Cardtable", "start_url": "./play/", "scope": "./", "display": "standalone",
    "background_color": "#0c3d28", "theme_color": "#0f3324",
    "icons": [{"src": "play/icon.png", "sizes": "192x192", "type": "image/png", "purpose": "any maskable"}],
}


def build(target: Path) -> dict[str, int]:
    """Make the site in that folder; the bytes of its parts. UnusableInput."""
    check(target)
    find_in_clone("docs/pictures")
    WORK.parent.mkdir(parents=True, exist_ok=True)
    with held(WORK.with_name(f"{WORK.name}.lock")):  # what is brought and compiled there serves every build
        files = make_files()
    write(target, files)
    return {name: len(content) for name, content in files.items()}


def open_door(address: str, readme: Path = ROOT / "README.md") -> None:
    """The first door of the README leads to the site at that address from now on. UnusableInput."""
    if not _ADDRESS.fullmatch(address):
        raise UnusableInput(f"{foreign.shorten(address)} is no address such as https://example.org/cards/")
    text, count = _DOOR.subn(rf"\g<1>{address})", foreign.read_text(readme))
    if count != 1:
        raise UnusableInput(f"{readme} has no link [a page without a server]")
    readme.write_text(text, encoding="utf-8")


def make_files() -> dict[str, bytes]:
    """Every file of the site, by its path. UnusableInput."""
    home = fetch(WORK)
    files = own_files()
    library = make_library(home, WORK / "library")
    program = compile_all(home, list_program(), WORK / "program", "beside")
    parts = sort_out(home, library, program, WORK / "first")
    pressed = WORK / "pressed"
    python = make_python(home, parts.library, parts.halves, pressed)
    files |= {f"play/python/{name}": content for name, content in python.items()}
    files["play/program.bin"], files["play/later.bin"] = press(join(parts.program), pressed), pack(parts.later)
    files.update(make_unpacker(WORK))
    files |= {f"play/lobby.{language}.json": json.dumps(said, ensure_ascii=False).encode()
              for language, said in parts.lobby.items()}
    files.update(make_pages())
    files.update({**make_flash_pages(), **make_images(), **make_loader(WORK)})
    return {**files, "sw.js": name_files(files)}


def own_files() -> dict[str, bytes]:
    """What is neither made nor brought: pages, styles and scripts, by their paths in the site."""
    found = {name if name in AT_ROOT else f"play/{name}": content for name, content in page_files().items()}
    found["version.js"] = found["play/version.js"]
    found["site.webmanifest"] = json.dumps(MANIFEST, indent=1).encode()
    return found


def page_files() -> dict[str, bytes]:
    """The pages of the table and of the replay as `cardtable play` serves them, but for their wire."""
    found = {path.relative_to(PAGE).as_posix(): foreign.read_bytes(path) for path in sorted(PAGE.rglob("*"))
             if path.is_file() and (path.suffix != ".html" or path.name in TABLE_PAGES)}
    found |= {name: make_module(name).encode() for name in list_made()}
    found["site_words.js"] = make_module("site_words.js", OWN.parent).encode()
    for path in sorted(OWN.glob("*.*")):
        found[path.name] = foreign.read_bytes(path)
    skeleton = foreign.read_text(PAGE / "learn.html")
    found |= {f"{name}.html": skeleton.replace("NAME", name).encode() for name in LEARN_PAGES}
    for name in (*TABLE_PAGES, *(f"{name}.html" for name in LEARN_PAGES)):
        html = found[name].decode().replace('<meta charset="utf-8">', META, 1).replace(
            'href="manifest.webmanifest"', 'href="../site.webmanifest"')
        html = html.replace("</head>", '<link rel="stylesheet" href="site.css">\n</head>', 1)
        if name == "index.html":
            html = html.replace(SCRIPT, f'<script type="module" src="{pack_table(found)}"></script>', 1)
            html = begin_early(html, found["early.js"].decode())
        found[name] = html.replace("</main>", '</main>\n<p id="site" role="status" hidden></p>', 1).encode()
    del found["manifest.webmanifest"]
    wanted = reach(found)
    return {name: content for name, content in found.items() if not name.endswith(".js") or name in wanted}


def begin_early(html: str, script: str) -> str:
    """That page with the script before all that its head asks for: on a slow processor, which reads styles and scripts
    for a tenth of a second, the table is on its way meanwhile. The policy names the script's hash: no other may run."""
    script = f'(() => {{\n{without_remarks(script, ".js")}}})();'
    its = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    own = META.replace("script-src 'self'", f"script-src 'self' 'sha256-{its}'")
    return html.replace(META, f"{own}\n<script>{script}</script>", 1)


def pack_table(files: dict[str, bytes]) -> str:
    """Add the modules of the table's page as `cardtable play` packs them: those that it begins with and those that are
    needed later, as two files; the first one's name. A lost line cuts off a part, which is then asked for again."""
    first, later = pack_modules("", lambda name, _: files[name].decode())
    rest = make_part(later, ".js")
    start = make_part(first.replace('"LATER"', f'"{rest.name}"'), ".js")
    files |= {part.name: part.text for part in (start, rest)}
    return start.name


def reach(files: dict[str, bytes]) -> set[str]:
    """The scripts that the pages there need, and those at the site's root."""
    wanted: set[str] = set()
    more = {*AT_ROOT, "worker.js", *(name for name in files if name.endswith(".html"))} & files.keys()
    while more:
        wanted |= more
        named = {found for name in more for found in _NAMED.findall(files[name].decode())}
        more = named & files.keys() - wanted
    return wanted


def name_files(files: dict[str, bytes]) -> bytes:
    """The service worker, which keeps all of these files in the browser."""
    names = sorted(files.keys() - {"sw.js"}, key=lambda name: (not name.startswith(COME_FIRST), name))
    hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in names}
    version = hashlib.sha256(json.dumps(hashes).encode()).hexdigest()[:16]
    script = files["sw.js"].decode().replace("const FILES = {};", f"const FILES = {json.dumps(hashes, indent=0)};", 1)
    return script.replace('const VERSION = "none";', f'const VERSION = "{version}";', 1).encode()


def check(target: Path) -> None:
    """UnusableInput if anything lies in the folder that this program has not put there."""
    if not target.exists() or not any(target.iterdir()):
        return
    try:
        listed = foreign.read_json(target / MARK, {str: str})
    except UnusableInput:
        listed = {}
    if not listed or not all(map(_HASH.fullmatch, listed.values())):
        raise UnusableInput(f"{target} is there and is no site: name a new folder")
    for path in sorted(target.rglob("*")):
        name = path.relative_to(target).as_posix()
        if name not in listed and name != MARK and (path.is_symlink() or not path.is_dir() or not any(path.iterdir())):
            raise UnusableInput(f"{target}: {foreign.shorten(name)} is not of the site there: name a new folder")


def write(target: Path, files: dict[str, bytes]) -> None:
    """Put the files there, and the list of them with their hashes; the site that lay there before goes once all of them
    are written. UnusableInput, OSError."""
    check(target)
    target = target.resolve()
    new, old = (target.with_name(f".{target.name}.{os.urandom(8).hex()}") for _ in range(2))
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    try:
        for name, content in {**files, MARK: json.dumps(listed, indent=0).encode()}.items():
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if target.exists():
            target.rename(old)
        new.rename(target)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
