"""Pages behind a proxy and with TLS: names, where visitors come from, cookies that only travel encrypted."""

import asyncio
import ssl

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from host_tools.base.errors import UnusableInput
from host_tools.play.web import serve as ground
from host_tools.club.tournament.roles import Limiter, make_link
from host_tools.club.tournament.site import COOKIE, make_site
from host_tools.play.web.place import BEHIND, Place, address_of, read_address
from host_tools.club.wire import certificate
from tests.host_tools.tournament.made import begin

NAME = "https://cup.example.org"


@pytest.mark.parametrize(("said", "means"), [
    (NAME, NAME), (NAME + "/", NAME), ("HTTP://Cup.example.org:8080", "http://cup.example.org:8080"),
    ("https://[::1]:443", "https://[::1]:443"),
])  # fmt: skip
def test_an_address_is_scheme_and_name(said, means):
    assert read_address(said) == means


@pytest.mark.parametrize("said", ["cup.example.org", "ftp://x", "https://", "https://x/cup", "https://x?y", "https://a@b",
                                  "https://x#y", "https://x:0", "https://x:99999", "https://[", "https://чашка.рф", ""])
def test_what_is_no_address_is_one_sentence(said):
    with pytest.raises(UnusableInput, match="--address is scheme and name alone"):
        read_address(said)


@pytest.mark.parametrize(("remote", "said", "is_behind", "means"), [
    ("127.0.0.1", "198.51.100.7", True, "198.51.100.7"),
    ("127.0.0.1", "6.6.6.6, 198.51.100.7", True, "198.51.100.7"),  # the visitor wrote the first, the proxy the last
    ("127.0.0.1", "nonsense", True, "127.0.0.1"),
    ("127.0.0.1", None, True, "127.0.0.1"),
    ("192.0.2.1", "198.51.100.7", True, "192.0.2.1"),  # no proxy of this machine
    ("127.0.0.1", "198.51.100.7", False, "127.0.0.1"),  # nobody said that there is one
])  # fmt: skip
def test_r12_a_proxy_is_believed_from_this_machine_alone(remote, said, is_behind, means):
    app = web.Application()
    app[BEHIND] = NAME if is_behind else ""
    headers = {"X-Forwarded-For": said} if said else {}
    request = make_mocked_request("GET", "/", headers=headers, app=app).clone(remote=remote)
    request._match_info = type("Info", (), {"current_app": app})()
    assert address_of(request) == means


@pytest.fixture
def cup(tmp_path):
    director = begin(tmp_path / "cup.sqlite")
    yield director, make_link(director, "arbiter", "arbiter", "this computer")
    director.close()


def test_r12_a_proxy_with_tls_can_stand_before_the_pages(cup):
    """As Caddy and nginx hand requests on: Host and Origin are the name's; each visitor has a share of requests."""
    director, secret = cup

    async def run():
        app = make_site(director, Limiter(0.001, 3), Limiter(0.001, 3))
        async with ground.opened(app, Place(address=NAME)) as address, aiohttp.ClientSession() as session:
            assert address == NAME
            (port,) = {name.rpartition(":")[2] for name in app[ground.NAMES] if name.startswith("127.")}

            async def ask(path, visitor, method="GET", **headers):
                headers = {"Host": "cup.example.org", "X-Forwarded-For": visitor, **headers}
                url = f"http://127.0.0.1:{port}{path}"
                async with session.request(method, url, headers=headers, allow_redirects=False) as answer:
                    return answer.status, answer.headers.get("Set-Cookie", "")

            assert [(await ask("/pairings", "198.51.100.1"))[0] for _ in range(4)] == [200, 200, 200, 429]
            assert (await ask("/pairings", "198.51.100.2"))[0] == 200  # somebody else is not asked to wait
            status, cookie = await ask(f"/sign-in/{secret}", "198.51.100.3")
            assert status == 303 and cookie.startswith(COOKIE) and "Secure" in cookie and "HttpOnly" in cookie
            own = {"Cookie": f"{COOKIE}={secret}", "Origin": NAME}
            assert (await ask("/do/seat", "198.51.100.4", "POST", **own))[0] != 403
            evil = {**own, "Origin": "https://evil.example"}
            assert (await ask("/do/seat", "198.51.100.5", "POST", **evil))[0] == 403
            assert (await ask("/pairings", "198.51.100.6", Host="evil.example"))[0] == 403

    asyncio.run(run())


def test_tls_with_the_certificate_of_the_broker(cup, tmp_path):
    """A cookie over TLS is for TLS alone; who speaks plainly, or nothing, is let go."""
    director, secret = cup
    certificate.make(tmp_path / "tls", ["localhost"])

    async def run():
        app = make_site(director)
        trust = ssl.create_default_context(cafile=tmp_path / "tls" / certificate.CERTIFICATE)
        connector = aiohttp.TCPConnector(ssl=trust)
        async with ground.opened(app, Place(https=tmp_path / "tls")) as address:
            assert address.startswith("https://127.0.0.1:")
            async with aiohttp.ClientSession(connector=connector) as session:
                async with session.get(f"{address}/sign-in/{secret}", allow_redirects=False) as answer:
                    assert answer.status == 303 and "Secure" in answer.headers["Set-Cookie"]
            reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert not (await reader.read()).startswith(b"HTTP")
            writer.close()

    asyncio.run(run())


def test_a_folder_without_a_certificate_is_one_sentence(tmp_path):
    with pytest.raises(UnusableInput, match="make them with `cardtable broker certificate"):
        Place(https=tmp_path).context()
