"""Deals given hands of Cal's BS to a test's table, and answers for those who only pass.

    table = deal("cals-bs", "7S 7H", "8S 8H", None)
    table.talk("1 lay 7S / 1 claim 7 / 2 pass / 3 pass / = waits 1 lead")
"""

from tests.games.table_talk import Table


def deal(game: str, *hands, first: int = 1, dealer: int = 0) -> Table:
    """A game dealt to where the first set is due.

    hands: the cards of each seat; one of them is None: all other cards. first: who leads; 0: as C3 says. The arbiter
    puts into place what no deal can bring about (T10): hands that are shorter or longer than the even deal.
    """
    table = Table("cals-bs " + game, len(hands), dealer, first)
    spare = table.cards("stock")
    for name in " ".join([hand for hand in hands if hand is not None]).split():
        spare.remove(name)
    wanted = [spare[:] if hand is None else hand.split() for hand in hands]
    dealt = []
    for names in wanted:
        dealt.append(names[: table.game.count_due(table.state, len(dealt) + 1)])
    spare = [name for name in table.cards("stock") if name not in sum(dealt, [])]
    for seat in range(1, table.seats + 1):
        while len(dealt[seat - 1]) < table.game.count_due(table.state, seat):
            dealt[seat - 1].append(spare.pop())
        for name in dealt[seat - 1]:
            table.talk("%d draw %s" % (seat, name))
    for seat in range(1, table.seats + 1):
        for name in wanted[seat - 1]:
            if name not in dealt[seat - 1]:
                table.talk("0 place %s hand%d" % (name, seat))
    return table


def lay(table: Table, seat: int, names: str, said: str):
    """The seat stages the cards, then says what they are: `claim 7`, `plus 1 ! C13`."""
    for name in names.split():
        table.talk("%d lay %s" % (seat, name))
    table.talk("%d %s" % (seat, said))


def pass_all(table: Table):
    """Every seat that the table waits for passes."""
    for seat in range(1, table.seats + 1):
        if "%d any" % seat in table.waits().split(", "):
            table.talk("%d pass" % seat)
