"""The tests are the same in any shell: what it says to its own programs reaches none of theirs (tests/conftest.py)."""

import os
import subprocess
import sys

from tests.conftest import FOREIGN, ROOT

LOOK = """
import os, urllib.request
from tests import conftest
print([name for name in conftest.FOREIGN if name in os.environ])
for host in ("127.0.0.1:80", "localhost", "club.example.org", "example.com"):
    print(host, "direct" if urllib.request.proxy_bypass(host) else "by the proxy")
"""


def test_a_terminal_a_service_make_a_hook_and_a_proxy_change_nothing():
    """Behind a proxy no test could ask its own server; beneath `make -j`, in a narrow or coloured terminal, in a hook
    of git or with a club's database named, others failed."""
    said = {**dict.fromkeys(FOREIGN, "1"), "http_proxy": "http://127.0.0.1:9", "no_proxy": "example.org"}
    done = subprocess.run([sys.executable, "-c", LOOK], cwd=ROOT, env={**os.environ, **said}, capture_output=True,
                          text=True)
    ways = ["127.0.0.1:80 direct", "localhost direct", "club.example.org direct", "example.com by the proxy"]
    assert done.stdout.splitlines() == ["[]", *ways], done.stderr
