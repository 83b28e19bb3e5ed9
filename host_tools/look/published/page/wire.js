// The wire of the published page: the table lives in this page's worker, and answers as a server would.

import "./storage.js";
import "./site_words.js";
import {language, say, setLanguage} from "./words.js";
import {wantedLanguage} from "./reading.js";
import {packGame, unpackGame} from "./link.js";
import {watchVersion} from "./version.js";

const EARLY = "./early.js"; // has begun in the page's head, where nothing kept it from that
const PHASE = "cardtable.phase"; // of this browser's table, as it said last
const isReal = new URLSearchParams(location.search).has("real"); // another table: its cards are real, and this phone reads them
const LOBBY = "lobby";
const STARTING = ["off", "start"]; // phases of a table that comes, or comes again for a game
const REFUSED = "siteRefused"; // what is said while nothing is kept
const SILENCE_MS = 30_000; // after which the page says that nothing comes
const asked = new Map(); // number: who waits for an answer, and the worker that owes it
const NO_ANSWER = JSON.stringify({status: 500, text: ""});
let worker = null;
let count = 0;
let wire = null; // the one that is open
let isReady = false;
let hasTable = false; // the worker is one in which a table will live
let showsLobby = false; // the lobby of a fresh table, until the table itself has one
let told = ["siteStarting", ""];
let toldBefore = told; // the line was gone
let silence = 0; // the timer of a table that is coming
let thinker = null; // a second worker, for what takes long: the table goes on meanwhile
let hinted = null; // what was said at once of the last hint
let brought = null; // the record that the address itself holds, once the worker has it
let isClaimed = false;
let far = {}; // how far an analysis is: of how many steps how many are done
const lobbies = new Map(); // by language: what a fresh table says, as it was written down when the site was made

/** What the page says of the table itself; it stands there until the table speaks. */
function tell(key, fact = "") {
  told = [key, fact];
  const line = document.getElementById("site");
  if (line) {
    line.textContent = key ? say(key, fact) : "";
    line.hidden = !key;
  }
  document.body.dataset.site = key || "ready";
}

/** The table comes, and something of it has come: a line that swallows the rest gives no error. */
function watchLine() {
  clearTimeout(silence);
  silence = setTimeout(() => tell("siteSilent"), SILENCE_MS);
}

function begin(made, plays) {
  const address = new URLSearchParams(location.search);
  const kind = plays && isReal ? "real" : plays;
  const seed = address.get("seed") || String(crypto.getRandomValues(new Uint32Array(1))[0]);
  worker = made;
  worker.onmessage = (event) => hear(event.data);
  worker.onerror = (event) => fail(event.message || "");
  worker.postMessage({do: "start", seed, language: wantedLanguage(), plays: kind});
  watchLine();
  hasTable = plays;
  if (plays && wire) openNow(wire);
}

function hear(message) {
  if (message.told === "loading") watchLine();
  else clearTimeout(silence);
  if (message.told === "text" && message.text.startsWith('{"type":"think"')) {
    thinkOver(JSON.parse(message.text));
  } else if (message.told === "text") {
    if (wire) wire.isComing = false;
    if (notePhase(message.text) && wire && wire.onmessage) wire.onmessage({data: message.text});
  } else if (message.told === "loading") {
    tell("siteLoading", message.percent);
  } else if (message.told === "starting") {
    tell("siteStarting");
  } else if (message.told === "ready") {
    isReady = true;
    document.body.dataset.readyMs = Math.round(performance.now());
    document.body.dataset.marks = JSON.stringify(message.marks);
    tell(message.keeps ? "" : REFUSED);
  } else if (message.told === "settled") {
    document.body.dataset.settled = JSON.stringify(message.marks);
    watchVersion(new URL("../sw.js", import.meta.url), say("siteUpdate"), say("siteReload"));
  } else if (message.told === "line") {
    if (message.isGone) toldBefore = told;
    tell(...(message.isGone ? ["siteGone"] : toldBefore));
  } else if (message.told === "failed") {
    fail(message.why);
  } else if (message.told === "answer") {
    settle(message);
  } else if (message.told === "far") {
    far = {before: 0, done: message.done, of: message.of};
  } else if (message.told === "kept") {
    document.body.dataset.kept = message.count;
    if (message.keeps === (told[0] === REFUSED)) tell(message.keeps ? "" : REFUSED);
  }
}

function settle(message) {
  const one = asked.get(message.n);
  asked.delete(message.n);
  if (one) one.done(message);
}

/** That worker answers nothing of what it was asked. */
function settleAll(whom) {
  for (const [n, one] of asked) if (one.whom === whom) settle({n, text: NO_ANSWER});
}

function fail(why) {
  tell("siteFailed", why);
  settleAll(worker);
}

/** Keep the table's phase, if the message tells it; whether the page hears of it: a table that is only starting, once or
 * again for a game, does not take the lobby away. */
function notePhase(text) {
  if (!text.startsWith('{"type":"table"')) return true;
  const {phase} = JSON.parse(text);
  if (!isReal) localStorage.setItem(PHASE, phase);
  showsLobby &&= STARTING.includes(phase);
  return !showsLobby;
}

/** The page comes to the table. One that does not stand yet hears of it, and of what was pressed meanwhile, before it lives
 * for the first time: so a game that was begun in the lobby of the file is the first thing that it starts with. */
function openNow(one) {
  worker.postMessage({do: "open"});
  if (one.onopen) one.onopen();
}

/** The table of this browser is ours, or another tab has it: then this one waits until that is closed. */
async function claim() {
  setLanguage(wantedLanguage()); // the table tells its own later
  tell(...told);
  setTimeout(() => worker || tell("siteOther"), 300);
  if (!globalThis.comingTable) await import(EARLY);
  begin(await globalThis.comingTable, true);
  tell("siteStarting");
  showLobby();
}

/** A table that stood in its lobby, or that nobody has played at yet, will say what a fresh one said when the site was
 * made: the lobby is there at once, and what is chosen in it waits for the table. */
async function showLobby() {
  if (isReal || ![LOBBY, null].includes(localStorage.getItem(PHASE))) return;
  const messages = await fetchLobby(wantedLanguage() || "en");
  showsLobby = messages.length > 0 && !isReady;
  for (const message of messages) if (wire && !isReady) wire.onmessage({data: JSON.stringify(message)});
}

/** Empty if it does not come. */
function fetchLobby(its) {
  const fetched = () => fetch(`lobby.${its}.json`).then((answer) => (answer.ok ? answer.json() : [])).catch(() => []);
  if (!lobbies.has(its)) lobbies.set(its, fetched());
  return lobbies.get(its);
}

/** What can be played is the same at every table of this site: the table need not put it together before a first card. */
async function tellChoices(one, text) {
  const found = (await fetchLobby(language())).find(({type}) => type === "choices");
  if (!found && hasTable) worker.postMessage({do: "hear", text});
  else if (found && wire === one) one.onmessage({data: JSON.stringify(found)});
}

/** What carries messages, as a WebSocket does. `isComing`: the table cannot answer yet. An act is said again once the table
 * welcomes: it has it already where it was said in the lobby of the file. */
export function openWire() {
  let given = 0; // the last act that the worker has got
  const one = {
    isComing: true,
    send: (text) => {
      const {type, n, do: verb} = JSON.parse(text);
      if (verb === "power") showsLobby = false;
      if (type === "choices") return tellChoices(one, text);
      if (type === "act" && n <= given) return null;
      if (type === "act") given = n;
      return worker.postMessage({do: "hear", text});
    },
    close: () => { if (wire === one) wire = null; },
  };
  wire = one;
  if (!isClaimed) claim();
  isClaimed = true;
  if (hasTable) queueMicrotask(() => wire === one && openNow(one));
  return one;
}

/** What a server would give under that address: `ok`, `text()`, `json()`. */
export async function get(wanted) {
  const address = wanted.replace(/^\//, "");
  if (!worker) begin(new Worker("worker.js", {type: "module"}), false); // a page that looks at games alone
  brought = brought || bring();
  await brought;
  if (address.startsWith("progress.json")) return {ok: true, status: 200, json: async () => far}; // the worker cannot hear
  const found = JSON.parse((await (/^records\/[^/]+\/lesson/.test(address) ? think(address) : ask({do: "answer", address}))).text);
  return {ok: found.status === 200, status: found.status, text: async () => found.text, json: async () => JSON.parse(found.text)};
}

/** A link can hold a whole game: it goes to the worker. */
async function bring() {
  const packed = new URLSearchParams(location.hash.slice(1)).get("game");
  if (packed) await ask({do: "bring", name: "game.rec", content: await unpackGame(packed)});
}

/** The record that is shown, as the letters of a link, where it lies in this browser alone; else none. */
export async function packShown() {
  const name = new URLSearchParams(location.search).get("kept");
  const answer = name && await get(`records/${encodeURIComponent(name)}`);
  return answer && answer.ok ? packGame(new TextEncoder().encode(await answer.text())) : "";
}

/** Ask the worker; its answer. */
export function ask(message, whom = worker) {
  count += 1;
  const n = count;
  return new Promise((done) => {
    asked.set(n, {done, whom});
    whom.postMessage({...message, n});
  });
}

/** A second worker. One that cannot start, as for want of memory, is given up: what is asked next tries another. */
function beginThinker() {
  const made = new Worker("worker.js", {type: "module"});
  const giveUp = () => {
    made.terminate();
    if (thinker === made) thinker = null;
    settleAll(made);
  };
  made.onerror = giveUp;
  made.onmessage = ({data}) => (data.told === "failed" ? giveUp() : data.told === "answer" && settle(data));
  made.postMessage({do: "start", seed: "0", language: "", plays: false});
  return made;
}

/** Ask what takes long: the second worker gets the record, and answers when it has thought. */
async function think(address) {
  const name = address.split("/")[1];
  const record = JSON.parse((await ask({do: "answer", address: `records/${name}`})).text);
  if (!thinker) thinker = beginThinker();
  ask({do: "bring", name: decodeURIComponent(name), content: new TextEncoder().encode(record.text)}, thinker);
  return ask({do: "answer", address}, thinker);
}

/** The rest of a hint, unless another one was asked for meanwhile. The table lives on while the second worker thinks. */
async function thinkOver({begun, facts: {seen, names, language}}) {
  hinted = begun;
  if (!thinker) thinker = beginThinker();
  const facts = new URLSearchParams({seen, language, names: JSON.stringify(names)});
  const {status, text} = JSON.parse((await ask({do: "answer", address: `hint?${facts}`}, thinker)).text);
  const told = status === 200 ? JSON.parse(text) : {why: say("missing")};
  if (hinted === begun && wire && wire.onmessage) wire.onmessage({data: JSON.stringify({...begun, ...told})});
}

/** Whether a server stands behind this page: none does. */
export const isServed = false;

const PAGES = {"": "./", puzzles: "puzzles.html", drills: "drills.html", "my-games": "mine.html"};

/** Where a page lies here: `records/NAME/view?language=ru#line=3` is the viewer with that finished game. */
export function linkTo(address) {
  const [path, query = ""] = address.replace(/^\//, "").split("?");
  if (path in PAGES) return query ? `${PAGES[path]}?${query}` : PAGES[path];
  const found = /^records\/([^/?]+)\/(\w+)\?([^#]*)#?(.*)$/.exec(`${path}?${query}`);
  if (!found) return address;
  const line = found[2] === "try" ? `line=${new URLSearchParams(found[3]).get("line")}` : found[4]; // nobody tries a moment again here
  return `view.html?kept=${found[1]}&${found[3]}#${line}`;
}

/** A finished game as a file. */
async function save(name) {
  const [answer, {saveFile}] = await Promise.all([get(`records/${encodeURIComponent(name)}`), import("./save.js")]);
  saveFile(name, await answer.text(), "text/plain");
}

document.addEventListener("click", (event) => {
  const link = event.target.closest ? event.target.closest("a[data-act=record]") : null;
  if (!link) return;
  event.preventDefault();
  save(link.getAttribute("download"));
});
addEventListener("pagehide", () => worker && worker.postMessage({do: "keep"}));
