"""Sentences about one game: events, refusals, buttons, results, places, options.

A game that a language has no words for is told in the words of its record, so nothing here lists the games.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from cardtable.engine.deck import JOKER, RANKS, STRANGER, SUITS, card_name, card_number
from cardtable.engine.event import NO_CARD, OWN_VERB, Event, verb_arguments, verb_name
from cardtable.engine.reading import read_event
from cardtable.engine.record import RecordError
from cardtable.engine.setup import read_option
from cardtable.engine.state import place_name
from cardtable.between.options import plural
from host_tools.judge.sentences.language import read_language

PIPS = str.maketrans("SHDC", "♠♥♦♣")
_REFUSED = re.compile(r"[\d.]+ (\d) ! (\w+)(?: (.*))?")
_NOTICES = [(f"notice.{kind}", re.compile(pattern)) for kind, pattern in (
    ("set-up", r"set-up: (?P<cause>.+)"), ("damaged", r"damaged: (?P<name>[^ :]+): .*"),
    ("lost", r"lost: game (?P<name>\S+), (?P<number>[1-9]\d{0,8}) lines"),
    ("lost.all", r"lost: game (?P<name>\S+), .*"),
    ("bug", r"bug: .*"), ("hung", r"boot: watchdog"),
    ("time", r"time: seat (?P<seat>\d)"),
    ("repeats", r"readers: reader (?P<name>\d) repeats registers: .*"), ("slower", r"readers: \d+ of \d+ looks .*"),
    ("lost-lines", r"screen: lines are lost, .*"), ("lost-feed", r"feed: lines are lost"),
)]
_CLAIM = re.compile(r"(\d):(\d+)x(\?|\+\d+|[2-9TJQKAX])")
_PLACE = re.compile(r"([a-z]+)(\d*)(?:\.(\d+))?")


class Sentences:
    """The sentences that people read of a game of `game`, a module, between `names`, the seats in order, in `language`.

    Without a game only cards, titles, questions, options and results can be said. UnusableInput for a language that
    there is not.
    """

    def __init__(self, game: Any = None, names: Sequence[str] = (), language: str = "en") -> None:
        self.game = game
        self.language = language
        self._names = [_readable(name) for name in names]
        self._words = read_language(language)

    # --- cards, seats, places ---

    def card(self, card: int | str) -> str:
        """`10♠`, `Q♦`, `★r`, by number or by name; a hidden one is "a card". Both copies of a card look the same."""
        if isinstance(card, str):
            card = NO_CARD if card == "??" else card_number(card)
        if card == NO_CARD:
            return self._words["card.hidden"]
        name = card_name(card)
        if not 0 <= card < STRANGER or name == "QQ":
            return self._words["card.strange"]
        if name[0] == "X":
            return self._words["card.black" if name[1] == "B" else "card.red"]
        return self._words.get("card." + name[0], name[0]) + name[1].translate(PIPS)

    def seat(self, seat: int) -> str:
        """The seat's name; 0 is the arbiter."""
        if 1 <= seat <= len(self._names):
            return self._names[seat - 1]
        return self._words["seat.0"] if seat == 0 else self._words["seat"].format(number=seat)

    def place(self, name: str) -> str:
        """A place as place_name calls it: "stock", "Anna's hand", "trump"."""
        found = _PLACE.fullmatch(name)
        template = self._find("place", found[1]) if found else None
        if found is None or template is None:
            return name
        return template.format(seat=self.seat(int(found[2] or 0)), number=found[3] or found[2])

    # --- what happens ---

    def event(self, seat: int, verb: int, card: int = NO_CARD, target: int = 0, before: Any = None) -> str:
        """An accepted event, as one sentence: "Boris beats 10♣ with Q♣."

        verb: its number in engine/event.py; card: NO_CARD where it is hidden. `before`, the state before the event
        if it is known, tells leading from throwing in, and how many cards were laid.
        """
        said = self._of_verb("event", seat, verb, card, target, before)
        if said:
            return said
        return f"{self.seat(seat)}: {self._plainly(verb, card, target)}."

    def move(self, verb: int, card: int = NO_CARD, target: int = 0, before: Any = None, seat: int = 0) -> str:
        """The same as something to do, for a button: "Beat 10♣ with Q♣", "Done"."""
        return self._of_verb("move", seat, verb, card, target, before) or self._plainly(verb, card, target)

    def key(self, verb: int) -> str:
        """A verb in one or two words, for a button: "done", "take"."""
        name = verb_name(self.game, verb)
        return self._words.get(f"key.{self._group(verb)}.{name}", name)

    def refusal(self, seat: int, rule: str, words: str) -> str:
        """A refusal with its words and rule: "Boris may not: Not your turn to throw in (D16).\""""
        words = words.strip().rstrip(".")
        return self._words["refusal" if words else "refusal.bare"].format(seat=self.seat(seat), rule=rule, words=words)

    def public(self, line: str, before: Any = None) -> str:
        """A line of the public feed (docs/record.md) as a sentence; an empty one for a line that tells of no event."""
        line = line.partition(" ~ ")[0].strip()
        if line.startswith("result: "):
            return self.result(line[8:])
        if line.startswith("opened: "):
            cards = " ".join(self.card(name) for name in line[8:].split())
            return self._words["opened"].format(card=cards)
        refused = _REFUSED.fullmatch(line)
        if refused:
            return self.refusal(int(refused[1]), refused[2], refused[3] or "")
        event = Event()
        try:
            # A hidden card can stand in the first place alone.
            read_event(self.game, line.replace("??", "QQ", 1), 1, event)
        except RecordError:
            return ""
        card = NO_CARD if " ??" in line else event.card
        return self.event(event.seat, event.verb, card, event.target, before)

    def result(self, text: str) -> str:
        """The result of a record as one or two sentences; other text comes back as it is."""
        words = text.split()
        try:
            said = [self._outcome(words)]
            rest = words[3 if words[0] == "team" else 2:]
            while "owes" in rest[1:]:  # each loser by itself
                said.append(self._rest_of_result(rest[:3]))
                rest = rest[3:]
            if rest:
                said.append(self._rest_of_result(rest))
        except (KeyError, ValueError, IndexError):
            return text
        return " ".join(said)

    def ending(self, text: str, seat: int, is_first: bool, is_out: bool = True) -> str:
        """The result of a record to the player of that seat: "You are the fool this time." is_first: the first who got
        out; is_out: who has got out at all. Seat 0, and a result that has no loser, read it as everybody does."""
        words = text.split()
        named = words[1].split("+") if len(words) > 1 else []
        role = "you" if str(seat) in named else "first" if is_first else "other"
        template = self._words.get(f"ending.{words[0]}.{role}") if seat and named else None
        if role == "other" and not is_out:  # B13: the game ended before
            template = self._words.get(f"ending.{words[0]}.stayed", template)
        if template is None:
            return self.result(text)
        return template.format(seat=self._list([self.seat(int(number)) for number in named]))

    def prompt(self, game: Any, wait: int, missing: Sequence[str], text: str) -> str:
        """The firmware's prompt of that number without the keys that would be refused now; `text` where there is no
        such template."""
        return self._words.get(f"prompt.{game.NAME}.{wait}" + "".join("-" + key for key in missing), text)

    def named(self, wait: int, ranks: str, seat: int) -> str:
        """The question of that number with those ranks, and the seat whom it is about; empty where there is none."""
        return self._words.get(f"named.{self.game.NAME}.{wait}", "").format(rank=ranks, seat=self.seat(seat))

    def asked(self, seat: int) -> str:
        """T7: that seat wants to take its last act back."""
        return self._words["prompt.undo"].format(seat=self.seat(seat))

    def outcome(self, has_lost: bool, other: str, kind: str) -> str:
        """The same in a list of games: "you lost to Vera"; other: who else played, where that was one alone. kind: the
        first word of the result."""
        key = f"ended.{'lost' if has_lost else 'won'}"
        return self._words[key + (".to" if other else f".{kind}")].format(seat=_readable(other))

    def _outcome(self, words: list[str]) -> str:
        kind = words[0]
        seats = [int(number) for number in words[1].split("+")] if len(words) > 1 else []
        if kind == "team" and words[2] != "lost":
            raise ValueError(kind)
        return self._words["result." + kind].format(seat=self._list([self.seat(seat) for seat in seats]))

    def _rest_of_result(self, rest: list[str]) -> str:
        kind = rest[0]
        if kind == "holds":
            template = self._words["result.holds.seat"]
            pairs = [pair.split(":") for pair in rest[1:]]
            held = [template.format(seat=self.seat(int(seat)), number=int(count)) for seat, count in pairs]
            return self._words["result.holds"].format(seat=", ".join(held))
        if kind == "order":
            return self._words["result.order"].format(seat=", ".join(self.seat(int(seat)) for seat in rest[1:]))
        seat = int(rest[-2]) if len(rest) == 3 else 0
        return self._count("result." + kind, int(rest[-1])).format(seat=self.seat(seat), number=int(rest[-1]))

    def _list(self, names: list[str]) -> str:
        between = f" {self._words['list.and']} "
        return between.join(([", ".join(names[:-1])] if len(names) > 1 else []) + names[-1:])

    def waits(self, wait: int, seats: Sequence[int], cards: Sequence[str]) -> str:
        """Whom the table waits for, and for what: "Vera has to beat 10♦."; wait: as the game's `waiting` numbers it,
        0 for nothing of the game. cards: those that are to be beaten now."""
        key = f"waits.{self.game.NAME}.{wait}"
        if not any(key + form in self._words for form in ("", "#many")):
            key = "waits"
        names = self._list([self.seat(seat) for seat in seats])
        return self._count(key, len(seats)).format(seat=names, card=" ".join(self.card(card) for card in cards))

    def drawn(self) -> str:
        """What stands in place of the prompt while the table deals or draws for the player."""
        return self._words["waits.drawn"]

    def is_out(self, state: Any) -> str:
        """What a player who is out of the game reads; empty in a game in which nobody gets out."""
        can_team = any(name == "teams" for name, *_ in self.game.OPTIONS)
        has_teams = can_team and read_option(self.game, state, "teams") != "no"
        return self._words.get(f"out.{self.game.NAME}{'.team' * has_teams}", "")

    def claim(self, status: str) -> str:
        """What was said of a set that lies face down, from the screen's line of the table: "Gleb: 3 fours"; else ""."""
        found = _CLAIM.match(status)
        if found is None:
            return ""
        kind = {"?": "fours", "+": "plus"}.get(found[3][0], found[3])
        laid = self._count("count.cards.bare", int(found[2])).format(number=found[2])
        template = self._count("claim." + kind, int(found[2]))
        return template.format(seat=self.seat(int(found[1])), number=found[2], count=laid, target=found[3][1:])

    # --- games and what can be chosen ---

    def title(self, game_line: str | Sequence[str]) -> str:
        """A record's `game:` line, its text or its words, as a title: "Durak, throw-in (podkidnoy)"."""
        words = game_line.split() if isinstance(game_line, str) else list(game_line)
        preset = words[1] if len(words) > 1 and "=" not in words[1] else ""
        title = self._words.get("title." + words[0], words[0])
        return self._words.get(f"title.{words[0]}.{preset}", title) if preset else title

    def question(self, game: Any, name: str) -> str:
        """The question of an option: "Who may throw in?". `preset`, `seats` and `dealer` are asked like options."""
        return self._words.get(f"ask.{game.NAME}.{name}", self._words.get("ask." + name, name.replace("_", " ")))

    def option(self, game: Any, name: str, value: str) -> str:
        """The answer that a value is: "everybody". Values as a set-up writes them; 0 for a number that was left out."""
        for key in (f"say.{game.NAME}.{name}", f"say.{name}"):
            if f"{key}.{value}" in self._words:
                return self._words[f"{key}.{value}"]
            seat, colon, seconds = value.partition(":")
            number = seconds if colon else value
            if number.isdecimal() and f"{key}#many" in self._words:
                return self._count(key, int(number)).format(number=number, seat=self.seat(int(seat)))
            if key in self._words:
                return self._words[key].format(number=number, seat=self.seat(int(seat)) if colon else "")
        return value

    # --- what cannot be ---

    def why(self, sentence: str) -> str:
        """Why an act or a set-up was refused, in this language: `sentence` as the code says it, in English.

        One that no template of en.txt has comes back as it is; a test finds those.
        """
        for key, parts in _reasons():
            found = _find_gaps(parts, sentence)
            if found is not None:
                return self._words[key].format(*found)
        return sentence

    def notice(self, line: str) -> str:
        """A line of the feed in which the firmware speaks of itself, as a sentence; an empty one for any other line."""
        for kind, pattern in _NOTICES:
            found = pattern.fullmatch(line)
            if found:
                facts = found.groupdict()
                cause, seat = facts.get("cause", ""), self.seat(int(facts.get("seat", 0)))
                number = int(facts.get("number", 0))
                template = self._count(kind, number) if number else self._words[kind]
                told = self.why(cause).rstrip(".")
                return template.format(cause=told, name=facts.get("name", ""), number=number, seat=seat)
        return ""

    # --- the nearest act beside a refusal (judge/nearest.py) ---

    def near(self, key: str, **facts: str) -> str:
        """The sentence of that key, filled in; an empty one if this language has none."""
        return self._words.get("near." + key, "").format(**facts)

    def rank(self, rank: int) -> str:
        """Cards of a rank: "sevens"."""
        return self._words["rank." + RANKS[rank]]

    def signs(self, ranks: Sequence[int]) -> str:
        """Ranks as they stand on cards, to choose among: "7 or Q"."""
        return self.either([self._words.get("card." + RANKS[rank], RANKS[rank]) if rank < JOKER
                            else self._words["near.sign.X"] for rank in ranks])

    def either(self, names: Sequence[str]) -> str:
        """ "A, B or C"."""
        between = f" {self._words['near.or']} "
        return between.join(([", ".join(names[:-1])] if len(names) > 1 else []) + list(names[-1:]))

    def seats(self, seats: Sequence[int]) -> str:
        """ "Anna, Boris and Vera"."""
        return self._list([self.seat(seat) for seat in seats])

    def level(self, name: str) -> str:
        """How strong a virtual player is: "Easy"."""
        return self._words["level." + name]

    def kind(self, name: str) -> str:
        """A virtual player by its character: "collects trumps"; its name, if nothing else is said of it."""
        return self._words.get("kind." + name, name)

    # --- rules ---

    def heading(self, name: str) -> str:
        """A heading of a game's page (judge/rulebook/summary.py)."""
        return self._words["page." + name]

    def note(self, language: str) -> str:
        """What to say before a rule that is written in that language: nothing if it is this one."""
        return "" if language == self.language else self._words["rule.english"]

    # --- templates ---

    def _group(self, verb: int) -> str:
        """Whose verb it is: the game's own, or one that all games have."""
        return self.game.NAME if verb >= OWN_VERB else "table"

    def _find(self, kind: str, name: str) -> str | None:
        """The game's own template, or the one of all games."""
        own = self._words.get(f"{kind}.{self.game.NAME}.{name}") if self.game is not None else None
        return own or self._words.get(f"{kind}.{name}")

    def _of_verb(self, kind: str, seat: int, verb: int, card: int, target: int, before: Any) -> str:
        """The sentence of a verb, or an empty one where this language has none for it."""
        key = f"{kind}.{self._group(verb)}.{verb_name(self.game, verb)}"
        template, number = self._words.get(key, ""), 0
        if before is not None:
            for sign, place, text in _by_place(self.language, key):
                place, _, preset = place.partition("@")
                lies = self._count_cards(before, place, seat)
                if (lies > 0) == (sign == "?") and preset in ("", read_option(self.game, before, "preset")):
                    template, number = text, lies
        kinds = verb_arguments(self.game, verb)
        aim = self._target(kinds[-1] if kinds and (len(kinds) > 1 or kinds != "C") else "", target)
        return template.format(seat=self.seat(seat), card=self.card(card), target=aim,
                               count=self._count("count.cards", number).format(number=number))

    def _target(self, kind: str, target: int) -> str:
        if kind == "C":
            return self.card(target)
        if kind == "R":
            return self._words["rank." + RANKS[target]]
        if kind == "U":
            return self._words["suit." + SUITS[target]]
        if kind == "P":
            return self.place(place_name(self.game, target))
        return self.seat(target) if kind == "S" else str(target)

    def _plainly(self, verb: int, card: int, target: int) -> str:
        """An event in its record's words, for a game that this language has none for."""
        kinds = verb_arguments(self.game, verb)
        words = [verb_name(self.game, verb)]
        for index, kind in enumerate(kinds):
            words.append(self.card(card) if index == 0 and kind == "C" else self._target(kind, target))
        return " ".join(words)

    def _count_cards(self, state: Any, place: str, seat: int) -> int:
        """How many cards lie in the places of that name; `staged#`: in the seat's own."""
        name, own, _ = place.partition("#")
        for known, first, count in self.game.PLACES:
            if known == name:
                places = [first + seat - 1] if own else range(first, first + count)
                return sum(state.where.count(bytes([number])) for number in places)
        return 0

    def _count(self, key: str, number: int) -> str:
        """The template in the number's plural."""
        form = f"{key}#{plural(_has_few(self.language), number)}"
        return self._words.get(form) or self._words.get(key) or self._words[key + "#many"]


@functools.cache
def _has_few(language: str) -> bool:
    """Whether the language has a form for two to four."""
    return any(key.endswith("#few") for key in read_language(language))


@functools.cache
def _reasons() -> list[tuple[str, list[str]]]:
    """(key, what stands around its gaps) of each English template of a reason."""
    return [(key, re.split(r"\{\d\}", template)) for key, template in read_language("en").items()
            if key.startswith("why.")]


def _find_gaps(parts: list[str], sentence: str) -> list[str] | None:
    """What stands in the gaps between these parts, the first ones as long as can be; None if it is another sentence.

    Not with a pattern: a foreign sentence in which a part stands often would take one hours."""
    first, *others = parts
    if not others:
        return [] if sentence == first else None
    end = len(sentence) - len(others[-1])
    if not sentence.startswith(first) or not sentence.endswith(others[-1]):
        return None
    found = []
    for part in reversed(others[:-1]):
        begin = sentence.rfind(part, len(first), max(end, 0))
        if begin < 0:
            return None
        found.append(sentence[begin + len(part) : end])
        end = begin
    return [sentence[len(first) : end], *reversed(found)] if end >= len(first) else None


@functools.cache
def _by_place(language: str, key: str) -> list[tuple[str, str, str]]:
    """(sign, place, template) of a key that depends on what lies at a place; `place@preset`: in that preset alone."""
    length = len(key)
    return [(other[length], other[length + 1 :], text) for other, text in read_language(language).items()
            if other[: length + 1] in (key + "?", key + "!")]


def _readable(name: str) -> str:
    """A name without anything that a terminal or a page would take for more than a letter."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name)
