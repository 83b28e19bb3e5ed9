// The page: it joins what the table says with those who draw it, and people's hands with acts.

import {Connection} from "./connection.js";
import * as words from "./words.js";
import "./page_words.js";
import {gameName, handOf, inLobby, isOwn, model, nameOf, pilesOf, seatOf, seatsAround, take, turnTable, waitingWords} from "./model.js";
import {lay as layOut} from "./layout.js";
import {layCompact, SHORT} from "./compact.js";
import {cardNodes, drawTable} from "./table.js";
import {drawSeats, flashRefusal, pilesParent, startSeats, waits} from "./seats.js";
import {drawSent, seatFor, startHand} from "./hand.js";
import {drawMoves, startMoves, toggleMoves} from "./moves.js";
import {drawGlass} from "./glass.js";
import {readingPart, startReading, unit, wantedLanguage} from "./reading.js";
import {noteTurn} from "./turn.js";
import {buzz, isMuted, setMuted, wake} from "./sound.js";
import {makeForm, startLobby} from "./lobby.js";
import {drawPanel, drawTitle, startPanel} from "./panel.js";
import {openRule, returnTo, takeRule} from "./rules.js";
import {drawComing, drawLobbyCode, drawVote, lostWords, startComing, takeComing, twiceWords} from "./coming.js";
import {Later} from "./later.js";
import {chooseTag, drawTags, takeChosen} from "./tags.js";
import {startKeys, tabStop} from "./keys.js";
import {BLINK_MS, choiceOf, choiceWords, notePress} from "./choice.js";
import {closeDialog, isOpen, openDialog} from "./dialog.js";
import {speak} from "./speak.js";
import {hearProof, proofFailed, proofWords} from "./proof.js";
import {drawIcon} from "./icons.js";
import {keyed, make, place, set, write} from "./make.js";

const {say} = words;
const stage = document.getElementById("stage");
const middlePiles = make("div", {class: "piles"});
const loosePiles = make("div", {class: "piles"});
const tags = make("div", {id: "tags", role: "group", hidden: true});
let connection = null;
let waitingFrame = 0;
let spoken = {prompt: "", result: ""};
let greeted = false; // the table has let this page in
let told = false; // and has told it how things stand, since it came last
let spoke = false; // its feed has come: what is new from here on is spoken
let scale = 1; // how much larger than usual everything is
let held = null; // what had the focus last
let note = "";
let noteTimer = 0;
let isTold = false; // the lesson itself has said what was wrong
let isSitting = false; // a seat was chosen, and the table has not let this page in there yet
let asked = "";
let lesson = new URLSearchParams(location.search).get("learn"); // a link to a first game

const coming = make("section", {id: "coming", hidden: true});
const vote = make("section", {id: "vote", hidden: true});

document.getElementById("middle").append(middlePiles);
stage.append(loosePiles, tags, vote, coming);

// --- messages ---

function hear(message) {
  hearProof(message, redraw);
  if (["readers", "write", "common"].includes(message.type) || readers && message.type === "ack") hearReal(message);
  if (message.type === "lesson") hearLesson(message);
  if (message.type === "hint" || message.type === "lesson") return helpers[message.type].use((one) => one.take(message));
  if (message.type === "sound") return buzz(message.hz);
  if (message.type === "rule") return takeRule(message);
  if (message.type === "summary") return help.use((one) => one.takeSummary(message));
  if (message.type === "link") return settings.use((one) => one.takeLink(message));
  if (takeComing(message)) return refreshSettings();
  if (message.type === "ack") takeAck(message);
  if (!take(message)) return redraw();
  if (message.type === "error") connection.ended = true;
  if (message.type === "table") told = true;
  if (message.type === "table" && isSitting) speakSeat();
  if (message.type === "welcome") settle(message.done);
  if (message.type === "welcome") words.setLanguage(message.language);
  if (message.type === "table" && message.language) words.setLanguage(message.language);
  if (message.type === "table" || message.type === "choices") refreshSettings();
  if (message.type === "welcome" || (message.type === "table" && words.language() !== asked)) {
    asked = words.language();
    connection.ask("choices");
  }
  if (message.type === "table" && message.phase !== "start") beginLesson();
  if (message.type === "table" && message.phase !== "start" && comesFrom()) onward.use((one) => comesFrom() && one.goOnward(act));
  if (message.type === "feed") speakFeed();
  if (message.type === "view") speakRefusals(message);
  if (message.type === "lights") speakRepeats();
  if (message.type === "lights" && model.seats.some(choiceOf)) setTimeout(redraw, BLINK_MS + 50);
  return redraw();
}

/** The first game that the address names; a game that goes on comes first. */
function beginLesson() {
  if (lesson && model.table.phase === "lobby") act("learn", {game: lesson});
  lesson = "";
}

const onward = new Later(() => import("./onward.js")); // the way from the page of a finished game
const comesFrom = () => location.search.includes("from="); // which it takes out of the address

let readers = null; // what a table needs whose cards are real

async function hearReal(message) {
  if (!readers) {
    const part = await import("./real.js");
    if (!readers) (readers = part).startReal({act, ask, redraw, stage, settings: openSettings});
  }
  readers.hear(message);
}

/** What the lesson says of a play needs no note, and no hint, beside it. */
function hearLesson(message) {
  isTold = !!message.more;
  if (!isTold) return;
  showNote("");
  if (helpers.hint.now) helpers.hint.now.close();
}

/** This page has sat down, which it may have done with eyes closed: in the lobby a headline says so. */
function speakSeat() {
  isSitting = false;
  if (model.role === "seat" && !inLobby()) speak(`${say("own")}: ${nameOf(model.bottom)}`);
}

/** The table has taken, or refused, what was done up to that number. */
function settle(done) {
  for (const [n, node] of model.pending) {
    if (n > done) continue;
    node.classList.remove("pending");
    model.pending.delete(n);
  }
}

function takeAck(message) {
  settle(message.n);
  if (message.why && !(isTold && model.table.lesson)) showNote(message.why); // why it was not taken, or that it has to wait a moment
}

/** A sentence for this browser alone, for five seconds: why an act was not taken. */
function showNote(sentence) {
  note = sentence;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => showNote(""), 5000);
  redraw();
}

function change(open) {
  model.open = open;
  buzz(0); // no message can end the beep now; a line that is back tells how it is
  told = false;
  greeted ||= open;
  if (open && connection.unsent) showNote(say("unsent", connection.unsent));
  redraw();
}

function speakFeed() {
  if (spoke) for (const line of model.fresh) if (line.kind !== "refusal" && !line.dealt && line.text !== model.table.result) speak(line.text);
  spoke = true;
}

let lastRefusals = "";
const red = new Map();
function speakRefusals(view) {
  const now = view.refusals.map((one) => `${one.seat}${one.rule}${one.words}`).join("|");
  if (now !== lastRefusals) {
    for (const one of view.refusals.filter((refusal) => isOwn(refusal.seat))) {
      speak(say("refusedLine", one.near ? `${one.words}. ${one.near}` : one.words));
      red.set(one.seat, isRed(one.seat) ? "shown" : "due");
    }
  }
  lastRefusals = now;
}

function isRed(seat) {
  const light = model.lights.get((seatOf(seat) || {}).place);
  return !!light && light.says === "refused";
}

/** A refusal that repeats is no new line of the record (T6): only the light turns red again. */
function speakRepeats() {
  for (const one of model.view.refusals.filter((refusal) => isOwn(refusal.seat))) {
    const was = red.get(one.seat);
    if (!isRed(one.seat)) {
      if (was === "shown") red.set(one.seat, "over");
    } else if (was !== "shown") {
      red.set(one.seat, "shown");
      if (was === "over") {
        speak(say("refusedLine", one.words));
        flashRefusal(one.seat);
      }
    }
  }
}

function speakChanges() {
  const can = model.can.get(model.bottom);
  const panel = model.table.phase !== "over" && document.querySelector(coming.hidden ? "#panel:not([hidden]) .headline" : "#coming h2"); // that of an end is its result
  const now = {prompt: choiceWords(model.bottom) || (can ? can.prompt || "" : ""), result: model.table.ending || model.table.result, headline: told ? panel && panel.textContent : spoken.headline, lost: lostWords()};
  if (now.prompt !== spoken.prompt) speak(now.prompt);
  if (now.result && now.result !== spoken.result) speak(now.result);
  if (now.headline !== spoken.headline) speak(now.headline);
  if (now.lost !== spoken.lost) speak(now.lost);
  spoken = now;
}

// --- what is loaded where it is used: hints and lessons, settings, help ---

const ask = (type, fields) => connection.ask(type, fields);
const startHelper = (one) => one.start({stage, act, ask, redraw});
const helpers = {hint: new Later(() => import("./hint.js"), startHelper), lesson: new Later(() => import("./lesson.js"), startHelper)};
const help = new Later(() => import("./summary.js"), (one) => one.startSummary({ask, rule: (rule) => openRule(connection, rule)}));
const settings = new Later(() => import("./settings.js"), (one) => one.startSettings({reading: readingPart, newTable, act, ask}));

/** What a button opens, or why it does not: the table may have been renewed since, and has that part no longer. */
async function openPart(later, doing) {
  if (await later.use((one) => doing(one) || true) === null && model.open) showNote(say("missing"));
}

function openHelp(line = null) {
  openPart(help, (one) => one.openHelp(line));
}

function openSettings() {
  openPart(settings, (one) => one.openSettings());
}

function refreshSettings() {
  if (settings.now) settings.now.refreshSettings();
}

// --- drawing ---

function redraw() {
  set(document.body, "data-busy", "yes");
  if (!waitingFrame) waitingFrame = requestAnimationFrame(draw);
}

function draw() {
  waitingFrame = 0;
  const {body} = document;
  set(body, "data-phase", model.table.phase);
  set(body, "data-role", model.role);
  set(body, "data-open", model.open && told ? "yes" : "no");
  body.classList.toggle("lost", greeted && !model.open);
  set(body, "data-game", gameName() || null);
  drawBar();
  scale = unit();
  const lay = layNow();
  drawFelt(lay);
  drawSeats(lay);
  drawTable(lay, sectionOf);
  if (lay.own) drawMoves(document.getElementById("own"), lay);
  drawSent();
  drawTags(tags, lay, readerClicked);
  drawFeed(lay);
  drawPanel(document.getElementById("panel"), lay.own ? stage.getBoundingClientRect().height - lay.own.top : 12);
  drawLobbyCode();
  drawComing(coming);
  drawVote(vote, lay);
  drawScreen(lay);
  if (readers) readers.draw(lay);
  for (const {now} of [helpers.hint, helpers.lesson]) if (now) now.draw(lay); // a hint, then the lesson behind it
  tabStop();
  keepFocus();
  noteTurn();
  speakChanges();
  tellRest(body);
}

/** For programs: what is drawn, and whether this page rests: every act taken and carried out, no card on its way. */
function tellRest(body) {
  set(body, "data-heard", model.view.heard);
  set(body, "data-done", connection.done);
  const moving = document.getAnimations().filter((one) => one.playState === "running" && Number.isFinite(one.effect.getComputedTiming().endTime));
  if (moving.length) Promise.allSettled(moving.map((one) => one.finished)).then(redraw);
  const working = Array.from(model.can.values()).some((can) => can.busy);
  set(body, "data-busy", !model.open || connection.waiting.length || working || moving.length ? "yes" : "no");
}

/** As the layout reckons: in pixels of a page with text of the usual size. */
function stageSize() {
  const {width, height} = stage.getBoundingClientRect();
  return {width: width / scale, height: height / scale};
}

/** The focus never falls to nothing: where its element has gone, the biggest button, a card of the hand or the stage gets it. */
function keepFocus() {
  const now = document.activeElement;
  if (now && now !== document.body) held = now;
  else if (held && !(held.isConnected && held.checkVisibility())) {
    const next = document.querySelector("#coming button, #coming input, #panel:not([hidden]) .big") || cardNodes().find((node) => node.tabIndex === 0) || stage;
    next.focus({preventScroll: true});
  }
}

/** Name the shape of the page as it is, for its styles; whether the small stage is drawn: on phones, and in any low window. */
function shapeNow(own, free) {
  const {width, height} = stageSize();
  const isCompact = own && model.role === "seat" && (width < 900 || height < 600) || height < SHORT && !inLobby() && !free;
  const shape = [isCompact && "compact", width < 700 ? "narrow" : "broad", height < SHORT && "short", width > height && "wide"];
  set(document.body, "data-shape", shape.filter(Boolean).join(" "));
  return isCompact;
}

function layNow() {
  const around = seatsAround();
  const own = model.bottom !== 0 && model.role !== "public";
  const hand = handOf(model.bottom);
  const free = model.table.free && model.role === "host";
  const isCompact = shapeNow(own, free);
  const {width, height} = stageSize(); // measured last: the bar may be higher in this shape
  const lay = makeRoom((isCompact ? layCompact : layOut)({
    width, height, role: model.role, around, own, free, malice: gameName() === "malice",
    handCount: hand ? Math.max(hand.count, hand.cards.length) : 6,
  }));
  lay.around = around;
  if (inLobby()) lay.seats = new Map();
  if (lay.own && !lay.own.phone) {
    lay.tags = lay.tall ? {x: 6, y: lay.own.top - 40, w: width - 12, h: 38} : {x: 8, y: lay.own.top - 46, w: width - 16, h: 40};
    if (model.table.free && model.role === "host") lay.middle.h -= 44;
  }
  return lay;
}

/** The words of a hint or a lesson lie where the screen is, or in the upper part of the middle: the cards have the rest. */
function makeRoom(lay) {
  const words = (lay.tall || !lay.glass) && lay.middle && stage.querySelector(":scope > .bubble:not([hidden])");
  if (!words) return lay;
  const {y, h} = lay.middle;
  const end = (words.getBoundingClientRect().bottom - stage.getBoundingClientRect().top) / scale;
  const top = Math.max(y, Math.min(end + 6, y + h - 66));
  return {...lay, words: lay.middle, middle: {...lay.middle, y: top, h: y + h - top}};
}

function sectionOf(spec) {
  return spec.seat ? pilesParent(spec.seat) : /^reader/.test(spec.place) ? loosePiles : middlePiles;
}

function drawFelt(lay) {
  const felt = document.getElementById("felt");
  const {width, height} = stageSize();
  const floor = lay.own ? lay.own.top + (lay.tall ? 0 : 30) : height - 8;
  const side = lay.feed ? lay.feed.w + 16 : 0;
  place(felt, lay.own && lay.own.phone ? null : {x: lay.tall ? -20 : 14, y: lay.tall ? 0 : 24, w: width - side + (lay.tall ? 40 : -28), h: floor - (lay.tall ? -2 : 24)});
  const middle = document.getElementById("middle");
  set(middle, "aria-label", say("middle"));
  middle.hidden = !lay.middle;
}

/** The screen lies in the middle of the table, or in the lobby beside what can be chosen. */
function drawScreen(lay) {
  const canvas = document.getElementById("glass");
  const hole = document.querySelector(".lobby .glasshole");
  if (!model.screen || (!lay.glass && !hole) || (hole && !hole.checkVisibility())) {
    canvas.hidden = true;
    return;
  }
  const dots = hole ? 2 : lay.glass.scale;
  drawGlass(canvas, model.screen, Math.max(2, Math.round(dots * scale * devicePixelRatio)));
  const box = {w: 128 * dots + 16, h: 64 * dots + 16};
  const panel = document.getElementById("panel");
  if (hole && !panel.hidden) {
    const at = hole.getBoundingClientRect();
    const corner = stage.getBoundingClientRect();
    place(canvas, {...box, x: (at.left - corner.left) / scale + Math.max(0, (at.width / scale - box.w) / 2), y: (at.top - corner.top) / scale});
  } else {
    place(canvas, {...box, x: lay.glass.x, y: lay.glass.y});
  }
}

function drawFeed(lay) {
  const list = document.getElementById("feed");
  set(list, "aria-label", say("feed"));
  place(list, lay.feed || null);
  if (lay.feed) fillFeed(list, folded(model.feed).slice(-60));
}

function fillFeed(list, lines) {
  const isAtEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 9; // else somebody reads what was
  const made = keyed(list, lines, (line) => line.n, (line) => make("li", {class: `line-${line.kind}`}));
  lines.forEach((line, index) => write(made[index], line.text));
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

/** The lines with the draws of a deal as one, which counts them. */
function folded(lines) {
  const told = [];
  for (const line of lines) {
    const last = told[told.length - 1];
    if (!line.dealt) told.push(line);
    else if (last && last.dealt) Object.assign(last, {dealt: line.dealt, text: say("deal", words.countCards(line.dealt))});
    else told.push({...line, text: say("deal", words.countCards(line.dealt))});
  }
  return told;
}

// --- the bar ---

/** A button of the bar; all are made at once, each at its place, whoever sees them. */
function tool(shows, name, icon, label, doer, {pressed = null, why = label} = {}) {
  const nav = document.getElementById("tools");
  let button = nav.querySelector(`[data-act=${name}]`);
  if (!button) nav.append(button = make("button", {type: "button", class: "tool", "data-act": name, onclick: doer}, make("span", {class: "icon"}), make("em")));
  button.hidden = !shows;
  drawIcon(button.firstChild, icon);
  write(button.lastChild, label);
  set(button, "aria-label", label);
  set(button, "title", why);
  if (pressed !== null) set(button, "aria-pressed", String(pressed));
}

function drawBar() {
  drawTitle(document.getElementById("title"));
  const goal = document.getElementById("goal");
  write(goal, inLobby() ? "" : model.table.goal || "");
  set(goal, "title", goal.textContent || null); // a narrow window cuts it
  document.title = model.table.title ? `${model.table.title} · Cardtable` : "Cardtable";
  const last = model.feed[model.feed.length - 1];
  const news = document.getElementById("news");
  const told = [model.role === "public" ? waitingWords() : "", last ? last.text : model.role === "public" ? say("spectator") : ""].filter(Boolean).join(" · ");
  const wanted = model.view.notice || told;
  if (news.dataset.from !== wanted) {
    news.dataset.from = wanted;
    write(news, wanted);
  }
  const lost = connection.isFull ? say("full") : greeted && !model.open ? say(connection.isClosed ? "goodbye" : "lost") : "";
  const trouble = model.error ? say("closed", model.error) : note ? "" : lost; // a note passes
  const calm = note || twiceWords();
  set(document.getElementById("state"), "data-kind", trouble ? null : calm ? "note" : proofFailed() ? null : "proof");
  write(document.getElementById("state"), trouble || calm || proofWords());
  set(document.getElementById("tools"), "aria-label", say("bar"));
  const isHost = model.role === "host";
  tool(model.table.hints && model.can.size, "hint", "bulb", say("hint"), () => openPart(helpers.hint, (one) => one.press()));
  tool(true, "help", "question", say("help"), () => openHelp());
  tool(model.role !== "seat", "feed", "list", say("feed"), openFeed);
  tool(true, "mute", isMuted() ? "silent" : "loud", say(isMuted() ? "unmute" : "mute"), toggleMute);
  tool(isHost, "free", "hand", say("free"), toggleFree, {pressed: !!model.table.free, why: say("freeWhy")});
  tool(isHost, "settings", "switches", say("settings"), openSettings);
  tool(!isHost, "reading", "switches", say("reading"), openReading); // a host's stands in the settings
}

function toggleMute() {
  setMuted(!isMuted());
  redraw();
}

function nextOwnSeat() {
  turnTable();
  redraw();
}

function toggleFree() {
  if (model.role !== "host") return;
  act("free", {on: !model.table.free});
  if (!model.table.free) showNote(say("freeWhy"));
}

/** A finished game is left for the firmware's lobby; a running one only for another, which the form asks about. */
function newTable() {
  if (model.table.phase === "over" || inLobby()) {
    closeDialog();
    act("lobby");
  } else {
    openDialog("new", say("newTable"), makeForm(model.table.phase !== "stopped"));
  }
}

function openFeed() {
  const list = make("ol", {class: "feedlist"});
  openDialog("feed", say("feed"), list);
  fillFeed(list, folded(model.feed));
  list.parentElement.scrollTop = list.parentElement.scrollHeight;
}

function openReading() {
  openDialog("reading", say("reading"), readingPart());
}

/** This browser reads another language from now on: everything is told again. */
function speakLanguage(code) {
  model.feed = [];
  words.setLanguage(code);
  connection.language = code;
  connection.ask("speak", {language: code});
  showLanguage();
}

function showLanguage() {
  if (isOpen("reading")) openReading();
  refreshSettings();
  redraw();
}

// --- hands ---

function act(verb, fields) {
  const number = connection.act(verb, fields);
  if (!number) showNote(say("unsent", connection.unsent)); // too many wait while the line is gone
  redraw();
  return number;
}

function tapCard(what, node) {
  const seat = seatFor(what);
  if (!seat) return;
  for (const one of cardNodes()) set(one, "data-last", one === node);
  const number = act("tap", {seat, ...thing(what)});
  if (!number) return;
  node.classList.add("pending");
  model.pending.set(number, node);
}

function thing(what) {
  return what.hidden ? {pile: what.pile} : {card: what.card};
}

function sit(secret) {
  isSitting = true;
  connection.sit(secret);
}

function layCard(what, reader) {
  if (model.table.free && model.role === "host" && !what.hidden) act("tag", {tag: what.card, reader});
  else act("lay", {seat: seatFor(what), ...thing(what), reader});
}

function readerClicked(reader) {
  const tag = takeChosen();
  if (tag) act("tag", {tag, reader});
  else if (pilesOf("reader").some((pile) => pile.reader === reader)) act("lift", {reader});
}

const press = (seat, key) => {
  if (waits(seat, key)) return;
  notePress(seat, key);
  act("press", {seat, key});
};
const hold = (seat, key) => act("hold", {seat, key});
const release = (seat, key) => act("release", {seat, key});

startSeats({
  press, hold, release,
  reader: readerClicked,
  bottom: (seat) => { model.bottom = seat; redraw(); },
  rule: (rule, verdicts) => { returnTo(null); openRule(connection, rule, verdicts); },
  propose: (seat) => act("propose", {seat}),
  agree: (seat) => act("agree", {seat}),
});
startHand(stage, {
  tap: tapCard,
  lay: layCard,
  lift: (reader, card) => act("lift", card ? {reader, card} : {reader}),
  tag: (tag, reader) => act("tag", {tag, reader}),
  choose: chooseTag,
  play: playMove,
  press,
});
startMoves(playMove);

function playMove(seat, move) {
  const fields = {seat, verb: move.verb};
  for (const name of ["card", "target"]) if (move[name] !== undefined && move[name] !== null) fields[name] = move[name];
  act("play", fields);
}

startLobby((fields) => {
  closeDialog();
  act("start", fields);
}, {rule: (rule) => { returnTo(null); openRule(connection, rule); }, help: openHelp, learn: (game) => act("learn", {game})});
startPanel({newTable, next: () => act("next"), lobby: () => act("lobby"), power: (on) => act("power", {on})}, redraw);
startComing({ask, sit, act, redraw});
startKeys({press, hold, release, moves: toggleMoves, free: toggleFree, mute: toggleMute, turn: nextOwnSeat, help: () => openHelp()});
for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, wake);
addEventListener("resize", redraw);
new ResizeObserver(redraw).observe(stage); // the bar above it may need one more line
startReading(speakLanguage);
words.onWords(showLanguage);
connection = new Connection(hear, change, wantedLanguage());
redraw();
