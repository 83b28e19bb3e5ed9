"""What the tests cost: processor seconds of each test and of the whole run, told before and after.

A test's seconds are those of its process and of the programs that it has started and seen end; a program that serves a
whole file counts for the file's last test. They go to `build/test-costs.json`, from which the next run knows how long
it will take; `python -m tests.cost` shows the dearest. Where the engine runs from source everything of this has figures
of its own.
"""

import json
import resource
import sys
import time
from pathlib import Path

import pytest

from host_tools.base import on_host
from host_tools.base.fast.sources import is_compiled
from host_tools.base.workers.pool import count_cores

on_host.prepare()  # `python -m tests.cost` has no conftest that did
COMPILED = is_compiled()
COSTS = Path(__file__).resolve().parents[1] / "build" / ("test-costs.json" if COMPILED else "test-costs-source.json")
# Of the last whole `make test` that somebody wrote down, in docs/benchmarks.md as well: the processor seconds, how many
# milliseconds `calibrate` took there, and the seconds of the dearest files, which begin first in a fresh clone; "rest"
# are those of the last whole `make test SET=rest`, "source" holds the same of runs from source.
KEPT = Path(__file__).with_name("kept_cost.json")
PAGE = KEPT.parents[1] / "docs" / "benchmarks.md"
# The same of the last whole runs here.
WHOLE = COSTS.with_name("test-whole.json" if COMPILED else "test-whole-source.json")
MORE = 1.03  # of it must be accounted for
DEAREST = 20
FILES = 60  # whose seconds are kept
UNSEEN = 2  # times what is counted for a browser's test is what it takes: Linux does not count the processes that draw
# What a test of a set costs on average where none has been measured yet, in turns of `calibrate`, whatever the machine.
USUAL_TURNS = {"day": 16.0, "rest": 170.0, "all": 22.0, "load": 40.0}
FROM_SOURCE = 1.3  # times that: the tests of a day took 1,594 s where compiled they took 1,209
_TURN = 200_000
_key = pytest.StashKey["Costs"]()
_begun = pytest.StashKey[float]()


def processor_s() -> float:
    """Of this process, and of those that it has started and seen end."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def calibrate() -> float:
    """The processor seconds of a fixed loop: the quickest of five."""
    times = []
    for _ in range(5):
        begun = time.process_time()
        number = 0
        for turn in range(_TURN):
            number = (number * 31 + turn) & 0xFFFF
        times.append(time.process_time() - begun)
    return min(times)


def weigh(whole_s: float) -> str:
    """What a whole run says of its processor seconds beside those that are kept, for the speed of this machine."""
    kept = read_kept(COMPILED)
    if not COMPILED and "source" not in kept:
        return "No whole run from source has been written down to compare it with."
    usual_s = kept["processor_s"] * 1000 * calibrate() / kept["loop_ms"]
    share = 100 * (whole_s / usual_s - 1)
    if whole_s <= MORE * usual_s:
        return f"{usual_s:.0f} s were to be expected here ({share:+.0f} %)."
    return (
        f"{usual_s:.0f} s were to be expected here: these are {share:.0f} % more. Make the new tests cheaper, or "
        "say in the message why it has to be, and keep the new figure: python -m tests.cost --keep."
    )


def read_kept(compiled: bool) -> dict:
    """The figures that are kept of compiled runs, or of those from source: where these lack one, that of the others."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    return kept if compiled else kept | kept.get("source", {})


def keep(compiled: bool = COMPILED) -> str:
    """Write the sum of the last whole run here down, that of a compiled one in both places; what was done, in a
    sentence."""
    whole = read_whole()
    try:
        told = f"{whole['processor_s']:,} s"
    except (KeyError, TypeError, ValueError):
        return "No whole run has ended here: run make test first."
    kept = read_kept(compiled=True)
    if compiled:
        old, page = f"holds the {kept['processor_s']:,} s", PAGE.read_text(encoding="utf-8")
        if page.count(old) != 1:
            return f"{PAGE.name} does not say once that {KEPT.name} {old}: mend it first."
        PAGE.write_text(page.replace(old, f"holds the {told}"), encoding="utf-8")
    kept |= whole if compiled else {"source": kept.get("source", {}) | whole}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return f"{told} are kept in {KEPT.name}{f' and {PAGE.name}' if compiled else ' as those from source'}."


def read_whole() -> dict:
    """What whole runs here have written down; nothing where none has ended, or the file is damaged."""
    try:
        whole = json.loads(WHOLE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return whole if isinstance(whole, dict) else {}


def find_whole(config) -> str:
    """The set of which every test runs, "day" or "rest"; nothing for parts, and for other sets."""
    chosen = config.getoption("chosen_set")
    if config.option.keyword or config.option.markexpr or config.getoption("lf", False):
        return ""
    return chosen if config.args_source is config.ArgsSource.TESTPATHS and chosen in ("day", "rest") else ""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Where several processes take file after file, the dear ones come first, so that none is left alone with one at
    the end: those that took the longest last time, here or in the run that is kept.
    """
    if not hasattr(config, "workerinput"):
        return
    costs = read_costs()
    known: dict[str, float] = {}
    drawn = set()
    for item in items:
        file = find_file(item.nodeid)
        known[file] = known.get(file, 0.0) + costs.get(item.nodeid, 0.0)
        if item.get_closest_marker("browser"):
            drawn.add(file)
    kept = read_kept(COMPILED)["rest" if config.getoption("chosen_set") == "rest" else "files"]
    dear = {file: (cost or kept.get(file, 0.0)) * (UNSEEN if file in drawn else 1) for file, cost in known.items()}
    items.sort(key=lambda item: (-dear[find_file(item.nodeid)], find_file(item.nodeid)))


class Costs:
    """Of one run."""

    def __init__(self) -> None:
        self.of_tests: dict[str, float] = {}
        self.of_workers = 0.0
        self.count = 0  # of the tests that are to run
        self.is_told = False


def pytest_configure(config):
    config.stash[_key] = Costs()


def read_costs() -> dict[str, float]:
    """What each test cost when it last ran; nothing where none has, or the file is damaged."""
    try:
        costs = json.loads(COSTS.read_text(encoding="utf-8"))
        return {name: float(cost) for name, cost in costs.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def find_file(name: str) -> str:
    """The file that a test's name begins with."""
    return name.partition("::")[0]


def sum_files(costs: dict[str, float]) -> dict[str, float]:
    """The seconds of the dearest files, the dearest first."""
    files: dict[str, float] = {}
    for name, cost in costs.items():
        files[find_file(name)] = files.get(find_file(name), 0.0) + cost
    dearest = sorted(files.items(), key=lambda one: -one[1])[:FILES]
    return {file: round(cost, 1) for file, cost in dearest}


def foretell(names: list[str], workers: int, chosen: str) -> str:
    """How many tests of that set there are, and about how long they take on this machine when nothing else runs."""
    known = read_costs()
    usual = calibrate() * USUAL_TURNS[chosen] * (1.0 if COMPILED else FROM_SOURCE)
    seconds = sum(known.get(name, usual) for name in names)
    minutes = seconds / max(1, min(workers, count_cores())) / 60
    spelled = f"{minutes:.0f} minutes" if minutes >= 1.5 else "a minute" if minutes > 0.5 else "half a minute or less"
    return f"{len(names)} tests; about {spelled} on this machine ({seconds:.0f} s of its processors)."


def tell(config, names: list[str], workers: int) -> None:
    costs = config.stash[_key]
    costs.count = len(names)
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not costs.is_told and len(names) > DEAREST:
        costs.is_told = True
        reporter.write_line(foretell(names, workers, config.getoption("chosen_set")))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node, ids):
    tell(node.config, ids, len(node.config.option.tx or ()))


def pytest_collection_finish(session):
    if not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        tell(session.config, [item.nodeid for item in session.items], 1)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """From before the set-up on; the report of the teardown carries the seconds to the process that prints."""
    item.stash[_begun] = processor_s()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "teardown":
        report.processor_s = round(processor_s() - item.stash[_begun], 4)
    return report


class Keeper:
    """Of the process that prints: what reports bring."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs

    def pytest_runtest_logreport(self, report):
        if report.when == "teardown":
            seconds = getattr(report, "processor_s", 0.0)
            self.costs.of_tests[report.nodeid] = self.costs.of_tests.get(report.nodeid, 0.0) + seconds


def pytest_sessionstart(session):
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(Keeper(session.config.stash[_key]))


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["processor_s"] = processor_s()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[_key].of_workers += getattr(node, "workeroutput", {}).get("processor_s", 0.0)


def pytest_terminal_summary(terminalreporter, config):
    costs = config.stash[_key]
    if not costs.of_tests:
        return
    try:
        COSTS.parent.mkdir(exist_ok=True)
        COSTS.write_text(json.dumps(read_costs() | costs.of_tests), encoding="utf-8")
    except OSError as error:
        terminalreporter.write_line(f"{COSTS.name} was not written: {error.strerror}.")
    if len(costs.of_tests) > DEAREST:
        own = resource.getrusage(resource.RUSAGE_SELF) if costs.of_workers else None
        whole = costs.of_workers + own.ru_utime + own.ru_stime if own else processor_s()
        terminalreporter.write_line(
            f"{whole:.0f} s of processor time, {sum(costs.of_tests.values()):.0f} of them in {len(costs.of_tests)} "
            "tests; python -m tests.cost shows the dearest."
        )
        of = find_whole(config) if len(costs.of_tests) == costs.count else ""  # else it was cut off
        files = sum_files(costs.of_tests)
        if of == "day":
            terminalreporter.write_line(weigh(whole))
            sums = {"processor_s": round(whole), "loop_ms": round(1000 * calibrate(), 1), "files": files}
            WHOLE.write_text(json.dumps(read_whole() | sums))
        elif of:
            WHOLE.write_text(json.dumps(read_whole() | {of: files}))


def show(count: int = DEAREST) -> None:
    """Print the dearest functions of the last runs, their parameters added up, and their share."""
    families: dict[str, list[float]] = {}
    for name, cost in read_costs().items():
        families.setdefault(name.partition("[")[0], []).append(cost)
    whole = sum(map(sum, families.values()))
    print(f"{whole:8.1f} s  {sum(map(len, families.values())):5} tests, in all")
    for name, costs in sorted(families.items(), key=lambda family: -sum(family[1]))[:count]:
        print(f"{sum(costs):8.1f} s  {len(costs):5} times  {100 * sum(costs) / whole:4.1f} %  {name}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--keep"]:
        print(keep())
    else:
        show(int(sys.argv[1]) if len(sys.argv) > 1 else DEAREST)
