"""Does for the main loop what comes seldom, so that a game keeps no memory for it: tags to write, and the doctor."""

import asyncio
import gc

from cardtable.rooms import forget, load


async def serve_tags(parts) -> None:
    """Write and read the tags that a panel asked for; some 70 ms each."""
    ntag = load("drivers", "ntag")
    while parts.on_tags:
        place, name, tell = parts.on_tags.pop(0)
        chip, uid = parts.readers.chips[place - 1], parts.readers.uid(place)
        if name:
            tell(place, name, await ntag.write_card_id(chip, uid, name) == ntag.WRITTEN)
        else:
            tell(place, await ntag.read_card_id(chip, uid))


def examine(parts, asks: bool) -> None:
    """Let the doctor look at the table; it is in memory only meanwhile."""
    gc.collect()
    wires = load("between", "wiring").name_wires()
    doctor = load("between", "doctor").Doctor(parts, wires)
    doctor.say = print  # people wait for each line
    asyncio.run(doctor.examine(asks))
    forget("between", "board")
