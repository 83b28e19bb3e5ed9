"""What `make run` says first, in the table's language: the address, who sits where, how to leave."""

from types import SimpleNamespace

import pytest
import segno

from host_tools.play.seating import DEFAULT_BOT, HERE, PHONE, Seating, read_seats
from host_tools.play.start import usual_seats
from host_tools.play.web.choices import tell_choices
from host_tools.play.web.run import greet

ADDRESS = "http://127.0.0.1:8137"


@pytest.mark.parametrize("language, first, browser, bot, last", [
    ("en", "Your table: ", "Seat 1, Anna: this browser.", "Seat 3, Vera: a virtual player.", "Ctrl-C ends it"),
    ("ru", "Ваш стол: ", "Место 1, Anna: этот браузер.", "Место 3, Vera: виртуальный игрок.", "Ctrl-C заканчивает"),
])  # fmt: skip
def test_the_address_who_sits_where_and_how_to_leave(language, first, browser, bot, last):
    """A phone's link is its seat's alone; a chair where nobody sits is not named."""
    seating = Seating()
    for seat, who, name in ((1, HERE, "Anna"), (2, PHONE, "Boris"), (3, DEFAULT_BOT, "Vera")):
        seating.sit(seat, who, name)
    lines = []
    greet(SimpleNamespace(language=language, seating=seating, is_real=False), ADDRESS, lines.append)
    assert lines[0] == f"{first}{ADDRESS}/#{seating.host}" and lines[1].strip() == browser
    assert lines[2].endswith(f", Boris: {ADDRESS}/#{seating.chairs[2].secret}") and lines[3].strip() == bot
    assert lines[4].startswith(last) and len(lines) == 5


def test_with_real_cards_the_code_of_the_link_stands_in_the_terminal():
    """Two rows of modules in each line, light ones drawn: what a phone scans is that link, and no seat of its own."""
    seating, lines = Seating(), []
    address = "https://192.0.2.7:8137"
    greet(SimpleNamespace(language="en", seating=seating, is_real=True), address, lines.append)
    link = f"{address}/#{seating.join}"
    assert lines[1].endswith(link) and "certificate signs itself" in lines[-2]
    wanted = [[not dark for dark in row] for row in segno.make(link, micro=False).matrix_iter(border=2)]
    drawn = [[sign in half for sign in line] for line in lines[2:-2] for half in ("█▀", "█▄")]
    assert drawn[:len(wanted)] == wanted and not any(any(row) for row in drawn[len(wanted):])


@pytest.mark.parametrize("language, names", [("en", ["Boris", "Vera", "Gleb"]), ("ru", ["Борис", "Вера", "Глеб"])])
def test_virtual_players_have_the_same_names_everywhere(language, names):
    """The terminal's usual players, the lobby's first button, and `--seats`."""
    assert [name for name, _ in usual_seats("durak", language)[1:]] == names == tell_choices(language)["names"][:3]
    assert read_seats("Anna,bot,bot", language)[1:] == [(name, DEFAULT_BOT) for name in names[1:]]
