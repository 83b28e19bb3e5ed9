"""Why a play was better: every reason that is told is true of its position, asked in other words than its template."""

from collections import Counter

import pytest

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.engine.event import Event, unpack, verb_name
from cardtable.games import durak
from host_tools.judge.sentences import Sentences
from host_tools.look.reasons import REASONS, find_reason, say_reason
from host_tools.look.wording import Wording
from host_tools.minds.analysis.decisions import walk
from host_tools.sight.recorded import Recorded, read_record
from host_tools.minds.corpus.generate import write_game
from tests.conftest import ROOT

RECORD = ROOT / "tests" / "records" / "durak" / "game-0000.rec"


def is_true(key, facts, seen, played, better):
    """The sentence of that reason, read literally off the view."""
    places = seen.view[: durak.CARDS]
    trump = next(SUIT[one.card] for one in seen.log if one.verb and verb_name(durak, one.verb) == "turn")

    def trumps(card):
        return SUIT[card] == trump or RANK[card] == JOKER

    def beats(card, target):
        if RANK[card] == JOKER or RANK[target] == JOKER:
            return None  # D8 has options of its own
        if SUIT[card] == SUIT[target]:
            return RANK[card] > RANK[target]
        return trumps(card) and not trumps(target)

    names = verb_name(durak, played.verb), verb_name(durak, better.verb)
    if key == "keep_trump":
        fitting = [card for card in seen.hand if beats(card, facts["card"])]
        is_dear = all(trumps(card) and RANK[card] >= 9 for card in fitting)
        return names == ("beat", "take") and facts["number"] > 0 and is_dear
    if key == "cheaper":
        dearer = trumps(played.card) and not trumps(better.card) or RANK[better.card] < RANK[played.card]
        return beats(facts["other"], facts["card"]) is not False and dearer and facts["card"] == played.target
    if key == "spends_trump":
        return trumps(facts["card"]) and facts["card"] == played.card and not trumps(better.card)
    if key == "plain_beats":
        return names == ("take", "beat") and beats(facts["other"], facts["card"]) and not trumps(facts["other"])
    if key == "pair":
        count = Counter(RANK[card] for card in seen.hand)
        is_lead = not any(place >= durak._ATTACK for place in places)
        return count[facts["rank"]] >= 2 and better.card in seen.hand and is_lead
    if key == "gift":
        return names == ("attack", "done") and any(place >= durak._ATTACK for place in places)
    assert key == "lower"
    return RANK[facts["other"]] < RANK[facts["card"]] and not trumps(facts["card"]) and not trumps(facts["other"])


def test_every_reason_is_true_of_its_position():
    """All pairs of plays of whole games: whichever was played, whichever would have been better."""
    told = Counter()
    for line, number in (("durak throw-in", 3), ("durak transfer", 4), ("durak simple", 5), ("durak deck=54", 6)):
        _, text = write_game(line, 34, number)
        for step in walk(Recorded("made", text.encode())):
            for one in step.choices if step.seen else ():
                for two in step.choices:
                    played, better = (unpack(packed, step.seat, 0, Event()) for packed in (one, two))
                    found = find_reason(step.seen, played, (better,)) if one != two else None
                    if found:
                        told[found[0]] += 1
                        assert is_true(*found, step.seen, played, better), (line, step.number, found)
    assert set(told) == set(REASONS), told


def test_lower_is_what_the_deck_says_is_lower():
    """D10, Japanese spades: the queen stands above the ace."""
    record = Recorded("made", write_game("durak japanese-spades", 2, 3)[1].encode())
    told = []
    for step in walk(record):
        for one in step.choices if step.seen else ():
            for two in step.choices:
                played, better = (unpack(packed, step.seat, 0, Event()) for packed in (one, two))
                found = find_reason(step.seen, played, (better,)) if one != two else None
                if found and found[0] == "lower":
                    told.append(found)
                    powers = [durak.power(step.state, card) for card in (better.card, played.card)]
                    assert powers[0] < powers[1], (step.number, found)
    assert told


@pytest.mark.parametrize("language", ["en", "ru"])
def test_each_reason_is_a_sentence_in_both_languages(language):
    words = Wording(language)
    facts = {"card": "9♠", "other": "8♠", "rank": "x", "seat": "Vera", "stock": 3}
    for key in REASONS:
        assert words.say(f"reason.{key}", **facts)[-1] == "."


def test_a_set_and_another_game_have_no_reason():
    seen = next(step for step in walk(read_record(RECORD)) if step.seen).seen
    assert say_reason(Sentences(durak, ["A", "B"], "en"), Wording("en"), seen, Event(), ()) == ""
