"""What the table begins with when the power comes: set-up, deck, and the game that was not over (T9); it knows no chip.

Each step loads what it needs and forgets it before the next one: this is the moment when the device has least room. Not
needed any more once the game is under way.
"""

from cardtable.app.catalogue import find_game, forget, forget_setup, load
from cardtable.app.journal import FOLDER, Journal
from cardtable.app.keys import give_nonce, read_key
from cardtable.app.seal import Sealed
from cardtable.app.words import Words


def begin(parts, places: int):
    """The Controller of the game that goes on, or that the set-up file says; None: it is to be asked what to play.

    parts: those of the Controller, which are given their journal and words; places: how many the table has. SetupError.
    """
    files = load("setup_files")
    header, is_said, chosen = files.read_wanted(places)
    del files
    damaged = ""
    while header is not None:
        forget("app", "setup_files", "profiles", "decks")
        resumed, found = load("leftovers").find(FOLDER, header, chosen)
        damaged = found or damaged
        if resumed is None and not is_said:
            break
        controller = make(parts, resumed.header if resumed else header, resumed is None)
        if resumed and not go_on(parts.journal, controller, resumed):
            damaged = "" if resumed.is_over else load("leftovers").set_aside(resumed.name)
            continue
        controller.start(resumed)
        load("setup_files").take_next()
        if damaged:
            parts.say("damaged: " + damaged)
            parts.screen.verdict("%s %s" % (parts.words.find("damaged"), damaged))
        return controller
    return None


def plan_next(controller) -> None:
    """A game is over: the table is to propose the next one of the match, with its dealer (D6). OSError."""
    from cardtable.engine.match import next_header

    load("setup_files").ask_next(next_header(controller.session, controller.header))


def make(parts, header, is_new: bool):
    """The Controller of a game, with everything that it needs. SetupError."""
    key = read_key()
    if is_new:
        load("archive").make_room(FOLDER)
        give_nonce(header, key)
    forget("app", "leftovers", "resume", "archive", "pieces")
    game = find_game(header.game[0])
    parts.journal = Sealed(Journal(), key)
    parts.words = Words(game.NAME, parts.language)
    controller = load("controller").Controller(game, header, parts)
    forget_setup(game)
    forget("engine", "setup")
    load("setup_files").read_deck(controller.session.state, header, parts.tags)
    forget("app", "setup_files", "decks")
    return controller


def go_on(journal, controller, resumed) -> bool:
    """Bring a game back as it stood; False if it has its result, or its record is damaged."""
    try:
        journal.resume(load("resume").replay(resumed, controller.session, controller.turns))
    except load("pieces").Damage:
        return False
    journal.go_on(resumed.name, resumed.page, resumed.spares)
    if not resumed.is_over:
        return True
    if not resumed.is_sealed:
        journal.close()
    for _ in journal.put_away():
        pass
    return False
