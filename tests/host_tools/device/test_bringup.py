"""The first day of a table, with a fault at each step: the step says what to measure, and can be taken again."""

import os
import pty
import re
import shutil
from datetime import date

import pytest

from boards import virtual
from cardtable.between.enrol import deck_cards
from cardtable.drivers import font6x8
from cardtable.engine.deck import card_name
from host_tools.maker.board.load import load, names
from host_tools.cli import run
from host_tools.maker.device import about, ports
from host_tools.maker.device.bringup import FOLDER, STEPS, Day, read_day
from host_tools.maker.device.measure import say_where
from host_tools.maker.device.package import build_package
from host_tools.maker.device.table import Table, TableError
from host_tools.base.errors import UnusableInput
from host_tools.base.wording import parse
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.glass import read_text
from host_tools.virtual.maker import Maker as Person
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from tests.conftest import ROOT
from tests.host_tools.at_table import SECOND, SETUP, AtTable, record_name
from tests.host_tools.device.toy import PROMPT_S, toy
from tests.patience import PATIENCE_S, wait_for

SPEED = 10.0  # times real time, which is as fast as one processor runs it: some minutes at a table
UP = 6 * SECOND  # a start from files takes four; until then the glass shows what it showed before the reset


@pytest.fixture
def board(tmp_path, shims, deployed):
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=SPEED, room_kb=180) as board:
        yield board


class Maker:
    """What a day says and asks; `does` is what a person does when asked."""

    def __init__(self, board, port="", **more):
        self.said, self.asked, self.does = [], [], lambda: None
        self.day = Day(board, port, None, build_package("virtual"), self.said.append, self.ask, **more)

    def ask(self, text):
        self.asked.append(text)
        self.does()

    def step(self, name):
        """What the step says."""
        return STEPS[name](self.day)

    def fails(self, name):
        """The sentences of a step that fails."""
        with pytest.raises((TableError, UnusableInput)) as wrong:
            self.step(name)
        return str(wrong.value)


def have_ports(monkeypatch, *names):
    monkeypatch.setattr(ports, "list_ports", lambda: list(names))


def test_the_port_is_found_or_named(monkeypatch):
    have_ports(monkeypatch)
    assert "a cable that carries data" in Maker(virtual).fails("port")
    have_ports(monkeypatch, "/dev/ttyUSB0", "/dev/ttyACM0")
    assert "several ports: /dev/ttyUSB0, /dev/ttyACM0" in Maker(virtual).fails("port")
    have_ports(monkeypatch, "/dev/ttyUSB0")
    assert Maker(virtual).step("port") == "the table is at /dev/ttyUSB0"


def test_a_chip_without_micropython_is_offered_an_image_or_says_what_to_press(tmp_path, monkeypatch):
    tool = tmp_path / "esptool"
    tool.write_text("#!/bin/sh\nexit 2\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(Table, "patience", (0.2,))
    ours, theirs = pty.openpty()  # something that says nothing
    try:
        maker = Maker(load("esp32s3_4seat"), os.ttyname(theirs))
        assert "Hold BOOT, press RESET" in maker.fails("chip")
        assert "Enter writes MicroPython to it, fetched by mpflash" in maker.asked[0]
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_port_that_is_not_there_is_no_chip_to_be_written():
    maker = Maker(virtual, "/dev/no-such-port")
    assert "there is no /dev/no-such-port: is the table's cable in?" in maker.fails("chip") and not maker.asked


@pytest.mark.micropython
def test_the_day_of_a_table_with_a_fault_at_each_step(board, tmp_path, monkeypatch):
    """One table: each step fails once with where to look, is mended, and taken again."""
    maker = Maker(virtual, board.port, patience_s=PATIENCE_S)
    hands = AtTable()
    hands.world = board.world
    fails_and_works_without_micropython(board, maker, tmp_path, monkeypatch)
    fails_and_works_in_little_memory(board, maker)
    # deploy: an application that does not start, then the right one
    good = maker.day.package
    maker.day.package = toy(2, "def main(come_up):\n    raise ValueError('at once')\n")
    assert "does not start" in maker.fails("deploy")
    maker.day.package = good
    assert maker.step("deploy") == "the application has come up"
    # doctor: a reader without supply
    board.call(board.world.readers[2].unplug)
    wrong = maker.fails("doctor")
    assert "Reader 3 does not answer" in wrong and "Measure: At reader 3: 3.3 V against ground" in wrong
    board.call(board.world.readers[2].plug)
    assert maker.step("doctor") == "the doctor found nothing wrong"
    fails_and_works_with_all_parts(board, maker)
    learns_a_weakness(board, maker)
    # key: nobody taps, then somebody does
    assert "no key yet" in maker.fails("key") and maker.asked[-1].startswith("Lay the tag")
    maker.does = when_it_is_let_go(board, tap_key(hands))
    assert maker.step("key") == "the table has an arbiter's key"
    # deck: left before its last cards, then gone on with
    maker.does = lambda: put(board, {"/deck.txt": "; 36 cards\n" + "".join(low_cards()[:-7])})
    assert "7 cards have no tag" in maker.fails("deck")
    maker.does = when_it_is_let_go(board, tap_deck(hands))
    assert maker.step("deck") == "36 cards and more have a tag"
    put(board, {"/setup.txt": SETUP.replace("throw-in", "throw-in deal=counted")})
    # play: nobody comes, then the first card is laid
    maker.does, maker.day.patience_s = lambda: None, 0.2
    wrong = maker.fails("play")
    assert "No card was accepted" in wrong, (wrong, maker.said[-20:])
    maker.day.patience_s = PATIENCE_S
    maker.does = when_it_is_let_go(board, play_first_hand(hands))
    assert maker.step("play") == "the table plays"


def fails_and_works_without_micropython(board, maker, tmp_path, monkeypatch):
    """A port at which nothing answers; esptool, of which there is a stand-in here, fails, and then writes the image.
    What esptool itself does with a chip no test sees."""
    ours, theirs = pty.openpty()
    port, image, tool = tmp_path / "port", tmp_path / "image.bin", tmp_path / "bin" / "esptool"
    image.write_bytes(b"an image")
    port.symlink_to(os.ttyname(theirs))
    tool.parent.mkdir()
    maker.day.port, maker.day.image = str(port), image
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(tool.parent), prepend=os.pathsep)
        maker.does = lambda: patched.setattr(Table, "patience", PROMPT_S)  # the chip has been written
        for does, works in (("exit 2", False), (f"ln -sf {board.port} {port}", True)):
            tool.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path / "calls"}\n{does}\n')
            tool.chmod(0o755)
            patched.setattr(Table, "patience", (0.2,))
            if works:
                assert maker.step("chip").startswith("MicroPython 1.29")
            else:
                assert "esptool failed; what it said is above. It can be repeated" in maker.fails("chip")
            assert "Enter writes MicroPython to it, from " in maker.asked[-1]
    os.close(ours)
    os.close(theirs)
    called = f"--chip esp32 --port {port} write-flash 0x1000 {image}\n"
    assert (tmp_path / "calls").read_text() == 2 * called
    maker.day.port, maker.day.image, maker.does = board.port, None, lambda: None


def fails_and_works_with_all_parts(board, maker):
    """The doctor's questions, answered at the table: what is broken is named, each with where to measure."""
    world = board.world
    person = Person(world)
    board.on_line = person.hear
    board.call(lambda: world.people.add(person.play()))

    def break_them():
        world.bus("readers").pin_pulls = False
        world.readers[2].dead()
        world.screen.unplug()
        world.piezo.resistor_ohm = None
        person.broken.add((5, "NO"))

    def mend_them():
        world.bus("readers").pin_pulls = True
        world.readers[2].dead(None)
        world.screen.plug()
        world.piezo.resistor_ohm = 1_000.0
        person.broken.clear()

    board.call(break_them)
    wrong = maker.fails("parts")
    board.call(mend_them)
    assert maker.asked[-1].startswith("Go to the table")
    lines = iter(wrong.splitlines())
    found = [(line.partition(":")[0], next(lines).startswith("  Measure: ")) for line in lines]
    assert found == [(name, True) for name in (
        "Screen 1 does not answer", "Nothing pulls MISO up while no reader is selected", "Reader 3 does not answer",
        "Button NO of seat 5 was not felt", "The buzzer is mute")]
    assert maker.step("parts") == "the doctor found nothing wrong"


def learns_a_weakness(board, maker):
    """A reader that wants a higher gain: the table measures it, keeps it, and the day goes on; no other is named."""
    chip = board.world.readers[2].chip
    board.call(lambda: setattr(chip, "loses_at", lambda gain: 0.0 if gain == 7 else 0.2))
    assert maker.step("learn") == "the table has measured itself; findings: 1"
    board.call(lambda: setattr(chip, "loses_at", None))
    assert maker.asked[-1].startswith("Take one card to the table")
    assert maker.said[-1].startswith("Reader 3 read the card in ") and "Measure: At reader 3" in maker.said[-1]
    with Table(board.port) as table:
        table.stop()
        kept = table.call("read_text", "/learned.txt").splitlines()
    assert "reader 3 gain 7 reads 100" in kept and "reader 4 gain 6 reads 100" in kept


def fails_and_works_in_little_memory(board, maker):
    """Less heap than a stock chip without PSRAM, then more of it."""
    for heap in ("56000 40000", ""):
        board.chip_heap = heap  # what its MicroPython tells of
        board.pull_plug()
        board.plug_in()
        maker.day.port = board.port
        if heap:
            assert "the largest game needs 100 KB" in maker.fails("chip")
    assert maker.step("chip").startswith("MicroPython 1.29")


def when_it_is_let_go(board, acts):
    """What lets people act at the table once the start that a step has just asked for is there. Before that its glass
    asks for what an earlier start asked for: a busy computer brings the reset late, and an earlier start may only now
    say that it is there. But none says so while a computer holds the prompt."""
    def act():
        held = board.printed.rfind(b"raw REPL")
        assert held >= 0
        board.wait_for("cardtable on virtual", held)
        at_table(board, acts)

    return act


def at_table(board, acts):
    """Let people act at the table until they have done."""
    ended = []

    def whole():
        yield from acts
        ended.append(True)

    board.call(lambda: board.world.people.add(whole()))

    def stand():
        rows = read_text(board.world.screen, font6x8)  # of a board that still runs: a look, which may be torn
        return f"people at the table; its glass: {rows}; its console: {bytes(board.printed[-300:])}"

    wait_for(lambda: ended or board.trouble, "the maker", stand)
    assert ended, board.trouble


def put(board, files):
    """Copy files onto the table, as a computer does, and let it go on."""
    with Table(board.port) as table:
        table.stop()
        for name, text in files.items():
            table.write(name, text.encode())


def low_cards():
    """The lines of a deck of 36."""
    cards = {card_name(card) for card in deck_cards(36)}
    return [line for line in deck_lines() if line.split()[1] in cards]


def until(wish):
    """Wait for it, with a look five times a second: reading the glass takes its time."""
    while not wish():
        yield SECOND // 5


def lay_key(hands, words):
    """The key on reader 1 until the glass says so; after five seconds without that, taken away and laid again."""
    looks = 0
    hands.put(1, "QQ")
    while not hands.screen()[0].startswith(words):
        yield SECOND // 5
        looks += 1
        if looks % 25 == 0:
            hands.take(1, "QQ")
            yield 2 * SECOND
            hands.put(1, "QQ")
    hands.take(1, "QQ")


def tap_key(hands):
    yield UP
    yield from until(lambda: "OK: play" in hands.screen()[7])
    yield from lay_key(hands, "No key yet")
    yield 4 * SECOND
    yield from lay_key(hands, "Arbiter")


def tap_deck(hands):
    """The key, the choice in the list, then each card that a seat is asked for."""
    yield UP
    yield from until(lambda: "OK: play" in hands.screen()[7])
    yield from lay_key(hands, "Arbiter")
    while "go on with deck 1" not in hands.screen()[7]:
        yield from hands.press(1, "MENU")
        yield SECOND // 2
    yield from hands.press(1, "OK")
    yield from until(lambda: hands.screen()[0].endswith(": 7"))
    yield SECOND  # the glass is drawn row by row: let it be whole
    asked = [word.split(":") for row in hands.screen()[1:5] for word in row.split()]
    for place, card in asked:
        hands.put(int(place), record_name(card))
    yield from until(lambda: "All there" in hands.screen()[7])
    for place, card in asked:
        hands.take(int(place), record_name(card))


def play_first_hand(hands):
    """The trump, then the first attack."""
    yield UP
    for place, card, wish in ((2, "6S", "turn up"), (1, "7S", "attack")):
        yield from until(lambda: wish in " ".join(hands.screen()))  # noqa: B023
        hands.put(place, card)
        yield 2 * SECOND
        hands.take(place, card)
        yield SECOND


def test_a_step_that_fails_says_how_to_take_it_again(monkeypatch, capsys):
    def fail(day):
        raise TableError("Reader 3 is cold.")

    monkeypatch.setitem(STEPS, "doctor", fail)
    command = ["device", "bringup", "--board", "virtual", "--port", "/dev/x", "--step", "doctor"]
    assert run(command) == 1
    said, wrong = capsys.readouterr()
    assert "cold" in wrong and "bringup --board virtual --port /dev/x --step doctor" in said
    assert "== 4 of 9, doctor: Let" in said
    assert run([*command, "--language", "ru"]) == 1
    said = capsys.readouterr().out
    assert "== 4 из 9, doctor: Доктор осматривает" in said and "Шаг не удался" in said
    assert "--port /dev/x --language ru --step doctor" in said


def test_the_doctors_questions_name_what_to_measure(monkeypatch):
    """A button without a wire, a dark light and a mute buzzer."""
    lines = [f"! {words}" for words in (
        "Button NO of seat 5 was not felt: check", "The light of seat 6 does not shine: check", "The buzzer is mute: x"
    )]
    monkeypatch.setattr(about, "examine", lambda table, asks, hear, learns: [hear(line) for line in lines])
    monkeypatch.setattr("host_tools.maker.device.bringup.Table", FakeTable)
    wrong = Maker(load("esp32s3_4seat"), "x").fails("parts")
    assert "3.3 V open, 0 V pressed" in wrong and "At light 6: 4.3 V" in wrong and "GPIO 47 and the" in wrong


@pytest.mark.parametrize(("kept", "said", "sentence"), [
    ("", (), "Nothing was measured"),
    ("date 2026-03-01\n" + "".join(f"reader {n} gain 6 reads 100\n" for n in range(1, 8)), (), "Nothing was measured"),
    ("date TODAY\nreader 1 gain 6 reads 100\n", ("! Reader 2 saw no card: check",), "3.3 V against ground"),
])
def test_a_table_that_could_not_measure_a_reader_has_not_learned(monkeypatch, kept, said, sentence):
    """Nobody laid a card, today; one reader saw none."""
    monkeypatch.setattr(about, "examine", lambda table, asks, hear, learns: [hear(line) for line in said])
    monkeypatch.setattr("host_tools.maker.device.bringup.Table", FakeTable)
    monkeypatch.setattr(FakeTable, "file", kept.replace("TODAY", date.today().isoformat()))
    assert sentence in Maker(virtual, "x").fails("learn")


@pytest.mark.parametrize(("lines", "sentence"), [
    ((), "No card was accepted. If a light was red"),
    (("boot: power", "1.203 1 ! T3 Finish the deal first ~ f39dd6a4d0c35dbb"), "No card was accepted"),
    (("boot: power", "fault: Silent reader 3"), "`--step doctor` looks at its parts"),
    (("boot: power", "1.231 1 draw ?? ~ e72037b8b755df9c"), "No card was accepted"),
    (("boot: power", "1.231 1 draw ?? ~ e72037b8b755df9c", "2.0 1 attack 6S"), ""),
])
def test_the_first_hand_is_an_accepted_card_on_the_feed(monkeypatch, lines, sentence):
    monkeypatch.setattr("host_tools.maker.device.bringup.Table", FakeTable)
    monkeypatch.setattr(FakeTable, "says", lines)
    maker = Maker(virtual, "x")
    if sentence:
        assert sentence in maker.fails("play")
    else:
        assert maker.step("play") == "the table plays"


class FakeTable:
    """A table that stops, and says some lines once it is reset."""

    says = ()
    file = ""

    def call(self, function, path):
        return self.file

    def __init__(self, port):
        pass

    def reset(self):
        pass

    def lines(self, seconds):
        return iter(self.says)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def stop(self):
        pass


def test_the_steps_say_all_of_it_in_russian():
    """Each sentence that English has, with the same facts; words of Latin letters are names of parts and commands."""
    english, russian = (parse((FOLDER / f"bringup.{language}.txt").read_text(encoding="utf-8"))
                        for language in ("en", "ru"))
    assert list(english) == list(russian)
    for key, text in russian.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", english[key])), key
        assert re.search("[а-яё]", text) or key == "at.bus_open", key


def test_a_day_in_russian_at_a_table_that_speaks_russian(monkeypatch):
    """Its doctor's sentences are known, and what to measure is said in the maker's language."""
    lines = ["! Кнопка NO места 5 не чувствуется: проверьте", "! Огонёк места 6 не горит: проверьте"]
    monkeypatch.setattr(about, "examine", lambda table, asks, hear, learns: [hear(line) for line in lines])
    monkeypatch.setattr("host_tools.maker.device.bringup.Table", FakeTable)
    maker = Maker(load("esp32s3_4seat"), "x", words=read_day("ru"))
    wrong = maker.fails("parts")
    assert "Измерьте. На её входе 74HC165: 3,3 В" in wrong and "Измерьте. У огонька 6: 4,3 В" in wrong
    assert maker.asked[0].startswith("Подойдите к столу")
    lines.clear()
    assert maker.step("doctor") == "доктор ничего не нашёл"


def test_a_screen_behind_a_switch_is_measured_at_its_own_channel():
    """The pins of the module are the switch's, and stay high where one channel is down. What no screen has as its
    number names none."""
    words = read_day("en")
    where = say_where(load("esp32s3_7seat"), "Screen 3 does not answer: check", words)
    assert "SC2 and SD2 of the TCA9548A" in where and "SCL (GPIO 9) and SDA (GPIO 8) of the TCA9548A itself" in where
    for name, screen in (("esp32s3_7seat", "0"), ("esp32s3_7seat", "9" * 5000), ("esp32s3_4seat", "1")):
        assert "SCL (GPIO 9)" in (where := say_where(load(name), f"Screen {screen} does not answer", words)), name
        assert "TCA9548A" not in where


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", names())
def test_every_finding_of_the_doctor_about_a_wire_says_where_to_measure(name, language):
    """With pins of the board; what is worn out, a copy or a file has no place for a meter."""
    path = ROOT / "firmware" / "cardtable" / "words" / f"doctor.{language}"
    said = dict(line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines())
    for key in ("reader_dead", "reader_version", "reader_hung", "reader_gain", "reader_holds", "bus_held", "bus_open",
                "bus_slow", "screen_silent", "screen_dark", "chain", "stuck", "button_dead", "button_other",
                "light_dark", "light_behind", "sound_mute", "no_card", "reader_weak", "learn_slow", "learn_gain",
                "learn_misses", "screens_slow", "learn_rises_slowly", "learn_rises_late"):
        finding = said["D." + key].replace("%d", "3").replace("%s", "NO").replace("0x%02x", "0x12")
        for words in map(read_day, ("en", "ru")):
            where = say_where(load(name), finding, words)
            assert where and words.say("its_pin") not in where, (key, where)
    for key in ("reader_other", "file", "bugs"):
        assert say_where(load(name), said["D." + key], words) == "", key
