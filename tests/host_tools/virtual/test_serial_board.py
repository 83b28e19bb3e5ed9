"""The virtual board behind a serial port: the REPL, littlefs, resets and Ctrl-C, as the real mpremote meets them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boards import virtual
from host_tools.virtual.serial_board import SerialBoard, is_raw_after
from host_tools.virtual.world import World
from tests.host_tools.as_a_person import ask_in_vain
from tests.patience import PATIENCE_S, wait_for

pytestmark = pytest.mark.micropython

# It says so when it waits: MicroPython's asyncio swallows a Ctrl-C that comes while its import looks for C code.
RUNS = "import asyncio\nasync def wait():\n  print('main runs')\n  while True:\n    await asyncio.sleep_ms(50)\n" \
       "asyncio.run(wait())\n"
LINE = b"print(6 * 7)\r"
LIGHT = "import machine, neopixel\nstrip = neopixel.NeoPixel(machine.Pin(33, machine.Pin.OUT), 7)\n" \
        "strip[2] = (1, 2, 3)\nstrip.write()\nimport time\ntime.sleep_ms(200)\n"


@pytest.fixture
def board(tmp_path, shims):
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims) as board:
        yield board


def command_of(board, *words):
    return [Path(sys.prefix, "bin", "mpremote"), "connect", board.port, *words]


def mpremote(board, *words):
    done = subprocess.run(command_of(board, *words), capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def install(board, tmp_path, text, name="main.py"):
    """Bring a file onto the board with the real mpremote, and start the board anew."""
    (tmp_path / name).write_text(text)
    mpremote(board, "cp", str(tmp_path / name), ":" + name)
    at = len(board.printed)
    mpremote(board, "reset")
    return at


def test_a_new_flash_has_the_esp32s_file_and_path(board):
    """modules/inisetup.py of the ESP32's port writes a boot.py of comments onto a new flash."""
    printed = mpremote(board, "exec", "import os, sys; print(os.listdir('/'), sys.path, os.statvfs('/')[2])")
    assert printed.strip() == "['boot.py'] ['', '.frozen', '/lib'] 512"


def test_mpremote_interrupts_a_program_that_waits_and_one_that_computes(board, tmp_path):
    at = install(board, tmp_path, RUNS)
    board.wait_for("main runs", at)
    assert mpremote(board, "exec", "print(1 + 1)").strip() == "2"
    at = install(board, tmp_path, "print('computes')\nwhile True:\n    pass\n")
    board.wait_for("computes", at)
    assert mpremote(board, "resume", "exec", "print(2 + 2)").strip() == "4"
    assert b"KeyboardInterrupt" in board.printed[at:]


def test_a_program_that_switches_the_interrupt_off_keeps_the_repl_to_itself(board, tmp_path):
    at = install(board, tmp_path, "import micropython\nmicropython.kbd_intr(-1)\n" + RUNS)
    board.wait_for("main runs", at)
    ask_in_vain(board, command_of(board, "exec", "print(1)"))
    assert b"KeyboardInterrupt" not in board.printed[at:]
    board.pull_plug()
    at = len(board.printed)
    board.plug_in()
    board.wait_for("main runs", at)


def test_what_is_typed_behind_an_interrupt_waits_for_a_prompt_that_comes_late(board, tmp_path, monkeypatch):
    """A prompt throws away what was typed before it. A busy computer brings it seconds later: here the clock jumps."""
    at = install(board, tmp_path, RUNS)
    at = board.wait_for("main runs", at)
    late_s = []
    end, clocks = board._end_interrupt, board._clocks
    monkeypatch.setattr(board, "_clocks", lambda: (*clocks()[:2], clocks()[2] + sum(late_s)))

    def end_late():
        end()
        late_s.append(5.0)

    monkeypatch.setattr(board, "_end_interrupt", end_late)
    type_behind_an_interrupt(board, at, monkeypatch)
    assert late_s


def test_a_traceback_of_which_a_part_has_come_is_no_prompt(board, tmp_path, monkeypatch):
    """MicroPython prints it in parts, of which one is `<module>`: a busy computer may stop it behind that one."""
    at = install(board, tmp_path, RUNS)
    at = board.wait_for("main runs", at)
    parts = []

    def read(handle, size, really=os.read):
        if handle != board._ends[2]:
            return really(handle, size)
        if not parts:
            begins, ends, rest = really(handle, size).partition(b"<module>")
            parts.extend([begins + ends, *([None, rest] if ends else [])])
        if parts[0] is None:
            del parts[0]
            raise BlockingIOError
        return parts.pop(0)

    monkeypatch.setattr(os, "read", read)
    type_behind_an_interrupt(board, at, monkeypatch)


def type_behind_an_interrupt(board, at, monkeypatch):
    """Ctrl-C and a line in one piece: the line reaches the device once its prompt is there, and not before."""
    sent = []

    def pass_on(passed=board._pass_on):
        before = len(board._typed)
        passed()
        if b"\x03" not in board._typed and len(board._typed) < before:
            sent.append(before > len(LINE) or b">>> " in board.printed[at:])

    monkeypatch.setattr(board, "_pass_on", pass_on)
    board.call(lambda: board._typed.extend(b"\x03" + LINE))
    board.wait_for("42", at)
    assert len(sent) > 1 and all(sent), "typing came before the prompt"


def test_soft_reset_runs_main_from_the_friendly_repl_and_not_from_the_raw_one(board, tmp_path):
    at = install(board, tmp_path, "print('once more')\n")
    at = board.wait_for(">>> ", board.wait_for("once more", at))
    mpremote(board, "exec", "print(7)")
    assert b"once more" not in board.printed[at:]
    at = len(board.printed)
    mpremote(board, "soft-reset")
    mpremote(board, "reset")
    board.wait_for("SW_CPU_RESET", at)
    board.wait_for("once more", at)


def test_what_is_typed_behind_a_soft_reset_waits_for_the_new_prompt(board):
    """A UART keeps its bytes over a soft reset: nobody who types right behind one waits for ever."""
    at = board.wait_for(">>> ")
    typed = b"\x04" + b"print(6 * 7)\r"
    board.call(lambda: board._typed.extend(typed))
    board.wait_for("42", board.wait_for("soft reboot", at))


def test_files_outlive_the_board(tmp_path, shims):
    for number in range(2):
        with SerialBoard(World(virtual), tmp_path / "flash.bin", shims) as board:
            (tmp_path / "data").write_bytes(bytes(range(256)) * 9)
            if number == 0:
                mpremote(board, "mkdir", ":folder")
                mpremote(board, "cp", str(tmp_path / "data"), ":folder/data")
            assert "folder/data" not in mpremote(board, "ls")
            assert mpremote(board, "ls", ":folder").split() == ["ls", ":folder", "2304", "data"]


def test_what_is_typed_at_the_repl_reaches_the_chips(board):
    mpremote(board, "exec", LIGHT)
    assert board.call(lambda: board.world.lights.colour(2)) == (1, 2, 3)


FLASH = """
import flash, virtual_clock
def count():
    chip = flash.chip
    return chip.reads * flash.READ_US + chip.programs * flash.PROGRAM_US + chip.erases * flash.ERASE_US
for name in ("before", "file"):
    took, began = count(), virtual_clock.now_us
    with open(name, "w") as file:
        file.write("x" * 5000)
    took, passed = count() - took, virtual_clock.now_us - began
print(took == passed, took > 2 * flash.ERASE_US)
"""


def test_its_flash_takes_the_time_of_the_virtual_tables(board):
    """Reads, programs and erases of one file: a write stalls the chip."""
    assert mpremote(board, "exec", FLASH).strip() == "True True"


def test_power_that_goes_within_a_flash_operation_leaves_a_file_system(board):
    mpremote(board, "exec", "with open('kept', 'w') as file: file.write('kept')")
    write = "with open('new', 'w') as file: file.write('x' * 5000)\nimport os\nos.rename('new', 'kept')"
    for operation in (1, 3, 5):
        board.pull_plug()
        board.plug_in(cut_at=operation)
        # Each time at its new port: a name that was given up may be another one's by now.
        with subprocess.Popen(command_of(board, "exec", write), stdout=subprocess.DEVNULL) as waits:
            try:
                wait_for(lambda: not board.call(lambda: board.is_on), f"power to be cut at flash operation {operation}",
                         lambda: f"mpremote ({waits.poll()}) to write; the board said {bytes(board.printed[-300:])}")
            finally:
                waits.kill()
        board.plug_in()
        assert mpremote(board, "exec", "print(open('kept').read())").strip() == "kept"


def test_a_link_is_another_name_for_the_port(tmp_path, shims):
    link = tmp_path / "folder" / "tty"
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, link=link) as board:
        assert link.resolve() == Path(board.port)
    assert not link.is_symlink()


@pytest.mark.parametrize(("text", "is_raw"), [
    (b"OK\r\nraw REPL; CTRL-B to exit\r\n>", True),
    (b'MicroPython\r\nType "help()" for more information.\r\n>>> ', False),
])
def test_a_prompt_is_known_in_whatever_parts_it_comes(text, is_raw):
    """A machine that is busy reads it in pieces."""
    for before in (b"", b"x" * 100, b'Type "help()" for more information.\r\n>>> ', b"raw REPL; CTRL-B to exit\r\n>"):
        for cut in range(len(text) + 1):
            came = is_raw_after(not is_raw, before, text[:cut])
            assert is_raw_after(came, before + text[:cut], text[cut:]) == is_raw, (before, cut)
            assert is_raw_after(is_raw, before + text, b"1\r\n") == is_raw
