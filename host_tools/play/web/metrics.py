"""Says how a server is: /health for whoever starts it again, /metrics for Prometheus; to this machine alone."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from aiohttp import web

from host_tools.base.errors import UnusableInput
from host_tools.base.extras import say_what_lacks
from host_tools.play.web.door import DOOR
from host_tools.play.web.near import is_here

REGISTRY = web.AppKey("registry", object)
HEALTH: web.AppKey[Callable[[], str]] = web.AppKey("health")  # the sentence that says what is wrong; empty: all is well
Gauges = dict[str, tuple[str, Callable[[], float]]]


def add_metrics(app: web.Application, health: Callable[[], str], gauges: Gauges) -> None:
    """Answer /health and /metrics. gauges: {name: (what it says, its value now)}, beside the sockets of the door."""
    app[HEALTH] = health
    app.router.add_get("/health", give_health)
    app.router.add_get("/metrics", give_metrics)
    registry = make_registry()
    app[REGISTRY] = registry
    if registry is not None:
        from prometheus_client import Gauge

        sockets = Gauge("cardtable_sockets", "sockets that are open", ["standing"], registry=registry)
        for standing in ("silent", "asked", "spectator", "known"):
            sockets.labels(standing).set_function(functools.partial(count_sockets, app, standing))
        for name, (told, ask) in gauges.items():
            Gauge(f"cardtable_{name}", told, registry=registry).set_function(functools.partial(ask_now, ask))


def ask_now(ask: Callable[[], float]) -> float:
    """The figure, or no number where what knows it cannot be used now: the others are said all the same."""
    try:
        return ask()
    except (UnusableInput, OSError):
        return math.nan


def count_sockets(app: web.Application, standing: str) -> float:
    """How many sockets are open of that standing."""
    return app[DOOR].counts()[standing] if DOOR in app else 0


def make_registry() -> Any:
    """What Prometheus's library keeps figures in; None without it."""
    try:
        from prometheus_client import CollectorRegistry
    except ImportError:
        return None
    return CollectorRegistry()


def make_timer(app: web.Application, name: str, told: str) -> Callable[[float], object]:
    """Count how long something took, in seconds."""
    registry = app[REGISTRY]
    if registry is None:
        return lambda seconds: None
    from prometheus_client import Histogram

    found: Callable[[float], object] = Histogram(f"cardtable_{name}", told, registry=registry,  # type: ignore[arg-type]
                                                 buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5)).observe
    return found


def is_own(request: web.Request) -> bool:
    """Whether a program of this machine asks, and no proxy for somebody else."""
    return is_here(request.remote or "") and "X-Forwarded-For" not in request.headers


async def give_health(request: web.Request) -> web.Response:
    """200 `ok`, or 503 with what is wrong."""
    if not is_own(request):
        raise web.HTTPForbidden(text="This is for programs of this computer.\n")
    wrong = request.app[HEALTH]()
    return web.Response(status=503 if wrong else 200, text=f"{wrong or 'ok'}\n")


async def give_metrics(request: web.Request) -> web.Response:
    """All figures, as Prometheus reads them."""
    if not is_own(request):
        raise web.HTTPForbidden(text="This is for programs of this computer.\n")
    registry: Any = request.app[REGISTRY]
    if registry is None:
        raise web.HTTPNotImplemented(text=say_what_lacks("prometheus_client", "this page") + "\n")
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    return web.Response(body=generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
