"""`cardtable table`: recorded games come through the firmware as they were, differences and unusable input are told."""

import re

import pytest

from cardtable.drivers import font6x8
from cardtable.play import controller, display, judge_and_write, repeats, seats
from cardtable.table.words import Words
from host_tools.cli import RIGHT, UNUSABLE, WRONG, run
from host_tools.judge.records.public_record import uncommitted
from host_tools.virtual.glass import read_text
from host_tools.play.scripted.show import Picture
from host_tools.virtual.table import Table, load_script
from tests.conftest import ROOT
from tests.patience import SleptClock

RECORDS = ROOT / "tests" / "records" / "durak"
SHORT = RECORDS / "scenario-38_trump_blocks.rec"  # 24 accepted, 2 refused, 15 s at the table
CHEATING = RECORDS / "scenario-60_cheat_caught.rec"
TIMES = re.compile(r"^\d+\.\d+ ")


@pytest.fixture
def table(capsys):
    """Call `cardtable table` with this Python for the device unless told otherwise: exit code, output, errors."""

    def call(path, *options, runtime="cpython"):
        code = run(["table", "--record", str(path), "--runtime", runtime, "--speed", "max", *options])
        told = capsys.readouterr()
        return code, told.out.splitlines(), told.err.splitlines()

    return call


@pytest.fixture
def changed(tmp_path):
    """A record with one line changed: changed(record, line's number, what it says instead)."""

    def write(path, number, text):
        lines = path.read_text().splitlines(keepends=True)
        lines[number - 1] = text + "\n"
        target = tmp_path / "changed.rec"
        target.write_text("".join(lines))
        return target

    return write


def number_of(path, text):
    """The number of the first line that ends like this."""
    lines = path.read_text().splitlines()
    return 1 + next(index for index, line in enumerate(lines) if line.endswith(text))


# --- recorded games ---------------------------------------------------------------------------------------------------


@pytest.mark.micropython
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "impossible", "outcome"),
    [
        ("throw-in-0001", "  line 141: 86.9 5 attack 8D ! D2 T2", "199 accepted, 23 refused, result: fool 4"),
        ("throw-in-0005", "  line 11: 4.3 6 beat 7H 7H ! D2 T2", "131 accepted, 22 refused, result: fool 1"),
    ],
)
def test_recorded_game_under_micropython(table, name, impossible, outcome):
    """Four seats, whose first attacker D5 finds, and five: journal = record; what no hand can do is listed, counted: a
    seat that is not there, and verbs whose options are off, which no menu lists."""
    code, lines, errors = table(RECORDS / f"{name}.rec", runtime="micropython")
    assert lines[-1] == "journal = record: " + outcome
    [at] = [at for at, line in enumerate(lines) if line.endswith("line(s) that no hand at the table can make:")]
    listed = lines[at + 1 : -1]
    assert lines[at].split()[0] == str(len(listed)) and impossible in listed
    off = ("catch", "show", "transfer")
    assert all(line == impossible or line.split()[4] in off for line in listed), listed
    assert (code, errors) == (RIGHT, [])


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("scenario-12_simple_closed", "31 accepted, 7 refused, no result yet"),
        ("scenario-34_transfer_chain", "45 accepted, 6 refused, no result yet"),
        ("scenario-60_cheat_caught", "33 accepted, 13 refused, no result yet"),
    ],
)
def test_record_with_other_options(table, name, outcome):
    """The closed lead of simple (D13), offered transfers (D26), cheating and accusing (D43, D44)."""
    code, lines, _ = table(RECORDS / f"{name}.rec")
    assert (code, lines[-1]) == (RIGHT, "journal = record: " + outcome)


@pytest.mark.micropython
def test_both_interpreters_make_the_same_game(table):
    """The same lines at the same times, whichever runs the firmware; commitments, digest and nonce are each game's."""
    here, there = ([uncommitted(line) for line in lines if not line.startswith(("digest: ", "nonce: "))]
                   for lines in (table(CHEATING)[1], table(CHEATING, runtime="micropython")[1]))
    assert here[1:] == there[1:] and len(here) > 30  # the first line names the interpreter


# --- differences ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "instead", "found"),
    [
        ("6.3 2 transfer 6C", "6.3 2 transfer 6C ! D26", "2 transfer 6C"),  # a verdict, flipped
        ("6.6 3 transfer 6D ! D29", "6.6 3 transfer 6D ! D27", "3 transfer 6D ! D29"),  # another rule
        ("6.6 3 transfer 6D ! D29", "6.6 3 transfer 6D", "3 transfer 6D ! D29"),
    ],
)
def test_a_changed_line_is_named(table, changed, wanted, instead, found):
    """Exit code 1, the line of the record with its number, and what the journal has instead."""
    number = number_of(SHORT, wanted)
    code, lines, _ = table(changed(SHORT, number, instead))
    assert code == WRONG
    assert lines[-3] == f"record line {number}: {instead}"
    assert TIMES.sub("", lines[-2].removeprefix("journal: ")) == found
    assert lines[-1].startswith("journal and record differ: ")


def test_another_result_is_named(table, changed):
    """What the table writes when it closes the game is compared too."""
    path = RECORDS / "scenario-53_draw.rec"
    code, lines, _ = table(changed(path, number_of(path, "result: draw"), "result: fool 1"))
    assert code == WRONG
    assert lines[-3:-1] == ["record: result fool 1", "journal: result draw"]


# --- what cannot be played --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "{path}: No such file or directory"),
        (b"", "{path}: the file is empty"),
        (b"\x80\xff\xfe\x00" * 40, "{path}: invalid start byte, so it is no text"),
        (b"cardtable 2\n", "{path}:1: a record begins with the line 'cardtable 1', not with 'cardtable 2'"),
        (b"cardtable 1\ngame: durak\n", "{path}:2: the header does not end with an empty line"),
        (b"cardtable 1\ngame: whist\nseats: A; B\ndealer: 1\n\n", "{path}:5: no game whist on this table"),
        (b"cardtable 1\ngame: durak\nseats: A\ndealer: 1\n\n", "{path}:5: durak is for 2 to 6 seats, not 1 (D2)"),
        (b"cardtable 1\ngame: durak\nseats: A; B\ndealer: 1\n\n1.0 1 hop\n", "{path}:6: hop is no verb of durak"),
    ],
)
def test_what_is_no_record_is_one_sentence(table, tmp_path, content, sentence):
    """Exit code 2; file, line and cause on standard error, and the table is not started."""
    path = tmp_path / "some.rec"
    if content is not None:
        path.write_bytes(content)
    assert table(path) == (UNUSABLE, [], [sentence.format(path=path)])


def test_what_else_cannot_be_used_is_one_sentence(table, tmp_path):
    """Boards, speeds and folders that are none."""
    assert table(SHORT, "--board", "round") == (UNUSABLE, [], ["there is no board round in boards/"])
    assert table(SHORT, "--keep", str(SHORT / "flash"))[::2] == (UNUSABLE, [f"{SHORT / 'flash'}: Not a directory"])
    code, _, errors = table(SHORT, "--speed", "0")
    assert code == UNUSABLE and errors[-1].endswith("0 is neither a number from 0.001 nor max")


# --- what is shown ----------------------------------------------------------------------------------------------------


def test_not_a_terminal_means_plain_lines(table):
    """The public feed, a line an event, without a control character; a drawn card is hidden (D47)."""
    code, lines, _ = table(SHORT)
    assert code == RIGHT
    assert not re.search(r"[\x00-\x1f\x7f]", "".join(lines))
    assert lines[0].startswith("cardtable on virtual, CPython ")
    header = SHORT.read_text().split("\n\n")[0].splitlines()
    assert lines[1 : len(header) + 3] == ["boot: power", *header, ""]
    events = [TIMES.sub("", uncommitted(line)) for line in lines[len(header) + 3 : -1]]
    assert events[:3] == ["1 draw ??", "2 draw ??", "3 draw ??"]
    at = events.index("1 line(s) that no hand at the table can make:")  # a shown trump, which this game has not
    assert events[at - 7 : at] == [
        "3 turn TC", "1 attack 6S", "2 transfer 6C", "3 ! D29 No transfer: a trump is on the table",
        "3 take", "2 done", "1 done",
    ]


def test_a_terminal_shows_seats_screen_cards_and_verdicts(capsys):
    """Side by side, and at the end as it stands."""
    from host_tools.play.scripted.show import play

    assert play(SHORT, None, "virtual", "en", None, True, "cpython") == RIGHT
    shown = capsys.readouterr().out
    for text in ("seats", "screen", "table", "verdicts", "Vera", "8 cards", "♣ 18: 5 5 8", "turned  10♣", "✓", "✗"):
        assert text in shown, text


def test_t7_what_no_menu_lists_cannot_be_said_while_ok_agrees():
    """In Bailiff `done` without its option: OK says it, but not as long as some have not agreed to an undo."""
    _, script = load_script(ROOT / "tests" / "records" / "bailiff" / "variant-undo.rec")
    assert [line.text for line in script.impossible] == ["108.1 2 done ! B7"]
    assert "120.5 1 done ! B7" in [line.text for line in script.lines]


def open_cards(name, events):
    """The cards that the picture shows after so many events of a record."""
    game, script = load_script(ROOT / "tests" / "records" / f"{name}.rec")
    table = Table(game, script, runtime="cpython")
    picture = Picture(table, name, None)
    for line in script.lines[:events]:
        table.hands.shadow.play(line.event)
        picture.look()
    return picture._piles


def test_c17_the_picture_shows_what_spectators_can_see():
    """C17, M17: nothing of what is staged, laid face down or held; of open piles the card that came last is on top."""
    assert open_cards("cals-bs/scenario-13-all-fours", 70) == {}
    piles = open_cards("malice/game-0002", 200)
    assert sorted(place for place in piles if place.startswith("turned")) == ["turned1", "turned2"]
    assert not [place for place in piles if place.startswith("hand")]
    assert any(len(pile) > 1 for pile in piles.values())


def test_a_picture_of_the_running_table(table, tmp_path):
    """SVG that fetches nothing from elsewhere, with what lies on the table after so many events."""
    path = tmp_path / "picture.svg"
    assert table(SHORT, "--picture", "21", str(path)) == (RIGHT, [], [])
    drawing = path.read_text()
    assert drawing.startswith("<svg") and not re.search(r"@import|@font-face|url\((?!#)|href=", drawing)
    assert "verdicts" in drawing and "2&#160;transfer&#160;6C" in drawing


@pytest.mark.parametrize("language", ["en", "ru"])
def test_t6_the_screen_says_refusals_in_words(language):
    """T6: English and Russian, read from the glass; never the card."""
    game, script = load_script(SHORT)
    table = Table(game, script, language=language, runtime="cpython")
    seen = set()

    def watch():
        """Somebody who reads the screen ten times a second."""
        while True:
            yield 100_000
            seen.add(" ".join(" ".join(read_text(table.world.screen, font6x8)[4:7]).split()))

    table.world.people.add(watch())
    assert table.run().agrees
    words = Words("durak", language)
    for rule in ("D29",):
        assert f"3 {rule} {words.find(rule)}" in seen
    assert ("Козырь" in "".join(seen)) == (language == "ru")


def test_a_speed_holds_the_table_back(table, monkeypatch):
    """Twice real time: half a second for each of the table's fifteen. Here a second passes when somebody sleeps."""
    clock, tables, run_here = SleptClock(), [], Table._run_here
    monkeypatch.setattr(Table, "clock", clock)
    monkeypatch.setattr(Table, "_run_here", lambda this, *how: tables.append(this) or run_here(this, *how))
    assert table(SHORT, "--speed", "2")[0] == RIGHT
    assert clock.slept_s == pytest.approx(tables[0].world.now_us / 2e6) and clock.slept_s > 6


# --- the flash --------------------------------------------------------------------------------------------------------


def test_the_flash_is_kept(table, tmp_path):
    """Deck, set-up and journal lie in the folder; the journal is a record, and the next game's lies beside it."""
    flash = tmp_path / "one" / "flash"
    for number in (1, 2):
        assert table(SHORT, "--keep", str(flash))[0] == RIGHT
        assert run(["replay", str(flash / "games" / f"000{number}.rec")]) == RIGHT
    assert sorted(path.name for path in (flash / "games").iterdir()) == ["0001.rec", "0002.rec"]
    assert (flash / "deck.txt").read_text().splitlines()[0] == "04CA2D005A6180 2S"
    header = SHORT.read_text().split("\n\n")[0]
    assert (flash / "setup.txt").read_text() == header + "\n\n"
    nonces = []
    for number in (1, 2):
        record = (flash / "games" / f"000{number}.rec").read_text()
        assert record.startswith(header + "\nnonce: ")
        nonces.append(record[len(header) + 8 :].split("\n\n")[0])
    assert nonces[0] != nonces[1] and len((flash / "key.bin").read_bytes()) == 32


def test_without_a_folder_nothing_is_kept(table, tmp_path, monkeypatch):
    """The device's flash is then one that is gone afterwards."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert table(SHORT)[0] == RIGHT
    assert not list(tmp_path.iterdir())


# --- the page ---------------------------------------------------------------------------------------------------------

REPLAY_PAGE = (ROOT / "docs" / "replay.md").read_text()
TOLD = "".join((ROOT / "docs" / name).read_text() for name in ("table.md", "trouble.md"))


@pytest.mark.micropython
@pytest.mark.parametrize("line", re.findall("^    .venv/bin/cardtable (table --.*)$", REPLAY_PAGE, re.MULTILINE))
def test_the_commands_of_the_page_run(line, capsys, monkeypatch, tmp_path):
    """docs/replay.md, word for word but for the speed, which would take its time; the folder is made elsewhere."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    words = line.replace("--speed 10", "--speed 1000").split()
    assert run(words) == RIGHT
    assert capsys.readouterr().out.splitlines()[-1].startswith("journal = record: ")
    assert (tmp_path / "build" / "flash" / "games" / "0001.rec").exists() == ("--keep" in words)


def test_the_page_tells_the_numbers_of_the_firmware():
    """Seconds, and the sentences of the screen."""
    told = " ".join(TOLD.split())
    for found_ms, told_ms, words in (
        (display.GREEN_MS, 1000, "green, for a second"),
        (display.RED_MS, 2000, "a refused press for two seconds"),
        (controller.CLOSE_MS, 10_000, "closes ten seconds after the last tap"),
        (judge_and_write.RETRY_MS, 500, "tried twice a second"),
        (repeats.QUIET_MS, 1500, "again within 1.5 s"),
        (seats.CHOICE_MS, 30_000, "dropped after 30 s"),
    ):
        assert found_ms == told_ms and words in told, words
    words = Words("durak", "en")
    for key, more in (("F.reader", " 2"), ("F.stuck", " 3 OK"), ("F.chain", ""), ("F.flash", "")):
        assert f"`{words.find(key)}{more}`" in told
