"""What the table begins with when the power comes: deck, set-up, and the game that was not over (T9); it knows no chip.

Not needed any more once the game is under way.
"""

from cardtable.app import archive, resume, setup_files
from cardtable.app.controller import Controller
from cardtable.app.journal import Journal
from cardtable.app.keys import give_nonce, read_key
from cardtable.app.seal import Sealed
from cardtable.app.words import Words


def begin(parts, places: int) -> Controller:
    """The Controller of the game, which has begun or goes on. SetupError: there is none, and why.

    parts: those of the Controller, which are given their journal and words; places: how many the table has.
    """
    key = read_key()
    damaged = ""
    while True:
        parts.journal = Sealed(Journal(), key)
        setup_files.read_deck(parts.tags)
        game, header = setup_files.read_setup(places)
        resumed, found = resume.find(parts.journal.journal.folder, header)
        damaged = found or damaged
        if resumed:
            header = resumed.header
        else:
            archive.make_room(parts.journal.journal.folder)
            give_nonce(header, key)
        parts.words = Words(game.NAME, setup_files.read_language())
        controller = Controller(game, header, parts)
        setup_files.check_deck(controller.session.state, parts.tags)
        if resumed and not go_on(parts.journal, controller.session, resumed):
            damaged = "" if resumed.is_over else resume.set_aside(resumed.name)
            continue
        controller.start(resumed)
        if damaged:
            parts.say("damaged: " + damaged)
            parts.screen.verdict("%s %s" % (parts.words.find("damaged"), damaged))
        return controller


def go_on(journal, session, resumed) -> bool:
    """Bring a game back as it stood; False if it has its result, or its record is damaged."""
    try:
        journal.resume(resume.replay(resumed, session))
    except resume.Damage:
        return False
    journal.go_on(resumed.name, resumed.page, resumed.spares)
    if not resumed.is_over:
        return True
    if not resumed.is_sealed:
        journal.close()
    resume.finish(journal.put_away())
    return False
