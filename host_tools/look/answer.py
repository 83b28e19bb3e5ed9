"""Answers an arbiter: what stood on the table before one line of a record, what was tried, what the table said and why,
and what would have been allowed. The answer is data; text, JSON and the sheet are made of it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD, Event, unpack
from cardtable.engine.state import UNSEEN
from host_tools.base.errors import UnusableInput
from host_tools.base.files import path_as_text
from host_tools.base.languages import list_languages
from host_tools.judge.records import verify
from host_tools.judge.rulebook import book
from host_tools.judge.sentences import Sentences
from host_tools.judge.sentences.sentences import PIPS
from host_tools.look.wording import Wording
from host_tools.sight.course import Course, refuse
from host_tools.sight.recorded import ALL, PUBLIC, Line, Reader, Recorded, clock, hear, viewer_of
from host_tools.sight.scene import scene_of
from host_tools.sight.seen import Heard, look

AROUND = 4  # lines on either side
JOKERS = "joker джокер "


@dataclass
class Told:
    """One line as the reader hears it: its `number`, the sentence, the refusal's rule, words to be found by."""

    number: int
    at_ms: int
    seat: int
    text: str
    rule: str
    line: Line
    found_by: str


class Teller:
    """Tells a record to one reader in one language."""

    def __init__(self, record: Recorded, reader: Reader, language: str) -> None:
        self.record, self.reader, self.language = record, reader, language
        self.words = Wording(language)
        self.sentences = Sentences(record.game, record.header.seats, language)

    def tell(self, course: Course, line: Line, number: int) -> Told | None:
        """The line before which the table stands; None if the reader hears nothing of it. While a game has secrets,
        lines are numbered as they are heard: a gap would tell that something hidden happened."""
        state, game = course.session.state, self.record.game
        said = hear(game, state, line, self.reader)
        if said is None:
            return None
        told = self.refusal(state, line) if line.verdict else ""
        text = self.say(said, state, told)
        is_open = self.reader.seat in (-1, line.event.seat) and self.record.is_over
        found_by = [text, line.text if is_open else "", said.rule]
        cards = [card_name(card) for card in (said.card, *said.opened) if card != NO_CARD]
        if any(name[0] == "X" for name in cards) or "★" in text:
            found_by.append(JOKERS)
        shown_number = line.number if self.record.is_over else number
        return Told(shown_number, said.at_ms, said.seat, text, said.rule, line, " ".join(found_by).casefold())

    def refusal(self, state: Any, line: Line) -> str:
        """The firmware's own words of a refusal."""
        return refuse(self.record.game, state, line.event, line.verdict).tell(self.record.game, self.language)

    def say(self, said: Heard, state: Any, told: str = "") -> str:
        """One sentence about what was heard; told: the words of a refusal."""
        words = self.sentences
        if said.rule and said.verb:
            move = words.move(said.verb, said.card, said.target, state, said.seat)
            return self.words.say("try", seat=words.seat(said.seat), move=move, words=told.rstrip("."), rule=said.rule)
        if said.rule:
            return words.refusal(said.seat, said.rule, told)
        text = words.event(said.seat, said.verb, said.card, said.target, before=state)
        return " ".join([text, *map(words.card, said.opened)])

    def lines(self) -> list[Told]:
        """The whole game as the reader hears it."""
        course = self.record.course()
        found: list[Told] = []
        for line in self.record.walk(course):
            told = self.tell(course, line, len(found) + 1)
            if told is not None:
                found.append(told)
        return found


def choose(told: list[Told], *, at: int | None = None, find: str = "", seat: int = 0, refused: bool = False,
           others: list[list[Told]] | None = None) -> list[Told]:
    """The lines that were asked for. others: the same lines in other languages, also searched. UnusableInput."""
    if at is not None:
        found = [one for one in told if one.number == at]
        if not found:
            near = min(told, key=lambda one: abs(one.number - at), default=None)
            hint = f"; the nearest is line {near.number}" if near else ""
            if told and at > told[-1].number:
                raise UnusableInput(f"line {at} is past the end: the last event is line {told[-1].number}")
            if told and at < told[0].number:
                raise UnusableInput(f"line {at} is before the game begins: the first event is line {told[0].number}")
            raise UnusableInput(f"line {at} tells of nothing that this reader may hear{hint}")
        return found
    wanted = find.casefold().split()
    texts = {one.number: one.found_by for one in told}
    for other in others or ():
        for one in other:
            texts[one.number] = texts.get(one.number, "") + " " + one.found_by
    return [one for one in told if all(word in texts[one.number] for word in wanted)
            and (not seat or one.seat == seat) and (not refused or one.rule)]


def in_other_languages(record: Recorded, reader: Reader, language: str) -> list[list[Told]]:
    """The lines in every language but that one."""
    return [Teller(record, reader, other).lines() for other in list_languages() if other != language]


def answer(record: Recorded, reader: Reader, number: int, language: str = "en") -> dict[str, Any]:
    """All about the line of that number. UnusableInput."""
    found = next(answer_all(record, reader, language, number), None)
    if found is None:
        choose(Teller(record, reader, language).lines(), at=number)
    assert found is not None
    return found


def answer_all(record: Recorded, reader: Reader, language: str, number: int = 0) -> Iterator[dict[str, Any]]:
    """All about each line that the reader hears; with a number, only about that one."""
    teller = Teller(record, reader, language)
    told = teller.lines()
    by_line = {one.line.number: index for index, one in enumerate(told)}
    game = describe_game(record, language)
    course = record.course()
    for line in record.walk(course):
        index = by_line.get(line.number, -1)
        if index < 0 or number and told[index].number != number:
            continue
        one, here = told[index], told[max(0, index - AROUND) : index + AROUND + 1]
        key = "line" if record.is_over else "event"
        yield {
            **game, "reader": describe_reader(teller), "line": one.number, "at_ms": one.at_ms,
            "headline": teller.words.say(key, number=one.number, at=clock(one.at_ms)),
            **describe_line(teller, course, one), **describe_state(teller, course),
            "around": [{"line": near.number, "at": clock(near.at_ms), "text": near.text, "is_refused": bool(near.rule)}
                       for near in here],
        }


def describe_game(record: Recorded, language: str) -> dict[str, Any]:
    """What was played, by whom, where, when, how it ended, and whether the record is to be believed."""
    words, sentences = Wording(language), Sentences(record.game, record.header.seats, language)
    keys = dict(record.header.keys)
    return {
        "language": language, "title": sentences.title(record.header.game),
        "file": path_as_text(PurePath(record.name).name),
        "players": [sentences.seat(seat) for seat in range(1, len(record.header.seats) + 1)],
        "table": keys.get("table", ""), "date": keys.get("started", "")[:10],
        "result": sentences.result(record.result) if record.is_over else words.say("running"),
        "is_over": record.is_over, "seal": record.finding.kind, "digest": record.finding.digest,
        "sealed": describe_seal(record, words),
        "trouble": words.say("trouble", cause=sentences.why(record.trouble)) if record.trouble else "",
    }


def describe_seal(record: Recorded, words: Wording) -> str:
    """What `cardtable verify` finds, as a sentence for the foot of a sheet."""
    finding = record.finding
    if finding.kind == verify.INTACT:
        key = "seal.intact" if record.has_key else "seal.intact.chain"
        return words.say(key, digest=finding.digest)
    if finding.kind == verify.CUT:
        key = "seal.cut" if finding.sealed else "seal.cut.none"
        return words.say(key, lines=finding.lines, sealed=finding.sealed)
    if finding.kind == verify.CHANGED:
        return words.say("seal.changed", ranges=finding.ranges().partition(" ")[2])
    return words.say("seal.none")


def describe_reader(teller: Teller) -> str:
    """As whom the reader sees it."""
    name = teller.reader.name
    if name in (PUBLIC, ALL):
        return teller.words.say(f"reader.{name}")
    return teller.words.say("reader.seat", seat=teller.sentences.seat(teller.reader.seat))


def describe_line(teller: Teller, course: Course, one: Told) -> dict[str, Any]:
    """What was tried, the verdict, the rule with its source, what would have been allowed."""
    words, sentences, line = teller.words, teller.sentences, one.line
    game, state, event = teller.record.game, course.session.state, line.event
    said = hear(game, state, line, teller.reader)
    assert said is not None
    name = sentences.seat(event.seat)
    found: dict[str, Any] = {"seat": event.seat, "name": name, "is_refused": bool(line.verdict), "rule": said.rule}
    if not line.verdict:
        return {**found, "tried": one.text, "verdict": words.say("accepted"), "rules": [],
                **allow(teller, course, line)}
    told = teller.refusal(state, line).rstrip(".")
    tried = words.say("hidden", seat=name)
    if said.verb:
        move = sentences.move(said.verb, said.card, said.target, state, said.seat)
        tried = words.say("tried", seat=name, move=move)
    return {**found, "tried": tried, "verdict": words.say("refused", words=told, rule=said.rule),
            "rules": describe_rules([said.rule, *line.rules.split()], sentences), **allow(teller, course, line)}


def describe_rules(names: list[str], sentences: Sentences) -> list[dict[str, Any]]:
    """The rules with what their sources say, and a `note` on one that is in English only; those of a game from
    elsewhere have no page here."""
    rules = read_rules(sentences.language)
    found = [rules[name] for name in dict.fromkeys(names) if name in rules]
    return [{"rule": rule.name, "text": book.plain(rule.text), "sources": rule.sources, "language": rule.language,
             "note": sentences.note(rule.language)} for rule in found]


@functools.cache
def read_rules(language: str) -> dict[str, book.Rule]:
    """The rulebook, read once."""
    return book.read_rules(language)


def allow(teller: Teller, course: Course, line: Line) -> dict[str, Any]:
    """What the seat could have done just then."""
    seat, words = line.event.seat, teller.words
    name = teller.sentences.seat(seat)
    title = words.say("allowed" if line.verdict else "allowed.also", seat=name)
    if not seat:
        return {"allowed": [], "allowed_title": "", "allowed_words": ""}
    if teller.reader.seat not in (-1, seat) or course.session.state.register[UNSEEN + seat]:
        hidden = words.say("allowed.hidden", seat=name)
        return {"allowed": [], "allowed_title": title, "allowed_words": hidden if line.verdict else ""}
    moves = list_allowed(teller, course, seat, line.event.at_ms)
    why = "allowed.out" if is_out(course, seat) else "allowed.none"
    return {"allowed": moves, "allowed_title": title, "allowed_words": "" if moves else words.say(why, seat=name)}


def list_allowed(teller: Teller, course: Course, seat: int, at_ms: int) -> list[str]:
    """Every play that would have stood; a card that comes by chance is not chosen."""
    session, sentences = course.session, teller.sentences
    seen = look(session, seat, at_ms)
    told = []
    for packed in seen.moves:
        event = unpack(packed, seat, 0, Event())
        told.append(sentences.move(event.verb, event.card, event.target, session.state, seat))
    every: list[int] = []
    if not session.is_over():
        session.game.moves(session.state, seat, at_ms, every)
    chance = [verb for verb in session.game.CHANCE.values() if any(packed >> 16 == verb for packed in every)]
    told += [sentences.move(verb, NO_CARD, 0, session.state, seat) for verb in chance]
    return list(dict.fromkeys(told))


def describe_state(teller: Teller, course: Course) -> dict[str, Any]:
    """Whose turn it is and what lies where, as far as the reader may see: in words, and as the page gets it."""
    view = viewer_of(scene_of(course, teller.language), teller.reader).tell_view()
    words, sentences = teller.words, teller.sentences
    turn = [sentences.seat(seat) for seat in view["turn"]]
    piles = []
    for pile in view["piles"]:
        hidden = pile["count"] - len(pile["cards"])
        cards = [sentences.card(card) for card in pile["cards"]]
        said = " ".join(cards + ([words.count("face.down", hidden)] if hidden else []))
        said += f" ({pile['said']})" if pile.get("said") else ""
        piles.append({"place": pile["place"], "name": name_of_pile(sentences, pile), "cards": cards,
                      "hidden": hidden, "text": said})
    trump = course.trump.translate(PIPS)
    has_gone = [seat for seat in range(1, len(course.header.seats) + 1) if is_out(course, seat)]
    state = {"turn": turn, "turn_words": ", ".join(turn) or words.say("turn.nobody"), "piles": piles, "trump": trump,
             "out": [sentences.seat(seat) for seat in has_gone]}
    return {"state": state, "view": view}


def is_out(course: Course, seat: int) -> bool:
    """Whether the seat has left the game."""
    session = course.session
    return not session.game.is_dealing(session.state) and not session.game.is_in(session.state, seat)


def state_lines(state: dict[str, Any], words: Wording) -> list[str]:
    """What stands above the piles: whose turn it is, the trump, who is out."""
    lines = [f"{words.say('turn')}: {state['turn_words']}"]
    lines += [f"{words.say('trump')}: {state['trump']}"] if state["trump"] else []
    return lines + ([f"{words.say('out')}: {', '.join(state['out'])}"] if state["out"] else [])


def name_of_pile(sentences: Sentences, pile: dict[str, Any]) -> str:
    """A pile's name with a capital letter."""
    name = sentences.place(pile["place"])
    return name[:1].upper() + name[1:]


def as_text(found: dict[str, Any], words: Wording) -> list[str]:
    """The answer as lines for a terminal."""
    lines = [f"{found['title']}: {', '.join(found['players'])}. {found['result']}", found["sealed"]]
    lines += [found["trouble"]] if found["trouble"] else []
    lines += ["", f"{found['headline']}: {found['tried']}", found["verdict"]]
    for rule in found["rules"]:
        lines.append(f"  {rule['rule']}: {rule['text']}")
        lines += [f"    {rule['note']}"] if rule["note"] else []
        lines += [f"    < {source}" for source in rule["sources"]]
    if found["allowed"] or found["allowed_words"]:
        lines += [f"{found['allowed_title']}: {'; '.join(found['allowed']) or found['allowed_words']}"]
    state = found["state"]
    lines += ["", f"{words.say('before')} ({found['reader']})", *(f"  {line}" for line in state_lines(state, words))]
    lines += [f"  {pile['name']}: {pile['text']}" for pile in state["piles"]]
    lines += ["", words.say("around")]
    lines += [f"{'>' if one['line'] == found['line'] else ' '} {one['line']:5} {one['at']:>8}  {one['text']}"
              for one in found["around"]]
    return lines


