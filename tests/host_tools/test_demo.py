"""The demonstration: what people see of it, in a terminal and in a pipe, with and without MicroPython."""

import contextlib
import functools
import re
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from cardtable.drivers import font6x8
from host_tools import cli
from host_tools.base.wording import read_words
from host_tools.base.errors import UnusableInput
from host_tools.play.scripted import demo, show
from host_tools.virtual.glass import read_text
from tests.conftest import ROOT

LANGUAGES = ("en", "ru")
HASH = re.compile(r"[0-9a-f]{8}")


def run(*options, language="en"):
    return cli.run(["demo", "--runtime", "cpython", "--language", language, *options])


@functools.cache
def print_all(language="en"):
    """What it prints into a pipe, played once for all tests."""
    with contextlib.redirect_stdout(StringIO()) as out:
        assert run(language=language) == 0
    return out.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_pipe_it_is_plain_lines(language):
    lines = print_all(language).splitlines()
    assert all(cell_len(line) <= 80 and "\x1b" not in line and not HASH.search(line) for line in lines)
    captions = [line[2:] for line in lines if line.startswith("— ")]
    assert captions == list(demo.read_captions(demo.SCENE, language).values()) and len(captions) == 8
    refused = [line for line in lines if line.startswith("  ✗ ")]
    assert [line[-5:].strip(" ().") for line in refused] == ["D7", "D16", "D14", "D19"]
    assert len([line for line in lines if line.startswith("  ✓ ")]) == 16
    assert "20" in lines[-1] and "4" in lines[-1]


def test_the_sentences_are_those_of_the_table():
    said = print_all()
    assert said.startswith("Durak, throw-in (podkidnoy)\n")
    for sentence in ("✓ Boris beats 7♠ with 9♠.", "✓ Anna throws in 9♦.", "✓ Boris asks to take the last move back.",
                     "✓ Vera agrees.", "✗ Boris may not: Beat higher in suit, or with a trump (D7).", "✓ Boris takes."):
        assert sentence in said


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_fits_eighty_columns_and_twenty_four_lines(language, monkeypatch):
    """Each picture that differs, once, however busy this computer is: somebody looks twenty times a second of the
    table's."""
    monkeypatch.setattr(show, "FRAME_S", 0.0)
    scene = demo.Scene(demo.SCENE, language, "cpython")
    console = Console(width=80, height=24, file=StringIO(), force_terminal=True)
    pictures, drawn = [], set()

    class Shot(demo.ScenePicture):
        def draw(self, final=False):
            hands, told = self.table.hands, [text.plain for text in self.told]
            colours = [hands.colour(place) for place in (1, 2, 3)]
            state = str((colours, read_text(self.table.world.screen, font6x8), told, scene.caption, self._piles,
                         bytes(hands.shadow.state.where)))
            if state in drawn:
                return
            drawn.add(state)
            with console.capture() as capture:
                console.print(self.render())
            pictures.append(re.sub(r"\x1b\[[\d;]*m", "", capture.get()).rstrip("\n").split("\n"))

    picture = Shot(scene, None)
    scene.table.on_end = picture.draw
    assert scene.table.run().agrees
    # 20 to 30 seconds, most of them to read in.
    assert 20_000_000 <= scene.table.world.now_us <= 30_000_000
    assert len(pictures) > 50
    for lines in pictures:
        assert len(lines) <= 23 and all(cell_len(line) <= 80 for line in lines)
        assert not any("…" in line or HASH.search(line) for line in lines), lines
    signs = {line[2] for lines in pictures for line in lines[2:5]}
    assert {"●", "○"} <= signs and signs & {"✓", "✗", "?"}
    last = "\n".join(pictures[-1])
    assert scene.caption in last and "10" not in pictures[0] and "12" in last


def test_a_terminal_sees_the_picture_and_a_small_one_plain_lines(monkeypatch):
    """The last picture: how many come before it is for the computer's clock to say, and not here."""
    monkeypatch.setattr(show, "FRAME_S", float("inf"))
    for height, is_picture in ((24, True), (23, False)):
        out = StringIO()
        console = Console(width=80, height=height, file=out, force_terminal=True, highlight=False)
        monkeypatch.setattr("rich.console.Console", lambda console=console, **_: console)
        assert run("--speed", "1000") == 0
        assert ("╭" in out.getvalue()) == is_picture
        assert "The table wrote down all 20 events, 4 of them refused, each with its rule." in out.getvalue()


def test_without_micropython_one_line_says_so(monkeypatch, capsys):
    monkeypatch.setattr(demo, "find_micropython", lambda: None)
    assert cli.run(["demo"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "MicroPython is not installed: the firmware runs inside CPython."
    assert sum("CPython" in line for line in lines) == 1


@pytest.mark.micropython
def test_under_micropython_it_says_the_same(capsys):
    assert cli.run(["demo", "--runtime", "micropython"]) == 0
    assert capsys.readouterr().out == print_all()


def test_a_scene_that_is_judged_otherwise_is_told(tmp_path, capsys):
    scene = tmp_path / "scene.rec"
    scene.write_text(demo.SCENE.read_text(encoding="utf-8").replace("6S 7S ! D7", "6S 7S ! D8"), encoding="utf-8")
    assert run("--scene", str(scene)) == 1
    assert "The journal differs from the scene:" in capsys.readouterr().out


def test_a_scene_that_is_no_record_is_one_sentence(tmp_path):
    scene = tmp_path / "scene.rec"
    scene.write_text("no record\n")
    with pytest.raises(UnusableInput, match="scene.rec:1: a record begins with"):
        demo.play(scene, "en", "cpython-process", None, Console(file=StringIO()), False)


def test_each_language_has_a_caption_for_each_dispute():
    captions = [demo.read_captions(demo.SCENE, language) for language in LANGUAGES]
    assert captions[0].keys() == captions[1].keys()
    assert sum(text.startswith("Dispute ") for text in captions[0].values()) == 5
    english, russian = (read_words(demo.FOLDER, "demo", language) for language in LANGUAGES)
    assert english.keys() == russian.keys() and not set(english.values()) & set(russian.values())


def test_a_picture_of_it_can_be_saved(tmp_path):
    target = tmp_path / "demo.svg"
    assert run("--picture", "6", str(target)) == 0
    text = target.read_text(encoding="utf-8").replace("&#160;", " ")
    assert "Dispute 3" in text and "Dispute 4" not in text and "(D14)" in text
    assert "@font-face" not in text and not re.search(r" ~ ", text)


def test_make_demo_is_the_command():
    assert "\tdemo\n" not in (ROOT / "Makefile").read_text() and "cardtable demo\n" in (ROOT / "Makefile").read_text()
