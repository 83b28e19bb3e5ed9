"""A match of several games: who deals and leads next, and what each seat has lost so far."""

from cardtable.engine.record import Header

ONE_GAME = ("first", "match_game", "started", "nonce")  # keys of a header that are of one game of a match alone


class Match:
    """Counts what finished games brought (D45). marks[seat]: what else the game counts (epaulettes)."""

    def __init__(self) -> None:
        self.games = 0
        self.lost = bytearray(8)
        self.marks = bytearray(8)

    def add(self, session) -> None:
        """Count a game that has its result; a game that was aborted, or goes on, does not count."""
        game = session.game
        if not session.is_over() or session.result() == "aborted":
            return
        self.games += 1
        for seat in range(1, 8):
            if game.losers(session.state) >> seat & 1:
                self.lost[seat] = min(255, self.lost[seat] + 1)
            self.marks[seat] = min(255, self.marks[seat] + game.marks(session.state, seat))


def next_header(session, header: Header) -> Header:
    """The header of the match's next game: the dealer and, where the rules name one, who begins (D6).

    Keys that belong to one game alone (ONE_GAME) are left out. An aborted game is dealt again by the same dealer.
    """
    game = session.game
    is_played = session.is_over() and session.result() != "aborted"
    dealer = game.next_dealer(session.state) if is_played else header.dealer
    first = game.next_first(session.state) if is_played else header.first
    number = (header.match_game or 1) + (1 if is_played else 0)
    following = Header()
    for key, value in header.keys:
        if key == "dealer":
            value = str(dealer)
        if key not in ONE_GAME:
            following.read_line("%s: %s" % (key, value), 0)
    following.read_line("match_game: %d" % number, 0)
    if first:
        following.read_line("first: %d" % first, 0)
    following.close(0)
    return following
