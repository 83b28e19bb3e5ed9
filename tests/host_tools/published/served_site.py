"""The site, made once for all tests of this folder and given out by a plain server of files."""

import functools
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.look.published.build import WORK, build
from host_tools.look.published.python_side import fetch
from tests.left_out import need


@functools.cache
def why_not() -> str:
    """Why no site can be made here; empty: it can."""
    try:
        fetch(WORK)
    except UnusableInput as wrong:
        return str(wrong)
    return ""


def has_npm() -> bool:
    """Whether Python for browsers is here, or npm can bring it; nobody asks a registry for a test that is not run."""
    return bool(shutil.which("npm") and shutil.which("node"))


need("npm", "makes the site with node and what npm brings", has_npm, "tests that make the whole site",
     "Install Debian's npm.")


class Plain(SimpleHTTPRequestHandler):
    """Files, as `python3 -m http.server` gives them."""

    def log_message(self, *_):
        """Say nothing."""


class Server:
    """`address` gives out `folder` until `stop()`."""

    def __init__(self, folder):
        self.folder = folder
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Plain, directory=str(folder)))
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
    if why_not():
        pytest.skip(why_not())
    folder = tmp_path_factory.mktemp("site") / "site"
    build(folder)
    return folder


@pytest.fixture
def server(site):
    """A server of the site."""
    made = Server(site)
    yield made
    made.stop()
