"""`cardtable rules`: the rulebook on the command line; host_tools/judge/rulebook/book.py reads the pages."""

from collections.abc import Iterator

import click


def tell_options(names: tuple[str, ...], language: str) -> Iterator[str]:
    """What can be chosen in these games, in words."""
    from host_tools.judge import rule_options

    yield from rule_options.tell(names, language)


def tell_readings(names: tuple[str, ...], language: str) -> Iterator[str]:
    """What stands in a source too and is not played, with the reason; of these pages, or of all."""
    from host_tools.judge.rulebook import pages

    wanted = [name.lower().replace("-", "_") for name in names]
    for page, reading in pages.other_readings(language):
        if page in wanted or not wanted:
            yield f"{page}  {pages.plain(reading)}"


def tell_refusals(names: tuple[str, ...], language: str) -> Iterator[str]:
    """The lines of docs/refusals.md, in all languages."""
    from host_tools.judge import situations

    yield from situations.write_page(situations.list_rows()).splitlines()


def tell_summary(names: tuple[str, ...], language: str) -> Iterator[str]:
    """The page in plain words of that game, as a record's `game:` line names it; without one, of each game."""
    from host_tools.judge.rulebook import book, summary

    games = [" ".join(names)] if names else [page.replace("_", "-") for page in book.page_names()[1:]]
    for number, game in enumerate(games):
        yield from [""] * 2 * bool(number)
        yield from summary.write_lines(summary.summarise(game, language), language)


LISTS = {"summary": tell_summary, "options": tell_options, "readings": tell_readings, "refusals": tell_refusals}


@click.command(short_help="Show rules, their sources and tests.")
@click.option("--check", "is_check", is_flag=True,
              help="Fail if a rule has no test, a citation no source, or an option no rule.")
@click.option("--page", "lists", flag_value="summary",
              help="A game on one page, in plain words: --page durak transfer hand=4.")
@click.option("--options", "lists", flag_value="options", help="List what can be chosen in these games, in words.")
@click.option("--readings", "lists", flag_value="readings", help="List what a source also says and is not played.")
@click.option("--refusals", "lists", flag_value="refusals", help="List what is told when: docs/refusals.md.")
@click.option("--more", "is_whole", is_flag=True, help="Show found rules whole, as rules named by their number are.")
@click.option("--lang", "language", default="en", show_default=True, help="The language: en or ru.")
@click.argument("names", metavar="[PAGE|RULE|WORD]...", nargs=-1)
def command(is_check: bool, lists: str, is_whole: bool, language: str, names: tuple[str, ...]) -> int:
    """Show rules: `cardtable rules durak D19`, or just `cardtable rules D19`. A page's name shows all its rules.
    Words in English or Russian find the rules in which all of them stand, a line each: `cardtable rules joker beats`;
    `--more` shows them whole.
    `--lang ru` shows them in Russian. `cardtable rules --options durak` lists how the game can be played;
    `cardtable rules --page durak transfer` tells it on one page.

    Exit codes: 0 right, 1 --check found something, 2 no such rule.
    """
    from host_tools.base import foreign
    from host_tools.judge import rule_options
    from host_tools.judge.rulebook import book
    from host_tools.judge.sentences import Sentences

    sentences = Sentences(language=language)
    if is_check:
        wrong = book.check() + [sentence for one in book.languages() for sentence in rule_options.find_undescribed(one)]
        for sentence in wrong:
            foreign.say(sentence)
        foreign.say(f"{len(wrong)} wrong" if wrong else "every rule that is kept has a test")
        return 1 if wrong else 0
    if lists:
        for line in LISTS[lists](names, language):
            foreign.say(line)
        return 0
    if len(names) > 1 and names[0].lower().replace("-", "_") in book.page_names():
        names = names[1:]
    whole = {book.rule_name(name) for name in names} | {name.lower().replace("-", "_") for name in names}
    for rule in book.select(names, language):
        if names and not is_whole and not whole & {rule.name, rule.page}:
            foreign.say(f"{rule.name}  ({rule.page})  {book.brief(rule.text)}")
            continue
        foreign.say(f"{rule.name}  ({rule.page})", bold=True)
        if sentences.note(rule.language):
            foreign.say("  " + sentences.note(rule.language))
        foreign.say("  " + rule.text)
        for detail in rule.details:
            foreign.say("  * " + detail)
        for line in rule.sources:
            foreign.say("  < " + line)
        for words in book.read_refusals(language).get(rule.name, ()):
            foreign.say("  ! " + words)
        for test in rule.tests:
            foreign.say("  " + test, dim=True)
    return 0
