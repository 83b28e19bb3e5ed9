"""The page against canned messages: lost connections, and acts that are said again."""

import re

import pytest

from tests.host_tools.web.alone import SIZES, at_table, hang_up, until, wait_for_acts
from tests.host_tools.web.fake_table import IS_GREETED
from tests.patience import wait_for

LISTEN = """() => {
    const live = document.getElementById("live");
    window.spoken = [];
    new MutationObserver(() => window.spoken.push(live.textContent)).observe(live, {childList: true});
}"""
SILENCE_MS = 6000  # longer than any of the page's own timers but one, of a hint


@pytest.mark.browser
def test_acts_survive_a_lost_connection_once_each(window, fake):
    page = at_table(window, fake)
    fake.deaf = True
    page.click("#own [data-button=OK]")
    wait_for(lambda: fake.seen, "the deaf table", "OK")
    fake.cut()
    fake.deaf = False
    page.click("#own [data-button=NO]")
    page.wait_for_selector("[data-open=yes]")
    assert [act["key"] for act in wait_for_acts(fake, "press", 2)] == ["OK", "NO"]
    for _ in range(3):
        before = len(fake.hellos)
        fake.cut()
        wait_for(lambda count=before: len(fake.hellos) > count, "the table", lambda: f"the page; {fake.hellos}")
        page.wait_for_selector("[data-open=yes]")
    hang_up(page, fake)
    assert [act["n"] for _, act in fake.acts] == [1, 2]
    assert len({hello["client"] for hello in fake.hellos}) == 1
    assert re.fullmatch("[a-z0-9]{8,64}", fake.hellos[0]["client"])


@pytest.mark.browser
def test_what_finds_no_place_while_the_line_is_gone_is_told_there_and_when_it_is_back(window, fake):
    page = at_table(window, fake, is_timed=True)
    fake.away = True
    fake.cut()
    page.wait_for_selector("[data-open=no]")
    for _ in range(42):
        page.locator("#own [data-button=OK]").dispatch_event("click")
    told = "Not sent: the last 2"
    until(page, f"document.getElementById('state').textContent === '{told}'")
    page.clock.run_for(5100)
    until(page, "document.getElementById('state').textContent === 'Connection lost. Trying again'")
    fake.away = False
    page.clock.run_for(1500)
    page.wait_for_selector("[data-open=yes]")
    until(page, f"document.getElementById('state').textContent === '{told}'")
    assert len(wait_for_acts(fake, "press", 40)) == 40
    page.clock.run_for(5100)
    until(page, "!document.getElementById('state').textContent")


@pytest.mark.browser
def test_a_loss_is_spoken_once_and_a_card_that_was_taken_meanwhile_looks_so(window, fake):
    """However often the page tries in vain. What the table has taken it acknowledges by a number alone."""
    page = at_table(window, fake, is_timed=True)
    fake.deaf = True
    page.click("#own .card")
    wait_for(lambda: fake.seen, "the deaf table", "a tap")
    page.wait_for_selector("#own .card.pending")
    client, act = fake.seen[0]
    fake.taken[client] = act["n"]
    page.evaluate("""() => {
      window.spoken = [];
      const state = document.getElementById("state"); // a status: it is read aloud, and nothing else says the same
      new MutationObserver(() => window.spoken.push(state.textContent)).observe(state, {childList: true});
    }""")
    fake.away = True
    fake.cut()
    page.wait_for_selector("[data-open=no]")
    for count in range(1, 4):
        page.clock.run_for(1500)
        wait_for(lambda least=count: fake.requests.count("/ws") > least, "the test", "a try in vain")
    fake.away = False
    page.clock.run_for(1500)
    page.wait_for_selector("[data-open=yes]")
    page.wait_for_selector("#own .card.pending", state="detached")
    page.clock.run_for(1500)
    assert sum("Connection lost. Trying again" in said for said in page.evaluate("window.spoken")) == 1


@pytest.mark.browser
def test_an_act_that_is_not_acknowledged_is_said_again(window, fake):
    """The connection looks whole, and swallows what is said."""
    page = at_table(window, fake, is_timed=True)
    fake.deaf = True
    page.click("#own [data-button=OK]")
    wait_for(lambda: fake.seen, "the deaf table", "OK")
    fake.deaf = False
    assert not fake.acts
    page.clock.fast_forward(SILENCE_MS)
    assert [act["n"] for act in wait_for_acts(fake, "press")] == [1]
    assert len(fake.seen) == 2


@pytest.mark.browser
def test_a_reload_goes_on_counting_and_a_second_tab_begins(window, fake):
    page = at_table(window, fake)
    page.click("#own [data-button=OK]")
    wait_for_acts(fake, "press")
    page.reload()
    page.wait_for_selector("[data-open=yes] #own [data-button=NO]")
    page.click("#own [data-button=NO]")
    assert [act["n"] for act in wait_for_acts(fake, "press", 2)] == [1, 2]
    at_table(window, fake)
    assert len({hello["client"] for hello in fake.hellos}) == 2


@pytest.mark.browser
def test_a_closed_page_says_why_and_stays_closed(window, fake):
    page = at_table(window, fake, is_timed=True)
    fake.push({"type": "error", "why": "Too many messages."})
    until(page, "document.getElementById('state').textContent.includes('Too many messages.')")
    opened = []
    page.on("websocket", lambda socket: opened.append(socket))
    fake.cut()
    page.wait_for_selector("[data-open=no]")
    page.clock.fast_forward(SILENCE_MS)
    page.evaluate("document.title")  # what the page has opened is known here by its answer
    assert not opened and len(fake.hellos) == 1


@pytest.mark.browser
def test_a_name_is_typed_on_while_the_table_tells_something(window, fake):
    """What lies over the table is drawn again; the field, its text and its caret stay. Who sits down loses nothing."""
    page = window.open(fake.url("lobby", role="join"), SIZES["phone"], touch=True, is_kept=True)
    page.wait_for_selector(IS_GREETED)
    page.click("#coming [name=name]")
    page.keyboard.insert_text("Vra")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    fake.push({"type": "join", "why": "no seat is free"})
    page.wait_for_selector("#coming .trouble:text('no seat is free')")
    page.keyboard.insert_text("e")
    assert page.input_value("#coming [name=name]") == "Vera"
    page.click("#coming [data-act=sit]")
    wait_for(lambda: {"type": "join", "name": "Vera"} in fake.questions, "the test", "the question for a seat")
    page.evaluate(LISTEN)
    fake.push({"type": "join", "secret": "lobby.en.seat"})
    until(page, "window.spoken.length && document.body.dataset.role === 'seat'")
    assert page.evaluate("window.spoken") == ["You sit at this table. The host will choose the game."]


@pytest.mark.browser
def test_the_same_sentence_is_another_text_when_it_is_said_again(window, fake):
    """A screen reader keeps silent where the text of a live region stays as it was: a pass that repeats."""
    page = at_table(window, fake)
    until(page, "document.getElementById('live').textContent")
    page.evaluate(LISTEN)
    for count in (1, 2, 3):
        line = {"n": 10 + count, "text": "Vera passes", "kind": "event", "seat": 2, "rule": ""}
        fake.push({"type": "feed", "lines": [line]})
        until(page, f"window.spoken.length === {count}")
    spoken = page.evaluate("window.spoken")
    assert spoken == ["Vera passes", "Vera passes\u00a0", "Vera passes"]
