"""T15 at the wire: two answers to who may ask, and a sentence to who may not; the record says that hints were on."""

from types import SimpleNamespace

import pytest

from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.engine.session import Session
from cardtable.games import durak
from host_tools.play.hints import gives_hints
from tests.host_tools.web.served import PEOPLE, Page, Served, begin

pytestmark = pytest.mark.micropython
ALONE = [{"name": "Anna", "who": "here"}, {"name": "Boris", "who": "bot:beginner"}]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with Served(tmp_path_factory.mktemp("games"), seed=7, speed=8.0) as table:
        yield table


async def ask(page, seat):
    """What comes to a hint that is asked for that seat: the last answer."""
    page.told.pop("hint", None)
    await page.socket.send_json({"type": "hint", "seat": seat})
    await page.until(lambda: {"play", "why"} & set(page.told.get("hint", ())), "a hint")
    return page.told["hint"]


def test_t15_who_plays_alone_asks_and_does_what_is_said(served):
    async def play():
        page = await Page(served.address, served.table.seating.host).open()
        await page.until(lambda: "table" in page.told)
        await begin(page, "durak throw-in", ALONE)
        await page.until(lambda: 1 in page.told["view"]["turn"] and page.told["can"]["seats"][0]["moves"], "a turn")
        hint = await ask(page, 1)
        moves = page.told["can"]["seats"][0]["moves"]
        other = await ask(page, 2)
        spectator = await Page(served.address, "", "spectator0000001").open()
        await spectator.until(lambda: "table" in spectator.told)
        stranger = await ask(spectator, 1)
        await spectator.close()
        await page.close()
        return page.told["table"], hint, moves, other, stranger

    table, hint, moves, other, stranger = served.run(play())
    assert table["hints"] and table["game"] == "durak throw-in hints=alone", "the record says that hints were on"
    assert hint["ask"] and hint["think"] and hint["move"] in moves and hint["move"]["text"] in hint["play"]
    assert other["why"] == stranger["why"] == "that is not your seat"


@pytest.mark.parametrize("rule", ("", " hints=all"))
def test_t15_with_people_at_the_table_the_house_rules_decide(served, rule):
    async def play():
        page = await Page(served.address, served.table.seating.host, f"people{len(rule)}".ljust(16, "0")).open()
        await page.until(lambda: "table" in page.told)
        await begin(page, "durak throw-in" + rule, PEOPLE, give_up=True)
        told = page.told["table"]["hints"], await ask(page, 1)
        await page.close()
        return told

    has, hint = served.run(play())
    assert has is bool(rule)
    assert ("why" in hint) is not bool(rule)


@pytest.mark.parametrize(("game", "is_real", "gives"), [
    ("durak throw-in hints=all", True, True), ("durak throw-in hints=all deal=counted", False, True),
    ("durak throw-in hints=all deal=counted", True, False),
])  # fmt: skip
def test_t15_no_hint_is_made_of_a_hand_that_nobody_here_knows(game, is_real, gives):
    """Real cards that are only counted: it came from a hand that the table had made up."""
    header = Header()
    for line in (f"game: {game}", "seats: Anna; Boris", "dealer: 2"):
        read_key(header, line, 0)
    close_header(header, 0)
    table = SimpleNamespace(is_playing=True, is_real=is_real, session=Session(durak, header))
    assert gives_hints(table) is gives
