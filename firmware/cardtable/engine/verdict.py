"""Verdicts: 0 is accepted, any other small integer names one rule and one way to break it.

A verdict is `rule * 8 + way`, `rule` being the number behind the letter: D16 in its second way is 16 * 8 + 2. Rules of
the table (T) have TABLE added. So a verdict tells its rule id by itself, and several verdicts may share one.
"""

from micropython import const

OK = const(0)
TABLE = const(1024)

# Refusals that every game shares (docs/rules/table.md).
T2_NO_SUCH_CARD = const(1024 + 2 * 8)  # a tag of no deck of this game
T2_LIES_ELSEWHERE = const(1024 + 2 * 8 + 1)
T2_NO_SUCH_SEAT = const(1024 + 2 * 8 + 2)
T2_NOT_IN_STOCK = const(1024 + 2 * 8 + 3)  # what cannot be drawn or turned up
T2_OTHER_PILE = const(1024 + 2 * 8 + 4)  # what cannot be turned up from the own pile
T2_HELD_ALREADY = const(1024 + 2 * 8 + 5)  # what is drawn, or dealt, a second time
T3_DEAL_FIRST = const(1024 + 3 * 8)
T3_HAND_IS_FULL = const(1024 + 3 * 8 + 1)
T4_NOT_ASKED = const(1024 + 4 * 8)
T4_NOT_SCANNED = const(1024 + 4 * 8 + 1)  # deal and draws are counted
T7_NOTHING_TO_UNDO = const(1024 + 7 * 8)
T7_NOT_YOUR_EVENT = const(1024 + 7 * 8 + 1)
T7_NOTHING_TO_AGREE = const(1024 + 7 * 8 + 2)
T7_TOO_LATE = const(1024 + 7 * 8 + 3)
T10_ONLY_THE_ARBITER = const(1024 + 10 * 8)
T10_PAUSED = const(1024 + 10 * 8 + 1)
T10_NOT_PAUSED = const(1024 + 10 * 8 + 2)
T10_CANNOT_LIE_THERE = const(1024 + 10 * 8 + 3)
T14_GAME_IS_OVER = const(1024 + 14 * 8)


def rule_id(game, verdict: int) -> str:
    """The rule's id as in the rulebook: `D16`, `T3`."""
    if verdict >= TABLE:
        return "T%d" % ((verdict - TABLE) >> 3)
    return game.LETTER + str(verdict >> 3)


def words_key(game, verdict: int) -> str:
    """The key of the verdict's words: the rule id, with `.way` behind it where the way is not 0."""
    way = verdict & 7
    return rule_id(game, verdict) + (".%d" % way if way else "")
