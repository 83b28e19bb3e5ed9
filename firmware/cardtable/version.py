"""What this firmware is: its own version, the edition of the rulebook it keeps, and the format of its records.

The package has the firmware's version (pyproject.toml reads this file). A test holds the changelog, the rulebook and
the record format equal to these.
"""

FIRMWARE = "0.1.0"
RULEBOOK = 1
RECORD = 1


def describe() -> str:
    """All three in one line."""
    return "firmware %s, rulebook %d, record %d" % (FIRMWARE, RULEBOOK, RECORD)
