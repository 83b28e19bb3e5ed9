"""The embedded broker names its limit, and refuses beyond it with a sentence."""

import asyncio

import aiomqtt
import pytest

from host_tools.club.wire import broker, doors
from host_tools.base.ports import free_port
from tests.patience import wait_until


def test_s11_who_is_one_too_many_is_refused_and_the_others_go_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(doors, "CLIENTS", 2)
    port = free_port()

    def client(name):
        return aiomqtt.Client("127.0.0.1", port, identifier=name, protocol=aiomqtt.ProtocolVersion.V311)

    async def crowd():
        async with broker.embedded(broker.Wishes(tmp_path, port=port)) as running:
            async with client("one") as one:
                async with client("two"):
                    for name in ("three", "four"):
                        with pytest.raises(aiomqtt.MqttError, match="[Aa]uthori[sz]ed"):
                            async with client(name):
                                pass
                    await one.subscribe("x")
                    await one.publish("x", b"heard", qos=1)
                    assert (await anext(one.messages)).payload == b"heard"
                sessions = running.sessions  # a monitor takes out those that have gone, once a second
                await wait_until(lambda: "two" not in sessions or not sessions["two"][0].transitions.is_connected(),
                                 "the test", "a client that has gone")
                async with client("three") as three:
                    await three.publish("x", b"again", qos=1)
                assert (await anext(one.messages)).payload == b"again"

    asyncio.run(crowd())
    assert capsys.readouterr().err.splitlines() == [
        "2 clients are connected, as many as the embedded broker carries: it refuses more. Take --engine mosquitto."]
