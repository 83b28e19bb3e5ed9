"""What a viewer is told beside the cards: the claim of a set, which card of the deal a line tells of."""

import re

from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
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
