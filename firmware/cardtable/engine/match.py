"""A match of several games: who deals and leads next, and what each seat has lost so far.

The header of each later game carries the standing before it (`standing: 1 0 2+3`: games lost, and behind + the marks, a
seat each), so the match survives a power cut as the header does, and every record says where it stood.
"""

from cardtable.engine.record import Header
from cardtable.engine.state import SEATS

FROM = "from"  # key of a game that was played on from a line of a finished one: it counts for nothing
ONE_GAME = ("first", "match_game", "started", "nonce", "standing", FROM)  # keys of a header of one game alone

_DIGITS = 9  # of a count that a header says; what is longer was written by no table


def read_count(text: str) -> int:
    """A count that a header says; -1: none."""
    return -1 if not text or len(text) > _DIGITS or text.strip("0123456789") else int(text)


class Match:
    """Counts what finished games brought (D45). marks[seat]: what else the game counts (epaulettes, a debt)."""

    def __init__(self) -> None:
        self.games = 0
        self.lost = [0] * 8
        self.marks = [0] * 8

    def read(self, header: Header) -> None:
        """Begin with the standing that the header says; a match that has none, or a wrong one, begins at nothing."""
        for key, value in header.keys:
            if key != "standing":
                continue
            parts = [count.partition("+") for count in value.split(" ")]
            counts = [(read_count(lost), read_count(marks) if plus else 0) for lost, plus, marks in parts]
            if len(counts) == len(header.seats) and min([min(count) for count in counts]) >= 0:
                for index in range(len(counts)):
                    self.lost[index + 1], self.marks[index + 1] = counts[index]
                self.games = header.match_game - 1

    def write(self, seats: int) -> str:
        """As a header says it."""
        counts = []
        for seat in range(1, seats + 1):
            marks = self.marks[seat]
            counts.append("%d+%d" % (self.lost[seat], marks) if marks else "%d" % self.lost[seat])
        return " ".join(counts)

    def add(self, session) -> None:
        """Count a game that has its result; a game that was aborted, or goes on, does not count."""
        game = session.game
        if not session.is_over() or session.result() == "aborted":
            return
        self.games += 1
        for seat in range(1, 8):
            if game.losers(session.state) >> seat & 1:
                self.lost[seat] += 1
            self.marks[seat] += game.marks(session.state, seat)


def tell_standing(session, header: Header) -> str:
    """The match's standing after this game, which has its result."""
    match = Match()
    match.read(header)
    match.add(session)
    return match.write(len(header.seats))


def list_out(session) -> list:
    """The seats that went out, the first of them first (D39, B12); nothing where the game has no order."""
    game = session.game
    order = [(game.went_out(session.state, seat), seat) for seat in range(1, session.state.register[SEATS] + 1)]
    return [seat for at, seat in sorted(order) if at]


def end_match(header: Header) -> Header:
    """The same game at the same table, as the first one of another match."""
    return copy(header, header.dealer, 0, 0)


def copy(header: Header, dealer: int, first: int, number: int) -> Header:
    """The header of another game of the same people at the same table; what 0 stands for is not said."""
    other = Header()
    other.game, other.seats, other.places = header.game, header.seats, header.places
    other.dealer, other.first, other.match_game = dealer, first, number
    for key, value in header.keys:
        if key not in ONE_GAME:
            other.keys.append((key, str(dealer) if key == "dealer" else value))
    return other


def next_header(session, header: Header) -> Header:
    """The header of the match's next game: the dealer and, where the rules name one, who begins (D6).

    Keys that belong to one game alone (ONE_GAME) are left out. An aborted game is dealt again by the same dealer. One
    that was played on from a finished game is no game of a match.
    """
    if FROM in [key for key, _ in header.keys]:
        return end_match(header)
    game = session.game
    is_played = session.is_over() and session.result() != "aborted"
    dealer = game.next_dealer(session.state) if is_played else header.dealer
    first = game.next_first(session.state) if is_played else header.first
    number = (header.match_game or 1) + (1 if is_played else 0)
    following = copy(header, dealer, first, number)
    following.keys.append(("match_game", str(number)))
    following.keys.append(("standing", tell_standing(session, header)))
    if first:
        following.keys.append(("first", str(first)))
    return following
