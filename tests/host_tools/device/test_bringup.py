"""The first day of a table, with a fault at each step: the step says what to measure, and can be taken again."""

import os
import shutil

import pytest
import serial.tools.list_ports

from boards import virtual
from host_tools.board.load import load, names
from host_tools.cli import run
from host_tools.device import about
from host_tools.device.bringup import STEPS, Day
from host_tools.device.measure import say_where
from host_tools.device.package import build_package
from host_tools.device.table import Table, TableError
from host_tools.errors import UnusableInput
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from tests.conftest import ROOT
from tests.host_tools.device.toy import SPEED, toy



@pytest.fixture
def board(tmp_path, shims, deployed):
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=SPEED) as board:
        yield board


class Maker:
    """What a day says and asks; `does` is what a person does when asked."""

    def __init__(self, board, port="", **more):
        self.said, self.asked, self.does = [], [], lambda: None
        self.day = Day(board, port, None, build_package("virtual"), self.said.append, self.ask, **more)

    def ask(self, text):
        self.asked.append(text)
        self.does()

    def step(self, name):
        """What the step says."""
        return STEPS[name][1](self.day)

    def fails(self, name):
        """The sentences of a step that fails."""
        with pytest.raises((TableError, UnusableInput)) as wrong:
            self.step(name)
        return str(wrong.value)


def ports(monkeypatch, *names):
    class Port:
        vid = 1

        def __init__(self, device):
            self.device = device

    monkeypatch.setattr(serial.tools.list_ports, "comports", lambda: [Port(name) for name in names])


def test_the_port_is_found_or_named(monkeypatch):
    ports(monkeypatch)
    assert "a cable that carries data" in Maker(virtual).fails("port")
    ports(monkeypatch, "/dev/ttyUSB0", "/dev/ttyACM0")
    assert "several ports: /dev/ttyUSB0, /dev/ttyACM0" in Maker(virtual).fails("port")
    ports(monkeypatch, "/dev/ttyUSB0")
    assert Maker(virtual).step("port") == "the table is at /dev/ttyUSB0"


def test_a_chip_without_micropython_gets_an_image_or_says_what_to_press(tmp_path, monkeypatch):
    tool = tmp_path / "esptool"
    tool.write_text("#!/bin/sh\nexit 2\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    maker = Maker(load("esp32s3_4seat"), "/dev/no-such-port")
    assert "Hold BOOT, press RESET" in maker.fails("chip")
    assert maker.said == ["No MicroPython answers there, so it is written now."]


@pytest.mark.micropython
def test_the_day_of_a_table_with_a_fault_at_each_step(board, monkeypatch):
    """One table: each step fails once with where to look, is mended, and taken again."""
    maker = Maker(virtual, board.port, patience_s=120.0)
    # chip: too little memory
    board.chip_heap = "56000 55936"
    board.pull_plug()
    board.plug_in()
    maker.day.port = board.port
    assert "the largest game needs 137 KB" in maker.fails("chip")
    board.chip_heap = ""
    board.pull_plug()
    board.plug_in()
    maker.day.port = board.port
    assert maker.step("chip").startswith("MicroPython 1.29")
    # deploy: an application that does not start, then the right one
    good = maker.day.package
    maker.day.package = toy(2, "def main(come_up):\n    raise ValueError('at once')\n")
    assert "does not start" in maker.fails("deploy")
    maker.day.package = good
    assert maker.step("deploy") == "the application has come up"
    # doctor: a reader without supply
    board.call(lambda: board.world.readers[2].unplug())
    wrong = maker.fails("doctor")
    assert "Reader 3 does not answer" in wrong and "Measure: At reader 3: 3.3 V against ground" in wrong
    board.call(lambda: board.world.readers[2].plug())
    assert maker.step("doctor") == "the doctor found nothing wrong"
    # key and deck: nobody taps; then they lie there
    assert "no key yet" in maker.fails("key") and maker.asked[-1].startswith("Tap the tag")
    maker.does = lambda: put(board, {"/tags.txt": "04A1B2C3D4E5F0 arbiter\n"})
    assert maker.step("key") == "the table has an arbiter's key"
    lines = deck_lines()
    maker.does = lambda: put(board, {"/deck.txt": "".join(lines[5:])})
    assert "cards have no tag yet: " in maker.fails("deck")
    maker.does = lambda: put(board, {"/deck.txt": "".join(lines)})
    assert maker.step("deck") == "36 cards and more have a tag"


def put(board, files):
    """Copy files onto the table, as a computer does, and let it go on."""
    with Table(board.port) as table:
        table.stop()
        for name, text in files.items():
            table.write(name, text.encode())


def test_a_step_that_fails_says_how_to_take_it_again(monkeypatch, capsys):
    def fail(day):
        raise TableError("Reader 3 is cold.")

    monkeypatch.setitem(STEPS, "doctor", ("Look", fail))
    assert run(["device", "bringup", "--board", "virtual", "--port", "/dev/x", "--step", "doctor"]) == 1
    wrong = capsys.readouterr().err
    assert "cold" in wrong and "bringup --board virtual --port /dev/x --step doctor" in wrong


def test_the_doctors_questions_name_what_to_measure(monkeypatch):
    """A button without a wire, a dark light and a mute buzzer."""
    lines = [f"! {words}" for words in (
        "Button NO of seat 5 was not felt: check", "The light of seat 6 does not shine: check", "The buzzer is mute: x"
    )]
    monkeypatch.setattr(about, "examine", lambda table, asks, hear: [hear(line) for line in lines])
    monkeypatch.setattr("host_tools.device.bringup.Table", FakeTable)
    wrong = Maker(load("esp32s3_4seat"), "x").fails("parts")
    assert "3.3 V open, 0 V pressed" in wrong and "At light 6: 4.3 V" in wrong and "GPIO 47 and the" in wrong


@pytest.mark.parametrize(("lines", "sentence"), [
    ((), "No card was accepted. A red light"),
    (("boot: power", "1.203 1 ! T3 Finish the deal first ~ f39dd6a4d0c35dbb"), "No card was accepted"),
    (("boot: power", "fault: Silent reader 3"), "`--step doctor` looks at its parts"),
    (("boot: power", "1.231 1 draw ?? ~ e72037b8b755df9c"), ""),
])
def test_the_first_hand_is_an_accepted_card_on_the_feed(monkeypatch, lines, sentence):
    monkeypatch.setattr("host_tools.device.bringup.Table", FakeTable)
    monkeypatch.setattr(FakeTable, "says", lines)
    maker = Maker(virtual, "x")
    if sentence:
        assert sentence in maker.fails("play")
    else:
        assert maker.step("play") == "the table plays"


class FakeTable:
    """A table that stops, and says some lines once it is reset."""

    says = ()

    def __init__(self, port):
        pass

    def reset(self):
        pass

    def lines(self, seconds):
        return iter(self.says)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def stop(self):
        pass


@pytest.mark.parametrize("name", names())
def test_every_finding_of_the_doctor_about_a_wire_says_where_to_measure(name):
    """With pins of the board; what is worn out, a copy or a file has no place for a meter."""
    words = dict(line.split("=", 1) for line in (ROOT / "firmware/cardtable/words/doctor.en").read_text().splitlines())
    for key in ("reader_dead", "reader_version", "reader_hung", "reader_gain", "reader_holds", "bus_held", "bus_open",
                "bus_slow", "screen_silent", "screen_dark", "chain", "stuck", "button_dead", "button_other",
                "light_dark", "sound_mute", "no_card", "reader_weak"):
        finding = words["D." + key].replace("%d", "3").replace("%s", "NO").replace("0x%02x", "0x12")
        where = say_where(load(name), finding)
        assert where and "#" not in where and "its pin" not in where, (key, where)
