"""From tap to light: what it takes when computing takes time, held to half as much again as was measured."""

from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from boards import virtual
from cardtable.table import screen
from host_tools.base.project import ROOT
from host_tools.cli import cardtable
from host_tools.lab.bench import taps
from host_tools.lab.bench.taps import GAMES, SHARES, Watch, list_boards, measure, measure_taps, worst_of
from host_tools.virtual.computing import COLLECT, NS
from host_tools.virtual.world import World

RUNS_ON = "cpython"  # the device inside this Python
LINES = dict(GAMES)
BUDGET = 1.5  # times what docs/figures.md has


def read_figures():
    """By game and board: ms of the slowest tap, of each share, and with a collection, as the page has them."""
    page = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8").partition("## From tap to light")[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.partition("\n## ")[0].splitlines()
            if line.startswith("|")]
    assert rows[0][4:-1] == list(SHARES)
    return {(name, board): [int(cell) for cell in cells] for name, board, _, *cells in rows[2:]}


def test_the_shares_make_the_tap():
    """Nothing is counted twice, and nothing is left out; without a collection none is charged."""
    _, found = measure_taps("virtual", LINES["malice"], taps=3)
    assert len(found) == 3
    for tap in found:
        shares = dict(zip(SHARES, tap.shares, strict=True))
        assert abs(sum(tap.shares) - tap.us) < 3_000, tap
        assert shares["gc"] == 0 and min(shares["sweep"], shares["debounce"]) >= 0
        assert min(shares["interpreter"], shares["journal"], shares["light"], shares["held"]) > 0


def test_what_is_charged_while_a_reader_is_waited_for_is_no_part_of_that_wait():
    """A hidden line is written before the card is read: 20 ms of the journal, and not of the sweep as well."""
    clock = SimpleNamespace(now_us=0)
    computing = SimpleNamespace(spent_us={"interpreter": 0, "gc": 0, "journal": 0}, clock=clock, cost_us=int)
    watch = Watch(SimpleNamespace(readers=[]), computing)
    watch.world.now_us = 150_000
    watch.begin(1)
    for at_us, mark, charged in ((70_000, 1, {"journal": 20_000}), (100_000, 2, {"interpreter": 5_000}),
                                 (145_000, 3, {"journal": 20_000, "gc": 3_000})):
        clock.now_us = at_us
        for name, us in charged.items():
            computing.spent_us[name] += us
        if mark < 3:
            watch.mark(mark)
    tap = watch.end(light_us=300)
    shares = dict(zip(SHARES, tap.shares, strict=True))
    assert shares == {"sweep": 50_000, "debounce": 25_000, "interpreter": 5_000, "gc": 3_000, "journal": 40_000,
                      "light": 300, "held": 26_700}
    assert sum(tap.shares) == tap.us == 150_000


def test_a_collection_and_a_slower_board_are_charged(monkeypatch):
    """A collection takes what the emulated one took; a board file may say that all takes three times as long."""
    usual = worst_of("virtual", LINES["malice"], taps=2)[1]
    monkeypatch.setattr(virtual, "COMPUTING", 3.0, raising=False)
    slow = worst_of("virtual", LINES["malice"], collects=True, taps=2)[1]
    at = SHARES.index
    assert slow.shares[at("gc")] == round(3 * COLLECT * NS / 1000)
    assert slow.shares[at("interpreter")] > 2 * usual.shares[at("interpreter")]


def test_no_screen_is_written_while_a_card_is_on_its_way(monkeypatch):
    """Seven screens on one bus once made a tap take 518 ms: lines, 12 ms each, went between the two reads of a card."""
    written_us, ways = [], []
    write, end = World.i2c_write, taps.Watch.end

    def see(self, scl, address, data, now_us):
        written_us.append(now_us)
        return write(self, scl, address, data, now_us)

    def keep(self, light_us):
        ways.append((self.marks[1][0], self.marks[2][0]))
        return end(self, light_us)

    monkeypatch.setattr(screen, "REMIND_TURNS", 16)  # all is sent again and again, not every four seconds
    monkeypatch.setattr(World, "i2c_write", see)
    monkeypatch.setattr(taps.Watch, "end", keep)
    measure_taps("esp32s3_7seat", LINES["malice"], taps=6)
    assert len(ways) == 6 and len(written_us) > 100
    assert not [us for us in written_us for read_us, believed_us in ways if read_us < us < believed_us]


@pytest.mark.parametrize(("name", "board"), [
    ("malice", "virtual"),
    *[pytest.param(name, board, marks=pytest.mark.everything) for name, _ in GAMES for board in list_boards()],
])
def test_a_tap_has_its_light_within_its_budget(name, board):
    """With a collection of garbage on the way, too."""
    whole_ms, *_, collected_ms = read_figures()[name, board]
    for collects, published_ms in ((False, whole_ms), (True, collected_ms)):
        tap = worst_of(board, LINES[name], collects, taps=8)[1]
        assert tap.us < 1000 * BUDGET * published_ms, tap


def test_each_game_and_board_has_a_row_with_its_shares():
    """The shares make the whole, and rows beyond the aims are Durak's at tables of seven."""
    figures = read_figures()
    assert set(figures) == {(name, board) for name, _ in GAMES for board in list_boards()}
    for (name, board), (whole_ms, *shares, collected_ms) in figures.items():
        assert abs(sum(shares) - whole_ms) <= 4, (name, board)
        if name != "durak" or "4seat" in board:
            assert whole_ms <= 150 and collected_ms <= 250, (name, board)


def test_the_bench_tells_each_game(monkeypatch):
    """A row with and one without a collection; --taps prints the shares."""
    monkeypatch.setattr(taps, "GAMES", GAMES[3:])
    monkeypatch.setattr(taps, "QUICK_TAPS", 1)
    assert [(row.name, row.at_most) for row in measure(True)] == [
        ("malice, virtual", 150), ("malice, virtual, with a collection", 250)]
    monkeypatch.setattr(taps, "TAPS", 1)
    monkeypatch.setattr(taps, "list_boards", lambda: ["virtual"])
    monkeypatch.setattr(taps, "worst_of", lambda *what, **how: (4, taps.Tap(100_000, (40_000, 30_000, 20_000, 0, 0,
                                                                                     1_000, 9_000))))
    told = CliRunner().invoke(cardtable, ["bench", "--taps"]).output.splitlines()
    assert told[2] == "| malice | virtual | 4 | 100 | 40 | 30 | 20 | 0 | 0 | 1 | 9 | 100 |"
