"""Sets a game up from a record's header: presets, options, seats.

A game describes what a set-up may say as data: PRESETS (name, options it sets), OPTIONS (name, rule, values), NEEDS
(mixes that exclude each other), SEAT_RANGE and, if it has any, RESERVED (names of presets without rules yet, the rule
that says so). Values are words, the default first; or a pair (low, high) of whole numbers, 0 where nobody says one; or
(low_ms, high_ms, register) for what is said once a seat, as SEAT:SECONDS; it is kept in two bytes, in ms or, where the
highest would not go in, in whole seconds.
Loaded when a game begins and not needed after.
"""

from cardtable.engine.reading import read_time
from cardtable.engine.record import SetupError
from cardtable.engine.state import (
    BANK,
    CLOCK,
    CLOCKS,
    DEAL,
    DEALER,
    FIRST,
    MATCH_GAME,
    OPTION,
    PRESET,
    SEATS,
    UNSEEN,
    State,
    read_wide,
    write_wide,
)

# What every game's set-up may say, and where it lies.
TABLE_OPTIONS = (
    ("deal", "T4", "scanned counted", DEAL),
    ("clock", "T8", (0, 3600), CLOCK),
    ("bank", "T8", (0, 36000), BANK),
    ("own_clock", "T8", (1000, 3600000, CLOCKS), CLOCKS),
    ("hints", "T15", "yes no alone all", CLOCKS),
)


def find_option(game, name: str) -> tuple:
    """(rule, values, register) of the option; SetupError if the game has none of that name."""
    for index in range(len(game.OPTIONS)):
        if game.OPTIONS[index][0] == name:
            return game.OPTIONS[index][1:] + (OPTION + 2 * index,)
    for option in TABLE_OPTIONS:
        if option[0] == name:
            return option[1:]
    names = " ".join([option[0] for option in game.OPTIONS + TABLE_OPTIONS])
    raise SetupError("%s has no option %s; it has: %s" % (game.NAME, name, names))


def is_for_seats(values) -> bool:
    """Whether the option has a value for each seat."""
    return isinstance(values, tuple) and len(values) == 3


def write_number(state: State, at: int, number: int) -> None:
    """An option's number, in its register."""
    if at == DEAL:
        state.register[DEAL] = number
    else:
        write_wide(state.register, at, number)


def write_option(game, state: State, name: str, text: str) -> None:
    """Set one option; SetupError names the value and what is allowed."""
    rule, values, at = find_option(game, name)
    if is_for_seats(values):
        write_for_seat(state, name, text, rule, values)
        return
    if isinstance(values, tuple):
        low, high = values
        number = -1 if not text or len(text) > 5 or text.strip("0123456789") else int(text)
        if not low <= number <= high:
            raise SetupError("%s=%s: it takes a whole number from %d to %d (%s)" % (name, text, low, high, rule))
    else:
        words = values.split(" ")
        if text not in words:
            raise SetupError("%s=%s: it takes one of: %s (%s)" % (name, text, values, rule))
        number = words.index(text)
    write_number(state, at, number)


def write_for_seat(state: State, name: str, text: str, rule: str, values: tuple) -> None:
    """Set an option for one seat: SEAT:SECONDS."""
    low_ms, high_ms, at = values
    unit_ms = 1 if high_ms < 65536 else 1000
    seat, colon, seconds = text.partition(":")
    if not colon or len(seat) != 1 or not "1" <= seat <= "7":
        raise SetupError("%s=%s: it takes SEAT:SECONDS (%s)" % (name, text, rule))
    ms = read_time(seconds)
    if not low_ms <= ms <= high_ms:
        limits = (name, text, low_ms // 1000, high_ms // 1000, rule)
        raise SetupError("%s=%s: it takes seconds from %d to %d (%s)" % limits)
    if ms % unit_ms:
        raise SetupError("%s=%s: it takes whole seconds (%s)" % (name, text, rule))
    write_wide(state.register, at + 2 * check_seat(state, name, int(seat)), ms // unit_ms)


def read_option(game, state: State, name: str) -> str:
    """An option's value as a set-up writes it; `preset` and `seats` can be asked like options."""
    if name == "preset":
        return game.PRESETS[state.register[PRESET]][0]
    if name == "seats":
        return str(state.register[SEATS])
    values, at = find_option(game, name)[1:]
    number = state.register[DEAL] if at == DEAL else read_wide(state.register, at)
    return str(number) if isinstance(values, tuple) else values.split(" ")[number]


def choose_preset(game, state: State, words: list) -> list:
    """Set the preset of `words` (NAME [PRESET] [OPTION=VALUE ...]) and its options; the options that are left."""
    options = words[1:]
    preset = 0
    if options and "=" not in options[0]:
        name = options.pop(0)
        reserved, rule = getattr(game, "RESERVED", None) or ("", "")
        if name in reserved.split():
            raise SetupError("%s: its rules are not yet known (%s)" % (name, rule))
        names = [row[0] for row in game.PRESETS]
        if name not in names:
            raise SetupError("%s has no preset %s; it has: %s" % (game.NAME, name, " ".join(names)))
        preset = names.index(name)
    state.register[PRESET] = preset
    for option in game.PRESETS[preset][1].split():
        write_option(game, state, *option.split("="))
    return options


def check_needs(game, state: State, said: list) -> None:
    """Refuse impossible mixes. `said` are the options that the header names, as [name, value]."""
    for options, needed, values, rule in game.NEEDS:
        is_value = read_option(game, state, needed)
        if is_value in values.split():
            continue
        for name, value in said:
            if name in options.split() or name + "=" + read_option(game, state, name) in options.split():
                sentence = "%s=%s does not go with %s=%s; it needs %s=%s (%s)"
                raise SetupError(sentence % (name, value, needed, is_value, needed, " or ".join(values.split()), rule))


def check_seat(state: State, key: str, seat: int) -> int:
    """The seat, if it is one of the game's."""
    if not 1 <= seat <= state.register[SEATS]:
        raise SetupError("%s: %d is no seat of this game, which has %d" % (key, seat, state.register[SEATS]))
    return seat


def set_up(game, header) -> State:
    """The state in which the game of this header begins.

    header.game: the words of its `game:` line; header.seats: names; header.dealer, header.first (0: not said),
    header.match_game (0: not said). Raises SetupError.
    """
    state = State(game.CARDS, game.REGISTERS)
    register = state.register
    low, high, rule = game.SEAT_RANGE
    seats = len(header.seats)
    if not low <= seats <= high:
        raise SetupError("%s is for %d to %d seats, not %d (%s)" % (game.NAME, low, high, seats, rule))
    assert OPTION + 2 * len(game.OPTIONS) <= UNSEEN
    register[SEATS] = seats
    register[DEALER] = check_seat(state, "dealer", header.dealer)
    register[FIRST] = check_seat(state, "first", header.first) if header.first else 0
    register[MATCH_GAME] = min(header.match_game, 255) or (2 if header.first else 1)
    said: list = []
    keys: list = []
    for word in choose_preset(game, state, header.game):
        name, equals, value = word.partition("=")
        if not equals:
            raise SetupError("%s: neither a preset in its place nor OPTION=VALUE" % word)
        write_option(game, state, name, value)
        # An option for each seat may be set again for another seat.
        key = name + "=" + value.partition(":")[0] if is_for_seats(find_option(game, name)[1]) else name
        if key in keys:
            raise SetupError("%s is set twice" % key)
        keys.append(key)
        said.append([name, value])
    check_needs(game, state, said)
    game.setup(state, said)
    return state
