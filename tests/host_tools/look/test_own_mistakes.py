"""Mistakes by kind over time, on the page of one's own games: told from what was judged, silent under ten games."""

import hashlib
import json

import pytest

from cardtable.engine.deck import card_number
from cardtable.engine.event import NO_CARD, find_verb, pack
from cardtable.engine.match import FROM
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.base.languages import list_languages
from host_tools.base.random_play import make_header
from host_tools.minds.analysis.served import METHOD
from host_tools.look.library import Library
from host_tools.look.mine import FEWEST, tell_mine
from host_tools.look.wording import Wording
from host_tools.minds.analysis.decisions import walk
from host_tools.minds.analysis.slips import OTHER, find_slip, list_kinds
from host_tools.minds.players import find_player
from host_tools.minds.players.match import play_match
from host_tools.sight.recorded import read_record
from tests.conftest import ROOT

GAMES = (durak, cals_bs, bailiff, malice)


@pytest.fixture
def own(tmp_path):
    """Twelve games of Anna, in two months, and how one of them is judged: own(number, slips)."""
    for number in range(12):
        header = make_header("durak simple deck=24", 2)
        header.keys = [(key, "Anna; Boris" if key == "seats" else value) for key, value in header.keys]
        header.keys.append(("started", f"2026-{10 + number % 2}-0{1 + number % 9}T10:00:00Z"))
        text, _ = play_match(durak, header, [find_player("beginner")] * 2, number)
        (tmp_path / f"{number:02}.rec").write_text(text)

    def judge(number, slips, is_rough=False):
        digest = hashlib.sha256((tmp_path / f"{number:02}.rec").read_bytes()).hexdigest()
        decisions = [{"seat": 1, "line": 20 + at, "class": "blunder", "chance": 10.0, "best_chance": 40.0, "slip": slip}
                     for at, slip in enumerate(slips)]
        decisions.append({"seat": 1, "line": 99, "class": "", "chance": 40.0, "best_chance": 40.0, "slip": "",
                          "is_rough": is_rough})
        (tmp_path / "analyses").mkdir(exist_ok=True)
        path = tmp_path / "analyses" / f"{digest}.seat1.json"
        path.write_text(json.dumps({"sha256": digest, "method": METHOD, "decisions": decisions}))

    judge.folder = tmp_path
    judge.tell = lambda language="en": tell_mine(Library(tmp_path), "anna", language)["mistakes"]
    return judge


def test_mistakes_are_told_by_kind_and_month_from_ten_games_on(own):
    for number in range(FEWEST - 1):
        own(number, ["took"])
    told = own.tell()
    assert told["judged"] == FEWEST - 1 and not told["kinds"] and not told["months"] and len(told["todo"]) == 3
    own(9, ["took", "led", "unknown"])
    told = own.tell("ru")
    assert [one["month"] for one in told["months"]] == ["2026-10", "2026-11"]
    assert [(one["games"], one["each"]) for one in told["months"]] == [(5, 1.0), (5, 1.4)]
    assert told["months"][1]["low"] < 1.4 < told["months"][1]["high"]
    kinds = {one["kind"]: one for one in told["kinds"]}
    assert list(kinds) == ["took", "led", OTHER] and kinds["took"]["by_month"] == [5, 5]
    assert kinds["took"]["points"] == 300 and kinds["took"]["text"] == "взятие, когда другой ход был лучше"
    assert len(kinds["took"]["moments"]) == 3 and kinds["led"]["moments"] == [{"name": "09.rec", "line": 21, "seat": 1}]
    # A game that was played on from a finished one is none of them.
    path = own.folder / "09.rec"
    path.write_text(path.read_text().replace("dealer:", f"{FROM}: x.rec 1 1 lie\ndealer:"))
    own(9, ["took"])
    assert own.tell()["judged"] == FEWEST - 1


def test_a_game_whose_chances_are_rough_counts_for_no_mistake(own):
    """A play that was perhaps not the best was counted as one that surely cost something."""
    for number in range(12):
        own(number, ["took"], is_rough=number < 2)
    told = own.tell()
    assert [told["judged"], told["of"], told["rough"], told["todo"]] == [10, 10, 2, []]
    assert sum(one["games"] for one in told["months"]) == sum(told["kinds"][0]["by_month"]) == 10


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_each_kind_has_words_in_each_language(game):
    for language in list_languages():
        keys = [OTHER if kind == OTHER else f"{game.NAME}.{kind}" for kind in list_kinds(game.NAME)]
        said = [Wording(language).say(f"slip.{key}") for key in keys]
        assert len(set(said)) == len(said)


@pytest.mark.parametrize(("game", "played", "better", "kind"), [
    (durak, "take", "beat", "took"), (durak, "beat", "take", "beat"), (durak, "attack", "done", "threw"),
    (durak, "done", "attack", "stopped"), (durak, "beat", "transfer", "kept"),
    (durak, "transfer", "take", "transferred"),
    (cals_bs, "pass", "doubt", "believed"), (cals_bs, "doubt", "pass", "doubted"), (cals_bs, "claim", "claim", "set"),
    (bailiff, "take", "lay", "took"), (bailiff, "lay", "lay", "card"), (bailiff, "lay", "take", "laid"),
    (malice, "side", "centre", "side"), (malice, "end", "side", "ended"), (malice, "centre", "end", "centre"),
    (malice, "side", "side", "card"), (durak, "take", "done", OTHER),
])  # fmt: skip
def test_kinds_are_what_their_names_say(game, played, better, kind):
    moves = [pack(find_verb(game, verb), NO_CARD) for verb in (played, better)]
    assert find_slip(game, None, *moves) == kind and kind in list_kinds(game.NAME)


@pytest.mark.parametrize(("line", "played", "better", "kind"), [
    (100, "AD", "9C", "trump"), (104, "7C", "KD", "led"), (88, "9D", "9H", "trump"), (88, "9H", "9D", "added")])
def test_with_the_table_before_it_cards_tell_kinds_apart(line, played, better, kind):
    """Trumps are diamonds. At 100 and 104 nothing lies there; at 88 the bout goes on."""
    record = read_record(ROOT / "tests" / "records" / "durak" / "game-0003.rec")
    seen = next(step.seen for step in walk(record) if step.number >= line and step.seen is not None)
    attack = find_verb(durak, "attack")
    moves = [pack(attack, card_number(card)) for card in (played, better)]
    assert find_slip(durak, seen, *moves) == kind
