"""`cardtable rules`: the rulebook on the command line; host_tools/rulebook/book.py reads the pages."""

import click


@click.command(short_help="Show rules, their sources and tests.")
@click.option("--check", "is_check", is_flag=True, help="Fail if a rule has no test or a citation no source.")
@click.option("--options", "lists_options", is_flag=True, help="List what can be chosen in these games, in words.")
@click.option("--refusals", "lists_refusals", is_flag=True, help="List every refusal's situation: docs/refusals.md.")
@click.option("--lang", "language", default="en", show_default=True, help="The language: en or ru.")
@click.argument("names", metavar="[PAGE|RULE|WORD]...", nargs=-1)
def command(is_check: bool, lists_options: bool, lists_refusals: bool, language: str, names: tuple[str, ...]) -> int:
    """Show rules: `cardtable rules durak D19`, or just `cardtable rules D19`. A page's name shows all its rules.
    Words in English or Russian find the rules in which all of them stand: `cardtable rules joker beats`.
    `--lang ru` shows them in Russian. `cardtable rules --options durak` lists how the game can be played.

    Exit codes: 0 right, 1 --check found something, 2 no such rule.
    """
    from host_tools import foreign
    from host_tools.rulebook import book
    from host_tools.sentences import Sentences

    sentences = Sentences(language=language)
    if is_check:
        wrong = book.check()
        for sentence in wrong:
            foreign.say(sentence)
        foreign.say(f"{len(wrong)} wrong" if wrong else "every rule that is kept has a test")
        return 1 if wrong else 0
    if lists_refusals:
        from host_tools import situations

        for line in situations.write_page(situations.list_rows()).splitlines():
            foreign.say(line)
        return 0
    if lists_options:
        from host_tools import rule_options

        for line in rule_options.tell(names, language):
            foreign.say(line)
        return 0
    if len(names) > 1 and names[0].lower().replace("-", "_") in book.page_names():
        names = names[1:]
    for rule in book.select(names, language):
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
