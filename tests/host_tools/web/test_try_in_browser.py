"""A moment of a finished game is tried again, by clicks: from the replay to its plays, a hundred continuations, and the
real table that goes on from there.
"""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardtable.engine.match import FROM
from host_tools.base.workers import aside
from tests.conftest import ROOT
from tests.host_tools.web.served import Served, pass_time

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

RECORD = ROOT / "tests" / "records" / "durak" / "game-0003.rec"
PHONE = (390, 844)
LINE, SEAT = 95, 2


def test_a_moment_is_tried_again_at_the_table(tmp_path, window, monkeypatch):
    monkeypatch.setattr(aside, "make_process", lambda: ThreadPoolExecutor(1))  # no process has to start
    (tmp_path / "over.rec").write_bytes(RECORD.read_bytes())
    (tmp_path / "counted.rec").write_bytes((RECORD.parent / "variant-counted.rec").read_bytes())
    (tmp_path / "four.rec").write_bytes((RECORD.parent / "throw-in-0001.rec").read_bytes())
    with Served(tmp_path, speed=1000.0, stands_still=True) as served, contextlib.closing(window):
        table = served.table
        page = window.open(served.link(), PHONE, touch=True, reduced_motion="reduce")
        page.wait_for_selector("[data-open=yes]")
        pass_time(table, lambda: table.phase == "lobby", "the lobby")
        page.goto(f"{served.address}/records/over.rec/view?language=ru#line={LINE}&as={SEAT}")
        page.locator("[data-act=retry]").tap()
        page.wait_for_selector("body[data-page=try][data-state=ready]")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not page.locator("meter").count(), "nothing is told before it is asked"
        page.goto(f"{served.address}/records/counted.rec/try?language=en&line=90&seat=1")
        page.wait_for_selector("body[data-state=none] [data-why]")
        assert "counted and not tapped" in page.locator("[data-why]").text_content()
        page.goto(f"{served.address}/records/four.rec/try?language=ru&line=1&seat=1")
        page.wait_for_selector("body[data-page=try][data-state=ready]")
        page.locator("[data-act=try]").tap()
        page.wait_for_selector("body[data-state=tried]")
        assert not page.locator("meter").count() and "примерная оценка" in page.locator(".plays").inner_text()
        assert "Оценки примерные" in page.locator("#ask").inner_text()
        page.goto(f"{served.address}/records/over.rec/try?language=ru&line={LINE}&seat={SEAT}")
        page.wait_for_selector("body[data-page=try][data-state=ready]")
        page.locator("[data-act=try]").tap()
        page.wait_for_selector("body[data-state=tried]")
        assert page.evaluate("document.activeElement.dataset.act") == "try"
        shares = page.locator(".plays [data-share]")
        assert shares.count() >= 2 and page.locator("meter").count() == shares.count()
        assert page.locator("#status").text_content() == "доиграно 100 из 100 для каждого хода"
        page.locator("input[value=anew]").check()
        page.wait_for_selector("body[data-state=tried] input[value=anew]:checked")
        page.locator("[data-act=go]").tap()
        page.wait_for_selector("body[data-role=host][data-open=yes]")
        pass_time(table, lambda: table.phase == "play", "the game from there")
        page.wait_for_selector("body[data-phase=play] #own button[data-card]")
        keys = served.read(lambda: dict(table.header.keys))
        assert keys[FROM].startswith(f"over.rec {LINE} ") and keys[FROM].endswith(" anew")
        assert served.read(lambda: [table.seating.chairs[seat].who for seat in (1, 2)]) == ["bot:beginner", "here"]
        assert "from=" not in page.url
