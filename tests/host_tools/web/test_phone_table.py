"""A seat's phone shows the table: every public pile in views of whole games of all games, and nothing that is hidden.

The views are made from random games and drawn one after the other by a page that is open already. Nothing is painted:
the page lays out a game's views in one task, which takes half of the time that its frames took.
CARDTABLE_GAMES=200 looks at so many games of each module, CARDTABLE_SEED=1001 begins with others, CARDTABLE_VIEWS=1000
looks at so many views of each game.
"""

import json
import os

import pytest

from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.sight.viewer import Viewer
from tests.games.random_games import catalogue, count_games, first_seed
from tests.host_tools.web import canned
from tests.host_tools.web.browser import let_cards_rest, resize
from tests.host_tools.web.fake_table import IS_GREETED, FakeTable
from tests.host_tools.web.test_secrets import Stub

SIZES = ((390, 844), (844, 390))
# Of a game that are looked at, evenly spread; where the first of them lies differs from seed to seed.
STATES = int(os.getenv("CARDTABLE_VIEWS") or 8)
SEATS = {"durak": 4, "cals-bs": 5, "bailiff": 3, "malice": 2}
# Draws each list of messages, and looks for what is missing or too much.
LOOK = """async (states) => {
  const {take, model} = await import("./model.js");
  const drawing = [];
  const usual = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => drawing.push(draw);
  const isSeen = (card) => {
    const box = card.getBoundingClientRect();
    for (const x of [0.08, 0.3, 0.5, 0.7, 0.92]) for (const y of [0.08, 0.3, 0.5, 0.7, 0.92]) {
      const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      if (hit && (hit === card || card.contains(hit))) return true;
    }
    return false;
  };
  const wrong = [];
  for (const messages of states) {
    messages.forEach(take);
    dispatchEvent(new Event("resize"));
    for (let draw = drawing.shift(); draw; draw = drawing.shift()) draw(performance.now());
    const {piles} = model.view;
    for (const pile of piles.filter((one) => one.count > 0)) {
      if (pile.kind === "payoff" && piles.some((one) => one.kind === "turned" && one.seat === pile.seat)) continue;
      const cards = Array.from(document.querySelectorAll(`[data-pile="${pile.place}"] .card`));
      if (!cards.length || !isSeen(cards[cards.length - 1])) {
        wrong.push(["not seen", pile.place, pile.count, cards.length]);
      }
      const names = cards.map((card) => card.dataset.card).filter((name) => name !== "back");
      const open = pile.kind === "hand" || !["stock", "discard"].includes(pile.kind);
      if (open && pile.cards.some((name) => !names.includes(name))) wrong.push(["not whole", pile.place, names]);
    }
    const known = new Set(piles.flatMap((pile) => pile.cards));
    const cards = Array.from(document.querySelectorAll("[data-card]"), (card) => card.dataset.card);
    const shown = cards.filter((card) => card !== "back");
    for (const card of shown) if (!known.has(card)) wrong.push(["not known", card]);
    if (new Set(shown).size !== shown.length) wrong.push(["twice", shown.join(" ")]);
    const ask = document.querySelector("#own .ask").textContent;
    if (model.view.waits.length && !ask) wrong.push(["nothing asked", JSON.stringify(model.view.waits)]);
    for (const [seat, role] of Object.entries(model.view.roles)) {
      const mark = document.querySelector(`[data-seat="${seat}"][data-part=${role}] .mark`);
      if (!mark.textContent) wrong.push(["no part", seat, role]);
    }
    const {scrollWidth, scrollHeight} = document.scrollingElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) wrong.push(["too large", scrollWidth, scrollHeight]);
    for (const one of document.querySelectorAll(".key, .plate, .reader, #own .ask, .opener")) {
      const box = one.getBoundingClientRect();
      const isIn = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
      if (one.checkVisibility() && !isIn) wrong.push(["outside", one.className]);
    }
  }
  window.requestAnimationFrame = usual;
  return wrong.slice(0, 5);
}"""


def messages_of(table):
    """What the phone of seat 1 is told now."""
    told = Viewer(table.scene(), "seat", [1]).messages()
    return [json.loads(told[name]) for name in ("table", "view", "can", "lights")]


def play_game(game, seed):
    """The messages at STATES moments of a random game, its last one among them."""
    length, _ = play_through(game, seed, lambda at, table: None)
    step = max(1, length // STATES)
    moments = {*range(1 + seed % step, length, step), length}
    _, found = play_through(game, seed, lambda at, table: at in moments and messages_of(table))
    return [told for told in found if told]


def play_through(game, seed, look):
    """The random game of that seed: how many events it has, and what `look(at, table)` finds behind each."""
    random = Random(seed)
    preset = game.PRESETS[random.below(len(game.PRESETS))][0]
    header = make_header(f"{game.NAME} {preset}", SEATS[game.NAME], 1, 2)
    play, table, found = RandomGame(game, header, random), Stub(header, game), []
    while play.step():
        table.play(play.event)
        found.append(look(len(found) + 1, table))
    return len(found), found


def check_games(window, seeds):
    """Whole games of every module on one phone, upright and on its side."""
    views = 0
    with FakeTable() as fake:
        page = window.open(fake.url("durak", "en", "seat"), SIZES[0], touch=True, reduced_motion="reduce")
        page.wait_for_selector(IS_GREETED)
        let_cards_rest(page)
        for game in catalogue():
            for seed in seeds:
                states = play_game(game, seed)
                for width, height in SIZES:
                    resize(page, width, height)
                    assert page.evaluate(LOOK, states) == [], (game.NAME, seed, width)
                    views += len(states)
        window.close()
    print(views, "views")


@pytest.mark.browser
def test_a_phone_shows_every_public_pile_and_nothing_hidden(window):
    check_games(window, [3])


@pytest.mark.browser
@pytest.mark.everything
def test_a_phone_shows_every_public_pile_of_more_games(window):
    first = first_seed() + 99
    check_games(window, range(first, first + count_games(12, 12)))


@pytest.mark.browser
def test_f3_a_waiting_phone_says_whom_the_table_waits_for(window):
    """Whom and for what, who attacks and defends, and that one is out."""
    with FakeTable() as fake:
        page = window.open(fake.url("durak", "en", "seat"), SIZES[0], touch=True, reduced_motion="reduce")
        page.wait_for_selector(IS_GREETED)
        view = {**canned.durak("en")[1], "turn": [4], "refusals": [], "roles": {"1": "out", "4": "defender"},
                "waits": [{"seats": [4], "words": "Vera has to beat 6♦."}], "out": "You are out: not the fool!"}
        fake.push({"type": "can", "seats": [{"seat": 1, "prompt": "", "keys": {}, "moves": []}]})
        fake.push(view)
        page.wait_for_selector("[data-seat='4'][data-part=defender] .mark")
        assert page.locator("#own .ask").inner_text() == "You are out: not the fool! Vera has to beat 6♦."
        assert page.locator("[data-seat='4'] .mark").inner_text() == "defends"
        window.close()
