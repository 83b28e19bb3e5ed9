"""Says which names are serial ports, and finds those of USB devices, as Linux, macOS and Windows name them."""

from __future__ import annotations

import importlib
import os
import re
import stat
import sys
from pathlib import Path

_PORTS = ("ttyUSB*", "ttyACM*", "cu.usb*")
_COM = re.compile(r"(?:\\\\\.\\)?COM[1-9]\d{0,2}:?", re.IGNORECASE)  # \\.\COM10 is how Windows itself writes it
_SERIALCOMM = r"HARDWARE\DEVICEMAP\SERIALCOMM"
_NOT_USB = re.compile(r"\\Device\\(?:Serial\d|BthModem)", re.IGNORECASE)  # ports of the board, and of Bluetooth


def is_windows() -> bool:
    """Whether ports are called COM3 here. On other systems that is the name of a file."""
    return sys.platform == "win32"


def is_port(name: str) -> bool:
    """Whether a serial port has that name. Windows lists its ports in no folder, so there the name alone tells."""
    if is_windows():
        return _COM.fullmatch(name) is not None
    try:
        return stat.S_ISCHR(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


def open_name(name: str) -> str:
    """The name by which the port is opened: a link may name a pseudo terminal, and mpremote knows those by their real
    name; Windows knows ports above COM9 by a longer one."""
    if is_windows():
        plain = name.rstrip(":").upper()
        return "\\\\.\\" + plain if _COM.fullmatch(name) and plain.startswith("COM") and len(plain) > 4 else name
    return os.path.realpath(name) if os.path.exists(name) else name


def list_ports() -> list[str]:
    """The serial ports of USB devices."""
    if is_windows():
        return list_com_ports()
    return sorted(str(path) for name in _PORTS for path in Path("/dev").glob(name))


def list_com_ports() -> list[str]:
    """What Windows has registered, without ports of the board itself and of Bluetooth."""
    registry = importlib.import_module("winreg")
    try:
        with registry.OpenKey(registry.HKEY_LOCAL_MACHINE, _SERIALCOMM) as key:
            rows = [registry.EnumValue(key, index) for index in range(registry.QueryInfoKey(key)[1])]
    except OSError:  # no port was ever there
        return []
    names = [str(port) for device, port, _ in rows if not _NOT_USB.match(str(device))]
    return sorted(names, key=lambda name: (len(name), name))
