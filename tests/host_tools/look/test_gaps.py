"""A feed of which lines are missing: no viewer is shown a table that may be wrong, and each is told so in words."""

import asyncio
import contextlib
import json
import re
from types import SimpleNamespace

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.judge.records.public_record import LOST
from host_tools.look import watch
from host_tools.maker.device import table as device_table
from host_tools.play.web import feed as feed_module
from host_tools.play.web.feed import FeedTap
from tests.host_tools.look.made import RECORDS, SPADES, feed_of

MISSING = {"en": "Lines of this game are missing here.", "ru": "Часть этой игры сюда не дошла."}
LINES = [line for _, line in feed_of(SPADES.read_bytes())]
BEGIN = LINES.index("") + 1
EVENTS = [at for at in range(BEGIN, len(LINES)) if re.match(r"\d\S* [1-7] [a-z]", LINES[at])]


def told(hub, language="en"):
    view = json.loads(hub.tellings[language].messages["view"])
    return view["piles"], view["notice"]


def heard(*lines):
    """A hub that has taken these."""
    hub = watch.Hub()
    for line in lines:
        hub.take(line)
    return hub


@pytest.mark.parametrize("count", [1, 30])
def test_behind_a_gap_a_viewer_has_words_until_the_next_game(count):
    """The next event fitted often, and the table stood wrong."""
    hub = heard(*LINES[:80])
    assert len(told(hub)[0]) > 4
    for line in [LOST, *LINES[80 + count:]]:
        hub.take(line)
        for language, words in MISSING.items():
            piles, notice = told(hub, language)
            assert not piles and notice.startswith(words), line
    texts = [line["text"] for line in hub.lines]
    assert texts.count("Lines of the table's feed are missing here.") == 1
    assert texts[-1] == "Boris is the fool." and sum("Vera" in text for text in texts) > 10, "with names"
    for line in LINES[:60]:
        hub.take(line)
    piles, notice = told(hub)
    assert len(piles) > 4 and not notice and not hub.is_behind()


def test_after_a_power_failure_behind_a_gap_nothing_is_known_either():
    """`resumed after` names one event; how many are missing before it, no line says."""
    after = re.sub(r" \?\?.*| ~.*", "", LINES[EVENTS[70]]).partition(" ")[2]
    hub = heard(*LINES[:80], LOST, f"resumed after: {after}", *LINES[:BEGIN], *LINES[EVENTS[70] + 1:])
    assert not told(hub)[0] and told(hub)[1].startswith(MISSING["en"])


@pytest.mark.parametrize("torn", ["4\ufffd.5 2 attack 6S", "45.0 2 att\ufffdck 6S", "45.0 2 atta", "\ufffd5.0 2 take",
                                  "opened: 6"])
def test_a_line_that_cannot_be_read_is_missing(torn):
    """Noise on a cable: its event was left out without a word."""
    hub = heard(*LINES[:80], torn)
    assert len(told(hub)[0]) > 4 or torn.startswith("opened"), "if the power has failed there, the table says so next"
    hub.take(LINES[81])
    assert not told(hub)[0] and told(hub)[1].startswith(MISSING["en"])
    assert torn not in [raw for line in hub.lines for raw in line["raw"]] or torn.startswith("opened"), \
        "a page would hold it against the record"


def test_where_the_line_of_the_cards_that_were_turned_up_is_missing_none_are_made_up():
    path = next(path for path in RECORDS if path.parent.name == "cals-bs")
    lines = [line for _, line in feed_of(path.read_bytes())]
    at = next(at for at, line in enumerate(lines) if line.startswith("opened: "))
    for more in ([], [f"resumed after: {lines[at - 1].partition(' ')[2]}", *lines[:lines.index("") + 1]]):
        hub = heard(*lines[:at], *more, *lines[at + 1 : at + 3])
        assert not told(hub)[0] and told(hub)[1].startswith(MISSING["en"])
    hub = heard(*lines[:at - 1], *lines[at : at + 3])
    assert not told(hub)[0] and told(hub)[1].startswith(MISSING["en"]), "that of the doubt"


@pytest.mark.parametrize("is_over", [True, False])
def test_a_game_whose_header_is_missing_is_not_taken_for_the_one_before(is_over):
    """Its events were told with the names of the last one, and its loser got a point there."""
    hub = heard(*(LINES if is_over else LINES[:120]))
    assert not is_over or hub.games == 1 and len(told(hub)[0]) > 1
    hub.take(LOST)
    assert not is_over or told(hub)[0], "the end of a game stays"
    before = len(hub.lines)
    for line in ["3.0 2 draw ??", "4.0 1 attack 6S", "5.0 2 take", "result: fool 1"]:
        hub.take(line)
    texts = [line["text"] for line in list(hub.lines)[before:]]
    assert any(text.startswith("Seat 2") for text in texts) and not any("Boris" in text for text in texts), texts
    assert hub.games == int(is_over) and not told(hub)[0] and "began before" in told(hub)[1]


def test_a_gap_before_the_first_game_is_none():
    hub = heard(LOST, *LINES[:80])
    assert len(told(hub)[0]) > 4 and not hub.is_behind()
    hub = heard(*LINES[:2], LOST, *LINES[BEGIN:80])
    assert not told(hub)[0] and "began before" in told(hub)[1], "its header has a gap"


def test_what_a_table_says_while_its_port_is_away_is_missing(monkeypatch):
    """A cable that was pulled for a moment; the first time that the port is opened nothing is missing."""
    ends = [LINES[:3], [], LINES[3:6]]

    class Table:
        def __init__(self, port):
            self.lines_left = ends.pop(0)
            if not self.lines_left:
                raise UnusableInput("no table is there")

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def lines(self, seconds):
            yield from self.lines_left
            if ends:
                raise UnusableInput("the table has gone")
            watch._ended.add("/dev/ttyUSB9")

    monkeypatch.setattr(device_table, "Table", Table)
    monkeypatch.setattr(watch, "is_port", lambda name: True)
    monkeypatch.setattr(watch, "AGAIN_S", 0.0)
    came, troubles = [], []
    watch.read_lines("/dev/ttyUSB9", troubles.append, came.append)
    assert came == [*LINES[:3], LOST, *LINES[3:6]] and len(troubles) == 2


class Answer:
    """What a served table says: its feed until the connection ends."""

    status = 200

    def __init__(self, text):
        async def give():
            for line in text.splitlines(keepends=True):
                yield line.encode()

        self.content = give()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None


def test_a_line_within_which_the_connection_ends_is_not_taken(monkeypatch):
    """`6S` of `6S2` is another card; the whole feed comes with the next connection."""
    texts = ["cardtable 1\n2.0 1 attack 6S", "cardtable 1\n2.0 1 attack 6S2\n"]
    monkeypatch.setattr(watch.aiohttp.ClientSession, "get", lambda *_, **__: Answer(texts.pop(0)))
    monkeypatch.setattr(watch, "AGAIN_S", 0.0)

    async def read():
        async with contextlib.aclosing(watch.follow_url("http://127.0.0.1:9", print)) as lines:
            return [await anext(lines) for _ in range(3)]

    assert asyncio.run(read()) == ["cardtable 1", "cardtable 1", "2.0 1 attack 6S2"]


def test_who_reads_a_served_feed_too_slowly_begins_again_and_has_no_gap(monkeypatch):
    """Lines were left out without a word."""
    monkeypatch.setattr(feed_module, "LINES_LIMIT", 5)
    tap = FeedTap(SimpleNamespace(known=SimpleNamespace(on_line=None)), None)
    slow, quick = asyncio.Queue(3), asyncio.Queue()
    tap.listeners = {slow: "192.0.2.7", quick: "192.0.2.7"}
    for line in ["cardtable 1", "game: durak", "", "1.0 1 draw ??", "2.0 2 draw ??"]:
        tap.take(line)
    assert [slow.get_nowait() for _ in range(slow.qsize())] == [None] and list(tap.listeners) == [quick]
    assert tap.lines == ["cardtable 1", "game: durak", "", "1.0 1 draw ??", "2.0 2 draw ??"]
    tap.take("3.0 1 draw ??")
    assert tap.lines == ["cardtable 1", "game: durak", "", "1.0 1 draw ??", LOST], "more than are kept of one game"
    tap.take(LOST)
    assert [quick.get_nowait() for _ in range(quick.qsize())][-2:] == ["3.0 1 draw ??", LOST]
    full = asyncio.Queue(1)
    full.put_nowait("1.0 1 draw ??")
    tap.drop(full)
    assert full.get_nowait() is None and full.empty(), "it would have waited for its end for ever"
