"""The page that shows a game and its analysis: the chances over the timeline, who lost and why, each mistake with its
cards; to nobody who may not see all hands."""

import json
import re

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.look.bundle import bundle
from host_tools.look.frames import make_frames
from host_tools.look.judged import read_analysis, tell_judged
from host_tools.minds.analysis import lines
from host_tools.minds.analysis.judge import analyse
from host_tools.minds.analysis.report import figures
from host_tools.minds.analysis.sentences import Told
from host_tools.sight.recorded import read_record
from tests.conftest import ROOT
from tests.host_tools.look.test_view import wait_line
from tests.host_tools.web.browser import check_axe

RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"


@pytest.fixture(scope="module")
def judged():
    """(record, figures) with two mistakes, the last one of the fool."""
    record = read_record(RECORD)
    found = json.loads(json.dumps(figures(analyse(record, 1))))
    fool = int(record.result.split()[1])
    assert all(one["is_rough"] != one["is_exact"] for one in found["decisions"]), "nobody has fitted a line for four"
    for one in found["decisions"]:
        one.update({"class": "", "is_rough": False})
    other = [one for one in found["decisions"] if one["best_as_recorded"] != one["played_as_recorded"]]
    other[0].update({"class": "mistake", "chance": 41.0, "best_chance": 55.0,
                     "doubt": {"chance_of_lie": 35.0, "needed": 20}})  # as of Cal's BS
    last = [one for one in other if one["seat"] == fool][-1]
    last.update({"class": "blunder", "chance": 30.0, "best_chance": 71.0, "is_exact": False})
    return record, found


@pytest.fixture
def rough(judged):
    """The same, as at a table whose chances nobody has checked."""
    record, found = judged
    decisions = [{**one, "is_exact": False, "is_rough": True} for one in found["decisions"]]
    return record, {**found, "decisions": decisions}


def test_it_tells_who_lost_and_what_decided_it_and_all_that_a_mistake_needs(judged):
    record, found = judged
    for language, first in (("en", "Gleb is the fool."), ("ru", "В дураках Gleb.")):
        told = tell_judged(record, found, language)
        assert told["lines"][0] == first and "71 %" in told["lines"][1] and "30 %" in told["lines"][1]
        assert [one["kind"] for one in told["mistakes"]] == ["mistake", "blunder"]
        assert all(one["piles"] and one["played"] and one["better"] and one["name"] for one in told["mistakes"])
        assert {line for line, _, is_mistake in sum(told["own"].values(), []) if is_mistake} == {
            one["line"] for one in told["mistakes"]}
        assert [len(row) for row in told["split"]["rows"]] == [len(told["split"]["heads"])] * 4
        for _, *parts, result in told["split"]["rows"]:
            assert sum(round(10 * float(part)) for part in parts) == round(10 * float(result))
    assert all(len(point) == 5 and max(point[1:]) <= 100 for point in told["open"])


@pytest.mark.parametrize(("language", "word", "why", "perhaps", "verdict"), [
    ("en", "rough", "Chances are rough", "Perhaps better", "mistake|blunder"),
    ("ru", "примерно", "Оценки примерные", "Возможно, лучше", "ошибк")])
def test_where_no_line_was_fitted_it_says_rough_and_has_no_chance(rough, language, word, why, perhaps, verdict):
    record, found = rough
    told = tell_judged(record, found, language)
    assert "%" not in json.dumps(told) and why in told["lines"][-1] and not told["aim"] and not told["open"]
    assert all(chance is None for _, chance, _ in sum(told["own"].values(), []))
    assert sum(is_mistake for *_, is_mistake in sum(told["own"].values(), [])) == len(told["mistakes"]) == 2
    assert all(one["chance"] == one["best"] == word and not one["open"] for one in told["mistakes"])
    assert "%" not in json.dumps(make_frames(record, language, None, found))
    words = Told(record, language)
    said = lines.as_text(found, words)
    shown = [one["mistake"] for one in make_frames(record, language, None, found)["views"]["all"]["frames"]
             if "mistake" in one]
    assert len(shown) == 2 and all(one["text"].startswith(perhaps) and one["kind"] == "perhaps" for one in shown)
    assert [one["size"] for one in told["mistakes"]] == [perhaps.lower()] * 2 and perhaps in told["lines"][1]
    told_all = [*said, *told["lines"], *told["says"].values(), *(one["text"] for one in shown)]
    assert not re.search(verdict, "\n".join(told_all), re.IGNORECASE), "a rough guess is no verdict"
    assert told["split"]["rows"] == [] and not re.search(r"\d[.,]\d", "\n".join(said[:-4])), "luck and play are chances"
    assert "%" not in "".join(said) and words.say(
        "seat.rough", seat="Boris", number=found["seats"][1]["decisions"]) in said
    assert words.say("odds.rough.paid") in "".join(said)


def test_whether_a_doubt_paid_is_told_without_odds_where_they_are_rough(rough):
    words = Told(rough[0])
    for lie, needed, key in ((35, 20, ".paid"), (35, 40, ""), (51, -1, ".paid"), (49, -1, "")):
        assert words.doubt({"chance_of_lie": lie, "needed": needed}, True) == words.say(f"odds.rough{key}")
        assert "%" in words.doubt({"chance_of_lie": lie, "needed": needed}, False)


def test_it_is_told_to_nobody_who_sees_one_hand(judged):
    record, found = judged
    assert make_frames(record, "en", None, found)["judged"]
    for reader in ("1", "public"):
        frames = make_frames(record, "en", [record.reader(reader)], found)
        assert frames["judged"] is None and "fool." not in json.dumps(frames["views"])
    assert make_frames(record, "en", None, {**found, "curve": []})["judged"] is None


def test_a_file_that_only_looks_like_an_analysis_is_one_sentence(judged, tmp_path):
    record, found = judged
    path = tmp_path / "a.json"
    for broken in ({"curve": [1]}, {"players": []}, {"seats": [{}]}, {"aim": None, "result": 3}):
        path.write_text(json.dumps({**found, **broken}))
        with pytest.raises(UnusableInput, match="is no analysis"):
            read_analysis(path, record)


@pytest.mark.browser
@pytest.mark.parametrize(("language", "first"), [
    ("en", "Gleb is the fool."), pytest.param("ru", "В дураках Gleb.", marks=pytest.mark.everything),
])
def test_its_page_opens_with_the_fool_and_leads_to_each_mistake(judged, window, tmp_path, language, first):
    record, found = judged
    path = tmp_path / f"{language}.html"
    path.write_text(bundle("view", {**make_frames(record, language, None, found), "opens": True}))
    page = window.open(path.as_uri(), offline=True)
    dialog = page.locator("dialog[open][data-dialog=judged]")
    dialog.wait_for()
    assert dialog.locator("p").first.inner_text() == first and dialog.locator("article").count() == 2
    assert dialog.locator(".split").count() == 4
    assert dialog.locator("article .tile").count() > 6 and "35\u00a0%" in dialog.locator(".doubt").inner_text()
    check_axe(page, (1280, 800), (390, 844))
    dialog.locator("[data-act=open-chances]").check()
    page.wait_for_function("document.querySelectorAll('#curve .open').length === 4")
    dialog.locator("article [data-act=line]").last.click()
    wait_line(page, max(one["line"] for one in found["decisions"] if one["class"]))
    page.wait_for_selector("#event .mistake[data-kind=blunder]")
    assert page.locator("#curve .own").count() == 4 and page.locator("#curve .slip").count() == 2
    check_axe(page)
    page.locator("[data-act=judged]").click()
    dialog.wait_for()


@pytest.mark.browser
@pytest.mark.everything
def test_its_page_shows_mistakes_and_no_percent_where_chances_are_rough(rough, window, tmp_path):
    record, found = rough
    path = tmp_path / "rough.html"
    path.write_text(bundle("view", {**make_frames(record, "en", None, found), "opens": True}))
    page = window.open(path.as_uri(), offline=True)
    dialog = page.locator("dialog[open][data-dialog=judged]")
    dialog.wait_for()
    assert dialog.locator("article").count() == 2 and not dialog.locator("[data-act=open-chances]").count()
    assert "Luck and play" not in dialog.inner_text()
    jumps = page.locator("[data-act^=jump-]:visible").all_inner_texts()
    assert "Next uncertain play (2)" in jumps and not any("mistake" in one for one in jumps)  # each was counted as one
    check_axe(page, (1280, 800), (390, 844))
    dialog.locator("article [data-act=line]").last.click()
    page.wait_for_selector("#event .mistake[data-kind=perhaps]")
    assert page.locator("#curve .slip").count() == 2 and not page.locator("#curve svg").count()
    assert page.locator("#curve .legend").inner_text().endswith("rough")
    assert "%" not in page.locator("body").inner_text()
