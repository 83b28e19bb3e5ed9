"""The device inside this Python: it comes, and it goes without a trace."""

import asyncio
import contextlib
import io
import logging
import sys
import threading
import time

import pytest

from host_tools.virtual import in_process
from host_tools.virtual.in_process import PowerCut
from host_tools.virtual.world import World
from tests.host_tools.virtual.conftest import TOY_BOARD, ToyParts


def surroundings():
    names = ("machine", "neopixel", "micropython", "board", "port", "virtual_clock", "select", "time")
    return (
        {name: sys.modules.get(name) for name in names},
        {name: getattr(time, name) for name in dir(time)},
        {name: getattr(asyncio, name) for name in dir(asyncio)},
        sys.path[:],
        sys.stdout,
    )


def test_after_uninstall_everything_is_as_it_was(world):
    before = surroundings()
    in_process.install(world)
    import machine

    assert time.ticks_ms() == 0 and sys.modules["board"] is TOY_BOARD and asyncio.sleep_ms
    assert machine.Pin(35, machine.Pin.IN)() == 0
    in_process.uninstall()
    in_process.uninstall()
    assert surroundings() == before


def test_after_an_error_everything_is_as_it_was(world, make_device):
    before = surroundings()
    with pytest.raises(ZeroDivisionError):
        make_device("import asyncio\nasync def main():\n    1 // 0\nasyncio.run(main())", "cpython").run()
    with pytest.raises(KeyError), in_process.installed(world):
        raise KeyError
    assert surroundings() == before


def test_there_is_one_device_at_a_time(world):
    with in_process.installed(world):
        with pytest.raises(RuntimeError, match="already"):
            in_process.install(world)
        assert time.ticks_us() == 1


def test_other_threads_keep_their_time(world):
    """A nap of another thread lets no virtual time pass, and its event loop is no device's."""
    told = []

    def nap():
        time.sleep(0.001)
        told.append((time.time(), asyncio.run(asyncio.sleep(0, "slept"))))

    with in_process.installed(world):
        thread = threading.Thread(target=nap)
        thread.start()
        thread.join()
        assert time.ticks_us() == 1 and time.time() == 0
        asyncio.run(asyncio.sleep(2))
        assert time.time() == 2
    assert told[0][0] > 1e9 and told[0][1] == "slept"


def test_a_task_on_its_way_out_of_a_reset_reaches_no_pin(world, parts, make_device):
    """As on a chip, whose pins let go with the reset."""
    make_device(
        """
        import asyncio, machine, neopixel
        async def other():
            strip = neopixel.NeoPixel(machine.Pin(33), 2)
            strip.write()
            try:
                await asyncio.sleep_ms(500)
            finally:
                strip.write()
        async def main():
            task = asyncio.create_task(other())
            await asyncio.sleep_ms(10)
            machine.reset()
        if machine.reset_cause() == machine.PWRON_RESET:
            asyncio.run(main())
        """, "cpython").run()
    assert [what for _, name, what, *_ in parts.log if name == "lights"] == ["write"]


def test_firmware_that_is_imported_once_works_with_every_device(make_device, tmp_path, monkeypatch):
    (tmp_path / "toy_driver.py").write_text(
        "from machine import Pin\nfrom time import ticks_ms\nimport asyncio\n"
        "async def look():\n    await asyncio.sleep_ms(25)\n    return Pin(35, Pin.IN).value(), ticks_ms()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for level in (0, 1, 0):
        world = World(TOY_BOARD, chips=ToyParts())
        world.inputs[35] = level
        device = make_device("import asyncio, toy_driver\nprint(asyncio.run(toy_driver.look()))", "cpython", world)
        device.run()
        assert device.printed == [f"({level}, 30)"]
    del sys.modules["toy_driver"]


def test_a_power_cut_ends_all_tasks_where_they_are_and_nothing_is_said(make_device, world, parts, caplog, flash):
    device = make_device("""
import asyncio
from machine import Pin
pin = Pin(4, Pin.OUT, value=1)
async def other():
    while True:
        try:
            await asyncio.sleep_ms(10)
        finally:
            pin(0)
            open("late", "w").close()
async def falls():
    await asyncio.sleep_ms(10)
    raise ValueError
async def main():
    asyncio.create_task(other())
    while True:
        pin.value()
        await asyncio.sleep_ms(30)
asyncio.run(main())
""", "cpython")
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        assert device.run(lambda: world.now_us >= 1)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING] and not errors.getvalue()
    # A dead device's pins do nothing: what runs on its way out does not come as far as the flash.
    assert not (flash / "late").exists()
    assert not any(entry[2] == "select" for entry in parts.log)
    assert not world.powered and device.run(lambda: world.now_us >= 100_000) and device.boots == 2


def test_a_device_that_is_taken_out_reaches_no_pin_any_more(world):
    with in_process.installed(world):
        from machine import Pin

        pin = Pin(4, Pin.OUT)
    with pytest.raises(PowerCut):
        pin(1)


def test_a_block_ends_early_and_quietly_when_it_is_time(world):
    reached = []
    with in_process.installed(world, until=lambda: world.now_us > 50_000):
        while True:
            time.sleep_ms(10)
            reached.append(time.ticks_ms())
    assert reached[-1] in (40, 50, 60) and world.now_us < 70_000


def test_what_listens_may_print(make_device, capsys):
    device = make_device("print('one')\nprint('two')", "cpython", on_line=lambda line: print("heard", line))
    device.run()
    assert capsys.readouterr().out == "heard one\nheard two\n"
