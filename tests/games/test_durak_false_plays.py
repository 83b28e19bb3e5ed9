"""D44: any mix of caught beats and caught transfers, held against the states before them (docs/rules/durak.md)."""

from cardtable.engine.event import unpack
from cardtable.engine.state import State
from cardtable.games import durak
from host_tools.base.random_play import Random, RandomGame, make_header
from tests.games.durak_table import deal

RUNS_ON = "cpython"  # reads registers by the names that MicroPython folds away

MIXES = (
    ("simple lead=any transfer=yes first_transfer=yes cheating=9", 3),
    ("transfer first_transfer=yes late_transfer=yes cheating=9", 4),
    ("transfer first_transfer=yes late_transfer=yes shown_trump=yes throw_order=free deck=52 cheating=9", 5),
    ("transfer first_transfer=yes late_transfer=yes teams=2x2 cheating=9", 4),
)
SIMPLE = "simple lead=any transfer=yes first_transfer=yes cheating=3"
GAMES = 12  # of each mix
KEPT = "_ATTACKER _DEFENDER _THROWERS _ACTED _SHOWN _TAKEN _PHASE _OPENER _FIRST_BOUT".split()


def test_d44_d13_a_caught_beat_leaves_the_lead_closed_after_a_caught_transfer():
    """D44, D13: what the defender did before the transfer is not forgotten, though its card went back to the hand."""
    table = deal(SIMPLE, "6S 6H JC", "7H 9C TC", "8S 8H KC AS", trump="9D", stock=0)
    table.talk("""
        1 attack 6S / 2 cheat / 2 beat 7H 6S / 3 catch 7H / 1 attack 6H ! D13 / 2 cheat / 2 transfer 9C / 1 catch 9C
        = waits 2 beat / 1 attack 6H ! D13
    """)


def test_d44_what_was_rightly_caught_stays_caught():
    """D44: a beat laid before the transfer, caught after it: undoing the transfer does not lay it down again."""
    game = "transfer first_transfer=yes late_transfer=yes cheating=3"
    table = deal(game, "9S KH 7C", "7S 8H TC", "TS JS AS AH QH", "QC KC AC", trump="9D", stock=0)
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat 7S 9S / 1 attack 7C / 2 cheat / 2 transfer 8H / 4 catch 7S / 4 catch 8H
        = hand 2 7S 8H TC / = lies attack1 9S / = lies cover1 / = lies attack2 7C / = waits 1 throw, 2 beat
    """)


def choose(play: RandomGame, random: Random) -> None:
    """Fill the event of a state in a bout: false plays wherever one may cheat, and accusations that are right."""
    state, game = play.session.state, play.game
    wishes: list = []
    for seat in range(1, play.seats + 1):
        packed: list = []
        game.moves(state, seat, play.event.at_ms, packed)
        for move in packed:
            verb = game.VERBS[(move >> 16) - 16][0]
            weight = {"attack": 6, "beat": 4, "transfer": 8, "show": 4, "take": 1, "done": 3, "cheat": 40}.get(verb, 0)
            if verb == "catch":
                at = durak.find_logged(state, move >> 8 & 255)
                weight = 6 if at >= 0 and state.register[at + 2] & durak._WAS_FALSE else 0
            wishes += [(seat, move)] * weight
    if not wishes:
        assert play.choose()
        return
    seat, move = wishes[random.below(len(wishes))]
    unpack(move, seat, play.event.at_ms + 100, play.event)


def hold_against(before: State, state: State, caught: set) -> str:
    """What is unlike the state before the transfer, but for the beats that were caught since."""
    for card in range(durak.CARDS):
        place = before.where[card]
        if card in caught:
            continue
        if state.where[card] != place:
            return "card %d lies at %d, not %d" % (card, state.where[card], place)
    for name in KEPT:
        at = getattr(durak, name)
        if state.register[at] != before.register[at]:
            return "%s is %d, not %d" % (name, state.register[at], before.register[at])
    if state.register[durak._UNBEATEN] < state.register[durak._ATTACKS]:
        if state.register[durak._FIRST_BEAT] != before.register[durak._FIRST_BEAT]:
            return "_FIRST_BEAT is not what it was"
    return ""


def play_one(mix: str, seats: int, seed: int) -> tuple:
    """One game of false plays; how many transfers were caught in it, and how many of them after a caught beat."""
    random = Random(seed)
    play = RandomGame(durak, make_header("durak " + mix, seats), random)
    state, event = play.session.state, play.event
    before: dict = {}  # the card of each transfer of this bout: the state before it
    caught: set = set()  # cards that were rightly caught as beats in this bout
    transfers = after_beats = 0
    while not play.session.is_over() and play.events < 600:
        if state.register[durak._PHASE] != durak._BOUT:
            before.clear()
            caught.clear()
            if not play.step():
                break
            continue
        choose(play, random)
        verb, card, seat = event.verb, event.card, event.seat
        false = 0
        if verb == durak._TO_TRANSFER:
            before[card] = State(durak.CARDS, durak.REGISTERS)
            before[card].copy(state)
        elif verb == durak._TO_ATTACK and not state.register[durak._ATTACKS]:
            before.clear()
            caught.clear()
        elif verb == durak._TO_CATCH:
            at = durak.find_logged(state, card)
            false = state.register[at + 2] if state.register[at + 2] & durak._WAS_FALSE else 0
            owner = state.register[at + 1]
        elif verb == durak._TO_BEAT:
            caught.discard(card)
        assert not play.session.play(event), (mix, seed, play.events)
        play.events += 1
        assert not durak.audit(state), (mix, seed, play.events)
        if false & durak._WAS_TRANSFER and state.register[durak._ATTACKS]:
            old = before.pop(card)
            wrong = hold_against(old, state, {beat for beat in caught if old.where[beat] >= durak._COVER})
            assert not wrong, "%s, seed %d, after %d events: %s" % (mix, seed, play.events, wrong)
            transfers += 1
            after_beats += len(caught) > 0
        elif false and state.register[durak._ATTACKS]:
            caught.add(card)
            assert state.where[card] == durak._HAND + owner, (mix, seed, seat)
    return transfers, after_beats


def test_d44_d13_d30_d31_an_undone_transfer_leaves_nothing_behind():
    """D44: places, roles, the lead (D13), shown trumps (D30), the first beat (D31) and the take are as before it."""
    for mix, seats in MIXES:
        transfers = after_beats = 0
        for seed in range(1, GAMES + 1):
            came = play_one(mix, seats, seed)
            transfers += came[0]
            after_beats += came[1]
        assert transfers > GAMES and after_beats, (mix, transfers, after_beats)
