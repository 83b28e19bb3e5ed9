"""Runs every command of README and docs, on the virtual twin if it needs a table. A command that is not run here names
the test that runs it.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from host_tools import cli
from host_tools.maker.board.load import load
from host_tools.judge.replay.sources import find_records, pack
from host_tools.virtual import image
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.maker import Maker
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from tests.conftest import ROOT
from tests.host_tools.as_a_person import run_as_a_person

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "boards").glob("*.md"))]
BOARD = "esp32_devkit_7seat"  # of the pages' examples
SPEED = 100.0  # of its twin while a command needs it; in between it stands still
COMMAND = re.compile(r"^    ((?:make|cardtable|\.venv/bin/\w+) [a-z].*)$", re.MULTILINE)

INLINE = re.compile(r"\bcardtable ([a-z][^`\n|;)#&]*)")  # what stands behind it, in a block or in a sentence


# By their first words; the longest that fits counts.
ELSEWHERE = {
    "make setup": "has been done where this runs",
    "make run": "is `cardtable play`",
    "make demo": "plays at human speed; test_demo.py tries it faster",
    "cardtable play": "serves until Ctrl-C; web/test_pictures.py plays at a served table",
    "cardtable hall": "serves until Ctrl-C; web/test_hall.py starts and ends one",
    "cardtable board list": "",
    "cardtable board pcb": "takes KiCad some seconds; tests/boards/test_pcb.py and test_hub.py try it",
    "make test": "is what runs this",
    "make test-all": "is what runs this, with more",
    "make test-load": "is a part of it; test_load.py tries what it picks",
    "python -m tests.cost": "tells of a run; test_chosen.py tries it",
    "make mutants": "takes minutes; tests/mutants/test_mutants.py tries it on a toy",
    "cardtable backup": "needs a club; test_keeping.py makes one",
    "cardtable restore": "needs a backup; test_keeping.py makes one",
    "cardtable season": "needs exported evenings; tournament/test_season.py makes two",
    "make site": "needs npm; published/test_pages.py serves what it makes",
    "make lint": "is a part of the tests: test_tools.py, test_tidy.py and test_rules.py",
    "make bench-peers": "installs other engines from PyPI; test_bench.py tries ours and python-chess",
    "make bench": "takes minutes; test_bench.py tries it in parts",
    "cardtable bench": "takes minutes; test_bench.py tries it in parts",
    "python -m tests.host_tools.web.first_card": "builds a whole clone, and is run by hand",
    "python -m tests.host_tools.web.first_card --here": "test_bundle.py counts the same",
    "cardtable cuts": "takes minutes; test_cuts.py tries it in parts",
    "cardtable fuzz": "takes as long as it is given; test_fuzz.py tries it",
    "cardtable board docs": "writes into this project; test_boards.py holds its pages equal to what it would write",
    "cardtable table --board": "plays a whole game; test_boards.py plays one on every board",
    "cardtable table": "plays a whole game; test_table.py plays records, and its options",
    "cardtable play --text": "waits for somebody who types; play/test_terminal.py does",
    "printf": "is piped into `cardtable play --text`; play/test_terminal.py does the same",
    "cardtable show": "",
    "cardtable arena": "plays for a minute; test_arena.py plays fewer games",
    "cardtable analyse": "thinks for a minute; test_analysis.py guesses less",
    "cardtable generate": "plays for a minute; test_corpus.py plays fewer games",
    "cardtable stats": "counts what `cardtable generate` wrote; test_corpus.py does both",
    "cardtable puzzles": "asks, or looks for positions for a minute; look/test_puzzles.py does both with less",
    "cardtable profile": "needs games; test_profile.py has some",
    "cardtable games": "serves until Ctrl-C, or needs a table; look/test_games.py and device/test_watch.py do",
    "cardtable watch": "serves until Ctrl-C; look/test_watch.py follows tables",
    "cardtable view": "serves until Ctrl-C; look/test_view.py opens its pages",
    "cardtable verify": "needs a table's key; test_verify_command.py makes one",
    "cardtable bridge": "needs a broker and a director; wire/test_bridge.py has both",
    "python -m host_tools.lab.bench.network": "takes minutes; wire/test_simulate.py measures fewer tables",
    "cardtable tournament simulate": "takes minutes; wire/test_simulate.py plays with fewer players",
    "cardtable tournament attend": "serves until Ctrl-C; wire/test_simulate.py has it in a process of its own",
    "cardtable broker start": "serves until Ctrl-C; wire/test_bridge.py starts it",
    "cardtable broker account": "writes beside the pages; wire/test_bridge.py makes accounts",
    "cardtable broker certificate": "writes beside the pages; wire/test_bridge.py makes one",
    "cardtable enrol": "needs somebody who types; test_enrol.py does",
    "cardtable device bringup": "waits for a maker; device/test_bringup.py takes each step",
    "make flash": "needs a chip; device/test_commands.py tries it up to esptool's command line",
    "make -C": "builds MicroPython, which needs Espressif's tools; device/test_no_psram.py looks at the definition",
    "make deploy": "", "make package": "", "make replay": "",
    "dask": "serves until Ctrl-C; test_workers.py has a cluster",
    "cardtable replay --cluster": "needs that scheduler; test_replay_many.py has one",
    "python -m host_tools.lab.bench.records": "takes minutes; test_bench.py tries it in parts",
    "cardtable tournament": "needs the command before it; tournament/test_page.py types the whole evening",
    "python -m host_tools.lab.bench.strength": "takes minutes; test_strength_bench.py tries it in parts",
    "python -m host_tools.lab.bench.trees": "needs a second tree; test_bench.py tries it with one",
    "cardtable perft": "", "cardtable pack": "writes beside the pages; test_replay_many.py packs",
    "cardtable board case": "",
    "cardtable replay": "", "cardtable rules": "", "cardtable match": "", "cardtable twin": "",
    "cardtable device put broker.pem": "needs a broker's certificate; device/test_put.py checks both files",
    "cardtable board check": "", "cardtable board show": "", "cardtable device": "", "mpremote": "",
}
# Stands where a page names a record of the reader's.
RECORD = "tests/records/durak/throw-in-0001.rec"


def commands():
    """(page, command) of all indented blocks, without comments; each once, and without lines that explain usage."""
    found = {}
    for page in PAGES:
        for match in COMMAND.finditer(page.read_text(encoding="utf-8")):
            line = re.split(r"\s+# ", match[1])[0].strip()
            if "[" not in line and "..." not in line:
                found.setdefault(line, page.name)
    return [(page, line) for line, page in found.items()]


def kind_of(line):
    """The key of ELSEWHERE for this command; an empty text if there is none."""
    words = [word for word in shlex.split(line.replace(".venv/bin/", "")) if "=" not in word]
    for count in range(len(words), 0, -1):
        if " ".join(words[:count]) in ELSEWHERE:
            return " ".join(words[:count])
    return ""


TO_RUN = [line for _, line in commands() if kind_of(line) and not ELSEWHERE[kind_of(line)]]


def case(line):
    """A parameter. The doctor takes its time, and so does mip, which writes 99 files; for every change
    device/test_doctor.py calls the one, with each option, and device/test_commands.py makes what the other takes."""
    is_long = " device doctor " in line + " " or " mip install " in line
    return pytest.param(line, marks=[pytest.mark.everything] if is_long else [])


def test_every_command_is_tried_or_has_its_reason():
    strange = [f"{page}: {line}" for page, line in commands() if not kind_of(line)]
    assert not strange, "nobody has said who tries these: add them to ELSEWHERE of this file"
    assert len(TO_RUN) > 12


def test_every_command_can_be_typed_after_a_clone():
    """`cardtable` alone is not on anybody's path: it lies in .venv."""
    bare = [f"{page}: {line}" for page, line in commands() if line.startswith("cardtable ")]
    assert not bare


def test_every_option_of_the_pages_is_there():
    """In blocks and in sentences alike: a page named `cardtable arena --list` that there is not."""
    strange, known = [], 0
    for page in PAGES:
        for words in map(str.split, INLINE.findall(page.read_text(encoding="utf-8"))):
            there, command = options_of(words)
            named = [word.partition("=")[0] for word in words if re.match("--[a-z]", word)]
            known += len(named)
            strange += [f"{page.name}: cardtable {command} {word}" for word in named if word not in there]
    assert not strange and known > 200


def options_of(words):
    """The options of the command that these words name, and its name."""
    command, named = cli.cardtable, []
    for word in words:
        found = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
        if found is None:
            break
        command = found
        named.append(word)
    return {"--help"}.union(*(one.opts + one.secondary_opts for one in command.params)), " ".join(named)


def test_the_browsers_page_quotes_sentences_that_are_said():
    """Each sentence in the table "What can go wrong" stands in the source, up to its first number or name."""
    section = (ROOT / "docs" / "play.md").read_text(encoding="utf-8").partition("## What can go wrong")[2]
    quoted = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
    rooms = (ROOT / "host_tools" / name for name in ("play", "play/web", "play/web/page", "play/web/words", "sight"))
    paths = [path for room in rooms for pattern in ("*.[pj][ys]*", "*.en.txt") for path in room.glob(pattern)]
    source = "".join(path.read_text(encoding="utf-8") for path in paths)
    assert len(quoted) > 10
    for sentence in quoted:
        words = re.split(r" ?\d+ ?| games/table-\d+|: Address.*|^\w+ and \w+(?= look)", sentence)
        assert all(part in source for part in words if len(part) > 5), sentence


def test_every_reason_names_a_file_that_is_there():
    for reason in ELSEWHERE.values():
        for name in re.findall(r"[\w/]+\.py", reason):
            assert list((ROOT / "tests").rglob(name.rpartition("/")[2])), name


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where commands are typed: it looks like the project, and what they write stays in it."""
    folder = tmp_path_factory.mktemp("typed")
    for name in ("tests", "docs"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "deck.txt").write_text("".join(deck_lines()))
    (folder / "games").mkdir()
    pack(folder / "evenings.sqlite", find_records([str(ROOT / "tests" / "records" / "bailiff")]))
    for name in ("evening.rec", "games/evening.rec"):
        shutil.copy(ROOT / RECORD, folder / name)
    return folder


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    """The board of the pages' examples as a virtual one, with a maker who does what the doctor asks."""
    folder = tmp_path_factory.mktemp("twin")
    world = World(load(BOARD))
    maker = Maker(world)
    world.people.add(maker.play())
    with SerialBoard(world, folder / "flash.bin", image.build_shims(folder / "shims"), speed=SPEED) as board:
        board.on_line = maker.hear
        board.wait_for(">>> ")
        board.speed = 0.0
        yield board


def as_typed_here(line, port, folder):
    """The words of a command with our own port, records and times."""
    words = [re.sub(r"/dev/tty\w+|build/twin/tty", port or "", word) for word in shlex.split(line)]
    words = ["BOARD=" + BOARD if word == "BOARD=virtual" else word for word in words]
    words = [BOARD if word == "NAME" else word for word in words]
    words = [f"RECORDS={RECORD}" if word.startswith("RECORDS=") else word for word in words]
    if words[1:3] == ["device", "logs"] or words[1:2] == ["twin"]:
        words += ["--seconds", "1"]
    if words[1:2] == ["twin"]:
        words += ["--link", str(folder / "tty"), "--flash", str(folder / "twin.bin")]
    if words[0] == "make":
        return [shutil.which("make"), "--no-print-directory", *words[1:]], ROOT
    mip = [str(ROOT / word) if word.startswith("build/mip/") else word for word in words]
    return [Path(sys.prefix, "bin", Path(words[0]).name), *mip[1:]], folder


@pytest.mark.micropython
@pytest.mark.parametrize("line", [case(line) for line in TO_RUN])
def test_a_command_of_the_pages(line, folder, request):
    needs_table = "/dev/tty" in line or "build/twin/tty" in line
    if needs_table:
        twin = request.getfixturevalue("twin")
        twin.speed = SPEED
        request.addfinalizer(lambda: setattr(twin, "speed", 0.0))
        if "device" in line:
            bring_application(twin)
        if "mip install" in line:
            make = [shutil.which("make"), "--no-print-directory", "package", f"BOARD={BOARD}"]
            subprocess.run(make, cwd=ROOT, check=True, capture_output=True)
    command, where = as_typed_here(line, twin.port if needs_table else "", folder)
    environment = {**os.environ, "COLUMNS": "120"}
    done = run_as_a_person(command, cwd=where, env=environment)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def bring_application(twin):
    """Deploy once, for the commands that need a table with an application."""
    if b"cardtable on " not in twin.printed:
        program = Path(sys.prefix, "bin", "cardtable")
        deploy = [program, "device", "deploy", "--board", BOARD, "--port", twin.port]
        run_as_a_person(deploy).check_returncode()
