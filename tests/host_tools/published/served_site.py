"""The site, made once for all tests of this folder and given out by a plain server of files."""

import functools
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from host_tools.look.published.build import build
from tests.left_out import need


def has_npm() -> bool:
    """Whether the programs are there; nobody asks a registry for tests that are not run."""
    return bool(shutil.which("npm") and shutil.which("node"))


need("npm", "makes the site with node and what npm brings", has_npm, "tests that make the whole site",
     "Install Debian's npm.")


class Plain(SimpleHTTPRequestHandler):
    """Files, as `python3 -m http.server` gives them."""

    def log_message(self, *_):
        """Say nothing."""


class Server:
    """`address` gives out `folder` until `stop()`."""

    def __init__(self, folder, handler=Plain):
        self.folder = folder
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        self.is_on = True

    def stop(self):
        """The network is gone."""
        if self.is_on:
            self.is_on = False
            self.server.shutdown()
            self.server.server_close()
            self.thread.join()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site") / "site"
    build(folder)
    return folder


@pytest.fixture
def server(site):
    """A server of the site."""
    made = Server(site)
    yield made
    made.stop()
