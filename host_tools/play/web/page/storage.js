// What a browser keeps for this page. What it refuses, because it keeps nothing or has no room, goes with the page.

class Keeping {
  /** store: the browser's own; null where it keeps nothing. */
  constructor(store) {
    this.store = store;
    this.passing = new Map(); // what it did not take
  }

  getItem(name) {
    if (this.passing.has(name)) return this.passing.get(name);
    return this.store && this.store.getItem(name);
  }

  setItem(name, value) {
    this.passing.set(name, String(value));
    try {
      if (!this.store) return;
      this.store.setItem(name, value);
      this.passing.delete(name);
    } catch { /* it is full */ }
  }

  removeItem(name) {
    this.passing.delete(name);
    if (this.store) this.store.removeItem(name);
  }

  clear() {
    this.passing.clear();
    if (this.store) this.store.clear();
  }
}

for (const name of ["localStorage", "sessionStorage"]) {
  let store = null;
  try {
    store = window[name];
    store.getItem("");
  } catch { // where cookies are blocked, so is this
    store = null;
  }
  Object.defineProperty(window, name, {value: new Keeping(store)});
}
