"""Puzzles: each answer is the only right one by a solver that is not the one that found it; a puzzle shows its own
seat's view; the page asks, plays the answer out, and keeps the rating in the browser.
"""

import itertools
import re
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from cardtable.engine.session import Session
from cardtable.engine.state import HAND, State
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools import cli
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import Random, make_header
from host_tools.look import learned
from host_tools.look.puzzle_told import Told
from host_tools.look.puzzles_typed import as_lines
from host_tools.minds.corpus.generate import write_game
from host_tools.minds.players import exact
from host_tools.minds.players.odds import chance_to_hold
from host_tools.minds.puzzles.bailiff_proof import DEEPEST, NEVER, Race
from host_tools.minds.puzzles.cals_bs_proof import LATE, bound_lie
from host_tools.minds.puzzles.durak_proof import is_last_draw
from host_tools.minds.puzzles.making import SHIPPED, SHIPPED_SEED, find_all, is_fit, write_all
from host_tools.minds.puzzles.mine import choose, mine, mine_generated
from host_tools.minds.puzzles.proofs import find_proof
from host_tools.minds.puzzles.puzzle import STOCK, puzzle_of_day, read_puzzle, read_puzzles, stock, write_answer
from host_tools.minds.puzzles.rating import rate, read_kept
from host_tools.minds.puzzles.second import confirms, fold, gets_out
from host_tools.sight.recorded import Recorded
from tests.conftest import ROOT
from tests.host_tools.look.made import joined, running

RECORD = ROOT / "tests" / "records" / "durak" / "game-0000.rec"
PUZZLES = list(stock().values())
GAMES = ("durak", "bailiff", "cals-bs", "malice")


def first(name):
    """The first puzzle of that game."""
    return next(one for one in PUZZLES if one.name.startswith(name))


def sampled():
    """Those that are proved by day: some of each game, and all before the last draw, whose ends are the longest."""
    return [*PUZZLES[::15], *(one for one in PUZZLES if one.theme == "stock")]


@pytest.mark.parametrize("puzzle", sampled(), ids=lambda one: one.name)
def test_the_answer_alone_is_right(puzzle):
    assert confirms(puzzle)


@pytest.mark.sampled(15)
@pytest.mark.parametrize("puzzle", [one for one in PUZZLES if one.name.startswith("durak")], ids=lambda one: one.name)
def test_a_wrong_play_of_durak_is_seen_to_lose(puzzle):
    """A play that is said to lose is seen to lose: at the end of its line that player is the fool."""
    told = Told(puzzle, "en")
    for index in range(len(told.moves)):
        answer = told.answer(index)
        if not answer["is_right"]:
            assert "loses" in answer["said"] and "you are the fool" in answer["line"][-1]["text"].lower(), answer


@pytest.mark.everything
def test_every_answer_alone_is_right():
    assert [puzzle.name for puzzle in PUZZLES if not confirms(puzzle)] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzle_with_another_answer_is_no_puzzle(name):
    """The second solver can say no: to every other answer, and to an answer that cannot be played."""
    puzzle = first(name)
    told = Told(puzzle, "en")
    others = [write_answer(told.game, move) for move in told.moves if write_answer(told.game, move) != puzzle.answer]
    assert len(others) == len(told.moves) - 1 > 0
    assert not any(confirms(replace(puzzle, answer=other)) for other in others)


def test_both_solvers_agree_on_random_ends_of_bailiff():
    """Which hand is out by force within so many plays: counts of ranks, and the engine card by card."""
    draw, told = Random(34), set()
    for _ in range(60):
        session = Session(bailiff, make_header("bailiff bailiff", 2, 1))
        state = session.state
        cards = [card for card in range(bailiff.CARDS) if state.where[card]]
        draw.shuffle(cards)
        for at, card in enumerate(cards):
            state.where[card] = HAND + 1 if at < 3 else HAND + 2 if at < 7 else 2
        bailiff.recount(state)
        state.register[bailiff._PHASE], state.register[bailiff._TURN] = 1, 1
        _, moves = find_proof(bailiff).turn(state)
        for move in moves:
            following = find_proof(bailiff).after(state, 1, move)
            found = Race().distance(following, 1, DEEPEST - 1) != NEVER
            assert found == gets_out(state, 1, move), (bytes(state.where), move)
            told.add(found)
    assert told == {True, False}


def test_the_second_solver_takes_for_one_only_what_is_one():
    """Durak: in which order two cards were laid is nothing; which of them is beaten is."""
    def laid(*places):
        state = State(durak.CARDS, durak.REGISTERS)
        for card, place in enumerate(places):
            state.where[card] = place
        return fold(state)

    attack, cover = durak._ATTACK, durak._COVER
    assert laid(attack, attack + 1, cover) == laid(attack + 1, attack, cover + 1)
    assert laid(attack, attack + 1, cover) != laid(attack, attack + 1, cover + 1)


def test_odds_are_those_of_dealing_it_out():
    """Cal's BS: how likely a hand could have laid its set, by trying every hand."""
    hidden, fitting, held = range(9), {0, 1, 2}, 4
    for laid in range(1, 4):
        hands = list(itertools.combinations(hidden, held))
        share = sum(len(fitting & set(hand)) >= laid for hand in hands) / len(hands)
        assert abs(share - chance_to_hold(laid, held, len(hidden), len(fitting))) < 1e-9
    low, high = bound_lie(0.0, 10)
    assert low == high == 1.0
    assert bound_lie(0.9, LATE)[1] < 0.5 < bound_lie(0.9, LATE + 1)[1], "late, players are truthful"


def test_what_ships():
    lines = [line for line in foreign.read_lines(STOCK) if line.strip()]
    assert len({puzzle.name for puzzle in read_puzzles(lines)}) == len(lines) == 300
    assert len({puzzle.position for puzzle in PUZZLES}) == len(PUZZLES)
    assert [puzzle.line() for puzzle in PUZZLES] == [line.strip() for line in lines]
    shares = Counter(puzzle.load()[0].game for puzzle in PUZZLES)
    assert shares == {durak: 200, bailiff: 35, cals_bs: 35, malice: 30}
    assert {puzzle.theme for puzzle in PUZZLES} >= {"trumps", "stop", "take", "joker", "doubt", "stock"}


def test_the_shipped_file_is_what_the_command_makes():
    """The games of some of them, mined again; `puzzles make --shipped` does so with all."""
    for name in GAMES:
        puzzle = first(name)
        line, seed, number = next((line, *puzzle.name.removeprefix("-".join(line.split()) + "-").split("-")[:2])
                                  for _, games in SHIPPED for line in games
                                  if re.fullmatch("-".join(line.split()) + r"-\d+-\d+-\d+", puzzle.name))
        assert int(seed) == SHIPPED_SEED
        assert puzzle in [one.puzzle for one in mine_generated(line, SHIPPED_SEED, int(number))]


@pytest.mark.everything
@pytest.mark.parametrize("share", [share for share in SHIPPED if "durak simple" not in share[1]], ids=str)
def test_a_share_of_the_shipped_file_is_made_again(share):
    """All games of three shares; Durak's take minutes."""
    keep, games = share
    made = choose(find_all((), games, SHIPPED_SEED, 1, lambda done, of: None), keep, SHIPPED_SEED, is_fit)
    stem = next(iter(games)).replace(" ", "-")
    assert set(made) == {puzzle for puzzle in PUZZLES if puzzle.name.startswith(f"{stem}-{SHIPPED_SEED}-")}


def test_each_theme_has_its_name_in_both_languages():
    for theme in {puzzle.theme for puzzle in PUZZLES}:
        names = [Told(next(one for one in PUZZLES if one.theme == theme), language).words.say(f"puzzle.theme.{theme}")
                 for language in ("en", "ru")]
        assert names[0] != names[1]


def test_no_puzzle_needs_or_shows_what_its_seat_cannot_know():
    """Durak and Bailiff: all cards that the seat does not see lie in one hand. Elsewhere no hidden face is told."""
    for puzzle in PUZZLES[::9]:
        told = Told(puzzle, "en")
        state, seat = told.session.state, puzzle.seat
        if told.game in (durak, bailiff):
            assert told.game is bailiff or exact.is_end(state) or is_last_draw(state)
            assert len({place for place in state.where if HAND < place < HAND + 8 and place != HAND + seat}) == 1
        else:
            hidden = ("stock", "payoff", "pile", "set", *(f"hand{other}" for other in range(1, 5) if other != seat))
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
    assert all(confirms(one.puzzle) for one in found[:3])
    chosen = choose(found, 2, 1, confirms)
    assert len(chosen) == min(2, len(found)) and chosen == choose(found, 2, 1, confirms)
    # Those that their player missed come first.
    missed = {one.puzzle.name for one in found if one.was_missed}
    assert len(missed & {one.name for one in chosen}) == min(len(missed), len(chosen))
    refused = chosen[0]
    assert refused not in choose(found, 2, 1, lambda one: one != refused), "the second solver has its say"


@pytest.mark.parametrize("name", GAMES)
def test_each_game_plays_its_answer_out(name):
    """In both languages; a wrong answer shows why, where that is one line."""
    puzzle = first(name)
    for language in ("en", "ru"):
        told = Told(puzzle, language)
        answers = [told.answer(index) for index in range(len(told.moves))]
        assert [one["is_right"] for one in answers].count(True) == 1
        assert all(one["line"] for one in answers if one["is_right"] or told.proof.shows_loss)
        assert len({one["said"] for one in answers}) == len(answers)


def test_a_running_game_has_no_puzzles():
    assert not list(mine(Recorded("running", joined(running(RECORD))), "x"))


@pytest.mark.parametrize("line", ["", "x", *(f"a | b | seat {seat} | take | {missed} of 2 | durak"
                                             for seat, missed in ((9, 1), (1, 3), ("x", 1))),
                                  f"a | b | seat 1 | take | 1 of {10**400} | durak"])
def test_a_line_that_is_no_puzzle(line):
    with pytest.raises(UnusableInput):
        read_puzzle(line)


def test_the_puzzle_of_the_day_is_the_same_for_all_and_comes_once():
    first = date(2026, 11, 24)
    days = [puzzle_of_day(first + timedelta(day)).name for day in range(len(PUZZLES))]
    assert len(set(days)) == len(PUZZLES)


def test_a_rating_moves_with_the_answers():
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


def test_every_question_fits_a_terminal():
    """80 x 24, with the prompt below it."""
    for puzzle in [*PUZZLES[::15], *(one for one in PUZZLES if one.theme == "last")]:
        for language in ("en", "ru"):
            told = Told(puzzle, language)
            lines = as_lines(told.question(), told.sentences, told.words)
            assert len(lines) <= 23 and max(map(len, lines)) <= 79, puzzle.name


def test_own_puzzles_are_found_by_their_names_whatever_their_records_are_called(tmp_path):
    """Two folders hold records of one name; one name is longer than an address, one has what parts a line."""
    number = next(number for number in range(20) if mine_generated("durak simple", 34, number))
    _, text = write_game("durak simple", 34, number)
    names = "one/game.rec", "two/game.rec", "game-2.rec", f"{'a' * 90}.rec", "# Anna|Boris.rec", "партия с Верой.rec"
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    made = [one.puzzle for one in find_all([tmp_path, tmp_path / "one"], {}, 1, 1, lambda done, of: None)]
    write_all(made, tmp_path / learned.OWN)
    own = learned.read_own(tmp_path)
    assert len(own) == len(made) == len(names) * len(mine_generated("durak simple", 34, number))
    assert {"game-00", "game-2-00", "game-3-00", f"{'a' * 60}-00", "--Anna-Boris-00", "партия-с-Верой-00"} <= {*own}
    assert all(learned.find_puzzle(name, own) is one for name, one in own.items())
    (tmp_path / learned.OWN).write_text(PUZZLES[0].line().replace(PUZZLES[0].name, "b" * 90, 1))
    assert learned.find_puzzle("b" * 90, learned.read_own(tmp_path)), "as it was made before"


def test_puzzles_are_made_by_a_command(tmp_path, capsys):
    target = tmp_path / "games" / "puzzles.txt"
    arguments = ["puzzles", "make", "--generate", "durak simple", "--games", "8", "--seed", "34", "--jobs", "1"]
    assert cli.run([*arguments, str(RECORD), "--to", str(target)]) == 0
    assert read_puzzles(target.read_text().splitlines()) and f"In {target}: " in capsys.readouterr().out
    assert cli.run(["puzzles", "make", "--generate", "poker", "--to", str(target)]) == 2
