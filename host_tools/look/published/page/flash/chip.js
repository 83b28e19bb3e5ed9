// One try at a chip over a serial port: asks what it is, writes to its flash, compares, starts it. Espressif's loader
// does the work; here stands how a try ends, whatever happens to cable and power.

import {ESPLoader, Transport} from "./esptool.js";
import {md5} from "./md5.js";

const ROM_BAUD = 115200;
const CLOSE_MS = 3000;
const PSRAM_MB = {1: 8, 2: 2}; // of an ESP32-S3, by its fuses

/** What went wrong, by the key of its sentence. */
export class Trouble extends Error {
  constructor(key, facts = {}) {
    super(key);
    this.key = key;
    this.facts = facts;
  }
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Open a port; a Trouble says why it could not be. */
export async function openPort(port, baudRate) {
  try {
    await port.open({baudRate});
  } catch {
    throw new Trouble("busy");
  }
}

/** Close it, in whatever state it is. */
export async function closePort(port) {
  const late = Date.now() + CLOSE_MS;
  while ((port.readable || port.writable) && Date.now() < late) {
    const isClosed = await Promise.race([port.close().then(() => true, () => false), sleep(CLOSE_MS)]);
    if (isClosed) return;
    await sleep(50); // whoever reads or writes lets go in a moment
  }
}

/** A port for one try: once that is over, nothing of it reaches the chip any more. */
class Cable {
  constructor(port) {
    this.port = port;
    this.isOver = false;
    this.lost = new Promise((_, refuse) => { this.lose = () => refuse(new Trouble("cut")); });
    this.lost.catch(() => {});
    port.addEventListener?.("disconnect", this.lose);
  }

  get readable() { return this.isOver ? null : this.port.readable; }
  get writable() { return this.isOver ? null : this.port.writable; }
  getInfo() { return this.port.getInfo(); }

  async open({baudRate}) {
    if (this.isOver) throw new Trouble("cut");
    await openPort(this.port, baudRate);
  }

  async close() {
    if (!this.isOver) await this.port.close();
  }

  async setSignals(how) {
    if (this.isOver) throw new Trouble("cut");
    await this.port.setSignals(how);
  }

  end() {
    this.isOver = true;
    this.port.removeEventListener?.("disconnect", this.lose);
  }
}

/** Lets go of its lock even where a write fails, and keeps quiet on the browser's console. */
class Wire extends Transport {
  trace() {}

  async write(data) {
    const writer = this.device.writable.getWriter();
    try {
      await writer.write(this.slipWriter(data));
    } finally {
      writer.releaseLock();
    }
  }
}

/** Start what lies on the chip at that open port. */
export async function start(port) {
  await port.setSignals({dataTerminalReady: false, requestToSend: true});
  await sleep(100);
  await port.setSignals({dataTerminalReady: false, requestToSend: false});
}

/** Do `work(loader, about)` with the chip at that port; then start it, or leave it in its loader. Throws a Trouble. */
export async function withChip(port, baudrate, work, starts = true) {
  const cable = new Cable(port);
  const wire = new Wire(cable);
  const quiet = {clean() {}, write() {}, writeLine() {}};
  const loader = new ESPLoader({transport: wire, baudrate, romBaudrate: ROM_BAUD, terminal: quiet});
  const all = (async () => {
    await loader.main();
    await work(loader, await describe(loader));
    if (starts) await start(cable);
  })();
  all.catch(() => {});
  try {
    await Promise.race([all, cable.lost]);
  } catch (error) {
    throw error instanceof Trouble ? error : tell(error, loader);
  } finally {
    cable.end();
    await wire.reader?.cancel().catch(() => {});
    await closePort(port);
  }
}

async function describe(loader) {
  const about = {chip: loader.chip.CHIP_NAME, flash: parseInt(await loader.detectFlashSize() || "0"), psram: 0};
  if (loader.chip.getPsramCap) about.psram = PSRAM_MB[await loader.chip.getPsramCap(loader)] || 0;
  return about;
}

function tell(error, loader) {
  if (error?.name === "NetworkError" || error?.name === "InvalidStateError") return new Trouble("cut");
  if (!loader.chip) return new Trouble("silent");
  return new Trouble(/MD5/.test(error?.message || "") ? "differs" : "stopped");
}

/** Write [{at, bytes}] one after the other; each is compared on the chip by its sum. `progress(percent)`. */
export async function write(loader, parts, progress) {
  const whole = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  await loader.writeFlash({
    fileArray: parts.map(({at, bytes}) => ({address: at, data: bytes})),
    flashSize: "keep", flashMode: "keep", flashFreq: "keep", eraseAll: false, compress: true, calculateMD5Hash: md5,
    reportProgress(index, sent, total) {
      const before = parts.slice(0, index).reduce((sum, part) => sum + part.bytes.length, 0);
      progress(Math.floor(100 * (before + parts[index].bytes.length * sent / total) / whole));
    },
  });
}
