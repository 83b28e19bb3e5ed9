"""L4, T7: no question to a seat names a button that would be refused, in any state of any game; and while an undo is
asked for, everybody who may agree reads that, and OK means it.
"""

import re

import pytest

from cardtable.engine.event import AGREE, NO_CARD, UNDO, Event
from cardtable.games import durak
from host_tools.judge.sentences.language import read_language
from host_tools.sight.course import Course
from host_tools.sight.prompts import UNDO_MS, left_s
from host_tools.sight.scene import scene_of
from host_tools.sight.viewer import Viewer
from tests.games.random_games import catalogue, count_games, first_seed
from tests.games.test_every_game import Refused, start_game
from tests.games.test_words import read_words

EACH = 5  # states of a game: one in so many is looked at
NAMED = re.compile(r"\b(OK|NO|CALL)\b")
GAMES = {game.NAME: game for game in catalogue()}


def questions(play, language):
    """(seat, what it is told) of each seat that is asked something."""
    course = Course(play.header, play.session.game)
    course.session = play.session
    scene = scene_of(course, language)
    scene.now_ms, scene.deals_itself = play.event.at_ms, False
    for seat in range(1, play.seats + 1):
        can = Viewer(scene, "seat", [seat]).tell_can(seat)
        if can["prompt"]:
            yield seat, can


def check_undo(play, language):
    """A seat that may agree reads who asks, and has no other button; one that has agreed has no OK."""
    session, now = play.session, play.event.at_ms
    asker = next((seat for seat in range(1, play.seats + 1)
                  if not session.judge(Event(seat, UNDO, NO_CARD, 0, now))), 0)
    if not asker or session.game.is_dealing(session.state):
        return 0
    kept = session.undo_seat, session.undo_ms, session.agreed
    session.undo_seat, session.undo_ms, session.agreed = asker, now, 0
    asked = 0
    for seat, can in questions(play, language):
        may = not session.judge(Event(seat, AGREE, NO_CARD, 0, now))
        assert ("asks" in can) == may
        if may:
            asked += 1
            assert can["asks"] == {"seat": asker, "left_s": UNDO_MS // 1000} and "OK" in can["prompt"]
            assert [key for key, meaning in can["keys"].items() if meaning] == ["OK"], can
            late = now + UNDO_MS
            assert session.judge(Event(seat, AGREE, NO_CARD, 0, late)) and left_s(session, late) == 0
            assert not session.judge(Event(seat, AGREE, NO_CARD, 0, late - 1)) and left_s(session, late - 1) == 1
    session.agreed = 255  # who has agreed would agree again, whatever else OK says
    assert not [can for seat, can in questions(play, language) if seat != asker and can["keys"]["OK"]]
    session.undo_seat, session.undo_ms, session.agreed = kept
    return asked


@pytest.mark.parametrize("name", sorted(GAMES))
def test_l4_no_question_names_a_button_that_is_refused(name):
    seen = asked = 0
    for seed in range(first_seed(), first_seed() + count_games(4, 1)):
        play = start_game(GAMES[name], seed, Refused())
        count = 0
        while play.step():
            count += 1
            if count % EACH or play.session.is_over():
                continue
            language = "ru" if count % (2 * EACH) else "en"
            for _, can in questions(play, language):
                seen += 1
                refused = [key for key in NAMED.findall(can["prompt"]) if not can["keys"][key]]
                assert not refused, (play.title, count, can)
            asked += check_undo(play, language)
    assert seen > 5 and asked  # a game may be small


def test_t7_nothing_is_taken_back_once_the_game_is_written_down():
    play = start_game(GAMES["durak"], 3, Refused())
    while play.step():
        pass
    course = Course(play.header, play.session.game)
    course.session = play.session
    scene = scene_of(course, "en")
    scene.now_ms = play.event.at_ms
    asked = [Viewer(scene, "seat", [seat]).tell_can(seat)["back"] for seat in range(1, play.seats + 1)]
    assert asked.count(True) == 1  # until then an undo may reopen it
    scene.is_closed = True
    assert not any(Viewer(scene, "seat", [seat]).tell_can(seat)["back"] for seat in range(1, play.seats + 1))


THROW = {"en": r"throw in (.+) on .+, or OK if done", "ru": r"подкиньте (.+) \(отбивается .+\), или OK: хватит"}


def check_ranks(play, language):
    """Each question that names ranks names those on the table and no other; how many did."""
    course = Course(play.header, play.session.game)
    course.session = play.session
    scene = scene_of(course, language)
    lying = [card for pile in scene.piles([]) if pile.kind in ("attack", "cover") for card in pile.cards]
    ranks = {scene.speaker.card(card)[:-1] for card in lying}
    found = [re.fullmatch(THROW[language], can["prompt"]) for _, can in questions(play, language)]
    for said in filter(None, found):
        assert set(re.split(", | or | или ", said[1])) == ranks, (said[0], lying)
    return len(list(filter(None, found)))


def test_a_question_to_throw_in_says_the_word_of_the_button():
    """In Russian «бито» is false once the defender takes: cards were not beaten."""
    for language, word in (("en", "done"), ("ru", "хватит")):
        words = read_language(language)
        said = [words[f"named.durak.{wait}"] for wait in (durak.WAIT_THROW, durak.WAIT_THROW_MORE)]
        said += [words[f"{kind}.durak.{verb}"] for kind, verb in (
            ("near", "throw"), ("key", "done"), ("event", "done"), ("move", "done"))]
        glass = read_words("durak", language)
        said += [glass[key] for key in (f"P{durak.WAIT_THROW}", f"P{durak.WAIT_THROW_MORE}", "V.done")]
        assert all(word in one.lower() for one in said), said


def test_a_question_to_throw_in_names_the_ranks_that_lie_there():
    """What lies on the table, whatever the seat holds: so it is no hint and no secret."""
    named = 0
    for seed in range(6):
        play, count = start_game(GAMES["durak"], seed, Refused()), 0
        while play.step():
            count += 1
            if count % EACH == 0 and not play.session.is_over():
                named += check_ranks(play, "ru" if count % (2 * EACH) else "en")
    assert named > 10
