"""The page against canned messages: the lobby, and the end of a game."""

import pytest

from host_tools.play.acts import write_setup
from host_tools.play.web.choices import tell_choices
from tests.host_tools.web import canned
from tests.host_tools.web.alone import SIZES, at_table, hang_up, until, wait_for_acts
from tests.host_tools.web.browser import resize


@pytest.mark.browser
def test_the_first_button_starts_durak_against_three(window, fake):
    page = at_table(window, fake, "lobby")
    page.click("[data-act=quick-start]")
    (act,) = wait_for_acts(fake, "start")
    assert act["game"] == "durak throw-in" and act["give_up"] is False
    assert [(seat["name"], seat["who"]) for seat in act["seats"]][:2] == [("Guest", "here"), ("Boris", "bot:beginner")]
    assert len(act["seats"]) == 4 and 1 <= act["dealer"] <= 4
    # A name that is said once is known from then on, to the form, too.
    page.fill("[name=own-name]", "Olga")
    until(page, "document.querySelector('[name=name1]').value === 'Olga'")
    page.reload()
    page.wait_for_selector("#panel.lobby")
    page.click("[data-act=quick-start]")
    assert wait_for_acts(fake, "start", 2)[1]["seats"][0] == {"name": "Olga", "who": "here"}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_c11_t8_the_seconds_that_the_form_offers_each_seat_can_be_played(language):
    """C11, T8: every game has a turn time for each seat, Cal's BS also a wait; the engine takes them all."""
    offered = set()
    for game in tell_choices(language)["games"]:
        for option in game["options"]:
            offered |= {(game["name"], option["name"])} if "each" in option else set()
            for seconds in option.get("each", ()):
                line = f"{game['name']} {option['name']}=1:{seconds}"
                assert f"game: {line}\n" in write_setup(line, ["Anna", "Boris", "Vera"][: game["seats"][1]], 1, 7)
    games = {game["name"] for game in tell_choices(language)["games"]}
    assert offered == {(name, "own_clock") for name in games} | {("cals-bs", "handicap")}


@pytest.mark.browser
def test_the_form_says_what_was_chosen(window, fake):
    page = at_table(window, fake, "lobby")
    resize(page, 768, 1024)
    lengthen = "(one) => { one.options[0].text = 'Durak, throw-in (podkidnoy), and more'; }"
    for name in ("game", "preset"):
        page.locator(f"[name={name}]").evaluate(lengthen)
    row = page.locator("form.choose > .row").evaluate("(one) => [one.scrollWidth, one.clientWidth]")
    assert row[0] <= row[1], "the number of seats runs out of the form"
    page.select_option("[name=preset]", "transfer")
    page.select_option("[name=count]", "3")
    page.fill("[name=name2]", "Olga")
    page.select_option("[name=who2]", "phone")
    page.click(".options summary")
    page.select_option("[name=dealer]", "2")
    page.select_option("[name=option-deck]", "52")
    resize(page, *SIZES["phone"])
    is_inside = "form => form.scrollWidth <= form.clientWidth"
    assert page.locator("form.choose").evaluate(is_inside), "a long answer pushes the form over the edge"
    assert page.locator("[data-act=puzzles]").is_visible()
    page.fill("[name=option-cheating]", "3")
    page.select_option("[name=option-own_clock-3]", "90")
    page.click(".option [data-act=rule]")
    page.wait_for_selector("dialog .ruletext")
    page.click("[data-act=close]")
    page.fill("[name=option-cheating]", "999")
    page.click(".options summary")
    page.click("[data-act=start]")
    page.wait_for_selector(".options[open]")  # what is wrong there can be seen
    page.fill("[name=option-cheating]", "3")
    page.click("[data-act=start]")
    (act,) = wait_for_acts(fake, "start")
    assert act["game"] == "durak transfer deck=52 cheating=3 own_clock=3:90" and act["dealer"] == 2
    assert act["seats"][1] == {"name": "Olga", "who": "phone"} and len(act["seats"]) == 3


@pytest.mark.browser
def test_the_tables_own_lobby_is_worked_by_its_buttons(window, fake):
    """Once it is open: it knows neither names nor house rules of the form, and no key starts it unseen."""
    page = at_table(window, fake, "lobby")
    page.locator("#own").wait_for(state="hidden")
    page.keyboard.press("o")
    page.click(".ownlobby summary")
    page.locator("#glass").wait_for()
    assert "OK play, MENU else" in page.locator("[data-screen]").get_attribute("aria-label")
    page.click("#own [data-button=MENU]")
    assert [act["key"] for act in wait_for_acts(fake, "press")] == ["MENU"]
    page.click("#own .plate")  # which turns no table that has no other own seat
    page.keyboard.press("m")
    assert [act["key"] for act in wait_for_acts(fake, "press", 2)] == ["MENU"] * 2


@pytest.mark.browser
def test_keys_turn_the_table_by_the_plate_of_another_own_seat(window, fake):
    """It is a button, as it is for a mouse; plates of other people are none."""
    page = at_table(window, fake)
    fake.push({"type": "welcome", "version": 1, "role": "host", "seats": [1, 2], "done": 0, "language": "en"})
    page.wait_for_selector("[data-seat='2'] .plate[role=button]")
    assert page.locator(".plate[role=button]").count() == page.locator(".plate[tabindex='0']").count() == 1
    for seat, key in ((2, "Enter"), (1, "Space")):
        page.focus(f"[data-seat='{seat}'] .plate")
        page.keyboard.press(key)
        page.wait_for_selector(f"#own[data-seat='{seat}'] .plate")
        page.wait_for_selector(f"[data-seat='{3 - seat}'] .plate[role=button]")
        assert page.locator("#own .plate[role=button]").count() == 0


@pytest.mark.browser
def test_an_enter_key_that_stays_down_presses_once(window, fake):
    page = at_table(window, fake)
    page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    page.focus("#own [data-button=MENU]")
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    hang_up(page, fake)
    assert len(fake.done("tap")) == 2 and len(fake.done("press")) == 1


@pytest.mark.browser
def test_who_gave_no_name_is_you_at_the_own_seat(window, fake):
    page = at_table(window, fake)
    table = canned.durak("en")[0]
    seats = [{**seat, "name": "Guest" if seat["seat"] in (1, 2) else seat["name"]} for seat in table["seats"]]
    fake.push({**table, "seats": seats})
    until(page, "document.querySelector('#own .who').textContent === 'You'")
    until(page, """document.querySelector("[data-seat='2'] .who").textContent === 'Guest'""")


@pytest.mark.browser
def test_a_finished_game_offers_the_next(window, fake):
    page = at_table(window, fake, "over", size="phone")
    panel = page.locator("#panel")
    panel.locator(".moment").wait_for()
    text = panel.inner_text()
    assert "You got out first! Boris is the fool" in text and "It turned here" in text and "KHRT" not in text
    panel.locator("summary").click()
    panel.get_by_text("KHRT 7M4N WX29").wait_for()
    moment = panel.locator("[data-act=moment]").get_attribute("href")
    assert moment == "records/2026-11-24-1515-durak-0001.rec/view?language=en#line=89&as=3"
    assert panel.locator(".face.better").get_attribute("aria-label") == "king of clubs, better"
    # "The last cards" is no one-way door: a bar stays, with the way on and the way back.
    panel.locator("[data-act=look]").click()
    panel.locator(".lesson").wait_for(state="hidden")
    assert panel.locator("[data-act=next]").is_visible()
    panel.locator("[data-act=look]").click()
    panel.locator(".lesson").wait_for()
    page.click("#panel [data-act=next]")
    wait_for_acts(fake, "next")
    page.click("#panel [data-act=lobby]")
    wait_for_acts(fake, "lobby")


@pytest.mark.browser
def test_a_phone_at_the_end_reads_its_own_result_and_may_play_again(window, fake):
    page = at_table(window, fake, "over", role="seat", size="phone", language="ru")
    panel = page.locator("#panel")
    assert "Вы вышли первым!" in panel.inner_text() and not panel.locator("[data-act=lobby]").is_visible()
    idle = page.locator("#own .key[data-idle]").evaluate_all("(all) => all.map((one) => one.dataset.button)")
    assert idle == ["OK", "NO", "CALL"]  # the panel leads on, not they
    assert panel.locator("[data-act=watch]").is_visible()
    fake.push({**canned.over("ru")[0], "closed": False, "record": ""})
    panel.locator("[data-act=next]").click()
    until(page, "document.querySelector('#panel [data-act=next]').textContent.startsWith('Игра записывается')")
    assert fake.done("next") == []  # the table would refuse it before the game is written down
    fake.push(canned.over("ru")[0])
    wait_for_acts(fake, "next")
    hang_up(page, fake)
    assert len(fake.done("next")) == 1, "one that came late would be the second"


@pytest.mark.browser
def test_the_switch_of_the_screens_language_shows_that_and_not_the_browsers(window, fake):
    page = at_table(window, fake)
    page.click("[data-act=settings]")
    until(page, "document.querySelector('dialog [data-act=language]').value === 'en'")
    fake.push({**canned.durak("en")[0], "screen_language": "ru"})
    until(page, "document.querySelector('dialog [data-act=language]').value === 'ru'")
    page.locator("dialog [data-act=language]").select_option("en")
    assert wait_for_acts(fake, "language")[0]["language"] == "en"


@pytest.mark.browser
def test_a_running_game_is_put_away_only_when_that_was_said(window, fake):
    page = at_table(window, fake)
    page.click("[data-act=settings]")
    page.click("dialog [data-act=new]")
    page.click("dialog [data-act=start]")
    until(page, "document.querySelector('dialog .trouble').textContent.startsWith('A game is running')")
    page.check("dialog [name=give_up]")
    page.click("dialog [data-act=start]")
    assert wait_for_acts(fake, "start")[0]["give_up"] is True, "what was not agreed to is not sent"


@pytest.mark.browser
def test_a_finished_game_opens_as_the_player_saw_it_who_opens_it(window, fake):
    """So its "Next mistake" goes over that player's own."""
    page = at_table(window, fake)
    page.click("[data-act=settings]")
    for way in ("watch", "analyse"):
        link = page.locator(f"dialog [data-record='0002.rec'] [data-act={way}]")
        until(page, f"document.querySelector('dialog [data-act={way}]').hash === '#line=0&as=1'")
        assert link.is_visible()
