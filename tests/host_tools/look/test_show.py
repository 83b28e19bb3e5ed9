"""`cardtable show`: a question about one line is answered, and nobody is told more than that reader may know."""

import json
import re

import pytest

from host_tools import cli
from host_tools.base.errors import UnusableInput
from host_tools.sight import recorded
from host_tools.look.answer import Teller, answer_all, as_text
from host_tools.look.frames import make_frames
from host_tools.sight.recorded import PUBLIC, Reader, Recorded, read_record
from host_tools.look.sheet import make_sheet
from host_tools.base.languages import list_languages
from host_tools.base.wording import read_words
from host_tools.look.wording import FOLDER, Wording
from host_tools.judge.rulebook import book
from tests.conftest import ROOT
from tests.games.random_games import catalogue
from tests.host_tools.look.made import CHEATING, KEY, RECORDS, SPADES, joined, random_records, running, sealed, twins


CLAIMED = ROOT / "tests" / "records" / "cals-bs" / "game-0001.rec"  # its line 150: a claim
LATE = ROOT / "tests" / "records" / "durak" / "variant-jokers.rec"  # its line 405: the stock is gone, two are out


def ask(capsys, *words):
    """(exit code, what the command says)."""
    code = cli.run(["show", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out + said.err


# --- the arbiter's answer ---


def test_a_dispute_is_answered_with_table_verdict_rule_source_and_what_was_allowed(capsys):
    """The complaint: the table did not let me beat the joker."""
    code, said = ask(capsys, SPADES, "--seat", "anna", "--find", "joker", "--refused")
    assert code == 0
    for wanted in ("Line 76, 1:14.7: Anna tried: Beat ★b with 6♦.", "Refused: Nothing beats a joker (D8).",
                   "durak:55: Players agree what jokers can do.", "What Anna could have done instead: Take\n",
                   "Anna's hand: A♠ 6♦ 10♦ Q♦ 9♣ Q♣", "Stock: 27 face down", "Attack card 1: ★b", "To play: Anna",
                   ">    76", "Vera attacks with ★b.", "The record has no seal"):
        assert wanted in said, wanted


def test_of_a_counted_hand_nothing_is_said_that_its_cards_decide(capsys):
    """The table does not know them: a play that stood is not told beside "had to wait", a refusal not beside half of
    what could have been done."""
    counted = ROOT / "tests" / "records" / "bailiff" / "variant-counted-six.rec"
    code, said = ask(capsys, counted, "--at", 8)
    assert code == 0 and "Accepted." in said and "had to wait" not in said
    code, said = ask(capsys, counted, "--at", 31)
    assert code == 0 and "That depends on the cards of Gleb" in said


def test_the_trump_is_told_when_its_card_is_gone_and_so_is_who_is_out(capsys, tmp_path):
    """A dispute over D7 needs the suit; who has gone out had nothing to wait for."""
    code, said = ask(capsys, LATE, "--at", 405)
    assert code == 0
    for wanted in ("\n  Trump: ♥\n", "\n  Out of the game: Boris, Vera\n", ": Nothing: Vera is out of the game.\n"):
        assert wanted in said, wanted
    sheet = tmp_path / "sheet.html"
    assert ask(capsys, LATE, "--at", 405, "--html", sheet)[0] == 0
    assert "Trump: ♥. Out of the game: Boris, Vera" in sheet.read_text(encoding="utf-8")
    assert "Out of the game" not in ask(capsys, SPADES, "--at", 76)[1]


def test_a_set_is_shown_with_what_was_claimed_of_it(capsys):
    """To judge a doubt you need the claim. Only the player who laid the cards sees them."""
    for reader in ("public", "Anna"):
        _, said = ask(capsys, CLAIMED, "--at", 151, "--as", reader)
        assert "\n  Last set: 1 face down (Vera: 1 three)\n" in said


def test_each_reader_is_told_what_it_may_know(capsys):
    _, boris = ask(capsys, SPADES, "--at", 76, "--as", "Boris")
    assert "6♦" not in boris and "Boris's hand: 3♥" in boris and "Anna's hand: 6 face down" in boris
    assert "depends on the cards of Anna" in boris and "Refused: Nothing beats a joker (D8)." in boris
    _, everybody = ask(capsys, SPADES, "--at", 76, "--as", "public")
    assert "3♥" not in everybody and "6♦" not in everybody
    _, anna = ask(capsys, SPADES, "--at", 76, "--as", "1")
    assert "Anna tried: Beat ★b with 6♦." in anna and "instead: Take" in anna


def test_words_of_either_language_find_lines(capsys):
    english, russian = (ask(capsys, SPADES, "--find", word, "--refused", "--language", language)[1].splitlines()
                        for word, language in (("joker", "ru"), ("джокер", "en")))
    assert [line.split()[1] for line in english if line[0] == "!"] == ["76", "96", "287"]
    assert [line.split()[1] for line in russian if line[0] == "!"] == ["76", "96", "287"]
    assert any("Джокера не бьёт ни одна карта" in line for line in english)


def test_a_line_that_replay_names_of_a_forged_record_is_not_just_past_the_end(capsys, tmp_path):
    """Without a result it is counted as everybody heard it: `line 38 is past the end` helped no arbiter."""
    lines = SPADES.read_bytes().split(b"\n")
    at = next(number for number, line in enumerate(lines, 1) if b" attack " in line)
    lines[at - 1] = re.sub(rb"attack \S+", b"attack QQ", lines[at - 1])
    (tmp_path / "forged.rec").write_bytes(b"\n".join(lines))
    code, said = ask(capsys, tmp_path / "forged.rec", "--at", at)
    assert code == 2 and "counted as everybody heard them, not as lines of the file. It cannot be played" in said
    assert f"line {at}: " in said and said.count("\n") == 1


def test_what_does_not_fit_is_said(capsys):
    assert ask(capsys, SPADES, "--find", "xyzzy") == (1, ask(capsys, SPADES, "--find", "xyzzy")[1])
    assert "No line fits." in ask(capsys, SPADES, "--find", "xyzzy")[1]
    code, said = ask(capsys, SPADES, "--at", 3)
    assert code == 2 and "line 3 is before the game begins: the first event is line 8" in said
    code, said = ask(capsys, SPADES, "--at", 99999)
    assert code == 2 and "is past the end: the last event is line" in said
    code, said = ask(capsys, SPADES, "--at", 76, "--as", "Egor")
    assert code == 2 and "nobody called 'Egor' plays; there is: Anna, Boris, Vera" in said


def test_t12_the_answer_stands_on_the_seals(capsys, tmp_path):
    record, digest = sealed(SPADES)
    good, cut, changed, key = (tmp_path / name for name in ("good.rec", "cut.rec", "changed.rec", "key.bin"))
    good.write_bytes(record)
    cut.write_bytes(b"\n".join(record.split(b"\n")[:100]) + b"\n")
    changed.write_bytes(record.replace(b"Anna", b"Anka", 1))
    key.write_bytes(KEY)
    _, said = ask(capsys, good, "--at", 60, "--key", key)
    assert f"from the first line to the last. Digest: {digest}." in said
    assert "nobody can say who wrote them" in ask(capsys, good, "--at", 60)[1]
    assert "cut off after line 100. Lines 1 to" in ask(capsys, cut, "--at", 60, "--key", key)[1]
    assert "The record was changed" in ask(capsys, changed, "--at", 60, "--key", key)[1]


def test_a_line_that_cannot_be_ends_what_is_shown(capsys, tmp_path):
    lines = SPADES.read_text().splitlines()
    lines[75] = lines[75].replace(" ! D8", "")
    path = tmp_path / "forged.rec"
    path.write_text("\n".join(lines) + "\n")
    code, said = ask(capsys, path, "--at", 75)
    assert code == 2, said  # its lines are numbered as they are heard: it has no result that stands
    code, said = ask(capsys, path)
    assert "cannot be played further: line 76: the record says accepted, the engine refuses it under D8" in said
    assert code == 0 and "Vera attacks with ★b." in said


def test_json_and_sheet_say_the_same(capsys, tmp_path):
    _, said = ask(capsys, SPADES, "--at", 76, "--json")
    found = json.loads(said)
    assert found["verdict"] == "Refused: Nothing beats a joker (D8)." and found["allowed"] == ["Take"]
    sheet = tmp_path / "sheet.html"
    assert ask(capsys, SPADES, "--at", 76, "--html", sheet)[0] == 0
    page = sheet.read_text()
    assert "Refused: Nothing beats a joker (D8)." in page and "<svg" in page and "http" not in page.replace(
        "http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_foreign_names_are_text_in_the_sheet():
    lines = [line.replace("Anna", "<script>alert(1)</script>") for line in running(SPADES)]
    record = Recorded("x", joined(lines))
    page = make_sheet(next(answer_all(record, record.reader(PUBLIC), "en", 20)))
    assert "<script" not in page and "&lt;script&gt;" in page


# --- every record, every line ---


@pytest.mark.sampled(4)  # the random games below are of all of them
@pytest.mark.parametrize("game", sorted({path.parent.name for path in RECORDS}))
def test_every_record_is_shown_at_every_line(game):
    """As the reader who may see most, in either language; text and sheet now and then, frames as the public."""
    count = lines = 0
    for path in RECORDS:
        if path.parent.name != game:
            continue
        record = read_record(path)
        lines += record.count
        assert not record.trouble, (path, record.trouble)
        for found in answer_all(record, record.readers()[:2][-1], list_languages()[count % 2]):
            count += 1
            if count % 50 == 1:
                assert as_text(found, Wording(found["language"])) and make_sheet(found)
        assert len(make_frames(record, "ru", record.readers()[:1])["views"][PUBLIC]["frames"]) > 0
    assert count > lines * 3 // 4  # all but what is secret from that reader (D43)


def test_random_games_of_random_mixes_are_shown_at_every_line():
    over = 0
    for number, record in enumerate(random_records(1)):
        assert not record.trouble, (record.name, record.trouble)
        over += record.is_over
        readers = record.readers()
        assert all(found["tried"] for found in answer_all(record, readers[number % len(readers)], "en")), record.name
        make_frames(record, "en", readers[-1:])
    assert over > 1


# --- secrets ---


def test_t11_a_game_without_a_result_is_shown_as_the_public_saw_it(capsys, tmp_path):
    path = tmp_path / "running.rec"
    path.write_bytes(joined(running(SPADES)))
    for reader in ("all", "Anna", "2"):
        code, said = ask(capsys, path, "--at", 20, "--as", reader)
        assert code == 2 and "no result yet" in said and "♥" not in said
    drawn = re.findall(r"^  .* draws (.*)\.$", ask(capsys, path)[1], re.MULTILINE)
    assert len(drawn) > 20 and set(drawn) == {"a card"}
    path.write_bytes(joined([*running(SPADES, 200), "result: fool 2"]))  # somebody writes one
    code, said = ask(capsys, path, "--at", 20, "--as", "all")
    assert code == 2 and "no result yet" in said


def shown(record, reader):
    """All that is made of a record for one reader."""
    found = list(answer_all(record, reader, "en"))
    return json.dumps([make_frames(record, "en", [reader]), found, [make_sheet(one) for one in found[-3:]]])


def check_twins(count):
    for game in catalogue():
        for seat, (real, other) in twins(game, count):
            for reader in (Reader(PUBLIC), Reader(str(seat), (seat,))):
                # 100 KB each: pytest is not to look for the letters that differ.
                alike = shown(real, reader) == shown(other, reader)
                assert alike, (game.NAME, seat, reader)


def test_t11_games_that_differ_in_what_is_hidden_are_shown_alike():
    """Frames, answers and sheets of a running game and its twin, as the public and as one seat, byte by byte."""
    check_twins(3)


def test_t11_a_page_that_leaks_would_be_found(monkeypatch):
    """The test of the test: everybody hears what only the seat itself may."""
    hear = recorded.heard
    monkeypatch.setattr(recorded, "heard", lambda game, state, event, listener: hear(game, state, event, event.seat))
    with pytest.raises(AssertionError):
        check_twins(6)


def test_d43_a_hidden_press_leaves_no_gap_while_its_game_goes_on():
    """With and without presses that nobody may notice: the same numbers, sentences and pictures."""
    lines = running(CHEATING)
    without = [line for line in lines if " cheat !" not in line]
    assert len(lines) - len(without) == 5
    real, other = Recorded("x", joined(lines)), Recorded("x", joined(without))
    assert shown(real, Reader(PUBLIC)) == shown(other, Reader(PUBLIC))
    over = read_record(CHEATING)
    everything, public = (len(Teller(over, over.reader(name), "en").lines()) for name in ("all", PUBLIC))
    assert everything - public > 5


# --- rules by words ---


@pytest.mark.parametrize(("words", "wanted"), [
    ("joker", "D8"), ("джокера", "D8"), ("doubt ask", "C10"), ("козырем", "D7"), ("payoff", "M6"),
])  # fmt: skip
def test_rules_are_found_by_words_of_both_languages(words, wanted):
    assert wanted in [rule.name for rule in book.select(tuple(words.split()))]


def test_an_unknown_word_is_no_rule():
    with pytest.raises(UnusableInput, match="neither a rule nor a page of the rulebook, and no rule has such words"):
        book.select(("xyzzy",))


def test_both_languages_say_the_same_things():
    english, russian = (read_words(FOLDER, "look", language) for language in list_languages())
    assert {key.partition("#")[0] for key in english} == {key.partition("#")[0] for key in russian}
