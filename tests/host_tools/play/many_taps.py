"""Taps at virtual readers behind the real pcscd, at many slots at a time.

Each slot has tags of its own, one after the other. A tag lies until the reader has asked for its number; then it is
taken away, and in every third tap the next one is laid at once, before anybody has seen that the first is gone.
"""

import queue
import threading

from host_tools.play.readers.pcsc import Watch, load
from tests.host_tools.play.virtual_pcsc import Card, Daemon, names
from tests.patience import PATIENCE_S

ENTRIES = 8  # 16 slots: pcscd has no room for more
SWAPS = 3  # every so many taps the next tag is laid at once


class Slots:
    """A Watch whose news goes to one queue a reader."""

    def __init__(self, entries):
        self.ports = names(entries)
        self.heard = {name: queue.Queue() for name in self.ports}
        self.watch = Watch(load(), self.hear)
        self.thread = threading.Thread(target=self.watch.run, daemon=True)
        self.thread.start()

    def hear(self, name, what, uid, held):
        if what != "beat":
            self.heard[name].put((what, uid))

    def until(self, name, wanted):
        """What comes first that is wanted, and everything before it."""
        before = []
        while True:
            one = self.heard[name].get(timeout=PATIENCE_S)
            before.append(one)
            if one[0] == wanted:
                return before

    def end(self):
        self.watch.end()
        self.thread.join(PATIENCE_S)


def tap_one(slots, name, count, found):
    """All taps of one slot; what was told goes into `found`: right, wrong, twice, lost."""
    port, number = slots.ports[name], list(slots.ports).index(name)
    for at in range(count):
        uid = bytes([4, number, at >> 8, at & 255, 5, 6, 7][: (7, 4, 7)[at % 3]]) + bytes(3 if at % 9 == 8 else 0)
        card = Card(port, uid)
        try:
            told = [one for one in slots.until(name, "came") if one[0] == "came"]
        except queue.Empty:
            found["lost"] += 1
            continue
        found["right" if told == [("came", uid)] else "wrong"] += 1
        card.asked.wait(PATIENCE_S)
        card.take()
        if at % SWAPS:
            found["twice"] += sum(one[0] == "came" for one in slots.until(name, "went"))


def tap_all(folder, taps, entries=ENTRIES):
    """{what: how often} for so many taps, shared by all slots."""
    with Daemon(folder, entries):
        slots = Slots(entries)
        found = [dict.fromkeys(("right", "wrong", "twice", "lost"), 0) for _ in slots.ports]
        try:
            for name in slots.ports:
                slots.until(name, "there")
            threads = [threading.Thread(target=tap_one, args=(slots, name, taps // len(found), found[at]), daemon=True)
                       for at, name in enumerate(slots.ports)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            slots.end()
    return {what: sum(one[what] for one in found) for what in found[0]}
