"""Every player finishes games of every mix of presets, options and seats, and never does what the engine refuses."""

import statistics

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.deck import SUIT
from cardtable.engine.event import AGREE, LEAD, UNDO, Event
from cardtable.engine.hands import count_hand
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, STOCK, UNSEEN
from cardtable.games import durak
from host_tools.minds.players.match import Stuck
from host_tools.sight.seen import Choice, Player, look
from tests.host_tools.players.games import BEGINNER, GAMES, RANDOM, mixed_match, plain_match, quick_players

PLAYERS = (BEGINNER, RANDOM)
KINDS = [(game.NAME, player) for game in GAMES.values() for player in quick_players(game) if player not in PLAYERS]
SEEDS = range(1, 13)
GOES_ROUND = {"round=yes", "transfer", "transfer=yes"}  # D42: what one seat takes the next one has; D26


def replay(text):
    """Judge a record again by the engine alone: its result as written, and as the engine has it."""
    *lines, result = text.splitlines()
    header, length = read_header(iter([line + "\n" for line in lines]))
    game = find_game(header.game[0])
    session = Session(game, header)
    event = Event()
    for line in lines[length:]:
        read_event(game, line, 0, event)
        assert not session.play(event), line
        assert not game.audit(session.state), line
    return result, "result: " + session.result()


def check_hands(match):
    """T4: each hand that the match keeps has as many cards as the table counts there, and no card is held twice."""
    state = match.session.state
    held = []
    for seat in range(1, match.seats + 1):
        assert len(match.unseen[seat]) == state.register[UNSEEN + seat]
        assert all(state.where[card] == STOCK for card in match.unseen[seat])
        held += match.unseen[seat]
    assert len(set(held)) == len(held) and not set(held) & set(match.deck)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("players", [*[(player,) for player in PLAYERS], PLAYERS], ids=["beginner", "random", "all"])
def test_every_mix_comes_to_an_end(name, players):
    """Refusals and a table that waits in vain raise Stuck; only random players of Bailiff and Cal's BS may be long, and
    games of Durak whose hands move on, or in which two players without a plan transfer the same cards for ever."""
    unfinished = 0
    for seed in SEEDS if RANDOM not in players else SEEDS[:3]:
        match = mixed_match(GAMES[name], seed, players, 6000 if RANDOM not in players else 1500)
        while match.step():
            check_hands(match)
        if match.session.is_over():
            assert len(set(replay(match.record()))) == 1
        else:
            unfinished += not GOES_ROUND & set(match.header.game)
    assert not unfinished or RANDOM in players, f"{unfinished} games of {name} have no end"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "player"), KINDS, ids=[f"{name}-{player.name}" for name, player in KINDS])
def test_every_kind_plays_any_mix(name, player):
    """Each player of its games among beginners: nothing is refused, and the table never waits in vain."""
    for seed in SEEDS[:3]:
        match = mixed_match(GAMES[name], seed, (player, BEGINNER), 600)
        while match.step():
            pass


def test_the_same_seed_plays_the_same_game():
    for name in GAMES:
        texts = []
        for _ in range(2):
            match = mixed_match(GAMES[name], 1, limit=300)
            match.play()
            texts.append(match.record())
        assert texts[0] == texts[1] and texts[0].count("\n") > 6


class Silent(Player):
    """Never does anything."""

    def choose(self, seen):
        return None


class Stubborn(Player):
    """Does what no rule allows: it says undo."""

    def choose(self, seen):
        return Choice(UNDO << 16 | 254 << 8, 500)


@pytest.mark.parametrize("player", [Silent, Stubborn])
def test_a_player_that_does_nothing_or_wrong_is_told(player):
    match = plain_match("durak", [player, player], 1)
    with pytest.raises(Stuck):
        match.play()


def test_d5_the_holder_of_the_lowest_trump_says_that_it_begins():
    """T4, D5: with deal=counted the players answer, and they do so honestly."""
    asked = 0
    for seed in range(40):
        match = plain_match("durak deal=counted deck=54", [BEGINNER, RANDOM, BEGINNER, RANDOM], seed)
        while match.event.verb != LEAD:
            assert match.step()
        hands = [match.see(seat, 0).hand for seat in range(1, 5)]
        trump = match.session.state.register[durak._TRUMP]
        trumps = [[card for card in hand if SUIT[card] == trump] for hand in hands]
        if any(trumps):
            asked += 1
            assert match.event.target == 1 + min(range(4), key=lambda seat: min(trumps[seat], default=99))
    assert asked > 20


def test_d42_hands_that_nobody_has_tapped_go_round():
    """D42, T4: where all pass their hands on, the next seat holds what this one held."""
    moved = 0
    for seed in range(6):
        match = plain_match("durak round=yes deal=counted", [BEGINNER] * 3, seed)
        while True:
            before = [set(hand) for hand in match.unseen]
            attacker = match.session.state.register[durak._ATTACKER]
            if not match.step():
                break
            waits = bytearray(8)
            match.game.waiting(match.session.state, waits)
            if waits[0] == durak.WAIT_HANDS_THEN_OPEN and match.kept.where != match.session.state.where:
                holders = [seat for seat in (1, 2, 3) if count_hand(match.session.state, seat)]
                for giver, taker in zip(holders, holders[1:] + holders[:1], strict=True):
                    stayed = {card for card in before[giver] if match.session.state.where[card] == STOCK}
                    assert stayed <= set(match.unseen[taker]), (seed, attacker)
                    moved += len(stayed)
    assert moved > 50


def test_t7_every_player_agrees_to_an_undo():
    for player in (RANDOM, BEGINNER):
        match = plain_match("durak", [player, player, player], 3)
        while match.decisions < 4:
            assert match.step()
        session = match.session
        last = match.event.seat
        at_ms = match.event.at_ms + 10
        assert not session.play(Event(last, UNDO, 254, 0, at_ms))
        for seat in range(1, 4):
            choice = match.players[seat - 1].choose(look(session, seat, at_ms))
            if seat != last:
                assert choice.packed >> 16 == AGREE


def test_times_are_human_and_doubts_are_races():
    """0.4 to 4 s; a doubt is a race, and quicker than a pass."""
    times = {}
    for name in GAMES:
        for seed in range(2):
            match = mixed_match(GAMES[name], seed)
            if name == "cals-bs" and seed:  # one in which seats pass
                match = plain_match("cals-bs", [BEGINNER, RANDOM, BEGINNER], seed)
            names = [player.name for player in match.players]

            def watch(seen, choice, names=names):
                if choice:
                    key = seen.game.NAME, names[seen.seat - 1], choice.packed >> 16
                    times.setdefault(key, []).append(choice.think_ms)

            match.watch = watch
            match.play()
    doubt, give = 23, 22
    for (name, player, verb), thought in times.items():
        quickest = 250 if (name, player, verb) == ("cals-bs", "beginner", doubt) else 400
        assert quickest <= min(thought) and max(thought) <= 4000, (name, player, verb)
    doubts = times["cals-bs", "beginner", doubt]
    assert statistics.median(doubts) < 1000 < statistics.median(times["cals-bs", "beginner", give])
    assert len({*doubts}) > len(doubts) // 4


def test_presses_race_fairly():
    """Each seat of equal players makes about as many of the doubts."""
    made = [0] * 5
    for seed in range(10):
        match = plain_match("cals-bs", [BEGINNER] * 4, seed)
        while match.step():
            made[match.event.seat] += match.event.verb == 23
    assert sum(made) > 60
    assert all(0.12 < count / sum(made) < 0.38 for count in made[1:]), made


def test_a_hand_is_what_the_seat_holds():
    """Cards on the table are no part of the hand, cards handed in are where nobody has tapped them."""
    match = plain_match("cals-bs deal=counted", [BEGINNER] * 3, 1)
    for _ in range(60):
        match.step()
        for seat in (1, 2, 3):
            seen = match.see(seat, 0)
            known = {card for card, place in enumerate(match.session.state.where) if place == HAND + seat}
            assert set(seen.hand) == known | set(match.unseen[seat])
