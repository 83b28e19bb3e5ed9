// MD5 of some bytes (RFC 1321): the sum by which a chip's loader tells what lies on its flash. Browsers have none.

const TURNS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
const SINES = Int32Array.from({length: 64}, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));

/** The sum as 32 hex digits. */
export function md5(bytes) {
  const size = (bytes.length + 8 >> 6) + 1 << 6;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, bytes.length << 3, true);
  view.setUint32(size - 4, Math.floor(bytes.length / 2 ** 29), true);
  const sum = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  const words = new Int32Array(16);
  for (let at = 0; at < size; at += 64) {
    for (let word = 0; word < 16; word++) words[word] = view.getInt32(at + 4 * word, true);
    addBlock(sum, words);
  }
  const out = new DataView(new ArrayBuffer(16));
  sum.forEach((word, index) => out.setInt32(4 * index, word, true));
  return Array.from(new Uint8Array(out.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function addBlock(sum, words) {
  let [a, b, c, d] = sum;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    let mixed, word;
    if (round === 0) [mixed, word] = [b & c | ~b & d, step];
    else if (round === 1) [mixed, word] = [d & b | ~d & c, 5 * step + 1 & 15];
    else if (round === 2) [mixed, word] = [b ^ c ^ d, 3 * step + 5 & 15];
    else [mixed, word] = [c ^ (b | ~d), 7 * step & 15];
    const added = a + mixed + SINES[step] + words[word] | 0;
    const turn = TURNS[round][step & 3];
    [a, b, c, d] = [d, b + (added << turn | added >>> 32 - turn) | 0, b, c];
  }
  sum[0] += a;
  sum[1] += b;
  sum[2] += c;
  sum[3] += d;
}
