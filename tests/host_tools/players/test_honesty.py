"""No player knows what its seat may not know: where hidden cards are dealt again it sees, hears and does the same.

Two ways: each position is compared with a twin in which everything hidden is permuted, and what is heard is compared
with the public feed. Players that cheat, planted here, fail. CARDTABLE_GAMES=20 compares more than 10,000 positions.
"""

import copy
import dataclasses
import os
import types

import pytest

from cardtable.engine.deck import RANK
from cardtable.engine.event import NO_CARD, Event, verb_arguments
from cardtable.engine.state import HAND, SEATS, STOCK, State
from cardtable.games import cals_bs, durak
from cardtable.play.feed import Feed
from host_tools.sight.seen import Choice, Heard, Player, heard, heard_refusal, look
from host_tools.base.random_play import Random
from tests.host_tools.players.games import BEGINNER, GAMES, RANDOM, mixed_match, plain_match, quick_players

MATCHES = int(os.getenv("CARDTABLE_GAMES") or 2)  # of each game
SEED = 5
AT_ONCE = 3  # players asked in one position; they take turns
ENOUGH = 20  # positions of a match in which something is hidden; with deal=counted the state may know no hand
SEEDS = 20  # tried for each match


def hidden_cards(game, state, seat, hand):
    """The cards that lie where the seat cannot see them; `hand`: its own that nobody has tapped (T4)."""
    view = game.view(state, seat)
    return [card for card in range(game.CARDS) if state.where[card] and view[card] == STOCK and card not in hand]


def make_twin(session, seat, hand, draw):
    """The session with all that is hidden from the seat dealt again; whether anything is different in it."""
    game = session.game
    twin = copy.copy(session)
    twin.state = State(game.CARDS, game.REGISTERS)
    twin.state.copy(session.state)
    cards = hidden_cards(game, session.state, seat, hand)
    places = [session.state.where[card] for card in cards]
    draw.shuffle(places)
    for card, place in zip(cards, places, strict=True):
        twin.state.where[card] = place
    change_secrets(game, twin.state, seat, draw)
    return twin, not twin.state.is_equal(session.state)


def change_secrets(game, state, seat, draw):
    """What games keep secret beside the places of cards: C12, D43."""
    register = state.register
    if game is cals_bs and register[cals_bs._CLAIM] > 12 and register[cals_bs._FOURS_RANK] < 13:
        register[cals_bs._FOURS_RANK] = draw.below(9)
    if game is durak and register[durak._CHEATING]:
        for other in range(1, register[SEATS] + 1):
            if other != seat:
                register[durak._TOKENS + other - 1] = draw.below(4)
        if seat != register[durak._DEFENDER]:
            register[durak._PRESSED] = draw.below(2)
        for row in range(register[durak._LOGGED]):
            at = durak._LOG + durak._ROW * row
            register[at + 2] ^= draw.below(2) if register[at + 1] != seat else 0


def ask(player, session, seat, hand, log, at_ms, seed):
    """What a new player of that class does."""
    seen = look(session, seat, at_ms, hand, log)
    return seen, player(session.game, seat, seen.seats, seed).choose(seen)


def compare_twins(players, stolen=None, matches=MATCHES, names=tuple(GAMES), see=ask):
    """Play games, and in each position ask some of the players in it and in its twin. How many positions differed.

    Games are played until enough was hidden in `matches` of them: in the others there is nothing to find.
    """
    positions = 0
    for name in names:
        playing = [player for player in players if player.plays(GAMES[name])]
        seeds = iter(range(SEED, SEED + SEEDS * matches))
        counted = 0
        while counted < matches:
            seed = next(seeds, None)
            assert seed is not None, f"too little is hidden in every game of {name}"
            hidden = compare_match(playing, mixed_match(GAMES[name], seed, limit=300), Random(seed), stolen, see)
            counted += hidden >= ENOUGH
            positions += hidden
    return positions


def compare_match(playing, match, draw, stolen, see):
    """The positions of one match; how many differed. The players take turns."""
    positions = 0
    while match.step():
        positions += compare_position(playing[:AT_ONCE], match, draw, stolen, see)
        playing[:] = playing[AT_ONCE:] + playing[:AT_ONCE]
    return positions


def compare_position(players, match, draw, stolen, see):
    """One seat in one position. True where the twin differs."""
    seat = draw.below(match.seats) + 1
    waits = bytearray(8)
    match.game.waiting(match.session.state, waits)
    if not waits[seat] and draw.below(4):
        seat = max((other for other in range(1, 8) if waits[other]), default=seat)
    twin, is_different = make_twin(match.session, seat, match.unseen[seat], draw)
    at_ms = match.event.at_ms
    for player in players:
        told = []
        for session in (match.session, twin):
            if stolen:
                stolen(session)
            told.append(see(player, session, seat, match.unseen[seat], match.logs[seat], at_ms, SEED))
        assert told[0] == told[1], f"{player.__name__} of {match.game.NAME} knows what is hidden from seat {seat}"
    return is_different


def test_t11_no_player_sees_a_hidden_card():
    """T11: more than a thousand positions of all games; the same seed, the same Seen, the same Choice."""
    positions = compare_twins(quick_players())
    print("%d positions" % positions)
    assert positions > 1000, positions


class Peeker(Player):
    """Cheats: it looks where the hidden cards lie."""

    session = None

    def choose(self, seen):
        others = [card for card, place in enumerate(self.session.state.where) if place == HAND + seen.seat % 2 + 1]
        return Choice(seen.moves[sum(others) % len(seen.moves)], 500) if seen.moves else None


@pytest.mark.parametrize("name", GAMES)
def test_a_player_that_cheats_is_found(name):
    with pytest.raises(AssertionError, match="Peeker of " + name):
        compare_twins([Peeker], lambda session: setattr(Peeker, "session", session), 2, (name,))


@pytest.mark.parametrize("name", GAMES)
def test_a_gate_that_leaks_is_found(name):
    """The view of another seat handed to this one."""

    def leak(player, session, seat, hand, log, at_ms, seed):
        return look(session, seat % session.state.register[SEATS] + 1, at_ms, hand, log).view

    with pytest.raises(AssertionError, match=f" of {name} knows what is hidden"):
        compare_twins([RANDOM, BEGINNER], None, 2, (name,), leak)


def test_nothing_in_what_a_player_gets_leads_to_the_state():
    """A Seen and its log are numbers, bytes and the game's module."""
    match = mixed_match(GAMES["durak"], 3)
    for _ in range(60):
        match.step()
    seen = match.see(1, 0)
    values = [getattr(seen, field.name) for field in dataclasses.fields(seen)]
    values += [getattr(line, field.name) for line in seen.log for field in dataclasses.fields(line)]
    while values:
        value = values.pop()
        if isinstance(value, tuple):
            values += value
        else:
            assert isinstance(value, (int, bytes, str, Heard, types.ModuleType)), value
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen.seat = 2


@pytest.mark.parametrize("name", GAMES)
def test_t11_what_the_public_hears_is_the_public_feed(name):
    """T6, T11: heard for seat 0 hides what the feed hides, event by event, and refusals tell seat and rule alone."""
    hidden = secret = refused = 0
    for seed in range(1, 9):
        match = mixed_match(GAMES[name], seed, limit=200)
        lines = []
        feed = Feed(match.game, match.header, lines.append)
        tried = Event(1, 17, 3, 0, 0)
        while match.step():
            event = match.event
            shows = match.game.shows(match.kept, event.verb)
            lines.clear()
            feed.accepted(event, shows)
            line = heard(match.game, match.kept, event)
            assert bool(line) == bool(lines)
            secret += not lines
            if line and verb_arguments(match.game, event.verb)[:1] == "C":
                assert (line.card == NO_CARD) == ("??" in lines[0])
                hidden += line.card == NO_CARD
            for seat in range(1, match.seats + 1):
                own = heard(match.game, match.kept, event, seat)
                assert own == line or seat == event.seat and own.card == event.card
            verdict = match.session.judge(tried)
            if verdict:
                told = heard_refusal(match.game, match.session.state, tried, verdict)
                assert told == Heard(tried.at_ms, 1, 0, rule=told.rule) and told.rule[1:].isdigit()
                refused += 1
    assert hidden and refused and (secret > 0) == (name == "durak")


def test_c7_cards_that_a_doubt_opens_are_heard():
    opened = 0
    match = plain_match("cals-bs", [BEGINNER, RANDOM, BEGINNER], 3)
    while match.step():
        line = match.logs[1][-1]
        if match.event.verb == 23:
            claimed = match.kept.register[cals_bs._CLAIM]
            laid = {card for card, place in enumerate(match.kept.where) if place == cals_bs._SET}
            assert set(line.opened) == laid
            is_true = all(RANK[card] in (claimed, 13) for card in line.opened)
            assert claimed > 12 or is_true == (match.session.state.register[cals_bs._LEADER] != line.seat)
            opened += 1
    assert opened > 3
