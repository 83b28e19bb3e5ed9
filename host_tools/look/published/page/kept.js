// The table's files in the browser's storage: what changed is written, all at once, so that a page that goes at any
// moment leaves the state before or the one after.

const NAME = "cardtable";
const STORE = "files";

const done = (request) => new Promise((found, lost) => {
  request.onsuccess = () => found(request.result);
  request.onerror = () => lost(request.error);
});

/** Once all of a transaction is in the database. */
const ended = (transaction) => new Promise((found, lost) => {
  transaction.oncomplete = found;
  transaction.onabort = transaction.onerror = () => lost(transaction.error);
});

const isSame = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

export class Kept {
  /** A browser that refuses storage gives one that keeps nothing. */
  static async open() {
    const kept = new Kept();
    await kept.connect().catch(() => { kept.isRefused = true; });
    return kept;
  }

  constructor() {
    this.database = null;
    this.isRefused = false; // from the beginning: what lies there nobody knows
    this.failures = 0; // writes in vain since the last one that was kept
    this.known = new Map(); // path: when it was changed, its size
    this.writes = 0;
  }

  /** Whether what changes is kept: one write in vain is tried again before anybody is told. */
  get keeps() {
    return !this.isRefused && this.failures < 2;
  }

  async connect() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE);
      this.known.clear(); // nothing lies there any more
    };
    this.database = await done(request);
  }

  /** Bring everything that was kept into the file system. */
  async restore(files, folder) {
    files.mkdirTree(folder);
    if (!this.database) return;
    const store = this.database.transaction(STORE).objectStore(STORE);
    const [paths, all] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    paths.forEach((path, index) => {
      files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      files.writeFile(path, all[index].bytes);
      files.utime(path, all[index].changed, all[index].changed);
      this.known.set(path, `${all[index].changed} ${all[index].bytes.length}`);
    });
  }

  /** Put a record into that folder; another one of its name stays, and this one is called `NAME-2.rec`. False where this
   * browser did not keep it. */
  async put(folder, name, bytes) {
    try {
      const transaction = this.database.transaction(STORE, "readwrite");
      const store = transaction.objectStore(STORE);
      for (let number = 1; ; number += 1) {
        const path = `${folder}/${name}${number > 1 ? `-${number}` : ""}.rec`;
        const there = await done(store.get(path));
        if (there && !isSame(there.bytes, bytes)) continue;
        if (!there) store.put({bytes, changed: Date.now()}, path);
        await ended(transaction);
        return true;
      }
    } catch {
      return false;
    }
  }

  /** Write what has changed since the last time. What was in vain is written with the next time, for which the database is
   * opened anew: a browser may have closed it while the page lay in the background. */
  async write(files, folder) {
    if (this.isRefused) return;
    try {
      if (!this.database) await this.connect();
      const now = new Map(listFiles(files, folder).map((path) => {
        const {mtime, size} = files.stat(path);
        return [path, [mtime.getTime(), size]];
      }));
      const changed = [...now].filter(([path, [time, size]]) => this.known.get(path) !== `${time} ${size}`);
      const gone = [...this.known.keys()].filter((path) => !now.has(path));
      if (!changed.length && !gone.length) return;
      const transaction = this.database.transaction(STORE, "readwrite");
      const store = transaction.objectStore(STORE);
      for (const [path, [time]] of changed) store.put({bytes: files.readFile(path), changed: time}, path);
      for (const path of gone) store.delete(path);
      await ended(transaction);
      for (const [path, [time, size]] of changed) this.known.set(path, `${time} ${size}`);
      for (const path of gone) this.known.delete(path);
      this.writes += 1;
      this.failures = 0;
    } catch {
      this.failures += 1;
      if (this.database) this.database.close();
      this.database = null;
    }
  }
}

function listFiles(files, folder) {
  const found = [];
  for (const name of files.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = `${folder}/${name}`;
    if (files.isDir(files.stat(path).mode)) found.push(...listFiles(files, path));
    else found.push(path);
  }
  return found;
}
