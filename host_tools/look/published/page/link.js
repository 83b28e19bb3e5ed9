// A whole game in a link: its record, packed, as letters that an address may have.

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** The letters for a record. */
export async function packGame(bytes) {
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

/** The record of such letters. */
export async function unpackGame(text) {
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return through(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
}
