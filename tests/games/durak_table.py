"""Deals given hands of Durak to a test's table, and draws what is due.

    table = deal("throw-in", "6S 6H", "7S 8H", stock=0)
    table.talk("1 attack 6S / 2 beat 7S 6S / = waits 1 throw")
"""

from tests.games.table_talk import Table


def deal(game: str, *hands, trump: str = "", first: int = 1, dealer: int = 0, stock=None) -> Table:
    """A game dealt to where the first attack is due.

    hands: the cards of each seat. trump: the card that is turned, else any club that nobody wants; with the whole deck
    dealt, the dealer's last. first: who attacks; 0: as D5 says. stock: None, the deck as it is; 0, or a text with the
    cards that are left in it. The arbiter puts into place what no deal can bring about (T10): hands of more than six
    cards, and into the discard what a short hand was filled up with and what has left the stock.
    """
    table = Table("durak " + game, len(hands), dealer, first)
    in_stock = stock.split() if stock else []
    wanted = " ".join(hands).split() + [trump] + in_stock
    spare = [name for name in table.cards("stock") if name not in wanted and name[0] != "X"]
    is_whole = len(table.cards("stock")) == 6 * len(hands)
    if not trump and not is_whole:
        trump = [name for name in spare if name[1] == "C"][0]
        spare.remove(trump)
    used = []
    for seat in range(1, len(hands) + 1):
        names = hands[seat - 1].split()[:6]
        while len(names) < 6:
            used.append(spare.pop())
            names.append(used[-1])
        for name in names:
            table.talk("%d draw %s" % (seat, name))
    if "japanese-diamonds" not in game:
        table.talk("%d turn %s" % (table.dealer, trump or hands[table.dealer - 1].split()[5]))
    for seat in range(1, len(hands) + 1):
        for name in hands[seat - 1].split()[6:]:
            table.talk("0 place %s hand%d" % (name, seat))
    assert stock is not None or not used, "a hand of fewer than six cards, with the whole stock"
    for name in used + table.cards("stock") + table.cards("turned"):
        if stock is not None and name not in in_stock:
            table.talk("0 place %s discard" % name)
    return table


def draw_all(table: Table) -> str:
    """Let whoever is due draw any cards until nobody is; who drew how many, as `1:2 3:1`."""
    drawn = []
    while table.waits().endswith(" draw"):
        seat = table.waits().split()[0]
        cards = table.cards("stock") or table.cards("turned")
        table.talk("%s draw %s" % (seat, cards[0]))
        if drawn and drawn[-1][0] == seat:
            drawn[-1][1] += 1
        else:
            drawn.append([seat, 1])
    return " ".join(["%s:%d" % (seat, count) for seat, count in drawn])
