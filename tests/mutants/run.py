"""One mutation run: changes the source in forked processes, lets the tests that reach the line run, lists survivors."""

import gc
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FunctionType

import pytest

from tests.mutants.changes import Mutant, Source
from tests.mutants.cover import BROKEN, LEAST_S, PASSED, TIMES, Map, Runner, processor_s
from tests.mutants.explained import Key, key_of

NAMED = 4  # tests that are told of a survivor
EVERY = 50  # mutants between two lines of progress


@dataclass
class Result:
    """What a run found."""

    killed: list[tuple[Mutant, str]] = field(default_factory=list)  # and the test that did
    explained: list[Mutant] = field(default_factory=list)
    lived: list[tuple[Mutant, list[str]]] = field(default_factory=list)  # and the tests that reach it
    wrong: list[str] = field(default_factory=list)  # why the run says nothing

    def tell(self, say: Callable[[str], None], seconds: float) -> None:
        """The sum, after what was wrong."""
        for line in self.wrong:
            say(line)
        count = len(self.killed) + len(self.explained) + len(self.lived)
        share = f" ({100 * len(self.killed) / count:.1f} %)" if count else ""
        say(
            f"{count} mutants: {len(self.killed)} killed{share}, {len(self.explained)} explained, "
            f"{len(self.lived)} live unexplained; {seconds:.0f} s of processor time."
        )


class Campaign:
    """A plugin of pytest that takes the place of its loop: the tests are collected, and then run against mutants."""

    def __init__(self, sources: list[Source], chosen: list[Mutant], reasons: dict[Key, str], room: Path, jobs: int,
                 everything: str, say: Callable[[str], None]):
        """`sources`: of all files whose lines count; `chosen`: what to try; `everything`: see `Map`."""
        self.sources = {source.path: source for source in sources}
        self.chosen = chosen
        self.reasons = reasons
        self.jobs = jobs
        self.say = say
        self.runner = Runner(room)
        self.map = Map(room / "map.json", everything)
        self.result = Result()

    def pytest_configure(self, config):
        config.pluginmanager.register(self.runner)

    def pytest_runtestloop(self, session):
        if session.testsfailed:
            raise session.Interrupted(f"{session.testsfailed} test files cannot be collected")
        items = [item for item in session.items if not item.get_closest_marker("micropython")]
        places = {self.sources[path].place: path for path in {mutant.path for mutant in self.chosen}}
        failed = self.map.collect(self.runner, items, places, self.jobs, self.say)
        if failed:
            self.result.wrong += ["These tests fail without a mutant, so the run says nothing:"] + failed
            return True
        self.functions = find_functions(places)
        gc.collect()
        gc.freeze()  # forks share what lies here
        self.try_all({item.nodeid: item for item in items})
        return True

    def try_all(self, items: dict) -> None:
        """Every chosen mutant, `jobs` of them at a time."""
        reach = {path: self.map.turn_round(path) for path in {mutant.path for mutant in self.chosen}}
        waiting = {}
        done = 0
        for mutant in self.chosen + [None] * self.jobs:
            if mutant is not None:
                names = {
                    name
                    for line in range(mutant.line, mutant.last_line + 1)
                    for name in reach[mutant.path].get(line, ())
                }
                tests = sorted(names, key=self.map.cost)
                if not tests:
                    self.note(mutant, tests, PASSED, "")
                    continue
                waiting[self.runner.fork(self.attempt(mutant, [items[name] for name in tests]))] = mutant, tests
            if len(waiting) >= self.jobs or mutant is None and waiting:
                pid, ended, text = self.runner.wait()
                self.note(*waiting.pop(pid), ended, text)
                done += 1
                if done % EVERY == 0:
                    self.say(f"{done} of {len(self.chosen)} tried, {len(self.result.lived)} live")

    def attempt(self, mutant: Mutant, items: list) -> Callable[[Path], int]:
        """What a fork does: make the change, run the tests until one fails."""

        def work(notes: Path) -> int:
            put(self.sources[mutant.path], mutant, self.functions)
            for item in items:
                notes.write_text(json.dumps(item.nodeid), encoding="utf-8")
                if not self.runner.run(item, LEAST_S + TIMES * self.map.cost(item.nodeid)):
                    return 1
            return PASSED

        return work

    def note(self, mutant: Mutant, tests: list[str], ended: int, text: str) -> None:
        is_explained = key_of(mutant) in self.reasons
        killer = text.strip('"')
        if ended == BROKEN:
            self.result.wrong.append(f"{mutant}: could not be tried: {text.strip().splitlines()[-1]}")
        elif ended != PASSED:
            self.result.killed.append((mutant, killer))
            if is_explained:
                self.result.wrong.append(f"{mutant}: is explained, and {killer} kills it: take the explanation out")
        elif is_explained:
            self.result.explained.append(mutant)
        else:
            self.result.lived.append((mutant, tests))
            rest = f" and {len(tests) - NAMED} more" if len(tests) > NAMED else ""
            self.say(str(mutant))
            self.say("    no test reaches it" if not tests else "    lives through " + ", ".join(tests[:NAMED]) + rest)


def find_functions(places: dict[str, str]) -> dict[tuple[str, str], list[FunctionType]]:
    """All functions of these files that exist in this process, by place and qualified name."""
    functions: dict[tuple[str, str], list[FunctionType]] = {}
    gc.unfreeze()  # what tests/conftest.py put aside is not listed
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename in places:
            functions.setdefault((thing.__code__.co_filename, thing.__code__.co_qualname), []).append(thing)
    return functions


def put(source: Source, mutant: Mutant, functions: dict[tuple[str, str], list[FunctionType]]) -> None:
    """Change the source for this process: what is imported, and what will be."""
    there = functions.get((source.place, mutant.function), ())
    if there:
        code = source.compile_function(mutant.number)
        for function in there:
            function.__code__ = code
    usual = SourceFileLoader.get_code

    def get_code(loader, name):
        return source.compile(mutant.number) if loader.path == source.place else usual(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def run(campaign: Campaign, arguments: list[str]) -> Result:
    """Start pytest with its arguments, and let the campaign run in it."""
    begun = processor_s()
    ended = pytest.main(
        ["-q", "-s", "-p", "no:xdist", "--timeout=0", "--assert=plain", *arguments],
        plugins=[campaign],
    )
    if ended not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and not campaign.result.wrong:
        campaign.result.wrong.append(f"pytest ended with {ended}")
    spent = os.times()
    campaign.result.tell(campaign.say, processor_s() - begun + spent.children_user + spent.children_system)
    return campaign.result
