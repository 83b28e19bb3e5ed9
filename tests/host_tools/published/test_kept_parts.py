"""What a build of the site keeps for the next one: where a power cut has left it cut, it is made again."""

import base64
import hashlib
import io
import json
import subprocess
import tarfile

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.look.published import first, npm, python_side

CUT = pytest.mark.parametrize("left", [b"", b"half"])


@pytest.fixture
def node(monkeypatch):
    """Runs no script but `node.makes`, with its words; `node.count` says how often."""

    class Node:
        count = 0

        def run(self, script, *words):
            self.count += 1
            self.makes(*words)

    fake = Node()
    for module in (first, python_side):
        monkeypatch.setattr(module, "run_node", fake.run)
    return fake


@CUT
def test_modules_that_are_cut_are_compiled_again(node, tmp_path, left):
    node.makes = lambda home, source, target, where: target.write_bytes(python_side.zip_up({"a.pyc": b"compiled"}))
    for count in (1, 1):
        assert python_side.compile_all(tmp_path, {"a.py": b"a"}, tmp_path, "beside") == {"a.pyc": b"compiled"}
        assert node.count == count
    (tmp_path / "compiled.zip").write_bytes(left)
    assert python_side.compile_all(tmp_path, {"a.py": b"a"}, tmp_path, "beside") == {"a.pyc": b"compiled"}
    assert node.count == 2


@CUT
@pytest.mark.parametrize("name", first.MADE)
def test_first_games_whose_findings_are_cut_are_played_again(node, tmp_path, name, left):
    """A half of Python that was cut was published, and no table began."""
    told = json.dumps({"files": [], "lobby": 1}).encode()
    made = {"first.wasm": b"called", "later.wasm": b"others", "told.json": told}
    node.makes = lambda home, work: [(work / one).write_bytes(content) for one, content in made.items()]
    for count in (1, 1):
        assert first._play(tmp_path, {}, {}, tmp_path) == ([], 1, (b"called", b"others"))
        assert node.count == count
    (tmp_path / name).write_bytes(left)
    assert first._play(tmp_path, {}, {}, tmp_path) == ([], 1, (b"called", b"others"))
    assert node.count == 2


@CUT
def test_what_was_pressed_and_is_cut_is_pressed_again(tmp_path, left):
    content = b"a library" * 100
    whole = python_side.press(content, tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(left)
    assert python_side.press(content, tmp_path) == whole == kept.read_bytes()
    assert python_side.unpress(whole) == content and [*tmp_path.iterdir()] == [kept]


@CUT
@pytest.mark.parametrize("name", ["one-1.0.tgz", "one-1.0/main.mjs"])
def test_a_package_that_is_cut_is_brought_or_unpacked_again(tmp_path, monkeypatch, name, left):
    def pack(command, cwd, **how):
        brought.append(command[-1])
        (cwd / "one-1.0.tgz").write_bytes(archive)
        return subprocess.CompletedProcess(command, 0, "", "")

    out, brought = io.BytesIO(), []
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        member = tarfile.TarInfo("package/main.mjs")
        member.size = 4
        tar.addfile(member, io.BytesIO(b"main"))
    archive = out.getvalue()
    package = npm.Pinned("one", "1.0", base64.b64encode(hashlib.sha512(archive).digest()).decode(), "MIT")
    monkeypatch.setattr(npm.shutil, "which", lambda name: name)
    monkeypatch.setattr(npm.subprocess, "run", pack)
    for _ in range(2):
        assert (npm.fetch(package, tmp_path) / "main.mjs").read_bytes() == b"main"
    assert brought == ["one@1.0"]
    (tmp_path / name).write_bytes(left)
    assert (npm.fetch(package, tmp_path) / "main.mjs").read_bytes() == b"main"
    assert len(brought) == (2 if name.endswith(".tgz") else 1)


def test_a_package_of_another_sum_is_refused_and_does_not_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(npm.shutil, "which", lambda name: name)
    monkeypatch.setattr(npm.subprocess, "run", lambda command, cwd, **how: (cwd / "one-1.0.tgz").write_bytes(b"other")
                        and subprocess.CompletedProcess(command, 0, "", ""))
    with pytest.raises(UnusableInput, match="is not the file that this project was tried with"):
        npm.fetch(npm.Pinned("one", "1.0", "", "MIT"), tmp_path)
    assert [*tmp_path.iterdir()] == []
