"""The page against canned messages: its files, what stands on it, what is read aloud, sizes."""

import itertools
import json
import re

import pytest

from tests.conftest import ROOT
from tests.host_tools.web import canned
from tests.host_tools.web.alone import (
    SIZES,
    at_table,
    centre,
    find_covered,
    hang_up,
    names_in_tree,
    until,
    wait_for_acts,
)
from tests.host_tools.web.browser import check_axe, let_cards_rest, resize
from tests.host_tools.web.fake_table import IS_GREETED, PAGE
from tests.patience import wait_for

GAMES = ["durak", "durak6", "cals_bs", "bailiff", "malice"]
CARDS_BYTES = 600_000
RANKS = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
LIGHT_WORDS = {
    "off": "light off",
    "accepted": "accepted",
    "choosing": "choosing",
    "refused": "refused",
    "fault": "fault",
    "filling": "handicap runs",
}


# --- files ---


def test_every_card_has_a_picture():
    names = {rank + suit for rank in "23456789TJQKA" for suit in "SHDC"} | {"XB", "XR", "back"}
    assert {path.stem for path in (PAGE / "cards").glob("*.svg")} == names
    assert sum(path.stat().st_size for path in (PAGE / "cards").iterdir()) <= CARDS_BYTES


def test_no_inline_script_or_style():
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:", html)
    scripts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "host_tools").rglob("*.js")}
    assert {"play", "look", "club"} <= {path.relative_to(ROOT / "host_tools").parts[0] for path in scripts}
    makes = re.compile(r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function")
    assert [path for path, source in scripts.items() if makes.search(source)] == []
    for path in PAGE.glob("*.js"):
        source = scripts[path]
        assert not re.search(r"""\bstyle:|"style",""", source), path.name  # an attribute, which the policy forbids
        assert not re.search(r"""import\((?!"\./\w+\.js"\))""", source), path.name  # only what lies beside it


# --- what stands on the page ---


@pytest.mark.browser
def test_documented_hooks_are_there(window, fake):
    page = at_table(window, fake)
    for hook in (
        "body[data-phase=play]",
        "body[data-role=host]",
        "[data-seat='1']",
        "[data-seat='4']",
        "[data-card=TC]",
        "[data-card=back]",
        "[data-pile=stock]",
        "[data-pile=attack1] [data-card='6S']",
        "[data-reader='1']",
        "[data-button=OK][data-seat='1']",
        "[data-seat='3'] [data-light=refused]",
        "canvas[data-screen]",
        "[data-refusal=D7]",
        "[data-refusal=D16]",
        "[data-move='beat TC 9C']",
        "[data-act=mute]",
        "[data-act=free]",
    ):
        assert page.locator(hook).count() >= 1, hook


@pytest.mark.browser
def test_b5_a_virtual_player_does_not_look_gone(window, fake):
    """Nobody's browser is there for it, and still only a phone that is away fades."""
    page = at_table(window, fake, "durak6")
    faded = page.locator("[data-seat]:has(.plate)").evaluate_all(
        "(all) => all.filter((one) => getComputedStyle(one.querySelector('.plate')).opacity < 1)"
        ".map((one) => one.dataset.seat)")
    assert faded == ["5"]
    assert "gone" in page.locator("[data-seat='5'] .mark").inner_text()


LEGIBLE = 34  # pixels, of a card in the middle

# What of the piles in the middle lies over a seat, its reader or the screen.
OVER_SEATS = """() => {
  const box = (one) => one.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const seats = [...document.querySelectorAll(".plate, .reader, #glass")].filter((one) => one.checkVisibility());
  const piles = document.querySelectorAll("#middle .card, #middle .outline, #labels .label");
  return [...piles].filter((one) => seats.some((seat) => meet(box(one), box(seat))))
    .map((one) => one.textContent || one.className);
}"""


@pytest.mark.browser
@pytest.mark.parametrize("count", [2, 3, 4])
def test_piles_of_malice_lie_over_no_seat(window, fake, count):
    page = at_table(window, fake, "malice")
    for message in canned.malice("en", count)[:2]:
        fake.push(message)
    page.wait_for_selector(f"[data-seat='{count}'] .plate")
    for size in ((1280, 800), (1024, 768), (390, 844)):
        resize(page, *size)
        let_cards_rest(page)
        assert page.evaluate(OVER_SEATS) == [], size
        widths = page.locator("#middle .card").evaluate_all("(all) => all.map((one) => one.offsetWidth)")
        assert min(widths) >= LEGIBLE, (size, widths)
    labels = page.locator("#labels .label").evaluate_all("(all) => all.map((one) => one.innerText.split(/\\s+/))")
    assert [label for label in labels if len(label) == 2 and label[0].isdigit() and label[1].isdigit()] == []
    resize(page, 640, 400)  # what a label has no room for is left out, not cut
    let_cards_rest(page)
    cut = page.locator("#labels .label span").evaluate_all(
        "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)")
    assert set(cut) <= {name for name in canned.NAMES["en"] if len(name) > 4}, cut


def spoken(card):
    """A card as the page names it in English."""
    if card[0] == "X":
        return {"B": "black joker", "R": "red joker"}[card[1]]
    return f"{RANKS.get(card[0], card[0])} of {SUITS[card[1]]}"


def facts(messages, role):
    """What the accessibility tree has to say: names that occur in it, each at least so often."""
    table, view, *rest = messages
    wanted: dict[str, int] = {}
    by_type = {message["type"]: message for message in rest}

    def want(name):
        wanted[name] = wanted.get(name, 0) + 1

    for pile in view["piles"]:
        for card in pile["cards"]:
            want(spoken(card))
        if "said" in pile:
            want(pile["said"])
        elif pile["kind"] not in ("payoff", "turned", "attack", "cover"):
            count = pile["count"] + sum(pile["place"] == "stock" and one["place"] == "turned" for one in view["piles"])
            want("1 card" if count == 1 else f"{count} cards")  # the trump is the last card of the stock
    for seat in table["seats"]:
        want(f"Reader of {seat['name']}")
    for light in by_type["lights"]["lights"][: len(table["seats"])]:
        own = light["place"] == 1 and role == "host"
        want({"turn": "your turn" if own else "to play"}.get(light["says"]) or LIGHT_WORDS[light["says"]])
    for can in by_type.get("can", {"seats": []})["seats"]:
        for key, meaning in can["keys"].items():
            want(f"{key} {meaning}".strip())
        for move in can["moves"]:
            want(move["text"])
        want(can["prompt"])
    for refusal in view["refusals"]:
        want(refusal["words"])
    for row in by_type["screen"]["text"]:
        if row.strip():
            want(" ".join(row.split()))
    return wanted


@pytest.mark.browser
@pytest.mark.parametrize("role", ["host", "public"])
@pytest.mark.parametrize("scene", GAMES)
@pytest.mark.sampled(2)
def test_every_fact_is_in_the_accessibility_tree(window, fake, scene, role):
    page = at_table(window, fake, scene, role=role)
    messages = canned.for_role(canned.SCENES[scene]("en"), role)
    wanted = facts(messages, role)
    assert len(wanted) > 15
    missing = wanted

    def is_whole():  # the browser builds the tree a little after the page
        nonlocal missing
        names = names_in_tree(page)
        missing = {name: count for name, count in wanted.items() if sum(name in one for one in names) < count}
        return not missing

    wait_for(is_whole, "the test", lambda: f"{missing} in the accessibility tree")


@pytest.mark.browser
def test_lights_are_told_apart_without_colour(window, fake):
    page = at_table(window, fake)
    shapes = set()
    for says in canned.LIGHTS:
        fake.push(canned.lights(says, *["off"] * 6))
        page.wait_for_selector(f"#own [data-light={says}]")
        light = page.locator("#own .light")
        shapes.add((light.inner_text(), light.get_attribute("aria-label")))
    assert len({text for text, _ in shapes}) == len(shapes) == len(canned.LIGHTS)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("scene", "size"),
    [
        *((scene, "laptop") for scene in ["lobby", *GAMES, "over"]),
        ("lobby", "phone"),
        ("durak6", "phone"),
        ("malice", "tablet"),
    ],
)
@pytest.mark.sampled(2)
def test_axe_finds_nothing(window, fake, scene, size):
    page = at_table(window, fake, scene, "ru" if size == "tablet" else "en", size=size)
    check_axe(page)


@pytest.mark.browser
@pytest.mark.parametrize("dialog", ["rule", "help", "settings", "feed"])
def test_axe_finds_nothing_in_dialogs(window, fake, dialog):
    page = at_table(window, fake)
    page.click(f"[data-act={dialog}]")
    page.wait_for_selector("dialog[open]")
    check_axe(page)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("size", "role"),
    [("laptop", "host"), ("tablet", "host"), ("phone", "host"), ("phone", "seat"), ("laptop", "public")],
)
@pytest.mark.parametrize("scene", GAMES)
@pytest.mark.sampled(3)
def test_everything_fits_and_can_be_hit(window, fake, scene, size, role):
    page = at_table(window, fake, scene, "ru", role, size)
    width, height = SIZES[size]
    outside = page.evaluate(
        """([width, height]) => Array.from(document.querySelectorAll(
             '.card:not([data-on]), .key, .reader, .plate, #glass, .label, #own .ask, .opener'))
           .filter((one) => one.checkVisibility())
           .map((one) => [one.className, one.dataset.card || one.textContent, one.getBoundingClientRect()])
           .filter(([, , box]) => box.left < -1 || box.top < -1 || box.right > width + 1 || box.bottom > height + 1)
           .map(([kind, text, box]) => [kind, text, box.left, box.top, box.right, box.bottom])""",
        [width, height],
    )
    assert outside == []
    assert find_covered(page) == []
    assert page.evaluate("[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]") == [
        width,
        height,
    ]


@pytest.mark.browser
def test_language_of_the_page_is_the_tables(window, fake):
    page = at_table(window, fake)
    assert page.locator("html").get_attribute("lang") == "en"
    for message in canned.durak("ru"):
        fake.push(message)
    page.wait_for_selector("html[lang=ru]")
    until(page, "document.querySelector('[data-act=settings]').getAttribute('aria-label') === 'Настройки и места'")
    assert "валет треф" in names_in_tree(page)
    assert page.locator("[data-card=JC] .corner").first.inner_text().split() == ["В", "♣"]


@pytest.mark.browser
def test_a_seat_shows_its_hand_its_buttons_and_the_table_without_the_screen(window, fake):
    page = at_table(window, fake, role="seat", size="phone")
    assert page.locator("#own .card").count() == 6
    assert page.locator("[data-button]").count() == 4
    assert page.locator("#seats .seat").count() == 3 and page.locator("[data-pile=stock] .card").is_visible()
    assert not page.locator("#glass").is_visible()


@pytest.mark.browser
def test_a_spectator_can_do_nothing(window, fake):
    page = at_table(window, fake, role="public")
    assert page.locator("[data-button], [data-move], button.card").count() == 0
    assert page.locator("#feed li").count() == 4
    buttons = page.locator("#tools button").evaluate_all("(all) => all.map((one) => one.dataset.act)")
    assert buttons == ["hint", "help", "feed", "mute", "free", "settings", "reading"], "they change places as roles do"
    assert not page.locator("[data-act=free]").is_visible()
    waits = [{"seats": [3], "words": "The table waits for Boris."}]
    fake.push({**canned.durak("en")[1], "waits": waits})
    until(page, "document.getElementById('news').textContent.startsWith('The table waits for Boris. · ')")
    page.keyboard.press("o")
    page.mouse.click(*centre(page, "[data-pile=stock] .card"))
    hang_up(page, fake)
    assert fake.acts == []


@pytest.mark.browser
def test_a_spectator_reads_what_was_while_the_game_goes_on(window, fake):
    page = at_table(window, fake, role="public")
    line = {"kind": "event", "seat": 2, "rule": ""}
    fake.push({"type": "feed", "lines": [{**line, "n": n, "text": f"Anna passes {n}"} for n in range(5, 50)]})
    feed = "document.getElementById('feed')"
    until(page, f"{feed}.scrollTop > 0 && {feed}.scrollTop + {feed}.clientHeight >= {feed}.scrollHeight - 1")
    page.evaluate(f"{feed}.scrollTop = 20")
    for n, top in ((50, "=== 20"), (51, "> 20")):
        fake.push({"type": "feed", "lines": [{**line, "n": n, "text": f"Anna passes {n}"}]})
        until(page, f"{feed}.lastChild.textContent === 'Anna passes {n}' && {feed}.scrollTop {top}")
        page.evaluate(f"{feed}.scrollTop = 99999")


@pytest.mark.browser
def test_a_lesson_on_a_turned_phone_leaves_the_bout_in_sight(window, fake):
    page = at_table(window, fake)
    resize(page, 844, 390)
    fake.push({**canned.durak("en")[0], "lesson": True})
    said = {"type": "lesson", "name": "durak", "title": "Your first game", "step": 1, "steps": 7, "more": "",
            "cards": [], "keys": [], "done": False, "game": "durak",
            "say": "Boris attacks you with one card. Beat 9♣ with a higher card of the same suit: tap J♣."}
    fake.push(said)
    bubble = "document.querySelector('section.bubble').getBoundingClientRect().bottom"
    tops = "[...document.querySelectorAll('#middle .card')].map((one) => one.getBoundingClientRect().top)"
    highest = f"Math.min(...{tops})"
    until(page, f"{bubble} > 60 && {highest} > {bubble}")
    fake.refuse = "this step is about something else"
    fake.push({**said, "more": "That is allowed, too. Beat 9♣."})
    page.wait_for_selector("section.bubble .more")
    page.click("#own [data-button=NO]")
    wait_for_acts(fake, "press")
    fake.push({**canned.durak("en")[0], "lesson": True, "title": "Behind the answer"})
    until(page, "document.title.startsWith('Behind')")  # drawn with the note
    until(page, f"{highest} > {bubble}")
    assert page.locator("#state").inner_text() == "", "the lesson has said it"


@pytest.mark.browser
def test_nothing_comes_from_elsewhere(window, fake):
    at_table(window, fake)
    assert window.requests and all(url.startswith(f"http://127.0.0.1:{fake.port}/") for url in window.requests)
    assert all("secret" not in url and "durak.en" not in url.split("#")[0] for url in window.requests)


LISTEN = """() => {
  window.spoken = [];
  const live = document.getElementById('live');
  new MutationObserver(() => window.spoken.push(live.textContent)).observe(live, {childList: true});
}"""


@pytest.mark.browser
def test_a_lost_phone_and_who_is_waited_for_are_spoken_once(window, fake):
    page = at_table(window, fake)
    page.evaluate(LISTEN)
    table = canned.durak("en")[0]
    lost = {"who": "phone", "there": False, "came": True}
    fake.push({**table, "seats": [{**seat, **(lost if seat["seat"] == 2 else {})} for seat in table["seats"]]})
    name = table["seats"][1]["name"]
    until(page, f"window.spoken.some((sentence) => sentence.includes('{name} is gone.'))")
    fake.push({**table, "awaited": [2]})
    until(page, f"window.spoken.some((sentence) => sentence.includes('Waiting for {name}'))")
    fake.away = True
    fake.cut()
    page.wait_for_selector("[data-open=no]")
    fake.away = False
    page.wait_for_selector(IS_GREETED)
    fake.push({**canned.durak("en")[0], "phase": "stopped"})
    until(page, "window.spoken.some((sentence) => sentence.includes('The table has stopped'))")
    spoken = page.evaluate("window.spoken")
    assert sum("is gone" in one for one in spoken) == sum("Waiting for" in one for one in spoken) == 1


@pytest.mark.browser
def test_changes_are_spoken_in_a_dozen_words(window, fake):
    page = at_table(window, fake)
    page.evaluate(LISTEN)
    lines = [
        {"n": n, "text": f"Anna attacks with {n} of spades and says so", "kind": "event", "seat": 2, "rule": ""}
        for n in (5, 6, 7)
    ]
    lines[1].update(text="Anna draws", dealt=12)  # a deal is no sentence a card
    fake.push({"type": "feed", "lines": lines})
    until(page, "window.spoken.some((sentence) => sentence.includes('Anna attacks with 7'))")
    spoken_now = page.evaluate("window.spoken")
    assert all(len(sentence.split()) <= 12 and "draws" not in sentence for sentence in spoken_now)
    fake.push({**canned.durak("en")[0], "phase": "stopped"})  # in the middle of the stage, where nobody looks
    until(page, "window.spoken.some((sentence) => sentence.includes('The table has stopped'))")


@pytest.mark.browser
def test_an_open_menu_says_what_its_buttons_do_now(window, fake):
    """The light and the bottom line say it; the light blinks. What another seat chooses changes nothing here."""
    page = at_table(window, fake)
    ask = "document.querySelector('#own .ask').textContent"

    def choose(says, line, other="off"):
        fake.push(canned.glass(["♥ 11", "You: beat or take", "", "", "", "", "", line]))
        fake.push(canned.lights(says, "off", other, *["off"] * 4))

    def captions():
        return page.locator("#own .key small").all_inner_texts()

    page.evaluate("(() => { const now = Date.now(); Date.now = () => now; })()")  # it blinks for as long as we look
    for says in ("choosing", "off"):
        choose(says, "1 trump?")
        until(page, f"{ask} === 'Press OK: trump · MENU: next · NO: leave'")
        assert captions() == ["trump", "leave", "", "next"]
        assert not page.locator("#own .refusal").is_visible()
    choose("choosing", "1 trump?")
    page.click("#own [data-button=OK]")
    until(page, f"{ask}.startsWith('Tap a card: trump')")
    choose("choosing", "3 undo?", "choosing")
    until(page, f"{ask} === 'MENU: next · NO: leave'")
    choose("turn", "3 undo?", "choosing")
    until(page, f"{ask} === {json.dumps(canned.word('beat', 'en'))}")
    assert captions() == ["", "take", "", ""] and page.locator("#own .refusal").is_visible()


def assert_claim_is_seen(page):
    """With the line of news, whole, on nothing else, and above the own seat."""
    until(page, "document.body.dataset.busy === 'no'")
    assert page.locator("#news").is_visible() and find_covered(page) == []
    assert page.evaluate("document.scrollingElement.scrollHeight === innerHeight")
    assert page.locator("[data-pile=set][aria-label='Вера: 3 дамы']").count() == 1
    label = page.locator(".label.wide span").first
    assert label.inner_text() == "Вера: 3 дамы" and label.evaluate("one => one.scrollWidth <= one.clientWidth")
    boxes = [one.bounding_box() for one in page.locator(".label").all()]
    for one, other in itertools.combinations(sorted(boxes, key=lambda box: box["x"]), 2):
        assert one["y"] != other["y"] or one["x"] + one["width"] <= other["x"]
    floor = page.locator("#own .plate").bounding_box()["y"]
    box = page.locator("[data-pile=set] .card").first.bounding_box()
    assert box["y"] + box["height"] <= floor, (box, floor)


@pytest.mark.browser
def test_a_small_phone_shows_the_claim_the_news_and_the_last_events(window, fake):
    page = at_table(window, fake, "cals_bs", "ru", size="phone")
    line = {"kind": "event", "seat": 2, "rule": ""}
    drawn = [{**line, "n": n, "text": "Анна добирает", "dealt": n - 4} for n in range(5, 29)]
    later = [{**line, "n": n, "text": f"Вера пасует {n}"} for n in range(29, 70)]
    fake.push({"type": "feed", "lines": [*drawn, *later]})
    until(page, "document.querySelector('#news').textContent === 'Вера пасует 69'")
    assert_claim_is_seen(page)
    moves = page.locator(".move").evaluate_all("(all) => all.map((one) => one.dataset.move.split(' ')[0])")
    assert moves == ["claim", "lay", "lay", "unlay", "pass", "doubt"]
    view = canned.cals_bs("ru")[1]
    shown = [pile for pile in view["piles"] if pile["place"] not in ("hand4", "hand5")]
    fake.push(canned.table("cals-bs", 3, "ru"))
    fake.push({**view, "refusals": [], "piles": shown})
    resize(page, 360, 640)
    assert_claim_is_seen(page)
    page.click("[data-act=feed]")
    page.locator(".feedlist").get_by_text("Сдача, карт: 24").wait_for()
    assert page.locator(".feedlist li").count() == 4 + 1 + 41
    inside = "document.querySelector('.inside')"
    until(page, f"{inside}.scrollTop + {inside}.clientHeight >= {inside}.scrollHeight - 2")


@pytest.mark.browser
@pytest.mark.parametrize("game", ["cals_bs", "durak6"])
def test_many_seats_and_a_long_hand_fit_on_a_small_phone(window, fake, game):
    """The cards in the middle lie beside the screen: under nothing, and on the glass of the phone."""
    page = at_table(window, fake, game, size="phone")
    resize(page, 360, 640)
    until(page, "document.querySelector('#glass').getBoundingClientRect().x < 20")
    until(page, "!document.getAnimations().length")
    assert page.evaluate("document.scrollingElement.scrollHeight === innerHeight") and find_covered(page) == []
    screen = page.locator("#glass").bounding_box()
    floor = page.locator("#own .plate").bounding_box()["y"]
    cards = page.locator("#middle .card")
    boxes = [one.bounding_box() for one in cards.all()]
    assert len(boxes) > 5
    for box in boxes:
        assert box["x"] >= screen["x"] + screen["width"] and box["x"] + box["width"] <= 360, box
        assert box["y"] + box["height"] <= floor, box
