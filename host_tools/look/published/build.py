"""Puts the site together: a folder of files that any server can give out."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.project import BUILD, PAGE
from host_tools.look.published.program import list_program
from host_tools.look.published.python_side import compile_all, fetch, make_python, pack

OWN = Path(__file__).parent / "page"
WORK = BUILD / "site-work"
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
          "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'")
MARK = "site.json"  # in a folder that this program has made


def build(target: Path) -> dict[str, int]:
    """Make the site in that folder; the bytes of its parts. UnusableInput."""
    if target.exists() and any(target.iterdir()) and not (target / MARK).is_file():
        raise UnusableInput(f"{target} is there and is no site: name a new folder")
    home = fetch(WORK)
    files = {f"play/{name}": content for name, content in page_files().items()}
    for name, content in make_python(home, WORK).items():
        files[f"play/python/{name}"] = content
    files["play/program.bin"] = pack(compile_all(home, list_program(), WORK / "program", "beside"))
    write(target, files)
    return {name: len(content) for name, content in files.items()}


def page_files() -> dict[str, bytes]:
    """The page of the table as `cardtable play` serves it, but for its wire."""
    found = {path.relative_to(PAGE).as_posix(): foreign.read_bytes(path) for path in sorted(PAGE.rglob("*"))
             if path.is_file()}
    for path in sorted(OWN.glob("*")):
        found[path.name] = foreign.read_bytes(path)
    html = found["index.html"].decode()
    html = html.replace('<meta charset="utf-8">', '<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
                        f'content="{POLICY}">', 1)
    html = html.replace("</head>", '<link rel="stylesheet" href="site.css">\n</head>', 1)
    found["index.html"] = html.replace("</main>", '</main>\n<p id="site" role="status"></p>', 1).encode()
    return found


def write(target: Path, files: dict[str, bytes]) -> None:
    """Put the files there, and the list of them with their hashes; what lay there before goes."""
    if target.exists():
        shutil.rmtree(target)
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    for name, content in {**files, MARK: json.dumps(listed, indent=0).encode()}.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
