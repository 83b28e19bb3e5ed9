"""What a panel keeps secret; beside the tests of the lobby, which leave MicroPython no room for it."""

from cardtable.between.lobby import Lobby
from cardtable.between.panel import Panel
from cardtable.engine.deck import STRANGER, card_number
from cardtable.table.lights import ACCEPTED
from cardtable.table.tags import ARBITER_KEY, PLAYER, SETUP

from tests.app.fake_room import Room


def test_t11_a_panel_keeps_the_secrets_of_a_game_that_cannot_go_on():
    """T11: until the arbiter's key is tapped, and for no other tag."""
    for make in (Panel, lambda parts: Lobby(parts, None)):
        room = Room(make)
        assert not room.panel.has_secrets()
        room.panel.keeps_secrets = True
        for card in (card_number("6S"), STRANGER, PLAYER, SETUP):
            room.tap(2, card)
            assert room.panel.has_secrets() and room.panel.wants == ""
        room.tap(2, ARBITER_KEY)
        assert not room.panel.has_secrets() and room.parts.lights.means[1] == ACCEPTED
