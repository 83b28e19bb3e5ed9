"""The 74HC165 chain does what its data sheet's function table says."""

import pytest

from host_tools.virtual.chips.hc165 import CLOSED, OPEN, Hc165Chain


def read(chain, now_us, size=4):
    chain.latch_pin(0, now_us)
    chain.latch_pin(1, now_us)
    return chain.exchange(bytes(size), now_us)


def test_description_pull_ups_hold_open_inputs_high():
    assert read(Hc165Chain(32), 0) == b"\xff\xff\xff\xff"


@pytest.mark.parametrize("index, expected", [
    (0, "7fffffff"), (7, "feffffff"), (8, "ff7fffff"), (31, "fffffffe"),
])
def test_function_table_d7_of_the_first_chip_comes_out_first(index, expected):
    chain = Hc165Chain(32)
    chain.tie(index, 0)
    assert read(chain, 0).hex() == expected


def test_function_table_pl_low_loads_and_its_rising_edge_keeps():
    chain = Hc165Chain(8)
    chain.latch_pin(0, 0)
    chain.press(3, 10)
    chain.latch_pin(1, 20)
    chain.release(3, 30)
    assert chain.exchange(b"\0", 40) == b"\xef"


def test_function_table_what_changes_after_the_load_is_not_seen():
    chain = Hc165Chain(8)
    chain.latch_pin(0, 0)
    chain.latch_pin(1, 1)
    chain.press(0, 2)
    assert chain.exchange(b"\0", 3) == b"\xff"
    assert read(chain, 4, 1) == b"\x7f"


def test_function_table_while_pl_is_low_the_clock_does_not_shift():
    chain = Hc165Chain(8)
    chain.tie(0, 0)
    chain.latch_pin(0, 0)
    assert chain.exchange(b"\0", 1) == b"\x00"
    chain.tie(0, 1)
    assert chain.exchange(b"\0", 2) == b"\xff"


def test_function_table_shifting_on_brings_ds():
    chain = Hc165Chain(8)
    assert read(chain, 0, 2) == b"\xff\x00"
    assert chain.exchange(b"\0", 1) == b"\x00"
    chain.serial_in = 1
    assert read(chain, 2, 2) == b"\xff\xff"


def test_tie_last_the_highest_bit_first():
    chain = Hc165Chain(16)
    chain.tie_last(4, 0b0110)
    assert read(chain, 0, 2) == b"\xff\xf6"


def test_contact_bounces_at_the_times_it_is_told():
    chain = Hc165Chain(8)
    chain.press(0, 1000, (300, 700))
    seen = [chain.level(0, at) for at in (999, 1000, 1299, 1300, 1699, 1700, 9000)]
    assert seen == [OPEN, CLOSED, CLOSED, OPEN, OPEN, CLOSED, CLOSED]
    chain.release(0, 10_000, (500, 900))
    seen = [chain.level(0, at) for at in (9_999, 10_000, 10_500, 10_900)]
    assert seen == [CLOSED, OPEN, CLOSED, OPEN]


def test_contact_moves_between_two_loads():
    chain = Hc165Chain(16)
    chain.press(2, 1000, (300, 700))
    chain.press(9, 1500)
    assert [read(chain, at, 2).hex() for at in (0, 999, 1000, 1300, 1500, 1700)] == [
        "ffff", "ffff", "dfff", "ffff", "ffbf", "dfbf",
    ]


def test_contact_released_before_it_came_to_rest_stays_open():
    chain = Hc165Chain(8)
    chain.press(0, 0, (100, 4000))
    chain.release(0, 2000)
    assert [chain.level(0, at) for at in (1999, 2000, 4000, 9000)] == [OPEN, OPEN, OPEN, OPEN]


def test_contact_odd_bounce_is_refused():
    with pytest.raises(ValueError, match="odd"):
        Hc165Chain(8).press(0, 0, (100,))


def test_tie_overrules_the_contact_until_it_is_undone():
    chain = Hc165Chain(8)
    chain.tie(2, CLOSED)
    assert chain.level(2, 0) == CLOSED
    chain.untie(2)
    assert chain.level(2, 0) == OPEN


@pytest.mark.parametrize("level, expected", [(1, "00ffffff"), (0, "00000000")])
def test_cut_wire_lets_nothing_of_the_chips_behind_it_through(level, expected):
    chain = Hc165Chain(32)
    for index in range(32):
        chain.tie(index, 0 if level else index % 2 if index >= 8 else 0)
    chain.cut_after(8, level)
    assert read(chain, 0).hex() == expected
    chain.cut_after(32)
    assert read(chain, 1).hex() == ("00000000" if level else "00555555")


def test_cut_wire_between_load_and_shift():
    chain = Hc165Chain(16)
    read(chain, 0, 0)
    chain.cut_after(8, 0)
    assert chain.exchange(bytes(3), 1) == b"\xff\x00\x00"


def test_chip_has_eight_inputs():
    with pytest.raises(ValueError, match="eight"):
        Hc165Chain(28)
