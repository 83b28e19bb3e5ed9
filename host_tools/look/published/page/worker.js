// The worker of the published page: it loads Python, lets the table live, carries messages, and keeps the table's files.

import {loadPyodide} from "./python/pyodide.mjs";
import {MOST_MS, fetchNow, fetchPacked, fetchPython, gunzipped, importPacked, standStill, unpack} from "./packed.js";
import {Halves} from "./halves.js";
import {Kept} from "./kept.js";
import {FILES, STARTUP} from "./startup.js";

const FOLDER = "/kept";
const KEEP_MS = 400; // how long after an act its files are written into the browser's storage
const SETTLE_MS = 2000; // what no first card needs waits so long: it would take line and processor from that card
const AGAIN_MS = 10_000; // what has not come is asked for again: without it Python stands still at the first call into it
const STAND_MS = 2000; // so long, then it asks itself
const ASK_MS = 30_000; // how long it waits for all of the answer, then twice as long each time
const LOADING_MS = 200; // between two times that the page hears how much has come: it draws itself again each time
let table = null; // the Python object
let python = null;
let timer = 0;
let keepTimer = 0;
let kept = null;
const marks = {};
const early = []; // messages that came before the table stood

const mark = (name) => { marks[name] = Math.round(performance.now()); };
const tell = (told, facts = {}) => postMessage({told, ...facts});

const PARTS = {"pyodide.asm.wasm": [0, 55], "library.zip": [55, 19], program: [74, 26]}; // percent before it, and its own
let toldLoading = -LOADING_MS;

function loading(name, share) {
  const percent = Math.floor(PARTS[name][0] + PARTS[name][1] * share);
  if (percent < 100 && performance.now() - toldLoading < LOADING_MS) return;
  toldLoading = performance.now();
  tell("loading", {percent});
}

// All that a first card needs begins to come as soon as there is a worker, in the order in which it is needed.
mark("begun");
const loader = importPacked("python/pyodide.asm.js.bin");
const halves = new Halves(bringHalf);
const laterHalf = () => `python/pyodide.later.bin?${halves.mark}`; // that of another version may lie in the browser's cache
const program = fetchPython("python", loading).then(() => fetchPacked("program.bin", (share) => loading("program", share)));
const store = Kept.open();
for (const one of [loader, program]) one.catch(() => {}); // `start` tells of it

const ready = (async () => {
  python = await loadPyodide({createPyodideModule: await loader, indexURL: "./python/", stdLibURL: "./python/library.zip", packages: [], fullStdLib: false, env: {HOME: "/home", TZ: Intl.DateTimeFormat().resolvedOptions().timeZone, PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1"}});
  mark("python");
  const files = new Uint8Array(await program);
  tell("starting"); // behind the last percent
  unpack(files, python.FS, FILES);
  mark("unpacked");
  python.globals.set("bring_later", bringNow);
  python.runPython(STARTUP);
  mark("imported");
})();
ready.catch(() => {}); // `start` tells of it

let hasLater = false;

/** Put what follows the first game where it belongs; Python looks for it from now on. */
function takeLater(bytes) {
  if (hasLater) return;
  hasLater = true;
  unpack(bytes, python.FS, FILES);
  python.runPython("Later.has_come = True\nimportlib.invalidate_caches()");
}

/** The later half of Python at once: it stands in a call of it, and would end with a call in vain. Where the line is gone
 * the table stands still until it is back, and the page says so. */
function bringHalf() {
  mark("hurried");
  for (let isGone = false, ms = ASK_MS; ; ms = Math.min(2 * ms, MOST_MS), standStill(STAND_MS)) {
    try {
      const half = fetchNow(laterHalf(), {ms});
      if (isGone) tell("line", {isGone: false});
      return half;
    } catch {
      if (!isGone) tell("line", {isGone: true});
      isGone = true;
    }
  }
}

async function bringLater() {
  if (!halves.isWhole) await halves.join(await fetchPacked(laterHalf()));
  if (!hasLater) takeLater(new Uint8Array(await fetchPacked("later.bin", () => {}, gunzipped)));
}

const bringAgain = () => setTimeout(() => bringLater().catch(bringAgain), AGAIN_MS);

/** The same at once: Python stands in an import, and cannot wait for a promise. */
function bringNow(inflate) {
  const made = fetchNow("later.bin", {unpacks: inflate});
  takeLater(made.toJs());
  made.destroy();
}

async function start({seed, language, plays}) {
  await ready;
  kept = await store;
  await kept.restore(python.FS, FOLDER);
  mark("restored");
  if (!plays) {
    table = python.globals.get("Games")(FOLDER, (done, of) => tell("far", {done, of}));
    await bringLater();
    begun();
    return tell("settled", {marks});
  }
  table = python.globals.get("Worker")(FOLDER, language, Number(seed), (text) => tell("text", {text}), hurry, plays === "real");
  begun();
  hurry();
  setTimeout(async () => {
    await bringLater().catch(bringAgain); // what is wanted of it sooner is asked for at once
    tell("settled", {marks});
  }, SETTLE_MS);
}

/** Everything stands; what was asked meanwhile is answered. */
function begun() {
  mark("ready");
  tell("ready", {keeps: kept.keeps, marks});
  while (early.length) onmessage({data: early.shift()});
}

/** The table has work: it lives on at once. */
function hurry() {
  clearTimeout(timer);
  timer = setTimeout(live, 0);
  if (!keepTimer) keepTimer = setTimeout(keep, KEEP_MS);
}

function live() {
  clearTimeout(timer);
  const wait = table.counter.live();
  if (wait !== Infinity) timer = setTimeout(live, wait * 1000);
  if (wait !== Infinity && !keepTimer) keepTimer = setTimeout(keep, KEEP_MS);
}

async function keep() {
  clearTimeout(keepTimer);
  keepTimer = 0;
  const {writes, keeps} = kept;
  await kept.write(python.FS, FOLDER);
  if (kept.failures === 1 && !keepTimer) keepTimer = setTimeout(keep, KEEP_MS); // after a second failure the next act tries
  if (kept.writes !== writes || kept.keeps !== keeps) tell("kept", {count: kept.writes, keeps: kept.keeps});
}

const DOERS = {
  start: (message) => start(message).catch((wrong) => tell("failed", {why: String(wrong.message || wrong).trim().split("\n").pop()})),
  open: () => table.counter.open(),
  hear: ({text}) => { table.counter.hear(text); hurry(); },
  answer: ({address, n}) => tell("answer", {n, text: table.answer(address)}),
  bring: ({name, content, n}) => { table.bring(name, python.toPy(content)); tell("answer", {n}); },
  take: ({name, content, n}) => {
    let text = "";
    let why = "";
    try {
      text = table.take_in(name, python.toPy(content));
    } catch (wrong) {
      why = String(wrong.message).trim().split("\n").pop();
    }
    hurry();
    tell("answer", {n, text, why});
  },
  keep: () => table.counter && keep(),
};

onmessage = ({data}) => (table || data.do === "start" ? DOERS[data.do](data) : early.push(data));
