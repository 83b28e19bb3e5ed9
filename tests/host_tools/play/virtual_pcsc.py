"""The real pcscd with virtual readers (Debian's vsmartcard-vpcd), and cards that are sockets."""

import os
import shutil
import socket
import struct
import subprocess
import threading
from pathlib import Path

from host_tools.base.extras import need
from host_tools.base.errors import UnusableInput
from tests.left_out import need as need_for_tests
from tests.patience import wait_for

SOCKET = Path("/run/pcscd/pcscd.comm")
DRIVER = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
ATR = bytes.fromhex("3B8F8001804F0CA000000306030001000000006A")  # of a contactless storage card, PC/SC part 3
OFF, ON, RESET, ASK_ATR = 0, 1, 2, 4


def has_all():
    """Whether daemon, driver and pyscard are there, and this process may start a daemon of its own."""
    try:
        need("smartcard.scard", "the test")
    except UnusableInput:
        return False
    return bool(shutil.which("pcscd") and DRIVER.exists() and os.geteuid() == 0 and not SOCKET.exists())


need_for_tests("pcsc", "starts pcscd with virtual readers", has_all, "tests of readers of PC/SC",
               "As root: install Debian's pcscd and vsmartcard-vpcd, and pyscard; let no other pcscd run.")


class Daemon:
    """pcscd with so many virtual readers, each at a port of its own."""

    def __init__(self, folder, ports):
        self.folder, self.ports = folder, ports
        (folder / "reader.conf").write_text("".join(
            f'FRIENDLYNAME "Slot {index}"\nDEVICENAME /dev/null:{port:#x}\nLIBPATH {DRIVER}\nCHANNELID {port:#x}\n\n'
            for index, port in enumerate(ports)))
        self.start()

    def start(self):
        command = ["pcscd", "--foreground", "--config", str(self.folder / "reader.conf")]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(SOCKET.exists, "the test", "a daemon of PC/SC")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        SOCKET.unlink(missing_ok=True)


class Card:
    """A tag that lies on the virtual reader of that port until `take()`; `asked` once it has told its number."""

    def __init__(self, port, uid):
        self.uid, self.asked = uid, threading.Event()
        self.line = socket.create_connection(("127.0.0.1", port))
        threading.Thread(target=self._serve, daemon=True).start()

    def _read(self, size):
        data = b""
        while len(data) < size:
            more = self.line.recv(size - len(data))
            if not more:
                raise ConnectionError
            data += more
        return data

    def _serve(self):
        try:
            while True:
                question = self._read(struct.unpack(">H", self._read(2))[0])
                if len(question) == 1:
                    if question[0] == ASK_ATR:
                        self._say(ATR)
                    continue
                is_uid = question[:5] == b"\xff\xca\0\0\0" and self.uid
                self._say(self.uid + b"\x90\x00" if is_uid else b"\x6a\x81")
                if is_uid:
                    self.asked.set()
        except (OSError, ConnectionError):
            pass

    def _say(self, data):
        self.line.sendall(struct.pack(">H", len(data)) + data)

    def take(self):
        self.line.shutdown(socket.SHUT_RDWR)
        self.line.close()
