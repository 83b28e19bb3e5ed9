"""The pages of the site that are texts: the first one, the rulebook with its search, the boards with their drawings."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any

from host_tools.base import extras, foreign, templates
from host_tools.base.languages import ENGLISH, list_languages
from host_tools.base.project import ROOT
from host_tools.base.wording import Templates, read_words
from host_tools.judge.rulebook.book import read_rules
from host_tools.judge.rulebook.pages import page_names, plain

FOLDER = Path(__file__).parent
TEMPLATES = FOLDER / "templates"
# No script but our own, nothing from elsewhere. (A page may not say by <meta> who frames it.)
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
          "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'")
META = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
_RULE = re.compile(r"<li>(\s*(?:<p>)?)<strong>([A-Z]\d+)</strong>")
_HREF = re.compile(r'<a href="([^"]*)">(.*?)</a>', re.DOTALL)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


class Wording(Templates):
    """What these pages say in `language`."""

    def __init__(self, language: str) -> None:
        super().__init__(read_words(FOLDER, "published", language), language)


def make_pages() -> dict[str, bytes]:
    """Each page by its path in the site."""
    found: dict[str, str] = {}
    for language in list_languages():
        found.update(make_rules(language))
        found[first_name(language)] = make_first(language)
        found[bring_name(language)] = make_bring(language)
    found["rules/index.html"] = make_rules_front()
    found.update(make_boards())
    made = {name: text.encode() for name, text in found.items()}
    for path in sorted((ROOT / "docs" / "boards").glob("*.svg")):
        made[f"boards/{path.name}"] = foreign.read_bytes(path)
    for language in list_languages():
        picture = picture_name(language)
        made[f"pictures/{picture}"] = foreign.read_bytes(ROOT / "docs" / "pictures" / picture)
    return made


def first_name(language: str) -> str:
    """The file of the first page."""
    return "index.html" if language == ENGLISH else f"{language}.html"


def bring_name(language: str) -> str:
    """The file of the page to which a record is brought."""
    return "bring.html" if language == ENGLISH else f"bring.{language}.html"


def picture_name(language: str) -> str:
    """The file of the picture on it, in the language if there is one."""
    own = f"play-desktop-{language}.png"
    return own if (ROOT / "docs" / "pictures" / own).is_file() else "play-desktop.png"


def fill(name: str, language: str, title: str, up: str, way: Callable[[str], str] | None,
         said: Templates | None = None, *, is_front: bool = False, **facts: object) -> str:
    """A page by its template. up: the way to the site's root, such as `../`. way: from here to the same page in a
    language; None: it is in one language alone. said: the page's own words, where these are other ones. is_front: its
    English page lies at an address that names no language, and leads readers of others to theirs."""
    words = Wording(language)
    pages = []  # language, its own name for itself, the way there, the way there for somebody who chooses it
    if way:
        for code in list_languages():
            asks = f"?language={code}" if is_front and code == ENGLISH else ""
            pages.append((code, Wording(code).say("language"), way(code), way(code) + asks))
    return templates.fill(templates.read_templates(TEMPLATES), name, words, **{
        "say": (said or words).say, "title": title, "up": up, "pages": pages, "meta": META,
        "leads": is_front and language == ENGLISH, "about": "", "first": first_name(language), **facts})


def text_page(language: str, title: str, html: str, up: str, way: Callable[[str], str] | None = None) -> str:
    """A page that was a text: `html` stands in it as it is."""
    return fill("shell", language, title, up, way, body=html)


def make_first(language: str) -> str:
    """The first page: one picture, one button."""
    ways = (
        ("learn", "play/?learn=durak"), ("real", "play/?real"), ("puzzles", f"play/puzzles.html?language={language}"),
        ("rules", f"rules/{language}/"), ("view", bring_name(language)), ("boards", "boards/"),
        ("flash", f"flash/{'' if language == ENGLISH else language + '.html'}"))
    words = Wording(language)
    return fill("first", language, words.say("page", title=words.say("title")), "", first_name, is_front=True,
                ways=ways, picture=picture_name(language), about=words.say("what"))


def make_bring(language: str) -> str:
    """The page on which a record is dropped."""
    words = Wording(language)
    title = words.say("page", title=words.say("bring.title"))
    return fill("bring", language, title, "", bring_name, is_front=True)


# --- texts ---


def render(text: str) -> str:
    """Markdown of this project as HTML."""
    library: Any = extras.need("markdown_it", "the site")
    return str(library.MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def relink(html: str, here: str, pages: dict[str, str]) -> str:
    """Links to files that are pages of the site lead there; to other files of the project there is no link.
    here: the file's own path in the project. pages: path in the project, path from this page."""

    def link(found: re.Match[str]) -> str:
        href, text = found[1], found[2]
        if re.match(r"[a-z]+:|#", href):
            return found[0]
        path, _, fragment = href.partition("#")
        parts: list[str] = []
        for part in (PurePosixPath(here).parent / path).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        target = pages.get("/".join(parts))
        return f'<a href="{target}{"#" + fragment if fragment else ""}">{text}</a>' if target else text

    return _HREF.sub(link, html)


def title_of(text: str) -> str:
    """The first heading."""
    found = _TITLE.search(text)
    return found[1] if found else ""


def name_rules(html: str, link: str) -> str:
    """Each rule has an address, where it stands first: what a page says of it further down leads there.
    link: what such a link is called."""
    named = set()

    def mark(found: re.Match[str]) -> str:
        address = "" if found[2] in named else f' id="{found[2]}"'
        named.add(found[2])
        return (f'<li{address}>{found[1]}<a class="rule" href="#{found[2]}" title="{escape(link)}">'
                f"<strong>{found[2]}</strong></a>")

    return _RULE.sub(mark, html)


def make_rules(language: str) -> dict[str, str]:
    """The rulebook in that language: a list with a search, and a page for each game with an address for each rule."""
    words = Wording(language)
    folder = "docs/rules" if language == ENGLISH else f"docs/rules/{language}"
    names = [*page_names(), "sources"]
    pages = {f"{folder}/{name}.md": f"{name}.html" for name in names} | {f"{folder}/README.md": "index.html"}
    found, rows = {}, []
    for name in names:
        path = ROOT / folder / f"{name}.md"
        text = foreign.read_text(path if path.is_file() else ROOT / "docs" / "rules" / f"{name}.md")
        html = name_rules(relink(render(text), f"{folder}/{name}.md", pages), words.say("link"))
        title, way = words.say("page", title=title_of(text)), f"../{{}}/{name}.html".format
        found[f"rules/{language}/{name}.html"] = text_page(language, title, html, "../../", way)
        rows.append((name, title_of(text)))
    rules = [(rule, plain(rule.text)) for rule in read_rules(language).values()]
    found[f"rules/{language}/index.html"] = fill(
        "rules", language, words.say("page", title=words.say("rules")), "../../", "../{}/".format, games=rows,
        rules=rules)
    return found


def make_rules_front() -> str:
    """The page of the rulebook at the address without a language: it leads to the reader's, or lists them."""
    words = Wording(ENGLISH)
    return fill("languages", ENGLISH, words.say("page", title=words.say("rules")), "../", "{}/".format, is_front=True)


def make_boards() -> dict[str, str]:
    """A page for each board, with its drawing."""
    folder = ROOT / "docs" / "boards"
    paths = sorted(folder.glob("*.md"))
    pages = {f"docs/boards/{path.name}": f"{path.stem}.html" for path in paths}
    pages["docs/boards/README.md"] = "index.html"
    found = {}
    for path in paths:
        text = foreign.read_text(path)
        html = relink(render(text), f"docs/boards/{path.name}", pages)
        name = pages[f"docs/boards/{path.name}"]
        found[f"boards/{name}"] = text_page(ENGLISH, f"{title_of(text)} · Cardtable", html, "../")
    return found
