"""The mutants that no test can tell from the source, each with its reason: what `explained.txt` holds.

A paragraph is one mutant: its file and function, its change as a run prints it, and the reason. It is found by these,
so lines may move; one that fits no change of today is told.
"""

from pathlib import Path

from tests.mutants.changes import Mutant

Key = tuple[str, str, str, str]


def key_of(mutant: Mutant) -> Key:
    """What an explanation is found by."""
    return mutant.path, mutant.function, mutant.before, mutant.after


def read_explained(text: str) -> dict[Key, str]:
    """The reasons; raises ValueError with the paragraph that is none."""
    reasons = {}
    for paragraph in text.split("\n\n"):
        lines = [line.strip() for line in paragraph.strip().split("\n") if not line.startswith("#")]
        if not any(lines):
            continue
        if len(lines) < 3 or len(lines[0].split()) != 2 or " -> " not in lines[1]:
            raise ValueError(f"no file and function, change, and reason: {paragraph.strip()}")
        path, function = lines[0].split()
        before, _, after = lines[1].partition(" -> ")
        reasons[path, function, before, after] = " ".join(lines[2:])
    return reasons


def find_stale(reasons: dict[Key, str], mutants: list[Mutant]) -> list[Key]:
    """The explanations that fit none of these mutants."""
    there = set(map(key_of, mutants))
    return [key for key in reasons if key not in there]


def load(path: Path) -> dict[Key, str]:
    """The reasons in a file; none where there is no file."""
    return read_explained(path.read_text(encoding="utf-8")) if path.exists() else {}
