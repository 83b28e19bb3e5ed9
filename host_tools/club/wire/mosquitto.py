"""Writes the configuration of mosquitto, Debian's broker, from the same accounts and certificate, and starts it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

from host_tools.base.errors import UnusableInput
from host_tools.club.wire import accounts, topics
from host_tools.club.wire.accounts import write_secret
from host_tools.club.wire.certificate import CERTIFICATE, KEY
from host_tools.club.wire.link import KEEPALIVE_S

MISSING = "mosquitto is not installed (Debian: apt install mosquitto)"
QUEUED = 20_000  # messages that wait for one client: a thousand tables may offer at once, and its own limit is 1000
END_TIMES, END_S = 10, 0.5  # so often it is told to end, with so long a wait behind each; then it is killed
IN_FLIGHT = 256  # messages on the way to one client; its own limit of 20 makes a director wait


def find() -> str:
    """The program. UnusableInput if it is not there."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if not program:
        raise UnusableInput(MISSING)
    return program


def write_configuration(folder: Path, host: str, port: int, is_tls: bool, keeps: bool = False) -> Path:
    """The files that mosquitto reads, in that folder; the path of its configuration. keeps: retained messages survive
    a restart."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [f"listener {port} {host}", "per_listener_settings false", f"max_queued_messages {QUEUED}",
            f"max_inflight_messages {IN_FLIGHT}", f"max_packet_size {topics.OFFER_LIMIT + topics.SMALL_LIMIT}",
            f"max_keepalive {10 * KEEPALIVE_S}", "log_dest stderr", "log_type error", "log_type warning"]
    if is_tls:
        rows += [f"certfile {folder.absolute() / CERTIFICATE}", f"keyfile {folder.absolute() / KEY}",
                 "tls_version tlsv1.2"]
    if keeps:
        rows += ["persistence true", f"persistence_location {folder.absolute()}/"]
    known = accounts.read(folder)
    if known:
        passwords, lists = accounts.mosquitto_files(known)
        write_secret(folder / "mosquitto.passwords", passwords)
        write_secret(folder / "mosquitto.acl", lists)
        rows += ["allow_anonymous false", f"password_file {folder.absolute() / 'mosquitto.passwords'}",
                 f"acl_file {folder.absolute() / 'mosquitto.acl'}"]
    else:
        rows.append("allow_anonymous true")
    if os.geteuid() == 0:
        rows.append("user root")  # else it could not read files that only their owner may read
    path = folder / "mosquitto.conf"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def start(configuration: Path) -> subprocess.Popen[bytes]:
    """Run it; what it complains of goes to standard error."""
    return subprocess.Popen([find(), "-c", str(configuration)], stdin=subprocess.DEVNULL)


def end(process: subprocess.Popen[bytes]) -> None:
    """Have it end. It forgets a SIGTERM that comes between its start and its first loop, though its port is open then,
    so it is told again."""
    for _ in range(END_TIMES):
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
            return
    process.kill()
    process.wait()
