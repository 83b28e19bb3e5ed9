"""Counts how likely it is that a set of Cal's BS is false, or a hand holds so many cards of a rank."""

from __future__ import annotations

from math import comb

BLUFFS = 0.5  # C18: 40 to 60 of 100 sets that could be true are not
FOLLOWS_FALSELY = 0.15  # of the times that a follower has nothing true to lay, it lays all the same


def chance_to_hold(wanted: int, held: int, hidden: int, fitting: int) -> float:
    """How likely a hand of `held` cards out of `hidden` ones, of which `fitting` fit, has at least so many that fit."""
    if wanted <= 0:
        return 1.0
    if wanted > min(held, fitting) or held > hidden:
        return 0.0
    whole = comb(hidden, held)
    most = min(held, fitting)
    return sum(comb(fitting, n) * comb(hidden - fitting, held - n) for n in range(wanted, most + 1)) / whole


def chance_of_lie(laid: int, held: int, hidden: int, fitting: int, is_leader: bool, bluffs: float = BLUFFS) -> float:
    """How likely a set is false, by the odds of the hand that it came from and by how often its player bluffs.

    laid: cards of the set; held: cards of its player before it; hidden: cards that the judge of it cannot see; fitting:
    those of them that the claim allows. A leader chooses its rank, so it could have been truthful more often.
    """
    could = chance_to_hold(laid, held, hidden, fitting)
    if could == 0.0:
        return 1.0
    true = could * (1 - bluffs)
    lie = could * bluffs + (1 - could) * (bluffs if is_leader else FOLLOWS_FALSELY)
    if is_leader:
        true = max(true, 1 - bluffs) * min(1.0, could * 3)
    return lie / (lie + true)
