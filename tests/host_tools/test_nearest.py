"""T15: beside a refusal stands an act that would be accepted, told from public facts and the seat's own hand alone."""

import pytest

from cardtable.engine.deck import RANK, STRANGER, card_number
from cardtable.engine.event import NO_CARD, find_verb, pack
from cardtable.engine.state import CLOCKS, DEAL, HAND, STOCK, State
from cardtable.engine.verdict import words_key
from cardtable.games import cals_bs, durak, malice
from host_tools.base.random_play import Random
from host_tools.judge import situations
from host_tools.judge.nearest import tell_nearest
from host_tools.judge.sentences import Sentences
from tests.games.durak_table import deal

LOOKED = 6  # games of each kind
GAMES = ("durak", "bailiff", "cals-bs", "malice")  # a new game is whole without such sentences
NAMES = ["Anna", "Boris", "Vera", "Gleb", "Dina", "Egor", "Zoya"]
# What no view shows, though it is no card: cheat tokens, presses and who cheated (D43); the rank of all fours (C12).
SECRET = {"durak": range(durak._PRESSED, durak._OUT_AT), "cals-bs": range(cals_bs._FOURS_RANK, cals_bs._FOURS_RANK + 1)}


def told(look, seat, state, language="en", rule=""):
    """The sentence for that seat in that state."""
    hand = [card for card in range(look.game.CARDS) if state.where[card] == HAND + seat]
    words = Sentences(look.game, NAMES[: look.play.seats], language)
    return tell_nearest(look.game, state, seat, hand, words, look.now_ms, rule=rule)


def shuffle_hidden(look, seat, random):
    """The state with all that the seat cannot know dealt otherwise: as many cards face down in each place."""
    state = State(look.game.CARDS, look.game.REGISTERS)
    state.copy(look.state)
    view = look.game.view(state, seat)
    hidden = [card for card in range(look.game.CARDS) if view[card] == STOCK]
    if look.game is malice:  # which deck a card is of all can see on its back
        hidden = [card for card in hidden if state.where[card] == STOCK or state.where[card] > HAND]
    places = [state.where[card] for card in hidden]
    random.shuffle(places)
    for card, place in zip(hidden, places, strict=True):
        state.where[card] = place
    for at in SECRET.get(look.game.NAME, ()):
        state.register[at] = random.below(4)
    return state


@pytest.mark.parametrize("name", situations.list_games())
def test_t15_nothing_hidden_follows_from_a_hint(name):
    """T11, D43, T15: with other cards in other hands and other secret presses the sentence is the same."""
    random = Random(7)
    said, differed = set(), 0
    for look in situations.looks(name, LOOKED, first=4001):
        for seat in range(1, look.play.seats + 1):
            here, other = told(look, seat, look.state), shuffle_hidden(look, seat, random)
            said.add(here)
            differed += bool(here) and other.where != look.state.where
            assert told(look, seat, other) == here
    assert differed > (50 if name in GAMES else 0), "what is hidden was dealt otherwise"
    assert len(said) > (3 if name in GAMES else 0)


@pytest.mark.parametrize("name", situations.list_games())
def test_t15_a_seat_that_is_waited_for_is_told_an_act_and_another_one_to_wait(name):
    """T15: in both languages, of every state of a game that goes on; nothing with hints=no, or after its end."""
    acts, waits = set(), set()
    for look in situations.looks(name, LOOKED, first=5001):
        if look.state.register[CLOCKS] == 1 or look.session.is_over() or look.state.register[DEAL]:
            assert look.state.register[DEAL] or not told(look, 1, look.state)
            continue
        for seat in range(1, look.play.seats + 1):
            for language, wait in (("en", "Wait for "), ("ru", "Подождите")):
                sentence = told(look, seat, look.state, language)
                assert (wait in sentence) != bool(look.waited[seat]) or not sentence, sentence
                assert sentence or (look.waited[seat] and by_chance(look, seat)) or name not in GAMES, look
                (acts if look.waited[seat] else waits).add(sentence)
    assert name not in GAMES or len(acts) > 9 and len(waits) > 3, (acts, waits)


def by_chance(look, seat):
    """Whether nothing is left to the seat but a card that comes by chance."""
    found = []
    look.game.moves(look.state, seat, look.now_ms, found)
    return all(packed >> 16 in look.game.CHANCE.values() for packed in found)


def test_t15_what_beats_is_what_the_judge_accepts():
    """T15, D7-D11: the hand beats the card that the sentence names; and nothing, where it says so."""
    met = {"Beat": 0, "You hold nothing": 0}
    for look in situations.looks("durak", 30, first=6001):
        for seat in range(1, look.play.seats + 1):
            sentence = told(look, seat, look.state)
            if look.state.register[DEAL] or not sentence.startswith(tuple(met)):
                continue
            hand = [card for card in range(durak.CARDS) if look.state.where[card] == HAND + seat]
            beats = {Sentences(durak).card(target) for target in range(durak.CARDS)
                     if durak.is_unbeaten(look.state, target)
                     and any(not durak.judge_fit(look.state, card, target) for card in hand)}
            if sentence.startswith("Beat"):
                met["Beat"] += 1
                assert sentence.split()[1] in beats
            else:
                met["You hold nothing"] += 1
                assert not beats
    assert min(met.values()) > 5


def test_t15_what_is_said_of_a_bout_of_durak():
    """T15: two cards to beat; all is beaten; a seat that may throw in; no hints."""
    table = deal("throw-in", "6S 7H 8H KC", "9H QS 10D 6C".replace("10", "T"), "7D 7S 8S 9S", trump="AS", stock="2")
    say = Sentences(durak, NAMES[:3])
    state = table.session.state

    def near(seat, words=say, tapped=NO_CARD):
        hand = [card for card in range(durak.CARDS) if state.where[card] == HAND + seat]
        return tell_nearest(durak, state, seat, hand, words, 0, tapped)

    table.talk("1 attack 7H")
    assert near(2) == "Beat 7♥ with a higher heart or a spade"
    assert near(2, Sentences(durak, NAMES[:3], "ru")) == "Побейте 7♥: червой старше или пикой"
    assert near(3) == "Wait for Boris to beat or take"
    table.talk("2 beat 9H 7H")
    assert near(2) == "Nothing to beat now. Wait for Anna to throw in or say done"
    assert near(1) == "You hold no 7 or 9 to throw in: OK if done"
    for tapped, rest in ((card_number("8H"), "You tapped 8♥. "), (card_number("9H"), "You tapped 9♥. "),  # on the table
                         (card_number("7D"), "")):  # in another hand
        assert near(1, tapped=tapped) == rest + near(1)
    assert near(3, tapped=card_number("8S")) == near(3), "a seat that is not asked is told for whom to wait"
    assert near(1, tapped=STRANGER) == near(1), "a tag of no deck has no name"
    assert near(1, Sentences(durak, NAMES[:3], "ru"), card_number("8H")).startswith("Вы приложили 8♥. Подкинуть")
    state.register[CLOCKS] = 1
    assert near(1, tapped=card_number("8H")) == ""


@pytest.mark.parametrize("jokers, said", [("any", "a joker"), ("colour", "★b")])
def test_d1_a_joker_is_said_to_beat_only_what_it_beats(jokers, said):
    """With jokers=colour the red one beats no spade."""
    table = deal(f"throw-in deck=54 jokers={jokers}", "7S 7H 8H KC", "9S QS TD XR", trump="AD", stock="2")
    table.talk("1 attack 7S")
    state = table.session.state
    hand = [card for card in range(durak.CARDS) if state.where[card] == HAND + 2]
    assert tell_nearest(durak, state, 2, hand, Sentences(durak, NAMES[:2]), 0) == (
        f"Beat 7♠ with a higher spade, a diamond or {said}")


def told_of_tap(look, seat, state, card, language="en"):
    """The sentence beside a refused tap of that card."""
    hand = [one for one in range(look.game.CARDS) if state.where[one] == HAND + seat]
    words = Sentences(look.game, NAMES[: look.play.seats], language)
    return tell_nearest(look.game, state, seat, hand, words, look.now_ms, card)


@pytest.mark.parametrize("name", situations.list_games())
def test_t15_a_refused_tap_is_told_with_its_card_unless_the_seat_cannot_see_it(name):
    """T15, T11: in both languages, of a card of the hand; a card that this seat does not see is not named."""
    met = {"own": 0, "hidden": 0}
    for look in situations.looks(name, 3, first=7001):
        for seat in (seat for seat in range(1, look.play.seats + 1) if look.waited[seat]):
            view = look.game.view(look.state, seat)
            own = [card for card in range(look.game.CARDS) if look.state.where[card] == HAND + seat]
            hidden = [card for card in range(look.game.CARDS) if view[card] == STOCK and look.state.where[card]][:2]
            for card in (card for card in own + hidden if look.try_tap(seat, card)):
                met["own" if card in own else "hidden"] += 1
                for language, tapped in (("en", "You tapped "), ("ru", "Вы приложили ")):
                    plain = told(look, seat, look.state, language)
                    said = f"{tapped}{Sentences(look.game, (), language).card(card)}. " if card in own and plain else ""
                    assert told_of_tap(look, seat, look.state, card, language) == said + plain
    assert min(met.values()) > 5, met


@pytest.mark.parametrize("language, never", [("en", "You may not doubt now"), ("ru", "«не верю» вы сейчас не можете")])
def test_t15_call_is_named_where_a_doubt_would_stand_and_nowhere_else(language, never):
    """C11, C14: neither within the seat's own handicap, nor where only the declarer may doubt."""
    met = {}
    doubt = find_verb(cals_bs, "doubt")
    for look in situations.looks("cals-bs", 60, first=9001):
        for seat in (seat for seat in range(1, look.play.seats + 1) if look.waited[seat]):
            sentence = told(look, seat, look.state, language)
            if not sentence or look.waited[seat] in (cals_bs.WAIT_DEAL, cals_bs.WAIT_LEAD, cals_bs.WAIT_SHOW):
                continue
            verdict = look.judge(seat, pack(doubt, NO_CARD))
            assert ("CALL" in sentence) != bool(verdict), (sentence, words_key(cals_bs, verdict))
            assert (never in sentence) == (bool(verdict) and look.waited[seat] == cals_bs.WAIT_DOUBT)
            key = words_key(cals_bs, verdict) if verdict else "stands"
            met[key] = met.get(key, 0) + 1
    assert min(met[key] for key in ("stands", "C11", "C14.3")) > 5, met


def test_t15_the_centre_and_the_side_piles_of_malice_take_the_ranks_that_are_told():
    """T15, M5 to M10, M13: a card of a rank that is told goes there; with one centre card a turn none of the hand any
    more, and no side pile is named where M8 has said, or all can see, that an ace goes first."""
    say, met = Sentences(malice), dict.fromkeys(("both", "spent", "face up", "M8"), 0)
    side_verb, centre_verb = find_verb(malice, "side"), find_verb(malice, "centre")
    for look in situations.looks("malice", 40, first=8001):
        seat, register = look.state.register[malice._TURN], look.state.register
        if look.waited[seat] != malice.WAIT_PLAY or not told(look, seat, look.state):
            continue
        sentence = told(look, seat, look.state)
        centre, _, side = sentence.replace("Side piles: ", "; side piles: ").removeprefix("Centre: ").partition(
            "; side piles: ")
        found = []
        look.game.moves(look.state, seat, look.now_ms, found)
        moves = {(packed >> 16, packed >> 8 & 255) for packed in found}
        is_forced = malice.has_forced_ace(look.state, seat)
        if is_forced:
            assert told(look, seat, look.state, rule="M8").startswith("Centre: ")
            assert "ide piles" not in told(look, seat, look.state, rule="M8")
        met["M8"] += is_forced and bool(side)
        met["face up"] += not side
        met["spent"] += register[malice._SPENT]
        met["both"] += bool(centre and side)
        for card in (card for card in range(malice.CARDS) if look.state.where[card] == HAND + seat):
            [sign] = {say.signs([RANK[card]])}
            goes = sign in centre.replace(",", "").split()
            lies = side == "any card" or sign in side.replace(",", "").split()
            assert goes == ((centre_verb, card) in moves), (sentence, sign)
            assert is_forced or lies == ((side_verb, card) in moves), (sentence, sign)
    assert min(met.values()) > 5, met


@pytest.mark.parametrize(("language", "most"), [("en", 76), ("ru", 70)])  # characters in two lines of 296 pixels
def test_t15_what_is_said_of_a_set_has_two_lines_on_a_phone(language, most):
    """Below two of the refusal itself. A fifth line lay on the name of the seat."""
    words = Sentences(cals_bs, NAMES, language)
    keys = [f"cals-bs.{kind}{barred}" for kind in ("answer", "believe", "lay") for barred in ("", "-CALL")]
    acts = [words.near(key, rank=words.rank(RANK[card_number("TS")])) for key in keys]
    assert all(acts) and max(len(words.near("tapped", card=words.card("TS"), rest=act)) for act in acts) <= most
