"""`cardtable verify` against forgers (T12): whatever was done to a record is told, and where; and never of a good one.

The records are of random games, sealed by the table's own code; the forgers know everything but the key.
"""

import hashlib
import hmac
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardtable.between.keys import give_nonce
from cardtable.engine.event import ABORT, Event
from cardtable.engine.record import write_event
from cardtable.engine.verdict import rule_id
from cardtable.games import durak
from cardtable.play.feed import Feed
from cardtable.record.seal import SEAL_LINES, Sealed, digest_words, find_nonce
from host_tools.cli import RIGHT, UNUSABLE, WRONG, run
from host_tools.lab.fuzz import forger as fuzz_forger
from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.judge.records import public_record, verify
from host_tools.judge.records.public_record import uncommitted
from host_tools.judge.records.verify import CHANGED, CUT, INTACT, NO_RECORD
from host_tools.virtual.pull import pull_records
from host_tools.virtual.table import Table, load_script
from tests.conftest import ROOT

KEY = bytes(range(32))


class Paper:
    """A journal that keeps its text."""

    def __init__(self):
        self.text = ""

    def open(self, header):
        self.text = "\n".join(header.lines()) + "\n"
        return True

    def write(self, line):
        self.text += line + "\n"
        return True


class Game:
    """A random game of Durak with refusals, as a table with that key would have it: record, public feed, digest.

    After `limit` events the arbiter ends it.
    """

    def __init__(self, seed, key=KEY, seats=3, limit=110):
        chance = Random(seed)
        header = make_header("durak throw-in", seats)
        give_nonce(header, key)
        self.nonce = find_nonce(header)
        paper = Paper()
        self.sealed = Sealed(paper, key)
        self.sealed.open(header)
        lines = []
        feed = Feed(durak, header, lines.append)
        feed.begin()
        game = RandomGame(durak, header, chance)
        while not game.session.is_over() and game.choose():
            if chance.below(4) == 0:
                self.refuse(game, feed, chance.below(36))
            limit -= 1
            if not limit:
                game.event = Event(0, ABORT, at_ms=game.event.at_ms)
            shows = durak.shows(game.session.state, game.event.verb)
            assert not game.session.play(game.event)
            self.sealed.write(write_event(durak, game.event))
            feed.accepted(game.event, shows)
        self.sealed.write("result: " + game.session.result())
        feed.end(game.session.result(), self.sealed.digest)
        self.digest = self.sealed.digest
        self.record = paper.text.encode()
        self.lines = self.record.split(b"\n")[:-1]
        self.public = ("\n".join(lines) + "\n").encode()

    def refuse(self, game, feed, card):
        """Somebody taps a card that may not come here, as the table would record it."""
        event = game.event
        kept = event.card
        event.card = card + 16
        verdict = game.session.judge(event)
        if verdict:
            rule = rule_id(durak, verdict)
            self.sealed.write(write_event(durak, event, rule))
            feed.refused(event, rule, "some words")
        event.card = kept


GAME = Game(1)
OTHER = Game(2)
SEALS = [number for number, line in enumerate(GAME.lines, 1) if line.startswith(b"~")]


def joined(lines):
    """Lines as a file."""
    return b"".join(line + b"\n" for line in lines)


def segments(game):
    """The record's lines in pieces, each with the seal that ends it."""
    found, begin = [], 0
    for number, line in enumerate(game.lines, 1):
        if line.startswith(b"~"):
            found.append(game.lines[begin:number])
            begin = number
    return found


def covers(finding, number):
    """Whether a line is in a range that was told to be changed."""
    return any(first <= number <= last for first, last in finding.changed)


def reseal(lines, key):
    """What a forger does with lines whose seals fit no more: make chain and seals again, with that key."""
    paper = Paper()
    sealed = Sealed(paper, key)
    sealed.resume([])
    for line in lines:
        if not line.startswith(b"~"):
            sealed.write(line.decode())
    return paper.text.encode(), sealed.digest


# --- what is as the table wrote it ------------------------------------------------------------------------------------


def test_t12_a_record_as_the_table_wrote_it_is_intact():
    """With the key and without; its digest is what the table showed."""
    assert len(SEALS) >= 4
    for key in (KEY, None):
        finding = verify.verify(GAME.record, key)
        assert (finding.kind, finding.changed, finding.notes) == (INTACT, [], [])
        assert finding.lines == finding.sealed == len(GAME.lines) and finding.digest == GAME.digest


@pytest.mark.parametrize("seed", range(3, 13))
def test_t12_every_game_that_the_table_seals_is_intact(seed):
    """To their end, of two to five seats."""
    game = Game(seed, bytes([seed] * 32), 2 + seed % 4, 1000)
    assert verify.verify(game.record, bytes([seed] * 32)).kind == INTACT
    assert public_record.compare(game.record, game.public, game.digest).kind == public_record.FITS


def test_t12_chain_and_tags_by_another_hand():
    """The verifier is no mirror of the table: the last seal, computed here from the page's words alone."""
    chain = bytes(16)
    for line in GAME.lines[:-1]:
        if not line.startswith(b"~ "):
            chain = hashlib.sha256(chain + line + b"\n").digest()[:16]
    said = b"end %d-%d %s" % (SEALS[-2] + 1, len(GAME.lines) - 1, chain.hex().encode())
    game_key = hmac.new(KEY, b"nonce: " + GAME.nonce, "sha256").digest()
    tag = hmac.new(game_key, said, "sha256").hexdigest()[:32].encode()
    assert GAME.lines[-1] == b"~ " + said + b" " + tag
    assert digest_words(chain) == GAME.digest


# --- cut off ----------------------------------------------------------------------------------------------------------


def never_mistaken(record, key):
    """Cut at every byte: what is wrong with the answers, if anything."""
    wrong = []
    header = record.index(b"\n\n") + 2
    for end in range(len(record)):
        finding = verify.verify(record[:end], key)
        whole = record[:end].count(b"\n")
        sealed = max([number for number in SEALS if number <= whole], default=0)
        wanted = (NO_RECORD, 0, 0) if end < header else (CUT, whole, sealed)
        if (finding.kind, finding.lines, finding.sealed) != wanted or finding.changed or finding.digest:
            wrong.append((end, finding))
    return wrong


@pytest.mark.parametrize("key", [KEY, None], ids=["key", "no key"])
def test_t12_cut_off_at_any_byte_is_cut_off(key):
    """Never intact, never changed; it tells up to which line all is vouched for, and how many lines are not."""
    assert never_mistaken(GAME.record, key) == []


def test_t12_a_young_game_has_no_seal_yet():
    """Its nonce tells that there will be one."""
    lines = GAME.lines[: SEAL_LINES - 1]
    finding = verify.verify(joined(lines), KEY)
    assert (finding.kind, finding.sealed, finding.lines) == (CUT, 0, SEAL_LINES - 1)
    assert verify.verify(joined(line for line in lines if not line.startswith(b"nonce")), KEY).kind == NO_RECORD


def collision(cards, comment, result):
    """One of the two records of C1: the table's maker chose the comments so that the letters are equal."""
    header = ["cardtable 1", "game: durak throw-in", "seats: Anna; Boris", "dealer: 2",
              "nonce: 00112233445566778899aabbccddeeff", ""]
    events = [f"0.{number} {number} draw {card}" for number, card in enumerate(cards, 1)]
    lines = [*header, *events, f"99.0 {result} done", f"; flash: {comment}", f"result: fool {3 - result}"]
    return reseal([line.encode() for line in lines], KEY)


def test_c1_the_letters_are_no_proof_against_the_tables_own_maker():
    """What docs/security.md says: a collision takes 2^28 tries. This one was found in two minutes."""
    one, two = collision(("6S", "7S"), "0031b9cb10909642", 1), collision(("7S", "6S"), "00bf6753618070d3", 2)
    assert one[0] != two[0] and one[1] == two[1] == "4HTP 7DRD 55JM"
    assert verify.verify(one[0], KEY).kind == verify.verify(two[0], KEY).kind == INTACT
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert "| about 2^28 tries" in page and "| about 2^55 tries" in page


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


def test_a_chain_that_was_made_again_is_whole_by_itself():
    """Else the forger would be no threat: without the key nothing is wrong with it."""
    forged = fuzz_forger.rechain(GAME.lines, 20, random.Random(1))
    assert verify.verify(joined(forged)).kind == INTACT and verify.verify(joined(forged), KEY).kind == CHANGED


def test_t12_what_is_changed_is_told_to_the_seal():
    """One line of a segment: the range is that segment, and the others are as they were."""
    for number in range(1, len(GAME.lines)):
        if number in SEALS or number <= 8:
            continue
        lines = [*GAME.lines[: number - 1], GAME.lines[number - 1] + b" ", *GAME.lines[number:]]
        finding = verify.verify(joined(lines), KEY)
        last = min(seal for seal in SEALS if seal >= number)
        first = max([seal for seal in SEALS if seal < number], default=0) + 1
        assert (finding.kind, finding.changed, finding.sealed) == (CHANGED, [(first, last)], first - 1)


def test_t12_how_many_lines_are_missing_is_told():
    """The seal's numbers say it."""
    lines = GAME.lines[:40] + GAME.lines[43:]
    assert verify.verify(joined(lines), KEY).notes == [f"before line {SEALS[1] - 3} 3 lines are missing"]
    lines = GAME.lines[:40] + [b"; one", b"; two"] + GAME.lines[40:]
    assert verify.verify(joined(lines), KEY).notes == [f"before line {SEALS[1] + 2} 2 lines are too many"]
    lines = GAME.lines[: SEALS[0]] + GAME.lines[SEALS[1] :]
    missing = SEALS[1] - SEALS[0]
    assert verify.verify(joined(lines), KEY).notes == [f"before line {SEALS[0] + 1} {missing} lines are missing"]


def test_t12_another_tables_key_fits_nothing():
    """And that is said: it is more often the wrong key than a forger."""
    finding = verify.verify(GAME.record, bytes(32))
    assert finding.kind == CHANGED and finding.changed == [(1, len(GAME.lines))]
    assert "not one seal is of this key" in finding.notes[0]


def test_t12_a_mail_program_that_rewrites_lines_changes_a_record():
    """It is told what happened."""
    finding = verify.verify(GAME.record.replace(b"\n", b"\r\n"), KEY)
    assert finding.kind != INTACT and "some program has rewritten them" in finding.notes[0]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_t12_no_random_edit_is_vouched_for(data):
    """Bytes replaced, taken out, put in, pieces moved: what is vouched for is what the table wrote."""
    record = bytearray(GAME.record)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(record) - 1))
        end = data.draw(st.integers(at, min(len(record), at + 60)))
        new = data.draw(st.one_of(st.binary(max_size=4), st.just(bytes(record[at:end]))))
        piece = data.draw(st.integers(0, len(record)))
        if data.draw(st.booleans()):
            record[piece:piece] = record[at:end]
        record[at:end] = new
    finding = verify.verify(bytes(record), KEY)
    if bytes(record) == GAME.record:
        assert finding.kind == INTACT
        return
    assert finding.kind != INTACT
    vouched = bytes(record).split(b"\n")[: finding.sealed]
    assert vouched == GAME.lines[: finding.sealed]


@settings(max_examples=200, deadline=None)
@given(record=st.binary(max_size=200))
def test_t12_no_bytes_at_all_break_the_verifier(record):
    """Nor are they a record."""
    assert verify.verify(record, KEY).kind == NO_RECORD
    verify.verify(b"cardtable 1\nnonce: 1\n\n" + record, KEY)


# --- what the players wrote down, and the command ---------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """A record, its key, and the feed that somebody kept."""
    (tmp_path / "game.rec").write_bytes(GAME.record)
    (tmp_path / "key.bin").write_bytes(KEY)
    (tmp_path / "feed.txt").write_bytes(b"boot\r\ncardtable on virtual, MicroPython 1.29.0\r\n" + GAME.public)
    return tmp_path


def said(capsys, *arguments):
    """Exit code and lines of `cardtable verify`."""
    code = run(["verify", *[str(argument) for argument in arguments]])
    told = capsys.readouterr()
    return code, (told.out + told.err).splitlines()


def test_t12_the_command_says_intact(folder, capsys):
    """With everything that can be held against it; the digest in any spelling, the key as bytes or digits."""
    path = folder / "game.rec"
    digest = GAME.digest.lower().replace(" ", "-")
    (folder / "key.txt").write_text(KEY.hex() + "\n")
    for key in ("key.bin", "key.txt"):
        code, lines = said(capsys, path, "--key", folder / key, "--digest", digest, "--public", folder / "feed.txt")
        assert code == RIGHT and lines[0] == f"{path}: intact, {len(GAME.lines)} lines, digest {GAME.digest}"
        assert lines[1].startswith(f"{folder / 'feed.txt'}: fits, ") and len(lines) == 2
    code, lines = said(capsys, path)
    assert code == RIGHT and "without the key anyone could have rewritten it" in lines[0]


def test_t12_the_command_says_what_is_wrong_and_where(folder, capsys):
    """Cut off, changed; exit code 1."""
    path = folder / "game.rec"
    path.write_bytes(joined(GAME.lines[:50]))
    code, lines = said(capsys, path, "--key", folder / "key.bin")
    assert code == WRONG and lines == [
        f"{path}: cut off after line 50: lines 1-{SEALS[0]} are as the table wrote them, "
        f"and no seal is left over lines {SEALS[0] + 1}-50"
    ]
    path.write_bytes(joined([*GAME.lines[:40], b"1.0 1 done", *GAME.lines[41:]]))
    code, lines = said(capsys, path, "--key", folder / "key.bin")
    assert code == WRONG and lines == [
        f"{path}: changed in lines {SEALS[0] + 1}-{SEALS[1]}; lines 1-{SEALS[0]} are as the table wrote them"
    ]


def test_t12_a_record_that_was_made_anew_has_another_digest(folder, capsys):
    """Without the key the chain fits; what the players wrote down does not."""
    path = folder / "game.rec"
    forged, digest = reseal([line.replace(b" 6S", b" 7S") for line in GAME.lines], bytes(32))
    path.write_bytes(forged)
    assert said(capsys, path)[0] == RIGHT
    code, lines = said(capsys, path, "--digest", GAME.digest)
    assert code == WRONG and lines[1] == f"{path}: not the record whose digest is {GAME.digest}: this one's is {digest}"
    path.write_bytes(OTHER.record)
    assert said(capsys, path, "--key", folder / "key.bin")[0] == RIGHT
    assert said(capsys, path, "--key", folder / "key.bin", "--digest", GAME.digest)[0] == WRONG
    path.write_bytes(GAME.record[:-1])
    assert "only an intact record has one" in said(capsys, path, "--digest", GAME.digest)[1][1]


def test_t12_what_cannot_be_used_is_one_sentence(folder, capsys):
    """Exit code 2."""
    path, key = folder / "game.rec", folder / "key.bin"
    for arguments in (
        (folder / "none.rec",), (path, "--key", folder / "none.bin"), (path, "--key", path), (path, "--digest", "ABC"),
        (path, "--digest", "0O1I 0O1I 0O1I"), (path, "--public", folder / "none.txt"), (folder,),
    ):
        code, lines = said(capsys, *arguments)
        assert (code, len(lines)) in ((UNUSABLE, 1), (WRONG, 2)), arguments
        assert code == UNUSABLE or "--public" in arguments
    key.write_bytes(KEY[:31])
    assert said(capsys, path, "--key", key) == (UNUSABLE, [f"{key}: a key has 32 bytes, this file has 31"])
    path.write_bytes(GAME.record[:30])
    code, lines = said(capsys, path)
    assert code == UNUSABLE and lines[0].startswith(f"{path}: no sealed record: ")
    path.write_bytes(b"cardtable 1\ngame: durak\n\n0.0 1 draw 6S\n")
    assert said(capsys, path)[0] == UNUSABLE


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


def test_a_verifier_that_takes_what_is_cut_off_for_whole_is_caught(monkeypatch):
    """It would be enough not to look for the end."""
    end = verify.Check.end

    def lenient(self, rest):
        self.is_ended = True
        return end(self, rest)

    monkeypatch.setattr(verify.Check, "end", lenient)
    assert never_mistaken(GAME.record, KEY)


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
