"""A device in a process of its own: what it costs, how it dies, and that no scheduling of the host can change a run."""

import os

import pytest

from host_tools.virtual import pipe
from host_tools.virtual.device import FILES_KB, SHIMS_KB, Device, DeviceError
from host_tools.virtual.world import World
from tests.host_tools.virtual.conftest import TOY_BOARD, ToyParts
from tests.host_tools.virtual.test_shims import BUS, MIXED, watch_and_act
from tests.patience import SleptClock, wait_for

# What the shims take of the heap, with asyncio: a device has the like of them in its ROM. On 64 bits all is double.
SHIM_HEAP = 36_000
LETTERS, A_LETTER = 60, 16  # its folder's path lies in the heap several times: each letter beyond 60 takes so much


@pytest.fixture
def start(make_device):
    return lambda program, **options: make_device(program, "micropython", **options)


def test_operations_that_bring_nothing_back_are_sent_in_one_piece_with_the_next_that_does(start, monkeypatch):
    blocks = []
    feed = pipe.PipeServer.feed
    monkeypatch.setattr(pipe.PipeServer, "feed", lambda self, block: blocks.append(block) or feed(self, block))
    device = start(BUS + """
frame = bytearray(2)
for poll in range(20):
    for register in range(9):
        select(0)
        spi.write(frame)
        select(1)
    select(0)
    spi.write_readinto(frame, frame)
    select(1)
""")
    device.run()
    assert device.pipe.operations > 600
    assert len(blocks) == 21  # one for each answer, and one at the end


def test_a_write_longer_than_the_buffer_arrives_whole(start, parts):
    start(BUS + """
select(0)
spi.write(bytes(range(250)) * 40)
spi.write(b"end")
answer = bytearray(3000)
spi.readinto(answer, 1)
assert answer == bytes([254]) * 3000
""").run()
    written = [entry[3] for entry in parts.log if entry[2] == "spi"]
    assert written == [bytes(range(250)) * 40, b"end", b"\x01" * 3000]


def test_buses_pins_strips_and_waits_allocate_nothing(start):
    device = start(BUS + """
import gc, micropython, select as poller
from machine import I2C
from neopixel import NeoPixel
i2c = I2C(0, scl=Pin(22), sda=Pin(21))
strip = NeoPixel(Pin(33), 2)
ticks = Timer(0, period=5, callback=print)
ticks.deinit()
small, large, vector = bytearray(2), bytearray(600), (bytearray(1), bytearray(20))
wait = poller.poll()

def hot():
    for turn in range(50):
        select(0)
        spi.write(small)
        spi.write(large)
        spi.readinto(small)
        spi.write_readinto(large, large)
        select(1)
        select.value()
        i2c.writeto(0x3C, small)
        i2c.writevto(0x3C, vector)
        i2c.readfrom_into(0x3C, small)
        strip.write()
        time.sleep_us(time.ticks_ms() & 3)
        wait.ipoll(3)
        wait.ipoll(0)

hot()
gc.collect()
micropython.heap_lock()
before = gc.mem_alloc()
hot()
after = gc.mem_alloc()
micropython.heap_unlock()
print(after - before)
""")
    device.run()
    assert device.printed == ["0"]


def test_the_shims_leave_the_heap_to_the_firmware(start, tmp_path):
    device = start("""
import gc
import machine, neopixel, select, time, asyncio
gc.collect()
print(gc.mem_alloc(), gc.mem_alloc() + gc.mem_free())
""")
    device.run()
    taken, heap = map(int, device.printed[0].split())
    taken -= A_LETTER * max(0, len(str(tmp_path)) - LETTERS)
    assert taken < SHIM_HEAP == 2000 * SHIMS_KB
    assert 190_000 < heap - SHIM_HEAP < 2 * 1024 * FILES_KB


def test_no_scheduling_of_the_host_changes_a_run(start):
    digests = set()
    for pause_every in (0, 1, 7):
        parts = ToyParts()
        world = World(TOY_BOARD, chips=parts)
        world.people.add(watch_and_act(world, parts.log))
        asked = []

        def dawdle(asked=asked, pause_every=pause_every):
            asked.append(None)
            if pause_every and len(asked) % pause_every == 0:
                sum(range(20_000))  # half a millisecond in which the device's process may go on

        device = start(MIXED, on_world=world)
        assert not device.run(dawdle)
        digests.add((device.pipe.digest(), tuple(device.printed), len(parts.log)))
    assert len(digests) == 1


def test_prints_come_before_the_answer_for_which_the_device_waits(start, parts):
    said = []
    device = start(BUS + """
for turn in range(50):
    print("before", turn)
    spi.write(bytes(300))
    print("between", turn, "x" * 3000)
    select.value()
print("unfinished", end="")
""", on_line=lambda line: said.append((line[:12].strip(), len(parts.log))))
    asked = []
    assert not device.run(lambda: asked.append(len(said)))
    # Each long line takes a quarter of a second, and is told of before it is out: the second answer is the pin's.
    assert asked[1:100:2] == list(range(2, 102, 2)) and asked[-1] == 100
    assert said[-1][0] == "unfinished"


def test_a_device_that_prints_without_end_is_not_held_up_by_its_pipe(start):
    device = start("""
for line in range(20_000):
    print(line, "0123456789")
""")
    assert not device.run()
    assert len(device.printed) == 20_000 and device.printed[-1].startswith("19999 ")


def test_a_run_stops_where_it_is_asked_to_and_goes_on_from_there(start, world):
    device = start("""
import time
from machine import Pin
pin = Pin(35, Pin.IN)
for turn in range(100):
    time.sleep_ms(9)
    time.sleep_us(999)
    pin()
print("end", time.ticks_ms())
""")
    assert device.run(lambda: world.now_us >= 300_000)
    assert world.now_us == 300_000 and device.is_on and not device.printed
    assert device.run(lambda: world.now_us >= 700_000)
    assert world.now_us == 700_000
    assert not device.run()
    assert device.printed == ["end 1000"] and device.exit_code == 0 and not device.is_on


def test_a_device_that_only_waits_still_lets_the_host_know_of_the_time(start, world):
    device = start("""
import asyncio
async def main():
    while True:
        await asyncio.sleep_ms(7)
asyncio.run(main())
""")
    assert device.run(lambda: world.now_us >= 10_000_000)
    assert world.now_us <= 10_060_000


def test_a_program_that_falls_is_reported_with_its_traceback(start):
    device = start("""
import machine
print("all is well")
def deeper():
    raise ValueError("the third card")
deeper()
""")
    with pytest.raises(DeviceError) as fallen:
        device.run()
    text = str(fallen.value)
    assert 'File "main.py", line 5, in deeper' in text and text.endswith("ValueError: the third card")
    assert "all is well" not in text and device.exit_code and not device.is_on


TAKES = """
for kb in (30, 50, 70):
    try:
        kept = bytearray(kb * 2048)
        print(kb, "fits")
    except MemoryError:
        print(kb, "does not")
    kept = None
"""


def test_no_object_lies_across_two_areas_of_the_heap(start):
    """Of one area of 100 KB, and of one of 56 and one of 44, in KB of 32 bits: 50 KB fit into the first one alone."""
    told = []
    for area_kb in (0, 56, 40):
        device = start(TAKES, room_kb=100)
        device.area_kb = area_kb
        device.run()
        told.append([line.partition(" ")[2] for line in device.printed])
    assert told == [["fits"] * 3, ["fits", "fits", "does not"], ["fits", "fits", "does not"]]


def test_a_heap_that_is_too_small_is_reported(start):
    with pytest.raises(DeviceError, match="MemoryError"):
        start("held = bytearray(300_000)").run()
    with pytest.raises(DeviceError, match="(?i)memory"):
        start("", room_kb=6 - SHIMS_KB).run()


def test_a_program_that_never_asks_is_noticed(start):
    device = start("""
print("stuck here")
while True:
    pass
""")
    device.silence_s = 0.3
    with pytest.raises(DeviceError, match=r"asked nothing for 0.3 seconds.\nstuck here"):
        device.run()


def test_the_power_goes_at_any_moment_and_the_flash_stays(start, world, parts, flash):
    device = start("""
import time
from machine import Pin
pin = Pin(4, Pin.OUT, value=0)
with open("journal", "a") as journal:
    for line in range(1000):
        journal.write("line %d at %d" % (line, time.ticks_ms()) + chr(10))
        journal.flush()
        time.sleep_ms(10)
        pin.value()
""")
    assert device.run(lambda: world.now_us >= 95_000)
    device.power_off()
    device.power_off()
    first = (flash / "journal").read_text().splitlines()
    assert len(first) == 10 and not device.is_on
    assert [entry[2] for entry in parts.log if entry[1] == "reader 1"] == ["select", "deselect", "power"]
    assert device.run(lambda: world.now_us >= 205_000)
    second = (flash / "journal").read_text().splitlines()[10:]
    # A device that gets power again begins its ticks anew, on a tick of the world's time.
    assert device.boots == 2 and second[0] == "line 0 at 0" and len(second) == 10
    assert [entry[2:] for entry in parts.log if entry[1] == "reader 1"][3:] == [("power", True), ("select",)]


def test_only_its_own_process_is_ended(start):
    one, other = start("import time\nwhile True: time.sleep(1)"), start("import time\nwhile True: time.sleep(1)")
    one.run(lambda: True)
    other.run(lambda: True)
    one.power_off()
    assert other.run(lambda: other.world.now_us > 5_000_000)


def test_a_process_that_somebody_else_ends_is_reported(start):
    device = start("import time\nprint('last words')\nwhile True: time.sleep(1)")
    device.run(lambda: True)
    device._process.kill()
    device._process.wait()
    with pytest.raises(DeviceError, match="ended with code -9.\nlast words"):
        device.run()
    assert not device.is_on


def test_a_device_whose_host_is_gone_ends(start):
    device = start("import time\nwhile True: time.sleep(1)")
    device.run(lambda: True)
    process = device._process
    from_device, to_device, _ = device._ends
    os.close(from_device)
    os.close(to_device)
    device._ends = (os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_RDONLY), device._ends[2])
    assert wait_for(lambda: process.poll() is not None, "the test", "a device whose host is gone to end")
    assert process.returncode != 0


def test_real_time_holds_the_virtual_one_back(start, world):
    device = start("import time\nwhile True: time.sleep_ms(10)")
    device.run(lambda: world.now_us >= 100_000)
    device.clock = clock = SleptClock()
    first_us = world.now_us
    device.run(lambda: world.now_us >= first_us + 1_000_000, real_time_speed=5)
    assert clock.slept_s == pytest.approx(0.2, abs=0.015)
    # A speed of 0 is a pause; somebody who watches is still asked.
    asked, still_us = [], world.now_us
    assert device.run(lambda: asked.append(world.now_us) or len(asked) > 5, real_time_speed=0)
    assert set(asked) == {still_us}


def test_a_micropython_that_is_not_there_is_named(world, flash, tmp_path, shims):
    with pytest.raises(DeviceError, match="cannot be started: .*no-such-program"):
        Device(world, flash, tmp_path, shims, micropython=tmp_path / "no-such-program").run()
