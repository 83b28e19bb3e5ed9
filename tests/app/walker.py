"""Works the lobby by its four buttons as a reader of the screen would: presses MENU until the glass shows an answer."""

from cardtable.between.lobby import Lobby
from cardtable.between.options import Options
from cardtable.table.keypad import KEYS

from tests.app.fake_room import CALL, MENU, OK, Room
from tests.games.random_games import catalogue

MOST = 60  # answers that a page may have


def glass(room, first, rows):
    """The text in these rows of the glass, as one line."""
    return " ".join(" ".join(room.row(first + row) for row in range(rows)).split())


class Walker:
    """One person at place 1; `presses` counts the buttons."""

    def __init__(self, language="en", files=None, header=None):
        self.room = Room(lambda parts: Lobby(parts, header), files, language=language)
        self.presses = 0
        self.first = list(self.room.parts.glass.rows)
        self.screens = []  # (key, the glass after it), when `records`
        self.records = False

    @property
    def walk(self):
        return self.room.panel.walk

    def press(self, *keys):
        for key in keys:
            self.room.press(1, key)
            self.presses += 1
            if self.records:
                self.screens.append((KEYS[key], list(self.room.parts.glass.rows)))

    def question(self):
        rows = [row for row in range(8) if self.room.row(row).startswith("▶")]
        lines = [self.room.row(row) for row in range(rows[0] if rows else 3)]
        return " ".join(line for line in lines if line and line[0] != " ")  # which answer it is stands at the right

    def answer(self):
        for row in range(8):
            if self.room.row(row).startswith("▶"):
                return glass(self.room, row, 2)[1:]
        return ""

    def choose(self, answer):
        """Step to that answer and take it."""
        for _ in range(MOST):
            if self.answer() == answer:
                self.press(OK)
                return
            self.press(MENU)
        raise AssertionError("%s is not offered at %s" % (answer, self.question()))

    def says(self, key):
        """The lobby's own words."""
        return self.walk.words.find(key)

    def begin(self, game, preset):
        """To the first question about the rules of that variant."""
        options = Options("%s %s" % (game.NAME, preset), self.room.parts.language, 7)
        self.press(MENU)
        self.choose(Options(game.NAME, self.room.parts.language, 7).words.find("title"))
        if len(options.presets) > 1:
            self.choose(options.answer("preset", preset))
        self.choose(self.says("L.change"))

    def set(self, wants):
        """Answer the questions until all of `wants` (value by option) are answered; the rest stays as it is."""
        wants = dict(wants)
        while wants:
            options = self.walk.options
            asked = {options.question(name): name for name in options.list_asked()}
            name = asked[self.question()]
            if name not in wants:
                self.press(OK)
                continue
            value = wants.pop(name)
            if value in options.list_values(name):
                self.choose(options.answer(name, value))
            else:
                self.choose(self.says("L.other"))
                self.type(value)
        if self.question() != self.says("ask.keep"):
            self.press(CALL)

    def type(self, text):
        """Letter by letter."""
        for letter in text:
            for _ in range(MOST):
                if self.room.panel.walk.page.answers[self.room.panel.walk.page.index][1] == letter:
                    break
                self.press(MENU)
            self.press(OK)
        self.press(CALL)

    def walk_to_2x2(self):
        """The header of transfer, 52 cards, 2x2, neighbours, no draws, kept as House 1, by somebody who reads."""
        self.begin(next(game for game in catalogue() if game.NAME == "durak"), "transfer")
        self.set({"deck": "52", "throwers": "neighbours", "teams": "2x2", "draws": "no"})
        self.choose(self.says("L.as").replace("#", self.says("L.house") + " 1"))
        return self.play()

    def play(self):
        """From the question who plays to the header."""
        self.press(OK)
        for _ in self.walk.options.list_for_seats() if self.room.panel.page else ():
            self.press(OK)
        self.press(OK)
        return self.room.panel.make_header()
