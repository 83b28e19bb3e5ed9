"""Follows a public feed without knowing what is hidden: at its table, all that is public stands where it stands.

The feed names no hidden card, so this deals some: any deal in which everything could have happened that was heard. When
a card comes to light that lies elsewhere in the deal, the two change places. What everybody may see follows from public
facts alone (T11), so it is the same in every such deal. Nothing here could tell a secret: nothing here knows one.
"""

from __future__ import annotations

import contextlib
import random
import re
from dataclasses import dataclass
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.deck import RANK, SUIT, card_number
from cardtable.engine.event import DRAW, NO_CARD, OWN_VERB, PAIR, Event, verb_arguments, verb_name
from cardtable.engine.reading import read_event, read_header, read_time
from cardtable.engine.record import FORMAT, RecordError, write_arguments, write_time
from cardtable.engine.setup import SetupError
from cardtable.engine.state import HAND, STOCK, State, place_name
from host_tools.judge.records.public_record import LOST, uncommitted
from host_tools.judge.rulebook.book import page_names, tell_refusal
from host_tools.judge.sentences import Sentences
from host_tools.sight.course import Course, Refusal
from host_tools.sight.scene import Scene, scene_of

TRIALS = 300  # deals that are tried before the table is given up
HEADER_LIMIT = 100  # lines
_RESUMED = "resumed after: "
_SAID = ("opened: ", "result: ", "digest: ", "nonce: ")  # and what begins with a time
_SEATS = tuple("1234567")
REDEAL = "redeal"  # D49: all cards go back to the stock
NO_EVENT = "the set-up"  # stands behind it before the first event
_REFUSED = re.compile(r"(\d{1,9}(?:\.\d{1,3})?) ([1-7]) ! ([A-Z]\d{1,2})(?: (.*))?")
_OWN = re.compile(r"[\d.]+ 0 ! ")  # refused to the arbiter: told to no viewer


@dataclass
class Slot:
    """One event that was heard. `is_hidden`: its card is dealt here, and may still become another one."""

    seat: int
    verb: int
    card: int
    target: int
    at_ms: int
    is_hidden: bool

    def event(self) -> Event:
        """As the engine takes it."""
        return Event(self.seat, self.verb, self.card, self.target, self.at_ms)


class Shadow:
    """`take(line)` each line of a feed; the sentences that it gives back are what happened. `course` is None while no
    game is heard of, once it `is_lost`, because no deal fits any more, and once it `has_gap`: lines are missing, so
    nobody here knows how the table stands. The next game's header ends that."""

    def __init__(self, language: str = "en", seed: int = 0) -> None:
        self.language = language
        self.chance = random.Random(seed)
        self.forget()

    def forget(self) -> None:
        """Another game begins, or none."""
        self.course: Any = None
        self.header: Any = None
        self.game: Any = None
        self.slots: list[Slot] = []
        self.shown: dict[int, int] = {}  # card: the slot in which it was seen last
        self.gathered = -1  # the slot with which all cards went back to the stock (D49): what was before it stays
        self.waits_for_opened: Slot | None = None
        self.result = self.digest = self.nonce = ""
        self.is_lost = self.has_begun = self.has_gap = False
        self.is_unread = False  # the last line made no sense: torn where the power failed, or lost
        self.at_ms = 0  # of the last event
        self.is_joined = False  # its beginning was not heard, so nobody here knows what lies where
        self._lines: list[str] | None = None
        self._candidates: list[str] | None = None  # games that it may be, if there was no header
        self._lost = ""  # an event that was heard, and perhaps happened once more while the power failed
        self._after: str | None = None  # the event after which the table says that it goes on

    @property
    def is_resuming(self) -> bool:
        """Whether the header that comes now is that of the game which goes on."""
        return self._after is not None and self.header is not None and not self.result

    @property
    def words(self) -> Sentences:
        """Sentences about this game."""
        return Sentences(self.game, self.header.seats if self.header else (), self.language)

    # --- lines ---

    def take(self, line: str) -> list[dict[str, Any]]:
        """Take a line of the feed in: what to tell of it, each {text, kind, seat, rule}."""
        line = uncommitted(line.rstrip("\r\n"))
        if line == LOST:
            return self._miss()
        notice = self.words.notice(line) if self._lines is None and line[:1].isalpha() else ""
        if notice:
            return [said(notice, "table")]
        if line.startswith(_RESUMED):
            self._after = line[len(_RESUMED) :]
            self.is_unread = False
        elif line == FORMAT:
            if not self.is_resuming:
                after = self._after
                self.forget()
                self._after = after
            self._lines = [line + "\n"]
        elif self._lines is not None:
            return self._take_header(line)
        elif self.header is not None and not self.is_joined:
            return self._take_line(line)
        elif line[:1].isdigit() or line.startswith(("result: ", "opened: ")):
            return self._take_alone(line)
        return []

    def _miss(self) -> list[dict[str, Any]]:
        """Lines are missing. Of a game that goes on the table is known no more; behind one that is over another one may
        have begun."""
        self._lines = self._after = None
        self.is_unread = False
        if self.header is None:
            joined = self.is_joined
            self.forget()
            self.is_joined = joined
            return []
        self.has_gap = True
        if self.result:
            return []
        self.course = None
        return [*self._settle([]), said(self.words.notice(LOST), "table")]

    def _is_another(self, line: str) -> bool:
        """Whether an event behind a gap is of another game, whose header was among the lines that are missing."""
        return bool(line[:1].isdigit() and (self.result or 0 <= read_time(line.partition(" ")[0]) < self.at_ms))

    def _take_header(self, line: str) -> list[dict[str, Any]]:
        assert self._lines is not None
        self._lines.append(line + "\n")
        if line and len(self._lines) < HEADER_LIMIT:
            return []
        lines, after, is_resuming = self._lines, self._after, self.is_resuming
        self._lines = self._after = None
        try:
            header, _ = read_header(iter(lines))
            if is_resuming and header.lines() == self.header.lines():
                return self._go_on(after or "")
            self.forget()
            self.header, self.game = header, find_game(header.game[0])
            self.course = Course(header, self.game)
        except (RecordError, SetupError):
            self.forget()
            return []
        if after not in (None, NO_EVENT):
            self.course, self.is_joined = None, True
        return [said(self.words.title(self.header.game), "table")]

    def _go_on(self, after: str) -> list[dict[str, Any]]:
        """T9: the power was gone, and the game goes on behind that event; if it is another one than the last that was
        heard, its line was lost with the power."""
        if self.course is None or self.is_joined or after == NO_EVENT:
            return []
        if self.waits_for_opened is not None:
            return self._miss()  # of the card that it turned up
        state = self.course.session.state
        last = next((slot for slot in reversed(self.slots) if self.game.shows(state, slot.verb)), None)
        if last is not None and after == self._name(last):
            self._lost = after  # one of several draws may still be missing
            return []
        return self._insert(after)

    def _insert(self, name: str) -> list[dict[str, Any]]:
        """An event whose line was lost, as `resumed after` names it, behind the last that was heard."""
        at_ms = self.slots[-1].at_ms if self.slots else 0
        try:
            read_event(self.game, f"0 {name}", 1, Event())
            hidden = ""
        except RecordError:  # its card is hidden
            hidden = " ??"
        return self._accept(f"{write_time(at_ms)} {name}{hidden}")

    def _find_lost(self, slot: Slot) -> list[dict[str, Any]]:
        """One more of the events after which the power failed, if what comes now tells that there was one."""
        name = self._lost
        is_play = slot.verb >= OWN_VERB or slot.verb == DRAW
        if not name or self.course is None or not is_play or self._name(slot) == name:
            return []
        self._lost = ""
        waits = bytearray(8)
        self.game.waiting(self.course.session.state, waits)
        return self._insert(name) if not waits[slot.seat] else []

    def _name(self, slot: Slot) -> str:
        """An event as `resumed after` names it."""
        arguments = [] if slot.is_hidden else write_arguments(self.game, slot.event())
        return " ".join([str(slot.seat), verb_name(self.game, slot.verb), *arguments])

    def _take_alone(self, line: str) -> list[dict[str, Any]]:
        """A line of a game whose beginning was not heard: told in words, once they say which game it is."""
        self.is_joined = True
        if line.startswith("result: "):
            self.result = line[8:].strip()
            return [said(self.words.result(self.result), "table")]
        if refused := _REFUSED.fullmatch(line):
            return [self._refuse(int(refused[2]), refused[3], refused[4] or "")]
        if self.header is None and line[:1].isdigit():
            self._guess_game(line)
        text = self.words.public(line) if self.game is not None else ""
        seat = line.split(" ")[1][:1] if line[:1].isdigit() and " " in line else ""
        return [said(text, "event", int(seat) if seat in _SEATS else 0)] if text else []

    def _guess_game(self, line: str) -> None:
        """The one game that has had a word for everything that was heard; none before its own words come."""
        event = Event()
        fits = []
        names = [name.replace("_", "-") for name in page_names()] if self._candidates is None else self._candidates
        for name in names:
            with contextlib.suppress(RecordError, SetupError):
                read_event(find_game(name), line.replace("??", "QQ", 1), 1, event)
                fits.append(name)
        self._candidates = fits
        self.game = find_game(fits[0]) if len(fits) == 1 else None

    def _take_line(self, line: str) -> list[dict[str, Any]]:
        if self.has_gap and self._is_another(line):
            self.forget()
            return self._take_alone(line)
        if not line.startswith(_SAID) and not line[:1].isdigit():
            self.is_unread = self.is_unread or "\ufffd" in line
            return []
        if line.startswith("opened: ") and not self.is_unread:
            return self._take_opened([card_number(name) for name in line[8:].split()])
        is_missing = self.is_unread or self.waits_for_opened is not None
        told = self._miss() if is_missing and self.course is not None else self._settle([])
        if line.startswith("result: "):
            self.result = line[8:].strip()
            return [*told, said(self.words.result(self.result), "table")]
        if line.startswith("digest: "):
            self.digest = line[8:].strip()
        elif line.startswith("nonce: "):
            self.nonce = line[7:].strip()
        elif refused := _REFUSED.fullmatch(line):
            told.append(self._refuse(int(refused[2]), refused[3], refused[4] or ""))
        elif line[:1].isdigit() and not _OWN.match(line):
            told += self._accept(line)
        return told

    def _refuse(self, seat: int, rule: str, words: str) -> dict[str, Any]:
        words = tell_refusal(rule, words.strip(), self.language)
        if self.course is not None:
            self.course.refusals[seat] = Refusal(seat, rule, words=words)
        return said(self.words.refusal(seat, rule, words), "refusal", seat, rule)

    def _accept(self, line: str) -> list[dict[str, Any]]:
        event = Event()
        hidden = " ??" in line
        try:
            read_event(self.game, line.replace("??", "QQ", 1), 1, event)
        except RecordError:
            self.is_unread = True
            return []
        self.at_ms = event.at_ms
        slot = Slot(event.seat, event.verb, NO_CARD if hidden else event.card, event.target, event.at_ms, hidden)
        told = self._find_lost(slot)
        self.waits_for_opened = slot
        if self.course is not None and not self._fit(slot):
            self.lose()
        opened: list[int] = []
        if self.course is not None and slot.verb >= OWN_VERB:
            self.game.opens(self.course.session.state, slot.event(), opened)
        # A card that is turned up is named on the next line, and it decides what happens now.
        return told if opened else told + self._settle([])

    def _take_opened(self, cards: list[int]) -> list[dict[str, Any]]:
        slot = self.waits_for_opened
        if self.course is not None and (slot is None or -1 in cards):
            return self._miss()
        if slot is not None and self.course is not None:
            opened: list[int] = []
            self.game.opens(self.course.session.state, slot.event(), opened)
            rest = [card for card in opened if card not in cards]
            if len(opened) != len(cards) or not all(
                self._exchange(card, rest.pop()) for card in cards if card not in opened
            ):
                self.lose()
            self.shown.update(dict.fromkeys(cards, len(self.slots)))
        return self._settle(cards)

    def _settle(self, opened: list[int]) -> list[dict[str, Any]]:
        """What was heard happens now."""
        slot, self.waits_for_opened = self.waits_for_opened, None
        if slot is None:
            return []
        told = self._tell(slot, opened)
        if self.course is not None:
            event = slot.event()
            if self.course.session.judge(event):
                self.lose()
            else:
                self.has_begun = self.has_begun or slot.verb >= OWN_VERB and not self.game.is_dealing(
                    self.course.session.state)
                self.course.enact(event)
                self.slots.append(slot)
                for card in cards_of(self.game, slot):
                    self.shown[card] = len(self.slots) - 1
                if verb_name(self.game, slot.verb) == REDEAL:
                    self.gathered, self.shown = len(self.slots) - 1, {}
        return [told]

    def _tell(self, slot: Slot, opened: list[int]) -> dict[str, Any]:
        words = self.words
        before = self.course.session.state if self.course is not None else None
        text = words.event(slot.seat, slot.verb, NO_CARD if slot.is_hidden else slot.card, slot.target, before=before)
        return said(" ".join([text, *map(words.card, opened)]), "event", slot.seat)

    def lose(self) -> None:
        """Nothing fits any more: from here on sentences alone are told."""
        self.course, self.is_lost = None, True

    # --- deals ---

    def _fit(self, slot: Slot) -> bool:
        """Find a deal in which this happens next. What is hidden gets a card."""
        if self._stands(slot) or self._swap_for(slot) or self._find_fours(slot) or self._find_suit(slot):
            return True
        for verb in self._hidden_verbs(slot):  # D43: a press that nobody may hear of
            kept = self._keep()
            if not self.course.session.judge(verb.event()):
                self.course.session.enact(verb.event())
                if self._stands(slot) or self._swap_for(slot):
                    self.slots.append(verb)
                    return True
            self._restore(kept)
        return self._reshuffle(slot)

    def _keep(self) -> tuple[Any, ...]:
        """The states of the session, to come back to."""
        session = self.course.session
        kept = []
        for state in (session.state, session.before):
            kept.append(State(self.game.CARDS, self.game.REGISTERS))
            kept[-1].copy(state)
        return kept[0], kept[1], session.last_seat

    def _restore(self, kept: tuple[Any, ...]) -> None:
        session = self.course.session
        session.state.copy(kept[0])
        session.before.copy(kept[1])
        session.last_seat = kept[2]

    def _stands(self, slot: Slot) -> bool:
        """Whether the slot happens in this deal; a hidden card is chosen."""
        session = self.course.session
        if not slot.is_hidden:
            return not session.judge(slot.event())
        for card in sorted(range(self.game.CARDS), key=lambda card: (card in self.shown, card)):
            slot.card = card
            if not session.judge(slot.event()):
                return True
        return False

    def _hidden_verbs(self, slot: Slot) -> list[Slot]:
        """What the seat may have said before it unheard."""
        state = self.course.session.state
        verbs = [OWN_VERB + index for index in range(len(self.game.VERBS)) if not self.game.VERBS[index][1]]
        return [Slot(slot.seat, verb, NO_CARD, 0, slot.at_ms, False) for verb in verbs
                if not self.game.shows(state, verb)]

    def _swap_for(self, slot: Slot) -> bool:
        """Let the card that came to light change places with one that the seat could have had for it."""
        if slot.is_hidden or slot.card == NO_CARD or slot.card >= self.game.CARDS:
            return False
        where = self.course.session.state.where
        near = (HAND + slot.seat, STOCK)
        others = [card for card in range(self.game.CARDS) if card != slot.card and where[card]]
        others.sort(key=lambda card: (where[card] not in near, where[card] != near[0], card in self.shown))
        for other in others[:60]:
            if self._exchange(slot.card, other, slot):
                return True
        return False

    def _exchange(self, card: int, other: int, slot: Slot | None = None) -> bool:
        """Two cards change their parts in all that was hidden since either was seen; False if that cannot be."""
        since = max(self.shown.get(card, -1), self.shown.get(other, -1), self.gathered)
        if self._exchange_in_place(card, other):
            if slot is None or not self.course.session.judge(slot.event()):
                self._rename(self.slots, card, other, since)
                return True
            self._exchange_in_place(card, other)
        if not self.game.is_dealing(self.course.session.state):
            return False
        renamed = [Slot(**vars(one)) for one in self.slots]
        self._rename(renamed, card, other, since)
        kept = self.course, self.slots
        if self._deal_anew(renamed) and (slot is None or not self.course.session.judge(slot.event())):
            return True
        self.course, self.slots = kept
        return False

    def _exchange_in_place(self, card: int, other: int) -> bool:
        """The quick way, once the deal is over: two cards that lie where nobody sees them change places."""
        session = self.course.session
        if self.game.is_dealing(session.state) or not self._are_hidden(session.state, card, other):
            return False
        states = [session.state]
        states += [session.before] if self._are_hidden(session.before, card, other) else []
        for state in states:
            state.where[card], state.where[other] = state.where[other], state.where[card]
        parts = {card: other, other: card}
        session.last_draw[:] = bytes(parts.get(one, one) for one in session.last_draw)
        came = self.course.came
        came[card], came[other] = came.get(other, 0), came.get(card, 0)
        return True

    def _are_hidden(self, state: Any, card: int, other: int) -> bool:
        """Whether nobody sees either of the two, and both are in the game."""
        view = self.game.view(state, 0)
        return all(view[one] == STOCK and state.where[one] for one in (card, other))

    def _rename(self, slots: list[Slot], card: int, other: int, since: int) -> None:
        parts = {card: other, other: card}
        for slot in slots[since + 1 :]:
            if slot.is_hidden:
                slot.card = parts.get(slot.card, slot.card)

    def _deal_anew(self, slots: list[Slot]) -> bool:
        """Play all from the beginning with these cards; False if something cannot have happened so."""
        course = Course(self.header, self.game)
        for slot in slots:
            event = slot.event()
            if course.session.judge(event):
                return False
            course.enact(event)
        course.refusals.update(self.course.refusals if self.course is not None else {})
        self.course, self.slots = course, slots
        return True

    def _find_fours(self, slot: Slot) -> bool:
        """C13: who says that the hidden cards are of one rank has said the truth, as the table knows."""
        where = self.course.session.state.where
        if slot.card != NO_CARD or self.game.is_dealing(self.course.session.state):
            return False
        own = {where[card] for card in range(self.game.CARDS) if where[card] > HAND + 7 and self._are_hidden(
            self.course.session.state, card, card) and place_name(self.game, where[card]).endswith(str(slot.seat))}
        for place in own:
            lying = [card for card in range(self.game.CARDS) if where[card] == place]
            fours = self._list_fours(place)
            count = len(lying) // len(fours[0])
            for first in range(len(fours) - count + 1):
                fits = [card for four in fours[first : first + count] for card in four]
                if self._put_there(place, lying, fits, slot):
                    return True
        return False

    def _list_fours(self, place: int) -> list[list[int]]:
        """All cards of each rank, the ranks first of which most lie at that place already."""
        where = self.course.session.state.where
        fours = []
        for rank in sorted(set(RANK)):
            cards = [card for card in range(self.game.CARDS) if RANK[card] == rank and where[card]]
            fours += [cards] if len(cards) > 3 else []
        return sorted(fours, key=lambda four: sum((card in self.shown) - 2 * (where[card] == place) for card in four))

    def _put_there(self, place: int, lying: list[int], fits: list[int], slot: Slot) -> bool:
        """Let cards of one rank lie at a hidden place; False if the event still cannot be."""
        where = self.course.session.state.where
        wrong = [card for card in lying if card not in fits]
        for card, other in zip([one for one in fits if where[one] != place], wrong, strict=False):
            if not self._exchange(card, other):
                return False
        return not self.course.session.judge(slot.event())

    def _find_suit(self, slot: Slot) -> bool:
        """D49: who has the cards dealt again had a hand of one suit, as the table knows."""
        if verb_name(self.game, slot.verb) != REDEAL:
            return False
        hand, cards = HAND + slot.seat, range(self.game.CARDS)

        def list_others(suit: int) -> list[int]:
            where = self.course.session.state.where
            return [card for card in cards if where[card] == hand and SUIT[card] != suit]

        def list_fitting(suit: int) -> list[int]:
            where = self.course.session.state.where
            return [card for card in cards if where[card] not in (0, hand) and SUIT[card] == suit]

        for suit in sorted(set(SUIT), key=lambda one: len(list_others(one))):
            for card in list_others(suit):
                if not any(self._exchange(card, other) for other in list_fitting(suit)):
                    break
            if not self.course.session.judge(slot.event()):
                return True
        return False

    def _reshuffle(self, slot: Slot) -> bool:
        """Deal all that was never seen at random until it fits: what a seat may do can depend on its hand (D5, M8)."""
        if not self.game.is_dealing(self.course.session.state) and self._reshuffle_hand(slot):
            return True
        where = self.course.session.state.where
        unseen = {one.card for one in self.slots[self.gathered + 1 :] if one.is_hidden}
        unseen |= {card for card in range(self.game.CARDS) if where[card] == STOCK}
        unseen -= set(self.shown)
        kept = self.course, self.slots
        for _ in range(TRIALS):
            dealt = sorted(unseen)
            self.chance.shuffle(dealt)
            parts = dict(zip(sorted(unseen), dealt, strict=True))
            slots = [Slot(**vars(one)) for one in self.slots]
            for one in slots[self.gathered + 1 :]:
                one.card = parts.get(one.card, one.card) if one.is_hidden else one.card
            if self._deal_anew(slots) and (self._stands(slot) or self._swap_for(slot)):
                return True
            self.course, self.slots = kept
        return False

    def _reshuffle_hand(self, slot: Slot) -> bool:
        """The same with the hand of the seat alone, which changes cards with the stock."""
        where = self.course.session.state.where
        for _ in range(TRIALS):
            held = [card for card in range(self.game.CARDS) if where[card] == HAND + slot.seat and card != slot.card]
            others = [card for card in range(self.game.CARDS) if where[card] == STOCK and card != slot.card]
            self.chance.shuffle(others)
            for card, other in zip(held, others, strict=False):
                self._exchange(card, other)
            if self._stands(slot) or self._swap_for(slot):
                return True
        return False

    # --- what is shown ---

    def scene(self) -> Scene:
        """What there is to see of the game."""
        assert self.course is not None
        # Who begins may follow from hands (D5): once they are dealt, a feed does not tell until somebody does.
        is_told = self.has_begun or self.game.is_dealing(self.course.session.state)
        waits = self.course.waits if is_told else bytes(8)
        return scene_of(self.course, self.language, waits=waits, digest=self.digest, is_closed=bool(self.result))


def cards_of(game: Any, slot: Slot) -> list[int]:
    """The cards that an event names aloud."""
    kinds = verb_arguments(game, slot.verb)
    cards = [slot.card] if slot.card != NO_CARD and not slot.is_hidden else []
    return cards + ([slot.target] if kinds == PAIR else [])


def said(text: str, kind: str, seat: int = 0, rule: str = "") -> dict[str, Any]:
    """A line for the feed of a page (docs/play-protocol.md)."""
    return {"text": text, "kind": kind, "seat": seat, "rule": rule}


