"""Games for the tests of virtual players: random mixes of what each game's set-up may say, and its players."""

from host_tools.minds.players import all_players, find_player, list_players
from host_tools.minds.players.match import Match
from host_tools.base.random_play import make_header
from tests.games.random_games import Refused, catalogue, start_game

RANDOM = find_player("random")
BEGINNER = find_player("beginner")
QUICK = {"search": "search:2", "sound": "sound:2"}  # by guesses, so that each test plays the same everywhere
GAMES = {game.NAME: game for game in catalogue()}
LONG = 6000  # events


def quick_players(game=None):
    """Every player, those that search with few guesses; of one game those that play it. An engine is not ours."""
    names = all_players() if game is None else list_players(game)
    return [find_player(QUICK.get(name, name)) for name in names if name != "engine"]


def mixed_match(game, seed, players=(RANDOM, BEGINNER), limit=LONG):
    """The match of that seed: any preset, seats and options that go together; the players take turns at the seats."""
    header = start_game(game, seed, Refused()).header
    seats = [players[(seed + seat) % len(players)] for seat in range(len(header.seats))]
    return Match(game, header, seats, seed, limit)


def plain_match(line, players, seed, limit=LONG):
    """A match of that `game:` line; the dealer goes round with the seed."""
    header = make_header(line, len(players), seed % len(players) + 1)
    return Match(GAMES[line.split()[0]], header, players, seed, limit)
