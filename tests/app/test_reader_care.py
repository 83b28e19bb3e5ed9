"""A bus that is too fast, or a reader that holds it: the clock is halved, the reader named (F4, H2, H9, T13)."""

from cardtable.answers import EMPTY, READ_BACK, REPEATS, SILENT
from cardtable.between import reader_care
from cardtable.table.readers import Readers

from tests.app.fake_readers import SILENCES_TO_RESET, SWEEPS_TO_RETRY, SWEEPS_TO_WATCH, Chip, look, look_at, make


def test_f12_the_reset_line_is_pulsed_for_a_reader_that_stays_silent():
    """F12: after thirteen silences of one reader, or six of all; then less and less often."""
    for count, retries in ((1, SILENCES_TO_RESET[0]), (2, SILENCES_TO_RESET[1])):
        levels = []
        readers = make(count)
        readers.reset = levels.append
        readers.chips[0].starts = False
        reader_care.start(readers)
        for chip in readers.chips[1:]:
            chip.answers = [EMPTY] * 1000
        look(readers, (retries - 1) * SWEEPS_TO_RETRY)
        assert levels == []
        look(readers, SWEEPS_TO_RETRY)
        assert levels == [0, 1] and all(chip.starts_counted > 1 for chip in readers.chips)
        look(readers, 60 * SWEEPS_TO_RETRY)
        assert len(levels) == 2 * (len(SILENCES_TO_RESET) - (count > 1) - 2)


class Bus:
    """A bus that keeps its clocks."""

    def __init__(self):
        self.clocks = []

    def init(self, baudrate: int) -> None:
        self.clocks.append(baudrate)


def test_f4_the_clock_is_halved_until_every_reader_is_read_right():
    """F4: and if that does not help the reader is broken, and the clock comes back."""
    for slow_enough, clocks in ((250_000, [500_000, 250_000]), (1, [500_000, 250_000, 125_000, 1_000_000])):
        readers = make()
        bus = Bus()
        readers.buses = ((bus, 1_000_000),)
        chip = readers.chips[1]
        chip.fault = READ_BACK
        chip.start = lambda bus=bus, slow_enough=slow_enough: bool(bus.clocks) and bus.clocks[-1] <= slow_enough
        reader_care.start(readers)
        assert bus.clocks == clocks and readers.halvings == len(clocks) % 4
        assert readers.faulty == (2 if slow_enough == 1 else 0)


def test_f4_a_reader_whose_line_floats_slows_nobody_down():
    """F4: it is misread, and now and then by chance silent: at a slower clock nobody else is heard for that."""
    for silent_from in range(1, 12):
        readers = make()
        bus = Bus()
        readers.buses = ((bus, 1_000_000),)
        chip = readers.chips[1]

        def start(chip=chip, silent_from=silent_from):
            chip.starts_counted += 1
            chip.fault = SILENT if chip.starts_counted >= silent_from else READ_BACK
            return False

        chip.start = start
        reader_care.start(readers)
        assert readers.halvings == 0 and bus.clocks[-1:] in ([], [1_000_000]) and readers.faulty == 2, silent_from


def test_f4_a_reader_that_is_not_there_slows_nobody_down():
    readers = make()
    bus = Bus()
    readers.buses = ((bus, 1_000_000),)
    readers.chips[1].starts = False
    reader_care.start(readers)
    assert bus.clocks == [] and readers.faulty == 2


def test_t13_a_reader_that_drives_the_line_is_told_by_being_heard_alone():
    """If more are heard, or the line is free, it is something else."""
    for starts, line, jammer in (
        ((False, True, False), 0x00, 2),
        ((False, True, False), 0xFF, 0),
        ((True, True, False), 0x00, 0),
        ((False, False, False), 0x00, 0),
        ((True, True, True), 0x00, 0),
    ):
        chips = [Chip(one) for one in starts]
        for chip in chips:
            chip.line = line
        readers = Readers(chips, None)
        reader_care.start(readers)
        assert readers.jammer == jammer, (starts, line)
    chips = [Chip(one) for one in (False, True)]
    chips[1].line = 0
    readers = Readers(chips, None)
    reader_care.start(readers)
    assert readers.jammer == 2
    chips[0].starts = True
    chips[0].answers = [EMPTY]
    look_at(readers, 0)
    assert readers.faulty == 0 and readers.jammer == 0


def slow_at(clean_hz: int):
    """Readers on a bus that fails a third of all looks above that clock; and what is said of it."""
    readers = make(2)
    bus = Bus()
    readers.buses = ((bus, 1_000_000),)
    said = []
    readers.say = said.append
    for index in range(2):
        chip = readers.chips[index]

        async def poll(known, chip=chip):
            chip.polls += 1
            clock = bus.clocks[-1] if bus.clocks else 1_000_000
            is_silent = clock > clean_hz and chip.polls % 3 == 0
            chip.silent += is_silent
            return SILENT if is_silent else EMPTY

        chip.poll = poll
    return readers, bus, said


def test_h2_a_bus_that_fails_in_play_is_slowed_down_until_it_does_not():
    """H2: and it is said. A bus that no clock mends comes back to its own, and rests."""
    for clean_hz, clocks in ((500_000, [500_000]), (250_000, [500_000, 250_000]), (0, [500_000, 250_000, 125_000,
                                                                                     1_000_000])):
        readers, bus, said = slow_at(clean_hz)
        look(readers, 6 * SWEEPS_TO_WATCH)
        assert bus.clocks == clocks and readers.halvings == len(clocks) % 4, clean_hz
        assert len(said) == len(clocks) and said[0] == "readers: 170 of 512 looks failed, now at 500 kHz", said
        assert bool(readers.rests) is (clean_hz == 0)
        look(readers, 6 * SWEEPS_TO_WATCH)
        assert bus.clocks == clocks


def test_h2_a_silence_now_and_then_slows_nobody_down():
    """H2: up to one look in fifty."""
    readers, bus, _ = slow_at(1_000_000)
    for chip in readers.chips:
        chip.answers = ([EMPTY] * 80 + [SILENT]) * 20

        async def poll(known, chip=chip):
            chip.polls += 1
            answer = chip.answers.pop(0)
            chip.silent += answer == SILENT
            return answer

        chip.poll = poll
    look(readers, 1000)
    assert bus.clocks == []


def test_h2_at_the_start_settings_are_read_back_often_enough_to_measure():
    """H2: readers that all start, and whose settings come back wrong now and then."""
    for wrong, halvings in ((0, 0), (2, 0), (30, 1)):
        readers = make()
        bus = Bus()
        readers.buses = ((bus, 1_000_000),)
        chip = readers.chips[1]
        chip.read_back = lambda frames, bus=bus, wrong=wrong: 0 if bus.clocks else wrong
        reader_care.start(readers)
        assert readers.halvings == halvings and readers.faulty == 0, wrong


def test_h9_a_copy_that_repeats_registers_slows_nobody_down():
    readers = make()
    bus = Bus()
    readers.buses = ((bus, 1_000_000),)
    readers.chips[1].starts = False
    readers.chips[1].fault = REPEATS
    reader_care.start(readers)
    assert bus.clocks == [] and readers.faulty == 2
