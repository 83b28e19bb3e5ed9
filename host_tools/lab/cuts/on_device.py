"""Whole games under MicroPython, on its own littlefs, with the power cut within every operation of the flash.

A recorded game is played through the firmware's journal and engine on a flash that logs its operations. Then, for each
operation, the flash is laid out as the cut leaves it, mounted, and the firmware's own start-up looks what stands there.
It must be the game as it was: no event is missing that had its green light, none is there that was not tapped, and the
session stands byte for byte as after the last event that is there. Then the game goes on with the next line.

A job comes as a line of JSON on standard input, its answer is printed as one line.
"""

import gc
import io
import json
import sys

from cardtable.between import archive, leftovers, pieces, resume
from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.session import Session
from cardtable.record.journal import FOLDER, SPARES, Journal
from host_tools.lab.cuts import ways
from host_tools.virtual.shims.mounted import Flash, Memory, make, mount, tear, unmount

BLOCKS = 160  # of the flash: small, for it is mounted thousands of times
# Bytes that littlefs asks the flash for at once. The game is played with every board's default, on which the operations
# depend; the bytes that are read afterwards are the same for any size, and larger pieces are quicker.
PLAY_READ = 32
LOOK_READ = 1024


def marks(session) -> bytes:
    """All that a session is: the state, the one before it, and what an undo needs."""
    return b"".join([
        session.state.save(), session.before.save(), bytes(session.last_draw),
        repr((session.last_seat, session.undo_seat, session.undo_ms, session.agreed, session.last_was_draw)).encode(),
    ])  # fmt: skip


class Line:
    """One line as it went to flash: which operations wrote it, and how the session stood behind it."""

    def __init__(self, begins: int, green: int, end: int, stands: bytes) -> None:
        self.begins = begins  # operations before it
        self.green = green  # the light came on behind so many operations
        self.end = end  # bytes of the record up to here
        self.stands = stands


class Played:
    """A game that was played once to its end, without a cut."""

    def __init__(self, path: str, green_first: bool, limit: int) -> None:
        """`green_first`: a firmware that shows its light before it writes, which the cuts must find out."""
        with open(path) as record:
            self.header, _ = read_header(record)
            lines = [line[:-1] for line in record if line[-1:] == "\n"]  # the last one may have been cut off
        self.game = find_game(self.header.game[0])
        self.green_first = green_first
        self.base = make(BLOCKS)
        self.after = Memory(BLOCKS, self.base)
        self.flash = Flash(self.after)
        self.flash.log = []
        self.lines = []
        self.calm = bytearray()  # of each operation: 1 if a stall did no harm
        self.is_calm = True
        self.waited = 0  # erases while an event waited for its light
        self.stretch = self.longest = 0  # lines in a row while nothing could be prepared
        self.least_spares = SPARES
        self.events = 0
        self.text = b""
        mount(self.flash, PLAY_READ)
        self.play(lines[:limit] if limit else lines)
        unmount()

    def play(self, lines: list) -> None:
        """Write what the firmware writes, in its order, and prepare pages where it does."""
        journal = Journal()
        session = Session(self.game, self.header)
        self.text = ("\n".join(self.header.lines()) + "\n").encode()
        assert journal.open(self.header)
        self.note(0, session)
        event = Event()
        self.name = journal.name
        for line in lines:
            if not line:
                continue
            before = len(self.flash.log)
            erases = self.flash.erases
            self.text += line.encode() + b"\n"
            assert journal.write(line)
            self.waited += self.flash.erases - erases
            self.stretch = 0 if self.is_calm else self.stretch + 1
            self.longest = max(self.longest, self.stretch)
            if not self.is_calm:
                self.least_spares = min(self.least_spares, journal.spares)
            self.mark_calm()
            if line[0] not in ";~" and not line.startswith("result:"):
                self.events += 1
                if not read_event(self.game, line, 0, event):
                    assert not session.play(event)
            self.note(before, session)
            self.is_calm = self.game.is_calm(session.state)
            if self.is_calm:
                journal.prepare()
                self.mark_calm()
        self.pages_late = journal.late
        if session.is_over() and lines[-1].startswith("result:"):
            self.is_calm = True
            leftovers.finish(archive.put_away(journal.name))
        self.mark_calm()

    def mark_calm(self) -> None:
        """Note of the operations since the last look whether the moment was calm."""
        while len(self.calm) < len(self.flash.log):
            self.calm.append(self.is_calm)

    def note(self, before: int, session) -> None:
        """One more line is on flash."""
        after = len(self.flash.log)
        self.lines.append(Line(before, before if self.green_first else after, len(self.text), marks(session)))
        self.mark_calm()

    def count_stalls(self) -> list:
        """[erases, erases in moments that were not calm]."""
        erases = late = 0
        for index in range(len(self.flash.log)):
            if self.flash.log[index][2] is None:
                erases += 1
                late += not self.calm[index]
        return [erases, late]


class Cutter:
    """Cuts a played game, operation by operation; counts what it finds."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.shadow = Memory(BLOCKS, played.base)  # the flash as it was before the operation that is cut
        self.cuts = self.lost = self.invented = self.broken = 0
        self.said = []  # the first things that were wrong
        self.known = {}  # length of a text -> whether it was played again and stood as it should
        self.seed = 1
        self.brought = 0  # operations that brought to its end what the last cut had left half done

    def random(self, limit: int) -> int:
        """A number below the limit; the same in every run."""
        self.seed = self.seed * 48271 % 2147483647
        return self.seed % limit

    def run(self, first: int, last: int, step: int, twice: bool) -> None:
        """Cut within the operations first, first + step and so on, and at their ends."""
        log = self.played.flash.log
        for index in range(len(log)):
            block, offset, data = log[index]
            if first <= index < last and (index - first) % step == 0:
                for part in (self.random(256), 256):
                    torn = Memory(BLOCKS, self.shadow)
                    tear(torn, block, offset, data, part)
                    self.look(torn, index, part, twice)
            tear(self.shadow, block, offset, data, 256)
            if index % 64 == 0:
                gc.collect()

    def look(self, torn, index: int, part: int, twice: bool) -> None:
        """The power comes back on this flash."""
        self.cuts += 1
        flash = Flash(Memory(BLOCKS, torn))
        flash.log = []
        self.brought = 0
        self.try_boot(flash, index, part == 256, PLAY_READ if twice else LOOK_READ)
        if not twice:
            return
        # The power fails again while what the first cut left is brought to its end.
        for again in range(self.brought):
            torn_again = Memory(BLOCKS, torn)
            for at in range(again):
                tear(torn_again, flash.log[at][0], flash.log[at][1], flash.log[at][2], 256)
            block, offset, data = flash.log[again]
            tear(torn_again, block, offset, data, self.random(256))
            self.cuts += 1
            self.try_boot(Flash(torn_again), index, part == 256, LOOK_READ)

    def try_boot(self, flash, index: int, is_done: bool, read: int) -> None:
        """Start up; a start that ends in an error is broken like any other, and the next cut is looked at."""
        try:
            self.boot(flash, index, is_done, read)
        except Exception as error:
            out = io.StringIO()
            sys.print_exception(error, out)
            self.tell("broken", index, " / ".join([line.strip() for line in out.getvalue().strip().split("\n")[-2:]]))
            self.broken += 1

    def boot(self, flash, index: int, is_done: bool, read: int) -> None:
        """Start up as the firmware does, and hold what stands there against what was played."""
        played = self.played
        mount(flash, read)
        try:
            found, damaged = leftovers.find(FOLDER, played.header)
            name = FOLDER + "/0001" + archive.RECORD
            if found is None and archive.exists(name):
                with open(name, "rb") as file:
                    text = file.read()
            elif found is None:
                text = b""
            else:
                text = b"".join(pieces.read_lines(found.name))
            if damaged:
                self.tell("broken", index, str(damaged))
                self.broken += 1
            self.compare(text, index, is_done)
            self.brought = flash.operations
            if found is not None and found.name:
                self.go_on(found, text, index)
        finally:
            unmount()

    def compare(self, text: bytes, index: int, is_done: bool) -> None:
        """No event with a green light is missing, none was invented."""
        lines = self.played.lines
        done = index + 1 if is_done else index  # operations that were whole
        green = tapped = 0
        for line in lines:
            if line.green <= done and (line.green < done or is_done or not self.played.green_first):
                green = line.end
            if line.begins <= index:
                tapped = line.end
        if done < lines[0].green:
            green = 0
        if len(text) < green:
            self.lost += 1
            self.tell("lost", index, "%d of %d bytes that had their green light" % (len(text), green))
        if len(text) > tapped or text != self.played.text[: len(text)] or (text and text[-1] != 10):
            self.invented += 1
            self.tell("invented", index, "%d bytes, %d were tapped" % (len(text), tapped))

    def go_on(self, found, text: bytes, index: int) -> None:
        """The session stands as it stood, and the game goes on where it was."""
        played = self.played
        at = -1
        for number in range(len(played.lines)):
            if played.lines[number].end == len(text):
                at = number
        if at < 0:
            self.broken += 1
            self.tell("broken", index, "%d bytes end within a line" % len(text))
            return
        if len(text) not in self.known:
            session = Session(played.game, played.header)
            leftovers.finish(resume.replay(found, session))
            self.known[len(text)] = marks(session) == played.lines[at].stands
        if not self.known[len(text)]:
            self.broken += 1
            self.tell("broken", index, "the session stands otherwise")
        journal = Journal()
        journal.go_on(found.name, found.page, found.spares)
        assert journal.write("; goes on")
        behind = [data for page, _, data in pieces.read_pieces(found.name, max(0, found.page)) if page > found.page]
        assert behind == [b"; goes on\n"]

    def tell(self, what: str, index: int, how: str) -> None:
        """Keep the first few."""
        if len(self.said) < 5:
            self.said.append("%s at operation %d: %s" % (what, index + 1, how))


def cut(path: str, options: dict) -> dict:
    """Play one record and cut it; every figure."""
    played = Played(path, options.get("green_first", False), options.get("limit", 0))
    erases, late = played.count_stalls()
    cutter = Cutter(played)
    count = len(played.flash.log)
    cutter.run(options.get("first", 0), options.get("last", count), options.get("step", 1), options.get("twice", False))
    return {
        "events": played.events, "operations": count, "cuts": cutter.cuts,
        "lost": cutter.lost, "invented": cutter.invented, "broken": cutter.broken, "said": cutter.said,
        "erases": erases, "waited": played.waited, "late": late, "pages_late": played.pages_late,
        "longest": played.longest, "least_spares": played.least_spares,
    }  # fmt: skip


def measure(path: str) -> list:
    """The cost of keeping this record, each way."""
    with open(path) as record:
        header, rest = record.read().split("\n\n", 1)
    lines = [(header + "\n\n").encode()] + [(line + "\n").encode() for line in rest.split("\n") if line]
    found = []
    for way in ways.WAYS:
        flash = Flash(make(BLOCKS))
        mount(flash, PLAY_READ)
        found.append(ways.measure(way(), lines, flash))
        unmount()
    return found


def main() -> None:
    """Serve until standard input ends."""
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        path, options = json.loads(line)
        print("cuts " + json.dumps(measure(path) if options is None else cut(path, options)))


if __name__ == "__main__":
    main()
