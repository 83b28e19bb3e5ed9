"""The reader chip MFRC522 at register level, after the NXP data sheet rev. 3.9.

It is driven as silicon is: chip select, bytes on SPI, the reset pin, and the time in microseconds. Where the
data sheet leaves a thing open the model takes the reading that forgives a driver less. Not modelled: the UART
and I2C interfaces, speeds above 106 kbit/s (the tags do not understand them), frames longer than the FIFO,
and the cipher of MFAuthent (that command sends nothing and does not end).
"""

import random
from collections.abc import Callable

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.crc_a import crc16, with_crc
from host_tools.virtual.chips.iso14443a import Field, Reply, request_us
from host_tools.virtual.chips.mfrc522_host_side import FIFO_SIZE, HostSide

_ETU_US = 9.44
_FIRST_BITS_US = 47         # TAuto stops the timer after a start bit and 4 data bits (9.3.3.10)
_CRC_BYTE_US = 1            # the data sheet gives no figure for CalcCRC: a byte in 8 clocks, rounded up
_SELF_TEST_US = 1_000       # nor for the self-test
_CRC_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)     # ModeReg's CRCPreset (9.3.2.2)


class Mfrc522(HostSide):
    """One MFRC522 on SPI with `field` at its antenna.

    `rng` feeds GenerateRandomID and the faults. With `start_send_latched` a StartSend bit left set starts the
    frame as soon as Transceive is written (the data sheet does not say whether it does); without, only a
    write that sets it while Transceive waits for it. Fault knobs, all off at first:

    - `miso`: None, "low", "high" or "floating" (random): what the host reads whatever the chip says;
    - `loose_wire`: how probable it is that a byte on the bus, either way, has a wrong bit;
    - `stick(address, value)`: a register that keeps its value, until `unstick()`;
    - `power(on, now_us)`: the chip's supply;
    - `hang()`: its SPI stands still after a brown-out, until NRSTPD or the supply starts it again;
    - `loses_at`: how probable it is that an answer is lost, by RxGain (0 to 7);
    - `repeats_address`: a copy that answers a burst with the register of its first address alone.

    Copies are about that ignore a command that is running already (`ignores_running`); so does this one, since no data
    sheet says that writing Transceive over Transceive starts anything.
    """

    _reply: Reply | None

    def __init__(self, field: Field, rng: random.Random | None = None, version: int = 0x92,
                 start_send_latched: bool = False) -> None:
        self._start_send_latched = start_send_latched
        self.loses_at: Callable[[int], float] | None = None
        super().__init__(field, rng if rng is not None else random.Random(522), version)
        self._begin = {
            r.IDLE: self._do_nothing, r.MEM: self._move_memory, r.GENERATE_RANDOM_ID: self._roll_random_id,
            r.CALC_CRC: self._start_crc, r.TRANSMIT: self._transmit, r.RECEIVE: self._receive,
            r.TRANSCEIVE: self._transceive, r.MF_AUTHENT: self._do_nothing, r.SOFT_RESET: self._soft_reset,
        }

    # Commands (10.3)

    def _execute(self, code: int) -> None:
        if code != r.RECEIVE:
            self._reply = None
        self._begin.get(code, self._end_command)()      # 9.3.1.5: an unknown command ends at once

    def _do_nothing(self) -> None:
        """Idle (10.3.1.1), written by the host, does not set IdleIRq."""

    def _end_command(self) -> None:
        """A command ends by itself: Idle, and IdleIRq (9.3.1.5)."""
        self._command = r.IDLE
        self._modem = r.MODEM_IDLE
        self._registers[r.COM_IRQ] |= r.IDLE_IRQ

    def _soft_reset(self) -> None:
        """10.3.1.10: all registers to their reset values; the internal buffer stays."""
        self._reset_registers(self._now_us)
        self._start_up(self._now_us)

    def _forget_radio(self) -> None:
        self._crc = 0
        self._reply = None
        self._self_tested = False

    def _take_fifo_byte(self, value: int) -> bool:
        if self._command == r.CALC_CRC:
            self._feed_crc(bytes((value,)))             # 10.3.1.4: a byte written later is added
            return True
        if self._command == r.MEM:
            self._put_fifo(bytes((value,)))
            self._move_memory()
            return True
        return False

    def _move_memory(self) -> None:
        """10.3.1.2: 25 bytes from the FIFO, or to it when it is empty; fewer are waited for (10.2)."""
        if not self._fifo:
            self._put_fifo(self._memory)
        elif len(self._fifo) < 25:
            return
        else:
            self._memory = bytes(self._fifo[:25])
            del self._fifo[:25]
            self._watch_fifo()
        self._end_command()

    def _roll_random_id(self) -> None:
        """10.3.1.3: ten random bytes over the first of the internal buffer."""
        self._memory = self._rng.randbytes(10) + self._memory[10:]
        self._end_command()

    def _start_crc(self) -> None:
        """10.3.1.4; with AutoTestReg's SelfTest at 9 the self-test (16.1.1). Only another command ends it."""
        if self._registers[r.AUTO_TEST] & 0x0F == 0x09:
            self._later(self._now_us + _SELF_TEST_US, self._finish_self_test)
            return
        self._crc = _CRC_PRESETS[self._registers[r.MODE] & 0x03]
        self._feed_crc(self._empty_fifo())

    def _feed_crc(self, data: bytes) -> None:
        start_us = self._jobs[0][0] if self._jobs else self._now_us
        self._jobs.clear()
        self._registers[r.STATUS1] &= ~0x20
        self._crc = crc16(data, self._crc)
        self._later(start_us + max(1, len(data) * _CRC_BYTE_US), self._finish_crc)

    def _finish_crc(self, now_us: int) -> None:
        registers = self._registers
        high, low = self._crc >> 8, self._crc & 0xFF
        if registers[r.MODE] & 0x80:                # MSBFirst: both bytes bit-reversed (9.3.2.2)
            high, low = (int(f"{byte:08b}"[::-1], 2) for byte in (high, low))
        registers[r.CRC_RESULT_HIGH], registers[r.CRC_RESULT_LOW] = high, low
        registers[r.STATUS1] |= 0x20
        registers[r.DIV_IRQ] |= r.CRC_IRQ

    def _finish_self_test(self, now_us: int) -> None:
        asked_right = self._empty_fifo() == b"\x00" and not any(self._memory)
        self._put_fifo(r.SELF_TEST_RESULT if asked_right else self._rng.randbytes(FIFO_SIZE))
        self._registers[r.DIV_IRQ] |= r.CRC_IRQ
        self._self_tested = True                    # seen in the field: no radio until the next reset

    # Transmitter (10.3.1.5, 10.3.1.8)

    def _transceive(self) -> None:
        self._modem = r.MODEM_WAIT_START_SEND
        if self._start_send_latched and self._start_send:
            self._transmit()

    def _transmit(self) -> None:
        """The whole FIFO goes on air, with TxLastBits of its last byte."""
        registers = self._registers
        if not self.field.on and registers[r.MODE] & 0x20:
            self._modem = r.MODEM_TX_WAIT           # TxWaitRF (9.3.2.2)
            return
        data = self._empty_fifo()
        if not data:
            return
        last_bits = registers[r.BIT_FRAMING] & 0x07
        if registers[r.TX_MODE] & 0x80:             # TxCRCEn
            data = with_crc(data)
        bits = len(data) * 8 - (8 - last_bits if last_bits else 0)
        self._frame = (data, bits)
        self._modem = r.MODEM_TRANSMITTING
        self._later(self._now_us + request_us(bits), self._finish_sending)

    def _is_understood(self) -> bool:
        """Whether it is type A at 106 kbit/s: 100 % ASK, Miller pulses, parity (8.1, 9.3.2.3 to 9.3.2.7)."""
        registers = self._registers
        return (registers[r.TX_ASK] == 0x40 and registers[r.TX_SEL] & 0x30 == 0x10
                and not registers[r.TX_MODE] & 0x78 and not registers[r.MF_RX] & 0x10
                and not self._self_tested)

    def _finish_sending(self, now_us: int) -> None:
        registers = self._registers
        registers[r.COM_IRQ] |= r.TX_IRQ
        if registers[r.T_MODE] & 0x80:              # TAuto
            self._start_timer(now_us)
        data, bits = self._frame
        reply = self.field.exchange(data, bits, now_us) if self._is_understood() else None
        if self._command == r.TRANSMIT:
            self._end_command()
            self._reply = reply
            return
        # 9.3.2.8: what comes within RxWait bit clocks of the last bit sent is not heard.
        if reply is not None and (registers[r.RX_SEL] & 0x3F) * _ETU_US > reply.start_us - now_us:
            reply = None
        if reply is not None and self.loses_at is not None \
                and self._rng.random() < self.loses_at(registers[r.RF_CFG] >> 4 & 0x07):
            reply = None
        self._listen(reply)

    # Receiver (10.3.1.7, 10.3.1.8)

    def _receive(self) -> None:
        """10.3.1.7: after Transmit, the reply to it if it has not begun; RxWait does not count."""
        reply, self._reply = self._reply, None
        if reply is not None and reply.start_us <= self._now_us:
            reply = None
        self._listen(reply)

    def _listen(self, reply: Reply | None) -> None:
        """The receiver starts: the errors of the last frame are cleared (9.3.1.7), the reply is awaited."""
        registers = self._registers
        registers[r.ERROR] &= ~(r.COLL_ERR | r.CRC_ERR | r.PARITY_ERR | r.PROTOCOL_ERR)
        registers[r.COLL] = registers[r.COLL] & 0x80 | 0x20
        self._modem = r.MODEM_WAIT_DATA
        # RcvOff (9.3.1.2), UARTSel (9.3.2.8), RxSpeed (9.3.2.4): the receiver must be on and set to type A.
        if self._flags & 0x20 or registers[r.RX_SEL] & 0xC0 != 0x80 or registers[r.RX_MODE] & 0x70:
            return
        if reply is None or reply.bits < 4 and registers[r.RX_MODE] & 0x08:     # RxNoErr (9.3.2.4)
            return
        self._reply = reply
        self._later(reply.start_us, self._begin_reply)
        self._later(reply.start_us + _FIRST_BITS_US, self._recognise_reply)
        self._later(reply.end_us, self._finish_reply)

    def _begin_reply(self, now_us: int) -> None:
        self._modem = r.MODEM_RECEIVING

    def _recognise_reply(self, now_us: int) -> None:
        if self._registers[r.T_MODE] & 0x80 and self._timer_runs and not self._registers[r.RX_MODE] & 0x04:
            self._stop_timer()

    def _finish_reply(self, now_us: int) -> None:
        """The reply is complete: FIFO, errors, RxLastBits, RxIRq."""
        reply, self._reply = self._reply, None
        assert reply is not None
        registers = self._registers
        align = registers[r.BIT_FRAMING] >> 4 & 0x07
        value = reply.value
        if reply.collided:
            value = self._mark_collision(reply, align)
        elif reply.parity_wrong or (align != reply.align and reply.align + reply.bits >= 8):
            self._fail(r.PARITY_ERR)                # a wrong RxAlign looks for parities in the wrong places
        data = (value << align).to_bytes((reply.bits + align + 7) >> 3, "little")
        last_bits = (reply.bits + align) & 0x07
        registers[r.CONTROL] = 0x10 | last_bits
        if registers[r.RX_MODE] & 0x80:             # RxCRCEn: the two bytes are checked, not stored
            if last_bits or len(data) < 3 or crc16(data):
                self._fail(r.CRC_ERR)
            if len(data) > 2:
                data = data[:-2]
        self._put_fifo(data)
        registers[r.COM_IRQ] |= r.RX_IRQ
        if self._command == r.RECEIVE:
            self._end_command()
        else:
            self._modem = r.MODEM_WAIT_START_SEND   # 10.3.1.8: Transceive goes on until another command

    def _mark_collision(self, reply: Reply, align: int) -> int:
        """The reply's value after CollErr and CollReg are set (9.3.1.15).

        CollPos counts from 1 with RxAlign included, 32 reads as 0; with ValuesAfterColl at 0 the bits from
        the collision on are 0.
        """
        registers = self._registers
        first = (reply.collided & -reply.collided).bit_length() - 1
        self._fail(r.COLL_ERR)
        if first + align < 32:
            registers[r.COLL] = registers[r.COLL] & 0x80 | (first + align + 1) & 0x1F
        return reply.value if registers[r.COLL] & 0x80 else reply.value & (1 << first) - 1
