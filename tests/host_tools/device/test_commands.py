"""`cardtable device` and the targets of make, with the real firmware on a virtual board."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import littlefs
import pytest
from click.testing import CliRunner

from boards import esp32s3_7seat, virtual
from cardtable import version
from cardtable.drivers import font6x8
from cardtable.engine.deck import card_number
from host_tools.base.errors import UnusableInput
from host_tools.maker.board.load import load, names
from host_tools.virtual.chips.iso14443a import Bursts, Tag
from host_tools.cli import cardtable as program
from host_tools.cli import run
from host_tools.maker.device import flash, package
from host_tools.maker.device.filesystem import BLOCK, make_filesystem
from host_tools.maker.device.package import Package, build_package
from host_tools.maker.device.table import Table
from host_tools.virtual import image
from host_tools.virtual.fingers import deck_lines, uid_of
from host_tools.virtual.glass import read_text
from host_tools.virtual.serial_board import BLOCKS, SerialBoard
from host_tools.virtual.table import BUILD
from host_tools.virtual.world import World
from tests.conftest import ROOT
from tests.host_tools.as_a_person import run_as_a_person, wait_for_table, wait_until_it_looks
from tests.host_tools.device.toy import TABLE_SPEED
from tests.patience import PATIENCE_S, wait_for

pytestmark = pytest.mark.micropython

SETUP = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"
RECORD = SETUP + "1.2 2 draw 8C\n" * 150


@pytest.fixture
def table(tmp_path, deployed, shims):
    """A board with the real firmware that has come up, at its own speed."""
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED) as board:
        board.wait_for("cardtable on virtual")
        yield board


def device(capsys, *words):
    """(exit code, standard output, standard error) of `cardtable device ...`."""
    code = run(["device", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def put_files(board, files):
    with Table(board.port) as table:
        table.stop()
        table.call("make_folder", "/games")
        for name, data in files.items():
            table.write(name, data.encode())


def test_info_tells_versions_board_heap_flash_and_games(table, capsys):
    put_files(table, {"/games/0001.rec": RECORD, "/games/0002.old": RECORD})
    code, said, _ = device(capsys, "info", "--port", table.port)
    told = dict(line.split(maxsplit=1) for line in said.splitlines())
    assert code == 0
    assert told["firmware"] == f"{version.FIRMWARE}, rulebook {version.RULEBOOK}, record {version.RECORD}"
    assert told["board"] == "virtual"
    assert told["application"] == "/a (good)"
    assert told["MicroPython"].startswith("1.29.0")
    assert re.fullmatch(r"\d+ KB", told["heap"]) and told["ROM"] == "no partition"
    assert told["flash"].startswith("2048 KB")
    assert told["games"] == "1 to be pulled, 1 pulled, 0 damaged"


def test_info_names_the_kind_of_a_bug_and_brings_nothing_else_of_it(table, capsys):
    """The rest may hold secrets, or be no text any more."""
    with Table(table.port) as stopped:
        stopped.stop()
        stopped.write("/bug.txt", b"bugs: 2\nevent: 1.2 2 draw 8C\nwhat happened:\nstate: 00\nTraceback:\n  in Error\n"
                                  b"ValueError: 8C \xff\ntries: 1\n")
        stopped.write("/crash.txt", b"bugs: 1\nthe table hung\n")
        assert stopped.call("name_errors", "/bug.txt") == "ValueError" and not stopped.call("name_errors", "/none.txt")
    _, said, _ = device(capsys, "info", "--port", table.port)
    told = dict(re.split("  +", line, maxsplit=1) for line in said.splitlines() if line.startswith("last "))
    assert told == {"last bug": "ValueError; the whole of it is in /bug.txt",
                    "last crash": "the table hung; the whole of it is in /crash.txt"}


def test_f6_info_tells_how_well_the_readers_have_read(table, capsys):
    tag = Tag(bytes.fromhex("04a1b2c3d4e580"))
    looks = table.call(lambda: table.world.put(2, tag) or table.world.readers[1].frames)
    wait_for(lambda: table.call(lambda: table.world.readers[1].frames) >= looks + 100, "the test", "a hundred looks")
    code, said, _ = device(capsys, "info", "--port", table.port)
    told = [line for line in said.splitlines() if line.startswith("reader 2")]
    assert code == 0 and len(told) == 1, said
    assert re.search(r" 100 % of \d+ looks at tags read, 0 times silent$", told[0]), told


def test_info_tells_each_reader_that_weakens(table, capsys):
    """Seven of seven: each has a line of its own beside that of its looks. A reader that has had too few looks since
    the power came is as the last game left it."""
    put_files(table, {
        "/learned.txt": "date 2026-03-01\n" + "".join(f"reader {place} gain 6 reads 100\n" for place in range(1, 8)),
        "/weak.txt": "".join(f"{place} 100 {80 + place} 2026-03-01\n" for place in range(1, 8)),
    })

    def lay():
        for place, reader in enumerate(table.world.readers, 1):
            reader.field.bursts = Bursts(0.3, 2, random.Random(place), is_fixed=True)  # and weak in play, too
            table.world.put(place, Tag(bytes.fromhex(f"04a1b2c3d4e58{place}")))
        return table.world.readers[6].frames

    looks = table.call(lay)
    wait_for(lambda: table.call(lambda: table.world.readers[6].frames) >= looks + 300, "the test", "some looks")
    code, said, _ = device(capsys, "info", "--port", table.port)
    assert code == 0
    for place in range(1, 8):
        told = [line for line in said.splitlines() if re.match(f"reader {place} ", line)]
        assert len(told) == 2 and " looks at tags read, " in told[0], said
        assert re.search(r" weakens: 100 of 100 on 2026-03-01, \d\d now$", told[1]), told


def test_pull_brings_each_record_once_and_tells_the_table(table, capsys, tmp_path):
    put_files(table, {"/games/0001.rec": RECORD, "/games/0002.old": "cardtable 1\n"})
    folder = tmp_path / "records"
    code, said, _ = device(capsys, "pull", "--port", table.port, "--to", folder)
    assert (code, said.splitlines()) == (0, [str(folder / "0001.rec"), "1 records"])
    assert (folder / "0001.rec").read_text() == RECORD
    code, said, _ = device(capsys, "pull", "--port", table.port, "--to", folder)
    assert said.splitlines() == ["0 records"]
    code, said, _ = device(capsys, "pull", "--port", table.port, "--to", folder, "--all")
    assert said.splitlines() == [str(folder / "0001.rec"), str(folder / "0002.rec"), "2 records"]
    with Table(table.port) as prompt:
        prompt.stop()
        assert prompt.call("list_games") == [["0001.old", len(RECORD)], ["0002.old", 12]]


def test_pull_never_writes_over_another_tables_record(table, capsys, tmp_path):
    put_files(table, {"/games/0001.rec": RECORD})
    (tmp_path / "0001.rec").write_text("of another table\n")
    code, said, _ = device(capsys, "pull", "--port", table.port, "--to", tmp_path)
    assert (code, said.splitlines()[0]) == (0, str(tmp_path / "0001-2.rec"))
    assert (tmp_path / "0001.rec").read_text() == "of another table\n"


def test_after_each_command_the_table_runs_again(table, capsys):
    at = len(table.printed)
    device(capsys, "info", "--port", table.port)
    table.wait_for("cardtable on virtual", at)


def test_logs_follow_the_feed_and_stop_nothing(table, capsys, monkeypatch):
    put_files(table, {"/deck.txt": "04 nonsense\n", "/setup.txt": SETUP})
    table.wait_for("boot: ", len(table.printed) - 1)
    follow = Table.lines

    def follow_from_power_up(self, _seconds):
        """Who opens a port throws away what was printed before; and a busy machine starts a table in its own time."""
        table.plug_in()
        for line in follow(self, PATIENCE_S):
            yield line
            if "cardtable on virtual" in line:
                return

    table.pull_plug()
    monkeypatch.setattr(Table, "lines", follow_from_power_up)
    code, said, _ = device(capsys, "logs", "--port", table.port, "--seconds", "3")
    assert code == 0 and "cardtable on virtual" in said
    assert b"MicroPython v" not in table.printed[-200:], "no prompt"


def test_a_game_with_secrets_gives_no_prompt_and_the_command_says_so(table, capsys, monkeypatch):
    put_files(table, {"/deck.txt": "".join(deck_lines()), "/setup.txt": SETUP})
    table.pull_plug()
    at = len(table.printed)
    table.plug_in()
    table.wait_for("boot: ", at)
    wait_until_it_looks(table)
    table.call(lambda: table.world.put(1, Tag(uid_of(card_number("8C")))))
    table.wait_for(" 1 draw ", at)
    monkeypatch.setattr(Table, "patience", (0.7,))
    for words in (("info",), ("pull",), ("deploy", "--board", "virtual"), ("doctor",)):
        code, _, wrong = device(capsys, *words, "--port", table.port)
        assert code == 2
        assert "If a game is running, end it or use the arbiter's key" in wrong
    assert b"KeyboardInterrupt" not in table.printed[at:]


def test_the_screen_shows_the_versions_until_the_first_event(table):
    put_files(table, {"/deck.txt": "".join(deck_lines()), "/setup.txt": SETUP})
    table.pull_plug()
    at = len(table.printed)
    table.plug_in()
    table.wait_for("boot: ", at)
    shown = table.call(lambda: read_text(table.world.screen, font6x8))
    assert shown[3:5] == [f"Cardtable {version.FIRMWARE}", f"rulebook {version.RULEBOOK}, record {version.RECORD}"]


def test_deploy_refuses_while_a_game_is_under_way_unless_forced(table, capsys):
    put_files(table, {"/games/x": ""})
    with Table(table.port) as prompt:
        prompt.stop()
        prompt.call("make_folder", "/games/0007")
        prompt.is_left = True
    code, _, wrong = device(capsys, "deploy", "--port", table.port, "--board", "virtual")
    assert code == 2 and "game 0007 is under way: end it first, or say --force" in wrong
    code, said, _ = device(capsys, "deploy", "--port", table.port, "--board", "virtual", "--force")
    assert code == 0 and "cardtable on virtual" in said


def test_make_deploy_to_an_empty_chip(tmp_path, shims):
    link = tmp_path / "tty"
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED, link=link) as board:
        done = run_as_a_person(["make", "--no-print-directory", "deploy", "BOARD=virtual", f"PORT={link}"], cwd=ROOT)
        assert done.returncode == 0, done.stderr
        assert f"cardtable on virtual, MicroPython 1.29.0, {version.describe()}" in done.stdout
        board.wait_for("boot: ")


def test_mip_installs_the_package_on_an_empty_chip(tmp_path, shims, capsys, monkeypatch):
    # This one has the heap of a chip with PSRAM, which its board file does not name.
    monkeypatch.setitem(flash.CHIPS, virtual.MODULE, replace(flash.CHIPS[virtual.MODULE], has_psram=True))
    code, said, _ = device(capsys, "package", "--board", "virtual", "--to", tmp_path / "mip")
    page = Path(said.strip())
    assert code == 0 and json.loads(page.read_text())["version"] == version.FIRMWARE
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED) as board:
        board.wait_for(">>> ")
        mpremote = [Path(sys.prefix, "bin", "mpremote"), "connect", board.port]
        done = run_as_a_person([*mpremote, "mip", "install", "--target", "/", page])
        assert done.returncode == 0, done.stderr + done.stdout
        board.pull_plug()
        at = len(board.printed)
        board.plug_in()
        board.wait_for("cardtable on virtual", at)
        wait_for_table(board, 1_000_000)  # it notes that it came up, on the flash
        # What mip has brought is what is deployed, so there is nothing to bring.
        code, said, _ = device(capsys, "deploy", "--port", board.port, "--board", "virtual")
        assert code == 0 and "The table has this application already" in said


@pytest.mark.parametrize(("board", "is_lean"), [("esp32_devkit_7seat", True), ("esp32s3_7seat", False)])
def test_h10_mip_brings_what_the_chips_heap_can_hold(board, is_lean, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(package, "build_package", lambda name, is_lean: Package(name, {"main.mpy": b"%d" % is_lean}))
    assert device(capsys, "package", "--board", board, "--to", tmp_path / "mip")[0] == 0
    assert (tmp_path / "mip" / "a" / "main.mpy").read_bytes() == b"%d" % is_lean


@pytest.mark.everything  # another way to the same files
def test_a_board_starts_from_its_file_system_in_one_file(tmp_path, shims, capsys):
    made = make_filesystem(build_package("virtual"), 4)
    assert len(made) < 1_000_000 and made == make_filesystem(build_package("virtual"), 4)
    (tmp_path / "flash.bin").write_bytes(made.ljust(BLOCKS * BLOCK, b"\xff"))
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED) as board:
        board.wait_for("cardtable on virtual")
        wait_for_table(board, 1_000_000)
        code, said, _ = device(capsys, "deploy", "--port", board.port, "--board", "virtual")
        assert code == 0 and "The table has this application already" in said


def test_a_file_system_for_a_flash_of_another_size_is_another_one(capsys, tmp_path):
    """A chip cannot mount what says another size than its flash."""
    small, large = (make_filesystem(build_package("virtual"), size) for size in (4, 8))
    assert small != large
    for size, made in ((4, small), (8, large)):
        blocks = (size - 2) * 256
        system = littlefs.LittleFS(context=littlefs.UserContext(buffer=bytearray(made.ljust(blocks * BLOCK, b"\xff"))),
                                   block_size=BLOCK, block_count=blocks)
        assert system.fs_stat().block_count == blocks and system.open("main.py").read()
    code, said, _ = device(capsys, "package", "--board", "virtual", "--flash", "4", "--to", tmp_path)
    assert code == 0 and Path(said.strip()) == tmp_path / "virtual-4.littlefs" and Path(said.strip()).is_file()


def fake_tool(folder, name, does=""):
    """A program that writes down how it was called."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "$@" >> {folder / name}.calls\n{does}\n')
    path.chmod(0o755)
    return folder / f"{name}.calls"


def tools_lie_in(folder, monkeypatch):
    """Beside this Python, so to speak, and on the PATH lie others."""
    others = folder / "others"
    others.mkdir()
    for name in ("esptool", "mpflash"):
        fake_tool(others, name, "exit 3")
    monkeypatch.setenv("PATH", f"{others}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(flash, "sys", SimpleNamespace(executable=str(folder / "python")))


def test_make_flash_brings_both_tools_whatever_the_system_has(tmp_path):
    for name in ("cardtable", "esptool", "mpflash"):
        fake_tool(tmp_path, name)

    def make():
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(["make", "--no-print-directory", "flash", f"BIN={venv}", "PIP=echo brings"], cwd=ROOT,
                              env={**os.environ, "PATH": path}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    venv = tmp_path / "bin"
    venv.mkdir()
    fake_tool(venv, "cardtable")
    for name in ("esptool", "mpflash"):
        assert make() == "brings -e .[flash]\n"
        fake_tool(venv, name)
    assert make() == ""


def test_flash_calls_esptool_and_then_deploys(tmp_path, shims, monkeypatch, capsys):
    """Only the command line of esptool can be tried without a chip."""
    calls = fake_tool(tmp_path, "esptool")
    tools_lie_in(tmp_path, monkeypatch)
    (tmp_path / "image.bin").write_bytes(b"image")
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED) as board:
        board.wait_for(">>> ")
        code, said, wrong = device(capsys, "flash", "--board", "virtual", "--port", board.port,
                                   "--image", tmp_path / "image.bin")
        assert code == 0, wrong
        assert "cardtable on virtual" in said
    told = f"--chip esp32 --port {board.port} write-flash 0x1000 {tmp_path / 'image.bin'}"
    assert set(calls.read_text().splitlines()) == {told}


@pytest.mark.parametrize("words", [("flash", "--erase"), ("bringup",), ("deploy",), ("package",)])
def test_what_cannot_be_built_is_one_sentence_and_costs_a_chip_nothing(words, tmp_path, monkeypatch, capsys):
    calls = fake_tool(tmp_path, "esptool")
    tools_lie_in(tmp_path, monkeypatch)
    monkeypatch.setenv("MPY_CROSS", "no-such-compiler")
    (tmp_path / "image.bin").write_bytes(b"image")
    monkeypatch.setenv("IMAGE", str(tmp_path / "image.bin"))
    monkeypatch.setenv("PORT", "/dev/x")
    code, _, wrong = device(capsys, *words, "--board", "virtual")
    assert code == 2 and "no-such-compiler is not there: run `make setup`" in wrong and "Traceback" not in wrong
    assert not calls.exists()


def test_without_an_image_mpflash_fetches_one_once(tmp_path, monkeypatch):
    chip = flash.find_chip(esp32s3_7seat)
    images = tmp_path / "images"
    monkeypatch.setattr(flash, "IMAGES", images)
    tools_lie_in(tmp_path, monkeypatch)
    name = f"ESP32_GENERIC_S3-v{flash.MICROPYTHON}.bin"
    brings = f'mkdir -p "$4/esp32"; echo whole > "$4/esp32/{name}"'
    calls = fake_tool(tmp_path, "mpflash", f"{brings}; exit 1")  # it was ended while it wrote
    with pytest.raises(UnusableInput):
        flash.fetch(chip)
    fake_tool(tmp_path, "mpflash", brings)
    for _ in range(2):
        assert flash.fetch(chip) == images / name and images.joinpath(name).read_text() == "whole\n"
    first, second = calls.read_text().splitlines()
    assert re.fullmatch("--quiet --no-interactive --dir .* download --board ESP32_GENERIC_S3"
                        f" --version {flash.MICROPYTHON}", second)
    esptool = fake_tool(tmp_path, "esptool")
    flash.write(chip, "/dev/ttyACM0", Path("image.bin"), erases=True)
    assert esptool.read_text().splitlines() == ["--chip esp32s3 --port /dev/ttyACM0 erase-flash",
                                                "--chip esp32s3 --port /dev/ttyACM0 write-flash 0x0 image.bin"]


@pytest.mark.parametrize(("told", "board"), [
    ("Features: Wi-Fi, BT 5 (LE), Dual Core, 240MHz, Embedded PSRAM 8MB (AP_3v3)", "ESP32_GENERIC_S3-SPIRAM_OCT"),
    ("Features: Wi-Fi, BT 5 (LE), Dual Core, 240MHz, Embedded PSRAM 2MB (AP_3v3)", "ESP32_GENERIC_S3"),
    ("Features: Wi-Fi, BT 5 (LE), Dual Core, 240MHz", "ESP32_GENERIC_S3"),
])
def test_the_image_is_the_one_for_the_psram_that_the_chip_tells_of(tmp_path, monkeypatch, told, board):
    """8 MB are octal, and the standard image does not find them."""
    fake_tool(tmp_path, "esptool", f"echo '{told}'")
    tools_lie_in(tmp_path, monkeypatch)
    assert flash.look(flash.find_chip(esp32s3_7seat), "/dev/x").board == board


def test_a_chip_that_does_not_answer_is_one_sentence_with_what_to_press(tmp_path, monkeypatch, capsys):
    fake_tool(tmp_path, "esptool", "echo 'usage: esptool'; echo 'No serial data received.' >&2; exit 2")
    tools_lie_in(tmp_path, monkeypatch)
    code, _, wrong = device(capsys, "flash", "--board", "esp32s3_7seat", "--port", "/dev/x")
    assert code == 2 and "Hold BOOT, press RESET" in wrong and "esptool says: No serial data received." in wrong


def test_a_tool_that_fails_is_told_of_in_words(tmp_path, monkeypatch, capsys):
    fake_tool(tmp_path, "esptool", "exit 2")
    tools_lie_in(tmp_path, monkeypatch)
    image = tmp_path / "image.bin"
    image.write_bytes(b"image")
    code, _, wrong = device(capsys, "flash", "--board", "virtual", "--port", "/dev/x", "--image", image)
    assert code == 2 and "esptool failed; what it said is above. It can be repeated" in wrong


@pytest.mark.parametrize(("words", "sentence"), [
    (("info", "--port", "/dev/no-such-port"), "there is no /dev/no-such-port: is the table's cable in?"),
    (("info", "--port", ""), "which table? Say PORT=/dev/ttyUSB0 to make"),
    (("deploy", "--board", "nonsense", "--port", "/dev/x"), "there is no board nonsense in boards/: there are "),
    (("flash", "--board", "nonsense", "--port", "/dev/x"), "there is no board nonsense in boards/"),
    (("info",), "Missing option '--port'"),
])
def test_unusable_input_is_one_sentence(capsys, monkeypatch, words, sentence):
    monkeypatch.delenv("PORT", raising=False)
    code, _, wrong = device(capsys, *words)
    assert code == 2 and sentence in wrong and "Traceback" not in wrong


def test_every_boards_chip_can_be_flashed():
    for name in names():
        assert flash.find_chip(load(name)).board.startswith("ESP32")


@pytest.mark.parametrize("line", [["deploy", "--port", "none"], ["flash", "--port", "none"], ["package"], ["bringup"]])
def test_the_faults_of_a_board_are_said_before_it_goes_onto_a_table(line, monkeypatch, capsys):
    """A board of one's own is built all the same: its maker may know better."""
    def build(board, **_):
        raise UnusableInput("as far as this")

    monkeypatch.setattr(package, "build_package", build)
    run(["device", *line, "--board", "virtual"])
    assert capsys.readouterr().err == "as far as this\n"
    monkeypatch.setattr(virtual, "BUZZER", {"pin": 4})
    run(["device", *line, "--board", "virtual"])
    assert capsys.readouterr().err == "virtual: pin 4 has 2 uses: select of seat 1, buzzer\nas far as this\n"


def test_a_package_is_bytecode_words_and_data():
    files = build_package("virtual").files
    assert {"main.mpy", "board.mpy", "cardtable/between/doctor.mpy", "cardtable/words/doctor.ru"} <= set(files)
    assert not any(file.endswith(".py") or file == "loader.mpy" for file in files)


def test_the_bytecode_is_what_the_virtual_table_runs():
    """The same bytes that the tests have played on; main alone is source there, as a program without a loader."""
    tested = image.build("virtual", BUILD / "virtual-source")
    for name, data in build_package("virtual").files.items():
        assert name == "main.mpy" or (tested / name).read_bytes() == data, name


def test_help_of_every_command_names_its_exit_codes():
    # From the top: a command that is called alone remembers a help option of its own, also for the tests after it.
    assert "Exit codes: 0 right, 1" in CliRunner().invoke(program, ["device", "--help"]).output
    for name in ("info", "logs", "pull", "doctor", "deploy", "flash", "package", "bringup"):
        assert CliRunner().invoke(program, ["device", name, "--help"]).exit_code == 0
