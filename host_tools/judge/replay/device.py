"""The replay inside MicroPython: records come in on standard input, verdicts go out.

In:  a line with the record's length in bytes, then its bytes; and so on.
Out: `ready` once; for each event `event LINE VERDICT RULE`; for each record `end` and the outcome as JSON.
"""

import gc
import json
import sys

from host_tools.judge.replay.core import Replay

_TIDY_BYTES = 16384


class Source:
    """The next `size` bytes of standard input, line by line."""

    def __init__(self, size: int):
        self.left = size

    def readline(self, limit: int) -> bytes:
        """As a binary file's."""
        if not self.left:
            return b""
        raw = sys.stdin.buffer.readline(min(limit, self.left))
        self.left = self.left - len(raw) if raw else 0
        return raw

    def skip(self):
        """Leave out what the replay did not want."""
        while self.left:
            self.readline(512)


def forget(game):
    """Let go of a game's module: there is room for one or two, not for all."""
    name = game.__name__
    del sys.modules[name]
    package, _, module = name.rpartition(".")
    delattr(sys.modules[package], module)


def watch(number: int, verdict: int, rule: str):
    """One event was judged."""
    print("event", number, verdict, rule)


def main():
    """Serve until standard input ends."""
    # Tidied up only when it is full, the heap would be in crumbs: what is kept would lie scattered all over it.
    gc.threshold(_TIDY_BYTES)
    print("ready")
    game = None
    while True:
        size = sys.stdin.buffer.readline()
        if not size:
            return
        gc.collect()
        source = Source(int(size))
        replay = Replay(source, watch)
        outcome = replay.run()
        source.skip()
        if game is not None and replay.game not in (None, game):
            forget(game)
        game = replay.game or game
        print("end " + json.dumps([outcome.kind, outcome.line, outcome.cause, outcome.state]))


if __name__ == "__main__":
    main()
