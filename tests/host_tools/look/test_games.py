"""`cardtable games`: a folder as a list: on the command line, as files, and on its page in a real browser."""

import asyncio
import contextlib
import csv
import io
import json
import os
import re
import shutil
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from host_tools import cli
from host_tools.base.workers import aside
from host_tools.minds.analysis import served as served_pages
from host_tools.minds.analysis.judge import analyse
from host_tools.look import collect, site
from host_tools.look.library import Library, export
from host_tools.play.web.serve import opened
from tests.host_tools.look.made import RECORDS, SPADES, joined, running, sealed
from tests.host_tools.look.test_watch import Watched, wait_text
from tests.patience import PATIENCE_S

HEADER = "cardtable 1\ngame: durak\nseats: A; B\ndealer: 1\n\n"


@pytest.fixture
def club(tmp_path):
    """A folder with a sealed game, one that was changed, games of all kinds, a running one, and what is no record."""
    folder = tmp_path / "club"
    folder.mkdir()
    record, _ = sealed(SPADES)
    (folder / "evening.rec").write_bytes(record)
    (folder / "changed.rec").write_bytes(record.replace(b" take\n", b" done\n", 1))
    (folder / "running.rec").write_bytes(joined(running(SPADES, 90)))
    (folder / "junk.rec").write_bytes(b"\xff\x00junk\n")
    (folder / "=SUM(A1).rec").write_bytes(SPADES.read_bytes().replace(b"table: cardtable", b"table: =1+1"))
    for path in RECORDS:
        if path.name == "game-0001.rec":
            shutil.copy(path, folder / f"{path.parent.name}.rec")
    return folder


class Site(Watched):
    """The pages of a folder, served in a thread."""

    def __init__(self, folder, language="en"):
        super().__init__()
        self.app = site.make_site(Library(folder, language))

    async def serve(self):
        self.ended = asyncio.Event()
        async with opened(self.app) as self.address:
            self.ready.set()
            await self.ended.wait()


def test_the_list_says_what_each_record_is(club, capsys):
    assert cli.run(["games", str(club), "--list"]) == 0
    said = {line.split(".rec")[0].split()[-1]: line for line in capsys.readouterr().out.splitlines()}
    assert len(said) == 9
    assert "intact" in said["evening"] and "Boris is the fool." in said["evening"]
    assert "changed" in said["changed"] and "no result yet" in said["running"] and "no UTF-8 text" in said["junk"]
    entries = {entry.name: entry.date for entry in Library(club, "en").entries()}
    assert entries["junk.rec"] == "", "B16: a record without a date has none, not that of its file"
    assert cli.run(["games", str(club), "--list", "--find", "malice"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_what_cannot_be_read_says_why_in_the_language_of_the_list(club):
    """A record that was changed, one that ends with another result, and what is no record."""
    text = SPADES.read_text()
    (club / "other.rec").write_text(text.replace("result: fool 2", "result: fool 1"))
    (club / "spoilt.rec").write_text(text.replace(" take\n", " tike\n", 1))
    attempt = next(line for line in text.splitlines() if " ! " in line)
    (club / "rule.rec").write_text(text.replace(attempt, attempt.partition(" ! ")[0] + " ! D1", 1))
    for name, more in (("twice", "result: fool 1"), ("event", "999.0 1 take"), ("text", "nonsense"), ("fine", "; x")):
        (club / f"{name}.rec").write_text(f"{text}{more}\n")
    troubles = {language: {one.name: one.trouble for one in Library(club, language).entries()}
                for language in ("en", "ru")}
    behind = text.count("\n") + 1
    for name in ("twice", "event", "text"):
        assert troubles["en"][f"{name}.rec"] == f"line {behind}: something stands behind the result"
        assert troubles["ru"][f"{name}.rec"] == f"строка {behind}: после итога в записи что-то ещё стоит"
    assert troubles["en"]["fine.rec"] == ""
    assert re.fullmatch(r"line \d+: the record says refused under D1, the engine under \w+", troubles["en"]["rule.rec"])
    assert re.fullmatch(r"строка \d+: в записи отказ D1, а по правилам отказ \w+", troubles["ru"]["rule.rec"])
    assert troubles["ru"]["junk.rec"] == "строка 1: это не текст"
    assert re.fullmatch(r"строка \d+: в записи .*, а по правилам .*", troubles["ru"]["changed.rec"])
    assert re.fullmatch(r"строка \d+: у игры не было такого итога", troubles["ru"]["other.rec"])
    assert re.fullmatch(r"строка \d+: так в записи не пишут \(.+\)", troubles["ru"]["spoilt.rec"])
    assert troubles["ru"]["evening.rec"] == "" and troubles["en"]["junk.rec"].startswith("line 1: bytes")


def test_exports_are_csv_json_and_games_to_read(club, capsys, tmp_path):
    for kind in ("csv", "json", "txt"):
        assert cli.run(["games", str(club), "--export", str(tmp_path / f"list.{kind}")]) == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "list.csv").read_text("utf-8-sig"))))
    assert (tmp_path / "list.csv").read_bytes().startswith(b"\xef\xbb\xbf"), "Excel knows it as UTF-8 then"
    assert len(rows) == 9 and "Malice (Spite and Malice)" in [row["game"] for row in rows]
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values()), "no cell is a formula"
    assert {entry["name"] for entry in json.loads((tmp_path / "list.json").read_text())} >= {"evening.rec", "junk.rec"}
    text = (tmp_path / "list.txt").read_text()
    assert '[Result "fool 2"]' in text and "Anna tried: Beat ★b with 6♦. Refused: Nothing beats a joker (D8)." in text
    assert cli.run(["games", str(club), "--export", str(tmp_path / "list.exe")]) == 2


def test_games_to_read_list_their_folder_once(club, monkeypatch):
    """And not again for each record: of ten thousand that would be a hundred million looks. A new record is found, too,
    and one that has gone is none."""
    library, count, iterdir = Library(club), [], Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: count.append(path) or iterdir(path))
    assert export(library, library.entries(), ".txt").count("[Game ") >= 5 and count == [club]
    shutil.copy(SPADES, club / "new.rec")
    assert library.record("new.rec").result == "fool 2" and len(count) == 2
    (club / "new.rec").unlink()
    assert library.record("new.rec") is None and library.record("../club/evening.rec") is None


def test_a_running_game_is_given_to_nobody_but_as_the_public_saw_it(club, monkeypatch):
    """Neither its record, nor a sheet or a replay with a hand open."""
    def get(address):
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as wrong:
            return wrong.code, wrong.read().decode()

    monkeypatch.setattr(aside, "make_process", lambda: ThreadPoolExecutor(1))  # a process of its own knows no patches
    with Site(club) as served:
        assert "Reading 9 games…" in get(f"{served.address}/")[1], "B16: before the list is there"
        game = f"{served.address}/game/running.rec"
        assert get(f"{game}/record")[0] == 404
        assert "no result yet" in get(f"{game}/sheet?line=20&as=all")[1]
        assert get(f"{game}/sheet?line=20")[0] == 200
        status, said = get(f"{game}/game.json?analyse=yes")
        assert status == 404 and "no result yet" in said
        monkeypatch.setattr(served_pages, "analyse", lambda record, *_: analyse(record, 2))  # for the test's time
        assert json.loads(get(f"{served.address}/game/evening.rec/game.json?analyse=yes")[1])["judged"]["lines"]
        frames = json.loads(get(f"{game}/game.json")[1])
        assert frames["readers"] == ["public"]
        assert not [pile for frame in frames["views"]["public"]["frames"] for pile in frame.get("piles", ())
                    if pile["kind"] == "hand" and pile["cards"]]
        assert get(f"{served.address}/game/evening.rec/record")[0] == 200
        for path in ("/game/..%2f..%2fetc%2fpasswd/record", "/game/none.rec/", "/game/junk.rec/game.json",
                     "/game/evening.rec/sheet?line=x", "/game/evening.rec/sheet?line=1", "/page/..%2f..%2fcli.py"):
            assert get(served.address + path)[0] in (400, 403, 404), path


@pytest.mark.browser
def test_search_filter_sort_and_open(window, club):
    with Site(club) as served:
        page = window.open(served.address)
        page.wait_for_selector("[data-game='evening.rec']")
        assert page.locator("tbody tr").count() == 9
        page.keyboard.press("/")
        page.keyboard.type("boris fool")
        wait_text(page, "#count", "3 games")
        page.locator("#find").fill("")
        page.locator("#kind").select_option("cals-bs")
        wait_text(page, "#count", "1 games")
        page.locator("#kind").select_option("")
        page.locator("th[data-by=result] button").click()
        page.wait_for_selector("th[data-by=result][aria-sort=ascending]")
        page.locator("[data-game='evening.rec'] [data-act=view]").click()
        page.wait_for_selector("#event .words")
        page.keyboard.press("r")
        page.wait_for_selector("#event[data-verdict=refused]")
        page.wait_for_selector("[data-card]:not([data-card=back]) img")
        page.locator("[data-act=sheet]").click()
        page.wait_for_selector("p.verdict.no")
        phone = window.open(served.address, (390, 844), touch=True)
        phone.wait_for_selector("[data-game='evening.rec']")
        assert phone.evaluate("document.body.scrollWidth") <= 390
        window.close()


def test_records_get_names_of_table_date_and_number_and_nothing_is_overwritten(tmp_path):
    record = b"cardtable 1\ngame: durak\nseats: A; B\ndealer: 1\ntable: ../x y\nstarted: 2026-11-21T18:00:00Z\n\n"
    said = []
    for number, content in enumerate((record, record, record + b"; 2\n")):
        path = tmp_path / "0007.rec"
        path.write_bytes(content)
        collect.put(path, tmp_path / "club", said.append)
        assert len(said) == (1, 1, 2)[number]
    names = sorted(path.name for path in (tmp_path / "club").iterdir())
    assert names == ["x-y-2026-11-21-0007-2.rec", "x-y-2026-11-21-0007.rec"]
    assert collect.name_of(b"junk", "0003") == "table-0003"


@pytest.mark.parametrize("fails", [False, True])
def test_a_folder_without_hard_links_takes_records_and_a_full_one_stops_no_other_table(tmp_path, monkeypatch, fails):
    """FAT and exFAT have none. Nothing is left of a record that could not be written."""
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    if fails:
        monkeypatch.setattr(Path, "write_bytes", refuse)
    said = []
    monkeypatch.setattr(collect, "Table", lambda port: contextlib.nullcontext(SimpleNamespace(stop=lambda: None)))

    def pull(table, passing, wants_all, tell, kept):
        (passing / "0001.rec").write_text(HEADER)
        kept(passing / "0001.rec")

    monkeypatch.setattr(collect, "pull", pull)
    assert collect.collect(["one", "two"], tmp_path / "club", True, said.append) == (2 if fails else 0)
    assert len(said) == (2 if fails else 1)
    assert [path.read_text() for path in (tmp_path / "club").iterdir()] == ([] if fails else [HEADER])


def test_a_record_has_its_name_once_it_is_whole(tmp_path, monkeypatch):
    """An empty one stayed where somebody ended the program as it wrote, and the record came beside it as a second one.
    A file that comes meanwhile stays."""
    def interrupt(*_):
        raise KeyboardInterrupt

    def come_first(path, data, write=Path.write_bytes):
        (tmp_path / "club" / "table-0001.rec").write_text("another")
        return write(path, data)

    (tmp_path / "0001.rec").write_text(HEADER)
    for write, wrong, there in ((interrupt, KeyboardInterrupt, []), (come_first, FileExistsError, ["another"])):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", write)
            with pytest.raises(wrong):
                collect.put(tmp_path / "0001.rec", tmp_path / "club", print)
        assert [path.read_text() for path in (tmp_path / "club").iterdir()] == there


def test_who_looks_into_the_folder_meanwhile_finds_a_whole_record(tmp_path, monkeypatch):
    """A director at that folder read an empty one, and so did a test on a busy machine."""
    seen = []
    link, replace = os.link, os.replace

    def look(do, *paths):
        seen.extend(path.read_text() for path in (tmp_path / "club").glob("*.rec"))
        do(*paths)

    monkeypatch.setattr(os, "link", lambda *paths: look(link, *paths))
    monkeypatch.setattr(os, "replace", lambda *paths: look(replace, *paths))
    (tmp_path / "0001.rec").write_text(HEADER)
    kept = collect.put(tmp_path / "0001.rec", tmp_path / "club", print)
    assert seen == [HEADER]
    assert list((tmp_path / "club").iterdir()) == [kept] and kept.read_text() == HEADER
