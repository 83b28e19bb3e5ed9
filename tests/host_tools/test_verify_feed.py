"""What the table says in public, held against its record (T12): line for line, also after a power cut."""

import re

import pytest

from cardtable.play.feed import Feed
from host_tools.judge.records import public_record, verify
from host_tools.judge.records.public_record import uncommitted
from host_tools.judge.records.verify import CUT, INTACT
from host_tools.virtual.pull import pull_records
from host_tools.virtual.table import Table, load_script
from tests.conftest import ROOT
from tests.host_tools.sealed_games import GAME, KEY, OTHER, Game, joined, reseal


# --- the public feed --------------------------------------------------------------------------------------------------


def public_lines():
    """The feed as it was said."""
    return GAME.public.decode().splitlines()


def compare(lines, record=GAME.record, digest=GAME.digest):
    """Hold these lines against the record."""
    return public_record.compare(record, ("\n".join(lines) + "\n").encode(), digest)


def test_t12_each_line_of_the_feed_that_was_altered_is_told():
    """Every line of it, said otherwise, left out or said twice: the number is that of the feed's line."""
    lines = public_lines()
    for at in range(lines.index("") + 1, len(lines)):
        other = lines[at][:-1] + ("8" if lines[at][-1] != "8" else "9")
        for forged, place in (
            ([*lines[:at], other, *lines[at + 1 :]], at + 1),
            (lines[:at] + lines[at + 1 :], at + 1),
            (lines[: at + 1] + lines[at:], at + 2),
        ):
            found = compare(forged)
            if place > len(forged):
                assert found.kind == public_record.CUT
            else:
                assert found.kind == public_record.DIFFERS and found.notes[0].startswith(f"line {place} is "), at


def test_t12_each_hidden_card_is_bound_before_it_is_shown():
    """A table whose key and nonce the forger has makes a record that fits itself: not the feed."""
    committed = 0
    for at, line in enumerate(GAME.lines):
        if b" draw " not in line:
            continue
        card = b"8H" if line.split()[3] != b"8H" else b"8D"
        words = line.split()
        words[3] = card
        forged, digest = reseal([*GAME.lines[:at], b" ".join(words), *GAME.lines[at + 1 :]], KEY)
        assert verify.verify(forged, KEY).kind == INTACT
        try:
            found = compare(public_lines(), forged, digest)
        except public_record.UnusableInput as wrong:
            assert f"line {at + 1} of" in str(wrong) or int(str(wrong).split()[1]) > at
            continue
        committed += f"record's line {at + 1} gives" in found.notes[0]
        assert found.kind == public_record.DIFFERS
    assert committed >= 1


def test_t12_a_refused_card_is_bound_too():
    """The feed never names it, and yet it cannot be another one afterwards."""
    at = next(at for at, line in enumerate(GAME.lines) if b" ! T2" in line)
    words = GAME.lines[at].split()
    words[3] = b"QQ"
    forged, digest = reseal([*GAME.lines[:at], b" ".join(words), *GAME.lines[at + 1 :]], KEY)
    found = compare(public_lines(), forged, digest)
    assert found.kind == public_record.DIFFERS and f"the record's line {at + 1} gives" in found.notes[0]


def test_t12_a_feed_that_ends_early_is_cut_off():
    """And so is one of a game that goes on: nothing of it is wrong."""
    lines = public_lines()
    found = compare(lines[:30])
    assert found.kind == public_record.CUT and "it ends before the record's line " in found.notes[0]
    running = joined(GAME.lines[:60])
    said_then = public_record.make_feed(running, "")[1]
    assert compare(lines[: lines.index("") + 1 + len(said_then)], running, "").kind == public_record.CUT
    assert compare(lines, running, "").kind == public_record.DIFFERS


def test_t12_a_feed_that_nobody_read_for_a_while_has_a_gap():
    """The table says so where it goes on; what it says then has to fit, and a gap without that word is a forgery."""
    lines = public_lines()
    at = lines.index("") + 11
    found = compare([*lines[:at], public_record.LOST, *lines[at + 4 :]])
    assert found.kind == public_record.CUT and f"before line {at + 2}: 4 lines are lost" in found.notes[0]
    assert found.lines == len(lines) - lines.index("") - 5
    assert compare([*lines[:at], *lines[at + 4 :]]).kind == public_record.DIFFERS
    assert compare([*lines[:at], public_record.LOST, "9.9 1 attack 6S", *lines[at:]]).kind == public_record.DIFFERS
    torn = compare([*lines[:at], lines[at][:9], public_record.LOST, *lines[at + 4 :]])
    assert torn.kind == public_record.CUT and "was not said to its end" in torn.notes[0]


def test_t12_another_games_feed_does_not_fit():
    """Nor one without a beginning, nor one of other seats."""
    other = OTHER.public.decode().splitlines()
    assert compare(other).kind == public_record.DIFFERS
    assert "no game begins there" in compare(public_lines()[3:]).notes[0]
    found = compare([line.replace("Seat 2", "Anna") for line in public_lines()])
    assert found.kind == public_record.DIFFERS and found.notes[0].startswith("line 3 is `seats: Seat 1; Anna")


def name_event(lines, at):
    """The last accepted event before that line, as the table names it when it goes on."""
    last = next(line for line in reversed(lines[:at]) if re.match(r"[\d.]+ \d \w", line))
    return " ".join(word for word in uncommitted(last).split()[1:] if word != "??")


def restart(lines, at):
    """What a table says that lost its power before that line."""
    return ["ets Jul 29 2019 12:21:46", "resumed after: " + name_event(lines, at), *lines[: lines.index("") + 1]]


def test_t9_t12_a_feed_of_a_game_that_lost_its_power_fits():
    """The header comes again; a line that was torn comes again, too, or is lost, and then nothing binds it."""
    lines = public_lines()
    at = lines.index("") + 21
    assert compare(lines[:at] + restart(lines, at) + lines[at:]).kind == public_record.FITS
    glued = restart(lines, at)[1:]
    for torn in ([lines[at][:5]], [lines[at][:5] + "ets Jul 29 2019 12:21:46"], [lines[at][:-1] + "\x00\ufffd"]):
        found = compare([*lines[:at], *torn, *glued, *lines[at:]])
        assert found.kind == public_record.FITS and "not said to its end" in found.notes[0], torn
    assert compare([*lines[:at], *restart(lines, at), *restart(lines, at), *lines[at:]]).kind == public_record.FITS
    for torn in ([], [lines[at][:5]]):
        found = compare([*lines[:at], *torn, *restart(lines, at + 1), *lines[at + 1 :]])
        assert (found.kind, found.lost, found.left) == (public_record.CUT, 1, 0)
        assert found.lines == len(lines) - lines.index("") - 2 and "1 line is lost" in found.notes[-1]
    assert compare(lines[:at] + restart(lines, at) + lines[at + 2 :]).kind == public_record.DIFFERS


def test_t12_no_line_is_excused_by_a_restart_or_a_gap():
    """Both are text like any other, and cost a forger nothing: a changed or invented line before them is told, and so
    is a restart after another event."""
    lines = public_lines()
    begin = lines.index("") + 1
    for at in range(begin, len(lines) - 1):
        other = lines[at][:-1] + ("8" if lines[at][-1] != "8" else "9")
        for word in (restart(lines, at + 1) if at > begin else [public_record.LOST], [public_record.LOST]):
            for forged in (other, "result: fool 1", "77.7 1 take"):
                if public_record.plain(forged) == public_record.plain(lines[at]):
                    continue
                for rest in (lines[at:], lines[at + 1 :]):
                    found = compare([*lines[:at], forged, *word, *rest])
                    assert found.kind == public_record.DIFFERS and f"line {at + 1} is " in found.notes[-1]
    at = begin + 20
    for name in ("1 attack XB", name_event(lines, at - 6), ""):
        found = compare([*lines[:at], f"resumed after: {name}", *lines[:begin], *lines[at:]])
        assert found.kind == public_record.DIFFERS and "goes on after" in found.notes[-1]


def test_t12_a_torn_refusal_has_its_own_beginning():
    """Its words may be in any language; its commitment may not be another one."""
    lines = public_lines()
    at = next(at for at, line in enumerate(lines) if " ! " in line)
    words, commitment = lines[at].split(" ~ ")
    for torn, kind in ((words, public_record.FITS), (words + " вы ~ " + commitment[:5], public_record.FITS),
                       (words[:-14], public_record.FITS), (words + " ~ Q", public_record.DIFFERS)):
        assert compare([*lines[:at], torn, *restart(lines, at), *lines[at:]]).kind == kind, torn


def test_t9_t12_a_feed_that_nobody_read_when_the_power_failed_has_a_gap():
    """The table cannot say so any more; what it goes on after must be the last event that was lost."""
    lines = public_lines()
    begin = lines.index("") + 1
    accepted = [at for at in range(begin, len(lines)) if re.match(r"[\d.]+ \d \w", lines[at])]
    at = accepted[20]
    for count in (2, 5):
        last = accepted[20 + count - 1]
        for resumed, kind in ((name_event(lines, last + 1), public_record.CUT), ("1 attack XB", public_record.DIFFERS)):
            header = ["boot: power", f"resumed after: {resumed}", *lines[:begin]]
            found = compare(lines[:at] + header + lines[last + 1 :])
            assert found.kind == kind, found.notes
            if kind == public_record.CUT:
                assert found.notes == [
                    f"the power failed before line {at + len(header) + 1}: {last + 1 - at} lines are lost"]
                assert found.lines == len(lines) - begin - (last + 1 - at)
        forged = [*lines[: last + 1], "9.9 1 attack 6S", *lines[last + 2 :]]
        assert compare(forged[:at] + restart(lines, last + 1) + forged[last + 1 :]).kind == public_record.DIFFERS


def test_t12_the_feed_of_a_whole_evening_has_the_game_in_it():
    """Before and after it games of the same header, one of them never ended; the one that fits is found."""
    other, third = Game(2), Game(3)
    lines = other.public.decode().splitlines()[:40] + public_lines() + third.public.decode().splitlines()
    found = compare(lines)
    assert found.kind == public_record.FITS and found.lines == len(public_lines()) - public_lines().index("") - 1
    assert compare(lines, third.record, third.digest).kind == public_record.FITS
    assert compare(lines, other.record, other.digest).kind == public_record.CUT


def test_t12_faults_and_greetings_are_nobodys_event():
    """And the words of a refusal may be in another language."""
    lines = [line.replace("some words", "другие слова") for line in public_lines()]
    lines[30:30] = ["fault: Silent reader 2", "fault: over"]
    assert compare(lines).kind == public_record.FITS


# --- the table itself -------------------------------------------------------------------------------------------------


PLAYED = (
    pytest.param("durak/scenario-53_draw", marks=pytest.mark.everything),  # the next test has it, under MicroPython
    "durak/scenario-60_cheat_caught", "bailiff/scenario-02-raise-staging",
    "cals-bs/scenario-06-doubts", "malice/scenario-06-two-on-three",
)


@pytest.mark.parametrize("name", PLAYED)
def test_t12_what_the_firmware_writes_and_says_fits(name, tmp_path):
    """A recorded game of each kind, played at the virtual table: the journal, the feed, and the key of that flash."""
    game, script = load_script(ROOT / "tests" / "records" / f"{name}.rec")
    table = Table(game, script, runtime="cpython")
    assert table.run(tmp_path).agrees
    record = pull_records(tmp_path)[-1].read_bytes()
    finding = verify.verify(record, (tmp_path / "key.bin").read_bytes())
    feed = "".join(line + "\n" for line in table.lines).encode()
    assert finding.kind == (INTACT if script.result else CUT) and not finding.notes
    found = public_record.compare(record, feed, finding.digest)
    assert found.kind == (public_record.FITS if script.result else public_record.CUT) and not found.notes
    assert f"digest: {finding.digest}" in table.lines or not script.result


@pytest.mark.micropython
def test_t12_what_the_firmware_writes_and_says_fits_under_micropython(tmp_path):
    """As the device has it, compiled."""
    game, script = load_script(ROOT / "tests" / "records" / "durak" / "scenario-53_draw.rec")
    table = Table(game, script)
    assert table.run(tmp_path).agrees
    record = pull_records(tmp_path)[-1].read_bytes()
    finding = verify.verify(record, (tmp_path / "key.bin").read_bytes())
    assert finding.kind == INTACT
    feed = "".join(line + "\n" for line in table.lines).encode()
    assert public_record.compare(record, feed, finding.digest).kind == public_record.FITS


def test_a_feed_that_binds_nothing_is_caught(monkeypatch):
    """With a commitment that does not depend on the card a refused card could be another one afterwards."""
    monkeypatch.setattr(Feed, "commit", lambda self, line: " ~ " + "0" * 16)
    at = next(at for at, line in enumerate(GAME.lines) if b" ! T2" in line)
    words = GAME.lines[at].split()
    words[3] = b"QQ"
    forged, digest = reseal([*GAME.lines[:at], b" ".join(words), *GAME.lines[at + 1 :]], KEY)
    unbound = [uncommitted(line) + " ~ " + "0" * 16 if " ~ " in line else line for line in public_lines()]
    unbound[-2] = "digest: " + digest
    assert compare(unbound, forged, digest).kind == public_record.FITS
