"""`cardtable view` in a real browser: a file of its own without a network, every line, everybody's eyes; a dispute from
the record to the printed sheet.
"""

import itertools
import json
import re

import pytest

from host_tools import cli
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import Random
from host_tools.look import bundle, screenshot
from host_tools.look.frames import make_frames
from host_tools.minds.environments.table import Table
from host_tools.sight.recorded import PUBLIC, Recorded, read_record
from tests.host_tools.look.made import RECORDS, SPADES, joined, running
from tests.host_tools.web.browser import check_axe, let_cards_rest, resize

MALICE, LONG = (next(path for path in RECORDS if path.name == name and path.parent.name == "malice")
                for name in ("game-0000.rec", "game-0001.rec"))


@pytest.fixture(scope="module")
def game_file(tmp_path_factory):
    """The game as one file."""
    path = tmp_path_factory.mktemp("sent") / "game.html"
    assert cli.run(["view", str(SPADES), "--html", str(path)]) == 0
    return path


def line_of(page):
    """The line of the record that is shown."""
    return int(page.locator("body").get_attribute("data-line"))


def wait_line(page, line):
    page.wait_for_selector(f"body[data-line='{line}']")


@pytest.mark.browser
def test_a_file_opens_without_network_and_steps_through_the_game(window, game_file):
    page = window.open(game_file.as_uri() + "#line=76&as=all", offline=True)
    wait_line(page, 76)
    page.evaluate("document.querySelector('#event .words').dataset.was = 'yes'")
    resize(page, 1200, 700)  # draws everything again: what is read aloud stays as it is
    said = page.locator("#event .words[data-was]").inner_text()
    assert said == "Anna tried: Beat ★b with 6♦. Refused: Nothing beats a joker (D8)."
    assert page.locator("[data-seat='1'] [data-card]").count() == 6
    assert page.locator("[data-pile=attack1] [data-card=XB]").count() == 1
    page.keyboard.press("ArrowRight")
    wait_line(page, 77)
    page.locator("[data-act=jump-take]").click()
    wait_line(page, 78)
    for line in (79, 80, 81):
        page.keyboard.press("ArrowRight")
        wait_line(page, line)
    page.wait_for_selector("[data-pile=hand1] [data-card=XB]")  # Anna has taken the joker
    page.keyboard.press("Shift+R")
    wait_line(page, 79)
    page.keyboard.press("Shift+R")
    wait_line(page, 76)
    page.locator("#event [data-act=rule]").click()
    page.locator("dialog .ruletext").get_by_text("a joker beats every card").wait_for()
    page.keyboard.press("Escape")
    page.locator("#position").fill("0")
    wait_line(page, 0)
    page.keyboard.press("End")
    page.wait_for_selector("body[data-phase=over]")
    assert "Boris is the fool." in page.locator("#event").inner_text()
    assert [url for url in window.requests if not url.startswith(("file:", "data:"))] == []


@pytest.mark.browser
def test_it_plays_pauses_and_links_to_a_line(window, game_file):
    page = window.open(game_file.as_uri(), offline=True)
    page.locator("#speed").select_option("8")
    page.locator("[data-act=play]").click()
    page.wait_for_selector("#feed li[aria-current]:nth-child(n+5)")
    assert page.locator("#event").get_attribute("aria-live") == "off"  # eight lines a second are not read aloud
    page.keyboard.press(" ")  # the button has the focus
    page.wait_for_selector("[data-act=play][aria-label=Play]")
    page.wait_for_selector("#event[aria-live=polite]")
    at = line_of(page)
    assert page.url.endswith(f"#line={at}&as=all")
    assert page.locator("#feed li[aria-current]").count() == 1
    assert page.locator("#where").get_attribute("aria-live") == "off"
    page.focus("#position")  # whose value is the sentence
    page.keyboard.press("ArrowRight")
    wait_line(page, at + 1)
    page.wait_for_selector("#event[aria-live=off]")


# WebKit throws at the next address that a page writes once there were a hundred within half a minute.
AS_WEBKIT = """{
  const written = [];
  const write = history.replaceState.bind(history);
  history.replaceState = (...facts) => {
    while (written[0] <= Date.now() - 30000) written.shift();
    if (written.length === 100) throw new DOMException("more than 100 times per 30 seconds", "SecurityError");
    written.push(Date.now());
    write(...facts);
  };
}"""


@pytest.mark.browser
def test_it_plays_to_the_end_at_any_speed_and_the_slider_is_dragged(window, tmp_path):
    """Of a browser that lets a page write its address seldom; the address says in the end what is shown."""
    path = tmp_path / "long.html"
    data = make_frames(read_record(LONG))
    path.write_text(bundle.bundle("view", data))
    last = data["views"]["all"]["frames"][-120:]
    pauses = [max(250, min(3000, frame["at"] - before["at"])) for before, frame in itertools.pairwise(last)]
    page = window.open("about:blank", offline=True, is_timed=True)
    page.add_init_script(AS_WEBKIT)
    page.goto(f"{path.as_uri()}#line={last[0]['n']}&as=all")
    wait_line(page, last[0]["n"])
    page.locator("#speed").select_option("8")
    page.locator("[data-act=play]").click()
    page.clock.run_for(sum(pauses) // 8 + 1000)
    page.wait_for_selector("body[data-phase=over]")
    page.wait_for_selector("[data-act=play][aria-label=Play]")
    assert page.url.endswith(f"#line={line_of(page)}&as=all")
    page.evaluate("""() => {
      const slider = document.getElementById("position");
      for (let at = 0; at < 150; at += 1) {
        slider.value = at;
        slider.dispatchEvent(new Event("input"));
      }
    }""")
    page.clock.run_for(30_000)
    wait_line(page, data["views"]["all"]["frames"][148]["n"])
    assert page.url.endswith(f"#line={line_of(page)}&as=all")


@pytest.mark.browser
def test_each_seat_sees_its_own_hand_and_a_phone_has_room_for_all(window, game_file):
    page = window.open(game_file.as_uri() + "#line=76&as=2", (390, 844), touch=True, offline=True)
    wait_line(page, 76)
    assert page.locator("[data-seat='2'] [data-card]:not([data-card=back])").count() == 6
    assert page.locator("[data-seat='1'] [data-card]:not([data-card=back])").count() == 0
    page.locator("#reader").select_option("public")
    page.wait_for_selector("body[data-reader=public]")
    assert page.locator("[data-seat] [data-card]:not([data-card=back])").count() == 0
    assert "6♦" not in page.locator("#event").inner_text()
    wide = page.evaluate("Math.max(document.body.scrollWidth, document.body.scrollHeight - innerHeight + innerWidth)")
    assert wide <= 390, "the page does not scroll"
    for button in page.locator("#controls button:visible").all():
        box = button.bounding_box()
        assert box["width"] >= 40 and box["height"] >= 40 and box["x"] + box["width"] <= 390


@pytest.mark.browser
def test_rows_of_malice_lie_beside_their_seats(window, tmp_path):
    path = tmp_path / "malice.html"
    path.write_text(bundle.bundle("view", make_frames(read_record(MALICE), "ru")))
    page = window.open(path.as_uri() + "#line=150", offline=True)
    wait_line(page, 150)
    let_cards_rest(page)
    top = {key: page.locator(f"[data-pile='{key}'] [data-card]").first.bounding_box()["y"]
           for key in ("hand1", "turned1", "turned2", "hand2")}
    assert sorted(top, key=top.get) == ["hand1", "turned1", "turned2", "hand2"]
    assert page.locator("#reader option").nth(1).inner_text() == "все руки"


@pytest.mark.browser
def test_a_dispute_ends_on_one_printed_page(window, tmp_path):
    sheet = tmp_path / "sheet.html"
    assert cli.run(["show", str(SPADES), "--find", "joker", "--seat", "Anna", "--refused", "--html", str(sheet)]) == 0
    page = window.open(sheet.as_uri(), offline=True)
    assert "Refused: Nothing beats a joker (D8)." in page.locator(".verdict").inner_text()
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    assert page.evaluate("document.body.scrollWidth <= innerWidth")
    page.emulate_media(media="print")
    check_axe(page)


@pytest.mark.browser
def test_a_picture_is_the_same_page_at_that_line(tmp_path):
    target = tmp_path / "line.png"
    assert cli.run(["view", str(SPADES), "--picture", "76", str(target)]) == 0
    assert target.read_bytes()[:4] == b"\x89PNG"


def test_a_picture_without_a_browser(tmp_path, monkeypatch):
    target = tmp_path / "line.svg"
    assert cli.run(["view", str(SPADES), "--picture", "76", str(target), "--as", "Anna"]) == 0
    assert "6" in target.read_text() and target.read_text().startswith("<svg")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CARDTABLE_BROWSER", raising=False)
    with pytest.raises(UnusableInput, match="a PNG needs Chromium"):
        screenshot.find_browser()


def test_a_file_of_a_running_game_holds_what_is_public(tmp_path):
    record = Recorded("x", joined(running(SPADES)))
    data = make_frames(record)
    assert data["readers"] == [PUBLIC]
    assert not re.findall(r'"place": "hand\d", [^}]*"cards": \["', str(data).replace("'", '"'))


def test_a_page_s_data_cannot_end_its_script(tmp_path):
    lines = [line.replace("Anna", "</script><b>") for line in running(SPADES, 60)]
    page = bundle.bundle("view", make_frames(Recorded("x", joined(lines))))
    assert "</script><b>" not in page and "</script><b>" in str(bundle.unpack(page))


def test_the_readers_frames_are_woven_into_one_and_lose_nothing():
    """869 events with four pairs of eyes are a page of some 200 KB."""
    data = make_frames(read_record(LONG))
    page = bundle.bundle("view", data)
    woven = bundle.unpack(page)["views"]
    frames = [[] for _ in data["readers"]]
    for shared, *heard in woven["rows"]:
        for index, otherwise, gone in heard:
            frames[index].append({key: value for key, value in {**shared, **otherwise}.items() if key not in gone})
    views = {name: {"first": woven["first"][name], "frames": frames[at]} for at, name in enumerate(data["readers"])}
    assert views == json.loads(json.dumps(data["views"]))
    assert len(page) < 210_000


@pytest.mark.everything
def test_a_page_of_1250_events_with_four_pairs_of_eyes_has_at_most_250_kb():
    table, draw = Table("malice", 4, 29), Random(29)
    while table.agent:
        legal = table.legal()
        table.step(legal[draw.below(len(legal))])
    assert table.events == 1250
    assert len(bundle.bundle("view", make_frames(Recorded("x", table.record().encode())))) < 250_000
