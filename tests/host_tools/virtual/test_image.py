"""The image of a device's flash: what is in it, and that building costs only what is new."""

import ast
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boards.virtual
import pytest

from cardtable import catalogue
from host_tools.base.interpreters import find_machine_code, find_micropython, machine_code_of
from host_tools.virtual import image
from host_tools.virtual.constants import fold, read_constants
from host_tools.virtual.image import BuildError, build, build_rom, build_shims
from tests.patience import wait_for


@pytest.fixture
def firmware(tmp_path):
    """A small firmware: a program, a package, words."""
    folder = tmp_path / "firmware"
    (folder / "cardtable" / "words" / "__pycache__").mkdir(parents=True)
    (folder / "main.py").write_text("import board\nfrom cardtable import rules\nprint(board.NAME, rules.best())\n")
    (folder / "cardtable" / "__init__.py").write_text("")
    (folder / "cardtable" / "rules.py").write_text("def best():\n    return 'ace'\n")
    (folder / "cardtable" / "words" / "durak.en").write_text("D1 A pack of 36 cards.\n")
    (folder / "cardtable" / "words" / "__pycache__" / "old.pyc").write_text("no")
    return folder


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_packages_and_board_are_compiled_and_the_rest_is_copied(firmware, tmp_path):
    out = build("virtual", tmp_path / "out", firmware)
    assert [name for name in names(out) if not name.startswith(".")] == [
        "board.mpy", "cardtable/__init__.mpy", "cardtable/rules.mpy", "cardtable/words/durak.en", "main.py"]
    assert (out / "main.py").read_text() == (firmware / "main.py").read_text()
    assert (out / "cardtable" / "rules.mpy").read_bytes()[:2] == b"M\x06"
    done = subprocess.run([find_micropython(), "main.py"], cwd=out, capture_output=True, text=True, check=True)
    assert done.stdout == f"{boards.virtual.NAME} ace\n"


def test_only_a_board_with_wifi_gets_the_network_and_its_client(firmware, tmp_path):
    """The client is the pinned package, compiled like the firmware, and names no folder of this machine."""
    net = firmware / "cardtable" / "net"
    net.mkdir()
    (net / "link.py").write_text("from chumicro_mqtt.client import MQTTClient\n")
    (firmware / "cardtable" / "words" / "net.en").write_text("N.sent=All games are sent\n")
    has, has_not = (set(names(build(board, tmp_path / board, firmware))) for board in ("esp32s3_4seat", "virtual"))
    more = {name for name in has - has_not if not name.startswith(".")}
    assert more == {"cardtable/net/link.mpy", "cardtable/words/net.en", "chumicro_mqtt/__init__.mpy",
                    "chumicro_mqtt/_wire.mpy", "chumicro_mqtt/client.mpy"}
    client = (tmp_path / "esp32s3_4seat" / "chumicro_mqtt" / "client.mpy").read_bytes()
    assert b"chumicro_mqtt/client.py" in client and b"site-packages" not in client
    program = "import cardtable.net.link as link\nprint(link.MQTTClient.__name__)"
    done = subprocess.run([find_micropython(), "-c", program], cwd=tmp_path / "esp32s3_4seat", capture_output=True,
                          text=True, check=True)
    assert done.stdout == "MQTTClient\n"


def test_a_board_with_wifi_says_what_is_missing_where_the_client_is_not_installed(firmware, tmp_path, monkeypatch):
    monkeypatch.setattr(image.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(BuildError, match="board with Wi-Fi needs a package that is not installed: pip install"):
        build("esp32s3_4seat", tmp_path / "out", firmware)
    build("virtual", tmp_path / "out", firmware, with_players=True)


def test_a_rom_is_the_same_in_one_file_and_code_runs_from_it(firmware, tmp_path):
    rom = build_rom("virtual", tmp_path / "out", firmware)
    assert rom == tmp_path / "out.romfs" and rom.read_bytes()[:3] == b"\xd2\xcd\x31"
    program = (
        "import sys, vfs\n"
        "with open('out.romfs', 'rb') as file:\n    vfs.mount(vfs.VfsRom(memoryview(file.read())), '/rom')\n"
        "sys.path.insert(0, '/rom')\n"
        "with open('/rom/cardtable/words/durak.en') as file:\n    print(file.read().strip())\n"
        "import main\n"
    )
    done = subprocess.run([find_micropython(), "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"D1 A pack of 36 cards.\n{boards.virtual.NAME} ace\n"
    made = rom.stat().st_ino
    assert build_rom("virtual", tmp_path / "out", firmware).stat().st_ino == made  # nothing is new
    (firmware / "cardtable" / "words" / "durak.en").write_text("D1 Another pack.\n")
    assert b"Another pack" in build_rom("virtual", tmp_path / "out", firmware).read_bytes()


FOLDED = """from cardtable.rules import (
    ACE,
    best,
)
from cardtable.rules import KING  # é
def worst(JACK):
    from cardtable.rules import JACK as knave, NAME
    return (ACE + KING, "ACE", knave, JACK, NAME)
"""


def test_an_imported_constant_is_a_number_in_the_image(firmware, tmp_path):
    """And costs no name there; what the file itself means by a name stays, and every line keeps its number."""
    rules = "JACK = const(3)\nKING = const(JACK + 2)\nACE = const(KING + 1)\nNAME = const('S')\n_OWN = const(9)\n"
    rules = "from micropython import const\nbest = 7\n" + rules
    (firmware / "cardtable" / "rules.py").write_text(rules)
    constants = read_constants(firmware)
    assert constants == {"cardtable.rules": {"JACK": 3, "KING": 5, "ACE": 6, "NAME": "S"}}
    lines = fold(FOLDED, constants).split("\n")
    assert lines == [
        "from cardtable.rules import best", "", "", "", "pass  # é", "def worst(JACK):",
        "    from cardtable.rules import JACK as knave", "    return (6 + 5, \"ACE\", knave, JACK, 'S')", "",
    ]
    (firmware / "cardtable" / "folded.py").write_text(FOLDED)
    out = build("virtual", tmp_path / "out", firmware)
    program = "import cardtable.folded as one\nprint(one.worst(1), one.best, hasattr(one, 'ACE'))"
    done = subprocess.run([find_micropython(), "-c", program], cwd=out, capture_output=True, text=True, check=True)
    assert done.stdout == "(11, 'ACE', 3, 1, 'S') 7 False\n"
    first = (out / "cardtable" / "folded.mpy").read_bytes()
    (firmware / "cardtable" / "rules.py").write_text(rules.replace("+ 2", "+ 4"))
    build("virtual", out, firmware)
    assert (out / "cardtable" / "folded.mpy").read_bytes() != first, "a constant has changed"


def test_a_constant_is_imported_from_where_it_is_defined():
    """In an image no other file has it."""
    constants = read_constants(image.FIRMWARE)
    names = {name for theirs in constants.values() for name in theirs}
    for path in sorted(image.FIRMWARE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("cardtable"):
                taken = {alias.name for alias in node.names} & names
                assert taken <= set(constants.get(str(node.module), {})), f"{path}: {node.module}"


def test_two_who_build_the_same_folder_do_it_one_after_the_other(firmware, tmp_path, monkeypatch):
    asked, inside, most, held = [], [], [], image.held
    monkeypatch.setattr(image, "held", lambda *what: asked.append(what) or held(*what))

    def slowly(*what):
        inside.append(what)
        wait_for(lambda: len(asked) == 3, "the first who builds", "the others to ask for their turn")
        most.append(len(inside))
        inside.remove(what)

    monkeypatch.setattr(image, "_make_alone", slowly)
    with ThreadPoolExecutor() as both:
        list(both.map(lambda _: build("virtual", tmp_path / "out", firmware), range(3)))
    assert most == [1, 1, 1]


def test_nothing_is_compiled_twice(firmware, tmp_path, monkeypatch):
    made = []
    make_one = image._make_one
    monkeypatch.setattr(image, "_make_one", lambda *what: made.append(what[2].name) or make_one(*what))
    out = build("virtual", tmp_path / "out", firmware)
    assert len(made) == 5
    first = (out / "cardtable" / "rules.mpy").read_bytes()
    build("virtual", out, firmware)
    assert len(made) == 5
    (firmware / "cardtable" / "rules.py").write_text("def best():\n    return 'king'\n")
    build("virtual", out, firmware)
    assert made[5:] == ["rules.mpy"] and (out / "cardtable" / "rules.mpy").read_bytes() != first
    (out / "board.mpy").unlink()
    build("virtual", out, firmware)
    assert made[6:] == ["board.mpy"]
    (out / ".stamps.json").write_text("{")
    build("virtual", out, firmware)
    assert len(made) == 12


@pytest.mark.parametrize("name", ["board.mpy", "cardtable/words/durak.en"])
def test_a_file_that_a_power_cut_left_cut_is_made_again(firmware, tmp_path, name):
    """Its name was enough: it was believed until its source changed."""
    out = build("virtual", tmp_path / "out", firmware)
    whole = (out / name).read_bytes()
    for left in (b"", whole[:-1]):
        (out / name).write_bytes(left)
        assert (build("virtual", out, firmware) / name).read_bytes() == whole


def test_what_is_gone_from_the_firmware_is_gone_from_the_image(firmware, tmp_path):
    out = build("virtual", tmp_path / "out", firmware)
    (firmware / "cardtable" / "rules.py").unlink()
    (firmware / "cardtable" / "words" / "durak.en").unlink()
    build("virtual", out, firmware)
    assert [name for name in names(out) if not name.startswith(".")] == [
        "board.mpy", "cardtable/__init__.mpy", "main.py"]


def test_an_error_names_the_file_and_leaves_no_image_that_seems_whole(firmware, tmp_path):
    out = build("virtual", tmp_path / "out", firmware)
    (firmware / "cardtable" / "rules.py").write_text("def best(:\n")
    with pytest.raises(BuildError, match=r"rules\.py does not compile:\n(.*\n)*.*SyntaxError"):
        build("virtual", out, firmware)
    with pytest.raises(BuildError):
        build("virtual", out, firmware)


def test_a_board_or_a_compiler_that_is_not_there_is_named(firmware, tmp_path, monkeypatch):
    with pytest.raises(BuildError, match="there is no board marble"):
        build("marble", tmp_path / "out", firmware)
    monkeypatch.setenv("MPY_CROSS", "no-such-compiler")
    with pytest.raises(BuildError, match="no-such-compiler is not there"):
        build("virtual", tmp_path / "out", firmware)


def test_the_shims_and_the_firmware_of_the_project_build(tmp_path):
    shims = build_shims(tmp_path / "shims")
    assert [name for name in names(shims) if name.endswith(".mpy")] == [
        f"{name}.mpy" for name in sorted(image.DEVICE_SHIMS)]
    built = build("virtual", tmp_path / "image")
    sources = [path for path in image.FIRMWARE.rglob("*.py")
               if path.name not in ("main.py", "loader.py", "starter.py") and path.parent.name != "net"]
    apart = [path for path in sources if image.for_setup(path.read_text(encoding="utf-8")).strip()]
    assert len(list(built.rglob("*.mpy"))) == len(sources) + len(apart) + 1


SECTIONED = """from cardtable.other import NAME

# --- for set-up alone: its data ---
OPTIONS = (1, 2)

# --- for players and tests -----


def moves():
    return 1


# --- and on ---


def line():
    raise ValueError("of line 17")
"""
PROGRAM = """from cardtable import rules
print(sorted([name for name in dir(rules) if name[0] != "_"]))
try:
    from cardtable import rules_setup
    print(sorted([name for name in dir(rules_setup) if name[0] != "_"]))
except ImportError:
    print("whole")
rules.line()
"""


def test_a_device_does_without_what_is_for_players_and_tests_and_has_the_set_up_apart(firmware, tmp_path):
    """All other lines keep their numbers."""
    (firmware / "cardtable" / "other.py").write_text("NAME = 'durak'\n")
    (firmware / "cardtable" / "rules.py").write_text(SECTIONED)
    (firmware / "main.py").write_text(PROGRAM)
    printed = []
    for with_players in (False, True):
        out = build("virtual", tmp_path / "out", firmware, with_players=with_players)
        done = subprocess.run([find_micropython(), "main.py"], cwd=out, capture_output=True, text=True, check=False)
        printed.append(done.stdout + done.stderr)
    assert printed[0].startswith("['NAME', 'line']\n['OPTIONS']\n")
    assert printed[1].startswith("['NAME', 'OPTIONS', 'line', 'moves']\n['OPTIONS']\n")
    assert "line 17, in line" in printed[0] and "line 17, in line" in printed[1]


LENT = """from cardtable.catalogue import SET_UP, find_game, forget_setup
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.engine.session import Session
import sys
header = Header()
for line in ("game: durak transfer deal=counted", "seats: A; B", "dealer: 1"):
    read_key(header, line, 0)
close_header(header, 0)
for _ in range(2):
    game = find_game("durak")
    session = Session(game, header)
    print(len(game.OPTIONS), "cardtable.games.durak_setup" in sys.modules)
    forget_setup(game)
    print([word for word in SET_UP if hasattr(game, word)], "cardtable.games.durak_setup" in sys.modules)
print(game.status(session.state))
"""


def test_a_device_forgets_what_a_set_up_may_say_and_finds_it_again(tmp_path):
    """A game needs it to begin; the next one on the same table too."""
    out = build("virtual", tmp_path / "out")
    done = subprocess.run([find_micropython(), "-c", LENT], cwd=out, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == "22 True\n[] False\n22 True\n[] False\n- 24: 6 6\n"


def test_what_is_whole_is_not_taken_apart():
    """CPython and the tests of a game have everything in one module."""
    game = catalogue.find_game("durak")
    catalogue.forget_setup(game)
    assert len(game.OPTIONS) == 22


def names_used(tree):
    """Every name and attribute in a piece of source."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return found | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def top_names(tree):
    """What the source defines at its top."""
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    return names | {target.id for node in assigned for target in node.targets if isinstance(target, ast.Name)}


def test_nothing_on_a_device_needs_what_is_for_players_and_tests():
    """Each game has such a section, with its moves; no name of it is used elsewhere in the firmware.

    Nor does a game name what its set-up may say."""
    shared = set()
    left_out = set()
    for path in sorted(image.FIRMWARE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        kept = ast.parse(image.for_table(text))
        everything = ast.parse(text)
        names = top_names(everything) - top_names(kept)
        assert not names & names_used(kept), path
        if path.parent.name == "games":
            assert path.stem == "__init__" or {"moves", "view", "CHANCE"} <= names, path
        shared |= names_used(kept)
        left_out |= names
    assert not left_out & shared - set(catalogue.SET_UP)


@pytest.mark.micropython
def test_the_busy_shims_become_machine_code_where_it_is_loaded(tmp_path):
    machine_code = find_machine_code()
    plain = build_shims(tmp_path / "shims")
    # MicroPython's docs/reference/mpyfiles.rst: the third byte of a .mpy has the processor in its upper six bits.
    busy = build_shims(tmp_path / "shims", machine_code)
    processors = {path.stem: path.read_bytes()[2] >> 2 for path in busy.glob("*.mpy")}
    busy_shims = set(image.BUSY_SHIMS) if machine_code else set()
    assert {name for name, processor in processors.items() if processor} == busy_shims
    assert not any(path.read_bytes()[2] >> 2 for path in build_shims(plain).glob("*.mpy"))


def test_a_micropython_without_machine_code_gets_bytecode(tmp_path):
    plain = tmp_path / "micropython"
    plain.write_text("#!/bin/sh\necho 0\n")
    plain.chmod(0o755)
    assert machine_code_of(plain) is None


def test_what_works_after_each_look_becomes_machine_code_and_no_game():
    for name in image.BUSY_FIRMWARE:
        assert (image.FIRMWARE / "cardtable" / f"{name}.py").is_file()
        assert image._machine_code(Path("cardtable") / f"{name}.mpy", "x64")
    assert not image._machine_code(Path("cardtable/games/durak.mpy"), "x64")
    assert not image._machine_code(Path("cardtable/drivers/mfrc522.mpy"), None)


def test_a_spacious_device_has_all_of_gc_that_the_firmware_asks_for():
    asked = {name for path in image.FIRMWARE.rglob("*.py") for name in re.findall(r"\bgc\.(\w+)", path.read_text())}
    start = (image.SHIMS / "start.py").read_text()
    assert asked and not [name for name in asked if f"self.{name} = " not in start and f"def {name}(" not in start]
