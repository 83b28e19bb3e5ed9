"""`cardtable arena`: its command line; host_tools/minds/arena/ plays and counts."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName
from host_tools.commands._place import jobs_option, language_option


@click.command(short_help="Let virtual players compete, and see who is stronger.")
@click.option("--game", "line", default="durak", show_default=True, help='The game, as in a record: "durak transfer".')
@click.option("--players", default="", metavar="LIST", help="Names with commas: search:100,card-counter,beginner.")
@click.option("--engine", "engines", multiple=True, metavar="COMMAND",
              help="A program that plays, too (docs/engine-protocol.md); may be said several times.")
@click.option("--seats", type=click.IntRange(2, 7), help="Seats of a table; by default as few as the game has.")
@click.option("--games", "deals", type=click.IntRange(1, 1_000_000), default=100, show_default=True,
              help="Deals; each is played in all seatings.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the first deal.")
@click.option("--with", "only", metavar="NAME", help="Play only games in which this player sits.")
@jobs_option
@click.option("--cluster", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it.")
@click.option("--resume", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Keep results in this file, and go on from it.")
@click.option("--without-luck", "guesses", type=click.IntRange(0, 10_000), default=0, metavar="N",
              help="Take the luck of the draws out of the scores, by N guesses a chance: narrower intervals.")
@click.option("--ladder", metavar="FILE", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Play all games with all shipped players, and write who is stronger as a page.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@language_option()
def command(line: str, players: str, engines: tuple[str, ...], seats: int | None, deals: int, seed: int,
            only: str | None, jobs: int, cluster: str | None, resume: Path | None, guesses: int,
            ladder: Path | None, as_json: bool, language: str) -> int:
    """All play against all. Each deal is played in all seatings, so good cards help everybody alike; a deal counts
    once, and the interval says where a score would lie after many more of them, 95 times of 100.

    An engine that takes too long, ends, or plays what it may not loses that act: a random one is played in its place,
    and a sentence says so at the end.

    A score is the share of games that a player did not lose (of Cal's BS, that it won); a draw is a half.

    Exit codes: 0 all games are played, 2 something cannot be used.
    """
    import json
    import sys

    from rich.progress import Progress

    from host_tools.base import foreign
    from host_tools.base.errors import UnusableInput
    from host_tools.minds.arena.luck import has_draws
    from host_tools.minds.arena.plan import check_game, make_jobs, read_game
    from host_tools.minds.arena.play import Results, run
    from host_tools.minds.arena.report import figures, write_lines, write_troubles
    from host_tools.minds.arena.wording import Wording
    from host_tools.minds.players import engine

    if engines and cluster:
        raise UnusableInput("--engine: an engine plays on this computer, without --cluster")
    registered = [engine.register(words) for words in engines]
    if ladder is not None:
        if line != "durak" or players or seats or only or cluster is not None or resume or guesses or as_json:
            raise UnusableInput("--ladder plays all games with all players; only --engine, --games, --seed, --jobs and "
                                "--language go with it")
        return write_ladder(ladder, engines, registered, deals, seed, jobs, language)
    names = [name.strip() for name in players.split(",")] if players or not engines else []
    names += registered
    seats = seats or read_game(line).SEAT_RANGE[0]
    check_game(line, seats, names)
    if only is not None and only not in names:
        raise UnusableInput(f"--with {foreign.shorten(only)}: --players does not name this player")
    if cluster == "":  # such as a shell's variable that is not set
        raise UnusableInput("--cluster is empty")
    if guesses and not has_draws(read_game(line)):
        raise UnusableInput("--without-luck: in Cal's BS no card is drawn after the deal")
    plan = make_jobs(names, seats, deals, seed, only or "")
    settings = {"game": line, "players": names, "seats": seats, "seed": seed}
    if engines:  # two programs may go by one name
        settings["engines"] = engine.commands
    results = Results(resume, {**settings, "guesses": guesses} if guesses else settings)
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(Wording(language).say("playing"), total=len(plan))
        run(line, seats, plan, results, lambda done: progress.update(task, completed=done), jobs, cluster or "",
            guesses, engine.commands)
    for text in write_troubles(results.troubles):
        foreign.say(text, err=True)
    told = figures(line, seats, deals, plan, results.scores, results.lucks)
    if as_json:
        foreign.say_lines(json.dumps(told, indent=1, sort_keys=True))
    else:
        for text in write_lines(told, language):
            foreign.say(text)
    return 0


def write_ladder(path: Path, engines: tuple[str, ...], registered: list[str], deals: int, seed: int, jobs: int,
                 language: str) -> int:
    """The page of all games, in English. language: of what is said meanwhile."""
    import shlex
    import sys

    from rich.progress import Progress

    from host_tools.base import foreign
    from host_tools.base.files import write_file
    from host_tools.minds.arena import ladder
    from host_tools.minds.arena.play import Results
    from host_tools.minds.arena.report import write_troubles
    from host_tools.minds.arena.wording import Wording

    said = f".venv/bin/cardtable arena --ladder {shlex.quote(str(path))} --games {deals} --seed {seed}"
    said += "".join(f" --engine {shlex.quote(words)}" for words in engines)
    results = Results(None, {})
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(Wording(language).say("playing"))
        told = ladder.play(ladder.list_fields(registered), deals, seed, jobs, results,
                           lambda done, of: progress.update(task, completed=done, total=of))
    for text in write_troubles(results.troubles):
        foreign.say(text, err=True)
    write_file(path, ladder.write_page(told, said).encode())
    foreign.say(str(path))
    return 0
