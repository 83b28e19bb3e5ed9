"""Mistakes in the replay: from an analysis file and from the page's own button, in both languages, by the keyboard; and
only to whom they may be told.
"""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from host_tools import cli
from host_tools.minds.analysis import served as served_figures
from host_tools.minds.analysis.judge import analyse
from host_tools.minds.analysis.report import as_json, figures, hash_of
from host_tools.base.errors import UnusableInput
from host_tools.look.frames import make_frames
from host_tools.look.judged import read_analysis
from host_tools.look.mistakes import read_mistakes
from host_tools.sight.recorded import ALL, PUBLIC, read_record
from host_tools.base.workers import aside
from tests.host_tools.look.made import SPADES, sealed
from tests.host_tools.look.test_games import Site
from tests.host_tools.look.test_view import line_of, wait_line
from tests.patience import PATIENCE_S

MISTAKE, BLUNDER = 78, 90  # lines of it: Anna takes, Anna beats


def told(record, **more):
    """An analysis of that record with two mistakes of Anna's and one fine play of Vera's."""
    one = {"class": "mistake", "chance": 48.2, "best_chance": 60.7, "is_exact": False}
    return {"sha256": hash_of(record), "seats": [], "players": [], "curve": [], **more, "decisions": [
        {"line": MISTAKE, "seat": 1, **one, "best_as_recorded": ["beat 9C XB"]},
        {"line": BLUNDER, "seat": 1, **one, "class": "blunder", "chance": 0.3, "best_as_recorded": ["take"]},
        {"line": 91, "seat": 3, **one, "class": "", "best_as_recorded": ["done"]},
    ]}  # fmt: skip


def press(page, key, shift=False):
    """A key of any layout: Playwright knows the keys of one alone."""
    page.evaluate("([key, shiftKey]) => document.body.dispatchEvent(new KeyboardEvent('keydown', "
                  "{key, shiftKey, bubbles: true, cancelable: true}))", [key, shift])


@pytest.fixture
def analysed(tmp_path):
    """A record, and its analysis beside it."""
    path = tmp_path / "evening.rec"
    path.write_bytes(SPADES.read_bytes())
    (tmp_path / "evening.json").write_text(json.dumps(told(read_record(path))))
    return path


@pytest.mark.browser
def test_a_page_jumps_to_mistakes_and_tells_them(window, analysed):
    words = {"en": ("Next mistake (2)", "Next mistake, Anna (2)",
                    "Mistake. Better: Beat ★b with 9♣ (61\u00a0% instead of 48\u00a0%).",
                    "Blunder. Better: Take (61\u00a0% instead of under 1\u00a0%)."),
             "ru": ("Следующая ошибка (2)", "Следующая ошибка, Anna (2)", "Ошибка. Лучше: ",
                    "вместо менее 1\u00a0%).")}
    for language, (label, own, first, second) in words.items():
        page_file = analysed.with_name(f"{language}.html")
        assert cli.run(["view", str(analysed), "--analysis", str(analysed.with_suffix(".json")), "--html",
                        str(page_file), "--language", language]) == 0
        page = window.open(page_file.as_uri() + "#line=60&as=all", offline=True)
        wait_line(page, 60)
        assert page.locator("[data-act=jump-mistake]").inner_text() == label
        kinds = page.locator(".tick-mistake").evaluate_all("(all) => all.map((one) => one.dataset.kind)")
        assert kinds == ["mistake", "blunder"]
        press(page, "m" if language == "en" else "ь")
        wait_line(page, MISTAKE)
        assert first in page.locator("#event .mistake").inner_text()
        page.wait_for_selector("[data-pile=hand1] .card.better[data-card='9C']")  # it would have been better
        page.locator("[data-act=jump-mistake]").click()
        wait_line(page, BLUNDER)
        assert second in page.locator("#event .mistake[data-kind=blunder]").inner_text()
        page.wait_for_selector(".card.better", state="detached")  # to take needs no card
        press(page, "M" if language == "en" else "Ь", True)
        wait_line(page, MISTAKE)
        page.locator("#reader").select_option("1")  # one's own mistakes, and whose they are
        page.locator("[data-act=jump-mistake]").get_by_text(own, exact=True).wait_for()
        page.locator("#reader").select_option("2")
        page.wait_for_selector("[data-act=jump-mistake]", state="hidden")
        page.wait_for_function("!document.querySelector('.tick-mistake')")
        assert page.locator("[data-act=analyse]").count() == 0  # no server is there to ask
        page.keyboard.press("?")
        page.locator("dialog").get_by_text("Shift R, T, U, M").wait_for()
        window.close()


@pytest.mark.browser
@pytest.mark.parametrize("language, label", [("en", "Analyse"), ("ru", "Разбор")])
def test_a_served_page_analyses_at_a_press_and_remembers(window, tmp_path, monkeypatch, language, label):
    asked, may_end = [], threading.Event()

    def analyse_slowly(record, _, tell):
        tell(7, 28)
        asked.append(record)
        assert may_end.wait(PATIENCE_S), "the page never said how far it is"
        return record

    monkeypatch.setattr(aside, "make_process", lambda: ThreadPoolExecutor(1))  # a process of its own knows no patches
    monkeypatch.setattr(served_figures, "analyse", analyse_slowly)
    monkeypatch.setattr(served_figures, "figures", told)
    record, _ = sealed(SPADES)
    (tmp_path / f"{language}.rec").write_bytes(record)
    with Site(tmp_path, language) as served:
        page = window.open(f"{served.address}/game/{language}.rec/#line=60&as=all", locale=language)
        button = page.locator("[data-act=analyse]")
        button.wait_for()
        assert button.inner_text() == label and page.locator("[data-act=jump-mistake]").is_hidden()
        button.click()
        page.locator("#state").filter(has_text=" 25 %").wait_for()
        may_end.set()
        page.wait_for_selector("[data-act=jump-mistake]:not([hidden])")
        page.locator("#state").filter(has_not_text=" %").wait_for(state="attached")
        assert button.is_hidden() and line_of(page) == 60
        page.keyboard.press("m")
        page.wait_for_selector("#event .mistake")
        page.reload()
        page.wait_for_selector("[data-act=jump-mistake]:not([hidden])")
        assert len(asked) == 1
        window.close()


def test_a_mistake_is_told_to_its_seat_and_to_who_sees_all_hands(analysed):
    """T11: the better play names cards of the hand."""
    record = read_record(analysed)
    frames = make_frames(record, "en", None, told(record))
    heard = {name: [one["n"] for one in view["frames"] if "mistake" in one] for name, view in frames["views"].items()}
    assert heard == {PUBLIC: [], ALL: [MISTAKE, BLUNDER], "1": [MISTAKE, BLUNDER], "2": [], "3": []}
    alone = make_frames(record, "en", [record.reader("Boris")], told(record))
    assert "Better" not in json.dumps(alone) and "9♣" in json.dumps(frames, ensure_ascii=False)


def test_every_decision_of_an_analysis_can_be_told_in_both_languages(tmp_path):
    """What `analyse` writes, `view` reads, sets of Cal's BS too."""
    for game in ("durak/throw-in-0001.rec", "cals-bs/game-0001.rec"):
        record = read_record(SPADES.parents[1] / game)
        written = json.loads(as_json(figures(analyse(record, 1))))
        for one in written["decisions"]:
            one["class"] = "mistake"
        written["curve"] = []  # the rest of the analysis has a test of its own
        path = tmp_path / "analysis.json"
        path.write_text(json.dumps(written))
        figures_read = read_analysis(path, record)
        assert len(read_mistakes(record, figures_read)) == len(written["decisions"]) > 20
        told_in = {language: make_frames(record, language, None, figures_read) for language in ("en", "ru")}
        texts = [one["mistake"]["text"] for one in told_in["ru"]["views"]["all"]["frames"] if "mistake" in one]
        assert len(texts) == len(written["decisions"])
        assert all(text.startswith(("Ошибка. Лучше: ", "Возможно, лучше: ")) for text in texts)
        assert not [text for text in texts if re.search(r"[A-Za-z]{3}", text)]


def test_what_is_no_analysis_of_this_record_is_one_sentence(analysed, tmp_path, capsys):
    record = read_record(analysed)
    good = told(record)
    for wrong in ("", "[]", "{", json.dumps({**good, "sha256": "0" * 64}), json.dumps({**good, "decisions": 3}),
                  json.dumps({**good, "decisions": [{"line": 1}]}), "[" * 100_000,
                  json.dumps(good).replace("beat 9C XB", "beat 9C"),
                  json.dumps(good).replace('"seat": 1', '"seat": "x"')):
        path = tmp_path / "wrong.json"
        path.write_text(wrong)
        with pytest.raises(UnusableInput):
            read_analysis(path, record)
        assert cli.run(["view", str(analysed), "--analysis", str(path), "--html", str(tmp_path / "x.html")]) == 2
        assert capsys.readouterr().err.count("\n") == 1 and not (tmp_path / "x.html").exists()
