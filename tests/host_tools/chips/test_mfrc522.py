"""The MFRC522 model as its host sees it: SPI, reset, registers, FIFO, timer; NXP data sheet rev. 3.9."""


import pytest

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.mfrc522 import Mfrc522

# 8.1.2: SPI


def test_8_1_2_1_a_read_frame_returns_each_register_one_byte_later(bare) -> None:
    """Table 6: address 0, address 1, ..., 00; data 0 comes with address 1. Registers may be mixed."""
    miso = bare.frame(bytes((0x80 | r.VERSION << 1, 0x80 | r.MODE << 1, 0x80 | r.RF_CFG << 1, 0)))
    assert miso[1:] == bytes((0x92, 0x3F, 0x48))


def test_8_1_2_1_a_zero_byte_reads_register_0_not_the_same_again(bare) -> None:
    bare.write(r.FIFO_DATA, 0x11, 0x22, 0x33)
    assert bare.frame(bytes((0x80 | r.FIFO_DATA << 1, 0, 0, 0)))[1:] == b"\x11\x00\x00"
    assert bare.read(r.FIFO_LEVEL) == 2


def test_8_1_2_2_a_write_frame_stays_at_its_address(bare) -> None:
    bare.write(r.FIFO_DATA, *range(10))
    assert bare.read(r.FIFO_LEVEL) == 10
    assert bare.read_fifo(10) == bytes(range(10))


def test_8_1_2_3_the_most_significant_bit_is_read_and_the_address_stands_in_bits_6_to_1(bare) -> None:
    bare.frame(bytes((r.T_RELOAD_LOW << 1, 0x5A)))
    assert bare.read(r.T_RELOAD_LOW) == 0x5A
    assert bare.frame(bytes((r.T_RELOAD_LOW | 0x80, 0)))[1] != 0x5A     # an address that was not shifted


def test_8_1_2_a_frame_lasts_from_select_to_deselect(bare) -> None:
    """Bytes may come in several calls; the next select begins with an address byte."""
    chip = bare.chip
    chip.select(0)
    assert chip.exchange(bytes((0x80 | r.VERSION << 1,)), 0) == b"\x00"
    assert chip.exchange(b"\x00", 5) == b"\x92"
    chip.deselect(6)
    chip.select(7)
    chip.exchange(bytes((r.T_RELOAD_LOW << 1,)), 8)
    chip.exchange(b"\x77", 9)
    chip.deselect(10)
    assert bare.read(r.T_RELOAD_LOW) == 0x77


def test_8_1_2_a_chip_that_is_not_selected_neither_drives_nor_hears(bare) -> None:
    assert bare.chip.exchange(bytes((r.T_RELOAD_LOW << 1, 0x77)), 0) is None
    assert bare.read(r.T_RELOAD_LOW) == 0


# 9.2, 10.3.1.10, 8.8: reset

_AFTER_RESET = {
    0x01: 0x20, 0x02: 0x80, 0x03: 0x00, 0x04: 0x14, 0x06: 0x00, 0x07: 0x21, 0x08: 0x00, 0x0A: 0x00,
    0x0B: 0x08, 0x0C: 0x10, 0x0D: 0x00, 0x11: 0x3F, 0x12: 0x00, 0x13: 0x00, 0x14: 0x80, 0x15: 0x00,
    0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D, 0x1C: 0x62, 0x1D: 0x00, 0x1F: 0xEB, 0x21: 0xFF,
    0x22: 0xFF, 0x24: 0x26, 0x26: 0x48, 0x27: 0x88, 0x28: 0x20, 0x29: 0x20, 0x2A: 0x00, 0x2B: 0x00,
    0x2C: 0x00, 0x2D: 0x00, 0x33: 0x80, 0x36: 0x40, 0x37: 0x92,
}


def test_9_2_reset_values(bare) -> None:
    assert {address: bare.read(address) for address in _AFTER_RESET} == _AFTER_RESET


def test_10_3_1_10_soft_reset_restores_every_register(reader) -> None:
    reader.write(r.FIFO_DATA, 1, 2, 3)
    reader.write(r.WATER_LEVEL, 1)
    reader.write(r.COMMAND, r.SOFT_RESET)
    assert not reader.field.on
    reader.sleep(100)
    assert {address: reader.read(address) for address in _AFTER_RESET} == _AFTER_RESET


def test_8_8_2_after_soft_reset_power_down_reads_1_for_38_us_and_writes_are_lost(bare) -> None:
    """1024 clocks of 27.12 MHz are 37.74 us."""
    bare.write(r.COMMAND, r.SOFT_RESET)
    assert bare.read(r.COMMAND) == 0x30
    bare.now_us -= 2 * 28
    bare.sleep(37)
    bare.write(r.T_RELOAD_LOW, 7)
    bare.sleep(1 - 28)
    assert bare.read(r.COMMAND) == 0x20
    assert bare.read(r.T_RELOAD_LOW) == 0
    bare.write(r.T_RELOAD_LOW, 7)
    assert bare.read(r.T_RELOAD_LOW) == 7


def test_8_6_1_the_reset_pin_forgets_all_and_needs_the_crystal(reader) -> None:
    chip = reader.chip
    chip.reset_pin(0, reader.now_us)
    assert not reader.field.on
    assert reader.read(r.VERSION) == 0
    chip.reset_pin(1, reader.now_us)
    assert reader.read(r.COMMAND) & 0x10
    reader.write(r.T_RELOAD_LOW, 7)
    reader.sleep(2_000)
    assert reader.read(r.COMMAND) == 0x20
    assert reader.read(r.MODE) == 0x3F
    assert reader.read(r.T_RELOAD_LOW) == 0


def test_8_6_1_a_reset_pin_that_stays_high_resets_nothing(reader) -> None:
    reader.chip.reset_pin(1, reader.now_us)
    assert reader.read(r.MODE) == 0x3D
    assert reader.field.on


def test_8_8_2_a_supply_that_comes_back_starts_the_crystal_too(bare) -> None:
    bare.chip.power(False, bare.now_us)
    bare.chip.power(True, bare.now_us)
    assert bare.read(r.COMMAND) == 0x30
    bare.sleep(2_000)
    assert bare.read(r.COMMAND) == 0x20


def test_8_6_1_what_the_chip_did_before_its_reset_pin_fell_is_over(bare) -> None:
    """The timer's request comes before the pin falls, and is forgotten with everything else."""
    start_timer(bare, 0x10, 169, 39)
    bare.sleep(5_000)
    bare.chip.reset_pin(0, bare.now_us)
    bare.chip.reset_pin(1, bare.now_us + 10)
    bare.sleep(5_000)
    assert bare.read(r.COM_IRQ) == 0x14
    assert not bare.read(r.STATUS1) & 0x08


def test_8_6_2_soft_power_down_keeps_registers_and_stops_the_field(reader) -> None:
    reader.write(r.FIFO_DATA, 9)
    reader.write(r.COMMAND, 0x10)
    assert reader.read(r.COMMAND) == 0x10
    assert not reader.field.on
    reader.write(r.COMMAND, 0x00)
    assert reader.read(r.COMMAND) & 0x10            # 9.3.1.2: reads as 1 while it wakes up
    reader.sleep(2_000)
    assert reader.read(r.COMMAND) == 0x00
    assert reader.field.on
    assert reader.read(r.MODE) == 0x3D
    assert reader.read_fifo(1) == b"\x09"


def test_10_3_1_10_soft_reset_wakes_a_chip_from_power_down(reader) -> None:
    reader.write(r.COMMAND, 0x10)
    reader.write(r.COMMAND, r.SOFT_RESET)
    reader.sleep(2_000)
    assert reader.read(r.COMMAND) == 0x20
    assert reader.read(r.MODE) == 0x3F


# 9.3: registers

def test_9_3_1_1_reserved_and_read_only_registers_take_no_write(bare) -> None:
    for address in (0x00, 0x0F, 0x10, 0x1A, 0x20, 0x30, 0x3F, r.ERROR, r.VERSION, r.CRC_RESULT_LOW):
        before = bare.read(address)
        bare.write(address, before ^ 0xFF)
        assert bare.read(address) == before, hex(address)


def test_9_3_1_5_set1_tells_whether_marked_bits_are_set_or_cleared(bare) -> None:
    bare.write(r.COM_IRQ, 0x7F)
    assert bare.read(r.COM_IRQ) == 0
    bare.write(r.COM_IRQ, 0x80 | 0x21)
    assert bare.read(r.COM_IRQ) == 0x21
    bare.write(r.COM_IRQ, 0x01)
    assert bare.read(r.COM_IRQ) == 0x20
    bare.write(r.COM_IRQ, 0x80)
    assert bare.read(r.COM_IRQ) == 0x20


def test_9_3_1_6_set2_tells_whether_marked_bits_are_set_or_cleared(bare) -> None:
    bare.write(r.DIV_IRQ, 0x80 | 0x14)
    assert bare.read(r.DIV_IRQ) == 0x14
    bare.write(r.DIV_IRQ, 0x04)
    assert bare.read(r.DIV_IRQ) == 0x10


def test_8_4_the_irq_pin_follows_enabled_requests_and_irq_inv(bare) -> None:
    """9.3.1.3: IRqInv is 1 after reset."""
    assert bare.chip.irq_pin(bare.now_us) == 1
    bare.write(r.COM_I_EN, 0x80 | r.TIMER_IRQ)
    bare.write(r.COM_IRQ, 0x80 | r.TIMER_IRQ)
    assert bare.chip.irq_pin(bare.now_us) == 0
    assert bare.read(r.STATUS1) & 0x10
    bare.write(r.COM_I_EN, r.TIMER_IRQ)
    assert bare.chip.irq_pin(bare.now_us) == 1
    bare.write(r.COM_IRQ, r.TIMER_IRQ)
    assert bare.chip.irq_pin(bare.now_us) == 0


def test_8_4_the_irq_pin_moves_in_its_own_time(bare) -> None:
    bare.write(r.COM_I_EN, r.TIMER_IRQ)
    start_timer(bare, 0, 169, 39)
    started_us = bare.now_us
    assert bare.chip.irq_pin(started_us + 999) == 0
    assert bare.chip.irq_pin(started_us + 1_000) == 1


def test_9_3_1_9_crypto1_can_only_be_cleared(bare) -> None:
    bare.write(r.STATUS2, 0x08)
    assert bare.read(r.STATUS2) == 0


def test_9_3_1_14_start_send_reads_as_0_and_bit_3_is_reserved(bare) -> None:
    bare.write(r.BIT_FRAMING, 0xFF)
    assert bare.read(r.BIT_FRAMING) == 0x77


def test_9_3_1_15_only_values_after_coll_can_be_written(bare) -> None:
    bare.write(r.COLL, 0x00)
    assert bare.read(r.COLL) == 0x20
    bare.write(r.COLL, 0xFF)
    assert bare.read(r.COLL) == 0xA0


def test_9_3_2_5_either_driver_makes_a_field(bare) -> None:
    for bits, on in ((0x83, True), (0x80, False), (0x81, True), (0x82, True), (0x84, False)):
        bare.write(r.TX_CONTROL, bits)
        assert bare.field.on == on


def test_9_3_4_8_other_versions_of_the_chip_say_so(field) -> None:
    chip = Mfrc522(field, version=0x12)
    chip.select(0)
    assert chip.exchange(bytes((0x80 | r.VERSION << 1, 0)), 0) == b"\x00\x12"


# 8.3: FIFO

def test_8_3_reading_takes_bytes_out_and_an_empty_fifo_gives_0(bare) -> None:
    bare.write(r.FIFO_DATA, 1, 2, 3)
    assert [bare.read(r.FIFO_DATA) for _ in range(4)] == [1, 2, 3, 0]
    assert bare.read(r.FIFO_LEVEL) == 0


def test_9_3_1_7_the_65th_byte_overflows_and_is_lost(bare) -> None:
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.FIFO_DATA, *range(64))
    assert bare.read(r.ERROR) == 0
    bare.write(r.FIFO_DATA, 64)
    assert bare.read(r.ERROR) == r.BUFFER_OVFL
    assert bare.read(r.COM_IRQ) & r.ERR_IRQ
    assert bare.read_fifo(64) == bytes(range(64))


def test_9_3_1_11_flush_empties_the_fifo_and_clears_the_overflow(bare) -> None:
    bare.write(r.FIFO_DATA, *range(65))
    bare.write(r.FIFO_LEVEL, 0x00)
    assert bare.read(r.FIFO_LEVEL) == 64
    bare.write(r.FIFO_LEVEL, 0x80)
    assert bare.read(r.FIFO_LEVEL) == 0
    assert bare.read(r.ERROR) == 0


def test_10_2_starting_a_command_keeps_the_fifo(bare) -> None:
    bare.write(r.FIFO_DATA, 5)
    bare.write(r.COMMAND, r.TRANSCEIVE)
    bare.write(r.COMMAND, r.IDLE)
    assert bare.read_fifo(1) == b"\x05"


def test_9_3_1_8_alerts_follow_the_water_level(bare) -> None:
    """The examples of the section, with WaterLevel 4: length 4 and 60 alert, 5 and 59 do not."""
    bare.write(r.WATER_LEVEL, 4)
    for length, alerts in ((4, 0x01), (5, 0x00), (59, 0x00), (60, 0x02)):
        bare.write(r.FIFO_LEVEL, 0x80)
        bare.write(r.FIFO_DATA, *bytes(length))
        assert bare.read(r.STATUS1) & 0x03 == alerts, length


def test_9_3_1_12_a_new_water_level_counts_at_once(bare) -> None:
    bare.write(r.FIFO_DATA, *bytes(20))
    assert bare.read(r.STATUS1) & 0x03 == 0x00
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.WATER_LEVEL, 20)
    assert bare.read(r.STATUS1) & 0x03 == 0x01
    assert bare.read(r.COM_IRQ) & r.LO_ALERT_IRQ


def test_9_3_1_5_alert_requests_keep_that_the_alert_rose(bare) -> None:
    bare.write(r.FIFO_DATA, *bytes(60))
    assert bare.read(r.COM_IRQ) & r.HI_ALERT_IRQ
    bare.write(r.COM_IRQ, 0x7F)
    bare.read_fifo(51)
    assert not bare.read(r.COM_IRQ) & r.LO_ALERT_IRQ
    bare.read_fifo(1)
    assert bare.read(r.COM_IRQ) & r.LO_ALERT_IRQ
    bare.write(r.COM_IRQ, 0x7F)
    bare.read_fifo(1)                                   # it was low before: nothing rises
    assert not bare.read(r.COM_IRQ) & r.LO_ALERT_IRQ
    bare.write(r.FIFO_DATA, *bytes(50))
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.FIFO_DATA, 0)
    assert not bare.read(r.COM_IRQ) & r.HI_ALERT_IRQ


# 8.5: timer

def start_timer(bare, mode: int, prescaler: int, reload: int) -> None:
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.T_MODE, mode | prescaler >> 8)
    bare.write(r.T_PRESCALER, prescaler & 0xFF)
    bare.write(r.T_RELOAD_HIGH, reload >> 8)
    bare.write(r.T_RELOAD_LOW, reload & 0xFF)
    bare.write(r.CONTROL, 0x40)
    bare.now_us -= 28


def fires_at(bare, soon_us: int) -> bool:
    """Whether the timer's request comes in the microsecond that ends `soon_us` after its start."""
    started_us = bare.now_us
    bare.sleep(soon_us - 1)
    early = bare.read(r.COM_IRQ) & r.TIMER_IRQ
    bare.now_us = started_us + soon_us
    return not early and bool(bare.read(r.COM_IRQ) & r.TIMER_IRQ)


@pytest.mark.parametrize(("prescaler", "reload", "us"), [
    (169, 0, 25), (169, 39, 1_000), (0, 1355, 100), (4095, 65535, 39_587_418),
])
def test_8_5_the_timer_takes_its_time(bare, prescaler: int, reload: int, us: int) -> None:
    """(2 TPrescaler + 1) (TReloadVal + 1) / 13.56 MHz; the section's own examples are 25 us and 39.59 s."""
    start_timer(bare, 0, prescaler, reload)
    assert bare.read(r.STATUS1) & 0x08
    bare.now_us -= 28
    assert fires_at(bare, us)
    assert not bare.read(r.STATUS1) & 0x08


def test_9_3_3_10_t_prescal_even_adds_a_period_to_the_tick(bare) -> None:
    bare.write(r.DEMOD, 0x5D)
    start_timer(bare, 0, 0, 1355)
    assert fires_at(bare, 200)


def test_9_3_3_12_the_counter_counts_down(bare) -> None:
    start_timer(bare, 0, 677, 1000)                     # 1355 periods: 99.93 us
    bare.sleep(10_000 + 28)
    assert bare.read(r.T_COUNTER_HIGH) << 8 | bare.read(r.T_COUNTER_LOW) in (899, 900)


def test_9_3_1_13_the_timer_can_be_stopped(bare) -> None:
    start_timer(bare, 0, 169, 39)
    bare.sleep(500)
    bare.write(r.CONTROL, 0x00)
    assert bare.read(r.STATUS1) & 0x08
    bare.write(r.CONTROL, 0x80)
    left = bare.read(r.T_COUNTER_LOW)
    bare.sleep(5_000)
    assert not bare.read(r.COM_IRQ) & r.TIMER_IRQ
    assert bare.read(r.T_COUNTER_LOW) == left > 0
    assert bare.read(r.CONTROL) == 0x10                 # TStopNow and TStartNow read as 0


def test_9_3_3_10_auto_restart_fires_again_and_again(bare) -> None:
    start_timer(bare, 0x10, 169, 39)
    for _ in range(3):
        bare.now_us += 1_000
        assert bare.read(r.COM_IRQ) & r.TIMER_IRQ
        bare.write(r.COM_IRQ, r.TIMER_IRQ)
        assert not bare.read(r.COM_IRQ) & r.TIMER_IRQ
        bare.now_us -= 3 * 28


def test_8_5_a_long_silence_on_the_bus_loses_no_event(bare) -> None:
    start_timer(bare, 0, 169, 39)
    bare.sleep(60_000_000)
    assert bare.read(r.COM_IRQ) & r.TIMER_IRQ


def test_8_1_2_1_what_happens_within_a_frame_is_seen_by_the_bytes_behind_it(bare) -> None:
    """Each byte takes its time: who reads the level first and the request behind it may see the second alone."""
    bare.chip.byte_us = 8.0
    start_timer(bare, mode=0, prescaler=9, reload=9)
    due_us = bare.chip._due_us
    bare.chip.select(bare.now_us)
    seen = bare.chip.exchange(bytes((0x80 | r.COM_IRQ << 1,)) * 7 + b"\x00", due_us + 20)
    bare.chip.deselect(due_us + 21)
    # The eight bytes begin 44 us before it; the first five registers are fetched 36, 28, 20, 12 and 4 us before it.
    assert [byte & r.TIMER_IRQ for byte in seen] == [0] * 6 + [r.TIMER_IRQ] * 2
