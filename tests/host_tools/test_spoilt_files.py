"""Seeded mutants of what commands and doors read: each ends as usual or in one sentence, and none in a traceback."""

import json
import random
import zipfile

import pytest

from cardtable.engine.reading import read_header
from cardtable.record.seal import NONCE, Sealed
from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.club.tournament.rehearse import Paper
from host_tools.look.published.worker import Games
from host_tools.minds.environments.table import Table
from host_tools.minds.players import engine_words
from host_tools.minds.puzzles.making import make_some
from host_tools.minds.puzzles.puzzle import STOCK, read_puzzles
from host_tools.play.readers.enrolment import find_deck, read_deck
from tests.conftest import ROOT

MUTANTS = 300
BY_DAY = 12  # of them, the first ones
RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
BYTES = b'0123456789 \n\t|;:,=?-+*#~{}[]"\\/ASHDCX\x00\x7f\x80\xc3\xff'
LONG = (b"9" * 30, b"9" * 5000, b"[" * 3000, b"\n" * 100, "ж😀".encode(), b"\xed\xa0\x80", b"")


def mutate(rng, data):
    """One to four changes: a byte, a piece that is taken away, said twice or replaced by something long."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        at, size = rng.randrange(len(data) + 1), rng.randrange(1, 40)
        change = rng.randrange(4)
        if change == 0 and at < len(data):
            data[at] = rng.choice(BYTES)
        elif change == 1:
            del data[at:at + size]
        elif change == 2:
            data[at:at] = data[at:at + size]
        else:
            data[at:at + rng.randrange(6)] = rng.choice(LONG)
    return bytes(data)


def mutants(name, data, numbers):
    """Those of these numbers; each number gives the same one wherever it runs."""
    return [mutate(random.Random(f"{name} {number}"), data) for number in numbers]


def pack_of(record):
    def write(path, content):
        with zipfile.ZipFile(path, "w") as pack:
            pack.writestr("a.rec", content)

    return write, record


def plain(content):
    return lambda path, mutant: path.write_bytes(mutant), content


def ask(*words):
    def read(path):
        assert run([*words, str(path)]) in (0, 1, 2)

    return read


def write_page(path):
    assert run(["view", "--html", str(path.with_suffix(".html")), str(path)]) in (0, 2)


def put_into_pack(path):
    assert run(["pack", str(path.parent / "out.sqlite"), str(path)]) in (0, 2)


def read_puzzle_file(path):
    for puzzle in read_puzzles(path.read_text("utf-8", "replace").splitlines()):
        session, _ = puzzle.load()
        puzzle.packed(session.game)
        assert puzzle.rating and puzzle.line()


def read_engine(path):
    for line in path.read_bytes().split(b"\n"):
        try:
            number, after_ms = engine_words.read_answer(line.decode("utf-8", "replace").strip(), ["attack 7S", "done"])
        except ValueError as wrong:
            assert "\n" not in str(wrong)
        else:
            assert -1 <= number < 2 and -1 <= after_ms <= engine_words.MOST_AFTER_MS


def read_decks(path):
    path.rename(path.parent / "deck.txt")
    assert len(read_deck(path.parent / "deck.txt")) < 1000
    assert find_deck(path.parent, 36)[0] in (1, 2)


ASKED = ("records", "records/a.rec", "records/a.rec/game.json", "records/a.rec/sheet?line=3", "my-games.json?name=Anna",
         "drills.json?seed=1", "records/a.rec/lesson?seat=1")


def read_in_browser(path):
    """As the page without a server does: it takes a record in, and tells and teaches from those that it keeps."""
    games = Games(str(path.parent))
    (games.library / "a.rec").write_bytes(path.read_bytes())
    for asked in ASKED:
        told = json.loads(games.answer(asked))
        assert told["status"] in (200, 404), (asked, told["text"])
    games.take_in("b.rec", path.read_bytes())


def look_for_puzzles(path):
    puzzles = make_some([path], (), 0, 10, 1, 1, lambda done, of: None)
    assert all(puzzle.line() for puzzle in puzzles)


def set_up_environment(path):
    Table(path.read_text("utf-8", "replace"), 2, 1).legal()


def seal(record):
    """The record as a table with a key of zeros writes it."""
    header, _ = read_header(line + "\n" for line in record.splitlines())
    paper = Paper()
    sealed = Sealed(paper, bytes(32))
    header.keys.append((NONCE, "0" * 32))
    sealed.open(header)
    for line in record.split("\n\n", 1)[1].splitlines():
        sealed.write(line)
    return paper.text.encode()


SEALED = seal(RECORD.read_text())
DECK = "; 36 cards\n" + "".join(f"04A1B2C3D4E5{number:02X} {rank}{suit}\n" for number, (rank, suit) in enumerate(
    (rank, suit) for suit in "SHDC" for rank in "6789TJQKA"))
ENGINE = b"play attack 7S\nplay 2 after 500\nwait\nplay 1\ninfo nothing\nengine first-move\nready\nplay done after 0\n"
PUZZLES = "".join(STOCK.read_text().splitlines(True)[:9]).encode()
KINDS = {
    "stats": (*plain(RECORD.read_bytes()), ask("stats")),
    "stats of a pack": (*pack_of(RECORD.read_bytes()), ask("stats")),
    "profile": (*plain(RECORD.read_bytes()), ask("profile")),
    "match": (*plain(RECORD.read_bytes()), ask("match")),
    "replay": (*plain(RECORD.read_bytes()), ask("replay")),
    "replay of a pack": (*pack_of(RECORD.read_bytes()), ask("replay")),
    "show": (*plain(RECORD.read_bytes()), ask("show", "--at", "30")),
    "view": (*plain(RECORD.read_bytes()), write_page),
    "verify": (*plain(SEALED), ask("verify")),
    "pack": (*plain(RECORD.read_bytes()), put_into_pack),
    "puzzles": (*plain(PUZZLES), read_puzzle_file),
    "engine": (*plain(ENGINE), read_engine),
    "deck": (*plain(DECK.encode()), read_decks),
    "environment": (*plain(b"durak transfer deck=36 first_bout=5"), set_up_environment),
    "puzzles make": (*plain(RECORD.read_bytes()), look_for_puzzles),
    "browser": (*plain(RECORD.read_bytes()), read_in_browser),
}


def try_all(kind, numbers, folder, capsys):
    write, whole, read = KINDS[kind]
    wrong = 0
    for number, mutant in zip(numbers, mutants(kind, whole, numbers), strict=True):
        path = folder / str(number) / ("a.zip" if "pack" in kind else "a.rec")
        path.parent.mkdir()
        write(path, mutant)
        try:
            read(path)
        except UnusableInput as said:
            assert "\n" not in str(said) and len(str(said)) < 300, (number, mutant)
            wrong += 1
        err = capsys.readouterr().err
        assert "Traceback" not in err and err.count("\n") < 5, (number, err)
        wrong += bool(err)
    return wrong


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "browser"])  # some 7 s of processor time
def test_r13_mutants_of_what_is_read_end_in_a_sentence(kind, tmp_path, capsys):
    try_all(kind, range(BY_DAY), tmp_path, capsys)


@pytest.mark.everything
@pytest.mark.parametrize("kind", KINDS)
def test_r13_three_hundred_mutants_of_what_is_read(kind, tmp_path, capsys):
    """Some of them are noticed: mutants that nothing notices would prove nothing. Three readers leave out what they
    cannot use, and say nothing."""
    assert try_all(kind, range(MUTANTS), tmp_path, capsys) or kind in ("engine", "deck", "puzzles make")
