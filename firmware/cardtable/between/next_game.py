"""Keeps the next game of a match: the table proposes it once this one has its result."""

from cardtable.rooms import forget, load


def plan_next(controller) -> None:
    """After a game: let the table propose the next one of the match, with its dealer (D6). OSError."""
    from cardtable.engine.match import next_header

    load("between", "chosen").ask_next(next_header(controller.session, controller.header))


def remember_next(session, header) -> None:
    """D45: a game has its result: from now on the table proposes the next one of its match, also after a power cut. A
    flash that takes no more is told when that is asked for."""
    from cardtable.engine.match import next_header

    try:
        load("between", "chosen").remember(next_header(session, header))
    except OSError:
        pass
    forget("engine.match", kept=())
