"""Python's WebAssembly in two halves: any choice of what comes first answers as the whole does."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from host_tools.look.published.first import HERE

pytestmark = pytest.mark.npm
PROBE = Path(__file__).with_name("split_probe.mjs")
FUNCTIONS = 10
STAYS = {6, 9}  # uses a segment of data; is shorter than a stub


@pytest.fixture(scope="module")
def told():
    done = subprocess.run(["node", PROBE, HERE], capture_output=True, text=True, encoding="utf-8")
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


def test_every_choice_of_functions_answers_as_the_whole_module(told):
    assert told["whole"][:4] == [7, 1, 1, 8] and told["again"] != told["whole"]  # a global counts on
    assert told["wrong"] == []


def test_the_later_half_is_brought_once_and_only_if_one_of_its_functions_is_called(told):
    everything = 2 ** FUNCTIONS
    assert told["spared"] == 2 ** len(STAYS)  # all that could go have stayed, whatever is told of the others
    assert told["hurried"] == everything - told["spared"]


def test_what_the_halves_have_for_each_other_is_hidden_from_the_loader(told):
    assert told["names"] == [f"f{number}" for number in range(1, FUNCTIONS + 1)]


def test_halves_of_two_splits_are_not_joined(told):
    """Each is asked for by the mark of its split, so that no other one comes out of a browser's cache."""
    assert told["mixed"] == "LinkError"
    assert len(told["marks"]) == 2 ** (FUNCTIONS - len(STAYS)) and {len(mark) for mark in told["marks"]} == {16}


def test_a_module_that_came_whole_is_left_alone(told):
    """From a browser's cache, of the site before: where games are only shown it ended the page."""
    assert told["old"] == told["whole"]


def test_a_watched_module_tells_which_functions_were_called(told):
    assert told["before"] == [] and told["after"] == [0, 1, 3]  # 4 calls 1 and 2 through a table


def test_what_calls_through_a_table_is_one_function_of_each_type(told):
    """Function 4 called two of one type by itself. The new one stands behind the others, whose indices stay."""
    assert told["shared"] == told["whole"]
    assert told["through"] == [0] * FUNCTIONS + [1]


# Of the site's Python: of each function that calls through the table of Python's own, the types that it calls.
THROUGH = f"""
const {{Module, skipLocals}} = await import("{HERE}/module.mjs");
const {{readIndices}} = await import("{HERE}/wasm.mjs");
""" + """
const {readFileSync} = await import("node:fs");
const play = process.argv[1];
const {decompress} = await import(`${play}/fzstd.js`);
const module = new Module(decompress(new Uint8Array(readFileSync(`${play}/python/pyodide.asm.bin`))));
const through = module.bodies.map((body) => {
  const types = [];
  readIndices(skipLocals(body), () => {}, (type, table) => { if (!table) types.push(type); });
  return types;
});
console.log(JSON.stringify(through.filter((types) => types.length)));
"""


def test_python_is_called_through_its_table_by_shared_functions_alone(site, tmp_path):
    """V8 guessed whom its eval loop would call, was wrong, and compiled it four to nine times until the first card."""
    play = tmp_path / "play"
    shutil.copytree(site / "play", play)
    (play / "package.json").write_text('{"type": "module"}')
    said = subprocess.run(["node", "--input-type=module", "-e", THROUGH, play], capture_output=True, text=True)
    assert not said.returncode, said.stderr
    through = json.loads(said.stdout)
    assert len(through) > 9 and all(len(types) == 1 for types in through)
    assert len({types[0] for types in through}) == len(through)
