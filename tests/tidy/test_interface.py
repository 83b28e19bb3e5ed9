"""What docs/contributing.md says that a game lists and answers is what the games have, and what is asked of them."""

import ast
import re

import pytest

from cardtable.catalogue import find_game
from tests.tidy.findings import project_files, read

PAGE = read("docs/contributing.md")
GAMES = [name for name in project_files() if re.fullmatch(r"firmware/cardtable/games/[a-z]\w*\.py", name)]
TABLE = read("host_tools/play/web/page/table.js")
TOY = "tests/host_tools/toy/toy.py"
PLAIN = "firmware/cardtable/engine/plain.py"
ASKED_BY = ("firmware/cardtable/engine/", "firmware/cardtable/play/", "firmware/cardtable/table/",
            "firmware/cardtable/between/", "firmware/cardtable/catalogue.py", "firmware/main.py", "host_tools/")
OTHERWISE = "host_tools/club/tournament/"  # where `game` is a game that was played
_FUNCTION = re.compile(r"^\| `([a-z]\w*)\(([\w, ]*)\)` \|(.*)\|$", re.MULTILINE)
_DATA = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)
# An attribute of a game's module: of `game` itself, or of something's `.game`; not a file's name, "game.json".
_ASKED = re.compile(r"(?<![\"/])\bgame\.([A-Za-z_]\w*)")


def listed(is_usual):
    """{function: its arguments} of the page: those with a usual answer in the table's third column, or the others."""
    return {name: words.split(", ") for name, words, rest in _FUNCTION.findall(PAGE) if ("|" in rest) == is_usual}


def functions_of(path):
    """{function: its arguments} that the module defines."""
    nodes = ast.parse(read(path)).body
    return {node.name: [one.arg for one in node.args.args] for node in nodes if isinstance(node, ast.FunctionDef)}


def imported_from_plain(path):
    """What the module takes over as most games have it."""
    nodes = [node for node in ast.parse(read(path)).body if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in nodes if node.module == "cardtable.engine.plain" for alias in node.names}


def data_of(path):
    """The public names that the module gives a value."""
    nodes = [node for node in ast.parse(read(path)).body if isinstance(node, ast.Assign)]
    return {node.targets[0].id for node in nodes if isinstance(node.targets[0], ast.Name)}


def test_the_page_lists_what_most_games_answer():
    assert listed(True) == functions_of(PLAIN)


@pytest.mark.parametrize("path", GAMES)
def test_the_page_draws_every_place_of_a_game(path):
    """Or nobody at a browser sees the card that has to be followed. Malice is laid out by itself."""
    said = PAGE.partition("### Places that the page draws")[2].partition("###")[0]
    drawn = set(re.findall(r"`([a-z]+)`", said)) | ({"payoff", "centre", "side"} if "malice" in path else set())
    assert {kind for kind in drawn - {"hand"} if f'"{kind}"' not in TABLE and f"`{kind}${{" not in TABLE} == set()
    game = find_game(path.rpartition("/")[2].removesuffix(".py").replace("_", "-"))
    assert {re.sub(r"[\d.]+$", "", name) for name, _, _ in game.PLACES} <= drawn, "see docs/contributing.md"


@pytest.mark.parametrize("path", [*GAMES, TOY])
def test_every_game_has_what_the_page_lists(path):
    own = functions_of(path)
    taken = imported_from_plain(path)
    for name, arguments in listed(False).items():
        assert own.get(name) == arguments, name
    for name, arguments in listed(True).items():
        assert (name in taken) != (name in own), f"{name}: neither its own nor from plain, or both"
        assert name in taken or own[name] == arguments, name
    assert set(_DATA.findall(PAGE)) <= data_of(path)


@pytest.mark.parametrize("path", [*GAMES, TOY])
def test_the_bits_of_an_audit_have_names(path):
    """A constant for each bit, which `audit` says, and the same in words for the tools."""
    text = read(path)
    block = text.split("# What cannot be: the bits of `audit`.")[1].split("\n\n")[0]
    bits = re.findall(r"^_(\w+) = const\((\d+)\)", block, re.MULTILINE)
    assert [int(value) for _, value in bits] == [1 << index for index in range(len(bits))]
    words = re.findall(r'^    "(.+)",$', text.split("\nAUDIT = (\n")[1].split(")")[0], re.MULTILINE)
    assert words == [name.lower().replace("_", " ") for name, _ in bits]
    for name, _ in bits:
        assert len(re.findall(rf"\b_{name}\b", text)) > 1, f"no state is {name}"
    assert not re.search(r"wrong \|?= [1-9]", text), "a bit without its name"


@pytest.mark.parametrize("path", [*GAMES, TOY])
def test_a_number_that_a_game_repeats_is_that_of_the_engine(path):
    """What mpy-cross has to fold in a game's own constants stands there again."""
    engine = {}
    for room in ("state", "event", "deck"):
        text = read(f"firmware/cardtable/engine/{room}.py")
        engine |= dict(re.findall(r"^([A-Z]\w*) = const\((\d+)\)", text, re.MULTILINE))
    own = dict(re.findall(r"^_([A-Z]\w*) = const\((\d+)\)", read(path), re.MULTILINE))
    repeated = {name for name in own if name in engine and name in ("STOCK", "HAND", "OPTION", "UNSEEN", "OWN")}
    assert {"STOCK", "HAND"} <= repeated
    assert {name: own[name] for name in repeated} == {name: engine[name] for name in repeated}


def test_nobody_asks_a_game_for_more():
    known = {*listed(True), *listed(False), *_DATA.findall(PAGE)}
    of_its_name = set(dir(str))  # where `game` is a game's name or its line in a set-up
    asked = {}
    for path in project_files():
        if path.startswith(ASKED_BY) and path.endswith(".py") and not path.startswith(OTHERWISE):
            asked.update((name, path) for name in _ASKED.findall(read(path)))
    assert {"judge", "enact", "VERBS", "choices"} <= set(asked), "the check finds nothing"
    more = {name: path for name, path in asked.items() if name not in known | of_its_name | {"__name__"}}
    assert more == {}


def test_there_are_games_to_check():
    assert len(GAMES) >= 2 and len(listed(False)) > 20 and len(listed(True)) > 10
