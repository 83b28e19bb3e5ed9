"""The pictures of docs/table.md: four people say how they play, with four buttons. CARDTABLE_PICTURES=1 writes them."""

import os
from pathlib import Path

import pytest
from cardtable.between import walk

from tests.app.pictures import dots_of, draw_sheet
from tests.app.walker import Walker

RUNS_ON = "cpython"  # it draws

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "table"
DRAWN = ["bailiff", "cals-bs", "durak", "malice"]  # the games of the pictures; a table may have more
PRESSES = 22  # tests/host_tools/test_lobby_time.py says how long they take


def shown(walker):
    """(what was pressed, glass): before each OK, NO and CALL, with the presses of MENU that led there."""
    rows, screens, steps = walker.first, [], 0
    for key, after in walker.screens:
        if key == "MENU" and screens:
            steps += 1
        else:
            pressed = (f"{steps} x MENU, " if steps > 1 else "MENU, " if steps else "") + key
            screens.append((pressed, rows))
            steps = 0
        rows = after
    return screens


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_walk_to_2x2_takes_few_presses_and_is_drawn(language, monkeypatch):
    """The header that comes of it, the number of presses, and the picture as it lies in docs/table."""
    monkeypatch.setattr(walk, "list_all_games", lambda: DRAWN)
    walker = Walker(language)
    walker.records = True
    header = walker.walk_to_2x2()
    assert header.game == ["durak", "transfer", "deck=52", "throwers=neighbours", "teams=2x2", "draws=no"]
    assert len(header.seats) == 4 and header.keys[0] == ("profile", walker.says("L.house") + " 1")
    assert walker.presses == PRESSES
    picture = draw_sheet(shown(walker))
    path = FOLDER / f"house-rules-{language}.png"
    if os.environ.get("CARDTABLE_PICTURES"):
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(picture)
    assert dots_of(path.read_bytes()) == dots_of(picture)
