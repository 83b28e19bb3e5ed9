"""Playing on from a line of a finished game: it begins as it stood, hidden cards dealt again are honest, and the new
game counts for nothing.
"""

import pytest

from cardtable.engine.deck import card_name
from cardtable.engine.event import Event, pack
from cardtable.engine.match import FROM, next_header
from cardtable.engine.reading import read_event
from cardtable.engine.state import STOCK
from host_tools.base.errors import UnusableInput
from host_tools.club.tournament.results import judge_record
from host_tools.look.library import Library
from host_tools.look.mine import tell_mine
from host_tools.minds.corpus.count import count
from host_tools.minds.corpus.profile import read_profiles
from host_tools.minds.puzzles.mine import mine
from host_tools.play.acts import Actor, NotAllowed
from host_tools.play.cards import Cards, write_order
from host_tools.play.continued import ANEW, LIE, find_beginning, find_order, find_seat
from host_tools.play.start import Origin
from host_tools.sight.recorded import Recorded, read_record
from host_tools.sight.seen import heard
from tests.conftest import ROOT
from tests.host_tools.look.made import joined, running
from tests.host_tools.web.served import Served, pass_time

RECORDS = ROOT / "tests" / "records"
SHORT = RECORDS / "durak" / "game-0003.rec"
GAMES = [path for game in ("durak", "bailiff", "malice", "cals-bs") for path in sorted((RECORDS / game).glob("game-*"))]


def walk_to(record, line):
    """(session, each event before that line that stood, number of the line)."""
    course, events = record.course(), []
    for one in record.walk(course):
        if one.number >= line:
            return course.session, events, one.number
        if not one.verdict:
            events.append(one.event)
    raise AssertionError(line)


def hears(record, events, seat):
    """What that seat hears of them, and what it sees afterwards."""
    course = record.course()
    log = []
    for event in events:
        log.append(heard(course.game, course.session.state, event, seat))
        assert not course.session.judge(event)
        course.session.enact(event)
    return [said for said in log if said], bytes(course.game.view(course.session.state, seat)), course.session.state


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_cards_dealt_again_are_all_that_the_seat_could_know(path):
    """It has heard the same and sees the same, every event stands, and cards that it did not know lie elsewhere."""
    record = read_record(path)
    numbers = [number for number, _ in record.lines]
    changed = 0
    for line in (numbers[len(numbers) // 2], numbers[-8]):
        seat = find_seat(record, line)
        session, events, _ = walk_to(record, line)
        log, view, state = hears(record, events, seat)
        begun = Recorded("again", find_beginning(record, line, seat, ANEW, seed=7).text.encode())
        assert not begun.trouble and not begun.is_over and begun.count == len(events)
        again = hears(record, [one.event for one in begun.walk()], seat)
        assert again[:2] == (log, view)
        known = [card for card, place in enumerate(view[: record.game.CARDS]) if place != STOCK]
        assert all(again[2].where[card] == state.where[card] for card in known)
        changed += bytes(again[2].where) != bytes(state.where)
        assert session.state.save() == state.save()
    assert changed or record.game.NAME in ("malice", "bailiff"), "somewhere a hidden card lies elsewhere"


def test_as_they_lay_it_begins_with_the_record_and_the_same_cards_come(tmp_path):
    record = read_record(SHORT)
    begun = find_beginning(record, 60, 1)
    assert begun.lines == [text for number, text in record.lines if number < 60]
    assert dict(begun.header.keys)[FROM] == f"{SHORT.name} 60 {len(begun.header.lines()) + len(begun.lines) + 1} lie"
    assert begun.header.game[-1] == "hints=alone" and begun.header.seats == record.header.seats
    order, _ = find_order(record, 60, 0)
    came = [text.split()[3] for number, text in record.lines if number >= 60 and " draw " in text and "!" not in text]
    session, _, _ = walk_to(record, 60)
    write_order(tmp_path, "n", order, {}, {2: [order[0]]})
    cards = Cards(session, "seed", "n", tmp_path)
    assert cards.order == order and cards.dealt == {2: [order[0]]} and len(came) > 3
    assert [card_name(card) for card in order[::-1][: len(came)]] == came
    # In Malice the top of a payoff pile comes to its own seat alone.
    malice = read_record(RECORDS / "malice" / "game-0000.rec")
    half = malice.lines[len(malice.lines) // 2][0]
    flips = {}
    for number, text in malice.lines:
        if number >= half and " flip " in text and "!" not in text:
            flips.setdefault(int(text.split()[1]), []).append(text.split()[3])
    dealt = find_order(malice, half, 0)[1]
    assert {seat: [card_name(card) for card in cards][:3] for seat, cards in dealt.items()} == {
        seat: cards[:3] for seat, cards in flips.items()}


def test_what_cannot_be_played_on_is_one_sentence():
    record = read_record(SHORT)
    for line, why in ((12, "still being dealt"), (9999, "the game is over there")):
        with pytest.raises(UnusableInput, match=why):
            find_beginning(record, line, 1)
    with pytest.raises(UnusableInput, match="no result yet"):
        find_beginning(Recorded("running.rec", joined(running(SHORT, 60))), 40, 1)
    with pytest.raises(UnusableInput, match="this table 1 places"):
        find_beginning(record, 60, 1, places=1)
    with pytest.raises(UnusableInput, match="who held what"):
        find_beginning(read_record(RECORDS / "bailiff" / "variant-counted.rec"), 60, 1)


@pytest.mark.micropython
def test_the_table_goes_on_from_there_and_the_game_counts_for_nothing(tmp_path):
    """The real firmware, started in the middle of a game: who plays as in the record comes to its end, line by line."""
    record, line = read_record(SHORT), 90
    (tmp_path / "over.rec").write_bytes(SHORT.read_bytes())
    with Served(tmp_path, speed=1000.0, origin=Origin(tmp_path / "over.rec", line), stands_still=True) as served:
        table, game = served.table, record.game
        served.read(lambda: [table.seating.sit(seat, "here") for seat in (1, 2)])
        pass_time(table, lambda: table.phase == "play", "the game from the middle")
        act = {"do": "continue", "record": "over.rec", "line": line, "seat": 1}
        for role, more, why in (("public", {}, "spectators do not play"), ("seat", {}, "only the host"),
                                ("host", {}, "a game is under way"),
                                ("host", {"give_up": True, "record": "../over.rec"}, "there is no such record"),
                                ("host", {"give_up": True, "seat": 9}, "seat is no number from 1 to 7"),
                                ("host", {"give_up": True, "line": 12}, "line 12: the cards are still being dealt")):
            with pytest.raises(NotAllowed, match=why):
                served.read(lambda role=role, more=more: Actor(table, role, [1]).do({**act, **more}))
        assert served.read(lambda: table.phase) == "play", "the game that goes on stays"
        event = Event()
        for number, text in record.lines:
            if number < line or text.startswith("result") or read_event(game, text, number, event):
                continue
            if event.verb in game.CHANCE.values():
                continue
            hands, packed = table.hands[event.seat], pack(event.verb, event.card, event.target)
            pass_time(table, lambda hands=hands: not (table.waits[1] in game.CHANCE or table.waits[2] in game.CHANCE
                                                      or hands.has_work), "the draws")
            served.read(lambda hands=hands, packed=packed: hands.ask(lambda: hands.play(packed)))
            pass_time(table, lambda hands=hands: not hands.has_work, text)
        pass_time(table, lambda: bool(table.known.kept), "the end of the game")
        path = tmp_path / table.known.kept
        following = (table.flash / "last.txt").read_text()
    made = read_record(path)
    assert made.is_over and made.result == record.result and made.finding.kind == "intact"
    events = [text.partition(" ")[2] for _, text in made.lines if "!" not in text]
    assert events == [text.partition(" ")[2] for _, text in record.lines if "!" not in text]
    assert [text for number, text in made.lines if number < made.begins] == [
        text for number, text in record.lines if number < line]
    # It counts for nothing: no statistics, profile, list of own games, puzzle, tournament; nor is it a game of a match.
    assert count([path]) == ({}, 1) and "counts for nothing" in read_profiles([path])[1][0]
    told = tell_mine(Library(tmp_path), record.header.seats[0], "en")
    assert [one["name"] for one in told["games"]] == ["over.rec"]
    assert not list(mine(made, "x"))
    assert judge_record(path.read_bytes()).trouble == "it was played on from a finished game"
    assert FROM not in following and "match_game" not in following


def test_the_next_game_is_none_of_a_match():
    record = read_record(SHORT)
    session, _, _ = walk_to(record, 60)
    header = find_beginning(record, 60, 1, LIE).header
    following = next_header(session, header)
    assert [key for key, _ in following.keys] == ["game", "seats", "dealer", "places"]
