"""The modules of the site's table, packed as two files: what a page needs first, and what it needs later."""

import base64
import contextlib
import hashlib
import re
import subprocess
import sys

import pytest

from host_tools.base.wording import read_words
from host_tools.look.published import build
from host_tools.look.published.pages import POLICY
from tests.host_tools.published.served_site import Server
from tests.patience import PATIENCE_S

PACKED = re.compile(r"/play/[0-9a-f]{16}\.js")
PASSING = {"siteLoading", "siteStarting", "siteUpdate", "siteReload"}  # the last two are a bar's


def test_a_sentence_of_the_site_that_stays_has_room_of_its_own():
    """"Nothing has loaded for half a minute" lay on the lobby's first button."""
    styles = (build.OWN / "site.css").read_text(encoding="utf-8")
    assert set(read_words(build.OWN.parent, "site", "en")) == PASSING | set(re.findall(r"data-site=(\w+)", styles))


def test_the_table_of_the_site_names_one_packed_module_and_no_script_lies_there_unused():
    files = build.page_files()
    [first] = re.findall(r'src="([0-9a-f]{16}\.js)"', files["index.html"].decode())
    text = files[first].decode()
    [later] = {*re.findall(r'fetchPart\("([\w.]+)"\)', text)}
    rest = files[later].decode()
    assert "PACKED.main = " in text and "PACKED.settings = " in rest and '"LATER"' not in text
    assert not re.search(r"^(import|export)\b", text + rest, re.MULTILINE)
    assert re.findall(r"\bimport\((.)", text) == ["`", "E"], "fetchPart's, and of what the page's head begins"
    assert {"view.js", "worker.js", "startup.js", "link.js", "early.js"} < files.keys()
    assert not {"main.js", "settings.js", "overlay.js"} & files.keys()


def test_the_table_begins_to_come_before_all_else_and_no_other_script_may_stand_in_the_page():
    """On a slow processor a browser read styles and scripts for a tenth of a second before it began Python's worker."""
    html = build.page_files()["index.html"].decode()
    [script] = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    its = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = POLICY.replace("script-src 'self'", f"script-src 'self' 'sha256-{its}'")
    assert html.index(f'content="{policy}">') < html.index("<script>") < html.index("<link")
    assert script.startswith("(() => {") and 'new Worker("worker.js"' in script, "it leaves no names in the page"


def test_a_table_in_a_page_loads_nothing_of_a_command_line_and_of_a_build():
    """click alone took a tenth of a second of a visitor's wait, in a browser's Python."""
    told = "host_tools.look.published.worker, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", f"from host_tools.base import on_host; on_host.prepare(); import {told}"],
        capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout.split()
    assert "host_tools.play.machine" in loaded
    assert not {"click", "host_tools.virtual.image", "host_tools.virtual.table"} & {*loaded}


@pytest.mark.browser
def test_a_part_of_the_site_that_a_lost_line_cut_off_comes_once_the_line_is_back(tmp_path, chromium):
    """Under another address, as at a table that is served. No Python comes here: the help opens without."""
    build.write(tmp_path / "site", build.own_files())
    server = Server(tmp_path / "site")
    with contextlib.closing(chromium.new_context(locale="en-GB", service_workers="block")) as context:
        page = context.new_page()
        page.goto(f"{server.address}play/")
        page.wait_for_selector("#tools [data-act=help]")
        page.route(PACKED, lambda route: route.abort())
        with page.expect_event("requestfailed", lambda one: PACKED.search(one.url)) as cut:
            page.click("#tools [data-act=help]")
        page.unroute(PACKED)
        with page.expect_event("requestfinished", lambda one: PACKED.search(one.url)) as brought:
            page.click("#tools [data-act=help]")
        assert brought.value.url.startswith(f"{cut.value.url}?")
        page.wait_for_selector("#dialog[open][data-dialog=help]")
    server.stop()


COVERED = """() => {
  const line = document.getElementById("site").getBoundingClientRect();
  const beside = (one) => one.left >= line.right || line.left >= one.right;
  const lies = (one) => !beside(one) && one.top < line.bottom && line.top < one.bottom;
  return [...document.querySelectorAll("a, button, select")].filter((one) => lies(one.getBoundingClientRect()))
    .map((one) => one.textContent);
}"""


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_line_of_what_is_coming_lies_on_no_way_between_the_pages(tmp_path, window, language):
    """On a phone it lay on the ways to the other pages for some seconds. It stays as it is here: no Python comes."""
    build.write(tmp_path / "site", build.own_files())
    (tmp_path / "site" / "play" / "worker.js").write_text(
        'onmessage = ({data}) => { if (data.do === "start") postMessage({told: "loading", percent: 45}); };')
    server = Server(tmp_path / "site")
    for size in ((320, 568), (390, 844), (1280, 800)):
        for name in ("puzzles", "mine"):
            page = window.open(f"{server.address}play/{name}.html", size, locale=language, service_workers="block")
            page.wait_for_selector("#site:has-text('45 %')")
            page.wait_for_selector("#ways a:nth-child(4)")
            assert page.evaluate(COVERED) == [], (size, name)
    page = window.open(f"{server.address}play/view.html#game=AAAA", locale=language, service_workers="block")
    words = read_words(build.OWN.parent, "site", language)["siteLoading"]
    page.wait_for_selector(f"#site:has-text('{words.partition('#')[0]}')")
    window.close()
    server.stop()
