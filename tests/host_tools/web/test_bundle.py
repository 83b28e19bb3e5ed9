"""The page in few requests: one file of modules with the words of one language and the pictures of most cards, one of
styles, compressed and kept; small enough for a slow line."""

import contextlib
import gzip
import re
import socket
from urllib.parse import urlsplit

import aiohttp
import pytest

from host_tools.base.languages import list_languages
from host_tools.base.wording import read_words
from host_tools.play.web import bundle
from host_tools.play.web.page_words import WORDS
from host_tools.play.web.pictures import CARDS, read_picture
from tests.host_tools.web.first_card import count_requests, lay_first_card
from tests.host_tools.web.served import Served
from tests.host_tools.web.test_page_words import SAID
from tests.patience import PATIENCE_S

FIRST_VIEW_BYTES = 60 * 1024
FIRST_VIEW_REQUESTS = 6


def test_the_page_names_two_files_alone():
    pages, parts = bundle.read_bundle()
    for page in pages.values():
        named = re.findall(r'(?:href|src)="parts/([\w.]+)"', page.text.decode())
        assert set(named) < set(parts) and len(named) == 2
        assert not re.findall(r'(?:href|src)="(?!parts/)[\w/-]+\.(?:css|js|svg)"', page.text.decode())
    assert len(parts) == 2 + 2 * len(pages)  # styles and what comes later; by language what comes first, and words


def ask_plainly(served, path: str, language: str) -> bytes:
    """All that the server sends for that path to a browser of that language, headers among it."""
    place = urlsplit(served.address)
    with socket.create_connection((place.hostname, place.port), PATIENCE_S) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept-Encoding: gzip\r\n"
                     f"Accept-Language: {language}\r\nConnection: close\r\n\r\n".encode())
        with line.makefile("rb") as answer:
            return answer.read()


@pytest.mark.parametrize("language", list_languages())
def test_the_first_view_has_sixty_kilobytes_in_every_language(tmp_path, language):
    """The page, its two files and the largest picture of a card, which comes by itself, with their headers."""
    court = max((path.stem for path in CARDS.glob("*.svg")), key=lambda name: len(read_picture(name)[1]))
    with Served(tmp_path, seed=5) as served:
        page = ask_plainly(served, "/", language)
        named = re.findall(r'(?:href|src)="(parts/[\w.]+)"', gzip.decompress(page.partition(b"\r\n\r\n")[2]).decode())
        answers = [page, *(ask_plainly(served, f"/{path}", language) for path in [*named, f"cards/{court}.svg"])]
    assert [answer[:15] for answer in answers] == [b"HTTP/1.1 200 OK"] * 4
    assert f'lendWords("{language}"'.encode() in gzip.decompress(answers[2].partition(b"\r\n\r\n")[2])
    assert sum(map(len, answers)) <= FIRST_VIEW_BYTES
    assert not any(b"aiohttp" in answer.partition(b"\r\n\r\n")[0] for answer in answers)


@pytest.mark.parametrize("language", list_languages())
def test_every_module_is_in_it_once_and_behind_those_that_it_imports(language):
    first, later = bundle.pack_modules(language)
    text = first + later
    order = re.findall(r"^PACKED\.(\w+) = ", text, re.MULTILINE)
    assert len(order) == len(set(order)) > 30 and "main" in order
    loaded = re.findall(r'fetchPart\("LATER"\)\.then\(\(\) => PACKED\.(\w+)\)', text)
    assert loaded and set(loaded) <= set(re.findall(r"^PACKED\.(\w+) = ", later, re.MULTILINE))
    assert len(loaded) == text.count('fetchPart("') and text.count("import(") == 1
    assert not re.search(r"""^\s*//|[;,{] // [^"'`\n]*$""", text, re.MULTILINE), "remarks stay on disk"
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE) and "https://" not in text
    seen = set()
    for name, used in re.findall(r"^PACKED\.(\w+) = |= PACKED\.(\w+);", text, re.MULTILINE):
        if name:
            seen.add(name)
        else:
            assert used in seen, used


@pytest.mark.parametrize("language", list_languages())
def test_what_comes_first_says_only_words_that_come_with_it(language):
    first, _ = bundle.pack_modules(language)
    said = set(SAID.findall(first))
    brought = {key.strip('"') for words in re.findall(r"addWords\(\[.*\], \{(.*)\}\);", first)
               for key in re.findall(r'(?:^|\], )("[\w.]+"|\w+):\[', words)}
    assert len(said) > 100 and said <= brought, said - brought
    assert not [other for other in list_languages() if other != language
                if read_words(WORDS, "page", other)["starting"] in first]


def test_a_part_is_compressed_and_never_asked_for_again(tmp_path):
    with Served(tmp_path, seed=1) as served:

        async def ask():
            async with aiohttp.ClientSession(auto_decompress=False) as session:
                page = await (await session.get(f"{served.address}/", headers={"Accept-Encoding": "identity"})).text()
                name = re.search(r'src="(parts/[\w.]+)"', page)[1]
                packed = await session.get(f"{served.address}/{name}", headers={"Accept-Encoding": "gzip"})
                plain = await session.get(f"{served.address}/{name}", headers={"Accept-Encoding": "identity"})
                lost = await session.get(f"{served.address}/parts/0000.js")
                return packed.headers, await packed.read(), await plain.read(), lost.status

        headers, packed, plain, lost = served.run(ask())
    assert headers["Content-Encoding"] == "gzip" and "immutable" in headers["Cache-Control"]
    assert headers["Content-Type"].startswith("text/javascript") and gzip.decompress(packed) == plain
    assert lost == 404


@pytest.mark.browser
@pytest.mark.everything  # for every change the bytes are counted without a browser
@pytest.mark.parametrize("language", list_languages())
def test_s10_what_a_browser_asks_for_until_its_first_card(tmp_path, chromium, language):
    """Three files and a picture for each person among the cards that lie open; opened again, the page alone."""
    with Served(tmp_path, seed=5) as served, contextlib.closing(chromium.new_context(locale=language)) as context:
        page = context.new_page()
        asked = count_requests(page)
        lay_first_card(page, served.link())
        files = [(path, size) for path, size in asked if size]
        assert len({path for path, _ in files}) == len(files), files
        # How many courts lie open is chance, and so is how long a busy machine waits for a card in the bout: what
        # the first card on the screen takes is the rest and one of them.
        courts = [size for path, size in files if re.match(r"/cards/[JQK]", path)]
        assert len(files) - len(courts) == 3 <= FIRST_VIEW_REQUESTS - 1, files
        rest = sum(size for _, size in files) - sum(courts)
        assert rest + max(courts, default=0) <= FIRST_VIEW_BYTES, files
        before = {path for path, size in asked if size}
        asked.clear()
        page.goto(f"{served.address}/manifest.webmanifest")
        page.goto(served.link())
        page.wait_for_selector("body[data-phase=play] [data-card].own")
        again = {path for path, size in asked if size}  # another seat may have laid a card that did not lie open before
        assert not {path for path in again & before if path.startswith("/cards/")}, again
        assert not {path for path in again if path.startswith("/parts/")}, again


@pytest.mark.browser
def test_another_language_comes_once_somebody_chooses_it_and_is_there_at_the_next_visit(tmp_path, chromium):
    """The words of one language come with the page; those of another are one small file."""
    with Served(tmp_path, seed=5) as served, contextlib.closing(chromium.new_context(locale="en-GB")) as context:
        page = context.new_page()
        asked = count_requests(page)
        parts = lambda: {path for path, _ in asked if path.startswith("/parts/")}  # noqa: E731 - what came so far
        page.goto(served.link())
        page.wait_for_selector("#tools [data-act=settings]:has-text('Settings')")
        assert len(parts()) == 2
        page.click("#tools [data-act=settings]")
        page.select_option("[data-act=page-language]", "ru")
        page.wait_for_selector("html[lang=ru] #tools [data-act=settings]:has-text('Настройки')")
        assert page.text_content("#dialog-title") == read_words(WORDS, "page", "ru")["settings"]
        assert len(parts()) == 4  # the settings, then the words
        page.select_option("[data-act=page-language]", "en")
        page.wait_for_selector("html[lang=en] #tools [data-act=settings]:has-text('Settings')")
        page.select_option("[data-act=page-language]", "ru")
        page.wait_for_selector("html[lang=ru] #tools [data-act=settings]:has-text('Настройки')")
        assert len(parts()) == 4
        page.reload()
        page.wait_for_selector("html[lang=ru] #tools [data-act=settings]:has-text('Настройки')")


@pytest.mark.browser
def test_a_part_that_a_lost_line_cut_off_comes_once_the_line_is_back(tmp_path, chromium):
    """Under another address: many browsers never ask again for a module that they once did not get."""
    with Served(tmp_path, seed=5) as served, contextlib.closing(chromium.new_context(locale="en-GB")) as context:
        page = context.new_page()
        page.goto(served.link())
        page.wait_for_selector("#tools [data-act=settings]:has-text('Settings')")
        page.route("**/parts/*", lambda route: route.abort())
        with page.expect_event("requestfailed") as cut:
            page.click("#tools [data-act=help]")
        page.wait_for_selector("#state:has-text('This part did not load. Reload the page')")
        page.unroute("**/parts/*")
        with page.expect_event("requestfinished", lambda one: "/parts/" in one.url) as brought:
            page.click("#tools [data-act=help]")
        assert brought.value.url.startswith(f"{cut.value.url}?")
        page.wait_for_selector("#dialog[open][data-dialog=help]")


@pytest.mark.browser
def test_a_russian_browser_gets_russian_words_with_the_page(tmp_path, chromium):
    with Served(tmp_path, seed=5) as served, contextlib.closing(chromium.new_context(locale="ru-RU")) as context:
        page = context.new_page()
        asked = count_requests(page)
        page.goto(served.link())
        page.wait_for_selector("html[lang=ru] #tools [data-act=settings]:has-text('Настройки')")
        assert len([path for path, _ in asked if path.startswith("/parts/")]) == 2
