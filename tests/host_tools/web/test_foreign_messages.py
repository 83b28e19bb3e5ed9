"""Each field of each message with each type of JSON, and each kept file spoilt: no traceback, and always an answer."""

import asyncio
import json
import random

import pytest

from host_tools.base.bugs import BugLog
from host_tools.base.foreign import Misshapen, parse_json
from host_tools.play.acts import FOR_ALL, FOR_HOST, Actor
from host_tools.play.cards import Cards
from host_tools.play.seating import Seating
from host_tools.play.table import LiveTable
from host_tools.play.web.desk import Connection, Desk, Protocol
from tests.conftest import ROOT

TYPES = (None, True, 5, -1, 1 << 70, 0.5, "", "x", "ы" * 300, "\ud800", [], ["here"], {}, {"a": []})
FIELDS = {  # what a page sends with each act
    "tap": {"seat": 1, "card": "6S", "pile": "stock"}, "lay": {"seat": 1, "card": "6S", "reader": 1},
    "lift": {"reader": 1, "card": ""}, "press": {"seat": 1, "key": "OK"}, "hold": {"seat": 1, "key": "OK"},
    "release": {"seat": 1, "key": "OK"}, "play": {"seat": 1, "verb": "attack", "card": "6S", "target": 0},
    "propose": {"seat": 1}, "agree": {"seat": 1},
    "start": {"game": "durak", "seats": [], "dealer": 1, "give_up": False},
    "sit": {"seat": 1, "who": "here", "name": ""},
    "power": {"on": "x"}, "deal": {"by": "x"}, "free": {"on": "x"}, "tag": {"tag": "x", "reader": 1},
    "language": {"language": "x"}, "speed": {"speed": "x"}, "next": {}, "lobby": {}, "begin": {},
    "learn": {"game": "durak", "give_up": False},
    "continue": {"record": "x", "line": 1, "seat": 1, "anew": False, "give_up": False},
}  # fmt: skip
DEEP = "[" * 100_000


class StillTable(LiveTable):
    """A table without a device: its work is done at once."""

    phase = "lobby"

    def post(self, work):
        work()


@pytest.fixture
def desk(tmp_path):
    loop = asyncio.new_event_loop()
    desk = Desk(StillTable(tmp_path), loop)
    desk.table_changed = desk.look_round = lambda: None
    loop.call_soon_threadsafe = lambda work, *facts: work(*facts)
    yield desk
    loop.close()


def arrive(desk, secret):
    """A connection that has said hello, without what it is told."""
    connection = Connection()
    desk.greet = lambda connection: None
    desk.hear(connection, json.dumps({"type": "hello", "secret": secret, "client": "abcdefgh"}))
    connection.spend = lambda: None
    return connection


def answers(connection):
    """All that was told since, by its type."""
    return [json.loads(message) for message in connection.take()]


def spoilt():
    """Each act as a page sends it, with one field of another type, or without it."""
    for do, fields in FIELDS.items():
        for name in (*fields, "do"):
            for value in TYPES:
                yield {"do": do, **fields, name: value}
            yield {key: value for key, value in {"do": do, **fields}.items() if key != name}


def test_the_table_of_acts_is_the_codes():
    assert set(FIELDS) == {*FOR_ALL, *FOR_HOST}


@pytest.mark.parametrize("role", ["host", "seat", ""])
def test_r3_each_act_is_acknowledged_whatever_its_fields_are(role, desk, capsys):
    """`{"do": []}` was a traceback and never answered; half a character in a secret was one, too."""
    seating = desk.table.seating
    seating.sit(1, "phone", "Anna")
    connection = arrive(desk, {"host": seating.host, "seat": seating.chairs[1].secret, "": ""}[role])
    assert connection.role == (role or "public")
    for number, act in enumerate(spoilt(), 1):
        text = json.dumps({"type": "act", "n": number, **act})
        try:
            desk.hear(connection, text)
        except Protocol as refusal:
            assert "\\ud800" in text and str(refusal) == "a text holds half a character"
            continue
        (told,) = answers(connection)
        assert (told["type"], told["n"]) == ("ack", number) and "\n" not in told["why"], (act, told)
        assert told["ok"] == (not told["why"])
    assert desk.table.bugs.count == 0 and capsys.readouterr().err == ""


def test_r3_an_act_that_meets_a_bug_is_acknowledged_with_its_number(desk, capsys, tmp_path, monkeypatch):
    def fail(*_):
        raise AttributeError("a bug")

    connection = arrive(desk, desk.table.seating.host)
    monkeypatch.setattr(Actor, "do", fail)
    for number in range(1, 20):
        desk.hear(connection, json.dumps({"type": "act", "n": number, "do": "tap"}))
        (told,) = answers(connection)
        assert not told["ok"] and told["why"] == f"this did not work: it is bug {number} of this server"
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 5 and said[-1].endswith("it is not said again") and "Traceback" not in "".join(said)
    log = (tmp_path / "bugs.txt").read_text()
    assert log.count("Traceback (most recent call last)") == 19 and "AttributeError: a bug" in log


def test_a_full_disk_is_no_bug(desk, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    connection = arrive(desk, desk.table.seating.host)
    monkeypatch.setattr(Actor, "do", fail)
    desk.hear(connection, json.dumps({"type": "act", "n": 1, "do": "start"}))
    assert answers(connection)[0]["why"] == "it cannot be written down: No space left on device"
    assert desk.table.bugs.count == 0


@pytest.mark.parametrize("kind", ["hello", "act", "rule", "choices", "link"])
def test_r3_each_message_ends_in_an_answer_or_a_sentence(kind, desk, capsys):
    """Types of each field, missing fields, depth, half characters, numbers without end."""
    desk.questions = {"rule": lambda *_: {}, "choices": lambda *_: {}, "link": lambda *_: 1 // 0}
    whole = {"type": kind, "secret": "", "client": "abcdefgh", "n": 1, "do": "tap", "rule": "D7", "seat": 1}
    texts = [json.dumps({**whole, name: value}) for name in whole for value in TYPES]
    texts += [DEEP, '{"type": "%s", "n": %s}' % (kind, DEEP), "NaN", '{"type": 1e999}', "\ud800", "9" * 10_000]
    for text in texts:
        connection = arrive(desk, desk.table.seating.host)
        if kind == "hello":
            connection.is_known = False
        try:
            desk.hear(connection, text)
            told = answers(connection)
            assert kind == "hello" or "type" in told[0]
        except Protocol as refusal:
            assert "\n" not in str(refusal) and len(str(refusal)) < 100
    assert "Traceback" not in capsys.readouterr().err


def test_r3_three_hundred_mutations_of_messages(desk):
    rng = random.Random(29)
    kept = [json.dumps({"type": "act", "n": 1, "do": do, **fields}) for do, fields in FIELDS.items()]
    for _ in range(300):
        text = bytearray(rng.choice(kept).encode())
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice(b'{}[]",:\\0918eE.-ntfu\x00\xff')
        connection = arrive(desk, desk.table.seating.host)
        try:
            desk.hear(connection, text.decode("utf-8", "surrogateescape"))
            assert answers(connection)
        except Protocol as refusal:
            assert "\n" not in str(refusal)
    assert desk.table.bugs.count == 0


# --- kept files ---


def mutants(text, count=300):
    """The file with each JSON type in each place, depth, half characters, and so many changes by chance."""
    said = json.loads(text)
    for value in TYPES:
        yield json.dumps(value)
        for key in said:
            yield json.dumps({**said, key: value})
            for inner in said[key] if isinstance(said[key], dict) else ():
                yield json.dumps({**said, key: {**said[key], inner: value}})
                for field in said[key][inner] if isinstance(said[key][inner], dict) else ():
                    yield json.dumps({**said, key: {**said[key], inner: {**said[key][inner], field: value}}})
    yield from (DEEP, "", "{", '{"host": %s}' % DEEP)
    rng = random.Random(text[:20])
    for _ in range(count):
        data = bytearray(text.encode())
        for _ in range(rng.randrange(1, 5)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        yield bytes(data)


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))


def test_r11_a_spoilt_seating_gives_new_links_and_no_host_without_a_secret(tmp_path):
    """`{"host": 5, "chairs": []}` and depth 100,000 were tracebacks; an empty secret a table without a host."""
    Seating(tmp_path).sit(2, "phone", "Anna")
    path = tmp_path / "seating.json"
    text = path.read_text()
    assert Seating(tmp_path).chairs[2].name == "Anna"
    cases = [*mutants(text), *('{"host":%s,"chairs":{}}' % host for host in ("5", '""', '"%s"' % ("ж" * 20)))]
    for content in cases:
        write(path, content)
        seating = Seating(tmp_path)
        assert seating.of_secret(seating.host)[0] == "host" and seating.of_secret("") == ("public", [])
        assert set(seating.chairs) == set(range(1, 8))
        for chair in seating.chairs.values():
            assert seating.of_secret(chair.secret)[0] == ("seat" if chair.who == "phone" else "public")
        seating.save()


class FewCards:
    """A session as Cards needs it: 36 cards in the stock."""

    def __init__(self):
        from cardtable.catalogue import find_game
        from cardtable.engine.reading import read_header
        from cardtable.engine.session import Session

        lines = (ROOT / "tests/records/durak/throw-in-0001.rec").read_text().splitlines(True)
        header, _ = read_header(iter(lines))
        self.session = Session(find_game("durak"), header)


def test_r11_spoilt_cards_are_shuffled_again(tmp_path):
    session = FewCards().session
    whole = Cards(session, 1, "nonce", tmp_path)
    whole._save()
    path = tmp_path / "cards.json"
    for content in mutants(path.read_text()):
        write(path, content)
        assert sorted(Cards(session, 1, "nonce", tmp_path).order) == sorted(whole.order)


# --- the reader itself ---


@pytest.mark.parametrize("text", ["", DEEP, "{" * 9, "NaN", '[Infinity]', '"\\ud800"', '{"\\udfff": 1}', "9" * 5000,
                                  "[" * 60 + "]" * 60, b"\xff\xfe", '{"a": 1', "\x00"])
def test_foreign_json_that_is_none(text):
    with pytest.raises(Misshapen):
        parse_json(text)


@pytest.mark.parametrize(("said", "shape", "is_so"), [
    ({"a": 1}, {"a": int}, True), ({"a": True}, {"a": int}, False), ({"a": 1}, {"a": float}, True),
    ({"a": 1}, {"a": int, "b?": str}, True), ({"a": 1, "b": 2}, {"a": int, "b?": str}, False), ({}, {"a": int}, False),
    ([1, "a"], [(int, str)], True), ([1, None], [(int, str)], False), ([None], [None], True), ([], [int], True),
    ({"x": "y"}, {str: str}, True), ({"x": 1}, {str: str}, False), ([], {str: str}, False), ("a", object, True),
    (1 << 60, float, False), (1e300, float, True), (5, [int], False),
])  # fmt: skip
def test_a_shape_says_what_stands_there(said, shape, is_so):
    if is_so:
        assert parse_json(json.dumps(said), shape) == said
    else:
        with pytest.raises(Misshapen, match="^it"):
            parse_json(json.dumps(said), shape)


def test_the_log_of_bugs_begins_again_before_it_fills_the_disk(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("host_tools.base.bugs.FILE_LIMIT", 1000)
    bugs = BugLog(tmp_path)
    for number in range(100):
        bugs.note(ValueError(number), "here")
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 4000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bugs.txt", "bugs.txt.1"]
