// What a browser keeps for this page. One that refuses to keep anything gives a page a memory that goes with it.

class Passing {
  constructor() { this.kept = new Map(); }
  getItem(name) { return this.kept.has(name) ? this.kept.get(name) : null; }
  setItem(name, value) { this.kept.set(name, String(value)); }
  removeItem(name) { this.kept.delete(name); }
}

for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("");
  } catch { // where cookies are blocked, so is this
    Object.defineProperty(window, name, {value: new Passing()});
  }
}
