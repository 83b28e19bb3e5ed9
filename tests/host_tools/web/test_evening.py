"""From one game to the next at a live table: the match, kept records, another language, the arbiter's key."""

import pytest

from cardtable.engine.reading import read_header
from cardtable.games import durak
from host_tools.play.acts import Actor
from host_tools.play.library import ORDER_FILE
from host_tools.play.table import LiveTable
from host_tools.sight.course import Course
from host_tools.sight.viewer import Viewer
from host_tools.play.web.serve import LOOPBACK
from host_tools.club.wire.sources import VirtualTables
from tests.host_tools.web.served import PEOPLE, Page, Served, read
from tests.host_tools.web.test_secrets import Watched, header

pytestmark = pytest.mark.micropython


def test_d6_a_finished_game_leads_to_the_next_one_of_the_match(tmp_path):
    """The firmware's own lobby proposes it, with its dealer; the finished one is kept once."""
    with Watched(header("durak throw-in", 2), [1], library=tmp_path, seed=3) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "bot:beginner", f"P{seat}")
        table.run_until(lambda: table.known.is_closed and table.known.records, "the record")
        lost = table.session.game.losers(table.session.state)
        dealer = lost.bit_length() - 1 if lost else 2  # the fool; after a draw who dealt before
        records = sorted(tmp_path.glob("*.rec"))
        assert len(records) == 1 and "result: " in records[0].read_text()
        table.post(lambda: Actor(table, "host", []).do({"do": "next"}))
        table.run_until(lambda: table.phase in ("deal", "play"), "the next game")
        assert table.header.match_game == 2
        assert table.header.dealer == dealer
        assert table.header.seats == ["P1", "P2"]
        assert sorted(tmp_path.glob("*.rec")) == records


def test_t10_the_arbiters_key_and_a_strangers_tag_by_free_hand(tmp_path):
    """Any tag on any reader: a stranger is refused, the key opens the arbiter's menu."""
    with Watched(header("durak throw-in", 2), [1], seed=3) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "here", f"P{seat}")
        table.run_until(lambda: table.phase == "play", "the game")
        host = Actor(table, "host", [1, 2])
        table.post(
            lambda: [host.do({"do": "free", "on": True}), host.do({"do": "tag", "tag": "stranger", "reader": 1})]
        )
        table.run_until(lambda: table.follower.course and 1 in table.follower.course.refusals, "the refusal")
        assert table.follower.course.refusals[1].rule == "T2"
        table.post(
            lambda: [host.do({"do": "lift", "reader": 1}), host.do({"do": "tag", "tag": "arbiter", "reader": 2})]
        )
        table.run_until(lambda: "pause" in " ".join(table.watch.glass(0)["text"]), "the arbiter's menu")


def test_t3_a_card_that_lies_on_another_reader_is_drawn_once_it_is_free():
    """Until then the hands that want it wait, and the table goes on."""
    with Watched(header("durak throw-in", 2), [1], seed=3) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "bot:beginner", f"P{seat}")
        table.run_until(lambda: next_drawn(table), "the deal")
        name = table.name_of(next_drawn(table))
        assert read(table, lambda: table.tags.put(7, name))
        late_us = table.now_us + 5_000_000
        table.run_until(lambda: table.now_us > late_us, "five seconds of a deal that stands")
        assert table.phase == "deal"
        read(table, lambda: table.tags.take(7, name))
        table.run_until(lambda: table.phase == "play", "the game")


def shuffle(folder, seed, nonces):
    """The stocks of the games that a table with that seed plays."""
    table, orders = LiveTable(folder, seed=seed), []
    for nonce in nonces:
        lines = header("durak throw-in", 2).replace("first: 1\n", f"nonce: {nonce}\n")
        said, _ = read_header(iter(lines.splitlines(True)))
        table.follower.course = Course(said, durak)
        table.known.take_in()
        orders.append(table.cards.order)
    return orders


def test_a_seed_repeats_the_shuffles_and_each_game_of_a_table_is_shuffled_anew(tmp_path):
    """Though every table has a key of its own, and every game a nonce; after a power cut it is the same game."""
    first, second, third = shuffle(tmp_path / "one", 3, ["aa", "bb", "bb"])
    assert shuffle(tmp_path / "two", 3, ["cc", "dd"]) == [first, second] and second == third
    other = shuffle(tmp_path / "three", 4, ["aa"])[0]
    assert len({tuple(order) for order in (first, second, other)}) == 3


def next_drawn(table):
    """The card that one of two seats draws next, behind those that are on their way; else None."""
    drawn = [table.hands[seat]._next_draw() for seat in (1, 2)] if table.phase == "deal" and table.cards else []
    return next((card for card in drawn if card is not None), None)


def test_the_table_speaks_another_language_and_the_game_goes_on():
    """Words on the glass and in the feed; the hands are as they were."""
    with Watched(header("durak throw-in", 2), [1], seed=3) as table:
        for seat in (1, 2):
            table.seating.sit(seat, "here", f"P{seat}")
        table.run_until(lambda: table.phase == "play", "the game")
        before = table.cards.hand(1)
        table.post(lambda: Actor(table, "host", [1, 2]).do({"do": "language", "language": "ru"}))
        table.run_until(
            lambda: (
                table.phase == "play"
                and table.language == "ru"
                and table.cards is not None
                and any("а" <= letter <= "я" for letter in "".join(table.watch.glass(0)["text"]))
            ),
            "the game in Russian",
        )
        assert table.cards.hand(1) == before


def test_a_game_that_a_fresh_lobby_begins_has_players(tmp_path):
    """OK on a new table: seat 1 is the person's, virtual players sit at the others, and the cards are dealt."""
    with Served(tmp_path, seed=1, speed=1000.0) as served:
        table = served.table
        served.wait(lambda: table.phase == "lobby", "the lobby")
        for _ in range(8):
            if served.read(lambda: table.phase) != "lobby":
                break
            served.read(lambda: Actor(table, "host", [1]).do({"do": "press", "seat": 1, "key": "OK"}))
            glass = served.read(lambda: table.watch.glass(0)["text"])
            served.wait(lambda was=glass: table.phase != "lobby" or table.watch.glass(0)["text"] != was, "a new page")
        served.wait(lambda: table.phase == "play", "the game")
        whos = served.read(lambda: [table.seating.chairs[seat + 1].who for seat in range(len(table.header.seats))])
        assert whos == ["here", *["bot:beginner"] * (len(whos) - 1)]


def test_an_order_of_the_director_shows_at_a_running_table_and_never_in_a_game(tmp_path):
    """Once nobody touches the lobby, it proposes the game; OK begins it with the order's own keys."""
    setup = ("cardtable 1\ngame: durak throw-in\nseats: Olga; Pavel\ndealer: 2\ntable: %s\ntournament: Cup\nround: 2"
             "\n\n")
    with Served(tmp_path, seed=1, speed=1000.0) as served:
        table, order = served.table, served.table.folder / ORDER_FILE
        tables, name = VirtualTables(tmp_path), served.table.folder.name
        served.wait(lambda: table.phase == "lobby", "the lobby")
        assert tables.bring(name, setup % name)
        served.wait(lambda: not order.exists() and table.phase == "lobby", "the order")
        served.wait(lambda: "Pavel" in "".join(table.watch.glass(0)["text"]), "the proposal")
        served.read(lambda: Actor(table, "host", [1]).do({"do": "press", "seat": 1, "key": "OK"}))
        served.wait(lambda: table.header is not None and table.phase != "lobby", "the game")
        assert list(table.header.seats) == ["Olga", "Pavel"] and dict(table.header.keys)["round"] == "2"
        assert tables.bring(name, setup % name)
        for is_closed in (False, True):  # even if the table took the game for closed
            served.read(lambda closed=is_closed: setattr(table, "is_closed", closed))
            looked = served.read(lambda: table.orders.asked_s)
            served.wait(lambda since=looked: table.orders.asked_s > since, "a look")
        assert order.exists() and served.read(lambda: table.is_playing)


def test_refusals_of_acts_are_in_the_tables_language(tmp_path):
    """What the server itself does not take is said in Russian at a Russian table, errors of set-up too."""
    five = [{"name": name, "who": "here"} for name in ("Anna", "Boris", "Vera", "Gleb", "Dina")]
    with Served(tmp_path, seed=1, language="ru") as served:

        async def ask():
            host = await Page(served.address, served.table.seating.host, "russian1").open()
            await host.until(lambda: "table" in host.told)
            answers = [
                await host.done("tap", seat=1, card="6H"),
                await host.done("start", game="durak teams=two", seats=PEOPLE),
                await host.done("start", game="malice", seats=five),
                await host.done("start", game="durak",
                                seats=[{"name": name, "who": "here"} for name in ("Vera", " Vera ")]),
            ]
            await host.close()
            return [answer["why"] for answer in answers]

        tap, option, seats, same = served.run(ask())
        served.read(lambda: [served.table.known.hear(line) for line in ("lost: game 0001, 3 lines", "set-up: no room")])
        view, said = served.read(lambda: (Viewer(served.table.scene()).tell_view(), served.table.known.feed.lines[-1]))
        assert said["text"] == "Память потеряла последние 3 строки игры 0001." and said["kind"] == "table"
        assert view["notice"] == "С этой настройкой играть нельзя: no room."
        assert tap == "карт ещё нет"
        assert option.startswith("teams=two: возможно одно из")
        assert "рассчитана на 2–4 мест" in seats
        assert same == "у двух мест одно имя"


def test_servers_bind_to_loopback_unless_told(tmp_path):
    """And the names by which a browser may call them are loopback's."""
    with Served(tmp_path, seed=1) as served:
        assert served.address.startswith(f"http://{LOOPBACK}:")
        assert {name.split(":")[0] for name in served.desk.names} == {LOOPBACK, "localhost"}


def test_a_page_that_was_open_before_a_restart_takes_the_new_lines(tmp_path):
    """It drops every line whose number is not above its last."""
    counts = []
    for _ in range(2):
        with Served(tmp_path, seed=1) as served:
            counts.append(served.read(lambda served=served: served.table.known.feed.count))
    assert 10**12 < counts[0] <= counts[1]
