"""Where the site is written: nothing but a site goes for it, and the one that is there goes last."""

import json
import os
from pathlib import Path

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.look.published import build

FILES = {"index.html": b"<p>", "play/index.html": b"<p>", "play/python/one.bin": b"1"}


@pytest.fixture
def make(monkeypatch, tmp_path):
    """Makes a small site in a folder."""
    monkeypatch.setattr(build, "WORK", tmp_path / "work")
    monkeypatch.setattr(build, "make_files", lambda: dict(FILES))
    monkeypatch.setattr(build, "find_in_clone", lambda name: None)
    return build.build


def list_files(folder):
    """What lies there."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


@pytest.mark.parametrize("mark", ['{"title": "my own pages"}', '["index.html"]', "no JSON", "[" * 100_000])
def test_a_foreign_folder_with_a_file_of_that_name_stays(make, tmp_path, mark):
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / build.MARK).write_text(mark)
    (folder / "thesis.txt").write_text("three years of work")
    with pytest.raises(UnusableInput, match="is there and is no site"):
        make(folder)
    assert list_files(folder) == [build.MARK, "thesis.txt"] and (folder / ".git").is_dir()


@pytest.mark.parametrize("name", ["thesis.txt", "play/notes.txt", ".git/HEAD", "empty/"])
def test_a_site_in_which_something_else_lies_stays(make, tmp_path, name):
    make(tmp_path / "site")
    more = tmp_path / "site" / name
    (more if name.endswith("/") else more.parent).mkdir(parents=True, exist_ok=True)
    if not name.endswith("/"):
        more.write_text("mine")
    with pytest.raises(UnusableInput, match=f"{name.strip('/')} is not of the site"):
        make(tmp_path / "site")
    assert more.exists() and (tmp_path / "site" / "index.html").exists()


def test_a_site_is_made_again_and_its_list_is_of_its_files(make, tmp_path, monkeypatch):
    """What it does not have any more is gone; an empty folder serves, too."""
    folder = tmp_path / "site"
    folder.mkdir()
    make(folder)
    assert list_files(folder) == sorted([*FILES, build.MARK])
    assert json.loads((folder / build.MARK).read_text()).keys() == FILES.keys()
    monkeypatch.setattr(build, "make_files", lambda: {"index.html": b"<h1>"})
    make(folder)
    assert list_files(folder) == ["index.html", build.MARK] and sorted(os.listdir(tmp_path)) == ["site", "work.lock"]


def test_a_site_whose_writing_broke_off_is_served_on_and_can_be_made_again(make, tmp_path, monkeypatch):
    folder = tmp_path / "site"
    make(folder)
    write, count = Path.write_bytes, []

    def full(self, content):
        count.append(self)
        if len(count) == 2:
            raise OSError(28, "No space left on device", str(self))
        return write(self, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        make(folder)
    assert list_files(folder) == sorted([*FILES, build.MARK]) and sorted(os.listdir(tmp_path)) == ["site", "work.lock"]
    make(folder)
    assert list_files(folder) == sorted([*FILES, build.MARK])
