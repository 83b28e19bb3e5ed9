"""Takes in the records of tables: each is checked and durable before its receipt is given, and counts exactly once.

This file is the door for everything that brings records: files, USB, MQTT. Say `offer` as often as you like, in any
order, from any process: the key of a result is (round and table, game, seal), the same key twice is nothing, and the
same game with another seal waits for the arbiter. The seal is the twelve letters that the table shows at the end of a
game; it follows from the record's last line alone: `digest_words(bytes.fromhex(CHAIN))` of `~ end FIRST-LAST CHAIN TAG`
(host_tools/judge/records/verify.py, cardtable/record/seal.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.record import Header
from cardtable.engine.session import Session
from host_tools.base.random_play import make_header
from host_tools.judge.records.verify import digest_words
from host_tools.club.tournament.deal import compare_deal
from host_tools.club.tournament.director import Director, Draft
from host_tools.club.tournament.orders import Order, make_orders
from host_tools.club.tournament.results import ABORTED, BEGUN, Game, Outcome, is_round, judge_record, reseat
from host_tools.club.tournament.room import to_name
from host_tools.club.tournament.state import HAND, NAMED, Key, Round, State, Unfit, tell_key, where_is

COUNTED = "counted"  # stored, and the standings have it
KNOWN = "known"  # stored before; nothing has changed
DISPUTED = "disputed"  # stored, and waits for the arbiter
REFUSED = "refused"  # not stored: no intact record of a finished game of this tournament

NETWORK = "mqtt:"  # a source on the network; behind it stands the table under whose name it came

__all__ = ["COUNTED", "DISPUTED", "KNOWN", "REFUSED", "Order", "Receipt", "enter", "offer", "offer_all", "orders",
           "past_tables", "tables"]


@dataclass(frozen=True)
class Receipt:
    """What became of a record. Of every status but REFUSED the record is durable here, and its table may forget it."""

    status: str
    seal: str  # the record's own, `KHRT 7M4N WX29`; empty if it has no intact one
    reason: str  # one sentence


def offer(director: Director, record: bytes, source: str) -> Receipt:
    """Take in one record. source: where it came from, for the log, such as `mqtt` or a file's name."""
    return offer_all(director, [(record, source)])[0]


def offer_all(director: Director, records: Iterable[tuple[bytes, str]]) -> list[Receipt]:
    """Take in many with one write to the disk: all are durable when this returns."""
    with director.looking() as state:
        keys, texts = dict(state.table_keys), {seal: state.seals[seal] for seal in state.texts}
    receipts: list[Receipt | None] = []
    judged = []
    for record, source in records:
        seal = find_seal(record)
        is_known = seal in texts and director.store.record(seal) == record
        receipts.append(tell_known(seal, texts[seal]) if is_known else None)
        if not is_known:
            judged.append((record, source, judge(record, keys)))

    def work(state: State) -> tuple[list[Draft], list[dict[str, Any]], list[Receipt]]:
        batch, is_late = Batch(state), state.table_keys != keys  # a table got its key while its record was judged
        taken = [batch.take(record, source, judge(record, state.table_keys) if is_late else game)
                 for record, source, game in judged]
        return batch.drafts, batch.records, taken

    fresh = iter(director.transact("intake", work)[1] if judged else [])
    return [next(fresh) if receipt is None else receipt for receipt in receipts]


def find_seal(record: bytes) -> str:
    """The letters that the record's last line stands for, whether the record is right or not; empty if it has none."""
    last = record[-200:].rstrip(b"\n").rpartition(b"\n")[2].split(b" ")
    if len(last) != 5 or last[:2] != [b"~", b"end"]:
        return ""
    try:
        return digest_words(bytes.fromhex(last[3].decode()))
    except ValueError:
        return ""


def tell_known(seal: str, known: str) -> Receipt:
    """The receipt of a record that was taken in before."""
    return Receipt(KNOWN, seal, f"It was taken in before, as {known}.")


def orders(director: Director) -> list[Order]:
    """What each table of the current round plays next; a table whose games have all been counted has none."""
    with director.looking() as state:
        return make_orders(state)


def tables(director: Director) -> list[str]:
    """The names of all tables that were named, or that had a group in any round."""
    with director.looking() as state:
        return list(dict.fromkeys([*state.table_keys, *(table for one in state.rounds for table in one.groups)]))


def past_tables(director: Director) -> list[str]:
    """The names of all tables that ever were, also of those that an undo or a no-show took away: an order of theirs may
    still lie at a broker."""
    events = director.events
    named = [event.data["name"] for event in events if event.kind == NAMED]
    seated = [table for event in events if event.kind == "seated" for table, _ in event.data["groups"]]
    return list(dict.fromkeys([*named, *seated]))


def judge(record: bytes, keys: dict[str, str]) -> Game:
    """The record as it stands; with the key of its table, where the director has one."""
    game = judge_record(record)
    key = keys.get(game.said("table"), "")
    return judge_record(record, bytes.fromhex(key)) if key and not game.trouble else game


@dataclass
class Batch:
    """Records that are taken in together: none of them has happened yet when the next one is looked at."""

    state: State
    drafts: list[Draft] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    fresh: dict[str, str] = field(default_factory=dict)  # seals of this batch, and what became of them
    results: dict[Key, tuple[str, Outcome]] = field(default_factory=dict)

    def take(self, record: bytes, source: str, game: Game) -> Receipt:
        """Look at one record, and write down what becomes of it."""
        if game.trouble:
            return Receipt(REFUSED, game.seal, f"The record does not count: {game.trouble}.")
        known = self.state.seals.get(game.seal) or self.fresh.get(game.seal)
        has_text = game.seal in self.fresh or self.is_kept(game.seal)
        if known and has_text:
            return tell_known(game.seal, known)
        plan = self.state.the_plan()
        if game.said("tournament") not in ("", plan.name):
            return Receipt(REFUSED, game.seal, "It is a game of another tournament.")
        if game.said(BEGUN) not in ("", self.state.begun):
            return Receipt(REFUSED, game.seal, "It is a game of another tournament of that name, which began"
                           f" {game.said(BEGUN)[:40]}.")
        found, key, trouble = self.find_place(game)
        if found is None:
            return Receipt(REFUSED, game.seal, trouble)
        wrong = self.find_speaker(game, key, source)
        if wrong:
            return Receipt(REFUSED, game.seal, wrong)
        self.records.append({"seal": game.seal, "source": source, "content": record})
        trouble = trouble or self.find_trouble(found, key, game, source)
        return self.note(game, key, trouble, source)

    def find_speaker(self, game: Game, key: Key | None, source: str) -> str:
        """Why this record may not come from there; an empty text if it may. On the network each table speaks for
        itself: the broker lets an account publish under its own name alone; a bridge says the name in the record."""
        said, place = game.said("table"), key[1] if key is not None else ""
        if source.startswith(NETWORK):
            spoken = source.removeprefix(NETWORK)
            if said and to_name(said) != spoken:
                return f"{spoken} offers it, and it is a game of {said[:40]}."
            if place and to_name(place) != spoken:
                return f"{spoken} offers it, and its players sit at {place}."
        if place and self.state.table_keys.get(place) and game.said("table") != place:
            return f"It names no table, so the key of {place} proves nothing."
        return ""

    def is_kept(self, seal: str) -> bool:
        """Whether the text of a known record lies here: of a slip that was typed only the letters do."""
        return seal in self.state.texts

    def find_slip(self, game: Game) -> Key | None:
        """The game with whose result these letters were typed."""
        if game.seal not in self.state.seals:
            return None  # as of nearly every record: it is looked for among all results
        return next((key for key, result in self.state.results.items() if result.seal == game.seal), None)

    def find_place(self, game: Game) -> tuple[Round | None, Key | None, str]:
        """The round and the key that the record says, and what is wrong with them. Without a round, it is no game of
        ours at all."""
        state = self.state
        names = set(game.header.seats)
        if not state.rounds:
            return None, None, "No round has been seated yet."
        number, table = game.said("round"), game.said("table")
        match_game = game.header.match_game or 1
        if game.said("tournament") == "":
            slip = self.find_slip(game)
            if slip is not None:  # who typed its letters has said where it was played
                return state.rounds[slip[0] - 1], slip, ""
            for one in reversed(state.rounds):
                at = next((name for name, group in one.groups.items() if set(group) == names), None)
                if at is not None:
                    return one, (one.number, at, match_game), ""
            return None, None, "It names no tournament, and no table of this one has these players."
        if not is_round(number, len(state.rounds)):
            return state.rounds[-1], None, str(Unfit("no.round", number=number[:20] or Unfit("nothing")))
        one = state.rounds[int(number) - 1]
        if table not in one.groups:
            return one, None, str(Unfit("no.table", number=one.number, table=repr(table[:40])))
        return one, (one.number, table, match_game), ""

    def find_trouble(self, one: Round, key: Key | None, game: Game, source: str) -> str:
        """Why the arbiter has to look at it; an empty text for a game that counts."""
        assert key is not None
        try:
            group = self.state.find_group(key)
        except Unfit as wrong:
            return str(wrong)
        slip = self.find_slip(game)
        if slip is not None and slip != key:
            return str(Unfit("slip.elsewhere", number=slip[0], table=slip[1], game=slip[2]))
        if game.result == ABORTED:
            return str(Unfit("slip.aborted", slip=self.state.results[slip].outcome)) if slip else ""
        if set(group) != set(game.header.seats):
            return str(Unfit("others", players=", ".join(game.header.seats), table=key[1], group=", ".join(group)))
        if game.doubt:
            return game.doubt
        plan = self.state.the_plan()
        if not has_rules(game.header, plan.game):  # the order was declined, and something else played
            return str(Unfit("rules", game=" ".join(game.header.game), other=plan.game))
        if plan.is_duplicate:
            trouble = compare_deal(plan, key, game)
            if trouble:
                return trouble
        had = self.results.get(key)
        if had is None and key in self.state.results:
            had = self.state.results[key].seal, self.state.results[key].outcome
        if had is not None and had[0] not in ("", game.seal):
            return str(Unfit("rival", seal=had[0]))
        if had is not None and game.outcome is not None and not had[1].agrees(game.outcome):
            return str(Unfit("slip", slip=had[1], record=game.outcome))
        if had is None and source.startswith(NETWORK) and not game.said("tournament"):
            # Refused before, it comes again by itself: a game from before the round, once the same people have a table.
            return str(Unfit("unnamed"))
        if had is None and one.closed:
            return str(Unfit("closed", number=one.number, reason=one.closed))
        return ""

    def note(self, game: Game, key: Key | None, trouble: str, source: str) -> Receipt:
        """Write down what becomes of it."""
        where = tell_key(key) if key else "a game"
        outcome = game.outcome.as_data() if game.outcome else None
        group = self.state.rounds[key[0] - 1].groups.get(key[1], ()) if key else ()
        following = reseat(game.following, game.header.seats, group)
        if trouble:
            self.fresh[game.seal] = "a dispute"
            self.drafts.append(("disputed", {
                "key": list(key) if key else None, "seal": game.seal, "reason": trouble, "outcome": outcome,
                "source": source, "following": following}))
            return Receipt(DISPUTED, game.seal, f"It waits for the arbiter: {trouble}.")
        assert key is not None
        self.fresh[game.seal] = where
        if game.outcome is None:
            self.drafts.append(("aborted", {"key": list(key), "seal": game.seal, "source": source}))
            return Receipt(COUNTED, game.seal, f"It was aborted, so {where} is dealt again.")
        status = KNOWN if key in self.results or key in self.state.results else COUNTED
        self.results[key] = game.seal, game.outcome
        self.drafts.append(("result", {"key": list(key), "seal": game.seal, "outcome": outcome, "source": source,
                                       "following": following}))
        return Receipt(status, game.seal, f"It counts as {where}: {game.outcome.tell()}.")


def has_rules(header: Header, line: str) -> bool:
    """Whether that game is played by the rules of a `game:` line, however they are spelt."""
    words = line.split()
    if header.game == words:
        return True
    if header.game[0] != words[0]:
        return False
    sessions = [Session(find_game(words[0]), make_header(" ".join(one), len(header.seats)))
                for one in (header.game, words)]
    return sessions[0].state.is_equal(sessions[1].state)


def enter(director: Director, who: str, key: Key, outcome: Outcome, letters: str) -> Receipt:
    """A result by hand, from a slip: the twelve letters are the same key by another road, and may be missing."""

    def work(state: State) -> tuple[list[Draft], list[dict[str, Any]], Receipt]:
        group = state.find_group(key)
        if set(group) != set(outcome.players):
            raise Unfit("played.by", table=key[1], round=key[0], group=", ".join(group))
        had = state.results.get(key)
        known = state.seals.get(letters) if letters else None
        where = tell_key(key)
        if known and known != where:
            raise Unfit("letters.known", known=known)
        if had is not None and had.outcome.agrees(outcome) and letters in ("", had.seal):
            return [], [], Receipt(KNOWN, had.seal, f"{where} has that result already.")
        data = {"key": list(key), "seal": letters, "outcome": outcome.as_data(), "source": HAND, "following": {}}
        played, waits = state.rounds[key[0] - 1], [one for one in state.disputes.values() if one.key == key]
        is_late = had is None and bool(played.closed)  # as of a record: the arbiter has said that it counts for nobody
        if not is_late and (had is None or had.seal == "" and had.outcome.agrees(outcome)):
            return [("result", data)], [], Receipt(COUNTED, letters, f"It counts as {where}: {outcome.tell()}.")
        trouble = Unfit("closed", number=played.number, reason=played.closed) if had is None else Unfit(
            "slip.rival", slip=outcome, seal=letters or Unfit("nothing"),
            counted=had.outcome, other=had.seal or Unfit("nothing"))
        receipt = Receipt(DISPUTED, letters, f"It waits for the arbiter: {trouble}.")
        if known or not letters and any(one.outcome == outcome for one in waits):
            if is_late:
                return [], [], receipt
            raise Unfit("rival.correct", where=where_is(key), trouble=trouble)
        return [("disputed", {**data, "reason": str(trouble)})], [], receipt

    return director.transact(who, work)[1]
