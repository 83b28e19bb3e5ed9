"""A table with Wi-Fi under MicroPython, without readers and screen: the firmware's own end of the network.

Run in the folder that is the flash; it ends when a file `stop` or `play` is there, as before a game with `play`.
"""

import os
import time

from cardtable.net import link, party
from cardtable.table.running import Running
from cardtable.table.words import Words

link.AGAIN_MS = (20, 200)  # pauses that a test need not wait for


class Lobby(Running):
    """A lobby at which nobody chooses."""

    def takes_order(self) -> bool:
        return not self.wants

    def tell_network(self, text: str) -> None:
        print("screen: " + text)


class Readers:
    chips = (1, 2, 3, 4, 5, 6, 7)


class Parts:
    table = Lobby()
    readers = Readers()
    language = "en"
    words = Words("table", "en")
    say = print


def main() -> None:
    parts = Parts()
    net = party.open_party(parts)
    longest_ms = 0
    while net and "stop" not in os.listdir() and "play" not in os.listdir():
        begun_ms = time.ticks_ms()
        net.step()
        if net.link.is_up():
            longest_ms = max(longest_ms, time.ticks_diff(time.ticks_ms(), begun_ms))
        if parts.table.wants:
            print("opens: " + parts.table.wants)
            parts.table.wants = ""
        time.sleep_ms(2)
    if net:
        net.leave("play" in os.listdir())
    print("longest: %d ms" % longest_ms)


main()
