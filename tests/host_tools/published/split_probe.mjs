// Splits a small module that has each kind of index in its functions, by every choice of them: node split_probe.mjs PUBLISHED
// Tells as JSON: what the whole module answers, what came of each choice, and what else is asked here.

import {copyFileSync, mkdtempSync} from "node:fs";
import {tmpdir} from "node:os";
import {pathToFileURL} from "node:url";

const home = process.argv[2];
const {counted, join, leb, named, readIndices, writeSections} = await import(pathToFileURL(`${home}/wasm.mjs`));
const {shareCalls} = await import(pathToFileURL(`${home}/calls.mjs`));
const {Module, skipLocals} = await import(pathToFileURL(`${home}/module.mjs`));
const {listCalled, split, watch} = await import(pathToFileURL(`${home}/split.mjs`));
const folder = mkdtempSync(`${tmpdir()}/split-`);
copyFileSync(`${home}/page/halves.js`, `${folder}/halves.mjs`);
const {Halves} = await import(pathToFileURL(`${folder}/halves.mjs`));

const I32 = 0x7f, I64 = 0x7e, F64 = 0x7c, END = 0x0b;
const get = (local) => [0x20, local], number = (value) => [0x41, value];
const long = Array(12).fill([number(0), 0x6a]); // adds nothing, twelve times: a stub is shorter than that
const body = (...code) => [0, ...code.flat(Infinity), END];
const BODIES = [ // index 0 is what is imported
  body(get(0), number(2), 0x6c, 0x23, 0, 0x6a, long), // 1: twice as much and the imported global
  body(get(0), number(2), 0x48, 0x04, I32, number(1), 0x05, get(0), get(0), number(1), 0x6b, 0x10, 2, 0x6c, END, long), // 2: factorial
  body(number(16), get(0), 0x36, 2, 0, number(16), 0x28, 2, 0, long), // 3: memory
  body(get(0), number(0), 0x11, 0, 0, get(0), number(1), 0x11, 0, 0, 0x6a, long), // 4: 1 and 2 through the table
  body(get(0), 0xb9, get(1), 0xa0, Array(12).fill([0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0xa0])), // 5: i64 and f64
  body(0x06, I32, get(0), 0x08, 0, 0x07, 0, number(10), 0x6a, END, long), // 6: throws and catches
  body(number(32), number(0), number(4), 0xfc, 8, 0, 0, number(32), 0x28, 2, 0, long), // 7: a segment of data
  body(0x23, 1, get(0), 0x6a, 0x24, 1, 0x23, 1, 0x10, 0, long), // 8: its own global, and what is imported
  body(number(0), 0xd2, 1, 0x26, 0, 0x02, 0x40, 0x02, 0x40, get(0), 0x0e, 1, 0, 1, END, number(7), 0x0f, END, number(9), long), // 9
  body(get(0), 0x0f), // 10: short
];
const TYPES = [0, 0, 0, 0, 2, 0, 0, 0, 0, 0];
const WHOLE = writeSections([
  [1, counted([[0x60, 1, I32, 1, I32], [0x60, 1, I32, 0], [0x60, 2, I64, F64, 1, F64]])],
  [2, counted([[named("a"), named("note"), 0, 0], [named("a"), named("base"), 3, I32, 0]])],
  [3, counted(TYPES.map((type) => [type]))],
  [4, counted([[0x70, 0, 2]])],
  [5, counted([[0, 1]])],
  [13, counted([[0, 1]])],
  [6, counted([[I32, 1, number(3), END]])],
  [7, counted(BODIES.map((_, at) => [named(`f${at + 1}`), 0, at + 1]))],
  [9, counted([[0, number(0), END, counted([[1], [2]])]])],
  [12, leb(1)],
  [10, counted(BODIES.map((one) => [leb(one.length), one]))],
  [11, counted([[1, counted([[1], [2], [3], [4]])]])],
]);

const imports = {a: {note: (value) => value + 1, base: 5}};
function play(exports) {
  const said = [];
  for (let turn = 1; turn < 4; turn++) {
    for (let at = 1; at <= BODIES.length; at++) said.push(at === 5 ? exports.f5(BigInt(turn), turn / 2) : exports[`f${at}`](turn));
  }
  return said;
}

const plain = (await WebAssembly.instantiate(WHOLE, imports)).instance.exports;
const told = {whole: play(plain), again: play(plain), wrong: [], hurried: 0, spared: 0, names: []};
const SHARED = shareCalls(WHOLE);
told.shared = play((await WebAssembly.instantiate(SHARED, imports)).instance.exports);
told.through = new Module(SHARED).bodies.map((one) => {
  let calls = 0;
  readIndices(skipLocals(one), () => {}, () => { calls++; });
  return calls;
});
const marks = new Set();
for (let choice = 0; choice < 2 ** BODIES.length; choice++) {
  const stay = BODIES.map((_, at) => at).filter((at) => choice & (2 ** at));
  const made = split(SHARED, stay); // as the site has it
  let brought = 0;
  const halves = new Halves(() => { brought++; return made.later; });
  const {exports} = (await WebAssembly.instantiate(made.first, imports)).instance;
  if (JSON.stringify(play(exports)) !== JSON.stringify(told.whole) || brought > 1) told.wrong.push(stay);
  told[brought ? "hurried" : "spared"]++;
  await halves.join(brought ? Uint8Array.of() : made.later); // no bytes: it is whole already, and nothing is compiled
  if (JSON.stringify(play(exports)) !== JSON.stringify(told.again)) told.wrong.push(stay);
  if (!choice) told.names = Object.keys(exports);
  marks.add(halves.mark);
}
told.marks = [...marks];

const one = (await WebAssembly.instantiate(split(WHOLE, [0]).first, imports)).instance.exports;
const other = new WebAssembly.Module(split(WHOLE, [1]).later);
try {
  new WebAssembly.Instance(other, {"": one});
} catch (wrong) {
  told.mixed = wrong.constructor.name;
}
const watched = (await WebAssembly.instantiate(watch(WHOLE), imports)).instance.exports;
told.before = listCalled(watched);
watched.f4(2);
told.after = listCalled(watched);
const old = new Halves(() => { throw new Error("it is whole"); });
told.old = play((await WebAssembly.instantiate(WHOLE, imports)).instance.exports);
await old.join(split(WHOLE, [0]).later);
console.log(JSON.stringify(told));
