"""Caddy and nginx for tests, each with the example of docs/security.md, on loopback; the marks `caddy` and `nginx`."""

import re
import shutil
import subprocess
import textwrap

from host_tools.club.wire import certificate
from tests.conftest import ROOT
from tests.left_out import need

NAME = "cup.example.org"
NGINX = """daemon off;
pid {home}/nginx.pid;
error_log stderr;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {home}/a; proxy_temp_path {home}/b; fastcgi_temp_path {home}/c; uwsgi_temp_path {home}/d;
    scgi_temp_path {home}/e;
{outside}
    server {{
        listen 127.0.0.1:{port} ssl;
        server_name {name};
        ssl_certificate {home}/{certificate};
        ssl_certificate_key {home}/{key};
{inside}
    }}
}}
"""
CADDY = """{{
    admin off
    auto_https disable_redirects
    skip_install_trust
    storage file_system {home}/caddy
    https_port {port}
}}
{example}
"""


def find(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


for one in ("caddy", "nginx"):
    need(one, f"runs {one}", lambda name=one: bool(find(name)), f"tests behind {one}", f"Install Debian's {one}.")


def examples():
    """The indented blocks of the page's section about proxies, by what they begin with."""
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^    .*\n)+", page, re.MULTILINE)
    return {text.split(None, 1)[0]: text for text in map(textwrap.dedent, blocks)}


def start(kind, home, behind, port):
    """The proxy in a process of its own: it listens at `port`, and the pages at `behind`."""
    found = {name: text.replace("127.0.0.1:8137", f"127.0.0.1:{behind}") for name, text in examples().items()}
    if kind == "caddy":
        example = found[NAME].replace("{\n", "{\n    bind 127.0.0.1\n    tls internal\n", 1)
        (home / "Caddyfile").write_text(CADDY.format(home=home, port=port, example=example))
        call = [find("caddy"), "run", "--config", str(home / "Caddyfile"), "--adapter", "caddyfile"]
    else:
        certificate.make(home, [NAME])
        (home / "nginx.conf").write_text(NGINX.format(
            home=home, port=port, name=NAME, outside=found["map"], inside=found["location"],
            certificate=certificate.CERTIFICATE, key=certificate.KEY))
        call = [find("nginx"), "-p", str(home), "-c", str(home / "nginx.conf")]
    environment = {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home), "PATH": "/usr/bin:/bin"}
    return subprocess.Popen(call, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=(home / "said.txt").open("wb"))
