"""The table lists its newest fifty games: what happens when one more is finished."""

import asyncio

import pytest

from host_tools.play.browser.table import SteppedTable
from host_tools.play.library import list_names
from host_tools.play.web import visitor

MOST = 50


def fill(folder, count):
    """So many finished games, the newest with the highest number."""
    for number in range(count):
        (folder / f"2026-01-01-0000-durak-{number:04}.rec").write_text("a record")


@pytest.mark.parametrize("before", [0, MOST - 1, MOST])
def test_a_visitor_leaves_once_its_game_is_written_down(tmp_path, before):
    """However many games were finished here before."""
    fill(tmp_path, before)

    class Told(visitor.Visitor):
        turns = 0

        async def act(self, do, **fields):
            self.count += 1
            return self.count

        async def hear(self):
            """The lobby; the end of the game, which is not written down yet; its record."""
            self.turns += 1
            if self.turns == 3:
                (tmp_path / "2026-02-01-0000-durak-0001.rec").write_text("a record")
            assert self.turns < 9, "it waits for ever"
            names = list_names(tmp_path)
            self.told["table"] = {"phase": "lobby" if self.turns == 1 else "over", "closed": self.turns > 1,
                                  "records": names, "record": names[0] if self.turns > 2 else ""}

    one = Told(None)
    asyncio.run(visitor.play(one, visitor.GAME, visitor.SEATS))
    assert one.turns == 3 and one.count == 2


def test_the_page_is_told_of_one_game_more(tmp_path):
    """Also of one that was given up: it is no record of the game that is shown."""
    table = SteppedTable(tmp_path / "table", library=tmp_path)
    told = []
    table.watch.on_change = lambda: told.append(table.known.records[0])
    for count in (MOST, MOST + 1):
        fill(tmp_path, count)
        table.known.records = list_names(tmp_path)
        table.watch.tell()
        table.watch.tell()
    assert told == [f"2026-01-01-0000-durak-{count - 1:04}.rec" for count in (MOST, MOST + 1)]
