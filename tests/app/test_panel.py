"""What every panel does, beside the tests of the lobby, which leave MicroPython no room for it."""

from cardtable.between.panel import Panel

from tests.app.fake_room import MENU, Room

TICKS = 1 << 30


class Slow(Panel):
    """One that reads files for a tap: meanwhile the timer sees a press."""

    chooser = 1

    def tap(self, place, card):
        self.parts.time.now_ms += 60
        self.parts.buttons.presses.append(MENU)
        self.down_ms = self.parts.time.now_ms - 10

    def press(self, place, key):
        self.pressed += 1


def test_a_press_during_a_long_step_is_one_press():
    """The step asked how long MENU had been held at a time before the press: for twelve days, as ticks go, so it
    stepped twice, in a lobby forth and back."""
    room = Room(Slow)
    room.panel.pressed = 0
    room.parts.buttons.held = lambda index, now_ms: (now_ms - room.panel.down_ms) % TICKS
    room.tap(2, 0)
    assert room.panel.pressed == 1
    room.parts.time.now_ms += 599 - 10
    room.run(room.panel.step)
    assert room.panel.pressed == 1
    room.parts.time.now_ms += 1
    room.run(room.panel.step)
    assert room.panel.pressed == 2
