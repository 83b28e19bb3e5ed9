"""Makes the question to a seat: it names no button that would be refused now, and while somebody asks the seat to agree
to an undo (T7) it says that and nothing else.
"""

from __future__ import annotations

import re
from typing import Any

from host_tools.judge.sentences import Sentences

UNDO_MS = 10_000  # T7: how long the others can agree
_NAMED = re.compile(r"\b(OK|NO|CALL)\b")


def tell_prompt(words: Sentences, game: Any, wait: int, text: str, keys: dict[str, str]) -> str:
    """The firmware's words for what the table waits for, without the buttons that mean nothing now. keys: what each
    means, or an empty text."""
    missing = [key for key in dict.fromkeys(_NAMED.findall(text)) if not keys[key]]
    return words.prompt(game, wait, missing, text) if missing else text


def ask_agreement(words: Sentences, session: Any, now_ms: int) -> dict[str, Any]:
    """What a seat that may agree reads: its `prompt`, and `asks`: `{"seat", "left_s"}`, who asks and for how long."""
    asker = session.undo_seat
    return {"prompt": words.asked(asker), "asks": {"seat": asker, "left_s": left_s(session, now_ms)}}


def left_s(session: Any, now_ms: int) -> int:
    """For how many seconds, begun ones too, an undo can still be agreed to; 0: none is asked for."""
    if session is None or not session.undo_seat:
        return 0
    return max(0, -(-(UNDO_MS - (now_ms - session.undo_ms)) // 1000))
