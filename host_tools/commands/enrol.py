"""`cardtable enrol`: its command line; host_tools/maker/enrol.py does the work."""

import sys
from pathlib import Path

import click


@click.command(short_help="Register a deck of tags from this computer.")
@click.option("--cards", type=click.Choice(["36", "52", "54", "108"]),
              help="Cards in the deck; 108 for the two decks of Malice. If left out, as the file says, or 36.")
@click.option("--check", is_flag=True, help="Only list the cards without a tag.")
@click.argument("deck", metavar="[DECK]", default="deck.txt")
def command(cards: str | None, check: bool, deck: str) -> int:
    """Register a deck of tags. The command asks for card after card; answer with the UID of its tag, typed by a USB
    reader or by hand. `u` takes the last one back; `q` or the end of the input stops, and the same command continues
    later. DECK is the file, by default `deck.txt`; `cardtable device put` brings it to the table.

    Exit codes: 0 every card has a tag, 1 some are missing, 2 the file cannot be used.
    """
    from host_tools.maker import enrol
    from host_tools.base import foreign

    if check:
        lines, is_complete = enrol.describe(Path(deck), int(cards or 0))
        for line in lines:
            foreign.say(line)
        return 0 if is_complete else 1
    return 1 if enrol.enrol(Path(deck), int(cards or 0), foreign.typed_lines(sys.stdin), foreign.say) else 0
