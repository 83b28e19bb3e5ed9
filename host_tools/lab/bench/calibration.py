"""The loop to which every figure of a bench is compared, the same under both interpreters.

A figure of one machine says little; divided by what the same interpreter does of this loop in the same run, it can be
held against another machine's.
"""

TURNS = 20_000


def step(row: bytearray, index: int) -> int:
    """The function that one turn calls."""
    return row[index & 255] + index & 255


def calibrate(turns: int) -> int:
    """Calls, indexing of a bytearray and small integers: what judging consists of. The sum keeps it honest."""
    row = bytearray(256)
    total = 0
    for turn in range(turns):
        total = step(row, total + turn)
        row[turn & 255] = total
    return total
