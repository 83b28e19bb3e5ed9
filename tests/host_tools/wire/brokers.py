"""Real brokers for tests: the embedded one and mosquitto, each on loopback at its own port; the mark `mosquitto`."""

import asyncio
import contextlib
import importlib.util
import socket
import subprocess
import sys

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.club.wire import mosquitto
from tests.conftest import ROOT
from tests.left_out import need
from tests.patience import wait_until
from host_tools.base.ports import free_port


def has_mosquitto():
    """Whether mosquitto and the packages of the extra `network` are there."""
    with contextlib.suppress(UnusableInput):
        return bool(mosquitto.find()) and bool(importlib.util.find_spec("aiomqtt"))
    return False


need("mosquitto", "runs Debian's broker", has_mosquitto, "tests with a second broker", "Install Debian's mosquitto.")


class Engine:
    """A broker in a process of its own, started by `cardtable broker start`, which can be killed and brought back."""

    name = ""

    def __init__(self, home, tls=False):
        self.port = free_port()
        self.call = [sys.executable, "-m", "host_tools.cli", "broker", "start", "--engine", self.name, "--home", home,
                     "--port", str(self.port), *(["--tls"] if tls else [])]
        self.process = None

    async def start(self):
        if self.process is None:
            self.process = subprocess.Popen(self.call, stdout=subprocess.DEVNULL, cwd=ROOT)
            await wait_until(self.listens, "the test", f"a broker ({self.name}) that listens")

    def listens(self):
        assert self.process.poll() is None, "the broker has ended"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    async def kill(self):
        if self.process is not None:
            self.process.kill()
            await asyncio.to_thread(self.process.communicate)
            self.process = None


class Embedded(Engine):
    """The one inside Cardtable."""

    name = "embedded"


class Mosquitto(Engine):
    """Debian's, without our process above it, so that a kill is its own."""

    name = "mosquitto"

    def __init__(self, home, tls=False):
        super().__init__(home, tls)
        self.call = [mosquitto.find(), "-c", mosquitto.write_configuration(home, "127.0.0.1", self.port, tls)]


KINDS = [pytest.param(Embedded, id="embedded"), pytest.param(Mosquitto, id="mosquitto", marks=pytest.mark.mosquitto)]
