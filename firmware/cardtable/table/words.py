"""Words for people: looks them up in the files under words/, and tells cards, events and results in them.

A file has a line a key; it stays on flash and is never held whole in memory. Cards are shown in the table's language,
with suits drawn, and seats by name. Feed and record keep the machine's spelling (`TS`, `fool 4`); what is shown here is
never read back by a program.
"""

import os

from cardtable.engine.deck import DECK, RANKS, SUITS, XB, card_number
from cardtable.engine.event import LEAD, SHOWS_ALL, SHOWS_NOTHING, verb_arguments, verb_name
from cardtable.engine.record import write_arguments
from cardtable.rooms import HOME

ENGLISH = "en"
FOLDER = HOME + "/words"
PIPS = "♠♥♦♣"


def list_languages() -> list:
    """Those in which the table's words are written, English first."""
    names = [name[6:] for name in os.listdir(FOLDER) if name.startswith("table.")]
    return [ENGLISH] + sorted([name for name in names if name != ENGLISH])


class Words:
    """The words of one game and of the table in one language."""

    def __init__(self, game: str, language: str, kind: str = "") -> None:
        """game: its name; language: that of its files; kind: `ask_` for the words of what can be chosen."""
        self.language = language
        self._files = [
            "%s/%s%s.%s" % (FOLDER, kind, game.replace("-", "_"), language),
            "%s/%stable.%s" % (FOLDER, kind, language),
        ]

    def find(self, key: str) -> str:
        """The words of that key; the key itself if there are none, so that a refusal always says something."""
        wanted = key + "="
        for name in self._files:
            try:
                with open(name) as lines:
                    for line in lines:
                        if line.startswith(wanted):
                            return line[len(wanted) :].rstrip()
            except OSError:
                pass
        return key


def card_text(words, card: int) -> str:
    """`10♠`, in Russian `Д♦`, a joker `★r`; `?` for a tag of no registered deck. Both decks look alike."""
    if card >= 2 * DECK:
        return "?"
    card %= DECK
    names = words.find("cards").split(" ")
    return names[card % 13] + PIPS[card // 13] if card < XB else names[card - XB + 13]


def cards_text(words, cards: list) -> str:
    """The cards in a row."""
    return " ".join([card_text(words, card) for card in cards])


def ranks_text(words, text: str) -> str:
    """The text with the record's letters for ranks as people write them: `Tx2/5` as `10x2/5`."""
    names = words.find("cards").split(" ")
    for rank in range(8, min(13, len(names))):
        text = text.replace(RANKS[rank], names[rank])
    return text


def argument_text(words, text: str) -> str:
    """A card, rank, suit, number or place as the record has it, for people."""
    if len(text) == 1 and text in SUITS:
        return PIPS[SUITS.find(text)]
    card = card_number(text)
    return card_text(words, card) if card >= 0 else ranks_text(words, text)


def event_text(words, game, names: list, event, shows: int) -> str:
    """Tell an event, as far as the game shows it to all (`shows`): `2 beats 10♠ with Q♦`, `Anna leads`.

    The words of a verb may have a second part behind `|`: `@` is its first argument there, `#` the last.
    """
    if shows == SHOWS_NOTHING:
        return ""
    verb, _, whole = words.find("V." + verb_name(game, event.verb)).partition("|")
    told = []
    if shows == SHOWS_ALL:
        told = [argument_text(words, text) for text in write_arguments(game, event)]
    if event.verb == LEAD:
        told = [names[event.target - 1]]
    if whole and (told or not verb_arguments(game, event.verb)):
        verb = whole.replace("@", told[0]).replace("#", told[-1]) if told else whole
    else:
        verb = " ".join([verb] + told)
    return "%d %s" % (event.seat, verb) if event.seat else verb


def result_text(words, names: list, result: str) -> str:
    """`fool 4` as `Gleb is the fool`; a team by its names; its other values, if there are words for them."""
    said = result.split(" ")
    who = [names[int(seat) - 1] for seat in said[1].split("+")] if len(said) > 1 else []
    text = words.find("R." + said[0])
    text = result if text == "R." + said[0] else text.replace("#", ", ".join(who))
    for index in range(2, len(said) - 1):
        more = words.find("R." + said[index])
        if more != "R." + said[index]:
            end = index + 2  # the next value of a result may be of the same kind: `owes 2 60 owes 3 8`
            while end < len(said) and said[end].isdigit():
                end += 1
            values = said[index + 1 : end]
            first = names[int(values[0]) - 1] if "@" in more else values[0]
            text += "; " + more.replace("#", first).replace("@", values[-1])
    return text
