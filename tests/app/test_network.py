"""What a table with Wi-Fi says when, and what it believes of all that comes: without a network."""

from cardtable.engine.record import RecordError
from cardtable.net import offers, topics
from cardtable.net.settings import take

SEAL = "KHRT 7M4N WX29"
OTHER = "WX29 7M4N KHRT"
RECEIPT = "cardtable/1/evening/table/north/receipt"
ORDER = "cardtable/1/evening/table/north/order"
DIRECTOR = "cardtable/1/evening/director/main/state"
NETWORK = ["ssid: Club\n", "password: a b:c \n", "broker: mqtts://192.0.2.7\n", "account: north s3cret\n",
           "tournament: evening\n", "\n", "; a comment\n"]


class Time:
    """A clock that is set."""

    now_ms = 0

    def ticks_ms(self):
        return self.now_ms

    def ticks_add(self, ticks, delta):
        return ticks + delta

    def ticks_diff(self, end, start):
        return end - start


class Table:
    """The offers of a table with these records."""

    def __init__(self, *names):
        self.names = list(names)
        self.news = []
        self.kept = offers.time, offers.list_names, offers.mark_pulled
        self.time = offers.time = Time()
        offers.list_names = lambda folder: sorted(self.names)
        offers.mark_pulled = self.pull
        self.offers = offers.Offers("evening", "north", "games", self.news.append)
        self.offers.read_seal = lambda name: "" if name == "0002.rec" else SEAL

    def pull(self, path):
        if path == "games/0009.rec":
            raise OSError(28)
        self.names.remove(path[6:])

    def due(self, now_ms):
        self.time.now_ms = now_ms
        return self.offers.due(now_ms)

    def hear(self, topic, text):
        self.offers.heard(topic, text.encode())

    def end(self):
        offers.time, offers.list_names, offers.mark_pulled = self.kept


def receipt(seal, status, reason=""):
    return '{"reason":"%s","seal":"%s","status":"%s"}' % (reason, seal, status)


def test_a_record_is_offered_until_a_receipt_with_its_own_seal_comes():
    """T12: after 5 s, then after twice as long each time; a game without its last seal, and what was pulled, is not."""
    table = Table("0001.old", "0002.rec", "0003", "0003.rec", "0004.rec")
    assert [table.due(now_ms) for now_ms in (0, 10, 5000, 5010, 14999, 15000)] == [
        "games/0003.rec", "", "games/0003.rec", "", "", "games/0003.rec"]
    for said in (receipt(OTHER, "counted"), receipt(SEAL, "soon"), "{", "[]", "3", '{"seal":3}', "", "\xff"):
        table.hear(RECEIPT, said)
    table.hear("cardtable/1/evening/table/south/receipt", receipt(SEAL, "counted"))
    assert table.due(15010) == "" and table.names[-2:] == ["0003.rec", "0004.rec"] and not table.news
    table.hear(RECEIPT, receipt(SEAL, "disputed", "two records"))
    assert table.news == ["0003.rec: disputed, two records"] and "0003.rec" not in table.names
    assert table.offers.count() == 1 and table.due(15020) == "games/0004.rec"
    table.hear(RECEIPT, receipt(SEAL, "known"))
    assert table.due(400000) == "" and table.offers.count() == 0 and table.offers.name == ""
    table.end()


def test_pauses_end_at_five_minutes_and_a_new_connection_begins_anew():
    table = Table("0001.rec")
    times = [now_ms for now_ms in range(0, 1500000, 1000) if table.due(now_ms)]
    assert [times[at + 1] - times[at] for at in range(len(times) - 1)] == [
        5000, 10000, 20000, 40000, 80000, 160000, 300000, 300000, 300000]
    table.offers.hello()
    assert table.due(1500000)
    table.end()


def test_what_is_refused_is_kept_and_offered_again_when_the_director_comes_back():
    table = Table("0001.rec", "0009.rec")
    assert table.due(0) == "games/0001.rec"
    table.hear(RECEIPT, receipt(SEAL, "refused", "no intact record"))
    assert "0001.rec" in table.names and table.offers.refused == 1
    assert table.due(10) == "games/0009.rec"
    table.hear(RECEIPT, receipt(SEAL, "counted"))  # the flash takes no more: not offered again before the next start
    assert table.due(400000) == "" and table.offers.refused == 1
    table.hear(DIRECTOR, '{"state":"gone"}')
    assert table.due(800000) == ""
    table.hear(DIRECTOR, '{"state":"here"}')
    assert table.due(800000) == "games/0001.rec" and table.offers.refused == 0
    table.end()


def test_a_state_says_which_readers_weaken():
    weak = [(5, 100, 83, "2026-03-01"), (7, 99, 80, "2026-03-01")]
    assert topics.write_weak([]) == "" and topics.write_weak(weak) == "2026-03-01 5:100>83 7:99>80"


def test_an_order_is_a_name_and_a_text_and_nothing_else_is_one():
    table = Table()
    for said in ("", "{}", '{"order":"r1"}', '{"order":"R 1","setup":"x"}', '{"order":1,"setup":"x"}',
                 '{"order":"","setup":"x"}', '{"order":"r1","setup":""}', '["order"]'):
        table.hear(ORDER, said)
        assert table.offers.order == ()
    table.hear("cardtable/1/evening/table/south/order", '{"order":"r1","setup":"x"}')
    assert table.offers.order == ()
    table.hear(ORDER, '{"order":"r1-g1-00ff","setup":"cardtable 1\\n"}')
    assert table.offers.order == ("r1-g1-00ff", "cardtable 1\n")
    table.hear(ORDER, "")  # taken back, before the lobby had time for it
    assert table.offers.order == ()
    table.end()


def test_t12_the_seal_is_read_from_the_end_of_a_record():
    """The last line is the seal, but for comments and seals behind it; half a line is none."""
    chain = b"0f" * 16
    end = b"result: fool 1\n~ end 33-40 " + chain + b" " + chain + b"\n"
    seal = topics.find_seal(end)
    assert len(seal) == 14 and topics.find_seal(b"cut\n" + end + b"; late\n") == seal
    for wrong in (end[:-1], end + b"1.0 1 take\n", b"", b"\n", end.replace(b"0f" * 16, b"0f" * 15),
                  end.replace(b"0f", b"xx"), end.replace(b"~ end", b"~ seal")):
        assert topics.find_seal(wrong) == ""


def test_names_are_those_that_a_topic_may_have():
    assert topics.is_name("club-north_2") and topics.is_name("a" * 40)
    for name in ("", "a" * 41, "Club", "-a", "_a", "a b", "a/b", "a+", "é"):
        assert not topics.is_name(name)


def wrong(*lines):
    """Why these lines are no network.txt."""
    try:
        take(list(lines))
    except RecordError as error:
        return error.line, error.cause
    return 0, ""


def test_a_file_says_wifi_broker_and_account():
    found = take(NETWORK)
    assert (found.ssid, found.password, found.host, found.port) == ("Club", "a b:c", "192.0.2.7", 8883)
    assert found.is_tls and (found.user, found.secret, found.table, found.event) == (
        "north", "s3cret", "north", "evening")
    open_one = take(["ssid: Club\n", "broker: mqtt://192.0.2.7:1884\n", "table: south\n", "tournament: evening\n"])
    assert not open_one.is_tls and (open_one.port, open_one.table, open_one.user, open_one.password) == (
        1884, "south", "", "")


def test_a_wrong_file_is_one_sentence_that_tells_no_password():
    for at in range(len(NETWORK) - 2):
        if at not in (1,):
            rest = NETWORK[:at] + NETWORK[at + 1 :]
            assert wrong(*rest)[1], NETWORK[at]
    for line in ("account: north\n", "account: north s3cret more\n", "account: North s3cret\n"):
        number, cause = wrong(*NETWORK[:3], line, NETWORK[4])
        assert number in (0, 4) and cause and "s3cret" not in cause
    assert wrong("broker: mqtts://192.0.2.7\n", "passwort: s3cret\n")[0] == 2
    assert "s3cret" not in wrong("password s3cret\n")[1]
