"""Shows a game on the virtual table: in a terminal side by side and in place, elsewhere as plain lines.

It reads the glass, the lights and the public feed of the device, and where the people's cards lie: a listener, never a
participant.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from rich.columns import Columns
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from cardtable.drivers import font6x8
from cardtable.engine.deck import card_name
from cardtable.engine.hands import count_hand
from host_tools.base import foreign
from host_tools.judge.replay.show_state import places_with_cards
from host_tools.virtual.compare import Comparison
from host_tools.virtual.device import DeviceError
from host_tools.virtual.fingers import HandsError
from host_tools.virtual.glass import read_text
from host_tools.virtual.hands import Script
from host_tools.virtual.table import Table, check_folder, load_script

FRAME_S = 0.1
FEED_LINES = 9
SCREEN_US = 300_000  # until every line of the glass is drawn
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def save_picture(path: Path, at_event: int, language: str, target: Path, runtime: str) -> int:
    """Play the record up to an event and save what a terminal shows there as SVG; 0, or 1 if the table stopped."""
    game, script = load_script(path)
    del script.lines[at_event:]
    script.result = ""
    table = Table(game, script, language=language, runtime=runtime)
    return photograph(table, lambda live: Picture(table, path.name, live), 98, "cardtable table", target)


def photograph(table: Table, make_picture: Callable[[Live], Picture], width: int, title: str, target: Path) -> int:
    """Play a table's script and save what a terminal of that width shows then as SVG; 0, or 1 if the table stopped."""
    console = Console(record=True, width=width, file=StringIO(), force_terminal=True, color_system="truecolor")
    with Live(console=console, auto_refresh=False) as live:
        picture = make_picture(live)
        shots = []

        def photographer():
            """Waits until everything has been done, and a little longer for the screen."""
            yield lambda: table.hands.is_done
            yield SCREEN_US
            shots.append(picture.render())

        table.world.people.add(photographer())
        try:
            table.run()
        except (HandsError, DeviceError) as trouble:
            foreign.say_lines(f"the table stopped: {trouble}", err=True)
            return 1
    console.export_text(clear=True)
    console.print(shots[0])
    svg = console.export_svg(title=title, clear=True)
    # The fonts would be fetched from elsewhere; the viewer's machine has a monospaced one.
    target.write_text(re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL), encoding="utf-8")
    return 0


def play(path: Path, speed: float | None, board: str, language: str, keep: Path | None, is_terminal: bool,
         runtime: str) -> int:
    """Play the record and show it; 0 if journal and record agree, else 1. UnusableInput for what cannot be played."""
    game, script = load_script(path)
    table = Table(game, script, board=board, language=language, runtime=runtime)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        check_folder(keep, script)
    console = Console(highlight=False)
    try:
        if is_terminal:
            with Live(console=console, auto_refresh=False, transient=False) as live:
                picture = Picture(table, path.name, live)
                table.on_end = lambda: picture.draw(final=True)
                outcome = table.run(keep, speed)
        else:
            table.on_line = foreign.say
            outcome = table.run(keep, speed)
    except (HandsError, DeviceError) as trouble:
        foreign.say_lines(f"the table stopped: {trouble}")
        return 1
    for line in report(script, outcome):
        foreign.say(line)
    return 0 if outcome.agrees else 1


def report(script: Script, outcome: Comparison) -> list[str]:
    """What came of it, a line each."""
    lines = []
    if script.impossible:
        lines.append(f"{len(script.impossible)} line(s) that no hand at the table can make:")
        lines += [f"  line {line.number}: {line.text}" for line in script.impossible]
    lines += outcome.difference
    verdict = "journal = record" if outcome.agrees else "journal and record differ"
    result = f"result: {outcome.result}" if outcome.result else "no result yet"
    lines.append(f"{verdict}: {outcome.accepted} accepted, {outcome.refused} refused, {result}")
    return lines


def pretty(card: str) -> Text:
    """A card as people see it."""
    text = card.replace("T", "10", 1) if card[0] == "T" else card
    for letter, sign in SUITS.items():
        text = text.replace(letter, sign)
    return Text(f" {text} ", style="bold #c00000 on #f4f4f4" if card[1] in "HD" else "bold #101010 on #f4f4f4")


class Picture:
    """The table in a terminal, redrawn a few times a second."""

    def __init__(self, table: Table, name: str, live: Live) -> None:
        self.table = table
        self.name = name
        self.live = live
        self.feed: deque[Text] = deque(maxlen=FEED_LINES)
        self._drawn_s = 0.0
        self._piles: dict[str, list[str]] = {}  # place: the cards that lie open there, in the order in which they came
        table.on_line = self.hear
        table.world.people.add(self.watch())

    def watch(self):
        """Looks every 50 ms of the table's time, and draws if the last picture is old."""
        while True:
            yield 50_000
            self.look()
            if time.monotonic() - self._drawn_s >= FRAME_S:
                self.draw()

    def look(self) -> None:
        """Take in what lies open now. What a spectator cannot see (C17, M17, D47) is not in the public view."""
        game, state = self.table.game, self.table.hands.shadow.state
        seen = game.view(state, 0)
        hidden = {card_name(card) for card in range(game.CARDS) if seen[card] != state.where[card]}
        piles: dict[str, list[str]] = {}
        for name, cards in places_with_cards(game, state):
            old = self._piles.get(name, [])
            pile = [card for card in old if card in cards] + [card for card in cards if card not in old]
            if not hidden.intersection(pile):
                piles[name] = pile
        self._piles = piles

    def hear(self, line: str) -> None:
        """A line of the public feed."""
        is_refusal = " ! " in line
        mark = Text("✗ " if is_refusal else "✓ ", style="red" if is_refusal else "green")
        self.feed.append(mark.append(foreign.printable(line), style="red" if is_refusal else "default"))

    def draw(self, final: bool = False) -> None:
        """Show the picture as it is now."""
        self._drawn_s = time.monotonic()
        self.live.update(self.render(final), refresh=True)

    def render(self, final: bool = False) -> Group:
        """One picture."""
        world = self.table.world
        script = self.table.script
        top = Columns([self.seats(), self.screen(), self.cards()])
        feed = Panel(Group(*self.feed, *[Text()] * (FEED_LINES - len(self.feed))), title="verdicts", width=96)
        line = self.table.hands.line
        done = f"{self.table.hands.played} of {len(script.lines)} events"
        what = "over" if final else f"line {line.number}: {line.text}" if line else "power up"
        head = f"{' '.join(script.header.game)}   {self.name}   {world.now_us / 1e6:.1f} s   {done}"
        people = Text(foreign.printable(f"people do {what}"), style="dim")
        return Group(Text(foreign.printable(head), style="bold"), top, feed, people)

    def seats(self) -> Panel:
        """Seats with their lights, and how many cards each holds."""
        grid = Grid.grid(padding=(0, 1))
        state = self.table.hands.shadow.state
        for number, name in enumerate(self.table.script.header.seats, 1):
            place = self.table.script.header.places[number - 1]
            red, green, blue = (min(255, 4 * part) for part in self.table.hands.colour(place))
            light = Text("●", style=f"rgb({red},{green},{blue})") if red or green or blue else Text("○", style="dim")
            grid.add_row(light, str(number), Text(foreign.printable(name)), f"{count_hand(state, number)} cards")
        return Panel(grid, title="seats", width=27, height=10)

    def screen(self) -> Panel:
        """What the glass shows, read from its pixels."""
        rows = read_text(self.table.world.screen, font6x8)
        return Panel(Text("\n".join(rows), style="bright_cyan"), title="screen", width=25, height=10)

    def cards(self) -> Panel:
        """The cards that lie open on the table, of a pile the top one."""
        self.look()
        rows: dict[str, dict[int, str]] = {}
        for name, pile in self._piles.items():
            kind = name.rstrip("0123456789")
            rows.setdefault(kind, {})[int(name[len(kind) :] or 1)] = pile[-1]
        slots = max((max(row) for row in rows.values()), default=0)
        grid = Grid.grid(padding=(0, 1))
        for kind, row in rows.items():
            cells = [pretty(row[slot]) if slot in row else Text() for slot in range(1, slots + 1)]
            grid.add_row(Text(kind, style="dim"), *cells)
        return Panel(grid, title="table", width=42, height=10)
