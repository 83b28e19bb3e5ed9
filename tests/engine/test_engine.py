"""State, verdicts and set-up: the engine's small parts, each by itself."""

from cardtable.catalogue import find_game
from cardtable.engine import state as places, verdict
from cardtable.engine.event import OWN_VERB, VERBS, find_verb, verb_arguments, verb_name
from cardtable.engine.setup import SetupError, read_option, set_up
from cardtable.engine.state import MATCH_GAME, OPTION, OWN, SEATS, State, read_wide, write_wide, find_place, place_name
from host_tools.base.random_play import Random, RandomGame, make_header

DURAK = find_game("durak")


def test_a_state_is_saved_and_loaded():
    """T9: save is every byte, load takes no other length."""
    one = State(5, 7)
    one.where[4] = 9
    one.register[6] = 200
    saved = one.save()
    assert len(saved) == 12
    two = State(5, 7)
    assert not two.is_equal(one)
    two.load(saved)
    assert two.is_equal(one) and two.where[4] == 9 and two.register[6] == 200
    two.where[0] = 1
    assert not two.is_equal(one) and one.save() == saved
    two.copy(one)
    assert two.is_equal(one)
    one.register[0] = 1
    assert not two.is_equal(one)
    for wrong in (b"", saved + b"\x00", saved[1:]):
        try:
            two.load(wrong)
            refused = False
        except ValueError:
            refused = True
        assert refused


def test_states_are_written_in_place():
    """A reference to the bytearrays shows what load and copy bring."""
    one = State(3, 3)
    two = State(3, 3)
    where, register = one.where, one.register
    two.where[1] = 5
    one.copy(two)
    assert one.where is where and one.register is register and where[1] == 5
    one.load(bytes(6))
    assert one.where is where and where[1] == 0


def test_numbers_of_two_bytes():
    """Little-endian, 0 to 65535."""
    row = bytearray(4)
    for value in (0, 1, 255, 256, 10000, 65535):
        write_wide(row, 1, value)
        assert read_wide(row, 1) == value and row[0] == row[3] == 0
    write_wide(row, 0, 0x1234)
    assert row[0] == 0x34 and row[1] == 0x12


def test_shared_registers_do_not_overlap():
    """The shared ones, then the options, then a game's own."""
    names = ("SEATS", "DEALER", "FIRST", "MATCH_GAME", "OUTCOME", "PRESET", "PAUSED")
    values = [getattr(places, name) for name in names]
    assert sorted(values) == list(range(7)) and max(values) < OPTION
    assert OPTION + 2 * len(DURAK.OPTIONS) <= OWN < DURAK.REGISTERS


def test_a_verdict_tells_its_rule():
    """A verdict is rule * 8 + way; several may share an id."""
    for value, rule, key in (
        (16 * 8, "D16", "D16"), (16 * 8 + 2, "D16", "D16.2"), (7 * 8 + 7, "D7", "D7.7"), (44 * 8 + 3, "D44", "D44.3"),
        (verdict.T2_LIES_ELSEWHERE, "T2", "T2.1"),
        (verdict.T14_GAME_IS_OVER, "T14", "T14"), (verdict.TABLE + 7 * 8, "T7", "T7"),
    ):
        assert verdict.rule_id(DURAK, value) == rule
        assert verdict.words_key(DURAK, value) == key


def test_verbs_have_numbers_and_names():
    """The shared verbs first; a game's own behind them."""
    for verb in range(1, len(VERBS)):
        assert find_verb(DURAK, VERBS[verb][0]) == verb == find_verb(DURAK, verb_name(DURAK, verb))
        assert verb_arguments(DURAK, verb) == VERBS[verb][1]
    for index in range(len(DURAK.VERBS)):
        assert find_verb(DURAK, DURAK.VERBS[index][0]) == OWN_VERB + index
        assert verb_arguments(DURAK, OWN_VERB + index) == DURAK.VERBS[index][1]
    assert find_verb(DURAK, "fold") == -1 and find_verb(DURAK, "") != 0
    assert len(VERBS) <= OWN_VERB


def test_places_have_names():
    """`hand2`, `attack1`: what an arbiter's `place` says, there and back."""
    for name in ("stock", "discard", "turned", "hand1", "hand6", "attack1", "attack54", "cover1", "cover54"):
        assert place_name(DURAK, find_place(DURAK, name)) == name
    for name in ("nowhere", "hand0", "hand7", "attack", "attack55", "", "Hand1"):
        assert find_place(DURAK, name) == -1, name


def set_up_of(game: str, seats: int = 2, **more):
    """The state, or the sentence with which it is refused."""
    header = make_header(game, seats)
    for key in more:
        setattr(header, key, more[key])
    try:
        return set_up(DURAK, header)
    except SetupError as error:
        return str(error)


def test_a_set_up_is_read_from_the_header():
    """Preset, options, seats; what is not said has its default."""
    state = set_up_of("durak transfer cheating=3 deck=52", 4)
    assert state.register[SEATS] == 4
    for name, value in (("preset", "transfer"), ("cheating", "3"), ("deck", "52"), ("first_bout", "5"), ("seats", "4")):
        assert read_option(DURAK, state, name) == value
    header = make_header("durak throw-in", 2)
    for number, kept in ((0, 1), (3, 3), (255, 255), (256, 255), (999, 255)):
        header.match_game = number
        assert set_up(DURAK, header).register[MATCH_GAME] == kept, number
    state = set_up_of("durak deck=54")
    assert read_option(DURAK, state, "preset") == "throw-in" and read_option(DURAK, state, "deck") == "54"


def test_a_set_up_that_makes_no_sense_is_one_sentence():
    """It names what is wrong, and what there is instead."""
    for game, words in (
        ("durak fool", "fool throw-in simple"), ("durak throw-in colour=red", "colour deck"),
        ("durak cheating=x", "cheating x 9"),
        ("durak cheating=", "cheating 9"), ("durak cheating=0000001", "cheating 9"),
        ("durak throw-in deck", "deck OPTION=VALUE"),
        ("durak throw-in simple", "simple"), ("durak deck=52 deck=52", "deck twice"), ("durak deck=52=1", "deck 36"),
        ("durak preset=simple", "preset"), ("durak seats=3", "seats"),
    ):
        said = set_up_of(game)
        assert isinstance(said, str), game
        for word in words.split():
            assert word in said, (game, said)
        assert "\n" not in said


def test_dealer_and_first_are_seats():
    """D6, RECORD: dealer and first name seats of the game."""
    assert "dealer" in set_up_of("durak", dealer=3) and "first" in set_up_of("durak", first=3)
    assert not isinstance(set_up_of("durak", dealer=1, first=2), str)


def test_a_set_up_that_is_played_again_begins_as_at_first():
    """A random game has a copy of what the set-up came to: whatever a header says, and whatever has been played."""
    def header(words: str, seats: int, dealer: int, first: int, match_game: int):
        made = make_header(words, seats, dealer, first)
        made.match_game = match_game
        return made

    rows = [("throw-in", 3, 3, 0, 0), ("throw-in deck=24", 3, 3, 0, 0), ("throw-in", 2, 2, 0, 0),
            ("throw-in", 3, 1, 0, 0), ("throw-in", 3, 3, 2, 0), ("throw-in", 3, 3, 2, 5)]
    begun = []
    for _ in range(2):
        for words, *others in rows:
            one = header("durak " + words, others[0], others[1], others[2], others[3])
            play = RandomGame(DURAK, one, Random(1))
            assert play.session.state.is_equal(set_up(DURAK, one))
            begun.append(play.session.state.save())
            while play.events < 40 and play.step():
                pass
    assert begun[: len(rows)] == begun[len(rows) :] and len(set(begun)) == len(rows)


def test_a_set_up_is_read_once_for_many_games():
    """Of the games that were played last; and of another game of that name it is read again."""
    class Counted:
        NAME = "durak"
        read = 0

        def __getattr__(self, name):
            return getattr(DURAK, name)

        def setup(self, state, said):
            Counted.read += 1
            DURAK.setup(state, said)

    one, other, line = Counted(), Counted(), make_header("durak transfer", 2)
    for seed in range(5):
        RandomGame(one, line, Random(seed))
    assert Counted.read == 1
    RandomGame(other, line, Random(5))
    assert Counted.read == 2
    for seats in range(2, 7):
        for dealer in (1, 2):
            RandomGame(other, make_header("durak transfer", seats, dealer), Random(5))
    assert Counted.read == 11  # two seats with dealer 2 is what was asked before
