"""main.py on MicroPython's newer timers of an ESP32: init can raise, and a collection ends one that nothing refers to
(H11); when the application counts as come up, and which presses it leaves out."""

import ast
import asyncio
import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import pytest

from cardtable.answers import EMPTY
from cardtable.table.readers import Readers
from cardtable.table.running import Running
from tests.conftest import ROOT

RUNS_ON = "cpython"  # of the firmware only its source, and the end of main.py
FIRMWARE = ROOT / "firmware"


class Timer:
    """One that ESP-IDF has no memory for."""

    PERIODIC = 1

    def __init__(self, number):
        self.number = number

    def init(self, **how):
        raise OSError(12)


@pytest.fixture
def main(monkeypatch):
    """firmware/main.py as a module, on a chip whose timers do not begin."""
    machine = ModuleType("machine")
    vars(machine).update(RTC=lambda: SimpleNamespace(memory=lambda word: None), WDT=None, Timer=Timer, reset=None)
    monkeypatch.setitem(sys.modules, "machine", machine)
    ticks = SimpleNamespace(ticks_ms=lambda: ticks.now_ms, ticks_diff=lambda end, start: end - start, now_ms=0)
    monkeypatch.setitem(sys.modules, "time", ticks)
    found = importlib.util.spec_from_file_location("main_of_table", FIRMWARE / "main.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_h11_the_prompt_opens_though_its_timer_does_not_begin(main, monkeypatch, capsys):
    """Ctrl-C between two games ends at the prompt, and is no crash of the application. No reader's field stays on."""
    levels = []

    def wire(parts):
        parts.readers = SimpleNamespace(reset=levels.append)

    def interrupt(parts):
        raise KeyboardInterrupt

    room = SimpleNamespace(find_cause=lambda: "boot: power", start=interrupt, wire=wire)
    monkeypatch.setattr(main, "load", lambda *name: room)
    monkeypatch.setattr(main, "gc", SimpleNamespace(threshold=lambda count: None))
    monkeypatch.setattr(main, "may_open", lambda table=None: True)
    with pytest.raises(KeyboardInterrupt):
        main.main()
    assert isinstance(main.stopped, main.Parts), "device info asks it for its readers"
    assert levels == [0, 1]
    assert capsys.readouterr().out == "watchdog: no timer feeds it\n"


def test_the_application_has_come_up_once_every_reader_was_looked_at(main, monkeypatch):
    """Not before: one that falls at its last reader must not take the place of the one that worked (starter.py). Nor
    before those at which nobody sits, which have their turn every fourth sweep."""
    looks = []

    class Chip:
        uid = bytearray(10)

        def __init__(self, index):
            self.index = index

        def start(self):
            return True

        def warm(self):
            return False

        async def poll(self, known):
            if len(looks) == 30:
                raise KeyboardInterrupt
            looks.append(self.index)
            return EMPTY

    readers = Readers([Chip(index) for index in range(4)], None)
    readers.unused = 0b1110
    parts = SimpleNamespace(
        readers=readers, table=Running(), on_tags=[], is_networked=False, write_line=None, write_lines=lambda: None,
        feed_watchdog=lambda: None, screen=SimpleNamespace(refresh=lambda: None))
    monkeypatch.setattr(main, "lock", lambda table: None)
    came = []
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main.run(parts, lambda: came.append(set(looks))))
    assert came == [{0, 1, 2, 3}] and looks[:4] == [0, 0, 3, 0]


def test_a_press_made_while_the_table_comes_up_is_no_press_of_the_game(main, monkeypatch):
    """Somebody pressed OK twice to begin, or a key to wake a table whose power had failed: nothing was shown yet."""
    presses = [3, 4]
    asked = []

    def wire(parts):
        parts.table = Running()
        parts.buttons = SimpleNamespace(next_press=lambda: presses.pop() if presses else -1)

    def run(parts, come_up):
        asked.append(parts.buttons.next_press())
        raise KeyboardInterrupt

    nothing = SimpleNamespace(**dict.fromkeys(("start", "learn_names", "announce"), lambda *parts: None), wire=wire,
                              find_cause=lambda: "boot: power", is_doctor_called=lambda parts: False,
                              begin=lambda parts, boot: None)
    monkeypatch.setattr(main, "load", lambda *name: nothing)
    monkeypatch.setattr(main, "forget", lambda *names, kept=(): None)
    monkeypatch.setattr(main, "gc", SimpleNamespace(threshold=lambda count: None))
    monkeypatch.setattr(main, "run", run)
    monkeypatch.setattr(main, "may_open", lambda table=None: True)
    monkeypatch.setattr(main, "drop_fields", lambda parts: None)
    with pytest.raises(KeyboardInterrupt):
        main.main()
    assert asked == [-1] and presses == []


def test_the_feed_rests_a_minute_wherever_nobody_reads_it(main, monkeypatch):
    """In a lobby it rested for ever, and so did the result of a game in whose last minute a line had not been read."""
    ticks, printed = sys.modules["time"], []

    def write(line):
        printed.append(line)
        ticks.now_ms += 1000 if line == "network: news" else 1  # that one nobody reads

    monkeypatch.setattr(main, "print", write, raising=False)
    monkeypatch.setattr(main, "load", lambda *name: SimpleNamespace(wire=lambda parts: None))
    parts = main.Parts()
    parts.holds_lines = True
    parts.say("network: news")
    for _ in range(2):
        parts.write_lines()
        parts.say("result: fool 1")
    ticks.now_ms += main.REST_MS
    parts.write_lines()
    parts.say("network: connected")
    parts.write_lines()
    assert printed == ["network: news", "\nfeed: lines are lost", "network: connected"]


def test_h11_each_timer_is_referred_to_and_none_is_ended():
    """So no collection ends the one that looks at the buttons. A second one fails here."""
    kept, made = [], 0
    for path in FIRMWARE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                made += getattr(node.func, "id", getattr(node.func, "attr", "")) == "Timer"
                assert getattr(node.func, "attr", "") != "deinit", path
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Timer("):
                kept.append((path.name, ast.unparse(node.targets[0])))
    assert (kept, made) == ([("main.py", "self.timer")], 1)


def test_h11_the_page_of_the_port_names_the_timers_that_it_was_read_against():
    page = (ROOT / "docs" / "port.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("| `machine.py`: Timer")]
    assert "Read at 0185a643" in row and "Since 2026-07-15" in row and "GPTimer" in row
