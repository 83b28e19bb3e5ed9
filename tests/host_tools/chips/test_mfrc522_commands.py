"""The commands of the MFRC522 model that need no radio, and its faults; NXP data sheet rev. 3.9."""

import random
from itertools import pairwise

import pytest

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import Field
from host_tools.virtual.chips.mfrc522 import Mfrc522

# 10.3: commands without radio

def test_10_3_1_1_idle_written_by_the_host_sets_no_request(bare) -> None:
    """9.3.1.5, IdleIRq."""
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.COMMAND, r.TRANSCEIVE)
    assert bare.read(r.COMMAND) == r.TRANSCEIVE
    bare.write(r.COMMAND, r.IDLE)
    assert bare.read(r.COMMAND) == r.IDLE
    assert not bare.read(r.COM_IRQ) & r.IDLE_IRQ


def test_9_3_1_5_an_unknown_command_ends_at_once_with_a_request(bare) -> None:
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.COMMAND, 0x05)
    assert bare.read(r.COMMAND) == r.IDLE
    assert bare.read(r.COM_IRQ) & r.IDLE_IRQ


def test_10_3_1_6_no_cmd_change_changes_only_the_other_bits(bare) -> None:
    bare.write(r.COMMAND, r.TRANSCEIVE)
    bare.write(r.COMMAND, 0x20 | r.NO_COMMAND_CHANGE)
    assert bare.read(r.COMMAND) == 0x20 | r.TRANSCEIVE


def test_9_3_1_7_a_command_clears_the_errors(bare) -> None:
    bare.write(r.FIFO_DATA, *bytes(65))
    bare.write(r.COMMAND, r.NO_COMMAND_CHANGE)
    assert bare.read(r.ERROR)
    bare.write(r.COMMAND, r.TRANSCEIVE)
    assert not bare.read(r.ERROR)


def test_10_3_1_2_mem_moves_25_bytes_in_and_out(bare) -> None:
    bare.write(r.FIFO_DATA, *range(24))
    bare.write(r.COMMAND, r.MEM)
    assert bare.read(r.COMMAND) == r.MEM                # 10.2: it waits for its 25th byte
    bare.write(r.FIFO_DATA, 24)
    assert bare.read(r.COMMAND) == r.IDLE
    assert bare.read(r.FIFO_LEVEL) == 0
    bare.write(r.COMMAND, r.MEM)
    assert bare.read_fifo(25) == bytes(range(25))


def test_10_3_1_2_mem_leaves_what_is_more_than_25_bytes(bare) -> None:
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.FIFO_DATA, *range(30))
    bare.write(r.COMMAND, r.MEM)
    assert bare.read(r.COM_IRQ) & r.LO_ALERT_IRQ
    assert bare.read_fifo(bare.read(r.FIFO_LEVEL)) == bytes(range(25, 30))
    bare.write(r.COMMAND, r.MEM)
    assert bare.read_fifo(bare.read(r.FIFO_LEVEL)) == bytes(range(25))


def test_10_3_1_10_the_buffer_outlives_a_reset_but_not_the_supply(bare) -> None:
    bare.write(r.FIFO_DATA, *range(25))
    bare.write(r.COMMAND, r.MEM)
    bare.write(r.COMMAND, r.SOFT_RESET)
    bare.sleep(100)
    bare.write(r.COMMAND, r.MEM)
    assert bare.read_fifo(bare.read(r.FIFO_LEVEL)) == bytes(range(25))
    bare.chip.power(False, bare.now_us)
    bare.chip.power(True, bare.now_us)
    bare.sleep(2_000)
    bare.write(r.COMMAND, r.MEM)
    assert bare.read_fifo(bare.read(r.FIFO_LEVEL)) == bytes(25)


def test_10_3_1_3_random_id_overwrites_ten_bytes_of_the_buffer(bare) -> None:
    bare.write(r.FIFO_DATA, *range(25))
    bare.write(r.COMMAND, r.MEM)
    bare.write(r.COM_IRQ, 0x7F)
    bare.write(r.COMMAND, r.GENERATE_RANDOM_ID)
    assert bare.read(r.COMMAND) == r.IDLE
    assert bare.read(r.COM_IRQ) & r.IDLE_IRQ
    bare.write(r.COMMAND, r.MEM)
    buffer = bare.read_fifo(25)
    assert buffer[10:] == bytes(range(10, 25))
    assert buffer[:10] != bytes(range(10))


def calculate(bare, data: bytes) -> bytes:
    bare.write(r.COMMAND, r.IDLE)
    bare.write(r.DIV_IRQ, 0x04)
    bare.write(r.FIFO_LEVEL, 0x80)
    bare.write(r.FIFO_DATA, *data)
    bare.write(r.COMMAND, r.CALC_CRC)
    while not bare.read(r.DIV_IRQ) & r.CRC_IRQ:
        pass
    return bytes((bare.read(r.CRC_RESULT_LOW), bare.read(r.CRC_RESULT_HIGH)))


def test_10_3_1_4_calc_crc_gives_crc_a_with_the_preset_6363(bare) -> None:
    bare.write(r.MODE, 0x3D)
    assert calculate(bare, b"\x12\x34") == b"\x26\xcf"
    assert calculate(bare, b"\x50\x00") == with_crc(b"\x50\x00")[2:]


def test_9_3_2_2_the_reset_preset_is_ffff(bare) -> None:
    """ISO/IEC 14443-3, annex B: CRC_B of 00 00 00 is CC C6, the complement of what comes from FFFF."""
    assert calculate(bare, b"\x00\x00\x00") == bytes((0xCC ^ 0xFF, 0xC6 ^ 0xFF))


@pytest.mark.parametrize(("mode", "preset"), [(0x3C, 0x0000), (0x3D, 0x6363), (0x3E, 0xA671), (0x3F, 0xFFFF)])
def test_9_3_2_2_the_four_presets(bare, mode: int, preset: int) -> None:
    """What the coprocessor holds before its first byte."""
    bare.write(r.MODE, mode)
    assert calculate(bare, b"") == preset.to_bytes(2, "little")


def test_9_3_2_2_msb_first_reverses_the_bits_of_both_bytes(bare) -> None:
    bare.write(r.MODE, 0xBD)
    assert calculate(bare, b"\x12\x34") == bytes((0x64, 0xF3))


def test_10_3_1_4_the_crc_takes_time_and_goes_on_with_later_bytes(bare) -> None:
    bare.write(r.MODE, 0x3D)
    bare.write(r.FIFO_DATA, *bytes(40))
    bare.write(r.COMMAND, r.CALC_CRC)
    assert not bare.read(r.DIV_IRQ) & r.CRC_IRQ
    bare.now_us -= 28
    assert not bare.read(r.STATUS1) & 0x20
    bare.sleep(40)
    assert bare.read(r.DIV_IRQ) & r.CRC_IRQ
    assert bare.read(r.STATUS1) & 0x20
    assert bare.read(r.COMMAND) == r.CALC_CRC           # only another command ends it
    bare.write(r.DIV_IRQ, 0x04)
    bare.write(r.FIFO_DATA, 0x12, 0x34)
    bare.sleep(10)
    assert bare.read(r.DIV_IRQ) & r.CRC_IRQ
    result = bytes((bare.read(r.CRC_RESULT_LOW), bare.read(r.CRC_RESULT_HIGH)))
    assert result == with_crc(bytes(40) + b"\x12\x34")[-2:]


def test_9_3_1_8_crc_ok_is_a_result_of_zero(bare) -> None:
    bare.write(r.MODE, 0x3D)
    calculate(bare, with_crc(b"abc"))
    assert bare.read(r.STATUS1) & 0x40
    calculate(bare, b"abc")
    assert not bare.read(r.STATUS1) & 0x40


def self_test(bare) -> bytes:
    bare.write(r.AUTO_TEST, 0x09)
    bare.write(r.FIFO_DATA, 0x00)
    bare.write(r.COMMAND, r.CALC_CRC)
    bare.sleep(5_000)
    assert bare.read(r.DIV_IRQ) & r.CRC_IRQ
    assert bare.read(r.FIFO_LEVEL) == 64
    return bare.read_fifo(64)


def test_16_1_1_self_test_of_version_2_0(bare) -> None:
    bare.write(r.FIFO_DATA, *bytes(25))
    bare.write(r.COMMAND, r.MEM)
    result = self_test(bare)
    assert result[:8] == bytes.fromhex("00eb66ba57bf2395")
    assert result[-8:] == bytes.fromhex("dc15ba3e7d953b2f")
    assert result == r.SELF_TEST_RESULT


def test_16_1_1_self_test_fails_when_the_buffer_was_not_cleared(bare) -> None:
    bare.write(r.FIFO_DATA, *range(25))
    bare.write(r.COMMAND, r.MEM)
    assert self_test(bare) != r.SELF_TEST_RESULT


# Faults

@pytest.mark.parametrize(("mode", "seen"), [("low", {0x00}), ("high", {0xFF})])
def test_a_stuck_miso_reads_the_same_whatever_the_register(bare, mode: str, seen: set[int]) -> None:
    bare.chip.miso = mode
    assert {bare.read(address) for address in range(64)} == seen
    bare.write(r.T_RELOAD_LOW, 0x5A)                    # the chip still hears
    bare.chip.miso = None
    assert bare.read(r.T_RELOAD_LOW) == 0x5A


def test_a_floating_miso_reads_at_random(bare) -> None:
    bare.chip.miso = "floating"
    assert len({bare.read(r.VERSION) for _ in range(50)}) > 20


def test_a_loose_wire_spoils_bytes_both_ways_now_and_then(bare) -> None:
    bare.chip.loose_wire = 0.2
    wrong_reads = sum(bare.read(r.VERSION) != 0x92 for _ in range(200))
    wrong_writes = 0
    for _ in range(200):
        bare.chip.loose_wire = 0.2
        bare.write(r.T_RELOAD_LOW, 0x5A)
        bare.chip.loose_wire = 0.0
        wrong_writes += bare.read(r.T_RELOAD_LOW) != 0x5A
        bare.write(r.T_RELOAD_LOW, 0x00)
    assert 20 < wrong_reads < 150
    assert 20 < wrong_writes < 150


def test_a_stuck_gain_register_takes_no_write_until_it_is_freed(bare) -> None:
    bare.chip.stick(r.RF_CFG, 0x48)
    bare.write(r.RF_CFG, 0x70)
    assert bare.read(r.RF_CFG) == 0x48
    bare.write(r.COMMAND, r.SOFT_RESET)
    bare.sleep(100)
    bare.write(r.RF_CFG, 0x70)
    assert bare.read(r.RF_CFG) == 0x48
    bare.chip.unstick()
    bare.write(r.RF_CFG, 0x70)
    assert bare.read(r.RF_CFG) == 0x70


def test_a_chip_without_supply_is_silent_and_forgets(reader) -> None:
    reader.chip.power(False, reader.now_us)
    assert not reader.field.on
    assert len({reader.read(r.VERSION) for _ in range(50)}) > 20
    reader.chip.power(True, reader.now_us)
    reader.sleep(2_000)
    assert reader.read(r.VERSION) == 0x92
    assert reader.read(r.MODE) == 0x3F
    assert not reader.field.on


def test_a_chip_held_in_reset_does_not_start_when_its_supply_returns(bare) -> None:
    bare.chip.reset_pin(0, bare.now_us)
    bare.chip.power(False, bare.now_us)
    bare.chip.power(True, bare.now_us)
    bare.sleep(5_000)
    assert bare.read(r.VERSION) == 0


def test_faults_repeat_with_their_seed() -> None:
    def run(seed: int) -> list[bytes | None]:
        chip = Mfrc522(Field(), random.Random(seed))
        chip.loose_wire = 0.5
        chip.select(0)
        return [chip.exchange(bytes((0x80 | r.VERSION << 1, 0)), us) for us in range(50)]
    runs = [run(seed) for seed in (1, 1, 2, 3)]
    assert runs[0] == runs[1]
    assert all(one != other for one, other in pairwise(runs[1:]))
