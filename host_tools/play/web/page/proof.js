// "This is the game you watched": what this page saw of a game, held against its record once there are no secrets any more.
// The page computes all of it by itself, from the lines that it got while the game went on (docs/record.md).

import {say} from "./words.js";
import {Later} from "./later.js";

const comparing = new Later(() => import("./compare.js"));
const seen = new Map();
let verdict = null;
let waits = false;

/** Every message of the connection passes here; `changed` is called when there is a verdict. */
export function hearProof(message, changed) {
  if (message.type === "feed") for (const line of message.lines) note(line);
  if (message.type === "proof") {
    const raws = [...seen].sort((a, b) => a[0] - b[0]).flatMap(([, lines]) => lines);
    comparing.use((one) => judge(one.compare(raws, message.record), changed));
  }
}

function judge(found, changed) {
  verdict = found;
  waits = false;
  document.body.dataset.proof = verdict.good ? "good" : "bad";
  changed();
}

function note(line) {
  if (!line.raw) return;
  if (line.raw.includes("cardtable 1")) {
    seen.clear();
    verdict = null;
    delete document.body.dataset.proof;
  }
  if (!seen.has(line.n)) seen.set(line.n, line.raw);
  waits = waits || line.raw.some((raw) => raw.startsWith("result: "));
}

/** What the page says of it: nothing while the game goes on. */
export function proofWords() {
  if (verdict) return verdict.good ? say("proofGood", verdict.count) : say("proofBad", verdict.line);
  return waits && seen.size ? say("proofWait") : "";
}

/** Whether the record is of another game. */
export function proofFailed() {
  return Boolean(verdict) && !verdict.good;
}
