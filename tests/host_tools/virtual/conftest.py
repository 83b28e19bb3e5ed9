"""Toy programs on toy chips, on both interpreters: what the tests of the virtual device share."""

import textwrap
from types import SimpleNamespace

import pytest

from host_tools.base.interpreters import find_micropython
from host_tools.virtual import image
from host_tools.virtual.device import Device
from host_tools.virtual.in_process import InProcessDevice
from host_tools.virtual.world import World

HAS_MICROPYTHON = find_micropython() is not None
RUNTIMES = ("cpython", "cpython-process", *(["micropython"] if HAS_MICROPYTHON else []))
# What only a process can show; the runner of shared tests says in its summary that MicroPython is missing.
collect_ignore = [] if HAS_MICROPYTHON else ["test_device.py", "test_image.py"]

TOY_BOARD = SimpleNamespace(
    NAME="toy",
    SEATS=2,
    SPI={
        "readers": {"id": 2, "sck": 18, "mosi": 23, "miso": 19, "baudrate": 5_000_000, "buffer": "74lvc1g125"},
        "buttons": {"id": 1, "sck": 14, "mosi": 13, "miso": 34, "baudrate": 1_000_000},
    },
    I2C={"screen": {"id": 0, "scl": 22, "sda": 21, "freq": 400_000}},
    READERS=({"chip": "toy", "spi": "readers", "select": 4}, {"chip": "toy", "spi": "readers", "select": 5}),
    READER_RESET=27,
    BUTTONS={"spi": "buttons", "latch": 32, "chips": 2, "sentinel": 0b10101010},
    LIGHTS={"pin": 33, "count": 2},
    SCREEN={"chip": "toy", "i2c": "screen", "address": 0x3C, "width": 128, "height": 64},
    BUZZER={"pin": 2},
)


class ToyChip:
    """Writes down what happens at its pins, with times; answers each byte with its complement."""

    def __init__(self, name, log):
        self.name, self.log, self.selected = name, log, False
        self.miso, self.loose_wire = None, 0.0

    def note(self, what, now_us, *more):
        self.log.append((now_us, self.name, what, *more))

    def select(self, now_us):
        self.selected = True
        self.note("select", now_us)

    def deselect(self, now_us):
        self.selected = False
        self.note("deselect", now_us)

    def exchange(self, mosi, now_us):
        if not self.selected and self.name != "buttons":
            return None
        self.note("spi", now_us, bytes(mosi))
        return bytes(0xFF - byte for byte in mosi)

    def reset_pin(self, level, now_us):
        self.note("reset", now_us, level)

    def power(self, on, now_us):
        self.note("power", now_us, on)

    def latch_pin(self, level, now_us):
        self.note("latch", now_us, level)

    def press(self, index, now_us):
        self.note("press", now_us, index)

    def release(self, index, now_us):
        self.note("release", now_us, index)

    def write(self, data, now_us):
        self.note("write", now_us, bytes(data))
        return b"\xee" not in data

    def read(self, size, now_us):
        self.note("read", now_us, size)
        return bytes(range(1, size + 1))

    def __len__(self):
        return 2

    def plug(self):
        self.note("plug", 0)

    def unplug(self):
        self.note("unplug", 0)


class ToyField:
    """A field in which tags are names."""

    def __init__(self, log):
        self.log = log

    def put(self, tag, now_us):
        self.log.append((now_us, "field", "put", tag))

    def take(self, tag, now_us):
        self.log.append((now_us, "field", "take", tag))


class ToyParts:
    """Makes toy chips that share one log."""

    def __init__(self):
        self.log = []
        self.count = 0

    def reader(self, chip, chance):
        self.count += 1
        return ToyChip(f"reader {self.count}", self.log), ToyField(self.log)

    def buttons(self, wiring, seats):
        return ToyChip("buttons", self.log)

    def lights(self, wiring):
        return ToyChip("lights", self.log)

    def screen(self, wiring):
        return ToyChip("screen", self.log)


@pytest.fixture
def parts():
    return ToyParts()


@pytest.fixture
def world(parts):
    return World(TOY_BOARD, chips=parts)


@pytest.fixture(scope="session")
def shims(tmp_path_factory):
    return image.build_shims(tmp_path_factory.mktemp("shims"))


@pytest.fixture
def flash(tmp_path):
    folder = tmp_path / "flash"
    folder.mkdir()
    return folder


@pytest.fixture
def make_device(world, flash, tmp_path, request):
    """Gives a function that makes a device with a program on an interpreter; `lines` of it are what it has printed."""
    made = []

    def make(program, runtime, on_world=None, **options):
        folder = tmp_path / "image"
        folder.mkdir(exist_ok=True)
        main = folder / "main.py"
        main.write_text(textwrap.dedent(program))
        printed = []
        options.setdefault("on_line", printed.append)
        if runtime == "cpython":
            device = InProcessDevice(on_world or world, flash, main=main, **options)
        elif runtime == "cpython-process":
            device = Device(on_world or world, flash, folder, runtime="cpython", **options)
            made.append(device)
        else:
            device = Device(on_world or world, flash, folder, request.getfixturevalue("shims"), **options)
            made.append(device)
        device.printed = printed
        return device

    yield make
    for device in made:
        device.power_off()


@pytest.fixture(params=RUNTIMES)
def run(request, make_device):
    """Gives a function that runs a program to its end on each interpreter and gives the lines it printed."""

    def run_program(program, until=None, **options):
        device = make_device(program, request.param, **options)
        device.run(until)
        return device.printed

    return run_program
