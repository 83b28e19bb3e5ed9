"""The smallest engine: when the table waits for it, it plays the cheapest card that it may, or else its first move. See
../engine-protocol.md.
"""

import sys

RANKS = "23456789TJQKA"


def cost(move, trump):
    """Low cards before high ones, trumps last; then moves without a card. One card is a set, and said at once; what was
    laid is not taken back."""
    words = move.split()
    if words[0] in ("claim", "unlay"):
        return -1 if words[0] == "claim" else 200
    if len(words) < 2 or words[1][0] not in RANKS:
        return 100
    return RANKS.index(words[1][0]) + 20 * (words[1][-1] == trump)


def answer(line, known):
    """What to say to this line; None: nothing."""
    word, _, rest = line.partition(" ")
    if word == "cardtable":
        return "engine first-move"
    if word == "game":
        known.clear()
        known["seat"] = rest.split("; seat ")[1].split(";")[0]
        return "ready"
    if word == "see" and " turn " in rest:
        known["trump"] = rest.split("turn ")[1][1:2]
    if word == "waits":
        known["is_waited_for"] = any(one.split(" ")[0] == known["seat"] for one in rest.split(", "))
    if word == "legal":
        known["moves"] = rest.split("; ")
    if word == "go" and not known["is_waited_for"]:
        return "wait"
    if word == "go":
        return "play " + min(known["moves"], key=lambda move: cost(move, known.get("trump")))
    return None


known = {}
for line in sys.stdin:
    said = answer(line.strip(), known)
    if said is not None:
        print(said, flush=True)
