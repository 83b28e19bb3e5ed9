"""T15: a hint is never refused, knows what its seat knows, is the best play where that is solved, and is true."""

import re

import pytest

from cardtable.engine.deck import RANK, SUIT
from cardtable.engine.event import LEAD, Event, unpack
from cardtable.engine.state import DEAL, HAND, STOCK
from cardtable.games import durak
from host_tools.base.random_play import Random
from host_tools.judge.facts.bailiff import BailiffTable
from host_tools.judge.facts.durak import DurakTable
from host_tools.minds.hints import advice as advices
from host_tools.minds.hints.advice import advise
from host_tools.minds.hints.thoughts import count_trumps_out
from host_tools.minds.hints.told import hint_text, pack_seen, tell_hint
from host_tools.minds.players import exact
from host_tools.minds.players.search import list_moves, list_waiting, open_state
from host_tools.minds.players.worlds import make_memory, make_worlds
from host_tools.sight.seen import look
from tests.host_tools.players.games import BEGINNER, GAMES, LONG, RANDOM, mixed_match, plain_match
from tests.host_tools.players.test_honesty import ENOUGH, compare_match

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor", "Zoya")
SEEDS = range(1, 26)  # of each game


@pytest.fixture(autouse=True)
def few_guesses(monkeypatch):
    """Two guesses a play: none of this depends on how many there are."""
    monkeypatch.setattr(advices, "CHOOSING", 2)
    monkeypatch.setattr(advices, "MEASURING", 2)


def positions(match, each=5):
    """What a seat that is waited for knows, in one position of `each`."""
    count = 0
    while match.step():
        match.game.waiting(match.session.state, match.waited)
        for seat in range(1, match.seats + 1):
            if match.waited[seat] and match.waited[seat] not in match.game.CHANCE:
                count += 1
                if not count % each:
                    yield seat, match.see(seat, match.event.at_ms)


def refuse(match, seat, packed):
    """The verdict on that act of the seat now; 0: it stands."""
    speaker = 0 if packed >> 16 == LEAD else seat  # the answer to who begins is the table's event (T4)
    return match.session.judge(unpack(packed, speaker, match.event.at_ms, Event()))


@pytest.mark.sampled(25)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_t15_a_hint_is_never_refused(name, seed):
    """In every mix of presets, options and seats, of players that play well and at random."""
    match = mixed_match(GAMES[name], seed, (RANDOM, BEGINNER), 160)
    hinted = 0
    for seat, seen in positions(match):
        advice = advise(seen)
        assert advice is not None or not seen.moves or name not in advices_of(), (seen.moves, match.header.lines())
        if advice is not None and advice.packed is not None:
            assert advice.packed in seen.moves
            assert not refuse(match, seat, advice.packed), (advice, match.header.lines())
            hinted += 1
    assert hinted or name not in advices_of() or match.events < 60


def advices_of():
    """The games that hints are made of."""
    return ("durak", "cals-bs", "bailiff", "malice")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", (3, 4, 5))
@pytest.mark.parametrize("name", ("durak", "cals-bs", "bailiff", "malice"))
def test_t11_nothing_hidden_follows_from_a_hint(name, seed):
    """T11, T15: where all that the seat cannot know is dealt otherwise, every byte of the hint is the same."""

    def see(_, session, seat, hand, log, at_ms, __):
        return hint_text(pack_seen(look(session, seat, at_ms, hand, log)), NAMES, "en")

    match = mixed_match(GAMES[name], seed, limit=70)
    differed = compare_match([BEGINNER], match, Random(seed), None, see)
    assert differed >= ENOUGH or match.events < 60 or match.session.state.register[DEAL]


def test_t15_where_the_end_is_solved_the_hint_is_the_best_play():
    solved = 0
    for seed in range(1, 4):
        match = plain_match("durak simple deck=24", [BEGINNER, BEGINNER], seed)
        for _, seen in positions(match, 2):
            advice = advise(seen)
            if advice is None or not advice.is_exact:
                continue
            state = open_state(make_worlds(seen, recalled(seen)))
            waiting = list_waiting(seen)
            values = exact.solve(state, seen.seat, [*list_moves(seen), *waiting])
            if values is None:
                continue
            hinted = waiting[0] if advice.packed is None else advice.packed
            assert values[hinted] == max(values.values()) and advice.chance == 50 + 50 * values[hinted]
            solved += 1
    assert solved > 5


def recalled(seen):
    """A memory that has heard what the seat heard."""
    memory = make_memory(seen.game)
    memory.recall(seen)
    return memory


def test_t15_what_a_hint_says_of_durak_is_so():
    """Trumps out of sight, the stock, the cheapest card that beats, the only one, hands that are nearly empty."""
    met = set()
    for seed in range(1, 4):
        match = plain_match("durak transfer", [BEGINNER] * 3, seed)
        for seat, seen in positions(match, 3):
            table, state = DurakTable(seen), match.session.state
            out = count_trumps_out(seen)
            others = [card for card in range(durak.CARDS) if SUIT[card] == table.trump
                      and (state.where[card] == STOCK or state.where[card] in
                           [HAND + other for other in range(1, 4) if other != seat])]
            known = [card for card in others if seen.view[card] != STOCK]
            assert out == len(others) - len(known)
            for text in tell_hint(seen, NAMES[:3], "en")["think"]:
                check_sentence(text, seen, table, met)
    assert met >= {"stock", "cheapest", "none", "few"}, met


def check_sentence(text, seen, table, met):
    """That sentence about this position, counted again."""
    if found := re.fullmatch(r"The stock has (\w+) cards?\.", text):
        met.add("stock")
        assert table.stock == (1 if found[1] == "one" else int(found[1]))
    elif text.startswith("The stock is empty"):
        assert not table.stock
    elif text.startswith(("Your cheapest card", "Only", "You hold nothing")):
        fits = [card for card in seen.hand if table.fits(card, table.unbeaten[0])]
        met.add({"Y": "cheapest", "O": "only"}[text[0]] if fits else "none")
        assert (len(fits) > 1) == text.startswith(("Your cheapest", "Only trumps"))
        assert bool(fits) == ("nothing" not in text)
    elif found := re.fullmatch(r"(\w+) has (one|2) cards? left\.", text):
        met.add("few")
        assert table.held[NAMES.index(found[1]) + 1] == {"one": 1, "2": 2}[found[2]]


@pytest.mark.parametrize("line, seats, has_draws", [("durak", 2, True), ("durak", 3, True), ("cals-bs", 3, False)])
def test_d40_a_chance_says_that_a_draw_counts_a_half(line, seats, has_draws):
    """Two who play simply draw one game of three: that is no chance to win."""
    match = plain_match(line, [BEGINNER] * seats, 1)
    said = (tell_hint(seen, NAMES[:seats], "en")["play"] for _, seen in positions(match))
    found = next(text for text in said if " %" in text)
    assert found.endswith("a draw counts a half.)") == has_draws


@pytest.mark.everything
@pytest.mark.parametrize("name", ("durak", "cals-bs", "bailiff", "malice"))
def test_who_follows_hints_holds_out_against_beginners(name, monkeypatch):
    """With the guesses that a hint has, over twelve games from both sides; a player at random wins next to none."""
    monkeypatch.setattr(advices, "CHOOSING", 48)
    won = 0
    for seed in range(12):
        match = plain_match(f"{name}", [RANDOM, BEGINNER], seed, LONG)
        follow(match.players[0])
        match.play()
        won += not match.game.losers(match.session.state) & 2
    assert won >= 4, won


def follow(player):
    """Let the player do as its hint says; where there is none, as it would."""
    own = player.choose

    def choose(seen):
        advice = advise(seen)
        choice = own(seen)
        if advice is None or advice.packed is None or choice is None:
            return choice
        return type(choice)(advice.packed, choice.think_ms)

    player.choose = choose


def test_b5_cards_of_a_rank_can_raise_only_what_is_lower_and_not_wider():
    """Else the hint counts them and says no more."""
    said = {True: 0, False: 0}
    for seed in range(6):
        for seat, seen in positions(plain_match("bailiff move_limit=20", [BEGINNER] * 2, seed, 300)):
            think = tell_hint(seen, NAMES[:2], "en")["think"]
            sentence = next((one for one in think if "you hold most" in one), "")
            table = BailiffTable(seen)
            ranks = [RANK[card] for card in (*seen.hand, *table.begun)]
            most = max(ranks, key=lambda rank: (ranks.count(rank), -rank))
            raises = not table.front or most > RANK[table.front[0]] and ranks.count(most) >= len(table.front)
            if sentence:
                assert ("Together they can raise" in sentence) == raises, (seed, seat, think)
                said[raises] += 1
    assert all(said.values()), said
