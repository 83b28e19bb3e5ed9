"""host_tools/base/files.py: files whole or not at all, and nothing else is replaced."""

import contextlib
import errno
import os
import stat
import subprocess
import sys
import tty
from pathlib import Path

import pytest

from host_tools.base.files import OWNERS, settle, walk, write_file, written
from host_tools.cli import run
from host_tools.club.tournament.intake import orders
from host_tools.club.tournament.rehearse import play_order
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.wire.accounts import write_secret
from host_tools.maker.enrol import Enrolment, read_uid
from host_tools.play.library import copy
from tests.conftest import ROOT
from tests.host_tools.tournament.made import begin


@pytest.mark.parametrize("code", [errno.EINVAL, errno.EIO])
@pytest.mark.parametrize("is_folder", [True, False])
def test_only_a_folder_that_its_file_system_cannot_settle_stays_unsettled(code, is_folder, tmp_path, monkeypatch):
    """Shares of a network have such folders: no record came from a table to one any more."""
    path, real = tmp_path / "game.rec", os.fsync
    path.write_bytes(b"record")

    def fsync(number):
        if stat.S_ISDIR(os.fstat(number).st_mode) == is_folder:
            raise OSError(code, os.strerror(code))
        real(number)

    monkeypatch.setattr(os, "fsync", fsync)
    with contextlib.nullcontext() if is_folder and code == errno.EINVAL else pytest.raises(OSError, match=f"{code}"):
        settle(path)


@pytest.mark.parametrize("write", [write_secret, lambda path, text: Enrolment(path, 36).take(read_uid(text))],
                         ids=["account", "deck"])
def test_what_is_nowhere_else_is_on_the_disk_before_it_replaces_the_old_file(write, tmp_path, steps):
    """A cut of the power could leave an empty file under the name: the broker's accounts, a deck that is enrolled."""
    path = tmp_path / "kept"
    path.write_bytes(b"")
    write(path, "04:A1:B2:C3")
    assert steps == ["file", "folder", "replaced"] and path.read_bytes()


@pytest.mark.parametrize("is_there", [False, True])
def test_a_copy_of_a_game_is_on_the_disk_before_the_table_may_delete_its_own(is_there, tmp_path, steps):
    """Also one that a process left that was killed before the table was told."""
    path = tmp_path / "0001.rec"
    path.write_text("cardtable 1\ngame: durak\n\n")
    library = tmp_path / "library"
    if is_there:
        copy(path, library)
        steps.clear()
    assert (library / copy(path, library)).read_bytes() == path.read_bytes()
    assert steps == [*([] if is_there else ["replaced"]), "file", "folder"]


@pytest.fixture
def steps(monkeypatch):
    """What is done for a power cut, in its order: a file or its folder is on the disk, a file takes a name."""
    found, sync, replace = [], os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda number: found.append(
        "folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file") or sync(number))
    monkeypatch.setattr(os, "replace", lambda *paths: found.append("replaced") or replace(*paths))
    return found


def test_a_device_is_written_and_stays_one():
    ours, theirs = os.openpty()
    try:
        tty.setraw(theirs)
        path = Path(os.ttyname(theirs))
        write_file(path, b"page")
        assert os.read(ours, 4) == b"page" and os.isatty(theirs) and path.is_char_device()
    finally:
        os.close(ours)
        os.close(theirs)


SAYS = """
import sys
from pathlib import Path
from host_tools.base.files import write_file
print("before")
write_file(Path(sys.argv[1]), b"page\\n")
print("after")
"""


@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/fd/1", "link"])
def test_a_log_keeps_what_stands_in_it(path, tmp_path):
    """Where standard output was a file, that file was replaced by the page."""
    log = tmp_path / "log"
    log.write_text("yesterday\n")
    (tmp_path / "link").symlink_to("/dev/stdout")
    with log.open("ab") as out:
        subprocess.run([sys.executable, "-c", SAYS, path], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
                       stdout=out, check=True)
    assert log.read_text() == "yesterday\nbefore\npage\nafter\n" and sorted(os.listdir(tmp_path)) == ["link", "log"]


@pytest.mark.parametrize("number", ["9999", "9" * 20])
def test_what_is_not_open_is_named(number):
    with pytest.raises(OSError, match=f"/dev/fd/{number}"):
        write_file(Path("/dev/fd", number), b"page")


def test_what_a_link_leads_to_is_replaced_and_no_other_file(tmp_path):
    real, link, foreign = tmp_path / "real" / "page.html", tmp_path / "page.html", tmp_path / "page.html.tmp"
    real.parent.mkdir()
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    foreign.write_text("mine")
    write_file(link, b"new")
    assert link.is_symlink() and real.read_bytes() == b"new" and real.stat().st_mode & 0o777 == 0o640
    assert foreign.read_text() == "mine" and [path.name for path in real.parent.iterdir()] == ["page.html"]
    later = tmp_path / "later"
    later.symlink_to(tmp_path / "not yet")
    write_file(later, b"first")
    assert later.is_symlink() and (tmp_path / "not yet").read_bytes() == b"first"


def test_a_folder_that_goes_away_meanwhile_is_no_news(tmp_path, monkeypatch):
    """A table makes one text of a folder of pieces when a game is over."""
    (tmp_path / "pieces").mkdir()
    (tmp_path / "one.rec").write_text("")
    real, told = os.scandir, []

    def scandir(path):
        if str(path) == str(tmp_path / "pieces"):
            raise FileNotFoundError(2, "No such file or directory", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert list(walk(tmp_path, lambda *said: told.append(said))) == [str(tmp_path / "one.rec")] and told == []


def test_a_read_only_file_is_replaced_and_stays_read_only(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    path.chmod(0o440)
    write_file(path, b"new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o440


def test_what_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    with pytest.raises(ValueError), written(path) as half:
        half.write_text("new")
        raise ValueError
    with pytest.raises(OSError, match="page.html") as full, written(path) as half:
        half.write_text("n")
        raise OSError(errno.ENOSPC, "No space left on device")  # as a write says it: without a name
    assert full.value.filename == str(path) and os.listdir(tmp_path) == ["page.html"] and path.read_text() == "old"


@pytest.mark.parametrize("name", ["none/page.html", "file/page.html", "folder", "loop", "x" * 300])
def test_what_cannot_be_written_is_named(tmp_path, name):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError) as wrong:
        write_file(tmp_path / name, b"page")
    assert wrong.value.filename == str(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder", "loop"] and (tmp_path / "loop").is_symlink()


def test_a_secret_stays_its_owners(tmp_path):
    path = tmp_path / "a.account"
    for _ in range(2):
        write_file(path, b"secret", OWNERS)
        assert path.stat().st_mode & 0o777 == OWNERS
        path.chmod(0o644)


@pytest.mark.parametrize("words", [
    ["pack", "{to}.zip", "{in}"], ["pack", "{to}.sqlite", "{in}"], ["games", "{in}", "--export", "{to}.json"],
    ["games", "{in}", "--export", "{to}.csv"], ["show", "{one}", "--at", "12", "--html", "{to}.html"],
    ["season", "{in}", "--html", "{to}.html"], ["tournament", "take", "{one}", "--database", "{cup}"],
], ids=lambda words: " ".join(words[:2]).replace("{to}", "x"))
def test_a_file_whose_name_is_no_text_is_a_file(words, tmp_path, capsys):
    director = begin(tmp_path / "cup.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    seat_round(director, "arbiter")
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    one = folder / os.fsdecode(b"caf\xe9.rec")
    one.write_bytes(play_order(orders(director)[0], 1, plan=director.plan))
    director.close()
    places = {"to": str(tmp_path / "to"), "in": str(folder), "one": str(one), "cup": str(tmp_path / "cup.sqlite")}
    code = run([word.format(**places) for word in words])
    assert code == 0, capsys.readouterr().err
    if words[-1].startswith("{to}"):
        assert "xe9" in Path(words[-1].format(**places)).read_text()
