// Looks at a file that is to be MicroPython: its own sums, the chip it is for, its version, and where it keeps files.
// The form is that of Espressif's images ("ESP-IDF Programming Guide, App Image Format" and "Partition Tables").

const MAGIC = 0xe9;
const CHIPS = {0: "ESP32", 9: "ESP32-S3"};
const HEAD = 24;
const APP = 0x10000; // in the flash
const TABLE = 0x8000;
const MOST_SEGMENTS = 16;

/** What the file is: {chip, version, sha256, partitions} or {wrong: key, ...}. loadsAt: where its first byte goes. */
export async function look(bytes, chip, loadsAt, filesAt) {
  const sha256 = await hexSum(bytes);
  if (bytes.length < HEAD || bytes[0] !== MAGIC) return {wrong: "noImage"};
  const found = CHIPS[bytes[12] | bytes[13] << 8] || "?";
  if (found !== chip) return {wrong: "otherChip", found, chip};
  const whole = await hasRightSums(bytes, 0) && await hasRightSums(bytes, APP - loadsAt);
  if (!whole) return {wrong: "damaged"};
  const text = new TextDecoder("latin1").decode(bytes);
  const version = /MicroPython v(\d+\.\d+(?:\.\d+)?)/.exec(text);
  if (!version) return {wrong: "noPython"};
  const partitions = readTable(bytes, TABLE - loadsAt);
  const files = partitions.find((part) => part.label === "vfs");
  const last = Math.max(...partitions.filter((part) => part !== files).map((part) => part.at + part.size), bytes.length + loadsAt);
  return {version: version[1], sha256, takesFiles: last <= filesAt && (!files || files.at === filesAt)};
}

async function hexSum(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether an image at that place is whole: the XOR of its segments, and the SHA-256 behind them where it has one. */
async function hasRightSums(bytes, start) {
  if (start < 0 || start + HEAD > bytes.length || bytes[start] !== MAGIC || bytes[start + 1] > MOST_SEGMENTS) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start + HEAD, sum = 0xef;
  for (let left = bytes[start + 1]; left; left--) {
    if (at + 8 > bytes.length) return false;
    const size = view.getUint32(at + 4, true);
    at += 8;
    if (at + size > bytes.length) return false;
    for (let end = at + size; at < end; at++) sum ^= bytes[at];
  }
  at += 15 - (at - start) % 16;
  if (bytes[at] !== sum) return false;
  at += 1;
  if (!bytes[start + 23]) return true;
  return await hexSum(bytes.subarray(start, at)) === Array.from(bytes.subarray(at, at + 32), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function readTable(bytes, start) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = [];
  for (let at = start; at + 32 <= bytes.length && view.getUint16(at, true) === 0x50aa; at += 32) {
    const label = new TextDecoder("latin1").decode(bytes.subarray(at + 12, at + 28)).replace(/\0.*$/s, "");
    found.push({at: view.getUint32(at + 4, true), size: view.getUint32(at + 8, true), label});
  }
  return found;
}
