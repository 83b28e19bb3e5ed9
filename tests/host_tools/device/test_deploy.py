"""A table starts whatever happens while an application is brought to it: the old one or the new one."""

import contextlib

import pytest

from host_tools.maker.device import deploy as deploying
from host_tools.maker.device.table import Table, TableError
from host_tools.base.errors import UnusableInput
from tests.host_tools.device.toy import RUNS, board, cut_at, put, toy, version_after_power_cut

pytestmark = pytest.mark.micropython

FAILS_TO_IMPORT = "import nothing_like_it\n"
FALLS = "def main(come_up):\n    print('cardtable falls')\n    raise ValueError('at once')\n"
HANGS = "print('hangs')\nwhile True:\n    pass\n"
FALLS_LATER = "def main(come_up):\n    print('up')\n    come_up()\n    raise ValueError('later')\n"


def pointer(board):
    with Table(board.port) as table:
        table.is_left = True
        table.stop()
        return table.call("read_text", "/app.txt").split()


def test_an_empty_flash_gets_loader_and_application(tmp_path, shims):
    with board(tmp_path, shims) as empty:
        assert put(empty.port, toy(1))
        assert version_after_power_cut(empty) == "1"
        assert pointer(empty) == ["a", "good"]


def test_the_new_application_takes_the_other_folder_and_players_files_stay(board):
    assert put(board.port, toy(2))
    assert version_after_power_cut(board) == "2"
    assert pointer(board) == ["b", "good"]
    with Table(board.port) as table:
        table.stop()
        assert table.read("/deck.txt") == b"04A1B2C3D4E580 6S\n"
        assert table.read("/games/0001.rec") == b"cardtable 1\n"
        assert table.read("/key.bin") == bytes(range(32))


def test_t11_the_comments_in_boot_py_go_because_ctrl_c_works_while_it_runs(tmp_path, shims):
    """MicroPython writes them onto a new flash; a program in it is left, and named."""
    said = []
    with board(tmp_path, shims) as empty:
        with Table(empty.port) as table:
            table.is_left = True
            table.stop()
            assert "every boot" in table.call("read_text", "/boot.py")
            deploying.drop_boot(table, said.append)
            assert not table.call("read_text", "/boot.py") and not said
            deploying.drop_boot(table, said.append)
            table.write("/boot.py", b"# mine\nimport network\n")
            deploying.drop_boot(table, said.append)
            assert "network" in table.call("read_text", "/boot.py")
    assert len(said) == 1 and "/boot.py holds a program" in said[0]


def test_the_same_application_again_is_only_compared(board):
    assert not put(board.port, toy(1))
    assert pointer(board) == ["a", "good"]


def test_a_file_that_rotted_on_flash_is_brought_again(board):
    with Table(board.port) as table:
        table.stop()
        table.write("/a/cardtable/words/table.en", b"T1=rotten\n")
    assert put(board.port, toy(1))
    assert version_after_power_cut(board) == "1"
    assert pointer(board) == ["b", "good"]


def test_a_text_that_rotted_on_flash_is_in_the_way_of_nothing(board):
    """What is no text any more, as one wrong bit can make it, is what the doctor tells a maker to deploy again."""
    for name, is_new in (("/app.txt", False), ("/a/manifest.txt", True)):  # the table mends its app.txt itself
        with Table(board.port) as table:
            table.stop()
            table.write(name, b"\xffrotten\n")
            assert table.call("read_text", name) == "\ufffd"
        assert put(board.port, toy(1)) == is_new
        assert version_after_power_cut(board) == "1" and pointer(board)[1] == "good"


def test_only_what_changed_goes_over_the_wire(board):
    sent = []

    class Counting(Table):
        def write(self, path, data, on_bytes=lambda count: None):
            sent.append(path)
            super().write(path, data, on_bytes)

    put(board.port, toy(2), Counting)
    assert sent == ["/b/cardtable/__init__.py", "/b/manifest.txt.new", "/app.txt.new"]


def test_the_connection_cut_at_every_step_leaves_a_table_that_starts(board):
    """Cut before each step, and the power with it: then the next deployment succeeds from whatever was left."""
    seen = []
    step = 0
    while not seen or seen[-1] != "done":
        step += 1
        cut = cut_at(step)
        new = toy(step + 1)
        try:
            put(board.port, new, cut)
            seen.append("done")
        except TableError:
            seen.append("old" if version_after_power_cut(board) == "1" else "new")
            # Back to where version 1 is the one that is used, whatever has happened.
            if seen[-1] == "new":
                put(board.port, toy(1))
                assert version_after_power_cut(board) == "1"
        assert step < 80
    assert version_after_power_cut(board) == str(step + 1)
    assert set(seen[:-1]) == {"old"}, "the rename is the last step"
    assert len(seen) > 25


def test_the_power_cut_within_flash_operations_leaves_a_table_that_starts(board):
    """Some operations of a whole deployment, and most of its last ones, where loader and pointer change."""
    put(board.port, toy(2))
    with Table(board.port) as table:
        table.is_left = True
        table.stop()
        before = count_operations(table)
        deploying.deploy(table, toy(3), lambda text: None, lambda count: None)
        total = count_operations(table) - before
    assert version_after_power_cut(board) == "3" and total > 20
    # What was cut leaves files to be removed, so the last operation of the next deployment has a higher number.
    for operation in [2, total // 2, *range(total - 4, 2 * total, 3)]:
        board.pull_plug()
        board.plug_in(cut_at=operation)
        with contextlib.suppress(TableError, UnusableInput):
            put(board.port, toy(4))
        came_up = version_after_power_cut(board)
        assert came_up in ("3", "4")
        if came_up == "4":
            break
    assert came_up == "4"


def count_operations(table):
    """What the flash chip has programmed and erased since it got its power."""
    return int(table.run("import flash; print(flash.chip.operations)"))


@pytest.mark.parametrize("main", [FAILS_TO_IMPORT, FALLS], ids=["import", "start"])
def test_an_application_that_falls_before_it_is_up_makes_room_for_the_old_one(board, main):
    put(board.port, toy(2, main))
    at = len(board.printed)
    with pytest.raises(TableError, match="goes back to the one it had"):
        with Table(board.port) as table:
            table.is_left = True
            table.stop()
            deploying.wait_until_up(table)
    board.wait_for("cardtable on toy, version 1", at)
    assert pointer(board) == ["a", "good"]


def test_an_application_that_hangs_is_tried_three_times(board):
    put(board.port, toy(2, HANGS))
    for _ in range(3):
        board.pull_plug()
        at = len(board.printed)
        board.plug_in()
        board.wait_for("hangs", at)
    assert version_after_power_cut(board) == "1"
    assert pointer(board) == ["a", "good"]


def test_the_only_application_is_tried_again_after_a_start_with_a_prompt(tmp_path, shims):
    """Three first starts that the power cut short leave a table that starts; one that hangs can be brought another."""
    with board(tmp_path, shims) as only:
        put(only.port, toy(1, HANGS))
        for printed in ["hangs"] * 3 + ["no application starts on this table: start it again", "hangs"]:
            only.pull_plug()
            at = len(only.printed)
            only.plug_in()
            only.wait_for(printed, at)


def test_an_application_that_falls_later_is_followed_by_a_reset_and_leaves_its_traceback(board):
    put(board.port, toy(2, FALLS_LATER))
    board.pull_plug()
    at = len(board.printed)
    board.plug_in()
    at = board.wait_for("SW_CPU_RESET", board.wait_for("ValueError: later", at))
    board.wait_for("up", at)


def test_an_unproven_application_makes_room_and_the_proven_one_stays(board):
    put(board.port, toy(2, HANGS))
    assert pointer_on_flash(board) == ["b", "new"]
    put(board.port, toy(3))
    assert version_after_power_cut(board) == "3"
    assert pointer(board) == ["b", "good"]


def pointer_on_flash(board):
    """Without starting anything: the table is at its prompt."""
    with Table(board.port) as table:
        table.is_left = True
        table.stop()
        return table.call("read_text", "/app.txt").split()


def test_without_any_application_the_prompt_is_there(tmp_path, shims):
    with board(tmp_path, shims) as empty:
        put(empty.port, toy(1, FAILS_TO_IMPORT))
        empty.pull_plug()
        empty.plug_in()
        empty.wait_for("no application starts on this table")
        assert pointer(empty) == ["a", "1"]
        assert put(empty.port, toy(2))
        assert version_after_power_cut(empty) == "2"


@pytest.mark.parametrize(("games", "is_shut"), [
    (["0001"], True), (["0001", "0001.rec"], False), (["0001.old"], False), ([], False)])
def test_t11_where_no_application_starts_the_prompt_is_shut_in_mid_game(games, is_shut, tmp_path, shims):
    """No application is left that could be asked, so every game that is not one text may be under way."""
    with board(tmp_path, shims) as empty:
        put(empty.port, toy(1, FAILS_TO_IMPORT))
        with Table(empty.port) as table:
            table.is_left = True
            table.stop()
            for name in games:
                make = f"os.mkdir('/games/{name}')"
                table.run(f"import os\nif 'games' not in os.listdir('/'): os.mkdir('/games')\n{make}")
        empty.pull_plug()
        at = len(empty.printed)
        empty.plug_in()
        at = empty.wait_for("no application starts on this table", at)
        if is_shut:
            at = empty.wait_for("a game is under way, so there is no prompt", at)
            with open(empty.port, "wb", buffering=0) as line:
                line.write(b"\r\x03\x03\x01")
            empty.wait_for("a game is under way, so there is no prompt", at)  # it tries again, and again
            assert b"Traceback" not in bytes(empty.printed[at:]) and b">" not in bytes(empty.printed[at:])
        else:
            assert pointer(empty) == ["a", "1"]


def test_a_full_flash_is_refused_with_what_to_do(board):
    with Table(board.port) as table:
        table.stop()
        table.run("with open('/big', 'wb') as file:\n for _ in range(400): file.write(bytes(1024))")
    with pytest.raises(UnusableInput, match=r"the flash has \d+ KB free and the application needs \d+ KB"):
        put(board.port, toy(2))
    assert version_after_power_cut(board) == "1"


def test_bytes_that_come_otherwise_than_they_were_sent_are_found(board):
    class Garbling(Table):
        def write(self, path, data, on_bytes=lambda count: None):
            super().write(path, data.replace(b"VERSION", b"VERSIOM"), on_bytes)

    with pytest.raises(TableError, match="is not what was sent; the table keeps what it had"):
        put(board.port, toy(2), Garbling)
    assert version_after_power_cut(board) == "1"


def test_a_watchdog_is_ended_by_a_reset_before_anything_is_done(board):
    """It would run on after a soft reset, and bite in the midst of a deployment."""
    once = "import os\nis_watched = 'watched' in os.listdir('/')\nif is_watched:\n    os.remove('/watched')\n"
    put(board.port, toy(2, once + RUNS))
    at = len(board.printed)
    with Table(board.port) as table:
        table.stop()
        table.write("/watched", b"")
    at = board.wait_for("version 2", at)
    assert put(board.port, toy(3))
    assert board.printed[at:].count(b"SW_CPU_RESET") == 1
    assert version_after_power_cut(board) == "3"


def test_a_table_that_gives_no_prompt_is_told_of_in_words(board):
    put(board.port, toy(2, RUNS.replace("kbd_intr(3)", "kbd_intr(-1)")))
    assert version_after_power_cut(board) == "2"
    with pytest.raises(UnusableInput, match="gives no prompt. If a game is running, end it or use the arbiter's key"):
        put(board.port, toy(3), HurriedTable)


class HurriedTable(Table):
    """Does not ask for the prompt for long."""

    patience = (0.5,)
