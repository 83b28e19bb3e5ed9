"""The fast replay (replay/quick.py) only passes what the slow one passes, and it knows every recorded game."""

import io
import random
import types

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.session import Session
from cardtable.engine.state import State
from cardtable.games import durak
from host_tools.judge.replay import core, quick
from host_tools.judge.replay.many import replay_record
from tests.conftest import ROOT
from tests.host_tools.test_replay_mutations import MUTATIONS, RIGHT

RECORDS = ROOT / "tests" / "records"
EVERY = sorted(RECORDS.rglob("*.rec"))
HEADER = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"
PIECES = ("\n", " ", "  \n", "\r", "\r\n", "; said\n", "~ seal\n", "0.0 1 draw 6S\n", " ! D3 T3", "\u00a0", "\x1c", "9",
          ".", "result: draw\n", "\n\n", "-", "_", "+", "\t", "0.1 1 undo\n")


def count_slowly(record: bytes) -> int:
    """How many events core.py judges; -1 if the record does not pass."""
    lines: list[int] = []
    outcome = core.replay(io.BytesIO(record), lambda line, verdict, rule: lines.append(line))
    return len(lines) if outcome.kind == core.PASSED else -1


@pytest.mark.parametrize("audit", quick.AUDITS)
def test_every_recorded_game_passes(audit):
    judge = quick.Judge(audit)
    for path in EVERY:
        behind = path.read_text().split("\n\n", 1)[1].splitlines()
        assert judge.replay(path.read_bytes()) == len([line for line in behind if line[0] not in ";~r"]), path


def test_what_is_wrong_with_a_record_is_left_to_the_slow_one():
    judge = quick.Judge("moved")
    for name, what, old, new, code, *_ in MUTATIONS:
        text = (RECORDS / "durak" / f"{name}.rec").read_bytes().decode()
        record = (text.replace(old, new, 1) if old else new).encode("utf-8", "surrogateescape")
        assert (judge.replay(record) >= 0) <= (code == RIGHT), what


def test_it_passes_nothing_that_the_slow_one_does_not():
    """Letters taken out, put in, changed and moved, in the header more often than it is long."""
    chance = random.Random(16)
    judge = quick.Judge("none")
    passed = 0
    for path in (RECORDS / "durak" / "throw-in-0003.rec", RECORDS / "malice" / "variant-dry-draw.rec"):
        text = path.read_text()
        head = text.index("\n\n") + 2
        for _ in range(250):
            limit = head if chance.random() < 0.4 else len(text)
            at = chance.randrange(limit)
            to = at + chance.choice((0, 0, 1, 1, 2, 20))
            changed = text[:at] + chance.choice(("", *PIECES)) + text[to:]
            count = judge.replay(changed.encode())
            assert count in (-1, count_slowly(changed.encode())), (path, at, to, changed[max(0, at - 30) : to + 30])
            passed += count >= 0
    assert passed > 50


def test_a_line_of_spaces_ends_the_header_for_both():
    record = (HEADER[:-1] + "  \n0.0 9 nonsense\n\n").encode()
    assert count_slowly(record) == quick.Judge("all").replay(record) == -1


def test_windows_line_ends_are_as_fast():
    record = (HEADER + "0.0 1 draw 6S\n").replace("\n", "\r\n").encode()
    assert quick.Judge("all").replay(record) == count_slowly(record) == 1


def test_how_a_game_begins_is_kept_for_its_own_set_up_alone():
    """One Judge hears all of them, each twice: of the second it knows how its game begins."""
    judge = quick.Judge("moved")
    deal = "0.0 1 draw 6S\n0.1 3 draw 7S\n0.2 0 lead 2 ! T4\n"
    heads = [HEADER, HEADER.replace("Boris", "Boris; Vera"), HEADER.replace("dealer: 2", "dealer: 1")]
    for old, new in (("throw-in", "throw-in deck=52"), ("throw-in", "throw-in deal=counted"), ("throw-in", "transfer"),
                     ("dealer: 2", "dealer: 3"), ("dealer: 2", "dealer: 2\nfirst: 1"), ("dealer: 2", "dealer: 2 "),
                     ("dealer: 2", "dealer: 2\nmatch_game: 2"), ("dealer: 2", "dealer: 2\nplaces: 1 2"),
                     ("dealer: 2", "dealer: 2\nplaces: 1 3 5"), ("dealer: 2", "dealer: 2\ndealer: 2"),
                     ("dealer: 2", "dealer: 2\nnote:"), ("dealer: 2", "dealer: 2\na key: no"), ("; Boris", "; "),
                     ("dealer: 2", "dealer: 2\nnote: fine"), ("cardtable 1", "cardtable 2"), ("dealer: 2\n", ""),
                     ("seats: ", "seats:"), ("game: durak", "game: bailiff")):
        heads += [head.replace(old, new) for head in heads[:2]]
    passed = 0
    for head in heads * 2:
        for length in (1, 2, 3):
            record = (head + "".join(deal.splitlines(keepends=True)[:length])).encode()
            count = judge.replay(record)
            assert count in (count_slowly(record), -1), record
            passed += count > 0
    assert passed > 80


def test_a_game_after_another_one_begins_as_new():
    """One session plays all records of a game: nothing that it keeps is left of the one before."""
    def read(session):
        kept = {name: getattr(session, name) for name in dir(session) if name != "_trial" and not name.startswith("__")}
        return {name: value.save() if isinstance(value, State) else value
                for name, value in kept.items() if isinstance(value, (State, int, bytearray))}

    judge = quick.Judge("all")
    for path in (RECORDS / "durak" / "scenario-t07-undo-and-agree.rec", RECORDS / "durak" / "demo.rec"):
        record = path.read_bytes()
        new = Session(durak, read_header(record.decode().splitlines(keepends=True))[0])
        before = read(new)
        assert {"state", "before", "last_draw", "last_seat", "undo_seat", "undo_ms", "agreed"} <= set(before)
        assert judge.replay(record) > 0
        mine = judge.known["durak"][1]
        assert read(mine.session) != before
        mine.restart(new.state)
        assert read(mine.session) == before


def test_a_header_that_other_records_have_too_is_not_mixed_up():
    """What lines mean is kept a game: another game's verbs and rules are others."""
    judge = quick.Judge("moved")
    assert judge.replay((HEADER + "0.0 1 attack 6S ! T3\n").encode()) == 1
    bailiff = HEADER.replace("durak throw-in", "bailiff")
    assert judge.replay((bailiff + "0.0 1 attack 6S ! T3\n").encode()) == -1


# --- an engine that is wrong ------------------------------------------------------------------------------------------


def break_game(monkeypatch, **broken):
    """Durak with other functions, for both replays."""
    game = types.ModuleType("cardtable.games.durak")
    game.__dict__.update({**vars(durak), **broken})
    for module in (core, quick):
        monkeypatch.setattr(module, "find_game", lambda name: game)


def causes(monkeypatch, record, **broken):
    """For each audit what came of it, with an engine that is broken so."""
    break_game(monkeypatch, **broken)
    monkeypatch.setattr("host_tools.judge.replay.many._JUDGES", {})
    return {audit: replay_record((HEADER + record).encode(), audit)[0].cause for audit in quick.AUDITS}


def test_t1_a_card_that_leaves_the_game_with_its_event(monkeypatch):
    def enact(state, event):
        durak.enact(state, event)
        state.where[event.card] = 0

    said = causes(monkeypatch, "0.0 1 draw 6S\n", enact=enact)
    assert said == {"none": "", "moved": said["all"], "all": "1 cards have come into the game or left it (T1)"}


def test_t1_another_card_that_leaves_the_game(monkeypatch):
    def enact(state, event):
        durak.enact(state, event)
        state.where[30] = 0

    said = causes(monkeypatch, "0.0 1 draw 6S\n", enact=enact)
    assert said == {"none": "", "moved": said["all"], "all": "1 cards have come into the game or left it (T1)"}


def test_t1_another_card_at_a_place_that_is_none(monkeypatch):
    def enact(state, event):
        durak.enact(state, event)
        state.where[30] = 200

    said = causes(monkeypatch, "0.0 1 draw 6S\n", enact=enact)
    assert said["all"].startswith("the state cannot be") and said["moved"] == said["all"] and not said["none"]


@pytest.mark.parametrize("place", [7, 8, 11, 15, 200], ids=str)
def test_t1_a_card_at_a_place_that_is_none(monkeypatch, place):
    """No hand of a third seat either."""
    def enact(state, event):
        durak.enact(state, event)
        state.where[event.card] = place

    said = causes(monkeypatch, "0.0 1 draw 6S\n", enact=enact, audit=lambda state: 0)
    assert said["none"] == said["all"] == said["moved"] == "", "core.py has only the audit, which was asked"
    said = causes(monkeypatch, "0.0 1 draw 6S\n", enact=enact)
    assert said["all"].startswith("the state cannot be") and said["moved"] == said["all"] and not said["none"]


def test_what_only_the_whole_audit_finds_is_found_at_the_end(monkeypatch):
    """A count that is wrong, with one card moved: `moved` asks for it once the lines are read."""
    def enact(state, event):
        durak.enact(state, event)
        state.register[durak.OWN] ^= 9

    def audit(state):
        return 5 if state.register[durak.OWN] >= 8 else 0

    said = causes(monkeypatch, "0.0 1 draw 6S\n", enact=enact, audit=audit)
    assert said["all"].startswith("the state cannot be") and said["moved"] == said["all"] and not said["none"]


def test_t6_a_refusal_that_changes_the_state(monkeypatch):
    def judge(state, event):
        state.register[96] = 77
        return durak.judge(state, event)

    said = causes(monkeypatch, "0.0 1 attack 6S ! T3\n", judge=judge)
    assert "the refusal changed the state (T6)" in said["all"] and said["moved"] == said["all"] and not said["none"]


def test_an_engine_that_breaks_is_left_to_the_slow_one(monkeypatch):
    def enact(state, event):
        raise IndexError("no such card")

    said = causes(monkeypatch, "0.0 1 draw 6S\n", enact=enact)
    assert set(said.values()) == {"the engine broke: IndexError no such card"}


def test_a_game_found_under_another_name_is_left_to_the_slow_one():
    assert find_game("durak").NAME == "durak"
    assert quick.Judge("none").replay(HEADER.replace("durak", "durak.").encode()) == -1


def test_texts_that_were_forgotten_are_learnt_again(monkeypatch):
    """First all are kept, then hardly any, so what a text means, and which refusal it is, changes all the time."""
    judge = quick.Judge("none")
    for limit, names in ((1 << 16, "game*.rec"), (1 << 16, "game*.rec"), (5, "variant*.rec"), (5, "game*.rec")):
        monkeypatch.setattr(quick, "_KNOWN_LIMIT", limit)
        for path in sorted((RECORDS / "malice").glob(names)):
            behind = path.read_text().split("\n\n", 1)[1].splitlines()
            assert judge.replay(path.read_bytes()) == len([line for line in behind if line[0] not in ";~r"]), path


def test_a_text_is_found_whatever_others_are_known_and_wherever_it_stands():
    """More texts than there is room for, some alike but for a zero byte, cut out of a record and at its end."""
    chance = random.Random(4)
    texts = [b"%d side %dC %d" % (number % 7, number, number % 3) + b" ! M" * (number % 11) for number in range(20000)]
    texts += [texts[0] + b"\0", texts[0] + b"\0\0", texts[0][:-1], b"", b"\0", b"x" * 40, b"x" * 41, b"x" * 100]
    said = {text: number for number, text in enumerate(texts)}
    seen = bytearray()
    for _ in range(60000):
        text = chance.choice(texts if chance.random() < 0.7 else texts[-8:]) + b"?" * (chance.random() < 0.1)
        before, behind = chance.choice((b"", b"1.5 ")), chance.choice((b"", b"\n", b"\n1.6 2 end\n", b"\n" + 60 * b"-"))
        raw = before + text + behind
        found = quick.look_up(said, seen, raw, len(before), len(before) + len(text))
        assert found == said.get(text, -1), text
