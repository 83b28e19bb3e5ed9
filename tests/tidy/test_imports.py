"""The import table, tried on files that keep to it and on files that do not."""

import pytest

from tests.tidy.imports import (
    ROOMS,
    check_imports,
    check_loads_by_name,
    check_private_names,
    find_imports,
    names_in,
    read_table,
)

ENGINE = "firmware/cardtable/engine/toy.py"
GAME = "firmware/cardtable/games/toy.py"
DRIVER = "firmware/cardtable/drivers/toy.py"
PLAY = "firmware/cardtable/play/toy.py"
TABLE = "firmware/cardtable/table/toy.py"
RECORD = "firmware/cardtable/record/toy.py"
BETWEEN = "firmware/cardtable/between/toy.py"
MAIN = "firmware/main.py"
WIRING = "firmware/cardtable/between/wiring.py"
TOOL = "host_tools/virtual/toy.py"
CHIP = "host_tools/virtual/chips/toy.py"
SHIM = "host_tools/virtual/shims/toy.py"


@pytest.mark.parametrize(
    ("path", "source", "target"),
    [
        ("boards/toy.py", "import sys", "sys"),
        ("boards/toy.py", "from micropython import const", "micropython.const"),
        (ENGINE, "import time", "time"),
        (ENGINE, "import micropython", "micropython"),
        (ENGINE, "from micropython import native", "micropython.native"),
        (ENGINE, "import cardtable.games.durak", "cardtable.games.durak"),
        (ENGINE, "from cardtable import play", "cardtable.play"),
        (ENGINE, "from . import state", "..state"),
        (ENGINE, "def f():\n    import random", "random"),
        (GAME, "from cardtable.games import durak", "cardtable.games.durak"),
        (GAME, "import cardtable.play.controller", "cardtable.play.controller"),
        (GAME, "import os", "os"),
        (DRIVER, "import cardtable.engine.state", "cardtable.engine.state"),
        (DRIVER, "import board", "board"),
        (DRIVER, "import json", "json"),
        (PLAY, "import cardtable.games.durak", "cardtable.games.durak"),
        (PLAY, "from cardtable.between import files", "cardtable.between.files"),
        (PLAY, "import os", "os"),
        (TABLE, "import cardtable.play.seats", "cardtable.play.seats"),
        (TABLE, "from cardtable.record.journal import Journal", "cardtable.record.journal.Journal"),
        (TABLE, "from cardtable.drivers.mfrc522 import Mfrc522", "cardtable.drivers.mfrc522.Mfrc522"),
        (TABLE, "from machine import Pin", "machine.Pin"),
        (RECORD, "from cardtable.between import archive", "cardtable.between.archive"),
        (RECORD, "from cardtable.table.words import Words", "cardtable.table.words.Words"),
        (BETWEEN, "from cardtable.play.seats import Seat", "cardtable.play.seats.Seat"),
        (BETWEEN, "import board", "board"),
        (MAIN, "import os", "os"),
        (MAIN, "from cardtable.table.lights import Lights", "cardtable.table.lights.Lights"),
        (WIRING, "from cardtable.play.seats import Seat", "cardtable.play.seats.Seat"),
        (MAIN, "import host_tools.cli", "host_tools.cli"),
        ("firmware/cardtable/__init__.py", "import sys", "sys"),
        (TOOL, "import cardtable.drivers.mfrc522", "cardtable.drivers.mfrc522"),
        (TOOL, "import main", "main"),
        (TOOL, "import tests.conftest", "tests.conftest"),
        (TOOL, "import pytest", "pytest"),
        (TOOL, "import yaml", "yaml"),
        (TOOL, "import host_tools.judge.replay.core", "host_tools.judge.replay.core"),
        (TOOL, "def f():\n    from host_tools.play import table", "host_tools.play.table"),
        (TOOL, "from host_tools import cli", "host_tools.cli"),
        ("host_tools/base/toy.py", "import host_tools.virtual.image", "host_tools.virtual.image"),
        ("host_tools/sight/toy.py", "from host_tools.play.table import LiveTable", "host_tools.play.table.LiveTable"),
        ("host_tools/minds/players/toy.py", "from host_tools.sight import shadow", "host_tools.sight.shadow"),
        ("host_tools/minds/players/toy.py", "import host_tools.judge.records", "host_tools.judge.records"),
        (CHIP, "import cardtable.engine.state", "cardtable.engine.state"),
        (CHIP, "import host_tools.virtual.world", "host_tools.virtual.world"),
        (CHIP, "from boards import virtual", "boards.virtual"),
        (CHIP, "import rich", "rich"),
        (SHIM, "import cardtable.engine.state", "cardtable.engine.state"),
        (SHIM, "from host_tools.virtual.chips import mfrc522", "host_tools.virtual.chips.mfrc522"),
        (SHIM, "import world", "world"),
    ],
)
def test_what_the_table_forbids(path, source, target):
    found = check_imports(path, source, siblings=("port", "virtual_clock"))
    assert [finding.text for finding in found] == [f"its room may not import {target}"]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("boards/toy.py", "SEATS = 7"),
        (ENGINE, "from micropython import const\nfrom cardtable.engine.state import State"),
        (GAME, "from cardtable.engine import state\nimport cardtable.engine.deck"),
        (DRIVER, "import asyncio, struct, time, neopixel\nfrom machine import Pin"),
        (DRIVER, "from cardtable.drivers import font6x8"),
        (PLAY, "import time, cardtable.play.seats\nfrom cardtable.engine import session"),
        (BETWEEN, "import gc, os\nfrom cardtable.record.journal import FOLDER\nimport cardtable.between.files"),
        (MAIN, "import gc\nfrom cardtable.rooms import load"),
        (WIRING, "import board\nfrom cardtable.drivers.buttons import Buttons"),
        (TOOL, "import boards.virtual, tomllib, rich, click\nfrom host_tools.virtual.chips import mfrc522"),
        ("host_tools/play/toy.py", "import host_tools.minds.players, host_tools.play.web.desk, host_tools.base.errors"),
        ("host_tools/cli.py", "import host_tools.commands, host_tools.base.foreign"),
        (CHIP, "import random\nfrom host_tools.virtual.chips.iso14443a import Field"),
        (SHIM, "import port, sys, machine\nimport virtual_clock"),
        ("tests/engine/test_toy.py", "import cardtable.engine.state, host_tools.cli, pytest, boards.virtual"),
    ],
)
def test_what_the_table_allows(path, source):
    assert check_imports(path, source, siblings=("port", "virtual_clock")) == []


def test_a_name_that_only_begins_alike_is_another_room():
    assert check_imports(ENGINE, "import cardtable.engines") != []


def test_a_file_outside_every_room_is_found():
    found = check_imports("scripts/toy.py", "")
    assert [str(finding) for finding in found] == ["scripts/toy.py:1: lies in no room of the design"]


def test_every_way_to_import_is_seen():
    source = "import a.b, c as d\nfrom e import f as g, h\nif a:\n    from i import *\n"
    assert find_imports(source) == [(1, "a.b"), (1, "c"), (2, "e.f"), (2, "e.h"), (4, "i.*")]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (PLAY, '__import__("machine")'),
        (GAME, 'exec("import machine")'),
        (MAIN, '__import__(name)'),
        ("firmware/cardtable/catalogue.py", 'eval("1")'),
    ],
)
def test_code_that_is_loaded_past_the_table(path, source):
    assert len(check_loads_by_name(path, source)) == 1


@pytest.mark.parametrize("path", ["firmware/cardtable/catalogue.py", "firmware/cardtable/rooms.py", TOOL])
def test_who_may_load_by_name(path):
    assert check_loads_by_name(path, "__import__(name)") == []


def test_the_table_of_a_page_is_read_row_by_row():
    page = "| room | may import |\n|---|---|\n| `a/` | `b.c`, `d`; its own library |\n| `e.py` | nothing |\n"
    assert read_table(page) == {"a/": {"b.c", "d"}, "e.py": set()}


def test_whole_libraries_are_no_names():
    assert names_in(dict(ROOMS)["host_tools/virtual/chips/"]) == {"host_tools.virtual.chips"}


@pytest.mark.parametrize("source", [
    "from cardtable.games.durak import _TRUMP",
    "from cardtable.games import durak\nx = durak._TRUMP",
    "from host_tools.judge.facts import durak as durak_facts\nx = durak_facts._OPTION",
    "def f(game):\n    return game._TRUMP",
])
def test_a_private_name_of_a_game_outside_its_facts(source):
    assert len(check_private_names("host_tools/look/toy.py", source)) == 1
    for path in ("host_tools/judge/facts/toy.py", "tests/toy.py"):
        assert check_private_names(path, source) == []


def test_names_that_a_game_offers_are_nobodys_secret():
    source = "from cardtable.games import durak\nself._trump = durak.power\nfrom cardtable.games.durak import CARDS"
    assert check_private_names("host_tools/look/toy.py", source) == []
