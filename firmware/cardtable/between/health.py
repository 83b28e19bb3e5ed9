"""Tells how well each reader has read since the power came; in memory only while it does.

A reader that weakens misses more and more of the tags that lie on it, long before it falls silent.
"""

from cardtable.rooms import load

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
    learned = load("between", "learned").read(len(readers.chips))
    if learned:
        for index in range(len(readers.chips)):
            reads, missed, _ = find_health(readers, index)
            share = 100 * reads // max(1, reads + missed)
            if reads + missed >= ENOUGH and learned.reads[index] - share >= WEAKER:
                lines.append("reader %d: weakens: %d of 100 on %s, %d now" % (
                    index + 1, learned.reads[index], learned.date, share))
    if readers.halvings:
        lines.append("readers: their clock was halved %d times" % readers.halvings)
    return lines


def tell(readers, say) -> None:
    """Say all of it."""
    for line in list_health(readers):
        say(line)
