"""A table in a terminal, by lines of text: for ssh, screen readers and scripts. `cardtable play --text` is this.

Each line that is printed is a whole sentence; nothing is drawn, moved or coloured. The sentences come from the messages
that a page would get, and a typed line becomes an act that a page could send.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shutil
import signal
import sys
import textwrap
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.play.acts import Actor, NotAllowed
from host_tools.play.commands import Commands
from host_tools.play.seating import HERE
from host_tools.play.spoken import Now, Speaker
from host_tools.play.start import TABLE, Wishes, complain, has_game, lock, prepare, sit_down
from host_tools.play.table import LiveTable
from host_tools.sight.viewer import Viewer
from host_tools.play.wording import Wording
from host_tools.judge.sentences import Sentences

TEXT = "text"  # a terminal's table where no port names one
SETTLE_S = 0.15  # after so long without news it is said whose turn it is
UNSURE_S = 1.0  # so long a table that neither plays nor waits rests before it is told of: it may be about to
POLL_S = 0.05  # how often a script looks whether its next line can be taken
PATIENCE_S = 20.0  # after so long without news a script's line is taken though the table waits for somebody else
LEAST_S = 3.0
CALL_S = 240.0  # so long the table's thread may take for a look, on a machine with much else to do
BLINK_US = 1_200_000  # a light that was on so lately blinks
ANSWER_US = 700_000  # so long the table may take to answer a press
FOR_SEATS = ("tap", "press", "hold", "play")
LAST_LINES = 5  # of the past of a game that goes on
CLOSED_S = 10.0  # how long a script waits at its end for hands to finish
_NUMBERED = re.compile(r"(?<=\d) (?=\w{1,2}[♠♥♦♣]|★)")  # between a card of the hand and its number


class Terminal:
    """`run()` until the lines end. is_live: a person types, so nothing waits and nothing is echoed."""

    def __init__(self, table: LiveTable, lines: Iterable[str], say: Callable[[str], None], *, is_live: bool = False,
                 ask: Callable[[str], None] = lambda prompt: None) -> None:
        """say: prints a line; ask: prints a prompt, without the end of the line."""
        self.table, self.lines, self.is_live = table, lines, is_live
        self.ask = ask
        self.wording = Wording(table.language)
        self.speaker = Speaker(self.wording)
        self.seat = 0
        self.is_over = False
        self.hand: list[str] = []  # as it was last read out: a number means a card of it
        self.rule = ""  # of the last refusal
        self.commands = Commands(self)
        self._say = say
        self._inbox: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._typed: deque[str] = deque()
        self._has_ended = False
        self._news_s = time.monotonic()
        self._quiet_from_s = table.machine.waited_s
        self._is_settled = False
        self._is_prompting = False
        self._heard = 0  # the last line of the feed that was told
        self._skips_past = has_game(table)
        self._drawn: dict[int, int] = {}  # seat: cards since this was last told
        self._last: dict[str, Any] = {}  # the last sentence on each subject
        self._records: list[str] = list(table.known.records)
        self._lit: tuple[str, int] = ("off", 0)  # the meaning of the own light when it last shone, and when
        self._seen: Any = None  # all that was looked at last, but for lights: they blink
        self._wants_glass = False  # a button was pressed: what the screen says to it is told
        self._is_told = True  # whether the last act's refusal, if it is one, was told
        self._acted: tuple[int, int] = (-1, 0)  # after an act: the seat's answers before it, and when it was

    # --- to and from the table's thread ---

    def call(self, work: Callable[[], Any]) -> Any:
        """Have the table's thread do that, and give back what comes of it. Raises what it raises."""
        answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

        def run() -> None:
            try:
                answer.put((work(), None))
            except Exception as wrong:  # noqa: BLE001 - it is raised again where it was asked for
                answer.put((None, wrong))

        self.table.post(run)
        found, wrong = answer.get(timeout=CALL_S)
        if wrong is not None:
            raise wrong
        return found

    def act(self, message: dict[str, Any]) -> bool:
        """Take an act for the seat that is played now; False, and a sentence, if it is not allowed."""
        seats = [self.seat] if self.seat else []
        message = {"seat": self.seat or 1, **message}
        before = self.look()
        if not self.seat and before.phase in ("deal", "play") and message["do"] in FOR_SEATS:
            self.say(self.wording.say("hand.nobody"))
            return False
        try:
            self.call(lambda: Actor(self.table, "host", seats).do(message))
        except NotAllowed as refusal:
            self.say(self.wording.say("not.allowed", why=Sentences(language=self.table.language).why(str(refusal))))
            return False
        self._wants_glass = message["do"] in ("press", "hold")
        self._acted = (before.answers, before.now_us)
        self._lit, self._is_told = ("off", 0), message["do"] not in ("play", "tap")
        for subject in ("turn", "light"):
            self._last.pop(subject, None)
        self.stir()
        return True

    def look(self) -> Now:
        """Everything that this terminal's seat may know now."""
        now: Now = self.call(self._look)
        self.seat = now.seat
        if now.light != "off":
            self._lit = (now.light, now.now_us)
        elif now.now_us < self._lit[1] + BLINK_US:
            now.light = self._lit[0]
        if now.lines:
            self._heard = now.lines[-1]["n"]
            self.tell_lines(now)
        return now

    def _look(self) -> Now:
        """The same, in the table's thread."""
        table, scene = self.table, self.table.scene()
        count = scene.seats() or 7
        here = [seat for seat in table.seating.seats(HERE) if seat <= count]
        table.seating.present = scene.present = set(here)
        seat = self.seat if self.seat in here else next(iter(here), 0)
        viewer = Viewer(scene, "seat" if seat else "public", [seat] if seat else [])
        cans = {one: viewer.tell_can(one) for one in here if scene.course and one <= count}
        chance = table.game.CHANCE if table.game is not None else {}
        by_hand = not table.hands.by_themselves
        awaited = [one for one, can in cans.items() if table.waits[one] and not table.known.is_closed
                   and (can["moves"] or by_hand and table.waits[one] in chance)]
        place = table.place_of(seat)
        hands = table.hands.get(place)
        light = next((one["says"] for one in viewer.tell_lights()["lights"] if one["place"] == place), "off")
        if light == "off" and hands is not None and table.watch.may_choose(place):
            light = "choosing"  # it is in the dark half of its blink, and this terminal may not have looked for a while
        glass = viewer.tell_screen() if viewer.sees_screen() else {"text": []}
        return Now(
            seat=seat, table=viewer.tell_table(), view=viewer.tell_view(), can=cans.get(seat, {}),
            light=light, glass=glass["text"], words=scene.speaker, game=table.game, place=place,
            chairs={one: (chair.who, chair.name) for one, chair in table.seating.chairs.items()},
            awaited=awaited, is_drawing=any(table.waits[one] in chance for one in range(1, 8)),
            is_idle=hands is None or not hands.acts and not hands.is_busy, lines=table.known.feed.since(self._heard),
            answers=table.answers(seat), now_us=table.now_us)

    # --- what is said ---

    def say(self, text: str) -> None:
        """Print one line, below a prompt that is still open."""
        if self._is_prompting:
            self._is_prompting = False
            self._say("")
        self._say(text)

    def tell_lines(self, now: Now) -> None:
        """Tell the latest events in sentences; draws are counted and told together."""
        lines = now.lines
        if self._skips_past and now.is_played and len(lines) > LAST_LINES:
            self.say(self.wording.say("earlier", number=len(lines) - LAST_LINES))
            lines = lines[-LAST_LINES:]
        self._skips_past = False
        draw = {seat: now.words.event(seat, 1) for seat in range(1, 8)}
        for line in lines:
            if line["kind"] == "event" and line["text"] == draw.get(line["seat"]):
                self._drawn[line["seat"]] = self._drawn.get(line["seat"], 0) + 1
                continue
            self.tell_drawn(now)
            self.say(line["text"])
            if line["rule"]:
                self.rule = line["rule"]
                if line["seat"] == now.seat:
                    self._is_told = True
                    self.say(self.wording.say("red", rule=line["rule"]))

    def tell_drawn(self, now: Now) -> None:
        """How many cards each seat has drawn since this was last told."""
        if self._drawn:
            said = ", ".join(f"{now.name(seat)} {number}" for seat, number in sorted(self._drawn.items()))
            self._drawn.clear()
            self.say(self.wording.say("drawn", list=said))

    def take_news(self, subject: str, told: Any) -> bool:
        """Note what is said on the subject now; True if something else was said last."""
        was = self._last.get(subject)
        self._last[subject] = told
        return bool(was != told)

    def settle(self) -> None:
        """Nothing has happened for a moment: say where the table stands."""
        now = self.look()
        is_steady = now.phase in ("lobby", "deal", "play", "over") and now.is_calm
        if not is_steady and self.quiet_s < UNSURE_S:
            return
        self._is_settled = True
        if not now.is_drawing:
            self.tell_drawn(now)
        if self.take_news("notice", now.view["notice"]) and now.view["notice"]:
            self.say(now.view["notice"])
        self.tell_light(now)
        self.tell_phase(now)
        self.tell_lesson()
        if now.phase in ("deal", "play"):
            if self.take_news("goal", now.table["goal"]) and now.table["goal"]:
                self.say(now.table["goal"])
            if now.light != "choosing":
                self.tell_turn(now)
        elif self._wants_glass:
            self.tell_glass(now)
        self._wants_glass = False
        for name in now.table["records"]:
            if name not in self._records:
                self._records.append(name)
                self.say(self.wording.say("record", name=str((self.table.known.library or self.table.folder) / name)))
        if self.is_live and not self._is_prompting and (now.is_awaited or now.phase not in ("deal", "play", "start")):
            self._is_prompting = True
            self.ask(f"{now.name(now.seat)}> " if now.seat and now.is_played else "> ")

    def tell_phase(self, now: Now) -> None:
        """Tell the state of the table while no game is on, and forget the last game."""
        if not self.take_news("phase", (now.phase, now.table["digest"], now.table["closed"])):
            return
        if now.phase in ("deal", "play"):
            return
        for subject in ("turn", "hand", "table"):
            self._last.pop(subject, None)
        self.hand = []
        if now.phase == "over" and not now.table["closed"]:
            return
        for line in self.speaker.phase(now)[1 if now.phase == "over" and now.table["result"] else 0:]:
            self.say(line)

    def tell_light(self, now: Now) -> None:
        """A choice that the table offers, or what does not work."""
        text = next((row.strip() for row in reversed(now.glass) if row.strip()), "")
        key = {"choosing": "amber", "fault": "purple"}.get(now.light, "")
        if self.take_news("light", (key, text if key else "")) and key:
            self.say(self.wording.say(key, text=text))
        # The record writes a refusal that repeats once, and counts the others.
        if not self._is_told and now.is_idle and now.answers == self._acted[0] and now.light != "choosing":
            for refusal in now.view["refusals"]:
                if refusal["seat"] == now.seat:
                    self._is_told = True
                    self.say(now.words.refusal(now.seat, refusal["rule"], refusal["words"]))
                    if refusal["near"]:
                        self.say(refusal["near"] + ".")

    def tell_lesson(self) -> None:
        """What a first game says now, where it asks for something."""
        table = self.table
        told = self.call(lambda: table.lesson.tell(table.language) if table.lesson is not None else None)
        if told is None or not (told["cards"] or told["keys"] or told["done"] or table.lesson.is_free):
            return
        if self.take_news("lesson", (told["say"], told["more"])):
            self.say(" ".join(part for part in (told["say"], told["more"]) if part))

    def tell_turn(self, now: Now) -> None:
        """Whose turn it is, with the table and the hand where they are otherwise than last told."""
        turn = self.speaker.turn(now)
        if not now.is_awaited:
            self._last.pop("own", None)
            if now.awaited and self.take_news("turn", turn):
                self.say(turn)
            return
        hand, table = now.hand(), self.speaker.table(now)
        if not self.take_news("turn", (turn, hand, table, self.speaker.keys(now))):
            return
        if self.take_news("table", table):
            self.say(table)
        if self.take_news("hand", hand):
            self.tell_hand(now)
        self.say(turn)
        if self.take_news("keys", self.speaker.keys(now)) and self.speaker.keys(now):
            self.say(self.speaker.keys(now))

    def tell_hand(self, now: Now) -> None:
        """The numbered hand; from now on its numbers count."""
        self.hand = now.hand()
        self._last["hand"] = self.hand
        self.say(self.speaker.hand(now))

    def tell_glass(self, now: Now) -> None:
        """The lines of the screen."""
        for line in self.speaker.glass(now):
            self.say(line)

    def forget(self) -> None:
        """Start over for a new person at this terminal."""
        self._last = {subject: told for subject, told in self._last.items() if subject in ("notice", "phase")}
        self.hand = []
        self.stir()

    # --- the loop ---

    def stir(self) -> None:
        """Note that something has happened: the state is told again when it has settled."""
        self._news_s = time.monotonic()
        self._quiet_from_s = self.table.machine.waited_s
        self._is_settled = False

    @property
    def quiet_s(self) -> float:
        """How long the table has had nothing to do since the last news; on a busy machine that comes later."""
        return self.table.machine.waited_s - self._quiet_from_s

    def run(self) -> int:
        """Greet, then take lines and tell news until it is over."""
        self.table.watch.on_change = lambda: self._inbox.put(("news", None))
        threading.Thread(target=self._read, name="typed", daemon=True).start()
        for line in self.speaker.seats(self.look()):
            self.say(line)
        self.say(self.wording.say("leave"))
        try:
            while not self.is_over:
                self.step()
        except KeyboardInterrupt:
            self.say("")
        if self.table.is_playing:
            self.say(self.wording.say("kept"))
        return 0

    def _read(self) -> None:
        """Take in what is typed, in a thread of its own."""
        try:
            for line in self.lines:
                self._inbox.put(("line", line))
            self._inbox.put(("end", None))
        except UnusableInput as wrong:
            self._inbox.put(("wrong", wrong))

    def step(self) -> None:
        """One look at what has come, then at what can be done."""
        waits = bool(self._typed) or self._has_ended
        pause = POLL_S if waits else None if self._is_settled else SETTLE_S
        with contextlib.suppress(queue.Empty):
            kind, what = self._inbox.get(timeout=pause)
            while True:
                self._take(kind, what)
                kind, what = self._inbox.get_nowait()
        if self._typed and (self.is_live or self.is_ready(self.look(), self._typed[0])):
            self._handle(self._typed.popleft())
        elif self._has_ended and not self._typed and (self.is_live or self.is_done()):
            self.is_over = True
        elif not self._is_settled and time.monotonic() - self._news_s >= SETTLE_S:
            self.settle()

    def _take(self, kind: str, what: Any) -> None:
        if kind == "wrong":
            raise what
        if kind == "line":
            self._typed.append(what)
        elif kind == "end":
            self._has_ended = True
        else:
            now = self.look()
            seen = (now.table, now.view, now.can, now.glass, now.light, now.awaited, now.is_drawing)
            if seen != self._seen:
                self._seen = seen
                self.stir()

    def _handle(self, line: str) -> None:
        """Carry out one typed line."""
        if not self.is_live:
            self.settle()
            self.say("> " + line.strip())
        self._is_prompting = False
        self.commands.take(line.split())
        self.stir()

    # --- a script's pace ---

    def is_ready(self, now: Now, line: str) -> bool:
        """Whether a script's line can be taken: all before it is done, and the table waits for somebody here."""
        if self.quiet_s > max(LEAST_S, PATIENCE_S / self.table.machine.speed):
            return True
        if now.phase in ("off", "start", "stopped") or not now.is_calm:
            return self.quiet_s > 3 * UNSURE_S
        if not self.has_answered(now) or now.is_drawing and now.table["deal"] == "table" and now.phase != "over":
            return self.commands.is_urgent(line) and self.has_answered(now)
        if now.phase == "over":
            return bool(now.table["closed"]) or not self.commands.leaves(line)
        return now.phase == "lobby" or bool(now.awaited) or not self.commands.needs_turn(line)

    def has_answered(self, now: Now) -> bool:
        """Whether the hands are done with what was said, and the table has answered it."""
        answers, at_us = self._acted
        return now.is_idle and (answers != now.answers or now.now_us > at_us + ANSWER_US)

    def is_done(self) -> bool:
        """Whether the last thing that a script has said is done."""
        now = self.look()
        is_done = now.phase in ("lobby", "deal", "play", "over") and self.has_answered(now) and (
            now.phase != "deal" or self.quiet_s > CLOSED_S or not now.is_drawing)
        if is_done or self.quiet_s > CLOSED_S:
            self.settle()
            return True
        return False


def run(wishes: Wishes) -> int:
    """A table for the person at this terminal, or for a script on standard input; the exit code."""
    is_live, is_seen = sys.stdin.isatty(), sys.stdout.isatty()
    typed = os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8", errors="replace")
    folder = wishes.games / f"{TABLE}{wishes.port or TEXT}"
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with lock(folder):
        table = LiveTable(folder, board=wishes.board, language=wishes.language, seed=wishes.seed, speed=wishes.speed,
                          runtime=wishes.runtime, library=wishes.games, on_line=complain)
        prepare(table, wishes)
        sit_down(table)
        terminal = Terminal(table, foreign.typed_lines(typed), say_wrapped if is_seen else foreign.say,
                            is_live=is_live, ask=lambda prompt: foreign.say(prompt, nl=False))
        if table.machine.runtime == "cpython":
            terminal.say(terminal.wording.say("cpython"))
        table.start()
        try:
            return terminal.run()
        finally:
            table.close()


def say_wrapped(text: str) -> None:
    """A line, broken between words at the terminal's width; a card of the hand stays with its number."""
    kept = _NUMBERED.sub("\N{NO-BREAK SPACE}", foreign.printable(text))
    for line in textwrap.wrap(kept, max(20, shutil.get_terminal_size().columns)) or [""]:
        foreign.say(line.replace("\N{NO-BREAK SPACE}", " "))
