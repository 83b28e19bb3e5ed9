"""What the twin shows: the glass, the lights and the public feed, and nothing of the protocol."""

from types import SimpleNamespace

from boards import virtual
from cardtable.drivers import screen_ssd1306
from cardtable.table import lights
from host_tools.virtual.quiet import Quiet
from host_tools.virtual.world import World


class Bus:
    def __init__(self, chip):
        self.chip = chip

    def writeto(self, address, buf):
        self.chip.write(bytes(buf))
        return len(buf)


def test_lines_of_the_protocol_are_left_out():
    said = []
    quiet = Quiet(World(virtual), said.append)
    for line in ("raw REPL; CTRL-B to exit", ">OK1", "begin('/a/main.mpy')", "['1.29.0', 'linux']", "\x04\x04>",
                 "cardtable on virtual, MicroPython 1.29.0", "boot: power", "1.2 2 draw ?? ~ 00", "! Reader 3 is dead",
                 "fault: Silent reader 2"):
        quiet.hear(line)
    assert said == ["cardtable on virtual, MicroPython 1.29.0", "boot: power", "1.2 2 draw ?? ~ 00",
                    "! Reader 3 is dead", "fault: Silent reader 2"]


def test_glass_and_lights_are_shown_once_they_stand_still_and_have_changed():
    world = World(virtual)
    screen = screen_ssd1306.Screen(Bus(world.screens[0]), 0x3C, 128, 64)
    said = []
    colours = {0: lights.colour_of(lights.WAITED_FOR), 2: lights.colour_of(lights.ACCEPTED)}
    strip = SimpleNamespace(colour=lambda index: colours.get(index, (0, 0, 0)))
    quiet = Quiet(SimpleNamespace(screen=world.screens[0], lights=Lights(strip)), said.append)
    screen.line(0, "- 36: 0 0")
    screen.line(7, "Боря ходит")
    screen.power_up()
    quiet.look()
    assert not said
    quiet.look()
    quiet.look()
    assert [line for line in said if "|" in line] == ["| - 36: 0 0             |", "| Боря ходит            |"]
    assert said[-1] == "  lights: 1 blue, 3 green" and len(said) == 5
    screen.line(7, "")
    screen.power_up()
    quiet.look()
    quiet.look()
    assert len(said) == 9


class Lights:
    """Seven lights as the strip shows them."""

    def __init__(self, strip):
        self.colour = strip.colour

    def __len__(self):
        return 7
