"""What holds for every game on the device: written once, played at random over all presets, options and seats.

CARDTABLE_GAMES=5000 makes each test play so many games of each module (see random_games.py).
"""

import os

from tests.games.random_games import Refused, catalogue, count_games, play_games, start_game
from tests.games.twins import telling_twins

from cardtable.engine.deck import STRANGER
from cardtable.engine.event import (
    DRAW,
    LEAD,
    LEAVES_UNDO,
    NO_CARD,
    OWN_VERB,
    PAIR,
    Event,
    pack,
    unpack,
    verb_arguments,
)
from cardtable.engine.hands import count_stock
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, OWN, SEATS, State, find_place, place_name

RUNS_ON = "both-in-all"  # Random games take most of MicroPython's time of a day, and it replays recorded ones by day.
# Brute force in every state takes minutes; asked for by CARDTABLE_GAMES, else one state in five after the opening.
OPENING = 60
SAMPLE = 5
NUMBERS = tuple(range(6)) + (15, STRANGER)  # what is tried for a pile, a place or a number behind a card


def try_all(session, seat: int, at_ms: int, with_pairs: bool) -> list:
    """Brute force: every event of that seat that the session's judge accepts, packed and in order."""
    game = session.game
    judge = session.judge
    accepted = []
    cards = [card for card in range(game.CARDS) if session.state.where[card]]
    event = Event(seat, 0, NO_CARD, 0, at_ms)
    for verb in [DRAW] + [OWN_VERB + index for index in range(len(game.VERBS))]:
        kinds = verb_arguments(game, verb)
        if kinds == PAIR and not with_pairs:
            continue
        event.verb = verb
        targets = (0,)
        if kinds == PAIR:
            targets = cards
        elif kinds not in ("", "C"):
            targets = NUMBERS if kinds[0] == "C" else range(256)
        for card in range(game.CARDS) if kinds[:1] == "C" else (NO_CARD,):
            event.card = card
            for target in targets:
                event.target = target
                if not judge(event):
                    accepted.append(pack(verb, card, target))
    return sorted(accepted)


def check_moves(play):
    """All seats; pairs of cards for one seat only: by turns one that the table waits for, and any."""
    if play.events > OPENING and play.events % SAMPLE and not os.getenv("CARDTABLE_GAMES"):
        return
    session = play.session
    game = session.game
    at_ms = play.event.at_ms + 100
    saved = session.state.save()
    waited = bytearray(8)
    game.waiting(session.state, waited)
    paired = play.events // 2 % play.seats + 1
    if play.events % 2:
        paired = max([seat for seat in range(play.seats + 1) if not seat or waited[seat]])
    for seat in range(1, play.seats + 1):
        with_pairs = seat == paired
        listed = []
        game.moves(session.state, seat, at_ms, listed)
        if not with_pairs:
            listed = [move for move in listed if verb_arguments(game, move >> 16) != PAIR]
        listed.sort()
        tried = try_all(session, seat, at_ms, with_pairs)
        assert listed == tried, "seat %d: moves lists %s, judge accepts %s" % (seat, listed, tried)
    assert session.state.save() == saved


def test_moves_lists_exactly_what_judge_accepts():
    """DESIGN: `moves` equals brute force over `judge` in every state; judging changes no byte."""
    play_games(check_moves, 4, 1)


def check_refusals(play):
    """A few events of any seat, most of them refused, and each with its state before and after."""
    session = play.session
    game = session.game
    random = play.tries = getattr(play, "tries", None) or type(play.random)(play.random.state)
    event = Event(at_ms=play.event.at_ms)
    # Kept before the first question: a question that writes the same each time leaves nothing to see behind it.
    saved = session.state.save()
    before = session.before.save()
    for _ in range(20):
        event.verb = DRAW if not random.below(8) else OWN_VERB + random.below(len(game.VERBS))
        kinds = verb_arguments(game, event.verb)
        event.seat = random.below(9)
        event.card = random.below(game.CARDS + 2) if kinds[:1] == "C" else NO_CARD
        event.target = random.below(256) if len(kinds) > (kinds[:1] == "C") else 0
        if not session.judge(event):
            continue
        assert session.state.save() == saved
        assert session.play(event)
        assert session.state.save() == saved and session.before.save() == before


def test_t6_a_refusal_changes_no_byte():
    """T6: a refusal changes no game state and takes no turn."""
    play_games(check_refusals, 30, 4)


def check_taking_back(play):
    """The state before the last event is kept, and it is enough to play on from there."""
    session = play.session
    game = session.game
    event = play.event
    before = session.before.save()
    if play.events:
        again = State(game.CARDS, game.REGISTERS)
        again.load(play.saved)
        is_secret = event.verb != LEAD and game.undoes(again, event.verb) == LEAVES_UNDO
        kept = play.before if is_secret else play.saved
        assert before == kept, "the state before the event is not what was kept"
        if event.verb == LEAD:
            game.enact_lead(again, event.target)
        else:
            game.enact(again, event)
        assert again.is_equal(session.state), "the same event from the same bytes leads elsewhere"
    play.saved = session.state.save()
    play.before = before


def test_t7_enact_then_restore_gives_every_byte():
    """T7, T9: what an undo brings back is every byte; load(save()) stands where the game stood and goes on alike."""
    play_games(check_taking_back, 60, 4)


def check_sanity(play):
    """audit, and the cards that the game began with."""
    session = play.session
    where = session.state.where
    assert session.game.audit(session.state) == 0, "audit says %d" % session.game.audit(session.state)
    if not play.events:
        play.in_play = [bool(place) for place in where]
    assert play.in_play == [bool(place) for place in where], "a card came or went"
    assert count_stock(session.state) >= 0, "more unseen cards in hands than there are"
    waited = bytearray(8)
    session.game.waiting(session.state, waited)
    assert session.is_over() or max(waited[1:]), "the table waits for nobody"
    assert waited[0], "the screen has nothing to say"


def test_t1_audit_compares_counts_with_places():
    """T1: what a game counts where a card moves is what the places say: one more or less of any, and audit says so."""
    for game in catalogue():
        if "counts unlike places" not in game.AUDIT:
            continue
        play = start_game(game, 3, Refused())
        while play.events < 40 and play.step():
            pass
        state = play.session.state
        saved = state.save()
        bit = 1 << game.AUDIT.index("counts unlike places")
        assert game.audit(state) == 0
        counts = 0
        for at in range(OWN, game.REGISTERS):
            state.register[at] ^= 1
            counts += 1 if game.audit(state) & bit else 0
            state.register[at] ^= 1
        assert counts >= 10, "%s compares %d counts" % (game.NAME, counts)
        for seat in range(1, play.seats + 1):
            card = state.where.find(HAND + seat)
            if card >= 0:
                state.where[card] = HAND + seat % play.seats + 1
                assert game.audit(state) & bit, "a card in another hand"
                state.where[card] = HAND + seat
        assert state.save() == saved, "audit changes nothing"


def test_t1_every_card_is_somewhere_exactly_once():
    """T1: no event loses, doubles or adds a card; every place is one that the game's audit knows."""
    counts = play_games(check_sanity, 80, 8)
    print("%d games, %d unfinished, %d impossible mixes" % (counts.games, counts.unfinished, counts.mixes))
    # At random some games go on for very long, Bailiff more than others (B13).
    assert counts.unfinished * 5 <= counts.games, "%d of %d games had no end" % (counts.unfinished, counts.games)


def check_alike(game, state, twin, seat: int, taps: list):
    """Everything that leaves the table for this seat or for all."""
    assert game.view(state, seat) == game.view(twin, seat), "the seat's view differs"
    assert game.view(state, 0) == game.view(twin, 0), "the public view differs"
    assert game.status(state) == game.status(twin)
    assert game.more_keys(state) == game.more_keys(twin), "what buttons do tells a hidden card"
    waited = [bytearray(8), bytearray(8)]
    game.waiting(state, waited[0])
    game.waiting(twin, waited[1])
    assert waited[0] == waited[1], "what the table waits for tells a hidden card"
    for card in taps:
        meant = [[], []]
        game.meanings(state, seat, card, meant[0])
        game.meanings(twin, seat, card, meant[1])
        assert meant[0] == meant[1], "what a tap can mean tells a hidden card"


def check_twins(play, seat: int, history, parts: bytearray):
    """Hold a game and its twin side by side, as one seat sees them."""
    try:
        compare_twins(play, seat, history, parts)
    except BaseException:
        print(play.title)
        raise


def compare_twins(play, seat: int, history, parts: bytearray):
    """One game and its twin, event by event."""
    game = play.game
    real = Session(game, play.header)
    other = Session(game, play.header)
    seen = [card for card in range(game.CARDS) if real.state.where[card] and history.seen[card]]
    same = bytearray(range(game.CARDS))
    event = Event()
    tried = Event()
    for index in range(len(history.packed)):
        assert not real.play(history.event_of(index, same, event))
        assert not other.play(history.event_of(index, parts, event))
        taps = seen[index % 5 :: 5]
        check_alike(game, real.state, other.state, seat, taps)
        for card in taps:
            verb = OWN_VERB + (index + card) % len(game.VERBS)
            kinds = verb_arguments(game, verb)
            target = seen[(card + index) % len(seen)] if kinds == PAIR else card % 5
            unpack(pack(verb, card if kinds[:1] == "C" else NO_CARD, target), seat, event.at_ms, tried)
            assert real.judge(tried) == other.judge(tried), "a verdict tells a hidden card"


def test_t11_two_games_that_differ_in_what_is_hidden_look_alike():
    """T11, D47: games that differ only in what is hidden from a seat give that seat the same view, byte for byte."""
    for game in catalogue():
        for play, seat, history, parts in telling_twins(game, count_games(30, 3)):
            check_twins(play, seat, history, parts)


def test_every_game_says_what_the_table_needs():
    """DESIGN: a game module is its own interface; each of its functions is there, and its verbs have three facts."""
    for game in catalogue():
        for name in ("judge", "enact", "moves", "meanings", "waiting", "status", "view", "describe_result"):
            assert callable(getattr(game, name)), name
        for name in ("audit", "setup", "is_in", "is_dealing", "losers", "shows"):
            assert callable(getattr(game, name)), name
        for verb in game.VERBS:
            assert len(verb) == 3 and verb[2] in ("TAP", "OK", "NO", "CALL", "MENU", "TABLE"), verb
        for name, base, count in game.PLACES:
            assert find_place(game, name + ("1" if count > 1 else "")) == base
            assert place_name(game, base).startswith(name)
        assert game.REGISTERS > SEATS and game.CARDS in (54, 108)
