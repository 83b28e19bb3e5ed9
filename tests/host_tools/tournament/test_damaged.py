"""A database with changed bytes, rulings and rooms that somebody wrote: one sentence each, never a traceback (R13)."""

import json
import random
import sqlite3

import pytest

from host_tools.cli import run
from host_tools.base.errors import UnusableInput
from host_tools.club.tournament import recompute
from host_tools.club.tournament.room import GONE, read_seen
from host_tools.club.tournament.store import DAMAGED, Store
from tests.host_tools.tournament.made import begin, play_round

MUTANTS = 60  # more by hand: each opens a database and counts its standings


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "a.sqlite"
    director = begin(path, rounds=1)
    play_round(director)
    director.close()
    base = sqlite3.connect(path)
    base.execute("pragma wal_checkpoint(truncate)")
    base.execute("pragma journal_mode=delete")
    base.close()
    return path.read_bytes()


def test_r13_a_damaged_database_is_one_sentence(whole, tmp_path, capsys):
    rng = random.Random(13)
    for number in range(MUTANTS):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 30)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path = tmp_path / f"{number}.sqlite"
        path.write_bytes(data)
        code = run(["tournament", "standings", "--database", str(path)])
        err = capsys.readouterr().err
        assert code in (0, 2) and err.count("\n") == (1 if code else 0), (number, err)


def test_r13_a_row_that_is_no_text_is_called_damaged(whole, tmp_path):
    """`'utf-8' codec can't decode byte 0xc4` was a traceback."""
    path = tmp_path / "a.sqlite"
    path.write_bytes(whole)
    base = sqlite3.connect(path)
    base.execute("update events set data = cast(x'7bc47d' as text) where number = 1")
    seal = base.execute("select seal from records").fetchone()[0]
    base.execute("update records set content = 5000000000")  # as a number of bytes that would be 5 GB
    base.commit()
    base.close()
    store = Store(str(path))
    with pytest.raises(UnusableInput):
        store.read()
    with pytest.raises(UnusableInput, match=DAMAGED):
        store.record(seal)
    store.close()


TYPES = (None, True, 5, 1 << 70, 0.5, "x", "\ud800", [], [[]], {}, {"a": []})


def test_a3_rulings_of_each_type_are_rulings_or_one_sentence():
    outcome = {"places": [["Anna"], ["Boris"]], "lost": ["Boris"], "marks": []}
    one = {"kind": "result", "key": [1, "table-1", 1], "outcome": outcome, "seal": ""}
    whole = {"format": recompute.RULINGS, "tournament": "Cup", "counts": "places", "rulings": [one], "sat_out": []}
    assert recompute.read_rulings(json.dumps(whole), "x")["rulings"] == [one]
    texts = [json.dumps({**whole, key: value}) for key in whole for value in TYPES]
    texts += [json.dumps({**whole, "rulings": [{**one, key: value}]}) for key in one for value in TYPES]
    texts += [json.dumps({**whole, "rulings": [{**one, "outcome": {**outcome, key: value}}]})
              for key in outcome for value in TYPES]
    texts += [json.dumps({**whole, "sat_out": [value]}) for value in TYPES]
    texts += ["", "[" * 100_000, '{"rulings": %s}' % ("[" * 100_000), "NaN"]
    rng = random.Random(3)
    for _ in range(300):
        text = list(json.dumps(whole))
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice('{}[]",:\\0918eE.-ntfu\x00')
        texts.append("".join(text))
    for text in texts:
        try:
            found = recompute.read_rulings(text, "x")
        except UnusableInput as wrong:
            assert "\n" not in str(wrong)
        else:
            try:
                recompute.recompute([], found)
            except UnusableInput as wrong:
                assert "\n" not in str(wrong)


@pytest.mark.parametrize("said", ["", "[]", "{", '{"state": 5}', '{"state": "\\ud800"}', "[" * 100_000])
def test_a_damaged_row_of_the_room_is_somebody_who_is_gone(said):
    assert read_seen("2026-11-24T00:00:00Z", said).state == GONE
