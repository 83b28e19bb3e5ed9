// Python's WebAssembly comes in two halves (split.mjs says how): the functions of a first game, and all others. Here the later
// half is joined to the first: at leisure, or at once where one of its functions is called sooner.

const OURS = "~"; // begins the names that the halves have for each other
const PLACES = "~places."; // the table of the later half's functions; what it is called is the same in both halves
const READY = "~ready"; // not 0 once they are there
// (module (import "" "" (func)) (export "" (func 0))): into a table goes a function of WebAssembly, and none of JavaScript.
const PASSES = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 5, 1, 0, 0, 0, 0, 7, 4, 1, 0, 0, 0);

export class Halves {
  /** bringNow() gives the later half's bytes; Python stands in a call and cannot wait for a promise. */
  constructor(bringNow) {
    this.first = null; // what the first half exports
    this.mark = ""; // of the split: only this later half fits
    this.isWhole = false;
    this.bringNow = bringNow;
    this.real = ["instantiate", "instantiateStreaming"].map((name) => [name, WebAssembly[name]]);
    for (const [name, make] of this.real) this.listen(name, make);
  }

  /** The loader makes the first half by that function, and is told nothing of ours: it would take it for Python's. */
  listen(name, make) {
    WebAssembly[name] = async (...facts) => {
      const made = await make.apply(WebAssembly, facts);
      const given = Object.entries(made.instance?.exports ?? {});
      const places = given.find(([one]) => one.startsWith(PLACES));
      if (!places) return made;
      Object.assign(WebAssembly, Object.fromEntries(this.real));
      this.first = made.instance.exports;
      this.mark = places[0].slice(PLACES.length);
      const passes = new WebAssembly.Instance(new WebAssembly.Module(PASSES), {"": {"": () => this.joinNow()}});
      places[1].set(0, passes.exports[""]);
      return {module: made.module, instance: {exports: Object.fromEntries(given.filter(([one]) => !one.startsWith(OURS)))}};
    };
  }

  /** Once Python is there. One that is whole, of an older version in this browser's cache, has no other half. */
  async join(bytes) {
    if (this.isWhole || !this.first) return;
    const module = await WebAssembly.compile(bytes);
    if (!this.isWhole) this.place(module);
  }

  joinNow() {
    this.place(new WebAssembly.Module(this.bringNow()));
  }

  place(module) {
    new WebAssembly.Instance(module, {"": this.first}); // fills the table
    this.first[READY].value = 1;
    this.isWhole = true;
  }
}
