"""The command `cardtable verify`: a record, its key, its digest, and the feed that somebody kept (T12)."""

import pytest

from host_tools.cli import RIGHT, UNUSABLE, WRONG, run
from tests.host_tools.sealed_games import GAME, KEY, OTHER, SEALS, joined, reseal


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
