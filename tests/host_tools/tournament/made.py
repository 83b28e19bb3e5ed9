"""Makes tournaments for tests: names, a director, a round that virtual players have played."""

import functools

from host_tools.club.tournament.by_hand import enter_places
from host_tools.club.tournament.director import new_director
from host_tools.club.tournament.intake import COUNTED, offer_all, orders
from host_tools.club.tournament.people import add_players
from host_tools.club.tournament.plan import Plan
from host_tools.club.tournament.rehearse import play_order
from host_tools.club.tournament.rounds import seat_round

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor", "Zoya", "Ilya", "Kira", "Lev", "Maya", "Nil")


def begin(database, names=NAMES, clubs=(), teams=(), **plan):
    """A tournament with these players."""
    director = new_director(str(database), Plan(**{"name": "Autumn cup", "seed": 7, **plan}))
    people = [(name, clubs[at % len(clubs)] if clubs else "", teams[at % len(teams)] if teams else "")
              for at, name in enumerate(names)]
    add_players(director, "arbiter", people)
    return director


@functools.cache
def played(order, seed=1, plan=None):
    """The record of that order."""
    return play_order(order, seed, plan=plan)


def records(director, seed=1):
    """The records of every table's next game."""
    return [played(order, seed, director.plan) for order in orders(director)]


def play_round(director, seed=1):
    """Seat a round and play all of it."""
    seat_round(director, "arbiter")
    while found := records(director, seed):
        for receipt in offer_all(director, [(record, "test") for record in found]):
            assert receipt.status == "counted", receipt


def enter_all(director, rank=NAMES.index):
    """Every open game ends by the names' order."""
    while found := orders(director):
        for order in found:
            places = "; ".join(sorted(order.players, key=rank))
            where = (order.round, order.table, order.game)
            assert enter_places(director, "arbiter", where, places, None, False, "").status == COUNTED
