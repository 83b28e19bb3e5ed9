"""What happens to an arbiter on an evening: late fees, a broken table, old forms, records that say no place."""

import dataclasses

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.club.tournament import site
from host_tools.club.tournament.intake import COUNTED, DISPUTED, offer, orders
from host_tools.club.tournament.pages import result_form
from host_tools.club.tournament.people import add_players, name_table
from host_tools.club.tournament.prizes import count_pool
from host_tools.club.tournament.rehearse import play_order
from host_tools.club.tournament.roles import Limiter, make_link
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.state import Unfit, fold
from host_tools.club.tournament.teams import team_rows
from host_tools.club.tournament.typed import read_players
from host_tools.club.tournament.wording import Wording
from tests.host_tools.tournament.made import NAMES, begin, enter_all, play_round, played
from tests.host_tools.tournament.test_served import Client, Evening

KEY = bytes(range(32))


def slip(director, **more):
    """The form of the first table as a page posts it, by seat."""
    order = orders(director)[0]
    return {"round": str(order.round), "table": order.table, "game": "1", "group": "; ".join(order.players),
            **{f"p{at}": str(at) for at in range(1, len(order.players) + 1)}, **more}


def test_a_form_of_people_who_do_not_sit_there_any_more_is_refused(tmp_path):
    """Its first place was given to the player who had that seat by then."""
    director = begin(tmp_path / "a.sqlite", NAMES[:4], low=3, best=4, high=4, rounds=2)
    seat_round(director, "arbiter")
    form = slip(director)
    second = form["group"].split("; ")[1]
    director.act("arbiter", "no show", name=second)
    with pytest.raises(Unfit, match="table-1 of round 1 is played by .* now: open its form again"):
        site.do_result(director, "Olga", form)
    assert not director.state.results and "теперь играют" in pytest.raises(
        Unfit, site.do_result, director, "Olga", form).value.tell("ru")
    site.do_result(director, "Olga", slip(director))
    assert len(director.state.results) == 1
    director.close()


def test_the_page_says_that_a_seated_player_is_not_there(tmp_path):
    """The arbiter in the hall has a phone, and no command line; a scorekeeper may not."""
    director = begin(tmp_path / "a.sqlite", NAMES[:8], low=3, best=4, high=4, rounds=1)
    seat_round(director, "arbiter")
    secrets = {role: make_link(director, "test", role, role) for role in ("arbiter", "scorekeeper")}
    first, second = director.state.round.groups.values()
    with Evening(director, changing=Limiter(1000, 1000)) as served:
        arbiter, keeper = (Client(served.address, secrets[role]) for role in ("arbiter", "scorekeeper"))
        assert arbiter.get("/players")[1].count("Not at the table") == 8 and "Not at" not in keeper.get("/players")[1]
        assert keeper.get("/do/no_show", {"name": first[0]})[0] == 403
        assert arbiter.get("/do/no_show", {"name": first[0]})[0] == 200
        assert director.state.round.groups["table-1"] == first[1:] and director.events[-1].who == "arbiter (arbiter)"
        enter_all(director)
        assert "Not at the table" not in arbiter.get("/players")[1]
        code, text = arbiter.get("/do/no_show", {"name": second[0]})
        assert code == 409 and "has played a game of this round already" in text
    director.close()


def test_every_game_of_a_match_has_a_form(tmp_path):
    """The page led to the next game, or the last one: another could not be corrected there."""
    director = begin(tmp_path / "a.sqlite", NAMES[:3], low=3, best=3, high=3, rounds=1, games=3)
    seat_round(director, "arbiter")
    order = orders(director)[0]
    for seed in (1, 2):
        assert offer(director, played(orders(director)[0], seed), "x").status == COUNTED
    words = Wording("en")
    assert 'name="game" value="3"' in result_form(director.state, 1, order.table, words)
    for game in (1, 2):
        form = result_form(director.state, 1, order.table, words, game)
        assert f'name="game" value="{game}"' in form and 'action="/do/correct"' in form
        assert f'name="group" value="{"; ".join(order.players)}"' in form
    with pytest.raises(Unfit, match="games 1 to 3"):
        result_form(director.state, 1, order.table, words, 4)
    director.close()


def test_a_record_that_says_no_place_takes_none_before_the_arbiter_says_which(tmp_path, club):
    """Game 2 of a match was taken as game 1, which counted, and was gone."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:3], low=3, best=3, high=3, rounds=1, games=2)
    seat_round(director, "arbiter")
    assert offer(director, played(orders(director)[0], 1), "x").status == COUNTED
    order = orders(director)[0]
    strange = dataclasses.replace(order, setup=order.setup.replace("table: table-1", "table: table-9"))
    assert offer(director, played(strange, 2), "x").status == DISPUTED
    number = next(iter(director.state.disputes))
    take = ("decide", number, "--take", "--reason", "their own table")
    for more in ((), ("--round", 1), ("--round", 1, "--table", "table-1")):
        code, _, err = club(*take, *more)
        assert code == 2 and f"dispute {number} does not say which game it is: say --round, --table and --game" in err
    assert club(*take, "--round", 1, "--table", "table-1", "--game", 2)[0] == 0
    assert sorted(director.state.results) == [(1, "table-1", 1), (1, "table-1", 2)]
    director.close()


def test_an_aborted_game_that_waits_is_called_so(tmp_path):
    """It was said to be played by others, who were the same."""
    director = begin(tmp_path / "a.sqlite", NAMES[:3], low=3, best=3, high=3)
    seat_round(director, "arbiter")
    director.act("intake", "disputed", key=None, seal="", reason="x", outcome=None, source="x", following={})
    with pytest.raises(Unfit, match="cannot count: the game was aborted"):
        director.act("arbiter", "decided", dispute=director.state.last, takes=True, reason="x", round=1,
                     table="table-1", game=1)
    director.close()


def test_a_broken_table_gets_nobody_and_what_it_played_counts(tmp_path, club):
    director = begin(tmp_path / "tournament.sqlite", NAMES[:8], low=2, best=4, high=4, rounds=3)
    for name in ("red", "blue", "green"):
        assert club("table", name)[0] == 0
    play_round(director)
    assert sorted(director.state.round.groups) == ["blue", "red"]
    code, out, _ = club("table", "red", "--gone")
    assert (code, out) == (0, "red is left out from the next round on.\n")
    seat_round(director, "arbiter")
    assert sorted(director.state.round.groups) == ["blue", "green"] and len(director.state.results) == 2
    assert "It still owes games of round 2" in club("table", "blue", "--gone")[1]
    assert club("table", "blue", "--gone")[0] == club("table", "none", "--gone")[0] == 2
    assert club("table", "red", "--gone", "--watch", "http://x")[0] == 2
    assert club("table", "red")[1].startswith("2 tables are named.") and director.state.tables() == ["red", "green"]
    enter_all(director)
    seat_round(director, "arbiter")
    assert sorted(director.state.round.groups) == ["green", "red"]
    assert fold(director.events).gone == {"blue"}
    director.close()


def test_who_leaves_or_does_not_come_is_told_with_what_is_to_be_done_now(tmp_path, club):
    """It was said that a table plays without, which was none any more."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:7], low=3, best=4, high=4, rounds=2)
    seat_round(director, "arbiter")
    small, large = sorted(director.state.round.groups.items(), key=lambda one: len(one[1]))
    assert (len(small[1]), len(large[1])) == (3, 4)
    code, out, _ = club("withdraw", large[1][0])
    assert code == 0 and f"{large[0]} still owes a game of round 1 with {large[1][0]}: enter its slip, or say" in out
    assert "the table plays without." in club("withdraw", large[1][0], "--no-show")[1]
    code, out, _ = club("withdraw", small[1][0], "--no-show")
    assert code == 0 and f"too few are left at {small[0]}, and sit out. Withdraw" in out
    assert sorted(director.state.round.byes) == sorted(small[1][1:])
    enter_all(director)
    assert club("withdraw", large[1][1])[1] == f"{large[1][1]} is seated no more.\n"
    director.close()


def test_a_round_that_is_not_over_says_which_tables_it_waits_for(tmp_path):
    """Of ten tables the arbiter had to find them."""
    director = begin(tmp_path / "a.sqlite", [f"Player {at}" for at in range(16)], low=2, best=2, high=2, rounds=2)
    seat_round(director, "arbiter")
    with pytest.raises(Unfit, match=r"still lacks 8 games, at table-1, .*, table-6, \.\.\.: enter them, or close"):
        seat_round(director, "arbiter")
    while len(director.state.results) < 7:
        offer(director, played(orders(director)[0]), "x")
    with pytest.raises(Unfit, match="still lacks 1 game, at table-8: enter it") as found:
        seat_round(director, "arbiter")
    assert found.value.tell("ru").startswith("в туре 1 не хватает 1 игры (table-8)")
    director.close()


def test_r9_the_key_of_a_broken_table_is_still_asked_for(tmp_path):
    director = begin(tmp_path / "a.sqlite", NAMES[:3], low=3, best=3, high=3)
    director.act("arbiter", "table named", name="red", key=KEY.hex(), watch="")
    seat_round(director, "arbiter")
    director.act("arbiter", "table gone", name="red")
    assert offer(director, played(orders(director)[0]), "x").status == "refused"
    director.close()


def test_a_table_with_a_number_that_breaks_gives_its_number_to_none(tmp_path):
    director = begin(tmp_path / "a.sqlite", NAMES[:9], low=3, best=3, high=3, rounds=2)
    play_round(director)
    director.act("arbiter", "table gone", name="table-2")
    assert list(seat_round(director, "arbiter").groups) == ["table-1", "table-3", "table-4"]
    director.close()


def test_a_fee_that_was_owed_is_paid_later(tmp_path, club):
    """Nothing could be done about it once the player had been seated."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:3], low=3, best=3, high=3, fee=500)
    add_players(director, "arbiter", [("Late", "", "")], has_paid=False)
    assert count_pool(director.state) == 1500
    assert club("paid", "late") == (0, "The pool is 20.00.\n", "")
    assert club("paid", "Late")[2].endswith("'Late' has paid already\n") and club("paid", "Nobody")[0] == 2
    assert "Late paid the fee" in club("log")[1]
    director.undo("arbiter", director.state.last, "another one")
    assert count_pool(director.state) == 1500
    director.close()


def test_clubs_and_teams_with_other_capitals_are_the_same(tmp_path):
    """One team stood in the standings twice, and its players met."""
    director = begin(tmp_path / "a.sqlite", ())
    add_players(director, "arbiter", [("Anna", "North", "Reds"), ("Boris", "NORTH", "reds"), ("Vera", "", "")])
    add_players(director, "arbiter", [("Gleb", "north", "REDS")])
    people, ours = director.state.players.values(), ("North", "Reds")
    assert [(one.club, one.team) for one in people] == [ours, ours, ("", ""), ours]
    seat_round(director, "arbiter")
    enter_all(director, ("Anna", "Boris", "Vera", "Gleb").index)
    assert [row[1:] for row in team_rows(director.state, director.standings())] == [("Reds", 200, 3)]
    director.close()


@pytest.mark.parametrize("head", ["surname,club", "участник;клуб;команда"])
def test_a_first_line_that_names_no_player_is_no_player(head):
    comma = ";" if ";" in head else ","
    with pytest.raises(UnusableInput, match="its first line names no column of players: call one `player`"):
        read_players(f"{head}\nAnna{comma}North\n", "list.csv")
    assert read_players("Anna,North\n", "list.csv") == [("Anna", "North", "")]


def test_set_ups_of_the_last_round_that_lie_in_the_folder_are_named(tmp_path, club):
    """A copy of one brought a game of the round before, which waited for the arbiter."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:6], low=3, best=3, high=3, rounds=2)
    seat_round(director, "arbiter")
    assert club("orders", "--to", "setups")[1].count("\n") == 2
    (tmp_path / "setups" / "notes.txt").write_text("for the evening")
    (tmp_path / "setups" / "table-9.txt").write_text(orders(director)[0].setup)
    code, out, _ = club("orders", "--to", "setups")
    assert code == 0 and out.splitlines()[-1].startswith("setups/table-9.txt is an order of before")
    assert "notes" not in out
    director.close()


def test_a_record_that_names_a_wrong_game_counts_where_the_arbiter_says_and_takes_no_other_ones_place(tmp_path, club):
    """What was said was left out without a word: game 1, which counted, was gone, and game 2 was still to be played."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:3], low=3, best=3, high=3, rounds=1, games=2)
    name_table(director, "arbiter", "red", key=KEY.hex())
    seat_round(director, "arbiter")
    order = orders(director)[0]
    assert [offer(director, play_order(order, seed, KEY), "x").status for seed in (1, 2)] == [COUNTED, DISPUTED]
    first, [dispute] = director.state.results[1, "red", 1], director.state.disputes.values()
    code, out, _ = club("decide", dispute.number, "--take", "--game", 2, "--reason", "the set-up of before")
    assert (code, out) == (0, "It counts as game 2 at red in round 1.\n")
    assert director.state.results[1, "red", 1] == first and director.state.results[1, "red", 2].seal == dispute.seal
    assert director.state.results[1, "red", 2].is_proved and not orders(director)
    assert f"dispute {dispute.number} counts as game 2 at red in round 1: the set-up of before" in club("log")[1]
    assert fold(director.events).results == director.state.results
    director.close()


def test_a_record_of_another_table_counts_at_the_one_that_the_arbiter_names_and_is_not_proved_there(tmp_path, club):
    """It could not count at all."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:6], low=3, best=3, high=3, rounds=1, games=2)
    for name in ("red", "blue"):
        name_table(director, "arbiter", name, key=KEY.hex())
    seat_round(director, "arbiter")
    red, blue = orders(director)
    swapped = dataclasses.replace(red, setup=red.setup.replace("table: red", "table: blue"))
    assert offer(director, play_order(swapped, 1, KEY), "x").status == DISPUTED
    [number] = director.state.disputes
    take = ("decide", number, "--take", "--reason", "they sat at the wrong table")
    assert club(*take)[0] == 2
    assert club(*take, "--table", "red")[1] == "It counts as game 1 at red in round 1.\n"
    [result] = director.state.results.values()
    assert result.key == (1, "red", 1) and set(result.outcome.players) == set(red.players)
    assert not result.is_proved and not result.following and len(orders(director)) == 2
    director.close()


def test_a_rehearsal_whose_games_do_not_count_ends_with_a_sentence(tmp_path, club):
    """It played the same games for ever."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:3], low=3, best=3, high=3, rounds=1)
    seat_round(director, "arbiter")
    assert club("rehearse")[1] == "1 game was played.\n"
    key, result = next(iter(director.state.results.items()))
    director.undo("arbiter", result.event, "a rehearsal")
    director.act("intake", "disputed", key=list(key), seal=result.seal, reason="x", outcome=None, source="x",
                 following={})
    director.act("arbiter", "decided", dispute=director.state.last, takes=False, reason="a rehearsal", round=0,
                 table="", game=1)
    code, _, err = club("rehearse")
    assert code == 2 and err == "table-1: It was taken in before, as a record set aside. Say another --seed.\n"
    assert club("rehearse", "--seed", 2)[0] == 0 and len(director.state.results) == 1
    director.undo("arbiter", director.state.last, "for real now")
    name_table(director, "arbiter", "table-1", key=KEY.hex())
    code, _, err = club("rehearse", "--seed", 3)
    assert code == 2 and "a key, as table-1 here: rehearse a tournament whose tables have none" in err
    assert club("rehearse", "--to", "games")[0] == 0 and not director.state.results
    director.close()


def test_a_slip_of_a_round_that_was_closed_waits_for_the_arbiter(tmp_path, club):
    """A record already did. A slip counted at once, also one that a scorekeeper had entered."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:3], low=3, best=3, high=3, rounds=1)
    seat_round(director, "arbiter")
    places = "; ".join(orders(director)[0].players)
    assert club("round", "--close", "the fire alarm")[0] == 0
    for _ in range(2):
        code, out, _ = club("result", "table-1", places)
        assert (code, out) == (1, "disputed. It waits for the arbiter: round 1 was closed: the fire alarm.\n")
    [number] = director.state.disputes
    assert not director.state.results
    assert club("decide", number, "--take", "--reason", "it had ended before")[1] == "It counts.\n"
    assert len(director.state.results) == 1 and club("result", "table-1", places)[1].startswith("known.")
    director.close()
