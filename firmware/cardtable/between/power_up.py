"""Makes the game to begin or go on with when the power comes, from set-up, deck and flash (T9).

Each step loads what it needs and forgets it before the next one, because the device has least room now. Once the game
is under way this module is not needed any more.
"""

from cardtable.engine.record import SetupError
from cardtable.rooms import forget, load
from cardtable.table.words import Words

_RUNS = ("what_runs", "power_up")  # of `between`, while a game is set up

def begin(parts, places: int):
    """What take_up.take_up makes the Controller of: of the game that goes on, or that the set-up file asks for; None:
    the lobby must ask.

    parts: those of the Controller, which are given their journal and words; places: how many the table has. SetupError,
    and no game is given up for one that cannot be played.
    """
    files = load("between", "setup_files")
    header, is_said, chosen = files.read_wanted(places)
    del files
    if header is None:
        return None
    keys = load("between", "keys")
    had_key = keys.has_key()
    key = keys.read_key()
    del keys
    forget("between", "engine.reading", "record", kept=_RUNS)
    wrong = judge_setup(header, parts.tags)
    from cardtable.record.journal import FOLDER  # here: a set-up that is judged needs its room

    damaged = None
    while True:
        forget("between", kept=_RUNS)
        resumed, found = load("between", "leftovers").find(FOLDER, header, chosen, is_said and not wrong)
        damaged = found or damaged
        if resumed is None and not is_said:
            return None
        if resumed is None and wrong:
            raise wrong
        lost = ("", 0) if resumed else load("between", "witness").count_lost(FOLDER, None)
        session = make(parts, resumed.header if resumed else header, key, resumed)
        turns = load("play", "turns").Turns(session)
        if resumed:
            spoilt = load("between", "resume").go_on(parts, session, turns, resumed)
            if spoilt and spoilt.name == resumed.name:  # the flash takes no more: the next look would find it again
                raise SetupError("%s %s" % (parts.words.find("damaged"), spoilt.name))
            if spoilt or resumed.is_over:
                damaged = spoilt
                continue
            lost = load("between", "witness").count_lost(FOLDER, resumed)
        if resumed:
            header = resumed.header
        header.game = []  # its keys say it too
        told = ("; key: another one from here on" if resumed and not had_key else "", damaged, lost)
        return session, header, turns, resumed, told


def judge_setup(header, tags):
    """None, or the SetupError that says why this set-up cannot be played; asked before any other game is given up."""
    from cardtable.catalogue import find_game, forget_setup
    from cardtable.engine.setup import set_up

    game = None
    try:
        game = find_game(header.game[0])
        state = set_up(game, header)
        forget_setup(game)
        game = None
        forget("engine.setup", "catalogue", kept=())  # never is all in memory at once
        load("between", "setup_files").read_deck(state, header, tags)
    except SetupError as wrong:
        return wrong
    finally:
        if game:
            forget_setup(game)
            forget("engine.setup", kept=())
    return None


def make(parts, header, key: bytes, resumed):
    """The Session of a game; the parts have its journal, words and deck. SetupError."""
    from cardtable.record.journal import FOLDER

    load("between", "archive").make_room(FOLDER, resumed)
    if resumed is None:
        load("between", "keys").give_nonce(header, key)
    parts.journal = None
    forget("between", "record", kept=_RUNS)
    return open_session(parts, header, key)


def open_session(parts, header, key: bytes):
    """Open it as it begins. SetupError."""
    from cardtable.catalogue import find_game, forget_setup
    from cardtable.engine.session import Session

    game = find_game(header.game[0])
    session = Session(game, header)
    forget_setup(game)
    forget("engine.setup", "engine.reading", "catalogue", kept=())
    from cardtable.record.journal import Journal
    from cardtable.record.seal import Sealed

    parts.journal = Sealed(Journal(), key)
    parts.words = Words(game.NAME, parts.language)
    load("between", "setup_files").read_deck(session.state, header, parts.tags)
    forget("between", "engine.reading", kept=_RUNS)
    return session
