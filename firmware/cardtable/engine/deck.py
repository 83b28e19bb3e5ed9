"""Cards as small numbers, and their names as in the record (RECORD: Cards)."""

from micropython import const

SPADES = const(0)
HEARTS = const(1)
DIAMONDS = const(2)
CLUBS = const(3)
BLACK = const(4)  # the "suits" of the two jokers
RED = const(5)

# Ranks: 2 is 0, ..., T is 8, J 9, Q 10, K 11, A 12; both jokers are one rank.
SIX = const(4)
QUEEN = const(10)
ACE = const(12)
JOKER = const(13)

DECK = const(54)  # cards of one deck: 52 in the order of their suits, then XB, XR
XB = const(52)
XR = const(53)
STRANGER = const(255)  # a tag of no registered deck, written QQ (T2)

RANKS = "23456789TJQKAX"
SUITS = "SHDC"

# Looked up by card number, for two decks.
RANK = bytes([13 if card % 54 >= 52 else card % 54 % 13 for card in range(108)])
SUIT = bytes([card % 54 - 48 if card % 54 >= 52 else card % 54 // 13 for card in range(108)])


def card_name(card: int) -> str:
    """`6S`, `XB2`; QQ for a tag of no registered deck."""
    if card >= 2 * DECK:
        return "QQ"
    index = card % DECK
    name = "XB" if index == XB else "XR" if index == XR else RANKS[index % 13] + SUITS[index // 13]
    return name if card < DECK else name + str(card // DECK + 1)


def card_number(name: str) -> int:
    """The card of that name; STRANGER for QQ and for a copy that no game has; -1 if it is the name of no card."""
    if name == "QQ":
        return STRANGER
    if not 2 <= len(name) <= 3 or (len(name) == 3 and not "0" <= name[2] <= "9"):
        return -1
    if name[0] == "X":
        index = XB if name[1] == "B" else XR if name[1] == "R" else -1
    else:
        suit = SUITS.find(name[1])
        rank = RANKS.find(name[0])
        index = suit * 13 + rank if suit >= 0 and rank >= 0 else -1
    if index < 0:
        return -1
    if len(name) == 2:
        return index
    return index + DECK if name[2] == "2" else STRANGER
