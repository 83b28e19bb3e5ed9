// Files that were packed when the site was made. They end in .bin, so that no server unpacks or packs them on the way.

/** The bytes of a packed file; `progress(percent)` while they come. */
export async function fetchPacked(address, progress = () => {}) {
  const answer = await plainFetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const size = Number(answer.headers.get("Content-Length")) || 0;
  let had = 0;
  const counted = new TransformStream({transform(chunk, out) {
    had += chunk.length;
    if (size) progress(Math.round(had * 100 / size));
    out.enqueue(chunk);
  }});
  return new Response(answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const plainFetch = globalThis.fetch.bind(globalThis);
const coming = new Map(); // what the loader will ask for: the answer, under way since this module was loaded

const unpacked = (answer) => answer.body.pipeThrough(new DecompressionStream("gzip"));

/** Begin to fetch what Python's loader will ask for in a moment: its program, and its library, which are packed here. */
export function fetchPython(folder) {
  for (const [name, type] of [["pyodide.asm.wasm", "application/wasm"], ["library.zip", "application/zip"]]) {
    const answer = plainFetch(`${folder}/${name.replace(/[.]\w+$/, "")}.bin`);
    answer.catch(() => {}); // whoever waits for it is told
    coming.set(name, {answer, type});
  }
  globalThis.fetch = async (address, more) => {
    const wanted = coming.get(String(address.url || address).split("/").pop());
    if (!wanted) return plainFetch(address, more);
    const answer = await wanted.answer;
    return answer.ok ? new Response(unpacked(answer), {headers: {"Content-Type": wanted.type}}) : answer;
  };
}

/** A packed module's default export. */
export async function importPacked(address) {
  const code = await fetchPacked(address);
  const here = URL.createObjectURL(new Blob([code], {type: "text/javascript"}));
  return (await import(here)).default;
}

/** Put the files of an archive into a file system: a line of JSON with [name, size] of each, then their bytes. */
export function unpack(bytes, files, folder) {
  const end = bytes.indexOf(10);
  const list = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const made = new Set();
  let at = end + 1;
  for (const [name, size] of list) {
    const path = `${folder}/${name}`;
    const above = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(above)) {
      files.mkdirTree(above);
      made.add(above);
    }
    files.writeFile(path, bytes.subarray(at, at + size), {canOwn: true});
    at += size;
  }
}
