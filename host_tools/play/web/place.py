"""The place of a server: port, names, a proxy in front of it, certificate; and the address of a visitor."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from host_tools.base.errors import UnusableInput
from host_tools.play.web.near import is_here

CERTIFICATE, KEY = "broker.pem", "broker.key"  # in the folder of --https, as `cardtable broker certificate` makes them
BEHIND = web.AppKey("behind", str)  # the address under which everybody knows this server; empty: its own


@dataclass(frozen=True)
class Place:
    """The wishes of the command line. `address`: the name that a proxy gives this server, `https://cup.example.org`.
    `https`: the folder of a certificate and its key."""

    port: int = 0
    lan: bool = False
    address: str = ""
    https: Path | None = None

    def context(self) -> ssl.SSLContext | None:
        """For TLS; None without. UnusableInput."""
        if self.https is None:
            return None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.https / CERTIFICATE, self.https / KEY)
        except (OSError, ssl.SSLError) as wrong:
            raise UnusableInput(f"{self.https}: no certificate {CERTIFICATE} with its key {KEY}: make them with"
                                f" `cardtable broker certificate --home {self.https}`") from wrong
        return context

    def own(self, host: str, number: int) -> str:
        """The address that this server gives itself."""
        return self.address or f"{'https' if self.https else 'http'}://{host}:{number}"


def read_address(text: str) -> str:
    """The address under which a proxy serves: scheme, name, perhaps a port, and nothing else. UnusableInput."""
    try:
        parts = urlsplit(text)
        is_right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and text.isascii()
    except ValueError:
        is_right = False
    if not is_right or parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise UnusableInput(f"--address is scheme and name alone, such as https://cup.example.org, not {text[:60]!r}")
    return f"{parts.scheme}://{parts.netloc}".lower()


def name_of(address: str) -> str:
    """What a browser sends as Host and in Origin."""
    return urlsplit(address).netloc


def address_of(request: web.Request) -> str:
    """Where the visitor sits: behind a proxy on this machine what it says last, else the socket's other end."""
    remote = request.remote or ""
    if request.app.get(BEHIND) and is_here(remote):
        said = request.headers.getall("X-Forwarded-For", [""])[-1].rpartition(",")[2].strip()
        try:
            return str(ipaddress.ip_address(said))
        except ValueError:
            return remote
    return remote


def is_encrypted(request: web.Request) -> bool:
    """Whether nobody on the way can read a cookie."""
    return request.secure or request.app.get(BEHIND, "").startswith("https://")
