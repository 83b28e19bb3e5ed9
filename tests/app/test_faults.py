"""What is broken, by name, and whether the game waits for it (T13)."""

from cardtable.table.faults import LOOKS, Faults
from cardtable.table.words import list_languages

from tests.app.fake_parts import Parts


def make(places=(1, 2), language="en"):
    """(parts, faults) of a table at which those places are taken."""
    parts = Parts("durak", language)
    return parts, Faults(parts, list(places))


def look(faults):
    """Long enough that even the buttons were asked."""
    changes = [faults.look() for _ in range(LOOKS)]
    return changes.count(True)


def test_t13_all_is_well():
    """Nothing is named."""
    _, faults = make()
    assert look(faults) == 0 and faults.names == [] and not faults.stops


def test_t13_readers_are_named_in_one_line():
    """Needed or not; up to four with room between their numbers."""
    parts, faults = make()
    for silent, name, stops in (
        (0b1000000, "Silent reader 7", False),
        (0b1000010, "Silent reader 2 7", True),
        (0b1111000, "Silent reader 4 5 6 7", False),
        (0b1111111, "Silent reader 1234567", True),
    ):
        parts.readers.faulty = silent
        assert look(faults) == 1 and faults.names == [name] and faults.stops == stops
        assert [place for place in range(1, 8) if faults.concern(place)] == [
            place for place in range(1, 8) if silent >> (place - 1) & 1
        ]
    parts.readers.faulty = 0
    assert look(faults) == 1 and faults.names == [] and not faults.stops


def test_t13_each_stuck_button_is_named():
    """With its place and what stands on it."""
    parts, faults = make()
    parts.buttons.stuck = 1 << 4 * 2
    assert look(faults) == 1 and faults.names == ["Stuck button 3 OK"] and not faults.stops
    parts.buttons.stuck |= 1 << 7
    assert look(faults) == 1 and faults.names == ["Stuck button 2 MENU", "Stuck button 3 OK"] and faults.stops
    assert faults.concern(2) and faults.concern(3) and not faults.concern(1)


def test_t13_of_a_broken_chain_no_button_is_known():
    """So none of its buttons is called stuck; all seats that play are concerned."""
    parts, faults = make((1, 4))
    parts.buttons.stuck = 1
    look(faults)
    parts.buttons.chain_ok = False
    look(faults)
    assert faults.names == ["Buttons are silent"] and faults.stops
    assert [place for place in range(1, 8) if faults.concern(place)] == [1, 4]


def test_t13_the_flash_and_a_lost_tap():
    """The game waits for the flash; what is lost is lost, and said."""
    parts, faults = make()
    parts.journal.is_full = True
    parts.journal.write("line")
    assert faults.look() and faults.names == ["The memory is full"] and faults.stops
    parts.journal.is_full = False
    parts.journal.flush()
    parts.readers.lost = 1
    assert faults.look() and faults.names == ["A tap was lost"] and not faults.stops


def test_t13_a_reader_that_jams_the_others_is_named_before_them():
    """Its own light shows it too."""
    parts, faults = make()
    parts.readers.faulty = 0b0000101
    parts.readers.jammer = 2
    assert look(faults) == 1 and faults.names == ["Jammed by reader 2", "Silent reader 1 3"] and faults.stops
    assert [place for place in range(1, 8) if faults.concern(place)] == [1, 2, 3]


class Screen:
    """One screen for all, or one a place; `dark` are silent."""

    def __init__(self, is_shared: bool):
        self.is_shared = is_shared
        self.dark = 0

    def silent(self) -> int:
        return self.dark


def test_t13_a_silent_screen_is_named_and_stops_nothing():
    """A light shows it only where it has nothing else to say."""
    every = [1, 2, 3, 4, 5, 6, 7]
    for is_shared, name, places in ((True, "Silent screen", every), (False, "Silent screen 3 5", [3, 5])):
        parts, _ = make()
        parts.screen = Screen(is_shared)
        faults = Faults(parts, [1, 2])
        assert look(faults) == 0
        parts.screen.dark = 1 if is_shared else 0b10100
        assert look(faults) == 1 and faults.names == [name] and not faults.stops
        assert [place for place in range(1, 8) if faults.concern(place)] == []
        assert [place for place in range(1, 8) if faults.concern(place, True)] == places
        parts.screen.dark = 0
        assert look(faults) == 1 and faults.names == [] and not faults.concern(3, True)


def test_every_name_fits_the_bottom_line():
    """In every language, the longest of each kind."""
    for language in list_languages():
        parts, _ = make(language=language)
        parts.screen = Screen(False)
        faults = Faults(parts, [1, 2])
        parts.screen.dark = 127
        parts.readers.jammer = 7
        parts.readers.faulty = 127
        parts.readers.lost = 1
        parts.buttons.stuck = (1 << 28) - 1
        look(faults)
        names = list(faults.names)
        parts.buttons.chain_ok = False
        parts.journal.is_full = True
        parts.journal.write("line")
        look(faults)
        names += faults.names
        assert len(names) == 3 + 28 + 1 + 6
        for name in names:
            assert len(name) <= 21 and "F." not in name, name
