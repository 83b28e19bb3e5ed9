"""The analysis of a finished game: exact sums, honest chances, the same bytes, and never a game under way."""

import json
import math
import re
import subprocess
import sys
from types import SimpleNamespace
from dataclasses import replace

import pytest
from rich.progress import Progress

from cardtable.engine.event import NO_CARD, UNDO, Event, find_verb
from cardtable.engine.record import write_event
from cardtable.engine.state import OUTCOME, SEATS, State
from cardtable.catalogue import find_game
from cardtable.engine.session import Session
from cardtable.games import cals_bs, durak
from host_tools.commands.analyse import command as analyse_command
from host_tools.minds.analysis import judge, lines, report
from host_tools.minds.analysis.chances import USUAL
from host_tools.minds.analysis.decisions import walk
from host_tools.minds.analysis.judge import CLASSES, WHOLE, analyse
from host_tools.minds.analysis.sentences import FOLDER, Told
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import make_header
from host_tools.judge.facts.durak import COUNTS
from host_tools.judge.facts.view import split_view
from host_tools.judge.sentences import Sentences
from host_tools.look.bundle import unpack
from host_tools.look.judged import tell_judged
from host_tools.look.mistakes import read_mistakes
from host_tools.sight.recorded import Recorded
from host_tools.base.wording import read_words
from host_tools.minds.players import find_player
from host_tools.minds.players.rollouts import Judged
from host_tools.minds.players.worlds import make_memory, share_of_draw
from tests.conftest import ROOT
from tests.host_tools.players.games import plain_match
from tests.patience import PATIENCE_S

LINES = [
    ("durak", ["card-counter", "random"]),
    ("durak transfer", ["beginner", "pair-collector", "beginner"]),
    ("durak teams=2x2", ["beginner", "random", "beginner", "random"]),
    ("bailiff", ["beginner", "beginner"]),
    ("cals-bs", ["bluffer", "beginner", "doubter"]),
    ("malice", ["beginner", "beginner"]),
]


def played(line, names, seed=3):
    """A whole game of these players, as a record."""
    match = plain_match(line, [find_player(name) for name in names], seed, 3000)
    match.play()
    return Recorded("game.rec", match.record().encode())


@pytest.mark.parametrize(("line", "names"), LINES, ids=[line for line, _ in LINES])
def test_the_parts_add_up_to_the_result_exactly(line, names):
    """Deal + draws + everybody's play = the result, to the millionth, for each seat of every game; no residue."""
    found = analyse(played(line, names), 2)
    game = found.record.game
    lost = game.losers(list(walk(found.record))[-1].state)
    for seat in range(1, found.seats + 1):
        split = found.split(seat)
        assert sum(split.values()) == found.outcome[seat - 1], split
        if lost:
            assert found.outcome[seat - 1] == (0 if lost >> seat & 1 else WHOLE)
    assert found.decisions and all(0 <= one.chance <= 100 for one in found.decisions)


@pytest.mark.parametrize("line, seats, share", [
    ("durak", 2, 1 / 2), ("durak", 4, 3 / 4), ("durak teams=2x2", 4, 1 / 2), ("durak teams=3x3", 6, 1 / 2),
    ("durak teams=2x2x2", 6, 2 / 3), ("malice", 2, 1 / 2), ("malice", 4, 1 / 4), ("cals-bs", 5, 1 / 5),
    ("cals-bs places=yes", 5, 4 / 5), ("bailiff", 3, 2 / 3),
])
def test_the_share_of_an_average_deal(line, seats, share):
    """Where one wins, where one loses, where a team loses."""
    game = find_game(line.split()[0])
    state = Session(game, make_header(line, seats)).state
    assert judge.fair_share(game, state) == pytest.approx(share * WHOLE, abs=1)


def test_d40_a_draw_counts_a_half():
    """D40: 50 points for both, in the sums and in solved ends; text and page say so, and only of a draw."""
    found = analyse(played("durak", ["beginner", "beginner"], 1), 2)
    assert found.record.result == "draw" and found.outcome == [WHOLE // 2, WHOLE // 2]
    told = report.figures(found)
    said = "Nobody lost this game: 50.0 points for each."
    words = Told(found.record)
    assert said in lines.as_text(told, words) and said in tell_judged(found.record, told, "en")["lines"]
    told["seats"][0]["outcome"] = 0
    assert not lines.tell_draw(told, words)


def test_d40_in_a_solved_end_a_draw_lies_between_a_win_and_a_loss(monkeypatch):
    values = {}
    monkeypatch.setattr(judge, "solve", lambda step, worlds, end: values)
    step = next(step for step in walk(played("durak", ["beginner", "beginner"], 1)) if step.seen)
    first, *others = step.choices
    for rest, chance, best, kind in ((1, 50, 100, "blunder"), (0, 50, 50, ""), (-1, 50, 50, "")):
        values.update(dict.fromkeys(others, rest) | {first: 0})
        decision = judge.judge(replace(step, played=first), step.state, make_memory(durak), 2)
        assert (decision.chance, decision.best_chance, decision.kind) == (chance, best, kind)


def test_d40_of_three_seats_the_two_that_went_out_last_share_the_fool():
    state = State(durak.CARDS, durak.REGISTERS)
    state.register[SEATS] = 3
    state.register[durak._OUT_AT : durak._OUT_AT + 3] = bytes([2, 1, 3])
    assert [share_of_draw(state, seat) for seat in (1, 2, 3)] == [0.5, 1, 0.5]
    state.register[durak._OUT_AT : durak._OUT_AT + 3] = bytes([0, 1, 0])  # a solved end: both still hold cards
    assert [share_of_draw(state, seat) for seat in (1, 2, 3)] == [0.5, 1, 0.5]
    state.register[durak._TEAMS_ARE] = 2
    assert {share_of_draw(state, seat) for seat in (1, 2, 3)} == {0.5}


def test_a_seat_is_known_by_how_it_has_played_so_far():
    """A beginner does as the advice says, another does not; before its first decision nobody has shown anything."""
    last = {}
    for step in walk(played("durak", ["beginner", "random"], 2)):
        if step.seen:
            assert step.seat in last or step.alike == USUAL
            last[step.seat] = step.alike
    assert last[1] > 0.95 > 0.6 > last[2]


def test_where_nobody_has_checked_chances_are_rough_and_no_percent_is_told(monkeypatch):
    monkeypatch.setattr(judge, "is_checked_for", lambda seen: False)
    record = played("durak", ["beginner", "random"], 2)
    told = report.figures(analyse(record, 12))
    flagged = [one for one in told["decisions"] if one["class"] and not one["is_exact"]]
    assert flagged and all("%" not in one["sentence"] and "rough" in one["sentence"] for one in flagged)
    for language, word in (("en", "Chances are rough"), ("ru", "Оценки примерные")):
        words = Told(record, language)
        assert word in " ".join(tell_judged(record, told, language)["lines"])
        assert word in " ".join(lines.as_text(told, words))
    mistakes = read_mistakes(record, {"decisions": flagged})
    course = record.course()
    line = next(line for line in record.walk(course) if line.number in mistakes)
    said = mistakes[line.number].tell(Sentences(record.game, record.header.seats, "en"), course.session.state)
    assert "rough" in said and "%" not in said


def test_the_same_record_gives_the_same_bytes():
    record = played(*LINES[0])
    told = [report.figures(analyse(record, 4)) for _ in range(2)]
    assert report.as_json(told[0]) == report.as_json(told[1])


def test_t11_a_game_under_way_is_never_analysed(tmp_path):
    """T11: not without a result, not with one that the game did not come to, not through the command."""
    text = played(*LINES[0]).content.decode()
    lines = text.splitlines()
    under_way = "\n".join(lines[:-1]) + "\n"
    invented = "\n".join([*lines[: len(lines) // 2], lines[-1]]) + "\n"
    for content in (under_way, invented):
        with pytest.raises(UnusableInput, match="no result yet"):
            analyse(Recorded("game.rec", content.encode()), 8)
    path = tmp_path / "game.rec"
    path.write_text(under_way)
    words = [sys.executable, "-m", "host_tools.cli", "analyse", str(path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=2 * PATIENCE_S)
    assert done.returncode == 2 and "no result yet" in done.stderr and not done.stdout


def test_a_counted_game_is_refused_with_the_reason():
    with pytest.raises(UnusableInput, match="counted"):
        analyse(played("durak deal=counted", ["beginner", "beginner"]), 8)


def test_blunders_are_found_and_good_play_is_not_scolded():
    """A random player loses far more points a decision than a beginner; each sentence names two chances."""
    lost = {1: 0.0, 2: 0.0}
    for seed in (3, 4):
        found = analyse(played("durak", ["beginner", "random"], seed), 16)
        for seat in lost:
            own = [one for one in found.decisions if one.seat == seat]
            lost[seat] += sum(one.loss for one in own) / len(own)
        told = report.figures(found)
        sentences = [one["sentence"] for one in told["decisions"] if one["sentence"]]
        assert sentences
        assert all(
            re.fullmatch(r"Better: [^()]+ \((over )?\d+ % instead of (under |over )?\d+ %\)", text)
            for text in sentences
        )
    assert lost[2] > 1.5 * lost[1], lost


def test_a_throw_in_that_comes_later_in_the_bout_is_no_mistake():
    """8♠ could have been added at lines 198, 201 and 204, and was at 205: with it the attacker won."""
    record = Recorded("game.rec", (ROOT / "tests/records/durak/throw-in-0001.rec").read_bytes())
    found = {one.number: one for one in analyse(record, 16).decisions}
    for number in (198, 201, 204):
        assert found[number].loss > 50 and found[number].is_later and not found[number].kind
    assert not found[205].is_later


def test_rounded_parts_add_up_to_the_rounded_sum():
    """Rounded each by itself, these were 1 + 0 + 0 + 0 of 2, and 34 + 34 - 67 of 0."""
    assert lines.round_parts([5400, 4900, 4900, 4900], 10_000) == [1, 0, 1, 0]
    assert lines.round_parts([335_000, 336_000, -671_000], 10_000) == [34, 33, -67]
    assert lines.round_parts([750_000, 0, 0, 250_000], 10_000) == [75, 0, 0, 25], "nothing stays nothing"


def test_a_class_is_given_only_where_the_interval_lies_beyond_its_bound():
    """By gaps guess by guess: luck that falls on both plays alike leaves no doubt, gaps that go both ways do."""
    own, other = Judged("own"), Judged("other")
    own.scores, other.scores = [0.0, 1.0] * 100, [0.2, 1.0] * 100
    assert judge.reach(own, other) < 0.2
    own.scores, other.scores = [0.0, 1.0] * 10, [1.0, 0.1] * 10
    assert judge.reach(own, other) > 1
    own.scores = other.scores
    assert judge.reach(own, other) == math.inf
    for one in analyse(played("durak", ["beginner", "random"], 3), 8).decisions:
        bound = {kind: points for points, kind in judge.CLASSES}.get(one.kind, -math.inf)
        assert one.loss_low >= bound


class Planted:
    """Guesses about moves whose chances are known: the move is its chance in percent."""

    seen = SimpleNamespace(seat=1)
    chance = 0
    plays = 0

    def deal(self, draw):
        return self

    def copy(self):
        return Planted()

    def play_out(self, world, draw):
        Planted.plays += 1
        world.won = draw.below(100) < world.chance
        return True

    def score(self, world, is_over, seat):
        return float(world.won)


def chosen(choices, played, seed):
    """The better move that is held against what was played, or that again."""
    step = SimpleNamespace(choices=choices, played=played)
    own, other = judge.choose(Planted(), step, lambda world, move: setattr(world, "chance", move), seed, 48)
    assert own.move == played and len(own.scores) == len(other.scores) == 96
    return other.move


def test_where_a_mistake_was_possible_the_better_play_is_chosen_in_more_guesses():
    """Of twenty seeds nearly all find the same one, though another is ten points behind; and nothing is spent on what
    is far from a mistake."""
    assert [chosen((30, 50, 60), 30, seed) for seed in range(20)].count(60) >= 18
    Planted.plays = 0
    chosen((60, 20), 60, 1)
    assert Planted.plays < 2 * 48 + 2 * 96


def test_an_end_is_judged_exactly():
    """Durak: where nothing is hidden a chance is 0, 50 or 100, and it is said to be exact; one card of the stock may be
    hidden from it (test_last_cards.py)."""
    found = analyse(played("durak", ["beginner", "beginner"], 5), 8)
    exact = [one for one in found.decisions if one.is_exact]
    opened = [one for one in exact if not split_view(one.seen, COUNTS)[0][8]]
    assert opened and all(one.chance in (0, 50, 100) for one in opened)
    assert all(not one.chance_half for one in exact)


def test_an_end_that_is_too_large_to_solve_is_said_to_be_none(monkeypatch):
    """With the usual limit each end of this game is solved; with none all are guessed, and a mistake says so."""
    monkeypatch.setattr(judge, "LAST_NODES", 1)  # what is solved before the end is another matter
    record = played("durak", ["beginner", "random"], 2)
    usual = {one.number: one for one in analyse(record, 12).decisions}
    assert not any(one.is_unsolved for one in usual.values())
    monkeypatch.setattr(judge, "END_NODES", 1)
    found = analyse(record, 12)
    guessed = [one for one in found.decisions if one.is_unsolved]
    assert {one.number for one in guessed} == {number for number, one in usual.items() if one.is_exact} != set()
    guessed[0].kind = "mistake"
    told = report.figures(found)
    for language, word in (("en", "the end was too large to solve"), ("ru", "решить её не удалось")):
        every = Told(record, language).decisions(told["decisions"])
        [said] = [one for one in every if one["line"] == guessed[0].number]
        assert word in said["sentence"]
        page = tell_judged(record, told, language)
        assert any(word in one["sure"] for one in page["mistakes"])


def test_c7_a_doubt_is_judged_by_the_odds():
    """C7: the chance that the set was false, whatever the cards were that it turned up."""
    told = report.figures(analyse(played("cals-bs", ["bluffer", "doubter", "doubter"]), 8))
    doubts = [one["doubt"] for one in told["decisions"] if "doubt" in one]
    needed = re.compile(r"The set was false with \d+ %; from \d+ % on a doubt paid here")
    assert doubts and any(needed.fullmatch(one["sentence"]) for one in doubts)
    assert all(0 <= one["chance_of_lie"] <= 100 for one in doubts) and find_verb(cals_bs, "doubt")


def test_text_json_and_page_tell_the_same(tmp_path):
    path = tmp_path / "game.rec"
    path.write_bytes(played(*LINES[0]).content)
    words = [sys.executable, "-m", "host_tools.cli", "analyse", str(path), "--guesses", "2"]
    text, data = (
        subprocess.run([*words, *more], cwd=ROOT, capture_output=True, text=True, check=True,
                       timeout=2 * PATIENCE_S).stdout
        for more in ([], ["--json"])
    )
    path = tmp_path / "game.html"
    subprocess.run([*words, "--html", str(path)], cwd=ROOT, capture_output=True, check=True, timeout=2 * PATIENCE_S)
    told = json.loads(data)
    html = path.read_text()
    page_told = json.dumps(unpack(html)["judged"], ensure_ascii=False)
    flagged = [one for one in told["decisions"] if one["class"]]
    assert flagged and all(one["sentence"] in text and one["best"] in page_told for one in flagged)


@pytest.mark.parametrize(("language", "word"), [("en", "Analysing"), ("ru", "Разбор")])
def test_its_progress_is_told_in_the_language_that_was_asked_for(language, word, tmp_path, monkeypatch):
    path, said = tmp_path / "game.rec", []
    path.write_bytes(played(*LINES[0]).content)
    monkeypatch.setattr(Progress, "add_task", lambda self, words, **_: said.append(words) or 0)
    monkeypatch.setattr(Progress, "update", lambda self, task, **_: None)
    analyse_command.callback(path, 1, language, True, None, None)
    assert said == [word]


def test_c9_a_set_that_wins_at_once_is_sure():
    """Guesses are corrected; what ends the game is none. Few last sets leave a choice."""
    found = 0
    for seed in range(3, 120):
        before = None
        for step in walk(played("cals-bs", ["beginner", "bluffer", "doubter"], seed)):
            if step.seen is not None and step.state.register[OUTCOME]:
                decision = judge.judge(step, before, make_memory(cals_bs), 4)
                assert decision.chance == decision.best_chance == 100.0
                found += 1
            before = step.state
        if found == 2:
            return
    raise AssertionError("choose other seeds")


def test_t7_an_undo_that_is_asked_for_is_no_play():
    """T7: the end is solved as if nobody had asked, and to agree is not among the plays that are weighed.

    An end that is small enough for the engine's source, too: what is asked takes positions of the limit."""
    plain = played("durak", ["beginner", "beginner"], 18)
    solved = []
    for content in (plain.content, ask_often(plain)):
        found = analyse(Recorded("game.rec", content), 2).decisions
        solved.append([(one.seat, one.played, one.best, one.chance, one.choices) for one in found if one.is_exact])
    assert len(solved[0]) > 5 and solved[0] == solved[1]


@pytest.mark.parametrize(("line", "verb", "behind"), [
    ("durak", "draw", "draw"), ("durak", "attack", "turn"), ("durak", "draw", "attack"), ("cals-bs", "draw", "draw")])
def test_t7_what_was_taken_back_and_done_again_changes_nobodys_share(line, verb, behind):
    """T7, T3: a card of the deal, a play, a card that was drawn: who agrees to the undo has brought nobody anything."""
    plain = played(line, ["beginner"] * 3, 5)
    lines = plain.content.decode().splitlines()
    verbs = ["".join(text.split()[2:3]) for text in lines]
    at = verbs.index(verb, verbs.index(behind) + 1)
    at_ms, seat, *_ = lines[at].split()
    others = [other for other in "123" if other != seat]
    lines[at + 1 : at + 1] = [f"{at_ms} {seat} undo", *(f"{at_ms} {other} agree" for other in others), lines[at]]
    taken_back = Recorded("game.rec", ("\n".join(lines) + "\n").encode())
    assert taken_back.is_over
    splits = [[found.split(one) for one in (1, 2, 3)]
              for found in (analyse(record, 1, judges=False) for record in (plain, taken_back))]
    assert splits[0] == splits[1]


def test_d49_while_cards_are_dealt_again_all_have_a_fair_share():
    state = Session(durak, make_header("durak start=redeal", 3)).state
    assert judge.value_all(durak, state, 3, 2, False) == [WHOLE - WHOLE // 3] * 3


def ask_often(record):
    """The record with an undo asked for behind every play that may be taken back; the other seat's play cancels it."""
    course = record.course()
    lines = record.content.decode().splitlines()
    before, found = None, {}
    for line in record.walk(course):
        if before is not None:
            undo = Event(before.seat, UNDO, NO_CARD, 0, before.at_ms + 1)
            if not course.session.judge(undo):
                found[line.number] = write_event(record.game, undo)
        before = None if line.verdict or not line.event.seat else copy_event(line.event)
    for number in sorted(found, reverse=True):
        lines.insert(number - 1, found[number])
    assert len(found) > 20
    return ("\n".join(lines) + "\n").encode()


def copy_event(event):
    """The same event, which the walk does not fill again."""
    return Event(event.seat, event.verb, event.card, event.target, event.at_ms)


def test_every_language_has_every_sentence_of_the_analysis():
    english, russian = (read_words(FOLDER, "analysis", language) for language in ("en", "ru"))
    assert english.keys() == russian.keys() and {kind for _, kind in CLASSES} <= english.keys()
    said = {key: re.sub(r"{\w+}", "", text) for key, text in english.items()}
    assert not {key for key, text in said.items() if re.search("[a-z]", text) and english[key] == russian[key]}


@pytest.mark.parametrize("line", [
    LINES[0], *(pytest.param(line, marks=pytest.mark.everything) for line in LINES[4:]),
], ids=["durak", "cals-bs", "malice"])
def test_a_russian_analysis_has_no_english_word(line):
    """Text and page, but for the players' names; the page says each mistake and each doubt that the figures have."""
    game, names = line
    found = analyse(played(game, names[:1] + ["random"] * (len(names) - 1)), 2)
    told, words = report.figures(found), Told(found.record, "ru")
    page = tell_judged(found.record, told, "ru")
    facts = [one[key] for one in page["mistakes"] for key in ("size", "sure", "open", "played", "better", "reason")]
    shown = [*page["lines"], page["aim"], *page["kinds"], *page["says"].values(), *page["split"]["heads"], *facts,
             *(sentence for _, sentence in page["doubts"])]
    for said in ("\n".join(lines.as_text(told, words)), "\n".join(shown)):
        said = said.replace(words.title(told), "")
        for name in told["players"]:
            said = said.replace(name, "")
        assert not re.findall(r"[A-Za-z]{2,}", said), said
    mistakes, doubts = ([one["line"] for one in told["decisions"] if one.get(key)] for key in ("class", "doubt"))
    assert [one["line"] for one in page["mistakes"]] == mistakes and mistakes
    assert [line for line, _ in page["doubts"]] == doubts and bool(doubts) == (game == "cals-bs")
