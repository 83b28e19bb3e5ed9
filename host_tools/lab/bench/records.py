"""Measures `cardtable replay` from a thousand events to a million, and the files in which records can lie.

    python -m host_tools.lab.bench.records kinds          # what each kind of file costs, with 100,000 events
    python -m host_tools.lab.bench.records 1000 1000000   # so many events on one core, on all, on a cluster
    python -m host_tools.lab.bench.records factor         # how much longer than the engine alone, on one core
    python -m host_tools.lab.bench.records new            # the same on random games, new ones in every round
    python -m host_tools.lab.bench.records fresh 771123   # the same on new games of any options, made from that seed

Each figure is a command of its own, with its start; CPU time is that of all its processes.
"""

import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.project import ROOT
from host_tools.judge.replay.sources import Found, find_records, pack

LOOPBACK = "127.0.0.1:0"  # where a cluster's page would listen: None is every network
FACTORS = "| game | first round | later ones |"
CURVE = "| events | one core: CPU, s | clock, s | all cores: CPU, s | clock, s | Dask: clock, s | load |"
KINDS = (".tar", ".tar.gz", ".tar.zst", ".zip", ".sqlite")


def count_events(record: bytes) -> int:
    """Lines behind the header that are events."""
    return sum(1 for line in record.partition(b"\n\n")[2].split(b"\n") if line[:1].isdigit())


def repeat(events: int) -> Iterator[Found]:
    """The project's records again and again, under other names, until they have so many events."""
    every = [foreign.read_bytes(found.path) for found in find_records([str(ROOT / "tests" / "records")])]
    left = events
    for number in itertools.count():
        if left <= 0:
            return
        record = every[number % len(every)]
        yield Found(f"{number // 1000:04}/{number:06}.rec", "", record)
        left -= count_events(record)


def time_replay(*arguments: str) -> tuple[float, float]:
    """Seconds of the clock and of processors that `cardtable replay -q` takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun_s = time.monotonic()
    subprocess.run([sys.executable, "-m", "host_tools.cli", "replay", "-q", *arguments], check=True,
                   stdout=subprocess.DEVNULL, cwd=ROOT)
    wall_s = time.monotonic() - begun_s
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lay_out(folder: Path, found: Iterator[Found]) -> None:
    """The records as files of a folder."""
    for one in found:
        path = folder / one.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.record or b"")


def measure_kinds(folder: Path, events: int, repeats: int = 1) -> list[str]:
    """A row for each kind of file: its size, and what the replay of it costs on one core."""
    lay_out(folder / "files", repeat(events))
    size = sum(path.stat().st_size for path in (folder / "files").rglob("*.rec"))
    rows = []
    for kind in ("files", *KINDS):
        path = folder / "files"
        if kind != "files":
            path = folder / f"some{kind}"
            pack(path, repeat(events))
            size = path.stat().st_size
        wall_s, cpu_s = min(time_replay("--jobs", "1", str(path)) for _ in range(repeats))
        rows.append(f"| {kind} | {size / 1e6:.2f} | {cpu_s:.2f} | {wall_s:.2f} |")
    return rows


def measure_curve(folder: Path, sizes: Sequence[int], address: str) -> list[str]:
    """A row for each number of events: seconds of CPU and of the clock on one core, the same on all cores, and seconds
    of the clock for a cluster on this machine; at last the load."""
    rows = []
    for size in sizes:
        path = folder / f"{size}.sqlite"
        pack(path, repeat(size))
        one_s, cpu_s = time_replay("--jobs", "1", str(path))
        all_s, all_cpu_s = time_replay(str(path))
        far_s, _ = time_replay("--cluster", address, str(path))
        rows.append(f"| {size:,} | {cpu_s:.2f} | {one_s:.2f} | {all_cpu_s:.2f} | {all_s:.2f} | {far_s:.2f} "
                    f"| {os.getloadavg()[0]:.0f} |")
        path.unlink()
    return rows


def measure_factor(rounds: int = 100, records: Path | None = ROOT / "tests" / "records") -> list[str]:
    """A row for each game: how much longer the command takes than the engine alone, in turns, time of the processor:
    in the first round, and the median of the others. records: as `peers.ours_known` takes it."""
    from host_tools.base import on_host

    on_host.prepare()
    from host_tools.lab.bench import peers

    found = {one.name: one for one in peers.ours_known(records, itertools.count())}
    for number in range(rounds):  # who comes second finds the events in the processor's cache
        for one in list(found.values())[:: -1 if number % 2 else 1]:
            one.turn()
    rows = []
    for name, one in found.items():
        game, is_engine, _ = name.partition(", engine")
        if is_engine:
            command = found[f"{game}, `cardtable replay`"]
            first, *later = (a / b for a, b in zip(one.rates, command.rates, strict=True))
            rows.append(f"| {game.removeprefix('ours: ')} | {first:.2f} | {statistics.median(later):.2f} |")
    return rows


def measure_fresh(seed: int, games: int = 25, rounds: int = 60) -> list[str]:
    """The same on so many new games of each game, with options, people's times and refused plays drawn from a seed."""
    with tempfile.TemporaryDirectory() as name:
        for game in ("durak", "cals-bs", "bailiff", "malice"):
            subprocess.run([sys.executable, "-m", "host_tools.cli", "generate", "--game", game, "--count", str(games),
                            "--seed", str(seed), "--to", str(Path(name, game))],
                           check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
        return measure_factor(rounds, Path(name))


def main() -> None:
    """Print a table."""
    match sys.argv[1:]:
        case ["factor"]:
            tell(FACTORS, measure_factor())
        case ["new"]:
            tell(FACTORS, measure_factor(40, None))
        case ["fresh", seed] if seed.isdecimal():
            tell(FACTORS, measure_fresh(int(seed)))
        case ["kinds"]:
            with tempfile.TemporaryDirectory() as name:
                tell("| file | MB | CPU, s | clock, s |", measure_kinds(Path(name), 100_000, 3))
        case [_, *_] as sizes if all(map(str.isdecimal, sizes)):
            from distributed import LocalCluster

            cores = os.cpu_count() or 1
            with (tempfile.TemporaryDirectory() as name,
                  LocalCluster(cores, threads_per_worker=1, dashboard_address=LOOPBACK, host="127.0.0.1") as cluster):
                tell(CURVE, measure_curve(Path(name), list(map(int, sizes)), cluster.scheduler_address))
        case _:
            foreign.say_lines(__doc__ or "", err=True)
            sys.exit(2)


def tell(head: str, rows: list[str]) -> None:
    """Say the rows under their heading."""
    for line in (head, "|" + " --- |" * (head.count("|") - 1), *rows):
        foreign.say(line)


if __name__ == "__main__":
    main()
