"""What a reader's driver says: the promise that every driver in drivers/ keeps and that the table relies on.

It imports nothing, so that drivers and table share the numbers without knowing each other.
"""

from micropython import const

# What a look at a reader finds (`poll`).
EMPTY = const(0)  # the reader asked, and its own timer says that no tag answered
PRESENT = const(1)  # one tag, every check passed
GARBLED = const(2)  # something answered that cannot be read: neither there nor gone
MANY = const(3)  # several tags
SILENT = const(4)  # the reader itself does not answer; also a `fault`

# The other values of `fault`.
OK = const(0)
WRONG_VERSION = const(5)  # it reads as another one each time
READ_BACK = const(6)  # a register does not read back as it was written
REPEATS = const(7)  # a copy that answers a frame of several registers with its first one: no look at it can work

OPEN = const(0x0F)  # what `idle` gives of a line that nothing drives or pulls up
