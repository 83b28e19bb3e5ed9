"""The beginner beats the random player in every game, and plays as the pages of the rules advise."""

import math

import pytest

from cardtable.engine.deck import JOKER, RANK
from cardtable.engine.event import Event, find_verb, unpack
from cardtable.engine.record import write_event
from cardtable.games import cals_bs
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.sight.seen import look
from tests.games.bailiff_table import deal as deal_bailiff
from tests.games.cals_bs_table import deal as deal_cals_bs
from tests.games.cals_bs_table import lay
from tests.games.durak_table import deal
from tests.host_tools.players.games import BEGINNER, GAMES, RANDOM, plain_match

GAMES_EACH = 16
LUCK = 1e-3  # so unlikely is it that a player who is no better wins so often
DOUBT, CLAIM = find_verb(cals_bs, "doubt"), find_verb(cals_bs, "claim")


def chance_of(wins, games, share):
    """How likely so many wins or more are by luck alone, each with that share."""
    return sum(math.comb(games, won) * share**won * (1 - share) ** (games - won) for won in range(wins, games + 1))


def count_wins(line, seats, games):
    """In how many games the one beginner among random players did not lose; a draw is no win."""
    wins = 0
    for seed in range(games):
        own = seed % seats
        match = plain_match(line, [BEGINNER if seat == own else RANDOM for seat in range(seats)], seed // seats)
        match.play()
        losers = match.game.losers(match.session.state)
        wins += losers > 0 and not losers >> (own + 1) & 1
    return wins


@pytest.mark.parametrize(
    ("line", "seats"),
    [
        ("durak", 2), ("durak transfer deal=counted", 2), ("durak simple", 2), ("durak japanese-spades", 2),
        ("durak transfer cheating=2", 2),
        ("cals-bs", 3), ("cals-bs cals-bs-plus", 4), ("bailiff", 2), ("malice", 2), ("malice deal=counted", 2),
    ],
)  # fmt: skip
def test_the_beginner_beats_the_random_player(line, seats):
    wins = count_wins(line, seats, GAMES_EACH)
    share = 1 / seats if line.startswith("cals") else 1 / 2
    assert chance_of(wins, GAMES_EACH, share) < LUCK, f"{wins} of {GAMES_EACH}"


def test_d34_a_team_of_beginners_beats_one_of_random_players():
    lost = 0
    for seed in range(10):
        match = plain_match("durak teams=2x2", [BEGINNER, RANDOM] * 2, seed)
        match.play()
        lost += match.game.losers(match.session.state) == 0b10100
    assert chance_of(lost, 10, 0.5) < 0.02, lost


def test_equal_players_fail_that_test():
    """The bound is one that a player can miss."""
    half = GAMES_EACH // 2
    assert chance_of(half, GAMES_EACH, 0.5) > 0.4
    assert chance_of(GAMES_EACH, GAMES_EACH, 0.5) < LUCK < chance_of(GAMES_EACH - 2, GAMES_EACH, 0.5)


# --- Cal's BS: C18 ----------------------------------------------------------------------------------------------------


def count_habits(line, seats, games):
    """Shares: of sets that were false, of sets that a seat meant to doubt, of false ones early, and late.

    Late is by the cards in hand when the seat decides, staged ones included.
    """
    false, could, early, late = [], {}, [], []
    for seed in range(games):
        match = plain_match(line, [BEGINNER] * seats, seed)

        def watch(seen, choice, seed=seed):
            if seen.named(DOUBT):
                key = seed, seen.seat, CalsBsTable(seen).laid_ms
                could[key] = could.get(key, False) or (choice is not None and choice.packed >> 16 == DOUBT)

        match.watch = watch
        while match.step():
            if match.event.verb == CLAIM and not match.session.is_over():
                laid = [card for card in range(108) if match.kept.where[card] == cals_bs._STAGED + match.event.seat]
                false.append(any(RANK[card] not in (match.event.target, JOKER) for card in laid))
                (late if cals_bs.count_held(match.kept, match.event.seat) <= 7 else early).append(false[-1])
    return [sum(what) / len(what) for what in (false, list(could.values()), early, late)]


@pytest.mark.parametrize(("line", "seats"), [("cals-bs", 4), ("cals-bs cals-bs-54", 3)])
def test_c18_bluffs_and_doubts_are_as_the_source_has_them(line, seats):
    """C18: bluff 40-60 % of the time, doubt 10-30 % of the time, bluff early and be truthful late. (bs:36-39)"""
    # One more register in the view makes other games of these seeds, so there are enough of them for any.
    false, doubted, early, late = count_habits(line, seats, 24)
    assert 0.4 <= false <= 0.6 and 0.1 <= doubted <= 0.3 and late < early, (false, doubted, early, late)


def choose(table, seat, seed=1, hand=()):
    """What the beginner says in that seat, in the words of a record; an empty text for nothing."""
    seen = look(table.session, seat, table.event.at_ms, hand)
    choice = BEGINNER(table.game, seat, table.seats, seed).choose(seen)
    if not choice:
        return ""
    return write_event(table.game, unpack(choice.packed, seat, 0, Event())).split(" ", 2)[2]


def test_c18_it_always_doubts_what_its_own_hand_disproves():
    """C18, C7: three sevens and a joker in the own hand: two more sevens and a joker are all that can be."""
    for count, is_sure in ((1, False), (3, True)):
        said = []
        for seed in range(40):
            table = deal_cals_bs("cals-bs", "2S 3S 4S 5S", "7S 7H 7D XB KS", "9S 9H TS JS", None)
            lay(table, 1, " ".join("2S 3S 4S".split()[:count]), "claim 7")
            said.append(choose(table, 2, seed) == "doubt")
        assert all(said) == is_sure


def test_c18_a_leader_never_claims_more_than_it_holds():
    """C18: no more cards of a rank than it has, so that nobody can hold the proof. (bs:46)"""
    bluffs = 0
    for seed in range(8):
        match = plain_match("cals-bs", [BEGINNER] * 3, seed)
        while match.step() and match.events < 150:
            if match.event.verb == CLAIM and not match.kept.register[cals_bs._LAST] and not match.session.is_over():
                where = match.kept.where
                seat, rank = match.event.seat, match.event.target
                laid = [card for card in range(54) if where[card] == cals_bs._STAGED + seat]
                own = [card for card in range(54) if where[card] in (cals_bs._STAGED + seat, 8 + seat)]
                assert len(laid) <= sum(RANK[card] in (rank, JOKER) for card in own)
                bluffs += any(RANK[card] not in (rank, JOKER) for card in laid)
                assert not any(RANK[card] == JOKER for card in laid) or len(laid) <= 2
    assert bluffs > 5


def test_c18_fours_stay_together_and_go_at_once():
    """C18, C12: all fours on an empty pile, and never one of them in another set. (bs:42)"""
    table = deal_cals_bs("cals-bs", "7S 7H 7D 7C 2S 3H", "8S 8H", None)
    said = []
    while not said or said[-1] != "fours":
        said.append(choose(table, 1))
        table.talk("1 " + said[-1])
    assert sorted(said) == sorted(["lay 7S", "lay 7H", "lay 7D", "lay 7C", "fours"])


def test_c9_the_last_set_is_true():
    """C9: it never goes out with a false set."""
    for seed in range(5):
        match = plain_match("cals-bs", [BEGINNER] * 4, seed)
        match.play()
        assert match.session.is_over()
        for seat in range(1, 5):
            assert cals_bs.count_held(match.session.state, seat) > 0 or match.session.result().startswith(
                "winner %d" % seat
            )


# --- Durak, Bailiff ---------------------------------------------------------------------------------------------------


def test_it_opens_with_its_lowest_plain_card():
    table = deal("throw-in", "6D 9S KH 7C QS 8C", "TS JS", trump="AD", stock="AC AH AS AD")
    assert choose(table, 1) == "attack 7C"


def test_it_beats_with_the_lowest_card_and_no_trump_where_it_can():
    table = deal("throw-in", "6S KH", "7D QS 9S TH", "JS JC", trump="AD", stock="AC AH AS AD")
    table.talk("1 attack 6S")
    assert choose(table, 2) == "beat 9S 6S"


def test_it_rather_takes_than_gives_a_high_trump_early():
    hands = "6S KH 9C 9H 8C 8H", "KD QC TH TC 7C 7H"
    table = deal("throw-in", *hands, trump="AD")
    table.talk("1 attack 6S")
    assert choose(table, 2) == "take"
    table = deal("throw-in", "6S KH", "KD QC", trump="AD", stock=0)
    table.talk("1 attack 6S")
    assert choose(table, 2) == "beat KD 6S"


def test_it_transfers_cheaply_and_shows_where_it_may():
    table = deal("transfer first_transfer=yes", "9S KH", "TS 9H AC", "JS QS", trump="9D", stock="AS 9D")
    table.talk("1 attack 9S")
    assert choose(table, 2) == "transfer 9H"
    table = deal("transfer first_transfer=yes shown_trump=yes", "9S KH", "TS 9D", "JS QS", trump="6D", stock="AS 6D")
    table.talk("1 attack 9S")
    assert choose(table, 2) == "show 9D"


def test_it_throws_in_cheap_plain_cards_and_keeps_trumps():
    for own, said in (("9C KC", "attack 9C"), ("9D KC", "done"), ("KH AC", "done")):
        table = deal("throw-in", "6S " + own, "9S KD", "JS JC", trump="AD", stock="AC AH AS AD")
        table.talk("1 attack 6S / 2 beat 9S 6S")
        assert choose(table, 1) == said


def test_d43_d44_it_cheats_and_catches_rarely():
    """D43, D44: some seeds do; a false accusation is never made."""
    cheats = caught = 0
    for seed in range(100):
        table = deal("throw-in cheating=2", "QS KH", "TC 8H", "JS QC", trump="9D", stock="AC 9D")
        table.talk("1 attack QS")
        assert choose(table, 3, seed) == ""
        if choose(table, 2, seed) == "cheat":
            cheats += 1
            table.talk("2 cheat")
            assert choose(table, 2, seed) == "beat 8H QS"
        else:
            table.talk("2 cheat")
        table.talk("2 beat 8H QS")
        caught += choose(table, 3, seed) == "catch 8H"
    assert 5 <= cheats <= 30 and 20 <= caught <= 50, (cheats, caught)


def test_b5_it_begins_no_raise_that_it_cannot_finish():
    begun = 0
    for seed in range(12):
        match = plain_match("bailiff", [BEGINNER] * 3, seed)
        while match.step():
            begun += match.event.card != 254 and match.game.count_missing(match.session.state, match.event.seat) > 0
            assert match.event.verb != find_verb(GAMES["bailiff"], "unlay")
    assert begun > 10
    table = deal_bailiff("", "9S 9H KS 8C", "TH QS QH", "9C JC JD", stock=0)
    table.talk("1 lay 9S")
    said = [choose(table, 2, seed) for seed in range(20)]  # it changes its mind now and then
    assert set(said) == {"lay TH", "lay QS"} and said.count("lay TH") > 12
    table.talk("2 lay TH / 3 lay JC")
    assert choose(table, 1) == "lay KS"
