"""docs/tournament.md: its commands make an evening, typed in their order."""

import re
import shlex

from host_tools.cli import run
from host_tools.club.tournament.director import open_director
from host_tools.club.tournament.intake import offer, orders
from tests.conftest import ROOT
from tests.host_tools.tournament.made import NAMES, played

PAGE = ROOT / "docs" / "tournament.md"
# Open pages and tables for as long as somebody looks: test_served.py, and test_simulate.py of the network.
SERVES = ("serve", "link", "simulate")


def stand_in(director, words):
    """What the reader of the page knows: who sits at table-1, and the numbers of an event and a dispute."""
    state = director.state
    if words[0] in ("result", "correct"):
        words[2] = "; ".join(sorted(state.round.groups["table-1"]))
    if words[0] == "decide" and len(words) > 1:
        words[1] = str(next(iter(state.disputes)))
    if words[0] == "undo":
        words[1] = str(state.last)
    if words[:3] == ["withdraw", "Vera", "--no-show"]:
        words[1] = next(name for group in state.round.groups.values() for name in group)


def test_the_commands_of_the_page_make_an_evening(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CARDTABLE_DATABASE", raising=False)
    (tmp_path / "players.csv").write_text("player,club,team\nOleg,South club,\nPavel,South club,\n")
    typed = re.findall(r"^    \.venv/bin/cardtable tournament (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    seen = set()
    for line in typed:
        words = shlex.split(line, comments=True)
        seen.add(words[0])
        if words[0] in SERVES:
            continue
        if words[0] != "new":
            director = open_director("tournament.sqlite")
            if words[0] == "take":
                (tmp_path / "records").mkdir()
                (tmp_path / "records" / "1.rec").write_bytes(director.store.record(director.store.list_seals()[0]))
            if words[0] == "result":  # another game than the rehearsal's last
                director.undo("arbiter", max(one.event for one in director.state.results.values()
                                             if one.key[1] == "table-1"), "it was a rehearsal")
            if words == ["decide"]:  # a rival of a game that counts
                director.undo("arbiter", director.state.last, "the slip")
                order = next(one for one in orders(director) if one.table == "table-1")
                assert [offer(director, played(order, seed), "x").status for seed in (8, 9)] == ["counted", "disputed"]
            if words[:2] == ["round", "--close"]:
                undone = next(event.number for event in reversed(director.events) if event.kind == "result")
                assert undone
            stand_in(director, words)
            director.close()
        if words[:2] == ["round", "--close"]:
            assert run(["tournament", "round"]) == 0  # the next one, which the alarm interrupts
        code = run(["tournament", *words])
        said = capsys.readouterr()
        assert code == (1 if words == ["decide"] else 0) and not said.err, (line, said)
    assert {"new", "add", "round", "take", "result", "decide", "correct", "undo", "standings", "prizes", "recompute",
            "backup", "restore", "rehearse", "orders", "print", "export", "withdraw"} <= seen
    assert NAMES
