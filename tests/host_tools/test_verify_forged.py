"""`cardtable verify` against forgers (T12), who know everything but the key: what was done is told, and where."""

import random

import pytest

from host_tools.lab.fuzz import forger as fuzz_forger
from host_tools.judge.records import verify
from host_tools.judge.records.verify import CHANGED, CUT, INTACT, NO_RECORD
from tests.host_tools.sealed_games import GAME, KEY, OTHER, SEALS, joined, reseal, segments


def covers(finding, number):
    """Whether a line is in a range that was told to be changed."""
    return any(first <= number <= last for first, last in finding.changed)


# --- forgeries --------------------------------------------------------------------------------------------------------


def dropped():
    """Each line taken out."""
    for at in range(len(GAME.lines) - 1):
        yield GAME.lines[:at] + GAME.lines[at + 1 :], at + 1


def doubled():
    """Each line written twice."""
    for at in range(len(GAME.lines) - 1):
        yield GAME.lines[: at + 1] + GAME.lines[at:], at + 2


def swapped():
    """Each line with the next one."""
    for at in range(len(GAME.lines) - 2):
        one, two = GAME.lines[at : at + 2]
        if one != two:
            yield [*GAME.lines[:at], two, one, *GAME.lines[at + 2 :]], at + 1


def edited():
    """Each line with one letter changed: each letter, in turn."""
    for at in range(len(GAME.lines)):
        line = GAME.lines[at]
        for column in range(len(line)):
            letter = b"7" if line[column : column + 1] != b"7" else b"8"
            yield [*GAME.lines[:at], line[:column] + letter + line[column + 1 :], *GAME.lines[at + 1 :]], at + 1


def rechained():
    """A card that was another one, and chain and seals made again with a key that is not the table's."""
    for at in range(len(GAME.lines)):
        if b" 6S" in GAME.lines[at]:
            lines = [*GAME.lines[:at], GAME.lines[at].replace(b" 6S", b" 7S"), *GAME.lines[at + 1 :]]
            yield reseal(lines, bytes(32))[0].split(b"\n")[:-1], at + 1


def glued():
    """Some segments of one game and the others of another one of this table, whose numbers fit."""
    here, there = segments(GAME), segments(OTHER)
    for count in range(1, min(len(here), len(there))):
        yield sum(here[:count] + there[count:], []), SEALS[count - 1] + 1
        # The same with one nonce for both, that of the second game: then the first one's seals fit no more.
        first = [line.replace(GAME.nonce, OTHER.nonce) for line in sum(here[:count], [])]
        yield first + sum(there[count:], []), 1


def replayed():
    """One segment of another game in the place of this game's."""
    here, there = segments(GAME), segments(OTHER)
    for count in range(1, min(len(here), len(there)) - 1):
        yield sum(here[:count] + [there[count]] + here[count + 1 :], []), SEALS[count - 1] + 1


def moved():
    """Whole segments with their seals, taken out or exchanged."""
    here = segments(GAME)
    for count in range(1, len(here) - 1):
        yield sum(here[:count] + here[count + 1 :], []), SEALS[count - 1] + 1
    for count in range(1, len(here) - 2):
        order = here[:count] + [here[count + 1], here[count]] + here[count + 2 :]
        yield sum(order, []), SEALS[count - 1] + 1


def ended_early():
    """The end is cut off, and the last seal, or one like it, put behind what is left."""
    for at in range(40, len(GAME.lines) - 2):
        if not GAME.lines[at].startswith(b"~"):
            yield [*GAME.lines[: at + 1], GAME.lines[-1]], at + 1
    last = GAME.lines[SEALS[-2] - 1].replace(b"~ seal", b"~ end")
    yield [*GAME.lines[: SEALS[-2] - 1], last], SEALS[-2]


def gone_on():
    """Something behind the end."""
    for line in (b"; a comment", b"9999.0 1 done", b"result: draw", GAME.lines[-1], b""):
        yield [*GAME.lines, line], len(GAME.lines) + 1


FORGERS = (dropped, doubled, swapped, edited, rechained, glued, replayed, moved, ended_early, gone_on)


def find_undetected(forger, key=KEY):
    """The forgeries whose place is vouched for all the same: none may be."""
    undetected = []
    for lines, number in forger():
        finding = verify.verify(joined(lines), key)
        if finding.kind == NO_RECORD:
            continue  # the header is none any more
        is_told = covers(finding, number) if finding.kind == CHANGED else finding.kind == CUT
        if not is_told or finding.sealed >= number:
            undetected.append((number, finding))
    return undetected


@pytest.mark.parametrize("forger", FORGERS)
def test_t12_a_forged_record_is_told_and_where(forger):
    """Changed, with a range that holds the place; or, where the end's seal is gone, cut off before it."""
    assert next(forger(), None) is not None
    assert find_undetected(forger) == []


@pytest.mark.parametrize("forger", [dropped, doubled, swapped, edited, replayed, moved])
def test_t12_even_without_the_key_the_chain_tells(forger):
    """All but who has made the seals again; only the tags themselves cannot be checked."""
    told = [number for number, _ in find_undetected(forger, None)]
    assert set(told) <= (set(SEALS) if forger is edited else set())


@pytest.mark.parametrize("forger", fuzz_forger.FORGERS, ids=lambda forger: forger.__name__)
def test_t12_random_forgeries_of_each_kind(forger, monkeypatch):
    """Of whole records and of games that go on; `cardtable fuzz` forges each record that it plays."""
    monkeypatch.setattr(fuzz_forger, "FORGERS", (forger,))
    for record in (GAME.record, OTHER.record, joined(GAME.lines[: SEALS[1] + 5])):
        assert fuzz_forger.find_undetected(record, KEY, random.Random(12), 150) == ""


@pytest.mark.parametrize("forger", fuzz_forger.FORGERS, ids=lambda forger: forger.__name__)
def test_random_forgeries_are_seen_to_pass_where_nothing_looks(forger, monkeypatch):
    """A verifier that takes whatever it gets: each kind of forgery is named."""
    monkeypatch.setattr(fuzz_forger, "FORGERS", (forger,))
    monkeypatch.setattr(fuzz_forger, "verify", lambda record, key: verify.Finding(INTACT, sealed=record.count(b"\n")))
    told = fuzz_forger.find_undetected(GAME.record, KEY, random.Random(12), 20)
    assert told.startswith(f"{forger.__name__}, intact")


def blames_line_one(finding):
    """A verifier that names the first line, whichever was changed."""
    if finding.kind == CHANGED:
        finding.changed, finding.sealed = [(1, 1)], 0


def cuts_off(finding):
    """One that takes what was changed for cut off."""
    if finding.kind == CHANGED:
        finding.kind, finding.changed, finding.sealed = CUT, [], 0


def sees_no_record(finding):
    """One that takes what was changed for no record."""
    if finding.kind == CHANGED:
        finding.kind, finding.changed, finding.sealed = NO_RECORD, [], 0


@pytest.mark.parametrize("defect", [blames_line_one, cuts_off, sees_no_record], ids=lambda defect: defect.__name__)
@pytest.mark.parametrize("forger", fuzz_forger.FORGERS, ids=lambda forger: forger.__name__)
def test_random_forgeries_that_are_told_elsewhere_are_seen(forger, defect, monkeypatch):
    """The range has to hold the place: else `changed` could be any."""
    def wrong(record, key):
        finding = verify.verify(record, key)
        defect(finding)
        return finding

    monkeypatch.setattr(fuzz_forger, "FORGERS", (forger,))
    monkeypatch.setattr(fuzz_forger, "verify", wrong)
    assert fuzz_forger.find_undetected(GAME.record, KEY, random.Random(12), 20).startswith(f"{forger.__name__}, ")


# --- the tests of the tests -------------------------------------------------------------------------------------------


def hash_not_checked(monkeypatch):
    """A verifier that believes the chain it reads."""
    monkeypatch.setattr(verify, "link", lambda chain, line: chain)
    seal = verify.Check.take_seal

    def take_seal(self, match):
        self.chain = bytes.fromhex(match[5].decode())
        seal(self, match)

    monkeypatch.setattr(verify.Check, "take_seal", take_seal)


def tag_not_checked(monkeypatch):
    """A verifier that believes every tag."""
    monkeypatch.setattr(verify.Check, "is_signed", lambda self, said, tag: True)


@pytest.mark.parametrize(
    ("defect", "forger"), [(hash_not_checked, edited), (hash_not_checked, swapped), (tag_not_checked, rechained)]
)
def test_a_verifier_that_does_not_look_is_caught(defect, forger, monkeypatch):
    """If the tests above passed with it, they would prove nothing."""
    defect(monkeypatch)
    assert verify.verify(GAME.record, KEY).kind == INTACT
    assert find_undetected(forger)
