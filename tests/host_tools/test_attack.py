"""An attack on a running game, kept as tests (T11): spoilt files, errors where none was expected, strange tags.

Each ends at the same question: is the prompt shut, and is the game still there? Letters are those of the report that
found the way.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardtable.between import prompt, archive, bugs, power_up, setup_files
from cardtable.engine.reading import read_time
from cardtable.engine.record import LAST_MS, LIMIT_MS, write_time
from cardtable.play.clock import Clock
from cardtable.play.controller import Controller
from cardtable.play.feed import Feed
from cardtable.record import journal
from host_tools.virtual.chips.iso14443a import Tag
from tests.conftest import ROOT
from tests.host_tools.at_table import SECOND, SETUP, AtTable, fail_when_told
from tests.host_tools.test_security import ARBITER, interrupt
from tests.patience import PATIENCE_S

FIRMWARE = ROOT / "firmware"
STRANGER = "04FEEDFACE0001"
KEY = {"tags.txt": f"{ARBITER} arbiter\n"}
DEALT = ((1, "6S"), (2, "7S"))
SHUT, OPEN = "shut", "open"
SAFE = [SHUT, ["0001"]]


class Evening:
    """Two cards are dealt, `spoil(flash)`, a reset that is no power-up, strange tags: `seen` is prompt and games/."""

    def __init__(self, monkeypatch, spoil=lambda flash: None, strange=(), setup=SETUP, files=KEY, cards=DEALT,
                 after=()):
        self.table = AtTable(setup)
        self.table.expects_bugs = True
        self.table._files.update(files)
        told = fail_when_told(monkeypatch)

        def evening():
            for place, card in cards:
                yield from self.table.tap(place, card)
            spoil(self.table.flash)
            told.append(1)
            yield 6 * SECOND
            for uid in strange:
                tag = Tag(bytes.fromhex(uid))
                self.table.world.put(2, tag)
                yield SECOND
                self.table.world.take(2, tag)
                yield 3 * SECOND
            for place, card in after:
                yield from self.table.tap(place, card)
            names = sorted(path.name for path in self.table.flash.glob("games/*"))
            self.seen = [SHUT if interrupt() == -1 else OPEN, names]
            self.screen = " ".join(" ".join(self.table.screen()).split())

        self.table.play(evening())


def write(name, text):
    """Spoil a file of the flash."""

    def spoil(flash):
        (flash / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    return spoil


# --- nothing lost -----------------------------------------------------------------------------------------------------


def play_past_the_last_time():
    """In a process of its own: what a clock begins with is changed for the whole firmware."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clock.__init__, "__defaults__", (LIMIT_MS - 500,))
        evening = Evening(patch, after=[(1, "8S")])
    assert evening.seen == SAFE and evening.table.events()[-1] == "1 draw 8S"
    assert {line.split()[0] for line in evening.table.journal[1:3]} == {write_time(LAST_MS)}


def test_b1_a_game_that_is_older_than_a_record_can_say_goes_on():
    """Every later event has the last time there is; the clocks of lights and turns go on."""
    script = "import tests.conftest; from tests.host_tools import test_attack; test_attack.play_past_the_last_time()"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr


def test_b1_what_the_writer_of_a_time_says_the_reader_takes():
    """Up to the last one, and not one more."""
    for at_ms in (0, 1, 999, 1000, 86_400_000, LAST_MS - 1, LAST_MS):
        assert read_time(write_time(at_ms)) == at_ms
    assert read_time(write_time(LAST_MS + 1)) == -1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("slip", [
    ("durak throw-in", "durrak"), ("durak throw-in", "durak-setup"), ("throw-in", "throw-on"),
    ("throw-in", "throw-in deck=53"), ("throw-in", "throw-in deck"), ("; Boris", ""),
    ("dealer: 2", "dealer: 9"), ("first: 1", "first: 3"), ("first: 1", "places: 1 8"), ("durak throw-in", "malice"),
])
def test_a_slip_in_the_set_up_gives_no_game_up(slip, monkeypatch):
    """It is named, and the corrected file brings the game back. Malice has cards that this deck lacks."""
    files = {**KEY, "deck.txt": "".join(AtTable()._files["deck.txt"].splitlines(True)[:54])}
    evening = Evening(monkeypatch, write("setup.txt", SETUP.replace(*slip)), files=files)
    assert evening.seen == SAFE and evening.screen.startswith("set-up: "), evening.screen


def test_a_corrected_set_up_brings_the_game_back(monkeypatch):
    """As it stood."""
    def slip(flash):
        (flash / "setup.txt").write_text(SETUP.replace("durak", "durrak"))

    step, turns = power_up.begin, []

    def mended_later(parts, places):
        turns.append(1)
        if len(turns) == 2:
            Path("setup.txt").write_text(SETUP)
        return step(parts, places)

    monkeypatch.setattr(power_up, "begin", mended_later)
    evening = Evening(monkeypatch, slip, after=[(1, "8S")])
    assert evening.seen == SAFE and evening.table.events() == ["1 draw 6S", "2 draw 7S", "1 draw 8S"]


def test_without_a_set_up_the_game_of_an_older_one_gives_nothing_up(monkeypatch):
    """last.txt is of another evening: the lobby proposes it, and the game that is not over stays."""
    older = {"last.txt": SETUP.replace("Boris", "Vera")}
    evening = Evening(monkeypatch, lambda flash: (flash / "setup.txt").unlink(), files={**KEY, **older})
    assert evening.seen == SAFE and "OK: play" in evening.screen


def test_another_set_up_that_can_be_played_is_another_game(monkeypatch):
    """As documented: the person who writes one wants it."""
    evening = Evening(monkeypatch, write("setup.txt", SETUP.replace("Boris", "Vera")))
    assert evening.seen == [OPEN, ["0001.rec", "0002"]]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [0, 31, 33])
def test_b3_a_key_that_cannot_be_used_is_named_and_kept(size, monkeypatch):
    """A record with two keys fits no copy."""
    evening = Evening(monkeypatch, write("key.bin", bytes(size)))
    assert evening.seen == SAFE and evening.screen.startswith("set-up: key.bin")


def test_b3_a_game_that_goes_on_under_another_key_says_so(monkeypatch):
    """Somebody removed it: the table makes one, and the record tells the arbiter."""
    evening = Evening(monkeypatch, lambda flash: (flash / "key.bin").unlink(), after=[(1, "8S")])
    assert evening.seen == SAFE and "; key: another one from here on" in evening.table.journal


def test_t9_a_damaged_game_is_told_with_its_cause(monkeypatch):
    """The feed says which line cannot be, and under which rule it would have been refused."""

    def spoil(flash):
        for path in flash.glob("games/0001/*/*"):
            path.write_bytes(path.read_bytes().replace(b"2 draw 7S", b"2 draw 6S"))

    evening = Evening(monkeypatch, spoil)
    told = [line for line in evening.table.says() if line.startswith("damaged: ")]
    assert len(told) == 1 and told[0].startswith("damaged: games/0001.bad: line ")
    assert told[0].endswith(": refused under T2"), told


@pytest.mark.parametrize("ending", [".bad", ".rec"])
def test_b4_a_flash_that_takes_no_new_name_is_named(ending, monkeypatch):
    """A damaged game that cannot be put aside, a finished one that cannot become one text: no round without an end."""
    rename, rounds = os.rename, []

    def refuse(old, new):
        if str(new).endswith(ending) and not str(new).startswith("/"):  # the device's own names
            rounds.append(new)
            assert len(rounds) < 20
            raise OSError(28)
        rename(old, new)

    def spoil(flash):
        monkeypatch.setattr(os, "rename", refuse)
        for path in flash.glob("games/0001/*/*"):
            path.write_bytes(path.read_bytes().replace(b" 7S", b" 6S"))
        if ending == ".rec":
            path = max(flash.glob("games/0001/*/*"))
            path.write_bytes(path.read_bytes().replace(b"2 draw 6S", b"0 abort") + b"result: aborted\n")

    evening = Evening(monkeypatch, spoil)
    assert evening.seen[1] == ["0001"] or ending == ".rec"
    assert evening.screen.startswith("set-up: "), evening.screen


@pytest.mark.micropython
def test_d4_the_module_of_a_games_set_up_is_no_game_on_a_device():
    """There alone the set-up lies in a module of its own, whose name a `game:` line could say."""
    table = AtTable(SETUP.replace("durak", "durak-setup"), runtime="micropython")
    said = []

    def evening():
        yield 3 * SECOND
        said.append(" ".join(" ".join(table.screen()).split()))

    table.play(evening())
    assert said == ["set-up: no game durak-setup on this table"]


# --- nobody in --------------------------------------------------------------------------------------------------------


def thrice(real, error):
    """A function that raises three times, then does what it did."""
    left = [error] * 3

    def act(*arguments):
        if left:
            raise left.pop()
        return real(*arguments)

    return act


def raises(owner, name, error):
    """A spoiler: that function raises this."""

    def prepare(monkeypatch):
        real = getattr(owner, name)
        return lambda flash: monkeypatch.setattr(owner, name, thrice(real, error))

    return prepare


def spoils(act):
    """A spoiler of files."""
    return lambda monkeypatch: act


def hide_games(monkeypatch):
    """The folder of the games cannot be read any more."""
    listdir = os.listdir

    def refuse(name="."):
        if str(name).startswith("games"):
            raise OSError(5)
        return listdir(name)

    return lambda flash: monkeypatch.setattr(os, "listdir", refuse)


# Every way on which a program, or somebody at the table, can come to the prompt: what is done to a game under way.
WAYS = {
    "the parts do not start": raises(setup_files, "read_language", ValueError("x")),
    "the start falls": raises(power_up, "begin", IndexError("x")),
    "the count of bugs falls": raises(bugs, "check_loop", UnicodeError("x")),
    "the bug cannot be written down": raises(bugs, "write_down", ValueError("x")),
    "the feed falls": raises(Feed, "begin", ValueError("x")),
    "the game falls": raises(Controller, "step", RuntimeError("x")),
    "the game has too little memory": raises(Controller, "step", MemoryError()),
    "the question itself falls": raises(prompt, "has_unfinished", MemoryError()),
    "A3: bug.txt is no text": spoils(write("bug.txt", b"\xff")),
    "no deck": spoils(lambda flash: (flash / "deck.txt").unlink()),
    "a deck that is no text": spoils(write("deck.txt", b"\xff")),
    "no set-up": spoils(lambda flash: (flash / "setup.txt").unlink()),
    "a set-up that is no text": spoils(write("setup.txt", b"\xff")),
    "tags.txt is no text": spoils(write("tags.txt", b"\xff")),
    "next.txt is no text": spoils(write("next.txt", b"\xff")),
    "next.txt is empty": spoils(write("next.txt", b"")),
    "language.txt is no text": spoils(write("language.txt", b"\xff")),
    "profiles.txt is no text": spoils(write("profiles.txt", b"\xff")),
}


@pytest.mark.parametrize("name", WAYS)
def test_t11_every_way_to_the_prompt_is_shut_while_a_game_is_under_way(name, monkeypatch):
    """Also for who taps strange tags meanwhile."""
    evening = Evening(monkeypatch, WAYS[name](monkeypatch), [STRANGER] * 3)
    assert evening.seen == SAFE


def test_t11_games_that_cannot_be_listed_may_be_under_way(monkeypatch):
    """An unreadable folder is not an empty one."""
    hide = hide_games(monkeypatch)
    hide(None)
    assert not prompt.may_open()
    monkeypatch.undo()


def test_t11_a_ctrl_c_of_the_moment_before_the_first_card_ends_in_a_reset(monkeypatch):
    """It was on its way while the prompt was open; the card is durable by now."""
    accepted = Feed.accepted
    fate = [KeyboardInterrupt()]

    def act(*arguments):
        if fate:
            raise fate.pop()
        accepted(*arguments)

    monkeypatch.setattr(Feed, "accepted", act)
    table = AtTable()
    seen = []

    def evening():
        table.put(1, "6S")
        yield from table.until(lambda: "boot: reset" in table.says())
        yield SECOND
        seen.append(interrupt())

    table.play(evening())
    assert seen == [-1] and table.events() == ["1 draw 6S"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", ["result: x", "~ end: x", "; x: y", "1: x", "1.0 1 draw: x"])
def test_a_header_may_say_what_it_likes(key, monkeypatch):
    """Lines count behind the empty line alone."""
    try:
        setup = SETUP.replace("\n\n", f"\n{key}\n\n")
        evening = Evening(monkeypatch, lambda flash: (flash / "deck.txt").unlink(), setup=setup)
    except AssertionError:
        assert " " in key.partition(":")[0]  # no key of a header: the table does not begin
        return
    assert evening.seen == SAFE
    unbegun = Evening(monkeypatch, lambda flash: (flash / "deck.txt").unlink(), setup=setup, cards=())
    assert unbegun.seen[0] == OPEN


TAGS = {
    "no tags.txt": None,
    "a wrong line before the key": f"x\n{ARBITER} arbiter\n",
    "a wrong line behind it": f"{ARBITER} arbiter\nx\n",
    "no key in it": "04AA000000000A player Vera\n",
    "no text": b"\xff",
}


@pytest.mark.parametrize("name", TAGS)
def test_no_strange_tag_becomes_the_key_while_a_game_is_under_way(name, monkeypatch):
    """Nor where there may be a key that cannot be read."""
    def spoil(flash):
        (flash / "setup.txt").unlink()
        if TAGS[name] is None:
            (flash / "tags.txt").unlink()
        else:
            write("tags.txt", TAGS[name])(flash)
            (flash / "next.txt").write_text("x")

    evening = Evening(monkeypatch, spoil, [STRANGER] * 3)
    assert evening.seen == SAFE
    if name.startswith("a wrong line"):  # the registered key opens it all the same (T10)
        assert Evening(monkeypatch, spoil, [ARBITER]).seen[0] == OPEN


def test_a_key_that_cannot_be_read_is_no_missing_key(monkeypatch):
    """Between games too."""
    def spoil(flash):
        write("tags.txt", b"\xff")(flash)
        write("next.txt", b"")(flash)

    evening = Evening(monkeypatch, spoil, [STRANGER] * 3, cards=())
    assert "arbiter" not in evening.screen.replace("tap a tag for the arbiter", "arbiter: enrolled")


def test_t11_only_two_places_give_ctrl_c_back():
    """main.py's lock, and the loader's end; the doctor is called at the prompt. All else takes it away."""
    found = []
    for path in sorted(FIRMWARE.rglob("*.py")):
        for function in [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]:
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("kbd_intr"):
                    if ast.unparse(node.args[0]) != "-1":
                        found.append((path.name, function.name))
    assert sorted(found) == [("loader.py", "end"), ("main.py", "doctor"), ("main.py", "lock")]
    main = {node.name: ast.unparse(node) for node in ast.parse((FIRMWARE / "main.py").read_text()).body
            if isinstance(node, ast.FunctionDef)}
    assert "if may_open(table):" in main["lock"]
    loader = ast.parse((FIRMWARE / "loader.py").read_text())
    assert "if may_open():" in next(ast.unparse(node) for node in loader.body if getattr(node, "name", "") == "end")


def test_t11_the_prompt_and_the_archive_mean_the_same_files():
    """The prompt's question imports neither, so that it can be asked when nothing else works."""
    assert prompt.FOLDER == journal.FOLDER and prompt.TEXTS == (archive.RECORD, archive.PULLED)
    tree = ast.parse((FIRMWARE / "cardtable" / "between" / "prompt.py").read_text())
    assert [ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)] == ["import os"]


# --- files that a person wrote ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", [b"04000000000001 6S\n\xff\n", b"x" * 9000, None])
def test_d1_d5_another_deck_that_cannot_be_read_is_named_when_a_strange_tag_comes(deck, monkeypatch):
    """And the game goes on."""
    def spoil(flash):
        if deck is None:
            (flash / "deck2.txt").mkdir()
        else:
            (flash / "deck2.txt").write_bytes(deck)

    evening = Evening(monkeypatch, spoil, [STRANGER] * 3, after=[(1, "8S")])
    assert evening.seen == SAFE and evening.table.events()[-1] == "1 draw 8S"
    assert any("deck2.txt" in line for line in evening.table.says())


@pytest.mark.parametrize(("name", "content", "words"), [
    ("profiles.txt", b"\xff", "profiles.txt is no text"),
    ("profiles.txt", b"x" * 1_000_000, "profiles.txt: more than"),
    ("last.txt", SETUP.replace("dealer: 2", "dealer: 5"), "OK: play"),
    ("next.txt", SETUP.replace("first: 1", "first: 5"), "next.txt: it has no seat 5"),
])
def test_d2_d3_a_wrong_file_is_named_in_the_lobby(name, content, words, monkeypatch):
    """And the lobby is there."""
    content = content if isinstance(content, bytes) else content.encode()
    evening = Evening(monkeypatch, setup=None, files={**KEY, name: content}, cards=())
    assert words in evening.screen and evening.seen[0] == OPEN


def test_d1_a_wrong_file_is_named_in_the_language_of_the_table(monkeypatch):
    """Its name and its line; the cause in full goes to the line."""
    files = {**KEY, "tags.txt": f"{ARBITER} arbiter\nx\n", "language.txt": "ru\n"}
    evening = Evening(monkeypatch, files=files, cards=())
    assert evening.screen.endswith("Файл не годится: tags.txt, строка 2"), evening.screen
    assert any("tags.txt, line 2: it takes" in line for line in evening.table.says())


def test_d5_a_folder_where_half_a_text_should_be_stops_nothing(monkeypatch):
    """A person made it."""
    evening = Evening(monkeypatch, lambda flash: (flash / "games" / "0005.tmp").mkdir(), after=[(1, "8S")])
    assert evening.seen == [SHUT, ["0001", "0005.tmp"]] and evening.table.events()[-1] == "1 draw 8S"
