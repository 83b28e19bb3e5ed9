// A finished game on the table's own page: a scrubber, everybody's eyes, jumps, a link to each line. It needs no table:
// the game is in the page, or in game.json beside it.

import * as words from "./words.js";
import "./page_words.js";
import "./view_words.js";
import "./ending_words.js";
import {usePictures} from "./cards.js";
import {model, seatsAround} from "./model.js";
import {drawTable} from "./table.js";
import {drawSeats, pilesParent, startSeats} from "./seats.js";
import {openRule, takeRule} from "./rules.js";
import {closeDialog, openDialog} from "./dialog.js";
import {drawCurve, openJudged} from "./judged.js";
import {drawIcon} from "./icons.js";
import {layWatch} from "./watch_layout.js";
import {clock, Replay, unweave} from "./replay.js";
import {keyed, make, place, set, write} from "./make.js";
import {wantedLanguage} from "./reading.js";
import {get, isServed, packShown} from "./wire.js";

const {say} = words;
const SPEEDS = [0.5, 1, 2, 4, 8];
const MARKS = ["refusal", "take", "undo", "mistake", "perhaps"];
const OF_ONE = {mistake: "mistakeOf", perhaps: "perhapsOf"}; // one pair of eyes is told of its own alone
// Longer pauses of the players are cut when the game is played again.
const LONGEST_MS = 3000;
const SHORTEST_MS = 250;
const WRITE_MS = 400; // between two addresses: WebKit lets a page write a hundred in half a minute, and throws at the next
const isBesideTable = isServed && location.pathname.includes("/records/");
const stage = document.getElementById("stage");
const middlePiles = make("div", {class: "piles"});
const controls = document.getElementById("controls");
let replay = null;
let waitingFrame = 0;
let playing = false;
let speed = 1;
let timer = 0;
const PROGRESS_MS = 1000; // between two questions how far an analysis is
let note = "";
let isWrong = false; // the note says that something went wrong
let wroteAt = -WRITE_MS;
let writing = 0;
const held = () => new URLSearchParams(location.hash.slice(1)).get("game"); // a link can hold the record itself
const opened = held();
let packed = null; // the same of a game that lies in this browser alone, for a link that others can open

document.getElementById("middle").append(middlePiles);

// --- what is shown ---

function go(index) {
  replay.show(index);
  redraw();
  const wait = wroteAt + WRITE_MS - performance.now();
  if (wait <= 0) writeHash();
  else writing ||= setTimeout(writeHash, wait);
}

function hashWith(game) {
  return `#line=${replay.frame ? replay.frame.n : 0}&as=${replay.reader}${game ? `&game=${game}` : ""}`;
}

function writeHash() {
  clearTimeout(writing);
  writing = 0;
  wroteAt = performance.now();
  const wanted = hashWith(opened);
  try {
    if (location.hash !== wanted) history.replaceState(null, "", wanted);
  } catch { /* a browser that has enough of it: the next line, or the end of playing, comes into the address */ }
}

function readHash() {
  const said = new URLSearchParams(location.hash.slice(1));
  if (Object.hasOwn(replay.data.views, said.get("as"))) replay.reader = said.get("as");
  go(said.has("line") ? replay.at(Number(said.get("line"))) : 0);
  writeHash(); // a line alone belongs to the game that is shown
}

function redraw() {
  if (!waitingFrame) waitingFrame = requestAnimationFrame(draw);
}

function draw() {
  waitingFrame = 0;
  const {body} = document;
  set(body, "data-phase", model.table.phase);
  set(body, "data-line", replay.frame ? replay.frame.n : 0);
  set(body, "data-reader", replay.reader);
  const {width, height} = stage.getBoundingClientRect();
  const around = seatsAround();
  const lay = layWatch({width, height, around, staged: model.view.piles.some((pile) => pile.kind === "staged")});
  set(body, "data-shape", lay.tall ? "narrow" : "broad");
  const felt = document.getElementById("felt");
  place(felt, {x: lay.tall ? -20 : 10, y: lay.tall ? 0 : 16, w: width - (lay.feed ? lay.feed.w + 16 : 0) + (lay.tall ? 40 : -20), h: height - (lay.tall ? 0 : 32)});
  drawSeats(lay);
  drawTable(lay, (spec) => (spec.seat && pilesParent(spec.seat)) || middlePiles);
  markBetter();
  drawEvents(lay);
  drawEvent();
  drawControls();
}

function drawEvents(lay) {
  const list = document.getElementById("feed");
  set(list, "aria-label", say("feed"));
  place(list, lay.feed || null);
  if (lay.feed) fillEvents(list);
}

function fillEvents(list) {
  const made = keyed(list, replay.frames, (frame) => `${replay.reader}${frame.n}`, (frame) => make("li", {class: frame.rule ? "line-refusal" : "line-event"},
    make("button", {type: "button", "data-line": frame.n, text: frame.text, onclick: () => { closeDialog(); go(replay.at(frame.n)); }})));
  made.forEach((item, index) => {
    const here = index + 1 === replay.index;
    set(item, "aria-current", here ? "step" : null);
    if (here) item.scrollIntoView({block: "nearest"});
  });
}

/** The cards of the better play shine in the hand of the player who chose another. */
function markBetter() {
  const {frame} = replay;
  const better = frame && frame.mistake ? frame.mistake.cards : [];
  for (const card of stage.querySelectorAll("[data-card][data-owner]")) {
    card.classList.toggle("better", better.includes(card.dataset.card) && card.dataset.owner === String(frame.seat));
  }
}

/** The line that is shown: its sentence, whether it stood, its rule. */
function drawEvent() {
  const box = document.getElementById("event");
  // It plays faster than one can listen, and who stands on the slider hears the same sentence as its value.
  set(box, "aria-live", playing || document.activeElement === document.getElementById("position") ? "off" : "polite");
  const {frame} = replay;
  const rule = frame && frame.rule;
  const {result} = model.table;
  const key = JSON.stringify([frame && [frame.n, frame.text, rule, frame.mistake], say("nothing"), result]);
  if (box.dataset.of === key) return; // it is read aloud whenever it changes
  box.dataset.of = key;
  set(box, "data-verdict", frame ? (rule ? "refused" : "accepted") : null);
  const parts = [make("span", {class: "mark", "aria-hidden": "true", text: frame ? (rule ? "✕" : frame.mistake ? "?" : "✓") : ""}),
    make("span", {class: "words", text: frame ? frame.text : say("nothing")})];
  if (rule) parts.push(make("button", {type: "button", class: "rule", "data-act": "rule", "aria-label": say("rule", rule), text: rule, onclick: () => showRule(rule)}));
  box.replaceChildren(...parts);
  if (frame && frame.mistake) box.append(make("span", {class: "mistake", "data-kind": frame.mistake.kind, text: frame.mistake.text}));
  if (result) box.append(make("strong", {text: result}));
}

function showRule(rule) {
  const told = replay.data.rules[rule] || {type: "rule", rule, text: "", readings: []};
  openRule({ask: () => {}}, rule);
  takeRule(told);
}

// --- the controls ---

function button(name, label, doer) {
  const made = make("button", {type: "button", class: "tool", "data-act": name, "aria-label": label, title: label, onclick: doer}, make("span", {class: "icon"}));
  drawIcon(made.firstChild, name);
  return made;
}

function makeControls() {
  const slider = make("input", {type: "range", min: "0", step: "1", id: "position", "aria-label": say("position"), oninput: (event) => go(Number(event.target.value))});
  const readers = make("select", {id: "reader", "aria-label": say("viewOf"), onchange: (event) => { replay.lookAs(event.target.value); go(replay.index); }},
    ...replay.data.readers.map((name) => make("option", {value: name, text: nameOf(name)})));
  const speeds = make("select", {id: "speed", "aria-label": say("speed"), onchange: (event) => { speed = Number(event.target.value); pace(); }},
    ...SPEEDS.map((value) => make("option", {value, text: `${value}×`})));
  speeds.value = String(speed);
  controls.replaceChildren(
    make("div", {id: "curve", hidden: true}),
    make("div", {class: "track"}, make("div", {class: "ticks", "aria-hidden": "true"}), slider),
    make("div", {class: "buttons"},
      button("first", say("first"), () => step(-1e9)), button("back", say("back1"), () => step(-1)), button("play", say("play"), toggle),
      button("on", say("on1"), () => step(1)), button("last", say("last"), () => step(1e9)),
      speeds, readers,
      ...(document.getElementById("game") || !isServed ? [] : [make("button", {type: "button", class: "tool", "data-act": "sheet", text: say("sheet"), onclick: openSheet})]),
      ...(isBesideTable ? [make("button", {type: "button", class: "tool", "data-act": "retry", text: say("tryHere"), onclick: tryHere})] : []),
      make("button", {type: "button", class: "tool", "data-act": "judged", onclick: showJudged}),
      ...(document.getElementById("game") ? [] : [make("button", {type: "button", class: "tool", "data-act": "analyse", text: say("analyseIt"), onclick: analyse})]),
      ...MARKS.map((mark) => make("button", {type: "button", class: "tool", "data-act": `jump-${mark}`, onclick: () => jump(mark, 1)})),
      make("output", {id: "where", "aria-live": "off"}), // else each step is read twice
    ));
}

function nameOf(reader) {
  if (reader === "public") return say("everybody");
  if (reader === "all") return say("allOpen");
  return replay.data.seats[Number(reader) - 1].name;
}

function drawControls() {
  const {frames, frame, index} = replay;
  const slider = document.getElementById("position");
  slider.max = String(frames.length);
  slider.value = String(index);
  slider.setAttribute("aria-valuetext", frame ? frame.text : say("nothing"));
  document.getElementById("reader").value = replay.reader;
  const play = controls.querySelector("[data-act=play]");
  drawIcon(play.firstChild, playing ? "pause" : "play");
  set(play, "aria-label", say(playing ? "pause" : "play"));
  set(play, "title", say(playing ? "pause" : "play"));
  write(document.getElementById("where"), frame ? `${frame.n} · ${clock(frame.at)}` : "0:00");
  for (const mark of MARKS) {
    const jump = controls.querySelector(`[data-act=jump-${mark}]`);
    const count = replay.count(mark);
    jump.hidden = !count;
    write(jump, OF_ONE[mark] && Number(replay.reader) ? say(OF_ONE[mark], count, nameOf(replay.reader)) : say(mark, count));
  }
  const asks = controls.querySelector("[data-act=analyse]");
  if (asks) asks.hidden = replay.data.is_analysed || !replay.data.can_be_analysed;
  const judged = controls.querySelector("[data-act=judged]");
  judged.hidden = !replay.data.judged;
  if (replay.data.judged) write(judged, replay.data.judged.says.judged);
  drawCurve(document.getElementById("curve"), replay);
  drawTicks(frames);
  set(document.getElementById("state"), "data-kind", isWrong ? null : "note");
  write(document.getElementById("state"), note);
}

function drawTicks(frames) {
  const ticks = controls.querySelector(".ticks");
  const of = `${replay.reader} ${replay.data.is_analysed}`;
  if (ticks.dataset.of === of) return;
  ticks.dataset.of = of;
  ticks.replaceChildren(...frames.flatMap((frame, at) => [frame.mark, frame.mistake && "mistake"].filter(Boolean).map((mark) => {
    const tick = make("i", {class: `tick-${mark}`, "data-kind": mark === "mistake" ? frame.mistake.kind : null});
    tick.style.left = `${(100 * (at + 1)) / frames.length}%`;
    return tick;
  })));
}

function step(by) {
  stop();
  go(replay.index + by);
}

function jump(mark, by) {
  stop();
  go(replay.next(mark, by));
}

function stop() {
  if (!playing) return;
  playing = false;
  clearTimeout(timer);
  writeHash();
}

function toggle() {
  if (playing) stop();
  else {
    playing = true;
    if (replay.index === replay.frames.length) replay.show(0);
    pace();
  }
  redraw();
}

/** Wait as the players did, not longer than three seconds, then show the next line. */
function pace() {
  clearTimeout(timer);
  if (!playing) return;
  const next = replay.frames[replay.index];
  if (!next) {
    stop();
    redraw();
    return;
  }
  const wait = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, next.at - (replay.frame ? replay.frame.at : 0)));
  timer = setTimeout(() => {
    go(replay.index + 1);
    pace();
  }, wait / speed);
}

async function copyLink() {
  const link = new URL(location.href);
  const game = opened || await packed;
  if (game) link.searchParams.delete("kept");
  link.searchParams.delete("language"); // who opens it has their own
  link.hash = hashWith(game);
  isWrong = false;
  try {
    await navigator.clipboard.writeText(link.href);
    note = say("copied");
  } catch { // such as over plain HTTP
    openDialog("link", say("link"), make("input", {readonly: true, value: link.href, "aria-label": say("copyLink")}));
    document.querySelector("#dialog input").select();
  }
  redraw();
  setTimeout(() => { if (note === say("copied")) note = ""; redraw(); }, 3000); // an analysis may say something by now
}

/** Ask for the mistakes of this game: the server thinks for some seconds. */
async function analyse() {
  const asks = controls.querySelector("[data-act=analyse]");
  asks.disabled = true;
  isWrong = false;
  note = say("analysing");
  redraw();
  const query = gameQuery(true);
  watchProgress(query);
  try {
    const answer = await get(`game.json?${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    const line = replay.frame ? replay.frame.n : 0;
    replay.takeIn(await answer.json());
    note = replay.count("better") ? "" : say("noMistakes");
    go(replay.at(line));
    if (replay.data.judged) showJudged();
  } catch (wrong) {
    isWrong = true;
    note = wrong.message;
  }
  asks.disabled = false;
  redraw();
}

/** Say how far the analysis is, until it is there; a server that cannot tell is not asked again. */
async function watchProgress(query) {
  const asks = controls.querySelector("[data-act=analyse]"); // disabled meanwhile
  while (asks.disabled) {
    const answer = await get(`progress.json?${query}`).catch(() => ({}));
    if (!answer.ok) return;
    const {before, done, of} = await answer.json();
    if (asks.disabled && (before || of)) {
      note = before ? say("analysingAfter", before) : say("analysingAt", Math.floor((100 * done) / of));
      redraw();
    }
    await new Promise((next) => setTimeout(next, PROGRESS_MS));
  }
}

/** Who lost and where; a line of it is shown before its play, with the player's own eyes. */
function showJudged() {
  stop();
  openJudged(replay, {redraw, go: (line) => go(replay.at(line))});
}

/** The sheet of this line, to print: the server of the game makes it. */
function openSheet() {
  const first = replay.frames[0];
  const line = replay.frame || first;
  if (line) location.assign(`sheet?line=${line.n}&as=${replay.reader}&language=${words.language()}`);
}

/** The moment that is shown, for whose eyes look: before the own play that is shown, else behind the line. */
function tryHere() {
  const {frame, frames, index} = replay;
  const eyes = Number(replay.reader);
  const seat = eyes || (frame && frame.seat) || 1;
  const from = frame && frame.seat !== seat ? frames[index] || frame : frame || frames[0];
  if (from) location.assign(`try?line=${from.n}&seat=${seat}&language=${words.language()}`);
}

function openEvents() {
  const list = make("ol", {class: "feedlist events"});
  openDialog("feed", say("feed"), list);
  fillEvents(list);
}

function openHelp() {
  const rows = words.rows("viewKeys").map(([keys, meaning]) => make("tr", {}, make("th", {scope: "row", text: keys}), make("td", {text: meaning})));
  openDialog("help", say("help"), make("table", {class: "helptable"}, make("tbody", {}, ...rows)));
}

function nextReader() {
  const {readers} = replay.data;
  replay.lookAs(readers[(readers.indexOf(replay.reader) + 1) % readers.length]);
  go(replay.index);
}

const JUMPS = {r: "refusal", к: "refusal", t: "take", е: "take", u: "undo", г: "undo", m: "better", ь: "better"};
const KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": toggle, Home: () => step(-1e9), End: () => step(1e9),
  v: nextReader, м: nextReader, l: copyLink, д: copyLink, "?": openHelp, ",": openHelp,
};

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("select") || (event.key === " " && event.target.matches("button"))) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (JUMPS[key]) jump(JUMPS[key], event.shiftKey ? -1 : 1);
  else if (!KEYS[key]) return;
  else if (!event.repeat || key.startsWith("Arrow")) KEYS[key](); // a key that stays down steps on, and starts nothing twice
  event.preventDefault();
}

function drawBar() {
  const {data} = replay;
  write(document.getElementById("title"), data.title);
  document.title = `${data.title} · Cardtable`;
  write(document.getElementById("news"), [data.players.join(", "), data.date, data.result].filter(Boolean).join(" · "));
  const tools = document.getElementById("tools");
  if (isBesideTable) tools.append(make("a", {class: "tool", href: "/", "data-act": "table", text: `← ${say("backToTable")}`}));
  for (const [name, icon, label, doer] of [["feed", "list", "feed", openEvents], ["link", "link", "copyLink", copyLink], ["help", "question", "help", openHelp]]) {
    const tool = make("button", {type: "button", class: "tool", "data-act": name, "aria-label": say(label), title: say(label), onclick: doer}, make("span", {class: "icon"}));
    drawIcon(tool.firstChild, icon);
    tools.append(tool);
  }
  document.getElementById("sheet").replaceChildren(make("h1", {text: data.title}), make("p", {text: data.players.join(", ")}), make("p", {text: data.result}), make("p", {text: data.sealed}));
}

/** The address's query in the reader's language. Without the wish for an analysis the game is shown before
 * that takes its seconds. */
function gameQuery(analyses) {
  const language = wantedLanguage();
  const query = new URLSearchParams(location.search);
  query.delete("analyse");
  if (analyses) query.set("analyse", "yes");
  if (language) query.set("language", language);
  return query;
}

/** The game that the address names; null, and a sentence, where there is none: a link may have been cut, a file spoilt. */
async function fetchGame() {
  words.setLanguage(wantedLanguage()); // what the page says until the game is there
  try {
    const answer = await get(`game.json?${gameQuery(false)}`);
    if (answer.ok) return await answer.json();
  } catch { /* no answer, or a link that holds no game */ }
  write(document.getElementById("state"), say("noReplay"));
  set(document.body, "data-state", "nothing");
  return null;
}

async function start() {
  addEventListener("hashchange", () => {
    if (held() && held() !== opened) location.reload(); // another link in the same tab
    else if (replay) readHash();
  });
  const brought = document.getElementById("game");
  const data = brought ? JSON.parse(brought.textContent) : await fetchGame();
  if (!data) return;
  if (brought) data.views = unweave(data.views, data.readers);
  usePictures(data.pictures || {});
  words.setLanguage(data.language);
  replay = new Replay(data);
  startSeats({reader() {}, bottom() {}, rule: showRule});
  drawBar();
  makeControls();
  readHash();
  packed = packShown().catch(() => "");
  addEventListener("keydown", pressed);
  new ResizeObserver(redraw).observe(stage); // the curve below it takes its room when the chances are known
  if (new URLSearchParams(location.search).get("analyse") === "yes" && data.can_be_analysed && !data.is_analysed) await analyse();
  else if (data.judged && (data.opens || new URLSearchParams(location.search).has("analyse"))) showJudged();
}

start();
