"""What a viewer is told beside the cards: the claim of a set, which card of the deal a line tells of."""

import re

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_number
from cardtable.engine.event import DRAW, Event, find_verb
from cardtable.engine.reading import read_event, read_header
from cardtable.games import durak
from host_tools.base.random_play import make_header
from host_tools.sight.course import Course
from host_tools.sight.scene import scene_of
from host_tools.sight.viewer import Viewer
from tests.conftest import ROOT
from tests.host_tools.web.test_secrets import Stub

RECORD = ROOT / "tests/records/cals-bs/game-0001.rec"


def test_the_public_is_told_the_claim_of_a_set_and_counts_the_deal():
    head, _, events = RECORD.read_text(encoding="utf-8").partition("\n\n")
    header, _ = read_header(iter([*(line + "\n" for line in head.splitlines()), "\n"]))
    table, event, said = Stub(header, find_game(header.game[0])), Event(), set()
    dealt = []
    for number, line in enumerate(events.splitlines(), 1):
        if re.match(r"\d", line):
            read_event(table.course.game, line, number, event)
            told = table.known.feed.count
            table.play(event)
            dealt += [line["dealt"] for line in table.known.feed.since(told) if told and "dealt" in line]
            piles = Viewer(table.scene()).tell_view()["piles"]
            said |= {pile["said"].partition(": ")[2] for pile in piles if pile["kind"] == "set"}
            assert all("said" not in pile for pile in piles if pile["kind"] != "set")
    assert said and all(re.fullmatch(r"\d+ (cards?, .+|[a-z]+)", one) for one in said), said
    assert dealt == list(range(dealt[0], 55)), "each card of the deal once, in order"


@pytest.mark.parametrize(("line", "turned", "trump"), [
    ("durak", "7S", "S"), ("durak japanese-spades", "7S", ""), ("durak japanese-spades", "7H", "H"),
    ("durak deck=54", "XR", ""), ("durak japanese-diamonds", "", "D")])
def test_d9_d10_d11_the_trump_that_is_told_is_the_one_that_counts(line, turned, trump):
    """Also where a spade is turned that is no trump, or nothing is turned; a page sorts hands by it."""
    course = Course(make_header(line, 2, 1), durak)
    cards = [card for card in range(52) if card % 13 > 8]  # queens and above
    for index in range(12):
        course.enact(Event(1 + index % 2, DRAW, cards[index], 0, 0))
    if turned:
        assert Viewer(scene_of(course)).tell_view()["trump"] == ""
        course.enact(Event(1, find_verb(durak, "turn"), card_number(turned), 0, 0))
    assert Viewer(scene_of(course)).tell_view()["trump"] == trump
