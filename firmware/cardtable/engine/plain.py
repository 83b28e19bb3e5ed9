"""The usual answers: a game imports those that it does not define, so every game has the whole interface."""

from cardtable.engine.event import CAN_UNDO
from cardtable.engine.verdict import T4_NOT_ASKED


def undoes(state, verb: int) -> int:
    """T7: 1 the event may be taken back; 0 neither it nor anything before it may; 2 it leaves the undo as it was,
    because it must stay unseen that it happened. Asked before the event happens."""
    return CAN_UNDO


def judge_lead(state, seat: int) -> int:
    """T4: the players' answer to who begins, where the table asks them."""
    return T4_NOT_ASKED


def enact_lead(state, seat: int) -> None:
    """T4: let happen what `judge_lead` accepted."""


def choices(state, seat: int, verb: int, out: list) -> None:
    """Append the ranks or numbers that the seat may be offered for that verb, in order, from public facts alone."""


def due_ms(state) -> int:
    """When the table itself has to speak, in ms since the start of the game; -1: never."""
    return -1


def move_on(state, seat: int) -> int:
    """T8: the verb, without arguments, that goes on for a seat whose time is over; 0: it has to play a card."""
    return 0


def press_first(state) -> int:
    """Who wins a tie of presses, then clockwise."""
    return 1


def is_calm(state) -> bool:
    """Whether a stall of the table for a flash erase would disturb no player now."""
    return True


def fill_light(state, seat: int, now_ms: int) -> int:
    """How much of a handicap that runs for the seat is over, in eighths: 1..8; 0: none runs."""
    return 0


def count_missing(state, seat: int) -> int:
    """How many cards the play that the seat has begun still lacks."""
    return 0


def count_face_down(state, seat: int) -> int:
    """How many cards lie face down in a pile of the seat's own, its hand left out."""
    return 0


def count_to_draw(state, seat: int) -> int:
    """How many cards the seat still taps in the deal (T3): `#` in the prompt."""
    return 0


def went_out(state, seat: int) -> int:
    """The seat's number in the order of going out, larger for a later one; 0: it has cards, or there is no order."""
    return 0


def has_verb(state, verb: int) -> bool:
    """Whether the rules that were chosen leave that verb anything to say: MENU lists no other."""
    return True


def more_keys(state) -> int:
    """The number of the words (`K1`) that say what buttons do beside the prompt, from public facts alone; 0: none."""
    return 0


def fact(state, event, verdict: int) -> str:
    """What stands for `#` in the words of the refusal."""
    return ""


def hint(state) -> int:
    """The number of the words (`H1`) that recommend a play, from face-up cards alone; 0: none."""
    return 0


def opens(state, event, out: list) -> None:
    """Append the cards that the event turns face up for all. Asked before the event happens."""


def recount(state) -> None:
    """Find the counts again that follow from the places: this game keeps none."""
