// What a visitor's first games need: node first.mjs PYODIDE WORK; WORK has library.zip, program.bin, and of the page packed.mjs and startup.mjs.
// Into WORK go told.json with `files`, the paths of all files that first_games.py opens, and `lobby`, what the table says
// first; and the halves of Python's WebAssembly, first.wasm with the functions that were called, and later.wasm.

import crypto from "node:crypto";
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";
import {gunzipSync} from "node:zlib";
import {shareCalls} from "./calls.mjs";
import {listCalled, OURS, split, watch} from "./split.mjs";

const TURNS = 100; // of a table that waits for its visitor
const BEGUN_MS = Date.UTC(2026, 0);
const LOOKS = 10; // at the clock, in each of its milliseconds
const [home, work] = process.argv.slice(2);
const {loadPyodide} = await import(pathToFileURL(`${home}/pyodide.mjs`));
const {unpack} = await import(pathToFileURL(`${work}/packed.mjs`));
const {FILES, STARTUP} = await import(pathToFileURL(`${work}/startup.mjs`));
process.argv[1] = "./this.program"; // as in a browser, where Python looks for the folder that it was started in
const asked = new Uint8Array(readFileSync(`${home}/pyodide.asm.wasm`));
const whole = shareCalls(asked);

// A clock and random numbers that are the same each time. By those of this computer Python would tidy up its memory at other moments, and
// ask other objects what they hold, each kind by a function of its own.
let looks = 0;
let drawn = 0;
performance.now = () => ++looks / LOOKS;
Date.now = () => BEGUN_MS + Math.floor(performance.now());
crypto.randomFillSync = (view) => {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  bytes.forEach((_, at) => {
    drawn = (drawn * 48271 + 11) % 0x7fffffff;
    bytes[at] = drawn >> 8;
  });
  return view;
};

let watched = null; // what the watched module exports
const real = WebAssembly.instantiate;
WebAssembly.instantiate = async (source, imports) => {
  if (source.byteLength !== asked.byteLength) return real(source, imports);
  const {module, instance} = await real(watch(whole), imports);
  watched = instance.exports;
  return {module, instance: {exports: Object.fromEntries(Object.entries(watched).filter(([name]) => !name.startsWith(OURS)))}};
};

const python = await loadPyodide({indexURL: `${home}/`, stdLibURL: `${work}/library.zip`, packages: [], fullStdLib: false, env: {HOME: "/home", TZ: "UTC", PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1"}});
unpack(new Uint8Array(gunzipSync(readFileSync(`${work}/program.bin`))), python.FS, FILES);
python.FS.writeFile(`${FILES}/later.txt`, ""); // here everything has come
python.runPython(`
import sys
files = {}
sys.addaudithook(lambda event, facts: files.setdefault(str(facts[0])) if event == "open" else None)
`);
python.globals.set("bring_later", () => {});
python.runPython(STARTUP);
const told = python.runPython(`
from host_tools.look.published.first_games import Visitor, play_all
lobby = play_all()
import json
files.update((str(getattr(module, "__file__", "")), None) for module in list(sys.modules.values()))
json.dumps({"files": sorted(files), "lobby": json.loads(lobby)})
`);

// The same from JavaScript, as worker.js does it: what goes from one language to the other has functions of its own.
for (const language of Object.keys(JSON.parse(told).lobby)) {
  const visitor = python.globals.get("Visitor")(`/kept/${language}`, language, (text) => text.length);
  visitor.counter.hear('{"type": "choices"}');
  for (let turn = 0; turn < TURNS; turn++) if (visitor.counter.live() === Infinity) break;
  visitor.worker.answer(`records?language=${language}`);
  visitor.worker.bring("none.rec", python.toPy(new Uint8Array(1)));
  // And on a line that is gone now: no file that is opened here goes first, but a game calls no function that follows.
  visitor.play_on(() => { throw new Error("there is no line"); });
}

const halves = split(whole, listCalled(watched));
writeFileSync(`${work}/first.wasm`, halves.first);
writeFileSync(`${work}/later.wasm`, halves.later);
writeFileSync(`${work}/told.json`, told);
process.exit(0);
