// Calls through a table, each by a function of its type that does nothing else.
//
// V8 guesses at each such call which function will be called, by those that were called there before, and compiles that one
// into the caller. After a wrong guess the caller's code is thrown away: Python's eval loop was compiled four times and more
// until the first card, and ran slowly in between. At a call that all share V8 sees many functions, and guesses nothing.

import {Module, skipLocals} from "./module.mjs";
import {CALL, END, FUNCTION, FUNCTION_TYPE, I32, INDIRECT, LOCAL, NO_LOCALS, SECTION, counted, join, leb, readIndices} from "./wasm.mjs";

/** The same module; its functions keep their indices, and behind them stands one for each type that is called and table. */
export function shareCalls(bytes) {
  const module = new Module(bytes);
  const count = module.kinds[FUNCTION].length;
  const shared = new Map(); // from type and table to what calls for all
  const through = (type, table) => {
    const key = `${type} ${table}`;
    if (!shared.has(key)) shared.set(key, {index: count + shared.size, type, table});
    return leb(shared.get(key).index);
  };
  const bodies = module.bodies.map((body) => {
    const parts = [];
    let at = 0;
    readIndices(skipLocals(body), () => {}, (type, table, from, to) => {
      parts.push(body.subarray(at, from), CALL, through(type, table));
      at = to;
    });
    return at ? join(parts, body.subarray(at)) : body;
  });
  const all = [...shared.values()];
  for (const {type, table} of all) {
    const locals = Array.from({length: module.types[type].params.length + 1}, (_, local) => [LOCAL, leb(local)]);
    bodies.push(join(NO_LOCALS, locals, INDIRECT, leb(type), leb(table), END));
  }
  return module.write(bodies, {
    [SECTION.types]: all.map(({type}) => {
      const {params, results} = module.types[type];
      return [FUNCTION_TYPE, counted([...params, I32]), counted(results)];
    }),
    [SECTION.functions]: all.map((_, at) => leb(module.types.length + at)),
  });
}
