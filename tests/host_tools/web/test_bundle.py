"""The page in few requests: one file of modules, one of styles, compressed and kept; small enough for a slow line."""

import contextlib
import gzip
import re

import aiohttp
import pytest

from host_tools.play.web import bundle
from tests.host_tools.web.first_card import count_requests, lay_first_card
from tests.host_tools.web.served import Served

FIRST_VIEW_BYTES = 60 * 1024


def test_the_page_is_three_files_of_sixty_kilobytes():
    page, parts = bundle.read_bundle()
    named = re.findall(r'(?:href|src)="parts/([\w.]+)"', page.decode())
    assert set(named) < set(parts) and len(named) == 2 and len(parts) == 3
    assert not re.findall(r'(?:href|src)="[\w-]+\.(?:css|js)"', page.decode())
    assert len(gzip.compress(page)) + sum(len(parts[name].packed) for name in named) <= FIRST_VIEW_BYTES


def test_every_module_is_in_it_once_and_behind_those_that_it_imports():
    first, later = bundle.pack_modules()
    text = first + later
    order = re.findall(r"^PACKED\.(\w+) = ", text, re.MULTILINE)
    assert len(order) == len(set(order)) > 30 and "main" in order
    loaded = re.findall(r'import\("\./LATER"\)\.then\(\(\) => PACKED\.(\w+)\)', text)
    assert loaded and set(loaded) <= set(re.findall(r"^PACKED\.(\w+) = ", later, re.MULTILINE))
    assert len(loaded) == text.count("import(")
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE) and "https://" not in text
    seen = set()
    for name, used in re.findall(r"^PACKED\.(\w+) = |= PACKED\.(\w+);", text, re.MULTILINE):
        if name:
            seen.add(name)
        else:
            assert used in seen, used


def test_a_part_is_compressed_and_never_asked_for_again(tmp_path):
    with Served(tmp_path, seed=1) as served:

        async def ask():
            async with aiohttp.ClientSession(auto_decompress=False) as session:
                page = await (await session.get(f"{served.address}/")).text()
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
def test_s10_what_a_browser_asks_for_until_its_first_card(tmp_path, chromium):
    """Three files and the cards that lie open; opened again, the page alone."""
    with Served(tmp_path, seed=5) as served, contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        asked = count_requests(page)
        lay_first_card(page, served.link())
        files = [(path, size) for path, size in asked if size and "/cards/" not in path]
        assert len(files) == 3 and sum(size for _, size in files) <= FIRST_VIEW_BYTES, files
        assert len({path for path, size in asked if size}) == len([path for path, size in asked if size]) <= 20
        before = {path for path, size in asked if size}
        asked.clear()
        page.goto(f"{served.address}/manifest.webmanifest")
        page.goto(served.link())
        page.wait_for_selector("body[data-phase=play] [data-card].own")
        again = {path for path, size in asked if size}  # another seat may have laid a card that did not lie open before
        assert not {path for path in again & before if path.startswith("/cards/")}, again
        assert not {path for path in again if path.startswith("/parts/")}, again
