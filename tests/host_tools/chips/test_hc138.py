"""The 74HC138 does what its function table says."""

from host_tools.virtual.chips.hc138 import OUTPUTS, Hc138


def watched():
    """A decoder and the list of what its outputs did: (output, level, now_us)."""
    chip, log = Hc138(), []
    for output in range(OUTPUTS):
        chip.listeners[output].append(lambda level, now_us, output=output: log.append((output, level, now_us)))
    return chip, log


def test_the_output_at_the_address_is_low_while_it_is_enabled():
    for number in range(OUTPUTS):
        chip, log = watched()
        for bit in range(3):
            chip.address_pin(bit)(number >> bit & 1, 1)
        assert log == []
        chip.enable_pin(0, 2)
        chip.enable_pin(0, 3)
        chip.enable_pin(1, 4)
        assert log == [(number, 0, 2), (number, 1, 4)]


def test_an_address_that_changes_meanwhile_moves_the_low_output():
    chip, log = watched()
    chip.enable_pin(0, 1)
    chip.address_pin(1)(1, 2)
    chip.address_pin(0)(1, 3)
    assert log == [(0, 0, 1), (0, 1, 2), (2, 0, 2), (2, 1, 3), (3, 0, 3)]
