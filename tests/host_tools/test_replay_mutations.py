"""What `cardtable replay` says of records with one thing wrong: file, mutation, exit code and text, a row for each."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host_tools.cli import RIGHT, UNUSABLE, WRONG, run
from host_tools.base.interpreters import find_micropython
from tests.conftest import ROOT

RECORDS = ROOT / "tests" / "records" / "durak"
RUNTIME = "both" if find_micropython() else "cpython"

# File, what is wrong, the text to be replaced (once), what takes its place, exit code, the line that is named, and the
# text behind it. An empty old text stands for the whole file.
MUTATIONS = (
    # The record and the engine differ.
    ("throw-in-0001", "an accepted line is marked refused", "18.1 1 attack TC\n", "18.1 1 attack TC ! D12 D14\n",
     WRONG, 35, "`18.1 1 attack TC ! D12 D14`: expected a refusal under D12 or D14, came acceptance"),
    ("throw-in-0001", "a refused line is marked accepted", "13.10 1 beat TC 7D ! D3 T3\n", "13.10 1 beat TC 7D\n",
     WRONG, 30, "`13.10 1 beat TC 7D`: expected acceptance, came a refusal under T3"),
    ("throw-in-0001", "a refusal under another rule", "13.10 1 beat TC 7D ! D3 T3\n", "13.10 1 beat TC 7D ! D7\n",
     WRONG, 30, "`13.10 1 beat TC 7D ! D7`: expected a refusal under D7, came a refusal under T3"),
    ("throw-in-0001", "a refusal under a rule that is none", "! D3 T3\n", "! banana\n",
     WRONG, 30, "expected a refusal under banana, came a refusal under T3"),
    ("throw-in-0001", "a card is doubled", "3.440 3 draw 6H\n", "3.440 3 draw 6C\n",
     WRONG, 14, "`3.440 3 draw 6C`: expected acceptance, came a refusal under T2"),
    ("throw-in-0001", "a line is doubled", "18.3 2 take\n", "18.3 2 take\n18.3 2 take\n",
     WRONG, 37, "`18.3 2 take`: expected acceptance, came a refusal under D21"),
    ("throw-in-0001", "a line is left out", "18.3 2 take\n", "",
     WRONG, 39, "`21.0 1 draw AD`: expected acceptance, came a refusal under D24"),
    ("throw-in-0001", "two lines are swapped", "18.1 1 attack TC\n18.3 2 take\n", "18.1 2 take\n18.3 1 attack TC\n",
     WRONG, 35, "`18.1 2 take`: expected acceptance, came a refusal under D21"),
    ("throw-in-0001", "another loser", "result: fool 4", "result: fool 3",
     WRONG, 233, "expected the result 'fool 3', came 'fool 4'"),
    ("throw-in-0001", "a result of another game", "result: fool 4", "result: winner 4",
     WRONG, 233, "expected the result 'winner 4', came 'fool 4'"),
    ("throw-in-0001", "a result with something behind it", "result: fool 4", "result: fool 4 epaulettes 2",
     WRONG, 233, "expected the result 'fool 4 epaulettes 2', came 'fool 4'"),
    ("throw-in-0001", "a result too early", "152.150 4 beat AH KH\n", "",
     WRONG, 232, "expected the result 'fool 4', came none: the game goes on"),
    ("throw-in-0003", "a draw that was none", "result: draw", "result: fool 1",
     WRONG, None, "expected the result 'fool 1', came 'draw'"),
    ("throw-in-0001", "another dealer", "dealer: 4", "dealer: 3",
     WRONG, 33, "`14.400 4 turn 9S`: expected acceptance, came a refusal under D3"),
    ("throw-in-0001", "a game with other rules", "durak throw-in", "durak simple",
     WRONG, 37, "`18.5 1 done`: expected acceptance, came a refusal under"),
    # It is no record.
    ("throw-in-0001", "an empty file", "", "", UNUSABLE, 1, "the file is empty"),
    ("throw-in-0001", "an empty line alone", "", "\n", UNUSABLE, 1, "a record begins with the line 'cardtable 1'"),
    ("throw-in-0001", "a wrong first line", "cardtable 1\n", "cardfable 1\n",
     UNUSABLE, 1, "a record begins with the line 'cardtable 1', not with 'cardfable 1'"),
    ("throw-in-0001", "no first line", "cardtable 1\n", "",
     UNUSABLE, 1, "a record begins with the line 'cardtable 1', not with 'game: durak throw-in'"),
    ("throw-in-0001", "a wrong version", "cardtable 1\n", "cardtable 2\n",
     UNUSABLE, 1, "a record begins with the line 'cardtable 1', not with 'cardtable 2'"),
    ("throw-in-0001", "a mark of the byte order", "cardtable 1\n", "\ufeffcardtable 1\n",
     UNUSABLE, 1, "a record begins with the line 'cardtable 1'"),
    ("throw-in-0001", "a header line without a colon", "dealer: 4", "dealer 4",
     UNUSABLE, 4, "the header takes `key: value` lines up to an empty line, not 'dealer 4'"),
    ("throw-in-0001", "a key twice", "dealer: 4", "dealer: 4\ndealer: 4", UNUSABLE, 5, "dealer: is said twice"),
    ("throw-in-0001", "no game", "game: durak throw-in\n", "", UNUSABLE, 5, "the header has no game:"),
    ("throw-in-0001", "a game without a name", "game: durak throw-in\n", "game:\n",
     UNUSABLE, 6, "the header has no game:"),
    ("throw-in-0001", "no seats", "seats: Anna; Boris; Vera; Gleb\n", "", UNUSABLE, 5, "the header has no seats:"),
    ("throw-in-0001", "no dealer", "dealer: 4\n", "", UNUSABLE, 5, "the header has no dealer:"),
    ("throw-in-0001", "an unknown key for a known one", "dealer:", "giver:", UNUSABLE, 6, "the header has no dealer:"),
    ("throw-in-0001", "a seat without a name", "Anna; Boris", "; Boris", UNUSABLE, 3, "seats: a seat without a name"),
    ("throw-in-0001", "a dealer who does not sit there", "dealer: 4", "dealer: 5",
     UNUSABLE, 4, "dealer: 5 is no seat of this game, which has 4"),
    ("throw-in-0001", "a dealer that is no number", "dealer: 4", "dealer: Gleb",
     UNUSABLE, 4, "dealer: Gleb is no number from 1"),
    ("throw-in-0001", "a lead of nobody", "dealer: 4\n", "dealer: 4\nfirst: 7\n",
     UNUSABLE, 5, "first: 7 is no seat of this game, which has 4"),
    ("throw-in-0001", "one player", "seats: Anna; Boris; Vera; Gleb", "seats: Anna",
     UNUSABLE, 3, "durak is for 2 to 6 seats, not 1 (D2)"),
    ("throw-in-0001", "too many players", "Anna; Boris", "Anna; A; B; C; Boris",
     UNUSABLE, 3, "durak is for 2 to 6 seats, not 7 (D2)"),
    ("throw-in-0001", "places for others", "dealer: 4\n", "dealer: 4\nplaces: 1 2\n",
     UNUSABLE, 7, "places: names 2 places for 4 seats"),
    ("throw-in-0001", "a place twice", "dealer: 4\n", "dealer: 4\nplaces: 1 2 2 4\n", UNUSABLE, 5, "places: 1 2 2 4"),
    ("throw-in-0001", "an unknown game", "durak throw-in", "poker", UNUSABLE, 2, "no game poker"),
    ("throw-in-0001", "a game that would be a path", "durak throw-in", "../durak", UNUSABLE, 2, "no game ../durak"),
    ("throw-in-0001", "an unknown preset", "durak throw-in", "durak throw-on",
     UNUSABLE, 2, "durak has no preset throw-on"),
    ("throw-in-0001", "a preset whose rules are not known", "durak throw-in", "durak czech", UNUSABLE, 2, "(D46)"),
    ("throw-in-0001", "an unknown option", "durak throw-in", "durak throw-in wind=east",
     UNUSABLE, 2, "durak has no option wind"),
    ("throw-in-0001", "an unknown value", "durak throw-in", "durak throw-in deck=40",
     UNUSABLE, 2, "deck=40: it takes one of: 36 52 54 24 (D1)"),
    ("throw-in-0001", "a value out of range", "durak throw-in", "durak throw-in cheating=10",
     UNUSABLE, 2, "cheating=10: it takes a whole number from 0 to 9 (D43)"),
    ("throw-in-0001", "an option twice", "durak throw-in", "durak throw-in deck=36 deck=36",
     UNUSABLE, 2, "deck is set twice"),
    ("throw-in-0001", "an impossible mix", "durak throw-in", "durak simple first_bout=6",
     UNUSABLE, 2, "first_bout=6 does not go with preset=simple"),
    ("throw-in-0001", "an unknown verb", "18.3 2 take\n", "18.3 2 taste\n", UNUSABLE, 36, "taste is no verb of durak"),
    ("throw-in-0001", "a verb of another game", "18.3 2 take\n", "18.3 2 doubt\n",
     UNUSABLE, 36, "doubt is no verb of durak"),
    ("throw-in-0001", "a verb in capitals", "18.3 2 take\n", "18.3 2 TAKE\n", UNUSABLE, 36, "TAKE is no verb of durak"),
    ("throw-in-0001", "an argument too few", "18.1 1 attack TC\n", "18.1 1 attack\n",
     UNUSABLE, 35, "attack takes 1 argument"),
    ("throw-in-0001", "an argument too many", "18.3 2 take\n", "18.3 2 take TC\n",
     UNUSABLE, 36, "take takes 0 arguments"),
    ("throw-in-0001", "no card", "18.1 1 attack TC\n", "18.1 1 attack 1C\n", UNUSABLE, 35, "1C is no card"),
    ("throw-in-0001", "a card in small letters", "18.1 1 attack TC\n", "18.1 1 attack tc\n",
     UNUSABLE, 35, "tc is no card"),
    ("throw-in-0001", "no place", "18.3 2 take\n", "18.3 0 place TC moon\n", UNUSABLE, 36, "moon is no place of durak"),
    ("throw-in-0001", "a seat that no table has", "18.3 2 take\n", "18.3 8 take\n", UNUSABLE, 36, "8 is no seat"),
    ("throw-in-0001", "no time", "18.3 2 take\n", "soon 2 take\n", UNUSABLE, 36, "soon is no time in seconds"),
    ("throw-in-0001", "a time of too many decimals", "18.3 2 take\n", "18.3001 2 take\n",
     UNUSABLE, 36, "18.3001 is no time in seconds"),
    ("throw-in-0001", "a time below nothing", "18.3 2 take\n", "-18.3 2 take\n",
     UNUSABLE, 36, "-18.3 is no time in seconds"),
    ("throw-in-0001", "a time that runs backwards", "18.3 2 take\n", "18.0 2 take\n",
     UNUSABLE, 36, "the time runs backwards: 18.0 after 18.1"),
    ("throw-in-0001", "a refusal without a rule", "! D3 T3\n", "!\n",
     UNUSABLE, 30, "a refusal without a rule behind the !"),
    ("throw-in-0001", "an empty line among the events", "18.3 2 take\n", "\n18.3 2 take\n",
     UNUSABLE, 36, "an event is TIME SEAT VERB [ARGUMENTS], not ''"),
    ("throw-in-0001", "a letter that only looks like one", "18.3 2 take\n", "18.3 2 t\u0430ke\n",
     UNUSABLE, 36, "an event with the character 1072, which none has"),
    ("throw-in-0001", "an event behind the result", "result: fool 4\n", "result: fool 4\n153.0 4 take\n",
     UNUSABLE, 234, "behind the result come only lines with ~ or ;, not '153.0 4 take'"),
    ("throw-in-0001", "a line without an end in sight", "18.3 2 take\n", "18.3 2 take" + " " * 10000 + "\n",
     UNUSABLE, 36, "a line of more than 400 characters"),
)  # fmt: skip


def replay(capsys, *arguments):
    """Exit code, lines of standard output, lines of standard error."""
    code = run(["replay", *map(str, arguments)])
    printed = capsys.readouterr()
    return code, printed.out.splitlines(), printed.err.splitlines()


def mutate(name, old, new):
    """The record's text with the first `old` replaced; with an empty `old` all of it."""
    text = (RECORDS / f"{name}.rec").read_text()
    if not old:
        return new
    assert text.count(old) >= 1, f"{name} has no {old!r}"
    return text.replace(old, new, 1)


def test_every_mutation_has_its_own_exit_code_line_and_text(tmp_path, capsys):
    wrong = []
    for name, mutation, old, new, code, line, text in MUTATIONS:
        path = tmp_path / f"{mutation.replace(' ', '-')}.rec"
        path.write_text(mutate(name, old, new))
        came, out, err = replay(capsys, "--runtime", RUNTIME, path)
        said = err if code == UNUSABLE else out
        place = f"{path}:" if line is None else f"{path}:{line}: "
        failed = f"0 passed, {int(code == WRONG)} failed"
        is_right = came == code and said[0].startswith(place) and text in said[0] and out[-1] == failed
        if not is_right or (code == UNUSABLE and (len(err) > 1 or out != ["1 unusable", failed])):
            wrong.append((mutation, came, out, err))
    assert wrong == []


NOISE = random.Random(2).randbytes(5000)


@pytest.mark.parametrize("record", [b"\x89PNG\r\n\x1a\n\0\0", NOISE], ids=["picture", "noise"])
def test_random_bytes_are_no_record(tmp_path, capsys, record):
    path = tmp_path / "noise.rec"
    path.write_bytes(record)
    code, out, err = replay(capsys, "--runtime", RUNTIME, path)
    assert (code, out) == (UNUSABLE, ["1 unusable", "0 passed, 0 failed"])
    assert err == [f"{path}:1: bytes that are no UTF-8 text"]


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path, capsys):
    path = tmp_path / "bytes.rec"
    text = (RECORDS / "throw-in-0001.rec").read_bytes()
    path.write_bytes(text.replace(b"18.3 2 take\n", b"; \xff\n18.3 2 take\n"))
    code, _, err = replay(capsys, "--runtime", RUNTIME, path)
    assert (code, err) == (UNUSABLE, [f"{path}:36: bytes that are no UTF-8 text"])


# --- whatever the bytes -----------------------------------------------------------------------------------------------

LINES = (RECORDS / "throw-in-0003.rec").read_bytes().splitlines(keepends=True)[:40]
WORDS = [b"", b" ", b"\n", b"\r\n", b"!", b";", b"~", b":", b"=", b"\xff", b"\x1b[2J", b"\0", b"\xc2\xa0", b"\x1f"]
WORDS += [b"result: draw", b"game: durak"]
WORDS += [b"99999999999999999999", b"0", b"-1", b"6S", b"QQ", b"XB2", b"0 abort", b"1 undo", b"2 agree"]


UNCHECKED = [HealthCheck.function_scoped_fixture, *settings.default.suppress_health_check]


@st.composite
def mutated(draw):
    """A record in which up to five pieces were replaced by other pieces."""
    record = b"".join(LINES)
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(record)))
        length = draw(st.sampled_from([0, 1, 2, 5, 40]))
        letters = st.text(max_size=4).map(str.encode)
        piece = draw(st.one_of(st.sampled_from(WORDS + LINES), st.binary(max_size=6), letters))
        record = record[:start] + piece + record[start + length :]
    return record


def check_manners(tmp_path, capsys, runtime, record):
    """The exit code fits the counts; an error is one sentence with file and line; the interpreters agree."""
    path = tmp_path / "trial.rec"
    path.write_bytes(record)
    code, out, err = replay(capsys, "--runtime", runtime, path)
    assert out[-1] == {RIGHT: "1 passed, 0 failed", WRONG: "0 passed, 1 failed", UNUSABLE: "0 passed, 0 failed"}[code]
    assert "broke" not in out[0], out
    assert " MicroPython" not in out[0], out
    assert len(err) == (code == UNUSABLE)
    said = err[0] if err else out[0]
    assert said.startswith(f"{path}: ok" if code == RIGHT else f"{path}:")
    assert code == RIGHT or said[len(str(path)) + 1 :].split(":")[0].isdigit()
    assert all(line.isprintable() for line in out + err)


@settings(max_examples=400, deadline=None, suppress_health_check=UNCHECKED)
@given(record=st.one_of(st.binary(max_size=300), mutated()))
def test_no_bytes_at_all_break_the_replay(tmp_path, capsys, record):
    check_manners(tmp_path, capsys, "cpython", record)


@settings(max_examples=25, deadline=None, suppress_health_check=UNCHECKED)
@given(record=mutated())
def test_no_bytes_at_all_part_the_two_interpreters(tmp_path, capsys, record):
    check_manners(tmp_path, capsys, RUNTIME, record)
