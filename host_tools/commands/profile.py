"""`cardtable profile`: its command line; host_tools/minds/corpus/profile.py adds up."""

import contextlib
from pathlib import Path

import click

from host_tools.commands._place import jobs_option, language_option
from host_tools.base.foreign import PathName


@click.command(short_help="Tell how a player plays, from many finished games.")
@click.argument("path", metavar="PATH", type=PathName(path_type=Path))
@click.option("--name", "names", multiple=True, metavar="NAME", help="Only this player. Repeat it for several.")
@click.option("--mistakes", "is_judged", is_flag=True, help="Analyse each game as well; some seconds for each, once.")
@click.option("--guesses", type=click.IntRange(2, 10_000), default=96, show_default=True,
              help="With --mistakes: how often each play is played on.")
@click.option("--json", "is_json", is_flag=True, help="Print the figures as JSON.")
@jobs_option
@language_option()
def command(path: Path, names: tuple[str, ...], is_judged: bool, guesses: int, is_json: bool, jobs: int,
            language: str) -> int:
    """For each name in the records, and each game: how often that player loses, in Durak what kind of player it is
    ("collects trumps"), and in Cal's BS how often it bluffs and doubts, with 95 % intervals. PATH is a folder of
    records, or one. Left out are games under way, and games that do not say who held what.

    Exit codes: 0 told, 2 nothing to tell, or something cannot be used.
    """
    import json

    from host_tools.base import foreign
    from host_tools.minds.corpus.count import list_records
    from host_tools.minds.corpus.profile import add_mistakes, as_lines, read_profiles
    from host_tools.minds.corpus.wording import Wording
    from host_tools.base.errors import UnusableInput
    from host_tools.base.workers.bar import Bar

    words, paths = Wording(language), list_records(path)
    with contextlib.closing(Bar(words.say("reading"), len(paths))) as bar:
        found, left_out = read_profiles(paths, bar.step, jobs)
    there = sorted({profile.name for profile in found})
    if not there:
        raise UnusableInput(f"{path}: nothing to tell; {left_out[0]}")
    for name in names:
        if name not in there:
            raise UnusableInput(f"{path}: no player is called {name}; there are: {', '.join(there)}")
    chosen = [profile for profile in found if not names or profile.name in names]
    if is_judged:
        games = {path for profile in chosen for path, _ in profile.records}
        with contextlib.closing(Bar(words.say("analysing"), len(games))) as bar:
            add_mistakes(chosen, guesses, bar.step)
    told = [profile.figures() for profile in chosen]
    if is_json:
        foreign.say_lines(json.dumps({"players": told, "left_out": left_out}, indent=1, sort_keys=True))
        return 0
    for one in told:
        for line in as_lines(one, words):
            foreign.say(line)
    if left_out:
        foreign.say(words.say("left.first", left=words.left_out(len(left_out)), why=words.sentences.why(left_out[0])))
    return 0
