"""What the table sounds like: tunes that begin with a light, one at a time, and nothing that the lights do not say."""

from cardtable.table.lights import ACCEPTED, CHOOSING, FAULT, OFF, REFUSED, WAITED_FOR
from cardtable.table.sounds import BROKEN, NO, TURN, YES, Sounds

SEATS = 3
STEP_MS = 10


class Buzzer:
    """Remembers its tones and when each began."""

    def __init__(self):
        self.hertz = 0
        self.tones = []
        self.now_ms = 0

    def tone(self, hertz):
        if hertz != self.hertz:
            self.hertz = hertz
            self.tones.append((self.now_ms, hertz))


TICKS = 1 << 30  # how many there are before time.ticks_ms begins anew


def heard(*lights, for_ms=2000, from_ms=0):
    """The tones of lights that mean these, one row after the other, each for as long; from_ms: ticks of the first."""
    buzzer = Buzzer()
    sounds = Sounds(buzzer, SEATS)
    means = bytearray(SEATS)
    for row in lights:
        for place in range(SEATS):
            means[place] = row[place]
        for _ in range(for_ms // STEP_MS):
            sounds.follow(means, (from_ms + buzzer.now_ms) % TICKS)
            buzzer.now_ms += STEP_MS
    return buzzer.tones


def played(tune, at_ms=0):
    """The tones of a tune that begins then."""
    tones = []
    for index in range(len(tune) // 2):
        tones.append((at_ms, tune[2 * index]))
        at_ms += tune[2 * index + 1]
    return tones + [(at_ms, 0)]


def test_each_light_that_comes_on_has_its_tune():
    for meaning, tune in ((ACCEPTED, YES), (REFUSED, NO), (FAULT, BROKEN), (WAITED_FOR, TURN)):
        assert heard((OFF, meaning, OFF)) == played(tune), meaning
    assert heard((OFF, CHOOSING, OFF)) == []
    assert len({YES, NO, BROKEN, TURN}) == 4


def test_a_tone_ends_also_where_the_ticks_begin_anew():
    """A lobby hands on raw ticks: after 12.4 days a tone went on for as long. One may be shorter there."""
    for tune, meaning in ((YES, ACCEPTED), (NO, REFUSED)):
        tones, usual = heard((OFF, meaning, OFF), from_ms=TICKS - 60), played(tune)
        assert [hertz for _, hertz in tones] == [hertz for _, hertz in usual]
        assert usual[-1][0] - 60 <= tones[-1][0] <= usual[-1][0]


def test_a_light_that_stays_is_heard_once():
    """A refused card that rests is red all the while (T6)."""
    assert heard((REFUSED, OFF, OFF), (REFUSED, OFF, OFF)) == played(NO)


def test_the_turn_is_heard_when_it_goes_on_and_not_after_each_verdict():
    rows = ((WAITED_FOR, OFF, OFF), (ACCEPTED, OFF, OFF), (WAITED_FOR, OFF, OFF), (OFF, WAITED_FOR, OFF))
    assert heard(*rows) == played(TURN) + played(YES, 2000) + played(TURN, 6000)


def test_the_more_urgent_tune_is_heard_and_goes_on():
    assert heard((ACCEPTED, REFUSED, WAITED_FOR)) == played(NO)
    assert heard((FAULT, ACCEPTED, OFF)) == played(BROKEN)
    tones = heard((REFUSED, OFF, OFF), (REFUSED, ACCEPTED, OFF), for_ms=100)
    assert tones == [tone for tone in played(NO) if tone[0] < 200], "a yes does not cut off a no"
    tones = heard((ACCEPTED, OFF, OFF), (ACCEPTED, REFUSED, OFF), for_ms=50)
    assert tones == [(0, YES[0]), (50, NO[0])]


def test_a_second_light_of_the_same_meaning_has_the_whole_tune():
    """It begins again: two cards that are accepted one behind the other are not one."""
    rows = [(ACCEPTED, OFF, OFF)] + [(ACCEPTED, ACCEPTED, OFF)] * 20
    assert heard(*rows, for_ms=50) == [(0, YES[0])] + [(50 + at_ms, hertz) for at_ms, hertz in played(YES)[1:]]


def test_t11_what_is_heard_follows_from_the_lights_alone():
    """The same lights at the same times sound the same: there is nothing else that Sounds is told."""
    rows = ((WAITED_FOR, OFF, REFUSED), (ACCEPTED, CHOOSING, REFUSED), (OFF, WAITED_FOR, FAULT))
    assert heard(*rows) == heard(*rows) != []
    assert sorted(name for name in dir(Sounds(Buzzer(), 1)) if name[0] != "_") == ["buzzer", "follow", "go_on"]
