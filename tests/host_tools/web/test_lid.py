"""The host closes the laptop's lid for ten minutes: phones say that the line is dead, then everybody goes on."""

import contextlib
import json
import threading

import pytest

from tests.host_tools.web.served import Served
from tests.host_tools.web.test_friends import IS_ASKED, MIDDLES, PHONE
from tests.patience import PATIENCE_S, hear, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

LID_MS = 600_000
IS_BACK = "body[data-open=yes]:not(.lost) [data-card].own"


@contextlib.contextmanager
def closed_lid(served):
    """Nothing here runs: neither the server's loop nor the table's thread. A monotonic clock stands still then, too."""
    open_again, asleep = threading.Event(), [threading.Event(), threading.Event()]

    def sleep(falls):
        falls.set()
        open_again.wait(PATIENCE_S)

    served.table.post(lambda: sleep(asleep[0]))
    served.loop.call_soon_threadsafe(lambda: sleep(asleep[1]))
    for falls in asleep:
        hear(falls, "the test", "a computer that sleeps")
    try:
        yield
    finally:
        open_again.set()


def open_phone(served, window, seat):
    """A phone at that seat, once it has heard that the table is there."""
    heard = []
    page = window.open(served.link(seat), PHONE, touch=True, is_timed=True, reduced_motion="reduce")
    page.wait_for_selector("[data-open=yes]")
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page.reload()
    page.wait_for_selector(IS_BACK)
    wait_for(lambda: page.evaluate("0") or any(json.loads(one)["type"] == "here" for one in heard), "a phone", "a sign")
    return page


def test_the_lid_is_closed_for_ten_minutes_and_everybody_goes_on(tmp_path, window):
    people = [("Anna", "phone"), ("Vera", "phone")]
    with (Served(tmp_path, game="durak simple deck=24", seats=people, seed=5, speed=1000.0, here_s=0.05) as served,
          contextlib.closing(window)):
        served.wait(lambda: served.table.phase == "play", "the game")
        phones = [open_phone(served, window, seat) for seat in (1, 2)]
        hands = [served.read(lambda seat=seat: sorted(served.table.cards.hand(seat))) for seat in (1, 2)]
        with closed_lid(served):
            for page in phones:
                page.clock.fast_forward(LID_MS)
                page.wait_for_selector("body.lost")
                assert page.locator("#state").inner_text() == "Connection lost. Trying again"
        for page in phones:
            wait_for(lambda page=page: page.clock.run_for(1000) or page.locator(IS_BACK).count(), "a phone", "a table")
        assert hands == [served.read(lambda seat=seat: sorted(served.table.cards.hand(seat))) for seat in (1, 2)]
        told = served.read(lambda: served.table.known.feed.count)

        def move():
            for page in phones:
                page.clock.run_for(100)
                if page.evaluate(IS_ASKED):
                    for selector in ("#own .opener", ".moves.open .move:not([data-move=undo])"):
                        for _, *at in page.evaluate(MIDDLES, selector)[:1]:
                            page.mouse.click(*at)
            return served.read(lambda: served.table.known.feed.count) > told

        wait_for(move, "the two", "a move that is taken")
        window.close()
