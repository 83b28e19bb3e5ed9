"""The questions of the lobby, one screen each: game, variant, rules, under which name they are kept, language, sound.

A step makes a page; the answer that is taken decides which step comes next; NO goes back along the same way. It loads
no game, only what one may be asked (between/options.py), and is forgotten with the lobby.
"""

from cardtable.between import house_rules
from cardtable.between.files import write_text
from cardtable.between.options import Options, read_title
from cardtable.between.profiles import list_all_games
from cardtable.between.setup_files import LANGUAGE_FILE, SOUND_FILE, add_other, read_others
from cardtable.engine.record import SetupError
from cardtable.table.screen import COLUMNS, find_cut
from cardtable.table.tags import TagError
from cardtable.table.words import Words, list_languages

_DIGITS = "0123456789"
_MARK = "▶"  # before the answer that OK takes


class Page:
    """A question, and its answers as [text, value, note]."""

    def __init__(self, question: str, answers: list, take, index: int = 0) -> None:
        """take(value): what happens when OK takes it."""
        self.question = question
        self.answers = answers
        self.take = take
        self.index = index
        self.typed = ""  # what was put together letter by letter; then the answers are letters
        self.limit = 0  # of its letters; 0: the answers are answers
        self.waits_for_tag = False
        self.can_leave = False  # CALL leaves the rest of the questions as they are

    def step(self, by: int) -> None:
        """Show another answer, if there are any: a page that waits for a tag has none."""
        if self.answers:
            self.index = (self.index + by) % len(self.answers)

    def answer(self) -> str:
        """The answer that is shown."""
        text = self.answers[self.index][0] if self.answers else ""
        return self.typed + text if self.limit else text


class Walk:
    """From `What do you play?` to `line`, the game line that was chosen, and `profile`, the name it is kept under.

    `is_done`: it was chosen, and is to be played; `is_left`: NO was pressed at the first question.
    """

    def __init__(self, parts, profile: str, line: str) -> None:
        """profile, line: what the screen proposed."""
        self.parts = parts
        self.profile = profile
        self.line = line
        self.places = len(parts.lights.means)
        self.words = Words("table", parts.language, "ask_")
        self.options: Options = None  # type: ignore[assignment]  # before a game is chosen
        self.house = ""  # the rules that are being looked at
        self.note = ""  # one sentence about the last press
        self.is_done = False
        self.is_left = False
        self.changes_rules = False
        self._way: list = []  # of (step, its argument, value of the answer)
        self.go(self.ask_what, "")

    def go(self, step, argument) -> None:
        """Ask that."""
        self._step = step
        self._argument = argument
        self.page: Page = step(argument)

    def begin_anew(self) -> None:
        """Something was done; the first question again."""
        self._way.clear()
        self.go(self.ask_what, "")

    # --- presses ---

    def ok(self) -> None:
        """Take the answer that is shown. OSError, SetupError."""
        page = self.page
        self.note = ""
        if page.limit:
            if len(page.typed) < page.limit:
                page.typed += page.answers[page.index][1]
            return
        if page.answers:
            value = page.answers[page.index][1]
            self._way.append((self._step, self._argument, value))
            try:
                page.take(value)
            except (OSError, SetupError):
                self._way.pop()
                raise

    def call(self) -> None:
        """The name or number is complete; or the rest of the rules stays as it is. OSError, SetupError."""
        page = self.page
        self.note = ""
        if page.limit and page.typed.strip():
            page.take(page.typed.strip())
        elif page.can_leave:
            self._way.append((self._step, self._argument, page.answers[page.index][1]))
            self.go(self.ask_keep, "")

    def back(self) -> None:
        """To the question before, with the answer that was given; or one letter less."""
        page = self.page
        self.note = ""
        if page.limit and page.typed:
            page.typed = page.typed[:-1]
        elif self._way:
            step, argument, value = self._way.pop()
            self.go(step, argument)
            values = [row[1] for row in self.page.answers]  # others than before, if later answers exclude some
            if value in values:
                self.page.index = values.index(value)
        else:
            self.is_left = True

    def tap(self, uid: str) -> bool:
        """A tag that nobody knows: the one that the rules are to be on. False if there are too many such. OSError."""
        try:
            add_other(self.parts.tags, "%s setup %s" % (uid, self.house))
        except TagError:
            self.note = self.words.find("L.many")
            return False
        self.begin_anew()
        return True

    # --- what is played ---

    def ask_what(self, _) -> Page:
        """The same again, house rules, games, or the table itself."""
        answers = [[self.words.find("L.same"), "same", ""]]
        for name, line in house_rules.list_house_rules():
            answers.append([name, "house " + name, self.title_of(line)])
        now = self.line.split(" ")[0]
        for name in sorted(list_all_games(), key=lambda name: (name != now, name)):
            answers.append([read_title(name, "", self.parts.language), "game " + name, ""])
        answers.append([self.words.find("L.table"), "table", ""])
        return Page(self.words.find("ask.what"), answers, self.take_what)

    def title_of(self, line: str) -> str:
        """The game of kept rules; nothing if they cannot be played."""
        try:
            return Options(line, self.parts.language, self.places).game_title()
        except SetupError:
            return ""

    def take_what(self, what: str) -> None:
        """What comes next depends on it."""
        kind, _, name = what.partition(" ")
        if kind == "house":
            self.house = name
            self.go(self.ask_house, name)
        elif kind == "game":
            self.house = ""
            self.load(name)
            self.go(self.ask_rules if len(self.options.presets) == 1 else self.ask_variant, "")
        elif kind == "table":
            self.go(self.ask_language, "")
        else:
            self.load(self.line)
            self.is_done = True

    def load(self, line: str) -> None:
        """These rules are being chosen. SetupError."""
        self.options = Options(line, self.parts.language, self.places)

    def ask_variant(self, _) -> Page:
        """Which preset."""
        return self.page_of("preset", self.options.presets, self.take_variant)

    def take_variant(self, preset: str) -> None:
        """The rules of that preset come next."""
        self.options = Options("%s %s" % (self.options.name, preset), self.parts.language, self.places)
        self.go(self.ask_rules, "")

    def ask_rules(self, _) -> Page:
        """As always, or one question after the other."""
        name, _ = self.find_standard()
        answers = [[self.words.find("L.always"), "always", name or self.words.find("L.book")],
                   [self.words.find("L.change"), "change", ""]]
        return Page(self.words.find("ask.rules"), answers, self.take_rules)

    def find_standard(self) -> tuple:
        """(name, options) of the first house rules of this game and variant; ("", None) if it has none."""
        for name, line in house_rules.list_house_rules():
            try:
                options = Options(line, self.parts.language, self.places)
            except SetupError:
                continue
            if options.name == self.options.name and options.preset == self.options.preset:
                return name, options
        return "", None

    def take_rules(self, which: str) -> None:
        """Either is begun with what is usual at this table."""
        name, options = self.find_standard()
        self.options = options or self.options
        self.house = name
        if which == "always":
            self.finish(name)
        else:
            self.ask_next(-1)

    # --- one option after the other ---

    def ask_next(self, index: int) -> None:
        """The next option that means anything, or whether all of that is to be kept."""
        self.changes_rules = True
        order = self.options.order
        for after in range(index + 1, len(order)):
            if self.options.is_asked(order[after][0]):
                self.go(self.ask_option, after)
                return
        self.go(self.ask_keep, "")

    def ask_option(self, index: int) -> Page:
        """The option's question; what does not fit is not offered, and the note says what excludes it."""
        options = self.options
        name = options.order[index][0]
        values = options.list_values(name)
        fitting = [value for value in values if not options.blocks(name, value)]
        page = self.page_of(name, fitting, self.take_option)
        page.can_leave = True
        if not options.is_short(name):
            page.answers.append([self.words.find("L.other"), "", ""])
        for value in values:
            needed = options.blocks(name, value)
            if needed:
                self.note = self.words.find("L.not").replace("#", options.answer(name, value))
                self.note = self.note.replace("@", self.reason(needed))
        return page

    def reason(self, needed: str) -> str:
        """The earlier answer that excludes another, or how many places there are."""
        if needed == "seats":
            return self.words.find("L.players").replace("#", str(self.places))
        return self.options.answer(needed, self.options.value(needed))

    def page_of(self, name: str, values: list, take) -> Page:
        """A page for an option's values, with the one that holds now shown first."""
        options = self.options
        value = options.value(name)
        answers = [[options.answer(name, value), value, ""] for value in values]
        return Page(options.question(name), answers, take, values.index(value) if value in values else 0)

    def take_option(self, value: str) -> None:
        """Another number is put together; any value leads to the next question."""
        index = self._argument
        if not value:
            self.go(self.ask_number, index)
            return
        self.options.choose(self.options.order[index][0], value)
        self.ask_next(index)

    def ask_number(self, index: int) -> Page:
        """A number, digit by digit."""
        page = Page(self.words.find("ask.number"), [[digit, digit, ""] for digit in _DIGITS], self.take_number)
        page.limit = len(str(self.options.order[index][2][1]))
        return page

    def take_number(self, typed: str) -> None:
        """It has to lie between the limits."""
        index = self._argument
        name, _, (low, high) = self.options.order[index][:3]
        if not low <= int(typed) <= high:
            self.note = self.words.find("L.limits").replace("#", str(low)).replace("@", str(high))
            return
        self.options.choose(name, str(int(typed)))
        self.ask_next(index)

    # --- under a name ---

    def ask_keep(self, _) -> Page:
        """Whether the rules are kept, and as what."""
        ready = house_rules.free_name(self.words.find("L.house"))
        names = [name for name in (self.house, ready) if name]
        answers = [[self.words.find("L.once"), "", ""]]
        answers += [[self.words.find("L.as").replace("#", name), name, ""] for name in names]
        answers.append([self.words.find("L.name"), ":", ""])
        return Page(self.words.find("ask.keep"), answers, self.take_keep)

    def take_keep(self, name: str) -> None:
        """Keep them. OSError."""
        if name == ":":
            self.go(self.ask_name, "")
            return
        if name:
            house_rules.keep(name, self.options.line())
        self.finish(name)

    def ask_name(self, old: str) -> Page:
        """A name, letter by letter. old: of the rules that are renamed; empty for new ones."""
        letters = self.words.find("L.letters")
        answers = [[letter, " " if letter == "_" else letter, ""] for letter in letters]
        page = Page(self.words.find("ask.name"), answers, self.take_name)
        page.limit = house_rules.NAME_LENGTH
        return page

    def take_name(self, name: str) -> None:
        """The name of new rules, or another one for old rules. OSError."""
        if not self._argument:
            self.take_keep(name)
            return
        house_rules.rename(self._argument, name)
        read_others(self.parts.tags)
        if self.profile == self._argument:
            self.profile = name
        self.begin_anew()

    def finish(self, name: str) -> None:
        """These are the rules."""
        self.line = self.options.line()
        self.profile = name
        self.is_done = True

    # --- rules that are kept ---

    def ask_house(self, name: str) -> Page:
        """What to do with them."""
        answers = [[self.words.find("L." + key), key, ""]
                   for key in ("play", "change", "rename", "tag", "first", "delete")]
        return Page(self.words.find("ask.house").replace("#", name), answers, self.take_house)

    def take_house(self, what: str) -> None:
        """Do it. OSError, SetupError."""
        name = self.house
        if what in ("play", "change"):
            self.load([line for known, line in house_rules.list_house_rules() if known == name][0])
            if what == "change":
                self.ask_next(-1)
            else:
                self.finish(name)
        elif what == "rename":
            self.go(self.ask_name, name)
        elif what == "tag":
            self.go(self.ask_tag, name)
        else:
            if what == "first":
                house_rules.make_standard(name)
            else:
                house_rules.delete(name)
                read_others(self.parts.tags)
                if self.profile == name:
                    self.profile = ""
            self.begin_anew()

    def ask_tag(self, name: str) -> Page:
        """A tag is tapped at any place."""
        page = Page(self.words.find("ask.tag").replace("#", name), [], None)
        page.waits_for_tag = True
        return page

    # --- the table ---

    def ask_language(self, _) -> Page:
        """Which language the screen speaks; each says its own name."""
        languages = list_languages()
        answers = [[Words("table", name, "ask_").find("L.language"), name, ""] for name in languages]
        index = languages.index(self.parts.language)
        return Page(self.words.find("ask.language"), answers, self.take_language, index)

    def take_language(self, language: str) -> None:
        """From now on. OSError."""
        write_text(LANGUAGE_FILE, language + "\n")
        self.parts.language = language
        self.parts.words = Words("table", language)
        self.words = Words("table", language, "ask_")
        if self.parts.sounds:
            self.go(self.ask_sound, "")
        else:
            self.begin_anew()

    def ask_sound(self, _) -> Page:
        """Whether the table makes any."""
        answers = [[self.words.find("L." + key), key, ""] for key in ("yes", "no")]
        index = 0 if self.parts.lights.sounds else 1
        return Page(self.words.find("ask.sound"), answers, self.take_sound, index)

    def take_sound(self, is_on: str) -> None:
        """From now on. OSError."""
        write_text(SOUND_FILE, is_on + "\n")
        self.parts.lights.sounds = self.parts.sounds if is_on == "yes" else None
        self.begin_anew()

    # --- what people see ---

    def show(self, screen) -> None:
        """The question, the answer, a note, the keys."""
        note = self.note
        if not note and self.page.can_leave:
            note = self.words.find("L.enough")
        show_page(screen, self.page, note, self.words)


def show_page(screen, page: Page, note: str, words) -> None:
    """A page on the glass. note: in place of the answer's own."""
    if not note and page.answers and not page.limit:
        note = page.answers[page.index][2]
    # Three lines are a question, two an answer; a line between them is free where the note needs one alone.
    row = 4 if len(note) <= COLUMNS else 3
    lines = count_lines(page.question)
    screen.paragraph(0, row, page.question)
    if lines < row and page.answers and not page.limit:
        where = "%d/%d" % (page.index + 1, len(page.answers))
        screen.line(row - 1, " " * (COLUMNS - len(where)) + where)
    screen.paragraph(row, 2, _MARK + page.answer() if page.answers else "")
    screen.paragraph(row + 2, 5 - row, note)
    screen.line(7, words.find("L.keys"))


def count_lines(text: str) -> int:
    """How many lines of the glass it takes."""
    lines = 0
    while text:
        text = text[find_cut(text, 1) :].lstrip()
        lines += 1
    return lines


def shorten(text: str, rows: int) -> str:
    """As many of its words as so many lines have room for, and that there are more."""
    line = 0
    lines = 1
    kept: list = []
    for word in text.split(" "):
        size = len(word) + (line > 0)
        if line + size > COLUMNS - (lines == rows):
            lines, line, size = lines + 1, 0, len(word)
        if lines > rows:
            return " ".join(kept) + "…"
        line += size
        kept.append(word)
    return text
