"""The ESP32's modules on virtual chips: what a program costs, what chips see and when, on both interpreters."""

import sys
from types import ModuleType

import pytest

from host_tools.base.project import SHIMS
from host_tools.virtual.device import DeviceError
from host_tools.virtual.in_process import load
from host_tools.virtual.world import WiringError, World
from tests.host_tools.virtual.conftest import RUNTIMES, TOY_BOARD, ToyParts


BUS = """
from machine import I2C, SPI, Pin, Timer
import time
select = Pin(4, Pin.OUT, value=1)
spi = SPI(2, baudrate=5_000_000, sck=Pin(18), mosi=Pin(23), miso=Pin(19))
"""


def of(log, name):
    """What one chip has seen after it got power."""
    return [entry for entry in log if entry[1] == name and entry[2] != "power"]


def test_an_spi_transaction_costs_28_us_and_its_bits(run, parts):
    run(BUS + """
select(0)
spi.write(b"12345")
select(1)
answer = bytearray(2)
select(0)
spi.write_readinto(b"\\x01\\x02", answer)
spi.readinto(answer, 0x55)
select(1)
print(answer, spi.read(1))
""")
    # Making the select pin an output costs 1 us; five bytes at 5 MHz are 8 us.
    assert of(parts.log, "reader 1") == [
        (2, "reader 1", "select"), (38, "reader 1", "spi", b"12345"), (39, "reader 1", "deselect"),
        (40, "reader 1", "select"), (72, "reader 1", "spi", b"\x01\x02"), (104, "reader 1", "spi", b"\x55\x55"),
        (105, "reader 1", "deselect"),
    ]


def test_what_a_chip_answers_comes_back_and_nobody_answers_all_ones(run):
    assert run(BUS + """
answer = bytearray(3)
select(0)
spi.write_readinto(b"\\x00\\x01\\xfe", answer)
select(1)
print(list(answer), list(spi.read(2)))
spi.write_readinto(answer, answer)
print(list(answer))
""") == ["[255, 254, 1] [255, 255]", "[255, 255, 255]"]


def test_an_i2c_write_costs_30_us_and_nine_bits_a_byte_with_its_address(run, parts):
    assert run("""
from machine import I2C, Pin
i2c = I2C(0, scl=Pin(22), sda=Pin(21), freq=400_000)
print(i2c.writeto(0x3C, b"abc"), i2c.writevto(0x3C, (b"\\x40", bytearray(b"xy"))), i2c.readfrom(0x3C, 2))
""") == ["3 3 b'\\x01\\x02'"]
    # Four bytes of nine bits at 400 kHz are 90 us, three are 67.5.
    assert of(parts.log, "screen") == [
        (120, "screen", "write", b"abc"), (240, "screen", "write", b"\x40xy"), (338, "screen", "read", 2)]


def test_i2c_without_an_acknowledge_is_errno_19(run):
    assert run("""
from machine import I2C, Pin, SoftI2C
for i2c in (I2C(0, scl=Pin(22), sda=Pin(21)), SoftI2C(scl=Pin(22), sda=Pin(21))):
    for act in (lambda: i2c.writeto(0x3D, b"a"), lambda: i2c.readfrom(0x3D, 1), lambda: i2c.writeto(0x3C, b"\\xee")):
        try:
            act()
        except OSError as error:
            print(error.errno)
    print([hex(address) for address in i2c.scan()])
""") == ["19", "19", "19", "['0x3c']"] * 2


def test_a_strip_takes_its_bytes_green_first_in_30_us_a_light_and_50_us_of_latch(run, parts):
    assert run("""
from machine import Pin
from neopixel import NeoPixel
import time
strip = NeoPixel(Pin(33, Pin.OUT), 2)
strip[0] = (1, 2, 3)
strip.fill((9, 8, 7))
strip[1] = (4, 5, 6)
before = time.ticks_us()
strip.write()
print(strip[0], strip[1], len(strip), strip.buf, time.ticks_us() - before)
""") == ["(9, 8, 7) (4, 5, 6) 2 bytearray(b'\\x08\\t\\x07\\x05\\x04\\x06') 111"]
    assert of(parts.log, "lights") == [(1, "lights", "write", b"\x08\x09\x07\x05\x04\x06")]


def test_an_output_drives_its_latch_and_an_input_lets_go(run, parts, world):
    world.inputs[35] = 1
    assert run("""
from machine import Pin
reset = Pin(27)
reset.value(1)
reset.init(Pin.OUT)
reset.off()
print(reset(), reset.value(), Pin(35, Pin.IN)(), Pin(36, Pin.IN)(), Pin(25, Pin.IN, Pin.PULL_UP)())
reset.on()
reset(0)
reset.init(Pin.IN)
Pin(32, Pin.OUT)
""") == ["0 0 1 0 1"]
    levels = [entry[3] for entry in parts.log if entry[1:3] == ("reader 1", "reset")]
    assert levels == [0, 1, 0, 1]
    # A pin that becomes an output before it was told a level pulls low at once.
    assert [entry[2:] for entry in parts.log if entry[1] == "buttons"] == [("latch", 0), ("latch", 1)]


def test_a_rom_is_programmed_only_where_it_was_erased(tmp_path, monkeypatch):
    """esp_partition_write clears bits, and sets none: what is written over something is spoilt."""
    monkeypatch.setitem(sys.modules, "vfs", ModuleType("vfs"))
    partition = load("rom", SHIMS / "rom.py").Partition(8192)
    partition.open(str(tmp_path / "rom"))
    partition.writeblocks(0, b"abc", 10)
    with pytest.raises(AssertionError, match="block 0 is programmed where it was not erased"):
        partition.writeblocks(0, b"xyz", 12)
    partition.ioctl(6, 0)
    partition.writeblocks(0, b"xyz", 12)
    partition.writeblocks(0, bytes(4096))
    assert bytes(memoryview(partition)[:14]) == bytes(14) and (tmp_path / "rom").stat().st_size == 8192


def test_pwm_reaches_the_buzzer(run, world):
    seen = []
    run("""
from machine import PWM, Pin
tone = PWM(Pin(2), freq=440, duty=512)
Pin(35, Pin.IN)()
tone.freq(880)
print(tone.freq(), tone.duty_u16(), tone.duty())
tone.deinit()
Pin(35, Pin.IN)()
""", until=lambda: seen.append(world.buzzer))
    assert seen[0] == (440, 32768) and seen[1] == (0, 0)


def test_a_bus_that_the_board_does_not_have_is_refused(run):
    wrong = (DeviceError, WiringError)  # of a process, and in this one
    with pytest.raises(wrong, match="no SPI bus on sck 18, mosi 23, miso 20"):
        run("from machine import SPI, Pin\nSPI(2, sck=Pin(18), mosi=Pin(23), miso=Pin(20)).read(1)")
    with pytest.raises(wrong, match="no I2C bus on scl 22, sda 23"):
        run("from machine import I2C, Pin\nI2C(0, scl=Pin(22), sda=Pin(23)).scan()")
    with pytest.raises(wrong, match="mode 3"):
        run("from machine import SPI\nSPI(2, polarity=1, phase=1).read(1)")


def test_sleeping_is_exact_and_looking_at_the_clock_costs_a_microsecond(run):
    assert run("""
import time
start = time.ticks_us()
time.sleep_us(17)
time.sleep_ms(3)
time.sleep(0.25)
print(time.ticks_us() - start, time.ticks_diff(time.ticks_us(), start), time.time(), time.time_ns())
while time.ticks_ms() < 400:
    pass
print(time.ticks_us())
""") == ["253018 253019 0 253020000", "400001"]


def test_a_timer_is_called_at_its_exact_time_while_the_program_sleeps(run):
    assert run("""
from machine import Timer
import time
times = []
timer = Timer(0, period=5, callback=lambda timer: times.append(time.ticks_us()))
time.sleep_ms(12)
time.sleep_ms(8)
timer.deinit()
timer.deinit()
time.sleep_ms(20)
once = Timer(1)
once.init(period=7, mode=Timer.ONE_SHOT, callback=lambda timer: times.append(time.ticks_us()))
fast = Timer(2, freq=100, callback=lambda timer: times.append(time.ticks_us()))
time.sleep_ms(20)
print(times)
""") == ["[5001, 10001, 15001, 20001, 47002, 50002, 60002]"]


def test_a_timer_due_within_a_transaction_is_called_right_after_it_and_never_nested(run, parts):
    assert run(BUS + """
running = []
def slow(timer):
    running.append("begin")
    spi.write(bytes(1500))
    running.append("end")
Timer(0, period=1, callback=slow)
spi.write(bytes(1250))
spi.write(bytes(1))
print(running)
""") == ["['begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'end']"]


def test_an_error_in_a_timers_callback_ends_the_program(make_device):
    program = """
from machine import Timer
import time
Timer(0, period=5, callback=lambda timer: 1 // 0)
time.sleep_ms(50)
"""
    with pytest.raises(ZeroDivisionError):
        make_device(program, "cpython").run()
    if "micropython" in RUNTIMES:
        with pytest.raises(DeviceError, match="ZeroDivisionError"):
            make_device(program, "micropython").run()


def test_asyncio_waits_end_on_the_ten_millisecond_tick(run):
    # RUNTIME section 8: waiting for 1 ms may take 10.
    assert run("""
import asyncio, time
woken = []
async def sleeper(name, ms):
    for _ in range(3):
        await asyncio.sleep_ms(ms)
        woken.append((name, time.ticks_us() // 100 / 10))
async def main():
    await asyncio.gather(sleeper("a", 1), sleeper("b", 10), sleeper("c", 11))
    time.sleep_us(500)
    await asyncio.sleep_ms(10)
    woken.append(time.ticks_us() // 100 / 10)
    await asyncio.sleep(0.02)
    woken.append(time.ticks_us() // 100 / 10)
asyncio.run(main())
print(woken)
""") == [
        "[('a', 10.0), ('b', 10.0), ('c', 20.0), ('a', 20.0), ('b', 20.0), ('a', 30.0), ('b', 30.0), ('c', 40.0), "
        "('c', 60.0), 70.0, 90.0]"
    ]


def test_a_timers_interrupt_ends_an_asyncio_wait_whose_time_is_over(run):
    """extmod/modselect.c looks at the time after each wake-up, and machine_timer.c wakes the task: not before the time
    is over, and no later than the tick. What was slept through `time` still ends exactly (mphalport.c)."""
    assert run("""
import asyncio, time
from machine import Timer
woken = []
def scan(timer):
    time.sleep_us(100)
Timer(0, period=3, callback=scan)
async def main():
    for ms in (1, 3, 4, 8):
        await asyncio.sleep_ms(ms)
        woken.append(time.ticks_us() // 100 / 10)
    time.sleep_ms(2)
    woken.append(time.ticks_us() // 100 / 10)
asyncio.run(main())
print(woken)
""") == ["[3.1, 6.1, 10.0, 18.1, 20.1]"]


def test_a_uart_takes_128_bytes_at_once_and_11_a_millisecond_behind_them(run):
    """ports/esp32/uart.c: the end of a line is two bytes."""
    assert run("""
import time
times = [time.ticks_us()]
print("x" * 126)
print("x" * 98)
times.append(time.ticks_us())
time.sleep_ms(20)
print("x" * 98)
times.append(time.ticks_us())
print(times)
""")[-1] == "[1, 8702, 28703]"


def test_a_program_that_only_prints_lets_time_be_seen(run, world):
    """Who holds it back to a pace has to learn of it: a line takes 8.7 ms."""
    seen = [0]
    run("for number in range(60):\n    print('x' * 98)\n", until=lambda: seen.append(world.now_us))
    assert seen[-1] > 400_000 and max(after - before for before, after in zip(seen, seen[1:], strict=False)) < 70_000


def test_a_flag_set_by_a_timer_wakes_its_task_at_once(run):
    assert run("""
import asyncio, time
from machine import Timer
flag = asyncio.ThreadSafeFlag()
Timer(0, period=7, callback=lambda timer: flag.set())
async def main():
    for _ in range(3):
        await flag.wait()
        print(time.ticks_us())
    flag.set()
    flag.clear()
    await asyncio.wait_for_ms(flag.wait(), 100)
    print(time.ticks_us())
asyncio.run(main())
""") == ["7001", "14001", "21001", "28001"]


def test_waiting_is_given_up_on_the_tick(run):
    assert run("""
import asyncio, time
async def never():
    await asyncio.sleep_ms(100_000)
async def main():
    for wait in (lambda: asyncio.wait_for_ms(never(), 15), lambda: asyncio.wait_for(never(), 0.015)):
        try:
            await wait()
        except asyncio.TimeoutError:
            print("given up", time.ticks_us())
asyncio.run(main())
""") == ["given up 20001", "given up 40001"]


def test_a_program_that_only_switches_tasks_comes_to_an_end(run):
    assert run("""
import asyncio
from machine import Timer
done = []
async def main():
    while not done:
        await asyncio.sleep_ms(0)
    print("done")
Timer(0, period=50, callback=lambda timer: done.append(1))
asyncio.run(main())
""") == ["done"]


def test_a_wait_that_nothing_can_end_is_an_error(make_device):
    program = """
import asyncio
asyncio.run(asyncio.ThreadSafeFlag().wait())
"""
    with pytest.raises(RuntimeError, match="nothing can ever wake"):
        make_device(program, "cpython").run()
    if "micropython" in RUNTIMES:
        with pytest.raises(DeviceError, match="nothing can ever wake"):
            make_device(program, "micropython").run()


def test_ticks_wrap_around_at_2_to_the_30th_and_asyncio_does_not_mind(run):
    assert run("""
import asyncio, time
start = time.ticks_ms()
order = []
async def sleeper(ms):
    await asyncio.sleep_ms(ms)
    order.append((ms, time.ticks_diff(time.ticks_ms(), start)))
async def main():
    await asyncio.gather(sleeper(500), sleeper(20), sleeper(60), sleeper(300))
asyncio.run(main())
print(start, time.ticks_ms(), time.ticks_add(start, 50), order)
""", ticks_start_ms=(1 << 30) - 40) == ["1073741784 460 10 [(20, 20), (60, 60), (300, 300), (500, 500)]"]


def test_microsecond_ticks_wrap_around_with_the_milliseconds(run):
    assert run("""
import time
start = time.ticks_us()
time.sleep_ms(10)
print(start, time.ticks_us(), time.ticks_diff(time.ticks_us(), start))
""", ticks_start_ms=(1 << 30) // 1000) == ["1073741001 9178 10002"]


def test_a_reset_starts_the_program_anew_and_says_why(run, flash, parts):
    assert run("""
import machine, time
with open("boots", "a") as file:
    file.write("x")
with open("boots") as file:
    boots = len(file.read())
print(boots, machine.reset_cause(), time.ticks_ms(), machine.unique_id())
machine.Pin(4, machine.Pin.OUT, value=0)
if boots == 1:
    time.sleep_ms(33)
    try:
        machine.reset()
    finally:
        # As on the chip nothing more of this program reaches a pin.
        pass
elif boots == 2:
    dog = machine.WDT(timeout=100)
    for _ in range(5):
        time.sleep_ms(90)
        dog.feed()
    print("fed")
    time.sleep_ms(110)
    print("starved")
""") == ["1 1 0 b'card\\x00\\x01'", "2 2 0 b'card\\x00\\x01'", "fed", "3 3 0 b'card\\x00\\x01'"]
    assert (flash / "boots").read_text() == "xxx"
    # A reset lets go of the pins and leaves the chips their power.
    assert [entry[2] for entry in parts.log if entry[1] == "reader 1"][:4] == ["select", "deselect"] * 2


MIXED = """
import asyncio, time
from machine import I2C, SPI, Pin, Timer
selects = [Pin(4, Pin.OUT, value=1), Pin(5, Pin.OUT, value=1)]
spi = SPI(2, baudrate=5_000_000, sck=Pin(18), mosi=Pin(23), miso=Pin(19))
buttons = SPI(1, baudrate=1_000_000, sck=Pin(14), mosi=Pin(13), miso=Pin(34))
i2c = I2C(0, scl=Pin(22), sda=Pin(21))
latch = Pin(32, Pin.OUT, value=1)
levels = bytearray(2)
flag = asyncio.ThreadSafeFlag()
scans = 0
chance = 12345

def draw(limit):
    global chance
    chance = (chance * 1103515245 + 12345) & 0x3FFFFFFF
    return (chance >> 8) % limit

def scan(timer):
    global scans
    latch(0)
    latch(1)
    buttons.readinto(levels)
    scans += 1
    if draw(5) == 0:
        flag.set()

async def reader(index):
    frame = bytearray(3)
    for turn in range(60):
        select = selects[index]
        for _ in range(draw(4)):
            select(0)
            spi.write(frame)
            select(1)
        select(0)
        spi.write_readinto(frame, frame)
        select(1)
        frame[draw(3)] = draw(256)
        if draw(4) == 0:
            time.sleep_us(draw(3000))
        await asyncio.sleep_ms(draw(25))
    print("reader", index, time.ticks_us())

async def screen():
    while True:
        await flag.wait()
        i2c.writeto(0x3C, bytes(draw(100)))
        print("screen", time.ticks_us())

async def main():
    asyncio.create_task(screen())
    await asyncio.gather(reader(0), reader(1))

Timer(0, period=5, callback=scan)
asyncio.run(main())
print(scans, time.ticks_us())
"""


def watch_and_act(world, log):
    """Somebody who acts at odd times and answers what the screen shows."""
    for turn in range(40):
        yield 13_337
        world.put(1, turn)
        yield lambda: any(entry[1] == "screen" for entry in log[-40:])
        world.press(2, "OK")


def test_every_run_sees_the_same_world_at_the_same_times_on_either_interpreter(make_device):
    seen = []
    for runtime in RUNTIMES + RUNTIMES[-1:]:
        parts = ToyParts()
        world = World(TOY_BOARD, chips=parts)
        world.people.add(watch_and_act(world, parts.log))
        device = make_device(MIXED, runtime, on_world=world)
        assert not device.run()
        seen.append((parts.log, device.printed, world.now_us))
    assert len(seen[0][0]) > 1000 and any(entry[2] == "press" for entry in seen[0][0])
    assert all(one == seen[0] for one in seen)
