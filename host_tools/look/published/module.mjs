// A WebAssembly module as split.mjs and calls.mjs see it: its sections, what has an index, and the bodies of its functions.

import {
  FUNCTION, TABLE, MEMORY, GLOBAL, TAG, SECTION, FUNCTION_TYPE, Reader, counted, join, leb, readIndices, readSections, writeSections,
} from "./wasm.mjs";

/** A module's sections, and by kind the types of all that has an index, as bytes: imports first. `types` are those of functions. */
export class Module {
  constructor(bytes) {
    this.sections = readSections(bytes);
    this.kinds = [FUNCTION, TABLE, MEMORY, GLOBAL, TAG].map(() => []);
    const imports = this.open(SECTION.imports);
    imports.list(() => {
      imports.name();
      imports.name();
      this.readType(imports, imports.byte());
    });
    this.imported = this.kinds[FUNCTION].length;
    const own = [[SECTION.functions, FUNCTION], [SECTION.tables, TABLE], [SECTION.memories, MEMORY], [SECTION.tags, TAG],
      [SECTION.globals, GLOBAL]];
    for (const [number, kind] of own) {
      const reader = this.open(number);
      reader.list(() => {
        this.readType(reader, kind);
        if (kind === GLOBAL) readIndices(reader, () => {}); // the value it begins with
      });
    }
    const types = this.open(SECTION.types);
    this.types = types.list(() => {
      if (types.byte() !== FUNCTION_TYPE) throw new Error("a type that is none of a function");
      return {params: types.list(() => types.byte()), results: types.list(() => types.byte())};
    });
    const codes = this.open(SECTION.codes);
    this.bodies = codes.list(() => codes.take(codes.number()));
  }

  open(number) {
    return new Reader(this.sections.find(([one]) => one === number)?.[1] ?? Uint8Array.of(0));
  }

  readType(reader, kind) {
    this.kinds[kind].push(reader.over(() => {
      if (kind === TABLE || kind === GLOBAL || kind === TAG) reader.byte();
      if (kind === TABLE || kind === MEMORY) reader.skipLimits();
      else if (kind === GLOBAL) reader.byte();
      else reader.number();
    }));
  }

  /** The module with these bodies, and with more at the end of other sections. */
  write(bodies, more) {
    return writeSections(this.sections.map(([number, content]) => {
      if (number === SECTION.codes) return [number, counted(bodies.map((body) => [leb(body.length), body]))];
      if (!more[number]) return [number, content];
      const reader = new Reader(content);
      const count = reader.number();
      return [number, join(leb(count + more[number].length), content.subarray(reader.at), more[number])];
    }));
  }
}

/** Where a body's instructions begin: behind its locals. */
export function skipLocals(body) {
  const reader = new Reader(body);
  reader.list(() => {
    reader.number();
    reader.byte();
  });
  return reader;
}
