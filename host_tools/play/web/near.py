"""Finds visitors and this computer in the network, without asking a server, and listens at a port."""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import socket

LOOPBACK = "127.0.0.1"


@functools.lru_cache(maxsize=1024)
def is_here(address: str) -> bool:
    """Whether the address is this machine's own: a proxy beside the server, or its player."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == ""


def own_address() -> str:
    """This computer's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with contextlib.suppress(OSError):
            probe.connect(("192.0.2.1", 9))  # RFC 5737: an address for documentation
            return str(probe.getsockname()[0])
    return LOOPBACK


def listen_at(host: str, port: int) -> socket.socket:
    """A socket that listens there; 0: at any free port. OSError."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(256)
    except OSError:
        listener.close()
        raise
    return listener
