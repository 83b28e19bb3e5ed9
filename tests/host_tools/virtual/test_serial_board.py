"""The virtual board behind a serial port: the REPL, littlefs, resets and Ctrl-C, as the real mpremote meets them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boards import virtual
from host_tools.base.errors import UnusableInput
from host_tools.virtual import serial_board
from host_tools.virtual.device import DeviceError
from host_tools.virtual.serial_board import SerialBoard, is_raw_after
from host_tools.virtual.world import World
from tests.host_tools.as_a_person import ask_in_vain
from tests.patience import PATIENCE_S, wait_for

pytestmark = pytest.mark.micropython

# It says so when it waits: MicroPython's asyncio swallows a Ctrl-C that comes while its import looks for C code.
RUNS = "import asyncio\nasync def wait():\n  print('main runs')\n  while True:\n    await asyncio.sleep_ms(50)\n" \
       "asyncio.run(wait())\n"
BUSY = "import machine\npin = machine.Pin(0, machine.Pin.IN)\nprint('main runs')\nwhile True:\n  pin.value()\n" \
       "  for number in range(2000):\n    pass\n"
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
    """Bring a file onto the board with the real mpremote, and start the board again."""
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

    def end_late(end=board._end_interrupt):
        end()
        late_s.append(serial_board._LONGEST_S / 2)

    monkeypatch.setattr(board, "_end_interrupt", end_late)
    type_behind_an_interrupt(board, at, monkeypatch, late_s)
    assert late_s


def test_a_ctrl_c_that_the_kernel_brings_late_interrupts_all_the_same(board, tmp_path, monkeypatch):
    """What is written to a console lies there a moment later, on a busy computer many looks later: nothing took it."""
    at = install(board, tmp_path, RUNS)
    at = board.wait_for("main runs", at)
    late = [0] * 20
    monkeypatch.setattr(board, "_count_untaken", lambda count=board._count_untaken: late.pop() if late else count())
    type_behind_an_interrupt(board, at, monkeypatch)
    assert not late


def test_a_program_that_asks_while_it_is_taken_for_one_that_computes_hears_of_it_with_its_answer(board, tmp_path):
    """The signal ended its wait, and its next question came before the answer: that ended the board. On a busy computer
    there may be a pause between the board's look at the program and its signal."""
    at = board.wait_for("main runs", install(board, tmp_path, RUNS))

    def interrupt_late():
        if board._answer is not None:
            board._give_answer()
        wait_for(lambda: serial_board.count_waiting(board._ends[0]), "the host", "a question of the program's")
        board._signal()

    board.call(interrupt_late)
    at = board.wait_for(">>> ", board.wait_for("KeyboardInterrupt", at))
    board.call(lambda: board._typed.extend(LINE))
    board.wait_for("42", at)


def test_a_program_that_asks_and_computes_while_hardly_any_time_passes_gets_no_signal(board, tmp_path, monkeypatch):
    """A table that judges and looks is one. A signal that came while it asked left half a question in the pipe."""
    signals = []
    monkeypatch.setattr(board, "_signal", lambda: signals.append(board.world.now_us))
    at = board.wait_for("main runs", install(board, tmp_path, BUSY))
    began_us = board.world.now_us
    board.call(lambda: board._typed.extend(b"\x03"))
    at = board.wait_for(">>> ", board.wait_for("KeyboardInterrupt", at))
    assert not signals and board.world.now_us - began_us < serial_board._TAKEN_US
    board.call(lambda: board._typed.extend(LINE))
    board.wait_for("42", at)


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
            parts.extend([begins + ends, *([None] if ends else []), *([rest] if rest else [])])  # b"" is the end
        if parts[0] is None:
            del parts[0]
            raise BlockingIOError
        return parts.pop(0)

    monkeypatch.setattr(os, "read", read)
    type_behind_an_interrupt(board, at, monkeypatch)


def type_behind_an_interrupt(board, at, monkeypatch, late_s=()):
    """Ctrl-C and a line in one piece: the line reaches the device once its prompt is there, and not before. The clock
    stands still but for `late_s`: a computer as busy as can be brings the prompt after any time."""
    sent = []
    clocks, begun_s = board._clocks, board._clocks()[2]
    monkeypatch.setattr(board, "_clocks", lambda: (*clocks()[:2], begun_s + sum(late_s)))

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


def enter(board, text):
    """Type a line at the prompt; what the console says up to the next one."""
    at = board.wait_for(">>> ", len(board.printed) - 4)
    board.call(lambda: board._typed.extend(text.encode() + b"\r"))
    return bytes(board.printed[at:board.wait_for(">>> ", at)])


def test_an_exit_of_whatever_number_is_a_soft_reset(board):
    for number in (0, 1, 255):
        assert b"soft reboot" in enter(board, f"import sys; sys.exit({number})")
    assert b"\r\n42\r\n" in enter(board, "print(6 * 7)") and board.trouble is None


def test_a_line_ends_with_two_bytes_as_on_a_chip(board):
    """shared/runtime/stdout_helpers.c: what the REPL says itself ends so already, and gets no third one."""
    assert enter(board, "print('one'); print('two')") == b"print('one'); print('two')\r\none\r\ntwo\r\n>>> "
    lines = (b"a\r", b"\nb\n", b"\r\n", b"c\r", b"d")
    assert board.call(lambda: [board._cook(line) for line in lines]) == [b"a\r", b"\nb\r\n", b"\r\n", b"c\r", b"d"]


def test_a_bus_on_other_pins_is_told_and_ends_nothing(board):
    said = enter(board, "import machine; s = machine.SPI(2, sck=machine.Pin(1)); s.read(2)")
    assert b"(the board has no SPI bus on sck 1, mosi 23, miso 19 in mode 0)\r\n" in said and b"b'" in said


def test_of_what_is_printed_the_last_is_kept(board, monkeypatch):
    monkeypatch.setattr(serial_board, "_MOST_PRINTED", 4_000)
    board.wait_for(">>> ")
    board.call(lambda: [board._print(b"%4d" % number) for number in range(5_000)])
    assert len(board.printed) <= 4_000 and board.printed.endswith(b"49984999")


def count_descriptors():
    return len(os.listdir("/dev/fd"))


def test_a_micropython_that_crashes_is_told_and_leaves_nothing_behind(tmp_path, shims, capfd):
    """No soft reset: on a chip it would be a panic."""
    link = tmp_path / "tty"
    before = count_descriptors()
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, link=link) as board:
        board.wait_for(">>> ")
        process = board._process
        process.send_signal(signal.SIGSEGV)
        wait_for(lambda: board.trouble, "the crash to be noticed", lambda: bytes(board.printed[-300:]))
        with pytest.raises(RuntimeError, match="has stopped"):
            board.call(lambda: None)
    assert isinstance(board.trouble, DeviceError) and "code -11" in str(board.trouble)
    assert "The virtual board has stopped: MicroPython ended with code -11" in capfd.readouterr().err
    assert process.poll() is not None and not os.path.lexists(link) and count_descriptors() == before


def test_an_error_of_the_host_leaves_nothing_behind(tmp_path, shims):
    before = count_descriptors()
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims) as board:
        board.wait_for(">>> ")
        process = board._process
        board._pass_on = lambda: 1 // 0
        with pytest.raises(RuntimeError, match="has stopped"):
            board.wait_for("never", len(board.printed))
    assert isinstance(board.trouble, ZeroDivisionError)
    assert process.poll() is not None and count_descriptors() == before


def test_a_board_that_is_refused_leaves_nothing_behind(tmp_path, shims):
    (tmp_path / "tty").write_text("somebody's")
    before = count_descriptors()
    for link in (tmp_path / "tty", tmp_path / "flash.bin"):
        with pytest.raises(UnusableInput):
            SerialBoard(World(virtual), tmp_path / "flash.bin", shims, link=link)
    assert count_descriptors() == before


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
