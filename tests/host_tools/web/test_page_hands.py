"""The page against canned messages: hands, buttons, keyboard and refusals."""

import itertools
import json

import pytest

from tests.host_tools.web import canned
from tests.host_tools.web.alone import SIZES, at_table, centre, drag, hang_up, names_in_tree, until, wait_for_acts
from tests.host_tools.web.browser import let_cards_rest, resize
from tests.patience import wait_for

# Where a note stands; it goes after five seconds, so a test looks at all of it at once.
NOTE = "document.querySelector('#state[data-kind=note]:not(:empty)')?.getBoundingClientRect()"
# Keep how long each thing that begins to move will do so, in ms: on a busy machine it rests before a test can look.
NOTE_MOVES = """() => {
  window.moves = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.moves.push(timing.duration);
    return animate.call(this, frames, timing);
  };
}"""


@pytest.mark.browser
@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_a_tap_on_a_card_is_a_tap(window, fake, size):
    page = at_table(window, fake, size=size)
    box = page.locator("[data-card=AD]").bounding_box()
    (page.mouse.click if size == "laptop" else page.touchscreen.tap)(box["x"] + 12, box["y"] + 40)
    (act,) = wait_for_acts(fake, "tap")
    assert act == {"type": "act", "n": 1, "do": "tap", "seat": 1, "card": "AD"}


@pytest.mark.browser
def test_a_tap_on_the_stock_names_the_pile(window, fake):
    page = at_table(window, fake)
    page.mouse.click(*centre(page, "[data-pile=stock] .card"))
    (act,) = wait_for_acts(fake, "tap")
    assert act["pile"] == "stock" and "card" not in act


@pytest.mark.browser
def test_a_drag_onto_a_reader_lays_the_card(window, fake):
    page = at_table(window, fake)
    drag(page, "[data-card=TC]", centre(page, "[data-reader='1']"))
    (act,) = wait_for_acts(fake, "lay")
    assert (act["card"], act["reader"], act["seat"]) == ("TC", 1, 1)
    hang_up(page, fake)
    assert fake.done("tap") == []


@pytest.mark.browser
def test_a_finger_drags_without_scrolling(window, fake):
    page = at_table(window, fake, size="phone")
    session = page.context.new_cdp_session(page)
    box = page.locator("[data-card=TC]").bounding_box()
    target = centre(page, "[data-reader='1']")
    start = (box["x"] + 12, box["y"] + 40)
    steps = [("touchStart", start), ("touchMove", (start[0], start[1] - 15)), ("touchMove", target), ("touchEnd", None)]
    for kind, at in steps:
        points = [{"x": at[0], "y": at[1]}] if at else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    (act,) = wait_for_acts(fake, "lay")
    assert (act["card"], act["reader"]) == ("TC", 1)
    assert page.evaluate("[scrollX, scrollY, document.getElementById('stage').scrollTop]") == [0, 0, 0]


@pytest.mark.browser
def test_a_card_is_taken_off_by_click_and_by_drag(window, fake):
    page = at_table(window, fake)
    page.mouse.click(*centre(page, "[data-card=QS]"))
    drag(page, "[data-card=QS]", (640, 330))
    assert [(act["reader"], act["card"]) for act in wait_for_acts(fake, "lift", 2)] == [(4, "QS")] * 2


@pytest.mark.browser
def test_a_trembling_hand_still_taps(window, fake):
    page = at_table(window, fake)
    x, y = centre(page, "[data-card=TC]")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5, y + 5)
    page.mouse.up()
    assert wait_for_acts(fake, "tap")[0]["card"] == "TC"


@pytest.mark.browser
def test_a_card_at_rest_does_not_move_when_the_page_is_drawn_again(window, fake):
    page = at_table(window, fake)
    page.evaluate("dispatchEvent(new Event('resize'))")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.browser
def test_free_hand_lays_any_tag_on_any_reader(window, fake):
    page = at_table(window, fake)
    page.click("[data-act=free]")
    assert wait_for_acts(fake, "free")[0]["on"] is True
    fake.push({**canned.durak("en")[0], "free": True})
    page.wait_for_selector(".tag")
    let_cards_rest(page)
    drag(page, "[data-tag=stranger]", centre(page, "[data-reader='3']"))
    drag(page, "[data-card=TC]", centre(page, "[data-reader='2']"))
    page.click("[data-tag=arbiter]")
    page.click("[data-reader='7']")
    assert [(act["tag"], act["reader"]) for act in wait_for_acts(fake, "tag", 3)] == [
        ("stranger", 3),
        ("TC", 2),
        ("arbiter", 7),
    ]
    page.click("[data-button=NO][data-seat='3']")
    assert wait_for_acts(fake, "press")[0]["seat"] == 3


@pytest.mark.browser
def test_free_hand_at_six_seats_reaches_every_tag_and_hides_no_plate(window, fake):
    page = at_table(window, fake, "durak6", "ru")
    page.click("[data-act=free]")
    until(page, f"{NOTE} && {NOTE}.top >= document.getElementById('bar').getBoundingClientRect().bottom")
    fake.push({**canned.durak6("ru")[0], "free": True})
    page.wait_for_selector("[data-tag=stranger]")
    let_cards_rest(page)
    assert page.locator(".tag").first.bounding_box()["x"] >= 0
    plates = sorted((one.bounding_box() for one in page.locator("#seats .plate").all()), key=lambda box: box["x"])
    assert len(plates) == 5 and all(a["x"] + a["width"] <= b["x"] for a, b in itertools.pairwise(plates))


@pytest.mark.browser
@pytest.mark.parametrize("scene", ["durak", "lobby"])
def test_tags_that_are_no_cards_lie_on_readers(window, fake, scene):
    page = at_table(window, fake, scene)
    if scene == "lobby":
        page.click(".ownlobby summary")  # readers lie at the table's own lobby, under More
    fake.push(canned.view([], [], [canned.pile("x", "stranger player:Anna 7S", reader=1)]))
    page.wait_for_selector("[data-card=stranger]")
    names = names_in_tree(page)
    assert "stranger's tag" in names and "token of Anna" in names and "7 of spades" in names
    page.click("[data-card='7S']")
    assert wait_for_acts(fake, "lift")[0] == {"type": "act", "n": 1, "do": "lift", "reader": 1, "card": "7S"}


@pytest.mark.browser
def test_an_act_that_is_not_taken_says_why(window, fake):
    page = at_table(window, fake, size="phone")
    fake.refuse = "That is not your reader."
    page.click("#own [data-button=OK]")
    until(page, f"document.getElementById('state').textContent === 'That is not your reader.' && {NOTE}.height")


@pytest.mark.browser
def test_buttons_press_and_hold(window, fake):
    page = at_table(window, fake)
    page.click("#own [data-button=NO]")
    assert (wait_for_acts(fake, "press")[0]["seat"], fake.done("press")[0]["key"]) == (1, "NO")
    page.evaluate("window.mayHold = true")
    page.mouse.move(*centre(page, "#own [data-button=MENU]"))
    page.mouse.down()
    assert wait_for_acts(fake, "hold")[0]["key"] == "MENU"
    page.mouse.up()
    assert wait_for_acts(fake, "release")[0]["key"] == "MENU"
    assert len(fake.done("press")) == 1


@pytest.mark.browser
def test_t7_who_is_asked_to_agree_reads_it_and_other_buttons_wait(window, fake):
    page = at_table(window, fake, "durak", role="seat", size="phone")
    can = canned.SCENES["durak"]("en")[2]
    can["seats"][0].update(prompt="Anna wants the last move back. OK agrees; or wait", asks={"seat": 2, "left_s": 8},
                           keys={"OK": "agree", "NO": "", "CALL": "", "MENU": ""})
    fake.push(can)
    page.get_by_text("Anna wants the last move back. OK agrees; or wait (8 s)").wait_for()
    page.locator("#own [data-button=NO][aria-disabled=true]").tap(force=True)
    page.locator("#own [data-button=OK]").tap()
    assert [act["key"] for act in wait_for_acts(fake, "press")] == ["OK"]


@pytest.mark.browser
def test_the_cards_that_fit_stand_out_and_a_switch_ends_that(window, fake):
    page = at_table(window, fake, "durak", role="seat", size="phone")
    moves = {move["card"] for move in canned.SCENES["durak"]("en")[2]["seats"][0]["moves"] if move["card"]}
    read = "(all) => all.map((one) => [one.dataset.card, one.dataset.fits, " \
           "getComputedStyle(one.querySelector('img')).translate])"
    cards = page.locator("button.card.own").evaluate_all(read)
    raised = {card for card, fits, lift in cards if lift not in ("none", "0px")}
    assert moves and raised == moves == {card for card, fits, _ in cards if fits == "yes"}
    page.evaluate("localStorage.setItem('cardtable.fits', 'no')")
    page.reload()
    page.wait_for_selector("[data-open=yes] button.card.own")
    let_cards_rest(page)
    assert {lift for _, _, lift in page.locator("button.card.own").evaluate_all(read)} <= {"none", "0px"}


@pytest.mark.browser
def test_keyboard_alone_plays(window, fake):
    page = at_table(window, fake)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert wait_for_acts(fake, "tap")[0]["card"] == "JC"
    for press in ("down", "down", "up"):  # held, it is told again and again
        getattr(page.keyboard, press)("Space")
    assert wait_for_acts(fake, "lay")[0]["card"] == "JC"
    for key in "oncm":
        page.keyboard.press(key)
    assert [act["key"] for act in wait_for_acts(fake, "press", 4)] == ["OK", "NO", "CALL", "MENU"]
    page.evaluate("window.mayHold = true")
    page.keyboard.down("m")
    wait_for_acts(fake, "hold")
    page.keyboard.up("m")
    wait_for_acts(fake, "release")
    page.evaluate("window.mayHold = false")
    page.keyboard.press("l")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert wait_for_acts(fake, "play")[0] == {
        "type": "act",
        "n": 9,
        "do": "play",
        "seat": 1,
        "verb": "beat",
        "card": "JC",
        "target": "9C",
    }
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    until(page, "document.activeElement.dataset.card === 'JC'")  # which was tapped last
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    wait_for(lambda: len(fake.done("tap") + fake.done("lift")) == 2, "the test", lambda: f"two acts; {fake.acts}")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] table")


@pytest.mark.browser
def test_the_focus_stays_where_a_dialog_says_something_else(window, fake):
    """In another dialog the button that closes it has it, as if that had just opened."""
    page = at_table(window, fake)
    focus = "document.activeElement.dataset.act"
    page.focus("[data-act=help]")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[data-dialog=help] .rule")
    page.focus("dialog .rule")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[data-dialog=rule]")
    until(page, f"{focus} === 'close'")
    page.keyboard.press("Escape")
    until(page, f"!document.querySelector('dialog[open]') && {focus} === 'help'")
    page.click("[data-act=settings]")
    page.wait_for_selector("dialog [data-act=watch]")
    page.focus("dialog [data-act=watch]")
    top = page.evaluate("document.querySelector('.inside').scrollTop")
    assert top > 0
    page.evaluate("document.querySelector('.inside').dataset.was = 'yes'")
    fake.push({**canned.durak("en")[0], "speed": 2})
    page.wait_for_selector(".inside:not([data-was])")
    until(page, f"{focus} === 'watch' && document.querySelector('.inside').scrollTop === {top}")


@pytest.mark.browser
def test_a_press_that_began_in_a_dialog_does_not_close_it(window, fake):
    """As of who selects a name with the mouse, and lets go beside it."""
    page = at_table(window, fake)
    page.click("[data-act=help]")
    page.wait_for_selector("dialog[open]")
    page.mouse.move(*centre(page, "#dialog-title"))
    page.mouse.down()
    page.mouse.move(4, 4)
    page.mouse.up()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    page.wait_for_selector("dialog[open]")
    page.mouse.click(4, 4)
    page.wait_for_selector("dialog[open]", state="detached")


@pytest.mark.browser
def test_a_refusal_opens_its_rule(window, fake):
    page = at_table(window, fake)
    assert page.locator("#own .near").inner_text() == "You tapped 9♦. Beat 9♣ with a higher club or a heart"  # T15
    page.click("#own [data-refusal=D7] [data-act=rule]")
    page.wait_for_selector("dialog .ruletext")
    text = page.locator("dialog").inner_text()
    assert "A card is beaten by a higher card" in text and "durak:25" in text and "joker" in text
    said = page.locator("dialog .verdict").all_inner_texts()  # with the cards at hand first
    assert said[1:] == ["You tapped 9♦. Beat 9♣ with a higher club or a heart"]
    assert text.index(said[0]) < text.index(said[1]) < text.index("A card is beaten")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")
    goal = "Get rid of your cards: the last player who still has some is the fool, whoever that is."
    fake.push({**canned.durak("en")[0], "goal": goal})
    page.wait_for_selector("#goal:text('Get rid')")
    for size in ((768, 1024), SIZES["phone"]):
        resize(page, *size)
        let_cards_rest(page)
        box = page.locator("#own .refusal").bounding_box()
        hand = min(one.bounding_box()["y"] for one in page.locator("#own .card").all())
        assert box["y"] + box["height"] <= hand + 1, (size, "it covers what can be played")
        plate = page.locator("#own .plate").evaluate("(one) => [one.scrollWidth - one.clientWidth, one.innerText]")
        assert plate[0] <= 0, (size, plate)
        assert page.locator("#news").bounding_box()["width"] >= 255, size


@pytest.mark.browser
def test_a_rule_that_is_in_english_only_says_so_below_the_verdict_in_russian(window, fake):
    page = at_table(window, fake, language="ru")
    verdict = page.locator("#own .refusal").inner_text()
    page.click("#own [data-refusal=D7] [data-act=rule]")
    page.wait_for_selector("dialog .ruletext")
    said = page.locator("dialog .verdict").all_inner_texts()
    assert said and all(one in verdict for one in said)
    assert "по-русски ещё нет" in page.locator("dialog").inner_text()
    assert page.locator("dialog .ruletext").get_attribute("lang") == "en"
    page.evaluate("""async () => (await import("./rules.js")).takeRule(
        {rule: "D7", title: "Дурак", text: "Карту бьёт старшая.", source: "", readings: ["Так."], language: "ru"})""")
    assert page.locator("dialog .ruletext").get_attribute("lang") == "ru"
    assert "ещё нет" not in page.locator("dialog").inner_text()


@pytest.mark.browser
def test_t6_a_refusal_that_repeats_is_shown_and_spoken_again(window, fake):
    """The record has no new line of it, so the page goes by the light that turns red again."""
    page = at_table(window, fake)
    page.evaluate(
        """() => {
             window.spoken = [];
             const live = document.getElementById('live');
             new MutationObserver(() => window.spoken.push(live.textContent)).observe(live, {childList: true});
        }"""
    )
    line = page.locator("#own .refusal")
    for times, says in ((None, "refused"), (None, "off"), ("1", "refused"), ("1", "off"), ("2", "refused")):
        fake.push(canned.lights(says, "off", "off", "off"))
        until(page, f"document.querySelector('#own .light').dataset.light === '{says}'")
        until(page, f"document.querySelector('#own .refusal').getAttribute('data-again') === {json.dumps(times)}")
    words = line.inner_text().removeprefix("✕").strip().rsplit(" ", 1)[0].split()[0]
    until(page, f"window.spoken.some((sentence) => sentence.includes({json.dumps(words)}))")


@pytest.mark.browser
def test_the_card_keeps_its_element_when_it_moves(window, fake):
    page = at_table(window, fake)
    page.evaluate("window.kept = document.querySelector('[data-card=TC]')")
    messages = canned.durak("en")
    for pile in messages[1]["piles"]:
        if pile["place"] == "hand1":
            pile["cards"].remove("TC")
            pile["count"] -= 1
    messages[1]["piles"].append(canned.pile("cover2", "TC"))
    page.evaluate(NOTE_MOVES)
    fake.push(messages[1])
    page.wait_for_selector("[data-pile=cover2] [data-card=TC]")
    assert page.evaluate("window.kept === document.querySelector('[data-pile=cover2] [data-card=TC]')")
    assert 0 < page.evaluate("Math.max(...window.moves)") < 300


@pytest.mark.browser
@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_with_reduced_motion(window, fake, motion, moves):
    page = at_table(window, fake, reduced_motion=motion)
    page.evaluate(NOTE_MOVES)
    for message in canned.durak6("en"):
        fake.push(message)
    page.wait_for_selector("[data-pile=attack6]")
    assert page.evaluate("window.moves.length > 0") == moves
