"""The embedded broker's doors: how many come in, who, and which topics are whose, by the list of accounts."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amqtt.broker import Broker, BrokerContext
from amqtt.contexts import Action
from amqtt.errors import MQTTError
from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin
from amqtt.session import Session

from host_tools.base import foreign
from host_tools.club.wire import accounts
from host_tools.club.wire.accounts import Account

CLIENTS = 300  # that the embedded broker carries: more, at once, were seen to drown it


@dataclass
class _Home:
    """Where the accounts lie."""

    home: str = ""


def read_accounts(home: str) -> dict[str, Account]:
    """The accounts by their names."""
    return {account.name: account for account in accounts.read(Path(home))}


class Gate(Broker):
    """amqtt's broker, which asks for the password before anything else. By itself it takes the session of a client id
    over, with a new last will, or ends it, and only then looks who has named that id: so anybody could say anything to
    all. And each client that came heard what is kept for any subscription."""

    async def _initialize_client_session(self, reader: Any, writer: Any, remote_address: str, remote_port: int
                                         ) -> tuple[BrokerProtocolHandler, Session]:
        """The session of a connection: a new one, under an id that is its account's alone. AMQTTError, MQTTError,
        NoDataError."""
        try:
            handler, session = await BrokerProtocolHandler.init_from_connect(reader, writer, self.plugins_manager)
        except MQTTError:
            await close(writer)
            raise
        session.client_id = "/".join(filter(None, (session.username, session.client_id)))
        session.clean_session, session.parent = True, 0  # all our clients begin so: none takes an old session over
        [listener] = self.listeners_config.values()
        if not await self._authenticate(session, listener):
            handler.attach(session, reader, writer)
            await handler.mqtt_connack_authorize(False)
            await close(writer)
            raise MQTTError("not authorized")
        await self._delete_session(session.client_id)
        return handler, session

    async def _publish_retained_messages_for_subscription(self, subscription: tuple[str, int], session: Session
                                                          ) -> None:
        """To who has that subscription, and so may have it."""
        if any(one.client_id == session.client_id for one, _ in self._subscriptions.get(subscription[0], ())):
            await super()._publish_retained_messages_for_subscription(subscription, session)


async def close(writer: Any) -> None:
    """Hang up; the other end may have done so."""
    with contextlib.suppress(OSError):
        await writer.close()


class Counter(BaseAuthPlugin):
    """Lets in as many clients as this broker carries, and says once that it refuses more. Who is connected already may
    come again. The broker's own list of sessions holds those that were refused as well."""

    def __init__(self, context: BrokerContext) -> None:
        super().__init__(context)
        self.here: set[str] = set()
        self.is_full = False

    async def on_broker_client_connected(self, client_id: str, **_: object) -> None:
        """One more."""
        self.here.add(client_id)

    async def on_broker_client_disconnected(self, client_id: str, **_: object) -> None:
        """One less."""
        self.here.discard(client_id)

    async def authenticate(self, *, session: Session) -> bool | None:
        is_full = len(self.here - {session.client_id}) >= CLIENTS
        if is_full and not self.is_full:
            foreign.say(f"{CLIENTS} clients are connected, as many as the embedded broker carries: it refuses more."
                        " Take --engine mosquitto.", err=True)
        self.is_full = is_full
        return False if is_full else None


class Doorkeeper(BaseAuthPlugin):
    """Lets in whoever knows the password of an account, with a last will on a topic of its own: the broker asks nobody
    when it publishes that."""

    Config = _Home

    async def authenticate(self, *, session: Session) -> bool | None:
        account = read_accounts(self.config.home).get(session.username or "")
        if account is None or not accounts.is_password(account, session.password or ""):
            return False
        return not session.will_flag or accounts.may(account, session.will_topic or "", True)


class Warden(BaseTopicPlugin):
    """Keeps each account to its own topics. What it was allowed to subscribe to, it gets."""

    Config = _Home

    async def topic_filtering(self, *, session: Session | None = None, topic: str | None = None,
                              action: Action | None = None) -> bool | None:
        account = read_accounts(self.config.home).get((session.username if session else None) or "")
        if account is None or not topic:
            return False
        return accounts.may(account, topic, action == Action.PUBLISH)
