"""How the worker of the site's table brings Python, in node, beside stand-ins for what a browser has."""

import pytest

from host_tools.look.published.first import HERE

pytestmark = pytest.mark.npm


def test_an_older_python_in_a_browsers_cache_is_not_taken_unasked(modules):
    """Its halves would not fit: the site was made again since, and no service worker keeps the files of one version."""
    told = modules.run("""
const asked = [];
globalThis.fetch = (address, more) => {
  asked.push([address, more.cache]);
  return new Promise(() => {}); // its answer is under way
};
const {fetchPython} = await import("./packed.js");
fetchPython("python", () => {});
await new Promise((done) => setImmediate(done));
tell(asked);
""")
    assert told == [[["python/pyodide.asm.bin", "no-cache"]]]


def test_the_line_is_not_idle_between_two_parts(modules):
    """Each is asked for when nearly all of the one before has come: a tenth of a second went until it began."""
    told = modules.run("""
import {writeFileSync} from "node:fs";
writeFileSync("fzstd.js", "export class Decompress { push() {} }");
const asked = [];
let give = null;
const body = new ReadableStream({start: (out) => { give = (count) => out.enqueue(new Uint8Array(count)); }});
globalThis.fetch = async (address) => {
  asked.push(address);
  return new Response(body, {headers: {"Content-Length": "100"}});
};
const {fetchPython} = await import("./packed.js");
const shares = [];
fetchPython("python", (name, share) => shares.push([share, asked.length]));
fetch("pyodide.asm.wasm").then((answer) => answer.arrayBuffer()); // as Python's loader does
for (const count of [50, 38, 3]) {
  const had = shares.length;
  await until(() => give);
  give(count);
  await until(() => shares.length > had);
}
await until(() => asked.length > 1);
tell(shares);
process.exit(0);
""")
    assert told == [[[0.5, 1], [0.88, 1], [0.91, 1]]]


WORKER = """
import {mkdirSync, writeFileSync} from "node:fs";
import {gzipSync} from "node:zlib";
mkdirSync("python", {recursive: true});
writeFileSync("python/pyodide.mjs", `export async function loadPyodide() {
  for (const name of ["pyodide.asm.wasm", "library.zip"]) await (await fetch(name)).arrayBuffer();
  await globalThis.instantiate?.();
  return globalThis.python;
}`);
writeFileSync("fzstd.js", `export const decompress = (bytes) => bytes;
  export class Decompress { constructor(give) { this.push = (chunk) => give(chunk); } }`);
const none = () => {};
const globals = {set: none, get: () => () => ({counter: {live: () => Infinity}})};
globalThis.python = {FS: {mkdirTree: none, writeFile: none}, runPython: none, globals};
URL.createObjectURL = () => "data:text/javascript,export default 1";
const asked = [], said = [], timers = [];
let isAway = true;
globalThis.fetch = async (address) => {
  const name = address.split("/").pop().split("?")[0];
  asked.push(name);
  if (name === "pyodide.later.bin" && isAway) return new Response("", {status: 503});
  return new Response(name === "later.bin" ? gzipSync("[]\\n") : "[]\\n");
};
globalThis.setTimeout = (act, ms) => timers.push([ms, act]);
globalThis.postMessage = ({told}) => said.push(told);
globalThis.onmessage = null;
const all = () => [asked, said, timers.map(([ms]) => ms)];
const pass = async (wanted) => {
  await until(() => timers.some(([ms]) => ms === wanted), all);
  timers.splice(timers.findIndex(([ms]) => ms === wanted), 1)[0][1]();
};
await import("./worker.js");
onmessage({data: {do: "start", seed: "1", language: "en", plays: true}});
"""


def test_what_did_not_come_behind_the_first_card_is_asked_for_until_it_does(modules):
    """A phone whose line is gone for a moment plays on, until the first function that is in the later half."""
    told = modules.run(WORKER + """
await pass(2000);
await until(() => said.includes("settled"), all);
const later = () => asked.filter((name) => name.includes("later"));
tell(later());
await pass(10000);
await pass(10000);
isAway = false;
await pass(10000);
await until(() => later().includes("later.bin"), all);
tell(later());
process.exit(0);
""")
    half = "pyodide.later.bin"
    assert told == [[half], [half] * 4 + ["later.bin"]]


PIECES = """
let now = 0;
performance.now = () => now;
""" + WORKER.replace("await import", """
const pieces = new Map([["pyodide.asm.bin", 100], ["library.bin", 3], ["program.bin", 3]]);
const giveOut = (left) => new ReadableStream({
  pull(out) {
    now += 10;
    left-- ? out.enqueue(Uint8Array.of(91)) : out.close();
  },
}, {highWaterMark: 0});
const plain = globalThis.fetch;
globalThis.fetch = async (address) => {
  const count = pieces.get(address.split("/").pop());
  return count ? new Response(giveOut(count), {headers: {"Content-Length": String(count)}}) : plain(address);
};
globalThis.postMessage = ({told, percent}) => said.push(percent ?? told);
await import""", 1)


def test_the_page_hears_five_times_a_second_how_much_has_come(modules):
    """It heard of each piece, some hundred times before a first card, and drew itself again each time."""
    told = modules.run(PIECES + """
await until(() => now > 1060, all);
tell(said.filter((one) => one < 100));
process.exit(0);
""")
    [percents] = told
    assert len(percents) == 6 and percents == sorted({*percents}), "in the first second and a bit"


def test_the_page_hears_that_all_has_come_and_then_that_the_table_starts(modules):
    """The last percent came too soon behind the one before it, and so the table stood at it while it started."""
    told = modules.run(PIECES + """
await until(() => said.includes("starting") && said.includes(100), all);
tell(said.filter((one) => one === "starting" || one > 80));
process.exit(0);
""")
    assert told == [[100, "starting"]]


# A Python of one function, which is in the later half; `tries` in vain before it comes.
SPLIT = f"""
const {{counted, leb, writeSections}} = await import("file://{HERE}/wasm.mjs");
const {{split}} = await import("file://{HERE}/split.mjs");
""" + """
const body = [0, 0x41, 7, ...Array(12).fill([0x41, 0, 0x6a]).flat(), 0x0b]; // 7, and twelve times 0: longer than a stub
const {first, later} = split(writeSections([
  [1, counted([[0x60, 0, 1, 0x7f]])], [3, counted([[0]])], [4, counted([])], [5, counted([[0, 1]])], [6, counted([])],
  [7, counted([[1, 0x66, 0, 0]])], [10, counted([[leb(body.length), body]])],
]), []);
let tries = 7;
const stood = [], lines = [], heard = [];
globalThis.instantiate = async () => {
  const {instance} = await WebAssembly.instantiate(first, {});
  python.globals.get = () => () => ({counter: {live: () => Infinity, hear: () => heard.push(instance.exports.f())}});
};
const waited = [];
let why = () => new Error("there is no line");
globalThis.XMLHttpRequest = class {
  open() {}
  send() {
    waited.push(this.timeout);
    if (tries) {
      tries -= 1;
      throw why();
    }
    Object.assign(this, {status: 200, response: later});
  }
};
Atomics.wait = (words, at, value, ms) => stood.push(ms);
""" + WORKER + """
await pass(2000);
await until(() => said.includes("settled"), all);
globalThis.postMessage = ({told, isGone}) => lines.push([told, isGone]);
"""


@pytest.mark.parametrize("shares", [True, False])
def test_a_call_into_a_half_that_cannot_come_yet_waits_for_the_line(modules, shares):
    """It ended the table. Python stands in the call, so the worker sleeps; where it cannot, it looks at the clock."""
    told = modules.run(SPLIT + ("" if shares else """
let now = 0;
WebAssembly.Memory = class { constructor() { throw new TypeError("not shared"); } };
performance.now = () => (now += 1000);
""") + """
onmessage({data: {do: "hear", text: "{}"}});
onmessage({data: {do: "hear", text: "{}"}});
tell([heard, lines, stood]);
process.exit(0);
""")
    assert told == [[[7, 7], [["line", True], ["line", False]], [2000, 2000] if shares else []]]


def test_a_line_that_swallows_what_a_call_needs_is_asked_again_and_waited_for_longer(modules):
    """It gives no error, and held the table for ever. A slow line brings all of it in some minutes."""
    told = modules.run(SPLIT + """
why = () => new DOMException("nothing came", "TimeoutError");
onmessage({data: {do: "hear", text: "{}"}});
tell([heard, lines, stood.length, waited]);
process.exit(0);
""")
    seconds = [30, 60, 120, 240, 480, 480, 480, 480]
    assert told == [[[7], [["line", True], ["line", False]], 7, [1000 * one for one in seconds]]]


SWALLOWED = """
const timers = new Map();
let count = 0;
globalThis.setTimeout = (act, ms) => timers.set(count += 1, [ms, act]) && count;
globalThis.clearTimeout = (number) => timers.delete(number);
const due = () => [...timers.values()].map(([ms]) => ms);
const pass = () => {
  const [[number, [, act]]] = timers;
  timers.delete(number);
  act();
};
const turn = () => new Promise((done) => setImmediate(done));
"""


def test_a_part_of_which_nothing_comes_any_more_is_given_up_and_one_that_comes_slowly_is_not(modules):
    told = modules.run(SWALLOWED + """
let out = null;
globalThis.fetch = (address, {signal}) => Promise.resolve(new Response(new ReadableStream({
  start(one) {
    out = one;
    signal.addEventListener("abort", () => one.error(signal.reason));
  },
})));
const {fetchPacked} = await import("./packed.js");
let end = "";
fetchPacked("later.bin", () => {}, (body) => body).catch((wrong) => { end = wrong.message; });
await turn();
pass(); // what had come while the thread was busy may still be told
out.enqueue(Uint8Array.of(1));
for (let left = 9; left; left -= 1) await turn();
tell(due());
pass();
tell(due());
pass();
for (let left = 9; left; left -= 1) await turn();
tell([end, due()]);
process.exit(0);
""")
    assert told == [[30_000], [3000], ["later.bin: nothing comes", []]]
