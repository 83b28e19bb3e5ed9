// The site's worker in node, beside stand-ins for a browser, on a line that is gone behind the first card: node gone_probe.mjs PLAY
// PLAY: the site's folder play/, in which scripts are modules. Tells as JSON: each answer's status, how many of the acts were
// acknowledged, and what the worker said of itself.

import {readFileSync, writeFileSync} from "node:fs";

const [play] = process.argv.slice(2);
const ACTS = 40;
const exit = process.exit.bind(process);
const name = (address) => String(address.url || address).split("/").pop().split("?")[0];
const read = (address) => readFileSync(`${play}/${String(address.url || address).replace(`file://${play}/`, "").split("?")[0]}`);
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = Object;
globalThis.location = {href: `file://${play}/worker.js`, pathname: `${play}/worker.js`, toString() { return this.href; }};
globalThis.fetch = async (address) => {
  if (name(address).includes("later")) throw new TypeError("Failed to fetch");
  const bytes = read(address);
  return new Response(bytes, {headers: {"Content-Length": String(bytes.length)}});
};
globalThis.XMLHttpRequest = class {
  open() {}

  send() { throw new Error("there is no line"); }
};
globalThis.Blob = class { constructor([code]) { this.code = code; } };
URL.createObjectURL = ({code}) => {
  writeFileSync(`${play}/blob.mjs`, Buffer.from(code));
  return `file://${play}/blob.mjs`;
};
globalThis.onmessage = null;
const told = [], statuses = [];
let acknowledged = 0;
let done = null, enough = null;
globalThis.postMessage = (message) => {
  if (message.told === "line") { // now it would stand still until the line is back
    console.error("a function of the later half was called");
    exit(1);
  }
  if (message.told === "text" && JSON.parse(message.text).type === "ack" && ++acknowledged === ACTS) enough();
  if (message.told === "answer") statuses.push(JSON.parse(message.text).status);
  if (["ready", "settled", "failed"].includes(message.told)) told.push(message.told);
  if (["settled", "failed"].includes(message.told)) done();
};
const settled = new Promise((come) => { done = come; });
const taken = new Promise((come) => { enough = come; });
delete globalThis.process; // else Python would take this for node
await import(`${play}/worker.js`);
const ask = (what) => onmessage({data: what});
const hear = (message) => ask({do: "hear", text: JSON.stringify(message)});
ask({do: "start", seed: "7", language: "en", plays: true});
await settled;
ask({do: "open"});
hear({type: "hello", client: "gonevisitor"});
for (let n = 1; n <= ACTS; n += 1) hear({type: "act", n, do: "press", seat: 1, key: "OK"});
await taken;
for (const address of ["puzzles/list.json", "records?language=en"]) ask({do: "answer", address, n: 1});
console.log(JSON.stringify({told, statuses, acknowledged}));
exit(0);
