"""Power cuts within every operation of the flash, and the flash that they happen on (T9)."""

import subprocess

import pytest

from host_tools import cli
from host_tools.base.project import PACKAGES
from host_tools.lab.commands import cuts
from host_tools.lab.commands.cuts import SHORT, find_records
from host_tools.lab.cuts import run
from host_tools.virtual.shims import flash as model
from tests.conftest import ROOT

GAMES = ROOT / "tests" / "records"


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.micropython
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.everything)])
def test_t9_cut_within_every_operation_of_a_game_of_each_kind_nothing_is_lost_or_invented(step):
    """Torn programs and half erases too; each time the session stands byte for byte, and the game goes on."""
    kinds = {path.parent.name for path in find_records()}
    assert kinds == {path.stem.replace("_", "-") for path in (ROOT / "firmware/cardtable/games").glob("[a-z]*.py")}
    for path, found in zip(find_records(), run.cut(find_records(), {"step": step}), strict=True):
        figures = found.figures
        assert found.is_right, found.said
        is_long = path.stat().st_size >= SHORT  # a new game may have only short records
        assert figures["cuts"] == 2 * -(-figures["operations"] // step) and figures["events"] > (100 if is_long else 10)
        assert figures["operations"] > figures["events"]  # at least a line each; a pass of Cal's BS has no line alone


@pytest.mark.micropython
def test_t9_the_power_fails_again_while_the_table_starts_up():
    """Whatever the first cut left half done."""
    (found,) = run.cut([find_records()[0]], {"step": 9, "twice": True})
    assert found.is_right, found.said
    assert found.figures["cuts"] > found.figures["operations"]


@pytest.mark.micropython
def test_t9_a_green_light_before_its_event_is_on_flash_would_be_found():
    """The test of the test."""
    (found,) = run.cut([find_records()[0]], {"step": 3, "green_first": True})
    assert found.figures["lost"] > 10 and not found.is_right
    assert found.said[0].startswith("lost at operation ")


@pytest.mark.micropython
def test_c5_no_flash_is_erased_while_a_set_can_be_doubted():
    """Nor, in any game, while an event waits for its light; and a page is left for what else might come."""
    records = sorted((GAMES / "cals-bs").glob("[gv]*.rec")) + [GAMES / "malice" / "game-0001.rec"]
    for found in run.cut(records, {"last": 0}):
        figures = found.figures
        assert (figures["waited"], figures["late"], figures["pages_late"]) == (0, 0, 0), found.path
        assert figures["erases"] > 3 and figures["least_spares"] >= 1, found.path


@pytest.mark.micropython
def test_an_event_costs_a_thirtieth_of_an_erase():
    """One growing file costs one for each event, and all of them while the event waits."""
    ways = {found["way"]: found for found in run.measure(GAMES / "durak" / "throw-in-0000.rec")}
    growing, pieces = ways["one growing file"], ways["pieces on prepared pages"]
    assert growing["waited"] >= 1 and growing["worst_ms"] >= 45
    assert pieces["erases"] < 0.04 and pieces["worst_ms"] == 0
    others = [found["waited"] for name, found in ways.items() if found is not pieces]
    assert min(others) > 0.05


@pytest.mark.micropython
def test_cardtable_cuts(capsys):
    """The figures on the command line."""
    assert cli.run(["cuts", "--step", "60", str(find_records()[0])]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{find_records()[0].parent.name}/{find_records()[0].name}: ")
    assert " 0 events, " not in first and " cuts: lost 0, invented 0, broken 0;" in first
    assert last.endswith(" cuts in 1 games: nothing lost or invented")
    assert cli.run(["cuts", "--ways", str(find_records()[0])]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_of_short_records_the_longest_is_cut(tmp_path, monkeypatch):
    """Else the shortest that fills pages; a game that has none yet is left out."""
    durak = ("durak/a", SHORT - 1), ("durak/b", SHORT + 9), ("durak/c", SHORT)
    for name, size in (*durak, ("toy/a", 10), ("toy/b", 90)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.rec").write_bytes(b"x" * size)
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(cuts, "find_in_clone", lambda name: tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in find_records()] == ["durak/c.rec", "toy/b.rec"]


BROKEN = """
from host_tools.lab.cuts.on_device import BLOCKS, Cutter, make
class Broken(Cutter):
    def __init__(self):
        self.cuts = self.broken = 0
        self.said = []
    def boot(self, flash, index, is_done, read):
        raise ValueError("no such page")
broken = Broken()
broken.look(make(BLOCKS), 6, 256, False)
broken.look(make(BLOCKS), 7, 256, True)
print(broken.cuts, broken.broken, broken.said[0])
"""


@pytest.mark.micropython
def test_a_start_that_ends_in_an_error_is_one_more_that_is_broken():
    """It once ended the whole run, so that no count of it was ever told."""
    inside = run.Inside()
    done = subprocess.run([inside._command[0], "-X", "heapsize=8M", "-c", BROKEN], env=inside._environment,
                          cwd=PACKAGES, capture_output=True, text=True)
    assert done.stdout.startswith("2 2 broken at operation 7: File "), done.stdout + done.stderr
    assert "ValueError: no such page" in done.stdout


def test_cardtable_cuts_of_something_else(capsys):
    """One sentence."""
    assert cli.run(["cuts", "no-such.rec"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# --- the flash --------------------------------------------------------------------------------------------------------


def make(blocks=2):
    """A fresh flash."""
    return model.Flash(model.Memory(blocks))


def read(flash, block, offset, size):
    """Some bytes of it."""
    into = bytearray(size)
    flash.readblocks(block, into, offset)
    return bytes(into)


def test_a_program_clears_bits_and_an_erase_sets_a_block():
    """What is programmed twice without an erase is an error of the writer."""
    flash = make()
    took_us = []
    flash.on_time = took_us.append
    flash.writeblocks(1, b"abc", 10)
    assert read(flash, 1, 9, 5) == b"\xffabc\xff" and read(flash, 0, 0, 2) == b"\xff\xff"
    with pytest.raises(AssertionError, match="block 1 is programmed where it was not erased"):
        flash.writeblocks(1, b"xyz", 12)
    flash.ioctl(6, 1)
    flash.writeblocks(1, b"xyz", 12)
    assert read(flash, 1, 9, 7) == b"\xff\xff\xffxyz\xff"
    assert (flash.erases, flash.programs, flash.ioctl(4, 0), flash.ioctl(5, 0)) == (1, 2, 2, 4096)
    read_us, program_us = model.READ_US, model.PROGRAM_US
    assert took_us == [program_us, read_us, read_us, model.ERASE_US, program_us, read_us]


def test_a_flash_file_has_its_name_once_it_is_whole(tmp_path, monkeypatch):
    """A making that was cut short is no reason to refuse the name: the next start makes it."""
    def end(old, new):
        raise OSError

    name = tmp_path / "flash.bin"
    monkeypatch.setattr(model.os, "rename", end)
    with pytest.raises(OSError):
        model.Image(str(name), 2)
    assert not name.exists()
    monkeypatch.undo()
    model.Image(str(name), 2).write(1, 4095, b"x")
    assert name.stat().st_size == 2 * 4096 and [path.name for path in tmp_path.iterdir()] == ["flash.bin"]


def test_power_is_lost_within_an_operation():
    """A part of it is done, and the byte at the edge half."""
    flash = make()
    flash.writeblocks(0, bytes(8))
    flash.cut_at, flash.cut_part = 2, 128
    with pytest.raises(model.PowerLost):
        flash.writeblocks(0, bytes(8), 8)
    assert read(flash, 0, 0, 17) == bytes(12) + b"\x55\xff\xff\xff\xff"
    flash = make()
    flash.writeblocks(0, bytes(4096))
    flash.cut_at, flash.cut_part = 2, 64
    with pytest.raises(model.PowerLost):
        flash.ioctl(6, 0)
    assert read(flash, 0, 1022, 4) == b"\xff\xff\x55\x00"


def test_a_memory_over_another_leaves_it_as_it_is():
    """So a flash can be cut many times at one place."""
    below = model.Memory(2)
    below.write(0, 0, b"abc")
    above = model.Memory(2, below)
    above.write(0, 1, b"x")
    assert bytes(above.rows[0][:3]) == b"axc" and bytes(below.rows[0][:3]) == b"abc"


def test_an_image_outlives_the_process(tmp_path):
    """Made when it is not there, and read when it is."""
    name = str(tmp_path / "flash.bin")
    model.Image(name, 2).write(1, 5, b"abc")
    into = bytearray(4)
    model.Image(name, 2).read(1, 4, into)
    assert into == b"\xffabc" and (tmp_path / "flash.bin").stat().st_size == 8192
