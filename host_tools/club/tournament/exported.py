"""Writes a tournament as files for other programs: CSV, JSON, and the records themselves. No secret of it: neither keys
of tables nor links."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import SHEET, no_formula
from host_tools.club.tournament.director import Director
from host_tools.club.tournament.prizes import count_pool, find_prizes, money
from host_tools.club.tournament.recompute import export_rulings
from host_tools.club.tournament.standings import write_csv

WHOLE, RECORDS = "tournament.json", "records"


def check_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """UnusableInput for a folder that holds another evening: the two would be one from then on."""
    kept = folder / WHOLE
    if kept.exists():
        there, ours = (told["tournament"] for told in (foreign.read_json(kept, {"tournament": str}),
                                                       foreign.parse_json(files[WHOLE])))
        if there != ours:
            raise UnusableInput(f"{kept} is of {foreign.shorten(there)}: each evening has a folder of its own")
    for path in sorted((folder / RECORDS).glob("*.rec")):
        if f"{RECORDS}/{path.name}" not in files:
            raise UnusableInput(f"{path} is of no game of this evening: each evening has a folder of its own")


def make_files(director: Director) -> dict[str, bytes]:
    """The content of each file by its name."""
    rows = director.standings()
    with director.looking() as state:
        plan = state.the_plan()
        prizes = find_prizes(count_pool(state), plan.prizes, rows)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["player", "club", "team", "left", "prize"])
        for entrant in state.players.values():
            writer.writerow([entrant.name, entrant.club, entrant.team, no_formula(entrant.left),
                             money(prizes.get(entrant.name, 0))])
        rounds = [{"round": one.number, "tables": {table: list(group) for table, group in one.groups.items()},
                   "sat_out": list(one.byes), "gave_up": one.gave_up, "closed": one.closed} for one in state.rounds]
        results = [{"round": key[0], "table": key[1], "game": key[2], "seal": result.seal, "source": result.source,
                    "proved": result.is_proved, **result.outcome.as_data()}
                   for key, result in sorted(state.results.items())]
        whole = {"tournament": plan.name, "game": plan.game, "format": plan.format, "counts": plan.counts,
                 "rounds": rounds, "results": results}
        rulings = export_rulings(state, director.store.list_seals())
    files = {"standings.csv": write_csv(rows), "players.csv": SHEET + text.getvalue(), "rulings.json": rulings,
             WHOLE: json.dumps(whole, ensure_ascii=False, indent=1) + "\n"}
    found = {name: content.encode() for name, content in files.items()}
    for seal in director.store.list_seals():
        content = director.store.record(seal)
        assert content is not None
        found[f"{RECORDS}/{seal.replace(' ', '-')}.rec"] = content
    return found
