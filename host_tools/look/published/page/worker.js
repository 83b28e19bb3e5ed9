// The worker of the published page: it loads Python, lets the table live, carries messages, and keeps the table's files.

import {loadPyodide} from "./python/pyodide.mjs";
import {fetchPacked, unpack} from "./packed.js";
import {Kept} from "./kept.js";

const FOLDER = "/kept";
const KEEP_MS = 400; // how long after an act its files are written into the browser's storage
let table = null; // the Python object
let python = null;
let timer = 0;
let keepTimer = 0;
let kept = null;
const marks = {};
const early = []; // messages that came before the table stood

const mark = (name) => { marks[name] = Math.round(performance.now()); };
const tell = (told, facts = {}) => postMessage({told, ...facts});

async function start({seed, language, plays}) {
  mark("begun");
  const store = Kept.open();
  const program = fetchPacked("program.bin", (percent) => tell("loading", {percent}));
  python = await loadPyodide({indexURL: "./python/", stdLibURL: "./python/library.bin", packages: [], fullStdLib: false, env: {HOME: "/home", TZ: Intl.DateTimeFormat().resolvedOptions().timeZone, PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1"}});
  mark("python");
  tell("starting");
  unpack(new Uint8Array(await program), python.FS, "/program");
  mark("unpacked");
  kept = await store;
  await kept.restore(python.FS, FOLDER);
  mark("restored");
  python.runPython(`
import sys
sys.path[:0] = ["/program", "/program/firmware"]
from host_tools.base import on_host
on_host.prepare()
from host_tools.virtual.stepped import speak_linux
speak_linux()
from host_tools.look.published.worker import Games, Worker
`);
  mark("imported");
  if (!plays) {
    table = python.globals.get("Games")(FOLDER);
    return begun();
  }
  table = python.globals.get("Worker")(FOLDER, language, Number(seed), (text) => tell("text", {text}), hurry, plays === "real");
  begun();
  return hurry();
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
  await kept.write(python.FS, FOLDER);
  keepTimer = 0;
  tell("kept", {count: kept.writes});
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
