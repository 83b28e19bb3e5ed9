"""Puts a page of the table with its modules, styles, cards and data into one file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from typing import Any

from host_tools.base import foreign
from host_tools.base.project import PAGE


_IMPORT = re.compile(r'^import (?:(?:\* as (\w+)|\{([^}]*)\}) from )?"\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def bundle_modules(name: str) -> str:
    """The module of that name and all that it imports as one script; each becomes an object with what it exports."""
    written: dict[str, str] = {}

    def write(module: str, above: tuple[str, ...]) -> None:
        if module in written:
            return
        assert module not in above, f"{module}.js imports itself through {above}"
        source = foreign.read_text(PAGE / f"{module}.js")
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


def read_pictures(names: set[str]) -> dict[str, str]:
    """Cards as addresses that hold the picture itself."""
    found = {}
    for name in sorted(names):
        picture = foreign.read_bytes(PAGE / "cards" / f"{name}.svg")
        found[name] = "data:image/svg+xml;base64," + base64.b64encode(picture).decode()
    return found


def cards_in(data: Any) -> set[str]:
    """The pictures that a game needs: of each card that lies in a pile somewhere, and a back."""
    text = json.dumps(data)
    return {name[:2] for name in re.findall(r'"((?:[2-9TJQKA][SHDC]|X[BR])2?)"', text)} | {"back"}


def bundle(page: str, data: dict[str, Any]) -> str:
    """The page NAME.html with this data as one file. It keeps to itself: its policy allows no address at all."""
    html = foreign.read_text(PAGE / f"{page}.html")
    script = bundle_modules(page)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    styles = "".join(foreign.read_text(PAGE / name) for name in re.findall(r'href="(\w+\.css)"', html))
    told = json.dumps({**data, "pictures": read_pictures(cards_in(data))}, ensure_ascii=True).replace("<", "\\u003c")
    html = re.sub(r'<link rel="(?:stylesheet|icon|manifest)"[^>]*>\n', "", html)
    html = re.sub(r'<script type="module"[^>]*></script>\n', "", html)
    html = re.sub(r"<title>[^<]*</title>", lambda _: f"<title>{escape(data['title'])}</title>", html)
    html = html.replace('<meta charset="utf-8">', '<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
                        f'content="{policy}">\n<style>{styles}</style>', 1)
    return html.replace("</body>", f'<script type="application/json" id="game">{told}</script>\n'
                                   f"<script>{script}</script>\n</body>", 1)
