"""Matches of several games: who deals and leads next, and what is counted (D6, D45)."""

from cardtable.engine.reading import read_key
from cardtable.engine.event import ABORT, Event
from cardtable.engine.match import Match, end_match, list_out, next_header, tell_standing
from cardtable.engine.session import Session
from cardtable.games import durak
from host_tools.base.random_play import Random, RandomGame, make_header


def play(game_line: str, seats: int, seed: int) -> tuple:
    """A finished random game: (its header, its session)."""
    header = make_header(game_line, seats)
    game = RandomGame(durak, header, Random(seed))
    assert game.play()
    return header, game.session


def find_game(game_line: str, seats: int, begins: str) -> tuple:
    """The first random game whose result begins like that."""
    for seed in range(400):
        header, session = play(game_line, seats, seed)
        if session.result().startswith(begins):
            return header, session
    raise AssertionError("no game with the result " + begins)


def test_d6_the_fool_deals_and_its_left_begins():
    """D6 (durak:164, 204): the dealer is the fool; next_lead=left-of-fool is the default."""
    header, session = find_game("durak throw-in", 3, "fool 3")
    following = next_header(session, header)
    assert (following.dealer, following.first, following.match_game) == (3, 1, 2)
    assert Session(durak, following).state.register[4] == 0


def test_d6_the_winner_begins():
    """D6 (durak:244): next_lead=winner: who was out first, here seen from outside, after each event."""
    seen = []
    for seed in range(60):
        header = make_header("durak throw-in next_lead=winner", 3)
        game = RandomGame(durak, header, Random(seed))
        state = game.session.state
        out = []
        while game.choose():
            assert game.session.play(game.event) == 0
            if not durak.count_left(state):
                for seat in range(1, 4):
                    if not durak.count_hand(state, seat) and seat not in out:
                        out.append(seat)
                out = [seat for seat in out if not durak.count_hand(state, seat)]
            if game.session.is_over():
                break
        if game.session.result() != "draw":
            assert next_header(game.session, header).first == out[0], seed
            assert list_out(game.session) == out, seed
            seen.append(out[0])
    assert sorted(set(seen)) == [1, 2, 3]


def test_d6_lowest_trump_finds_the_leader_anew():
    """D6: next_lead=lowest-trump: D5 decides in every game."""
    header, session = find_game("durak throw-in next_lead=lowest-trump", 2, "fool 1")
    following = next_header(session, header)
    assert (following.dealer, following.first) == (1, 0)


def test_d6_after_a_draw_the_same_dealer_deals_again():
    """D6, Details (decided): after a draw the same dealer deals again and D5 decides the lead."""
    header, session = find_game("durak throw-in", 2, "draw")
    following = next_header(session, header)
    assert (following.dealer, following.first, following.match_game) == (header.dealer, 0, 2)


def test_d45_a_match_counts_fools():
    """D45: it counts fools per seat, over any number of games; a draw is nobody's."""
    match = Match()
    fools = [0] * 8
    for seed in range(20):
        _, session = play("durak throw-in", 2, seed)
        match.add(session)
        if session.result() != "draw":
            fools[int(session.result()[5:])] += 1
    assert match.games == 20
    assert match.lost == fools


def test_d45_a_team_loses_together():
    """D45, D38: every member of the losing team has lost."""
    header, session = find_game("durak throw-in teams=2x2", 4, "team 1+3")
    match = Match()
    match.add(session)
    assert match.lost == [0, 1, 0, 1, 0, 0, 0, 0]
    assert next_header(session, header).dealer in (1, 3)


def test_d45_a_match_counts_epaulettes():
    """D45, D41: and the epaulettes that the fool took."""
    for seed in range(3000):
        _, session = play("durak throw-in epaulettes=yes", 2, seed)
        words = session.result().split()
        if "epaulettes" in words:
            match = Match()
            match.add(session)
            assert match.marks[int(words[1])] == int(words[3])
            return
    raise AssertionError("no random game ended with epaulettes")


def test_an_aborted_game_counts_for_nobody():
    """T10: the same dealer deals again, and the match's number of the game stays."""
    header = make_header("durak throw-in", 2)
    session = Session(durak, header)
    assert session.play(Event(0, ABORT)) == 0
    match = Match()
    match.add(session)
    assert match.games == 0 and not max(match.lost)
    following = next_header(session, header)
    assert (following.dealer, following.match_game) == (header.dealer, 1)


def test_d45_the_next_header_carries_the_standing():
    """D45: so the match survives a power cut as the header does, and it ends where an arbiter says so."""
    header = make_header("durak throw-in", 3)
    lost = [0] * 8
    for seed in range(6):
        game = RandomGame(durak, header, Random(seed))
        assert game.play()
        for seat in range(1, 4):
            lost[seat] += durak.losers(game.session.state) >> seat & 1
        told = tell_standing(game.session, header)
        header = next_header(game.session, header)
        assert dict(header.keys)["standing"] == told == " ".join([str(lost[seat]) for seat in range(1, 4)])
    assert header.match_game == 7 and max(lost) > 0
    ended = end_match(header)
    assert [key for key, _ in ended.keys] == ["game", "seats", "dealer"] and ended.match_game == 0
    assert ended.first == 0, "D5 finds who begins"


def test_d45_a_standing_that_makes_no_sense_is_none():
    """D45: a file that a person wrote; the match begins at nothing."""
    for said in ("1", "a b c", "1 2 3 4", "-1 0 0", "1 1+x 0", "1 \u00b2 0", "1 0+ 0", "1 0 0+1234567890"):
        header = make_header("durak throw-in", 3)
        read_key(header, "match_game: 4", 0)
        read_key(header, "standing: " + said, 0)
        read_key(header, "places: 3 5 6", 0)
        match = Match()
        match.read(header)
        assert match.write(3) == "0 0 0" and not match.games, said


def test_d45_m15_a_high_stake_keeps_its_digits():
    """Of seven digits the last one was lost: 1005000 came back as 100500."""
    header = make_header("durak throw-in", 3)
    read_key(header, "match_game: 4", 0)
    read_key(header, "standing: 1 0+1005000 2+999999999", 0)
    match = Match()
    match.read(header)
    assert match.write(3) == "1 0+1005000 2+999999999" and match.games == 3
