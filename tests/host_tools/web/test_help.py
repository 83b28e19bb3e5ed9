"""Help on the page: the game in plain words with this table's house rules, and the way to each rule and back."""

import pytest

from tests.host_tools.web.browser import check_axe
from tests.host_tools.web.fake_table import FakeTable
from tests.patience import wait_for

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def fake():
    with FakeTable() as served:
        yield served


def test_a_phone_reads_the_games_page_and_comes_back_from_a_rule(window, fake):
    """No keys are told where there is no keyboard; the goal stands under the title all the time."""
    page = window.open(fake.url("durak", "en", "seat"), (390, 844), touch=True)
    page.wait_for_selector("[data-open=yes] #goal:has-text('the last player who still has some is the fool')")
    assert page.locator("#goal").get_attribute("title") == page.locator("#goal").inner_text()
    page.tap("[data-act=help]")
    dialog = page.locator("#dialog[data-dialog=help]")
    dialog.get_by_text("Each player gets four cards.").wait_for()
    assert dialog.locator("h3", has_text="At this table").is_visible() and not dialog.locator("table").count()
    check_axe(page)
    dialog.locator("li", has_text="Each player gets four cards.").locator("[data-act=rule]").tap()
    page.locator("#dialog[data-dialog=rule] .ruletext").wait_for()
    page.locator("#dialog [data-act=back]").tap()
    dialog.get_by_text("Each player gets four cards.").wait_for()
    dialog.locator("summary", has_text="rule by rule").tap()
    dialog.locator("details[open] li").nth(40).wait_for()


def test_the_lobby_says_the_goal_and_tells_the_game_that_is_chosen(window, fake):
    page = window.open(fake.url("lobby"))
    form = page.locator("form.choose")
    form.locator("select[name=game]").select_option("malice")
    form.locator(".goal", has_text="Empty your payoff pile first").wait_for()
    form.locator("[data-act=how]").click()
    page.locator("#dialog[data-dialog=help] h2", has_text="Malice").wait_for()
    # The page asks for more besides, whenever a message comes.
    wait_for(lambda: {"type": "summary", "game": "malice malice"} in fake.questions, "the test", "the question")


def test_virtual_players_are_chosen_by_strength_and_behind_more_by_character(window, fake):
    page = window.open(fake.url("lobby"))
    who = page.locator("form.choose select[name=who2]")
    who.locator("option", has_text="Strong").wait_for(state="attached")
    said = ["virtual: Easy", "virtual: Fair", "virtual: Strong"]
    assert who.locator("option").all_inner_texts()[3:] == [*said, "More characters …"]
    assert who.input_value() == "bot:beginner"
    who.select_option("more")
    who.locator("option", has_text="weighs each play").wait_for(state="attached")
    assert who.locator("option").all_inner_texts()[3:] == [*said, "virtual: weighs each play"]
    assert who.input_value() == "bot:beginner"  # *More* is nobody who could sit down
    assert page.evaluate("document.activeElement.name") == "who2"
