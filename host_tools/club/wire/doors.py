"""The embedded broker's doors: who comes in, and which topics are whose, by the list of accounts (accounts.py)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from amqtt.contexts import Action
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin
from amqtt.session import Session

from host_tools.club.wire import accounts
from host_tools.club.wire.accounts import Account


@dataclass
class _Home:
    """Where the accounts lie."""

    home: str = ""


def read_accounts(home: str) -> dict[str, Account]:
    """The accounts by their names."""
    return {account.name: account for account in accounts.read(Path(home))}


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
