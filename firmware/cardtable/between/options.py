"""What can be chosen about one game, and what of it fits together: from the game's own lists, in words of its language.

It reads PRESETS, OPTIONS, NEEDS and SEAT_RANGE as engine/setup.py does; a value is text, as a set-up writes it.
"""

from cardtable.catalogue import find_setup
from cardtable.engine.record import SetupError
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats
from cardtable.table.words import Words

FREE = 20  # a number with more values than this is offered in round ones, or digit by digit
_ROUND = (1, 2, 3, 5, 10, 15, 20, 30, 40, 60, 90, 120, 180, 300, 600, 1200, 1800)
_STEP_MS = 500  # between the values of a short time that is said seat by seat


def plural(has_few: bool, number: int) -> str:
    """`one`, `few` or `many`; Slavic languages, which have `few`, look at the last digits (CLDR)."""
    if not has_few:
        return "one" if number == 1 else "many"
    last, tens = number % 10, number % 100
    if last == 1 and tens != 11:
        return "one"
    return "few" if 2 <= last <= 4 and not 12 <= tens <= 14 else "many"


def read_title(name: str, preset: str, language: str) -> str:
    """A game, and its variant if it has a title of its own: "Durak, throw-in (podkidnoy)"."""
    words = Words(name, language, "ask_")
    for key in ("title." + preset, "title"):
        found = words.find(key)
        if found != key:
            return found
    return name


class Options:
    """One game's preset and the options that differ from it, in `said`. SetupError: there is no such game or option."""

    def __init__(self, line: str, language: str, places: int) -> None:
        """line: of a set-up, GAME [PRESET] [OPTION=VALUE ...]; places: how many the table has."""
        said = line.split(" ")
        self.name = said[0]
        self.language = language
        self.places = places
        self.words = Words(self.name, language, "ask_")
        self._about = find_setup(self.name)
        self.rows = tuple(self._about.OPTIONS) + TABLE_OPTIONS
        first = getattr(self._about, "ASK_FIRST", "").split()
        self.order = [self.row(name) for name in first] + [row for row in self.rows if row[0] not in first]
        self.presets = [row[0] for row in self._about.PRESETS]
        self.preset = self.presets[0]
        self.said: dict = {}
        self.for_seats: list = []  # [option, seat, seconds] of the line: seats are no rules, so `line` leaves them out
        for word in said[1:]:
            name, equals, value = word.partition("=")
            if not equals and name in self.presets:
                self.preset = name
            elif not equals or name not in [row[0] for row in self.rows]:
                raise SetupError("%s is nothing that %s has" % (word, self.name))
            elif is_for_seats(self.row(name)[2]):
                parts = value.split(":")
                if len(parts) != 2:
                    raise SetupError("%s=%s: it takes SEAT:SECONDS" % (name, value))
                self.for_seats.append([name] + parts)
            else:
                self.choose(name, value)

    # --- values ---

    def row(self, name: str) -> tuple:
        """The option of that name, as the game lists it."""
        return [row for row in self.rows if row[0] == name][0]

    def preset_values(self) -> dict:
        """What the preset sets."""
        for name, options in self._about.PRESETS:
            if name == self.preset:
                return dict([option.split("=") for option in options.split()])
        return {}

    def usual(self, name: str) -> str:
        """The value that nobody has to say."""
        values = self.row(name)[2]
        return self.preset_values().get(name) or (values.split(" ")[0] if isinstance(values, str) else "0")

    def value(self, name: str) -> str:
        """The value as things stand."""
        return self.preset if name == "preset" else self.said.get(name) or self.usual(name)

    def choose(self, name: str, value: str) -> None:
        """From now on it has that value."""
        if name == "preset":
            self.preset = value
            return
        if not isinstance(self.row(name)[2], str):
            value = value.lstrip("0") or value[-1:]  # 026, in a profile, is 26
        if value == self.usual(name):
            self.said.pop(name, "")
        else:
            self.said[name] = value

    def list_values(self, name: str) -> list:
        """All that can be said, the usual value first among numbers; of many numbers the round ones."""
        values = self.row(name)[2]
        if isinstance(values, str):
            return values.split(" ")
        low, high = values
        numbers = [str(number) for number in range(low, high + 1)] if self.is_short(name) else self.list_round(name)
        for value in (self.value(name), self.usual(name)):
            if value not in numbers:
                numbers.insert(0, value)
        return numbers

    def is_short(self, name: str) -> bool:
        """Whether every value can be offered in a row."""
        values = self.row(name)[2]
        return isinstance(values, str) or values[1] - values[0] < FREE

    def list_round(self, name: str) -> list:
        """Round numbers among the values; a time begins with ten seconds."""
        low, high = self.row(name)[2]
        is_time = name in [row[0] for row in TABLE_OPTIONS]
        return [str(number) for number in _ROUND if max(low, 10 if is_time else 0) <= number <= high]

    def list_seconds(self, name: str) -> list:
        """Those of an option that is said seat by seat, without 0."""
        low_ms, high_ms, _ = self.row(name)[2]
        if high_ms > FREE * _STEP_MS:
            return [str(number) for number in _ROUND if 10 <= number <= high_ms // 1000]
        return ["%.1f" % (ms / 1000) for ms in range(low_ms, high_ms + 1, _STEP_MS) if ms]

    # --- what fits together ---

    def blocks(self, name: str, value: str) -> str:
        """What does not go with that value: the name of an option, `preset` or `seats`; empty if nothing."""
        for options, needed, values, _ in self._about.NEEDS:
            words = options.split(" ")
            if name in words or name + "=" + value in words:
                fits = values.split(" ")
                if needed == "seats":
                    rival = self.find_rival(name, fits)
                    if rival:
                        return rival
                    fits = [count for count in fits if int(count) <= self.places]
                elif self.value(needed) not in fits:
                    return needed
                if not fits:
                    return needed
        return ""

    def find_rival(self, name: str, counts: list) -> str:
        """Another option whose value is for other numbers of seats than these; empty if there is none."""
        for options, needed, values, _ in self._about.NEEDS:
            for option in options.split(" "):
                other, equals, value = option.partition("=")
                if needed == "seats" and equals and other != name and self.value(other) == value:
                    if not [count for count in counts if count in values.split(" ")]:
                        return other
        return ""

    def is_asked(self, name: str) -> bool:
        """Whether the option means anything as things stand, and is open."""
        values = self.row(name)[2]
        if is_for_seats(values) or isinstance(values, str) and name in self.preset_values():
            return False
        return not self.blocks(name, "")

    def list_seats(self) -> list:
        """For how many the game is, as things stand, at this table."""
        low, high, _ = self._about.SEAT_RANGE
        counts = [str(count) for count in range(low, min(high, self.places) + 1)]
        for options, needed, values, _ in self._about.NEEDS:
            for option in options.split(" "):
                name, equals, value = option.partition("=")
                if needed == "seats" and equals and self.value(name) == value:
                    counts = [count for count in counts if count in values.split(" ")]
        return [int(count) for count in counts]

    def list_asked(self) -> list:
        """The names of the options that are asked for, in the order of the rules."""
        return [row[0] for row in self.rows if self.is_asked(row[0])]

    def list_for_seats(self) -> list:
        """The names of what is said seat by seat; a turn time of one's own only where turns have one."""
        is_timed = self.value("clock") != "0" or self.value("bank") != "0"
        return [row[0] for row in self.rows if is_for_seats(row[2]) and (is_timed or row[0] != "own_clock")]

    def list_changed(self) -> list:
        """The names of those that are not as usual, and that still fit."""
        return [name for name in self.list_asked() if name in self.said and not self.blocks(name, self.said[name])]

    def for_two(self) -> list:
        """What is said for two players beside `line`: OPTION=VALUE of what nobody has chosen."""
        found = []
        for word in getattr(self._about, "FOR_TWO", "").split():
            if word.partition("=")[0] not in self.said:
                found.append(word)
        return found

    def forget_for_two(self) -> None:
        """A header for two says it; for others it is nothing that anybody has chosen."""
        for word in getattr(self._about, "FOR_TWO", "").split():
            name, _, value = word.partition("=")
            if self.said.get(name) == value:
                self.said.pop(name)

    def line(self) -> str:
        """As a set-up writes it, without what is said seat by seat."""
        words = [self.name] + ([self.preset] if len(self.presets) > 1 else [])
        return " ".join(words + [name + "=" + self.said[name] for name in self.list_changed()])

    # --- in words ---

    def game_title(self) -> str:
        """The game and its variant."""
        return read_title(self.name, self.preset, self.language)

    def question(self, name: str) -> str:
        """What the option asks."""
        found = self.words.find("ask." + name)
        return found if found[:4] != "ask." else name.replace("_", " ") + "?"

    def answer(self, name: str, value: str) -> str:
        """The answer that a value is; the value itself where this language has no words."""
        key = "say.%s.%s" % (name, value)
        found = self.words.find(key)
        if found != key:
            return found
        key = "say.%s" % name
        if value.isdigit():
            has_few = self.words.find(key + "#few") != key + "#few"
            for form in (key + "#" + plural(has_few, int(value)), key + "#many"):
                found = self.words.find(form)
                if found != form:
                    return found.replace("{number}", value)
        found = self.words.find(key)
        return found.replace("{number}", value) if found != key else value

    def answer_for(self, name: str, who: str, seconds: str) -> str:
        """The same for one player; "0": nothing is said of this one any more."""
        words = self.words.find("say." + name if seconds != "0" else "L.as_others")
        return words.replace("{seat}", who).replace("{number}", seconds)

    def changes(self) -> str:
        """The answers that are not the usual ones."""
        return "; ".join([self.answer(name, self.said[name]) for name in self.list_changed()])
