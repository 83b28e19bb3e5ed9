"""A chip at a serial port: its ROM's loader and the loader's stub, from Espressif's "Serial Protocol" pages; behind it,
once it is started, whatever runs there. It takes bytes and the two lines of the port, and says bytes.
"""

import hashlib
import struct
import zlib

END, ESCAPE = 0xC0, 0xDB
SYNC, READ_REG, WRITE_REG, MEM_BEGIN, MEM_END, MEM_DATA = 0x08, 0x0A, 0x09, 0x05, 0x06, 0x07
FLASH_BEGIN, FLASH_DATA, FLASH_END, DEFL_BEGIN, DEFL_DATA, DEFL_END = 0x02, 0x03, 0x04, 0x10, 0x11, 0x12
ATTACH, PARAMS, BAUD, MD5, SECURITY = 0x0D, 0x0B, 0x0F, 0x13, 0x14
MAGIC_REG = 0x40001000
SECTOR = 4096
# Of each chip: what its magic register holds, its number, where its SPI's W0 and the word with its PSRAM are.
CHIPS = {"ESP32": (0x00F01D83, None, 0x3FF42080, None), "ESP32-S3": (0x9, 9, 0x60002058, 0x60007054)}
SIZES = {4: 0x16, 8: 0x17, 16: 0x18}
INVALID = b"\x01\x05"


class Lost(Exception):
    """Cable or power are gone."""


class RomLoader:
    """`flash` is what lies on it. `say(bytes)` goes to the port; `start()` is called when it begins what lies there.

    `cut_at`: the command, from 1, behind which everything is lost; 0: none. `count`: commands so far.
    """

    def __init__(self, kind, flash_mb, say, start, psram=0):
        self.kind, self.psram, self.say, self.start = kind, psram, say, start
        self.flash = bytearray(b"\xff" * (flash_mb << 20))
        self.id = SIZES[flash_mb] << 16 | 0x40C8
        self.cut_at = self.count = 0
        self.stubs = self.erased = 0
        self.spoils = False  # a bit of what it writes
        self.power_up()

    def power_up(self):
        self.is_loader = self.is_stub = False
        self.lines = (False, False)
        self.packet = bytearray()
        self.is_in = self.is_escaped = False
        self.write_at = 0
        self.inflater = None

    def set_lines(self, dtr, rts):
        """RTS holds the chip in reset; DTR at its end chooses the loader (two transistors cross them)."""
        before, self.lines = self.lines, (dtr, rts)
        if before[1] and not before[0] and not rts:
            self.power_up()
            self.lines = (dtr, rts)
            self.is_loader = dtr
            self.say(b"ets\r\nrst:0x1 (POWERON),boot:0x%x\r\n" % (3 if dtr else 0x13))
            if not dtr:
                self.start()

    def feed(self, data):
        """What the port brings. Lost."""
        for byte in data:
            if byte == END:
                if self.packet:
                    self._take(bytes(self.packet))
                self.packet.clear()
                self.is_in = True
            elif self.is_in and self.is_escaped:
                self.packet.append({0xDC: END, 0xDD: ESCAPE}[byte])
                self.is_escaped = False
            elif self.is_in and byte == ESCAPE:
                self.is_escaped = True
            elif self.is_in:
                self.packet.append(byte)

    def _send(self, packet):
        packet = packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
        self.say(b"\xc0" + packet + b"\xc0")

    def _answer(self, what, value=0, data=b"", status=b"\0\0", times=1):
        status += b"" if self.is_stub else b"\0\0"
        for _ in range(times):
            self._send(struct.pack("<BBHI", 1, what, len(data) + len(status), value) + data + status)

    def _take(self, packet):
        way, what, size, check = struct.unpack_from("<BBHI", packet)
        data = packet[8:]
        assert way == 0 and size == len(data), packet[:16]
        self.count += 1
        if self.cut_at and self.count >= self.cut_at:
            raise Lost
        if what in (MEM_DATA, FLASH_DATA, DEFL_DATA):
            length, = struct.unpack_from("<I", data)
            data = data[16:]
            total = 0xEF
            for byte in data:
                total ^= byte
            assert length == len(data) and total == check
        self._do(what, data)

    def _do(self, what, data):
        magic, number, w0, psram_at = CHIPS[self.kind]
        if what == SYNC:
            self._answer(SYNC, 0 if self.is_stub else 0x20120707, times=8)
        elif what == SECURITY and number is None:
            self._answer(SECURITY, status=INVALID, times=8)
        elif what == SECURITY:
            self._answer(SECURITY, data=struct.pack("<IB7sII", 0, 0, bytes(7), number, 0))
        elif what == READ_REG:
            known = {MAGIC_REG: magic, w0: self.id, psram_at: self.psram << 3}
            self._answer(READ_REG, known.get(struct.unpack("<I", data)[0], 0))
        elif what in (WRITE_REG, MEM_BEGIN, MEM_DATA, ATTACH, PARAMS, BAUD, FLASH_END, DEFL_END):
            self._answer(what)
        elif what == MEM_END:
            self._answer(MEM_END)
            self.is_stub = True
            self.stubs += 1
            self._send(b"OHAI")
        elif what in (FLASH_BEGIN, DEFL_BEGIN):
            size, _, _, self.write_at = struct.unpack_from("<IIII", data)
            self._erase(self.write_at, size)
            self.inflater = zlib.decompressobj() if what == DEFL_BEGIN else None
            self._answer(what)
        elif what in (FLASH_DATA, DEFL_DATA):
            self._write(self.inflater.decompress(data) if self.inflater else data)
            self._answer(what)
        elif what == MD5:
            at, size = struct.unpack_from("<II", data)
            found = hashlib.md5(self.flash[at:at + size])
            self._answer(MD5, data=found.digest() if self.is_stub else found.hexdigest().encode())
        else:
            self._answer(what, status=INVALID)

    def _erase(self, at, size):
        end = -(-(at + size) // SECTOR) * SECTOR
        at -= at % SECTOR
        self.flash[at:end] = b"\xff" * (end - at)
        self.erased += 1

    def _write(self, data):
        if self.spoils and data:
            data, self.spoils = bytes([data[0] ^ 1]) + data[1:], False
        self.flash[self.write_at:self.write_at + len(data)] = data
        self.write_at += len(data)
