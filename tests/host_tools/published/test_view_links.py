"""Links to the site's replay in Chromium; a stand-in for its worker has the frames, so that no Python has to come."""

import json

import pytest

from host_tools.look.outside import frames_text
from host_tools.look.published.build import own_files
from tests.conftest import ROOT
from tests.host_tools.published.served_site import Server
from tests.host_tools.published.test_links import pack

pytestmark = pytest.mark.browser

RECORDS = ROOT / "tests" / "records"
NAMES = "durak/throw-in-0001.rec", "cals-bs/game-0000.rec"
DURAK, BS = ((RECORDS / name).read_bytes() for name in NAMES)
# `kept.rec` lies in this browser alone; FRAMES: of each record, by its text.
WORKER = """
const FRAMES = {};
const KEPT = "";
let brought = "";
onmessage = ({data}) => {
  if (data.do === "start") postMessage({told: "ready", keeps: true, marks: {}});
  if (data.do === "bring") brought = new TextDecoder().decode(data.content);
  if (!data.n) return;
  const address = data.address || "";
  const record = address.includes("kept=kept.rec") || address === "records/kept.rec" ? KEPT : brought;
  const text = address.startsWith("game.json") ? FRAMES[record] : record;
  postMessage({told: "answer", n: data.n, text: JSON.stringify({status: text ? 200 : 404, text: text || ""})});
};
"""
CLIPBOARD = """Object.defineProperty(navigator, "clipboard", {value: {writeText(text) { window.copied = text; }}});
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of the replay."""
    folder = tmp_path_factory.mktemp("site")
    frames = {content.decode(): frames_text("game.rec", content, "en", "", False, None, None).replace("/page/", "")
              for content in (DURAK, BS)}
    for name, content in own_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    script = WORKER.replace("FRAMES = {}", f"FRAMES = {json.dumps(frames)}")
    (folder / "play" / "worker.js").write_text(script.replace('KEPT = ""', f"KEPT = {json.dumps(BS.decode())}"))
    server = Server(folder)
    yield f"{server.address}play/view.html"
    server.stop()


def wait_title(page, title):
    page.wait_for_selector(f'#title:has-text("{title}")')


def test_another_link_in_the_same_tab_shows_its_game(window, address):
    """Also behind one that was cut; a line alone stays within the game."""
    page = window.open(f"{address}?language=en#game=AAAA")
    page.wait_for_selector("body[data-state=nothing]")
    for record, title in ((DURAK, "Durak"), (BS, "Cal's BS")):
        link = f"#line=20&game={pack(record).decode()}"
        page.evaluate("(link) => { location.hash = link; }", link)
        wait_title(page, title)
        page.wait_for_selector("body[data-line='20']")
    page.evaluate("location.hash = '#line=21'")
    page.wait_for_selector("body[data-line='21']")
    wait_title(page, "Cal's BS")
    page.reload()
    page.wait_for_selector("body[data-line='21']")
    assert pack(BS).decode() in page.url


def test_the_link_of_a_game_that_lies_in_this_browser_alone_holds_it(window, address):
    page = window.open("about:blank")
    page.add_init_script(CLIPBOARD)
    page.goto(f"{address}?kept=kept.rec&language=en#line=20&as=2")
    wait_title(page, "Cal's BS")
    page.keyboard.press("l")
    page.wait_for_selector("#state:has-text('The link is copied')")
    link = page.evaluate("window.copied")
    assert "kept" not in link and "language" not in link and "language" not in page.url
    other = window.open(link)
    wait_title(other, "Cal's BS")
    other.wait_for_selector("body[data-line='20'][data-reader='2']")
    other.add_init_script(CLIPBOARD)
    other.reload()
    wait_title(other, "Cal's BS")
    other.keyboard.press("l")
    other.wait_for_selector("#state:has-text('The link is copied')")
    assert other.evaluate("window.copied") == link
    plain = window.open("about:blank")
    plain.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # over plain HTTP
    plain.goto(link)
    wait_title(plain, "Cal's BS")
    plain.keyboard.press("l")
    plain.wait_for_selector("dialog[open] input")
    assert plain.evaluate("[document.activeElement.value, getSelection().toString()]") == [link, link]
