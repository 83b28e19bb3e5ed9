"""Records, the flash of a table and a tournament that older versions wrote are opened by this one (tests/upgrades)."""

import gzip

import pytest

from cardtable.version import FIRMWARE
from host_tools.club.tournament.director import open_director
from host_tools.judge.replay.core import PASSED
from host_tools.judge.replay.many import replay_record
from host_tools.judge.replay.quick import AUDITS
from tests.conftest import ROOT
from tests.host_tools.test_power_cuts import CARDS, Evening, draws

OLD = ROOT / "tests" / "upgrades"
RELEASED = sorted(path.name for path in OLD.iterdir() if path.is_dir())


def unpack(name, target):
    target.write_bytes(gzip.decompress((OLD / name).read_bytes()))
    return target


def test_each_released_version_has_left_its_files():
    told = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = [line.split("]")[0].removeprefix("## [") for line in told.splitlines() if line.startswith("## [")]
    assert [version for version in versions if version not in ("Unreleased", FIRMWARE, *RELEASED)] == []
    assert "0.1.0" in RELEASED


@pytest.mark.parametrize("path", sorted(OLD.glob("*/*.rec")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_of_an_older_version_is_judged_as_it_was(path):
    outcome, _ = replay_record(path.read_bytes(), AUDITS[-1])
    assert outcome.kind == PASSED, outcome.cause


@pytest.mark.micropython
@pytest.mark.everything  # a game on a flash under MicroPython
@pytest.mark.parametrize("version", RELEASED)
def test_t9_a_game_that_an_older_version_began_goes_on(version, tmp_path):
    evening = Evening(tmp_path)
    unpack(f"{version}/flash.bin.gz", tmp_path / "flash.bin")
    assert evening.events() == draws(CARDS[:5])
    assert evening.play(evening.come_back())
    assert any(line.startswith("resumed after: 1 draw") for line in evening.lines)
    assert evening.play(evening.go_on(5))
    evening.device.power_off()
    assert evening.events() == draws(CARDS)


def test_a_tournament_in_an_older_form_is_brought_up_to_date(tmp_path):
    path = unpack("tournament-0001.sqlite.gz", tmp_path / "a.sqlite")
    for _ in range(2):  # brought to the newest form, then opened in it
        director = open_director(str(path))
        rows = director.standings()
        director.close()
        assert ("Nil", 120, 1) in [(row.name, row.points, row.rank) for row in rows]
        assert [row.rank for row in rows] == [1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10]
