"""`cardtable enrol`: a deck file grows tag by tag, and nothing that was registered is lost."""

import io

import pytest
from click.testing import CliRunner

from cardtable.engine.deck import card_name
from cardtable.table.tags import Tags
from host_tools.cli import cardtable
from host_tools.maker.enrol import read_uid


def uid(number: int) -> str:
    """A tag of 7 bytes, as many readers type it."""
    return f"04:A1:B2:C3:D4:{number >> 8:02X}:{number & 255:02X}"


@pytest.fixture
def enrol(tmp_path, monkeypatch):
    """Run `cardtable enrol` in an empty folder with these lines of input: exit code and output."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str, lines: list[str] = ()):  # type: ignore[assignment]
        typed = io.StringIO("".join(line + "\n" for line in lines)).read()
        result = CliRunner().invoke(cardtable, ["enrol", *words], input=typed, standalone_mode=False)
        if result.exception:
            return 2, str(result.exception)
        return result.return_value, result.output

    return call


def test_a_deck_of_36_tags(enrol, tmp_path):
    """The file is the table's own, and has every card."""
    code, output = enrol(lines=[uid(number) for number in range(36)])
    assert code == 0 and "6S (1 of 36)?" in output and output.endswith("deck.txt: all 36 cards have a tag\n")
    tags = Tags()
    tags.load((tmp_path / "deck.txt").read_text().splitlines())
    assert len(tags) == 36 and card_name(tags.find(read_uid(uid(35)))) == "AC"
    assert enrol("--check") == (0, "36 of 36 cards\n")


def test_it_goes_on_later(enrol):
    """The end of the input, or q: what is there stays, and the rest is asked for next time."""
    assert enrol("red.txt", lines=[uid(1), uid(2), "q", uid(3)])[0] == 1
    code, output = enrol("red.txt", "--check")
    assert code == 1 and output.startswith("2 of 36 cards\nmissing: 8S 9S")
    code, output = enrol("red.txt", lines=[uid(3)])
    assert code == 1 and output.startswith("8S (3 of 36)?") and "33 missing" in output


def test_the_last_tag_can_be_taken_back(enrol, tmp_path):
    """u: and the card is asked for again; before the first there is nothing to take back."""
    _, output = enrol(lines=["u", uid(1), uid(2), "u", uid(3)])
    assert "nothing taken back" in output and "7S taken back" in output
    assert (tmp_path / "deck.txt").read_text() == "; 36 cards\n04A1B2C3D40001 6S\n04A1B2C3D40003 7S\n"


def test_a_tag_twice_and_a_wrong_line_are_told_and_asked_again(enrol):
    """Nothing is lost by them."""
    _, output = enrol(lines=[uid(1), uid(1), "hello", "04", "F" * 200, uid(2)])
    assert "04A1B2C3D40001 is 6S already; once more" in output
    assert output.count("is no UID of 4, 7 or 10 bytes; once more") == 3
    assert "8S (3 of 36)?" in output


def test_a_file_that_is_no_deck(enrol, tmp_path):
    """One sentence with the line, and the file stays as it was."""
    (tmp_path / "deck.txt").write_text("04A1B2C3D40001 6S\n04A1B2C3D40001 7S\n")
    code, output = enrol(lines=[uid(1)])
    assert code == 2 and output == "deck.txt, line 2: 04A1B2C3D40001 is registered twice"
    assert (tmp_path / "deck.txt").read_text().count("\n") == 2
    assert enrol("none.txt", "--check")[0] == 2


def test_both_decks_of_malice(enrol):
    """108 tags; the second deck's cards have a 2 behind them."""
    code, output = enrol("--cards", "108", lines=[uid(number) for number in range(108)])
    assert code == 0 and "XR2 (108 of 108)?" in output


def test_a_deck_is_complete_when_it_has_all_that_its_first_line_says(enrol, tmp_path):
    """52 tags of 54 are no deck of 52; --cards says otherwise for once."""
    code, output = enrol("--cards", "54", lines=[uid(number) for number in range(52)])
    assert code == 1 and output.endswith("XB (53 of 54)?\ndeck.txt: 2 missing\n")
    assert enrol("--check") == (1, "52 of 54 cards\nmissing: XB XR\n")
    assert enrol("--check", "--cards", "52") == (0, "52 of 52 cards\n")
    code, output = enrol("--check", "--cards", "36")
    assert code == 0 and output.startswith("36 of 36 cards\nnot of 36 cards: 2S 3S 4S 5S ")
    assert enrol(lines=[uid(52), uid(53)])[1].endswith("deck.txt: all 54 cards have a tag\n")
    assert enrol("--check") == (0, "54 of 54 cards\n")


def test_a_deck_that_grows_says_so_in_its_first_line(enrol, tmp_path):
    """The table asks for as many cards as stand there. A file without such a line is the smallest deck that fits."""
    path = tmp_path / "deck.txt"
    path.write_text("04A1B2C3D4FFFF 2S\n")
    assert enrol("--check")[1].startswith("1 of 52 cards\n")
    assert path.read_text() == "04A1B2C3D4FFFF 2S\n"
    enrol("--cards", "54", lines=[uid(1)])
    assert path.read_text() == "; 54 cards\n04A1B2C3D4FFFF 2S\n04A1B2C3D40001 3S\n"
    enrol("--cards", "108", lines=[uid(2)])
    assert path.read_text().startswith("; 108 cards\n04A1B2C3D4FFFF 2S\n")
    path.write_text("; 36 cards\n04A1B2C3D4FFFF 2S\n")
    assert enrol("--check")[1].startswith("1 of 52 cards\n")
