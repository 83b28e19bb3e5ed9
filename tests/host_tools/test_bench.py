"""The bench: every row is there and plausible, and is shown, written and put into the page as it was found."""

import io
import itertools
import json
import os
import random
import subprocess
import sys
from types import SimpleNamespace

import pytest
from rich.console import Console

from host_tools import cli
from host_tools.lab.bench import (
    built, engine, firmware, micropython, peer, peers, readers, records, report, run, taps, trees, workload,
    worst,
)
from host_tools.lab.bench.calibration import calibrate
from host_tools.lab.bench.results import Module, Results, Row
from host_tools.lab.bench.timing import Found, Room, rate, repeat
from host_tools.lab.commands import bench
from host_tools.base.errors import UnusableInput
from host_tools.base.interpreters import find_micropython
from host_tools.virtual.device import ROM_KB
from tests.conftest import ROOT
from tests.patience import PATIENCE_S

BLOCK = 16  # bytes: the heap gives no less
REPLAYS = ["replay: all events", "replay: accepted events", "replay: refused events"]
ENGINE = [
    "calibration loop", *REPLAYS, "parsing records",
    *[
        f"random play, {seats} seats: {what}"
        for seats in (2, 4, 6)
        for what in ("games", "decisions", "events", "decisions in a game", "deals and draws in a game")
    ],
    *[f"what options cost: {mix}" for mix in engine.MIXES],
    "memory: session of 6 seats", "memory: its peak in a whole game", "memory: one saved State",
]  # fmt: skip
PEER = ["known moves checked and made", "random play, games", "random play, decisions"]
DEVICE = [
    "calibration loop", *REPLAYS,
    *[f"random play, {seats} seats: {what}" for seats in (2, 6) for what in ("games", "decisions")],
    *[f"slowest verdict on a tap, {name}{on}" for name, _, _ in micropython.WORST for on in ("", ", on an ESP32")],
    *[f"allocation: {kind} events, {how}" for kind in ("accepted", "refused") for how in ("on average", "at most")],
    "heap: session of 6 seats",
]  # fmt: skip
READ = [f"first read of a {length}-byte UID" for length in (4, 7, 10)]
SWEEPS = ["sweep of 7, all empty", "sweep of 7, a known tag on each", "sweep of 7, a new tag on each"]
DEEDS = ["idle poll", "field on", "field off", *READ, "look again at a known 7-byte UID", *SWEEPS]
FLASH = ["compiled modules, main.py among them", "words, all languages", "the whole image, with main.py as source"]
HEAPS = ("after boot", "after boot, halved", "live at its peak", "live at its peak, halved",
         "in use at most, garbage included")
TABLE = ["heap: what the shims take, not counted below"]
for _title, _seats in (("Durak", 6), ("Malice", 2)):
    TABLE.append(f"{_title}, events of {_seats} seats")
    TABLE += [f"{_title}, pace: {what}" for what in ("reader frames", "events", "virtual time to real time")]
    TABLE += [f"{_title}, heap: {what}" for what in HEAPS]
TABLE += [f"Lobby, heap: {what}" for what in HEAPS]


def toy_results() -> Results:
    """One missed aim, one reached, one module."""
    rows = [
        Row("engine", "games", 387.123, "games/s", 300.0, 0.0708, at_least=1000),
        Row("engine", "frames", 9, "frames", at_most=9),
    ]
    return Results({"commit": "abc"}, rows, [Module("deck", 766, 2304)], ["replay", "  9 %  judge"], ["a note."])


def names(rows: list[Row]) -> list[str]:
    return [row.name for row in rows]


# --- each room ----------------------------------------------------------------------------------------------------


def test_engine_rows():
    rows = engine.measure(True)
    assert names(rows) == ENGINE
    assert {row.room for row in rows} == {engine.ROOM}
    by_name = {row.name: row for row in rows}
    for row in rows:
        assert row.value > 0, row.name
        if row.unit.endswith("/s"):
            assert row.median is not None and 0 < row.median <= row.value
            assert (row.per_calibration is None) == (row.name == "calibration loop")
    # Decisions, and beside them what chance decides: 36 cards are dealt or drawn and one may be turned.
    play = by_name["random play, 2 seats: events"].value / by_name["random play, 2 seats: games"].value
    parts = [by_name[f"random play, 2 seats: {what} in a game"].value for what in ("decisions", "deals and draws")]
    assert play == pytest.approx(sum(parts)) and 36 <= parts[1] <= 38
    assert by_name["memory: session of 6 seats"].value <= by_name["memory: its peak in a whole game"].value < 20_000
    assert by_name["replay: all events"].at_least == 100_000
    assert by_name["random play, 2 seats: games"].at_least == 1_000


def test_peer_rows():
    rows = peer.measure(True)
    assert names(rows) == [f"python-chess: {name}" for name in PEER]
    checked, games, decisions = (row.value for row in rows)
    # A game of random moves is some hundred moves long; to check a known one is less work than to list all.
    assert 50 * games < decisions < 1000 * games and decisions < checked
    assert all(row.per_calibration > 0 for row in rows)


def test_without_the_peer_its_rows_are_left_out(monkeypatch):
    monkeypatch.setattr(peer, "load", lambda: None)
    assert peer.measure(True) == []


def test_reader_rows_and_what_issue_2_allows():
    rows = readers.measure()
    whats = ("chip-select frames", "bytes on the bus", "time")
    assert names(rows) == [f"{deed}: {what}" for deed in DEEDS for what in whats]
    by_name = {row.name: row for row in rows}
    assert by_name["idle poll: chip-select frames"].at_most == 9
    assert by_name["first read of a 7-byte UID: chip-select frames"].at_most == 70
    assert [by_name[f"{sweep}: time"].at_most for sweep in SWEEPS] == [60_000, 100_000, 100_000]  # as the page says


def test_every_module_of_the_firmware_comes_behind_what_it_imports():
    found = built.module_names()
    files = [path for path in (ROOT / "firmware" / "cardtable").rglob("*.py") if path.name != "__init__.py"]
    files = [path for path in files if path.parent.name != "net"]
    assert len(found) == len(set(found)) == len(files)
    for before, after in (
        ("cardtable.engine.event", "cardtable.engine.session"),
        ("cardtable.engine.session", "cardtable.games.durak"),
        ("cardtable.drivers.font6x8", "cardtable.drivers.screen_ssd1306"),
        ("cardtable.play.seats", "cardtable.play.controller"),
    ):
        assert found.index(before) < found.index(after)


@pytest.mark.micropython
@pytest.mark.everything  # its parts are tried above and below
def test_a_whole_quick_bench(capsys, tmp_path):
    file = tmp_path / "new" / "bench.json"
    assert cli.run(["bench", "--quick", "--json", str(file)]) == cli.RIGHT
    printed = capsys.readouterr().out
    found = json.loads(file.read_text())
    rooms: dict[str, list[dict]] = {}
    for row in found["rows"]:
        rooms.setdefault(row["room"], []).append(row)
        assert row["name"] in printed
    for room, expected in (
        (engine.ROOM, ENGINE), (micropython.ROOM, DEVICE), ("firmware on flash", FLASH), (firmware.ROOM, TABLE),
    ):  # fmt: skip
        listed = [row["name"] for row in rooms[room]]
        assert [name for name in listed if not name.endswith("on 32 bits")] == expected
    assert len(rooms[peer.ROOM]) == len(PEER) and len(rooms[readers.ROOM]) == 3 * len(DEEDS)
    assert {"date", "commit", "machine", "CPython", "MicroPython", "mpy-cross"} <= set(found["about"])
    check_heap(found, {row["name"]: row["value"] for row in rooms[firmware.ROOM]})
    check_32_bits(found, rooms)


def check_heap(found: dict, table: dict[str, float]) -> None:
    """What the firmware holds: more than its modules, less than there is."""
    modules = {module["name"]: module for module in found["modules"]}
    assert len(modules) == len(built.module_names()) + 1
    for module in modules.values():
        assert 50 < module["size"] < 30_000 and 100 < module["heap"] < 60_000
    assert modules["games.durak"]["size"] > 5_000
    for title in ("Durak", "Malice"):
        boot, peak, used = (table[f"{title}, heap: {HEAPS[index]}"] for index in (0, 2, 4))
        assert 60_000 < boot <= peak <= used < 2048 * ROM_KB
        assert table[f"{title}, heap: after boot, halved"] == boot / 2
        frames, times = (table[f"{title}, pace: {what}"] for what in ("reader frames", "virtual time to real time"))
        assert frames > 100 and times > 0.05


def check_32_bits(found: dict, rooms: dict[str, list[dict]]) -> None:
    """Real bytes of 32 bits, or one line that says why there are none."""
    if micropython.ROOM_32 not in rooms:
        assert len([note for note in found["notes"] if note.startswith("Bytes on 32 bits: not at hand (")]) == 1
        assert all(module["heap_32"] is None and module["rom_32"] is None for module in found["modules"])
        return
    assert [row["name"] for row in rooms[micropython.ROOM_32]] == [
        "heap: engine and Durak imported", "heap: session of 6 seats", "heap: engine, Durak and session in a game",
    ]  # fmt: skip
    for module in found["modules"]:
        assert 200 < module["heap_32"] < 50_000
        assert 0 <= module["rom_32"] <= module["heap_32"] + BLOCK, module  # of a tiny one nothing lies in the code
    table = {row["name"]: row for row in rooms[firmware.ROOM]}
    for title in ("Durak", "Malice"):
        for name in (f"{title}, heap: after boot", f"{title}, heap: live at its peak"):
            in_rom, in_files = (table[f"{name}, {where}on 32 bits"] for where in ("", "from files, "))
            assert table[name]["value"] / 3 < in_rom["value"] < in_files["value"]
            assert in_rom["at_most"] == 1024 * ROM_KB and not in_rom["is_missed"]


# --- how it is counted --------------------------------------------------------------------------------------------


def test_the_calibration_loop_does_the_same_everywhere():
    assert calibrate(1000) == calibrate(1000) != calibrate(1001)


def test_best_and_median_of_the_repeats():
    values = iter([3.0, 9.0, 4.0])
    found = repeat(3, lambda: next(values))
    assert (found.best, found.median) == (9.0, 4.0)
    assert len(found.turns) == 3 and min(found.turns) > 1000
    assert rate(50, 1_000_000) == 50


def test_a_rate_stands_beside_a_thousand_turns_of_the_calibration_loop():
    room = Room("toy")
    room.calibration([1_000_000.0, 3_000_000.0])
    room.rate("events", Found([30_000.0, 40_000.0], [2_000_000.0, 1_500_000.0]), "events/s")
    assert [row.per_calibration for row in room.rows] == [None, 20.0]


@pytest.mark.parametrize(
    ("value", "aim", "is_missed"),
    [(99, {"at_least": 100}, True), (100, {"at_least": 100}, False), (9, {"at_most": 9}, False),
     (10, {"at_most": 9}, True), (10, {}, False)],
)  # fmt: skip
def test_an_aim_is_missed_only_beyond_it(value, aim, is_missed):
    assert Row("toy", "row", value, "events", **aim).is_missed is is_missed


def test_a_record_that_is_judged_otherwise_is_not_measured(tmp_path):
    text = engine.SIX_SEATS.read_text()
    line = next(line for line in text.splitlines() if " ! " in line)
    wrong = tmp_path / "wrong.rec"
    wrong.write_text(text.replace(line, line.partition(" ! ")[0]))
    with pytest.raises(ValueError, match="wrong.rec:[0-9]+: judged otherwise"):
        workload.read_recorded(str(wrong))


def test_on_32_bits_imports_count_as_they_are_there_and_the_rest_halved():
    modules = [Module("deck", 1, 300, 200, 90, 50), Module("main", 1, 100, 70, 10, 5), Module("unused", 1, 9, 9, 9, 9)]
    others = (1400 - 90 - 10) / 2
    assert firmware.estimate_32(1400, modules, ["cardtable.deck", "sys"]) == (50 + 5 + others, 200 + 70 + others)
    modules[0].rom_32 = None
    assert firmware.estimate_32(1400, modules, ["cardtable.deck"]) is None


def test_the_first_sample_after_boot_counts_as_boot():
    played = firmware.Played()
    played.hear("probe 900 950")
    for line in ("cardtable on virtual", "probe 100 150", "9.9 1 done", "probe 140 300", "probe 90 95"):
        played.hear(line)
    assert (played.boot, played.peak, played.most_used) == (100, 140, 300)


@pytest.mark.parametrize(
    ("present", "reason"),
    [
        ([], "node is not installed"),
        (["node"], "npm is not installed"),
        (["node", "npm"], "a quick bench fetches nothing"),
    ],
)
def test_without_the_32_bit_build_one_sentence_says_why(monkeypatch, tmp_path, present, reason):
    monkeypatch.setattr(micropython.shutil, "which", lambda name: name if name in present else None)
    monkeypatch.setattr(micropython, "NPM", tmp_path)
    assert micropython.find_webassembly(may_install=False) == reason


def test_without_a_micropython_for_this_machine_cpython_is_measured(monkeypatch):
    monkeypatch.setattr(run, "find_micropython", lambda: None)
    monkeypatch.setattr(run.engine, "measure", lambda is_quick: [Row(engine.ROOM, "calibration loop", 1e6, "turns/s")])
    results = run.measure(True, lambda what: None)
    assert run.WITHOUT_MICROPYTHON in results.notes
    assert {row.room for row in results.rows} == {engine.ROOM, peer.ROOM, readers.ROOM, taps.ROOM}
    assert results.modules == []


def test_a_tree_plays_one_record_each_way(monkeypatch):
    """The first tree's ratio is 1; quick hands take less of the table's time for the same journal."""
    monkeypatch.setattr(trees, "WAYS", (("cpython", False), ("cpython", True)))
    rows = trees.compare([ROOT], ROOT / "tests/records/durak/scenario-38_trump_blocks.rec", 1)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]
    assert [row[:3] for row in cells] == [["cpython", hands, ROOT.name]
                                          for hands in ("as the lights allow", "as the feed allows")]
    assert all(float(row[3]) > 0 and row[5] == "1.00" for row in cells)
    assert float(cells[1][4]) < 0.75 * float(cells[0][4])


def test_every_tree_runs_the_source_of_its_engine(monkeypatch, tmp_path, capsys):
    """The one has been compiled, a fresh one beside it has not; and a folder that is no tree is named."""
    seen = []

    def look(command, env, **more):
        seen.append(env[trees.PURE])
        return SimpleNamespace(returncode=0, stdout="[1.5, 60.0]")

    monkeypatch.setattr(trees.subprocess, "run", look)
    monkeypatch.delenv(trees.PURE, raising=False)
    assert trees.measure(tmp_path, ROOT / "a.rec", "cpython", True) == (1.5, 60.0) and seen == ["1"]
    for words, said in (([str(tmp_path)], "is no tree of this project"), ([str(ROOT), "--turns", "0"], "at least one")):
        with pytest.raises(SystemExit, match="2"):
            trees.main(words)
        assert said in capsys.readouterr().err


def test_the_profile_names_functions_of_the_engine():
    lines = engine.profile(4)
    assert len(lines) == 10
    assert any("games/durak.py " in line for line in lines) and not any(str(ROOT) in line for line in lines)


# --- how it is shown ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (9, "9"), (9.0, "9"), (81920, "81,920"), (387.123, "387"), (0.0708, "0.0708"), (1234.5, "1,234"),
     (999.4, "999"), (999.7, "1,000"), (-999.7, "-1,000")],
)
def test_numbers_are_short(value, text):
    assert report.number(value) == text


def test_tables_are_plain_where_there_is_no_terminal():
    out = io.StringIO()
    report.show(Console(file=out, width=160), toy_results())
    text = out.getvalue()
    assert text.isascii() and "\x1b" not in text
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert lines["games"] == ["games", "387", "300", "games/s", "0.0708", "at", "least", "1,000:", "missed"]
    assert lines["frames"] == ["frames", "9", "frames", "at", "most", "9"]
    assert lines["deck"] == ["deck", "766", "2,304"]
    assert text.rstrip().endswith("a note.")


def test_on_a_terminal_a_missed_aim_is_red():
    out = io.StringIO()
    report.show(Console(file=out, width=160, force_terminal=True, color_system="standard"), toy_results())
    red = [line for line in out.getvalue().splitlines() if "\x1b[31m" in line]
    assert len(red) == 1 and "missed" in red[0]


def test_markdown():
    lines = report.markdown(toy_results()).splitlines()
    assert "| games | 387 | 300 | games/s | 0.0708 | at least 1,000: missed |" in lines
    assert "| --- | ---: | ---: | --- | ---: | --- |" in lines
    assert "| in all | 766 | 2,304 |  |  |  |" in lines


def test_the_page_is_updated_between_its_marks_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n")
    report.update_page(page, toy_results())
    once = page.read_text()
    report.update_page(page, toy_results())
    assert page.read_text() == once
    assert once.startswith(f"before\n{report.BEGIN}\n") and once.endswith(f"{report.END}\nafter\n")
    assert "| games |" in once and "old" not in once


@pytest.mark.parametrize("text", ["", report.BEGIN, report.END + report.BEGIN])
def test_a_page_without_its_marks_is_left_as_it_is(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(UnusableInput, match="page.md: the marks"):
        report.update_page(page, toy_results())
    assert page.read_text() == text


def test_the_page_of_figures_has_its_marks_and_the_page_of_methods_explains_every_room():
    text = (ROOT / bench.PAGE).read_text()
    assert text.index(report.BEGIN) < text.index(report.END)
    methods = (ROOT / "docs/benchmarks.md").read_text()
    for room in (engine.ROOM, peer.ROOM, readers.ROOM, micropython.ROOM, firmware.ROOM, "firmware on flash"):
        assert f"\n## {room[0].upper()}{room[1:]}\n" in methods


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(UnusableInput, match="taken"):
        report.write_json(tmp_path / "taken" / "bench.json", toy_results())


def test_the_options_reach_what_they_are_for(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(run, "measure", lambda is_quick, say: toy_results())
    page = tmp_path / "page.md"
    page.write_text(f"{report.BEGIN}{report.END}")
    monkeypatch.setattr(bench, "PAGE", page)
    file = tmp_path / "bench.json"
    assert cli.run(["bench", "--markdown", "--update-docs", "--json", str(file)]) == cli.RIGHT
    printed = capsys.readouterr().out
    assert printed.strip() in page.read_text()
    assert json.loads(file.read_text())["rows"][0]["is_missed"] is True


# --- other engines, and records by the million ------------------------------------------------------------------------


def test_peers_that_are_not_installed_are_named(monkeypatch):
    """Ours and python-chess are there in any case; every row does some work."""
    for name in ("durakgame", "pyspiel", "rlcard.games.uno.game", "pokerkit", "pokers",
                 "pettingzoo.classic.leduc_holdem_v4"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(peers, "BATCH_SIZE", 8)
    found, notes = peers.gather()
    assert len(notes) == 6 and all(note.startswith(peers.MISSING) for note in notes)
    assert {one.name.split(":")[0] for one in found} == {"ours", "python-chess"}
    for game in ("durak", "cals-bs", "bailiff", "malice"):
        rows = [one for one in found if one.name.startswith(f"ours: {game}")]
        assert [one.work for one in rows] == [peers.INSIDE, peers.OUTSIDE, peers.BATCH, peers.CHECKED, peers.CHECKED]
    for one in found:
        one.turn()
        is_cut = one.work == peers.BATCH or (one.work == peers.OUTSIDE and "cals-bs" in one.name)
        assert one.rate > 0 and (one.games_rate > 0 or is_cut), one.name
    page = peers.describe(found)
    assert page[2].startswith("| ours | against") and len([line for line in page if "ours: malice" in line]) == 5


def test_a_game_that_is_left_before_its_end_counts_as_no_game(monkeypatch):
    """Its acts count; and a batch is measured once its games stand at different places, with new ones among them."""
    monkeypatch.setattr(peers, "BATCH_SIZE", 16)
    monkeypatch.setattr(peers, "OURS", (("durak throw-in", 2),))
    monkeypatch.setattr(peers, "STEPS", 5)
    begun = {one.work: one for one in itertools.islice(peers.ours(), 3)}
    assert begun[peers.OUTSIDE].run() == (0, 4 * 5)
    games = peers.batch.Games("durak throw-in", 2, 16, observes=False)
    monkeypatch.setattr(peers, "STEPS", 1000)
    peers.scatter(games)
    assert games.seeds.max() >= 31 and len(set(games.seeds.tolist())) == 16
    row = peers.Contender("ours: durak throw-in", peers.OUTSIDE, lambda: (0, 1), [0.0], [7.0], first_rate=9)
    assert "| ours: durak throw-in |  | 7 | 9 | 1.00 |" in peers.describe([row])


def test_no_game_of_ours_comes_twice_in_the_bench_of_other_engines(monkeypatch):
    """In no round and in no row but those of games that go on; and the first round counts by itself."""
    seeds = []

    def note(made):
        return lambda *said: (seeds.append(said[-1]), made(*said))[1]

    monkeypatch.setattr(peers, "OURS", (("durak simple", 2),))
    monkeypatch.setattr(peers, "batch", None)
    monkeypatch.setattr(peers, "Table", note(peers.Table))
    monkeypatch.setattr(peers, "Random", note(peers.Random))
    rows = list(peers.ours())
    for one in rows:
        one.warm_up()
        assert one.rates == one.games_rates == [] and one.first_rate > 0
        one.turn()
        one.turn()
        assert len(one.rates) == len(one.games_rates) == 2
    assert seeds == list(range(3 * (8 + 4 + 8 + 8)))


def test_games_of_pettingzoos_kind_are_played_to_their_end():
    """Ours come to the same player as its own; one that is cut off counts as none."""
    from host_tools.minds.environments.tools import CardtableAEC

    chance = random.Random(1)
    whole, decisions = peers.play_zoo(CardtableAEC("durak simple deck=24", 2), chance)
    assert whole and decisions > 10
    assert peers.play_zoo(CardtableAEC("malice", 2, event_limit=30), chance)[0] is False


def test_what_a_library_prints_past_python_goes_nowhere(capfd):
    with peers.told_to_nobody():
        os.write(1, b"Winner id: [1]")
    os.write(1, b"after it")
    assert capfd.readouterr().out == "after it"


def test_a_ratio_that_misses_its_aim_says_so():
    """An engine is held against the quickest of the others on the same side of the fence, round by round."""
    def row(name, work, games_rates, rates):
        return peers.Contender(name, work, lambda: (0, 0), games_rates, rates)

    found = [row("ours: durak throw-in, 2 seats", peers.INSIDE, [300.0] * 3, [90.0, 80.0, 100.0]),
             row("ours: durak throw-in, 2 seats", peers.OUTSIDE, [1.0] * 3, [60.0] * 3),
             row("durakgame: Durak", peers.INSIDE, [100.0] * 3, [80.0, 80.0, 80.0]),
             row("OpenSpiel: hearts", peers.INSIDE, [1.0] * 3, [50.0] * 3),
             row("OpenSpiel: go_fish", peers.INSIDE, [1.0] * 3, [100.0] * 3),
             row("OpenSpiel: hearts", peers.OUTSIDE, [1.0] * 3, [25.0] * 3)]
    assert peers.ratios(found, compiled=True) == [
        "| from outside, durak | OpenSpiel: hearts | 2.40 | 2.40 to 2.40 | 2 |",
        "| inside, durak | OpenSpiel: go_fish | 0.90 | 0.90 to 0.90 | 1: missed |",
        "| inside, durak, games | durakgame: Durak | 3.00 | 3.00 to 3.00 | 4: missed |",
        "| inside, durak, decisions | durakgame: Durak | 1.12 | 1.12 to 1.12 | 4: missed |"]
    assert [row.endswith(": missed |") for row in peers.ratios(found, compiled=False)] == [False, False, False, True]


def test_a_game_that_does_not_end_is_left_out(monkeypatch):
    def play_one(seed):
        while seed:
            pass
        return 7

    assert peers.ends_soon(play_one, 0) and not peers.ends_soon(play_one, 1)


def test_records_are_repeated_until_they_have_so_many_events(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "KINDS", ())
    found = list(records.repeat(1000))
    assert 1000 <= sum(records.count_events(one.record) for one in found) < 2000
    assert len({one.path for one in found}) == len(found)
    rows = records.measure_kinds(tmp_path, 300)
    assert [row.split(" | ")[0] for row in rows] == ["| files"]


def test_the_command_is_held_against_the_engine_alone_for_each_game(monkeypatch):
    monkeypatch.setattr(peers, "at_random", None)  # to make ready what is not measured took 50 s from source
    rows = [row.strip("| ").split(" | ") for row in records.measure_factor(2)]
    assert [game for game, *_ in rows] == ["durak", "cals-bs", "bailiff", "malice"]
    assert all(len(ratios) == 2 and min(map(float, ratios)) > 0 for _, *ratios in rows)


def test_the_same_on_games_that_are_new_in_every_round(monkeypatch, capsys):
    monkeypatch.setattr(records, "measure_factor", lambda rounds, folder: [f"{rounds} {folder}"])
    monkeypatch.setattr(sys, "argv", ["records", "new"])
    records.main()
    assert capsys.readouterr().out.endswith("40 None\n")


@pytest.mark.everything
def test_the_same_on_games_that_nobody_has_seen():
    rows = [row.strip("| ").split(" | ") for row in records.measure_fresh(3, 2, 2)]
    assert [game for game, *_ in rows] == ["durak", "cals-bs", "bailiff", "malice"]
    assert all(float(first) > 0 and float(later) > 0 for _, first, later in rows)


# --- how long a verdict takes on a device -----------------------------------------------------------------------------


@pytest.mark.micropython
def test_the_slowest_verdict_stays_within_its_budget():
    """In turns of a loop that the same process runs between: a slow or busy machine slows both. Once in three tries is
    enough, because others can only slow it down."""
    unix = micropython.Unix(find_micropython())
    for name, record, at_most in micropython.WORST:
        assert any(micropython.time_worst(unix, record)[0] <= at_most for _ in range(3)), name


def test_the_slowest_verdict_is_found_in_its_position(monkeypatch):
    """Whichever tap it is; and its time is that of the tries at last, not of the first ones."""
    path = str(ROOT / "tests" / "records" / "bailiff" / "variant-undo.rec")
    asked = []

    def time_tap(session, event, out, now):
        asked.append(event.at_ms)
        return worst.ASKED * (5 + (30 if event.at_ms == slow_ms else 0) + (100 if len(asked) == 1 else 0))

    slow_ms = workload.read_recorded(path).events[40].at_ms
    monkeypatch.setattr(worst, "time_tap", time_tap)
    monkeypatch.setattr(worst, "time_turns", lambda now: 10)
    turns, us, index = worst.find_worst(path, None)
    assert (turns, us, index) == (35 * worst.TURNS / 10, 35, 40)


def test_the_process_of_the_viewers_needs_no_firmware():
    """It is spawned without the stand-in for `micropython`."""
    script = "import sys, host_tools.lab.bench.viewers; assert 'cardtable.engine.state' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, timeout=PATIENCE_S)
