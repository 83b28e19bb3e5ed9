"""Reads a typed line as an act of docs/play-protocol.md: cards by number or name, verbs with their cards.

It knows of the table only what the viewer was told (hand, piles, moves); its acts are judged by
host_tools/play/acts.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cardtable.engine.deck import RANKS
from cardtable.engine.event import AGREE, LEAD, OWN_VERB, UNDO, find_verb, verb_arguments, verb_name
from host_tools.play.wording import Wording, plain
from host_tools.judge.sentences import Sentences, languages
from host_tools.judge.sentences.language import read_language

SUITS = {"s": "S", "♠": "S", "п": "S", "h": "H", "♥": "H", "ч": "H", "d": "D", "♦": "D", "б": "D",
         "c": "C", "♣": "C", "к": "C", "т": "C"}
RANK_LETTERS = {**{letter.lower(): letter for letter in "23456789TJQKA"}, "10": "T",
                "в": "J", "д": "Q", "к": "K", "т": "A"}
JOKERS = {"xr": "XR", "xb": "XB", "★r": "XR", "★b": "XB", "★к": "XR", "★ч": "XB"}
TABLE_VERBS = (UNDO, AGREE, LEAD)
NUMBER_LIMIT = 3  # digits


@dataclass
class Told:
    """Everything the person was told: the hand as it was last read out, cards in sight, moves, the game's words."""

    game: Any = None
    words: Sentences | None = None
    hand: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)


class Unclear(Exception):
    """A typed line that is no play: `key` and `facts` of the sentence that says so."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key, self.facts = key, facts


def read_card(word: str) -> str:
    """A card's name without the number of its deck, as a record writes it; empty: the word names no card."""
    word = word.lower()
    if word in JOKERS:
        return JOKERS[word]
    if word[-1:] in "12" and word[:-1] and word[-2] in SUITS:
        word = word[:-1]  # which of two decks is told by who holds it
    rank, suit = RANK_LETTERS.get(word[:-1], ""), SUITS.get(word[-1:], "")
    return rank + suit if rank and suit else ""


def read_number(word: str) -> int:
    """A whole number; -1: the word is none."""
    return int(word) if word.isdecimal() and word.isascii() and len(word) <= NUMBER_LIMIT else -1


def find_card(word: str, told: Told) -> str:
    """The card of a word: one of the hand by its number, or any card by its name. Unclear for a number too high."""
    number = read_number(word)
    if number >= 0:
        if not 1 <= number <= len(told.hand):
            raise Unclear("no.hand.number", number=number)
        return told.hand[number - 1]
    name = read_card(word)
    if not name:
        return ""
    known = [card for card in (*told.hand, *told.seen) if card[:2] == name]
    return word.upper() if word.upper() in known else known[0] if known else name


def read_taps(words: list[str], told: Told) -> list[str]:
    """The cards that a line of nothing but cards names; empty: the line is something else. Unclear."""
    if not words or not all(read_number(word) >= 0 or read_card(word) for word in words):
        return []
    return [find_card(word, told) for word in words]


def labels(told: Told, verb: int, wording: Wording) -> set[str]:
    """All that a person may type for the verb."""
    name = verb_name(told.game, verb)
    found = {name} | wording.aliases(name)
    for language in languages():
        words = Sentences(told.game, (), language)
        found.add(words.key(verb))
        if not verb_arguments(told.game, verb):
            found.add(words.move(verb))
    return {" ".join(plain(word) for word in label.replace("?", "").split()) for label in found}


def find_verbs(words: list[str], told: Told, wording: Wording) -> tuple[list[int], list[str]]:
    """The verbs that the line begins with, and the words behind; the longest name counts."""
    best: list[int] = []
    length = 0
    line = [plain(word) for word in words]
    for verb in (*TABLE_VERBS, *range(OWN_VERB, OWN_VERB + len(told.game.VERBS))):
        for label in labels(told, verb, wording):
            parts = label.split()
            if line[: len(parts)] != parts or len(parts) < length:
                continue
            best = [verb] if len(parts) > length else [*best, verb]
            length = len(parts)
    return list(dict.fromkeys(best)), words[length:]


def read_play(words: list[str], told: Told, wording: Wording) -> dict[str, Any] | None:
    """A verb with its cards as an act without its seat; None: the line is something else. Unclear.

    One of the moves that would stand if the words mean exactly one; else what was said, to be refused by the table.
    """
    if told.game is None:
        return None
    verbs, rest = find_verbs(words, told, wording)
    if not verbs:
        return None
    rest = [word for word in rest if plain(word) not in wording.filler]
    names = {verb_name(told.game, verb) for verb in verbs}
    moves = [move for move in told.moves if move["verb"] in names]
    # Of two numbers the first is the card: what does not stand so must not become another play.
    orders = (rest,) if all(read_number(word) >= 0 for word in rest) else (rest, rest[::-1])
    for order in orders:
        fitting = [move for move in moves if fits(move, order, told)]
        texts = list(dict.fromkeys(move["text"] for move in fitting))
        if len(texts) == 1:
            return as_act(fitting[0]["verb"], fitting[0]["card"], fitting[0]["target"])
        if texts:
            raise Unclear("which", list="; ".join(texts))
    return insist(verbs, rest, told)


def as_act(verb: str, card: str | None, target: str | int | None) -> dict[str, Any]:
    """The act that plays it."""
    act: dict[str, Any] = {"do": "play", "verb": verb}
    if card is not None:
        act["card"] = card
    if target is not None:
        act["target"] = target
    return act


def fits(move: dict[str, Any], words: list[str], told: Told) -> bool:
    """Whether the words name that move: its card, then its target, each of which may be left out. Where a card can
    stand, a number is that card of the hand, as without a verb."""
    verb = find_verb(told.game, move["verb"])
    kinds = verb_arguments(told.game, verb)
    parts = ((kinds[:1], move["card"]), (kinds[-1:], move["target"]))
    wanted = [(kind, part) for kind, part in parts if part is not None]
    if len(words) > len(wanted):
        return False
    index = 0
    for word in words:
        while index < len(wanted) and not is_meant(*wanted[index], word, told):
            if wanted[index][0] == "C" and read_number(word) >= 0:
                return False
            index += 1
        if index == len(wanted):
            return False
        index += 1
    return True


def is_meant(kind: str, wanted: str | int, word: str, told: Told) -> bool:
    """Whether the word names that card, number or rank, as the kind of argument says."""
    if isinstance(wanted, int):
        return {"R": read_rank, "U": read_suit}.get(kind, read_number)(word) == wanted
    number = read_number(word)
    if number >= 0:
        return 1 <= number <= len(told.hand) and told.hand[number - 1] == wanted
    return read_card(word) == wanted[:2]


def read_rank(word: str) -> int:
    """A rank by its letter, number or name, as a verb's target has it; -1: the word is none."""
    letter = RANK_LETTERS.get(word.lower(), "")
    if letter:
        return RANKS.index(letter)
    for language in languages():
        for rank, one in enumerate(RANKS):
            if plain(read_language(language)[f"rank.{one}"]) == plain(word):
                return rank
    return -1


def read_suit(word: str) -> int:
    """A suit by its letter, sign or name, as a verb's target has it; -1: the word is none."""
    letter = SUITS.get(word.lower(), "")
    for suit, one in enumerate("SHDC"):
        names = [plain(read_language(language)["suit." + one]) for language in languages()]
        if letter == one or plain(word) in names:
            return suit
    return -1


def insist(verbs: list[int], words: list[str], told: Told) -> dict[str, Any]:
    """A play that would be refused, if it is typed in full. Unclear."""
    for verb in verbs:
        kinds = verb_arguments(told.game, verb)
        if len(kinds) != len(words):
            continue
        card: str | None = None
        target: str | int | None = None
        if kinds[:1] == "C":
            card = find_card(words[0], told)
        if kinds and kinds != "C":
            target = read_target(kinds[-1], words[-1], told)
        if card != "" and target not in ("", -1):
            return as_act(verb_name(told.game, verb), card, target)
    texts = list(dict.fromkeys(move["text"] for move in told.moves))
    raise Unclear("moves" if texts else "moves.none", list="; ".join(texts))


def read_target(kind: str, word: str, told: Told) -> str | int:
    """A verb's last argument; empty or -1: the word is none."""
    if kind == "C":
        return find_card(word, told)
    return {"R": read_rank, "U": read_suit}.get(kind, read_number)(word)
