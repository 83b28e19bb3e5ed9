"""Packs that unpack to far more than they are: each ends in one sentence that names the member, with little memory.

How much is read is counted in bytes, not in seconds: what a bomb costs is what is unpacked of it.
"""

import bz2
import gzip
import io
import lzma
import os
import sqlite3
import tarfile
import tracemalloc
import zipfile

import pytest
import zstandard

from host_tools.base.errors import UnusableInput
from host_tools.judge.replay import bounded
from host_tools.judge.replay.bounded import Budget, TooMuch
from host_tools.judge.replay.sources import find_records, pack, read_pack

ZERO = bytes(1 << 20)
RECORD = b"cardtable 1\n"


def write_bomb(path, opener, name="zeros.rec", megabytes=600):
    """A tar with one record and one member of so many MB of zeros."""
    with opener(path, "wb") as file:
        for member, size in (("good.rec", len(RECORD)), (name, megabytes << 20)):
            header = tarfile.TarInfo(member)
            header.size = size
            file.write(header.tobuf())
            if member == "good.rec":
                file.write(RECORD.ljust(512, b"\0"))
        for _ in range(megabytes):
            file.write(ZERO)
        file.write(bytes(1024))


def unpacked(monkeypatch):
    """How many bytes each pack spends of its budget."""
    spent = []
    spend = Budget.spend

    def count(budget, number):
        spent.append(number)
        spend(budget, number)

    monkeypatch.setattr(Budget, "spend", count)
    return spent


@pytest.mark.parametrize("kind", ["xz", "gz", "bz2", "zst"])
@pytest.mark.parametrize("name", ["zeros.rec", "zeros.bin"])
def test_r10_a_bomb_ends_where_its_member_begins(kind, name, tmp_path, monkeypatch):
    """92 KB of xz unpacked for minutes; nothing of the member is unpacked now, record or not."""
    openers = {"xz": lzma.open, "gz": gzip.open, "bz2": bz2.open, "zst": zstandard.open}
    path = tmp_path / f"bomb.tar.{kind}"
    write_bomb(path, openers[kind], name, megabytes=20)
    spent = unpacked(monkeypatch)
    good, bad = find_records([str(path)])
    assert good.record == RECORD and not good.trouble
    assert bad.trouble.startswith(f"{name} has {20 << 20} bytes, ") and sum(spent) < 100_000


def test_r10_a_tar_that_says_less_than_it_has_ends_as_well(tmp_path, monkeypatch):
    """A long name of 40 MB is read before its member is known."""
    header = tarfile.TarInfo("././@LongLink")
    header.size, header.type = 40 << 20, tarfile.GNUTYPE_LONGNAME
    path = tmp_path / "name.tar.gz"
    with gzip.open(path, "wb") as file:
        file.write(header.tobuf())
        for _ in range(40):
            file.write(ZERO)
    spent = unpacked(monkeypatch)
    (bad,) = find_records([str(path)])
    assert "its first member has more than" in bad.trouble and sum(spent) < 2 * bounded.MEMBER_LIMIT


def many(path):
    """A tar.xz with 40 members of 1 MB each, from a few kilobytes."""
    with tarfile.open(path, "w:xz") as archive:
        for number in range(40):
            header = tarfile.TarInfo(f"{number}.rec")
            header.size = 1 << 20
            archive.addfile(header, io.BytesIO(ZERO))


def test_r10_all_members_together_have_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(bounded, "PACK_LIMIT", 8 << 20)
    monkeypatch.setattr(bounded, "RATIO", 1)
    many(tmp_path / "many.tar.xz")
    *good, bad = find_records([str(tmp_path / "many.tar.xz")])
    assert 6 <= len(good) <= 8 and bad.trouble == (
        f"unpacks to more than 1 times its size; {len(good)}.rec and what comes after it are not read")


def test_r10_a_member_has_its_time(tmp_path, monkeypatch):
    monkeypatch.setattr(bounded, "MEMBER_S", -1.0)
    many(tmp_path / "many.tar.xz")
    (bad,) = find_records([str(tmp_path / "many.tar.xz")])
    assert "takes more than" in bad.trouble


def test_r10_the_time_is_that_of_reading_and_not_of_who_asks(tmp_path, monkeypatch):
    """Records that are replayed for an hour do not make the pack late."""
    now_s = [0.0]
    monkeypatch.setattr(bounded.time, "monotonic", lambda: now_s[0])
    many(tmp_path / "many.tar.xz")
    names = []
    for name, _ in read_pack(str(tmp_path / "many.tar.xz")):
        names.append(name)
        now_s[0] += 3600.0
    assert len(names) == 40


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_r10_a_zip_bomb_is_one_sentence_and_little_memory(method, tmp_path):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", method) as archive, archive.open("zeros.rec", "w") as file:
        for _ in range(40):
            file.write(ZERO)
    tracemalloc.start()
    (bad,) = find_records([str(path)])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "zeros.rec" in f"{bad.path}: {bad.trouble}" and bad.trouble and peak < 3 * bounded.MEMBER_LIMIT


def test_r10_a_view_that_goes_on_for_ever_is_no_table(tmp_path):
    base = sqlite3.connect(tmp_path / "endless.sqlite")
    base.execute("create view records as with recursive n(i) as (select 1 union all select i + 1 from n)"
                 " select i as name, 'x' as record from n where i < 0")
    base.close()
    (bad,) = find_records([str(tmp_path / "endless.sqlite")])
    assert bad.trouble == "cannot be read: it has no table records"


def test_r10_a_question_that_takes_too_long_is_ended(tmp_path, monkeypatch):
    """The clock is looked at between steps of SQLite, also where no row comes."""
    base = sqlite3.connect(tmp_path / "slow.sqlite")
    base.execute("create table records (name text, record blob)")
    base.executemany("insert into records values (?, ?)", [("a.rec", b"x")] * 2000)
    base.commit()
    base.close()
    monkeypatch.setattr(bounded, "MEMBER_S", -1.0)
    monkeypatch.setattr(bounded, "_STEPS", 10)
    *_, bad = find_records([str(tmp_path / "slow.sqlite")])
    assert bad.trouble == "cannot be read: interrupted"


def test_a_pipe_with_the_name_of_a_pack_is_no_pack(tmp_path):
    os.mkfifo(tmp_path / "a.tar.xz")
    (bad,) = find_records([str(tmp_path / "a.tar.xz")])
    assert "is not a file that can be read" in bad.trouble


def test_a_budget_knows_its_member():
    budget = Budget(0)
    budget.begin("one.rec")
    with pytest.raises(TooMuch, match="^one.rec has more than 16777216 bytes; what comes after it is not read$"):
        budget.spend(2 * bounded.MEMBER_LIMIT)


@pytest.mark.parametrize("kind", ["zip", "tar", "sqlite"])
def test_every_record_that_is_packed_is_found_again(kind, tmp_path):
    """Whatever its file was called."""
    for name in ("a.rec", "b.txt", "c"):
        (tmp_path / name).write_bytes(RECORD)
    target = tmp_path / f"all.{kind}"
    assert pack(target, find_records([str(tmp_path / name) for name in ("a.rec", "b.txt", "c")])) == 3
    assert [found.trouble for found in find_records([str(target)])] == ["", "", ""]


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "sqlite"])
def test_two_records_of_one_name_are_refused(kind, tmp_path, monkeypatch):
    """Unpacked, one of them would be lost. No half of a pack is left."""
    for name in ("a", "a.rec", "games/1.rec", "south/games/1.rec"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(RECORD)
    monkeypatch.chdir(tmp_path / "south")
    pairs = [("games/1.rec", "../games/1.rec"), *([("../a", "../a.rec")] if kind != "sqlite" else [])]
    for pair in pairs:
        with pytest.raises(UnusableInput, match="two records have one name: "):
            pack(tmp_path / f"all.{kind}", find_records(pair))
    assert not [path for path in tmp_path.iterdir() if "all" in path.name or path.suffix == ".tmp"]


def test_a_pack_that_is_given_twice_is_read_once(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.rec", RECORD)
    assert [found.path for found in find_records([str(path), f"{tmp_path}/./a.zip"])] == [f"{path}:a.rec"]


def write_odd_packs(folder):
    """Packs that Python's readers end in ValueErrors on, and struct errors."""
    for name, said in (("map", {"GNU.sparse.map": "x,y"}), ("size", {"GNU.sparse.size": "x"}),
                       ("minor", {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}), ("uid", {"size": "9" * 400})):
        with tarfile.open(folder / f"{name}.tar", "w", format=tarfile.PAX_FORMAT) as archive:
            header = tarfile.TarInfo("a.rec")
            header.size, header.pax_headers = len(RECORD), said
            archive.addfile(header, io.BytesIO(RECORD))
    with zipfile.ZipFile(folder / "name.zip", "w") as archive:
        archive.writestr("a\u00e9.rec", RECORD)
    odd = (folder / "name.zip").read_bytes().replace("\u00e9".encode(), b"\xff\xfe")
    (folder / "name.zip").write_bytes(odd)


def test_a_pack_that_no_reader_expects_is_one_sentence(tmp_path):
    """And what stands beside it is read all the same."""
    (tmp_path / "good.rec").write_bytes(RECORD)
    write_odd_packs(tmp_path)
    for path in sorted(tmp_path.glob("*.*")):
        good = str(tmp_path / "good.rec")
        found = list(find_records([str(path), good]))
        assert found[-1].path == good, path
        assert path.suffix == ".rec" or found[0].trouble.startswith("cannot be read: ") or path.name == "uid.tar", path
