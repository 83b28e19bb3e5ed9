"""The half of an MFRC522 its host sees: SPI, registers, FIFO, timer, reset.

After the NXP data sheet rev. 3.9, whose section numbers stand beside. Times are microseconds, handed in.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.iso14443a import Field, cycles_to_us

_NEVER = 1 << 62
FIFO_SIZE = 64
_START_UP_US = 38           # 8.8.2: 1024 clocks of 27.12 MHz after the crystal swings
_CRYSTAL_US = 1_000         # 8.8.2: the crystal's own start, after hard or soft power-down; boards differ
_READ = 1
_OSCILLATOR_OFF = 0x10      # CommandReg's PowerDown
_MASKS = [r.WRITABLE.get(address, 0xFF) for address in range(64)]


def _take_nothing(value: int) -> None:
    """A register that is stuck takes no write."""


class HostSide(ABC):
    """Pins, registers, FIFO and timer of one chip; `Mfrc522` adds its commands and its radio.

    `byte_us`: how long a byte takes on the bus, 0 for no time at all; `exchange` is told when the last one was over.
    """

    byte_us = 0.0

    def __init__(self, field: Field, rng: random.Random, version: int) -> None:
        self.field = field
        self.miso: str | None = None
        self.loose_wire = 0.0
        self.repeats_address = False
        self.ignores_running = True
        self._hangs = False
        self._rng = rng
        self._version = version
        self._stuck: dict[int, int] = {}
        self._now_us = 0
        self._selected = False
        self._direction: int | None = None      # of the present SPI frame; None until its first byte
        self._address = 0
        self._has_power = True
        self._reset_low = False
        self._memory = bytes(25)                # the internal buffer of the Mem command
        self._jobs: list[tuple[int, Callable[[int], None]]] = []
        self._timer_end_us = self._due_us = _NEVER
        self._reset_registers(0)
        self._wire_registers()

    def _wire_registers(self) -> None:
        """Registers that do more than store a byte."""
        self._read_at: list[Callable[[], int] | None] = [None] * 64
        self._write_at: list[Callable[[int], None] | None] = [None] * 64
        self._read_at[r.COMMAND] = lambda: self._flags | self._command
        self._read_at[r.STATUS1] = self._read_status1
        self._read_at[r.STATUS2] = lambda: self._registers[r.STATUS2] | self._modem
        self._read_at[r.FIFO_DATA] = self._read_fifo
        self._read_at[r.FIFO_LEVEL] = lambda: len(self._fifo)
        self._read_at[r.T_COUNTER_HIGH] = lambda: self._count() >> 8
        self._read_at[r.T_COUNTER_LOW] = lambda: self._count() & 0xFF
        self._write_at[r.COMMAND] = self._write_command
        self._write_at[r.COM_IRQ] = self._write_com_irq
        self._write_at[r.DIV_IRQ] = self._write_div_irq
        self._write_at[r.STATUS2] = self._write_status2
        self._write_at[r.FIFO_DATA] = self._write_fifo
        self._write_at[r.FIFO_LEVEL] = self._write_fifo_level
        self._write_at[r.WATER_LEVEL] = self._write_water_level
        self._write_at[r.CONTROL] = self._write_control
        self._write_at[r.BIT_FRAMING] = self._write_bit_framing
        self._write_at[r.COLL] = self._write_coll
        self._write_at[r.TX_CONTROL] = self._write_tx_control

    # What the other half does

    @abstractmethod
    def _execute(self, code: int) -> None:
        """Begin the command `code`; the one before is already cancelled."""

    @abstractmethod
    def _transmit(self) -> None:
        """Send what the FIFO holds."""

    @abstractmethod
    def _forget_radio(self) -> None:
        """A reset: no reply is under way any more."""

    @abstractmethod
    def _take_fifo_byte(self, value: int) -> bool:
        """Whether the running command takes a byte that the host writes before it reaches the FIFO."""

    # The pins

    def select(self, now_us: int) -> None:
        """NSS goes low: the next byte is an address byte (8.1.2.3)."""
        self._selected = True
        self._direction = None

    def deselect(self, now_us: int) -> None:
        """NSS goes high: the SPI frame is over."""
        self._selected = False

    def exchange(self, mosi: bytes, now_us: int) -> bytes | None:
        """Clock bytes through, most significant bit first: what MISO gave, as long as `mosi`.

        None while the chip is not selected: it does not drive MISO. An SPI frame may come in several calls. What falls
        due between the bytes of one that reads is seen by those behind it.
        8.1.2.1: in a read frame each byte after the first names the register that the byte after it returns;
        8.1.2.2: in a write frame every byte goes to the one address of the first.
        """
        if not self._selected:
            return None
        if now_us >= self._due_us:
            self._advance(now_us - int(len(mosi) * self.byte_us))
        self._now_us = now_us
        if self.loose_wire or self.miso is not None or self._reset_low or not self._has_power or self._hangs:
            return self._clock_with_fault(mosi)
        return self._clock(mosi)

    def write_frame(self, mosi: bytes, now_us: int) -> bytes | None:
        """`select`, `exchange` and `deselect` in one, for a frame of which the host does not look at MISO."""
        if mosi[0] >= 0x80 or self.loose_wire or self.miso is not None or self._reset_low or not self._has_power \
                or self._hangs:
            self.select(now_us)
            miso = self.exchange(mosi, now_us)
            self.deselect(now_us)
            return miso
        if now_us >= self._due_us:
            self._advance(now_us)
        self._now_us = now_us
        address = mosi[0] >> 1
        write = self._write_at[address]
        for byte in mosi[1:]:
            if self._starting:
                break
            if write is not None:
                write(byte)
            else:
                mask = _MASKS[address]
                self._registers[address] = self._registers[address] & ~mask | byte & mask
        return bytes(len(mosi))

    def _clock(self, mosi: bytes) -> bytes:
        if not mosi:
            return b""
        begins = self._direction is None
        if begins:
            self._direction = mosi[0] >> 7
            self._address = mosi[0] >> 1 & 0x3F
        if self._direction == _READ:
            return self._read_frame(mosi, begins)
        if self._now_us >= self._due_us:
            self._catch_up(self._now_us)    # what is written takes place at its end
        address = self._address
        for byte in mosi[1:] if begins else mosi:
            if self._starting:
                break               # until the clock runs writes are lost (8.8.2), those of a frame that resets too
            write = self._write_at[address]
            if write is not None:
                write(byte)
            else:
                mask = _MASKS[address]
                self._registers[address] = self._registers[address] & ~mask | byte & mask
        return bytes(len(mosi))

    def _read_frame(self, mosi: bytes, begins: int) -> bytes:
        """The bytes of a frame that reads, each as its register stands when its address has come; its first one gives
        nothing."""
        miso = bytearray(len(mosi))
        registers, read_at, address = self._registers, self._read_at, self._address
        end_us, changes = self._now_us, False
        if end_us >= self._due_us:
            self._catch_up(end_us - int((len(mosi) - begins) * self.byte_us))
            changes = end_us >= self._due_us
        for index in range(begins, len(mosi)):
            if changes:
                self._catch_up(end_us - int((len(mosi) - index) * self.byte_us))
            read = read_at[address]
            miso[index] = registers[address] if read is None else read()
            if not self.repeats_address:
                address = mosi[index] >> 1 & 0x3F
        self._address = address
        if end_us >= self._due_us:
            self._advance(end_us)
        self._now_us = end_us
        return bytes(miso)

    def _clock_with_fault(self, mosi: bytes) -> bytes:
        if not self._has_power:
            return self._rng.randbytes(len(mosi))
        if self._reset_low or self._hangs:
            return bytes(len(mosi))             # 8.6.1: inputs are cut off, outputs frozen
        miso = self._rattle(self._clock(self._rattle(mosi)))
        if self.miso is None:
            return miso
        if self.miso == "floating":
            return self._rng.randbytes(len(mosi))
        return (b"\xFF" if self.miso == "high" else b"\x00") * len(mosi)

    def _rattle(self, wire: bytes) -> bytes:
        rng = self._rng
        loose = self.loose_wire
        return bytes(byte ^ 1 << rng.randrange(8) if rng.random() < loose else byte for byte in wire)

    def reset_pin(self, level: int, now_us: int) -> None:
        """NRSTPD: 0 is hard power-down, the rising edge begins a reset (8.6.1, 8.8.1)."""
        self._catch_up(now_us)
        was_low, self._reset_low = self._reset_low, not level
        self._hangs = False
        if self._reset_low:
            self._reset_registers(now_us)
        elif was_low and self._has_power:
            self._start_up(now_us, _CRYSTAL_US)

    def power(self, on: bool, now_us: int) -> None:
        """The supply fails or comes back; without it MISO floats and everything is forgotten."""
        self._catch_up(now_us)
        if on == self._has_power:
            return
        self._has_power = on
        self._hangs = False
        self._reset_registers(now_us)
        self._memory = bytes(25)
        if on and not self._reset_low:
            self._start_up(now_us, _CRYSTAL_US)

    def hang(self) -> None:
        """Its SPI stands still: it takes and gives nothing, SoftReset included; the field stays as it is."""
        self._hangs = True

    def irq_pin(self, now_us: int) -> int:
        """The level of pin IRQ: Status1Reg's IRq bit, inverted by ComIEnReg's IRqInv (8.4, 9.3.1.3)."""
        self._catch_up(now_us)
        return int(self._wants_attention() != bool(self._registers[r.COM_I_EN] & 0x80))

    def stick(self, address: int, value: int) -> None:
        """A broken chip: from now on the register at `address` reads as `value` and takes no write."""
        self._stuck[address] = value
        self._registers[address] = value
        self._read_at[address] = None
        self._write_at[address] = _take_nothing

    def unstick(self) -> None:
        """Every register takes writes again."""
        self._stuck.clear()
        self._wire_registers()

    # Time

    def _advance(self, now_us: int) -> None:
        """Everything that was due by now happens, each at its own time."""
        while self._due_us <= now_us:
            due_us = self._now_us = self._due_us
            if self._timer_end_us == due_us:
                self._expire_timer()
            else:
                self._jobs.pop(0)[1](due_us)
            self._plan()

    def _catch_up(self, now_us: int) -> None:
        if now_us >= self._due_us:
            self._advance(now_us)
        self._now_us = now_us

    def _plan(self) -> None:
        due_us = self._timer_end_us
        jobs = self._jobs
        if jobs and jobs[0][0] < due_us:
            due_us = jobs[0][0]
        self._due_us = due_us

    def _later(self, due_us: int, job: Callable[[int], None]) -> None:
        """Do a thing of the running command at its time; calls come in the order of time."""
        self._jobs.append((due_us, job))
        self._plan()

    # Reset and power-down (8.6, 8.8)

    def _reset_registers(self, now_us: int) -> None:
        self._registers = [r.RESET_VALUES.get(address, 0) for address in range(64)]
        self._registers[r.VERSION] = self._version
        for address, value in self._stuck.items():
            self._registers[address] = value
        self._command = r.IDLE
        self._flags = 0x20                      # RcvOff and PowerDown as they stand in CommandReg
        self._modem = r.MODEM_IDLE
        self._fifo = bytearray()
        self._low_alert, self._high_alert = True, False
        self._start_send = False
        self._starting = False
        self._count_kept = 0
        self._timer_runs = False
        self._timer_end_us = self._due_us = _NEVER
        self._jobs.clear()
        self._forget_radio()
        self._switch_field(now_us)

    def _start_up(self, now_us: int, crystal_us: int = 0) -> None:
        """PowerDown reads as 1 and writes are lost until the clock runs (8.8.2, 9.3.1.2)."""
        self._starting = True
        self._flags |= _OSCILLATOR_OFF
        self._switch_field(now_us)
        self._later(now_us + crystal_us + _START_UP_US, self._finish_start_up)

    def _finish_start_up(self, now_us: int) -> None:
        self._starting = False
        self._flags &= ~_OSCILLATOR_OFF
        self._switch_field(now_us)

    def _switch_field(self, now_us: int) -> None:
        """The carrier is on if a driver is enabled (9.3.2.5) and the oscillator runs (8.6.2)."""
        runs = self._has_power and not self._flags & _OSCILLATOR_OFF
        on = runs and bool(self._registers[r.TX_CONTROL] & 0x03)
        self.field.switch(on, now_us)
        if on and self._modem == r.MODEM_TX_WAIT:
            self._transmit()
        elif not on and self._modem >= r.MODEM_WAIT_DATA:
            self._jobs.clear()                  # the tags lost their power in the middle of a reply
            self._plan()

    def _power_down(self) -> None:
        """8.6.2: the oscillator stops, registers and FIFO stay."""
        self._jobs.clear()
        if self._timer_runs:
            self._stop_timer()
        self._plan()
        self._switch_field(self._now_us)

    # Registers (chapter 9)

    def _write_command(self, value: int) -> None:
        """9.3.1.2: RcvOff, PowerDown and a command; NoCmdChange leaves the running one."""
        code = value & 0x0F
        was_down = self._flags & _OSCILLATOR_OFF
        self._flags = value & (0x20 if code == r.SOFT_RESET else 0x30)
        if self._flags & _OSCILLATOR_OFF:
            if not was_down:
                self._power_down()
            return
        if was_down:
            if code == r.SOFT_RESET:
                self._reset_registers(self._now_us)
            self._start_up(self._now_us, _CRYSTAL_US)
            return
        if code == r.NO_COMMAND_CHANGE or (self.ignores_running and code == self._command != r.SOFT_RESET):
            return
        self._jobs.clear()
        self._plan()
        self._registers[r.ERROR] &= r.TEMP_ERR      # 9.3.1.7: command execution clears all errors but TempErr
        self._command = code
        self._modem = r.MODEM_IDLE
        self._execute(code)

    def _write_com_irq(self, value: int) -> None:
        """9.3.1.5: Set1 tells whether the marked bits are set or cleared."""
        if value & 0x80:
            self._registers[r.COM_IRQ] |= value & 0x7F
        else:
            self._registers[r.COM_IRQ] &= ~value

    def _write_div_irq(self, value: int) -> None:
        """9.3.1.6: Set2 tells whether the marked bits are set or cleared."""
        if value & 0x80:
            self._registers[r.DIV_IRQ] |= value & 0x14
        else:
            self._registers[r.DIV_IRQ] &= ~value

    def _wants_attention(self) -> bool:
        registers = self._registers
        return bool(registers[r.COM_I_EN] & registers[r.COM_IRQ] & 0x7F or
                    registers[r.DIV_I_EN] & registers[r.DIV_IRQ] & 0x14)

    def _read_status1(self) -> int:
        """9.3.1.8: CRCOk, CRCReady, IRq, TRunning, HiAlert, LoAlert."""
        registers = self._registers
        crc_ok = not registers[r.CRC_RESULT_HIGH] and not registers[r.CRC_RESULT_LOW]
        return (crc_ok << 6 | registers[r.STATUS1] & 0x20 | self._wants_attention() << 4
                | self._timer_runs << 3 | self._high_alert << 1 | self._low_alert)

    def _write_status2(self, value: int) -> None:
        """9.3.1.9: MFCrypto1On can only be cleared by software."""
        self._registers[r.STATUS2] = value & 0x40 | value & self._registers[r.STATUS2] & 0x08

    def _write_coll(self, value: int) -> None:
        """9.3.1.15: only ValuesAfterColl can be written."""
        self._registers[r.COLL] = self._registers[r.COLL] & 0x7F | value & 0x80

    def _write_tx_control(self, value: int) -> None:
        self._registers[r.TX_CONTROL] = value & 0xFB
        self._switch_field(self._now_us)

    def _write_bit_framing(self, value: int) -> None:
        """9.3.1.14: StartSend counts only together with Transceive; it reads as 0."""
        self._registers[r.BIT_FRAMING] = value & 0x77
        self._start_send = bool(value & 0x80)
        if self._start_send and self._modem == r.MODEM_WAIT_START_SEND:
            self._transmit()

    def _fail(self, error: int) -> None:
        self._registers[r.ERROR] |= error
        self._registers[r.COM_IRQ] |= r.ERR_IRQ

    # FIFO (8.3)

    def _read_fifo(self) -> int:
        fifo = self._fifo
        if not fifo:
            return 0
        byte = fifo.pop(0)
        self._watch_fifo()
        return byte

    def _write_fifo(self, value: int) -> None:
        if self._modem >= r.MODEM_WAIT_DATA:
            self._fail(r.WR_ERR)            # 9.3.1.7: between the last bit sent and the last bit received
        elif not self._take_fifo_byte(value):
            if len(self._fifo) < FIFO_SIZE:
                self._fifo.append(value)
            else:
                self._fail(r.BUFFER_OVFL)
            self._watch_fifo()

    def _put_fifo(self, data: bytes) -> None:
        room = FIFO_SIZE - len(self._fifo)
        self._fifo += data[:room]
        if len(data) > room:
            self._fail(r.BUFFER_OVFL)
        self._watch_fifo()

    def _empty_fifo(self) -> bytes:
        data = bytes(self._fifo)
        self._fifo.clear()
        self._watch_fifo()
        return data

    def _write_fifo_level(self, value: int) -> None:
        """9.3.1.11: FlushBuffer empties the FIFO and clears BufferOvfl."""
        if value & 0x80:
            self._empty_fifo()
            self._registers[r.ERROR] &= ~r.BUFFER_OVFL

    def _write_water_level(self, value: int) -> None:
        self._registers[r.WATER_LEVEL] = value & 0x3F
        self._watch_fifo()

    def _watch_fifo(self) -> None:
        """9.3.1.8: LoAlert and HiAlert follow the level; their requests keep that they rose (9.3.1.5)."""
        length, water = len(self._fifo), self._registers[r.WATER_LEVEL]
        low, high = length <= water, FIFO_SIZE - length <= water
        if low and not self._low_alert:
            self._registers[r.COM_IRQ] |= r.LO_ALERT_IRQ
        if high and not self._high_alert:
            self._registers[r.COM_IRQ] |= r.HI_ALERT_IRQ
        self._low_alert, self._high_alert = low, high

    # Timer (8.5)

    def _start_timer(self, now_us: int) -> None:
        registers = self._registers
        prescaler = (registers[r.T_MODE] & 0x0F) << 8 | registers[r.T_PRESCALER]
        # 9.3.3.10: a tick is 2p + 1 periods of 13.56 MHz, or 2p + 2 with DemodReg's TPrescalEven.
        self._tick_cycles = 2 * prescaler + (2 if registers[r.DEMOD] & 0x10 else 1)
        self._timer_from = registers[r.T_RELOAD_HIGH] << 8 | registers[r.T_RELOAD_LOW]
        self._timer_start_us = now_us
        self._timer_runs = True
        # 8.5: the request comes (2 TPrescaler + 1) (TReloadVal + 1) / 13.56 MHz after the start.
        self._timer_end_us = now_us + cycles_to_us((self._timer_from + 1) * self._tick_cycles)
        self._plan()

    def _stop_timer(self) -> None:
        self._count_kept = self._count()
        self._timer_runs = False
        self._timer_end_us = _NEVER
        self._plan()

    def _count(self) -> int:
        """TCounterValReg: ticks left (9.3.3.12)."""
        if not self._timer_runs:
            return self._count_kept
        ticks = (self._now_us - self._timer_start_us) * 1356 // (100 * self._tick_cycles)
        return max(0, self._timer_from - ticks)

    def _expire_timer(self) -> None:
        self._registers[r.COM_IRQ] |= r.TIMER_IRQ
        if self._registers[r.T_MODE] & 0x10:        # TAutoRestart
            self._start_timer(self._timer_end_us)
        else:
            self._stop_timer()

    def _write_control(self, value: int) -> None:
        """9.3.1.13: TStopNow and TStartNow; RxLastBits cannot be written."""
        if value & 0x80:
            self._stop_timer()
        if value & 0x40:
            self._start_timer(self._now_us)
