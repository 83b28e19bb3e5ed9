"""A device in a CPython of its own: it speaks as MicroPython does, byte for byte, and dies as it does."""

import errno
import os
import re
import subprocess
import sys
import time

import pytest

from cardtable import version
from host_tools.base.interpreters import find_micropython
from host_tools.virtual.device import DeviceError
from host_tools.virtual.pull import pull_records
from host_tools.virtual.table import Table, load_script
from host_tools.virtual.world import World
from tests.conftest import ROOT
from tests.host_tools.high_pipes import all_pipes_are_high
from tests.host_tools.virtual.conftest import TOY_BOARD, ToyParts
from tests.host_tools.virtual.test_shims import BUS, MIXED, watch_and_act
from tests.patience import PATIENCE_S, wait_for

RECORD = ROOT / "tests/records/durak/demo.rec"


@pytest.fixture
def start(make_device):
    return lambda program, **options: make_device(program, "cpython-process", **options)


def record_at(folder, runtime):
    """The journal that the firmware wrote of one game, without what is drawn by chance; and the public feed."""
    folder.mkdir()
    game, script = load_script(RECORD)
    table = Table(game, script, runtime=runtime)
    outcome = table.run(folder)
    assert outcome.agrees, outcome.difference
    lines = pull_records(folder)[-1].read_text(encoding="utf-8").splitlines()
    chance = ("nonce: ", "~ ", "table: ")
    return [line for line in lines if not line.startswith(chance)], [line.partition(" ~ ")[0] for line in table.lines]


def test_a_whole_game_is_played_at_the_same_times_as_inside_this_python(tmp_path):
    journal, feed = record_at(tmp_path / "process", "cpython-process")
    assert (journal, feed) == record_at(tmp_path / "here", "cpython")
    assert len(journal) > 20 and len(feed) > 20


@pytest.mark.micropython
def test_a_whole_game_is_played_at_the_same_times_as_under_micropython(tmp_path, monkeypatch):
    """The feed's first line names the interpreter, and each letter takes the UART its time: here both are as long."""
    journal, feed = record_at(tmp_path / "device", "micropython")
    theirs, ours = re.search(r"MicroPython [0-9.]+", feed[0])[0], "CPython %d.%d.%d" % sys.version_info[:3]
    told = version.describe() + " " * (len(theirs) - len(ours))
    monkeypatch.setattr(version, "describe", lambda: told)
    assert journal == record_at(tmp_path / "here", "cpython")[0]


@pytest.mark.micropython
@pytest.mark.parametrize("program", [MIXED, BUS + "select(0)\nspi.write(bytes(range(250)) * 40)\nselect.value()"],
                         ids=["mixed", "long"])
def test_the_bytes_in_the_pipe_are_those_of_micropython(make_device, program):
    digests = set()
    for runtime in ("cpython-process", "micropython"):
        parts = ToyParts()
        world = World(TOY_BOARD, chips=parts)
        world.people.add(watch_and_act(world, parts.log))
        device = make_device(program, runtime, on_world=world)
        assert not device.run()
        digests.add((device.pipe.digest(), tuple(device.printed), tuple(map(str, parts.log))))
    assert len(digests) == 1


def test_a_reset_starts_the_program_again_with_its_cause(start, world):
    device = start("""
import machine, time
print(machine.reset_cause(), time.ticks_ms())
if machine.reset_cause() == machine.PWRON_RESET:
    time.sleep_ms(25)
    machine.reset()
if machine.reset_cause() == machine.HARD_RESET:
    machine.WDT(timeout=50)
    time.sleep_ms(1000)
    print("never")
""")
    assert not device.run()
    assert device.printed == ["1 0", "2 0", "3 0"] and device.boots == 3 and device.exit_code == 0
    assert world.now_us >= 25_000 + 50_000


def test_the_power_goes_at_any_moment_and_the_flash_stays(start, world, parts, flash):
    device = start("""
import time
from machine import Pin
pin = Pin(4, Pin.OUT, value=0)
try:
    with open("journal", "a") as journal:
        for line in range(1000):
            journal.write("line %d at %d" % (line, time.ticks_ms()) + chr(10))
            journal.flush()
            time.sleep_ms(10)
            pin.value()
finally:
    open("late", "w").close()
""")
    assert device.run(lambda: world.now_us >= 95_000)
    device.power_off()
    assert len((flash / "journal").read_text().splitlines()) == 10 and not device.is_on and not world.powered
    assert not (flash / "late").exists()
    assert device.run(lambda: world.now_us >= 205_000)
    second = (flash / "journal").read_text().splitlines()[10:]
    assert device.boots == 2 and second[0] == "line 0 at 0" and len(second) == 10


def test_a_program_that_crashes_is_reported_with_its_traceback(start):
    device = start("""
import machine
print("all is well")
def deeper():
    raise ValueError("the third card: Д♦")
deeper()
""")
    with pytest.raises(DeviceError) as crashed:
        device.run()
    text = str(crashed.value)
    assert "ended with code 1." in text and text.endswith("ValueError: the third card: Д♦")
    assert 'File "main.py", line 5, in deeper' in text
    assert "all is well" not in text and device.printed[0] == "all is well" and not device.is_on


def test_a_program_says_how_it_ends(start):
    device = start("import sys\nprint('bye', end='')\nsys.exit(3)")
    with pytest.raises(DeviceError, match="ended with code 3"):
        device.run()
    assert device.printed == ["bye"] and device.exit_code == 3


def test_a_process_that_somebody_else_ends_is_reported(start):
    device = start("import time\nprint('last words')\nwhile True: time.sleep(1)")
    device.run(lambda: True)
    device._process.kill()
    with pytest.raises(DeviceError, match="ended with code -9.\nlast words"):
        device.run()


def test_a_program_that_never_asks_is_noticed(start):
    device = start("while True:\n    pass")
    device.silence_s = 1
    with pytest.raises(DeviceError, match="asked nothing for 1 seconds"):
        device.run()
    assert not device.is_on


def test_a_hang_ends_as_the_watchdog_of_a_chip_ends_it(start, world):
    """The same process was waited for again, for ever."""
    device = start("""
import machine
from machine import Pin
Pin(35, Pin.IN)()
print(machine.reset_cause(), machine.RTC().memory())
if machine.reset_cause() == machine.PWRON_RESET:
    machine.RTC().memory(b"kept")
    Pin(35, Pin.IN)()
    while True:
        pass
""")
    device.run(lambda: True)
    with pytest.raises(DeviceError, match="asked nothing"):
        device.run(silence_s=PATIENCE_S / 1000)
    assert not device.is_on and world.powered
    assert not device.run()
    assert device.printed == ["1 b''", "3 b'kept'"] and device.boots == 2


def test_a_program_that_resets_at_once_can_be_stopped(start):
    device = start("import machine\nmachine.reset()")
    asked = []
    assert device.run(lambda: asked.append(1) or len(asked) > 2)
    assert device.boots == 4 and device.is_on


def test_a_process_that_cannot_be_made_is_a_device_that_fell(start, world, monkeypatch):
    device = start("import machine\nprint(machine.reset_cause())\nmachine.reset() if machine.reset_cause() == 1 else 0")
    real, calls = subprocess.Popen, []

    def refuse_second(*words, **how):
        calls.append(words)
        if len(calls) == 2:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return real(*words, **how)

    monkeypatch.setattr(subprocess, "Popen", refuse_second)
    with pytest.raises(DeviceError, match="cannot be started: .*Resource temporarily unavailable"):
        device.run()
    assert not device.is_on and world.powered
    assert not device.run() and device.printed == ["1", "2"]  # and the reset takes place after all


def test_a_bus_that_is_not_there_ends_the_process_too(start):
    device = start("import machine\nmachine.SPI(2, sck=machine.Pin(1))\nmachine.Pin(34).value()")
    with pytest.raises(DeviceError, match="the board has no SPI bus on sck 1"):
        device.run()
    assert not device.is_on


def test_a_device_runs_whatever_the_numbers_of_its_pipes(start):
    device = start("from machine import Pin\nPin(35, Pin.IN)()\nprint('runs')")
    with all_pipes_are_high():
        assert not device.run()
    assert device.printed == ["runs"]


def test_a_device_whose_host_is_gone_ends(start):
    device = start("import time\nwhile True: time.sleep(1)")
    device.run(lambda: True)
    process = device._process
    os.close(device._ends[0])
    os.close(device._ends[1])
    device._ends = (os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_RDONLY), device._ends[2])
    assert wait_for(lambda: process.poll() is not None, "the test", "a device whose host is gone to end")
    assert process.returncode != 0


def test_prints_come_before_the_answer_for_which_the_device_waits(start, parts):
    said = []
    device = start(BUS + """
for turn in range(20):
    print("before", turn)
    spi.write(bytes(300))
    print("between", turn, "x" * 3000)
    select.value()
""", on_line=said.append)
    asked = []
    assert not device.run(lambda: asked.append(len(said)))
    assert asked[1:40:2] == list(range(2, 42, 2))  # each long line takes so long that it is told of first


def test_files_of_the_flash_are_no_modules(start, flash):
    for name in ("time.py", "json.py", "board.py", "host_tools.py"):
        (flash / name).write_text("raise SystemExit('a file of the flash was run')")
    device = start("import json, time\ntime.sleep_ms(5)\nprint('fine')")
    assert not device.run()
    assert device.printed == ["fine"]


def test_the_children_leave_the_asyncio_and_the_time_of_this_python_alone(start, world):
    import asyncio

    device = start("import asyncio\nasyncio.run(asyncio.sleep_ms(500))\nprint('slept')")
    assert not device.run() and device.printed == ["slept"]
    assert not hasattr(asyncio, "sleep_ms") and not hasattr(time, "ticks_ms") and world.now_us >= 500_000


def test_it_needs_no_micropython(start, monkeypatch):
    monkeypatch.setenv("MICROPYTHON", "no-such-program")
    with pytest.raises(Exception, match="no-such-program"):
        find_micropython()
    device = start("print('here')")
    device.run()
    assert device.printed == ["here"]
