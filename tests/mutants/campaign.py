"""Put small faults into the engine, and see whether the tests find them.

Without arguments it tries the functions of `engine/`, `games/`, `play/` and `record/` that differ from main.
"""

import argparse
import random
import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

from tests.mutants.changes import KINDS, Mutant, Source
from tests.mutants.cover import digest
from tests.mutants.explained import find_stale, load
from tests.mutants.run import Campaign, run

ROOT = Path(__file__).resolve().parents[2]
CODE = tuple(f"firmware/cardtable/{room}" for room in ("engine", "games", "play", "record"))
TESTS = ("tests/engine", "tests/games", "tests/app")
# They play random games: what they find they find by luck, and they take two thirds of the time.
LUCKY = ("tests/games/test_every_game.py", "tests/games/test_many_games.py")
# What tests read beside their own file and what they import.
READ = (
    "firmware/**/*", "boards/*.py", "host_tools/**/*.py", "host_tools/**/*.txt", "docs/rules/**/*.md", "tests/*.py",
    *(f"tests/{room}/**/*" for room in ("engine", "games", "app", "micropython", "records")),
)
EXPLAINED = Path(__file__).with_name("explained.txt")


def ask(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n\n")[1])
    parser.add_argument("files", nargs="*", type=Path, help="files or folders to change, all of each")
    parser.add_argument("--all", action="store_true", help="change all four folders")
    parser.add_argument("--sample", type=int, metavar="N", help="try N of the mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones; 1 if it is not said")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only of this kind; may be said again")
    parser.add_argument("--function", default="*", help="only in functions of such a name: 'judge_*'")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time; 2 if it is not said")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    parser.add_argument("--tests", action="append", help="tests to run in place of the usual ones")
    parser.add_argument("--explained", type=Path, default=EXPLAINED, help="the file of explanations")
    parser.add_argument("--kept", type=Path, default=ROOT / "build" / "mutants", help="where the map of lines is kept")
    said = parser.parse_args(arguments)
    said.files = [path.resolve() for path in said.files]
    for path in said.files:
        if not path.exists():
            parser.error(f"there is no {path}")
    return said


def find_changed(base: str = "main") -> dict[str, set[int]]:
    """The lines of each file that differ from where this branch left `base`, as files lie now."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    try:
        since = git("merge-base", base, "HEAD").strip()
    except subprocess.CalledProcessError:
        since = "HEAD"
    lines: dict[str, set[int]] = {}
    path = ""
    for line in git("diff", "-U0", since, "--", *CODE).splitlines():
        if line.startswith("+++ b/"):
            path = line[6:]
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first = int(match[1])
            lines.setdefault(path, set()).update(range(first, first + max(1, int(match[2] or 1))))
    for path in git("ls-files", "--others", "--exclude-standard", "--", *CODE).split():
        lines[path] = set(range(1, len((ROOT / path).read_text(encoding="utf-8").splitlines()) + 1))
    return lines


def read_sources(named: list[Path]) -> list[Source]:
    """All files of the four folders, and what is named beside them."""
    places = [place for room in CODE for place in sorted((ROOT / room).glob("*.py"))]
    places += [place for place in named if place.suffix == ".py" and place not in places]
    return [
        Source(
            place.relative_to(ROOT).as_posix() if place.is_relative_to(ROOT) else place.name,
            str(place),
            place.read_text(encoding="utf-8"),
        )
        for place in places
    ]


def choose(said: argparse.Namespace, sources: list[Source]) -> list[Mutant]:
    """The mutants to try, in the order of the source."""
    pairs = [(source, mutant) for source in sources for mutant in source.mutants()]
    if said.files:
        pairs = [(s, m) for s, m in pairs if any(Path(s.place).is_relative_to(place) for place in said.files)]
    elif not said.all:
        changed = find_changed()
        pairs = [(s, m) for s, m in pairs if not changed.get(s.path, set()).isdisjoint(s.lines_of(m))]
    chosen = [
        mutant for _, mutant in pairs
        if fnmatchcase(mutant.function.split(".")[-1], said.function) and (not said.kind or mutant.kind in said.kind)
    ]
    if said.sample is not None and said.sample < len(chosen):
        numbers = sorted(random.Random(said.seed).sample(range(len(chosen)), said.sample))
        chosen = [chosen[number] for number in numbers]
    return chosen


def digest_all(sources: list[Source]) -> str:
    """Of all that tests read but test files."""
    read = {path for pattern in READ for path in ROOT.glob(pattern) if path.is_file() and path.suffix != ".pyc"}
    return digest(
        path for path in read | {Path(source.place) for source in sources} if not path.name.startswith("test_")
    )


def main(arguments: list[str]) -> int:
    said = ask(arguments)
    sources = read_sources(said.files)
    chosen = choose(said, sources)
    if said.list:
        print("\n".join(map(str, chosen)))
    if said.list or not chosen:
        print(f"{len(chosen)} mutants." if chosen else "Nothing is changed there: name files, or say --all.")
        return 0
    reasons = load(said.explained)
    stale = find_stale(reasons, [mutant for source in sources for mutant in source.mutants()])
    said.kept.mkdir(parents=True, exist_ok=True)
    campaign = Campaign(
        sources, chosen, reasons, said.kept, said.jobs, digest_all(sources), lambda line: print(line, flush=True)
    )
    tests = said.tests or ["-m", "not micropython", *TESTS, *(f"--ignore={name}" for name in LUCKY)]
    result = run(campaign, ["-c", str(ROOT / "pyproject.toml"), *tests])
    for path, function, before, after in stale:
        print(f"This explanation fits no mutant: {path} {function}: {before} -> {after}")
    return 1 if result.lived or result.wrong or stale else 0

