// A whole game in a link: its record, packed, as letters that an address may have.

const MOST_BYTES = 1024 * 1024; // of a record, as bring.js takes it: a short link could unpack to more than a browser has

/** These bytes through that stream; none if they are not for it, or come to too many. */
async function through(bytes, stream) {
  const parts = [];
  let count = 0;
  try {
    for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ;) {
      const {done, value} = await reader.read();
      if (done) break;
      parts.push(value);
      count += value.length;
      if (count > MOST_BYTES) {
        await reader.cancel();
        return new Uint8Array();
      }
    }
  } catch {
    return new Uint8Array();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The letters for a record. */
export async function packGame(bytes) {
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/** The record of such letters; nothing, which is no record, if they are none. */
export async function unpackGame(text) {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return new Uint8Array();
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return through(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
}
