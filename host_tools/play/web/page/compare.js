// Holds what a page saw of a game against the game's record (docs/record.md).

import {hex, hmac, joined, sha256} from "./sha256.js";

const LETTERS = "ACDEFHJKMNPRTVWXY23456789";
const encoder = new TextEncoder();

/** Hold raw lines of a feed against a record: {good, count} or {good: false, line}. */
export function compare(raws, record) {
  const lines = record.split("\n").slice(0, -1);
  const empty = lines.indexOf("");
  const header = lines.slice(0, empty);
  const events = lines.slice(empty + 1).filter((line) => !/^[~;]/.test(line));
  const nonce = (header.find((line) => line.startsWith("nonce: ")) || "").slice(7);
  const key = encoder.encode(nonce);
  const chain = chainOf(lines);
  let at = 0;
  let count = 0;
  for (const raw of raws) {
    const fits = fitsOne(raw, {header, events, nonce, key, chain, from: at});
    if (fits === null) continue;
    if (fits < 0) return {good: false, line: raw};
    at = fits;
    count += 1;
  }
  return {good: count > 0, count, line: ""};
}

/** Where the record goes on behind this line of the feed; -1: it does not fit, null: it tells of no event. */
function fitsOne(raw, {header, events, nonce, key, chain, from}) {
  if (raw.startsWith("digest: ")) return digestWords(chain) === raw.slice(8) ? from : -1;
  if (raw.startsWith("nonce: ")) return raw.slice(7) === nonce ? from : -1;
  if (raw === "cardtable 1" || /^[a-z_]+: /.test(raw)) {
    if (/^(opened|resumed after|fault|time|feed): /.test(raw)) return null;
    if (raw.startsWith("result: ")) return events.indexOf(raw, from) < 0 ? -1 : events.indexOf(raw, from) + 1;
    return header.includes(raw) ? from : -1;
  }
  const found = /^(\d\S* \d) (.*) ~ ([0-9a-f]{16})$/.exec(raw);
  if (found) {
    for (let at = from; at < events.length; at += 1) {
      if (events[at].startsWith(`${found[1]} `) && hex(hmac(key, encoder.encode(events[at])).slice(0, 8)) === found[3]) return at + 1;
    }
    return -1;
  }
  if (!/^\d/.test(raw)) return null;
  const at = events.indexOf(raw, from);
  return at < 0 ? -1 : at + 1;
}

function chainOf(lines) {
  let chain = new Uint8Array(16);
  for (const line of lines) if (!line.startsWith("~ ")) chain = sha256(joined(chain, encoder.encode(`${line}\n`))).slice(0, 16);
  return chain;
}

function digestWords(chain) {
  const bytes = sha256(joined(encoder.encode("digest"), chain)).slice(0, 8);
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let letters = "";
  for (let index = 0; index < 12; index += 1) {
    letters += LETTERS[Number(number % 25n)];
    number /= 25n;
  }
  return letters.replace(/(.{4})(?=.)/g, "$1 ");
}
