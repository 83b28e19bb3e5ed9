"""Weighs how well each reader has read since the power came; in memory only while it does.

A reader that weakens misses more and more of the tags that lie on it, long before it falls silent.
"""

from cardtable.rooms import load

# The names of this file keep their length in the lean code of every module (host_tools/virtual/lean.py), so those of
# what is weak are names that no other module has: each more in common is one more in MicroPython's table of names.
ENOUGH = 100  # looks at tags that say something
WEAKER = 10  # of a hundred


def find_health(readers, index: int) -> tuple:
    """Of that reader: how many looks read a tag, how many did not read one that lay there, how often it was silent or
    had to be started again."""
    chip = readers.chips[index]
    return chip.reads, readers.missed[index] + chip.garbled, chip.silent + chip.restarts


def list_health(readers) -> list:
    """A line for each reader that has seen a tag, or was silent."""
    lines = []
    for index in range(len(readers.chips)):
        reads, missed, faults = find_health(readers, index)
        if reads + missed + faults:
            share = "%d %%" % (100 * reads // (reads + missed)) if reads + missed else "none"
            lines.append("reader %d: %s of %d looks at tags read, %d times silent" % (
                index + 1, share, reads + missed, faults))
    for row in weigh(readers):
        lines.append("reader %d: weakens: %d of 100 on %s, %d now" % (row[0], row[1], row[3], row[2]))
    if readers.halvings:
        lines.append("readers: their clock was halved %d times" % readers.halvings)
    return lines


def weigh(readers) -> list:
    """The readers that read clearly fewer cards than when the table measured itself, as weak.py has them. One that
    has had too few looks since the power came is as it was told last."""
    weak_count = len(readers.chips)
    learned = load("between", "learned").read(weak_count)
    weak_before = load("between", "weak").read(weak_count)
    weak_rows = []
    for index in range(weak_count) if learned else ():
        reads, missed, _ = find_health(readers, index)
        if reads + missed < ENOUGH:
            weak_rows.extend([row for row in weak_before if row[0] == index + 1])
        else:
            share = 100 * reads // (reads + missed)
            if learned.reads[index] - share >= WEAKER:
                weak_rows.append((index + 1, learned.reads[index], share, learned.date or "unknown"))
    return weak_rows


def tell(readers, say) -> None:
    """Say all of it."""
    for line in list_health(readers):
        say(line)


def close(readers, say) -> None:
    """A game is over: say all of it, and keep which readers weaken, for a reset lies before the next one. Between two
    games the arbiter's screen and the network tell it."""
    tell(readers, say)
    weak_file = load("between", "weak")
    weak_rows = weigh(readers)
    if weak_rows != weak_file.read(len(readers.chips)):
        try:
            weak_file.write(weak_rows)
        except OSError:
            pass  # the flash takes no more: the next game tells it again
