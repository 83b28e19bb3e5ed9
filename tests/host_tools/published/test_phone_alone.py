"""One phone is a table: what the published page's worker does with the cards that its phone reads."""

import json

import pytest

from cardtable.between.enrol import deck_cards
from host_tools.cli import run
from host_tools.look.published.worker import Worker
from tests.host_tools.play.real_evening import Evening, uid_of, write_deck
from tests.patience import wait_for

PEOPLE = ("Anna", "Boris", "Vera")


class Phone:
    """The page and its worker. `heard`: each message of the table."""

    def __init__(self, folder, size=0):
        if size:
            flash = folder / "real" / "flash"
            flash.mkdir(parents=True)
            write_deck(flash, size)
        self.heard, self.count = [], 0
        self.counter = Worker(str(folder), "en", 5, lambda text: self.heard.append(json.loads(text)), lambda: None,
                              True).counter
        self.table = self.counter.table
        self.table.machine.ahead_s = lambda: 0.0  # as fast as it can
        self.counter.open()
        self.say(type="hello", client="abcdefgh", secret="")
        self.live(lambda: self.table.phase == "lobby", "the lobby")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert not self.table.bugs.count, self.table.bugs.path.read_text()
        self.table.close()

    def say(self, **message):
        self.counter.hear(json.dumps(message))

    def live(self, is_so, what):
        wait_for(lambda: self.counter.live() is not None and is_so(), "the test", what)

    def told(self, kind):
        """The messages of that type."""
        return [one for one in self.heard if one["type"] == kind]

    def act(self, do, **fields):
        """Do something; why it was not taken, or nothing."""
        self.count += 1
        self.say(type="act", n=self.count, do=do, **fields)
        self.live(lambda: any(one["n"] == self.count for one in self.told("ack")), "an answer")
        return self.told("ack")[-1]["why"]

    def hold(self, card, text=""):
        """A card is held to the phone, until the table has taken it in."""
        laid = self.table.readers.laid
        self.table.readers.find(0)._tokens = 10
        assert not self.act("read", seat=0, uid=uid_of(card).hex(), text=text)
        self.live(lambda: self.table.readers.laid > laid or self.table.readers.asks_whose, "a tap")

    def start(self, game, count):
        """Begin a game of so many people."""
        seats = [{"name": name, "who": "phone"} for name in PEOPLE[:count]]
        return self.act("start", game=game, seats=seats, dealer=count)

    def play_on(self, many=10_000, note=lambda turn: None):
        """Let people play so many turns, or to the end; how often a name had to be touched in play. note: gets each
        turn that the public feed tells of: seat, deeds, whether the name is touched first, lines told afterwards."""
        table, evening, touched = self.table, Evening(self.table), 0
        for _ in range(many):
            now = evening.next()
            if now is None:
                assert table.session.is_over(), table.lines()
                break
            seat, deeds = now
            before, told, touches = sum(table.follower.answered), table.known.feed.count, False
            for kind, what in deeds:
                if kind == "tap":
                    is_known = table.phase != "deal" and table.owner_of(uid_of(what)) == seat
                    if table.readers.touched != seat and not is_known:
                        touched += table.phase != "deal"
                        touches = True
                        assert not self.act("touch", seat=seat)
                    self.hold(what)
                else:
                    assert not self.act("press", seat=seat, key=what)
                    hands = table.hands[table.place_of(seat)]
                    self.live(lambda: not hands.acts and not hands.is_busy, "a button that is let go of")  # noqa: B023
            late_us = table.now_us + 5_000_000
            self.live(lambda: sum(table.follower.answered) != before or table.now_us > late_us, "an answer")  # noqa: B023
            if table.known.feed.count > told:
                note((seat, deeds, touches, table.known.feed.count))
        return touched


def test_the_page_reads_for_everybody_and_presses_everybodys_buttons(tmp_path):
    with Phone(tmp_path, 36) as phone:
        table = phone.table
        assert phone.act("read", seat=0, uid=uid_of(0).hex()) == "this page does not read cards here"
        assert not phone.act("reader", on=True, trouble="hidden") and table.readers.find(0) is None, "of an older page"
        assert not phone.act("reader", on=True)
        assert "face-down card" in phone.start("cals-bs", 3)
        assert not phone.start("durak throw-in", 2)
        phone.live(lambda: table.cards is not None, "a game")
        assert table.has_common and not table.awaited()
        phone.play_on(3)
        phone.hold(250)
        assert phone.told("readers")[-1]["alone"] and not phone.told("readers")[-1]["whose"]
        assert table.readers.find(0).taps == 4 and not table.readers.asks_whose
        assert not phone.act("touch", seat=2) and table.readers.touched == 2
        assert "nobody sits there" in phone.act("press", seat=3, key="OK")
        assert not phone.act("press", seat=2, key="MENU")


@pytest.mark.everything
def test_a_deck_is_registered_and_a_whole_game_played_by_one_phone(tmp_path):
    """No hand goes to the page, whose screen everybody sees; its record replays, and its seal holds."""
    with Phone(tmp_path) as phone:
        table = phone.table
        assert not phone.act("reader", on=True)
        assert not phone.act("enrol", seat=0, size=36)
        phone.live(lambda: table.readers.enrolment.is_open, "the table's list")
        for name, card in zip(table.readers.enrolment.cards, deck_cards(36), strict=True):
            assert table.readers.enrolment.missing()[0] == name
            phone.hold(card)
        assert [one["text"][4:6] for one in phone.told("write")] == table.readers.enrolment.cards
        assert not phone.act("end_enrolment")
        assert not phone.start("durak throw-in", 3)
        phone.live(lambda: table.cards is not None, "a game")
        assert phone.play_on() == 0, "the table knew whose each card was"
        phone.live(lambda: table.known.kept, "a record that is kept")
        path = tmp_path / "games" / table.known.kept
        assert "\nreader: common\n" in path.read_text()
        assert run(["replay", str(path)]) == 0
        assert run(["verify", str(path), "--key", str(table.flash / "key.bin")]) == 0
        hands = [pile for view in phone.told("view") for pile in view["piles"] if pile["kind"].startswith("hand")]
        assert hands and not any(pile["cards"] for pile in hands)
