"""The demonstration: a recorded scene of disputes with captions, told in sentences beside lights and screen.

The scene is a record like any other; its comments `; LANGUAGE: TEXT` are captions for the event that follows. Lights
and screen are the firmware's, the sentences are its public feed.
"""

from __future__ import annotations

import textwrap
from collections import deque
from pathlib import Path

from rich.columns import Columns
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from cardtable.engine.hands import count_hand
from cardtable.table import lights
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import printable
from host_tools.base.interpreters import MicroPythonMissing, find_micropython
from host_tools.base.project import ROOT
from host_tools.base.wording import Templates, read_words
from host_tools.judge.sentences import Sentences
from host_tools.virtual.device import DeviceError
from host_tools.virtual.fingers import HandsError
from host_tools.virtual.hands import Line
from host_tools.virtual.people import Actor
from host_tools.play.scripted.show import Picture, photograph
from host_tools.virtual.table import Table, load_script

FOLDER = Path(__file__).parent
SCENE = ROOT / "tests" / "records" / "durak" / "demo.rec"
SIZE = (80, 24)  # of the smallest terminal that the picture fits
TOLD = 8  # sentences on the picture
READ_US = 1_500_000  # for a caption
SEEN_US = 1_200_000  # for a refusal
CALM_US = 250_000  # before any other event
# A light as a sign, for eyes and terminals that do not tell colours apart.
SIGNS = {
    lights.colour_of(lights.ACCEPTED): "✓", lights.colour_of(lights.REFUSED): "✗",
    lights.colour_of(lights.CHOOSING): "?", lights.colour_of(lights.WAITED_FOR): "●",
}


def read_captions(path: Path, language: str) -> dict[int, str]:
    """The captions of a scene by the line number of the event that they stand above; 0: behind the last one."""
    captions: dict[int, str] = {}
    said = ""
    for number, line in enumerate(foreign.read_text(path).split("\n"), 1):
        mark, text = line[: len(language) + 3], line[len(language) + 3 :]
        if mark == f"; {language}:":
            said = printable(text.strip())
        elif said and line and line[0] not in ";~":
            captions[number] = said
            said = ""
    if said:
        captions[0] = said
    return captions


def choose_runtime() -> str:
    """What runs the firmware: MicroPython where there is one, else a CPython."""
    try:
        return "micropython" if find_micropython() else "cpython-process"
    except MicroPythonMissing:
        return "cpython-process"


class Scene:
    """A recorded scene and those who play it: `captions` are heard as they come, `sentences` as the table says them."""

    def __init__(self, path: Path, language: str, runtime: str, at_event: int | None = None) -> None:
        """`at_event`: play only so many events."""
        game, script = load_script(path)
        self._captions = read_captions(path, language)
        if at_event is not None:
            del script.lines[at_event:]
        self.table = Table(game, script, language=language, runtime=runtime)
        self.words = Templates(read_words(FOLDER, "demo", language), language)
        self.sentences = Sentences(game, script.header.seats, language)
        self.title = printable(self.sentences.title(script.header.game))
        self.caption = ""
        self.on_say = lambda text, kind: None  # kind: caption, accepted or refused
        if at_event is not None:
            self._captions.pop(0, None)
        self._was_refused = False
        self.table.on_line = self.hear
        self.table.hands.linger = self.linger
        self.table.world.people.add(self.close())

    def close(self) -> Actor:
        """Once all is played the last caption comes."""
        yield lambda: self.table.hands.is_done
        yield CALM_US
        self.show_caption(0)

    def show_caption(self, number: int) -> bool:
        """The caption of that line, if there is one."""
        if number not in self._captions:
            return False
        self.caption = self._captions[number]
        self.on_say(self.caption, "caption")
        return True

    def linger(self, line: Line) -> int:
        """People wait until everybody has read what was said."""
        wait_us = SEEN_US if self._was_refused else CALM_US
        self._was_refused = bool(line.rules)
        return wait_us + READ_US if self.show_caption(line.number) else wait_us

    def hear(self, line: str) -> None:
        """A line of the public feed."""
        text = self.sentences.public(line, self.table.hands.shadow.state)
        if text:
            self.on_say(printable(text), "refused" if " ! " in line else "accepted")


class ScenePicture(Picture):
    """The scene in a terminal of 80 columns and 24 lines."""

    def __init__(self, scene: Scene, live: Live) -> None:
        super().__init__(scene.table, scene.title, live)
        self.scene = scene
        self.told: deque[Text] = deque(maxlen=TOLD)
        scene.table.on_line = scene.hear
        scene.on_say = self.say

    def say(self, text: str, kind: str) -> None:
        """A caption or a sentence."""
        if kind != "caption":
            mark, style = ("✗ ", "bold red") if kind == "refused" else ("✓ ", "green")
            for number, part in enumerate(textwrap.wrap(text, SIZE[0] - 4)):
                rest = "red" if kind == "refused" else "default"
                self.told.append(Text.assemble(("  " if number else mark, style), (part, rest)))

    def render(self, final: bool = False) -> Group:
        """One picture: 23 lines."""
        head = Text(self.scene.title, style="bold")
        top = Columns([self.seats(), self.screen(), self.cards()], padding=0)
        caption = textwrap.wrap(self.scene.caption, SIZE[0] - 2)[:2]
        lines = [Text(part, style="bold yellow") for part in caption + [""] * (2 - len(caption))]
        return Group(head, top, Text(), *lines, Text(), *self.told, *[Text()] * (TOLD - len(self.told)))

    def seats(self) -> Panel:
        """Seats with their lights, as colour and sign, and how many cards each holds."""
        grid = Grid.grid(padding=(0, 1))
        hands = self.table.hands
        for number, name in enumerate(self.table.script.header.seats, 1):
            colour = hands.colour(self.table.script.header.places[number - 1])
            red, green, blue = (min(255, 4 * part) for part in colour)
            style = f"bold rgb({red},{green},{blue})" if any(colour) else "dim"
            count = self.scene.words.say("cards", number=count_hand(hands.shadow.state, number))
            grid.add_row(Text(SIGNS.get(colour, "●") if any(colour) else "○", style=style), name[:8], count)
        return Panel(grid, title=self.scene.words.say("seats"), width=25, height=10)

    def screen(self) -> Panel:
        """What the glass shows."""
        panel = super().screen()
        panel.title = self.scene.words.say("screen")
        return panel

    def cards(self) -> Panel:
        """The bout and the trump."""
        self.look()
        grid = Grid.grid(padding=(0, 0, 0, 1))
        for kind in ("attack", "cover", "turned"):
            row = {name[len(kind) :] or "1": pile[-1] for name, pile in self._piles.items() if name.startswith(kind)}
            grid.add_row(Text(self.scene.words.say(kind), style="dim"))
            grid.add_row(Text(" ").join(self.card(row.get(str(slot))) for slot in range(1, 7)))
        return Panel(grid, title=self.scene.words.say("table"), width=30, height=10)

    def card(self, name: str | None) -> Text:
        """A card, or the room for one, three columns wide."""
        if name is None:
            return Text("   ")
        text = self.scene.sentences.card(name)
        return Text(f"{text:>3}", style="bold #c00000 on #f4f4f4" if name[1] in "HDR" else "bold #101010 on #f4f4f4")


def save_picture(path: Path, at_event: int, language: str, runtime: str | None, target: Path) -> int:
    """Play a scene up to an event and save what a terminal shows then as SVG; 0, or 1 if the table stopped."""
    scene = Scene(path, language, runtime or choose_runtime(), at_event)
    return photograph(scene.table, lambda live: ScenePicture(scene, live), SIZE[0], "cardtable demo", target)


def play(path: Path, language: str, runtime: str | None, speed: float | None, console: Console,
         is_picture: bool) -> int:
    """Play a scene; 0 if the table wrote down what was played, else 1. `speed`: times real time, None: at once.

    Without a `runtime` it is MicroPython, or where that is missing CPython, which one line says.
    """
    scene = Scene(path, language, runtime or choose_runtime())
    if runtime is None and scene.table.runtime != "micropython":
        console.out(scene.words.say("here"))
    try:
        if is_picture:
            with Live(console=console, auto_refresh=False) as live:
                picture = ScenePicture(scene, live)
                scene.table.on_end = lambda: picture.draw(final=True)
                outcome = scene.table.run(speed=speed)
        else:
            console.out(scene.title)
            marks = {"caption": "\n— ", "accepted": "  ✓ ", "refused": "  ✗ "}
            scene.on_say = lambda text, kind: console.out(marks[kind] + text)
            outcome = scene.table.run(speed=speed)
            console.out("")
    except (HandsError, DeviceError) as trouble:
        raise UnusableInput(f"the table stopped: {trouble}") from trouble
    if outcome.agrees:
        console.out(scene.words.say("end", events=outcome.accepted + outcome.refused, refused=outcome.refused))
        return 0
    console.out("\n".join([scene.words.say("wrong"), *map(printable, outcome.difference)]))
    return 1
