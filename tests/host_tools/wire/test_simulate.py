"""A whole tournament over a real broker, and a director that is a process of its own."""

import asyncio
import contextlib
import json
import re

import aiohttp
import pytest

from host_tools.lab.bench import network
from host_tools.cli import RIGHT, UNUSABLE, run
from host_tools.club.tournament.director import open_director
from host_tools.club.tournament.intake import orders
from host_tools.club.tournament import rehearse
from host_tools.club.tournament.orders import Order
from host_tools.club.tournament.rehearse import play_at_random, play_order
from host_tools.club.tournament.results import judge_record
from host_tools.club.tournament.rounds import is_over
from host_tools.play.web import door
from host_tools.club.wire import simulate, topics
from host_tools.club.wire.attend import event_of, make_desk
from host_tools.club.wire.courier import Courier
from host_tools.club.wire.desk import name_orders
from host_tools.club.wire.outbox import Outbox
from host_tools.club.wire.sources import check_setup


def test_a_knock_out_is_played_over_the_network_to_its_end(tmp_path, capsys, monkeypatch):
    """Orders go out, records come in, and the standings fill on their page: the newcomer's one command."""
    base, said, pages = tmp_path / "evening.sqlite", [], []

    async def look_at_it(say, ending):
        said.append(capsys.readouterr().out)
        address = re.search(r"http://\S+/standings", said[0])[0]
        async with aiohttp.ClientSession() as visitor, visitor.get(address) as answer:
            pages.append(await answer.text())

    monkeypatch.setattr(door, "until_told", look_at_it)
    assert run(["tournament", "simulate", "--players", "9", "--jobs", "1", "--keep", str(base), "--page",
                "--no-browser"]) == RIGHT
    assert "0 disputed, 0 refused, 0 lost" in said[0] and " won: 9 players" in said[0]
    assert len(set(re.findall(r"(\d+) (?:games|receipts|counted)", said[0]))) == 1, said[0]
    winner = re.search(r"(Player \d) won", said[0])[1]
    assert re.findall(r"Player \d", pages[0])[0] == winner and len(set(re.findall(r"Player \d", pages[0]))) == 9
    director = open_director(str(base))
    with contextlib.closing(director):
        assert is_over(director.state) and not director.state.disputes
        assert len(director.state.seals) == len(director.state.results) > 2
    assert run(["tournament", "simulate", "--players", "9", "--keep", str(base)]) == UNUSABLE


@pytest.mark.parametrize("game", ["durak throw-in", "cals-bs", "bailiff", "malice"])
def test_a_game_that_nobody_plays_counts_as_every_other(game):
    """Its record is sealed and legal, and the same each time."""
    setup = f"cardtable 1\ngame: {game}\nseats: Anna; Boris; Vera\ndealer: 3\ntable: red\nround: 1\n\n"
    first, other = (Order("red", 1, number, ("Anna", "Boris", "Vera"), setup) for number in (1, 2))
    record = play_at_random(first, 1)
    assert judge_record(record).outcome and record == play_at_random(first, 1)
    events = [[line for line in one.split(b"\n\n")[1].split(b"\n") if line[:1] != b"~"]
              for one in (record, play_at_random(other, 1), play_at_random(first, 2), play_order(first, 1))]
    assert all(one not in events[:at] for at, one in enumerate(events)), "each game is another one"


def test_a_game_that_grows_too_long_is_ended_by_players(monkeypatch):
    class Endless(rehearse.RandomGame):
        def step(self):
            return self.events < 10 and super().step()

    setup = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\ntable: red\nround: 1\n\n"
    order = Order("red", 1, 1, ("Anna", "Boris"), setup)
    monkeypatch.setattr(rehearse, "RandomGame", Endless)
    assert play_at_random(order, 1) == play_order(order, 1)


@pytest.mark.mosquitto
def test_t12_a_real_director_is_killed_in_the_middle_and_nothing_is_lost(capsys):
    """kill -9 of director and broker, a locked database, a cut cable; each table is a client of its own."""
    assert network.main(["--tables", "12", "--engine", "mosquitto", "--faults", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counted"] == told["receipts"] == 12 and told["disputed"] == told["lost"] == 0


@pytest.mark.mosquitto
@pytest.mark.postgres
@pytest.mark.everything
def test_t12_two_directors_on_one_database_are_killed_in_turn_and_nothing_is_lost(postgres_server, capsys):
    """Both answer each table; the games end one after another, and one director is always coming back."""
    from tests.host_tools.tournament.postgres import make_database

    assert network.main(["--tables", "40", "--engine", "mosquitto", "--directors", "2", "--rate", "5", "--kill", "2",
                         "--database", make_database(postgres_server)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counted"] == told["receipts"] == 40 and told["disputed"] == told["lost"] == told["twice"] == 0
    assert told["directors killed"] > 1


def test_orders_of_a_real_director_are_set_ups_that_a_table_takes(tmp_path):
    network.make_evening(str(tmp_path / "base.sqlite"), 3)
    director = open_director(str(tmp_path / "base.sqlite"))
    with contextlib.closing(director):
        found = name_orders(orders(director))
    assert sorted(found) == ["table-1", "table-2", "table-3"]
    for table, (number, setup) in found.items():
        assert check_setup(setup, table) == setup and f"table: {table}\n" in setup
        assert topics.read_order(topics.order("bench", table, number, setup).payload) == (number, setup)


def test_a_director_takes_back_what_the_one_before_it_left_at_the_broker(tmp_path):
    """An order is retained: one that ended while no director was there would be proposed to every table that comes."""
    network.make_evening(str(tmp_path / "base.sqlite"), 2)
    outbox = Outbox(":memory:")
    with contextlib.closing(open_director(str(tmp_path / "base.sqlite"))) as director:
        event = event_of(director)
        courier = Courier(outbox, event, "bridge")
        wanted = name_orders(orders(director))
        courier.heard(make_desk(director).due(0.0)[0])
        assert outbox.orders(event) == wanted and list(wanted) == ["table-1", "table-2"]
        director.act("arbiter", "closed", round=1, reason="the hall is needed")
        desk = make_desk(director)  # another one, which has sent nothing
        assert sorted(desk.due(0.0)[0]) == [topics.order(event, table, "", "") for table in sorted(wanted)]
        courier.heard([topics.order(event, table, "", "") for table in wanted])
        assert outbox.orders(event) == {} and desk.due(2.0)[0] == []
        desk.hello()
        assert len(desk.due(4.0)[0]) == 2


def test_an_order_of_a_round_that_was_undone_is_taken_back_by_the_next_director(tmp_path):
    """Such a table is in no round any more, and was never named."""
    network.make_evening(str(tmp_path / "base.sqlite"), 2)
    with contextlib.closing(open_director(str(tmp_path / "base.sqlite"))) as director:
        seated = next(event.number for event in director.events if event.kind == "seated")
        director.undo("arbiter", seated, "too early")
        found = make_desk(director).due(0.0)[0]
    assert found == [topics.order(event_of(director), table, "", "") for table in ("table-1", "table-2")]


def test_tables_whose_names_are_one_on_the_network_get_no_order():
    from types import SimpleNamespace

    told = [SimpleNamespace(table=name, round=1, game=1, setup="x") for name in ("Club 1", "club-1", "club-2", "##")]
    assert list(name_orders(told)) == ["club-2"]
    assert name_orders(told, ["Club 1", "##", "Club 3"]) == {"club-2": name_orders(told)["club-2"], "club-3": ("", "")}


def test_a_broker_that_cannot_start_is_said(tmp_path):
    from host_tools.base.errors import UnusableInput
    from host_tools.club.wire.simulate import broker_process

    async def start():
        (tmp_path / "broker").write_text("a file where its folder should be")
        async with broker_process("mosquitto", tmp_path / "broker"):
            pass

    with pytest.raises(UnusableInput, match="did not start"):
        asyncio.run(start())


def test_s11_the_embedded_broker_names_its_limit(monkeypatch, capsys):
    """1,000 players at the embedded broker were 1,450 tracebacks on a busy machine."""
    monkeypatch.setattr(simulate.shutil, "which", lambda name, path: "/usr/sbin/mosquitto")
    assert [simulate.choose_engine(*asked) for asked in ((800, ""), (801, ""), (10_000, "mosquitto"))] == [
        "embedded", "mosquitto", "mosquitto"]
    monkeypatch.setattr(simulate.shutil, "which", lambda name, path: None)
    for words in (["--players", "801"], ["--players", "1000", "--engine", "embedded"]):
        assert run(["tournament", "simulate", *words]) == UNUSABLE
        assert "carries 800 players" in capsys.readouterr().err
