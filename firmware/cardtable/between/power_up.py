"""Makes the game to begin or go on with when the power comes, from set-up, deck and flash (T9).

Each step loads what it needs and forgets it before the next one, because the device has least room now. Once the game
is under way this module is not needed any more.
"""

from cardtable.engine.record import SetupError
from cardtable.record.journal import FOLDER, Journal
from cardtable.record.seal import Sealed
from cardtable.rooms import forget, load
from cardtable.table.words import Words


def begin(parts, places: int):
    """The Controller of the game that goes on, or that the set-up file asks for; None: the lobby must ask.

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
    wrong = judge_setup(header, parts.tags)
    damaged = None
    while True:
        forget("between")
        resumed, found = load("between", "leftovers").find(FOLDER, header, chosen, is_said and not wrong)
        damaged = found or damaged
        if resumed is None and not is_said:
            return None
        if resumed is None and wrong:
            raise wrong
        lost = ("", 0) if resumed else load("between", "witness").count_lost(FOLDER, None)
        controller = make(parts, resumed.header if resumed else header, key, resumed is None)
        if resumed:
            spoilt = go_on(parts, controller, resumed)
            if spoilt and spoilt.name == resumed.name:  # the flash takes no more: the next look would find it again
                raise SetupError("%s %s" % (parts.words.find("damaged"), spoilt.name))
            if spoilt or resumed.is_over:
                damaged = spoilt
                continue
            lost = load("between", "witness").count_lost(FOLDER, resumed)
            load("between", "resume").take_up(resumed, controller)
        else:
            controller.start()
        load("between", "chosen").take_next()
        if resumed and not had_key:
            parts.journal.write("; key: another one from here on")
        if damaged:
            parts.say("damaged: %s: %s" % (damaged.name, damaged))  # T11: that game is given up, and has no secrets
            parts.screen.verdict("%s %s" % (parts.words.find("damaged"), damaged.name))
        elif lost[0]:
            tell_lost(parts, *lost)
        return controller


def tell_lost(parts, game: str, lines: int) -> None:
    """Say that the flash has lost a game, or its last lines (0: all of them); players know best what was in them."""
    parts.say("lost: game %s, %s" % (game, "%d lines" % lines if lines else "all of it"))
    parts.screen.verdict("%s %s" % (parts.words.find("lost"), game + (": %d" % lines if lines else "")))
    if lines:
        parts.journal.write("; lost: %d lines before this one" % lines)


def judge_setup(header, tags):
    """None, or the SetupError that says why this set-up cannot be played; asked before any other game is given up."""
    from cardtable.catalogue import find_game, forget_setup
    from cardtable.engine.setup import set_up

    game = None
    try:
        game = find_game(header.game[0])
        load("between", "setup_files").read_deck(set_up(game, header), header, tags)
    except SetupError as wrong:
        return wrong
    finally:
        if game:
            forget_setup(game)
        forget("engine.setup")
    return None


def plan_next(controller) -> None:
    """After a game: let the table propose the next one of the match, with its dealer (D6). OSError."""
    from cardtable.engine.match import next_header

    load("between", "chosen").ask_next(next_header(controller.session, controller.header))


def remember_next(controller) -> None:
    """D45: a game has its result: from now on the table proposes the next one of its match, also after a power cut. A
    flash that takes no more is told when that is asked for."""
    from cardtable.engine.match import next_header

    try:
        load("between", "chosen").remember(next_header(controller.session, controller.header))
    except OSError:
        pass


def make(parts, header, key: bytes, is_new: bool):
    """The Controller of a game, with everything that it needs. SetupError."""
    if is_new:
        load("between", "archive").make_room(FOLDER)
        load("between", "keys").give_nonce(header, key)
    forget("between")
    session = open_session(parts, header, key)
    # What set the game up has gone before the controller's modules come: never are both in memory.
    return load("play", "controller").Controller(session, header, parts)


def open_session(parts, header, key: bytes):
    """The Session of a game; the parts have its journal, words and deck. SetupError."""
    from cardtable.catalogue import find_game, forget_setup
    from cardtable.engine.session import Session

    game = find_game(header.game[0])
    parts.journal = Sealed(Journal(), key)
    parts.words = Words(game.NAME, parts.language)
    session = Session(game, header)
    forget_setup(game)
    forget("engine.setup", "engine.reading", "catalogue")
    load("between", "setup_files").read_deck(session.state, header, parts.tags)
    forget("between", "engine.reading")
    return session


def go_on(parts, controller, resumed):
    """Bring a game back as it stood; one that has its result already becomes one text. The Damage if its record is no
    record of that game, else None. SetupError if the flash takes no more."""
    journal = parts.journal
    try:
        journal.resume(load("between", "resume").replay(resumed, controller.session, controller.turns))
    except load("between", "pieces").Damage as wrong:
        return None if resumed.is_over else load("between", "leftovers").set_aside(resumed.name, wrong)
    journal.go_on(resumed.name, resumed.page, resumed.spares)
    if not resumed.is_over:
        return None
    try:
        if not resumed.is_sealed:
            journal.close()
        for _ in journal.put_away():
            pass
    except OSError:
        raise SetupError(parts.words.find("F.flash")) from None
    return None
