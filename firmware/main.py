"""The main loop: one look at a reader, then everything else; the watchdog, and when the prompt may open."""

import micropython

INTERRUPT = 3  # Ctrl-C, which leads to MicroPython's prompt
micropython.kbd_intr(-1)  # before everything else: a game may be under way

import asyncio
import gc
from time import ticks_diff, ticks_ms

from cardtable.rooms import forget, load
from machine import RTC, WDT, Timer, reset

FEED_MS = 1000  # how often the watchdog is fed at the prompt, where no table runs
stopped: "Parts"  # set once the table was interrupted: `device info` asks it how well its readers have read
is_watched = False  # the watchdog runs, even after a soft reset: only a reset of the chip makes room for a long prompt
ROW = 16  # lines of the feed that may wait
FAULT_MS = 5  # what a silent reader costs of a sweep: as much as one that waits for its field
SLOW_MS = 200  # a line that takes longer is one that nobody reads: the longest takes 35 on a UART
REST_MS = 60000  # how long the feed then rests
GC_THRESHOLD = 16384  # bytes; a heap that is collected only when it is full falls into small pieces


class Parts:
    """The parts of this board, ready to use: between/wiring.py makes them."""

    def __init__(self) -> None:
        self.timer = Timer(0)
        self.watchdog: WDT | None = None
        self.watchdog_ms = 0  # 0: the board has none
        self.table = None  # the game or panel that the main loop steps: a table.running.Running
        self.is_networked = False  # the table reports to a network between its games, says network.txt
        self.net = None  # its end of it: a net.party.Party, in memory only between games
        self.lines: list = []  # of the feed, which wait until the lights are served
        self.holds_lines = False  # a table runs, so they do wait
        self.rests = False  # nobody reads the feed, since
        self.rests_ms = ticks_ms()
        self.on_tags: list = []  # (place, name of the card that its tag is to say; empty: what does it say?, who hears)
        load("between", "wiring").wire(self)

    def say(self, line: str) -> None:
        """Take a line for the feed."""
        if self.rests:
            return
        self.lines.append(line)
        while self.lines and (not self.holds_lines or len(self.lines) > ROW):
            self.write_line()

    def write_line(self) -> None:
        """Write the line that has waited for longest. Time alone tells that nobody reads: a computer that has opened
        the native USB port of an S3 and reads nothing costs a second a line. The feed then rests a minute."""
        if self.rests and ticks_diff(ticks_ms(), self.rests_ms) > REST_MS:
            self.rests = False
            self.lines.append("\nfeed: lines are lost")  # the line before may have no end
        if self.lines:
            self.rests_ms = ticks_ms()
            print(self.lines.pop(0))
            if ticks_diff(ticks_ms(), self.rests_ms) > SLOW_MS:
                self.rests = True
                self.lines.clear()

    def write_lines(self) -> None:
        """Write all of them: no game is under way. Each call looks whether the rest is over, as `write_line` does."""
        self.write_line()
        while self.lines:
            self.write_line()

    def watch(self) -> None:
        """From now on a table that hangs is reset. Once started it cannot be stopped."""
        if self.watchdog_ms and self.watchdog is None:
            global is_watched
            is_watched = True
            self.watchdog = WDT(timeout=self.watchdog_ms)

    def feed_watchdog(self, timer=None) -> None:
        """The table does not hang."""
        if self.watchdog:
            self.watchdog.feed()


def may_open(table=None) -> bool:
    """T11: whether the prompt may open: the flash says so (prompt), and what runs holds nothing back. A panel that
    the arbiter's key has opened is asked alone (T10). The module that finds it is not in memory afterwards."""
    if table and table.has_secrets():
        return False
    found = table and table.is_opened or load("between", "prompt").may_open()
    forget("between")
    return bool(found)


def lock(table) -> None:
    """T11: close the prompt, where the record could be read, as long as a game has secrets."""
    micropython.kbd_intr(-1)
    if may_open(table):
        micropython.kbd_intr(INTERRUPT)


def restart(parts, boot: str, bug: Exception) -> None:
    """After a bug: write it down as far as possible, and reset into the record. Does not return."""
    try:
        gc.collect()
        parts.say("bug: %s" % type(bug).__name__)  # nothing more is public: its text may name a card
        parts.write_lines()
        load("between", "bugs").write_down(boot, parts.table if parts.table.is_game else None, bug)
    except Exception:  # any error: one that leaves this program ends at the prompt
        pass
    restart_chip()


def drop_fields(parts) -> None:
    """Reset the readers: whichever look was interrupted, no field stays on."""
    for level in (0, 1):
        parts.readers.reset(level)


def restart_chip() -> None:
    """Reset the chip; no crash, so the mark of a table that runs goes (what_runs.find_cause). Does not return."""
    RTC().memory(b"")
    reset()


def serve_network(parts) -> None:
    """T11: let the network speak while no game goes on. During one, nothing of that room is in memory."""
    if parts.net:
        parts.net.step()
    elif parts.table.rests():
        try:
            parts.net = load("net", "party").open_party(parts)
        except (ImportError, MemoryError):
            parts.say("network: this board has no room for it")
        parts.is_networked = parts.net is not None
        forget("between")


async def run(parts, come_up=None) -> None:
    """Look at one reader after the other; after each look, at everything else. `come_up` is told once each was."""
    readers = parts.readers
    is_locked = parts.table.has_secrets()
    lock(parts.table)
    parts.holds_lines = True
    while True:
        index = readers.take_turn()
        if come_up and readers.sweeps > 3:  # where nobody sits a reader is looked at in every fourth
            come_up()
            come_up = None
        chip = readers.begin(index)
        if chip:
            readers.end(index, await chip.poll(readers.expected(index)))
        else:
            await asyncio.sleep_ms(FAULT_MS)
        parts.table.step()
        if parts.table.has_secrets():
            parts.write_line()
        else:
            parts.write_lines()
        if parts.on_tags:
            readers.cool()
            await load("drivers", "ntag").serve(parts.on_tags, parts.readers)
        if parts.table.has_secrets() != is_locked:
            is_locked = not is_locked
            lock(parts.table)
        if parts.table.wants:
            load("between", "what_runs").go_on(parts)
            forget("between")
        if parts.is_networked:
            serve_network(parts)
        if is_locked and parts.table.is_game:
            parts.watch()  # nowhere else: at the prompt, which a panel's key opens, it would be in the way
        parts.feed_watchdog()
        if readers.hurry:
            readers.hurry -= 1
        else:
            parts.screen.refresh()  # a line takes up to 12 ms


def doctor(asks: bool = True, learns: str = "") -> None:
    """Examine the table: `cardtable device doctor` calls this at the prompt. learns: the date, if it is to learn."""
    micropython.kbd_intr(INTERRUPT)
    gc.threshold(GC_THRESHOLD)  # the reset before the prompt has undone it
    parts = Parts()
    load("between", "wiring").start(parts)
    load("between", "call_doctor").examine(parts, asks, learns)


def forget_start(parts) -> None:
    """What only the start needed goes. A game empties these modules; lobby and panels still use theirs."""
    forget("between", "catalogue", "version", "engine.reading", kept=() if parts.table.is_game else None)
    while parts.buttons.next_press() >= 0:
        pass  # it was pressed while the table came up, and answers nothing that the table had shown


def main(come_up=None) -> None:
    """Power up; `come_up` is called once everything works."""
    gc.threshold(GC_THRESHOLD)
    boot = load("between", "what_runs").find_cause()
    parts = None
    try:
        parts = Parts()
        load("between", "wiring").start(parts)
        is_called = load("between", "wiring").is_doctor_called(parts)
        load("between", "notice").learn_names()
        forget("between", "board", "version", kept=())
        if is_called and may_open():  # a game goes on first: the button may be stuck
            load("between", "call_doctor").examine(parts)
        try:
            begun = load("between", "what_runs").begin(parts, boot)
            if begun:  # what has found the game goes before what plays it comes: never are both in memory
                forget("between", "engine.reading", kept=())
                parts.table = load("between", "take_up").take_up(parts, *begun)
                begun = None
                forget("between", kept=())
                load("between", "chosen").take_next()
            load("between", "notice").announce(parts, boot)
        except MemoryError:  # all that was loaded for it goes, or the notice would not fit either
            forget("between", "play", "record", "games", "catalogue", "engine")
            load("between", "notice").decline(parts, boot)
        forget_start(parts)
        asyncio.run(run(parts, come_up))
    except KeyboardInterrupt:
        RTC().memory(b"")
        if parts:
            parts.write_lines()
        if parts is None or not may_open(parts.table):
            reset()  # it came in the moment in which the first card was judged
        drop_fields(parts)
        global stopped
        stopped = parts
        # At the prompt no table feeds the watchdog, which cannot be stopped.
        try:
            parts.timer.init(period=FEED_MS, mode=Timer.PERIODIC, callback=parts.feed_watchdog)
        except OSError:  # ESP-IDF has no memory for it: the prompt is open until the watchdog resets the chip
            print("watchdog: no timer feeds it")
        raise
    except Exception as bug:
        if parts is None:
            RTC().memory(b"")
            raise  # the starter handles an application that does not start
        restart(parts, boot, bug)


if __name__ == "__main__":
    try:
        main()
    except Exception:
        if may_open():
            raise
        restart_chip()
