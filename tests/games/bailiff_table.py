"""Deals given hands of Bailiff to a test's table, and draws what is due.

    table = deal("", "6S 6H", "7S 8H", stock=0)
    table.talk("1 lay 6S / 2 lay 7S / = waits 1 answer")
"""

from tests.games.table_talk import Table


def deal(options: str, *hands, first: int = 1, stock=None) -> Table:
    """A game dealt to where the first lead is due.

    hands: the cards of each seat. stock: None, the deck as it is; 0, or a text with the cards that are left in it. The
    arbiter puts into place what no deal can bring about (T10): hands of more than six cards, and into the discard what
    a short hand was filled up with and what has left the stock.
    """
    table = Table("bailiff bailiff " + options, len(hands), first=first)
    in_stock = stock.split() if stock else []
    wanted = " ".join(hands).split() + in_stock
    spare = [name for name in table.cards("stock") if name not in wanted]
    used = []
    for seat in range(1, len(hands) + 1):
        names = hands[seat - 1].split()[:6]
        while len(names) < 6:
            used.append((spare or in_stock).pop())
            names.append(used[-1])
        for name in names:
            table.talk("%d draw %s" % (seat, name))
    for seat in range(1, len(hands) + 1):
        for name in hands[seat - 1].split()[6:]:
            table.talk("0 place %s hand%d" % (name, seat))
    if stock is not None:
        for name in table.cards("stock"):
            if name not in in_stock:
                table.talk("0 place %s discard" % name)
    for name in used:
        table.talk("0 place %s %s" % (name, "stock" if stock and name in stock.split() else "discard"))
    return table


def draw_all(table: Table) -> str:
    """Let whoever is due draw any cards until nobody is; who drew how many, as `1:2 3:1`."""
    drawn = []
    while table.waits().endswith(" draw"):
        seat = table.waits().split()[0]
        table.talk("%s draw %s" % (seat, table.cards("stock")[0]))
        if drawn and drawn[-1][0] == seat:
            drawn[-1][1] += 1
        else:
            drawn.append([seat, 1])
    return " ".join(["%s:%d" % (seat, count) for seat, count in drawn])
