"""The words of `stats`, `profile` and `generate`, in one language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from host_tools.base.wording import Templates, read_words
from host_tools.judge.sentences import Sentences
from host_tools.minds.analysis.sentences import FOLDER as ANALYSIS
from host_tools.minds.intervals import FEW, interval

FOLDER = Path(__file__).parent


class Wording(Templates):
    """What the figures of a corpus are told with."""

    def __init__(self, language: str) -> None:
        beginner = read_words(ANALYSIS, "analysis", language)["kind.beginner"]  # as an analysis says it
        super().__init__({"kind.beginner": beginner, **read_words(FOLDER, "corpus", language)}, language)
        self.sentences = Sentences(language=language)

    def share(self, hits: float, count: int) -> str:
        """`12.0 % (10.1 to 14.2)`; of a few, `1 of 3`."""
        if count < FEW:
            return self.say("of.few", hits=f"{hits:g}", count=count)
        mean, low, high = interval(hits, count)
        return self.say("share", mean=f"{mean:.1f}", low=f"{low:.1f}", high=f"{high:.1f}")

    def rate(self, hits: float, count: int) -> str:
        """The same with the number behind it; of none there is no share."""
        if not count:
            return self.say("none")
        share = self.share(hits, count)
        return share if count < FEW else self.say("of", share=share, count=count)

    def kind(self, name: str) -> str:
        """What a kind of player does: "collects trumps"."""
        return self._said.get(f"kind.{name}") or self.sentences.kind(name)

    def left_out(self, number: int) -> str:
        """How many records were left out."""
        return self.count("left", number)

    def beside(self, told: dict[str, Any], usual: tuple[int, int]) -> str:
        """Beside the rates of the source (C18): only an interval that lies outside says anything."""
        if not told["of"]:
            return ""
        how = "more" if told["low"] > usual[1] else "less" if told["high"] < usual[0] else "usual"
        return self.say(f"beside.{how}", low=usual[0], high=usual[1])
