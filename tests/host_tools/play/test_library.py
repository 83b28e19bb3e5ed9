"""Finished games are copied off a table's flash once, also where the process was killed in between."""

import shutil

from host_tools.play.library import keep, list_names
from tests.conftest import ROOT

RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"


def test_a_game_that_was_copied_and_not_marked_is_copied_once(tmp_path):
    """Its second copy counted as a game of its own."""
    flash, library = tmp_path / "flash", tmp_path / "games"
    (flash / "games").mkdir(parents=True)
    lying = flash / "games" / "0001.rec"
    shutil.copyfile(RECORD, lying)
    [name] = keep(flash, library)
    assert keep(flash, library) == [] and not lying.exists()
    lying.with_suffix(".old").rename(lying)  # killed before it was marked as pulled
    assert keep(flash, library) == [name] and list_names(library) == [name]
    lying.write_text(RECORD.read_text() + "; another game of that minute\n")
    assert len(keep(flash, library)) == 1 and len(list_names(library)) == 2
