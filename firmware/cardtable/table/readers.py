"""Believes or doubts what the readers say, and posts the cards that came and went.

A tag is believed after two equal reads. It has left when another tag is read there, when another reader reads it, or
after AWAY_MS of clean misses: a card at the edge of the field is missed for half a second now and then, and would tap
by itself. Where a card was missed often and came back by itself the reader waits longer (`came_back`). A garbled answer
is neither, for something made it; nor are tags of which each differs from the last, as a phone shows them. A reader
that has just lost a card may have gone deaf by one wrong byte: it is renewed before that is believed. The same holds
for what may have lain on a reader since before the power came back (`resting`). One field is on at a time: readers are
looked at one by one. Where a card rests every second sweep is enough, and where nobody sits every fourth, so the others
come sooner; and the second look at a new card comes AGAIN_MS after the first, as at an empty table of four.
"""

import time

from micropython import const

from cardtable.answers import EMPTY, GARBLED, PRESENT, SILENT
from cardtable.engine.deck import STRANGER
from cardtable.rooms import forget, load

# What is posted.
CAME = const(1)
LEFT = const(2)
CROWDED = const(3)  # more than one tag at once
CLEARED = const(4)  # not any more
LIFTED = const(6)  # probably: the light need not say any more what became of it
UNREAD = const(5)  # something lies there that cannot be read; CLEARED ends that too

_READS_TO_BELIEVE = const(2)
# Private numbers take no room on a device; tests say them again.
_MISSES_TO_FREE = const(5)  # clean ones since it was read: a tag that was never believed is gone
AWAY_MS = const(1500)  # and what was believed has left after this time, on every board
MOST_AWAY_MS = const(12000)  # the longest that a reader with restless cards waits
_RETURN = const(4)  # what a card that was missed and came back counts; a watch takes one back
_RESTLESS = const(8)  # from more than this on each return doubles the wait
GARBLED_TO_TELL = const(10)  # looks, a second at most; a clean miss takes two back; a tag that is believed has twice
MOST_GARBLED = const(40)  # and the most of them, for a reader that had called a card unreadable and then read it
_SILENCES_TO_FAULT = const(3)
_SWEEPS_TO_RETRY = const(8)  # how often a faulty reader is restarted
AGAIN_MS = const(20)  # a card that is carried over a reader is there for longer
_SWEEPS_OF_REST = const(2)  # how often a reader is looked at on which a card rests
_SWEEPS_OF_UNUSED = const(4)  # and one at which nobody sits: whether it is silent is still to be found
_SWEEPS_TO_RECOUNT = const(8)  # how often a reader looks for a second tag on the one it knows
_SWEEPS_TO_RENEW = const(32)  # how often a reader with nothing on it is restarted: one wrong byte may make it deaf
_SWEEPS_TO_WATCH = const(256)  # how often wires and readers are weighed, ten seconds
_FAULTS_TO_SLOW = const(50)  # one silent look in so many: the clock of the bus is too fast
_RING = const(32)


class Readers:
    """Looks at one reader after the other; what happened is taken out with `next`, oldest first."""

    def __init__(self, chips: list, tags, reset=None, buses: tuple = ()) -> None:
        """chips: a driver for each place of the table; tags: a table.tags.Tags; reset(level): the reset line of all
        readers; buses: (bus, its baudrate) of those that readers are on."""
        count = len(chips)
        self.reset = reset
        self.buses = buses
        self.halvings = 0  # how often their clock was halved
        self.chips = chips
        self.tags = tags
        self.unused = 0  # a bit for each reader at which nobody sits in this game
        self.resting = 0  # a bit for each at which a card may have lain since before the power came back
        self.faulty = 0  # a bit for each silent reader, bit 0 for place 1 (T13)
        self.jammer = 0  # the place of a reader that drives the data line all the time, so that no other is heard
        self.sweeps = 0
        self.lost = 0  # posts that found the ring full: a fault that is shown
        self.say = None  # takes a line for the feed
        self.hurry = 0  # looks for which everything else waits: a card was read, and is not believed yet
        self.calm_ms = AWAY_MS  # how long a reader waits until its card has left
        self.away_ms = [AWAY_MS] * count  # and how long now, if its cards are restless
        self._warm = -1  # the reader whose field is on already: it is looked at next; -1: none
        self._turn = -1  # the reader whose turn it was last
        self._new = -1  # the reader on which a card was read once; -1: none, or it was looked at again
        self._gone_ms: list = [0] * count  # ticks of the first miss in a row, or of the first read
        self._returns = bytearray(count)
        self.looked = self.failed = 0  # looks of all readers until the last watch, and those that failed
        self.trial = None  # of a slower clock (reader_care): failed looks in a thousand before it, and from where
        self.rests = 0  # watches until the next one
        self._uid = [bytearray(10) for _ in chips]  # what is believed, or about to be
        self._reads = bytearray(count)  # equal reads so far, up to _READS_TO_BELIEVE
        self._misses = bytearray(count)
        self._silences = bytearray(count)  # in a row; of a faulty reader also how often it did not start again
        self._crowded = bytearray(count)  # what was posted of it last: 0, CROWDED or UNREAD
        self._garbled = bytearray(count)
        self.garbled = bytearray([GARBLED_TO_TELL] * count)  # looks until it says so; more if that was too soon
        self.missed = [0] * count  # looks, in every second sweep, that missed a tag which lay there: a later one saw it
        self._ring = bytearray(3 * _RING)  # rows of what, place, card
        self._first = 0
        self._held = 0
        self.what = 0
        self.place = 0
        self.card = 0

    def take_turn(self) -> int:
        """The reader to look at now (from 0): the next one of the sweep that may not wait, but first one on which a new
        card was read once, AGAIN_MS ago. Counts the sweeps, and has them weighed."""
        new = self._new
        if new >= 0 and time.ticks_diff(time.ticks_ms(), self._gone_ms[new]) >= AGAIN_MS:
            self._new = -1
            if self._reads[new] == 1:
                return new
        while True:  # four sweeps at most: no reader may wait for longer
            self._turn += 1
            if self._turn == len(self.chips):
                self._turn = 0
                self.sweeps += 1
                if self.sweeps % _SWEEPS_TO_WATCH == 0:
                    self.watch()
            if not self.may_wait(self._turn, self.sweeps):
                return self._turn

    def may_wait(self, index: int, sweeps: int) -> bool:
        """Whether the reader at `index` need not be looked at in that sweep: nobody sits there and nothing lies there,
        or a card that is believed rests there, and was read well the last time. One that was missed is looked for in
        each sweep: as long as it is believed there, it counts nowhere else."""
        if self.unused >> index & 1 and not self._reads[index]:
            return (sweeps + index) % _SWEEPS_OF_UNUSED != 0
        if self._reads[index] < _READS_TO_BELIEVE or (sweeps + index) % _SWEEPS_OF_REST == 0:
            return False
        return not (self._misses[index] or self._garbled[index] or self._crowded[index] or self._silences[index])

    def begin(self, index: int):
        """Begin a look at the reader at `index` (from 0): its driver, to be polled; None while it is silent. No
        coroutine of its own, for each would be garbage: main.run awaits the poll."""
        chip = self.chips[index]
        if self._warm != index:
            self.cool()
        self._warm = -1
        if self.faulty >> index & 1:
            if (self.sweeps + index) % _SWEEPS_TO_RETRY:
                return None
            if not chip.start():
                self._silences[index] = min(255, self._silences[index] + 1)
                # The first if all readers are silent; one that was never wired disturbs the others for some minutes.
                if self._silences[index] in (6, 13, 23, 43, 83, 163):
                    load("between", "reader_care").reset(self, self._silences[index])
                    forget("between.reader_care")
                return None
        elif self.may_be_deaf(index) and not chip.start() and not chip.start():
            self.faulty |= 1 << index
            return None
        return chip

    def end(self, index: int, answer: int) -> None:
        """Draw the conclusions from what the poll has given."""
        if answer != SILENT and self.faulty:
            self.faulty &= ~(1 << index)
            if not self.faulty:
                self.jammer = 0
        self.conclude(index, answer, self.chips[index].uid)
        self.warm()

    def warm(self) -> None:
        """Switch on the field of the reader whose turn is next: it comes up while all else is done."""
        index = self._turn
        sweeps = self.sweeps
        for _ in range(len(self.chips)):
            index += 1
            if index == len(self.chips):
                index = 0
                sweeps += 1
            if not self.may_wait(index, sweeps):
                break
        if not self.faulty >> index & 1 and self.chips[index].warm():
            self._warm = index

    def cool(self) -> None:
        """Switch off what `warm` has switched on: another reader is asked something."""
        if self._warm >= 0:
            self.chips[self._warm].field(False)
            self._warm = -1

    def may_be_deaf(self, index: int) -> bool:
        """Whether to restart it before this look: it has just lost its card, or has had none for some time."""
        if self._misses[index]:
            return self._misses[index] % _MISSES_TO_FREE == 0
        return not self._reads[index] and (self.sweeps + index) % _SWEEPS_TO_RENEW == 0

    def watch(self) -> None:
        """Weigh what was silent since the last time: if it is too much, the clock of the bus is looked after."""
        looks, faults = -self.looked, -self.failed
        for index in range(len(self.chips)):
            chip = self.chips[index]
            looks += chip.polls
            faults += chip.silent + chip.restarts
            if self._returns[index]:
                self._returns[index] -= 1
            else:
                self.away_ms[index] = max(self.calm_ms, self.away_ms[index] // 2)
        self.looked += looks
        self.failed += faults
        if self.rests:
            self.rests -= 1
        elif looks > 0 and (self.trial or faults * _FAULTS_TO_SLOW > looks):
            load("between", "reader_care").weigh(self, faults, looks)
            forget("between.reader_care")

    def came_back(self, index: int) -> None:
        """A card was missed for so long that it looked lifted, and was there: if that comes often, it takes longer
        until one has left."""
        self._returns[index] = min(255, self._returns[index] + _RETURN)
        if self._returns[index] > _RESTLESS:
            self.away_ms[index] = min(MOST_AWAY_MS, 2 * self.away_ms[index])

    def expected(self, index: int) -> "bytearray | None":
        """The tag that lies here: a driver that knows it looks for no second one, so now and then it is not told."""
        if not self._reads[index] or self._crowded[index]:
            return None
        return self._uid[index] if (self.sweeps + index) % _SWEEPS_TO_RECOUNT else None

    def conclude(self, index: int, answer: int, uid) -> None:
        """What one poll means. `uid`: ten bytes, zero padded, good only with PRESENT."""
        if answer == SILENT:
            self._silences[index] = min(255, self._silences[index] + 1)
            if self._silences[index] >= _SILENCES_TO_FAULT:
                self.faulty |= 1 << index
            return
        self._silences[index] = 0
        if answer == PRESENT:
            answer = self.hit(index, uid)
        if answer == EMPTY:
            self._garbled[index] = max(0, self._garbled[index] - 2)
            self.miss(index)
            return
        if answer == GARBLED:
            is_believed = self._reads[index] >= _READS_TO_BELIEVE
            if self._garbled[index] < self.garbled[index] << is_believed:
                self._garbled[index] += 1
            elif not self._crowded[index]:
                self._crowded[index] = UNREAD
                self.post(UNREAD, index, STRANGER)
            return
        if answer != PRESENT and self._crowded[index] != CROWDED:
            self._crowded[index] = CROWDED
            self.post(CROWDED, index, STRANGER)
        self._misses[index] = self._garbled[index] = 0

    def clear(self, index: int) -> None:
        """One tag, or none."""
        if self._crowded[index]:
            self._crowded[index] = 0
            self.post(CLEARED, index, STRANGER)

    def hit(self, index: int, uid) -> int:
        """A tag was read: what that means here. PRESENT: a card; the second equal read is believed, and another one
        means that the first has left. EMPTY: a neighbour has believed it first, and still reads it. GARBLED: the look
        before read another one, which was not believed either.
        """
        reads = self._reads[index]
        is_same = reads > 0 and self._uid[index] == uid
        if is_same and reads >= _READS_TO_BELIEVE:
            self.clear(index)
            # A card that is missed is looked at twice as often as one that rests: a time without it counts once.
            self.missed[index] += (self._misses[index] + 1) // 2
            if self._garbled[index] == 2 * self.garbled[index]:  # it was called unreadable, and lay there
                self.garbled[index] = min(MOST_GARBLED, self._garbled[index])
            if self._misses[index] >= _MISSES_TO_FREE:
                self.came_back(index)
            return PRESENT
        for other in range(len(self.chips)):
            if other != index and self._reads[other] >= _READS_TO_BELIEVE and self._uid[other] == uid:
                if self._misses[other] < _MISSES_TO_FREE:
                    return EMPTY
                if is_same:
                    self.leave(other)
        if not is_same and reads == 1:  # no hurry: a phone has another UID in each field
            self._uid[index][:] = uid
            return GARBLED
        self.clear(index)
        if is_same:
            self._reads[index] = _READS_TO_BELIEVE
            self.hurry = 0
            self.post(CAME, index, self.tags.find(uid))
            return PRESENT
        if reads:
            self.leave(index)
        self._uid[index][:] = uid
        self._reads[index] = 1
        self.hurry = 2 * len(self.chips)
        if self._new < 0:
            self._new = index  # of two cards the one that came first is believed first
        self._gone_ms[index] = time.ticks_ms()
        return PRESENT

    def leave(self, index: int) -> None:
        """The card that lay there has left."""
        if self._reads[index] >= _READS_TO_BELIEVE:
            self.post(LEFT, index, self.tags.find(self._uid[index]))
        self._reads[index] = self._misses[index] = 0
        self.resting &= ~(1 << index)

    def miss(self, index: int) -> None:
        """A clean miss: some in a row free a reader that was crowded, and after more of them the tag has left."""
        may_rest = self.resting >> index & 1
        if not self._reads[index] and not self._crowded[index] and not may_rest:
            return
        if not self._misses[index]:
            self._gone_ms[index] = time.ticks_ms()
        self._misses[index] = min(255, self._misses[index] + 1)
        if self._misses[index] == _MISSES_TO_FREE:
            self.clear(index)
            if self._reads[index] >= _READS_TO_BELIEVE:
                self.post(LIFTED, index, STRANGER)
            elif not may_rest:
                self.leave(index)
        elif (self._misses[index] > _MISSES_TO_FREE
              and time.ticks_diff(time.ticks_ms(), self._gone_ms[index]) >= self.away_ms[index]):
            self.leave(index)

    def uid(self, place: int) -> bytearray:
        """The tag that lies, or lay last, on the reader of that place: ten bytes, zero padded."""
        return self._uid[place - 1]

    def post(self, what: int, index: int, card: int) -> None:
        """Into the ring; if it is full the post is lost and counted."""
        if self._held == _RING:
            self.lost += 1
            return
        at = 3 * ((self._first + self._held) % _RING)
        self._ring[at] = what
        self._ring[at + 1] = index + 1
        self._ring[at + 2] = card
        self._held += 1

    def has_posts(self) -> bool:
        """Whether `next` has something to take."""
        return self._held > 0

    def next(self) -> bool:
        """Take the oldest post out into `what`, `place` (1..7) and `card`; False if there is none."""
        if not self._held:
            return False
        at = 3 * self._first
        self.what = self._ring[at]
        self.place = self._ring[at + 1]
        self.card = self._ring[at + 2]
        self._first = (self._first + 1) % _RING
        self._held -= 1
        return True
