// Files that were packed when the site was made. They end in .bin, so that no server unpacks or packs them on the way.

/** The bytes of an answer as they come; `progress(share)` meanwhile, of 1, and once more at the end. */
function counted(answer, progress) {
  const size = Number(answer.headers.get("Content-Length")) || Infinity;
  let had = 0;
  return answer.body.pipeThrough(new TransformStream({
    transform(chunk, out) {
      had += chunk.length;
      progress(Math.min(had / size, 0.99));
      out.enqueue(chunk);
    },
    flush: () => progress(1),
  }));
}

const SILENCE_MS = 30_000; // a line on which nothing comes for so long swallows what is asked
const LATE_MS = 3000; // in which comes what had come while this thread was busy

/** Call `end` once nothing was `heard` for so long; nobody waits any more after `over`. */
function listen(end) {
  let timer = 0;
  const over = () => clearTimeout(timer);
  const heard = () => {
    over();
    timer = setTimeout(() => { timer = setTimeout(end, LATE_MS); }, SILENCE_MS);
  };
  heard();
  return {heard, over};
}

/** The bytes of a packed file: of zst, or of gzip, which a browser unpacks by itself, and Python where it cannot wait. */
export async function fetchPacked(address, progress = () => {}, unpacks = unpacked) {
  const line = new AbortController();
  const {heard, over} = listen(() => line.abort(new Error(`${address}: nothing comes`)));
  try {
    const answer = await plainFetch(address, {signal: line.signal});
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return await new Response(unpacks(counted(answer, (share) => {
      heard();
      progress(share);
    }))).arrayBuffer();
  } finally {
    over();
  }
}

export const gunzipped = (body) => body.pipeThrough(new DecompressionStream("gzip"));

const plainFetch = globalThis.fetch.bind(globalThis);
const NEARLY = 0.9;
const coming = new Map(); // what the loader will ask for: the answer, under way since this module was loaded

let unpacker = null; // comes beside the first file
const TRIES = 3; // of what Python cannot go on without
export const MOST_MS = 480_000; // in which a slow line brings all of a part
let decompress = null; // its function for who cannot wait, once it has come

/** The bytes of a packed file at once, for who stands in a call and cannot wait for a promise; some other file of zst has
 * come before. An error is tried again; a line that swallows what is asked ends it after `ms`. */
export function fetchNow(address, {unpacks = (bytes) => decompress(bytes), ms = MOST_MS} = {}) {
  for (let left = TRIES; ; ) {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.responseType = "arraybuffer";
    request.timeout = ms;
    try {
      request.send();
      if (request.status === 200) return unpacks(new Uint8Array(request.response));
      throw new Error(`${address}: ${request.status}`);
    } catch (wrong) {
      if (!--left || wrong.name === "TimeoutError") throw wrong;
    }
  }
}

let shared = null; // memory on which a worker can sleep

/** Stand still, for who stands in a call and cannot wait for a promise. */
export function standStill(ms) {
  const end = performance.now() + ms;
  try {
    shared ??= new Int32Array(new WebAssembly.Memory({initial: 1, maximum: 1, shared: true}).buffer);
    Atomics.wait(shared, 0, 0, ms);
  } catch {
    while (performance.now() < end); // this browser shares no memory with such a page
  }
}

/** The bytes of a stream of zst: a fifth less comes than of gzip, while this processor has nothing else to do. */
function unpacked(body) {
  unpacker ??= import("./fzstd.js").then((made) => {
    ({decompress} = made);
    return made;
  });
  let stream = null;
  return body.pipeThrough(new TransformStream({
    async start(out) {
      const {Decompress} = await unpacker;
      stream = new Decompress((chunk) => chunk.length && out.enqueue(chunk));
    },
    transform: (chunk) => stream.push(chunk),
    flush: () => stream.push(new Uint8Array(0), true),
  }));
}

/** Fetch what Python's loader will ask for in a moment, its program and its library, which are packed here: one after the
 * other, for each is there soonest if it comes alone. Resolves once both have come, but for so little that the line would
 * be idle until the next is on its way. */
export function fetchPython(folder, progress) {
  let before = Promise.resolve();
  for (const [name, type] of [["pyodide.asm.wasm", "application/wasm"], ["library.zip", "application/zip"]]) {
    // An older one, which a browser may have kept where no service worker is, would not fit what follows.
    const asked = before.then(() => plainFetch(`${folder}/${name.replace(/[.]\w+$/, "")}.bin`, {cache: "no-cache"}));
    before = new Promise((come) => {
      const answer = asked.then((one) => (one.ok ? new Response(counted(one, (share) => {
        progress(name, share);
        if (share > NEARLY) come();
      })) : one));
      answer.catch(() => {}); // an error is told to the import that waits for it
      coming.set(name, {answer, type});
    });
  }
  globalThis.fetch = async (address, more) => {
    const wanted = coming.get(String(address.url || address).split("/").pop());
    if (!wanted) return plainFetch(address, more);
    const answer = await wanted.answer;
    return answer.ok ? new Response(unpacked(answer.body), {headers: {"Content-Type": wanted.type}}) : answer;
  };
  return before;
}

/** A packed module's default export. */
export async function importPacked(address) {
  const code = await fetchPacked(address);
  const here = URL.createObjectURL(new Blob([code], {type: "text/javascript"}));
  return (await import(here)).default;
}

const FILE = 0o100644;

/** Put the files of an archive into a file system, that of Emscripten in memory: a line of JSON with [name, size] of each,
 * then their bytes. Each file is a node of its folder, made without a look along its path. */
export function unpack(bytes, files, folder) {
  const end = bytes.indexOf(10);
  const list = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const folders = new Map();
  let at = end + 1;
  for (const [name, size] of list) {
    const path = `${folder}/${name}`;
    const slash = path.lastIndexOf("/");
    const above = path.slice(0, slash);
    if (!folders.has(above)) {
      files.mkdirTree(above);
      folders.set(above, files.lookupPath(above).node);
    }
    const parent = folders.get(above);
    const own = path.slice(slash + 1);
    const node = Object.hasOwn(parent.contents, own) ? parent.contents[own] : parent.node_ops.mknod(parent, own, FILE, 0);
    node.contents = bytes.subarray(at, at + size);
    node.usedBytes = size;
    at += size;
  }
}
