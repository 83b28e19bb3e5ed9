"""Tasks that are ended have ended."""

import asyncio

from host_tools.base.endings import end_tasks


def test_a_task_that_loses_its_cancel_is_cancelled_again():
    """As `wait_for` of CPython 3.11 may lose it. What another one raises is nobody's trouble."""
    async def lose(count):
        for _ in range(count):
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                pass  # lost
        await asyncio.sleep(3600)

    async def fail():
        raise ValueError

    async def main():
        tasks = [asyncio.create_task(lose(0)), asyncio.create_task(lose(1)), asyncio.create_task(fail())]
        await asyncio.sleep(0)
        await end_tasks(tasks)
        assert all(task.done() for task in tasks)
        await end_tasks([])

    asyncio.run(main())
