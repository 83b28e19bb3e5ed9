"""Topics, payloads and what may be read from them: nothing that comes over a network is believed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.base.errors import UnusableInput
from host_tools.judge.records.verify import verify
from host_tools.club.wire import accounts, topics
from host_tools.club.wire.accounts import Account
from tests.conftest import ROOT
from tests.host_tools.wire.records import make_record

RECORD = make_record()


def test_the_seal_is_the_twelve_letters_of_an_intact_record():
    assert topics.find_seal(RECORD) == verify(RECORD).digest != ""
    assert topics.find_table(RECORD) == "club-north-2"


def test_a_record_without_its_end_has_no_seal():
    lines = RECORD.splitlines(keepends=True)
    assert lines[-1].startswith(b"~ end ")
    for cut in (b"".join(lines[:-1]), RECORD[:-1], b"", b"\n", RECORD + b"1.0 1 take\n"):
        assert topics.find_seal(cut) == ""
    assert topics.find_seal(RECORD + b"; a comment\n") == verify(RECORD).digest


@pytest.mark.parametrize(("name", "topic"), [
    ("Club North 2", "club-north-2"), ("  A/B#+ ", "a-b"), ("Tisch 7", "tisch-7"), ("###", ""), ("x" * 60, "x" * 40),
])
def test_the_name_of_a_table_becomes_one_level_of_a_topic(name, topic):
    assert topics.to_name(name) == topic
    assert not topic or topics.is_name(topic)


def test_topics_are_read_as_they_are_written():
    topic = topics.Topic("evening", "table", "club-north-2", "offer")
    assert topics.read_topic(str(topic)) == topic
    for strange in ("", "cardtable/1/evening/table/x", str(topic) + "/more", "cardtable/2/evening/table/x/offer",
                    "cardtable/1/evening/table/+/offer", "cardtable/1/E V/table/x/offer"):
        assert topics.read_topic(strange) is None


TEXT = st.text("aß {}:\"\\\n;", max_size=9)


@given(st.binary(max_size=200) | st.dictionaries(TEXT, TEXT | st.integers()).map(topics.write))
@settings(max_examples=60, deadline=None)
def test_no_payload_breaks_a_reader(payload):
    topics.find_seal(payload)
    topics.find_table(payload)
    topics.read_receipt(payload)
    topics.read_order(payload)


def test_receipts_and_orders_are_read_as_they_are_written():
    receipt = topics.receipt("evening", "a", "KHRT 7M4N WX29", topics.COUNTED, "why")
    assert topics.read_receipt(receipt.payload) == ("KHRT 7M4N WX29", "counted", "why")
    assert topics.read_receipt(topics.receipt("evening", "a", "khrt 7m4n wx29", "counted").payload) is None
    number = topics.number_of(2, 1, "cardtable 1\n")
    order = topics.order("evening", "a", number, "cardtable 1\n")
    assert order.retain and topics.read_order(order.payload) == (number, "cardtable 1\n")
    assert topics.order("evening", "a", "", "").payload == b"" and topics.read_order(b"") == ("", "")
    assert topics.number_of(2, 1, "cardtable 1\n\n") != number
    assert topics.read(b"[" * 5000) is None and topics.read(b'{"a":1}') is None


def test_an_account_has_its_own_topics_alone():
    own, other = "cardtable/1/evening/table/a/offer", "cardtable/1/evening/table/b/offer"
    table, bridge = Account("a", "table", ""), Account("a", "bridge", "")
    director = Account("a", "director", "")
    assert accounts.may(table, own, True) and not accounts.may(table, other, True)
    assert accounts.may(bridge, other, True) and not accounts.may(director, own, True)
    for account in (table, bridge):
        for what in ("receipt", "order"):
            assert not accounts.may(account, f"cardtable/1/evening/table/a/{what}", True)
            assert accounts.may(account, f"cardtable/1/evening/table/a/{what}", False)
    for everything in ("#", "+/1/evening/table/a/receipt", "cardtable/1/evening/table/#", "$SYS/broker"):
        assert not any(accounts.may(one, everything, False) for one in (table, bridge, director))
    assert not accounts.may(table, "cardtable/1/evening/table/+/receipt", False)
    assert accounts.may(bridge, "cardtable/1/evening/table/+/receipt", False)


def test_a_password_is_kept_as_a_hash(tmp_path):
    first = accounts.add(tmp_path, "a", "table")
    name, password = first.read_text().split()
    (account,) = accounts.read(tmp_path)
    assert (account.name, account.role) == (name, "table") and password not in (tmp_path / accounts.FILE).read_text()
    assert accounts.is_password(account, password) and not accounts.is_password(account, password + "x")
    assert (tmp_path / accounts.FILE).stat().st_mode & 0o77 == first.stat().st_mode & 0o77 == 0
    accounts.add(tmp_path, "a", "table")
    (again,) = accounts.read(tmp_path)
    assert not accounts.is_password(again, password)


@pytest.mark.parametrize("kept", ["secret", "$6$101$c2FsdHNhbHQ=$a2V5", "$7$x$c2FsdHNhbHQ=$a2V5",
                                  f"$7${'1' * 5001}$c2FsdHNhbHQ=$a2V5", "$7$101$c2FsdHNhbHQ$a2V5"])
def test_a_hash_that_no_password_can_be_held_against_is_named(kept, tmp_path):
    """And not found by the first table that connects."""
    (tmp_path / accounts.FILE).write_text(f"a table {kept}\n")
    with pytest.raises(UnusableInput, match="line 1: a row is NAME ROLE HASH"):
        accounts.read(tmp_path)


def test_the_page_has_the_limits_of_the_code():
    from host_tools.club.wire import link

    page = (ROOT / "docs" / "network.md").read_text(encoding="utf-8")
    limits = page.partition("## Limits")[2]
    for number in (topics.OFFER_LIMIT, topics.SMALL_LIMIT, topics.NAME_LIMIT, topics.WINDOW, topics.OFFERS_A_MINUTE,
                   link.QUEUE, link.KEEPALIVE_S):
        assert f"| {number}" in limits, number
    assert "{:g} to {:g} seconds".format(*link.AGAIN_S) in limits
    assert "after {:g} seconds, then after twice as long each time, at most {:g}".format(*topics.RETRY_S) in page
