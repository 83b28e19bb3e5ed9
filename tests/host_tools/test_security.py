"""What docs/security.md promises: nobody gets at a running game's record, and every input has its limit (T11)."""

import ast
import importlib
import re
import sys
from pathlib import Path

import pytest
from littlefs import LittleFS

from boards import virtual
from cardtable.between import power_up
from cardtable.play import judge_and_write
from cardtable.play.controller import Controller
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.maker.device.table import Table
from host_tools.base.errors import UnusableInput
from host_tools.virtual import image, in_process
from host_tools.virtual.fingers import deck_lines, uid_of
from host_tools.virtual.serial_board import BLOCKS, SerialBoard
from host_tools.virtual.table import BUILD
from host_tools.virtual.world import World
from tests.conftest import ROOT
from tests.host_tools.as_a_person import ask_in_vain, run_as_a_person, wait_until_it_looks
from tests.host_tools.at_table import BLUE, SECOND, SETUP, AtTable
from tests.host_tools.device.toy import TABLE_SPEED, be_patient

PAGE = ROOT / "docs" / "security.md"
FIRMWARE = ROOT / "firmware"
OPEN, SHUT = 3, -1

# --- limits -----------------------------------------------------------------------------------------------------------

BOARD_MODULES = ("main", "cardtable.between.wiring")


def rows():
    """The table of limits: (number, where it stands)."""
    text = PAGE.read_text().partition("## Limits")[2]
    return re.findall(r"^\|[^|]*\|[^|]*\| (\d+) \| `(\S+)` \|$", text, re.MULTILINE)


@pytest.mark.parametrize(("number", "name"), rows())
def test_t11_the_page_has_the_numbers_of_the_code(number, name):
    """Each limit is a named number; of a module that needs a board the source is read."""
    module, _, constant = name.rpartition(".")
    if module in BOARD_MODULES:
        source = FIRMWARE / (module.replace(".", "/") + ".py")
        found = re.search(rf"^{constant} = (\d+)", source.read_text(), re.MULTILINE)
        assert found and found[1] == number
    else:
        assert getattr(importlib.import_module(module), constant) == int(number)


def test_t11_the_page_has_the_limits_of_every_way_in():
    """Files, records, tags, buttons, and what judges them afterwards."""
    names = [name for _, name in rows()]
    assert len(names) == len(set(names)) >= 15
    for room in ("files", "tag_lines", "journal", "readers", "record", "core", "foreign", "wiring", "repeats"):
        assert any(f"{room}." in name for name in names), room


def promises():
    """The table of what is served: (promise, the cell of its tests)."""
    text = PAGE.read_text().partition("## Served pages")[2].partition("**Not promised**")[0]
    return re.findall(r"^\| (.*?) \|.*\| ([^|]*`test[^|]*) \|$", text, re.MULTILINE)


def files_in(cell):
    """(file, the letters of findings behind it) of such a cell; a file is named in full once, then by its name."""
    for name, letters in re.findall(r"`((?:[\w/]+/)?test_\w+\.py)`(?: \(([^)]*)\))?", cell):
        found = [ROOT / name] if "/" in name else sorted((ROOT / "tests").rglob(name))
        yield found, re.findall(r"[RKS]\d+", letters)


@pytest.mark.parametrize("cell", [cell for _, cell in promises()])
def test_a_promise_of_the_page_is_attacked_where_it_says(cell):
    """The file is there, and has a test for each finding that the page lays to it."""
    named = list(files_in(cell))
    assert named
    for found, letters in named:
        assert len(found) == 1 and found[0].is_file(), found
        text = found[0].read_text()
        for letter in letters:
            assert f"def test_{letter.lower()}_" in text or re.search(rf'"""[^"]*\b{letter}\b', text), (found, letter)


def test_each_finding_has_a_promise():
    found = {letter for _, cell in promises() for _, letters in files_in(cell) for letter in letters}
    assert found == {*(f"R{number}" for number in range(1, 14)), "K1", "S11"}


def test_t11_the_page_has_the_times_of_the_code():
    """When an event is shown, and what hides how long its line took."""
    text = " ".join(PAGE.read_text().split())
    for name, words in (
        ("SHOW_MS", "comes # ms after its time"), ("WRITE_MS", "comes # ms after that"),
        ("WRITE_MS", "always takes # ms"), ("STEP_MS", "takes at least # ms"), ("PAGE_MS", "takes # ms whether"),
        ("PAGE_EVENTS", "after every # shown events"),
    ):
        assert f"`{name}`" in text and words.replace("#", str(getattr(judge_and_write, name))) in text, name
    assert judge_and_write.LATE_MS == 500 and "twice a second" in text


def test_t11_nothing_in_the_firmware_reads_the_usb_line():
    """No input, no stdin, no poll of it: what is sent to the table is nobody's."""
    for path in sorted(FIRMWARE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            assert name not in ("input", "stdin", "poll_object", "dupterm"), f"{path}:{node.lineno}"


# --- no prompt during a game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["main.py", "starter.py"])
def test_t11_the_prompt_is_closed_before_anything_else(name):
    """A game may be under way: nobody knows before its record was looked for."""
    lines = [ast.unparse(node) for node in ast.parse((FIRMWARE / name).read_text()).body]
    begin = lines.index("micropython.kbd_intr(-1)")
    assert [line for line in lines[:begin] if "import" in line] == ["import micropython"]


def interrupt():
    """What interrupts the program on the console now."""
    return in_process._shims.micropython.interrupt


ARBITER = "04ABCDEF000001"


def test_t11_there_is_no_prompt_from_the_first_card_to_the_result():
    """Open before the first card, shut from then on, open again where a game that was aborted (T10) is closed."""
    table = AtTable()
    table._files["tags.txt"] = f"{ARBITER} arbiter\n"
    key = Tag(bytes.fromhex(ARBITER))
    states = []

    def evening():
        yield SECOND
        states.append(interrupt())
        yield from table.tap(2, "QQ")  # no card of this table: a refusal is a line too
        states.append(interrupt())
        yield from table.tap(1, "6S")
        states.append(interrupt())
        yield from table.until(lambda: table.light(1) == BLUE)
        yield from table.abort(key)
        states.append(interrupt())
        yield 12 * SECOND
        states.append(interrupt())

    table.play(evening())
    assert "result: aborted" in table.says()
    assert states == [OPEN, SHUT, SHUT, SHUT, OPEN]


def test_t11_a_table_without_a_game_has_a_prompt():
    """Its set-up is wrong, and somebody has to mend it."""
    table = AtTable("", None)
    states = []

    def evening():
        yield 3 * SECOND
        states.append(interrupt())

    table.play(evening())
    assert states == [OPEN]


def fail_once(fate):
    """The table starts again in the midst of the game, as after a power failure."""
    fate.clear()
    sys.modules["machine"].reset()


def fail_always(fate):
    """A bug that comes again and again."""
    raise AssertionError("and again")


def lack_memory(*_):
    """What loading a game too many ends in."""
    raise MemoryError


def spoil(name, text):
    """That file has these bytes from now on, or is not there any more."""

    def act(table, monkeypatch):
        if text is None:
            (table.flash / name).unlink()
        else:
            (table.flash / name).write_bytes(text)
        return fail_once

    return act


def fill_memory(table, monkeypatch):
    """The heap is too small when the game is to go on."""
    monkeypatch.setattr(power_up, "begin", lack_memory)
    return fail_once


# What a game cannot go on with, and what the screen says then.
DEAD_ENDS = {
    "deck": (spoil("deck.txt", b"\xff"), "set-up: deck.txt"),
    "set-up": (spoil("setup.txt", b"cardtable 1\n"), "set-up: setup.txt,"),
    "tags": (spoil("tags.txt", f"{ARBITER} arbiter\nnobody\n".encode()), "set-up: tags.txt,"),
    "memory": (fill_memory, "Too little memory"),
    "bugs": (lambda table, monkeypatch: fail_always, "Same crash"),
    "no set-up": (spoil("setup.txt", None), "OK: play"),
}


# Without an event the end of the way is one and the same: a start that fails, and a bug, stand for the others.
CASES = [
    pytest.param(name, has_begun, marks=[] if has_begun or name in ("deck", "bugs") else [pytest.mark.everything])
    for name in DEAD_ENDS for has_begun in (True, False)
]


@pytest.mark.parametrize(("name", "has_begun"), CASES)
def test_t11_a_game_that_cannot_go_on_keeps_its_secrets(name, has_begun, monkeypatch):
    """No prompt, and none for a card, until the arbiter's key is tapped (T10); without an event there is no secret.

    And no watchdog: a tool that finds one running restarts the table, which would close it again.
    """
    break_it, words = DEAD_ENDS[name]
    table = AtTable()
    table.expects_bugs = name == "bugs"
    table._files["tags.txt"] = f"{ARBITER} arbiter\n"
    card, key = Tag(uid_of(0)), Tag(bytes.fromhex(ARBITER))
    states, fate, watchdogs = [], [], []
    step = Controller.step

    def step_or_fail(this):
        if fate:
            fate[0](fate)
        step(this)

    monkeypatch.setattr(Controller, "step", step_or_fail)

    def evening():
        if has_begun:
            yield from table.tap(1, "6S")
        monkeypatch.setattr(sys.modules["machine"], "WDT", lambda timeout: watchdogs.append(timeout))
        fate.append(break_it(table, monkeypatch))
        yield from table.until(lambda: any(words in row for row in table.screen()), 20 * SECOND)
        yield SECOND
        states.append(interrupt())
        for tag in (card, key):
            table.world.put(2, tag)
            yield SECOND
            table.world.take(2, tag)
            yield SECOND
            states.append(interrupt())

    table.play(evening())
    assert states == ([SHUT, SHUT, OPEN] if has_begun else [OPEN, OPEN, OPEN]) and watchdogs == []


@pytest.fixture
def flash(tmp_path):
    """The flash of a board with the whole firmware, a deck and a set-up."""
    built = image.build(virtual.NAME, BUILD / f"{virtual.NAME}-source")
    files = LittleFS(block_size=4096, block_count=BLOCKS, prog_size=32, read_size=32, disk_version=0x00020000)
    for path in sorted(built.rglob("*")):
        name = path.relative_to(built).as_posix()
        if path.is_dir():
            files.mkdir(name)
        elif not name.startswith("."):
            with files.open(name, "wb") as file:
                file.write(path.read_bytes())
    for name, text in (("deck.txt", "".join(deck_lines())), ("setup.txt", SETUP)):
        with files.open(name, "wb") as file:
            file.write(text.encode())
    (tmp_path / "flash.bin").write_bytes(bytes(files.context.buffer))
    return tmp_path / "flash.bin"


def write_flash(flash, name, text):
    """What somebody mended or spoiled on the flash of a board without power."""
    files = LittleFS(block_size=4096, block_count=BLOCKS, prog_size=32, read_size=32, mount=False)
    files.context.buffer = bytearray(flash.read_bytes())
    files.mount()
    with files.open(name, "wb") as file:
        file.write(text.encode())
    flash.write_bytes(bytes(files.context.buffer))


def ask_with_mpremote(board):
    """The command that asks for the files of the flash."""
    return [Path(sys.prefix, "bin", "mpremote"), "connect", board.port, "exec", "import os; print(os.listdir())"]


@pytest.mark.micropython
def test_t11_mpremote_gets_in_between_two_games_and_not_during_one(flash):
    """The real mpremote at the real firmware's console, under MicroPython."""
    shims = image.build_shims(BUILD / "shims")
    with SerialBoard(World(virtual), flash, shims, room_kb=174, speed=TABLE_SPEED) as board:
        at = board.wait_for("dealer: 2")
        assert "key.bin" in run_as_a_person(ask_with_mpremote(board)).stdout
        board.pull_plug()
        board.plug_in()
        at = board.wait_for("dealer: 2", at)
        wait_until_it_looks(board)
        board.call(lambda: board.world.put(1, Tag(uid_of(4))))
        at = board.wait_for("1 draw ??", at)
        ask_in_vain(board, ask_with_mpremote(board), 2 * SECOND)
        said = bytes(board.printed[at:])
        assert b"KeyboardInterrupt" not in said and b">>>" not in said and b"games" not in said
        board.call(lambda: board.world.put(2, Tag(uid_of(5))))
        board.wait_for("2 draw ??", at)  # the game goes on as if nobody had asked


@pytest.mark.micropython
def test_t11_the_arbiters_key_opens_a_table_whose_game_cannot_go_on(flash, monkeypatch):
    """T10: `cardtable device` gets nothing before, and all files then."""
    shims = image.build_shims(BUILD / "shims")
    write_flash(flash, "tags.txt", f"{ARBITER} arbiter\n")
    with SerialBoard(World(virtual), flash, shims, room_kb=174, speed=TABLE_SPEED) as board:
        board.wait_for("dealer: 2")
        wait_until_it_looks(board)
        board.call(lambda: board.world.put(1, Tag(uid_of(4))))
        at = board.wait_for("1 draw ??")
        board.pull_plug()
        write_flash(flash, "deck.txt", "")
        board.plug_in()
        board.wait_for("boot: power", board.wait_for("set-up: deck.txt", at))
        with Table(board.port) as table, pytest.raises(UnusableInput, match="gives no prompt"):
            table.patience = (1.0,)
            table.stop()
        board.call(lambda: board.world.put(2, Tag(bytes.fromhex(ARBITER))))
        be_patient(monkeypatch)
        with Table(board.port) as table:
            table.stop()
            assert "games" in table.run("print(os.listdir())")
