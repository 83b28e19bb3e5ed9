"""A table in a terminal: the real firmware, lines typed by a script, and everything that was printed."""

import random
import re
import subprocess
import sys

import pytest

from host_tools.judge.sentences import Sentences
from host_tools.play.start import Wishes, lock, prepare
from host_tools.play.table import LiveTable
from host_tools.play.start import sit_down
from host_tools.play import terminal
from host_tools.play.terminal import Terminal, say_wrapped
from host_tools.play.typed import read_card
from host_tools.play.wording import COMMANDS
from tests.conftest import ROOT
from tests.patience import PATIENCE_S, wait_for

pytestmark = pytest.mark.micropython

CARD = re.compile(r"(?:10|[2-9JQKAВДТК])[♠♥♦♣]")
MAIN = "import sys; from host_tools.cli import main; sys.exit(main())"
COMMAND = [sys.executable, "-c", MAIN, "play", "--text", "--speed", "8"]


class Played:
    """A terminal whose lines are `lines`, run to its end. `out` is what was printed."""

    def __init__(self, folder, lines, *, language="en", speed=10.0, is_live=False, on_say=lambda table, text: None,
                 **wishes):
        self.out: list[str] = []
        self.table = LiveTable(folder, language=language, seed=3, speed=speed, library=folder / "games")

        def say(text: str) -> None:
            on_say(self.table, text)
            self.out.append(text)

        prepare(self.table, Wishes(language=language, **wishes))
        sit_down(self.table)
        self.table.start()
        try:
            typed = lines(self.out) if callable(lines) else lines
            self.terminal = Terminal(self.table, (line + "\n" for line in typed), say, is_live=is_live)
            self.code = self.terminal.run()
        finally:
            self.table.close()

    @property
    def text(self) -> str:
        """All that was printed."""
        return "\n".join(self.out)

    def after(self, typed: str, nth: int = 1) -> str:
        """What was printed between that typed line and the next one."""
        found = [part for part in self.text.split("\n> ") if part.partition("\n")[0] == typed]
        return found[nth - 1].partition("\n")[2]


def duel(start: str, names: tuple, lines: list):
    """Start a game of two at one terminal; `{one}` in the lines is the seat that attacks first, `{two}` the other."""

    def run(out):
        yield start
        turn = re.compile(f"(?P<own>{'|'.join(names)}), (?:your turn|ваш ход)|Type seat 2|Наберите «место 2»")
        found = wait_for(lambda: turn.search("\n".join(out)), "the test", lambda: f"a turn; there came {out[-9:]}")
        one = 1 if found["own"] else 2
        for line in lines:
            yield line.format(one=one, two=3 - one)

    return run


def test_a_game_with_a_mistake_an_undo_and_a_refusal(tmp_path):
    played = Played(tmp_path, duel("start durak throw-in with Anna,Olga", ("Anna", "Olga"), [
        "seat {one}", "take", "take", "9", "1", "undo", "seat {two}", "agree", "seat {one}", "hand", "1",
        "seat 3", "seat {two}", "table", "take", "seats"]))
    one, two = ("Anna", "Olga") if "> seat 1\n" in played.text.partition("> take")[0] else ("Olga", "Anna")
    assert played.code == 0
    assert f"{one}, your turn" in played.text.partition("> take")[0]
    assert f"{one} may not" in played.after("take") and "(D21)" in played.after("take")
    assert "(D21)" in played.after("take", 2), "a refusal that repeats is told again"
    assert played.after("9").startswith("Your hand has no card number 9.")
    # On a busy machine the hand without the card may be told before the verdict.
    found = re.search(f"{one} attacks with ({CARD.pattern})", played.text)
    assert found, played.text
    first = found[1]
    assert "asks to take the last move back" in played.after("undo")
    assert f"{two} agrees." in played.after("agree")
    assert first in played.after("hand"), "the card is back in the hand"
    assert "not played at this terminal" in played.after("seat 3")
    table = played.after("table")
    assert f"{first} not beaten" in table and f"{one} 5" in table and f"{two} 6" in table
    assert f"{two} takes." in played.after("take", 3)
    assert played.out[-1] == "The game stays where it is and goes on next time."


def test_a_card_that_was_tapped_can_still_be_sent_to_another_pile(tmp_path, monkeypatch):
    """The choice that its tap left open took the presses for its own: the card went to pile 1. A verb that these house
    rules leave out was a bug. Where a busy machine let the terminal look in the dark halves of the blink alone, it told
    whose turn it is in place of the choice."""
    monkeypatch.setattr(terminal, "BLINK_US", 0)
    played = Played(tmp_path, duel("start malice with Anna,Olga", ("Anna", "Olga"), [
        "seat {one}", "1", "side 1 2", "seat {two}", "start cals-bs with Anna,Olga", "start cals-bs with Anna,Olga",
        "timeout", "hand"]))
    assert "choose" in played.after("1") and "on side pile 2." in played.after("side 1 2")
    assert "this game has no such play" in played.after("timeout") and not played.table.bugs.count


def test_a_switch_of_seats_blanks_the_screen_first(tmp_path):
    played = Played(tmp_path, ["start durak throw-in with Anna,Olga", "hand", "seat 2", "moves", "hand"])
    between = played.after("seat 2").split("\n")
    assert between[:24] == [""] * 24 and "You sit on seat 2, Olga." in between
    mine, theirs = (set(CARD.findall(played.after("hand", nth).partition("\n")[0])) for nth in (1, 2))
    assert len(mine) == len(theirs) == 6 and not mine & theirs
    before = set(CARD.findall(played.text.partition("> seat 2")[0].rpartition("Olga turns")[0]))
    assert not theirs & before - mine


def test_russian(tmp_path):
    played = Played(tmp_path, duel("начать durak throw-in с Анна,Ольга", ("Анна", "Ольга"), [
        "место {one}", "беру", "1", "место {two}", "ходы", "правило", "правило d21 ещё", "стол", "беру",
        "чепуха"]), language="ru")
    assert re.search("(Анна|Ольга), ваш ход", played.text) and "Ваша рука: 1 " in played.text
    assert "(D21)" in played.after("беру") and "правило D21" in played.after("беру")
    assert "Взять" in played.after("ходы")
    assert "D21: Взять можно в любой миг" in played.after("правило")
    assert "D21 «в любой миг»: от первой карты атаки" in played.after("правило d21 ещё")
    assert "не побита" in played.after("стол")
    assert re.search("(Анна|Ольга) берёт.", played.after("беру", 2))
    assert played.after("чепуха").startswith("Непонятно: «чепуха».")
    said = "\n".join(line for line in played.out if not line.startswith((">", "D21", "Место")))
    assert set(re.findall("[A-Za-z]{3,}", said)) <= {"durak", "throw", "Ctrl"}


def test_every_command_is_known(tmp_path):
    tried = ["help", "hint", "seats", "glass", "page malice", "page chess", "start durak throw-in with Anna,Olga",
             "hand", "table", "moves", "rules D16",
             "rules D16 more", "rules", "rules X99", "1", "undo", "sit 2 bot", "sit 9", "seat 1", "seat 2", "seat",
             "OK", "no", "call", "menu", "no", "menu-", "no", "deal hand", "draw", "deal table", "deal", "speed 9",
             "speed 8", "speed x", "page",
             "next", "lobby", "play", "start", "start chess", "play take", "done", "quit"]
    played = Played(tmp_path, tried)
    for name in COMMANDS:
        assert any(played.terminal.wording.means(line.split()[0]) == name for line in tried), name
    for line in set(tried) - {"play"}:
        assert "I do not know" not in played.after(line), line
    for line in played.terminal.wording.helps():
        word = re.split(r"[ :,]", line)[0]
        assert played.terminal.wording.means(word) or word in ("3", "take", "beat"), line
    assert "\nGet rid of your cards: the last player who still has some is the fool." in played.after("page")
    assert played.after("page malice").startswith("Malice") and "chess" in played.after("page chess")
    assert played.after("quit") == "The game stays where it is and goes on next time."


def hidden_cards(table) -> set:
    """The cards that nobody but another seat may know: in its hand or in the stock, and never seen by all."""
    session = table.session
    if session is None or table.header is None:
        return set()
    known = {card for said in list(table.follower.logs[0]) for card in (said.card, *said.opened)}
    here = table.seating.seats("here")
    where = bytes(session.state.where)
    return {table.name_of(card)[:2] for card in range(session.game.CARDS)
            if card not in known and 9 <= where[card] <= 15 and where[card] - 8 not in here}


@pytest.mark.parametrize("game", ["durak transfer", "cals-bs"])
def test_nothing_printed_tells_a_card_of_another_hand(tmp_path, game):
    chance = random.Random(game)
    told: list = []

    def check(table, text):
        hidden = hidden_cards(table)
        leaked = {card for card in map(read_card, CARD.findall(text)) if card in hidden}
        told.append((len(hidden), leaked, text))

    typed = ["1", "2", "3", "done", "take", "pass", "doubt", "claim 7", "table", "moves", "hand", "glass", "seat 2",
             "ok"]
    lines = [f"start {game} with Anna,bot,bot", *(chance.choice(typed) for _ in range(30))]
    played = Played(tmp_path, lines, speed=30.0, on_say=check)
    assert not [one for one in told if one[1]]
    assert max(count for count, _, _ in told) > 8, "there was something to tell"
    assert CARD.search(played.text)


def garbage(chance) -> str:
    """A line as nobody would type it, or almost as somebody would."""
    letters = "abcdehjkqstx0123456789-:;., \t♠♥вдкт★\x00\x1b\ud800'\"{}%«»\u202e" + "é" * 3
    words = ["beat", "play", "take", "hand", "rules", "seat", "sit", "deal", "speed", "start", "with", "claim", "menu-",
             "1",
             "99999999999999999999", "10s", "6h", "undo", "durak", "²", "nan", "-1", "bot", "here", "agree", "draw"]
    if chance.random() < 0.5:
        return "".join(chance.choice(letters) for _ in range(chance.randrange(40)))
    return " ".join(chance.choice(words) for _ in range(chance.randrange(1, 6)))


@pytest.mark.parametrize("count", [150, pytest.param(500, marks=pytest.mark.everything)])
def test_lines_of_garbage_crash_nothing(tmp_path, capfd, count):
    chance = random.Random(11)
    lines = [garbage(chance) for _ in range(count)]
    lines = [line for line in lines if not line.startswith(("start durak", "quit"))]
    Played(tmp_path, ["start durak throw-in with Anna,bot", "hand"])
    played = Played(tmp_path, [*lines, "hand"], is_live=True, speed=1.0)
    assert played.code == 0 and len(played.out) > count * 4 // 5
    assert not capfd.readouterr().err


def test_a_pipe_plays_what_was_said_and_the_game_goes_on_next_time(tmp_path):
    def run(lines: str) -> str:
        done = subprocess.run([*COMMAND, "--games", str(tmp_path), "--seed", "3"], input=lines, text=True,
                              capture_output=True, cwd=ROOT, timeout=PATIENCE_S, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    first = run("start durak throw-in with Anna,Olga\n1\nseat 2\n1\n")  # one of the two attacks
    attack = re.search(r"(Anna|Olga) attacks with \S+\.", first)
    assert attack and first.endswith("The game stays where it is and goes on next time.\n")
    again = run("table\n")
    assert "Earlier in this game: " in again and attack[0] in again


def test_two_terminals_cannot_have_one_table(tmp_path):
    with lock(tmp_path / "table-text"):
        done = subprocess.run([*COMMAND, "--games", str(tmp_path)], input="", text=True, capture_output=True, cwd=ROOT,
                              timeout=PATIENCE_S, check=False)
    assert done.returncode == 2 and "another table runs" in done.stderr


def test_text_needs_no_web_library():
    code = ("import sys; from host_tools.base import on_host; on_host.prepare(); "
            "sys.modules['aiohttp'] = sys.modules['segno'] = None; import host_tools.play.terminal")
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=PATIENCE_S)


def test_t15_a_hint_is_told_in_three_steps(tmp_path):
    def lines(out):
        yield "hint"
        yield "start durak throw-in"
        yield "hint"
        yield "hint"
        yield "hint"
        yield "start durak throw-in hints=no"
        yield "start durak throw-in hints=no"
        yield "hint"

    played = Played(tmp_path, lines)
    assert "No game goes on." in played.after("hint") and "no hints" not in played.after("hint")
    said = [played.after("hint", nth) for nth in (2, 3, 4, 5)]
    assert "Type hint again" in said[0] and "Type hint again" in said[1] and "play" in said[2].lower()
    assert len(set(said)) == 4 and "gives no hints" in said[3]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("columns", range(20, 81, 4))
def test_a_card_of_the_hand_stays_with_its_number(monkeypatch, capsys, language, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    cards = [f"{number} {Sentences(language=language).card(card)}" for number, card in enumerate(range(54), 1)]
    say_wrapped(f"Your hand: {', '.join(cards)}.")
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= columns for line in lines) and " ".join(lines).split(": ")[1] == ", ".join(cards) + "."
    assert not [line for line in lines if line.rpartition(" ")[2].isdecimal()], lines


def test_a_first_game_in_a_terminal(tmp_path):
    """What the lesson asks for, another card that would stand, the one that is asked for."""
    played = Played(tmp_path, ["kd", "jd", "9h"], learn="durak")
    assert "tap J♦" in played.text.partition("> kd")[0]
    assert "this lesson asks for something else now" in played.after("kd")
    assert "your turn to attack" in played.after("jd") and "attacks with 9♥" in played.after("9h")
