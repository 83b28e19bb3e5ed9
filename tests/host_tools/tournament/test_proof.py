"""One table speaks for itself: whose account brings whose record, what a key proves, and one tournament at a time."""

import dataclasses
import json

import pytest

from host_tools.cli import UNUSABLE, run
from host_tools.commands.tournament_parts import prepare
from host_tools.base.errors import UnusableInput
from host_tools.club.tournament import exported, intake, pages, recompute
from host_tools.club.tournament.exported import make_files
from host_tools.club.tournament.by_hand import enter_places
from host_tools.club.tournament.orders import Order
from host_tools.club.tournament.people import name_table
from host_tools.club.tournament.intake import COUNTED, DISPUTED, REFUSED, Receipt, offer, offer_all, orders
from host_tools.club.tournament.rehearse import begin as begin_order
from host_tools.club.tournament.rehearse import play_order, seal
from host_tools.club.tournament.results import judge_record
from host_tools.club.tournament.roles import Visitor
from host_tools.club.tournament.room import Room
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.standings import write_csv
from host_tools.club.tournament.state import fold
from host_tools.club.tournament.wording import Wording
from host_tools.club.wire import topics
from host_tools.club.wire.attend import event_of, make_desk
from tests.host_tools.tournament.made import NAMES, begin, played

KEY = bytes(range(32))


@pytest.fixture
def director(tmp_path):
    made = begin(tmp_path / "a.sqlite", rounds=2)
    seat_round(made, "arbiter")
    yield made
    made.close()


def without(order, *keys):
    """The order of a game whose header lacks these lines."""
    lines = [line for line in order.setup.split("\n") if not line.startswith(keys)]
    return dataclasses.replace(order, setup="\n".join(lines))


def test_r9_an_account_decides_no_other_tables_game(director):
    """Four records of other tables, made by anybody who knows the pairings, counted; the true ones became disputes."""
    desk = make_desk(director)
    desk.due(1.0)
    forged = {order.table: played(order, 5, director.plan) for order in orders(director)}
    said = desk.heard([topics.offer(event_of(director), "table-1", record) for record in forged.values()])
    answers = [topics.read_receipt(message.payload)[1] for message in said]
    assert answers == [COUNTED, REFUSED, REFUSED] and "it is a game of table-2" in said[1].payload.decode()
    assert [key[1] for key in director.state.results] == ["table-1"] and not director.state.disputes
    true = [(order.table, played(order, 6, director.plan)) for order in orders(director)]
    said = desk.heard([topics.offer(event_of(director), table, record) for table, record in true])
    assert [topics.read_receipt(message.payload)[1] for message in said] == [COUNTED, COUNTED]


@pytest.mark.parametrize("gone", [("table:",), ("table:", "tournament:", "round:")])
def test_r9_a_record_that_names_no_table_is_found_by_its_players_and_still_refused(director, gone):
    record = played(without(orders(director)[1], *gone), 5, director.plan)
    assert offer(director, record, "mqtt:table-1").status != COUNTED and not director.state.results
    if "round:" in gone:
        assert offer(director, record, "a file").status == COUNTED
        assert offer(director, record, "mqtt:table-2").status == "known"


def test_a_game_from_before_a_round_that_comes_again_by_itself_waits_for_the_arbiter(tmp_path):
    """A table offers what was refused once more when the director comes: it counted as the round's game, and the true
    one was disputed."""
    director = begin(tmp_path / "a.sqlite", names=("Anna", "Boris"), low=2, best=2, high=2, rounds=2)
    warm = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"
    record = play_order(Order("x", 1, 1, ("Anna", "Boris"), warm), 9)
    assert offer(director, record, "mqtt:table-1").reason == "No round has been seated yet."
    seat_round(director, "arbiter")
    receipt = offer(director, record, "mqtt:table-1")
    assert receipt.status == DISPUTED and "it names no tournament" in receipt.reason
    assert offer(director, played(orders(director)[0]), "mqtt:table-1").status == COUNTED
    number = next(iter(director.state.disputes))
    director.act("arbiter", "decided", dispute=number, takes=False, reason="warm-up", round=0, table="", game=1)
    assert offer(director, record, "mqtt:table-1").status == "known" and len(director.state.results) == 1
    director.close()


def test_r9_a_record_without_a_tables_name_goes_round_no_key(tmp_path):
    """The key was looked up by the header's name: none was there, and none was asked for."""
    director = begin(tmp_path / "x.sqlite", names=("Anna", "Boris", "Vera"), low=3, best=3, high=3)
    director.act("arbiter", "table named", name="red", key=KEY.hex())
    seat_round(director, "arbiter")
    order = orders(director)[0]
    record = play_order(without(order, "table:", "tournament:", "round:"), 1)
    receipt = offer(director, record, "x")
    assert receipt == Receipt(REFUSED, receipt.seal, "It names no table, so the key of red proves nothing.")
    assert offer(director, play_order(order, 1, KEY), "x").status == COUNTED
    assert [one.is_proved for one in director.state.results.values()] == [True]
    assert director.tell_proof() == ""
    director.act("arbiter", "table named", name="blue", key="")
    assert director.tell_proof().startswith("1 of 2 tables have no key: any record that fits counts there")
    director.close()


def keyed(tmp_path, *keys):
    """One table whose key was named, or taken back (""), in that order; its next order."""
    director = begin(tmp_path / "keyed.sqlite", names=("Anna", "Boris", "Vera"), low=3, best=3, high=3)
    for key in keys:
        director.act("arbiter", "table named", name="red", key=key, watch="")
    seat_round(director, "arbiter")
    return director, orders(director)[0]


def proofs(director):
    """Whether each result is proved, now and once the log was read again from its beginning."""
    found = [one.is_proved for one in director.state.results.values()]
    assert found == [one.is_proved for one in fold(director.events).results.values()]
    return found


def test_r9_an_undo_that_brings_a_key_back_proves_nothing_that_came_without_it(tmp_path):
    """The key was taken away, anybody's record counted, and with the key it was called proved."""
    director, order = keyed(tmp_path, KEY.hex(), "")
    removal = director.state.last - 1
    assert offer(director, play_order(order, 1, bytes(32)), "x").status == COUNTED
    assert proofs(director) == [False]
    director.undo("arbiter", removal, "the key is right")
    assert director.state.table_keys == {"red": KEY.hex()} and proofs(director) == [False]
    director.close()


def test_r9_an_undone_naming_that_is_brought_back_proves_nothing_that_came_meanwhile(tmp_path):
    director, order = keyed(tmp_path, KEY.hex())
    undo = director.undo("arbiter", director.state.last - 1, "another table's")
    assert offer(director, play_order(order, 1, bytes(32)), "x").status == COUNTED
    director.undo("arbiter", undo.number, "it was this table's")
    assert proofs(director) == [False]
    number = next(event.number for event in director.events if event.kind == "result")
    director.undo("arbiter", number, "play it again")
    assert offer(director, play_order(order, 1, bytes(32)), "x").status == REFUSED
    receipt = offer(director, play_order(order, 1, KEY), "x")
    assert receipt.status == COUNTED and proofs(director) == [True]
    kept = director.store.record(receipt.seal)
    assert kept == play_order(order, 1, KEY), "not the forged one, which has the same letters and other seals"
    director.close()


def test_r9_a_result_is_proved_by_the_key_that_was_asked_for_while_that_key_stands(tmp_path):
    """A new key, or none, changes nothing of what came before; an undo that says it was another table's key does."""
    old, new = bytes(32).hex(), KEY.hex()
    director, order = keyed(tmp_path, old, new)
    assert offer(director, play_order(order, 1, KEY), "x").status == COUNTED and proofs(director) == [True]
    for key in ("", old):
        director.act("arbiter", "table named", name="red", key=key, watch="")
        assert proofs(director) == [True]
        director.undo("arbiter", director.state.last, "a test")
    director.undo("arbiter", next(event.number for event in director.events if event.data.get("key") == new), "wrong")
    assert director.state.table_keys == {"red": old} and proofs(director) == [False]
    director.close()


def test_r9_what_a_person_decides_of_a_proved_record_leaves_it_proved(tmp_path):
    """The page said of a corrected result that the table had no key."""
    director, order = keyed(tmp_path, KEY.hex())
    assert offer(director, play_order(order, 1, KEY), "x").status == COUNTED
    assert offer(director, play_order(order, 2, KEY), "x").status == DISPUTED
    number = next(iter(director.state.disputes))
    director.act("arbiter", "decided", dispute=number, takes=True, reason="a rehearsal", round=0, table="", game=1)
    key, had = next(iter(director.state.results.items()))
    director.act("arbiter", "corrected", key=list(key), outcome=had.outcome.as_data(), reason="the same")
    assert proofs(director) == [True]
    director.close()


def test_r9_a_table_that_is_named_again_keeps_its_key_and_its_address(tmp_path):
    """`table NAME --watch URL` behind `table NAME --key FILE` took the key away, and said nothing."""
    director = begin(tmp_path / "a.sqlite")
    name_table(director, "arbiter", "red", key=KEY.hex())
    name_table(director, "arbiter", "red", watch="http://127.0.0.1:9/")
    name_table(director, "arbiter", "red")
    assert director.state.tables() == ["red"]
    assert director.state.table_keys == {"red": KEY.hex()} and director.state.watched == {"red": "http://127.0.0.1:9/"}
    director.close()


def test_r9_an_undo_takes_a_key_away_though_the_table_was_named_again_since(tmp_path):
    """The later event kept a copy of the key, and a result that another table had made stayed proved."""
    director = begin(tmp_path / "a.sqlite", names=("Anna", "Boris", "Vera"), low=3, best=3, high=3)
    name_table(director, "arbiter", "red", watch="http://127.0.0.1:8/")
    name_table(director, "arbiter", "red", key=KEY.hex())
    wrong = director.state.last
    name_table(director, "arbiter", "red", watch="http://127.0.0.1:9/")
    seat_round(director, "arbiter")
    assert offer(director, play_order(orders(director)[0], 1, KEY), "x").status == COUNTED
    assert proofs(director) == [True]
    undo = director.undo("arbiter", wrong, "another table's key")
    assert director.state.table_keys == {"red": ""} and proofs(director) == [False]
    assert director.state.watched == {"red": "http://127.0.0.1:9/"}
    director.undo("arbiter", undo.number, "it was this table's")
    assert director.state.table_keys == {"red": KEY.hex()} and proofs(director) == [True]
    director.close()


def test_r9_results_that_nobody_proves_are_called_so(director):
    assert director.tell_proof().startswith("no table has a key")
    offer_all(director, [(played(order, 1, director.plan), "x") for order in orders(director)])
    result = next(iter(director.state.results.values()))
    assert not result.is_proved
    for language, word in (("en", "unproved"), ("ru", "без доказательства")):
        page = pages.evening(director.state, Visitor(), Room({}, False, ""), Wording(language))
        assert word in page
    told = json.loads(exported.make_files(director)["tournament.json"])
    assert [one["proved"] for one in told["results"]] == [False] * 3


def test_the_key_comes_over_the_cable_in_one_step(tmp_path, monkeypatch, capsys):
    class Port:
        def __init__(self, port):
            assert port == "/dev/ttyX"

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def read(self, name):
            assert name == "key.bin"
            return Port.said

    Port.said = KEY
    monkeypatch.setattr("host_tools.maker.device.table.Table", Port)
    director = begin(tmp_path / "a.sqlite")
    director.close()
    words = ["tournament", "table", "red", "--database", str(tmp_path / "a.sqlite"), "--port", "/dev/ttyX"]
    assert run(words) == 0
    Port.said = b"short"
    assert run(words) == UNUSABLE and run([*words, "--key", str(tmp_path)]) == UNUSABLE
    assert "has 5 bytes, not 32" in capsys.readouterr().err
    with pytest.raises(UnusableInput):
        prepare.take_key("/dev/ttyX")


def test_a3_records_of_two_tournaments_are_not_added_up(director, tmp_path):
    """They were one table of standings, or `is there twice`: the wrong advice."""
    other = begin(tmp_path / "b.sqlite", name="Winter cup")
    seat_round(other, "arbiter")
    found = [(made.plan.name, played(orders(made)[at], 1, made.plan)) for at, made in enumerate((director, other))]
    with pytest.raises(UnusableInput, match="Winter cup: a game of Winter cup, and the others are of Autumn cup"):
        recompute.recompute(found)
    assert offer(other, found[1][1], "x").status == COUNTED
    rulings = recompute.read_rulings(recompute.export_rulings(other.state), "x")
    with pytest.raises(UnusableInput, match="Autumn cup: a game of Autumn cup, and the others are of Winter cup"):
        recompute.recompute(found, rulings)
    assert recompute.recompute(found[1:], rulings)[0]
    other.close()




def again(director):
    """The director's standings, and those that its export gives on another machine, with what is said of records."""
    files = make_files(director)
    records = [(name, content) for name, content in files.items() if name.endswith(".rec")]
    rows, notes = recompute.recompute(records, recompute.read_rulings(files["rulings.json"].decode(), "x"))
    return files["standings.csv"].decode(), write_csv(rows), notes


def test_an_export_gives_the_directors_own_standings_whatever_was_decided(tmp_path):
    """A record that was taken at another table, one that came after its round was closed, one that was undone, and a
    slip before a record with more in it: each counts as the director counts it, once."""
    def fresh(name):
        director = begin(tmp_path / f"{name}.sqlite", name=name)
        seat_round(director, "arbiter")
        return director, orders(director)[0]

    director, order = fresh("undone")
    assert offer(director, played(order, 1), "x").status == COUNTED
    director.undo("arbiter", director.state.last, "a rehearsal")
    assert offer(director, played(order, 2), "x").status == COUNTED
    mine, theirs, notes = again(director)
    assert mine == theirs and not notes
    director.close()

    director, order = fresh("late")
    director.act("arbiter", "closed", round=1, reason="the alarm")
    assert offer(director, played(order, 3), "x").status == DISPUTED
    seat_round(director, "arbiter")
    assert offer(director, played(orders(director)[0], 4), "x").status == COUNTED
    mine, theirs, notes = again(director)
    assert mine == theirs and not notes and len(director.state.results) == 1
    director.close()

    director, order = fresh("corrected")
    assert offer(director, played(order, 5), "x").status == COUNTED
    key, had = next(iter(director.state.results.items()))
    other = dataclasses.replace(had.outcome, places=had.outcome.places[::-1], lost=had.outcome.places[0])
    director.act("arbiter", "corrected", key=list(key), outcome=other.as_data(), reason="read wrongly")
    mine, theirs, notes = again(director)
    assert mine == theirs and not notes
    assert recompute.recompute([("a", b"")], recompute.read_rulings(recompute.export_rulings(director.state), "x"))[0]
    director.close()


def test_a_forged_round_is_a_sentence_and_stops_no_honest_record(director):
    """Anybody can seal a record for a table without a key."""
    order = orders(director)[0]
    for number in ("00019", "0", "-1", "999999"):
        forged = play_order(dataclasses.replace(order, setup=order.setup.replace("round: 1", f"round: {number}")), 7)
        assert offer(director, forged, "x").status in (DISPUTED, REFUSED), number
    assert offer(director, played(order, 8), "x").status == COUNTED


def test_d6_who_sat_elsewhere_than_planned_deals_next_all_the_same(tmp_path):
    """The record says who deals and how the match stands by its own seats."""
    director = begin(tmp_path / "seats.sqlite", NAMES[:3], low=3, best=3, high=3, games=2, game="durak throw-in")
    seat_round(director, "arbiter")
    order = orders(director)[0]
    turned = (order.players[2], *order.players[:2])
    record = play_order(dataclasses.replace(
        order, players=turned, setup=order.setup.replace("; ".join(order.players), "; ".join(turned))), 3)
    assert offer(director, record, "x").status == COUNTED
    said = dict(line.split(": ", 1) for line in orders(director)[0].setup.split("\n") if ": " in line)
    following = judge_record(record).following
    planned = said["seats"].split("; ")
    assert planned == list(order.players) and planned[int(said["dealer"]) - 1] == turned[int(following["dealer"]) - 1]
    by_name = dict(zip(turned, following["standing"].split(), strict=True))
    assert dict(zip(planned, said["standing"].split(), strict=True)) == by_name
    director.close()


@pytest.mark.parametrize(("count", "fits"), [(6, True), (20, False)])
def test_who_sat_out_is_named_by_the_records_or_missed(tmp_path, count, fits):
    """A line of a header has no room for twenty names; nothing is left out without a word."""
    director = begin(tmp_path / "many.sqlite", [f"Member number {at} of the club" for at in range(count)], low=2,
                     best=2, high=2)
    director.act("arbiter", "table named", name="north", key="", watch="")
    seat_round(director, "arbiter")
    offer_all(director, [(play_order(order, 1, plan=director.plan), "") for order in orders(director)])
    files = make_files(director)
    director.close()
    records = [(name, content) for name, content in files.items() if name.endswith(".rec")]
    rows, notes = recompute.recompute(records)
    assert (write_csv(rows).encode() == files["standings.csv"]) == fits
    assert notes == [] if fits else notes[0].startswith("18 players sat out round 1, and no record has the room")
    rulings = recompute.read_rulings(files["rulings.json"].decode(), "")
    del rulings["results"]  # as an older cardtable wrote them
    for told in (rulings, recompute.read_rulings(files["rulings.json"].decode(), "")):
        rows, notes = recompute.recompute(records, told)
        assert (write_csv(rows).encode(), notes) == (files["standings.csv"], [])


def test_r9_a_key_that_comes_while_a_record_is_judged_is_asked_for(director, monkeypatch):
    """Else its result was called proved, and nobody had looked at the seal."""
    real = intake.judge

    def judge(record, keys):
        game = real(record, keys)
        if "table-1" not in director.state.table_keys:
            director.act("arbiter", "table named", name="table-1", key=KEY.hex(), watch="")
        return game

    monkeypatch.setattr(intake, "judge", judge)
    assert offer(director, played(orders(director)[0], 1, director.plan), "x").status == REFUSED
    assert offer(director, play_order(orders(director)[0], 1, KEY), "x").status == COUNTED
    assert [one.is_proved for one in director.state.results.values()] == [True]


@pytest.mark.parametrize(("line", "status"), [("durak throw-in", COUNTED), ("durak", COUNTED), ("bailiff", DISPUTED),
                                              ("durak throw-in deck=52", DISPUTED), ("durak transfer", DISPUTED)])
def test_a_game_that_was_played_in_place_of_the_order_counts_by_the_same_rules_alone(director, line, status):
    """Who declines an order plays without its keys: a game of Bailiff between two rounds counted as the round's."""
    order = without(orders(director)[0], "table:", "tournament:", "round:", "counts:")
    order = dataclasses.replace(order, setup=order.setup.replace(f"game: {director.plan.game}", f"game: {line}"))
    receipt = offer(director, played(order, 3), "x")
    assert receipt.status == status and (status == COUNTED or line in receipt.reason)


@pytest.mark.parametrize("source", ["a file", "mqtt:table-1"])
def test_the_record_behind_a_slip_counts_where_its_letters_were_typed(source, tmp_path):
    """It names neither tournament nor round, and the same two play again: it counted as the game of the later round."""
    director = begin(tmp_path / "a.sqlite", names=("Anna", "Boris"), low=2, best=2, high=2, rounds=2)
    seat_round(director, "arbiter")
    order = orders(director)[0]
    record = played(without(order, "table:", "tournament:", "round:", "counts:"), 1)
    game = judge_record(record)
    assert intake.enter(director, "arbiter", (1, order.table, 1), game.outcome, game.seal).status == COUNTED
    seat_round(director, "arbiter")
    assert offer(director, record, source).status == "known"
    assert list(director.state.results) == [(1, order.table, 1)] and not director.state.disputes
    director.close()


def test_letters_of_another_game_on_a_slip_are_seen_once_its_record_comes(tmp_path):
    """One record stood behind two games, and nobody was told; the rulings of the export then lacked one of them."""
    director = begin(tmp_path / "letters.sqlite", NAMES[:6], low=3, best=3, high=3)
    seat_round(director, "arbiter")
    one, two = orders(director)
    record = played(one, 1)
    slip = enter_places(director, "arbiter", (1, two.table, 1), "; ".join(two.players), None, False,
                        judge_record(record).seal)
    assert slip.status == COUNTED
    receipt = offer(director, record, "x")
    assert receipt.status == DISPUTED
    said = f"its letters were typed with the result of game 1 at {two.table} in round 1"
    assert said in receipt.reason and "её буквы введены" in Wording("ru").retell(said)
    number = next(iter(director.state.disputes))
    director.act("arbiter", "decided", dispute=number, takes=True, reason="the slips lay in one pile", round=0,
                 table="", game=1)
    mine, theirs, notes = again(director)
    assert mine == theirs and not notes and len(director.state.results) == 2
    director.close()


def test_a_slip_with_the_letters_of_an_aborted_game_waits_for_the_arbiter(tmp_path):
    """The record was taken in as aborted, the game of the slip counted, and `recompute` did not find it."""
    director = begin(tmp_path / "aborted.sqlite", NAMES[:3], low=3, best=3, high=3)
    seat_round(director, "arbiter")
    order = orders(director)[0]
    header, _ = begin_order(order, 1)
    record = seal(order, header, ["1.000 0 abort", "result: aborted"])
    assert enter_places(director, "arbiter", (1, order.table, 1), "; ".join(order.players), None, False,
                        judge_record(record).seal).status == COUNTED
    receipt = offer(director, record, "x")
    assert receipt.status == DISPUTED and "by the record the game was aborted" in receipt.reason
    mine, theirs, notes = again(director)
    assert mine == theirs and not notes
    director.close()


def test_a_table_that_refused_what_the_rules_allow_counts_by_no_more_than_its_seal(tmp_path):
    """`cardtable replay` calls such a record wrong, and it counted here: a table with changed firmware could refuse one
    player what was right, and be proved."""
    director = begin(tmp_path / "rigged.sqlite", NAMES[:3], low=3, best=3, high=3)
    seat_round(director, "arbiter")
    order = orders(director)[0]
    header, _ = begin_order(order, 1)
    lines = play_order(order, 1).decode().split("\n\n", 1)[1].split("\n")[:-1]
    lines = [line for line in lines if not line.startswith("~ ")]
    at = next(at for at, line in enumerate(lines) if " attack " in line)
    tried = f"{lines[at]} ! D16", f"{lines[at].split()[0]} 0 resume ! T10"
    rigged, honest = (seal(order, header, [*lines[:at], line, *lines[at:]]) for line in tried)
    receipt = offer(director, rigged, "x")
    assert receipt.status == DISPUTED and f"refused what the rules allow: '{tried[0]}'" in receipt.reason
    assert "стол отказал в том, что по правилам можно" in Wording("ru").retell(judge_record(rigged).doubt)
    assert offer(director, honest, "x").status == COUNTED
    director.close()
