// What node lacks of a browser, as little as the page's modules need: elements, settings, a database of files.

/** An element that knows its attributes, its children and its listeners. */
class Element {
  constructor(tag) { Object.assign(this, {tag, attributes: {}, children: [], dataset: {}, hidden: false, textContent: "", listeners: {}, classList: {toggle() {}}}); }
  append(...more) {
    this.children.push(...more);
    for (const one of more) if (one instanceof Element) one.remove = () => { this.children = this.children.filter((child) => child !== one); };
  }
  replaceChildren(...all) { this.children = all; }
  hasAttribute(name) { return name in this.attributes; }
  getAttribute(name) { return this.attributes[name] ?? null; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(kind, act) { this.listeners[kind] = act; }
  removeAttribute(name) { delete this.attributes[name]; }
  contains() { return false; }
  querySelectorAll() { return []; }
  querySelector() { return null; }
}

const found = new Map();
const body = new Element("body");
const html = new Element("html");
/** The element of that id; there is one of each. */
export const at = (id) => found.get(id) || found.set(id, new Element(id)).get(id);

/** What a browser keeps of settings; a full one takes nothing more. */
export class Settings {
  constructor() { this.kept = new Map(); this.isFull = false; }
  getItem(name) { return this.kept.get(name) ?? null; }
  setItem(name, value) {
    if (this.isFull) throw new DOMException("it is full", "QuotaExceededError");
    this.kept.set(name, String(value));
  }
  removeItem(name) { this.kept.delete(name); }
}

/** The database of the page's files: `files` is what lies there. The next `refused` transactions are lost at their end,
 * the next `lost` ones cannot begin. */
export const disk = {files: new Map(), refused: 0, lost: 0, opened: 0};

const later = (request, result) => {
  queueMicrotask(() => { request.result = result; request.onsuccess?.(); });
  return request;
};

class Transaction {
  constructor() {
    if (disk.lost) {
      disk.lost -= 1;
      throw new DOMException("Connection to Indexed Database server lost.", "UnknownError");
    }
    this.writes = [];
    setImmediate(() => this.end());
  }

  objectStore() {
    return {
      get: (key) => later({}, disk.files.get(key)),
      getAll: () => later({}, [...disk.files.values()]),
      getAllKeys: () => later({}, [...disk.files.keys()]),
      put: (value, key) => { this.writes.push([key, value]); return later({}, key); },
      delete: (key) => { this.writes.push([key]); return later({}); },
    };
  }

  end() {
    if (disk.refused) {
      disk.refused -= 1;
      this.error = new DOMException("it is full", "QuotaExceededError");
      this.onabort?.();
      return;
    }
    for (const [key, value] of this.writes) value ? disk.files.set(key, value) : disk.files.delete(key);
    this.oncomplete?.();
  }
}

Object.assign(globalThis, {
  window: globalThis, addEventListener() {}, location: {search: "", hash: "", href: "http://h/play/"},
  localStorage: new Settings(), sessionStorage: new Settings(),
  document: {body, documentElement: html, addEventListener() {}, getElementById: at, createElement: (tag) => new Element(tag)},
  indexedDB: {
    open() {
      disk.opened += 1;
      const request = {};
      if (disk.opened === 1) queueMicrotask(() => { request.result = {createObjectStore() {}}; request.onupgradeneeded?.(); });
      return later(request, {transaction: () => new Transaction(), close() {}});
    },
  },
});

Object.defineProperty(globalThis, "navigator", {value: {languages: ["en"]}, configurable: true, writable: true});

/** What the test in Python reads. */
export const tell = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);

const SOON = 1000; // turns without a rest: nearly all there is to wait for comes in them
const MOST = 60_000; // turns: only what hangs is waited for so long
const resting = new Int32Array(new SharedArrayBuffer(4));
const wait = Atomics.wait; // a test may set its own
const turn = setImmediate;

/** Once that is so. A module or a thread of zlib comes when a busy machine has time for it, not after a number of turns. */
export async function until(isSo, told = () => []) {
  for (let turns = 0; !isSo(); turns += 1) {
    if (turns > MOST) throw new Error(`waited in vain for ${isSo}: ${JSON.stringify(told())}`);
    if (turns > SOON) wait(resting, 0, 0, 1);
    await new Promise((done) => turn(done));
  }
}
