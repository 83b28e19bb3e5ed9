// SHA-256 (FIPS 180-4) and HMAC (RFC 2104). A browser's own can be used on secure addresses alone, and a table in one's own
// network has none.

const K = new Uint32Array(64);
const FIRST = new Uint32Array(8);

(function fill() {
  const fraction = (root) => Math.floor((root - Math.floor(root)) * 0x100000000) >>> 0;
  for (let number = 2, found = 0; found < 64; number += 1) {
    let prime = true;
    for (let by = 2; by * by <= number; by += 1) if (number % by === 0) prime = false;
    if (!prime) continue;
    if (found < 8) FIRST[found] = fraction(Math.sqrt(number));
    K[found] = fraction(Math.cbrt(number));
    found += 1;
  }
})();

const turn = (word, by) => (word >>> by) | (word << (32 - by));

function mix(hash, block, words) {
  for (let at = 0; at < 16; at += 1) words[at] = block.getUint32(4 * at);
  for (let at = 16; at < 64; at += 1) {
    const [a, b] = [words[at - 15], words[at - 2]];
    words[at] = words[at - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + words[at - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let at = 0; at < 64; at += 1) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[at] + words[at]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => { hash[index] += word; });
}

/** The 32 bytes of the hash of some bytes. */
export function sha256(bytes) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(length - 4, (bytes.length << 3) >>> 0);
  const hash = Uint32Array.from(FIRST);
  const words = new Uint32Array(64);
  for (let at = 0; at < length; at += 64) mix(hash, new DataView(padded.buffer, at, 64), words);
  const found = new DataView(new ArrayBuffer(32));
  hash.forEach((word, index) => found.setUint32(4 * index, word));
  return new Uint8Array(found.buffer);
}

export function joined(...parts) {
  const found = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    found.set(part, at);
    at += part.length;
  }
  return found;
}

/** HMAC-SHA256 under a key of at most 64 bytes. */
export function hmac(key, bytes) {
  const pad = (byte) => Uint8Array.from({length: 64}, (_, index) => (key[index] || 0) ^ byte);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), bytes))));
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
