"""The wheel holds all that a command reads, so that `pip install .` gives a `cardtable` that plays."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib

from host_tools.base.fast import sources
from tests.conftest import ROOT

READ_BY_COMMANDS = ("firmware", "host_tools", "boards", "docs/rules")
ONLY_IN_A_CLONE = ("boards/micropython/CARDTABLE_ESP32/", "host_tools/lab/")


def load_setup():
    """setup.py as a module, without running setup()."""
    found = importlib.util.spec_from_file_location("cardtable_setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def wheel_files(monkeypatch):
    """Every file that the wheel takes from the project, found by setuptools' own patterns."""
    monkeypatch.chdir(ROOT)
    packages = load_setup().PACKAGES
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    files = set()
    for package, folder in packages.items():
        for pattern in ("*.py", *patterns.get(package, ())):
            files.update((package, path.relative_to(ROOT)) for path in (ROOT / folder).glob(pattern) if path.is_file())
    return files


def test_every_package_is_found(monkeypatch):
    monkeypatch.chdir(ROOT)
    packages = load_setup().PACKAGES
    for init in [*ROOT.glob("host_tools/**/__init__.py"), *ROOT.glob("firmware/cardtable/**/__init__.py")]:
        if "lab" in init.parts:
            continue  # for developers alone
        assert str(init.parent.relative_to(ROOT)) in packages.values(), init


def test_the_wheel_has_what_commands_read(monkeypatch):
    """Tracked files of these rooms: in an importable package, or in a copy beside it."""
    command = ["git", "ls-files", *READ_BY_COMMANDS]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    taken = {str(path) for _, path in wheel_files(monkeypatch)}
    wanted = [name for name in listed.stdout.splitlines() if not name.startswith(ONLY_IN_A_CLONE)]
    missing = [name for name in wanted if name not in taken]
    assert len(taken) > 200
    assert not missing


def test_the_copies_have_the_whole_firmware(monkeypatch):
    """A table is built from them: what is imported is not enough."""
    files = wheel_files(monkeypatch)
    copied = {str(path) for package, path in files if package.startswith("cardtable_project.")}
    firmware = {str(path.relative_to(ROOT)) for path in (ROOT / "firmware").rglob("*.py")}
    words = {str(path.relative_to(ROOT)) for path in (ROOT / "firmware" / "cardtable" / "words").iterdir()}
    assert firmware | words | {"docs/rules/durak.md", "tests/records/durak/demo.rec"} <= copied


def test_a_wheel_packs_nothing_that_an_earlier_one_has_left():
    """setuptools packs all that lies in its folders, also a module that is gone from the source."""
    done = subprocess.run(["make", "--dry-run", "wheel"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert 0 < done.stdout.find("rm -rf build/lib build/lib.* build/bdist.*") < done.stdout.find("pip wheel")


def test_the_licence_is_named():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "MIT" and (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert all((ROOT / name).is_file() for name in project["license-files"])
    assert "[MIT](LICENSE)" in (ROOT / "README.md").read_text()


def test_a_clone_is_recognised():
    command = [sys.executable, "-c", "from host_tools.base import project; print(project.IS_CLONE, project.ROOT)"]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert said == f"True {ROOT}\n"


# What somebody who has installed the wheel can do, without one line of the clone.
USE = """
import sys
from host_tools import cli
from host_tools.base import project
code = cli.run(["replay", str(project.ROOT / "tests/records/durak/demo.rec")])
from host_tools.base.fast.sources import is_compiled
print(project.IS_CLONE, is_compiled(), code)
"""


def install(monkeypatch, folder):
    """Lay the wheel's files into a folder as pip does: each under its package's name."""
    for package, path in wheel_files(monkeypatch):
        inner = (ROOT / path).relative_to(ROOT / load_setup().PACKAGES[package])
        target = folder / package.replace(".", "/") / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target)


def use(folder, **environment):
    """What USE prints last, with the packages of this Python and the project from that folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARDTABLE_", "PYTHON"))}
    script = f"import sys; sys.path.insert(0, {str(folder)!r}); {USE.strip().replace(chr(10), '; ')}"
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, env={**kept, **environment}, capture_output=True,
                          text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_what_a_wheel_installs_replays_without_the_clone(monkeypatch, tmp_path):
    """With the compiled engine where this machine has one (`make wheel`), and with the source if that is wanted."""
    compiled = sources.find_compiled()
    if compiled:
        monkeypatch.setenv("CARDTABLE_COMPILED", str(compiled))
    install(monkeypatch, tmp_path)
    assert use(tmp_path) == f"False {compiled is not None} 0"
    assert use(tmp_path, CARDTABLE_PURE="1") == "False False 0"
    with open(tmp_path / "cardtable_project" / "firmware" / "cardtable" / "engine" / "verdict.py", "a") as file:
        file.write("# changed\n")
    assert use(tmp_path) == "False False 0", "another source than the one that was compiled"
