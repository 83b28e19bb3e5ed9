"""Examines a table that was just built: readers, buttons, lights, screens, flash; it says in words what to check.

A maker runs it first; it is loaded for that alone. What it finds by itself comes first. Then it asks: for
presses, for a word on each light and screen (OK or NO of any seat), for a card on each reader.
"""

import asyncio
import hashlib
import os
import time

from cardtable.answers import MANY, PRESENT, REPEATS, SILENT, WRONG_VERSION
from cardtable.between.archive import ROOM_BYTES, count_free
from cardtable.engine.event import MENU_KEY, NO_KEY, OK_KEY
from cardtable.rooms import HOME, forget, load
from cardtable.table.keypad import KEYS, button_at, key_of, place_of
from cardtable.table.screen import SLOW_FREQ
from cardtable.table.words import Words

UP, HELD = 0xFF, 0  # what `idle` gives of a line that is pulled up, and of one that something holds down
KNOWN = b"\x91\x92\x88\x89\x90\x82\xb2\x12\x32"  # versions of MFRC522, its copies that were seen, and PN532

REST_MS = 2200  # what is still closed after that is stuck
PRESS_MS = 15000  # how long a press, a word or a card is waited for
CARD_MS = 20000
GONE_MS = 5000  # how long a card may be left lying after it was seen
NOISE_LOOKS = 16
SILENT_LOOKS = 3  # in a row: no poll can be made
TRUE_LOOKS = 5  # of these, at least so many alike if a chip answers; by chance one line in a million has them
OTHER_LOOKS = 8  # in a row at a card, by a reader that was not asked; or past one that lay there before the question
READ_LOOKS = 100  # with a card lying there
WEAK = 95  # of them; fewer are a weak reader
TONE_HZ = 2000
ALONE = 3  # after so many questions without an answer, the table counts as empty
PROBE_FILE = "doctor.tmp"
PROBE_PARTS = 16  # of 256 bytes: a block
_WHITE = 60  # a third of what a light can take: seven at once must not overload a USB port
_BLUE = 40


def name_button(index: int) -> tuple:
    """(`CALL`, its place), for words."""
    return KEYS[key_of(index)], place_of(index)


class Doctor:
    """One examination. `findings` are sentences, `places` the places that they concern; `alone` if no answer came."""

    def __init__(self, parts, wires: list) -> None:
        """parts: as main.py builds them, started; wires: what selects each reader, in words ("pin 15")."""
        self.readers = parts.readers
        self.chips = parts.readers.chips
        self.buttons = parts.buttons
        self.strip = parts.strip
        self.sounds = parts.lights.sounds
        self.screen = parts.screen
        self.say = parts.say
        self.wires = wires
        self.feed_watchdog = parts.feed_watchdog
        self.words = Words("doctor", parts.language)
        self.findings: list = []
        self.places = 0
        self.works = 0  # a bit for each reader that can be asked for a card
        self.stuck = 0
        self.silent = 0  # a bit for each screen
        self.is_alone = False
        self._unanswered = 0
        self._is_answered = False
        self.learns = False
        self.learner: list = []  # one that measures more and keeps it, or none

    async def examine(self, asks: bool = True, learns: str = "") -> int:
        """Run every check, or only those that need no person; how many findings. learns: the date on which the table
        is to learn its own hardware (learn.py): it then asks for cards alone."""
        self.learns = bool(learns)
        self.tell("begin")
        self.look_at_flash()
        self.look_at_files()
        self.look_at_screens()
        await self.look_at_readers()
        if learns:
            self.learner.append(load("between", "learn").Learner(self, learns))
            self.learner[0].measure_bus()
            self.learner[0].measure_screens()
        await self.look_at_buttons()
        self.look_back()
        if asks:
            await self.ask_all()
        if self.learner and not self.is_alone:
            self.learner[0].conclude()
        self.conclude()
        return len(self.findings)

    # --- what is said ---

    def find(self, key: str, values: tuple = ()) -> str:
        """The words of that key, with their values."""
        words = self.words.find("D." + key)
        return words % values if values else words

    def tell(self, key: str, values: tuple = ()) -> None:
        """Something that is right, or goes on."""
        self.say(self.find(key, values))

    def report(self, key: str, values: tuple = (), place: int = 0) -> None:
        """Something that is wrong, with the words that say what to check."""
        text = self.find(key, values)
        self.findings.append(text)
        if place:
            self.places |= 1 << (place - 1)
        self.say("! " + text)

    def show(self, text: str) -> None:
        """Fill every screen."""
        self.screen.paragraph(0, 8, text)
        for _ in range(8 * len(self.screen.glasses) + 1):
            self.screen.refresh()

    def ask(self, key: str, values: tuple = ()) -> None:
        """Ask the maker, on the feed and on the screens."""
        text = self.find(key, values)
        self.say("? " + text)
        self.show(text)

    def light(self, place: int, red: int, green: int, blue: int) -> None:
        """Only the light of that place; 0: none."""
        for index in range(self.strip.count):
            if index == place - 1:
                self.strip.set(index, red, green, blue)
            else:
                self.strip.set(index, 0, 0, 0)
        self.strip.show(True)

    async def pause(self, ms: int) -> None:
        """Let some time pass."""
        self.feed_watchdog()
        await asyncio.sleep_ms(ms)

    def answer(self, came: bool) -> bool:
        """Count answers and silences: after a long silence the table counts as empty."""
        self._is_answered = self._is_answered or came
        self._unanswered = 0 if came else self._unanswered + 1
        if not self._is_answered and self._unanswered >= ALONE:
            self.is_alone = True
            self.tell("alone")
        return came

    # --- what it finds by itself ---

    def look_at_flash(self) -> None:
        """Whether there is room for a game, and what is written can be read."""
        free = count_free(".")
        is_right = True
        part = bytes(range(256))
        try:
            with open(PROBE_FILE, "wb") as file:
                for _ in range(PROBE_PARTS):
                    file.write(part)
            with open(PROBE_FILE, "rb") as file:
                for _ in range(PROBE_PARTS):
                    is_right = is_right and file.read(len(part)) == part
            os.remove(PROBE_FILE)
        except OSError:
            is_right = False
        if free < ROOM_BYTES:
            self.report("flash_full", (free // 1024, ROOM_BYTES // 1024))
        elif is_right:
            self.tell("flash", (free // 1024,))
        if not is_right and free > ROOM_BYTES:
            self.report("flash_write")

    def look_at_files(self) -> None:
        """Whether the application is what was deployed, to the byte; the manifest lies beside it."""
        folder = HOME.rsplit("/", 1)[0]
        count = 0
        try:
            with open(folder + "/manifest.txt") as lines:
                next(lines)
                for line in lines:
                    digest, _, name = line.rstrip().split(" ", 2)
                    count += 1
                    self.feed_watchdog()
                    if hash_file(folder + "/" + name) != digest:
                        self.report("file", (name,))
        except OSError:
            return  # it was not deployed: the virtual table
        except (StopIteration, ValueError):  # a text that it is not, or no text at all
            self.report("file", ("manifest.txt",))
            return
        self.tell("files", (count,))

    def look_back(self) -> None:
        """What the table has counted: bugs that it wrote down, and what went wrong on its wires since power-up."""
        self.tell("bugs", (load("between", "bugs").count_bugs(),))
        self.tell("counts", (self.buttons.bad_scans, self.buttons.lost + self.readers.lost))
        load("between", "health").tell(self.readers, self.say)
        forget("between.bugs", "between.health", "between.learned", "between.files")

    def look_at_screens(self) -> None:
        """Whether each takes what it is sent; if not, at the slower clock of their bus."""
        screen = self.screen
        self.silent = self.power_up_screens((1 << len(screen.glasses)) - 1)
        if self.silent and screen.freq > SLOW_FREQ:
            screen.set_clock(SLOW_FREQ, False)
            silent = self.power_up_screens(self.silent)
            if silent == self.silent:
                screen.set_clock(screen.freq, False)
            elif not self.learns:
                self.report("screens_slow", (SLOW_FREQ // 1000,))
            self.silent = silent
        for index in range(len(screen.glasses)):
            if self.silent >> index & 1:
                self.report("screen_silent", (index + 1,))

    def power_up_screens(self, which: int) -> int:
        """Light these screens, a bit each; those that do not answer."""
        silent = 0
        for index in range(len(self.screen.glasses)):
            self.feed_watchdog()
            if which >> index & 1 and not self.screen.glasses[index].power_up():
                silent |= 1 << index
        return silent

    async def look_at_readers(self) -> None:
        """Version, settings that read back, and the wire that they share."""
        self.start_readers()
        asked = 0
        while asked + 1 < len(self.chips) and not self.works >> asked & 1:
            asked += 1  # only a reader that works can tell a driven line from one without a pull-up
        line = self.chips[asked].idle()
        if line == HELD:
            self.report_holder()
            return
        if line != UP:
            self.report("bus_open")
        if self.readers.halvings and not self.learns:
            self.report("bus_slow", (1 << self.readers.halvings,))
        for index in range(len(self.chips)):
            chip = self.chips[index]
            place = index + 1
            if self.works >> index & 1:
                self.tell("reader", (place, chip.version, chip.gain))
                # Settings read back one by one, and what a poll asks for in one frame does not. One wrong byte makes a
                # poll silent, too: only a reader that is silent each time is none.
                looks = SILENT_LOOKS
                while looks and await chip.poll(None) == SILENT:
                    looks -= 1
                if looks:
                    self.tell("self_test" if chip.self_test() else "self_test_no", (place,))  # as information
                else:
                    self.report("reader_bursts", (place,), place)
                    self.works &= ~(1 << index)
                if bytes([chip.version]) not in KNOWN:
                    self.tell("reader_other", (place,))
            elif chip.fault == REPEATS:
                self.report("reader_bursts", (place,), place)
            elif chip.fault == SILENT or self.is_noise(chip):
                self.report("reader_dead", (place, self.wires[index]), place)
            elif chip.fault == WRONG_VERSION:
                self.report("reader_version", (place, chip.version), place)
            else:
                self.report("reader_gain", (place,), place)

    def start_readers(self) -> None:
        """Start each; those that work only after a pulse on their reset line hung."""
        for is_reset in (False, True):
            silent = 0
            for index in range(len(self.chips)):
                chip = self.chips[index]
                self.feed_watchdog()
                chip.field(False)
                if chip.start():
                    if is_reset and not self.works >> index & 1:
                        self.report("reader_hung", (index + 1,), index + 1)
                    self.works |= 1 << index
                elif chip.fault == SILENT:
                    silent += 1
            if not silent or is_reset:
                break
            load("between", "reader_care").pulse(self.readers)

    def is_noise(self, chip) -> bool:
        """Whether its version differs nearly each time: nothing drives the line."""
        seen = []
        for _ in range(NOISE_LOOKS):
            chip.start()
            seen.append(chip.version)
        return max([seen.count(version) for version in seen]) < TRUE_LOOKS

    def report_holder(self) -> None:
        """A reader drives the data line while none is selected: it drowns out all the others."""
        heard = [index + 1 for index in range(len(self.chips)) if self.works >> index & 1]
        if len(heard) == 1:
            self.report("reader_holds", (heard[0],), heard[0])
        else:
            self.report("bus_held")
        self.works = 0

    async def look_at_buttons(self) -> None:
        """Check the chain, and find buttons that are closed without being pressed."""
        self.tell("hands_off")
        for _ in range(REST_MS // 100):
            await self.pause(100)
        if not self.buttons.chain_ok:
            self.report("chain")
            return
        self.stuck = self.buttons.stuck
        for index in range(button_at(self.strip.count, MENU_KEY) + 1):
            if self.stuck >> index & 1:
                self.report("stuck", name_button(index), place_of(index))
        while self.buttons.next_press() >= 0:
            pass
        if not self.stuck:
            self.tell("buttons")

    # --- what it asks ---

    async def ask_all(self) -> None:
        """Ask what only a person at the table can tell; a question without an answer is no finding."""
        findings, places = len(self.findings), self.places
        if self.buttons.chain_ok and not self.learner:
            for ask in (self.ask_buttons, self.ask_lights, self.ask_screens, self.ask_sound):
                if not self.is_alone:
                    await ask()
        if not self.is_alone:
            await self.ask_cards()
        self.light(0, 0, 0, 0)
        if self.is_alone:
            self.places = places
            del self.findings[findings:]

    async def wait_press(self, limit_ms: int) -> int:
        """The next button that is pressed; -1 if none is."""
        begun = time.ticks_ms()
        while time.ticks_diff(time.ticks_ms(), begun) < limit_ms:
            index = self.buttons.next_press()
            if index >= 0:
                return index
            await self.pause(10)
        return -1

    async def wait_word(self) -> int:
        """OK or NO of any seat; -1 if neither comes."""
        begun = time.ticks_ms()
        while True:
            left_ms = PRESS_MS - time.ticks_diff(time.ticks_ms(), begun)
            index = await self.wait_press(max(0, left_ms))
            if index < 0 or key_of(index) in (OK_KEY, NO_KEY):
                self.answer(index >= 0)
                return index if index < 0 else key_of(index)

    async def ask_buttons(self) -> None:
        """Every button of every place, one after the other."""
        for index in range(button_at(self.strip.count, MENU_KEY) + 1):
            place = place_of(index)
            if self.stuck >> index & 1 or self.is_alone:
                continue
            self.light(place, 0, 0, _BLUE)
            self.ask("press", name_button(index))
            came = await self.wait_press(PRESS_MS)
            self.answer(came >= 0)
            if came < 0:
                self.report("button_dead", name_button(index), place)
            elif came != index:
                self.report("button_other", name_button(index) + name_button(came), place)

    async def ask_lights(self) -> None:
        """Each light alone. A broken one keeps those behind it on the wire from hearing anything."""
        is_broken = False
        for place in range(1, self.strip.count + 1):
            self.light(place, _WHITE, _WHITE, _WHITE)
            self.ask("light", (place,))
            if await self.wait_word() == NO_KEY:
                self.report("light_behind" if is_broken else "light_dark", (place,), place)
                is_broken = True

    async def ask_screens(self) -> None:
        """Every dot of every screen that takes what it is sent."""
        for index in range(len(self.screen.glasses)):
            if self.silent >> index & 1:
                continue
            text = self.find("screen", (index + 1,))
            self.say("? " + text)
            self.show(text)
            if await self.wait_word() == NO_KEY:
                self.report("screen_dark", (index + 1,))

    async def ask_sound(self) -> None:
        """A tone that a piezo can make."""
        if not self.sounds:
            return
        self.sounds.buzzer.tone(TONE_HZ)
        self.ask("sound")
        is_mute = await self.wait_word() == NO_KEY
        self.sounds.buzzer.tone(0)
        if is_mute:
            self.report("sound_mute")

    async def ask_cards(self) -> None:
        """A live card on each reader; who sees it tells where its wires lead."""
        told = 0
        seen = -1
        for index in range(len(self.chips)):
            if not self.works >> index & 1 or self.is_alone:
                continue
            place = index + 1
            self.light(place, 0, 0, _BLUE)
            if self.learner:
                self.ask("card_still", (place,))
            else:
                self.ask("card", (place,))
            seen = await self.wait_card(index, seen)
            if not self.answer(seen >= 0):
                self.report("no_card", (place,), place)
            elif self.learner:
                await self.learner[0].measure_reader(seen)
            else:
                await self.count_reads(seen)
            if seen not in (-1, index) and not told >> index & 1:
                told |= 1 << index | 1 << seen
                self.report("swapped", (place, seen + 1, self.wires[index], self.wires[seen]), place)
                self.places |= 1 << seen
            if seen >= 0:
                self.light(place, 0, _BLUE, 0)
                self.ask("away", (place,))
            await self.wait_gone()

    async def count_reads(self, index: int) -> None:
        """How well the reader reads the card that lies on it."""
        count = 0
        for _ in range(READ_LOOKS):
            self.feed_watchdog()
            count += await self.chips[index].poll(None) in (PRESENT, MANY)
        if count < WEAK:
            self.report("reader_weak", (index + 1, count), index + 1)
        else:
            self.tell("card_seen", (index + 1, count))

    async def wait_card(self, asked: int, last: int) -> int:
        """The reader that has seen a card twice, from 0; -1 if none has, or NO was pressed. Another than the asked one
        has to see it more often: a card that both see lies on the one that was asked. A card that lay there before the
        question is no answer: another reader, and the one that saw the last card, have to miss it first."""
        begun = time.ticks_ms()
        seen = [-2 if index != asked or index == last else 0 for index in range(len(self.chips))]  # below 0: to miss
        while time.ticks_diff(time.ticks_ms(), begun) < CARD_MS:
            for index in range(len(self.chips)):
                if not self.works >> index & 1:
                    continue
                self.feed_watchdog()
                if await self.chips[index].poll(None) not in (PRESENT, MANY):
                    seen[index] = min(0, seen[index] + 1)
                else:
                    seen[index] = seen[index] + 1 if seen[index] >= 0 else -OTHER_LOOKS
                if seen[index] == (2 if index == asked else OTHER_LOOKS):
                    return index
            pressed = self.buttons.next_press()
            if pressed >= 0 and key_of(pressed) == NO_KEY:
                self._is_answered = True
                return -1
        return -1

    async def wait_gone(self) -> None:
        """Wait until no reader sees a card, up to a limit."""
        begun = time.ticks_ms()
        misses = 0
        while misses < 2 and time.ticks_diff(time.ticks_ms(), begun) < GONE_MS:
            misses += 1
            for index in range(len(self.chips)):
                if self.works >> index & 1 and await self.chips[index].poll(None) in (PRESENT, MANY):
                    misses = 0
            self.feed_watchdog()

    def conclude(self) -> None:
        """Say all findings again, and light the places that they concern."""
        for index in range(self.strip.count):
            is_wrong = self.places >> index & 1
            self.strip.set(index, _BLUE if is_wrong else 0, 0 if is_wrong else _BLUE, 0)
        self.strip.show(True)
        if not self.findings:
            self.tell("right")
            self.show(self.find("right"))
            return
        self.tell("wrong", (len(self.findings),))
        for text in self.findings:
            self.say("! " + text)
        self.show("%d. %s" % (len(self.findings), self.findings[0]))


def hash_file(name: str) -> str:
    """SHA-256 of a file as hex digits; empty if it cannot be read."""
    found = hashlib.sha256()
    room = bytearray(512)
    try:
        with open(name, "rb") as file:
            while True:
                count = file.readinto(room)
                if not count:
                    break
                found.update(memoryview(room)[:count])
    except OSError:
        return ""
    return found.digest().hex()
