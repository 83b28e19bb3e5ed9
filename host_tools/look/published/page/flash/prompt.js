// The console of a table: its lines as they come, and MicroPython's raw prompt for short programs ("REPL: the raw mode"
// in MicroPython's reference).

import {Trouble, closePort, openPort, sleep} from "./chip.js";

const BAUD = 115200;
const RAW = "raw REPL; CTRL-B to exit\r\n>";
const TRIES_MS = [1000, 2000, 4000, 8000];
const SILENT_MS = 60000;
const CHUNK = 128; // a UART's buffer has 256 bytes, and nobody tells when it is full
const IS_WATCHED = "import sys\nprint(getattr(sys.modules.get('main'), 'is_watched', False))";

export class Prompt {
  /** `onLine` gets each line that the table prints by itself, `onLost` is called when the cable is gone. */
  constructor(port, onLine, onLost) {
    Object.assign(this, {port, onLine, onLost, said: "", rest: "", isOpen: false, isAsked: false, wake: () => {}});
  }

  async open() {
    await openPort(this.port, BAUD);
    this.isOpen = true;
    this.reading = this.read();
  }

  async read() {
    const decoder = new TextDecoder();
    try {
      while (this.isOpen && this.port.readable) {
        this.reader = this.port.readable.getReader();
        try {
          for (;;) {
            const {value, done} = await this.reader.read();
            if (done) return;
            this.hear(decoder.decode(value, {stream: true}));
          }
        } catch (error) {
          if (!["BufferOverrunError", "FramingError", "BreakError", "ParityError"].includes(error?.name)) return;
        } finally {
          this.reader.releaseLock();
        }
      }
    } finally {
      if (this.isOpen) {
        this.isOpen = false;
        this.wake();
        await closePort(this.port);
        this.onLost();
      }
    }
  }

  hear(text) {
    if (this.isAsked) {
      this.said += text;
      this.wake();
      return;
    }
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = lines.pop().slice(-500);
    for (const line of lines) this.onLine(line);
  }

  async close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.reader?.cancel().catch(() => {});
    await this.reading;
    await closePort(this.port);
  }

  async type(text) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += CHUNK) {
      if (!this.isOpen || !this.port.writable) throw new Trouble("cut");
      const writer = this.port.writable.getWriter();
      try {
        await writer.write(bytes.subarray(at, at + CHUNK));
      } catch {
        throw new Trouble("cut");
      } finally {
        writer.releaseLock();
      }
      if (bytes.length > CHUNK) await sleep(20);
    }
  }

  /** Everything up to `end`, taken from what was said; null: it has not come after that long. */
  async until(end, ms, onText = () => {}) {
    let told = 0, late = Date.now() + ms;
    for (;;) {
      const at = this.said.indexOf(end);
      const upTo = at < 0 ? this.said.length : at;
      if (upTo > told) {
        onText(this.said.slice(told, upTo));
        told = upTo;
        late = Date.now() + ms;
      }
      if (at >= 0) {
        const text = this.said.slice(0, at);
        this.said = this.said.slice(at + end.length);
        return text;
      }
      if (!this.isOpen) throw new Trouble("cut");
      if (Date.now() >= late) return null;
      await new Promise((done) => {
        const timer = setTimeout(done, Math.max(1, late - Date.now()));
        this.wake = () => { clearTimeout(timer); done(); };
      });
    }
  }

  /** Stop the table's program, do `work`, let the table start again. Throws a Trouble where there is no prompt. */
  async stopped(work) {
    this.isAsked = true;
    this.said = "";
    try {
      await this.stop();
      return await work();
    } finally {
      this.isAsked = false;
      this.rest = "";
      if (this.isOpen) await this.type("\x02\x04").catch(() => {});
    }
  }

  async stop() {
    let wasReset = false;
    for (let number = 0; number < TRIES_MS.length; number++) {
      this.said = "";
      await this.type("\r\x03\x03");
      await sleep(100);
      await this.type("\r\x01");
      if (await this.until(RAW, TRIES_MS[number]) === null) continue;
      if (wasReset || (await this.run(IS_WATCHED)).trim() !== "True") return;
      // Only a reset of the chip ends a watchdog, and nothing feeds it at the prompt.
      await this.type("import machine\nmachine.reset()\x04");
      wasReset = true;
      number = -1;
    }
    throw new Trouble("noPrompt");
  }

  /** Run a program at the raw prompt; what it prints. `onText` gets it as it comes. */
  async run(code, onText) {
    await this.type(`${code}\x04`);
    if (await this.until("OK", TRIES_MS[2]) === null) throw new Trouble("noPrompt");
    const said = await this.until("\x04", SILENT_MS, onText);
    const wrong = said === null ? null : await this.until("\x04>", TRIES_MS[2]);
    if (wrong === null) throw new Trouble("hangs");
    if (wrong) throw new Trouble("failed", {line: wrong.trim().split("\n").at(-1)});
    return said;
  }
}
