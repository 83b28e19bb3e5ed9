"""The examples of docs/security.md behind real proxies: pages, cookies, forms, a WebSocket, a forged address."""

import asyncio
import socket
import ssl

import aiohttp
import pytest
from aiohttp import web

from host_tools.club.tournament.roles import make_link
from host_tools.club.tournament.site import COOKIE, make_site
from host_tools.play.web import serve as ground
from host_tools.play.web.place import Place, address_of
from tests.host_tools.tournament.made import begin
from tests.host_tools.web.proxies import NAME, start
from host_tools.base.ports import free_port
from tests.patience import wait_until


async def echo(request):
    """A WebSocket that says where its visitor sits, and then whatever it hears."""
    answer = web.WebSocketResponse()
    await answer.prepare(request)
    await answer.send_str(address_of(request))
    async for message in answer:
        await answer.send_str(message.data)
    return answer


def speaks(process, port, home, trust):
    """Whether it speaks TLS: Caddy listens before it has its certificate."""
    assert process.poll() is None, (home / "said.txt").read_text()
    try:
        with socket.create_connection(("127.0.0.1", port)) as there, trust.wrap_socket(there, server_hostname=NAME):
            return True
    except OSError:
        return False


@pytest.mark.everything
@pytest.mark.parametrize("kind", [pytest.param("caddy", marks=pytest.mark.caddy),
                                  pytest.param("nginx", marks=pytest.mark.nginx)])
def test_r12_the_pages_work_behind_the_proxy_of_the_docs(kind, tmp_path):
    director = begin(tmp_path / "cup.sqlite")
    secret = make_link(director, "arbiter", "arbiter", "this computer")
    behind, port = free_port(), free_port()
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE  # the certificate signs itself

    async def run():
        app = make_site(director)
        app.router.add_get("/socket", echo)
        async with ground.opened(app, Place(behind, address=f"https://{NAME}")):
            process = start(kind, tmp_path, behind, port)
            try:
                await wait_until(lambda: speaks(process, port, tmp_path, trust), "the test", f"{kind} that speaks")
                await visit()
            finally:
                process.terminate()
                await asyncio.to_thread(process.wait)

    async def visit():
        # Host is the name alone, as at the proxy's own port 443.
        there = aiohttp.TCPConnector(ssl=trust)
        async with aiohttp.ClientSession(connector=there) as session:
            url, host = f"https://127.0.0.1:{port}", {"Host": NAME}

            async def ask(path, method="GET", **headers):
                async with session.request(method, url + path, headers={**host, **headers}, allow_redirects=False,
                                           server_hostname=NAME) as answer:
                    return answer.status, answer.headers.get("Set-Cookie", ""), await answer.text()

            assert "Autumn cup" in (await ask("/"))[2]
            status, cookie, _ = await ask(f"/sign-in/{secret}")
            assert status == 303 and cookie.startswith(COOKIE) and "Secure" in cookie
            own = {"Cookie": f"{COOKIE}={secret}"}
            assert (await ask("/do/round", "POST", Origin=f"https://{NAME}", **own))[0] == 303
            assert (await ask("/do/round", "POST", Origin="https://evil.example", **own))[0] == 403
            assert (await ask("/health"))[0] in (403, 404), "for programs of this computer alone"
            async with session.ws_connect(f"{url}/socket", headers=host, server_hostname=NAME) as ws:
                assert await ws.receive_str() == "127.0.0.1"
                await ws.send_str("heard")
                assert await ws.receive_str() == "heard"
            forged = {**host, "X-Forwarded-For": "203.0.113.9"}
            async with session.ws_connect(f"{url}/socket", headers=forged, server_hostname=NAME) as ws:
                assert await ws.receive_str() == "127.0.0.1", "what a visitor writes there counts nothing"

    asyncio.run(run())
    director.close()
