"""Computes standings on any machine from the records alone, with the same bytes as the director.

The header of each record says tournament, round, table, game, what counts, and who sat out. What people decided stands
in no record: results by hand, corrections, disputes, what was undone or came too late. The director exports these
rulings, and of each game that counts the seal of its record, to be added here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.club.tournament.results import (
    ABORTED,
    BEGUN,
    MOST_ROUNDS,
    SITS_OUT,
    SITS_OUT_COUNT,
    Game,
    is_round,
    judge_record,
    read_outcome,
)
from host_tools.club.tournament.standings import Counted, Row, standings
from host_tools.club.tournament.state import HAND, Key, Result, State, tell_key

RULINGS = "cardtable rulings 1"
SHAPE = {"format": str, "counts": str, "tournament?": str, "begun?": str, "rulings": [{"kind": str}],
         "sat_out": [[(int, str)]], "results?": [{"key": [(int, str)], "seal": str, "outcome?": object}],
         "left_out?": [str]}


def export_rulings(state: State, kept: Iterable[str] = ()) -> str:
    """What people decided, who sat out, and what counts, as JSON. kept: the seals of all records that lie in the
    database; those that count for nothing are named, too."""
    plan = state.the_plan()
    data = {"format": RULINGS, "tournament": plan.name, "begun": state.begun, "counts": plan.counted_as,
            "rulings": [one for one in state.rulings if one["kind"] != "refund"],
            "sat_out": [list(one) for one in state.sat_out()],
            "results": [tell_result(state, one) for one in state.results.values()],
            "left_out": sorted(state.texts.union(kept) - {one.seal for one in state.results.values()})}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def tell_result(state: State, one: Result) -> dict[str, Any]:
    """A game that counts: the seal of its record says what came of it, unless there is none, or a person decided. The
    letters of a slip may be another game's."""
    told = {"key": list(one.key), "seal": one.seal}
    is_by_record = one.seal in state.texts and one.source != HAND and not one.reason
    return told if is_by_record else {**told, "outcome": one.outcome.as_data()}


def key_of(one: dict[str, Any]) -> Key:
    """The game that a ruling or a result is about."""
    number, table, game = one["key"]
    return int(number), str(table), int(game)


def check_key(key: list[Any]) -> None:
    """ValueError if it is none."""
    if [type(part) for part in key] != [int, str, int]:
        raise ValueError


def read_rulings(text: str, name: str) -> dict[str, Any]:
    """The rulings of a file. UnusableInput."""
    try:
        data = foreign.parse_json(text, SHAPE)
        if data["format"] != RULINGS:
            raise ValueError
        for one in data["rulings"]:
            if one["kind"] == "set aside":
                foreign.check_shape(one, {"seal": str})
            else:
                foreign.check_shape(one, {"key": [(int, str)], "outcome": object})
                read_outcome(one["outcome"])
                check_key(one["key"])
        for one in data.get("results", []):
            check_key(one["key"])
            if "outcome" in one:
                read_outcome(one["outcome"])
        data["sat_out"] = [(int(number), str(player), int(games)) for number, player, games in data["sat_out"]]
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as wrong:
        raise UnusableInput(f"{name}: no rulings; `cardtable tournament export` writes them") from wrong
    return dict(data)


@dataclass(frozen=True)
class Gathered:
    """What counts of a folder of records: the tournament's name, its results, who sat out (round, name, games), a
    sentence for each record that does not count, and when it began, if anything says so."""

    tournament: str
    counted_as: str
    results: list[Counted]
    sat_out: list[tuple[int, str, int]]
    notes: list[str]
    begun: str = ""

    def standings(self) -> list[Row]:
        """The rows."""
        return standings(self.results, self.sat_out, self.counted_as)


def recompute(records: Iterable[tuple[str, bytes]], rulings: dict[str, Any] | None = None
              ) -> tuple[list[Row], list[str]]:
    """The standings, and a sentence for each record that does not count. UnusableInput if nothing does."""
    found = gather(records, rulings)
    return found.standings(), found.notes


def gather(records: Iterable[tuple[str, bytes]], rulings: dict[str, Any] | None = None) -> Gathered:
    """What counts of these records and rulings. UnusableInput if nothing does."""
    if rulings is not None and "results" in rulings:
        return gather_listed(records, rulings)
    results: dict[Key, Counted] = {}
    sat_out: set[tuple[int, str]] = set()
    games: dict[int, int] = {}
    nameless: dict[int, int] = {}
    counted_as, notes = (rulings or {}).get("counts", ""), []
    tournament, begun = (rulings or {}).get("tournament", ""), (rulings or {}).get("begun", "")
    aside = {one["seal"] for one in (rulings or {}).get("rulings", []) if one["kind"] == "set aside" and one["seal"]}
    ruled = {tuple(one["key"]): one for one in (rulings or {}).get("rulings", []) if one["kind"] != "set aside"}
    for name, record in records:
        game = judge_record(record)
        number = game.said("round")
        if game.trouble or game.result == ABORTED or game.seal in aside:
            notes.append(f"{name}: {game.trouble or ('was set aside' if game.seal in aside else 'was aborted')}")
            continue
        if not is_round(number, MOST_ROUNDS) or not game.said("tournament"):
            notes.append(f"{name}: its header names no tournament and round")
            continue
        tournament = tournament or game.said("tournament")
        begun = begun or game.said(BEGUN)
        check_tournament(name, game, tournament, begun)
        counted_as = counted_as or game.said("counts")
        key: Key = (int(number), game.said("table"), game.header.match_game or 1)
        assert game.outcome is not None
        had = results.get(key)
        if had is not None and had.seal != game.seal and key not in ruled:
            raise UnusableInput(f"{name}: {tell_key(key)} is there twice, sealed {had.seal} and {game.seal}: add the"
                                " rulings")
        results[key] = Counted(*key, game.seal, game.outcome)
        sat_out.update((key[0], player.strip()) for player in game.said(SITS_OUT).split(";") if player.strip())
        if is_round(game.said(SITS_OUT_COUNT), MOST_ROUNDS):
            nameless[key[0]] = int(game.said(SITS_OUT_COUNT))
        games[key[0]] = max(games.get(key[0], 1), key[2])
    for one in ruled.values():
        at = key_of(one)
        results[at] = Counted(*at, one.get("seal", ""), read_outcome(one["outcome"]))
    if not results:
        raise UnusableInput("none of these records counts" + (f": {notes[0]}" if notes else ""))
    missed = {(number, name): games[number] for number, name in sat_out}
    missed.update({(number, name): count for number, name, count in (rulings or {}).get("sat_out", [])})
    rested = [(number, name, count) for (number, name), count in missed.items()]
    for at_round, count in sorted(nameless.items()):
        if sum(one[0] == at_round for one in rested) < count:
            notes.append(f"{count} players sat out round {at_round}, and no record has the room to name them: their"
                         " points are missing; add the rulings")
    return Gathered(tournament, counted_as or "places", list(results.values()), rested, notes, begun)


def gather_listed(records: Iterable[tuple[str, bytes]], rulings: dict[str, Any]) -> Gathered:
    """The same by rulings that name what the director counts: each record counts where its seal stands, whatever its
    header says."""
    results = {key_of(one): Counted(*key_of(one), one["seal"], read_outcome(one["outcome"]))
               for one in rulings["results"] if "outcome" in one}
    waiting = {one["seal"]: key_of(one) for one in rulings["results"] if "outcome" not in one}
    known = {one["seal"] for one in rulings["results"]}.union(rulings.get("left_out", []))
    tournament, begun, notes = rulings.get("tournament", ""), rulings.get("begun", ""), list[str]()
    for name, record in records:
        game = judge_record(record)
        if game.seal in waiting and game.outcome is not None and not game.trouble:
            key = waiting.pop(game.seal)
            results[key] = Counted(*key, game.seal, game.outcome)
        elif game.trouble:
            notes.append(f"{name}: {game.trouble}")
        elif game.seal not in known:
            check_tournament(name, game, tournament, begun)
            notes.append(f"{name}: the director counts it nowhere")
    notes += [f"{tell_key(key)}: its record, sealed {seal}, is not there" for seal, key in waiting.items()]
    if not results:
        raise UnusableInput("none of these records counts" + (f": {notes[0]}" if notes else ""))
    return Gathered(
        tournament, rulings["counts"] or "places", list(results.values()), rulings["sat_out"], notes, begun)


def check_tournament(name: str, game: Game, tournament: str, begun: str) -> None:
    """UnusableInput if it is a game of another tournament, or of one of that name which began at another time."""
    is_another = game.said("tournament") not in ("", tournament)
    if not is_another and (not begun or game.said(BEGUN) in ("", begun)):
        return
    told = [(game.said("tournament"), game.said(BEGUN)), (tournament, begun)]
    mine, others = (foreign.shorten(one) + ("" if is_another else f", begun {foreign.shorten(at)}") for one, at in told)
    raise UnusableInput(f"{name}: a game of {mine}, and the others are of {others}: take one tournament at a time")
