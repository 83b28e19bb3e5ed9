"""The words of an evening's pages in one language, from pages.LANGUAGE.txt.

The log keeps sentences in English; other languages tell them again.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from host_tools.base.errors import UnusableInput
from host_tools.base.languages import ENGLISH, list_languages
from host_tools.base.wording import Refusal, Templates, read_words
from host_tools.club.tournament.refused import FOLDER, SAID, WORDS
from host_tools.club.tournament.results import Outcome
from host_tools.club.tournament.state import HAND, ROLES

_LONGEST = 1000  # letters of a sentence that is told again
_SIGNED = re.compile(rf"(.+) \(({'|'.join(ROLES)})\)", re.DOTALL)


def to_pattern(parts: Sequence[str]) -> str:
    """A pattern of a template's parts, of which every second one is the name of a fact."""
    return "".join(f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts))


@functools.cache
def read_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The English sentences that are kept, as patterns, those with most of their own words first."""
    rows = []
    for key, template in read_words(FOLDER, WORDS, ENGLISH).items():
        if key.startswith(SAID):
            parts = re.split(r"\{(\w+)\}", template)
            rows.append((-sum(map(len, parts[::2])), key, re.compile(to_pattern(parts))))
    return tuple((key, pattern) for _, key, pattern in sorted(rows, key=lambda row: row[:2]))


class Wording(Templates):
    """What is said in `language`."""

    def __init__(self, language: str = ENGLISH) -> None:
        super().__init__(read_words(FOLDER, WORDS, language), language)

    def tell(self, trouble: UnusableInput) -> str:
        """What was refused: by its key, or as the program wrote it."""
        return trouble.tell(self.language) if isinstance(trouble, Refusal) else self.retell(str(trouble))

    def others(self) -> list[Wording]:
        """The same words in every other language that lies there."""
        return [Wording(language) for language in list_languages() if language != self.language]

    def retell(self, sentence: str) -> str:
        """A sentence that the program wrote in English, in this language; as it is where there are no words for it."""
        if self.language == ENGLISH or len(sentence) > _LONGEST:
            return sentence
        for key, pattern in read_patterns():
            found = pattern.fullmatch(sentence)
            if found:
                facts = found.groupdict()
                return self._said[key].format(**{name: self.retell_part(name, text) for name, text in facts.items()})
        return sentence

    def retell_part(self, name: str, text: str) -> str:
        """The inside of a sentence, which may be one itself."""
        if name == "names":
            bound = re.fullmatch(r"(.+); no plan has fewer than (\d+)", text)
            if bound:
                return self._said["part.bound"].format(names=self.retell_part(name, bound[1]), least=bound[2])
            more = re.fullmatch(r"(.+), and (\d+) more", text)
            if more:
                return self._said["part.more"].format(names=self.retell_part(name, more[1]), count=more[2])
            return ", ".join(self._said["part.and"].format(one=one, other=other) if other else one
                             for one, _, other in (pair.partition(" and ") for pair in text.split(", ")))
        if name in ("slip", "record", "counted"):  # as Outcome.tell says it
            return "; ".join(" = ".join(map(self.retell_name, place.split(" = "))) for place in text.split("; "))
        if name == "why" or text == "nothing":
            return self.retell(text)
        return text

    def retell_name(self, text: str) -> str:
        """A name of an outcome, with what is said of it."""
        for key in ("lost", "marks"):
            parts = re.split(r"\{(\w+)\}", read_words(FOLDER, WORDS, ENGLISH)[key])
            found = re.fullmatch(to_pattern(parts), text)
            if found:
                return self.say(key, **found.groupdict())
        return text

    def source(self, source: str) -> str:
        """From where a result came."""
        return self.say("by.hand") if source == HAND else self._said.get(f"from.{source}", source)

    def who(self, who: str) -> str:
        """Who did something, as the log has it: a name with a role, or the program's own word for itself."""
        found = _SIGNED.fullmatch(who)
        if found:
            return self.say(f"role.{found[2]}", name=self.who(found[1]))
        return self._said.get(f"who.{who.replace(' ', '.')}", who)

    def where(self, key: tuple[int, str, int]) -> str:
        """Which game that is."""
        return self.say("game.where", round=key[0], table=key[1], game=key[2])

    def outcome(self, one: Outcome) -> str:
        """Places and losers."""
        return one.tell(self.language)
