"""Deals given hands of Malice to a test's table, with piles as the test wants them.

    table = deal("AS2 9S2", "8H2", centre="3 0 12 0", sides="1.1 9C2 8C2, 2.4 KD2")
    table.talk("1 centre AS2 2 / 1 side 9S2 2")
"""

from cardtable.engine.state import OWN
from tests.games.table_talk import Table

LEFT = OWN + 8  # + seat: what the game stores of the payoff piles


def take(spare: list, rank: str) -> str:
    """A spare card of that rank, a joker if there is none; it is spare no longer."""
    for name in spare:
        if name[0] == rank:
            spare.remove(name)
            return name
    return take(spare, "X")


def deal(*hands, options: str = "", turned: str = "KS QS", centre: str = "", sides: str = "", left: str = "",
         stock=None) -> Table:
    """A game dealt to where the seat with the higher of the `turned` cards has its first turn.

    hands: the cards of each seat, up to five. centre: how high each pile is. sides: the cards of side piles, from
    below. left: how many cards each payoff pile has, the turned one included. stock: None, what is left of it; else a
    text with its cards, and the rest lies on seat 2's fourth side pile, a king on top. What no deal can bring about
    the arbiter puts into place (T10).
    """
    table = Table(("malice malice " + options).strip(), 2)
    hands = [hand.split() for hand in hands] + [[], []]
    wanted = hands[0] + hands[1] + turned.split() + sides.replace(",", " ").split() + (stock or "").split()
    spare = [name for name in table.cards("stock") if name not in wanted]
    # Kings fill up first: they are the least in anybody's way.
    spare.sort(key=lambda name: ("KQJT98765432AX".find(name[0]), name))
    for seat in (1, 2):
        table.talk("%d flip %s" % (seat, turned.split()[seat - 1]))
    fillers = []
    for seat in (1, 2):
        while len(hands[seat - 1]) < 5:
            fillers.append(spare.pop(0))
            hands[seat - 1].append(fillers[-1])
        for name in hands[seat - 1]:
            table.talk("%d draw %s" % (seat, name))
    lines = ["%s stock" % name for name in fillers]
    spare.extend(fillers)
    heights = centre.split()
    for index in range(len(heights)):
        for height in range(int(heights[index])):
            lines.append("%s centre%d" % (take(spare, "A23456789TJQ"[height]), index + 1))
    for side in sides.split(",") if sides else ():
        pile, cards = side.strip().split(" ", 1)
        lines += ["%s side%s" % (name, pile) for name in cards.split()]
    for line in lines:
        table.talk("0 place " + line)
    cut_payoff(table, left, wanted)
    if stock is not None:
        empty_stock(table, stock.split())
    return table


def cut_payoff(table: Table, left: str, wanted: list):
    """Let each payoff pile have so many cards; the others go into the stock, as from a full centre pile (M14)."""
    unseen = [name for name in table.cards("payoff") if name not in wanted]
    counts = left.split()
    for index in range(len(counts)):
        while table.state.register[LEFT + index + 1] > int(counts[index]):
            table.talk("0 place %s payoff%d" % (unseen[-1], index + 1))
            table.talk("0 place %s stock" % unseen.pop())


def empty_stock(table: Table, keep: list):
    """What is not to be in the stock lies on seat 2's fourth side pile."""
    names = [name for name in table.cards("stock") if name not in keep]
    names.sort(key=lambda name: ("AX23456789TJQK".find(name[0]), name))
    for name in names:
        table.talk("0 place %s side2.4" % name)


def draw_all(table: Table) -> int:
    """Let whoever is due draw any cards until nobody is; how many came."""
    count = 0
    while table.waits().endswith(" draw"):
        table.talk("%s draw %s" % (table.waits()[0], table.cards("stock")[0]))
        count += 1
    return count
