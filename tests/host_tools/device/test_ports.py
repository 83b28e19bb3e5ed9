"""Serial ports by name: of Linux as they are, of Windows with a registry that is made here (nobody has tried one)."""

import os
import sys
import types

import pytest
import serial
from click.testing import CliRunner
from mpremote import transport_serial

from host_tools.cli import cardtable
from host_tools.commands import watch as watch_command
from host_tools.maker.device import ports
from host_tools.maker.device.table import Table
from host_tools.base.errors import UnusableInput


@pytest.fixture
def windows(monkeypatch):
    """A machine that says it runs Windows."""
    monkeypatch.setattr(ports, "is_windows", lambda: True)


@pytest.fixture
def registry(monkeypatch):
    """These rows in its registry."""
    rows = [("\\Device\\Serial0", "COM1", 1), ("\\Device\\Silabser0", "COM12", 1), ("\\Device\\USBSER000", "COM3", 1),
            ("\\Device\\BthModem0", "COM4", 1)]

    class Key:
        def __enter__(self):
            return rows

        def __exit__(self, *_):
            return None

    registry = types.SimpleNamespace(
        HKEY_LOCAL_MACHINE=0, OpenKey=lambda root, path: Key(), QueryInfoKey=lambda key: (0, len(key), 0),
        EnumValue=lambda key, at: key[at],
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "winreg", registry)
    return registry


@pytest.mark.parametrize(("name", "is_one"), [
    ("COM3", True), ("com12", True), ("COM3:", True), ("\\\\.\\COM10", True), ("COM0", False), ("COM", False),
    ("COM3.txt", False), ("COMMON", False), ("/dev/ttyUSB0", False), ("", False), ("COM1234", False),
])  # fmt: skip
def test_windows_ports_have_names(windows, name, is_one):
    assert ports.is_port(name) is is_one


def test_windows_ports_are_opened_and_listed(windows, registry):
    assert ports.list_ports() == ["COM3", "COM12"]
    assert ports.open_name("com3") == "com3" and ports.open_name("COM12:") == "\\\\.\\COM12"
    assert ports.open_name("\\\\.\\COM12") == "\\\\.\\COM12" and ports.open_name("/dev/tty") == "/dev/tty"

    def fail(root, path):
        raise FileNotFoundError(path)

    registry.OpenKey = fail
    assert ports.list_ports() == []


def test_watch_takes_a_windows_port_by_its_name(windows, monkeypatch):
    """No file of that name has to be there."""
    asked = []

    async def serve(site, watch, hub, app, source, *more):
        asked.append(source)
        return 0

    monkeypatch.setattr(watch_command, "serve", serve)
    done = CliRunner().invoke(cardtable, ["watch", "COM3", "--no-browser"], standalone_mode=False)
    assert done.exception is None and asked == ["COM3"]


def test_elsewhere_a_port_is_a_device_of_characters(tmp_path):
    (tmp_path / "COM3").write_text("")
    assert ports.is_port("/dev/null") and not ports.is_port(str(tmp_path / "COM3")) and not ports.is_port("COM3")
    (tmp_path / "link").symlink_to("/dev/null")
    assert ports.open_name(str(tmp_path / "link")) == "/dev/null"


def test_a_port_that_is_taken_for_a_moment_is_waited_for(monkeypatch):
    """A desktop looks at each port that has just come; who keeps it is told of."""
    theirs, ours = os.openpty()
    port = os.ttyname(ours)
    holder = serial.Serial(port, exclusive=True)
    tried = []

    def sleep(seconds):
        tried.append(seconds)
        if not is_kept:
            holder.close()

    monkeypatch.setattr(transport_serial.time, "sleep", sleep)
    table = Table(port)
    is_kept = True
    with pytest.raises(UnusableInput, match="nobody else at its port"):
        table.__enter__()
    is_kept, count = False, len(tried)
    transport = table.__enter__()._transport
    transport.serial.close()
    os.close(theirs)
    os.close(ours)
    assert count > 1 and len(tried) == count + 1


def test_a_cable_that_is_pulled_while_its_port_is_opened_is_told_of_in_words(monkeypatch):
    """The terminal's error is none of the operating system's: it ended a bridge's look at that port for ever."""
    theirs, ours = os.openpty()
    port = os.ttyname(ours)
    os.close(ours)
    ask = serial.serialposix.termios.tcgetattr

    def ask_and_pull(descriptor):
        told = ask(descriptor)
        os.close(theirs)
        return told

    monkeypatch.setattr(serial.serialposix.termios, "tcgetattr", ask_and_pull)
    with pytest.raises(UnusableInput, match="is the table.s cable in"):
        Table(port).__enter__()


def test_a_port_that_the_user_may_not_use_is_told_of_with_the_cure(monkeypatch):
    """The first thing that goes wrong on Linux: mpremote says that another program may have the port."""
    theirs, ours = os.openpty()
    port = os.ttyname(ours)

    def refuse(*_, **__):
        raise PermissionError(13, f"could not open port {port}: Permission denied")

    monkeypatch.setattr(transport_serial.serial, "serial_for_url", refuse)
    monkeypatch.setattr(transport_serial.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(os, "access", lambda name, mode: name != port)
    with pytest.raises(UnusableInput, match="group dialout"):
        Table(port).__enter__()
    os.close(theirs)
    os.close(ours)
