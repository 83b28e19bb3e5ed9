"""What a public feed tells those who follow it: the table that all saw, and nothing that is hidden."""

import json
import re
from types import SimpleNamespace

import pytest

from host_tools.look import watch
from host_tools.sight.recorded import read_record
from host_tools.sight.scene import scene_of
from host_tools.sight.shadow import Shadow
from host_tools.sight.viewer import Viewer
from host_tools.judge.records import public_record
from host_tools.play.web.desk import Connection
from host_tools.play.web.feed import FeedTap
from tests.games.random_games import catalogue
from tests.host_tools.look.made import CHEATING, RECORDS, SPADES, feed_of, twins

CARD = re.compile(r'"((?:[2-9TJQKA][SHDC]|X[BR])2?)"')


def check_followed(record):
    """The table made of the feed is the public table at every event; how many were compared."""
    shadow, course = Shadow(), record.course()
    said = {}
    for number, line in feed_of(record.content):
        said.setdefault(number, []).append(line)
    for line in said.pop(0):
        shadow.take(line)
    count = 0
    for line in record.walk(course):
        assert not shadow.is_lost, (record.name, line.number, line.text)
        if shadow.waits_for_opened is None and line.number % 4 == 0:
            real, made = Viewer(scene_of(course)).tell_view(), Viewer(shadow.scene()).tell_view()
            real["refusals"] = made["refusals"] = []  # their words come with the feed, in the table's language
            if not shadow.has_begun and course.phase != "deal":  # who begins may follow from hands
                real.update(turn=[], waits=[], roles={})
            assert real == made, (record.name, line.number, line.text)
            count += 1
        for heard in said.get(line.number, ()):
            shadow.take(heard)
    return count


@pytest.mark.parametrize("one_in", [10, pytest.param(1, marks=pytest.mark.everything)])
@pytest.mark.parametrize("game", sorted({path.parent.name for path in RECORDS}))
def test_a_feed_is_followed_to_the_same_table_that_all_saw(game, one_in):
    """So many of the recorded games: the cards that the page deals for itself never show."""
    records = [read_record(path) for path in RECORDS if path.parent.name == game][::one_in]
    assert sum(check_followed(record) for record in records) > sum(record.count for record in records) // 8


def test_t11_feeds_of_twins_are_shown_alike_and_name_no_hidden_card():
    """What spectators get of two games that differ only in what is hidden, byte by byte."""
    for game in catalogue():
        for _, records in twins(game, 3):
            made = []
            for record in records:
                hub = watch.Hub()
                hub.count = 0
                public = set()
                for _, line in feed_of(record.content):
                    public |= set(re.findall(r"(?<= )(?:[2-9TJQKA][SHDC]|X[BR])2?(?= |$)", line))
                    hub.take(line)
                    shown = CARD.findall(hub.messages["view"].decode())
                    assert set(shown) <= public, (game.NAME, line)
                made.append([hub.messages, list(hub.lines)])
            assert made[0] == made[1], game.NAME


def test_d43_a_hidden_press_is_not_heard():
    lines = CHEATING.read_text().splitlines()
    without = "\n".join(line for line in lines if " cheat !" not in line) + "\n"
    feed = [line for _, line in feed_of(CHEATING.read_bytes())]
    assert feed == [line for _, line in feed_of(without.encode())] and len(feed) > 100
    assert not any(" cheat" in line for line in feed if not line.startswith("game: ")), "nor one that counts"


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("is_turned", [False, True])
def test_d49_a_second_deal_is_followed_however_often_it_is_asked_for(seat, is_turned):
    """Of whose whole hand was of one suit the feed names no card, and no deal by chance is such a one."""
    shadow = Shadow()
    for line in ("cardtable 1", "game: durak start=redeal", "seats: Anna; Boris; Vera", "dealer: 3", ""):
        shadow.take(line)
    turned = ["3 turn 9D"] * is_turned
    deal = [f"{1 + at % 3} draw ??" for at in range(18)]
    asked = [*deal, *turned, f"{seat} redeal", *deal, *turned, f"{4 - seat} redeal", *deal, "3 turn 9D", "1 attack 6S"]
    for at, said in enumerate(asked):
        shadow.take(f"{at}.0 {said}")
        assert not shadow.is_lost, (at, said)
    assert len(shadow.slots) == len(asked)
    piles = {pile["place"]: pile["cards"] for pile in Viewer(shadow.scene()).tell_view()["piles"]}
    assert piles["attack1"] == ["6S"] and piles["turned"] == ["9D"]


def test_a_game_that_began_before_is_told_so():
    hub = watch.Hub()
    for _, line in feed_of(SPADES.read_bytes())[40:60]:
        hub.take(line)
    assert "the next game will be shown" in json.loads(hub.messages["view"])["notice"]
    for _, line in feed_of(SPADES.read_bytes())[:60]:
        hub.take(line)
    view = json.loads(hub.messages["view"])
    assert not view["notice"] and len(view["piles"]) > 4


@pytest.mark.parametrize("cut, lost", [(44, 0), (38, 1), (58, 1), (100, 1)])
def test_t9_a_game_goes_on_for_viewers_after_a_power_failure(cut, lost):
    """T9: `resumed after` and the same header again: the table stays, even if the last line was torn or never came."""
    lines = feed_of(SPADES.read_bytes())
    header = [line for number, line in lines if not number]
    said = [line for number, line in lines if number]
    while lost and (said[cut - 1].startswith("opened") or " ! " in said[cut - 1]):
        cut += 1
    before = [line for line in said[:cut] if " ! " not in line and line[:1].isdigit()][-1]
    after = re.sub(r" \?\?.*", "", public_record.uncommitted(before)).partition(" ")[2]
    heard = said[: cut - lost] + ([said[cut - 1][:6]] if lost else [])
    hub, whole = watch.Hub(), watch.Hub()
    for line in [*header, *heard, f"resumed after: {after}", "cardtable on x", "boot: power", *header, *said[cut:]]:
        hub.take(line)
    for line in [*header, *said]:
        whole.take(line)
    assert not hub.shadow.is_lost and not hub.shadow.is_joined and hub.shadow.result
    assert json.loads(hub.messages["view"])["piles"] == json.loads(whole.messages["view"])["piles"]
    raws = [raw for line in hub.lines for raw in line["raw"]]
    assert said[cut - 1][:6] not in raws or not lost


def test_a_finished_game_that_a_served_table_tells_once_more_counts_once():
    """A lost connection between two games brought the whole game again: who had lost it had lost two."""
    hub = watch.Hub()
    lines = [line for _, line in feed_of(SPADES.read_bytes())]
    for _ in range(2):
        for line in lines:
            hub.take(line)
        assert hub.games == 1 and [row["losses"] for row in hub.score.values()] == [1]
    for line in lines:  # another game of the same people, with the same result, a moment longer
        hub.take(f"9{line}" if line[:1].isdigit() else line)
    assert hub.games == 2 and [row["losses"] for row in hub.score.values()] == [2]


def test_who_joins_in_the_middle_is_told_what_happens_in_words():
    """A power failure of a game that nobody watched, or a cable that was plugged in late: the state cannot be asked
    for, because a table reads nothing from its line."""
    lines = feed_of(SPADES.read_bytes())
    header = [line for number, line in lines if not number]
    said = [line for number, line in lines if number]
    for begin, name in (([], "Seat 3"), (["resumed after: 2 attack XB", *header], "Vera")):
        hub = watch.Hub()
        for line in [*begin, *said[40:]]:
            hub.take(line)
        view = json.loads(hub.messages["view"])
        assert "told in words" in view["notice"] and not view["piles"]
        texts = [line["text"] for line in hub.lines]
        assert f"{name} takes." in texts and any(text.startswith(f"{name} ") and "beat" in text for text in texts)
        assert not [text for text in texts if "??" in text]
        for _, line in lines[:60]:
            hub.take(line)
        view = json.loads(hub.messages["view"])
        assert not view["notice"] and len(view["piles"]) > 4 and not hub.is_behind()


def test_t9_a_served_feed_keeps_what_was_said_before_the_power_failed():
    tap = FeedTap.__new__(FeedTap)
    tap.lines, tap.listeners, tap._is_header, tap._resumed = [], set(), False, ""
    header = ["cardtable 1", "game: durak", ""]
    for line in [*header, "1.0 1 draw ??", "resumed after: 1 draw", "boot: power", *header, "2.0 2 draw ??"]:
        tap.take(line)
    assert tap.lines == [*header, "1.0 1 draw ??", "resumed after: 1 draw", *header, "2.0 2 draw ??"]
    for line in header:
        tap.take(line)
    assert tap.lines == header
    tap.lines, tap._is_header = [], False
    for line in ["resumed after: 1 draw", *header, "2.0 2 draw ??"]:
        tap.take(line)
    assert tap.lines == ["resumed after: 1 draw", *header, "2.0 2 draw ??"]


@pytest.mark.parametrize("language, said, told", [
    ("en", "D8", "may not: Nothing beats a joker (D8)."),
    ("ru", "D8", "так нельзя: Джокера не бьёт ничто (D8)."),
    ("ru", "D8 Nothing beats a joker", "так нельзя: Джокера не бьёт ни одна карта (D8)."),
    ("en", "D8 Этот джокер бьёт только свой цвет", "may not: This joker beats only its own colour (D8)."),
    ("ru", "C11 Too early for you: 3 s to go", "так нельзя: Вам ещё нельзя: 3 с (C11)."),
    ("ru", "B7", "так нельзя: Покрыв, можно тем же ходом добавить ещё одну карту нового достоинства (B7)."),
    ("en", "Y3 No such rule here", "may not: No such rule here (Y3)."),
])
def test_t6_a_refusal_stands_in_words_of_the_page_s_language(language, said, told):
    """A feed of another language, or one made of a record, which has the rule alone."""
    hub = watch.Hub(language)
    for _, line in feed_of(SPADES.read_bytes())[:60]:
        hub.take(line)
    hub.take(f"99.0 1 ! {said}")
    assert hub.lines[-1]["text"].endswith(told) and hub.lines[-1]["kind"] == "refusal"
    (shown,) = [one for one in json.loads(hub.messages["view"])["refusals"] if one["seat"] == 1]
    assert shown["words"] == told.partition(": ")[2].rpartition(" (")[0]


def test_what_the_table_says_of_itself_is_told_to_viewers_in_their_language():
    """Between games and in one, which goes on."""
    hub = watch.Hub("ru")
    lines = [line for _, line in feed_of(SPADES.read_bytes())[:60]]
    for line in ["lost: game 0003, all of it", *lines, "bug: KeyError"]:
        hub.take(line)
    texts = [line["text"] for line in hub.lines]
    assert texts[0] == "Память потеряла игру 0003 целиком." and texts[-1].startswith("В программе стола ошибка.")
    assert len(json.loads(hub.messages["view"])["piles"]) > 4 and len(texts) > 10


def test_who_comes_is_told_the_time_of_the_game_and_whether_it_is_over(monkeypatch):
    """And the last line of what was before: nothing of it happens now."""
    now_s = [100.0]
    monkeypatch.setattr(watch, "time", SimpleNamespace(monotonic=lambda: now_s[0], time=lambda: 7.0))
    hub = watch.Hub()

    def told_after(lines):
        for line in lines:
            hub.take(line)
        now_s[0] += 10.0
        connection = Connection()
        hub.welcome(connection)
        time = json.loads(connection.replies[1])
        assert time["type"] == "time" and time["line"] == connection.lines[-1]["n"]
        return time["at"], time["over"]

    lines = [line for _, line in feed_of(SPADES.read_bytes())]
    over = next(at for at, line in enumerate(lines) if line.startswith("result: "))
    last = [int(float(line.split()[0]) * 1000) for line in lines[:over] if line[:1].isdigit()][-1]
    assert told_after(lines[:over]) == (last + 10_000, False)
    assert told_after(lines[over:]) == (last, True)
    assert told_after(lines[:1]) == (10_000, False), "the next game has begun"


def test_each_viewer_reads_the_table_in_the_language_of_their_own_browser():
    """Whose is none of ours has that of the command line; who changes it is told all again."""
    hub = watch.Hub("ru")
    lines = [line for _, line in feed_of(SPADES.read_bytes())]
    viewers = {one: Connection() for one in ("en", "ru", "xx")}
    for line in lines[:60]:
        hub.take(line)
    for language, viewer in viewers.items():
        hub.join(viewer)
        hub.hear(viewer, json.dumps({"type": "hello", "client": "viewer42", "language": language}))

    def heard_by(language):
        messages = [json.loads(message) for message in viewers[language].take()]
        return [one for one in messages if one["type"] != "time"]

    told = {language: heard_by(language) for language in viewers}
    assert [one[0]["language"] for one in told.values()] == ["en", "ru", "ru"] and told["ru"] == told["xx"]
    hub.hear(viewers["xx"], json.dumps({"type": "speak", "language": "en"}))
    assert heard_by("xx") == told["en"]
    for line in lines[60:]:
        hub.take(line)
    last = {language: heard_by(language)[-1]["lines"] for language in viewers}
    assert last["xx"] == last["en"] and last["en"][-1]["text"] == "Boris is the fool."
    same = [[(line["n"], line["raw"], line["kind"]) for line in last[one]] for one in ("en", "ru")]
    assert same[0] == same[1] and last["ru"][-1]["text"] == "В дураках Boris."
    hub.hear(viewers["en"], json.dumps({"type": "rule", "rule": "D8"}))
    assert "joker" in heard_by("en")[0]["text"].lower()


@pytest.mark.parametrize("word", ["9e999", "1e12", "1_0", "9" * 15])
def test_what_is_no_time_does_not_move_the_clock(word):
    hub = watch.Hub()
    hub.take("12.5 1 take")
    hub.take(f"{word} 1 take")
    assert hub._at_ms == 12_500
