// Reads and writes WebAssembly modules as far as module.mjs needs it (WebAssembly Core Specification 3.0, chapter 5).

export const SECTION = {
  types: 1, imports: 2, functions: 3, tables: 4, memories: 5, globals: 6, exports: 7, elements: 9, codes: 10, tags: 13,
};
export const FUNCTION = 0, TABLE = 1, MEMORY = 2, GLOBAL = 3, TAG = 4; // kinds of what is imported and exported
export const SEGMENT = 5; // of data or elements, which only its own module has
export const CONST = 0x41, CALL = 0x10, INDIRECT = 0x11, LOCAL = 0x20; // i32.const, call, call_indirect, local.get
export const END = 0x0b, VOID = 0x40, I32 = 0x7f, FUNCREF = 0x70, FUNCTION_TYPE = 0x60, NO_LOCALS = 0;
const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** An unsigned number as LEB128. */
export function leb(value) {
  const out = [];
  do {
    const more = value > 127;
    out.push((value % 128) | (more ? 128 : 0));
    value = Math.floor(value / 128);
  } while (value);
  return out;
}

/** Bytes, lists of bytes and lists of those, one after the other. */
export function join(...parts) {
  const flat = parts.flat(Infinity);
  const size = flat.reduce((sum, one) => sum + (one.length ?? 1), 0);
  const out = new Uint8Array(size);
  let at = 0;
  for (const one of flat) {
    if (one.length === undefined) out[at++] = one;
    else {
      out.set(one, at);
      at += one.length;
    }
  }
  return out;
}

export const named = (name) => [...leb(name.length), ...[...name].map((letter) => letter.charCodeAt(0))]; // ASCII
export const counted = (items) => join(leb(items.length), items);

/** A place in bytes that moves on as they are read. */
export class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  take(size) {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  name() {
    return String.fromCharCode(...this.take(this.number()));
  }

  /** What `read` moves over, as bytes. */
  over(read) {
    const from = this.at;
    read();
    return this.bytes.subarray(from, this.at);
  }

  /** A list: `read` is called for each of its items. */
  list(read) {
    return Array.from({length: this.number()}, () => read());
  }

  skipLimits() {
    const flags = this.byte();
    this.number();
    if (flags & 1) this.number();
  }
}

/** The sections of a module, in order: [number, content]. */
export function readSections(bytes) {
  const reader = new Reader(bytes);
  if (!HEAD.every((byte) => reader.byte() === byte)) throw new Error("this is no WebAssembly module");
  const found = [];
  while (reader.at < bytes.length) found.push([reader.byte(), reader.take(reader.number())]);
  return found;
}

export const writeSections = (sections) => join(HEAD, sections.map(([number, content]) => [number, leb(content.length), content]));

/** Call `tell(kind, index, from, to)` for each index in the instructions of an expression or a body, in order; the place
 * after the last `end`. Labels, locals and types are not told: they are the same in every module of a split.
 * `tellCall(type, table, from, to)` hears of each call through a table. Error at an instruction that is unknown here. */
export function readIndices(reader, tell, tellCall = () => {}) {
  const index = (kind) => {
    const from = reader.at;
    tell(kind, reader.number(), from, reader.at);
  };
  const memory = () => {
    if (reader.number() & 64) throw new Error("more than one memory");
    reader.number();
  };
  let depth = 1;
  while (depth) {
    const code = reader.byte();
    if (code === END) depth--;
    else if (code === 0x02 || code === 0x03 || code === 0x04 || code === 0x06) { // block, loop, if, try
      depth++;
      reader.number();
    } else if (code === 0x18) { // delegate ends a try
      depth--;
      reader.number();
    } else if (code === 0x07 || code === 0x08) index(TAG); // catch, throw
    else if (code === 0x1f) { // try_table
      depth++;
      reader.number();
      reader.list(() => {
        if (reader.byte() < 2) index(TAG);
        reader.number();
      });
    } else if (code === 0x09 || code === 0x0c || code === 0x0d) reader.number(); // rethrow, br, br_if
    else if (code === 0x0e) { // br_table
      reader.list(() => reader.number());
      reader.number();
    } else if (code === CALL || code === 0x12 || code === 0xd2) index(FUNCTION); // call, return_call, ref.func
    else if (code === INDIRECT) {
      const from = reader.at - 1;
      const type = reader.number();
      const table = new Reader(reader.bytes, reader.at).number();
      index(TABLE);
      tellCall(type, table, from, reader.at);
    } else if (code === 0x13) { // return_call_indirect
      reader.number();
      index(TABLE);
    } else if (code === 0x1c) reader.list(() => reader.byte()); // select of a type
    else if (code >= 0x20 && code <= 0x22) reader.number(); // local
    else if (code === 0x23 || code === 0x24) index(GLOBAL);
    else if (code === 0x25 || code === 0x26) index(TABLE); // table.get, table.set
    else if (code >= 0x28 && code <= 0x3e) memory(); // load, store
    else if (code === 0x3f || code === 0x40) reader.number(); // memory.size, memory.grow
    else if (code === 0x41 || code === 0x42) reader.number(); // i32.const, i64.const
    else if (code === 0x43) reader.take(4);
    else if (code === 0x44) reader.take(8);
    else if (code === 0xd0) reader.number(); // ref.null
    else if (code === 0xfc) readMore(reader, index);
    else if (!(code <= 0x01 || code === 0x05 || code === 0x0a || code === 0x0f || code >= 0x19 && code <= 0x1b
      || code >= 0x45 && code <= 0xc4 || code === 0xd1)) throw new Error(`unknown instruction ${code.toString(16)}`);
  }
  return reader.at;
}

function readMore(reader, index) {
  const code = reader.number();
  if (code <= 7) return; // trunc_sat
  if (code === 8) { // memory.init
    index(SEGMENT);
    reader.number();
  } else if (code === 9 || code === 13) index(SEGMENT); // data.drop, elem.drop
  else if (code === 10) { // memory.copy
    reader.number();
    reader.number();
  } else if (code === 11) reader.number(); // memory.fill
  else if (code === 12) { // table.init
    index(SEGMENT);
    index(TABLE);
  } else if (code === 14) { // table.copy
    index(TABLE);
    index(TABLE);
  } else if (code >= 15 && code <= 17) index(TABLE); // table.grow, table.size, table.fill
  else throw new Error(`unknown instruction fc ${code}`);
}
