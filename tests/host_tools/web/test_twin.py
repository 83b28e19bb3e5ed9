"""The twin's page: what its chips show, what hands do to them, and nobody else's page."""

import asyncio

import pytest
from aiohttp.test_utils import TestClient, TestServer

from boards import virtual
from host_tools.base.errors import UnusableInput
from host_tools.play.scripted.sitting import Sitting
from host_tools.virtual.world import World
from host_tools.play.web.serve import NAMES
from host_tools.play.web.twin import make_app


class Twin:
    """A board whose thread is this one."""

    def __init__(self):
        self.world = World(virtual)
        self.trouble = None

    def call(self, act):
        return act()


@pytest.fixture
def sitting():
    return Sitting(Twin())


def test_a_tag_lies_on_one_reader_and_is_taken_away(sitting):
    field = [reader.field for reader in sitting.twin.world.readers]
    sitting.act("put", 2, "7S")
    sitting.act("put", 3, "7S")
    assert [len(one.tags) for one in field[:4]] == [0, 0, 1, 0]
    assert sitting.look()["seats"][2]["tags"] == ["7S"]
    with pytest.raises(UnusableInput):
        sitting.act("take", 2, "7S")
    sitting.act("take", 3, "7S")
    assert not field[2].tags and sitting.look()["seats"][2]["tags"] == []


@pytest.mark.parametrize("act", [("press", 8, "OK"), ("press", True, "OK"), ("press", 1, "ESC"), ("put", 1, "ZZ"),
                                 ("power", 1, "OK"), ("take", 1, "7S"), ("put", 1, ["7S"])])
def test_what_no_hand_can_do_is_refused(sitting, act):
    with pytest.raises((UnusableInput, TypeError)):
        sitting.act(*act)


def test_the_page_is_served_to_itself_alone(sitting):
    async def visit():
        app = make_app(sitting)
        async with TestClient(TestServer(app)) as client:
            assert (await client.get("/")).status == 403
            app[NAMES].add(f"{client.host}:{client.port}")
            page = await client.get("/")
            assert page.status == 200 and "twin.js" in await page.text()
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            seen = await (await client.get("/look")).json()
            assert len(seen["seats"]) == virtual.SEATS and seen["glass"]["width"] == 128
            assert (await client.post("/act", json={"do": "press", "seat": 1, "thing": "OK"})).status == 200
            assert (await client.post("/act", json={"do": "press", "seat": 99, "thing": "OK"})).status == 400
            assert (await client.post("/act", json=["press"])).status == 400
            far = {"Origin": "http://elsewhere.example"}
            told = await client.post("/act", json={"do": "put", "seat": 1, "thing": "7S"}, headers=far)
            assert told.status == 403 and not sitting.twin.world.readers[0].field.tags

    asyncio.run(visit())
