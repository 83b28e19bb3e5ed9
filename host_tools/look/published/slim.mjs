// Takes out of Python's WebAssembly what no table reaches: node slim.mjs PYODIDE TARGET
// TARGET becomes the same package with a smaller pyodide.asm.wasm. Built-in modules of LEFT_OUT are there no more: an import of one is refused as
// that of any unknown name. Their code, which lies between two known exports, traps; a function that others call, or could share, stays. The
// tables of their codecs are zeros. Exports that no script of the package names are gone: they were for packages that are loaded later.

import {cpSync, readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const LEFT_OUT = new Set(["_bz2", "_codecs_cn", "_codecs_hk", "_codecs_iso2022", "_codecs_jp", "_codecs_kr", "_codecs_tw", "_ctypes", "_elementtree",
  "_lsprof", "_lzma", "_multibytecodec", "_remote_debugging", "_sqlite3", "_testbuffer", "_testcapi", "_testclinic", "_testclinic_limited",
  "_testinternalcapi", "_testlimitedcapi", "_xxtestfuzz", "_zstd", "pyexpat", "xxsubtype"]);
const BETWEEN = [ // from the first export whose name begins so, up to the other: in the order in which the linker has put the files together;
  // where a third is named, not before the first that calls such a one
  ["PyInit__ctypes", "PyInit__posixsubprocess"], ["PyInit__bz2", "PyInit_zlib"], ["PyInit__hmac", "PyInit__sqlite3", "sqlite3_"], ["PyInit__sqlite3", "PyInit_array"], ["PyInit__lsprof", "PyInit__pickle"],
  ["PyInit__remote_debugging", "PyInit__struct"], ["PyInit_pyexpat", "PyInit_unicodedata"], ["PyInit_xxsubtype", "PyUnstable_AtExit"],
  ["lzma_", "zlibVersion"]]; // libraries: lzma, sqlite3, zstd, bz2
const SHARED = 300; // bytes: the compiler keeps one of several equal functions; longer ones that name data of their own have no equal
const OWN = 1024; // addresses of data begin here
const [IMPORTS, EXPORTS, ELEMENTS, CODE, DATA] = [2, 7, 9, 10, 11];
const [FUNCTION, TABLE, MEMORY, GLOBAL] = [0, 1, 2, 3];

const [home, target] = process.argv.slice(2);
const wasm = readFileSync(`${home}/pyodide.asm.wasm`);
let at = 8;

// --- reading ---

function number() {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = wasm[at++];
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
}
function skip() { while (wasm[at++] & 128); }
function text() {
  const size = number();
  at += size;
  return wasm.toString("utf8", at - size, at);
}
function limits() {
  const flag = number();
  skip();
  if (flag & 1) skip();
}
/** The entries of a section. */
function list(id, read) {
  at = sections.find((one) => one.id === id).start;
  return Array.from({length: number()}, read);
}

const sections = [];
while (at < wasm.length) {
  const id = wasm[at++];
  const size = number();
  sections.push({id, start: at, end: at += size});
}
const imports = list(IMPORTS, () => {
  const found = {room: text(), name: text(), kind: wasm[at++]};
  if (found.kind === FUNCTION) skip();
  else if (found.kind === TABLE) { at++; limits(); }
  else if (found.kind === MEMORY) limits();
  else if (found.kind === GLOBAL) at += 2;
  else { at++; skip(); }
  return found;
});
const given = imports.filter((one) => one.kind === FUNCTION).length; // functions of the host come first in their numbering
const exported = list(EXPORTS, () => {
  const start = at;
  const found = {name: text(), kind: wasm[at++], index: number()};
  return {...found, start, end: at};
});
const bodies = list(CODE, () => {
  const size = number();
  at += size;
  return {start: at - size, end: at};
});
const inTable = new Set(list(ELEMENTS, () => {
  if (number() !== 0) throw new Error("a list of functions of another kind");
  while (wasm[at++] !== 0x0b);
  return Array.from({length: number()}, number);
}).flat());
const segments = list(DATA, () => {
  if (number() !== 0 || wasm[at++] !== 0x41) throw new Error("data of another kind");
  const address = number();
  at++;
  const size = number();
  at += size;
  return {address, size, start: at - size};
});

/** The functions that one names; `own`: it may name data, too. */
function look({start, end}) {
  const found = new Set();
  let own = false;
  at = start;
  for (let groups = number(); groups; groups--) { skip(); at++; } // local variables
  while (at < end) {
    const code = wasm[at++];
    if (code === 0x10 || code === 0x12 || code === 0xd2) found.add(number());
    else if (code === 0x0e) for (let left = number() + 1; left; left--) skip();
    else if (code === 0x41) own = number() >= OWN || own;
    else if (code >= 0x28 && code <= 0x3e) { skip(); own = number() >= OWN || own; }
    else if (code === 0x11 || code === 0x13) { skip(); skip(); }
    else if (code === 0x1c) at += number();
    else if (code === 0x43) at += 4;
    else if (code === 0x44) at += 8;
    else if (code === 0xfc) {
      const more = number();
      if (more >= 8) skip();
      if ([8, 10, 12, 14].includes(more)) skip();
    } else if ([0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x18, 0x3f, 0x40, 0x42, 0xd0].includes(code) || (code >= 0x20 && code <= 0x26)) skip();
    else if (code === 0x1f || (code > 0xc4 && code !== 0xd1)) throw new Error(`instruction ${code.toString(16)}`);
  }
  if (at !== end) throw new Error("the end of a function was missed");
  return {calls: [...found], own, size: end - start};
}

// --- what goes ---

/** The functions that trap from now on. */
function chooseFunctions() {
  const functions = exported.filter((one) => one.kind === FUNCTION);
  const looked = bodies.map(look);
  const cold = new Set();
  for (const [from, to, callee] of BETWEEN) {
    const named = (prefix) => functions.filter((one) => one.name.startsWith(prefix)).map((one) => one.index);
    const [first, end] = [Math.min(...named(from)), functions.find((one) => one.name === to).index];
    if (!(first < end)) throw new Error(`${from} is not before ${to}`);
    const called = new Set(callee ? named(callee) : []);
    for (let index = first, isOwn = !callee; index < end; index++) {
      isOwn ||= looked[index - given].calls.some((one) => called.has(one));
      if (isOwn) cold.add(index);
    }
  }
  const stay = (index) => {
    if (cold.delete(index)) looked[index - given].calls.forEach(stay);
  };
  looked.forEach(({calls}, number) => { if (!cold.has(number + given)) calls.forEach(stay); });
  const mayBeShared = (index) => {
    const {calls, own, size} = looked[index - given];
    return inTable.has(index) && (!own || size <= SHARED) && calls.every((one) => !cold.has(one));
  };
  for (let before = 0; before !== cold.size;) {
    before = cold.size;
    for (const index of cold) if (mayBeShared(index)) cold.delete(index);
  }
  return cold;
}

/** Where in memory the names of those modules begin, and [address, size] of the tables of their codecs (cjkcodecs.h of CPython). */
async function chooseData() {
  const {loadPyodide} = await import(pathToFileURL(`${home}/pyodide.mjs`));
  const python = await loadPyodide({indexURL: `${home}/`});
  const bytes = python._module.HEAPU8;
  const words = python._module.HEAPU32;
  const nameAt = (address) => Buffer.from(bytes.subarray(address, bytes.indexOf(0, address))).toString();
  const names = [];
  for (let row = words[python._module._PyImport_Inittab >> 2] >> 2; words[row]; row += 2) if (LEFT_OUT.has(nameAt(words[row]))) names.push(words[row]);
  if (names.length !== LEFT_OUT.size) throw new Error("a module that is left out is not there");
  const capsules = python.runPython(`
import importlib
[id(getattr(module, name)) for room in ("cn", "hk", "jp", "kr", "tw") for module in [importlib.import_module("_codecs_" + room)]
 for name in dir(module) if name.startswith("__map_") and not name.endswith("_pair")]`).toJs();
  const tables = [];
  for (const capsule of capsules) {
    const map = words[(capsule + 8) >> 2] >> 2;
    for (const index of [words[map + 1], words[map + 2]].filter(Boolean)) {
      for (let row = index; row < index + 2048; row += 8) if (words[row >> 2]) tables.push([words[row >> 2], 2 * (bytes[row + 5] - bytes[row + 4] + 1)]);
    }
  }
  return {names, tables};
}

// --- writing ---

function leb(value) {
  const out = [];
  do out.push((value & 127) | (value > 127 ? 128 : 0)); while (value >>>= 7);
  return Buffer.from(out);
}

function writeCode(gone) {
  const trap = Buffer.from([3, 0, 0x00, 0x0b]); // size, no local variables, unreachable, end
  return Buffer.concat([leb(bodies.length), ...bodies.flatMap(({start, end}, index) =>
    (gone.has(index + given) ? [trap] : [leb(end - start), wasm.subarray(start, end)]))]);
}

function writeExports() {
  const said = new Set(["pyodide.asm.mjs", "pyodide.mjs"].flatMap((name) => readFileSync(`${home}/${name}`, "utf8").match(/[\w$]+/g)));
  for (const one of imports) said.add(one.name);
  const kept = exported.filter(({name}) => said.has(name) || said.has(`_${name}`));
  return Buffer.concat([leb(kept.length), ...kept.map(({start, end}) => wasm.subarray(start, end))]);
}

function writeData({names, tables}) {
  const {start: base, end} = sections.find((one) => one.id === DATA);
  const out = Buffer.from(wasm.subarray(base, end));
  const put = (address, size, byte) => {
    for (const one of segments) {
      const [from, to] = [Math.max(address, one.address), Math.min(address + size, one.address + one.size)];
      if (from < to) out.fill(byte, one.start - base + from - one.address, one.start - base + to - one.address);
    }
  };
  for (const [address, size] of tables) put(address, size, 0);
  for (const address of names) put(address, 1, "-".charCodeAt(0)); // no import can say that
  return out;
}

const written = new Map([[CODE, writeCode(chooseFunctions())], [EXPORTS, writeExports()], [DATA, writeData(await chooseData())]]);
cpSync(home, target, {recursive: true});
writeFileSync(`${target}/pyodide.asm.wasm`, Buffer.concat([wasm.subarray(0, 8), ...sections.flatMap(({id, start, end}) => {
  const content = written.get(id) || wasm.subarray(start, end);
  return [Buffer.from([id]), leb(content.length), content];
})]));
process.exit(0);
