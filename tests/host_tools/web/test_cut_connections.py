"""Three hundred connections cut at random bytes: no tap is lost, none counts twice, the view is the same after."""

import asyncio
import random

import pytest

from tests.host_tools.web.served import Page, Served, begin
from tests.patience import wait_until

pytestmark = pytest.mark.micropython

CUTS = [100, pytest.param(1000, marks=pytest.mark.everything)]
LONGEST = 6000  # bytes after which a connection is cut at the latest


class Cutter:
    """A server between page and table that breaks each connection after some bytes of either way."""

    def __init__(self, port, chance):
        self.port, self.chance = port, chance
        self.cuts = 0
        self.is_kind = False  # from now on nothing is cut
        self.tasks = set()

    async def open(self):
        self.server = await asyncio.start_server(self.meet, "127.0.0.1", 0)
        return self.server.sockets[0].getsockname()[1]

    async def meet(self, reader, writer):
        try:
            above_reader, above_writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.close()
            return
        left = [self.chance.randrange(1, LONGEST)]
        both = [
            asyncio.create_task(self.carry(reader, above_writer, left)),
            asyncio.create_task(self.carry(above_reader, writer, left)),
        ]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
        for end in (writer, above_writer):
            end.transport.abort()

    async def carry(self, reader, writer, left):
        """Bytes from one end to the other, until as many have passed as this connection may carry."""
        while block := await reader.read(2048):
            if not self.is_kind:
                block = block[: left[0]]
                left[0] -= len(block)
            writer.write(block)
            await writer.drain()
            if left[0] <= 0:
                self.cuts += 1
                return


@pytest.mark.parametrize("cuts", CUTS)
def test_no_tap_is_lost_and_none_counts_twice(tmp_path, cuts):
    """A page that acts all the time through connections that break: each act is taken once, in order."""
    with Served(tmp_path, seed=11, speed=8.0) as served:
        done = []
        hands = served.table.hands[1]
        hands.ask = lambda act: done.append(act) or True  # what would be done, and how often

        async def storm():
            chance = random.Random(5)
            quiet = await Page(served.address, served.table.seating.host, "quiet12345").open()
            await quiet.until(lambda: "table" in quiet.told)
            await begin(quiet)
            cutter = Cutter(served.port, chance)
            port = await cutter.open()
            address = served.address.replace(str(served.port), str(port))
            page = Page(address, served.table.seating.host, "storm67890", origin=served.address)
            served.desk.names.add(f"127.0.0.1:{port}")
            while cutter.cuts < cuts:
                try:
                    await page.open()
                    for _ in range(30):
                        if page.socket.closed:
                            break
                        if len(page.waiting) < 5:
                            await page.act("press", seat=1, key="MENU")
                        await asyncio.sleep(0)
                    await wait_until(lambda: page.listener.done() or not page.waiting, "the storm", "acks, or a cut")
                except (OSError, TimeoutError, asyncio.TimeoutError) as lost:
                    del lost
                except Exception as error:  # aiohttp tells of a broken handshake in its own words
                    if "aiohttp" not in type(error).__module__:
                        raise
                await page.close()
            cutter.is_kind = True
            await page.open()
            await page.until(lambda: not page.waiting, "the last answers")
            await page.until(lambda: page.told.get("view") == quiet.told["view"], "the same view")
            for other in (page, quiet):
                await other.close()
            cutter.server.close()
            return page

        page = served.run(storm())
        assert page.count > cuts / 3
        assert len(done) == page.count, (len(done), page.count)
        assert sorted(page.acks) == list(range(1, page.count + 1)) and all(ack["ok"] for ack in page.acks.values())
