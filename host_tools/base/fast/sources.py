"""Lists the modules that are compiled, where they lie, and the stamp that says whether they still fit their sources."""

import contextlib
import hashlib
import importlib
import os
import sys
import sysconfig
from pathlib import Path

from host_tools.base.project import BUILD, FIRMWARE, HOST, IS_CLONE, ROOT

# In a clone folders lie here, each named by its stamp; a wheel brings the one that fits it as this folder.
COMPILED = BUILD / "fast" if IS_CLONE else ROOT / "fast"
# Reading headers and set-ups happens once a game, and raises; compiling it gains nothing.
LEFT_OUT = ("__init__", "match", "reading", "record", "setup")
HOST_MODULES = (
    "judge/perft", "base/random_play", "judge/replay/quick", "minds/environments/steps",
    "minds/thinking/bailiff_playout", "minds/thinking/cals_bs_playout", "minds/thinking/durak_end",
    "minds/thinking/durak_playout", "minds/thinking/malice_choice", "minds/thinking/malice_playout",
)
FACTS = "judge/facts"  # their constants become numbers in what is compiled; they themselves stay Python
DONE = "complete"  # the file that is written last: the stamp; in a clone also a line "SIZE PATH" of each module
PURE = "CARDTABLE_PURE"
_held: dict[Path, int] = {}  # the folders that this process uses, each with a file that it has open
_lacked: list[str] = []  # the stamp of the sources that this process runs, where nothing compiled fitted them


def list_sources() -> dict[str, Path]:
    """Each module that is compiled, by its name, with its file; a module comes behind those that it imports."""
    found = {}
    for room in ("engine", "games"):
        for path in sorted((FIRMWARE / "cardtable" / room).glob("*.py")):
            if path.stem not in LEFT_OUT:
                found[f"cardtable.{room}.{path.stem}"] = path
    for name in HOST_MODULES:
        found[f"host_tools.{name.replace('/', '.')}"] = HOST / f"{name}.py"
    return found


def list_facts() -> dict[str, Path]:
    """Each module that only hands on constants of a game under names of its own, with its file."""
    return {f"host_tools.{FACTS.replace('/', '.')}.{path.stem}": path for path in sorted((HOST / FACTS).glob("*.py"))}


def make_stamp() -> str:
    """A name for this Python, these sources and these rules of compiling; another of any of them is another stamp."""
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {sysconfig.get_config_var('SOABI')}".encode())
    own = [Path(__file__).with_name(name) for name in ("declare.py", "infer.py", "build.py", "rows.pxd")]
    for path in [*list_sources().values(), *list_facts().values(), *own]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def find_compiled() -> Path | None:
    """The folder of modules that fit; None where there is none, or CARDTABLE_PURE says that none is wanted."""
    return find_whole(make_stamp()) if can_be_used() else None


def can_be_used() -> bool:
    """Whether something compiled is wanted, and there is a place for it."""
    return os.environ.get(PURE, "0") in ("", "0") and COMPILED.is_dir()


def find_whole(stamp: str) -> Path | None:
    """The folder of all modules of that stamp; None before a build of them has ended, and where one is not whole: a
    power cut can leave a file empty that was written just before, and loading a cut one may end the process."""
    folder = COMPILED / stamp if IS_CLONE else COMPILED
    try:
        said, *rows = (folder / DONE).read_text().split("\n")
        is_whole = said == stamp and all(is_of_size(folder, *row.split(" ", 1)) for row in rows)
    except (OSError, ValueError, TypeError):  # there is none, or it was cut short itself
        return None
    return folder if is_whole else None


def is_of_size(folder: Path, size: str, name: str) -> bool:
    """Whether that file has so many bytes. OSError where there is none, ValueError for what is no size."""
    return (folder / name).stat().st_size == int(size)


def use_compiled() -> bool:
    """Let Python find the compiled modules before their sources; False where there are none. Until this process ends
    they stay where they are, also those that it has not imported yet."""
    stamp = make_stamp() if can_be_used() else ""
    folder = find_whole(stamp) if stamp else None
    _lacked[:] = [stamp] if stamp and folder is None else []
    if folder is None:
        return False
    hold(folder)
    for name in sorted({module.rpartition(".")[0] for module in list_sources()}):
        package = importlib.import_module(name)  # by name: what is compiled stands above the room that compiles
        place = str(folder / name.replace(".", "/"))
        if place not in package.__path__:
            package.__path__.insert(0, place)
    return True


def is_built_since() -> bool:
    """Whether this process runs sources, and a build of the same sources has ended since it loaded them: a process that
    is started now runs what is compiled. Reads one small file, and asks for the size of each module."""
    return bool(_lacked) and find_whole(_lacked[0]) is not None


def hold(folder: Path) -> None:
    """Lock the folder for this process, together with all others that use it."""
    with contextlib.suppress(ModuleNotFoundError, OSError):  # Windows removes nothing that is in use
        import fcntl

        if folder not in _held:
            _held[folder] = os.open(folder / DONE, os.O_RDONLY)
            fcntl.flock(_held[folder], fcntl.LOCK_SH)


def is_used(folder: Path) -> bool:
    """Whether a process has locked it so."""
    with contextlib.suppress(ModuleNotFoundError, FileNotFoundError, NotADirectoryError):
        import fcntl

        try:
            with (folder / DONE).open() as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def is_compiled() -> bool:
    """Whether this process runs the compiled engine."""
    from cardtable.engine import state

    return not str(state.__file__).endswith(".py")


if __name__ == "__main__":  # for `make wheel`
    print(find_compiled() or "")
