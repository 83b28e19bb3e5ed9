// The table's files in the browser's storage: what changed is written, all at once, so that a page that goes at any
// moment leaves the state before or the one after.

const NAME = "cardtable";
const STORE = "files";

const done = (request) => new Promise((found, lost) => {
  request.onsuccess = () => found(request.result);
  request.onerror = () => lost(request.error);
});

export class Kept {
  /** A browser that refuses storage gives one that keeps nothing. */
  static async open() {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      return new Kept(await done(request));
    } catch {
      return new Kept(null);
    }
  }

  constructor(database) {
    this.database = database;
    this.keeps = Boolean(database);
    this.known = new Map(); // path: when it was changed, its size
    this.writes = 0;
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

  /** Put one file there. False where this browser keeps nothing. */
  async put(path, bytes) {
    if (!this.database) return false;
    const store = this.database.transaction(STORE, "readwrite").objectStore(STORE);
    await done(store.put({bytes, changed: Date.now()}, path));
    return true;
  }

  /** Write what has changed since the last time; a browser that refuses is not asked again. */
  async write(files, folder) {
    if (!this.keeps) return;
    const now = new Map(listFiles(files, folder).map((path) => {
      const {mtime, size} = files.stat(path);
      return [path, [mtime.getTime(), size]];
    }));
    const changed = [...now].filter(([path, [time, size]]) => this.known.get(path) !== `${time} ${size}`);
    const gone = [...this.known.keys()].filter((path) => !now.has(path));
    if (!changed.length && !gone.length) return;
    try {
      const transaction = this.database.transaction(STORE, "readwrite");
      const store = transaction.objectStore(STORE);
      for (const [path, [time]] of changed) store.put({bytes: files.readFile(path), changed: time}, path);
      for (const path of gone) store.delete(path);
      await new Promise((found, lost) => {
        transaction.oncomplete = found;
        transaction.onabort = transaction.onerror = () => lost(transaction.error);
      });
      for (const [path, [time, size]] of changed) this.known.set(path, `${time} ${size}`);
      for (const path of gone) this.known.delete(path);
      this.writes += 1;
    } catch {
      this.keeps = false;
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
