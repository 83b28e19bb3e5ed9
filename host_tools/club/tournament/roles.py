"""Owns who may do what on the pages: sign-in links, and a limit on how often anybody asks.

The database keeps only the hash of a link's secret. Anyone without a link is a spectator, who sees the evening and
changes nothing.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from host_tools.club.tournament.director import Director
from host_tools.club.tournament.plan import check_name
from host_tools.club.tournament.state import State

ARBITER = "arbiter"
SCOREKEEPER = "scorekeeper"
SPECTATOR = "spectator"
MOST_ADDRESSES = 10_000


@dataclass(frozen=True)
class Visitor:
    """Who asks."""

    role: str = SPECTATOR
    name: str = ""

    @property
    def signature(self) -> str:
        """As the log writes it."""
        return f"{self.name} ({self.role})"

    @property
    def keeps_score(self) -> bool:
        """Whether this visitor may enter results."""
        return self.role in (ARBITER, SCOREKEEPER)


def make_link(director: Director, who: str, role: str, name: str) -> str:
    """A new secret for that person. An undo of its event makes it worthless. UnusableInput."""
    secret = secrets.token_urlsafe(24)
    director.act(who, "link made", role=role, name=check_name(name, "name"), digest=digest(secret))
    return secret


def digest(secret: str) -> str:
    """What the log keeps of a secret."""
    return hashlib.sha256(b"sign-in " + secret.encode("utf-8", "replace")).hexdigest()


def find_visitor(state: State, secret: str) -> Visitor:
    """Whose secret it is; a spectator's is anything else."""
    role, name = state.links.get(digest(secret), (SPECTATOR, ""))
    return Visitor(role, name)


class Limiter:
    """At most `rate` a second from one address, after a first `burst`."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._left: dict[str, tuple[float, float]] = {}  # what an address may still do, and when that was counted

    def allow(self, address: str) -> bool:
        """Count one more; whether it may go on."""
        now = self.clock()
        left, since = self._left.get(address, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        if len(self._left) >= MOST_ADDRESSES and address not in self._left:
            self._left.clear()
        self._left[address] = (left - 1 if left >= 1 else left, now)
        return left >= 1
