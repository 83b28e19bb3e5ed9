"""The MFRC522 model on air: Transceive, times, framing, checks; data sheet rev. 3.9 and ISO/IEC 14443-3."""

import pytest

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import REQA, WUPA, Noise, State, every, request_us
from host_tools.virtual.chips.mfrc522 import Mfrc522

SINGLE = bytes.fromhex("c0ffee01")
DOUBLE = bytes.fromhex("04a1b2c3d4e5f6")
SELECT = with_crc(bytes.fromhex("9370") + SINGLE + bytes((0xC0 ^ 0xFF ^ 0xEE ^ 0x01,)))


class Moments:
    """Looks at registers at exact times after StartSend was written, at no cost of bus time."""

    def __init__(self, reader, data: bytes, last_bits: int = 0) -> None:
        reader.send(data, last_bits)
        self.reader = reader
        self.start_us = reader.now_us - 28

    def read(self, address: int, at_us: int) -> int:
        self.reader.now_us = self.start_us + at_us
        return self.reader.read(address)


# 10.3.1.8, 9.3.1.14: how a Transceive begins

def test_10_3_1_8_transceive_sends_nothing_before_start_send(reader) -> None:
    reader.lay(SINGLE)
    reader.write(r.COM_IRQ, 0x7F)
    reader.write(r.FIFO_LEVEL, 0x80)
    reader.write(r.FIFO_DATA, WUPA)
    reader.write(r.BIT_FRAMING, 0x07)
    reader.write(r.COMMAND, r.TRANSCEIVE)
    reader.sleep(5_000)
    assert reader.field.frames == 0
    assert not reader.read(r.COM_IRQ) & (r.TX_IRQ | r.RX_IRQ | r.TIMER_IRQ)
    assert reader.read(r.STATUS2) & 7 == 1              # 9.3.1.9: waits for StartSend
    reader.write(r.BIT_FRAMING, 0x87)
    reader.sleep(1_000)
    assert reader.read(r.COM_IRQ) & (r.TX_IRQ | r.RX_IRQ) == r.TX_IRQ | r.RX_IRQ


@pytest.mark.parametrize("command", [r.IDLE, r.RECEIVE])
def test_9_3_1_14_start_send_without_transceive_does_nothing(reader, command: int) -> None:
    reader.lay(SINGLE)
    reader.write(r.COMMAND, command)
    reader.write(r.FIFO_DATA, WUPA)
    reader.write(r.BIT_FRAMING, 0x87)
    reader.sleep(2_000)
    assert reader.field.frames == 0


@pytest.mark.parametrize("latched", [False, True])
def test_9_3_1_14_both_readings_of_a_start_send_left_set(field, reader, latched: bool) -> None:
    """The data sheet does not say whether a bit left set counts when Transceive comes."""
    chip = reader.chip = Mfrc522(field, start_send_latched=latched)
    reader.set_up()
    reader.lay(SINGLE)
    reader.write(r.BIT_FRAMING, 0x87)
    reader.write(r.FIFO_DATA, WUPA)
    reader.write(r.COMMAND, r.TRANSCEIVE)
    reader.sleep(1_000)
    reader.read(r.COM_IRQ)
    assert chip.field.frames == (1 if latched else 0)


def test_10_3_1_8_transceive_stays_and_may_send_again(reader) -> None:
    """Transceive does not end by itself and sets no IdleIRq; after a reply it waits for StartSend."""
    reader.lay(SINGLE)
    reply = reader.request(REQA)
    assert not reply.irq & r.IDLE_IRQ
    assert reader.read(r.COMMAND) == r.TRANSCEIVE
    reader.write(r.COM_IRQ, 0x7F)
    reader.write(r.BIT_FRAMING, 0x00)
    reader.write(r.FIFO_DATA, 0x93, 0x20)
    reader.write(r.BIT_FRAMING, 0x80)
    reader.sleep(1_000)
    assert reader.read(r.COM_IRQ) & r.RX_IRQ
    assert reader.read_fifo(5) == SELECT[2:7]


def test_10_3_1_8_without_a_reply_it_must_be_written_again(reader) -> None:
    assert reader.request(REQA).irq & r.TIMER_IRQ
    frames = reader.field.frames
    reader.write(r.FIFO_LEVEL, 0x80)
    reader.write(r.BIT_FRAMING, 0x87)
    reader.sleep(2_000)
    assert reader.field.frames == frames


def test_10_3_1_8_bytes_left_in_the_fifo_are_sent_too(reader) -> None:
    reader.lay(SINGLE)
    reader.send(bytes((REQA,)), 7)
    reader.sleep(1_000)                                 # ATQA is not taken out
    reader.write(r.COMMAND, r.IDLE)
    reader.write(r.COM_IRQ, 0x7F)
    reader.write(r.FIFO_DATA, 0x93, 0x20)
    reader.write(r.BIT_FRAMING, 0x00)
    reader.write(r.COMMAND, r.TRANSCEIVE)
    reader.write(r.BIT_FRAMING, 0x80)
    reader.sleep(3_000)
    assert not reader.read(r.COM_IRQ) & r.RX_IRQ
    assert reader.field.tags[0].state is State.IDLE


def test_10_2_a_command_interrupted_on_air_brings_nothing(reader) -> None:
    reader.lay(SINGLE)
    reader.send(bytes((REQA,)), 7)
    reader.sleep(200)
    reader.write(r.COMMAND, r.IDLE)
    reader.sleep(2_000)
    assert not reader.read(r.COM_IRQ) & r.RX_IRQ
    assert reader.read(r.FIFO_LEVEL) == 0


# Times

def test_air_time_of_wupa_and_atqa(reader) -> None:
    """10 etu sent, 91.2 us after a last bit of 1, 20 etu received: TxIRq at 95 us, RxIRq at 376 us."""
    reader.lay(SINGLE)
    moments = Moments(reader, bytes((WUPA,)), 7)
    assert moments.read(r.STATUS2, 20) & 7 == 3         # 9.3.1.9: transmitting
    assert not moments.read(r.COM_IRQ, 94) & r.TX_IRQ
    assert moments.read(r.COM_IRQ, 95) & r.TX_IRQ
    assert moments.read(r.STATUS2, 130) & 7 == 5        # waits for data
    assert moments.read(r.STATUS2, 250) & 7 == 6        # receives
    assert not moments.read(r.COM_IRQ, 374) & r.RX_IRQ
    assert moments.read(r.COM_IRQ, 376) & r.RX_IRQ
    assert moments.read(r.FIFO_LEVEL, 410) == 2


def test_9_3_3_10_t_auto_counts_from_the_end_of_sending(reader) -> None:
    """An empty field with a timer of 1 ms: TimerIRq at 95 + 1000 us."""
    moments = Moments(reader, bytes((WUPA,)), 7)
    assert not moments.read(r.STATUS1, 60) & 0x08
    assert moments.read(r.STATUS1, 95) & 0x08           # TRunning
    assert not moments.read(r.COM_IRQ, 1_094) & r.TIMER_IRQ
    assert moments.read(r.COM_IRQ, 1_095) & r.TIMER_IRQ
    assert not moments.read(r.COM_IRQ, 1_200) & r.RX_IRQ


def test_9_3_3_10_a_reply_stops_the_timer_at_its_fifth_bit(reader) -> None:
    reader.lay(SINGLE)
    moments = Moments(reader, bytes((WUPA,)), 7)
    assert moments.read(r.STATUS1, 95 + 92 + 46) & 0x08
    assert not moments.read(r.STATUS1, 95 + 92 + 48) & 0x08
    assert not moments.read(r.COM_IRQ, 5_000) & r.TIMER_IRQ


def test_9_3_3_10_with_rx_multiple_a_reply_does_not_stop_the_timer(reader) -> None:
    reader.lay(SINGLE)
    reader.write(r.RX_MODE, 0x04)
    moments = Moments(reader, bytes((WUPA,)), 7)
    assert moments.read(r.COM_IRQ, 1_200) & (r.RX_IRQ | r.TIMER_IRQ) == r.RX_IRQ | r.TIMER_IRQ


def test_8_5_a_timer_too_short_for_the_delay_fires_and_the_reply_comes_all_the_same(reader) -> None:
    """8.5: the timer influences nothing; a reply begins 86 us after the frame at the earliest."""
    reader.lay(SINGLE)
    reader.write(r.T_RELOAD_LOW, 2)                     # 75 us
    moments = Moments(reader, bytes((WUPA,)), 7)
    assert moments.read(r.COM_IRQ, 175) & (r.TIMER_IRQ | r.RX_IRQ) == r.TIMER_IRQ
    assert moments.read(r.COM_IRQ, 400) & r.RX_IRQ


def test_9_3_3_10_without_t_auto_no_timer_runs(reader) -> None:
    reader.write(r.T_MODE, 0x00)
    moments = Moments(reader, bytes((WUPA,)), 7)
    assert not moments.read(r.STATUS1, 200) & 0x08
    assert not moments.read(r.COM_IRQ, 60_000) & r.TIMER_IRQ


def test_6_2_1_a_full_read_of_7_bytes_takes_4588_us_of_air(reader) -> None:
    """WUPA, then anticollision and SELECT twice, with the delay owed after each reply."""
    reader.lay(DOUBLE)
    exchange = reader.field.exchange
    air_us = 0

    def measured(data: bytes, bits: int, end_us: int):
        nonlocal air_us
        reply = exchange(data, bits, end_us)
        air_us += request_us(bits) + reply.end_us - end_us + 86
        return reply

    reader.field.exchange = measured
    reader.request(WUPA)
    assert reader.read_uid() == DOUBLE
    assert abs(air_us - 4_588) < 30


# What a reader needs to be understood

@pytest.mark.parametrize(("address", "value"), [
    (r.TX_ASK, 0x00),           # 9.3.2.6: no 100 % ASK, as after reset
    (r.TX_SEL, 0x00),           # 9.3.2.7: drivers in 3-state, or without modulation
    (r.TX_SEL, 0x30),
    (r.TX_MODE, 0x10),          # 9.3.2.3: 212 kBd
    (r.TX_MODE, 0x08),          # inverted modulation
    (r.MF_RX, 0x10),            # 9.3.2.14: no parity
    (r.RX_SEL, 0x44),           # 9.3.2.8: the receiver listens to MFIN
    (r.RX_SEL, 0xBF),           # ... or sleeps 63 bit clocks, past the beginning of the reply
    (r.RX_MODE, 0x10),          # 9.3.2.4: 212 kBd
    (r.TX_CONTROL, 0x80),       # 9.3.2.5: no field
])
def test_a_reader_that_is_set_wrong_hears_nothing(reader, address: int, value: int) -> None:
    reader.lay(SINGLE)
    reader.write(r.MODE, 0x1D)                          # no TxWaitRF: it sends, field or not
    assert reader.request(WUPA).irq & r.RX_IRQ
    reader.field.tags[0].fall_back()
    reader.write(address, value)
    assert reader.request(WUPA).irq & (r.RX_IRQ | r.TIMER_IRQ) == r.TIMER_IRQ


def test_9_3_1_2_rcv_off_hears_nothing(reader) -> None:
    reader.lay(SINGLE)
    reader.write(r.COM_IRQ, 0x7F)
    reader.write(r.COMMAND, 0x20 | r.TRANSCEIVE)
    reader.write(r.FIFO_DATA, WUPA)
    reader.write(r.BIT_FRAMING, 0x87)
    reader.sleep(2_000)
    assert reader.read(r.COM_IRQ) & (r.TIMER_IRQ | r.RX_IRQ) == r.TIMER_IRQ


def test_9_3_2_2_tx_wait_rf_waits_for_the_field(reader) -> None:
    """Status2Reg's ModemState 2; neither TxIRq nor the timer come."""
    reader.antenna(False)
    reader.send(bytes((WUPA,)), 7)
    reader.sleep(10_000)
    assert not reader.read(r.COM_IRQ) & (r.TX_IRQ | r.TIMER_IRQ)
    assert reader.read(r.STATUS2) & 7 == 2
    reader.write(r.TX_CONTROL, 0x83)
    reader.sleep(2_000)
    assert reader.read(r.COM_IRQ) & (r.TX_IRQ | r.TIMER_IRQ) == r.TX_IRQ | r.TIMER_IRQ


def test_iso_clause_5_a_tag_needs_5_ms_of_field(reader) -> None:
    reader.lay(SINGLE)
    for wait_us, heard in ((4_500, False), (5_100, True)):
        reader.antenna(False)
        reader.write(r.TX_CONTROL, 0x83)
        reader.sleep(wait_us - 28 * 8)
        assert bool(reader.request(WUPA).irq & r.RX_IRQ) == heard


def test_9_3_2_5_the_antenna_off_powers_tags_down(reader) -> None:
    tag, = reader.lay(SINGLE)
    reader.request(WUPA)
    reader.read_uid()
    reader.halt()
    assert tag.state is State.HALT
    assert reader.request(REQA).irq & r.TIMER_IRQ
    reader.antenna(False)
    assert tag.state is State.POWER_OFF
    reader.antenna(True)
    assert reader.request(REQA).irq & r.RX_IRQ


def test_the_antenna_off_in_the_middle_of_a_reply_ends_it(reader) -> None:
    reader.lay(SINGLE)
    reader.send(bytes((WUPA,)), 7)
    reader.sleep(200)
    reader.write(r.TX_CONTROL, 0x80)
    reader.sleep(2_000)
    assert not reader.read(r.COM_IRQ) & r.RX_IRQ


def test_8_6_2_power_down_in_the_middle_of_a_reply_ends_it(reader) -> None:
    reader.lay(SINGLE)
    reader.send(bytes((WUPA,)), 7)
    reader.sleep(50)
    reader.write(r.COMMAND, 0x10)
    reader.sleep(2_000)
    assert not reader.read(r.COM_IRQ) & (r.TX_IRQ | r.RX_IRQ | r.TIMER_IRQ)


def test_16_1_1_after_a_self_test_there_is_no_radio_until_reset(reader) -> None:
    reader.lay(SINGLE)
    reader.write(r.AUTO_TEST, 0x09)
    reader.write(r.FIFO_DATA, 0)
    reader.write(r.COMMAND, r.CALC_CRC)
    reader.sleep(5_000)
    reader.write(r.AUTO_TEST, 0x00)
    assert reader.request(WUPA).irq & r.TIMER_IRQ
    reader.write(r.COMMAND, r.SOFT_RESET)
    reader.sleep(100)
    reader.set_up()
    assert reader.request(WUPA).irq & r.RX_IRQ


# Frames and their checks

def test_9_3_1_14_reqa_without_its_7_bits_is_not_answered(reader) -> None:
    reader.lay(SINGLE)
    assert reader.transceive(bytes((REQA,)), last_bits=0).irq & r.TIMER_IRQ


def test_6_5_4_select_without_or_with_a_wrong_crc_is_not_answered(reader) -> None:
    reader.lay(SINGLE)
    for frame in (SELECT[:7], SELECT[:8] + b"\x00"):
        assert reader.request(REQA).irq & r.RX_IRQ
        assert reader.transceive(frame).irq & r.TIMER_IRQ
    assert reader.request(REQA).irq & r.RX_IRQ
    assert reader.transceive(SELECT).data == with_crc(b"\x00")


def test_6_5_4_select_with_a_wrong_bcc_is_not_answered(reader) -> None:
    reader.lay(SINGLE)
    reader.request(REQA)
    assert reader.transceive(with_crc(SELECT[:6] + b"\x00")).irq & r.TIMER_IRQ


def test_9_3_2_3_tx_crc_en_adds_the_crc(reader) -> None:
    reader.lay(SINGLE)
    reader.request(REQA)
    reader.write(r.TX_MODE, 0x80)
    assert reader.transceive(SELECT[:7]).data == with_crc(b"\x00")
    assert reader.transceive(b"\x50\x00").irq & r.TIMER_IRQ
    assert reader.field.tags[0].state is State.HALT


def test_9_3_2_4_rx_crc_en_checks_and_takes_off_the_crc(reader) -> None:
    reader.lay(SINGLE)
    reader.request(REQA)
    reader.write(r.RX_MODE, 0x80)
    sak = reader.transceive(SELECT)
    assert (sak.data, sak.error) == (b"\x00", 0)


def test_9_3_1_7_rx_crc_en_fails_on_a_reply_without_crc(reader) -> None:
    reader.lay(SINGLE)
    reader.write(r.RX_MODE, 0x80)
    reply = reader.request(REQA)
    assert reply.error == r.CRC_ERR
    assert reply.irq & r.ERR_IRQ and reply.irq & r.RX_IRQ


def test_9_3_2_4_rx_no_err_ignores_fewer_than_4_bits(reader) -> None:
    """No tag of the standard sends so few: this one is broken."""
    reader.lay(SINGLE)
    reader.field.tags[0]._atqa_reply = (0b101, 3)
    assert reader.request(REQA).irq & r.RX_IRQ
    reader.field.tags[0].fall_back()
    reader.write(r.RX_MODE, 0x08)
    assert reader.request(REQA).irq & (r.RX_IRQ | r.TIMER_IRQ) == r.TIMER_IRQ
    reader.field.tags[0].fall_back()
    reader.field.tags[0]._atqa_reply = (0b1010, 4)
    assert reader.request(REQA).irq & r.RX_IRQ


def test_9_3_1_13_rx_last_bits_counts_the_bits_of_the_last_byte(reader) -> None:
    tag, = reader.lay(SINGLE)
    assert reader.request(REQA).bits == 16
    assert reader.read(r.CONTROL) == 0x10
    tag.fall_back()
    tag._atqa_reply = (0b1010, 4)
    reply = reader.request(REQA)
    assert (reply.data, reply.bits) == (b"\x0a", 4)
    assert reader.read(r.CONTROL) == 0x14


def test_9_3_1_14_rx_align_puts_the_first_bit_where_the_split_byte_goes_on(reader) -> None:
    """12 bits known: the reply's 28 bits fill 4 bits of the first byte and 3 bytes, RxLastBits is 0."""
    reader.lay(SINGLE)
    reader.request(REQA)
    reply = reader.anticollision(0x93, int.from_bytes(SINGLE, "little"), 12)
    assert reply.error == 0
    assert reply.data == bytes((SINGLE[1] & 0xF0,)) + SELECT[4:7]
    assert reply.bits == 32


def test_9_3_1_14_a_wrong_rx_align_breaks_the_parity(reader) -> None:
    reader.lay(SINGLE)
    reader.request(REQA)
    reply = reader.transceive(bytes((0x93, 0x34, SINGLE[0], SINGLE[1])), last_bits=4, align=0)
    assert reply.error & r.PARITY_ERR


def test_9_3_1_7_writing_the_fifo_while_a_reply_is_awaited_is_an_error(reader) -> None:
    reader.send(bytes((WUPA,)), 7)
    reader.sleep(100)
    reader.write(r.FIFO_DATA, 0x55)
    assert reader.read(r.ERROR) == r.WR_ERR
    assert reader.read(r.FIFO_LEVEL) == 0


def test_9_3_1_7_the_receiver_clears_the_errors_of_the_last_frame(reader) -> None:
    tag, = reader.lay(SINGLE)
    reader.field.noise = every(1, Noise.BIT_FLIPPED)
    assert reader.request(WUPA).error & r.PARITY_ERR
    reader.field.noise = None
    tag.fall_back()
    reader.write(r.FIFO_LEVEL, 0x80)
    reader.write(r.FIFO_DATA, WUPA)
    reader.write(r.BIT_FRAMING, 0x87)                   # Transceive still runs
    reader.sleep(1_000)
    assert reader.read(r.ERROR) == 0


# 10.3.1.5, 10.3.1.7: Transmit and Receive

def test_10_3_1_5_transmit_sends_at_once_and_ends(reader) -> None:
    reader.lay(SINGLE)
    reader.write(r.COM_IRQ, 0x7F)
    reader.write(r.BIT_FRAMING, 0x07)
    reader.write(r.FIFO_DATA, WUPA)
    reader.write(r.COMMAND, r.TRANSMIT)
    start_us = reader.now_us
    assert reader.read(r.COMMAND) == r.TRANSMIT
    reader.now_us = start_us + 95
    assert reader.read(r.COMMAND) == r.IDLE
    irq = reader.read(r.COM_IRQ)
    assert irq & r.TX_IRQ and irq & r.IDLE_IRQ and not irq & r.RX_IRQ
    assert reader.field.tags[0].state is State.READY


@pytest.mark.parametrize(("wait_us", "heard"), [(0, True), (150, False)])
def test_10_3_1_7_receive_hears_a_reply_that_has_not_begun(reader, wait_us: int, heard: bool) -> None:
    reader.lay(SINGLE)
    reader.write(r.COM_IRQ, 0x7F)
    reader.write(r.BIT_FRAMING, 0x07)
    reader.write(r.FIFO_DATA, WUPA)
    reader.write(r.COMMAND, r.TRANSMIT)
    reader.sleep(80 + wait_us)
    reader.write(r.COMMAND, r.RECEIVE)
    reader.sleep(1_000)
    assert bool(reader.read(r.COM_IRQ) & r.RX_IRQ) == heard
    assert reader.read(r.COMMAND) == (r.IDLE if heard else r.RECEIVE)
