"""USB readers at a table, with a stand-in for PC/SC: where each stands, what is a tap, what is written on a tag."""

from types import SimpleNamespace

from cardtable.drivers import ntag
from host_tools.play.readers.pcsc import FIRST_PAGE, HELD, PAGE, Watch, ask_tag, find_place, write_tag
from host_tools.play.readers.readers import COMMON, Readers
from host_tools.play.readers.usb import UsbReaders, key_of
from host_tools.virtual.chips.ntag21x import Ntag, text_on
from tests.host_tools.play.real_evening import uid_of

RUNS_ON = "cpython"  # host tools
OK, NOT_THERE = 0, 0x80100069


class Scard:
    """As much of PC/SC as is used: readers by name, with what lies there; `fails` answers are none at all."""

    SCARD_SCOPE_USER, SCARD_SHARE_SHARED, SCARD_SHARE_DIRECT, SCARD_LEAVE_CARD = range(4)
    SCARD_PROTOCOL_T0 = SCARD_PROTOCOL_T1 = SCARD_ATTR_CHANNEL_ID = 1
    SCARD_E_NO_READERS_AVAILABLE, SCARD_E_TIMEOUT, SCARD_E_UNKNOWN_READER = 90, 91, 92
    SCARD_STATE_UNAWARE, SCARD_STATE_CHANGED, SCARD_STATE_EMPTY, SCARD_STATE_PRESENT = 0, 2, 16, 32
    SCARD_STATE_EXCLUSIVE, SCARD_STATE_INUSE, SCARD_STATE_MUTE, SCARD_STATE_UNPOWERED = 128, 256, 512, 1024

    def __init__(self, *names):
        self.lies, self.counts, self.state, self.channel = dict.fromkeys(names), dict.fromkeys(names, 0), {}, {}
        self.fails = self.asked = 0

    def lay(self, name, tag):
        self.lies[name], self.counts[name] = tag, self.counts[name] + 1

    def SCardEstablishContext(self, scope):
        return OK, 1

    def SCardReleaseContext(self, context):
        return OK

    def SCardListReaders(self, context, groups):
        return (OK, list(self.lies)) if self.lies else (self.SCARD_E_NO_READERS_AVAILABLE, [])

    def SCardGetStatusChange(self, context, ms, known):
        told = []
        for name, before in known:
            now = (self.SCARD_STATE_PRESENT if self.lies[name] else self.SCARD_STATE_EMPTY) | self.counts[name] << 16
            now |= self.state.get(name, 0)
            told.append((name, now | (self.SCARD_STATE_CHANGED if now != before else 0), b""))
        return OK, told

    def SCardConnect(self, context, name, share, protocol):
        there = share == self.SCARD_SHARE_DIRECT or self.lies[name]
        return (OK, name, 1) if there else (NOT_THERE, None, 0)

    def SCardDisconnect(self, card, what):
        return OK

    def SCardGetAttrib(self, card, attribute):
        number = self.channel.get(card)
        return (OK, list(number.to_bytes(4, "little"))) if number else (NOT_THERE, [])

    def SCardTransmit(self, card, protocol, command):
        tag, self.asked = self.lies[card], self.asked + 1
        if self.fails:
            self.fails -= 1
            return NOT_THERE, []
        if command[:2] == [0xFF, 0xCA]:
            return OK, [*tag.uid, 0x90, 0]
        at = PAGE * command[3]
        if command[:2] == [0xFF, 0xB0]:
            return OK, [*tag.memory[at:at + command[4]], 0x90, 0]
        if command[3] in tag.worn:
            return OK, [0x63, 0]
        tag.memory[at:at + PAGE] = bytes(command[5:])
        return OK, [0x90, 0]


class Looker:
    """A Watch that looks when the test says so; `news` without the beats."""

    def __init__(self, scard, reads=False):
        self.scard, self.news = scard, []
        self.watch = Watch(scard, self.hear, lambda: reads)

    def hear(self, name, what, uid, held):
        if what != "beat":
            self.news.append((name, what, uid))

    def look(self):
        self.watch._look(1)
        news, self.news = self.news, []
        return [(what, uid) if uid else what for _, what, uid in news]


def test_a_tap_is_what_lies_down_and_nothing_else_that_happens_to_a_reader():
    scard = Scard("A")
    looker, one, two = Looker(scard), Ntag(uid_of(1)), Ntag(uid_of(2))
    assert looker.look() == ["there"] and looker.look() == []
    scard.lay("A", one)
    assert looker.look() == [("came", one.uid)]
    # Another program speaks with the tag, or the table writes on it; it is mute for a while; its power is saved.
    for state in (scard.SCARD_STATE_INUSE, 0, scard.SCARD_STATE_MUTE, 0, scard.SCARD_STATE_UNPOWERED, 0):
        scard.state["A"] = state
        assert looker.look() == [], state
    scard.lay("A", two)  # exchanged between two looks
    assert looker.look() == ["went", ("came", two.uid)]
    scard.lay("A", two)  # taken away and laid again
    assert looker.look() == ["went", ("came", two.uid)]
    scard.lies["A"] = None
    assert looker.look() == ["went"]
    scard.lay("A", one)
    scard.fails = 5  # more than one look tries, less than two
    assert looker.look() == ["unreadable"] and looker.look() == [("came", one.uid)] and looker.look() == []
    scard.lay("A", two)
    scard.state["A"] = scard.SCARD_STATE_MUTE  # laid down beside the field: it is read once it answers
    assert looker.look() == ["went", "unreadable"]
    scard.state["A"] = 0
    assert looker.look() == [("came", two.uid)]
    scard.lay("A", two)
    scard.fails = 1000
    told = [looker.look() for _ in range(10)]
    assert told[0] == ["went", "unreadable"] and told[-1] == [] and scard.asked < 40, "it gives up"


def test_a_reader_that_is_unplugged_and_back_tells_a_tag_that_stayed_once():
    scard = Scard("A", "B")
    looker, tag = Looker(scard), Ntag(uid_of(1))
    looker.look()
    scard.lay("A", tag)
    assert looker.look() == [("came", tag.uid)]
    for lies, told in ((tag, ["there"]), (Ntag(uid_of(2)), ["there", ("came", uid_of(2))]), (None, ["there"])):
        del scard.lies["A"]
        assert looker.look() == ["gone"] and looker.look() == []
        scard.lies["A"] = lies
        assert looker.look() == told
    scard.lay("A", tag)
    assert looker.look() == [("came", tag.uid)]
    looker.watch.end()  # without a reader it would wait for one
    scard.lies.clear()
    assert looker.look() == ["gone", "gone"]


def test_what_a_tag_holds_is_read_and_written_page_by_page():
    scard, tag = Scard("A"), Ntag(uid_of(1))
    scard.lay("A", tag)
    uid, held = ask_tag(scard, 1, "A", reads=True)
    assert uid == tag.uid and held == bytes(tag.memory[16:16 + HELD])
    wanted = Ntag(tag.uid)
    wanted.hold_text("CT1 7S  0000")
    wanted = bytes(wanted.memory[16:16 + HELD])
    assert not write_tag(scard, "A", uid_of(2), wanted), "another tag lies there"
    tag.worn.add(FIRST_PAGE + 3)
    assert not write_tag(scard, "A", tag.uid, wanted)
    tag.worn.clear()
    assert write_tag(scard, "A", tag.uid, wanted) and text_on(tag) == "CT1 7S  0000"
    assert bytes(tag.memory[:16]) == bytes(Ntag(tag.uid).memory[:16]), "number and locks stay"
    before = scard.asked
    assert write_tag(scard, "A", tag.uid, wanted) and scard.asked - before == 7, "nothing to write: two reads"
    scard.lies["A"] = None
    assert ask_tag(scard, 1, "A") == (b"", b"") and not write_tag(scard, "A", tag.uid, wanted)


def test_a_readers_place_on_usb_is_found_where_linux_tells_it(tmp_path):
    for name, bus, device in (("1-2.3", 1, 7), ("2-1", 2, 7), ("usb1", 1, 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "busnum").write_text(f"{bus}\n")
        (tmp_path / name / "devnum").write_text(f"{device}\n")
    (tmp_path / "1-2.3:1.0").mkdir()  # an interface has no number
    scard = Scard("A", "B", "C")
    scard.channel = {"A": 0x00200107, "B": 0x00200207, "C": 0x00010107}
    assert [find_place(scard, 1, name, tmp_path) for name in "ABC"] == ["1-2.3", "2-1", ""]
    del scard.channel["A"]
    assert find_place(scard, 1, "A", tmp_path) == ""
    # pcscd's number goes by the order in which readers are found; the slot behind it does not.
    assert key_of("ACS ACR122U PICC Interface 01 00", "1-2.3") == key_of("ACS ACR122U PICC Interface 00 00", "1-2.3")
    assert key_of("Two Slots 00 01", "1-2") != key_of("Two Slots 00 00", "1-2")
    assert key_of("Two Slots 00 00", "1-2") != key_of("Two Slots 00 00", "1-3")
    assert key_of("Two Slots 00 00", "") != key_of("Two Slots 01 00", "")


class Table:
    """As much of a table as UsbReaders need."""

    def __init__(self, folder):
        self.folder, self.language = folder, "en"
        self.hands = dict.fromkeys((1, 2, 3, 4))
        self.has_common = self.is_playing = False
        self.machine = SimpleNamespace(has_power=False)
        self.readers = Readers(self, lambda: 0.0)

    def post(self, work):
        pass


def usb_at(folder, said=None):
    return UsbReaders(Table(folder), Scard(), (said if said is not None else []).append)


def test_one_tap_at_each_seat_tells_where_a_reader_stands_and_it_is_kept_by_place(tmp_path):
    said = []
    usb = usb_at(tmp_path, said)
    for number, place in enumerate((b"1-1", b"1-2", b"1-3")):
        usb.hear(f"ACR 0{number} 00", "there", b"", place)
    assert usb.asks == 1
    usb.hear("ACR 02 00", "came", uid_of(1), b"")
    assert usb.asks == 2 and usb.table.readers.find(1).taps == 0, "this tap plays nothing"
    usb.hear("ACR 00 00", "came", uid_of(1), b"")
    usb.hear("ACR 02 00", "came", uid_of(1), b"")
    assert usb.table.readers.find(1).taps == 1
    usb.hear("ACR 01 00", "came", uid_of(1), b"")
    assert usb.asks is None and [text.count("seat") for text in said] == [1, 1, 1, 0], said
    again = usb_at(tmp_path)  # another evening: they are found in another order, and one hangs elsewhere
    for number, place in enumerate((b"1-3", b"1-9", b"1-1")):
        again.hear(f"ACR 0{number} 00", "there", b"", place)
    assert {one.seat: one.name for one in again.table.readers.all} == {1: "ACR 00 00", 2: "ACR 02 00"}
    assert again.asks == 3
    again.forget()
    assert again.asks == 1 and not [one for one in again.table.readers.all if not one.is_over]
    again.hear("ACR 01 00", "came", uid_of(1), b"")
    assert again.table.readers.find(1).name == "ACR 01 00"


def test_a_reader_that_the_host_threw_out_comes_back_to_its_own_seat(tmp_path):
    usb = usb_at(tmp_path)
    usb.hear("A", "there", b"", b"")
    usb.hear("A", "came", uid_of(1), b"")
    readers = usb.table.readers
    readers.bar(1, True)
    usb.hear("A", "came", uid_of(1), b"")
    assert readers.find(1) is None and usb.seats == {"A": 1}
    readers.bar(1, False)
    usb.hear("A", "came", uid_of(1), b"")
    assert readers.find(1).taps == 1 and usb.seats == {"A": 1}
    usb.hear("A", "unreadable", b"", b"")
    assert readers.find(1).why == "unreadable"
    usb.hear("A", "gone", b"", b"")
    assert readers.all[0].state == "lost" and usb.asks is None


def test_a_usb_reader_can_be_the_one_in_the_middle(tmp_path):
    usb = usb_at(tmp_path)
    usb.table.has_common = True
    usb.hear("A", "there", b"", b"")
    assert usb.asks == COMMON
    usb.hear("A", "came", uid_of(1), b"")
    assert readers_of(usb) == [COMMON]
    usb.table.has_common = False
    usb.hear("A", "gone", b"", b"")
    usb.hear("A", "there", b"", b"")
    usb.hear("A", "came", uid_of(1), b"")
    assert readers_of(usb) == [1], "without one for all it stands at a seat, and is asked for"


def test_a_reader_in_the_middle_that_is_for_all_no_more_reads_nothing_until_its_seat_is_learned(tmp_path):
    """It went on as nobody's: its taps counted, the host could not throw it out, and its seat was never learned."""
    usb, taken = usb_at(tmp_path), []
    readers = usb.table.readers
    readers.take = lambda reader, uid, holds: taken.append(reader.seat)
    usb.table.post = lambda work: work()
    usb.table.has_common = True
    usb.hear("A", "there", b"", b"")
    for _ in range(2):
        usb.hear("A", "came", uid_of(1), b"")
    assert taken == [COMMON]
    usb.table.has_common = False
    readers.close(COMMON)
    usb.hear("A", "came", uid_of(2), b"")
    assert (taken, readers_of(usb), usb.seats["A"]) == ([COMMON], [1], 1)
    usb.hear("A", "came", uid_of(3), b"")
    assert taken == [COMMON, 1]


def readers_of(usb):
    return [one.seat for one in usb.table.readers.all if not one.is_over]


def test_what_the_table_writes_on_a_model_goes_onto_the_real_tag():
    """The old form is read, and renewed into what a phone shows; somebody else's stays."""
    readers = Readers(SimpleNamespace(post=lambda work: None), lambda: 0.0)
    tag = Ntag(uid_of(1))
    tag.memory[16:28] = ntag.make_id(tag.uid, b"6S")  # as tables of before wrote it
    model = readers.model(tag.uid, bytes(tag.memory[16:16 + HELD]))
    assert ntag.find_id(bytes(model.memory[16:48])) == ntag.make_id(tag.uid, b"6S") and text_on(model) == ""
    assert readers.model(tag.uid) is model, "a phone that tells no text changes nothing"
