"""Makes the question to a seat: it names no button that would be refused now, and while somebody asks the seat to agree
to an undo (T7) it says that and nothing else.
"""

from __future__ import annotations

import re
from typing import Any

from cardtable.engine.event import NO_CARD, UNDO, Event
from cardtable.games import durak
from host_tools.judge.facts.durak import DEFENDER, ranks_to_add
from host_tools.judge.sentences import Sentences

UNDO_MS = 10_000  # T7: how long the others can agree
MOST_RANKS = 3  # that a question names
_NAMED = re.compile(r"\b(OK|NO|CALL)\b")


def tell_prompt(words: Sentences, game: Any, wait: int, text: str, keys: dict[str, str]) -> str:
    """The firmware's words for what the table waits for, without the buttons that mean nothing now. keys: what each
    means, or an empty text."""
    missing = [key for key in dict.fromkeys(_NAMED.findall(text)) if not keys[key]]
    return words.prompt(game, wait, missing, text) if missing else text


def name_ranks(words: Sentences, session: Any, wait: int, text: str) -> str:
    """The question with the ranks that may be thrown in and the defender's name, all of it public: "throw in 8 or 6 on
    Vera, or OK if done". The `text` as it is where there is nothing to name, or too much for a line."""
    if session.game is not durak or wait not in (durak.WAIT_THROW, durak.WAIT_THROW_MORE, durak.WAIT_ADD):
        return text
    ranks = ranks_to_add(session.state, wait)
    if not 1 <= len(ranks) <= MOST_RANKS:
        return text
    return words.named(wait, words.signs(ranks), session.state.register[DEFENDER]) or text


def ask_agreement(words: Sentences, session: Any, now_ms: int) -> dict[str, Any]:
    """What a seat that may agree reads: its `prompt`, and `asks`: `{"seat", "left_s"}`, who asks and for how long."""
    asker = session.undo_seat
    return {"prompt": words.asked(asker), "asks": {"seat": asker, "left_s": left_s(session, now_ms)}}


def left_s(session: Any, now_ms: int) -> int:
    """For how many seconds, begun ones too, an undo can still be agreed to; 0: none is asked for."""
    if session is None or not session.undo_seat:
        return 0
    return max(0, -(-(UNDO_MS - (now_ms - session.undo_ms)) // 1000))


def may_take_back(session: Any, seat: int, now_ms: int) -> bool:
    """Whether the seat may ask to take back what it did last (T7): a play, not a card that was dealt to it or drawn."""
    if session.last_was_draw or session.game.is_dealing(session.before) or left_s(session, now_ms):
        return False
    return not session.judge(Event(seat, UNDO, NO_CARD, 0, now_ms))
