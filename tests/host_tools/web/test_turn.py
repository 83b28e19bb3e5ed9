"""When the table waits for somebody who looks elsewhere: tones, a tremble, a screen that stays on; and the goodbye."""

import contextlib

import pytest

from tests.host_tools.web import canned
from tests.host_tools.web.fake_table import IS_GREETED
from tests.host_tools.web.served import Page, Served, begin, pile
from tests.host_tools.web.test_friends import PHONE
from tests.patience import wait_for

pytestmark = pytest.mark.browser

# What a phone would do is noted in `window.did`.
NOTES = """() => {
  window.did = [];
  const silent = {setValueAtTime() {}, setTargetAtTime() {}, linearRampToValueAtTime() {}, value: 0};
  window.AudioContext = class {
    state = "running"; currentTime = 0;
    suspend() {} resume() {}
    createGain() { return {gain: silent, connect: (to) => to}; }
    createOscillator() {
      const tone = {frequency: {setValueAtTime() {}, value: 0}, connect: (to) => to, stop() {}};
      tone.start = () => tone.frequency.value && did.push(`tone ${tone.frequency.value}`);
      return tone;
    }
  };
  const lock = () => ({released: false, async release() { this.released = true; did.push("may sleep"); }});
  const request = async (kind) => (did.push(`keeps the ${kind} on`), lock());
  Object.defineProperty(navigator, "wakeLock", {value: {request}});
  navigator.vibrate = (ms) => did.push(`trembles ${ms}`);
}"""


def test_a_phone_is_called_at_its_turn_and_keeps_its_screen_on_till_the_end(window, fake):
    page = window.open("about:blank", PHONE, touch=True, reduced_motion="reduce")
    page.context.add_init_script(f"({NOTES})()")
    page.goto(fake.url("durak", "en", "seat"))
    page.wait_for_selector(IS_GREETED)
    view = canned.durak("en")[1]

    def did():
        return page.evaluate("did.splice(0)")

    def turn(*seats, heard):
        fake.push({**view, "turn": list(seats), "refusals": [], "heard": heard})
        page.wait_for_selector(f"body[data-heard='{heard}']")

    page.touchscreen.tap(195, 300)  # browsers let a page sound once a finger has touched it
    wait_for(lambda: "keeps the screen on" in did(), "the test", "a screen that stays on")
    turn(2, heard=101)
    assert did() == []
    turn(1, heard=102)
    assert did() == ["tone 660", "tone 880", "trembles 90"]
    turn(1, heard=103)  # once for each turn
    assert did() == []
    page.click("[data-act=reading]")
    page.uncheck("dialog [data-act=calls]")
    page.keyboard.press("Escape")
    turn(2, heard=104)
    turn(1, heard=105)
    assert did() == []
    fake.push(canned.over("en")[0])
    page.wait_for_selector("body[data-phase=over]")
    wait_for(lambda: "may sleep" in did(), "the test", "a screen that may sleep")


def test_a_buzzer_falls_silent_with_the_line(window, fake):
    """No message could end the beep: after a line that was lost in the middle of one it went on until that was back."""
    notes = NOTES.replace("setTargetAtTime() {}", "setTargetAtTime(to) { did.push(to); }")
    page = window.open("about:blank", PHONE, touch=True, reduced_motion="reduce")
    page.context.add_init_script(f"({notes})()")
    page.goto(fake.url("durak", "en", "seat"))
    page.wait_for_selector(IS_GREETED)
    page.touchscreen.tap(195, 300)
    fake.push({"type": "sound", "hz": 880})
    wait_for(lambda: page.evaluate("did.at(-1) > 0"), "the test", "a sound")
    fake.away = True
    fake.cut()
    page.wait_for_selector("[data-open=no]")
    wait_for(lambda: page.evaluate("did.at(-1) === 0"), "the test", "silence")
    fake.away = False


def test_who_ends_the_table_says_goodbye_to_phones(tmp_path, window):
    people = [("Anna", "phone"), ("Vera", "phone")]
    with contextlib.closing(window):
        with Served(tmp_path, game="durak simple", seats=people, seed=5, speed=1000.0) as served:
            phones = [window.open(served.link(seat), PHONE, touch=True, reduced_motion="reduce", locale=locale)
                      for seat, locale in ((1, "en"), (2, "ru"))]
            for page in phones:
                page.wait_for_selector("[data-open=yes][data-role=seat]")
        for page, words in zip(phones, ("The table was closed.", "Стол закрыли."), strict=True):
            tries = []
            page.on("websocket", lambda _, tries=tries: tries.append(1))
            wait_for(lambda page=page, tries=tries: page.evaluate("0") or len(tries) > 1, "a phone", "two tries")
            assert words in page.locator("#state").inner_text()
    # A table that goes refuses its pages, or resets what they were still loading.
    window.errors = [error for error in window.errors if "ERR_CONNECTION_" not in error]


def test_t7_whoever_moved_last_may_take_it_back_and_the_other_is_asked(tmp_path):
    """Not before a move, nor the other seat; then the card is in the hand again."""
    with Served(tmp_path, seed=5, speed=1000.0) as served:

        async def play():
            page = await begin(await Page(served.address, served.table.seating.host).open(), "durak simple")

            def can(seat):
                return next(one for one in page.told["can"]["seats"] if one["seat"] == seat)

            await page.until(lambda: any(one["moves"] for one in page.told["can"]["seats"]), "who attacks")
            seat = next(seat for seat in (1, 2) if can(seat)["moves"])
            hand, move, other = pile(page, f"hand{seat}")["cards"], can(seat)["moves"][0], 3 - seat
            assert not can(1)["back"] and not can(2)["back"]
            assert (await page.done("play", seat=seat, verb=move["verb"], card=move["card"]))["ok"]
            await page.until(lambda: can(seat)["back"] and not can(seat)["busy"], "a move to take back")
            assert move["card"] not in pile(page, f"hand{seat}")["cards"] and not can(other)["back"]
            assert (await page.done("play", seat=seat, verb="undo"))["ok"]
            await page.until(lambda: "asks" in can(other), "the question")
            assert not can(seat)["back"]
            assert (await page.done("press", seat=other, key="OK"))["ok"]
            await page.until(lambda: pile(page, f"hand{seat}")["cards"] == hand, "the card")
            await page.close()

        served.run(play())


def test_the_list_of_moves_has_the_way_back_and_counts_it_not(window, fake):
    page = window.open(fake.url("durak", "en", "seat"), PHONE, touch=True, reduced_motion="reduce", is_kept=True)
    page.wait_for_selector(IS_GREETED)
    own = next(told for told in canned.durak("en") if told["type"] == "can")
    fake.push({**own, "seats": [{**one, "moves": [], "back": True} for one in own["seats"]]})
    page.locator("#own .opener", has_text="Take my move back").tap()
    page.locator(".moves.open [data-move=undo]").tap()
    wait_for(lambda: fake.done("play"), "the test", "the wish")
    assert fake.done("play")[0]["verb"] == "undo"
