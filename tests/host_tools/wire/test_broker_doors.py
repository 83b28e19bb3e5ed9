"""At the embedded broker a client says and hears no word that its account does not bring, by any client id."""

import asyncio

import aiomqtt
import pytest

from host_tools.base.ports import free_port
from host_tools.club.wire import accounts, broker, topics
from tests.patience import PATIENCE_S

EVENT = "evening"
SEAL = "KHRT 7M4N WX29"
BOARD = "cardtable-red"  # a board's client id, as its firmware makes it: anybody knows it


@pytest.fixture
def guarded(tmp_path):
    """A broker's folder with accounts."""
    for name, role in (("main", "director"), ("hall", "bridge"), ("red", "table"), ("blue", "table")):
        accounts.add(tmp_path, name, role)
    return broker.Wishes(tmp_path, port=free_port())


def client(wishes, name, **more):
    """A client with that account."""
    user, password = (wishes.home / f"{name}.account").read_text().split()
    return aiomqtt.Client(**{
        "hostname": "127.0.0.1", "port": wishes.port, "identifier": f"cardtable-{name}", "username": user,
        "password": password, "protocol": aiomqtt.ProtocolVersion.V311, **more})


async def publish(one, message):
    await one.publish(message.topic, message.payload, qos=1, retain=message.retain)


async def next_of(one):
    message = await asyncio.wait_for(anext(one.messages), PATIENCE_S)
    return message.topic.value, message.payload


@pytest.mark.parametrize("known", [{"username": None, "password": None}, {"password": "guessed"}, {}])
def test_r9_a_client_id_opens_no_door(guarded, known):
    """Without a password the last will of a board's client id was exchanged, the board cut off, and that will said to
    all: a receipt, an order, whatever it was. With one, a table spoke for the director so."""
    forged = topics.receipt(EVENT, "blue", SEAL, topics.COUNTED)
    true = topics.receipt(EVENT, "red", SEAL, topics.KNOWN)

    async def intrude():
        async with broker.embedded(guarded), client(guarded, "hall") as hall, client(guarded, "main") as main:
            await hall.subscribe(f"cardtable/1/{EVENT}/table/+/receipt", qos=1)
            async with client(guarded, "red") as board:
                await board.subscribe(true.topic, qos=1)
                will = aiomqtt.Will(forged.topic, forged.payload, 1, True)
                with pytest.raises(aiomqtt.MqttError, match="[Aa]uthori[sz]ed"):
                    async with client(guarded, "red", clean_session=False, will=will, **known):
                        pass
                await publish(main, true)
                assert await next_of(hall) == (true.topic, true.payload), "the first word that was said"
                assert await next_of(board) == (true.topic, true.payload), "it is connected still"

    asyncio.run(intrude())


def test_r9_who_comes_hears_what_it_subscribed_to_and_nothing_that_is_kept_for_others(guarded):
    """A table got the orders of all others, which the bridge had subscribed to, as soon as it was there."""
    theirs, own = (topics.order(EVENT, table, "r1-g1-0", "cardtable 1\n") for table in ("blue", "red"))

    async def listen():
        async with broker.embedded(guarded), client(guarded, "hall") as hall, client(guarded, "main") as main:
            await hall.subscribe(f"cardtable/1/{EVENT}/table/+/order", qos=1)
            for order in (theirs, own):
                await publish(main, order)
                assert await next_of(hall) == (order.topic, order.payload)
            async with client(guarded, "red") as board:
                await board.subscribe(own.topic, qos=1)
                assert await next_of(board) == (own.topic, own.payload)

    asyncio.run(listen())
