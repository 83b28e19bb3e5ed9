"""The source's kinds of players do what it says, in positions made for that (D48: durak:101-114; C18: bs:33-47)."""

from __future__ import annotations

import pytest

from cardtable.engine.deck import JOKER, RANK, card_number
from cardtable.engine.event import NO_CARD, Event, find_verb, unpack
from cardtable.engine.record import write_event
from cardtable.engine.state import HAND
from cardtable.games import cals_bs, durak
from host_tools.minds.players import find_player
from host_tools.minds.players.habits import HIGHS, PAIRS, SMALL, TRUMPS, habits_of, read_habits
from host_tools.minds.players.memory import DurakMemory
from host_tools.minds.players.odds import chance_of_lie, chance_to_hold
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.minds.players.cals_bs_kinds import Sceptic
from host_tools.minds.players.search import list_moves, list_waiting, solve_open_end
from host_tools.sight.seen import Heard, look
from host_tools.minds.players.worlds import DurakWorlds
from host_tools.minds.thinking import cals_bs_playout
from tests.games.cals_bs_table import deal as deal_cals_bs
from tests.games.cals_bs_table import lay
from tests.games.durak_table import deal
from tests.host_tools.players.games import plain_match

DIAMONDS = 2


def say(name, table, seat, log=()):
    """What that player does in the seat, in the words of a record; an empty text for nothing."""
    seen = look(table.session, seat, table.event.at_ms, (), log)
    choice = find_player(name)(table.game, seat, table.seats, 1).choose(seen)
    return write_event(table.game, unpack(choice.packed, seat, 0, Event())).split(" ", 2)[2] if choice else ""


def heard(text):
    """Lines such as `2 take / 1 attack 6S / 2 beat 7S 6S` as a seat hears them."""
    lines = []
    for line in text.split(" / "):
        seat, verb, *cards = line.split()
        numbers = [card_number(card) for card in cards] + [NO_CARD, 0]
        lines.append(Heard(0, int(seat), find_verb(durak, verb), numbers[0], numbers[1] if len(cards) > 1 else 0))
    return tuple(lines)


# Diamonds are trump. Seat 2 cannot answer spades, gives no trump, and lays a king.
PLAYS_TRUMPS = heard(
    "1 attack 9S / 2 take / 1 attack TS / 2 take / 1 attack 7H / 2 beat KH 7H / 1 attack 8C / 2 beat TC 8C / "
    "2 attack 6C"
)
PLAYS_HIGHS = heard(
    "1 attack JS / 2 take / 1 attack JC / 2 take / 2 attack 7H / 2 attack 8C / 1 attack 6H / 2 beat 9H 6H"
)
PLAYS_SMALL = heard("2 attack 6S / 2 attack 6H / 2 attack 7C / 2 attack 7S / 2 attack 8S / 1 beat 9S 8S")
PLAYS_PAIRS = heard(
    "2 attack JS / 2 attack JH / 1 beat QS JS / 2 attack TC / 2 attack TS / 1 take / 1 attack 6H / 2 beat 9H 6H"
)


@pytest.mark.parametrize(
    ("log", "kind"), [(PLAYS_TRUMPS, TRUMPS), (PLAYS_HIGHS, HIGHS), (PLAYS_SMALL, SMALL), (PLAYS_PAIRS, PAIRS)]
)
def test_d48_each_kind_is_told_by_what_it_does(log, kind):
    """D48: "it is extremely useful to calculate the opponent's playing style"; nothing is said after two plays."""
    assert read_habits(log, DIAMONDS)[2].kind() == kind
    assert read_habits(log[:2], DIAMONDS).get(2) is None or not read_habits(log[:2], DIAMONDS)[2].kind()


def test_d48_d22_what_is_thrown_in_behind_a_take_is_taken_by_nobody_else():
    """D22: seat 1 adds hearts and clubs to what seat 2 took; then it takes a diamond itself. The same rank from the
    same hand, once it has said done, and any card that is drawn, begin another bout."""
    taken = "1 attack 6D / 2 take / 1 attack 6H / 1 attack 6C / 1 done / 3 done / "
    found = read_habits(heard(taken + "3 attack 7D / 1 take"), 0)
    assert [found[seat].takes for seat in (1, 2)] == [[card_number("7D")], [card_number("6D")]]
    for between in ("1 done / ", "2 draw 9S / "):
        found = read_habits(heard(f"1 attack 6D / 2 take / {between}1 attack 6H / 2 take"), 0)
        assert found[2].takes == [card_number("6D"), card_number("6H")]


def test_d48_habits_are_read_once_for_one_moment_and_again_for_another():
    for log in (PLAYS_TRUMPS, PLAYS_SMALL, PLAYS_SMALL[:2], PLAYS_SMALL):
        for trump in (DIAMONDS, 1):
            found = habits_of(log, trump)
            assert found == read_habits(log, trump) and habits_of(log, trump) is found


def test_d48_the_trump_collector_does_not_use_its_trumps_and_drops_ballast():
    """D48: "tries to accumulate the maximum of trump cards, does not use them, is engaged in dropping ballast"."""
    table = deal("throw-in", "6S KH", "7D QC", "JS JC", trump="AD", stock="AC AH AS AD")
    table.talk("1 attack 6S")
    assert say(TRUMPS, table, 2) == "take" and say("beginner", table, 2) == "beat 7D 6S"
    table = deal("throw-in", "6S KH", "7D QC", trump="AD", stock=0)
    table.talk("1 attack 6S")
    assert say(TRUMPS, table, 2) == "beat 7D 6S"  # at the end it has them
    table = deal("throw-in", "6D KS", "7D QC 8D", "JS JC", trump="AD", stock="AC AH AS AD")
    table.talk("1 attack 6D")
    assert say(TRUMPS, table, 2) == "take"  # a trump more
    table = deal("throw-in", "6S 9C KD", "9S KC", "JS JC", trump="AD", stock="AC AH AS AD")
    table.talk("1 attack 6S / 2 beat 9S 6S")
    assert say(TRUMPS, table, 1) == "attack 9C"


def test_d48_the_collector_of_high_cards_holds_them_until_the_end():
    """D48: "collects more aces, kings, queens ... to hold out until the end and set the enemy with heavy artillery"."""
    table = deal("throw-in", "TS KH", "QS 7C", "JS JC", trump="AD", stock="AC AH AS AD")
    table.talk("1 attack TS")
    assert say(HIGHS, table, 2) == "take" and say("beginner", table, 2) == "beat QS TS"
    table = deal("throw-in", "7S AH KC", "QS 7C", trump="AD", stock=0)
    assert say(HIGHS, table, 1) == "attack AH" and say("beginner", table, 1) == "attack 7S"


def test_d48_the_attacker_with_small_cards_heaps_them_up():
    """D48: "gives out combinations of several small suits, trying to heap the enemy, takes the initiative"."""
    table = deal("throw-in", "6C 8S 8H KD", "9S KC 7D", "JS JC", trump="AD", stock="AC AH AS AD")
    assert say(SMALL, table, 1) in ("attack 8S", "attack 8H") and say("beginner", table, 1) == "attack 6C"
    table.talk("1 attack 8S")
    assert say(SMALL, table, 1) == "attack 8H"
    table = deal("throw-in", "TS KH", "KD QC", "JS JC", trump="AD", stock="AC AH AS AD")
    table.talk("1 attack TS")
    assert say(SMALL, table, 2) == "beat KD TS"  # whatever the initiative costs


def test_d48_the_collector_of_pairs_keeps_them_for_attack_and_beats_with_singles():
    """D48: "trying to collect a pair in order to further use it for attack or defense"."""
    table = deal("throw-in", "7S KH", "9S 9H TS", "JS JC", trump="AD", stock="AC AH AS AD")
    table.talk("1 attack 7S")
    assert say(PAIRS, table, 2) == "beat TS 7S" and say("beginner", table, 2) == "beat 9S 7S"
    table = deal("throw-in", "6C 9S 9H KD", "TS KC 7D", "JS JC", trump="AD", stock="AC AH AS AD")
    assert say(PAIRS, table, 1) in ("attack 9S", "attack 9H")


@pytest.mark.parametrize("name", [TRUMPS, HIGHS, SMALL, PAIRS])
def test_d48_every_kind_answers_the_others_as_the_source_says(name):
    """D48, one sentence a block."""
    hand = "6C 9S TH TD" if name != HIGHS else "6C 9S TH 7D"
    table = deal("throw-in", hand, "QS KC 7H 8D", "JS JC", trump="AD", stock="AC AH AS AD")
    # "Determine which suit he has is weak. This will allow you to attack, knocking out his trump card."
    assert say(name, table, 1, PLAYS_TRUMPS) == "attack 9S"
    # "You just have to try to knock out all the big cards from him": the dearest card that only a big one beats.
    assert say(name, table, 1, PLAYS_HIGHS) == "attack TH"
    # "From the middle of the game ... it will be good to attack him with a trifle."
    assert say(name, table, 1, PLAYS_SMALL) == "attack 6C"
    # "It is best to adopt the same tactics": a pair, though a smaller card stands alone.
    table = deal("throw-in", "6C 9S 9H TD", "QS KC 7H 8D", "JS JC", trump="AD", stock="AC AH AS AD")
    assert say(name, table, 1, PLAYS_PAIRS) in ("attack 9S", "attack 9H")


def test_d48_small_cards_are_fought_with_big_ones():
    """D48: "fighting back with large suits - so he will not have the opportunity to throw something at you"."""
    table = deal("throw-in", "JS JC", "6S KH 8C", "7S KS 9S", trump="AD", first=2, stock="AC AH AS AD")
    table.talk("2 attack 6S")
    assert say(PAIRS, table, 3, PLAYS_SMALL) == "beat KS 6S"
    assert say(PAIRS, table, 3) == "beat 7S 6S"


@pytest.mark.parametrize("name", ["card-counter", "search:4"])
def test_d48_who_counts_plays_an_open_end_exactly(name):
    """D48: with the stock gone it has counted the other hand; what it plays is never worth less than the best."""
    solved = 0
    player = find_player(name)
    for seed in range(12):
        if solved > 5:
            break
        match = plain_match("durak", [player, find_player("beginner")], seed)

        def watch(seen, choice):
            nonlocal solved
            if seen.seat == 1 and choice and len(seen.moves) > 1:
                values = solve_open_end(seen, DurakWorlds(seen, DurakMemory(durak)), list_moves(seen), 8000)
                if values:
                    solved += len(set(values.values())) > 1
                    assert values[choice.packed] == max(values.values())

        match.watch = watch
        match.play()
    assert solved > 5, solved


def test_d13_in_simple_who_counts_plays_an_open_end_exactly():
    """D13, D48: the attacker adds to its lead or waits, whatever is worth more; so does everybody else."""
    solved = 0
    player = find_player("card-counter")
    for seed in range(10):
        if solved > 5:
            break
        match = plain_match("durak simple", [player, find_player("beginner")], seed)

        def watch(seen, choice):
            nonlocal solved
            moves = list_moves(seen)
            moves += list_waiting(seen) if moves else []
            if seen.seat == 1 and seen.is_waited_for and len(moves) > 1:
                values = solve_open_end(seen, DurakWorlds(seen, DurakMemory(durak)), moves, 8000)
                if values:
                    solved += len(set(values.values())) > 1
                    assert values[choice.packed if choice else moves[-1]] == max(values.values())

        match.watch = watch
        match.play()
    assert solved > 3, solved


@pytest.mark.parametrize(("line", "is_solved"), [("durak deck=24", True), ("durak deck=24 cheating=2", False)])
def test_d43_an_end_in_which_a_seat_may_cheat_is_never_solved(line, is_solved):
    """D43: any card may come over any other there, so no play is certain; a hint and an analysis would call one so."""
    solved = 0
    for seed in range(2):
        match = plain_match(line, [find_player("beginner")] * 2, seed)

        def watch(seen, choice):
            nonlocal solved
            moves = list_moves(seen)
            if seen.is_waited_for and moves:
                solved += solve_open_end(seen, DurakWorlds(seen, DurakMemory(durak)), moves, 8000) is not None

        match.watch = watch
        match.play()
    assert bool(solved) == is_solved


@pytest.mark.parametrize(("added", "said"), [("TD", ""), ("TH", "attack TH")])
def test_d13_in_simple_a_lead_may_be_left_as_it_is(added, said):
    """D13: the second ten is added where it does no harm; the trump that the end hangs on is kept."""
    table = deal("simple", "JS QH KH 8D", f"KS QC TC {added}", trump="9D", first=2, stock=0)
    table.talk("2 attack TC")
    for name in ("card-counter", "search:4"):
        assert say(name, table, 2) == said


# --- Cal's BS: C18 ----------------------------------------------------------------------------------------------------


def test_c18_odds_are_those_of_counting():
    """One of two hidden cards fits: a hand of one holds it every other time."""
    assert chance_to_hold(1, 1, 2, 1) == 0.5 and chance_to_hold(2, 1, 2, 1) == 0 and chance_to_hold(0, 1, 2, 1) == 1
    assert chance_of_lie(3, 10, 40, 2, False) == 1.0  # only two can be
    assert chance_of_lie(1, 10, 40, 6, False) < chance_of_lie(2, 10, 40, 6, False) < chance_of_lie(4, 10, 40, 6, False)


@pytest.mark.parametrize(("name", "low", "high"), [("bluffer", 0.5, 0.66), ("doubter", 0.36, 0.52)])
def test_c18_bluffs_by_rate(name, low, high):
    """C18: bluff 40 to 60 % of the time; the two stand at the two ends of it."""
    false = []
    for seed in range(8):
        match = plain_match("cals-bs", [find_player(name)] * 4, seed)
        while match.step():
            if match.event.verb == find_verb(cals_bs, "claim") and not match.session.is_over():
                place = cals_bs._STAGED + match.event.seat
                laid = [card for card in range(54) if match.kept.where[card] == place]
                false.append(any(RANK[card] not in (match.event.target, JOKER) for card in laid))
    assert low <= sum(false) / len(false) <= high, sum(false) / len(false)


@pytest.mark.parametrize("name", ["bluffer", "doubter"])
def test_c18_fours_are_kept_and_jokers_saved(name):
    """C18: "don't break up your 4 of a kind"; "save your jokers"; "set up your play in going out"."""
    table = deal_cals_bs("cals-bs", "7S 7H 7D 7C XB 3H", "8S 8H", None)
    said = []
    while not said or said[-1] != "fours":
        said.append(say(name, table, 1))
        table.talk("1 " + said[-1])
    assert sorted(said) == ["fours", "lay 7C", "lay 7D", "lay 7H", "lay 7S", "out"]


@pytest.mark.parametrize("name", ["bluffer", "doubter"])
def test_c18_what_the_own_hand_disproves_is_doubted(name):
    """C18, C7: three sevens and a joker in the own hand leave two sevens of three impossible."""
    table = deal_cals_bs("cals-bs", "2S 3S 4S 5S", "7S 7H 7D XB KS", "9S 9H TS JS", None)
    lay(table, 1, "2S 3S 4S", "claim 7")
    assert say(name, table, 2) == "doubt"


@pytest.mark.parametrize("name", ["beginner", "doubter", "search:2"])
@pytest.mark.parametrize("line", ["cals-bs turns=round", "cals-bs-plus turns=next"])
def test_c13_where_nobody_passes_all_fours_are_answered_with_plus(line, name):
    """C5, C13: who planned to claim, which is refused there, laid its cards and took them back for ever."""
    table = deal_cals_bs(line, "7S 7H 7D 7C 2S 3H XR XB", "AS AH 8S 8H", None)
    lay(table, 1, "7S 7H 7D 7C", "fours")
    for seat in (2, 3):
        said = []
        while len(said) < 3 and (not said or said[-1].startswith("lay ")):
            said.append(say(name, table, seat))
            table.talk(f"{seat} {said[-1]}")
        assert said[-1].startswith(("plus ", "doubt") if seat == 3 else "plus "), said


def test_c18_the_end_is_doubted_sooner():
    """C18: "look for players going out": the same set is doubted where its player has few cards left."""
    doubted = {True: 0, False: 0}
    asked = {True: 0, False: 0}
    for seed in range(8):
        match = plain_match("cals-bs", [find_player("doubter")] * 4, seed)

        def watch(seen, choice):
            if seen.named(find_verb(cals_bs, "doubt")):
                table = CalsBsTable(seen)
                is_near = table.held[table.last] <= 3
                asked[is_near] += 1
                doubted[is_near] += choice is not None and choice.packed >> 16 == find_verb(cals_bs, "doubt")

        match.watch = watch
        match.play()
    assert asked[True] > 20 and doubted[True] / asked[True] > doubted[False] / asked[False]


def test_c18_the_search_starts_from_doubting_leaders_until_they_are_seen_to_be_honest():
    """C18, C7: one seven of a leader, as likely false as true: the doubter lets it pass, the search's adviser does not,
    unless three sets of that seat were opened and true."""
    table = deal_cals_bs("cals-bs", "7S 3S 4S 5S 2S 2H 3H 4H 5H 6H 8H 9H", "8S 9S TS KS", None)
    lay(table, 1, "7S", "claim 7")
    seen = look(table.session, 2, table.event.at_ms, ())
    for player, honest, is_doubted in ((find_player("doubter"), 0, False), (Sceptic, 0, True), (Sceptic, 3, False)):
        one = player(cals_bs, 2, 3, 1)
        one.memory.lies[1] = [0, honest]
        choice = one.choose(seen)
        assert (choice.packed >> 16 == find_verb(cals_bs, "doubt")) is is_doubted, (player, honest)
    assert isinstance(find_player("search")(cals_bs, 2, 3, 1).adviser, Sceptic)


def test_c18_the_guesses_doubt_by_the_odds_of_counting():
    """C18, C7: what a guess's seat thinks of a set is what the odds say, to a few points."""
    cals_bs_playout.remember(bytes(16))  # nothing of a game that was played before
    for laid in (1, 2, 3, 4):
        table = deal_cals_bs("cals-bs", None, "7S 7H XB KS 2S 3S 4S", "9S 9H TS JS QS AS 5S 6S", first=1)
        lay(table, 1, " ".join("KH KD KC QH".split()[:laid]), "claim 7")
        for seat, fitting in ((2, 3), (3, 6)):
            cals_bs_playout.read_hand(table.state, seat)
            held = cals_bs.count_held(table.state, 1) + laid
            hidden = 54 - cals_bs.count_held(table.state, seat)
            expected = 100 * chance_of_lie(laid, held, hidden, fitting, True)
            assert abs(cals_bs_playout.find_lie(table.state, seat, 5) - expected) < 8, (laid, seat)


@pytest.mark.parametrize("preset", ["cals-bs", "cals-bs-54"])
def test_a_doubt_reads_of_a_hand_what_the_whole_hand_says(preset):
    """The claimed rank and jokers, of either deck; staged cards are in the hand again."""
    state = deal_cals_bs(preset, None, "2S 3S", "7S 7H XB").state
    for card in range(cals_bs.CARDS):  # all of them, so each place of a rank and of jokers is looked at
        state.where[card] = (HAND if card % 3 else cals_bs_facts.STAGED) + 1 + card % 2
    cals_bs.recount(state)
    saved, rows = state.save(), cals_bs_playout._KEEPS
    for claim in (*range(JOKER), cals_bs_facts.HIGHER):
        state.load(saved)
        cals_bs_playout.read_hand(state, 1)
        whole, left = [rows[JOKER], rows[claim] if claim < JOKER else 0], state.save()
        rows[:] = bytes(16)
        state.load(saved)
        cals_bs_playout.read_claimed(state, 1, claim)
        assert [rows[JOKER], rows[claim] if claim < JOKER else 0] == whole and whole[0]
        assert state.save() == left
