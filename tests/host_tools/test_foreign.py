"""The gate: files and lines from elsewhere come in with a limit, foreign text goes out escaped (H1-H4, H8)."""

import io
import os
import re

import pytest

from host_tools.base import foreign
from host_tools.cli import UNUSABLE, WRONG, run
from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import Unreadable
from host_tools.virtual import serial_board
from host_tools.play.scripted import show
from host_tools.virtual.serial_board import check_flash
from host_tools.virtual.table import check_folder, load_script
from tests.conftest import ROOT

SHORT = ROOT / "tests" / "records" / "durak" / "scenario-38_trump_blocks.rec"
STEERS = "\x1b]52;c;QUFB\x07 \x1b[2J \x9b31m \r \u202e"
BLOCKS = 4
ERASED = b"\xff" * (BLOCKS * 4096)


def printed(capsys):
    """All that was printed; nothing of it steers a terminal."""
    out, err = capsys.readouterr()
    assert (out + err).replace("\n", "").isprintable()
    return out, err


# --- in ---------------------------------------------------------------------------------------------------------------


def test_h4_no_more_is_read_than_the_limit():
    with pytest.raises(Unreadable, match="/dev/zero: more than 1000 bytes"):
        foreign.read_bytes("/dev/zero", 1000)


@pytest.mark.parametrize("limit", [5, 6])
def test_h4_a_file_of_just_the_limit_is_read(limit, tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    assert foreign.read_bytes(tmp_path / "a", limit) == b"12345"


def test_h4_a_pipe_that_does_not_end_is_not_waited_for(tmp_path, monkeypatch):
    """Neither one that nobody writes to, nor one whose writer says nothing; what ends is read."""
    monkeypatch.setattr(foreign, "PATIENCE_S", 0.05)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="pipe: does not end within 0.05 s"):
        foreign.read_bytes(tmp_path / "pipe")
    reads, writes = os.pipe()
    os.write(writes, b"12345")
    for limit in (4, 5):  # one byte more than the limit is all that is taken
        with pytest.raises(Unreadable, match="more than 4 bytes" if limit == 4 else "does not end"):
            foreign.read_bytes(f"/dev/fd/{reads}", limit)
    os.write(writes, b"6")
    os.close(writes)
    assert foreign.read_bytes(f"/dev/fd/{reads}", 5) == b"6"
    os.close(reads)


def test_what_cannot_be_read_is_one_sentence(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff")
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "a" / "b", tmp_path / "a", "a\0b"):
        with pytest.raises(Unreadable) as unreadable:
            foreign.read_text(path)
        assert str(unreadable.value) == f"{path}: {unreadable.value.cause}" and "\n" not in str(unreadable.value)


def test_lines_end_as_in_a_text_file(tmp_path):
    (tmp_path / "a").write_bytes(b"1\r\n2\r3\n\n\xe2\x80\xa8 4")
    assert foreign.read_lines(tmp_path / "a") == (tmp_path / "a").open(encoding="utf-8").readlines()
    (tmp_path / "a").write_bytes(b"1\n")
    assert foreign.read_lines(tmp_path / "a") == ["1\n"]


def test_h4_what_is_typed_has_a_limit(monkeypatch):
    assert list(foreign.typed_lines(io.StringIO("a\nb"))) == ["a\n", "b"]
    with pytest.raises(UnusableInput, match="a line of more than 10000 characters"):
        list(foreign.typed_lines(io.StringIO("a\n" + "x" * 20_000)))
    with pytest.raises(UnusableInput, match="no UTF-8"):
        list(foreign.typed_lines(io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8")))


# --- out --------------------------------------------------------------------------------------------------------------


def test_h3_nothing_that_is_printed_steers_the_terminal(capsys):
    foreign.say(STEERS)
    foreign.say("a\nb" + STEERS, err=True)
    out, err = printed(capsys)
    assert len(out.splitlines()) == len(err.splitlines()) == 1 and "\\x1b]52;c;QUFB\\x07" in out and "a\\nb" in err


def test_h3_visible_text_stays_as_it_is(capsys):
    foreign.say("Анна 10♠ \\n é")
    assert printed(capsys)[0] == "Анна 10♠ \\n é\n"


def hostile_record(folder):
    """A whole game whose names and free keys try to steer the terminal, and rich."""
    text = SHORT.read_text(encoding="utf-8")
    names = text.partition("seats: ")[2].partition("\n")[0]
    many = [f"A{number}\x1b[31m[/b]" for number in range(names.count(";") + 1)]
    file = folder / "evil.rec"
    file.write_text(text.replace(f"seats: {names}", f"note: {STEERS.replace(chr(13), '')}\nseats: {'; '.join(many)}"),
                    encoding="utf-8")
    return file


@pytest.mark.parametrize("words", [("table", "--plain", "--runtime", "cpython", "--speed", "max", "--record"),
                                   ("replay", "-v"), ("verify",)], ids=lambda words: words[0])
def test_h3_a_record_that_tries_to(words, tmp_path, capsys):
    run([*words, str(hostile_record(tmp_path))])
    out, err = printed(capsys)
    assert out or err


def test_h3_the_picture_in_a_terminal_too(tmp_path, capsys):
    """Names go into rich as text: as markup, `[/b]` would be an error."""
    file = tmp_path / "a.svg"
    show.save_picture(hostile_record(tmp_path), 3, "en", file, "cpython")
    text = file.read_text(encoding="utf-8")
    assert "\x1b" not in text and "A0" in text


def test_h3_an_unusable_name_is_escaped(capsys):
    assert run(["verify", "no\x1b[2Jsuch\nfile"]) == UNUSABLE
    assert len(printed(capsys)[1].splitlines()) == 1


def test_h8_no_sealed_record_is_said_on_standard_error(capsys):
    assert run(["verify", str(ROOT / "README.md")]) == UNUSABLE
    out, err = printed(capsys)
    assert out == "" and "no sealed record" in err


@pytest.mark.parametrize(("line", "longer"), [
    (r"^(result: ).*$", "ж" * 390), (r"^(.* ! )\S.*$", "D" + "1" * 350), (r"^(\d[^!\n]*)$", " ! " + "D1 " * 100),
], ids=["result", "rule of a refusal", "rules of an accepted event"])  # fmt: skip
def test_h8_a_cause_quotes_no_more_than_fits_a_line_or_two(line, longer, tmp_path, capsys):
    """Each was quoted whole: 430 to 960 characters."""
    text = SHORT.with_name("throw-in-0001.rec").read_text(encoding="utf-8")
    changed = re.sub(line, lambda found: found[1] + longer, text, count=1, flags=re.MULTILINE)
    (tmp_path / "a.rec").write_text(changed, encoding="utf-8")
    assert run(["replay", str(tmp_path / "a.rec")]) == WRONG
    out, err = printed(capsys)
    assert "..." in out and max(len(text) for text in (out + err).splitlines()) < len(str(tmp_path)) + 310


def test_h8_a_game_of_any_length_is_not_quoted_whole(tmp_path, capsys):
    text = SHORT.read_text(encoding="utf-8").replace("game: durak", "game: durak " + "x" * 380)
    (tmp_path / "a.rec").write_text(text, encoding="utf-8")
    assert run(["replay", str(tmp_path / "a.rec")]) == UNUSABLE
    assert len(printed(capsys)[1]) < len(str(tmp_path)) + 300


# --- what is not ours stays -------------------------------------------------------------------------------------------


def drop_link(link):
    """What the twin does before it makes its link, and as it ends."""
    board = serial_board.SerialBoard.__new__(serial_board.SerialBoard)
    board._link = link
    board._drop_link()


def test_h1_only_a_link_to_a_port_is_replaced(tmp_path):
    file, folder, link, ours = (tmp_path / name for name in ("a.txt", "folder", "link", "ours"))
    file.write_text("x")
    folder.mkdir()
    link.symlink_to(file)
    ours.symlink_to("/dev/pts/nothing")
    for path in (file, folder, link):
        with pytest.raises(UnusableInput, match="is there, and is no link to a port"):
            drop_link(path)
    drop_link(ours)
    drop_link(tmp_path / "nothing")
    assert file.read_text() == "x" and folder.is_dir() and link.is_symlink() and not os.path.lexists(ours)


@pytest.mark.parametrize("content", [
    b"x", b"", b"# Cardtable\n" + ERASED[12:-1] + b"x", ERASED[:-1], ERASED + b"\xff",
], ids=["text", "empty", "as long as a flash", "short", "long"])  # fmt: skip
def test_h1_a_file_that_is_no_flash_is_not_formatted(content, tmp_path):
    file = tmp_path / "a.bin"
    file.write_bytes(content)
    with pytest.raises(UnusableInput, match="name another file"):
        check_flash(file, BLOCKS)
    assert file.read_bytes() == content


@pytest.mark.parametrize("content", [
    ERASED, b"\x01\0\0\0\xf0\x0f\xff\xf7littlefs" + bytes(4080) + ERASED[4096:],
    ERASED[:4096] + b"\x01\0\0\0\xf0\x0f\xff\xf7littlefs" + bytes(4080) + bytes(8192), bytes(5000) + ERASED[5000:],
], ids=["erased", "littlefs", "littlefs in its other block", "cut off while it was formatted"])  # fmt: skip
def test_h1_a_flash_is_taken(content, tmp_path):
    (tmp_path / "a.bin").write_bytes(content)
    check_flash(tmp_path / "a.bin", BLOCKS)
    check_flash(tmp_path / "not there yet", BLOCKS)


@pytest.mark.micropython
def test_h1_twin_spares_what_is_there(tmp_path, capsys):
    """As it was found: the file is there afterwards, and its sentence names it."""
    for name in ("a.txt", "b.bin"):
        (tmp_path / name).write_text("x")
    for link, flash in (("a.txt", "new"), ("tty", "b.bin"), ("c", "c")):
        words = ["twin", "--seconds", "0", "--link", str(tmp_path / link), "--flash", str(tmp_path / flash)]
        assert run(words) == UNUSABLE
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b.bin"]
    assert all(path.read_text() == "x" for path in tmp_path.iterdir())
    assert printed(capsys)[1].count("name another") == 2


@pytest.mark.parametrize(("name", "content"), [
    ("deck.txt", b"04 6S\n"), ("setup.txt", b"mine\n"), ("key.bin", b"k" * 31),
])  # fmt: skip
def test_h8_keep_spares_the_files_of_another_table(name, content, tmp_path, capsys):
    (tmp_path / name).write_bytes(content)
    assert run(["table", "--runtime", "cpython", "--record", str(SHORT), "--keep", str(tmp_path)]) == UNUSABLE
    assert "name a new folder" in printed(capsys)[1]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {name: content}


def test_h8_keep_takes_its_own_folder_again(tmp_path):
    assert check_folder(tmp_path, load_script(SHORT)[1]) is None


@pytest.mark.parametrize("words", [("board", "docs", "--to"), ("device", "package", "--board", "virtual", "--to")])
def test_h1_pages_and_packages_spare_what_is_there(words, tmp_path, capsys):
    """Siblings of the link: README.md and main.py of the folder that was named by mistake."""
    for name in ("README.md", "main.py"):
        (tmp_path / name).write_text("mine")
    assert run([*words, str(tmp_path)]) == UNUSABLE
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"README.md": "mine", "main.py": "mine"}
    assert "name another folder" in printed(capsys)[1]


def test_h1_enrol_replaces_no_device_by_a_file(capsys):
    assert run(["enrol", os.devnull]) == UNUSABLE
    assert printed(capsys)[1] == f"{os.devnull}: not a file\n"
