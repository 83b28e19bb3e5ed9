"""Replays under each interpreter: the recorded games, what is cut off, what differs, and what must never happen."""

import types
from pathlib import Path

import pytest

from cardtable.games import durak
from host_tools.base.interpreters import find_micropython
from host_tools.judge.replay import core
from host_tools.judge.replay.core import FAILED, INVALID, PASSED, Outcome
from host_tools.judge.replay.run import CPython, MicroPython, Run, compare

RECORDS = Path(__file__).resolve().parents[1] / "records"
# Where the registries hold no MicroPython for a machine, its half is left out, as everywhere.
RUNTIMES = ["cpython", "micropython"] if find_micropython() else ["cpython"]

HEADER = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"
# Two seats and the deal, up to the lead.
DEAL = """0.0 1 draw 6S
0.1 2 draw 7S
0.2 1 draw 8S
0.3 2 draw 9S
0.4 1 draw TS
0.5 2 draw JS
0.6 1 draw 6H
0.7 2 draw 7H
0.8 1 draw 8H
0.9 2 draw 9H
1.0 1 draw TH
1.1 2 draw JH
1.2 2 turn 6C
"""


@pytest.fixture(scope="module", params=RUNTIMES)
def judge(request):
    """Replays text or bytes under one interpreter: judge(record) -> Run."""
    runtime = CPython() if request.param == "cpython" else MicroPython()

    def replay(record):
        runtime.begin(record.encode() if isinstance(record, str) else record)
        return runtime.end()

    yield replay
    runtime.close()


def ending(run):
    """Kind and line."""
    return run.outcome.kind, run.outcome.line


def records_of(*games):
    return [path for game in games for path in sorted((RECORDS / game).glob("*.rec"))]


# --- the recorded games -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", records_of("durak"), ids=lambda path: path.stem)
def test_recorded_game(judge, path):
    run = judge(path.read_bytes())
    assert (run.outcome.cause, run.outcome.state) == ("", [])
    assert run.outcome.kind == PASSED
    events = [line for line in path.read_text().split("\n\n", 1)[1].splitlines() if line[0] not in ";~r"]
    assert len(run.events) == len(events)
    assert [verdict > 0 for _, verdict, _ in run.events] == ["!" in event for event in events]


if len(RUNTIMES) == 2:

    @pytest.mark.sampled(4)  # each of them alone replays all
    @pytest.mark.parametrize("path", records_of("durak"), ids=lambda path: path.stem)
    def test_both_interpreters_give_the_same_verdict_to_every_line(path):
        runs = []
        for runtime in (CPython(), MicroPython()):
            runtime.begin(path.read_bytes())
            runs.append(runtime.end())
            runtime.close()
        assert runs[0].events == runs[1].events
        assert compare(*runs).outcome.kind == PASSED


# --- a record that was cut --------------------------------------------------------------------------------------------


def test_record_cut_after_any_whole_line_passes_as_far_as_it_goes(judge):
    lines = (RECORDS / "durak" / "throw-in-0003.rec").read_bytes().splitlines(keepends=True)
    header = lines.index(b"\n") + 1
    assert len(lines) > 100
    for count in range(header, len(lines) + 1):
        run = judge(b"".join(lines[:count]))
        assert ending(run) == (PASSED, 0), count
        assert len(run.events) == min(count, len(lines) - 1) - header
    for count in range(1, header):
        run = judge(b"".join(lines[:count]))
        assert ending(run) == (INVALID, count + 1), count
        assert run.outcome.cause == "the header does not end with an empty line"


def test_record_cut_within_a_line_passes_up_to_the_line_before(judge):
    """Wherever it is cut, even if what is left of the line would be an event, or no text at all."""
    raw = (HEADER + DEAL + "; Łucja\n2.0 1 attack 6S\n").encode()
    for length in range(len(HEADER), len(raw)):
        run = judge(raw[:length])
        assert ending(run) == (PASSED, 0), raw[:length]
        assert len(run.events) == len([line for line in raw[:length].split(b"\n")[5:-1] if line[:1] != b";"])


# --- what is allowed --------------------------------------------------------------------------------------------------


def test_record_comments_and_seals_are_no_events(judge):
    run = judge(HEADER + "; a comment\n~seal 12 ab\n0.0 1 draw 6S\n~\n;\n; " + "x" * 3000 + "\n0.1 2 draw 7S\n")
    assert ending(run) == (PASSED, 0)
    assert [event[0] for event in run.events] == [8, 12]


def test_record_behind_the_result_come_only_seals_and_comments(judge):
    game = HEADER + "0.0 0 abort\nresult: aborted\n"
    assert ending(judge(game + "~seal\n; the end\n")) == (PASSED, 0)
    assert ending(judge(game + "0.1 1 draw 6S ! T14\n")) == (INVALID, 8)
    assert ending(judge(game + "result: aborted\n")) == (INVALID, 8)
    assert ending(judge(game + "\n")) == (INVALID, 8)


def test_record_windows_line_ends_are_read(judge):
    assert ending(judge((HEADER + DEAL).replace("\n", "\r\n"))) == (PASSED, 0)


def test_record_free_keys_are_kept_and_harmless(judge):
    assert ending(judge(HEADER.replace("dealer: 2", "dealer: 2\nweather: fine\nnote: ; ~ !"))) == (PASSED, 0)


def test_record_a_refusal_may_name_several_rules(judge):
    assert ending(judge(HEADER + "0.0 1 attack 6S ! D12 T3\n")) == (PASSED, 0)
    run = judge(HEADER + "0.0 1 attack 6S ! D12 D14\n")
    assert ending(run) == (FAILED, 6)
    assert run.outcome.cause == "`0.0 1 attack 6S ! D12 D14`: expected a refusal under D12 or D14, " \
        "came a refusal under T3"


def test_record_spaces_mean_the_same_to_both_interpreters(judge):
    """CPython takes U+00A0 and the like for spaces, MicroPython does not."""
    assert ending(judge(HEADER.replace("durak throw", "durak\u00a0throw"))) == (PASSED, 0)
    assert ending(judge(HEADER.replace("Boris", "\u3000"))) == (INVALID, 3)
    for space in "\u00a0\x1f\x85\u2003":
        run = judge(HEADER + f"0.0{space}1 draw 6S\n")
        assert ending(run) == (INVALID, 6)
        assert str(ord(space)) in run.outcome.cause


def test_record_an_event_has_at_most_400_characters(judge):
    assert ending(judge(HEADER + "0.0" + " " * 388 + "1 draw 6S\n")) == (PASSED, 0)
    assert ending(judge(HEADER + "0.0" + " " * 389 + "1 draw 6S\n")) == (INVALID, 6)


def test_record_a_header_of_thousands_of_lines_is_none(judge):
    run = judge("cardtable 1\n" + "".join(f"key{number}: x\n" for number in range(5000)))
    assert ending(run) == (INVALID, 100)


# --- what differs -----------------------------------------------------------------------------------------------------


def test_difference_comes_with_line_expected_came_and_state(judge):
    run = judge(HEADER + DEAL + "2.0 1 attack 6S\n2.5 2 beat 7H 6S\n")
    assert ending(run) == (FAILED, 20)
    assert run.outcome.cause == "`2.5 2 beat 7H 6S`: expected acceptance, came a refusal under D7"
    assert run.outcome.state == [
        "durak, 2 seats: ♣ 24: 5 6",
        "waits for beat; seat 1: throw; seat 2: beat",
        "turned: 6C",
        "hand1: 8S TS 6H 8H TH",
        "hand2: 7S 9S JS 7H 9H JH",
        "attack1: 6S",
    ]


def test_difference_shows_a_pending_undo_and_a_pause(judge):
    run = judge(HEADER + DEAL + "2.0 1 attack 6S\n3.0 1 undo\n3.0 1 draw 6S\n")
    assert "seat 1 has said undo" in run.outcome.state
    run = judge(HEADER + DEAL + "2.0 0 pause\n3.0 1 attack 6S\n")
    assert "paused by the arbiter" in run.outcome.state


def test_difference_an_unfinished_game_has_no_result(judge):
    run = judge(HEADER + DEAL + "result: fool 1\n")
    assert ending(run) == (FAILED, 19)
    assert run.outcome.cause == "expected the result 'fool 1', came none: the game goes on"
    assert ending(judge(HEADER + "result:\n")) == (FAILED, 6)


# --- what must never happen: each is seen, though no game of ours does it ---------------------------------------------


def judge_with(monkeypatch, record, **broken):
    """Replay under CPython with a Durak of which some functions are others."""
    game = types.SimpleNamespace(**{**vars(durak), **broken})
    monkeypatch.setattr(core, "find_game", lambda name: game)
    runtime = CPython()
    runtime.begin(record.encode())
    return runtime.end()


def test_t6_a_refusal_that_changes_a_byte_is_a_failure(monkeypatch):
    def judge(state, event):
        state.where[5] = 9
        state.register[96] = 77
        return durak.judge(state, event)

    run = judge_with(monkeypatch, HEADER + "0.0 1 attack 6S ! T3\n", judge=judge)
    assert ending(run) == (FAILED, 6)
    assert run.outcome.cause == "`0.0 1 attack 6S ! T3`: the refusal changed the state (T6): " \
        "the place of 7S, register 96"


def test_t7_a_refusal_that_changes_what_an_undo_takes_back_is_a_failure(monkeypatch):
    sessions = []

    class Session(core.Session):
        def __init__(self, game, header):
            super().__init__(game, header)
            sessions.append(self)

    def judge(state, event):
        sessions[0].undo_ms += 1
        return durak.judge(state, event)

    monkeypatch.setattr(core, "Session", Session)
    run = judge_with(monkeypatch, HEADER + "0.0 1 attack 6S ! T3\n", judge=judge)
    assert ending(run) == (FAILED, 6)
    assert "undo" in run.outcome.cause


def test_audit_of_an_impossible_state_is_a_failure(monkeypatch):
    def audit(state):
        return 5 if durak.count_hand(state, 2) else 0

    run = judge_with(monkeypatch, HEADER + "0.0 1 draw 6S\n0.1 2 draw 7S\n", audit=audit)
    assert ending(run) == (FAILED, 7)
    assert run.outcome.cause == "the state cannot be: no such place, gap among the attacks"


def test_t1_a_card_that_leaves_the_game_is_a_failure(monkeypatch):
    def enact(state, event):
        durak.enact(state, event)
        state.where[30] = 0

    run = judge_with(monkeypatch, HEADER + "0.0 1 draw 6S\n", enact=enact)
    assert ending(run) == (FAILED, 6)
    assert run.outcome.cause == "1 cards have come into the game or left it (T1)"


@pytest.mark.parametrize("error", [AssertionError("no such\nseat"), IndexError("bytearray"), MemoryError()])
def test_an_engine_that_breaks_is_a_failure_of_that_record(monkeypatch, error):
    def enact(state, event):
        raise error

    run = judge_with(monkeypatch, HEADER + "0.0 1 draw 6S\n", enact=enact)
    assert ending(run) == (FAILED, 6)
    assert run.outcome.cause.startswith("the engine broke: " + type(error).__name__)
    assert "\n" not in run.outcome.cause
    assert run.outcome.state[0].startswith("durak, 2 seats")


def test_a_state_that_cannot_be_shown_does_not_hide_the_failure(monkeypatch):
    run = judge_with(monkeypatch, HEADER + "0.0 1 draw 6S ! T3\n", status=None)
    assert ending(run) == (FAILED, 6)
    assert run.outcome.state == ["the state cannot be shown: TypeError"]


# --- the two interpreters side by side --------------------------------------------------------------------------------


def test_compare_names_both_where_their_verdicts_part():
    here = Run(Outcome(PASSED), [(6, 0, ""), (7, 0, "")])
    there = Run(Outcome(FAILED, 7, "came a refusal", ["durak"]), [(6, 0, ""), (7, 112, "D14")])
    for first, second, cause in (
        (here, there, "CPython says accepted (0), MicroPython refused D14 (112)"),
        (there, here, "CPython says refused D14 (112), MicroPython accepted (0)"),
    ):
        outcome = compare(first, second).outcome
        assert (outcome.kind, outcome.line, outcome.cause) == (FAILED, 7, cause)
        assert outcome.state == ["durak"]


def test_compare_the_same_rule_under_another_verdict_is_a_difference():
    outcome = compare(Run(Outcome(PASSED), [(6, 128, "D16")]), Run(Outcome(PASSED), [(6, 130, "D16")])).outcome
    assert (outcome.kind, outcome.line) == (FAILED, 6)


def test_compare_names_both_where_their_ends_part():
    here = Run(Outcome(PASSED), [(6, 0, "")])
    there = Run(Outcome(INVALID, 4, "no seat"), [(6, 0, "")])
    outcome = compare(here, there).outcome
    assert (outcome.kind, outcome.line) == (FAILED, 4)
    assert outcome.cause == "CPython: passed; MicroPython: no seat"


def test_compare_other_states_are_a_difference():
    here = Run(Outcome(FAILED, 6, "came D14", ["hand1: 6S"]))
    there = Run(Outcome(FAILED, 6, "came D14", ["hand1: 7S"]))
    assert "different states" in compare(here, there).outcome.cause
    assert compare(here, here).outcome.cause == "came D14"


# --- a MicroPython that fails -----------------------------------------------------------------------------------------


def pretend_micropython(tmp_path, monkeypatch, answers):
    """A program in MicroPython's place: `answers` is Python that runs for each record, `count` from 1."""
    program = tmp_path / "micropython"
    program.write_text(
        "#!/usr/bin/env python3\nimport sys, time\nprint('ready', flush=True)\ncount = 0\n"
        "while size := sys.stdin.buffer.readline():\n"
        f"    sys.stdin.buffer.read(int(size))\n    count += 1\n    {answers}\n    sys.stdout.flush()\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("MICROPYTHON", str(program))


def run_twice(runtime):
    """Two records under that runtime, one after the other."""
    runs = []
    for _ in range(2):
        runtime.begin((HEADER + DEAL).encode())
        runs.append(runtime.end())
    runtime.close()
    return [(*ending(run), run.outcome.cause) for run in runs]


def test_micropython_that_crashes_is_reported_and_the_next_record_gets_another(tmp_path, monkeypatch):
    pretend_micropython(tmp_path, monkeypatch, "print('event 6 0 '); print('MemoryError: no'); sys.exit(3)")
    cause = "MicroPython ended with exit code 3: MemoryError: no"
    assert run_twice(MicroPython()) == [(FAILED, 6, cause), (FAILED, 6, cause)]


def test_micropython_that_says_nothing_is_ended(tmp_path, monkeypatch):
    pretend_micropython(tmp_path, monkeypatch, "time.sleep(0 if count == 2 else 60)")
    assert run_twice(MicroPython(silent_s=0.3)) == [(FAILED, 1, "MicroPython said nothing for 0.3 s")] * 2


def test_many_records_in_one_process_leave_nothing_that_adds_up(judge):
    """As `replay FOLDER` does it, within the heap of the smallest board."""
    record = (RECORDS / "durak" / "game-0001.rec").read_bytes()
    for _ in range(20):
        assert ending(judge(record)) == (PASSED, 0)
