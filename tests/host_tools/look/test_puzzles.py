"""Puzzles: each answer is the only right one by a solver that is not the one that found it; a puzzle shows its own
seat's view; the page asks, plays the answer out, and keeps the rating in the browser.
"""

from datetime import date, timedelta

import pytest

from cardtable.engine.state import HAND, OUTCOME
from cardtable.games import durak, malice
from host_tools import cli
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.look.puzzle_told import Told
from host_tools.minds.players import exact
from host_tools.minds.puzzles.mine import choose, mine, mine_generated
from host_tools.minds.puzzles.proof import find_proof
from host_tools.minds.puzzles.puzzle import STOCK, puzzle_of_day, read_puzzle, read_puzzles, stock
from host_tools.minds.puzzles.rating import rate, read_kept
from host_tools.sight.recorded import Recorded
from host_tools.sight.seen import look
from tests.conftest import ROOT
from tests.host_tools.look.made import joined, running
from tests.host_tools.players.test_exact import after, list_turn

RECORD = ROOT / "tests" / "records" / "durak" / "game-0000.rec"
LIMIT = 40_000  # positions of one proof through the engine
PUZZLES = list(stock().values())


class TooLarge(Exception):
    """The proof would take too long."""


class Prover:
    """Whether a seat of Durak is the fool for sure, by trying everything through the engine. What comes back to itself
    is no loss: it goes round for ever."""

    def __init__(self, seat):
        self.seat, self.known, self.on_way = seat, {}, set()

    def loses(self, state):
        if state.register[OUTCOME]:
            return state.register[durak._FOOL] == self.seat and state.register[OUTCOME] != 3
        key = state.save()
        if key in self.known:
            return self.known[key]
        if key in self.on_way:
            return False
        if len(self.known) > LIMIT:
            raise TooLarge
        self.on_way.add(key)
        seat, moves = list_turn(state)
        children = (after(state, seat, move) for move in moves)
        found = (all if seat == self.seat else any)(self.loses(child) for child in children)
        self.on_way.discard(key)
        self.known[key] = found
        return found


def wins_in_turn(state, seat):
    """Malice: whether the seat can empty its payoff pile before its turn ends, by trying everything."""
    if state.register[OUTCOME]:
        return not malice.losers(state) >> seat & 1
    if state.register[malice._TURN] != seat:
        return False
    moves = []
    malice.moves(state, seat, 0, moves)
    proof = find_proof(malice)
    return any(wins_in_turn(proof.after(state, seat, move), seat) for move in moves if move >> 16 != 0)


def check(puzzle):
    """The answer does not lose, and each other play does."""
    session, at_ms = puzzle.load()
    game, answer = session.game, puzzle.packed(session.game)
    moves = find_proof(game).choices(look(session, puzzle.seat, at_ms))
    assert answer in moves and len(moves) >= 3, puzzle.name
    for move in moves:
        following = find_proof(game).after(session.state, puzzle.seat, move)
        if game is malice:
            is_right = wins_in_turn(following, puzzle.seat)
        else:
            is_right = not Prover(puzzle.seat).loses(following)
        assert is_right == (move == answer), (puzzle.name, move)


def sampled():
    """Those that are proved by day."""
    return PUZZLES[::40]


@pytest.mark.parametrize("puzzle", sampled(), ids=lambda one: one.name)
def test_the_answer_alone_is_right(puzzle):
    check(puzzle)


@pytest.mark.everything
def test_every_answer_alone_is_right():
    left = []
    for puzzle in PUZZLES:
        try:
            check(puzzle)
        except TooLarge:
            left.append(puzzle.name)
    assert not left


def test_a_puzzle_with_another_answer_is_no_puzzle():
    """The check can fail."""
    puzzle = next(one for one in PUZZLES if one.theme == "lead")
    session, at_ms = puzzle.load()
    other = next(move for move in find_proof(durak).choices(look(session, puzzle.seat, at_ms))
                 if move != puzzle.packed(durak))
    assert Prover(puzzle.seat).loses(after(session.state, puzzle.seat, other))


def test_what_ships():
    lines = [line for line in foreign.read_lines(STOCK) if line.strip()]
    assert len({puzzle.name for puzzle in read_puzzles(lines)}) == len(lines) == 300
    assert len({puzzle.position for puzzle in PUZZLES}) == len(PUZZLES)
    assert [puzzle.line() for puzzle in PUZZLES] == [line.strip() for line in lines]
    assert sum(puzzle.name.startswith("durak") for puzzle in PUZZLES) >= 200


def test_each_theme_has_its_name_in_both_languages():
    for theme in {puzzle.theme for puzzle in PUZZLES}:
        names = [Told(next(one for one in PUZZLES if one.theme == theme), language).words.say(f"puzzle.theme.{theme}")
                 for language in ("en", "ru")]
        assert names[0] != names[1]


def test_no_puzzle_needs_or_shows_what_its_seat_cannot_know():
    """Durak: all cards that the seat does not see lie in one hand. Malice: no face of the other hand is told."""
    for puzzle in PUZZLES[::9]:
        told = Told(puzzle, "en")
        state, seat = told.session.state, puzzle.seat
        if told.game is durak:
            assert exact.is_end(state)
            assert len({place for place in state.where if HAND < place < HAND + 8 and place != HAND + seat}) == 1
        else:
            hidden = ("stock", "payoff", *(f"hand{other}" for other in range(1, 5) if other != seat))
            assert not any(pile["cards"] for pile in told.question()["view"]["piles"]
                           if pile["place"] in hidden or pile["kind"] in hidden)


def test_the_question_does_not_say_the_answer():
    question = Told(PUZZLES[0], "en").question()
    assert not {"answer", "theme", "missed"} & question.keys()


def test_right_and_wrong_answers_are_played_out_to_the_end():
    puzzle = next(one for one in PUZZLES if one.theme == "lead" and one.position.startswith("durak throw-in"))
    told = Told(puzzle, "ru")
    right = told.moves.index(puzzle.packed(durak))
    answers = [told.answer(index) for index in range(len(told.moves))]
    assert [one["is_right"] for one in answers] == [index == right for index in range(len(answers))]
    for index, one in enumerate(answers):
        assert ("На этот раз вы в дураках." == one["line"][-1]["text"]) == (index != right)
    with pytest.raises(UnusableInput):
        told.answer(len(told.moves))


def test_puzzles_of_a_game_are_those_in_which_one_play_alone_does_not_lose():
    found = [one for number in range(20) for one in mine_generated("durak simple", 34, number)]
    assert found and all(one.puzzle.asked >= 10 for one in found)
    for one in found[:3]:
        check(one.puzzle)
    chosen = choose(found, 2, 1)
    assert len(chosen) == min(2, len(found)) and chosen == choose(found, 2, 1)
    # Those that their player missed come first.
    missed = {one.puzzle.name for one in found if one.was_missed}
    assert len(missed & {one.name for one in chosen}) == min(len(missed), len(chosen))


def test_a_running_game_has_no_puzzles():
    assert not list(mine(Recorded("running", joined(running(RECORD))), "x"))


@pytest.mark.parametrize("line", ["", "x", *(f"a | b | seat {seat} | take | {missed} of 2 | durak"
                                             for seat, missed in ((9, 1), (1, 3), ("x", 1)))])
def test_a_line_that_is_no_puzzle(line):
    with pytest.raises(UnusableInput):
        read_puzzle(line)


def test_the_puzzle_of_the_day_is_the_same_for_all_and_comes_once():
    first = date(2026, 11, 24)
    days = [puzzle_of_day(first + timedelta(day)).name for day in range(len(PUZZLES))]
    assert len(set(days)) == len(PUZZLES)


def test_a_rating_moves_with_the_answers():
    pytest.importorskip("openskill")
    mu, sigma = read_kept("", "nonsense")
    up, down = (rate(mu, sigma, 1500, is_right) for is_right in (True, False))
    assert up["shown"] > up["before"] == 1500 > down["shown"] and up["sigma"] < sigma
    assert rate(mu, sigma, 1900, True)["shown"] > up["shown"], "a harder puzzle is worth more"
    assert read_kept("1e999", "1") == read_kept("nan", "1") == read_kept("3", "-1") == (mu, sigma)


def test_in_a_terminal_of_80_columns(monkeypatch, capsys, tmp_path):
    puzzle = next(one for one in PUZZLES if one.theme == "lead")
    path = tmp_path / "some.txt"
    path.write_text(puzzle.line() + "\n" + PUZZLES[0].line() + "\n")
    right = Told(puzzle, "en").moves.index(puzzle.packed(durak)) + 1
    typed = iter(["x", "99", str(right), ""])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    assert cli.run(["puzzles", "--from", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Right: " in said and "1 of 1 right." in said and said.count("Type one of the numbers") == 2
    assert max(map(len, said.splitlines())) <= 80 and len(said.split("Right:")[0].splitlines()) < 24
    assert cli.run(["puzzles", "make"]) == 2
    assert cli.run(["puzzles", "--from", str(RECORD)]) == 2


def test_puzzles_are_made_by_a_command(tmp_path, capsys):
    target = tmp_path / "games" / "puzzles.txt"
    arguments = ["puzzles", "make", "--generate", "durak simple", "--games", "8", "--seed", "34", "--jobs", "1"]
    assert cli.run([*arguments, str(RECORD), "--to", str(target)]) == 0
    assert read_puzzles(target.read_text().splitlines()) and "lie in" in capsys.readouterr().out
    assert cli.run(["puzzles", "make", "--generate", "poker", "--to", str(target)]) == 2
