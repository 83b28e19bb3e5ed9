"""`cardtable backup` and `restore`: what comes back is what was there, also while a table and a director work."""

import json
import os
import stat
import threading
import zipfile
from pathlib import Path

import pytest

from host_tools.cli import run
from host_tools.club import keeping
from host_tools.club.keeping import Things, backup, read_folder, restore
from host_tools.club.tournament.director import open_director
from host_tools.base.errors import UnusableInput
from tests.host_tools.tournament.made import begin, play_round
from tests.patience import PATIENCE_S


@pytest.fixture
def club(tmp_path):
    """A folder of games with a running table, a tournament, and keys."""
    for name, content in {"games/one.rec": b"1", "games/table-8137/flash/journal/3": b"\0x", "games/lock": b"",
                          "games/half.tmp": b"half", "keys/accounts.json": b"{}", "keys/broker.pem": b"key"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    director = begin(tmp_path / "cup.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    play_round(director)
    yield tmp_path, director
    director.close()


def test_what_was_kept_comes_back_and_replaces_nothing(club, capsys, monkeypatch):
    folder, director = club
    monkeypatch.chdir(folder)
    assert run(["backup", "all.zip", "--games", "games", "--database", "cup.sqlite", "--keys", "keys"]) == 0
    told = f"all.zip: 2 files of games, 2 files of keys, {director.state.last} events, 1 records\n"
    assert capsys.readouterr().out == told
    assert stat.S_IMODE(os.stat("all.zip").st_mode) == 0o600, "it holds keys"
    new = ["--games", "new/games", "--database", "new/cup.sqlite", "--keys", "new/keys"]
    assert run(["restore", "all.zip", *new]) == 0
    assert read_folder(folder / "new" / "games") == {"one.rec": b"1", "table-8137/flash/journal/3": b"\0x"}
    assert read_folder(folder / "new" / "keys") == read_folder(folder / "keys")
    again = open_director("new/cup.sqlite")
    assert again.standings() == director.standings() and again.state.last == director.state.last
    again.close()
    for words, says in ((["restore", "all.zip", *new], "replaces nothing"),
                        (["backup", "all.zip", "--keys", "keys"], "replaces nothing"),
                        (["backup", "x.zip"], "name what to keep"), (["restore", "cup.sqlite", *new[:2]], "already"),
                        (["restore", "cup.sqlite", "--keys", "new2"], "no backup"),
                        (["restore", os.devnull, "--keys", "new2"], "it is no file"),
                        (["backup", "x.zip", "--games", "nowhere"], "no such folder")):
        capsys.readouterr()
        assert run(words) == 2 and says in capsys.readouterr().err, words
    assert sorted(path.name for path in (folder / "new").iterdir()) == ["cup.sqlite", "games", "keys"]
    backup(Things(keys=folder / "keys"), folder / "keys.zip")
    with pytest.raises(UnusableInput, match="holds no games"):
        restore(folder / "keys.zip", Things(games=folder / "other"))


@pytest.mark.parametrize("change", ["content", "longer", "missing", "path", "list", "newer", "cut"])
def test_a_backup_that_was_changed_brings_nothing(club, change):
    folder, _ = club
    backup(Things(games=folder / "games"), folder / "good.zip")
    with zipfile.ZipFile(folder / "good.zip") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    told = json.loads(members[keeping.LIST])
    if change in ("content", "longer"):
        members["games/one.rec"] = b"2" if change == "content" else b"1" * 1000
    if change == "missing":
        del members["games/one.rec"]
    if change == "path":
        told["files"]["games/../../evil"] = [1, "0"]
    if change == "newer":
        told["format"] = "cardtable backup 2"
    members[keeping.LIST] = b"[]" if change == "list" else json.dumps(told).encode()
    with zipfile.ZipFile(folder / "bad.zip", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    if change == "cut":
        (folder / "bad.zip").write_bytes((folder / "good.zip").read_bytes()[:-40])
    with pytest.raises(UnusableInput):
        restore(folder / "bad.zip", Things(games=folder / "new"))
    assert not (folder / "new").exists() and not list(folder.glob(".restored-*"))
    assert not (folder.parent / "evil").exists()


def test_a_backup_is_of_one_moment_while_a_director_and_a_table_work(club, monkeypatch):
    """A table writes two files of its folder in turn, one after the other; a director takes events in all the while."""
    monkeypatch.setattr(keeping, "READINGS", 10_000)  # no table writes as often
    folder, director = club
    begun, ended = threading.Event(), threading.Event()
    pair = [folder / "games" / "table-8137" / name for name in ("a", "b")]

    def work():
        at = 0
        while not ended.is_set():
            at += 1
            for path in pair:
                path.with_suffix(".tmp").write_text(str(at))
                os.replace(path.with_suffix(".tmp"), path)
            director.act("test", "player added", name=f"Player {at}", club="", team="", has_paid=True)
            begun.set()

    begun_at = director.state.last
    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert begun.wait(PATIENCE_S)
        for at in range(3):
            backup(Things(folder / "games", str(folder / "cup.sqlite")), folder / f"{at}.zip")
    finally:
        ended.set()
        worker.join()
    lasts = []
    for at in range(3):
        place = folder / f"again{at}"
        counts = restore(folder / f"{at}.zip", Things(place / "games", str(place / "cup.sqlite")))
        one, other = (int((place / "games" / "table-8137" / path.name).read_text()) for path in pair)
        assert 0 <= one - other <= 1, "a moment between two writes"
        again = open_director(str(place / "cup.sqlite"))
        assert again.state.last == counts["events"] and f"Player {again.state.last - begun_at}" in again.state.players
        lasts.append(again.state.last)
        again.close()
    assert lasts == sorted(lasts) and director.state.last >= lasts[-1] > 4


def test_a_folder_that_never_rests_is_said(tmp_path, monkeypatch):
    (tmp_path / "x").write_text("1")
    count = iter(range(10**6))
    monkeypatch.setattr(keeping, "read_once", lambda folder: {"x": str(next(count)).encode()})
    with pytest.raises(UnusableInput, match="between two games"):
        read_folder(tmp_path)


def test_a_folder_that_cannot_be_read_or_is_a_link_is_said(club, monkeypatch, capsys):
    """Whole or not there: what lay in it would be missing after the evening."""
    folder, _ = club
    locked, real = folder / "games" / "table-8137", os.scandir

    def scandir(path):
        if str(path) == str(locked):
            raise PermissionError(13, "Permission denied", str(locked))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    for words in (["backup", str(folder / "x.zip"), "--games"], ["match"], ["season"]):
        assert run([*words, str(folder / "games")]) == 2
        assert capsys.readouterr().err == f"{locked}: Permission denied\n", words
    monkeypatch.undo()
    (folder / "games" / "other").symlink_to(folder / "keys")
    for words in (["backup", str(folder / "x.zip"), "--games"], ["match"], ["season"]):
        assert run([*words, str(folder / "games")]) == 2 and "other: a link to a folder" in capsys.readouterr().err
    assert not (folder / "x.zip").exists() and not list(folder.glob(".*"))


def test_a_linked_file_is_kept_and_a_name_that_is_no_text_is_said(club):
    folder, _ = club
    (folder / "games" / "two.rec").symlink_to(folder / "keys" / "broker.pem")
    assert read_folder(folder / "games")["two.rec"] == b"key"
    (folder / "games" / "three.rec").symlink_to(folder / "nowhere")
    with pytest.raises(UnusableInput, match="three.rec: a link that leads to no file"):
        backup(Things(folder / "games"), folder / "x.zip")
    (folder / "games" / "three.rec").unlink()
    (folder / "games" / os.fsdecode(b"caf\xe9.rec")).write_bytes(b"1")
    with pytest.raises(UnusableInput, match="no UTF-8 text"):
        backup(Things(folder / "games"), folder / "x.zip")
    assert not (folder / "x.zip").exists()


def test_a_restore_goes_into_the_folder_it_stands_in_and_through_a_link(club, monkeypatch):
    folder, _ = club
    backup(Things(folder / "games", str(folder / "cup.sqlite"), folder / "keys"), folder / "all.zip")
    (folder / "here").mkdir()
    (folder / "disk").mkdir()
    (folder / "link").symlink_to(folder / "disk")
    monkeypatch.chdir(folder / "here")
    restore(folder / "all.zip", Things(Path("."), str(folder / "far" / "cup.sqlite"), folder / "link"))
    assert sorted(os.listdir()) == ["one.rec", "table-8137"] and (folder / "link").is_symlink()
    assert read_folder(folder / "disk") == read_folder(folder / "keys") and (folder / "far" / "cup.sqlite").exists()


def test_a_restore_that_fails_leaves_nothing_and_can_be_said_again(club, capsys):
    folder, director = club
    backup(Things(folder / "games", str(folder / "cup.sqlite"), folder / "keys"), folder / "all.zip")
    (folder / "empty").mkdir()
    wanted = ["restore", str(folder / "all.zip"), "--games", str(folder / "empty"),
              "--keys", str(folder / "new" / "keys"), "--database"]
    assert run([*wanted, str(folder / "cup.sqlite")]) == 2 and "has a tournament already" in capsys.readouterr().err
    assert os.listdir(folder / "empty") == [] and not (folder / "new" / "keys").exists()
    assert run([*wanted, str(folder / "again.sqlite")]) == 0
    again = open_director(str(folder / "again.sqlite"))
    assert again.state.last == director.state.last and read_folder(folder / "empty") == read_folder(folder / "games")
    again.close()


def test_a_tournament_alone_is_unpacked_beside_its_place(club, monkeypatch):
    folder, _ = club
    backup(Things(database=str(folder / "cup.sqlite")), folder / "cup.zip")
    places = []
    made = keeping.tempfile.TemporaryDirectory
    monkeypatch.setattr(keeping.tempfile, "TemporaryDirectory",
                        lambda **more: places.append(more["dir"]) or made(**more))
    restore(folder / "cup.zip", Things(database=str(folder / "far" / "cup.sqlite")))
    assert places == [folder / "far"] and os.listdir(folder / "far") == ["cup.sqlite"]


def test_an_empty_folder_comes_back_empty(club):
    folder, _ = club
    (folder / "none").mkdir()
    backup(Things(folder / "none", keys=folder / "keys"), folder / "all.zip")
    assert restore(folder / "all.zip", Things(folder / "new" / "games", keys=folder / "new" / "keys"))["games"] == 0
    assert os.listdir(folder / "new" / "games") == []
    with zipfile.ZipFile(folder / "all.zip") as archive, zipfile.ZipFile(folder / "old.zip", "w") as old:
        for name in archive.namelist():  # as an older cardtable wrote it
            told = json.loads(archive.read(name)) if name == keeping.LIST else {}
            told.pop("kinds", None)
            old.writestr(name, json.dumps(told) if told else archive.read(name))
    assert restore(folder / "old.zip", Things(keys=folder / "old" / "keys"))["keys"] == 2
    with pytest.raises(UnusableInput, match="holds no games"):
        restore(folder / "old.zip", Things(folder / "old" / "games"))
