"""Puts a page of the table with its modules, styles, cards and data into one file that needs no network.

All of it lies there packed (zlib, RFC 1950, as base64), and a few lines unpack it: a game of 900 events with four pairs
of eyes would take 1.8 MB, and takes a tenth.
"""

from __future__ import annotations

import base64
import zlib
import hashlib
import json
import re
from html import escape
from typing import Any

from host_tools.base import foreign
from host_tools.base.project import PAGE
from host_tools.play.web.page_words import read_module
from host_tools.play.web.pictures import read_pictures


_IMPORT = re.compile(r'^import (?:(?:\* as (\w+)|\{([^}]*)\}) from )?"\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def bundle_modules(name: str) -> str:
    """The module of that name and all that it imports as one script; each becomes an object with what it exports."""
    written: dict[str, str] = {}

    def write(module: str, above: tuple[str, ...]) -> None:
        if module in written:
            return
        assert module not in above, f"{module}.js imports itself through {above}"
        source = read_module(f"{module}.js")
        for found in _IMPORT.finditer(source):
            write(found[3], (*above, module))
        body = _EXPORT.sub(r"\1", _IMPORT.sub(_as_constants, source))
        assert not re.search(r"^(import|export)\b", body, re.MULTILINE), f"{module}.js imports or exports otherwise"
        exported = ", ".join(found[2] for found in _EXPORT.finditer(source))
        written[module] = f"const ${module} = (() => {{\n{body}\nreturn {{{exported}}};\n}})();\n"

    write(name, ())
    return '"use strict";\n' + "".join(written.values())


def _as_constants(found: re.Match[str]) -> str:
    if found[1]:
        return f"const {found[1]} = ${found[3]};\n"
    if not found[2]:
        return ""
    return f"const {{{re.sub(r' as ', ': ', found[2])}}} = ${found[3]};\n"


# What unpacks it. The script runs because the page's policy names its hash, too.
_UNPACK = """(async () => {
  if (!window.DecompressionStream) {
    document.body.textContent = "This page needs a browser of 2023 or newer. "
      + "Для страницы нужен браузер 2023 года или новее.";
    return;
  }
  const bytes = Uint8Array.from(atob(document.getElementById("packed").textContent), (one) => one.charCodeAt(0));
  const packed = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const {styles, game, script} = JSON.parse(await new Response(packed).text());
  const add = (kind, facts) => document.body.append(Object.assign(document.createElement(kind), facts));
  add("style", {textContent: styles});
  add("script", {id: "game", type: "application/json", textContent: game});
  add("script", {textContent: script});
})();
"""


def cards_in(data: Any) -> set[str]:
    """The pictures that a game needs: of each card that lies in a pile somewhere, and a back."""
    text = json.dumps(data)
    return {name[:2] for name in re.findall(r'"((?:[2-9TJQKA][SHDC]|X[BR])2?)"', text)} | {"back"}


def bundle(page: str, data: dict[str, Any]) -> str:
    """The page NAME.html with this data as one file. It keeps to itself: its policy allows no address at all."""
    html = foreign.read_text(PAGE / f"{page}.html")
    script = bundle_modules(page)
    styles = "".join(foreign.read_text(PAGE / name) for name in re.findall(r'href="(\w+\.css)"', html))
    game = json.dumps({**data, "views": weave(data["views"]), "pictures": read_pictures(cards_in(data))})
    packed = zlib.compress(json.dumps({"styles": styles, "game": game, "script": script}).encode(), 9)
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in (_UNPACK, script))
    policy = f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"
    html = re.sub(r'<link rel="(?:stylesheet|icon|manifest)"[^>]*>\n', "", html)
    html = re.sub(r'<script type="module"[^>]*></script>\n', "", html)
    html = re.sub(r"<title>[^<]*</title>", lambda _: f"<title>{escape(data['title'])}</title>", html)
    html = html.replace('<meta charset="utf-8">', '<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
                        f'content="{policy}">', 1)
    brought = f'<script type="application/octet-stream" id="packed">{base64.b64encode(packed).decode()}</script>\n'
    return html.replace("</body>", f"{brought}<script>{_UNPACK}</script>\n</body>", 1)


def weave(views: dict[str, Any]) -> dict[str, Any]:
    """The frames of all readers as rows, one for each event: [frame of the first who hears of it, [index of a reader,
    what is otherwise in its frame, what is not in it], ...]. Most of a frame is the same for all."""
    rows: dict[int, list[Any]] = {}
    for index, view in enumerate(views.values()):
        for frame in view["frames"]:
            row = rows.setdefault(frame["n"], [frame])
            shared = row[0]
            otherwise = {key: value for key, value in frame.items() if key not in shared or shared[key] != value}
            row.append([index, otherwise, [key for key in shared if key not in frame]])
    first = {name: view["first"] for name, view in views.items()}
    return {"first": first, "rows": [rows[number] for number in sorted(rows)]}


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def unpack(page: str) -> dict[str, Any]:
    """The data in a page that bundle() made."""
    found = re.search(r'id="packed">([^<]*)<', page)
    assert found, "a page of bundle()"
    return json.loads(json.loads(zlib.decompress(base64.b64decode(found[1])))["game"])
