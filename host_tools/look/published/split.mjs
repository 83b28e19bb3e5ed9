// Splits a WebAssembly module in two: the functions that are called soon, and all others, which follow.
//
// In the first module each function that follows is a stub: it calls `need`, and then, through a table of their own, the
// function itself. Until the second module is there `need` calls place 0 of that table, where page/halves.js has put what
// brings it. So no choice of functions is wrong: of one that is called sooner than thought the caller waits a little.
// All indices of the first module are those of the original, so its tables, data and exports stay as they are.

import {createHash} from "node:crypto";
import {Module, skipLocals} from "./module.mjs";
import {
  FUNCTION, TABLE, MEMORY, GLOBAL, TAG, SEGMENT, SECTION, CONST, CALL, INDIRECT, LOCAL, FUNCREF, FUNCTION_TYPE, I32, END, VOID, NO_LOCALS,
  Reader, counted, join, leb, named, readIndices, writeSections,
} from "./wasm.mjs";

export const OURS = "~"; // begins each name that a module exports for us
const CALLED = `${OURS}called.`, READY = `${OURS}ready`, PLACES = `${OURS}places.`;
const STUB = 24; // bytes that a stub takes: a shorter function stays where it is
const GET = 0x23, SET = 0x24, IS_ZERO = 0x45, IF = 0x04;
const MUTABLE_I32 = [I32, 1];

/** The same module, each of whose functions notes that it was called; `listCalled` reads it. */
export function watch(bytes) {
  const module = new Module(bytes);
  const first = module.kinds[GLOBAL].length;
  const bodies = module.bodies.map((body, n) => {
    const {at} = skipLocals(body);
    return join(body.subarray(0, at), CONST, 1, SET, leb(first + n), body.subarray(at));
  });
  return module.write(bodies, {
    [SECTION.globals]: bodies.map(() => [MUTABLE_I32, CONST, 0, END]),
    [SECTION.exports]: bodies.map((_, n) => [named(CALLED + n), GLOBAL, leb(first + n)]),
  });
}

/** The functions that were called in an instance of a watched module, by their places among those with a body. */
export function listCalled(exports) {
  return Object.keys(exports).filter((name) => name.startsWith(CALLED) && exports[name].value)
    .map((name) => Number(name.slice(CALLED.length)));
}

/** The two modules: `first` keeps the functions `called`, as listCalled gives them, and `later` has the others. */
export function split(bytes, called) {
  const module = new Module(bytes);
  const {kinds, imported} = module;
  const stays = new Set(called);
  const moved = new Map(); // from a function's index to its place in the table
  const uses = [FUNCTION, TABLE, MEMORY, GLOBAL, TAG, SEGMENT].map(() => new Set());
  const found = []; // by place: the indices in a body, as readIndices tells them
  module.bodies.forEach((body, n) => {
    if (stays.has(n) || body.length <= STUB) return;
    const indices = [];
    readIndices(skipLocals(body), (...one) => indices.push(one));
    if (indices.some(([kind]) => kind === SEGMENT)) return; // a segment is its own module's
    moved.set(imported + n, moved.size + 1);
    found.push(indices);
  });
  for (const [kind, index] of found.flat()) uses[kind].add(index);
  for (const index of moved.keys()) uses[FUNCTION].delete(index);
  // Halves of two splits must not be joined: their places differ, and the table's name with them.
  const places = PLACES + createHash("sha256").update(bytes).update([...moved.keys()].join()).digest("hex").slice(0, 16);
  return {first: writeFirst(module, moved, uses, places), later: writeLater(module, moved, uses, found, places)};
}

const own = (kind, index) => named(`${OURS}${kind}.${index.toString(36)}`);

function writeFirst(module, moved, uses, name) {
  const {kinds, imported} = module;
  const [places, ready] = [kinds[TABLE].length, kinds[GLOBAL].length];
  const need = kinds[FUNCTION].length;
  const plain = module.types.length; // the type of `need`: nothing in, nothing out
  const bodies = module.bodies.map((body, n) => {
    const place = moved.get(imported + n);
    if (!place) return body;
    const type = kinds[FUNCTION][imported + n];
    const locals = Array.from({length: module.types[new Reader(type).number()].params.length}, (_, local) => [LOCAL, leb(local)]);
    return join(NO_LOCALS, CALL, leb(need), locals, CONST, signed(place), INDIRECT, type, leb(places), END);
  });
  bodies.push(join(NO_LOCALS, GET, leb(ready), IS_ZERO, IF, VOID, CONST, 0, INDIRECT, leb(plain), leb(places), END, END));
  const given = [FUNCTION, TABLE, GLOBAL, TAG].flatMap((kind) => [...uses[kind]].map((index) => [own(kind, index), kind, leb(index)]));
  return module.write(bodies, {
    [SECTION.types]: [[FUNCTION_TYPE, 0, 0]],
    [SECTION.functions]: [leb(plain)],
    [SECTION.tables]: [[FUNCREF, 0, leb(moved.size + 1)]],
    [SECTION.globals]: [[MUTABLE_I32, CONST, 0, END]],
    [SECTION.exports]: [...given, [own(MEMORY, 0), MEMORY, 0], [named(READY), GLOBAL, leb(ready)], [named(name), TABLE, leb(places)]],
  });
}

function writeLater(module, moved, uses, found, name) {
  const {kinds, imported} = module;
  const news = uses.map((indices) => new Map([...indices].map((index, at) => [index, at])));
  for (const [index, place] of moved) news[FUNCTION].set(index, uses[FUNCTION].size + place - 1);
  const asked = [FUNCTION, TABLE, GLOBAL, TAG].flatMap((kind) => [...uses[kind]].map((index) =>
    [0, own(kind, index), kind, kind === TABLE ? [kinds[kind][index][0], 0, 0] : kinds[kind][index]]));
  asked.push([0, own(MEMORY, 0), MEMORY, 0, 0]);
  asked.push([0, named(name), TABLE, FUNCREF, 0, 0]);
  const bodies = [...moved.keys()].map((index, n) => {
    const body = module.bodies[index - imported];
    const parts = [];
    let at = 0;
    for (const [kind, used, from, to] of found[n]) {
      parts.push(body.subarray(at, from), leb(news[kind].get(used)));
      at = to;
    }
    return join(parts, body.subarray(at));
  });
  const placed = [2, leb(uses[TABLE].size), CONST, 1, END, 0, counted([...moved.keys()].map((index) => leb(news[FUNCTION].get(index))))];
  const declared = [3, 0, counted([...news[FUNCTION].values()].map(leb))]; // so that ref.func may name each of them
  return writeSections([
    [SECTION.types, module.sections.find(([number]) => number === SECTION.types)[1]],
    [SECTION.imports, counted(asked)],
    [SECTION.functions, counted([...moved.keys()].map((index) => kinds[FUNCTION][index]))],
    [SECTION.elements, counted([placed, declared])],
    [SECTION.codes, counted(bodies.map((body) => [leb(body.length), body]))],
  ]);
}

/** A number from 0 on as signed LEB128, as a constant has it. */
function signed(value) {
  const bytes = leb(value);
  if (bytes.at(-1) < 64) return bytes;
  bytes[bytes.length - 1] |= 128;
  return [...bytes, 0];
}
