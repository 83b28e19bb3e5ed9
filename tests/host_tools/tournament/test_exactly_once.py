"""Records count exactly once, in whatever order and however often they come; standings follow from records alone."""

import random

import pytest

from host_tools.club.tournament import recompute
from host_tools.club.tournament.by_hand import enter_places
from host_tools.club.tournament.director import open_director
from host_tools.club.tournament.intake import COUNTED, DISPUTED, KNOWN, REFUSED, offer, offer_all, orders, tables
from host_tools.club.tournament.plan import Plan
from host_tools.club.tournament.rehearse import play_order
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.standings import write_csv
from host_tools.club.tournament.state import Unfit
from tests.host_tools.tournament.made import begin, play_round, played, records


@pytest.fixture
def director(database):
    made = begin(database, rounds=3, games=2, best=4)
    yield made
    made.close()


def test_a_whole_tournament_and_its_standings_from_the_records_alone(director):
    for _ in range(3):
        play_round(director)
    with pytest.raises(Unfit, match="all 3 rounds"):
        seat_round(director, "arbiter")
    kept = [(seal, director.store.record(seal)) for seal in director.store.list_seals()]
    assert len(kept) == 3 * 3 * 2
    random.Random(3).shuffle(kept)
    rows, notes = recompute.recompute(kept)
    assert not notes and write_csv(rows).encode() == write_csv(director.standings()).encode()
    assert sum(row.points for row in rows) == 3 * 3 * 2 * 240  # a table of four: 120 80 40 0
    reopened = open_director(director.store.name if ":" not in director.store.name else director.store.engine.url
                             .render_as_string(hide_password=False))
    assert write_csv(reopened.standings()) == write_csv(rows)
    reopened.close()


def test_the_same_record_twice_is_nothing_and_another_waits(director):
    seat_round(director, "arbiter")
    order, other = orders(director)[:2]
    assert tables(director) == ["table-1", "table-2", "table-3"]
    record = played(order)
    first = offer(director, record, "usb")
    assert first.status == COUNTED and len(first.seal) == 14
    before = director.state.last, write_csv(director.standings())
    for _ in range(3):
        again = offer(director, record, "mqtt")
        assert (again.status, again.seal) == (KNOWN, first.seal)
    assert (director.state.last, write_csv(director.standings())) == before
    forged = played(order, 2)  # another game of the same table, round and number
    disputed = offer(director, forged, "mqtt")
    assert disputed.status == DISPUTED and first.seal in disputed.reason
    assert offer(director, forged, "mqtt").status == KNOWN
    assert write_csv(director.standings()) == before[1]
    assert [offer(director, played(other), "usb").status for _ in range(2)] == [COUNTED, KNOWN]
    number = next(iter(director.state.disputes))
    director.act("arbiter", "decided", dispute=number, takes=True, reason="the first was a rehearsal", round=0,
                 table="", game=1)
    assert director.state.results[1, order.table, 1].seal == disputed.seal
    assert offer(director, record, "usb").status == KNOWN and not director.state.disputes


def test_one_batch_holds_the_same_record_and_its_rival(director):
    seat_round(director, "arbiter")
    order = orders(director)[0]
    batch = [played(order), played(order), played(order, 2), b"nonsense"]
    assert [one.status for one in offer_all(director, [(record, "x") for record in batch])] == [
        COUNTED, KNOWN, DISPUTED, REFUSED]


def test_whatever_order_the_standings_are_the_same(tmp_path):
    seen = set()
    for seed in range(3):
        made = begin(tmp_path / f"{seed}.sqlite", games=1)
        seat_round(made, "arbiter")
        found = records(made) * 2
        random.Random(seed).shuffle(found)
        for record in found:
            offer(made, record, "x")
        seen.add(write_csv(made.standings()))
        made.close()
    assert len(seen) == 1


def test_what_is_no_record_of_this_tournament_is_refused_and_not_kept(director, tmp_path):
    seat_round(director, "arbiter")
    order = orders(director)[0]
    record = played(order)
    elsewhere = begin(tmp_path / "other.sqlite", name="Spring cup")
    seat_round(elsewhere, "arbiter")
    foreign = played(orders(elsewhere)[0])
    elsewhere.close()
    changed = record.replace(b" attack ", b" beat ", 1)
    for bad, why in ((b"", "no sealed record"), (record[:-100], "cut off"), (changed, "changed"),
                     (foreign, "another tournament"), (b"\xff" * 100, "no sealed record")):
        receipt = offer(director, bad, "x")
        assert receipt.status == REFUSED and why in receipt.reason
    assert director.store.list_seals() == []


def test_other_players_another_game_and_another_round_wait_for_the_arbiter(director):
    seat_round(director, "arbiter")
    order = orders(director)[0]
    for was, now, why in (
        (order.players[0], "Somebody", "is seated with"),
        ("game: durak throw-in", "game: durak simple", "the tournament plays"),
        ("round: 1", "round: 9", "there is none"),
        (f"table: {order.table}", "table: elsewhere", "has no table"),
    ):  # fmt: skip
        changed = type(order)(order.table, 1, 1, order.players, order.setup.replace(was, now, 1))
        receipt = offer(director, played(changed), "x")
        assert receipt.status == DISPUTED and why in receipt.reason, receipt
    assert len(director.state.disputes) == 4 and not director.state.results


def test_the_letters_on_paper_are_the_same_key(director):
    seat_round(director, "arbiter")
    one, two, three = orders(director)
    record = played(one)
    receipt = offer(director, record, "usb")
    outcome = director.state.results[1, one.table, 1].outcome
    places = "; ".join(" = ".join(place) for place in outcome.places)
    draw = not outcome.lost
    slip = enter_places(director, "arbiter", (1, one.table, 1), places, None, draw, receipt.seal)
    assert slip.status == KNOWN
    from host_tools.club.tournament.results import judge_record

    late = played(two)
    game = judge_record(late)
    places = "; ".join(" = ".join(place) for place in game.outcome.places)
    assert enter_places(director, "arbiter", (1, two.table, 1), places, None, not game.outcome.lost, game.seal
                        ).status == COUNTED
    assert offer(director, late, "usb").status == KNOWN
    assert director.state.results[1, two.table, 1].source == "usb"
    wrong = list(orders(director)[-1].players)
    assert enter_places(director, "arbiter", (1, three.table, 1), "; ".join(wrong), None, False, "").status == COUNTED
    game = judge_record(played(three))
    expected = KNOWN if game.outcome.players == tuple(wrong) and game.outcome.lost == (wrong[-1],) else DISPUTED
    assert offer(director, played(three), "usb").status == expected


def test_a_table_with_a_key_is_checked_against_forgers(tmp_path):
    director = begin(tmp_path / "x.sqlite", names=("Anna", "Boris", "Vera"), low=3, best=3, high=3)
    key = bytes(range(32))
    director.act("arbiter", "table named", name="red", key=key.hex())
    seat_round(director, "arbiter")
    order = orders(director)[0]
    assert order.table == "red"
    assert offer(director, play_order(order, 1), "x").status == REFUSED
    assert offer(director, play_order(order, 1, key), "x").status == COUNTED
    director.close()


def test_a_duplicate_deal_is_held_against_the_record_card_by_card(tmp_path):
    director = begin(tmp_path / "x.sqlite", is_duplicate=True, low=4, best=4, high=4, games=2, rounds=1)
    play_round(director)
    assert len(director.state.results) == 6
    other = begin(tmp_path / "y.sqlite", is_duplicate=True, low=4, best=4, high=4)
    seat_round(other, "arbiter")
    order = orders(other)[0]
    assert "deal: 1.1\n" in order.setup
    receipt = offer(other, played(order, 1, Plan("Autumn cup")), "x")  # shuffled, not stacked
    assert receipt.status == DISPUTED and "the deal gives" in receipt.reason
    director.close()
    other.close()
