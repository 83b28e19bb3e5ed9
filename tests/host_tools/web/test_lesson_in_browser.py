"""A first game on a small window, from the lobby to its end and into a game with hints: by clicks on what shines, and
once more in Russian with every wrong tap before.
"""

import pytest

from host_tools.play.lessons.lesson import FOLDER, list_lessons
from host_tools.base.wording import read_words
from tests.host_tools.web.browser import FRAMES, check_axe, resize
from tests.host_tools.web.served import Served
from tests.patience import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.micropython]

PHONE = (360, 600)  # a common phone, less what its browser keeps for itself
DESK = (1280, 800)
ACTS = 60  # no lesson has more clicks
# The lesson as it is seen: its words, how it can be gone on with, and whether the page rests.
LOOK = """() => {
    const box = document.querySelector(".bubble[data-kind=lesson]:not([hidden])");
    const more = box && box.querySelector(".more");
    const isHidden = (card) => { // to a third of its height, or more, by the words or below the own seat
        const {top, bottom, left, height} = card.getBoundingClientRect();
        const [over, own] = [box, document.querySelector("#own .plate")].map((node) => node.getBoundingClientRect());
        return height && (top + height / 3 < over.bottom && left < over.right || bottom - height / 3 > own.top);
    };
    return {
        words: box ? box.querySelector(".words").textContent : "",
        more: more && more.checkVisibility() ? more.textContent : "",
        done: !!document.querySelector("[data-act=lesson-game]"),
        points: document.querySelectorAll("#own .pointed, #middle .pointed").length,
        covered: box ? [...document.querySelectorAll("#middle .card")].filter(isHidden).length : 0,
        rests: document.body.dataset.busy === "no",
        moves: document.querySelectorAll("#own .moves .move:not([data-move=undo])").length,
    };
}"""
# What could be tapped in place of what shines: every other card of the hand, every other button.
OTHERS = """() => [...document.querySelectorAll("#own .card.own:not(.pointed), #own .key:not(.pointed)")]
    .map((node) => node.dataset.card ? `[data-card="${node.dataset.card}"]` : `[data-button=${node.dataset.button}]`)"""
CLICK = "(where) => document.querySelector(`#own ${where}`).click()"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", list_lessons())
def test_a_first_game_is_played_by_clicks_on_what_shines(tmp_path, window, name):
    with Served(tmp_path, seed=7, speed=8.0) as served:
        page = window.open(served.link(), PHONE, reduced_motion="reduce")
        page.click(f"[data-act=learn][data-game={name}]")
        assert len(learn(page, name, "en", look_on_a_desk)) > 4
        lesson = served.read(lambda: served.table.follower.course.nonce)
        page.click("[data-act=lesson-game]")

        def is_another() -> bool:
            course = served.table.follower.course  # none while the table starts again
            return bool(course) and course.nonce != lesson and course.header.game[-1] == "hints=alone"

        served.wait(is_another, "a game with hints")
        page.wait_for_selector("#tools [data-act=hint]:not([hidden])")
        assert served.read(lambda: served.table.lesson) is None
        window.close()


@pytest.mark.everything
@pytest.mark.parametrize("name", list_lessons())
def test_every_wrong_click_gets_one_sentence_more(tmp_path, window, name):
    """In Russian; the lesson stays at its step, and goes on to its end."""
    with Served(tmp_path, seed=7, speed=8.0, language="ru") as served:
        page = window.open(served.link(), PHONE, reduced_motion="reduce", locale="ru-RU")
        page.click(f"[data-act=learn][data-game={name}]")
        assert len(learn(page, name, "ru", click_wrong)) > 4
        window.close()


def learn(page, name, language, before=lambda page, seen: None):
    """Play the lesson to its end; what it said. before(page, seen): done at each step before what shines is clicked."""
    said = set()
    for _ in range(ACTS):
        seen = wait_for(lambda: ready(page, name, language), "the test",
                        lambda: f"a step of {name}; {page.evaluate(LOOK)}")
        if seen["done"]:
            break
        assert not seen["covered"], f"{seen['words']!r} leaves cards of the table no room"
        said.add(seen["words"])
        if seen["points"]:
            before(page, seen)
        go_on(page, seen)
        wait_for(lambda was=seen: page.evaluate(LOOK)["words"] != was["words"] or ready(page, name, language),
                 "the test", "news")
    assert seen["done"], said
    return said


def look_on_a_desk(page, seen):
    """There, too, the words lie over no cards."""
    resize(page, *DESK)
    assert not look(page)["covered"], seen["words"]
    resize(page, *PHONE)


def click_wrong(page, seen):
    """Each card and button that does not shine, one after the other; each is answered before the next, the first one
    over a hint that is open."""
    others = page.evaluate(OTHERS)
    if others:
        page.click("#tools [data-act=hint]")
        page.wait_for_selector(".bubble[data-kind=hint]:not([hidden])")
        check_axe(page)
    for where in others:
        page.evaluate(CLICK, where)
        after = wait_for(lambda: (now := look(page))["rests"] and now["more"] and now, "the test",
                         lambda where=where: f"one sentence more about {where} at {seen['words']}; {look(page)}")
        assert after["words"] == seen["words"], where


def look(page):
    """What is seen."""
    page.evaluate(FRAMES)
    return page.evaluate(LOOK)


def ready(page, name, language):
    """What is seen, once the page rests and asks for something."""
    seen = look(page)
    words = read_words(FOLDER, "lessons", language)
    asks = seen["points"] or seen["moves"] and seen["words"] in (words[f"{name}.alone"], words["off"])
    return seen if seen["done"] or seen["rests"] and asks else None


def go_on(page, seen):
    """Click what shines; where nothing does, the first of the moves."""
    if seen["points"]:
        page.evaluate("document.querySelector('#own .pointed, #middle .pointed').click()")
    else:
        page.evaluate("document.querySelector('#own .moves .move:not([data-move=undo])').click()")
