"""Who may import whom: the table of docs/design.md and its checks; what is not listed is forbidden."""

import ast
import functools
import re
import sys
import tomllib
from importlib import metadata

from tests.conftest import ROOT
from tests.tidy.findings import Finding, walk

_ENGINE = ("cardtable.engine", "micropython.const")
# What the shims find under MicroPython that CPython has not.
_MICROPYTHON_ONLY = ("machine", "micropython", "neopixel", "uctypes", "vfs")
_ANY = "*"
_STDLIB = "stdlib"
_PACKAGES = "packages"
_SIBLINGS = "siblings"

# The first room that a file lies in counts. An entry allows the module of that name and what lies in it;
# `a.b` allows `from a import b` and no other name of `a`.
ROOMS = (
    ("setup.py", ("setuptools", "os")),
    ("docs/engines/", ("sys",)),
    ("boards/", ()),
    ("firmware/cardtable/engine/", _ENGINE),
    ("firmware/cardtable/games/", _ENGINE),
    (
        "firmware/cardtable/drivers/",
        ("machine", "micropython", "neopixel", "struct", "time", "asyncio", "cardtable.answers", "cardtable.drivers"),
    ),
    # By lifetime: what a game needs while it goes on (play, table, record), and what a device forgets meanwhile.
    (
        "firmware/cardtable/play/",
        (
            "cardtable.engine", "cardtable.table", "cardtable.record", "cardtable.play",
            "cardtable.rooms", "micropython.const", "time",
        ),
    ),
    (
        "firmware/cardtable/table/",
        (
            "cardtable.answers", "cardtable.engine", "cardtable.table", "cardtable.rooms", "asyncio",
            "micropython.const", "os", "time",
        ),
    ),
    (
        "firmware/cardtable/record/",
        ("cardtable.engine", "cardtable.record", "cardtable.rooms", "hashlib", "micropython.const", "os"),
    ),
    # The only one that knows pins, buses and drivers.
    (
        "firmware/cardtable/between/wiring.py",
        (
            "board", "cardtable.drivers", "cardtable.engine", "cardtable.table", "cardtable.between", "cardtable.rooms",
            "cardtable.version", "machine",
        ),
    ),
    (
        "firmware/cardtable/between/what_runs.py",
        ("cardtable.engine", "cardtable.table", "cardtable.rooms", "machine"),
    ),
    (
        "firmware/cardtable/between/",
        (
            "cardtable.answers", "cardtable.engine", "cardtable.table", "cardtable.record", "cardtable.between",
            "cardtable.catalogue", "cardtable.layout", "cardtable.rooms", "cardtable.version", "asyncio", "gc",
            "hashlib", "micropython", "os", "sys", "time",
        ),
    ),
    # Between two games alone, and only on a board with Wi-Fi: nothing of a game, of the journal only its folder's name.
    (
        "firmware/cardtable/net/",
        (
            "cardtable.between.archive", "cardtable.between.chosen", "cardtable.between.files",
            "cardtable.between.setup_files", "cardtable.engine.record",
            "cardtable.between.weak", "cardtable.net",
            "cardtable.record.journal.FOLDER", "cardtable.record.seal", "cardtable.table.running",
            "cardtable.table.words", "binascii.a2b_base64", "chumicro_mqtt", "errno", "gc",
            "json", "micropython.const", "network", "os", "select", "socket", "ssl", "time",
        ),
    ),
    ("firmware/cardtable/catalogue.py", ("cardtable.engine", "cardtable.rooms", "sys")),
    ("firmware/cardtable/rooms.py", ("cardtable.layout", "gc", "sys")),
    ("firmware/cardtable/layout.py", ("micropython.const",)),
    ("firmware/cardtable/__init__.py", ()),
    ("firmware/cardtable/version.py", ()),
    ("firmware/cardtable/answers.py", ("micropython.const",)),
    ("firmware/loader.py", ("cardtable.between.prompt", "machine", "micropython", "os", "sys", "time")),
    ("firmware/starter.py", ("loader", "main", "gc", "micropython", "sys")),
    ("firmware/main.py", ("cardtable.rooms", "machine", "asyncio", "gc", "micropython", "time")),
    ("host_tools/virtual/chips/", ("host_tools.virtual.chips", _STDLIB)),
    ("host_tools/virtual/shims/", (_SIBLINGS, _STDLIB, *_MICROPYTHON_ONLY)),
    # The only room that may say a private name of a game: what a register is, and where it lies in a view.
    ("host_tools/judge/facts/", ("cardtable.engine", "cardtable.games", "host_tools.judge.facts", _STDLIB)),
    # A virtual player knows what its seat may see, and what the rules say.
    (
        "host_tools/minds/players/",
        (
            "cardtable.engine", "cardtable.games", "host_tools.base.errors", "host_tools.base.random_play",
            "host_tools.base.ready", "host_tools.judge.facts", "host_tools.minds.players", "host_tools.minds.thinking",
            "host_tools.sight.seen", _STDLIB,
        ),
    ),
    (
        "host_tools/minds/thinking/",
        (
            "cardtable.engine", "cardtable.games", "host_tools.base.random_play", "host_tools.judge.facts",
            "host_tools.minds.thinking", "micropython.const",
        ),
    ),
    # It runs in KiCad's Python, which has nothing of this project.
    ("host_tools/maker/pcb/kicad_side.py", ("pcbnew", _STDLIB)),
    ("tests/", (_ANY,)),
)
# The wings of host_tools from the top, each with what it holds: a wing may import what stands below it, nothing else.
WINGS = (
    ("commands", "the sub-commands of `cardtable`, one file each"),
    ("lab", "benches, storms, cuts of power: for developers, and not in the wheel"),
    ("club", "tournaments, and tables on a network"),
    ("look", "games shown to people: one line, one game, a folder of games, a running table"),
    ("play", "a table that people play at, its page and its terminal, evenings that a script plays"),
    ("minds", "virtual players, what they weigh, how strong they are, where a game was lost"),
    ("maker", "boards, tables at a cable, decks, new games"),
    ("sight", "what one pair of eyes may see: of a live table, of a recording, of a public feed"),
    ("judge", "what a record says and whether it is right: replay, seals, the rulebook, sentences, perft"),
    ("virtual", "the virtual table: models of chips, shims for MicroPython, hands, the device"),
    ("base", "errors, foreign input, where files lie, interpreters, compiling, workers, random play"),
)
# What every wing may import of the firmware, and of others.
_BESIDE_WINGS = (
    "boards", "cardtable.answers", "cardtable.between", "cardtable.catalogue", "cardtable.drivers.font6x8",
    "cardtable.engine", "cardtable.games", "cardtable.net.settings", "cardtable.net.topics", "cardtable.play",
    "cardtable.record", "cardtable.table", "cardtable.version", "micropython.const", _STDLIB, _PACKAGES,
)
# Games are loaded by the name in a record, drivers by that in the board's data, what a device forgets by its room.
FACTS = "host_tools/judge/facts/"
FACTS_MODULE = FACTS.replace("/", ".").rstrip(".")
LOADS_BY_NAME = ("firmware/cardtable/catalogue.py", "firmware/cardtable/rooms.py")


def check_imports(path: str, source: str, siblings: tuple[str, ...] = ()) -> list[Finding]:
    """Every import of the file that its room does not allow; `siblings` are the modules beside it."""
    allowed = allowed_in(path)
    if allowed is None:
        return [Finding(path, 1, "lies in no room of the design")]
    if _ANY in allowed:
        return []
    return [
        Finding(path, line, f"its room may not import {target}")
        for line, target in find_imports(source)
        if not is_allowed(target, allowed, siblings)
    ]


def check_loads_by_name(path: str, source: str) -> list[Finding]:
    """Firmware that imports past the table: `__import__` elsewhere, `exec` and `eval` anywhere."""
    if not path.startswith("firmware/"):
        return []
    banned = {"exec", "eval", "execfile", "compile"}
    if path not in LOADS_BY_NAME:
        banned.add("__import__")
    return [
        Finding(path, node.lineno, f"must not load code by name with {node.id}")
        for node in walk(source, ast.Name)
        if node.id in banned
    ]


def check_private_names(path: str, source: str) -> list[Finding]:
    """Private names of a game that are said outside its facts: whoever changes a register looks nowhere else."""
    if not path.startswith("host_tools/") or path.startswith(FACTS):
        return []
    games = set()
    found = []
    for node in walk(source, ast.ImportFrom):
        for alias in node.names if (node.module or "").startswith(("cardtable.games", FACTS_MODULE)) else ():
            if alias.name.startswith("_"):
                found.append(Finding(path, node.lineno, f"takes a game's private name {alias.name}: {FACTS} has them"))
            games.add(alias.asname or alias.name)
    for node in walk(source, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id in games | {"game"} and re.match("_[A-Za-z]", node.attr):
            found.append(Finding(path, node.lineno, f"says a game's private name {node.attr}: {FACTS} has them"))
    return found


def read_table(page: str) -> dict[str, set[str]]:
    """The table of the design page: each room with the modules that stand in its row."""
    rows = re.findall(r"^\| `([^`]+)` \|(.*)\|$", page, re.MULTILINE)
    return {room: set(re.findall(r"`([\w.]+)`", row)) - {"pyproject.toml"} for room, row in rows}


def read_wings(page: str) -> list[tuple[str, str]]:
    """The list of wings of the design page, from the top, each with what it holds."""
    return re.findall(r"^\d+\. `(\w+)/`: (.+)$", page, re.MULTILINE)


def names_in(allowed: tuple[str, ...]) -> set[str]:
    """The modules that a room may import by name, without whole libraries."""
    return set(allowed) - {_ANY, _STDLIB, _PACKAGES, _SIBLINGS}


def allowed_in(path: str) -> tuple[str, ...] | None:
    """What the room of this file may import; None where it lies in none."""
    for room, allowed in ROOMS:
        if path.startswith(room):
            return allowed
    if path in ("host_tools/__init__.py", "host_tools/cli.py"):
        return ("host_tools", *_BESIDE_WINGS)
    names = [name for name, _ in WINGS]
    parts = path.split("/")
    if parts[0] != "host_tools" or parts[1] not in names:
        return None
    return (*(f"host_tools.{name}" for name in names[names.index(parts[1]) :]), *_BESIDE_WINGS)


def find_imports(source: str) -> list[tuple[int, str]]:
    """Line and dotted name of everything imported, wherever it stands; `from a import b` is `a.b`."""
    found = []
    for node in walk(source, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        else:
            module = "." * node.level + (node.module or "")
            found += [(node.lineno, f"{module}.{alias.name}") for alias in node.names]
    return found


def is_allowed(target: str, allowed: tuple[str, ...], siblings: tuple[str, ...]) -> bool:
    """True where a name of the room, or a whole library it may use, covers the target."""
    top = target.split(".")[0]
    names = set(allowed)
    if _SIBLINGS in names:
        names.update(siblings)
    if _STDLIB in names and top in sys.stdlib_module_names:
        return True
    if _PACKAGES in names and top in declared_packages():
        return True
    return any(target == name or target.startswith(name + ".") for name in names)


@functools.lru_cache(maxsize=None)
def declared_packages() -> set[str]:
    """Modules of the packages that the host's tools need, says pyproject.toml; not those of the tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    rooms_use = ("arena", "cluster", "compiled", "device", "network", "release", "rl", "service", "site",
                 "spiel", "stats", "tournament", "zst")
    wanted = project["dependencies"] + [package for extra in rooms_use for package in extras[extra]]
    distributions = {requirement.split("==")[0].lower().replace("_", "-") for requirement in wanted}
    return {
        module
        for module, owners in metadata.packages_distributions().items()
        if distributions & {owner.lower().replace("_", "-") for owner in owners}
    }
