"""Hands that obey: a card goes where it is put, who keeps tapping stops nobody, a dead line looks dead."""

import json

import pytest

from host_tools.play.acts import Actor, NotAllowed
from host_tools.play.hands import HOLD_US, SeatHands
from host_tools.play.web import server
from host_tools.virtual.fingers import GREEN, RED
from tests.host_tools.web import canned
from tests.host_tools.web.served import Page, Served, read
from tests.host_tools.web.alone import at_table, centre, drag, until, wait_for_acts
from tests.host_tools.web.test_secrets import Watched, header

DEAD_MS = 7000
# Keep what the page says while its line is dead: on a busy machine it is whole again before a test can look.
NOTE_LOST = """() => {
  window.lost = [];
  const state = document.querySelector("#state");
  new MutationObserver(() => document.body.matches(".lost") && window.lost.push(state.innerText)).observe(
    document.body, {attributes: true, childList: true, subtree: true, characterData: true});
}"""
TEXTS_COVERED = """() => Array.from(document.querySelectorAll("#panel p, #panel h2, #panel button")).filter((one) => {
  if (!one.checkVisibility({contentVisibilityAuto: true}) || !one.getClientRects().length) return false;
  const box = one.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return !document.getElementById("panel").contains(hit);
}).length"""


def takes(page):
    """The piles that shine now."""
    return sorted(page.locator(".takes").evaluate_all("(all) => all.map((one) => one.dataset.pile)"))


@pytest.mark.browser
def test_a_card_goes_to_the_pile_on_which_it_is_dropped(window, fake):
    """Malice: what would take it shines while it is dragged; on a pile that would not take it, a drop is a tap."""
    page = at_table(window, fake, "malice")
    x, y = centre(page, "[data-card='5S2']")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y - 12)
    assert takes(page) == ["centre1"]
    page.mouse.move(*centre(page, "[data-pile=centre1] .card:last-child"), steps=3)
    page.mouse.up()
    assert takes(page) == []
    drag(page, "[data-card='8H2']", centre(page, "[data-pile='side1.3'] .outline"))
    drag(page, "[data-card='8H2']", centre(page, "[data-pile='side1.1'] .card:last-child"))
    drag(page, "[data-card='8H2']", centre(page, "[data-card=KD2]"))  # back among the others
    first, second = wait_for_acts(fake, "play", 2)
    assert (first["verb"], first["card"], str(first["target"])) == ("centre", "5S2", "1")
    assert (second["verb"], second["card"], str(second["target"])) == ("side", "8H2", "3")
    (refused,) = wait_for_acts(fake, "tap")
    assert refused["card"] == "8H2"


@pytest.mark.browser
def test_a_phones_swipe_is_a_tap_and_a_drop_on_a_card_beats_it(window, fake):
    page = at_table(window, fake, role="seat", size="phone")
    drag(page, "[data-card=TC]", centre(page, "[data-card='9C']"))
    (act,) = wait_for_acts(fake, "play")
    assert (act["verb"], act["card"], act["target"]) == ("beat", "TC", "9C")
    drag(page, "[data-card=AD]", (20, 300))
    assert wait_for_acts(fake, "tap")[0]["card"] == "AD"


@pytest.mark.browser
def test_a_card_that_was_tapped_is_sent_to_the_pile_that_is_clicked(window, fake):
    page = at_table(window, fake, "malice", size="phone", role="seat")
    page.locator("[data-card='5S2']").click(position={"x": 10, "y": 30})
    wait_for_acts(fake, "tap")
    fake.push(canned.glass(["", "", "", "", "", "", "", "1 centre 1?"]))
    fake.push(canned.lights("choosing", *["off"] * 6))
    until(page, "document.querySelectorAll('.takes').length === 1")
    page.mouse.click(*centre(page, "[data-pile=centre1] .card:last-child"))
    assert wait_for_acts(fake, "press")[0]["key"] == "NO"
    assert wait_for_acts(fake, "play")[0]["verb"] == "centre"


@pytest.mark.browser
def test_nothing_lies_over_the_panel_of_the_end(window, fake):
    """Nor a card that is on its way, of the discard or of a hand."""
    page = at_table(window, fake, "over")
    page.evaluate("""() => document.querySelectorAll(".card").forEach((one) => one.animate(
        [{transform: "translate(600px, 330px)", zIndex: 50}, {transform: "translate(620px, 330px)", zIndex: 50}],
        1e6))""")
    assert page.locator(".card").count() > 2 and page.evaluate(TEXTS_COVERED) == 0


@pytest.mark.browser
def test_a_dead_line_looks_dead_within_seven_seconds_and_comes_back(window, fake):
    page = at_table(window, fake, is_timed=True, role="seat", size="phone")
    fake.push({"type": "here"})
    fake.push(canned.lights("turn", *["off"] * 6))
    page.wait_for_selector("#own [data-light=turn]")
    now_s = page.evaluate("Date.now()") / 1000

    def let_pass(ms):
        """By the page's clock, which stands still otherwise; its timers look at it."""
        nonlocal now_s
        now_s += ms / 1000
        page.clock.set_fixed_time(now_s)
        page.clock.run_for(1000)

    let_pass(3000)
    fake.push({"type": "here"})
    fake.push(canned.lights("off", *["off"] * 6))
    page.wait_for_selector("#own [data-light=off]")
    let_pass(4000)
    page.wait_for_selector("body[data-open=yes]:not(.lost)")
    assert len(fake.hellos) == 1
    page.evaluate(NOTE_LOST)
    let_pass(DEAD_MS - 4000)
    until(page, "window.lost.includes('Connection lost. Trying again')")
    page.clock.run_for(1000)
    page.wait_for_selector("body[data-open=yes]:not(.lost)")
    assert len(fake.hellos) == 2


def test_a_silent_table_says_that_it_is_here(tmp_path):
    """And a browser that answers no ping any more is gone before seven seconds are over."""
    assert server.HERE_S * 2 < 6.3 and server.HEARTBEAT_S * 1.5 < 7
    with Served(tmp_path, seed=1, here_s=0.05) as served:

        async def listen():
            page = await Page(served.address, served.table.seating.host, "listener1").open()
            await page.until(lambda: "here" in page.told, "a word")
            await page.close()
            return page.raw

        assert json.dumps({"type": "here"}, separators=(",", ":")) in served.run(listen())


def test_a_page_knows_from_the_beginning_that_its_table_says_so(tmp_path):
    """A phone that was locked while bots played without a pause came back to a dead line, and waited there for ever."""
    with Served(tmp_path, seed=1, here_s=1e6) as served:

        async def listen():
            page = await Page(served.address, served.table.seating.host, "listener2").open()
            await page.until(lambda: "here" in page.told, "a word")
            await page.close()
            return [json.loads(one)["type"] for one in page.raw]

        told = served.run(listen())
    assert told[0] == "welcome" and told.count("here") == 1


@pytest.mark.micropython
def test_t3_who_keeps_tapping_stops_nobody():
    """What the table does for a seat goes before the seat's own taps, and such a tap says why it is not taken."""
    with Watched(header("durak throw-in", 2), [1], seed=3) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "here", f"P{seat}")

        def tap():
            while True:
                for hands in table.hands.values():
                    if hands.seat and table.phase == "deal":
                        hands.ask(lambda hands=hands: hands.tap("6S"))
                yield 50_000

        table.world.people.add(tap())
        table.run_until(lambda: table.cards and table.cards.hand(1) and table.hands[1].is_drawing, "a dealt card")
        card = read(table, lambda: table.name_of(table.cards.hand(1)[0]))
        with pytest.raises(NotAllowed, match="the table draws for you"):
            read(table, lambda: Actor(table, "seat", [1]).do({"do": "tap", "seat": 1, "card": card}))
        table.run_until(lambda: table.phase == "play", "the first bout")


def test_s6_a_second_tap_of_a_card_says_that_it_waits_and_is_taken_soon():
    """A refusal that repeats is no new line of the record (T6), and yet its card need not lie for long."""
    with Watched(header("durak throw-in", 2), [1], seed=3) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "here", f"P{seat}")
        table.run_until(lambda: table.phase == "play" and not any(table.tags.lying.values()), "the game")
        seat = next(one for one in (1, 2) if not table.waits[one])  # a tap of this one is refused
        card = table.name_of(next(iter(table.cards.hand(seat))))
        hands = table.hands[table.place_of(seat)]
        table.run_until(lambda: not hands.holds_back(card), "a card that was dealt some time ago")
        actor, laid = Actor(table, "host", [1, 2]), []
        put = table.tags.put

        def note(place, name):
            laid.append(table.now_us)
            return put(place, name)

        table.tags.put = note
        said = read(table, lambda: [actor.do({"do": "tap", "seat": seat, "card": card})])
        table.run_until(lambda: table.tags.lying[table.place_of(seat)], "the first tap")
        said += read(table, lambda: [actor.do({"do": "tap", "seat": seat, "card": card}) for _ in range(2)])
        table.run_until(lambda: not hands.has_work, "the other two")
        assert [bool(one) for one in said] == [False, True, True] and "in a moment" in said[1]
        assert len(laid) == 3 and max(laid[1] - laid[0], laid[2] - laid[1]) <= 1_500_000, laid
        assert table.follower.course.refusals[seat].rule in ("D12", "D16")


class Reader:
    """A table of which one light is looked at, and whose answer comes after a second."""

    def __init__(self, colour):
        self.colour, self.now_us, self.laid, self.left_us = colour, 0, [], None
        self.tags = self

    def seat_at(self, place):
        return place

    def gone_in_us(self, place, name):
        return 0

    def put(self, place, name):
        self.laid.append(name)
        return True

    def take(self, place, name):
        self.left_us = self.now_us

    def light(self, place):
        return self.colour if self.now_us >= 1_000_000 else None

    def answers(self, seat):
        return self.now_us >= 1_000_000


def test_s6_a_refused_card_leaves_its_reader_sooner_so_that_a_second_tap_counts_sooner():
    """T5: how long a card has to be away is the same after either verdict; how long it lies is not."""
    lain = {}
    for colour in (RED, GREEN):
        table = Reader(colour)
        for wait_us in SeatHands(table, 1).tap("6S"):
            table.now_us += wait_us
        lain[colour] = table.left_us
    assert lain[RED] == 1_000_000 and lain[GREEN] - lain[RED] == HOLD_US
