"""The real pcscd with virtual readers (Debian's vsmartcard-vpcd), and tags that are sockets."""

import os
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
from pathlib import Path

from host_tools.base.errors import UnusableInput
from host_tools.base.extras import need
from host_tools.base.locks import held
from tests.left_out import need as need_for_tests
from tests.patience import wait_for

SOCKET = Path("/run/pcscd/pcscd.comm")
DRIVER = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
LOCK = Path(tempfile.gettempdir()) / "cardtable-pcscd.lock"  # one daemon at a time: its socket is the machine's
ATR = bytes.fromhex("3B8F8001804F0CA000000306030001000000006A")  # of a contactless storage card, PC/SC part 3
OFF, ON, RESET, ASK_ATR = 0, 1, 2, 4
SLOTS = 2  # each entry of the daemon's file has two, at its port and the next
FIRST_PORT = 27101  # below those that Linux gives to connections: a slot whose port is taken is not there
FIRST, LAST = 4, 40  # the pages of an NTAG213 that everybody may write


def is_served():
    """Whether a daemon answers: one that was killed leaves its socket behind."""
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(SOCKET))
        return True
    except OSError:
        return False


def has_all():
    """Whether daemon, driver and pyscard are there, and this process may start a daemon of its own."""
    try:
        need("smartcard.scard", "the test")
    except UnusableInput:
        return False
    return bool(shutil.which("pcscd") and DRIVER.exists() and os.geteuid() == 0 and not is_served())


need_for_tests("pcsc", "starts pcscd with virtual readers", has_all, "tests of readers of PC/SC",
               "As root: install Debian's pcscd and vsmartcard-vpcd, and pyscard; let no other pcscd run.")


def names(entries):
    """The readers of so many entries, as pcscd calls them, and the port of each."""
    return {f"Slot {entry} 00 0{slot}": FIRST_PORT + 10 * entry + slot
            for entry in range(entries) for slot in range(SLOTS)}


class Daemon:
    """`with Daemon(folder, entries)`: pcscd with so many pairs of virtual readers."""

    def __init__(self, folder, entries):
        self.folder, self.entries = folder, entries
        self.lock = held(LOCK)

    def __enter__(self):
        self.lock.__enter__()
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.lock.__exit__(None, None, None)

    def start(self, entries=None):
        """entries: fewer than it has, as if the others were unplugged."""
        SOCKET.unlink(missing_ok=True)
        lines = []
        for entry in range(entries or self.entries):
            # The driver keeps two slots in variables of its own: each pair needs a copy of it.
            driver, port = self.folder / f"vpcd{entry}.so", FIRST_PORT + 10 * entry
            shutil.copy(DRIVER, driver)
            lines.append(f'FRIENDLYNAME "Slot {entry}"\nDEVICENAME /dev/null:{port:#x}\nLIBPATH {driver}\n'
                         f"CHANNELID {port:#x}\n\n")
        (self.folder / "reader.conf").write_text("".join(lines))
        command = ["pcscd", "--foreground", "--config", str(self.folder / "reader.conf")]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(is_served, "the test", "a daemon of PC/SC")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        SOCKET.unlink(missing_ok=True)


class Card:
    """A tag that lies on the virtual reader of that port until `take()`; `asked` once it has told its number. memory:
    what it holds from page 4 on, or None; what the table writes stands there."""

    def __init__(self, port, uid, memory=None):
        self.uid, self.memory, self.asked = uid, memory, threading.Event()
        self.written = 0  # pages
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
                if len(question) > 1:
                    self._say(self._answer(question))
                elif question[0] == ASK_ATR:
                    self._say(ATR)
        except (OSError, ConnectionError):
            pass

    def _answer(self, question):
        """To an APDU: PC/SC part 3, 3.2.2."""
        if question == b"\xff\xca\0\0\0" and self.uid:
            self.asked.set()
            return self.uid + b"\x90\x00"
        page, size = question[3:5]
        at = 4 * (page - FIRST)
        if self.memory is None or not FIRST <= page <= LAST:
            return b"\x6a\x81"
        if question[:3] == b"\xff\xb0\0":
            return bytes(self.memory[at:at + size]) + b"\x90\x00"
        if question[:3] == b"\xff\xd6\0" and size == 4 == len(question) - 5:
            self.memory[at:at + 4] = question[5:]
            self.written += 1
            return b"\x90\x00"
        return b"\x6a\x81"

    def _say(self, data):
        self.line.sendall(struct.pack(">H", len(data)) + data)

    def take(self):
        self.line.shutdown(socket.SHUT_RDWR)
        self.line.close()
