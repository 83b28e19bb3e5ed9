"""Tells a viewer's table in sentences for a terminal, made from the messages of docs/play-protocol.md.

It knows only those messages, so a terminal tells no more than a page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from host_tools.play.seating import BOT, HERE, PHONE
from host_tools.play.typed import Told
from host_tools.play.wording import Wording
from host_tools.judge.sentences import Sentences

PLAYED = ("deal", "play", "over")  # phases with cards
BOUT = ("attack", "cover")
OFF_TABLE = ("hand", "discard", "reader", *BOUT)


@dataclass
class Now:
    """All that one seat's person may know at one moment. `seat` 0: a spectator."""

    seat: int
    table: dict[str, Any]
    view: dict[str, Any]
    can: dict[str, Any]
    light: str  # the meaning of the seat's light; one that blinks does not go out
    glass: list[str]
    words: Sentences
    game: Any
    place: int  # of the seat
    chairs: dict[int, tuple[str, str]]  # seat: (who, name)
    awaited: list[int] = field(default_factory=list)  # seats at this terminal that have to do something now
    is_drawing: bool = False
    is_idle: bool = True  # nothing that was said is still being done
    lines: list[dict[str, Any]] = field(default_factory=list)  # of the feed, that were not told yet
    answers: int = 0  # how many lines the record has of the seat
    now_us: int = 0

    @property
    def phase(self) -> str:
        """One word of docs/play-protocol.md."""
        return str(self.table["phase"])

    @property
    def is_played(self) -> bool:
        """Whether there are cards."""
        return self.phase in PLAYED

    @property
    def is_awaited(self) -> bool:
        """Whether this seat has to do something now."""
        return self.seat in self.awaited

    @property
    def is_calm(self) -> bool:
        """Whether no card lies on a reader."""
        return not any(pile["kind"] == "reader" for pile in self.view["piles"])

    def name(self, seat: int) -> str:
        """A seat's name."""
        for one in self.table["seats"]:
            if one["seat"] == seat:
                return self.words.seat(seat)
        return self.chairs[seat][1] or self.words.seat(seat)

    def hand(self) -> list[str]:
        """The cards of the seat's hand, in order."""
        for pile in self.view["piles"]:
            if pile["kind"] == "hand" and pile["seat"] == self.seat:
                return list(pile["cards"])
        return []

    def told(self, hand: list[str]) -> Told:
        """The facts by which a typed line is read; `hand`: as it was last read out."""
        seen = [card for pile in self.view["piles"] for card in pile["cards"]]
        return Told(self.game, self.words, hand, seen, self.can.get("moves", []))


class Speaker:
    """Says what is so, in one language."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording

    def seats(self, now: Now) -> list[str]:
        """The seats and their players."""
        lines = []
        for seat, (who, name) in now.chairs.items():
            if not name or now.is_played and seat > len(now.table["seats"]):
                continue
            kind = {HERE: "here", PHONE: "phone"}.get(who, "bot" if who.startswith(BOT) else "open")
            lines.append(self.wording.say(f"sits.{kind}", seat=seat, name=now.name(seat)))
        return lines or [self.wording.say("sits.nobody")]

    def hand(self, now: Now) -> str:
        """The numbered hand of this seat."""
        if not now.seat:
            return self.wording.say("hand.nobody")
        if not now.is_played:
            return self.wording.say("hand.none")
        cards = [f"{number} {now.words.card(card)}" for number, card in enumerate(now.hand(), 1)]
        return self.wording.say("hand", list=", ".join(cards)) if cards else self.wording.say("hand.empty")

    def table(self, now: Now) -> str:
        """The cards on the table, in one sentence."""
        piles = now.view["piles"]
        parts = [self.bout(now, piles)] if any(pile["kind"] == "attack" for pile in piles) else []
        parts += [self.pile(now, pile) for pile in piles if pile["kind"] not in OFF_TABLE and pile["count"]]
        return self.wording.say("on.table", list="; ".join(parts)) if parts else self.wording.say("on.nothing")

    def bout(self, now: Now, piles: list[dict[str, Any]]) -> str:
        """Attack cards, each with what beats it."""
        covers = {pile["slot"]: pile for pile in piles if pile["kind"] == "cover"}
        said = []
        for pile in piles:
            if pile["kind"] != "attack":
                continue
            card = self.cards(now, pile)
            cover = covers.get(pile["slot"])
            said.append(self.wording.say("beaten", card=card, cover=self.cards(now, cover)) if cover
                        else self.wording.say("open", card=card))
        return ", ".join(said)

    def pile(self, now: Now, pile: dict[str, Any]) -> str:
        """A place with its cards."""
        place = now.words.place(pile["place"])
        if pile["kind"] == "payoff":
            place += f" ({now.name(pile['seat'])})"
        elif pile["kind"] == "reader":
            place = self.wording.say("reader", seat=now.name(pile["seat"] or pile["reader"]))
        return self.wording.say("pile", place=place, list=self.cards(now, pile))

    def cards(self, now: Now, pile: dict[str, Any]) -> str:
        """The cards of a pile that are seen, and how many are not."""
        said = [now.words.card(card) for card in pile["cards"]]
        hidden = pile["count"] - len(said)
        if hidden > 0:
            number = self.wording.cards(hidden)
            said.append(number if not said else self.wording.say("hidden", list=number))
        return " ".join(said) if hidden <= 0 else ", ".join(said)

    def whole_table(self, now: Now) -> list[str]:
        """The table, who holds how many cards, whose turn it is, the own light."""
        lines = [self.table(now)]
        discard = [pile for pile in now.view["piles"] if pile["kind"] in ("discard", "reader")]
        if discard:
            lines[0] = lines[0].rstrip(".") + "; " + "; ".join(self.pile(now, pile) for pile in discard) + "."
        holds = {pile["seat"]: pile["count"] for pile in now.view["piles"] if pile["kind"] == "hand"}
        said = [f"{now.name(one['seat'])} {holds.get(one['seat'], 0)}" for one in now.table["seats"]]
        if said:
            lines.append(self.wording.say("holds", list=", ".join(said)))
        lines += [self.turn(now)] if now.phase in ("deal", "play") else self.phase(now)
        return lines + ([self.light(now)] if now.place else [])

    def light(self, now: Now) -> str:
        """The meaning of the own light."""
        return self.wording.say("light.own", light=self.wording.say(f"light.{now.light}"))

    def phase(self, now: Now) -> list[str]:
        """The state of the table while no game is on."""
        if now.phase != "over":
            return [self.wording.say(f"phase.{now.phase}")] if self.wording.has(f"phase.{now.phase}") else []
        lines = [now.table["result"]] if now.table["result"] else []
        if now.table["digest"]:
            lines.append(self.wording.say("digest", digest=now.table["digest"]))
        return lines + [self.wording.say("over")]

    def turn(self, now: Now) -> str:
        """Whose turn it is and what is asked."""
        turn = now.view["turn"]
        if now.seat in turn:
            return self.own_turn(now)
        here = [seat for seat in now.awaited if seat in turn]
        if here:
            return self.wording.say("turn.here", name=now.name(here[0]), seat=here[0])
        if turn:
            return self.wording.say("turn.others", name=", ".join(now.name(seat) for seat in turn))
        return self.wording.say("turn.nobody")

    def own_turn(self, now: Now) -> str:
        """The same for this seat."""
        prompt = now.can.get("prompt", "").rstrip(".")
        return self.wording.say("turn.own" if prompt else "turn.bare", name=now.name(now.seat),
                                prompt=prompt[:1].upper() + prompt[1:])

    def keys(self, now: Now) -> str:
        """The meanings of the buttons; empty: none."""
        said = [self.wording.say("key", key=key, verb=verb) for key, verb in now.can.get("keys", {}).items()
                if verb and key != "MENU"]
        return self.wording.say("keys", list=", ".join(said)) if said else ""

    def moves(self, now: Now) -> str:
        """Every play that would stand."""
        texts = list(dict.fromkeys(move["text"] for move in now.can.get("moves", [])))
        return self.wording.say("moves", list="; ".join(texts)) if texts else self.wording.say("moves.none")

    def glass(self, now: Now) -> list[str]:
        """The lines of the screen."""
        rows = [row.strip() for row in now.glass if row.strip()]
        return [self.wording.say("glass", text=row) for row in rows[:1]] + rows[1:] or [self.wording.say("glass.empty")]

    def unknown(self, now: Now, typed: str) -> str:
        """One sentence with what is possible."""
        kind = "game" if now.phase in ("deal", "play") else "over" if now.phase == "over" else "lobby"
        verbs = "".join(f"{verb}, " for key, verb in now.can.get("keys", {}).items() if verb and key != "MENU")
        return self.wording.say("unknown", typed=typed, possible=self.wording.say(f"possible.{kind}", list=verbs))
