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

// Python's loader asks for its program and its library itself: it gets what is packed here under their names.
globalThis.fetch = async (address, more) => {
  const text = String(address.url || address);
  if (text.endsWith(".wasm")) {
    const answer = await plainFetch(`${text.slice(0, -5)}.bin`, more);
    if (!answer.ok) return answer;
    return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), {headers: {"Content-Type": "application/wasm"}});
  }
  return plainFetch(address, more);
};

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
