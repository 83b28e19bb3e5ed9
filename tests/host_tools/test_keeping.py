"""`cardtable backup` and `restore`: what comes back is what was there, also while a table and a director work."""

import json
import os
import stat
import threading
import zipfile

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
