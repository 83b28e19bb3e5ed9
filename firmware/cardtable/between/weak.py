"""Keeps which readers weakened in the last game that told: a reset lies before the next one."""

WEAK_FILE = "weak.txt"


def read(weak_count: int, weak_file: str = WEAK_FILE) -> list:
    """(place, reads of a hundred when it was measured, now, date of the measurement) of each reader that weakened in
    the last game that told, among so many. A line that makes no sense is left out."""
    weak_rows: list = []
    try:
        with open(weak_file) as lines:
            for line in lines:
                words = line.split()
                if len(words) != 4 or words[3].strip("0123456789-") not in ("", "unknown"):
                    continue
                try:
                    weak_place, weak_then, weak_now = [int(word) for word in words[:3]]
                except ValueError:
                    continue
                if 0 < weak_place <= weak_count and 0 <= weak_now <= weak_then <= 100 and len(weak_rows) < weak_count:
                    weak_rows.append((weak_place, weak_then, weak_now, words[3][:10]))
    except (OSError, UnicodeError):
        return []
    return weak_rows


def write(weak_rows: list) -> None:
    """Those weaken from now on. OSError."""
    with open(WEAK_FILE, "w") as file:
        for row in weak_rows:
            file.write("%d %d %d %s\n" % row)
